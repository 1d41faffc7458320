"""Playing by several devices: answers, stale pages, going back, what a player may do."""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.journal import Answered
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading, DiceReading, Source
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.responses import local
from loomtable.table.store import open_store
from tests.short import present, refuses
from tests.systems.weave_table import Table as WeaveTable
from tests.table.asking import Asker, Table, a_tale
from tests.table.at_once import together


def test_an_answer_typed_on_the_page_is_in_the_journal_with_the_hand_that_gave_it(
    friday: Table, host: Asker
) -> None:
    answer = host.play("answer", answer=["3", "4"])
    assert (answer.status, answer.json) == (200, {"says": "Test of Wisdom: 7 against 7, passed.", "revision": 4})
    line = friday.host.store.journal("friday").lines()[3]
    assert line.who == "the host"
    assert isinstance(line.entry, Answered) and isinstance(line.entry.reading, DiceReading)
    assert [(die.face, die.how) for die in line.entry.reading.dice] == [(3, Source.TYPED), (4, Source.TYPED)]


def test_the_computer_rolls_when_it_is_asked_to(friday: Table, host: Asker) -> None:
    assert host.play("answer", random="1").status == 200
    reading = friday.host.store.journal("friday").lines()[3].entry.reading  # type: ignore[union-attr]
    assert {die.how for die in reading.dice} == {Source.RANDOM}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"answer": ["3"]}, "One die, two expected."),
        ({"answer": ["3", "9"]}, "9"),
        ({"answer": "eins"}, "eins"),
        ({}, "The form holds no answer."),
        ({"answer": [{"a": 1}]}, "."),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_in_a_sentence(
    friday: Table, host: Asker, sent: dict[str, object], words: str
) -> None:
    answer = host.play("answer", _json=sent)
    assert answer.status == 400
    assert words in answer.json["error"]
    assert friday.host.live_session("friday").revision == 3


def test_of_several_steps_none_is_kept_where_one_is_refused(friday: Table) -> None:
    live = friday.host.live_session("friday")
    before, pending = live.lines(), live.session.pending
    for refused in (ChoiceReading(("no such key",)), Action("test", {"attribute": "no such attribute"})):
        with pytest.raises(LoomtableError):
            live.take(present(random_answer(present(pending), random.Random(1))), refused, by="", revision=3)
        assert (live.lines(), live.session.pending) == (before, pending)
        assert friday.host.store.journal("friday").lines() == before


def test_of_two_devices_that_answer_at_once_one_is_told_who_was_first(friday: Table) -> None:
    path, gave = "/api/play/friday/answer", {"Ilse": ["3", "4"], "Ben": ["6", "5"]}
    people = {name: friday.join(Role.PLAYER, name) for name in gave}
    came = together(*(partial(one.post, path, {"revision": 3, "answer": gave[n]}) for n, one in people.items()))
    answers = dict(zip(people, came, strict=True))
    [first] = [name for name, answer in answers.items() if answer.status == 200]
    [second] = [name for name, answer in answers.items() if answer.status == 409]
    says = answers[second].json["error"]
    used, own = ", ".join(gave[first]), ", ".join(gave[second])
    assert says == f"{first}'s phone answered first with {used}; your answer ({own}) was not used."
    assert friday.host.live_session("friday").revision == 4


def test_a_page_that_is_behind_changes_nothing(friday: Table, host: Asker) -> None:
    phone = friday.join(Role.PLAYER, "Ilse")
    assert phone.play("answer", answer=["3", "4"]).status == 200
    for verb, fields in {
        "answer": {"answer": "3 4"},
        "act": {"action": "coin-test"},
        "undo": {},
        "void": {"seq": 2},
        "amend": {"seq": 3, "answer": "6 6"},
    }.items():
        answer = host.post(f"/api/play/friday/{verb}", revision=3, **fields)
        assert answer.status == 409, verb
        assert answer.json["error"].startswith("Ilse's phone answered first")
        assert answer.json["first"] == "Test of Wisdom (Thymin): 3, 4, entered by hand"
    assert friday.host.live_session("friday").revision == 4
    assert host.post("/api/play/friday/undo", revision=99).status == 409
    assert host.post("/api/play/friday/undo", revision="x").status == 400


def test_going_back_and_forth_and_putting_right(friday: Table, host: Asker) -> None:
    host.play("answer", answer="3 4")
    assert host.play("undo").json["says"] == "Undone: Test of Wisdom: 3, 4."
    assert host.play("redo").json["says"] == "Redone: Test of Wisdom: 3, 4."
    would = host.get("/table/friday/journal/3/amend?answer=6&answer=6", accept="text/html").text
    assert "Test of Wisdom: 7 against 7, passed." in would and "Test of Wisdom: 12 against 7, failed." in would
    assert host.get("/api/play/friday/state").json["revision"] == 6  # looking ahead writes nothing
    assert host.play("amend", seq=3, answer="6 6", why="the second die leaned").status == 200
    live = friday.host.live_session("friday")
    assert live.session.story()[-1] == "Test of Wisdom: 12 against 7, failed."
    assert live.session_at(3).story()[-1] == "Test of Wisdom: 7 against 7, passed."
    assert live.session_at(1).game != live.session_at(0).game and live.session_at(2).pending is not None
    refuses(live.session_at, "has no line 99", 99)
    assert host.play("restore", seq=6).json["says"] == "It is as it was before."
    assert live.session.story()[-1] == "Test of Wisdom: 7 against 7, passed."
    assert host.play("void", seq=2).status == 200
    assert live.session.pending is None
    refused = host.play("void", seq=2)
    assert (refused.status, refused.json["error"]) == (400, "Journal line 2 holds no action that counts.")


def test_answers_to_what_an_amendment_asks_anew_go_in_with_it(tmp_path: Path) -> None:
    """A Cunning Strike instead of an attack asks for other dice: they are given at once."""
    with TableHost(open_store(tmp_path / "e.db")) as host_:
        host_.begin("storm-weavers", "friday")
        table = Table(host_)
        host = table.join(Role.HOST)
        enemy = {"name": "Goblin", "dexterity": 10, "health": 10}
        host.play("act", action="create", arg__dexterity_points="2")
        host.play("act", _json={"action": "fight", "args": {"enemy": enemy}})
        assert host.play("answer", answer="attack").status == 200
        seq = host_.live_session("friday").revision - 1
        session = host_.live_session("friday").session
        asked = session.preview_amend(seq, ChoiceReading(("cunning-strike",))).pending
        assert isinstance(asked, Roll)
        faces = ["6"] * asked.count
        amended = host.play("amend", _json={"seq": seq, "answer": ["cunning-strike"], "inserted": [faces]})
        assert amended.status == 200, amended.text
        assert host_.live_session("friday").lines()[-1].entry.inserted  # type: ignore[union-attr]


def test_plain_forms_go_back_to_the_page_which_then_says_what_came_of_it(friday: Table, host: Asker) -> None:
    def send(**fields: object) -> str:
        body = urlencode({"revision": friday.host.live_session("friday").revision, **fields}, doseq=True).encode()
        headers = {
            "accept": "text/html",
            "content-type": "application/x-www-form-urlencoded",
            "sec-fetch-site": "same-origin",
        }
        answer = host.ask("POST", "/api/play/friday/answer", body, headers)
        assert answer.status == 303
        return answer.headers["location"]

    device = next(d for d in friday.host.devices.all() if d.id == host.id)
    assert send(answer="9 9", next="/table/friday") == "/table/friday"
    friday.host.begin("woven", "saturday")
    another = host.get("/table/saturday", accept="text/html").text
    assert 'role="alert"' not in another, "an error of one session is not shown in another"
    note = friday.host.devices.take_note(device, "/table/friday")
    assert note is not None and note.trouble and note.says.endswith(".")
    assert send(answer=["3", "4"], next="https://evil.example/") == "/"
    note = friday.host.devices.take_note(device, "/")
    assert note is not None and not note.trouble and "7 against 7" in note.says
    assert friday.host.devices.take_note(device, "/") is None


@given(st.text(max_size=30))
def test_the_way_back_never_leads_elsewhere(path: str) -> None:
    if local(path):
        assert path[0] == "/" and path[1:2] not in ("/", "\\") and "\n" not in path


def test_whatever_a_player_may_begin_says_for_whom() -> None:
    for system in SYSTEMS.values():
        begun = [rule for rule in system.actions.values() if rule.begun_by == PLAYER]
        assert begun or system.solo, system.key
        for rule in begun:
            assert rule.actor in rule.arguments.__struct_fields__, (system.key, rule.name)


def test_a_player_acts_for_the_own_character_only(tmp_path: Path) -> None:
    with TableHost(open_store(tmp_path / "e.db")) as runs:
        runs.begin("mnemonic", "friday")
        table = Table(runs)
        host = table.join(Role.HOST)
        ada, ben = table.join(Role.PLAYER, "Ada"), table.join(Role.PLAYER, "Ben")
        assert host.play("act", action="add-character", arg__player="Ada", arg__name="Wren").status == 200
        theirs = ben.play("act", action="add-character", arg__player="Ada", arg__name="Rook")
        assert (theirs.status, theirs.json["error"]) == (403, "Ben acts for their own character only.")
        while (asked := runs.live_session("friday").session.pending) is not None:
            assert asked.by in ("Ada", "Wren")
            refused = ben.play("answer", random="1")
            assert refused.status == 403 and f"{asked.by} is asked" in refused.json["error"]
            assert ben.get("/api/play/friday/state").json["pending"] is None
            assert ada.get("/api/play/friday/state").json["pending"]["purpose"] == asked.purpose
            assert ada.play("answer", random="1").status == 200
        assert ben.play("act", action="note", arg__who="Wren", arg__text="mine now").status == 403
        assert ada.play("act", action="note", arg__who="Wren", arg__text="0012").status == 200
        refused = ada.play("act", action="begin-mode", arg__mode="free-play")
        assert refused.status == 403 and "the host's to begin" in refused.json["error"]
        assert host.play("act", action="begin-mode", arg__mode="nonsense").status == 400


def test_a_player_does_not_find_out_what_the_storyteller_holds_by_naming_cards(tmp_path: Path) -> None:
    at_home = WeaveTable(hand=True)
    with open_store(tmp_path / "e.db") as store:
        store.bring_in("friday", at_home.session.lines())
        table = Table(TableHost(store), hurried=True)
        ada = table.join(Role.PLAYER, "Ada")
        before = table.host.live_session("friday").revision
        held = {card.short for card in at_home.state.held(Kind.CHALLENGE)}
        assert "C1" in held and "C2" not in held
        for named in ("C1", "C2"):
            enticed = {"who": "Ilse", "enticement": {"flaw": "No Face of Your Own", "card": named}}
            for action, args in (
                ("use-talent", {**enticed, "talent": "Leap the Gap"}),
                ("use-asset", {"who": "Ilse", "asset": "Boat Anchor on a Chain", "card": named}),
                ("heal", {"who": "Ilse", "healer": "Odo", "suit": "brooks", "card": named}),
            ):
                refused = ada.play("act", _json={"action": action, "args": args})
                assert refused.status == 403, (action, named)
                assert refused.json["error"].startswith("The card is the storyteller's to choose"), (action, named)
        assert table.host.live_session("friday").revision == before
        talent = {"action": "use-talent", "args": {"who": "Ilse", "talent": "Leap the Gap"}}
        assert ada.play("act", _json=talent).status == 200, "without a card it may be used"
        table.host.close()


@pytest.mark.parametrize("role", [Role.PLAYER, Role.HOST])
@pytest.mark.parametrize("who", [["Ilse", "Odo"], {"name": "Ilse"}, 7, True])
def test_an_argument_of_the_wrong_shape_is_a_sentence(tmp_path: Path, who: object, role: Role) -> None:
    with open_store(tmp_path / "e.db") as store:
        store.bring_in("friday", WeaveTable().session.lines())
        table = Table(TableHost(store))
        device = table.join(role, "Ada" if role is Role.PLAYER else "")
        answer = device.play("act", _json={"action": "level-up", "args": {"who": who}})
        assert answer.status == 400
        assert answer.json["error"].startswith("Level up: in “Who”: ")
        table.host.close()


def test_fields_of_a_form_become_arguments_of_the_right_sort(friday: Table, host: Asker) -> None:
    host.play("answer", answer="3 4")
    assert host.play("act", action="gain-item", arg__item="007").status == 200
    assert friday.host.live_session("friday").session.state.thymin.items[-1] == "007"
    answer = host.play("act", action="fight", arg__enemy="{name: Goblin, dexterity: 10, health: 10}")
    assert answer.status == 200, answer.text
    host.play("undo")
    for fields in (
        {"action": "fight", "arg__enemy": "{name: ["},
        {"action": "fight", "arg__enemy": ""},
        {"action": "fight", "args": "{"},
        {"action": "fight", "args": "[]"},
        {"action": "nonsense"},
        {"action": "gain-item", "arg__thing": "x"},
        {},
    ):
        refused = host.play("act", **fields)
        assert refused.status == 400, fields
        assert refused.json["error"].endswith((".", "?")), refused.text


def test_bodies_are_bounded(friday: Table, host: Asker) -> None:
    headers = {"content-type": "application/json", "sec-fetch-site": "same-origin"}
    large = host.ask("POST", "/api/play/friday/act", b'{"a": "' + b"x" * 256_001 + b'"}', headers)
    assert (large.status, "256 KB at most" in large.json["error"]) == (413, True)
    for body in (b"", b"[]", b"{", b"\xff", b'{"revision": ' + b"[" * 3_000, b"null"):
        assert host.ask("POST", "/api/play/friday/act", body, headers).status == 400, body[:20]
    many = urlencode({f"arg.{n}": "x" for n in range(500)}).encode()
    form = {**headers, "content-type": "application/x-www-form-urlencoded"}
    assert host.ask("POST", "/api/play/friday/act", many, form).status == 413
    assert host.ask("POST", "/api/play/friday/act", b"x", {**headers, "content-type": "text/xml"}).status == 400


@given(st.dictionaries(st.text(max_size=12), st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
), max_size=5), st.sampled_from(["act", "answer", "amend", "void", "restore"]))  # fmt: skip
def test_whatever_is_sent_is_done_or_refused_in_a_sentence(fields: dict[str, object], verb: str) -> None:
    table, host = _shared_table()
    known = {"action": "test", "answer": ["1", "2"], "seq": 2}
    body = json.dumps({**known, "revision": table.host.live_session("friday").revision, **fields}).encode()
    headers = {"content-type": "application/json", "sec-fetch-site": "same-origin"}
    answer = host.ask("POST", f"/api/play/friday/{verb}", body, headers)
    assert answer.status in (200, 400, 403, 409, 429), (answer.status, answer.text)


def _shared_table(kept: list[tuple[Table, Asker]] = []) -> tuple[Table, Asker]:  # noqa: B006
    if not kept:
        import tempfile

        host = TableHost(open_store(Path(tempfile.mkdtemp()) / "e.db"))
        a_tale(host)
        table = Table(host, hurried=True)
        kept.append((table, table.join(Role.HOST)))
    return kept[0]


def test_printing_from_the_page(friday: Table, host: Asker) -> None:
    sheet = host.get("/api/play/friday/print?what=storm-weavers-sheet&style=low-ink")
    assert sheet.status == 200 and sheet.body.startswith(b"%PDF")
    assert sheet.headers["content-type"] == "application/pdf"
    several = host.get("/api/print?what=coin-tokens&what=pip-dice-stickers&paper=letter")
    assert several.status == 200 and several.body.startswith(b"PK")
    whole = host.get("/api/print?what=pip-dice-stickers&whole=coin-tokens&paper=letter")
    assert whole.status == 200 and whole.body.startswith(b"%PDF"), "what is ticked beside a whole kit is in it"
    assert host.get("/api/play/friday/print?what=spell-cards").json["error"].startswith("Nothing of that belongs")
    for bad in ("", "?what=nonsense", "?what=coin-tokens&paper=a9", "?what=coin-tokens&style=x"):
        assert host.get(f"/api/print{bad}").status == 400
