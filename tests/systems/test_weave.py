"""Weave's Challenges: rolls, Strikes and Wounds, enticements, healing, Core Challenges, refusals."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.requests import Choose, Roll
from loomtable.engine.weave.challenge.core import Standing, ranked
from loomtable.engine.weave.state import STRIKE_TRACK
from tests.short import as_a, present, refuses
from tests.systems.edges import is_refused, refusals
from tests.systems.weave_table import Table, card, pick, say, weave

FACES = st.sampled_from(Die.WEAVE.faces)


# Pools and rolls


@settings(max_examples=60, deadline=None)
@given(st.lists(FACES, min_size=5, max_size=5), st.integers(0, 5), st.data())
def test_successes_and_strikes_against_a_count_by_hand(first: list[str], wanted: int, data: st.DataObject) -> None:
    table = Table()
    table.session.perform("challenge", who="Ilse", suit="gales", card="C22")
    table.session.answer(weave(*first))
    seen = list(first)
    if "weave" in first:
        again = min(wanted, first.count("weave"))
        table.session.answer(say(again))
        if again:
            others = st.sampled_from((*Die.WEAVE.faces[:4], "strike"))
            second = data.draw(st.lists(others, min_size=again, max_size=again))
            seen += second
            table.session.answer(weave(*second))
            if first.count("weave") > again:
                table.session.answer(say(0))
    assert table.pending is None
    told = next(s for s in table.story() if s.startswith("Ilse: "))
    successes = seen.count("gales") + seen.count("weave")
    outcome = (
        "epic pass" if successes >= 5 else "pass" if successes >= 3 else "epic fail" if successes <= 1 else "fail"
    )
    assert told.endswith(f"against level 3: {outcome}.")
    assert told.startswith(f"Ilse: {successes or 'no'} success")
    assert table.ilse.strikes == seen.count("strike")


def test_a_wound_takes_a_die_and_the_third_ends_the_scene() -> None:
    table = Table()
    for wounds, dice in ((1, 4), (2, 3)):
        table.wound("Ilse")
        assert table.ilse.wounds == wounds
        table.session.perform("challenge", who="Ilse", suit="gales")
        assert as_a(Roll, table.pending).count == dice
        table.session.undo()
    table.wound("Ilse")
    assert table.ilse.out
    assert table.story()[-1] == "Ilse has three Wounds and cannot go on in this scene."
    for action in ("challenge", "use-talent"):
        arguments = {"suit": "gales"} if action == "challenge" else {"talent": "Leap the Gap"}
        refuses(table.session.perform, "three Wounds", action, who="Ilse", **arguments)


@given(st.integers(0, 9), st.integers(0, 15))
@settings(max_examples=40, deadline=None)
def test_the_track_never_holds_ten(before: int, more: int) -> None:
    table = Table()
    for _ in range(before):
        table.strikes("Ilse", 1)
    for part in (min(more, 10), max(0, more - 10)):
        if part:
            full = table.ilse.strikes + part >= STRIKE_TRACK
            wounds, track = table.ilse.wounds, table.ilse.strikes
            table.strikes("Ilse", part)
            assert table.ilse.wounds == wounds + full
            assert table.ilse.strikes == (0 if full else track + part)


def test_one_roll_marks_one_wound_however_many_strikes_and_there_is_no_fourth_wound() -> None:
    table = Table()
    table.strikes("Ilse", 9)
    table.do("challenge", weave(*["strike"] * 10, "gales"), who="Ilse", suit="gales", dice=6)
    assert (table.ilse.wounds, table.ilse.strikes) == (1, 0)
    table.strikes("Ilse", 1)
    table.do("challenge", weave(*["strike"] * 9, "gales"), who="Ilse", suit="gales", dice=6)
    assert (table.ilse.wounds, table.ilse.strikes) == (2, 0)
    table.strikes("Ilse", 9)
    table.do("challenge", weave("strike", "flames", "flames"), who="Ilse", suit="gales", card="C25")
    assert (table.ilse.wounds, table.ilse.strikes) == (3, 0), "an epic fail and the tenth Strike at once"
    assert sum("takes a Wound" in s for s in table.story()) == 3


# Negotiation, words, passing without a roll


def test_a_challenge_is_never_easier_than_level_1() -> None:
    table = Table()
    table.session.perform("challenge", who="Ilse", suit="gales", card="C25", easier=5)
    assert present(table.pending).purpose == "Gales Challenge, level 1"
    table.session.answer(weave("gales", "stones", "flames", "flames", "brooks"))
    assert "Ilse: 1 success against level 1: pass." in table.story()


# Enticements and redeeming

ENTICED = {"flaw": "No Face of Your Own", "card": "C1"}


@pytest.mark.parametrize(
    ("resisting", "goes_on"), [(("flames", "flames", "stones"), True), (("flames", "stones", "strike"), False)]
)
def test_a_refused_enticement_has_to_be_passed_first(resisting: tuple[str, ...], goes_on: bool) -> None:
    table = Table(hand=True)
    table.session.perform("challenge", who="Ilse", suit="gales", enticement=ENTICED)
    assert table.state.face_down == ComponentId.parse("C1")
    assert "C1" not in str(table.session.view("Ada"))
    for answer in (card("C2"), pick("refuse"), weave(*resisting)):
        table.session.answer(answer)
    assert table.state.spread == (ComponentId.parse("C1"),)
    assert (table.pending is not None) == goes_on
    if table.pending is not None:
        assert table.pending.purpose == "Gales Challenge, level 1"


def test_who_is_put_out_by_resisting_does_not_act_any_more() -> None:
    table = Table({"enticement-challenge-failed": "initial-rolled"})
    table.wound("Ilse", 2)
    table.strikes("Ilse", 9)
    table.do("challenge", pick("refuse"), weave("strike"), who="Ilse", suit="gales", enticement=ENTICED)
    assert (table.ilse.wounds, table.ilse.out) == (3, True)


def test_the_face_down_card_is_not_named_before_it_is_turned_over() -> None:
    table = Table(hand=True)
    table.session.perform("challenge", who="Ilse", suit="gales", enticement=ENTICED)
    assert not any("Flames 2" in s for s in table.story())
    table.session.answer(card("C2"))
    assert "Flames" not in str(table.pending)
    table.session.answer(pick("refuse"))
    assert "Flames 2 joins the spread." in table.story()


def test_a_wound_and_a_subplot_that_are_there_are_refused_what_does_not_fit_them() -> None:
    table = Table()
    table.wound("Ilse")
    table.do("play-story", pick("1"), kind="subplot", card="S21")
    subplot = table.state.elements[0].quality.name
    refuses(table.session.perform, "needs the suit of the Challenge", "heal", who="Ilse", healer="Odo", card="C25")
    for involved in ([], ["Ilse", "Ilse"]):
        words = "name each character who was involved, once"
        refuses(table.session.perform, words, "resolve-subplot", subplot=subplot, involved=involved)


def test_three_wounds_are_healed_by_somebody_else_and_the_character_goes_on() -> None:
    table = Table()
    table.wound("Ilse", 3)
    refuses(table.session.perform, "three Wounds", "heal", who="Ilse", suit="gales")
    table.do(
        "heal", weave("brooks", "stones", "stones", "stones", "stones"), who="Ilse", healer="Odo", suit="brooks"
    )
    assert not table.ilse.out


# Core Challenges


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6))
def test_the_order_of_a_core_challenge_against_pairwise_comparison(rolled: list[tuple[int, int]]) -> None:
    standings = [Standing(f"P{n}", max(s, x), min(s, x)) for n, (s, x) in enumerate(rolled)]
    rule = ranked(standings)
    agreed: list[tuple[str, ...]] = []
    answer = None
    order: tuple[str, ...] = ()
    while True:
        try:
            question = rule.send(answer) if answer else next(rule)
        except StopIteration as done:
            order = done.value
            break
        tied = [o.key for o in as_a(Choose, question).options]
        assert len(tied) > 1
        agreed.append(tuple(reversed(tied)))
        answer = pick(*agreed[-1])
    assert sorted(order) == sorted(s.who for s in standings)
    by_name = {s.who: s for s in standings}
    for first, second in itertools.pairwise(order):
        one, other = by_name[first], by_name[second]
        better = one.successes > other.successes or (
            one.successes == other.successes and one.symbols > other.symbols
        )
        tied_here = (one.successes, one.symbols) == (other.successes, other.symbols)
        assert better or tied_here
        if tied_here:
            group = next(a for a in agreed if first in a)
            assert group.index(first) + 1 == group.index(second), "the agreed order is kept"


# Refusals in words that change nothing


@refusals("weave")
def test_what_is_refused_is_said_in_words_and_changes_nothing(row: dict[str, Any]) -> None:
    table = Table(hand=True)
    table.do("add-npc", npc="Wolf", enemy=True)
    is_refused(table.session, row, LoomtableError)
