"""Mechanics of Weave: which dice are rolled again, Triggers against brute force, and effects (WV-10, WV-12)."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.chronicle import Sentence, kept
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.requests import Choose, Roll
from loomtable.engine.weave.cards.mechanics import (
    BOONS,
    VOCABULARY,
    Effect,
    EffectKind,
    Mechanic,
    MechanicType,
    Moment,
    RangeBand,
    Span,
    Trigger,
    Whom,
)
from loomtable.engine.weave.cards.mechanics import mechanic_trouble as trouble
from loomtable.engine.weave.cards.passive_words import in_brief
from loomtable.engine.weave.cards.playset import playset, playset_names
from loomtable.engine.weave.challenge.tally import Tally, trigger_met
from loomtable.engine.weave.events.figures import QualityActivated
from loomtable.engine.weave.suits import Suit
from tests.short import as_a, present
from tests.systems.weave_table import Table, pick, say, weave

FACES = st.sampled_from(Die.WEAVE.faces)


# Triggers


def met_by_force(faces: list[str], trigger: Trigger, suit: Suit, level: int) -> bool:
    """Some dice pay for the pass, other dice show the Trigger's symbols: try every way of taking the first."""
    pays = [n for n, face in enumerate(faces) if face in (suit.value, "weave")]
    for paying in itertools.combinations(pays, level):
        left = [face for n, face in enumerate(faces) if n not in paying]
        if left.count(trigger.suit.value) >= trigger.symbols:
            return True
    return False


def tally_of(faces: list[str], suit: Suit) -> Tally:
    successes = faces.count(suit.value) + faces.count("weave")
    return Tally(successes, faces.count("strike"), {s: faces.count(s.value) for s in Suit})


@settings(max_examples=400, deadline=None)
@given(
    st.lists(FACES, max_size=9),
    st.sampled_from(list(Suit)),
    st.sampled_from(list(Suit)),
    st.integers(1, 4),
    st.integers(2, 3),
)
def test_a_trigger_against_every_way_of_paying_for_the_pass(
    faces: list[str], suit: Suit, other: Suit, level: int, symbols: int
) -> None:
    tally, trigger = tally_of(faces, suit), Trigger(symbols, other, "so")
    if tally.successes < level:
        return
    assert trigger_met(tally, trigger, suit, level, "weave-first") == met_by_force(faces, trigger, suit, level)
    # Paying with the suit itself first is never better, and the same where the Trigger is of another suit.
    strict = trigger_met(tally, trigger, suit, level, "suit-first")
    assert not strict or trigger_met(tally, trigger, suit, level, "weave-first")
    if other is not suit:
        assert strict == (faces.count(other.value) >= symbols)
    else:
        assert strict == (faces.count(suit.value) - min(level, faces.count(suit.value)) >= symbols)


# Which dice are rolled again


def test_a_lucky_mechanic_rolls_weave_and_strike_again_and_its_trigger_comes_with_it() -> None:
    table = Table()
    table.strikes("Ilse", 4)
    answers = [weave("strike", "strike", "weave", "stones"), say(1), say(2), weave("brooks", "brooks", "brooks")]
    table.do("use-talent", *answers, pick("Ilse"), who="Odo", talent="Speech Before Sunrise")
    assert "Odo: Speech Before Sunrise takes effect, and so does its Trigger." in table.story()
    assert table.odo.strikes == 0, "a Core Challenge marks no Strikes"
    assert table.ilse.strikes == 2, "the Trigger clears two, for the same allies"
    assert [b.do for b in table.ilse.boons] == [EffectKind.EXTRA_DICE]


# Effects


def test_a_boon_for_two_challenges_counts_twice() -> None:
    table = Table()
    table.do("effect", who="Ilse", do="lower-level", amount=2, challenges=2, because="the road")
    for played, purpose in (("C25", "level 2"), ("C26", "level 2"), ("C27", "level 4")):
        table.session.perform("challenge", who="Ilse", suit="gales", card=played)
        assert present(table.pending).purpose.endswith(purpose)
        table.session.answer(weave("gales", "gales", "gales", "stones", "stones"))


def test_replaced_dice_count_only_with_their_new_faces() -> None:
    table = Table()
    table.do("effect", who="Ilse", do="reroll-dice", amount=2, because="the road")
    first = weave("strike", "strike", "gales", "stones", "stones")
    table.do("challenge", first, pick("1", "4"), weave("gales", "gales"), who="Ilse", suit="gales", card="C22")
    assert table.ilse.strikes == 1
    assert "Ilse: 3 successes against level 3: pass." in table.story()


def test_a_trigger_comes_once_in_an_episode_and_its_talent_oftener() -> None:
    table = Table(people=False)
    table.season("S5", "S17", "S14")
    table.character("Ada", "Sefa", "stones", ("S4", "1"), ("S22", "1"), ("S10", "1"), ("S19", "1"))
    for _ in range(2):
        table.strikes("Sefa", 10)
    for _ in range(2):
        table.session.perform("use-talent", who="Sefa", talent="Up Again Regardless")
        table.session.answer(weave(*["stones"] * as_a(Roll, table.pending).count))
        assert table.state.characters["Sefa"].wounds == 1, "one Wound is healed, the first time"
    assert table.story()[-1] == "Sefa: Up Again Regardless takes effect."


@pytest.mark.parametrize(
    ("faces", "asked", "strikes", "boons"),
    [
        (("brooks",), "1", 1, 0),
        (("brooks",), "2", 5, 1),
        (("brooks", "brooks", "brooks"), "", 1, 1),
    ],
)
def test_one_of_two_effects_is_chosen_and_the_trigger_brings_both(
    faces: tuple[str, ...], asked: str, strikes: int, boons: int
) -> None:
    table = Table({"cards-applied": "all"})
    table.character("Cleo", "Nell", "flames", ("S2", "1"), ("S4", "1"), ("S7", "1"), ("S21", "2"))
    table.strikes("Nell", 5)
    table.session.perform("use-asset", who="Nell", asset="Garland of Parting Knots")
    table.session.answer(weave(*faces, *["stones"] * (as_a(Roll, table.pending).count - len(faces))))
    if asked:
        labels = [option.label for option in as_a(Choose, table.pending).options]
        assert labels == ["4 Strikes cleared", "2 dice more"]
        table.session.answer(pick(asked))
    nell = table.state.characters["Nell"]
    assert (nell.strikes, len(nell.boons)) == (strikes, boons)


def test_words_that_people_see_to_are_told_as_they_take_effect() -> None:
    table = Table()
    table.character("Cleo", "Nell", "flames", ("S2", "1"), ("S4", "1"), ("S7", "1"), ("S9", "1"))
    table.session.perform("use-asset", who="Nell", asset="Mother Ott's Master Key")
    table.session.answer(weave("gales", *["stones"] * (as_a(Roll, table.pending).count - 1)))
    told = "Silently open one lock, shackle or bolted door within reach."
    assert f"Nell: Mother Ott's Master Key takes effect. {told}" in table.story()
    event = QualityActivated(who="Nell", quality="Mother Ott's Master Key", triggered=False, says=told)
    for viewer in ("storyteller", "Ada", ""):
        [line] = kept(table.session.system.telling(event, table.session.game, viewer))
        assert isinstance(line, Sentence)
        assert line.says == f"Nell: Mother Ott's Master Key. {told}", "on every screen, and in the chronicle"
    table.do("add-npc", npc="Wolf", enemy=True)
    hidden = QualityActivated(who="Wolf", quality="Teeth", triggered=False, says="It bites.")
    assert not kept(table.session.system.telling(hidden, table.session.game, "Ada")), "it is on the Wolf's sheet"


def test_a_passive_quality_needs_no_activation() -> None:
    table = Table()
    table.character("Cleo", "Sefa", "flames", ("S4", "1"), ("S9", "1"), ("S10", "1"), ("S19", "1"))
    with pytest.raises(IllegalAction, match="No Door Stays Shut is passive"):
        table.session.perform("use-talent", who="Sefa", talent="No Door Stays Shut")


# Mechanics as data


@pytest.mark.parametrize(
    ("mechanic", "words"),
    [
        (Mechanic(MechanicType.LUCKY, "so", Suit.GALES), "is lucky and needs a Trigger"),
        (Mechanic(MechanicType.STANDARD, "so"), "is standard and needs the suit that activates it"),
        (Mechanic(MechanicType.STANDARD, "so", Suit.GALES, Trigger(4, Suit.GALES, "")), "it must be 2 or 3"),
        (Mechanic(MechanicType.PASSIVE, "so", trigger=Trigger(2, Suit.GALES, "")), "can have no Trigger"),
        (
            Mechanic(MechanicType.PASSIVE, "so", effects=(Effect(EffectKind.HEAL_WOUNDS),)),
            "its effects belong under always",
        ),
        (
            Mechanic(MechanicType.STANDARD, "so", Suit.GALES, effects=(Effect(EffectKind.HEAL_WOUNDS, 11),)),
            "it must be 1 to 10",
        ),
        (
            Mechanic(
                MechanicType.STANDARD, "so", Suit.GALES, effects=(Effect(EffectKind.HEAL_WOUNDS, suit=Suit.GALES),)
            ),
            "with a suit or Challenges",
        ),
        (
            Mechanic(
                MechanicType.STANDARD, "so", Suit.GALES, effects=(Effect(EffectKind.MOVE_BANDS, to=Whom.ALLIES),)
            ),
            "moves several at once",
        ),
        (Mechanic(MechanicType.STANDARD, "so", Suit.GALES), ""),
        (Mechanic(MechanicType.PASSIVE, "so"), ""),
    ],
)
def test_a_mechanic_that_does_not_hold_together_is_said_to(mechanic: Mechanic, words: str) -> None:
    assert words in trouble(mechanic)
    assert bool(words) == bool(trouble(mechanic))


BY_HAND = {EffectKind.EXCHANGE_PLACES, EffectKind.TAKE_BOON, EffectKind.RAISE_LEVEL}
"""No shipped quality speaks of these yet; tables apply them by hand."""


def test_the_shipped_playsets_use_every_effect() -> None:
    cards = [offer for name in playset_names() for offer in playset(name).cards.values()]
    mechanics = [q.mechanic for offer in cards for kind in offer.values() for q in kind if q.mechanic]
    effects = [e for m in mechanics for e in (*m.effects, *(m.trigger.effects if m.trigger else ()))]
    effects += [e for m in mechanics for change in m.always for e in change.effects]
    assert {e.do for e in effects} >= set(EffectKind) - BY_HAND
    assert {e.to for e in effects} >= {
        Whom.SELF,
        Whom.SELF_OR_ALLY,
        Whom.ALLIES,
        Whom.ENEMY,
        Whom.TARGET,
        Whom.SAME,
    }
    assert {m.once for m in mechanics} == {None, *Span} - {Span.TURN}
    assert {band for m in mechanics for band in m.reach} == set(RangeBand)
    assert {e.do for e in effects if e.lasts} <= set(BOONS)


def test_there_are_words_for_every_effect_and_for_every_moment_at_which_people_are_asked() -> None:
    assert {*VOCABULARY.effects} == {*EffectKind}
    assert {*VOCABULARY.moments} == {*Moment} - {Moment.ANY}
    assert in_brief(EffectKind.WARD, 1) == "1 Strike fewer from an attack"
    assert in_brief(EffectKind.WARD, 10) == "no Strikes from an attack"
    assert in_brief(EffectKind.DEAL_STRIKES, 10) == "10 Strikes marked"
