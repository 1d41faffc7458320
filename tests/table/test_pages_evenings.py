"""Whole evenings on the page, in a real browser: before a camera, on a map, with spells, and with phones."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from docs.site.page_pictures import asks, evening, rolls
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.journal import Amended, Answered
from loomtable.engine.kernel.readings import CardReading, DiceReading, Source
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.woven.spells import spell_named
from loomtable.table.hosting.devices import Role
from loomtable.testing import check_session
from loomtable.testing.virtual import (
    TINTS,
    Light,
    PlacedDie,
    Scene,
    Surface,
    VirtualCamera,
    photograph,
    row_of_cards,
)
from loomtable.vision.pictures import BgrImage
from tests.short import present
from tests.table.browsing import Served, act, chromium, played_on
from tests.table.filming import until
from tests.tiers import thorough

LAMP = Light(azimuth=200, elevation=58, distance=1100, size=9, sky=0.7)
FELT = Surface("felt", TINTS["felt"][0], 3)
OVER_DICE = VirtualCamera(height=240, tilt=6, frame=(1280, 720), noise=0.8)
OVER_CARDS = VirtualCamera(height=220, tilt=8, frame=(1280, 720), noise=0.8)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser whose camera is a film of two dice that show 3 and 5."""
    film = tmp_path_factory.mktemp("camera") / "dice.y4m"
    _as_y4m(dice_lying(3, 5), film)
    camera = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    yield from chromium(*camera, f"--use-file-for-fake-video-capture={film}")


@pytest.fixture(scope="module")
def cards() -> dict[str, BgrImage]:
    """The printed faces of three Story cards."""
    from loomtable.printkit.raster import card_faces

    wanted = [ComponentId.parse(code) for code in ("S5", "S16", "S14")]
    return {card.short: face for card, face in card_faces("story-cards", 300, only=wanted).items()}


def photo(picture: BgrImage) -> dict[str, Any]:
    """A picture as a phone's camera sends it."""
    good, packed = cv2.imencode(".jpg", picture)
    assert good
    return {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": packed.tobytes()}


def dice_lying(*pips: int) -> BgrImage:
    """Ordinary dice on felt, in a row."""
    dice = tuple(
        PlacedDie(face, -72 + 36 * at, 8 * (-1) ** at, 17 * at, body=(236, 230, 214), pips=(18, 18, 20))
        for at, face in enumerate(pips)
    )
    return np.asarray(photograph(Scene(FELT, (), dice, LAMP), OVER_DICE, 3).picture, np.uint8)


def card_lying(face: BgrImage, code: str) -> BgrImage:
    """One printed card under the camera."""
    card = ComponentId.parse(code)
    scene = row_of_cards([face], 5, OVER_CARDS, cards=[card], surface=Surface("wood", seed=4))
    return np.asarray(photograph(scene, OVER_CARDS, 5).picture, np.uint8)


def heading(page: Any) -> Any:
    return page.locator("#asked-title")


@thorough
def test_an_episode_from_scanning_to_a_resolved_challenge(table: Served, cards: dict[str, BgrImage]) -> None:
    host = table.page(Role.HOST)
    host.goto(table.base + "/")
    host.get_by_role("link", name="Step by step for Weave").click()
    host.get_by_label("Name").fill("Friday")
    host.get_by_role("button", name="Begin").first.click()
    phone = table.page(Role.CAMERA, live="Friday", size="phone")
    phone.goto(table.base + "/camera/Friday")

    act(host, "New season")
    host.locator("#answer").get_by_role("button", name="The Salt Road").click()
    for code in ("S5", "S16", "S14"):
        heading(host).get_by_text("Draw a Story card").wait_for()
        phone.locator("#photo").set_input_files(photo(card_lying(cards[code], code)))
        host.locator(".verdict.accepted").wait_for()
        host.keyboard.press("a")
        host.locator("#answer .options").wait_for()
        host.keyboard.press("1")
    host.get_by_label("Or write your own").fill("The lamp turns inland")
    host.get_by_role("button", name="OK").click()

    act(host, "Add character", player="Ada")
    host.get_by_role("button", name="Gales").click()
    for code in ("S1", "S8", "S6", "S9"):
        host.get_by_label("The code on the card").fill(code)
        host.get_by_role("button", name="This card").click()
        host.locator("#answer .options").wait_for()
        host.keyboard.press("1")
        heading(host).get_by_text(re.compile("Draw a Story card|Name of the character")).wait_for()
    host.locator(".suggestions").get_by_role("button", name="Ilse").click()

    act(host, "Challenge", who="Ilse", suit="gales", card="C22")
    heading(host).get_by_text("Does this apply to this roll of Ilse?").wait_for()
    host.get_by_role("button", name="No", exact=True).click()
    heading(host).get_by_text(re.compile("Roll .* Weave dice")).wait_for()
    live = table.host.live_session("Friday")
    asked = live.session.pending
    assert isinstance(asked, Roll)
    assert "%" in host.locator(".odds").inner_text()
    phone.locator("#photo").set_input_files(photo(dice_lying(*[3, 6, 1, 2, 4][: asked.count])))
    # Two taps put a die right: the die, where it lies in the picture, then its face; six of a d6 stand for Strike.
    host.locator(".taking [data-fix='1']").click()
    before = live.revision
    host.locator("#fix-1").get_by_role("button", name="Die 1 shows Gales").click()
    host.locator("#tile-1.corrected").wait_for()
    while live.revision == before and host.locator(".one-die").count():  # only what is in doubt is asked
        host.locator(".one-die").get_by_role("button").first.click()
        host.wait_for_timeout(200)
    if live.revision == before:
        host.locator("#accept").click()
    host.get_by_role("heading", name="Your move").wait_for()
    lying = [e.reading for line in live.lines() if isinstance(e := line.entry, Answered)][-1]
    assert isinstance(lying, DiceReading)
    assert {die.how for die in lying.dice} <= {Source.CAMERA, Source.CORRECTED} and lying.dice[0].face == 3
    assert "Gales" in host.locator(".news").inner_text()


def test_a_fight_on_the_map_by_hand_and_by_keys(table: Served) -> None:
    evening(table.host, "Yard", "storm-weavers-sluice-yard", asks("move, round 4"))
    live = table.host.live_session("Yard")
    before = live.revision
    host = table.page(Role.HOST)
    host.goto(table.base + "/table/Yard")
    square = host.locator("svg.map [data-answer]").first
    where = square.get_attribute("aria-label")
    square.focus()
    host.keyboard.press("Enter")
    played_on(host, before)
    assert live.revision == before + 1 and where
    # Whatever is asked now: dice are tapped, choices taken by their number, until the round is over.
    for _ in range(8):
        asked = live.session.pending
        if asked is None or "round 5" in asked.purpose:
            break
        now = live.revision
        if isinstance(asked, Roll):
            for _ in range(asked.count):
                host.locator("#answer [data-face='4']").click()
        else:
            host.keyboard.press("1")
        played_on(host, now)
    assert live.session.state.map_fight.round.number == 5
    host.keyboard.press("u")
    host.get_by_text("Undone: ").wait_for()


def test_a_spell_is_cast_on_the_page(table: Served) -> None:
    evening(table.host, "Duel", "woven-duel", asks("Cast a spell?"))
    live = table.host.live_session("Duel")
    who = live.session.pending.by  # type: ignore[union-attr]
    spell = live.session.pending.options[0].key  # type: ignore[union-attr]
    assert spell not in live.session.state.mages[who].shown
    phone = table.page(Role.PLAYER, who, "Duel", size="phone", reads=True)
    phone.goto(table.base + "/table/Duel")
    heading(phone).wait_for()
    phone.locator("#answer button").nth(0).click()
    phone.locator("#result .verdict-word").get_by_text(spell_named(spell).name).wait_for()
    entry = live.lines()[-1].entry
    assert isinstance(entry, Answered) and entry.request.purpose == "Cast a spell?"
    assert live.lines()[-1].who == f"{who}'s phone"
    assert spell in live.session.state.mages[who].shown, "what was cast lies open now"


def test_a_misread_die_is_put_right_after_everything_was_shown(table: Served) -> None:
    evening(table.host, "Friday", "salt-road-evening")
    live = table.host.live_session("Friday")
    rolled = next(
        line.seq
        for line in live.lines()
        if isinstance(line.entry, Answered)
        and isinstance(line.entry.reading, DiceReading)
        and "Gales" in line.entry.request.purpose
    )
    before = live.revision
    host = table.page(Role.HOST)
    host.goto(table.base + "/table/Friday/journal")
    host.locator(f"#line-{rolled}").get_by_role("link", name="Correct").click()
    for at, face in enumerate(["gales", "gales", "strike", "stones", "stones"]):
        host.locator(f"[name=answer{at}][value={face}]").check(force=True)
    host.get_by_role("button", name="Show what would change").click()
    host.get_by_role("heading", name="What would change").wait_for()
    shown = host.locator("[data-section=consequences]").inner_text()
    assert "No longer so" in shown and live.revision == before, "nothing is written before somebody agrees"
    host.get_by_role("button", name="Correct it").click()
    host.wait_for_url("**/journal")
    assert isinstance(live.lines()[-1].entry, Amended)
    host.locator(f"#line-{live.revision - 1}").get_by_role("button", name="Take this change back").click()
    host.locator(f"#line-{live.revision - 1}").wait_for()


def test_a_live_page_follows_and_says_when_the_table_is_gone(table: Served) -> None:
    evening(table.host, "Friday", "salt-road-evening", rolls("Gales Challenge"))
    live = table.host.live_session("Friday")
    screen = table.page(Role.SCREEN, live="Friday", size="television")
    screen.goto(table.base + "/room/Friday")
    screen.get_by_role("heading", name="Roll five Weave dice").wait_for()
    asked = live.session.pending
    live.take(random_answer(present(asked), random.Random(1)), by="Ada", revision=live.revision)
    screen.get_by_role("heading", name="Roll five Weave dice").wait_for(state="detached")
    [device] = [d for d in table.host.devices.all() if d.role is Role.SCREEN]
    table.host.devices.revoke(device.id)
    screen.get_by_role("heading", name="Join the table").wait_for()


def test_three_cards_that_are_shown_at_once_are_taken_by_one_press(
    table: Served, cards: dict[str, BgrImage]
) -> None:
    live = table.host.begin_ready("weave", from_cards=True, seed="cards")
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/{live.name}")
    presses = 0

    def press(one: Any) -> None:
        nonlocal presses
        presses += 1
        one.click()

    press(page.locator("#answer").get_by_role("button", name="The Salt Road"))
    heading(page).get_by_text("Draw a Story card").wait_for()
    scene = row_of_cards(
        list(cards.values()),
        5,
        OVER_CARDS,
        cards=[ComponentId.parse(code) for code in cards],
        surface=Surface("wood", seed=4),
    )
    shown = np.asarray(photograph(scene, OVER_CARDS, 5).picture, np.uint8)
    live.watch.show(shown)
    press(page.get_by_role("button", name="Take all three", exact=True))
    for rest in (2, 1, 0):
        page.locator("#asked-title", has_text=("Theme from", "Location from", "Boss from")[2 - rest]).wait_for()
        assert page.get_by_text("to be asked for").count() == (rest > 0)
        press(page.locator("#answer .options button").first)
    page.locator(".suggestions").wait_for()
    press(page.locator(".suggestions button").first)
    page.locator("#asked-title").get_by_text("Your move").wait_for()
    taken = [one.step.what.card.short for one in live.session.played if isinstance(one.step.what, CardReading)]
    assert taken == list(cards), "in the order in which they lie"
    assert presses == 6, "the playset, the cards, what each of them is, and the name"


def test_a_phone_is_the_live_camera(table: Served) -> None:
    """The phone's page sends what its camera sees, frame by frame; what was read stands over its own picture."""
    evening(table.host, "Friday", "long-night", asks("Test of Wisdom"))
    phone = table.page(Role.CAMERA, live="Friday", size="phone", permissions=["camera"])
    phone.goto(table.base + "/camera/Friday")
    phone.get_by_role("button", name="Start the camera").click()
    host = table.page(Role.HOST)
    host.goto(table.base + "/table/Friday")
    host.locator(".verdict").first.wait_for()
    watch = table.host.live_session("Friday").watch
    assert watch is not None and watch.proposals.current is not None
    assert sorted(die.face for die in watch.proposals.current.dice) == ["3", "5"]
    over = phone.locator("#live-read li")
    over.nth(1).wait_for()
    assert over.all_inner_texts() == [die.face for die in watch.proposals.current.dice]
    video = phone.locator("#live-video").bounding_box()
    for die, box in zip(watch.proposals.current.dice, over.all(), strict=True):
        at, (left, top, right, bottom) = box.bounding_box(), die.box
        assert abs(at["x"] + at["width"] / 2 - video["x"] - video["width"] * (left + right) / 2) < 4
        assert abs(at["y"] + at["height"] / 2 - video["y"] - video["height"] * (top + bottom) / 2) < 4

    # A phone that sleeps loses its camera; it looks again by itself when it is looked at.
    phone.evaluate("document.getElementById('live-video').srcObject.getTracks().forEach((one) => one.stop())")
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait_for_function(
        "() => document.getElementById('live-video').srcObject.getTracks().every(one => one.readyState === 'live')"
    )
    live = table.host.live_session("Friday")
    host.get_by_role("button", name="Take it", exact=True).click()
    until(lambda: live.session.pending is None or "Test of Wisdom" not in live.session.pending.purpose)
    over.first.wait_for(state="detached")
    phone.get_by_role("button", name="Stop").click()
    phone.get_by_text("Stopped.").wait_for()


def _as_y4m(picture: BgrImage, path: Path) -> None:
    """A still picture as a short film of the kind that a browser takes in a camera's place."""
    height, width = picture.shape[:2]
    planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).tobytes()
    with path.open("wb") as film:
        film.write(f"YUV4MPEG2 W{width} H{height} F10:1 Ip A1:1 C420jpeg\n".encode())
        for _ in range(10):
            film.write(b"FRAME\n" + planes)


def accepts(phone: Any) -> None:
    phone.locator("#act-form [name='arg.accept']").first.check()
    phone.get_by_role("button", name="Answer invitation").click()


def invited(table: Served, *players: str) -> dict[str, Any]:
    """A season whose first scans are made, and the phones of players who are invited to it."""
    live = table.host.begin("weave", "Friday", rulings={"decks": "dealt"})
    chance = random.Random(1)
    live.session.perform("new-season", playset="the-salt-road")
    while (asked := live.session.pending) is not None:
        live.session.answer(random_answer(asked, chance))
    for player in players:
        live.session.perform("invite", player=player)
    phones = {name: table.page(Role.PLAYER, name, "Friday", size="phone") for name in players}
    for phone in phones.values():
        phone.goto(f"{table.base}/table/Friday")
    return phones


def answers_by_chance(phone: Any) -> None:
    question = phone.locator(".asked:not(.theirs)[data-section=asked]")
    at = question.get_attribute("data-question")
    question.get_by_role("button", name=re.compile("^(Pick|Draw) ")).click()
    phone.locator(f".asked[data-question='{at}']").wait_for(state="detached")


def test_several_who_accept_an_invitation_make_their_characters_at_once(table: Served) -> None:
    zoe, ida = invited(table, "Zoe", "Ida").values()
    live = table.host.live_session("Friday")
    accepts(zoe)
    accepts(ida)
    for phone in (zoe, ida):
        phone.get_by_role("heading", name="Core Suit").or_(phone.get_by_text("Core Suit")).first.wait_for()
    host = table.page(Role.HOST)
    host.goto(f"{table.base}/table/Friday")
    host.get_by_text("Making a character: Zoe, Ida. You can play on.").wait_for()
    assert live.session.pending is None, "nobody waits for them"
    for _ in range(3):
        answers_by_chance(zoe)
        answers_by_chance(ida)
    host.goto(f"{table.base}/table/Friday?do=draw-hand")
    host.get_by_role("button", name="Draw hand").click()
    until(lambda: live.session.state.hand_drawn)
    zoe.get_by_role("button", name="Undo").click()
    zoe.get_by_text("Your last answer is taken.").wait_for()
    while "Zoe" in live.drafts:
        answers_by_chance(zoe)
    zoe.get_by_role("heading", name="What you can do now").click()
    zoe.get_by_role("link", name=re.compile("^Level up|^Use ")).first.wait_for()
    assert [hero.player for hero in live.session.state.characters.values()] == ["Zoe"]
    assert "Ida" in live.drafts, "she goes on with hers"
    check_session(live.session)
