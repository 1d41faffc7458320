"""The laws of a session: the fold is the state, nothing is lost, and every way back leads back."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import JournalCorrupt, LoomtableError, ReadingMisfit, UnknownAction
from loomtable.engine.kernel.fold import replay_lenient
from loomtable.engine.kernel.journal import (
    Amended,
    Answered,
    Entry,
    Journal,
    Step,
    Struck,
    Voided,
    WentBack,
    effective_steps,
    history,
)
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading, CoinReading, Reading, rolled
from loomtable.engine.kernel.requests import Choose, EnterNumber, Roll
from loomtable.engine.kernel.serialization import from_json
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.state import Tale
from loomtable.engine.systems import SYSTEMS
from loomtable.testing import play_at_random, random_step
from tests.playing import EVENINGS, evening
from tests.short import present, raises, refuses
from tests.tiers import examples

systems = st.sampled_from(sorted(SYSTEMS))
seeds = st.integers(0, EVENINGS - 1)
some = examples(8, 40)

GOBLIN = {"name": "Goblin", "dexterity": 10, "health": 10}


def d6(*faces: int) -> Reading:
    return rolled(Die.D6, *faces)


def a_fight() -> Session[Tale]:
    session: Session[Tale] = Session.open(SYSTEMS["storm-weavers"], seed="x")
    session.perform("create", dexterity_points=3)
    session.perform("fight", enemy=GOBLIN)
    return session


def test_an_evening_at_random_is_decided_by_its_seed_alone() -> None:
    """Not by the order in which a set is gone through, which each run of Python picks anew."""
    told = "from tests.playing import *; print([[p.step for p in evening(s, 5).played] for s in SYSTEMS])"
    twice = [
        subprocess.run(
            [sys.executable, "-c", told],
            env={**os.environ, "PYTHONHASHSEED": order},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for order in "12"
    ]
    assert twice[0] == twice[1] and "Action(" in twice[0]


def changed_at_random(session: Session[Any], source: random.Random) -> None:
    """Play on, put an answer right, strike an action out, go back, or take such a change back, if it may be."""
    steps = [p.step for p in session.played]
    changes = [line.seq for line in session.lines() if isinstance(line.entry, Voided | Amended | WentBack)]
    match source.choice(["play", "amend", "void", "restore", "back"]):
        case "amend" if readings := [step for step in steps if step.request is not None]:
            step = source.choice(readings)
            session.amend(step.seq, random_answer(present(step.request), source))
        case "void" if actions := [step.seq for step in steps if isinstance(step.what, Action)]:
            session.void(source.choice(actions))
        case "restore" if changes:
            session.restore(source.choice(changes))
        case "back":
            session.go_back(source.randrange(len(session.lines())))
        case _:
            session.take(random_step(session, source))


@some
@given(systems, seeds)
def test_undo_goes_back_over_corrections_too_and_redo_makes_them_again(system: str, seed: int) -> None:
    session, source = evening(system, seed), random.Random(seed)
    states = []
    for _ in range(12):
        before, lines = (session.game, session.pending), len(session.lines())
        with contextlib.suppress(LoomtableError):
            changed_at_random(session, source)
        if len(session.lines()) > lines and history(session.lines()).done[-1] == lines:
            states.append(before)
        elif len(session.lines()) > lines:
            states.pop()  # what was done last was taken back, which is an undo
    end = (session.game, session.pending)
    undone = []
    for state in reversed(states):
        undone.append(session.undo())
        assert (session.game, session.pending) == state
    for state in [*states[1:], end][: len(states)]:
        assert session.redo() == undone.pop()
        assert (session.game, session.pending) == state
    assert Session.resume(SYSTEMS, session.journal).game == session.game


@some
@given(systems, seeds)
def test_going_back_leads_to_the_table_as_it_was_whatever_was_changed_since(system: str, seed: int) -> None:
    session, source = evening(system, seed), random.Random(seed)
    moments = {}
    for at in range(8):
        with contextlib.suppress(LoomtableError):
            changed_at_random(session, source)
        line = session.save_point(f"moment  {at} ")
        assert session.save_points[f"moment {at}"] == line.seq
        moments[line.seq] = (session.game, session.pending)
    for seq in source.sample(sorted(moments), len(moments)):  # forward too: to what was left behind
        assert session.preview_back(seq).after == moments[seq][0]
        session.go_back(seq)
        assert (session.game, session.pending) == moments[seq]
    assert Session.resume(SYSTEMS, session.journal).game == session.game


def test_a_save_point_can_be_moved_and_needs_a_name_that_can_be_read() -> None:
    session = a_fight()
    session.save_point("before the bridge")
    session.undo()
    moved = session.save_point("before the bridge")
    assert session.can_redo and session.save_points == {"before the bridge": moved.seq}
    for name in ("", " ", "x" * 61, "a\x07b"):
        refuses(session.save_point, "1 to 60 characters", name)
    refuses(session.go_back, "the journal has no line 99", 99)
    assert session.lines()[-1] == moved


def decided(*rulings: str) -> Session[Tale]:
    """Each of these is decided anew, in a line of its own from line 1 on."""
    session: Session[Tale] = Session.open(SYSTEMS["storm-weavers"], seed="x")
    for ruling in rulings:
        session.perform("ruling", ruling=ruling, choice=session.system.rulings[ruling].choices[-1].key)
    return session


@pytest.mark.parametrize("why", ["wrong", "undo", "does not fit any more", ""])
def test_what_is_struck_out_by_hand_is_no_undo_whatever_somebody_says_of_it(why: str) -> None:
    session = decided(*list(SYSTEMS["storm-weavers"].rulings)[:2])
    session.void(1, why)
    struck = session.lines()[-1].entry
    assert isinstance(struck, Voided) and (struck.why, struck.said) == (Struck.OUT, why)
    assert not session.can_redo
    assert session.undo().seq == 3, "the striking-through is what was done last"


@pytest.mark.parametrize(("why", "undoes"), [("undo", True), ("wrong", False), (None, False)])
def test_a_journal_from_before_says_in_its_words_what_an_undo_was(why: str | None, undoes: bool) -> None:
    session = decided(*list(SYSTEMS["storm-weavers"].rulings)[:2])
    stored = '{"entry":"voided","targets":[2]' + (f',"why":"{why}"' if why else "") + "}"
    read: Entry = from_json(stored, Entry)  # type: ignore[arg-type]  # a union of structs
    session.journal.append(read)
    again = Session.resume(SYSTEMS, session.journal)
    assert len(again.played) == 1 and again.can_redo is undoes
    assert again.undo().seq == (1 if undoes else 3)


def test_at_the_ends_of_an_evening_there_is_nothing_to_undo_or_redo() -> None:
    session: Session[Tale] = Session.open(SYSTEMS["storm-weavers"], seed="x")
    refuses(session.undo, "nothing to undo")
    session.perform("create", dexterity_points=3)
    refuses(session.redo, "nothing to redo")


@some
@given(systems, seeds)
def test_lines_are_only_ever_added(system: str, seed: int) -> None:
    source = random.Random(seed)
    session = evening(system, seed)
    before = session.lines()
    play_at_random(session, source, 20, undo=0.5)
    assert session.lines()[: len(before)] == before
    assert [line.seq for line in session.lines()] == list(range(len(session.lines())))


@some
@given(systems, seeds, st.data())
def test_an_amendment_does_what_its_preview_showed_and_can_be_taken_or_amended_back(
    system: str, seed: int, data: st.DataObject
) -> None:
    session = evening(system, seed)
    readings = [p.step for p in session.played if p.step.request is not None]
    if not readings:
        return
    step = data.draw(st.sampled_from(readings))
    reading = random_answer(present(step.request), random.Random(seed + 1))
    before, was_pending, lines = session.game, session.pending, session.lines()
    try:
        shown = session.preview_amend(step.seq, reading)
        assert (session.game, session.lines()) == (before, lines), "a preview changes nothing"
        done = session.amend(step.seq, reading)
    except LoomtableError:
        assert (session.game, session.lines()) == (before, lines), "a refusal changes nothing"
        return
    assert shown == done
    assert (session.game, session.pending) == (shown.after, shown.pending)
    assert session.lines()[:-1] == lines
    resumed = Session.resume(SYSTEMS, session.journal)
    assert (resumed.game, resumed.pending) == (session.game, session.pending)
    session.restore(session.lines()[-1].seq)
    assert (session.game, session.pending) == (before, was_pending)
    session.amend(step.seq, reading)
    assert not isinstance(step.what, Action)
    assert session.amend(step.seq, step.what).dropped == (), "nor is anything lost by amending it back"
    assert (session.game, session.pending) == (before, was_pending)
    assert Session.resume(SYSTEMS, session.journal).game == before


@some
@given(systems, seeds, st.data())
def test_an_action_struck_out_of_the_middle_takes_only_what_hangs_on_it(
    system: str, seed: int, data: st.DataObject
) -> None:
    session = evening(system, seed)
    actions = [p.step.seq for p in session.played if isinstance(p.step.what, Action)]
    if not actions:
        return
    seq = data.draw(st.sampled_from(actions))
    shown = session.preview_void(seq)
    done = session.void(seq)
    assert shown == done
    assert session.game == shown.after
    assert seq not in [p.step.seq for p in session.played]
    assert Session.resume(SYSTEMS, session.journal).game == session.game


def test_a_misread_die_in_the_middle_of_a_fight() -> None:
    session = a_fight()
    session.answer(ChoiceReading(("attack",)))
    session.answer(d6(5))
    wrong = session.lines()[-1].seq
    session.answer(d6(4))
    assert session.state.thymin is not None
    assert session.state.thymin.health == 19
    consequences = session.preview_amend(wrong, d6(6))
    assert consequences.gone == (
        "Thymin attacks, 13 against 14: Goblin strikes back, 1 injury.",
        "Thymin loses 1 Health.",
    )
    assert consequences.new == ("Thymin attacks, 14 against 14: nobody is hit.",)
    assert [str(c) for c in consequences.changes] == ["thymin.health: 19 becomes 20"]
    session.amend(wrong, d6(6), why="the six lay under the lamp")
    assert session.state.thymin.health == 20
    assert isinstance(session.lines()[wrong].entry, Answered), "the misread die can still be read"


def test_an_amendment_that_opens_a_question_can_answer_it_at_once() -> None:
    session = a_fight()
    session.answer(ChoiceReading(("attack",)))
    choice = session.lines()[-1].seq
    session.answer(d6(5))
    session.answer(d6(4))
    # Had it been a Cunning Strike, the attack dice were never rolled and a test of Wisdom is asked instead.
    open_question = session.preview_amend(choice, ChoiceReading(("cunning-strike",)))
    assert present(open_question.pending).purpose == "Test of Wisdom"
    assert [d.reason for d in open_question.dropped] == [
        "Attack of Thymin, exchange 1 is no longer asked; Test of Wisdom is",
        "it followed on something that no longer fits",
    ]
    session.amend(choice, ChoiceReading(("cunning-strike",)), d6(1, 2))
    assert present(session.state.fight).enemy.health == 7
    assert present(session.pending).purpose == "Attack of Goblin, exchange 2"


def test_a_question_of_the_same_name_with_other_choices_is_said_so() -> None:
    session: Session[Any] = Session.open(SYSTEMS["mnemonic"], seed="x", rulings={"free-play-cards": "chosen"})
    skills = {"spades": ["Doors", "Lamp"], "diamonds": ["Songs"], "clubs": ["Dockers"]}
    session.perform("add-character", player="Ada", name="Ilse", strong="spades", weak="hearts", skills=skills)
    session.perform("add-character", player="Ben", name="Odo", strong="spades", weak="hearts", skills=skills)
    session.perform("begin-mode", mode="free-play")
    session.perform("scene", who="Ilse")
    session.answer(ChoiceReading(("spades",)))
    session.answer(ChoiceReading(("use-doors",)))
    session.answer(d6(5, 2))
    rolled_in = session.lines()[-1].seq
    session.answer(ChoiceReading(("none",)))
    shown = session.preview_amend(rolled_in, d6(6, 6))
    assert [d.reason for d in shown.dropped] == ["A weaving for Ilse after Doors is asked with other choices now"]


def test_a_roll_of_other_dice_is_said_so() -> None:
    session = a_fight()
    open_ = session.opened
    asked = Roll(Die.D6, 3, "Test of Wisdom", by="Thymin", rule="SW-3")
    step = Step(9, d6(1, 2, 3), asked)
    session.answer(ChoiceReading(("cunning-strike",)))
    steps = [p.step for p in session.played]
    _, [dropped] = replay_lenient(session.system, open_, [*steps, step])
    assert dropped.reason == "Test of Wisdom is asked for 2 d6s instead of 3 d6s now"


def test_a_question_opened_in_the_middle_comes_before_everything_after_it() -> None:
    session: Session[Tale] = Session.open(SYSTEMS["storm-weavers"], seed="x")
    session.perform("create", dexterity_points=4)
    session.perform("coin-test")
    session.answer(ChoiceReading(("heads",)))
    session.answer(CoinReading("heads"))
    flip = session.lines()[-1].seq
    session.perform("gain-item", item="Rope")
    consequences = session.amend(flip, CoinReading("unclear"))
    assert present(consequences.pending).purpose == "Coin test"
    assert [d.reason for d in consequences.dropped] == ["before it, Coin test has to be answered"]
    session.answer(CoinReading("tails"))
    assert present(session.state.thymin).items == ("Axe",)


def test_a_later_action_stays_where_an_answer_before_it_is_no_longer_asked_for() -> None:
    session: Session[Tale] = Session.open(SYSTEMS["storm-weavers"], seed="x")
    session.perform("create", dexterity_points=4)
    session.perform("coin-test")
    session.answer(ChoiceReading(("heads",)))
    session.answer(CoinReading("unclear"))
    flip = session.lines()[-1].seq
    session.answer(CoinReading("tails"))
    session.perform("gain-item", item="Rope")
    consequences = session.amend(flip, CoinReading("heads"))
    assert [d.reason for d in consequences.dropped] == ["Coin test is no longer asked"]
    assert present(session.state.thymin).items == ("Axe", "Rope")


def test_an_amendment_that_cannot_be_played_is_refused_and_strikes_nothing_out() -> None:
    session = a_fight()
    session.answer(ChoiceReading(("attack",)))
    session.answer(d6(5))
    refused = "the amended line 4 cannot be played: two dice, one expected"
    refuses(session.amend, refused, session.lines()[-1].seq, d6(6), d6(1, 2))
    session.answer(d6(4))
    assert present(session.state.thymin).health == 19, "the five still counts"


def test_nothing_happens_while_something_is_asked() -> None:
    session = a_fight()
    before = session.game
    refuses(session.perform, "Coin test has to wait: Thymin's attack, exchange 1", "coin-test")
    raises(ReadingMisfit, "a roll does not answer the question", session.answer, d6(1))
    assert session.game == before
    assert session.pending is not None


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("figth", {}, "Storm Weavers has no action 'figth'; did you mean fight?"),
        ("xyz", {}, "it has begin-adventure, change, coin-test, create, fight, gain-gear, gain-item, go-on,"),
        ("create", {}, "Create still needs “Dexterity points”"),
        ("create", {"points": 3}, "Create: it has no argument `points`"),
        (
            "create",
            {"dexterity_points": "three"},
            "Create: in “Dexterity points”: expected a whole number, got text",
        ),
        ("fight", {"enemy": {**GOBLIN, "hp": 3}}, "Fight: in “Enemy”: it has no argument `hp`"),
        ("fight", {"enemy": {"name": "Bram"}}, "Fight still needs “Dexterity” of “Enemy”"),
        (
            "map-fight",
            {"map": "mill", "enemies": [{}]},
            "Map fight still needs “Name” of no. 1 of “Enemies”",
        ),
    ],
)
def test_unknown_actions_and_arguments_are_named(name: str, args: dict[str, object], words: str) -> None:
    session: Session[Tale] = Session.open(SYSTEMS["storm-weavers"], seed="x")
    with pytest.raises(UnknownAction) as refused:
        session.perform(name, **args)
    assert words in str(refused.value)
    assert len(session.lines()) == 1, "a refused action leaves no line"


def test_a_journal_that_points_nowhere_is_corrupt() -> None:
    session = a_fight()
    journal = Journal(session.lines())
    journal.append(Voided((99,)))
    raises(JournalCorrupt, "line 3 points at line 99", effective_steps, journal.lines())
    journal = Journal(session.lines())
    journal.append(Voided((1,)))  # the sheet is gone, but the fight it is needed for is not
    raises(JournalCorrupt, "line 2 cannot be played: there is no Thymin yet", Session.resume, SYSTEMS, journal)
    raises(JournalCorrupt, "does not begin with the opening", Session.resume, SYSTEMS, Journal())


def as_once_asked(entry: Entry) -> Entry:
    """A line as it was before questions had words of their own, numbers with a name, and choices for a scene."""
    if not isinstance(entry, Answered):
        return entry
    asked = msgspec.structs.replace(entry.request, words="")
    match asked:
        case EnterNumber():
            asked = msgspec.structs.replace(asked, options=())
        case Choose(options=options):
            asked = msgspec.structs.replace(asked, options=tuple(o for o in options if not o.stays))
    return msgspec.structs.replace(entry, request=asked)


@some
@given(st.sampled_from(["spellwoven", "weave"]), seeds)
def test_a_journal_from_before_questions_had_better_words_plays_as_it_did(system: str, seed: int) -> None:
    session = evening(system, seed)
    journal = Journal()
    for line in session.lines():
        journal.append(as_once_asked(line.entry), line.who)
    assert Session.resume(SYSTEMS, journal).state == session.state
