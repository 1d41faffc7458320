"""What is always on beyond dice: the order of turns, what may not be done, moves, rolls made again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.requests import Choose, Roll
from loomtable.engine.kernel.results import last_result
from loomtable.engine.weave.cards.mechanics import (
    Acts,
    Effect,
    EffectKind,
    Given,
    Moment,
    Passive,
    RangeBand,
    Span,
    Whose,
)
from loomtable.engine.weave.cards.passives import strikes_after
from loomtable.engine.weave.cards.playset import playset, playset_names
from loomtable.engine.weave.state import Encounter
from loomtable.engine.weave.suits import Suit
from tests.short import as_a, present, refuses
from tests.systems.weave_own_cards import fight, table_with, these_cards  # noqa: F401 - a fixture
from tests.systems.weave_table import Table, pick, weave

LAW = settings(max_examples=12, deadline=None)
BANDS = st.sampled_from(list(RangeBand))


def met(table: Table) -> Encounter:
    return present(table.state.encounter)


def attack(table: Table, who: str, target: str) -> None:
    table.session.perform("attack", who=who, target=target, suit="flames")


def order_after(table: Table, *successes: int, ticks: tuple[str, ...] = ()) -> None:
    """A fight of Ilse, Odo and the Boss, who have so many successes for the order of turns, in this order."""
    table.session.perform("begin-encounter", against=["The Boss"], combat=True, band="melee")
    while isinstance(table.pending, Choose):
        table.session.answer(pick(*ticks))
    for count in successes:
        roll = as_a(Roll, table.pending)
        table.session.answer(weave(*["gales"] * count, *["stones"] * (roll.count - count)))
        while isinstance(table.pending, Choose):
            table.session.answer(pick(*[option.key for option in table.pending.options][: table.pending.at_most]))


@LAW
@given(st.permutations([1, 2, 3]), st.sampled_from(list(Acts)), st.booleans())
def test_somebody_acts_where_it_is_said_and_in_the_first_round_alone_where_that_is_said(
    successes: list[int], acts: Acts, first_only: bool
) -> None:
    given_ = (Given.FIRST_ROUND,) if first_only else ()
    table = table_with(Passive(at=Moment.ORDER, given=given_, acts=acts))
    order_after(table, *successes)
    plain = [name for _, name in sorted(zip(successes, ("Ilse", "Odo", "The Boss"), strict=True), reverse=True)]
    others = [name for name in plain if name != "Ilse"]
    rolled, foe = plain.index("Ilse"), others.index("The Boss")
    place = {
        Acts.LAST: 2,
        Acts.NOT_FIRST: max(1, rolled),
        Acts.AFTER_FOE: max(foe + 1, rolled),
        Acts.BEFORE_ONE: 0,
    }[acts]
    arranged = [*others[:place], "Ilse", *others[place:]]
    assert list(met(table).order) == arranged
    for _ in range(3):
        table.do("end-turn")
    assert met(table).round == 2
    assert list(met(table).order) == (plain if first_only else arranged)
    assert met(table).acting == met(table).order[0]


@LAW
@given(st.integers(-2, 3))
def test_dice_for_the_order_of_turns_are_rolled_there_and_in_no_other_core_challenge(dice: int) -> None:
    table = table_with(Passive(at=Moment.ORDER, dice=dice or 1))
    table.session.perform("core-challenge", who=["Ilse"], suit="gales")
    assert as_a(Roll, table.pending).count == 4
    table.session.answer(weave(*["stones"] * 4))
    table.session.perform("begin-encounter", suit="gales")
    assert as_a(Roll, table.pending).count == max(1, 4 + (dice or 1))


def test_what_the_rules_know_to_forbid_is_refused_before_it_costs_anything_and_named() -> None:
    table = table_with(boss=(Passive(at=Moment.ATTACK, whose=Whose.FOE, given=(Given.AGAINST,), forbids=True),))
    fight(table)
    refuses(attack, "Ilse cannot do this now: The Boss", table, "Ilse", "The Boss")
    assert met(table).actions_left == 2
    assert "The Boss" in table.session.refusal("attack", who="Ilse", target="The Boss", suit="flames")
    attack(table, "Ilse", "Odo")
    assert isinstance(table.pending, Roll), "it is about attacks on the Boss alone"


@pytest.mark.parametrize("said", ["1", "never-1"])
def test_what_people_say_to_forbid_is_not_done_and_costs_no_action(said: str) -> None:
    forbidden = Passive(at=Moment.ATTACK, whose=Whose.FOE, given=(Given.AGAINST,), judged=True, forbids=True)
    table = table_with(boss=(forbidden,))
    fight(table)
    attack(table, "Ilse", "The Boss")
    assert as_a(Choose, table.pending).options[0].label == "The Boss: not allowed, for Ilse"
    table.session.answer(pick(said))
    assert (table.pending is None) == (said == "1")
    assert met(table).actions_left == (2 if said == "1" else 1)
    assert ("Ilse tries, and it fails: The Boss." in table.story()) == (said == "1")


def test_what_is_on_a_hidden_sheet_forbids_without_its_name() -> None:
    hidden = Passive(at=Moment.ATTACK, whose=Whose.FOE, given=(Given.AGAINST,), forbids=True)
    table = table_with(talent=(hidden,))
    fight(table)
    refuses(attack, "something keeps it from being done", table, "Ilse", "The Boss")


def test_nobody_uses_a_talent_near_what_forbids_it_nor_an_asset() -> None:
    near = {"whose": Whose.FOE, "given": (Given.MELEE,), "forbids": True}
    table = table_with(boss=(Passive(at=Moment.TALENT, **near), Passive(at=Moment.ASSET, **near)))
    fight(table)
    refuses(table.session.perform, "The Boss", "use-talent", who="Ilse", talent="Leap the Gap")
    table.do("set-band", who="Ilse", other="The Boss", band="short")
    table.session.perform("use-talent", who="Ilse", talent="Leap the Gap")
    assert isinstance(table.pending, Roll)


@LAW
@given(BANDS)
def test_a_place_lets_no_attack_from_afar_through(band: RangeBand) -> None:
    table = table_with(place=(Passive(at=Moment.ATTACK, given=(Given.FROM_AFAR,), forbids=True),))
    table.do("set-place", location="The Place")
    table.do("add-npc", npc="Archer", enemy=True, reach=["melee", "short", "long"])
    rolls = [weave(*["gales"] * n, *["stones"] * (3 - n)) for n in (0, 1, 3)]
    first = weave("stones", "stones", "stones", "stones")
    table.do("begin-encounter", first, *rolls[1:], against=["Archer"], combat=True, band=band.value)
    assert met(table).acting == "Archer"
    if band is not RangeBand.MELEE:
        refuses(attack, "Archer cannot do this now", table, "Archer", "Ilse")
        return
    attack(table, "Archer", "Ilse")
    assert isinstance(table.pending, Roll)


@LAW
@given(BANDS, BANDS)
def test_an_attack_reaches_as_if_at_another_distance(band: RangeBand, as_if: RangeBand) -> None:
    table = table_with(Passive(at=Moment.ATTACK, band=as_if))
    fight(table, band.value)
    if as_if is RangeBand.MELEE:
        attack(table, "Ilse", "The Boss")
        assert isinstance(table.pending, Roll), "a bare hand reaches Melee Range"
    else:
        refuses(attack, "a bare hand reaches Melee Range", table, "Ilse", "The Boss")


def test_an_attack_that_people_say_does_not_reach_costs_its_action() -> None:
    table = table_with(Passive(at=Moment.ATTACK, band=RangeBand.MELEE, judged=True))
    fight(table, "long")
    for left in (1, 0):
        attack(table, "Ilse", "The Boss")
        table.session.answer(pick())
        assert (table.pending, met(table).actions_left) == (None, left)
    refuses(attack, "no action left", table, "Ilse", "The Boss")


@LAW
@given(st.sampled_from(list(Suit)), st.booleans())
def test_a_likeness_has_the_bonus_of_whoever_it_faces(suit: Suit, attacks: bool) -> None:
    mirrors = Passive(at=Moment.ATTACK, whose=Whose.ALL, given=(Given.FACING,), mirrors=True)
    table = table_with(boss=(mirrors,))
    fight(table)
    while attacks and met(table).acting != "The Boss":
        table.do("end-turn")
    who, target = ("The Boss", "Ilse") if attacks else ("Ilse", "The Boss")
    table.session.perform("attack", who=who, target=target, suit=suit.value)
    roll = as_a(Roll, table.pending)
    assert roll.purpose == f"{suit.label} Challenge, level 1"
    assert roll.count == 3 + table.ilse.dice_bonus(suit)


@LAW
@given(st.integers(1, 2), BANDS)
def test_nobody_moves_more_bands_in_a_turn_than_that_and_the_next_turn_counts_anew(
    bands: int, band: RangeBand
) -> None:
    table = table_with(boss=(Passive(at=Moment.MOVE, whose=Whose.ALL, bands=1),))
    fight(table, "short")
    asked = {"who": "Ilse", "other": "Odo", "closer": band is RangeBand.MELEE}
    if bands == 2:
        table.do("set-band", who="Ilse", other="Odo", band="long")
        words = "The Boss: nobody moves more than 1 range band in a turn"
        refuses(table.session.perform, words, "move", bands=2, who="Ilse", other="Odo", closer=True)
        return
    table.do("move", **asked)
    refuses(table.session.perform, "nobody moves more", "move", who="Ilse", other="The Boss", closer=True)
    for _ in range(3):
        table.do("end-turn")
    table.do("move", who="Ilse", other="The Boss", closer=True)
    assert met(table).band("Ilse", "The Boss") is RangeBand.MELEE


@pytest.mark.parametrize("passes", [True, False])
def test_a_move_needs_a_challenge_first(passes: bool) -> None:
    table = table_with(boss=(Passive(at=Moment.MOVE, whose=Whose.FOE, given=(Given.MELEE,), needs=Suit.BROOKS),))
    fight(table)
    table.session.perform("move", who="Ilse", other="The Boss", closer=False)
    roll = as_a(Roll, table.pending)
    table.session.answer(weave(*["brooks" if passes else "stones"] * roll.count))
    assert met(table).band("Ilse", "The Boss") is (RangeBand.SHORT if passes else RangeBand.MELEE)
    assert met(table).actions_left == 1


def test_a_move_that_was_made_is_taken_back_once() -> None:
    back = Passive(at=Moment.MOVED, whose=Whose.FOE, once=Span.ENCOUNTER, forbids=True)
    table = table_with(boss=(back,))
    fight(table)
    table.do("move", who="Ilse", other="The Boss", closer=False)
    assert met(table).band("Ilse", "The Boss") is RangeBand.MELEE
    table.do("move", who="Ilse", other="The Boss", closer=False)
    assert met(table).band("Ilse", "The Boss") is RangeBand.SHORT


def test_after_a_move_of_two_bands_the_storyteller_sets_the_distances() -> None:
    set_them = (Effect(EffectKind.SET_BANDS, 10),)
    table = table_with(place=(Passive(at=Moment.MOVED, given=(Given.TWO_BANDS,), effects=set_them),))
    table.do("set-place", location="The Place")
    fight(table)
    table.session.perform("move", who="Ilse", other="The Boss", closer=False, bands=2)
    table.session.answer(pick("Ilse - The Boss: short", "Ilse - Odo: long"))
    assert met(table).band("Ilse", "The Boss") is RangeBand.SHORT
    assert met(table).band("Ilse", "Odo") is RangeBand.LONG


@LAW
@given(st.sampled_from(["push", "pull", "move-bands"]), st.booleans())
def test_what_cannot_be_moved_stays_and_moves_by_itself(kind: str, by_others: bool) -> None:
    stays = Passive(at=Moment.SHIFTED, given=(Given.BY_OTHERS,) if by_others else (), forbids=True)
    table = table_with(stays)
    fight(table, "short")
    table.session.perform("effect", who="Ilse", do=kind, because="the wind")
    table.session.answer(pick("The Boss"))
    if table.pending is not None:
        table.session.answer(pick("melee"))
    moved = met(table).band("Ilse", "The Boss") is not RangeBand.SHORT
    assert moved == by_others, "an effect of her own is no effect of others"
    table.do("move", who="Ilse", other="Odo", closer=True)
    assert met(table).band("Ilse", "Odo") is RangeBand.MELEE


@LAW
@given(st.integers(0, 12), st.integers(0, 9))
def test_a_track_that_stops_is_never_filled_and_never_loses_a_strike(strikes: int, had: int) -> None:
    left = strikes_after(strikes, (Passive(at=Moment.MARKED, track=9),), had)
    assert left == max(0, min(strikes, 9 - had))


def test_the_tenth_strike_of_a_roll_is_not_marked_once() -> None:
    stops = Passive(at=Moment.MARKED, given=(Given.TENTH_STRIKE,), once=Span.ENCOUNTER, track=9)
    table = table_with(stops)
    fight(table)
    table.strikes("Ilse", 8)
    table.do("challenge", weave("flames", *["strike"] * 2), who="Ilse", suit="flames", reaction=True)
    assert (table.ilse.strikes, table.ilse.wounds) == (9, 0)
    assert "Her Flaw: the track stops at 9, for Ilse." in table.story()
    table.do("challenge", weave("flames", "flames", "strike"), who="Ilse", suit="flames", reaction=True)
    assert (table.ilse.strikes, table.ilse.wounds) == (0, 1)


@pytest.mark.parametrize("passed", [True, False])
def test_a_failed_pool_is_rolled_again_and_only_the_second_roll_counts(passed: bool) -> None:
    table = table_with(Passive(at=Moment.ROLLED, given=(Given.FAILING,), once=Span.EPISODE, again=True))
    first = weave(*["flames" if passed else "strike"] * 3)
    table.session.perform("challenge", who="Ilse", suit="flames")
    table.session.answer(first)
    if passed:
        assert table.pending is None
        return
    assert as_a(Roll, table.pending).purpose == "Flames Challenge, level 1, once more"
    table.session.answer(weave("flames", "stones", "strike"))
    assert table.ilse.strikes == 1
    result = present(last_result(table.session, "storyteller"))
    counted = [[meaning.says for meaning in throw.meanings] for throw in result.throws]
    assert counted[0] == ["rolled again"] * 3, counted
    assert counted[1][0] == "success"
    table.do("challenge", weave(*["stones"] * 3), who="Ilse", suit="flames")


@pytest.mark.parametrize(("face", "says"), [("flames", "success"), ("weave", "success"), ("strike", "Strike")])
def test_a_strike_that_is_rolled_again_is_gone_and_its_new_face_stands(face: str, says: str) -> None:
    table = table_with(Passive(at=Moment.ROLLED, given=(Given.A_STRIKE,), once=Span.SCENE, rerolls=1))
    table.do("challenge", weave("strike", "strike", "stones"), weave(face), who="Ilse", suit="flames")
    assert table.ilse.strikes == (2 if face == "strike" else 1)
    result = present(last_result(table.session, "storyteller"))
    counted = [[meaning.says for meaning in throw.meanings] for throw in result.throws]
    assert (counted[0][:2], counted[1], result.passed) == (["rolled again", "Strike"], [says], says == "success")
    table.do("challenge", weave("strike", "stones", "stones"), who="Ilse", suit="flames")


def test_words_are_told_when_a_scene_begins_and_nothing_is_asked() -> None:
    table = table_with(Passive(at=Moment.SCENE, tells=True), Passive(at=Moment.ENCOUNTER, tells=True))
    before = table.ilse
    table.do("end-scene")
    assert table.story()[-1] == "Her Flaw: It is so."
    fight(table)
    assert table.story().count("Her Flaw: It is so.") == 2
    assert table.ilse == before


def test_somebody_acts_once_between_the_turns_of_others() -> None:
    act = (Effect(EffectKind.ACT_BETWEEN, lasts=Span.TURN),)
    table = table_with(boss=(Passive(at=Moment.MOVED, whose=Whose.FOE, effects=act),))
    fight(table)
    refuses(attack, "it is Ilse's turn", table, "The Boss", "Ilse")
    table.do("move", who="Ilse", other="Odo", closer=False)
    attack(table, "The Boss", "Ilse")
    table.session.answer(weave(*["stones"] * as_a(Roll, table.pending).count))
    refuses(attack, "it is Ilse's turn", table, "The Boss", "Ilse")
    assert met(table).actions_left == 1


# The shipped cards


def test_every_card_that_is_left_to_the_table_by_the_ruling_is_left_whole() -> None:
    """A card is narrow or not as one: half of it applied would be another card."""
    for name in playset_names():
        for number, offer in playset(name).cards.items():
            for options in offer.values():
                for quality in options:
                    for one in (quality, *(q for sheet in quality.sheet.values() for q in sheet)):
                        if one.mechanic is not None:
                            assert len({p.optional for p in one.mechanic.always}) <= 1, (name, number, one.name)
                            assert len({e.optional for e in one.mechanic.effects}) <= 1, (name, number, one.name)


@pytest.mark.parametrize(("choice", "dice"), [("all", 5), ("narrow", 4)])
def test_the_ruling_says_whether_a_card_is_seen_to(choice: str, dice: int) -> None:
    table = table_with(Passive(at=Moment.ORDER, dice=1, optional=True))
    table.do("ruling", ruling="cards-applied", choice=choice)
    table.session.perform("begin-encounter", suit="gales")
    assert as_a(Roll, table.pending).count == dice
