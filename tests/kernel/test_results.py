"""What came of a roll, as every screen shows it: counted once, for each viewer, after an undo and an amendment."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, rolled
from loomtable.engine.kernel.requests import Flip, Roll
from loomtable.engine.kernel.results import RollResult, Tone, last_result, roll_results, story_for
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.events import people
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.events.figures import ChallengeResolved
from loomtable.testing import random_session
from tests.playing import transcript
from tests.tiers import EVENINGS, TELLING, evenings, thorough

ROOM = "the room"
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "last_ferry"


def of_line(session: Session[Any], seq: int, viewer: str = ROOM) -> RollResult:
    return next(one for one in roll_results(session, viewer) if one.seq == seq)


def tones(result: RollResult) -> list[list[Tone]]:
    return [[meaning.tone for meaning in throw.meanings] for throw in result.throws]


@pytest.mark.parametrize("name", evenings())
def test_every_throw_of_an_evening_is_in_one_result(name: str) -> None:
    session = transcript(name)
    thrown = [
        session.played[at].step.seq
        for at in range(1, len(session.played))
        if isinstance(session.played[at - 1].pending, Roll | Flip)
        and not isinstance(session.played[at].step.what, ChoiceReading)  # what was ticked beside the dice
    ]
    for viewer in (STORYTELLER, ROOM):
        results = roll_results(session, viewer)
        assert [seq for one in results for seq in one.lines] == thrown
        assert all(one.verdict and (one.title or one.ending) for one in results if one.settled)
        assert [one.seq for one in results] == sorted({one.seq for one in results})
        assert not results or last_result(session, viewer) == results[-1]


def test_each_success_and_strike_is_counted_once_over_all_rolls_of_a_challenge() -> None:
    found = of_line(transcript("weave-an-hour-ahead"), 147)
    assert (found.verdict, found.passed) == ("Pass", True)
    assert [throw.faces for throw in found.throws] == [
        ("strike", "weave", "brooks", "stones", "weave"),
        ("brooks", "strike"),
    ]
    bad, good, plain = Tone.BAD, Tone.GOOD, Tone.PLAIN
    assert tones(found) == [[bad, good, plain, plain, good], [plain, bad]]
    assert found.counted == ("2 successes against level 1", "2 Strikes")
    assert "Ilse marks 2 Strikes (2 on the track)." in found.effects


def test_the_marks_on_weave_dice_are_what_the_rules_counted() -> None:
    checked = 0
    sessions = [transcript(name) for name in sorted(TELLING) if name.startswith("weave")]
    for session in [*sessions, random_session(SYSTEMS["weave"], 1, 60)]:
        events = {p.step.seq: p.events for p in session.played}
        for result in roll_results(session, STORYTELLER):
            resolved = [e for e in events[result.seq] if isinstance(e, ChallengeResolved)]
            if len(resolved) != 1 or not result.throws:
                continue
            marked = [tone for throw in tones(result) for tone in throw]
            assert marked.count(Tone.GOOD) == resolved[0].successes, result
            assert marked.count(Tone.BAD) == resolved[0].strikes, result
            checked += 1
    assert checked > 30


@thorough
def test_the_marks_on_ten_sided_dice_and_the_bonus_are_the_successes() -> None:
    checked = 0
    sessions = [transcript(name) for name in EVENINGS if name.startswith("spellwoven")]
    for session in [*sessions, *(random_session(SYSTEMS["spellwoven"], seed, 400) for seed in range(4))]:
        events = {p.step.seq: p.events for p in session.played}
        if session.game.rulings["advantage"] == "one-success":
            continue
        for result in roll_results(session, STORYTELLER):
            tests = [e for e in events[result.seq] if isinstance(e, people.Tested) and e.faces]
            if len(tests) != 1:  # the foes' initiatives are one roll of many tests, counted one by one in words
                continue
            said = [meaning.says for throw in result.throws for meaning in throw.meanings]
            count = said.count("success") + 2 * said.count("two successes") + tests[0].bonus
            assert max(0, count) == tests[0].successes, result
            checked += 1
    assert checked > 60


def test_a_fights_end_says_who_won() -> None:
    for name, ending in (
        ("storm-weavers-sluice-yard", "Thymin won the fight. The last enemy falls."),
        ("spellwoven-last-stand", "The foes won the fight."),
        ("weave-house-rules", "Ilse and Odo win. Unravelled."),
        ("woven-duel", "Ada wins: first to destroy a body twice."),
        ("mnemonic-low-field-evening", "The group wins."),
    ):
        assert [r.ending for r in roll_results(transcript(name), ROOM) if r.ending][-1:] == [ending]


def test_undo_takes_the_last_result_back_and_an_amendment_changes_it() -> None:
    session = Session.open(SYSTEMS["storm-weavers"], seed="yard")
    assert last_result(session, ROOM) is None and story_for(session, ROOM, 5) == ()
    session.perform("create", dexterity_points=2)
    session.perform("test", attribute="wisdom")
    assert last_result(session, ROOM) is None
    session.answer(rolled(Die.D6, 6, 6))
    failed = last_result(session, ROOM)
    assert failed is not None and (failed.verdict, failed.counted[0]) == ("Fail", "6 + 6 = 12")
    session.amend(failed.seq, rolled(Die.D6, 1, 2))
    passed = last_result(session, ROOM)
    assert passed is not None and (passed.seq, passed.verdict) == (failed.seq, "Pass")
    session.undo()
    assert last_result(session, ROOM) == failed
    session.undo()
    assert last_result(session, ROOM) is None


def test_a_stand_in_die_shows_the_symbol_it_stands_for() -> None:
    session = transcript("weave-hounds-at-the-cord")
    asked = next(p for p in session.played if isinstance(p.pending, Roll))
    assert isinstance(asked.pending, Roll)
    copy = Session.open(SYSTEMS["weave"], seed=session.opened.seed, rulings=session.opened.rulings)
    for played in session.played:
        if played.step.seq > asked.step.seq:
            break
        copy.take(played.step.what)
    pips = [1 + place % 6 for place in range(asked.pending.count)]
    copy.answer(rolled(Die.D6, *pips))
    found = last_result(copy, ROOM)
    assert found is not None
    assert found.throws[0].die is Die.WEAVE
    assert found.throws[0].faces == tuple(asked.pending.stand_in[pip - 1] for pip in pips)


# What is hidden


def test_what_an_npc_was_rolled_against_is_for_the_storyteller_alone() -> None:
    hidden = 0
    for name in ("spellwoven-high-road", "spellwoven-barrow-road", "spellwoven-parley", "spellwoven-outlaws"):
        session = transcript(name)
        of_npcs = {n for n, one in session.state.characters.items() if not one.is_player_character}
        whole = {one.seq: one for one in roll_results(session, STORYTELLER)}
        for found in roll_results(session, ROOM):
            if found.by not in of_npcs or not whole[found.seq].throws or not whole[found.seq].throws[0].meanings:
                continue
            assert not any(throw.meanings for throw in found.throws)
            assert not any("rating" in words or "success" in words for words in found.counted)
            hidden += 1
    assert hidden > 10


def test_a_pool_is_taken_apart_for_those_who_may_see_the_sheet() -> None:
    session = transcript("weave-an-hour-ahead")
    player = session.state.characters["Ilse"].player
    said = {who: " ".join(of_line(session, 147, who).counted) for who in (STORYTELLER, player, ROOM)}
    assert "5 dice: 3 + 1 Core Suit" in said[STORYTELLER] and said[player] == said[STORYTELLER]
    assert "Core Suit" not in said[ROOM]


def test_a_strangers_game_shows_its_dice_and_hides_what_its_view_hides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    session = Session.open(importlib.import_module("last_ferry.rules").FERRY, seed="river")
    for who, card, faces in (("Ada", "7H", (3, 5)), ("Ben", "9S", (1, 2))):
        session.perform("cross", who=who)
        session.answer(CardReading(ComponentId.parse(card)))
        session.answer(rolled(Die.D6, *faces))
        found = {viewer: last_result(session, viewer) for viewer in (STORYTELLER, who, ROOM)}
        assert {one.verdict for one in found.values() if one} == {str(sum(faces))}
    # Ada keeps a lucky card since her crossing: Ben and the room see that he lost a coin, and no sentence.
    assert found[STORYTELLER] and "thrown back" in found[STORYTELLER].effects[-1]
    assert found[ROOM] and found[ROOM].effects == ("Passengers, Ben, Coins: 3 becomes 2.",)
    assert not any("turns the" in sentence for sentence in story_for(session, ROOM, 1))
    for name in [name for name in sys.modules if name.startswith("last_ferry")]:
        monkeypatch.delitem(sys.modules, name)
