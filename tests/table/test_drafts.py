"""Drafts: what players do on their own devices while the others play on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.journal import Joined, drafts
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import TextReading
from loomtable.engine.kernel.requests import Choose, EnterText, Request
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.cards.mechanics import RangeBand
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.store import open_store
from loomtable.testing import check_session
from tests.short import as_a, present
from tests.table.asking import Table
from tests.tiers import mostly

PLAYERS = ("Zoe", "Ida")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[TableHost]:
    with TableHost(open_store(tmp_path / "s.db")) as host:
        yield host


def season(host: TableHost, **rulings: str) -> LiveSession:
    """A season to which Zoe and Ida are invited."""
    ruled = {name.replace("_", "-"): choice for name, choice in rulings.items()}
    live = host.begin("weave", "friday", seed="drafts", rulings={"decks": "dealt", **ruled})
    plays(live, Action("new-season", {"playset": "the-salt-road"}))
    while live.session.pending is not None:
        answers(live)
    for player in PLAYERS:
        plays(live, Action("invite", {"player": player}))
    return live


def plays(live: LiveSession, action: Action, whose: str = "") -> None:
    live.take(action, by=whose or "host", revision=live.revision, whose=whose)


def accepts(live: LiveSession, player: str) -> None:
    plays(live, Action("answer-invitation", {"player": player, "accept": True}), player)


def asked_in_draft(live: LiveSession, whose: str) -> Request | None:
    with live.held(whose) as seen:
        return seen.pending


def answers(live: LiveSession, whose: str = "", source: random.Random = random.Random(3)) -> None:  # noqa: B008
    asked = present(asked_in_draft(live, whose))
    assert whose in ("", asked.by)
    live.take(random_answer(asked, source), by=whose or "host", revision=live.revision, whose=whose)


def made_by(live: LiveSession) -> list[str]:
    return [one.player for one in live.session.state.characters.values()]


def test_two_make_characters_while_the_table_plays_on(host: TableHost) -> None:
    live = season(host)
    accepts(live, "Zoe")
    accepts(live, "Ida")
    assert live.drafts == PLAYERS and live.session.pending is None
    for _ in range(4):
        answers(live, "Zoe")
        answers(live, "Ida")
    plays(live, Action("draw-hand"))
    assert live.session.state.hand_drawn, "nobody waits for them"
    while live.drafts:
        answers(live, live.drafts[-1])
    assert made_by(live) == ["Ida", "Zoe"], "who is done first comes first"
    check_session(live.session)


def test_a_draft_that_is_done_waits_until_nothing_is_asked(host: TableHost) -> None:
    live = season(host)
    accepts(live, "Zoe")
    plays(live, Action("add-character", {"player": "Max"}))
    asked = present(live.session.pending)
    while asked_in_draft(live, "Zoe") is not None:
        answers(live, "Zoe")
    assert made_by(live) == [] and live.session.pending == asked
    while live.session.pending is not None:
        answers(live)
    assert made_by(live) == ["Max", "Zoe"] and live.drafts == ()


def test_a_table_that_stops_loses_no_answer_of_a_draft(host: TableHost, tmp_path: Path) -> None:
    live = season(host)
    for player in PLAYERS:
        accepts(live, player)
        answers(live, player)
    asked = {player: asked_in_draft(live, player) for player in PLAYERS}
    with TableHost(open_store(tmp_path / "s.db")) as again:  # the first was never closed
        back = again.live_session("friday")
        assert back.drafts == PLAYERS
        for player in PLAYERS:
            assert isinstance(asked[player], Choose) and asked_in_draft(back, player) == asked[player]
            while player in back.drafts:
                answers(back, player)
        assert sorted(made_by(back)) == sorted(PLAYERS)


def test_a_draft_goes_on_and_joins_when_a_table_comes_back_that_was_killed_before_it_could(
    host: TableHost,
) -> None:
    live = season(host)
    live.session.draft("Zoe").perform("answer-invitation", player="Zoe", accept=True)
    live = LiveSession("friday", Session.resume(SYSTEMS, live.session.journal))
    draft = live.session.draft("Zoe")
    assert present(draft.pending).purpose == "Core Suit"
    while draft.pending is not None:
        draft.take(random_answer(draft.pending, random.Random(1)), by="Zoe")
    assert made_by(live) == []
    session = Session.resume(SYSTEMS, live.session.journal)
    assert made_by(LiveSession("friday", session)) == ["Zoe"]


def test_a_name_that_was_taken_meanwhile_is_asked_again_and_nothing_else(host: TableHost) -> None:
    live = season(host)
    for player in PLAYERS:
        accepts(live, player)
        while not isinstance(asked_in_draft(live, player), EnterText):
            answers(live, player)
    plays(live, Action("add-character", {"player": "Max"}))  # so that both are done before one of them joins
    for player in PLAYERS:
        live.take(TextReading("Tib"), by=player, revision=live.revision, whose=player)
    while live.session.pending is not None:
        answers(live)
    assert made_by(live) == ["Max", "Zoe"]
    assert as_a(EnterText, asked_in_draft(live, "Ida")).why == "'Tib' is already taken; find another name."
    answers(live, "Ida")
    assert made_by(live) == ["Max", *PLAYERS]


def test_where_both_draw_from_one_pile_what_was_dealt_meanwhile_is_asked_again(host: TableHost) -> None:
    live = season(host, dealt_for_a_character="next-in-the-pile")
    for player in PLAYERS:
        accepts(live, player)
        for _ in range(3):
            answers(live, player)
    while "Zoe" in live.drafts:
        answers(live, "Zoe")
    assert live.asks_again("Ida") and len(drafts(live.lines())["Ida"]) < 5
    ida = Table(host).join(Role.PLAYER, "Ida")
    assert "what you chose here is not possible any more" in ida.get("/table/friday").text
    answers(live, "Ida")
    assert not live.asks_again("Ida")
    while "Ida" in live.drafts:
        answers(live, "Ida")
    assert made_by(live) == list(PLAYERS)
    check_session(live.session)


def test_going_back_behind_the_end_of_a_draft_opens_it_again(host: TableHost) -> None:
    live = season(host)
    accepts(live, "Zoe")
    while len(live.lines()) < 60 and asked_in_draft(live, "Zoe") is not None:
        before = len(live.lines()) - 1
        answers(live, "Zoe")
    assert "Zoe" in made_by(live)
    live.session.go_back(before)
    assert "Zoe" not in made_by(live)
    assert before in drafts(live.lines())["Zoe"], "but what she had answered by then is still hers"
    assert asked_in_draft(live, "Zoe") is not None
    live.session.restore(len(live.lines()) - 1)
    assert "Zoe" in made_by(live)
    check_session(live.session)


def test_two_make_characters_at_once_in_mnemonic(host: TableHost) -> None:
    live = host.begin("mnemonic", "friday")
    for player, name in zip(PLAYERS, ("Ash", "Elm"), strict=True):
        plays(live, Action("add-character", {"player": player, "name": name}), player)
    assert live.drafts == PLAYERS and made_by(live) == [], "nobody sees a half-made character"
    while live.drafts:
        answers(live, live.drafts[-1])
    assert sorted(made_by(live)) == sorted(PLAYERS)
    check_session(live.session)


def test_the_host_discards_a_draft_that_was_left_by_one_press_and_can_bring_it_back(host: TableHost) -> None:
    live = season(host)
    table = Table(host)
    here, zoe = table.join(Role.HOST), table.join(Role.PLAYER, "Zoe")
    for player in PLAYERS:
        accepts(live, player)
        answers(live, player)
    asked = asked_in_draft(live, "Zoe")
    page = here.get("/table/friday").text
    assert "Discard Zoe's draft</button>" in page and "Discard" not in zoe.get("/table/friday").text
    sent = {"whose": "Zoe", "revision": str(live.revision)}
    assert zoe.post("/api/play/friday/discard-draft", sent).status == 403
    assert here.post("/api/play/friday/discard-draft", sent).status == 200
    assert live.drafts == ("Ida",), "nobody else's"
    again = here.post("/api/play/friday/discard-draft", sent | {"revision": str(live.revision)})
    assert again.status == 400 and "Zoe has no draft" in again.text
    assert "answer-invitation" in zoe.get("/table/friday").text, "she may accept again"
    live.change(lambda session: session.restore(live.revision - 1), by="host", revision=live.revision)
    assert asked_in_draft(live, "Zoe") == asked
    check_session(live.session)


def test_undo_in_a_draft_is_its_own_and_afterwards_the_tables(host: TableHost) -> None:
    live = season(host)
    accepts(live, "Zoe")
    answers(live, "Zoe")
    plays(live, Action("invite", {"player": "Eva"}))
    before = asked_in_draft(live, "Zoe")
    answers(live, "Zoe")
    live.undo(by="Zoe", revision=live.revision, whose="Zoe")
    assert asked_in_draft(live, "Zoe") == before
    assert "Eva" in live.session.state.players
    live.undo(by="host", revision=live.revision)
    assert "Eva" not in live.session.state.players and live.drafts == ("Zoe",)
    while "Zoe" in live.drafts:
        answers(live, "Zoe")
    live.undo(by="host", revision=live.revision)
    assert (made_by(live), live.drafts, live.session.pending) == ([], (), None), "nobody is asked in between"
    assert live.session.state.players["Zoe"] is False, "invited, and free to accept again"
    live.change(lambda session: session.redo(), by="host", revision=live.revision)
    assert made_by(live) == ["Zoe"]


def test_the_only_one_whom_it_could_be_for_is_not_asked_about(host: TableHost) -> None:
    live = season(host)
    plays(live, Action("add-character", {"player": "Ada"}))
    while live.session.pending is not None:
        answers(live)
    plays(live, Action("add-npc", {"npc": "Wolf", "enemy": True}))
    blown = {"who": "Wolf", "do": "push", "amount": 1, "because": "the wind"}
    (hero,) = live.session.state.characters
    plays(live, Action("begin-encounter", {"against": ["Wolf"], "band": "short"}))
    while live.session.pending is not None:
        answers(live)
    plays(live, Action("effect", blown))
    assert live.session.pending is None, "from whom, if not from the hero?"
    assert present(live.session.state.encounter).bands == {f"{hero} - Wolf": RangeBand.LONG}
    check_session(live.session)


def test_nobody_else_sees_a_draft_or_finds_a_page_out_of_date_by_it(host: TableHost) -> None:
    live = season(host)
    table = Table(host)
    zoe, ida = (table.join(Role.PLAYER, player) for player in PLAYERS)
    accepts(live, "Zoe")
    revision = live.revision
    answers(live, "Zoe")
    card = present(as_a(Choose, asked_in_draft(live, "Zoe")).about).short
    assert card in zoe.get("/table/friday").text
    assert card not in ida.get("/table/friday").text
    accepted = ida.post(
        "/api/play/friday/act",
        {"action": "answer-invitation", "arg.player": "Ida", "arg.accept": "true", "revision": str(revision)},
    )
    assert accepted.status == 200, accepted.text
    assert live.drafts == PLAYERS


@pytest.mark.parametrize("seed", mostly(range(3), [0]))
def test_however_drafts_and_play_are_mixed_the_journal_tells_the_same_again(host: TableHost, seed: int) -> None:
    live, source = season(host), random.Random(seed)
    for player in PLAYERS:
        accepts(live, player)
    for at in range(60):
        if at % 7 == 6:
            live.undo(by="host", revision=live.revision)
        whose = source.choice([*live.drafts, ""])
        asked = asked_in_draft(live, whose)
        if asked is not None:
            answers(live, whose, source)
        elif not whose:
            plays(live, Action(source.choice(["new-episode", "end-scene"])))
        again = Session.resume(SYSTEMS, live.session.journal)
        assert (again.state, again.pending) == (live.session.state, live.session.pending)
        for player, seqs in drafts(live.lines()).items():
            assert len(live.session.draft(player).played) == len(again.played) - _unfinished(again) + len(seqs)
    check_session(live.session)
    assert any(isinstance(line.entry, Joined) for line in live.lines())


def _unfinished(session: Session[object]) -> int:
    """How many steps belong to an action in which something is asked."""
    if session.pending is None:
        return 0
    begun = [at for at, one in enumerate(session.played) if isinstance(one.step.what, Action)]
    return len(session.played) - begun[-1]
