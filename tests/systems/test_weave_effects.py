"""Each kind of effect has its law, held for any amount (WV-10)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Action, Playthrough
from loomtable.engine.kernel.requests import Choose, EnterText, Roll
from loomtable.engine.weave.cards.effects import MOST_ACTIONS, apply_effects
from loomtable.engine.weave.cards.mechanics import Effect, EffectKind, RangeBand, Whom
from loomtable.engine.weave.encounter.turns import is_hostile
from loomtable.engine.weave.state import STRIKE_TRACK, TURN_ACTIONS, Boon, Figure
from loomtable.engine.weave.suits import Suit
from tests.short import as_a, present, refuses
from tests.systems.weave_table import Table, card, pick, weave, write

AMOUNT = st.integers(1, 10)
BANDS = st.sampled_from(list(RangeBand))
LAW = settings(max_examples=8, deadline=None)
TESTED: set[EffectKind] = set()


def fight(band: str = "melee", rulings: Mapping[str, str] | None = None, **dice: int) -> Table:
    """Ilse acts, then Odo, then the Wolf; all of them one band apart."""
    table = Table(rulings)
    table.fight("Ilse", "Odo", "Wolf", band=band, **dice)
    return table


def give(table: Table, who: str, kind: EffectKind, amount: int = 1, **more: object) -> None:
    TESTED.add(kind)
    table.do("effect", who=who, do=kind.value, amount=amount, because="the road", **more)


def hit(table: Table, who: str, target: str) -> None:
    """An attack with bare hands that passes by one success: one Strike."""
    table.session.perform("attack", who=who, target=target, suit="flames")
    while isinstance(table.pending, Roll):
        table.session.answer(weave("flames", *["stones"] * (table.pending.count - 1)))


def kinds(figure: Figure) -> list[EffectKind]:
    return [boon.do for boon in figure.boons]


@LAW
@given(st.integers(0, 2), AMOUNT)
def test_healing_takes_so_many_wounds_and_no_more_than_there_are(wounds: int, amount: int) -> None:
    table = Table()
    table.wound("Ilse", wounds)
    give(table, "Ilse", EffectKind.HEAL_WOUNDS, amount)
    assert table.ilse.wounds == max(0, wounds - amount)


@LAW
@given(st.integers(0, 9), AMOUNT, AMOUNT)
def test_strikes_are_dealt_up_to_the_tenth_and_cleared_down_to_none(had: int, dealt: int, cleared: int) -> None:
    table = Table()
    if had:
        table.strikes("Ilse", had)
    give(table, "Ilse", EffectKind.DEAL_STRIKES, dealt)
    full = had + dealt >= STRIKE_TRACK
    left = 0 if full else had + dealt
    assert (table.ilse.strikes, table.ilse.wounds) == (left, int(full))
    give(table, "Ilse", EffectKind.CLEAR_STRIKES, cleared)
    assert table.ilse.strikes == max(0, left - cleared)


@LAW
@given(AMOUNT, AMOUNT)
def test_dice_more_and_fewer_add_up_and_one_is_always_rolled(more: int, fewer: int) -> None:
    table = Table()
    give(table, "Ilse", EffectKind.EXTRA_DICE, more)
    give(table, "Ilse", EffectKind.FEWER_DICE, fewer)
    table.session.perform("challenge", who="Ilse", suit="flames")
    assert as_a(Roll, table.pending).count == max(1, 3 + more - fewer)
    assert table.ilse.boons == ()


@LAW
@given(AMOUNT, AMOUNT)
def test_levels_lower_and_higher_add_up_to_no_less_than_one(lower: int, higher: int) -> None:
    table = Table()
    give(table, "Ilse", EffectKind.LOWER_LEVEL, lower)
    give(table, "Ilse", EffectKind.RAISE_LEVEL, higher)
    table.session.perform("challenge", who="Ilse", suit="gales", card="C25")
    assert present(table.pending).purpose == f"Gales Challenge, level {max(1, 4 - lower + higher)}"


@LAW
@given(AMOUNT)
def test_so_many_dice_of_the_first_roll_may_be_replaced_and_no_more_than_lie_there(amount: int) -> None:
    table = Table()
    give(table, "Ilse", EffectKind.REROLL_DICE, amount)
    table.session.perform("challenge", who="Ilse", suit="flames")
    table.session.answer(weave("stones", "stones", "gales"))
    assert as_a(Choose, table.pending).at_most == min(3, amount)


@LAW
@given(st.integers(1, 8))
def test_strikes_that_wait_join_the_next_attack_that_lands_and_only_that(amount: int) -> None:
    table = fight(rulings={"missed-attack": "waits"})
    give(table, "Ilse", EffectKind.MORE_STRIKES, amount)
    table.session.perform("attack", who="Ilse", target="Wolf", suit="flames")
    table.session.answer(weave("stones", "stones", "stones"))
    assert table.npc("Wolf").strikes == 0
    assert table.ilse.boons, "it failed, so they wait on"
    hit(table, "Ilse", "Wolf")
    assert (table.npc("Wolf").strikes, table.ilse.boons) == (1 + amount, ())


@LAW
@given(AMOUNT, st.integers(0, 8), st.booleans())
def test_a_ward_takes_so_many_strikes_once_or_as_long_as_it_lasts(ward: int, more: int, lasting: bool) -> None:
    table = fight()
    give(table, "Wolf", EffectKind.WARD, ward, lasts="encounter" if lasting else None)
    if more:
        give(table, "Ilse", EffectKind.MORE_STRIKES, more)
    hit(table, "Ilse", "Wolf")
    first = max(0, 1 + more - ward)
    assert table.npc("Wolf").strikes == first
    hit(table, "Ilse", "Wolf")
    assert table.npc("Wolf").strikes == (first if lasting else (first + 1) % STRIKE_TRACK)


@LAW
@given(st.integers(1, 9), BANDS)
def test_thorns_strike_whoever_attacks_at_melee_range_whether_it_lands_or_not(
    amount: int, band: RangeBand
) -> None:
    table = Table()
    table.do("add-npc", npc="Wolf", enemy=True, reach=[b.value for b in RangeBand])
    rolls = [weave(*["stones"] * n) for n in (4, 3)]
    table.do(
        "begin-encounter",
        *rolls,
        weave("gales", "gales", "gales"),
        pick("Ilse", "Odo"),
        against=["Wolf"],
        combat=True,
        band=band.value,
    )
    give(table, "Ilse", EffectKind.THORNS, amount)
    table.do("attack", weave("stones", "stones", "stones"), who="Wolf", target="Ilse", suit="flames")
    assert table.npc("Wolf").strikes == (amount if band is RangeBand.MELEE else 0)


@pytest.mark.parametrize(
    ("kind", "also", "says", "turns", "attack"),
    [
        (EffectKind.CALM, "Ilse", "Ilse does not attack now: the road", 1, ("Odo", "Wolf")),
        (EffectKind.SAFE, "Odo", "Wolf cannot be attacked now", 2, ("Wolf", "Ilse")),
    ],
)
def test_the_calm_are_so_until_they_are_attacked_and_the_safe_until_they_attack(
    kind: EffectKind, also: str, says: str, turns: int, attack: tuple[str, str]
) -> None:
    table = fight()
    give(table, "Wolf", kind)
    give(table, also, kind)
    refuses(table.session.perform, says, "attack", who="Ilse", target="Wolf", suit="flames")
    for _ in range(turns):
        table.do("end-turn")
    hit(table, *attack)
    assert kinds(table.npc("Wolf")) == []
    assert kinds(table.state.characters[also]) == [kind]


@LAW
@given(st.integers(1, 9))
def test_what_is_held_cannot_move_until_an_action_breaks_it_and_barbs_are_paid_for(barbs: int) -> None:
    table = fight()
    give(table, "Ilse", EffectKind.HOLD)
    give(table, "Ilse", EffectKind.BARBS, barbs)
    refuses(table.session.perform, "Ilse is held fast", "move", who="Ilse", other="Wolf", closer=False)
    table.do("break-free", who="Ilse")
    assert (table.ilse.strikes, table.ilse.boons) == (barbs, ())
    assert present(table.state.encounter).actions_left == 1
    table.do("move", who="Ilse", other="Wolf", closer=False)
    refuses(table.session.perform, "nothing holds Ilse fast", "break-free", who="Ilse")


def test_nobody_else_moves_the_rooted() -> None:
    table = fight()
    table.do("set-band", who="Odo", other="Wolf", band="long")
    give(table, "Wolf", EffectKind.ROOTED)
    table.do("effect", pick("Wolf"), who="Ilse", do="exchange-places", because="the road")
    assert present(table.state.encounter).bands == {"Odo - Wolf": "long"}
    table.do("effect", pick("Odo"), who="Ilse", do="exchange-places", because="the road")
    assert present(table.state.encounter).band("Ilse", "Wolf") is RangeBand.LONG


@LAW
@given(st.integers(1, 9))
def test_strikes_put_off_are_marked_as_the_next_turn_ends(amount: int) -> None:
    table = fight()
    give(table, "Ilse", EffectKind.STRIKES_LATER, amount)
    for _ in range(3):
        table.do("end-turn")
        assert (table.ilse.strikes, kinds(table.ilse)) == (0, [EffectKind.STRIKES_LATER])
    table.do("end-turn")
    assert (table.ilse.strikes, kinds(table.ilse)) == (amount, [])


def test_nobody_is_made_to_spare_themselves() -> None:
    TESTED.add(EffectKind.SPARE)  # whom it is about: test_weave_clauses.py
    table = fight()
    with pytest.raises(IllegalAction, match="spares itself"):
        table.session.perform("effect", who="Ilse", do="spare", because="the road")


@LAW
@given(AMOUNT, AMOUNT)
def test_actions_gained_and_lost_count_on_the_next_turn_and_on_that_alone(more: int, fewer: int) -> None:
    table = fight()
    give(table, "Odo", EffectKind.GAIN_ACTIONS, more)
    give(table, "Odo", EffectKind.LOSE_ACTIONS, fewer)
    table.do("end-turn")
    assert table.state.encounter is not None
    assert table.state.encounter.actions_left == min(max(0, TURN_ACTIONS + more - fewer), MOST_ACTIONS)
    assert table.odo.boons == ()
    for _ in range(3):
        table.do("end-turn")
    assert table.state.encounter.acting == "Odo"
    assert table.state.encounter.actions_left == TURN_ACTIONS


@LAW
@given(AMOUNT)
def test_actions_at_once_are_for_whoever_acts_and_never_more_than_a_turn_can_have(amount: int) -> None:
    table = fight()
    give(table, "Odo", EffectKind.ACT_NOW, amount)
    assert table.state.encounter is not None
    assert table.state.encounter.actions_left == TURN_ACTIONS
    give(table, "Ilse", EffectKind.ACT_NOW, amount)
    assert table.state.encounter.actions_left == min(TURN_ACTIONS + amount, MOST_ACTIONS)


@LAW
@given(st.integers(1, 3), st.integers(0, 3))
def test_so_many_boons_are_taken_as_the_storyteller_says_and_the_others_stay(amount: int, there: int) -> None:
    table = Table()
    for n in range(there):
        give(table, "Ilse", EffectKind.EXTRA_DICE, n + 1)
    TESTED.add(EffectKind.TAKE_BOON)
    table.session.perform("effect", who="Ilse", do="take-boon", amount=amount, because="the road")
    taken = [str(n) for n in range(1, min(amount, there) + 1)]
    if there:
        assert as_a(Choose, table.pending).by == "storyteller"
        table.session.answer(pick(*taken))
    assert [b.amount for b in table.ilse.boons] == list(range(len(taken) + 1, there + 1))


@LAW
@given(BANDS, st.integers(1, 3))
def test_bands_are_moved_by_no_more_than_so_many_and_as_the_owner_likes(band: RangeBand, amount: int) -> None:
    table = fight(band.value)
    TESTED.add(EffectKind.MOVE_BANDS)
    table.session.perform("effect", who="Ilse", do="move-bands", amount=amount, because="the road")
    table.session.answer(pick("Wolf"))
    assert [o.key for o in as_a(Choose, table.pending).options] == [
        b for b in RangeBand if band.steps_to(b) <= amount
    ]


@LAW
@given(BANDS, st.integers(1, 3), st.booleans())
def test_a_push_and_a_pull_go_as_far_as_there_are_bands(band: RangeBand, amount: int, push: bool) -> None:
    table = fight(band.value)
    kind = EffectKind.PUSH if push else EffectKind.PULL
    TESTED.add(kind)
    table.do("effect", pick("Wolf"), who="Ilse", do=kind.value, amount=amount, because="the road")
    order = list(RangeBand)
    then = order[min(max(order.index(band) + (amount if push else -amount), 0), 2)]
    met = table.state.encounter
    assert met is not None
    assert (met.band("Ilse", "Wolf"), met.band("Ilse", "Odo")) == (then, band)


@LAW
@given(BANDS, BANDS, BANDS)
def test_two_who_change_places_are_each_where_the_other_was_and_twice_is_as_before(
    one: RangeBand, two: RangeBand, three: RangeBand
) -> None:
    table = fight()
    for (who, other), band in zip(combinations(("Ilse", "Odo", "Wolf"), 2), (one, two, three), strict=True):
        table.do("set-band", who=who, other=other, band=band.value)

    def apart() -> tuple[RangeBand, ...]:
        met = table.state.encounter
        return tuple(present(met).band(*pair) for pair in combinations(("Ilse", "Odo", "Wolf"), 2))

    TESTED.add(EffectKind.EXCHANGE_PLACES)
    for expected in ((one, three, two), (one, two, three)):
        table.do("effect", pick("Odo"), who="Ilse", do="exchange-places", because="the road")
        assert apart() == expected


def test_whoever_leaves_takes_no_part_and_no_turns_and_can_come_back() -> None:
    table = fight()
    give(table, "Odo", EffectKind.LEAVE)
    assert table.state.encounter is not None
    assert table.state.encounter.participants == ("Ilse", "Wolf")
    table.do("end-turn")
    assert table.state.encounter.acting == "Wolf"
    refuses(give, "takes part in none", table, "Odo", EffectKind.LEAVE)
    table.do("join-encounter", who="Odo")
    assert table.state.encounter.order.count("Odo") == 1


def test_sides_are_changed_as_long_as_it_lasts() -> None:
    table = fight()
    give(table, "Wolf", EffectKind.CHANGE_SIDES, lasts="scene")
    assert not is_hostile(table.npc("Wolf"))
    table.do("end-encounter", resolution="A truce.")
    assert not is_hostile(table.npc("Wolf"))
    table.do("end-scene")
    assert is_hostile(table.npc("Wolf"))


@LAW
@given(st.integers(1, 4))
def test_so_many_cards_are_drawn_and_kept(amount: int) -> None:
    table = Table()
    cards = [card(f"C{n}") for n in range(1, amount + 1)]
    TESTED.add(EffectKind.DRAW_CHALLENGE)
    table.do("effect", *cards, who="Ilse", do="draw-challenge", amount=amount, because="the road")
    assert len(table.ilse.kept) == amount


@LAW
@given(st.integers(1, 3))
def test_so_many_questions_are_answered_by_the_storyteller_in_writing_or_aloud(amount: int) -> None:
    table = Table()
    TESTED.add(EffectKind.ANSWER)
    table.session.perform("effect", who="Ilse", do="answer", amount=amount, because="The raven")
    for n in range(amount):
        assert isinstance(table.pending, EnterText)
        assert (table.pending.by, table.pending.suggestions) == ("storyteller", ("Told aloud",))
        table.session.answer(write(f"Word {n}"))
    assert table.pending is None
    assert table.story()[-amount:] == tuple(f"The raven, for Ilse: Word {n}." for n in range(amount))


@pytest.mark.parametrize(("lasts", "scene_over", "episode_over"), [("scene", [], []), ("episode", ["stand"], [])])
def test_a_state_of_affairs_holds_as_long_as_it_lasts(
    lasts: str, scene_over: list[str], episode_over: list[str]
) -> None:
    table = Table()
    refuses(give, "never ends", table, "Ilse", EffectKind.STAND)
    give(table, "Ilse", EffectKind.STAND, lasts=lasts)
    assert kinds(table.ilse) == [EffectKind.STAND]
    table.do("end-scene")
    assert kinds(table.ilse) == scene_over
    table.do("new-episode", card("S9"), pick("1"), card("S10"), pick("1"), card("S11"), pick("1"))
    assert kinds(table.ilse) == episode_over


@LAW
@given(BANDS, st.integers(1, 2))
def test_whoever_is_let_move_chooses_from_whom_and_by_no_more_than_so_many(band: RangeBand, amount: int) -> None:
    table = fight(band.value)
    TESTED.add(EffectKind.LET_MOVE)
    table.session.perform("effect", who="Odo", do="let-move", amount=amount, because="the road")
    assert as_a(Choose, table.pending).by == "Odo"
    table.session.answer(pick("Wolf"))
    there = [b for b in RangeBand if band.steps_to(b) <= amount]
    assert [o.key for o in as_a(Choose, table.pending).options] == there
    table.session.answer(pick(there[-1]))
    met = present(table.state.encounter)
    assert (met.band("Odo", "Wolf"), met.band("Ilse", "Wolf")) == (there[-1], band)


@LAW
@given(st.integers(1, 3))
def test_so_many_distances_are_set_and_the_others_stay(amount: int) -> None:
    table = fight("short")
    TESTED.add(EffectKind.SET_BANDS)
    table.session.perform("effect", who="Ilse", do="set-bands", amount=amount, because="the road")
    pairs = [("Ilse", "Odo"), ("Ilse", "Wolf"), ("Odo", "Wolf")]
    table.session.answer(pick(*[f"{one} - {other}: long" for one, other in pairs[:amount]]))
    met = present(table.state.encounter)
    far = [met.band(*pair) is RangeBand.LONG for pair in pairs]
    assert far == [place < amount for place in range(3)]


@pytest.mark.parametrize(
    ("place", "order"),
    [("before Odo", ["Ilse", "Wolf", "Odo"]), ("after Odo", ["Ilse", "Odo", "Wolf"])],
)
def test_another_turn_is_for_this_round_and_only_among_those_who_wait(place: str, order: list[str]) -> None:
    table = fight()
    TESTED.add(EffectKind.CHANGE_TURN)
    table.session.perform("effect", who="Wolf", do="change-turn", because="the road")
    assert [o.key for o in as_a(Choose, table.pending).options] == ["before Odo", "after Odo"]
    table.session.answer(pick(place))
    assert list(present(table.state.encounter).order) == order
    for _ in range(3):
        table.do("end-turn")
    assert list(present(table.state.encounter).order) == ["Ilse", "Odo", "Wolf"], "the next round is as it was"
    give(table, "Ilse", EffectKind.CHANGE_TURN)
    assert list(present(table.state.encounter).order) == ["Ilse", "Odo", "Wolf"], "Ilse is acting already"


@LAW
@given(st.integers(1, 3))
def test_an_action_out_of_turn_is_had_once(times: int) -> None:
    table = fight()
    for _ in range(times):
        give(table, "Odo", EffectKind.ACT_BETWEEN)
    for left in range(times, 0, -1):
        assert kinds(table.odo) == [EffectKind.ACT_BETWEEN] * left
        table.do("challenge", weave("flames", "stones", "stones"), who="Odo", suit="flames")
    refuses(table.do, "it is Ilse's turn", "challenge", who="Odo", suit="flames")
    assert present(table.state.encounter).actions_left == TURN_ACTIONS


def test_every_kind_of_effect_has_a_law() -> None:
    assert set(EffectKind) == TESTED, "run the whole file"


def test_another_is_nobody_whom_the_mechanic_was_for_before() -> None:
    table = fight()
    for name in ("Bear", "Owl"):
        table.do("add-npc", npc=name, enemy=True)
        table.do("join-encounter", who=name)
    deal = Effect(EffectKind.DEAL_STRIKES, to=Whom.ENEMY)
    other = Effect(EffectKind.DEAL_STRIKES, to=Whom.ENEMY, other=True)
    effects = (deal, other, other, other)
    through = Playthrough(table.session.game, "s", lambda play, _: apply_effects(play, "Ilse", effects, "x"))
    through.perform(Action(""))
    offered = []
    for name in ("Bear", "Wolf", "Owl"):
        offered.append([option.key for option in as_a(Choose, through.pending).options])
        through.answer(pick(name))
    assert offered == [["Wolf", "Bear", "Owl"], ["Wolf", "Owl"], ["Owl"]]
    assert through.pending is None, "and the last is for nobody"
    assert [npc.strikes for npc in through.game.state.npcs.values()] == [1, 1, 1]


def test_what_waits_for_an_attack_on_one_figure_waits_for_that() -> None:
    boon = Boon(EffectKind.EXTRA_DICE, 1, "x", attack="Wolf")
    assert [boon.fits(Suit.GALES, target) for target in ("Wolf", "Bear", "")] == [True, False, False]
    anybody = replace(boon, attack="")
    assert [anybody.fits(Suit.GALES, target) for target in ("Wolf", "Bear", "")] == [True, True, False]
    assert replace(boon, attack=None).fits(Suit.GALES, "")
