"""The pages without a browser: forms from types and back, journals in words, pictures, and what every page has."""

from __future__ import annotations

import gzip
import inspect
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args, get_origin
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.arguments import fields_in, without_declarations, without_none
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import UnknownAction
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import rolled
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.system import RULING_ACTION
from loomtable.engine.systems import SYSTEMS
from loomtable.table.choices.asked import asked_of, question
from loomtable.table.choices.fields import Field, arguments_from, fields_of, filled_in
from loomtable.table.choices.groups import groups_of
from loomtable.table.choices.offers import NOTHING, Offers
from loomtable.table.choices.taking import face_key
from loomtable.table.hosting.addresses import Addresses
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.pages import webfonts
from loomtable.table.pages.art import dice_sheet, picture
from loomtable.table.pages.journal_view import lines_of
from loomtable.table.pages.open_pages import SHORTCUTS
from loomtable.table.pages.outlines import without_fonts
from loomtable.table.pages.qr import qr_code
from loomtable.table.pages.routes import ROUTES
from loomtable.table.screens.art import NoSuchPicture
from loomtable.table.store import open_store
from tests.playing import evening
from tests.table.asking import Asker, Table
from tests.table.robot import filled

HOST = Device("1", "the host", Role.HOST)
RULES = [(s, rule) for s in SYSTEMS.values() for rule in s.actions.values()]


def leaves(fields: tuple[Field, ...]) -> Iterator[Field]:
    for field in fields:
        if field.kind == "group":
            yield from leaves(field.parts)
        else:
            yield field


# Forms


def test_every_argument_of_every_action_has_a_field() -> None:
    for system, rule in RULES:
        fields = fields_of(rule, lambda declared: NOTHING)
        declared = [f.encode_name for f in msgspec.structs.fields(rule.arguments)]
        assert [f.path.removeprefix("arg.") for f in fields] == declared, (system.key, rule.name)
        paths = [f.path for f in leaves(fields)]
        assert len(paths) == len(set(paths)), "two fields of one name would overwrite each other"


def explained(shape: Any, path: str = "") -> Iterator[str]:
    """The paths of all arguments, and of the parts of those that have any."""
    for one in fields_in(shape):
        yield f"{path}{one.encode_name}"
        inside, _ = without_none(one.type)
        inside = without_declarations(get_args(inside)[0]) if get_origin(inside) is tuple else inside
        if isinstance(inside, type) and issubclass(inside, msgspec.Struct):
            yield from explained(inside, f"{path}{one.encode_name}.")


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_every_argument_is_explained_in_a_line_and_no_line_is_left_over(key: str) -> None:
    lines: set[str] = set()
    for rule in SYSTEMS[key].actions.values():
        lines |= {rule.help_of("also")} - {""}
        for path in explained(rule.arguments):
            assert rule.help_of(path), f"{rule.name}: add {path} to the game's arguments.yaml"
            lines.add(rule.help_of(path))
    assert lines == set(SYSTEMS[key].actions[RULING_ACTION].help.values())


def test_what_an_argument_means_stands_under_its_label(friday: Table) -> None:
    live = friday.host.begin_ready("weave", seed="help")
    form = friday.join(Role.HOST).get(f"/table/{quote(live.name)}?do=challenge").text
    instead = form[form.index(">Instead ") :]
    assert ">Another suit that the player would like to roll; the storyteller decides.</p>" in instead[:300]


def test_what_an_encounter_and_a_challenge_usually_need_is_asked_for_at_once(friday: Table) -> None:
    live = friday.host.begin_ready("weave", seed="help")
    host = friday.join(Role.HOST)
    for action, wanted in {
        "begin-encounter": ("against", "combat"),
        "challenge": ("card", "enticement.flaw"),
    }.items():
        form = host.get(f"/table/{quote(live.name)}?do={action}").text
        at_once = form[form.index('id="act-form"') : form.index("More options")]
        assert "<details" not in at_once.removesuffix('<details class="further"><summary>')
        assert all(f'name="arg.{argument}"' in at_once for argument in wanted)


def test_rest_is_one_button_and_asks_for_no_place(friday: Table) -> None:
    live = friday.host.begin_ready("woven", seed="help")
    host = friday.join(Role.HOST)
    rest = host.get(f"/table/{quote(live.name)}?do=rest").text
    assert "a dashed place on the table" not in rest and '<button class="first large">Rest</button>' in rest
    assert "a dashed place on the table" in host.get(f"/table/{quote(live.name)}?do=place-thread").text


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_every_action_stands_in_one_group(key: str) -> None:
    system = SYSTEMS[key]
    names = [a.name for g in groups_of(system, set(system.actions)) for a in g.actions]
    assert sorted(names) == sorted(set(system.actions) - {RULING_ACTION})
    # "More" is for what nobody has thought of a place for yet.
    assert groups_of(system, set(system.actions))[-1].title != "More"
    fresh = groups_of(system, set(system.actions), begun=False)
    assert fresh[0].title == "To begin"
    assert sorted(a.name for g in fresh for a in g.actions) == sorted(names), "none is there twice"


def held(fields: tuple[Field, ...], free: bool = False) -> None:
    """Nothing is asked for within what may be left out."""
    for field in fields:
        assert not (free and field.required), field.path
        held(field.parts, free or not field.required)


def test_a_group_that_may_stay_empty_asks_for_nothing_in_it() -> None:
    for _, rule in RULES:
        held(filled_in(fields_of(rule, lambda declared: NOTHING), {}))


@pytest.mark.parametrize(
    ("system", "action", "args"),
    [
        ("weave", "challenge", {"who": "Ilse", "suit": "gales", "card": "C22", "dice": -1, "reaction": True}),
        ("weave", "use-asset", {"who": "Ilse", "asset": "Key", "enticement": {"flaw": "Proud", "card": "C3"}}),
        ("weave", "answer-invitation", {"player": "Ada", "accept": False}),
        ("weave", "add-npc", {"npc": "Mr. Fox", "enemy": True, "dice": {"gales": 2, "stones": 1}}),
        ("weave", "change-order", {"order": ["Ilse", "Odo"]}),
        ("spellwoven", "begin-conflict", {"combatants": {"Mr. Fox": "engaged", "Wat": "nearby"}}),
        ("storm-weavers", "fight", {"enemy": {"name": "Goblin", "dexterity": 9, "health": 7, "weapon_bonus": 1}}),
        (
            "storm-weavers",
            "map-fight",
            {"map": "the-sluice-yard", "enemies": [{"name": "Ghoul", "dexterity": 7, "health": 9}], "speed": 2},
        ),
        ("mnemonic", "add-character", {"player": "Ada", "name": "Ilse", "skills": {"hearts": ["Salt", "Ebb"]}}),
        ("woven", "place-thread", {"who": "Ada", "at": [0, -1]}),
        ("woven", "set-up", {"players": ["Ada", "Ben"], "rounds": 12}),
    ],
)
def test_what_is_filled_in_is_what_the_rules_get(system: str, action: str, args: dict[str, Any]) -> None:
    rule = SYSTEMS[system].actions[action]
    form = filled(args)
    if action == "place-thread":
        form = {"arg.who": ["Ada"], "arg.at.column": ["0"], "arg.at.row": ["-1"]}
    assert arguments_from(rule, form) == args
    SYSTEMS[system].start(None, Action(action, args)).close()  # type: ignore[arg-type]  # only the types are held


def test_several_names_can_be_written_with_commas_and_empty_fields_are_left_out() -> None:
    rule = SYSTEMS["woven"].actions["set-up"]
    form = {"arg.players": ["Ada, Ben ,Cyd"], "arg.map": [""], "arg.rounds": [" "]}
    assert arguments_from(rule, form) == {"players": ["Ada", "Ben", "Cyd"]}


@given(st.text(max_size=12))
def test_a_number_that_is_none_is_refused_in_a_sentence(typed: str) -> None:
    rule = SYSTEMS["woven"].actions["set-up"]
    try:
        found = arguments_from(rule, {"arg.rounds": [typed]})
    except UnknownAction as error:
        assert "is no" in str(error)
    else:
        assert found == ({} if not typed.strip() else {"rounds": int(typed.strip().replace("−", "-"))})


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_offers_hold_wherever_a_game_stands(key: str) -> None:
    for seed in range(2):
        session = evening(key, seed)
        offers = Offers(session, HOST)
        for rule in session.system.actions.values():
            for field in leaves(fields_of(rule, offers)):
                assert field.kind != "one" or field.choices, f"{rule.name}: nothing to choose for {field.path}"


# Questions and journals


def test_a_question_stands_in_full_for_who_answers_and_openly_for_others() -> None:
    request = Roll(Die.WEAVE, 3, "Gales Challenge", by="Ilse", rule="WV-17", stand_in=Die.WEAVE.faces)  # type: ignore[arg-type]
    asked = question(request)
    assert (asked.heading, asked.by, asked.count) == ("Roll three Weave dice", "Ilse", 3)
    assert [face.picture for face in asked.faces] == [face_key(Die.WEAVE, face) for face in Die.WEAVE.faces]


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_only_who_is_asked_sees_what_can_be_answered(key: str) -> None:
    stranger = Device("2", "a phone", Role.PLAYER, person="Nobody at all", session="x")
    for seed in range(6):
        session = evening(key, seed)
        shown = asked_of(session, stranger)
        if session.pending is None:
            assert shown is None
        elif shown is not None and not shown.mine:
            assert not (shown.options or shown.cards or shown.why)
            assert asked_of(session, HOST).mine  # type: ignore[union-attr]


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_every_line_of_a_journal_is_shown_struck_or_not(key: str) -> None:
    session = evening(key, 3)
    shown = lines_of(session)
    assert [line.seq for line in shown] == list(reversed(range(len(session.lines()))))
    counting = {played.step.seq for played in session.played}
    for line in shown:
        if line.kind in ("acted", "answered"):
            assert line.struck == (line.seq not in counting)
        assert line.says and not (line.struck and (line.can_amend or line.can_strike))


def test_a_journal_of_many_lines_comes_in_pages(table: Table) -> None:
    live = table.host.live_session("Evening of storm-weavers")
    live.take(Action("create", {"dexterity_points": 2}), by="", revision=1)
    for at in range(2, 500, 2):
        live.take(Action("test", {"attribute": "wisdom"}), by="", revision=at)
        live.take(rolled(Die.D6, 1, 2), by="", revision=at + 1)
    host = table.join(Role.HOST)
    address, seen = "/table/Evening%20of%20storm-weavers/journal", []
    while address:
        text = host.ask("GET", address, headers={"accept": "text/html"}).text
        assert len(text) < 150_000
        seen += [int(found) for found in re.findall(r'id="line-(\d+)"', text)]
        link = re.search(r'href="([^"]*)" rel="next">Earlier lines', text)
        address = link[1] if link else ""
    assert seen == list(range(live.revision - 1, -1, -1))
    middle = host.get("/table/Evening%20of%20storm-weavers/journal?from=250").text
    assert 'id="line-250"' in middle and ">Later lines<" in middle
    for odd in ("from=-1", "from=9999", "from=x", f"from={'9' * 99}"):
        assert (
            f'id="line-{live.revision - 1}"' in host.get(f"/table/Evening%20of%20storm-weavers/journal?{odd}").text
        )


# Pictures


def test_every_face_is_drawn_and_cards_need_no_fonts() -> None:
    sheet = dice_sheet()
    assert all(f'id="{face_key(die, face)}"' in sheet for die in Die for face in die.faces)
    drawn = without_fonts(picture("card", ComponentId(Kind.STORY, 7).short))
    assert "<text" not in drawn and drawn.count("<path") > 50
    with pytest.raises(NoSuchPicture):
        picture("motif", "nothing-of-this-name")


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1, max_size=60))
def test_an_address_can_be_scanned_from_the_page(address: str) -> None:
    import numpy as np
    import zxingcpp

    drawn = str(qr_code(address, "an address"))
    size = int(re.search(r'viewBox="0 0 (\d+)', drawn)[1])  # type: ignore[index]
    pixels = np.full((size, size), 255, np.uint8)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", drawn):
        pixels[int(y), int(x)] = 0
    [found] = zxingcpp.read_barcodes(np.kron(pixels, np.ones((4, 4), np.uint8)))
    assert found.text == address


# The documentation


def test_the_first_page_has_the_code_in_one_line_and_large_for_who_asks(table: Table) -> None:
    table.host.addresses = Addresses("http://127.0.0.1:8417", (), ("http://192.0.2.2:8417",))
    host, code = table.join(Role.HOST), table.host.devices.code
    line = f"<b>{code[:3]} {code[3:]}</b>"
    page = host.get("/").text
    assert line in page and "192.0.2.2:8417" in page and "Scan to join" not in page
    assert host.post("/api/code", shown="1", large="1", next="/").status in (200, 303)
    page = host.get("/").text
    assert "Scan to join" in page and line not in page and "Show the join code" not in page
    host.post("/api/code", next="/")
    assert "Show the join code" in host.get("/").text, "also once it has been folded away"


def test_every_page_says_what_it_is() -> None:
    for one in ROUTES:
        assert inspect.getdoc(inspect.getclosurevars(one.endpoint).nonlocals["endpoint"]), one.path


def test_every_key_that_the_help_lists_is_in_the_script() -> None:
    script = (Path(webfonts.STATIC) / "table.js").read_text("utf-8")
    for key, _ in SHORTCUTS:
        pressed = {"0 to 9": "[0-9]", "Esc": "Escape"}.get(key, f'"{key}"')
        assert pressed in script, f"nothing happens at {key}"


def test_the_scripts_stay_small_and_need_nothing_from_elsewhere() -> None:
    files = list(Path(webfonts.STATIC).glob("*.js"))
    assert sum(file.stat().st_size for file in files) < 57_500
    for file in (file for file in Path(webfonts.STATIC).iterdir() if file.is_file()):
        assert not re.search(r"https?://(?!www\.w3\.org)", file.read_text("utf-8")), file.name


_PACKED = {"accept-encoding": "gzip"}


def test_what_a_page_needs_comes_packed_and_is_kept_by_browsers(table: Table) -> None:
    host = table.join(Role.HOST)
    page = host.ask("GET", "/", headers=_PACKED)
    assert page.headers["content-encoding"] == "gzip" and page.headers["cache-control"] == "no-store"
    assert gzip.decompress(page.body).startswith(b"<!doctype html>")
    assert len(page.body) < len(host.get("/").body) / 2
    text = gzip.decompress(page.body).decode()
    for address in re.findall(r'"(/(?:static|type)/[^"]+)"', text):
        packed, plain = host.ask("GET", address, headers=_PACKED), host.get(address)
        assert "immutable" in plain.headers["cache-control"]
        if "/static/" in address:
            assert gzip.decompress(packed.body) == plain.body
    drawn = host.get("/art/suit/gales.svg")
    again = host.ask("GET", "/art/suit/gales.svg", headers={"if-none-match": drawn.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


# Whole pages


class _Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with TableHost(open_store(tmp_path / "sessions.db")) as host:
        for key in SYSTEMS:
            host.begin(key, f"Evening of {key}")
        yield Table(host, hurried=True)


def pages_of(asker: Asker) -> Iterator[tuple[str, str]]:
    every = ["/", "/devices", "/print", "/help", "/join?code=wrong", *(f"/new/{key}" for key in SYSTEMS)]
    for key, system in SYSTEMS.items():
        here = f"/table/Evening%20of%20{key}"
        every += [
            here,
            f"{here}/journal",
            f"{here}/journal/0",
            f"{here}/rulings",
            here.replace("table", "room", 1),
        ]
        every += [f"{here}?do={name}" for name in system.actions]
    for path in every:
        answer = asker.ask("GET", path, headers={"accept": "text/html"})
        assert answer.status == 200, (path, answer.text[:300])
        yield path, answer.text


def test_a_first_evening_is_led_to_session_zero(tmp_path: Path) -> None:
    with TableHost(open_store(tmp_path / "sessions.db")) as host:
        new = Table(host, hurried=True)
        at_host = new.join(Role.HOST)
        device, token = host.devices.admit(Role.PLAYER, "Ada", "")
        for asker, path in ((at_host, "/"), (Asker(new, token, device.id), "/join")):
            assert 'href="/help#session-zero"' in asker.ask("GET", path).text
            told = _Page(asker.ask("GET", "/help").text)
            assert {"id": "session-zero"}.items() <= told.all("section")[-1].items()
            assert len(told.all("dt")) >= 12
        host.begin("weave", "friday")
        assert "session-zero" not in at_host.ask("GET", "/").text, "only before the first"


def test_every_page_keeps_to_the_policy_and_has_its_frame(table: Table) -> None:
    for path, text in pages_of(table.join(Role.HOST)):
        page = _Page(text)
        assert not page.all("style") and all("src" in attrs for attrs in page.all("script")), path
        for tag, attrs in page.tags:
            assert "style" not in attrs and not any(name.startswith("on") for name in attrs), (path, tag, attrs)
            for name in ("src", "href", "action"):
                assert not str(attrs.get(name) or "").startswith(("http", "//", "javascript:")), (path, attrs)
        assert len(page.all("h1")) == 1 and len(page.all("main")) == 1, path
        ids = [attrs["id"] for _, attrs in page.tags if attrs.get("id")]
        assert len(ids) == len(set(ids)), (path, [one for one in ids if ids.count(one) > 1])


def test_a_form_without_a_script_plays_and_leads_back(table: Table) -> None:
    host = table.join(Role.HOST)
    here = "/table/Evening%20of%20storm-weavers"
    api = here.replace("/table/", "/api/play/")
    live = table.host.live_session("Evening of storm-weavers")

    def post(path: str, **fields: Any) -> Any:
        body = "&".join(
            f"{name}={value}" for name, value in {"revision": live.revision, "next": here, **fields}.items()
        )
        kind = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}
        return host.ask("POST", path, body.encode(), {**kind, "accept": "text/html"})

    made = post(f"{api}/act", **{"action": "create", "arg.dexterity_points": 2})
    assert (made.status, made.headers["location"]) == (303, here)
    post(f"{api}/act", **{"action": "test", "arg.attribute": "wisdom"})
    assert live.session.pending is not None and live.session.pending.purpose == "Test of Wisdom"
    refused = post(f"{api}/answer", answer0=3)
    assert refused.status == 303 and live.session.pending is not None
    assert "one die, two expected" in host.ask("GET", here, headers={"accept": "text/html"}).text.lower()
    post(f"{api}/answer", answer0=3, answer1=2)
    assert live.session.pending is None
    decided = post(f"{here}/rulings", **{"ruling.health-exactly-4": "plus-4"})
    assert decided.status == 303 and live.session.game.rulings["health-exactly-4"] == "plus-4"
    assert post(f"{api}/answer", answer0=3).status in (303, 403)


def test_what_a_printed_book_needs_is_behind_one_entry_as_in_the_terminal(friday: Table) -> None:
    live = friday.host.live_session("friday")
    live.undo(by="", revision=live.revision)  # the test of Wisdom
    page = friday.join(Role.HOST).get("/table/friday").text
    at_once, _, behind = page.partition('<details id="by-hand"><summary>With a printed book</summary>')
    behind, _, _ = behind.partition("</details>")
    printed = {"test", "coin-test", "fight", "map-fight", "change", "gain-item", "gain-gear", "lose-item"}
    assert set(re.findall(r"\?do=([a-z-]+)", behind)) == printed
    assert "begin-adventure" in at_once and printed.isdisjoint(re.findall(r"\?do=([a-z-]+)", at_once))


def test_where_nobody_leads_a_phone_begins_a_challenge_itself(friday: Table) -> None:
    live = friday.host.begin_ready("weave", title="The fortieth lamp", seed="alone")
    ada = friday.join(Role.PLAYER, "Ada", live.name)
    page = ada.get(f"/table/{quote(live.name)}").text
    assert "Ask for a Challenge" not in page
    assert (
        ada.play("act", live.name, {"action": "challenge", "args": {"who": "Merrin", "suit": "gales"}}).status
        == 200
    )
    assert live.session.last_action.name == "challenge"
