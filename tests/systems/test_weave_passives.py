"""What is always on: applied where the engine knows that it holds, asked about where it cannot (WV-10)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.journal import Answered, Journal
from loomtable.engine.kernel.requests import Choose, Option, Roll
from loomtable.engine.kernel.results import last_result, told_in
from loomtable.engine.kernel.session import Session
from loomtable.engine.weave.cards.mechanics import (
    Effect,
    EffectKind,
    Given,
    Mechanic,
    MechanicType,
    Moment,
    Passive,
    RangeBand,
    Span,
    Whom,
    Whose,
    mechanic_trouble,
)
from loomtable.engine.weave.cards.passives import strikes_after
from loomtable.engine.weave.suits import Suit
from tests.short import as_a, present, refuses
from tests.systems.weave_own_cards import fight, table_with, these_cards  # noqa: F401 - a fixture
from tests.systems.weave_table import Table, card, pick, weave

ONE = Passive(dice=1)
LAW = settings(max_examples=25, deadline=None)


def dice_of(table: Table, who: str, suit: str, *ticks: str) -> int:
    """How many dice a Challenge is rolled with; what is ticked where that is asked."""
    table.session.perform("challenge", who=who, suit=suit, reaction=table.state.encounter is not None)
    if ticks:
        table.session.answer(pick(*ticks))
    count = as_a(Roll, table.pending).count
    for _ in range(1 + bool(ticks)):
        table.session.undo()
    return count


def asked_with_the_roll(table: Table) -> Choose | None:
    """What can be ticked as a Challenge is rolled."""
    return as_a(Roll, table.pending).ticks


@LAW
@given(st.integers(-4, 4), st.sampled_from(list(Suit)), st.sampled_from(list(Suit)))
def test_a_known_condition_is_applied_unasked_and_only_in_its_suit(dice: int, suit: Suit, rolled: Suit) -> None:
    table = table_with(Passive(dice=dice or 1, suits=(suit,)))
    plain = 3 + table.ilse.dice_bonus(rolled)
    table.session.perform("challenge", who="Ilse", suit=rolled.value)
    assert as_a(Roll, table.pending).count == max(1, plain + (dice or 1) * (suit is rolled))
    table.session.undo()
    assert dice_of(table, "Odo", rolled.value) == 3 + table.odo.dice_bonus(rolled)


def test_what_only_people_can_judge_is_a_tick_with_its_words_and_the_storyteller_says() -> None:
    table = table_with(Passive(dice=-1, judged=True))
    table.session.perform("challenge", who="Ilse", suit="gales")
    asked = present(asked_with_the_roll(table))
    assert (asked.by, asked.at_least, asked.at_most) == ("storyteller", 0, 1)
    assert asked.words == "Does this apply to this roll of Ilse?"
    assert (asked.options[0].label, asked.options[0].says) == ("Her Flaw: 1 die fewer, for Ilse", "It is so.")
    assert dice_of(fresh(), "Ilse", "gales") == 5
    assert dice_of(fresh(), "Ilse", "gales", "1") == 4


def test_what_is_ticked_changes_the_roll_that_is_asked_until_the_dice_are_there() -> None:
    table = table_with(Passive(dice=-1, judged=True), Passive(level=1, judged=True, once=Span.SCENE))
    table.session.perform("challenge", who="Ilse", suit="gales")
    for keys, dice, level in (((), 5, 1), (("1",), 4, 1), (("2",), 4, 2), (("1",), 5, 2)):
        table.session.answer(pick(*keys))
        assert (as_a(Roll, table.pending).count, as_a(Roll, table.pending).purpose) == (
            dice,
            f"Gales Challenge, level {level}",
        )
    assert not table.ilse.spent, "nothing is spent before the dice are there"
    table.session.answer(weave("gales", *["stones"] * 4))
    assert present(last_result(table.session, "storyteller")).counted[0] == "1 success against level 2"
    assert "Her Flaw" in table.ilse.spent
    assert [line for line in table.story() if line.startswith("Her Flaw:")][
        -1
    ] == "Her Flaw: 1 level higher, for Ilse."


def test_of_always_and_never_the_last_that_was_ticked_counts() -> None:
    table = fresh()
    table.session.perform("challenge", who="Ilse", suit="gales")
    for key, ticked in (("1", ("1",)), ("always-1", ("always-1",)), ("never-1", ("never-1",)), ("never-1", ())):
        table.session.answer(pick(key))
        assert as_a(Roll, table.pending).ticked == ticked


def test_a_journal_in_which_it_was_asked_before_the_roll_is_played_on() -> None:
    table = fresh()
    table.do("challenge", pick("1"), weave(*["stones"] * 4), who="Ilse", suit="gales")
    tick, roll = (line.entry for line in table.session.lines()[-2:])
    assert isinstance(tick, Answered) and isinstance(roll, Answered)
    assert isinstance(roll.request, Roll) and roll.request.ticks is None, "a line holds what it answers"
    asked = as_a(Choose, tick.request)
    once = msgspec.structs.replace(asked, options=(Option("1", "Her Flaw"),), words="")
    journal = Journal(table.session.lines()[:-2])
    journal.append(Answered(tick.reading, once))
    journal.append(roll)
    assert Session(table.session.system, journal).state == table.state


def test_what_is_asked_before_an_effect_or_a_kept_card_is_no_tick() -> None:
    table = table_with(Passive(judged=True, effects=(Effect(EffectKind.DEAL_STRIKES, 1),)))
    table.session.perform("challenge", who="Ilse", suit="gales")
    assert isinstance(table.pending, Choose), "a Wound would change the dice"


def test_a_player_sees_and_says_only_what_lies_open() -> None:
    table = table_with(Passive(dice=-1, judged=True), talent=(Passive(dice=-1, whose=Whose.FOE, judged=True),))
    fight(table)
    table.session.perform("challenge", who="Ilse", suit="gales", reaction=True)
    labels = [option.label for option in present(asked_with_the_roll(table)).options if option.open]
    assert labels == ["Her Flaw: 1 die fewer, for Ilse"]


@pytest.mark.parametrize(("said", "dice"), [("always-1", 4), ("never-1", 5)])
def test_what_applies_for_the_whole_scene_is_asked_once(said: str, dice: int) -> None:
    table = fresh()
    assert dice_of(table, "Ilse", "gales", said) == dice
    table.do("challenge", pick(said), weave(*["stones"] * dice), who="Ilse", suit="gales")
    table.session.perform("challenge", who="Ilse", suit="gales")
    assert as_a(Roll, table.pending).count == dice, "not asked again"
    table.session.undo()
    assert table.session.view("Ada")["judged"] == {}, "what the storyteller thinks of it is hidden"
    table.do("ask-again")
    table.session.perform("challenge", who="Ilse", suit="gales")
    assert asked_with_the_roll(table) is not None
    table.session.undo()
    table.session.undo()
    table.do("end-scene")
    table.session.perform("challenge", who="Ilse", suit="gales")
    assert asked_with_the_roll(table) is not None, "a new scene, a new question"


def test_nothing_both_always_and_never_applies() -> None:
    effects = (Effect(EffectKind.DEAL_STRIKES, 1),)
    table = table_with(Passive(judged=True, effects=effects), Passive(dice=-2, judged=True))
    table.session.perform("challenge", who="Ilse", suit="gales")
    assert as_a(Choose, table.pending).options[2].label == "Her Flaw: always in this scene"
    refuses(table.session.answer, "cannot both always and never apply", pick("always-1", "never-1"))


def fresh() -> Table:
    return table_with(Passive(dice=-1, judged=True))


def test_its_name_stands_in_the_reckoning_and_in_the_story() -> None:
    table = table_with(Passive(dice=-1, suits=(Suit.GALES,)))
    table.do("challenge", weave("gales", "stones", "stones", "brooks"), who="Ilse", suit="gales")
    assert "Her Flaw: 1 die fewer, for Ilse." in table.story()
    result = last_result(table.session, "storyteller")
    assert "4 dice: 3 + 1 Core Suit + 1 Backstory - 1 Her Flaw" in present(result).counted


@pytest.mark.parametrize(
    ("whose", "for_ilse", "for_odo", "for_boss"),
    [
        (Whose.OWNER, 1, 0, 0),
        (Whose.ALLY, 0, 1, 0),
        (Whose.FOE, 0, 0, 1),
        (Whose.OTHERS, 0, 1, 1),
        (Whose.ALL, 1, 1, 1),
    ],
)
def test_it_is_about_whom_it_says(whose: Whose, for_ilse: int, for_odo: int, for_boss: int) -> None:
    table = table_with(Passive(dice=1, whose=whose))
    fight(table)
    assert dice_of(table, "Ilse", "flames") == 3 + for_ilse
    assert dice_of(table, "Odo", "flames") == 3 + for_odo
    table.do("end-turn")
    table.do("end-turn")
    table.session.perform("npc-challenge", npc="The Boss", suit="flames")
    assert as_a(Roll, table.pending).count == 3 + for_boss


def test_what_is_on_the_sheet_of_a_boss_makes_itself_felt_and_is_not_named_to_players() -> None:
    table = table_with(talent=(Passive(dice=-2, whose=Whose.FOE),))
    fight(table)
    table.session.perform("challenge", who="Ilse", suit="flames", reaction=True)
    assert as_a(Roll, table.pending).count == 1
    heard = {
        who: told_in(table.session, len(table.session.played) - 1, who) for who in ("storyteller", "Ada", "Ben")
    }
    assert any("Its Talent" in sentence for sentence in heard["storyteller"])
    assert not any("Its Talent" in sentence for who in ("Ada", "Ben") for sentence in heard[who])


def test_a_boss_counts_only_once_it_has_come_in_and_not_where_it_takes_no_part() -> None:
    table = table_with(boss=(Passive(dice=-2, whose=Whose.FOE),))
    assert dice_of(table, "Ilse", "flames") == 3, "not here yet"
    fight(table)
    assert dice_of(table, "Ilse", "flames") == 1
    table.do("effect", who="The Boss", do="leave", because="the road")
    assert dice_of(table, "Ilse", "flames") == 3
    table.do("end-encounter", resolution="Over.")
    table.session.perform("challenge", who="Ilse", suit="flames")
    assert asked_with_the_roll(table) is not None, "outside of encounters nobody knows whether it is there"


def test_a_place_is_asked_about_until_somebody_says_where_the_scene_plays() -> None:
    table = table_with(place=(Passive(dice=-1),))
    assert (dice_of(table, "Ilse", "flames", "1"), dice_of(table, "Odo", "flames")) == (2, 3)
    table.do("set-place", location="The Place")
    table.session.perform("challenge", who="Odo", suit="flames")
    assert as_a(Roll, table.pending).count == 2
    table.session.undo()
    table.do("add-location", card("S9"), pick("1"))
    there = table.state.elements[-1].quality.name
    table.do("set-place", location=there)
    assert dice_of(table, "Odo", "flames") == 3
    table.do("end-scene")
    assert table.state.place == ""


@pytest.mark.parametrize(
    ("given_", "round_one", "round_three"),
    [(Given.FIRST_ROUND, 1, 0), (Given.LATER_ROUNDS, 0, 1), (Given.ENCOUNTER, 1, 1), (Given.ODD_NUMBER, 1, 1)],
)
def test_rounds_and_numbers_are_known(given_: Given, round_one: int, round_three: int) -> None:
    table = table_with(Passive(dice=1, given=(given_,)))
    fight(table)
    assert dice_of(table, "Ilse", "flames") == 3 + round_one
    for _ in range(6):
        table.do("end-turn")
    assert dice_of(table, "Ilse", "flames") == 3 + round_three
    if given_ is Given.ODD_NUMBER:
        table.do("add-npc", npc="Wolf", enemy=True)
        table.do("join-encounter", who="Wolf")
        assert dice_of(table, "Ilse", "flames") == 3


@pytest.mark.parametrize("band", list(RangeBand))
@pytest.mark.parametrize(
    ("given_", "near"),
    [
        (Given.MELEE, {RangeBand.MELEE}),
        (Given.SHORT, {RangeBand.MELEE, RangeBand.SHORT}),
        (Given.NO_ALLY_MELEE, {RangeBand.SHORT, RangeBand.LONG}),
        (Given.NO_ALLY_SHORT, {RangeBand.LONG}),
    ],
)
def test_range_bands_are_known(band: RangeBand, given_: Given, near: set[RangeBand]) -> None:
    about_odo = given_ in (Given.MELEE, Given.SHORT)
    table = table_with(Passive(dice=1, whose=Whose.ALLY if about_odo else Whose.OWNER, given=(given_,)))
    fight(table, "melee")
    table.do("set-band", who="Ilse", other="Odo", band=band.value)
    assert dice_of(table, "Odo" if about_odo else "Ilse", "flames") == 3 + (band in near)


def test_wounds_and_two_enemies_close_by_are_known() -> None:
    table = table_with(Passive(dice=2, given=(Given.WOUNDED,)))
    assert dice_of(table, "Ilse", "flames") == 3
    table.wound("Ilse")
    assert dice_of(table, "Ilse", "flames") == 3 - 1 + 2
    table = table_with(Passive(dice=1, given=(Given.TWO_FOES_MELEE,)))
    fight(table)
    assert dice_of(table, "Ilse", "flames") == 3
    table.do("add-npc", npc="Wolf", enemy=True)
    table.do("join-encounter", who="Wolf")
    assert dice_of(table, "Ilse", "flames") == 4
    table.do("set-band", who="Ilse", other="Wolf", band="short")
    assert dice_of(table, "Ilse", "flames") == 3


def test_who_attacks_whom_is_known() -> None:
    table = table_with(
        Passive(dice=2, given=(Given.BY_OWNER,), whose=Whose.OWNER),
        Passive(dice=-1, at=Moment.CHALLENGE, whose=Whose.FOE, given=(Given.AGAINST, Given.FROM_MELEE)),
    )
    fight(table)
    table.session.perform("attack", who="Ilse", target="The Boss", suit="flames")
    assert isinstance(table.pending, Roll)
    assert table.pending.count == 5
    table.session.undo()
    table.do("end-turn")
    table.do("end-turn")
    for target, dice in (("Ilse", 2), ("Odo", 3)):
        table.session.perform("attack", who="The Boss", target=target, suit="flames")
        assert as_a(Roll, table.pending).count == dice
        table.session.undo()


@LAW
@given(
    st.integers(0, 12),
    st.lists(st.builds(Passive, strikes=st.integers(-5, 5), double=st.booleans(), half=st.booleans()), max_size=4),
)
def test_strikes_are_added_doubled_and_halved_in_this_order_and_never_less_than_none(
    strikes: int, held: list[Passive]
) -> None:
    expected = max(0, strikes + sum(p.strikes for p in held))
    for passive in held:
        expected = expected * 2 if passive.double else expected
    for passive in held:
        expected = (expected + 1) // 2 if passive.half else expected
    assert strikes_after(strikes, tuple(held)) == expected


def test_strikes_of_ones_own_roll_are_reckoned_once_a_scene() -> None:
    change = Passive(at=Moment.MARKED, given=(Given.THREE_STRIKES,), once=Span.SCENE, strikes=-2)
    table = table_with(change)
    table.do("challenge", weave("strike", "strike", "flames"), who="Ilse", suit="flames")
    assert table.ilse.strikes == 2, "two are fewer than three"
    table.do("challenge", weave("strike", "strike", "strike", "flames"), who="Ilse", suit="flames", dice=1)
    assert table.ilse.strikes == 2 + 1
    table.do("challenge", weave("strike", "strike", "strike", "flames"), who="Ilse", suit="flames", dice=1)
    assert table.ilse.strikes == 2 + 1 + 3


def test_turns_rounds_moves_wounds_and_outcomes_have_their_moment() -> None:
    mark = (Effect(EffectKind.DEAL_STRIKES, 1, to=Whom.TARGET),)
    for moment, play, strikes in (
        (Moment.TURN_END, lambda t: t.do("end-turn"), 1),
        (Moment.ROUND_END, lambda t: [t.do("end-turn") for _ in range(3)], 1),
        (Moment.MOVE, lambda t: t.do("move", who="Ilse", other="The Boss", closer=False), 1),
        (
            Moment.PASSED,
            lambda t: t.do("challenge", weave("flames", "stones", "stones"), who="Ilse", suit="flames"),
            1,
        ),
        (
            Moment.FAILED,
            lambda t: t.do("challenge", weave("stones", "stones", "stones"), who="Ilse", suit="flames"),
            1,
        ),
        (Moment.EPIC_PASS, lambda t: t.do("challenge", weave(*["flames"] * 3), who="Ilse", suit="flames"), 1),
        (Moment.WOUNDED, lambda t: t.wound("Ilse"), 0),
    ):
        table = table_with(Passive(at=moment, effects=mark))
        if moment is not Moment.WOUNDED:
            fight(table)
        play(table)
        assert table.ilse.strikes == strikes or moment is Moment.WOUNDED, moment
        told = any(s.startswith("Her Flaw: 1 Strike marked") for s in table.story())
        assert told, moment


def test_a_turn_and_a_move_take_more_actions_or_fewer() -> None:
    table = table_with(
        Passive(at=Moment.TURN, given=(Given.FIRST_ROUND,), actions=1), Passive(at=Moment.MOVE, actions=1)
    )
    fight(table)
    met = table.state.encounter
    assert met is not None
    assert (met.acting, met.actions_left) == ("Ilse", 3)
    table.do("move", who="Ilse", other="The Boss", closer=False)
    assert table.state.encounter is not None
    assert table.state.encounter.actions_left == 1
    table.do("move", who="Ilse", other="The Boss", closer=False)
    assert table.state.encounter.actions_left == 1, "it takes two, and one is left"
    assert table.state.encounter.band("Ilse", "The Boss") is RangeBand.SHORT


def test_what_no_moment_calls_for_is_applied_by_saying_so_once_in_its_span() -> None:
    heal = Passive(at=Moment.ANY, once=Span.SCENE, effects=(Effect(EffectKind.CLEAR_STRIKES, 2, to=Whom.TARGET),))
    table = table_with(heal)
    table.strikes("Odo", 5)
    table.do("passive", who="Odo", quality="Her Flaw")
    assert table.odo.strikes == 3
    refuses(table.session.perform, "has been used in this scene", "passive", who="Odo", quality="Her Flaw")
    refuses(table.session.perform, "no passive quality 'Her Hat'", "passive", who="Odo", quality="Her Hat")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Passive(), "changes nothing"),
        (Passive(at=Moment.TURN, dice=1), "changes dice at turn"),
        (Passive(strikes=1), "changes Strikes at challenge"),
        (Passive(actions=1), "changes actions at challenge"),
        (Passive(effects=(Effect(EffectKind.HOLD, 11),)), "it must be 1 to 10"),
        (Passive(dice=1), ""),
    ],
)
def test_a_change_that_does_not_hold_together_is_said_to(change: Passive, words: str) -> None:
    said = mechanic_trouble(Mechanic(MechanicType.PASSIVE, "so", always=(change,)))
    assert words in said
    assert bool(words) == bool(said)


def test_only_what_is_passive_is_always_on() -> None:
    said = mechanic_trouble(Mechanic(MechanicType.STANDARD, "so", Suit.GALES, always=(ONE,)))
    assert "only what is passive is always on" in said
