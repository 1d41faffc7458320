"""The television in a real browser: nothing to scroll, nothing too small to read, all that matters in sight."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

from docs.site.page_pictures import Moment, asks, evening, five_dice, idle_after, rolls
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.gestures import Offer
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading, rolled
from loomtable.engine.kernel.requests import Choose, Request, Roll
from loomtable.engine.kernel.results import last_result
from loomtable.table.hosting.devices import ROOM, Role
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.proposals import Taking
from tests.table.asking import a_tale
from tests.table.browsing import CUT_OFF, OUT_OF_SIGHT, Served
from tests.tiers import mostly

SIZES = {1080: (1920, 1080), 2160: (3840, 2160)}
EACH_SIZE = mostly(SIZES, [1080])
SHOWN = ("Weave, a roll", "Spellwoven, a roll", "Storm Weavers, a fight", "Mnemonic, a scene", "Woven, five")
"""One screen of each game."""
SMALLEST = 32
"""Pixels of the smallest type at 1080 lines: what is read from three metres."""
SMALLEST_ON_MAPS = 28
"""The same for the letters on figures, which stand on their own ground, and for places where nobody is."""


def later_roll(line: int) -> Moment:
    """The first roll that is asked after a line."""
    return lambda seq, asked: seq >= line and isinstance(asked, Roll)


def any_question(line: int) -> Moment:
    def found(seq: int, asked: Request | None) -> bool:
        return seq >= line and asked is not None

    return found


SCREENS: dict[str, tuple[str, Moment, tuple[str, ...]]] = {
    "Weave, a roll": (
        "weave-an-hour-ahead",
        any_question(144),
        (".tv-now .odds b", ".spread .card img", ".person .track .boxes", ".order .now", ".tv-last .verdict-word"),
    ),
    "Weave, idle": (
        "weave-hounds-at-the-cord",
        idle_after(58),
        (".told p", ".spread .card img", ".person .track .boxes"),
    ),
    "Spellwoven, a roll": ("spellwoven-barrow-road", later_roll(40), (".initiative li", ".person .levels .boxes")),
    "Spellwoven, idle": (
        "spellwoven-the-nineteenth-piece",
        idle_after(60),
        (".told p", ".initiative li", ".person .levels .boxes", ".tv-last .verdict-word"),
    ),
    "Storm Weavers, a fight": (
        "storm-weavers-sluice-yard",
        rolls("round 6"),
        ("svg.map .thymin", ".person .track.health .boxes", ".tv-last .verdict-word"),
    ),
    "Storm Weavers, a page": (
        "storm-weavers-karrow-head",
        idle_after(50),
        (".read-out", ".ways-on li", ".person .track.health", ".told p"),
    ),
    "Mnemonic, a scene": (
        "mnemonic-the-last-house",
        later_roll(60),
        (".prompt .card img", ".read-out", ".person .skills li", ".tv-now .odds b"),
    ),
    "Mnemonic, the group": (
        "mnemonic-the-last-house",
        later_roll(97),
        (".sides .thrown svg", ".person .skills li"),
    ),
    "Woven, three": (
        "woven-three-at-the-loom",
        idle_after(80),
        ("svg.map .mage", ".named text", "svg.tapestry", ".mana i", ".told p", ".tv-last .verdict-word"),
    ),
    "Woven, five": (
        "woven-five-at-the-table",
        idle_after(70),
        ("svg.map .mage", ".held text", ".named:not(.held) text", "svg.tapestry", ".mana i"),
    ),
    "Woven, a question": ("woven-duel", asks("Cast a spell?"), ("svg.map", "svg.tapestry", ".tv-now h2")),
}


def television(table: Served, name: str, lines: int) -> Any:
    page = table.page(Role.SCREEN, live=name, reads=True)
    width, height = SIZES[lines]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{table.base}/room/{name}")
    page.wait_for_load_state("networkidle")
    page.evaluate("() => document.fonts.ready")
    return page


SMALL = """([least, leastOnMaps]) => {
  const small = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let at = walker.nextNode(); at; at = walker.nextNode()) {
    const one = at.parentElement;
    if (!at.data.trim() || !one.checkVisibility() || one.closest(".hidden-to-eyes, script, style")) continue;
    const svg = one.ownerSVGElement;
    const scale = svg ? one.getScreenCTM().a : 1;
    const px = parseFloat(getComputedStyle(one).fontSize) * scale;
    if (px < (svg && !one.closest(".held") ? leastOnMaps : least) - 0.05) {
      const where = `${one.className?.baseVal ?? one.className} ${one.localName}`;
      small.set(where, `${px.toFixed(1)} px: ${at.data.trim()}`);
    }
  }
  return Object.fromEntries(small);
}"""


def check(page: Any, lines: int, wanted: tuple[str, ...]) -> None:
    """Nothing is cut off or small, and what is wanted lies in sight."""
    factor = lines / 1080
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(SMALL, [SMALLEST * factor, SMALLEST_ON_MAPS * factor]) == {}
    assert page.evaluate(OUT_OF_SIGHT, list(wanted)) == []
    assert page.locator("nav, a[href], button:visible").count() == 0, "nothing on a television can be pressed"


@pytest.mark.parametrize("lines", EACH_SIZE)
@pytest.mark.parametrize("name", mostly(SCREENS, SHOWN))
def test_everything_fits_and_can_be_read_from_afar(table: Served, name: str, lines: int) -> None:
    transcript, moment, wanted = SCREENS[name]
    session = evening(table.host, "Friday", transcript, moment)
    live = table.host.live_session(session)
    always = (".tv-head h1", ".tv-head img", ".tv-now h2" if live.session.pending else ".tv-story h2")
    check(television(table, session, lines), lines, (*always, *wanted))


@pytest.mark.parametrize("lines", EACH_SIZE)
@pytest.mark.parametrize(
    "name",
    mostly(
        ["Weave, a roll", "Storm Weavers, a fight", "Mnemonic, the group", "Woven, a question"], ["Weave, a roll"]
    ),
)
def test_what_came_of_a_roll_fills_the_screen_and_fits_it(table: Served, name: str, lines: int) -> None:
    session = evening(table.host, "Friday", *SCREENS[name][:2])
    live = table.host.live_session(session)
    page = television(table, session, lines)
    settle(live)
    shown = page.locator("#result:not([hidden]) .verdict-word")
    shown.wait_for()
    page.wait_for_timeout(400)  # until it has come in
    inside = page.locator("#result [data-inside]")
    assert inside.evaluate("one => one.scrollHeight - one.clientHeight") <= 2
    assert shown.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 110 * lines / 1080
    assert page.evaluate(SMALL, [SMALLEST * lines / 1080, 0]) == {}


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_dice_come_in_one_by_one_and_then_the_word_unless_motion_is_reduced(table: Served, motion: str) -> None:
    live = table.host.live_session(evening(table.host, "Friday", "weave-an-hour-ahead", any_question(144)))
    page = table.page(Role.SCREEN, live="Friday", size="television", reads=True, reduced_motion=motion)
    page.goto(f"{table.base}/room/Friday")
    settle(live)
    page.locator("#result:not([hidden]) .verdict-word").wait_for()
    delays = "all => all.map((one) => [getComputedStyle(one).animationName, getComputedStyle(one).animationDelay])"
    dice = page.locator("#result .roll-dice li").evaluate_all(delays)
    [[name, word]] = page.locator("#result .verdict-word").evaluate_all(delays)
    if motion == "reduce":
        assert {one for one, _ in dice} == {name} == {"none"}
    else:
        came = [round(1000 * float(delay.removesuffix("s"))) for _, delay in dice]
        assert len(dice) > 2 and came == [60 * at for at in range(len(dice))]
        assert 1000 * float(word.removesuffix("s")) > came[-1] + 60


def test_an_epic_pass_does_not_look_like_a_pass(table: Served) -> None:
    look = """(one) => [getComputedStyle(one, "::before").content,
      getComputedStyle(one.closest(".moment > div")).background]"""
    seen = {}
    live = table.host.live_session(evening(table.host, "Friday", "weave-an-hour-ahead", any_question(144)))
    page = television(table, "Friday", 1080)
    for verdict, gales in (("Pass", 1), ("Epic pass", 5)):
        faces = ["gales"] * gales + ["stones"] * (5 - gales)
        live.take(rolled(Die.WEAVE, *faces), by="", revision=live.revision)
        page.locator("#result:not([hidden]) .verdict-word").get_by_text(verdict, exact=True).wait_for()
        seen[verdict] = page.locator("#result .verdict-word").evaluate(look)
        live.undo(by="", revision=live.revision)
    assert all(a != b for a, b in zip(seen["Pass"], seen["Epic pass"], strict=True))


def test_the_sound_is_off_until_somebody_switches_it_on_and_stays_on(table: Served) -> None:
    live = a_tale(table.host, "Friday")
    page = television(table, "Friday", 1080)
    heard = "() => window.heard"
    page.context.add_init_script(
        "window.heard = 0; const start = OscillatorNode.prototype.start;"
        "OscillatorNode.prototype.start = function (at) { window.heard += 1; return start.call(this, at); };"
    )
    page.reload()

    def test(*pips: int) -> None:
        live.take(Action("test", {"attribute": "wisdom"}), by="", revision=live.revision)
        live.take(rolled(Die.D6, *pips), by="", revision=live.revision)
        page.locator(f"#result[data-seq='{live.session.lines()[-1].seq}']:not([hidden])").wait_for()

    test(1, 2)
    assert page.evaluate(heard) == 0
    page.keyboard.press("Escape")
    page.get_by_label("Sound").check()
    test(1, 1)
    assert page.evaluate(heard) == 4, "two dice, and two notes"
    page.reload()
    assert page.get_by_label("Sound").is_checked()
    test(6, 6)
    assert page.evaluate(heard) == 4


def settle(live: LiveSession) -> None:
    """Answer, of choices the first one, until nothing about the roll or the spell is open any more."""
    before, source = last_result(live.session, ROOM), random.Random(4)
    while (asked := live.session.pending) is not None:
        first = isinstance(asked, Choose) and ChoiceReading(
            tuple(o.key for o in asked.options[: asked.at_least or 1])
        )
        live.take(first or random_answer(asked, source), by="", revision=live.revision)
        found = last_result(live.session, ROOM)
        if found is not None and found.settled and (before is None or found.seq > before.seq):
            return
    raise AssertionError("nothing came of it")


EVENINGS = {
    "weave": "weave-an-hour-ahead",
    "spellwoven": "spellwoven-the-nineteenth-piece",
    "storm-weavers": "storm-weavers-lantern-and-thread",
    "mnemonic": "mnemonic-game-face",
    "woven": "woven-three-at-the-loom",
}


@pytest.mark.parametrize(("key", "steps"), mostly(product(EVENINGS, (6, 10_000)), [("woven", 6)]))
def test_nothing_is_cut_off_until_the_end_on_a_television_that_was_open_before(
    table: Served, key: str, steps: int
) -> None:
    """The last steps are the fullest."""
    played = table.host.live_session(evening(table.host, "whole", EVENINGS[key])).session.played
    begun = max(0, len(played) - 1 - steps)
    evening(table.host, "Friday", EVENINGS[key], lambda seq, _: seq == played[begun].step.seq)
    live, page = table.host.live_session("Friday"), television(table, "Friday", 1080)
    wrong = {}
    for one in played[begun + 1 :]:
        live.take(one.step.what, by="", revision=live.revision)
        page.locator(f"main[data-revision='{live.revision}']").wait_for()
        seen = page.evaluate(CUT_OFF), page.evaluate(SMALL, [SMALLEST, SMALLEST_ON_MAPS])
        wrong |= {one.step.seq: seen} if any(seen) else {}
    assert wrong == {}


@pytest.mark.parametrize("key", ["storm-weavers"])
def test_a_ready_evening_begins_with_all_of_its_text_and_the_numbers_of_its_choices(
    table: Served, key: str
) -> None:
    live = table.host.begin_ready(key, seed="pictures")
    page, laptop = television(table, live.name, 1080), table.page(Role.HOST)
    laptop.goto(f"{table.base}/table/{live.name}")
    read = page.locator(".tv-stage").bounding_box()
    for part in (".read-out p >> nth=0", ".ways-on li >> nth=-1"):
        box = page.locator(part).bounding_box()
        assert read["y"] <= box["y"] and box["y"] + box["height"] <= read["y"] + read["height"]
    said = [" ".join(one.split()) for one in page.locator(".ways-on li").all_inner_texts()]
    assert said == [" ".join(one.split()) for one in laptop.locator("#answer .options li").all_inner_texts()]
    assert said[0].startswith("1 ") and len(said) == 6


@pytest.mark.parametrize("watches", mostly([False, True], [True]))
def test_dice_have_the_large_place_while_they_are_asked_and_the_picture_has_it_afterwards(
    table: Served, watches: bool
) -> None:
    evening(table.host, "Friday", "weave-an-hour-ahead", any_question(144))
    live = table.host.live_session("Friday")
    if watches:
        live.watch.show(five_dice())
    page = television(table, "Friday", 1080)
    wide = page.locator(".tv-now").bounding_box()["width"]
    assert wide > 1100
    if watches:
        assert page.locator(".tv-now .camera img").bounding_box()["height"] > 350
        assert page.locator(".tv-stage").is_hidden()
    assert page.evaluate(CUT_OFF) == []
    settle(live)
    page.locator(f"main[data-revision='{live.revision}']").wait_for()
    assert page.locator(".tv-stage").bounding_box()["width"] > 1100


def test_a_television_shows_theme_location_and_boss_as_far_as_they_are_told(table: Served) -> None:
    live = table.host.begin_ready("weave", seed="scene")
    page = television(table, live.name, 1080)
    line = page.locator(".told-of li")
    boss = live.session.state.foundation[2].quality.name
    assert [" ".join(one.split()) for one in line.all_inner_texts()] == [
        "Theme face down",
        "Location Bridge of Quiet Hands",
        "Boss face down",
    ]
    assert page.locator(".told-of img").count() == 1
    live.take(Action("begin-encounter", {"against": [boss], "combat": True}), by="", revision=live.revision)
    line.get_by_text(boss).wait_for()
    while live.session.pending is not None:
        live.take(random_answer(live.session.pending, random.Random(1)), by="", revision=live.revision)
    page.locator(".tv-now").wait_for(state="hidden")
    assert page.locator(".told-of img").count() == 2
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(SMALL, [SMALLEST, 0]) == {}


def test_before_anything_is_told_the_card_that_lies_there_has_the_place(table: Served) -> None:
    name = evening(table.host, "Friday", "weave-an-hour-ahead", rolls("Challenge"))
    page = television(table, name, 1080)
    assert page.locator(".told-of").count() == 0
    card = page.locator(".tv-stage .spread img").bounding_box()
    assert card["height"] > 1080 / 4


def test_what_hands_have_done_is_seen_on_a_television_that_was_open_whatever_is_asked(table: Served) -> None:
    live = table.host.begin_ready("weave", seed="scene")
    page, watch = television(table, live.name, 1080), live.watch
    watch.leads, watch.proposals.taking = True, Taking.COUNTDOWN
    begins = [Action("challenge", {"who": who, "suit": "gales"}) for who in ("Ilse", "Odo")]
    ways = [Offer(f"{action.args['who']} faces Gales", action) for action in begins]
    felt, box = np.full((720, 1280, 3), 90, np.uint8), (300.0, 200.0, 420.0, 380.0)

    def seen(*offers: Offer, by: str = "") -> None:
        watch.proposals.gesture(offers, live.revision, felt, (box,), taken_by=by, at=0.0)
        watch.changed()

    for asked in (False, True):
        if asked:
            live.take(begins[0], by="", revision=live.revision)
            page.get_by_role("heading", name="Roll five Weave dice").wait_for()
        seen(ways[0], by="the camera")
        page.locator(".tv-now .counting .ring").wait_for()
        seen(*ways)
        page.locator(".tv-now .ways li").get_by_text("Odo faces Gales").wait_for()
        assert page.evaluate(OUT_OF_SIGHT, [".tv-now .did p", ".tv-now .ways li:last-child"]) == []
        assert page.evaluate(CUT_OFF) == [] and page.evaluate(SMALL, [SMALLEST, 0]) == {}
        seen()
        page.locator(".tv-now .did").wait_for(state="detached")
