"""The odds that a table shows before a roll, beside every throw played on by the engine itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, NumberReading, TextReading, rolled
from loomtable.engine.kernel.requests import Choose, EnterNumber, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.before import odds_before
from loomtable.engine.odds.fight import fight_odds
from loomtable.engine.odds.storm_weavers import exchange_odds
from loomtable.engine.odds.weave import Needed, challenge_odds
from loomtable.engine.odds.weave_dice import Rerolls
from loomtable.engine.storm_weavers.events.fights import FightEnded, Injured
from loomtable.engine.storm_weavers.events.journey import Tested as AttributeTested
from loomtable.engine.storm_weavers.plans import Enemy, Modifiers
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.events.figures import ChallengeResolved, WoundMarked
from tests.odds import forks
from tests.playing import again
from tests.short import as_a
from tests.tiers import EVENINGS

TROLL = {"name": "Troll", "dexterity": 8, "health": 2, "weapon_bonus": 1}


def told(session: Session[Any]) -> dict[str, Fraction]:
    lines = odds_before(session)
    assert lines is not None
    if isinstance(session.pending, EnterNumber):  # of dice rolled again: none of them, or all
        lines = tuple(line for line in lines if line.answer in ("0", str(session.pending.high)))
    assert len({line.key for line in lines}) == len(lines)
    for line in lines:
        assert 0 <= line.chance <= 1
        assert "{" not in line.says
    return {line.key: line.chance for line in lines}


def injured(events: Iterable[Event]) -> set[str]:
    return {e.who for e in events if isinstance(e, Injured)}


@pytest.mark.parametrize("health", [0, -11, -16, -17])
@pytest.mark.parametrize("ruling", ["plus-2", "plus-4", "none"])
def test_a_test(health: int, ruling: str) -> None:
    session = forks.tale({"health-exactly-4": ruling}, health=health)
    session.perform("test", attribute="wisdom", modifier=-1)
    passed = sum(
        chance
        for _, events, chance in forks.each_throw(session)
        if any(isinstance(e, AttributeTested) and e.passed for e in events)
    )
    assert told(session) == {"pass-highest": passed}


@pytest.mark.parametrize("tie", ["no-winner", "defender-wins"])
@pytest.mark.parametrize("by_thymin", [True, False])
def test_an_exchange_and_its_defence(tie: str, by_thymin: bool) -> None:
    rulings = {"tie": tie, "cunning-strike-without-map": "forbidden"}
    session = forks.tale(rulings, health=-17)
    modifiers = {"thymin_attack": 1, "enemy_attack": 2, "enemy_defence": -1}
    session.perform("fight", enemy=TROLL, modifiers=modifiers)
    if not by_thymin:
        session.answer(rolled(Die.D6, 1))
        session.answer(rolled(Die.D6, 1))
        assert session.pending.by == "Troll"
    whole: Counter[str] = Counter()
    for attacked, _, first in forks.each_throw(session):
        found: Counter[str] = Counter()
        for _, events, chance in forks.each_throw(attacked):
            hurt = injured(events)
            found["enemy-hurt"] += chance * ("Troll" in hurt)
            found["thymin-hurt"] += chance * ("Thymin" in hurt)
            found["nobody-hurt"] += chance * (not hurt)
            ended = [e for e in events if isinstance(e, FightEnded)]
            found["enemy-falls"] += chance * any(e.won for e in ended)
            found["thymin-falls"] += chance * any(not e.won for e in ended)
        assert told(attacked) == {k: c for k, c in found.items() if c or not k.endswith("falls")}
        for key, chance in found.items():
            whole[key] += chance * first
    shown = told(session)
    reckoned = fight_odds(
        session.state.thymin,
        session.state.fight.enemy,
        thymin_first=by_thymin,
        modifiers=Modifiers(**modifiers),
        rulings=rulings,
    )
    assert shown.pop("win") == reckoned.won
    assert shown == {k: c for k, c in whole.items() if c or not k.endswith("falls")}


def test_winning_is_reckoned_from_where_the_fight_stands() -> None:
    session = forks.tale({"cunning-strike-without-map": "forbidden"})
    session.perform("fight", enemy={**TROLL, "health": 12})
    for one in (3, 6, 4, 1):
        session.answer(rolled(Die.D6, one))
    fought, thymin = session.state.fight, session.state.thymin
    assert fought.enemy.health + thymin.health < 32
    assert told(session)["win"] == fight_odds(thymin, fought.enemy, rulings=session.game.rulings).won


def test_the_choice_of_a_cunning_strike() -> None:
    session = forks.tale()
    session.perform("fight", enemy=TROLL)
    lines = told(session)
    assert lines["cunning-lands"] == Fraction(21, 36)
    assert lines["enemy-hurt"] == 1 - exchange_odds(session.state.thymin, Enemy(**TROLL)).enemy_injuries[0]
    assert {"win", "win-cunning"} <= lines.keys()
    session.answer(ChoiceReading(("cunning-strike",)))
    assert told(session) == {"pass-highest": Fraction(21, 36)}


def test_where_a_paragraph_ends_the_fight_winning_it_is_not_told() -> None:
    session = forks.tale({"cunning-strike-without-map": "forbidden"})
    session.perform("fight", enemy=TROLL, ends=[{"when": "rounds", "at": 3}])
    assert "win" not in told(session)
    assert "enemy-hurt" in told(session)


def test_adventures_know_their_paragraphs() -> None:
    """All through the shipped evenings: wherever odds are told, they are those of the throws that can follow."""
    seen: Counter[str] = Counter()
    for name in EVENINGS:
        for session in again(name) if name.startswith("storm-weavers") else ():
            if isinstance(session.pending, Roll) and session.pending.rule == "SW-8" and session.state.fight:
                assert told(session)
                seen["attacks"] += 1
            if not isinstance(session.pending, Roll) or session.pending.rule != "SW-3":
                continue
            [(key, chance)] = told(session).items()
            for lying, part in forks.throws(session.pending.die, session.pending.count):
                [tested] = [
                    e
                    for e in forks.fork(session).answer(rolled(session.pending.die, *lying))
                    if isinstance(e, AttributeTested)
                ]
                chance -= part * tested.passed
            assert (key, chance) == ("pass-highest", 0)
            seen["tests"] += 1
    assert seen["tests"] >= 3
    assert seen["attacks"] >= 3


OUTCOMES = {"epic fail": "epic-fail", "fail": "just-fail", "pass": "just-pass", "epic pass": "epic-pass"}


def test_a_challenge_before_its_first_roll_and_before_it_goes_on() -> None:
    """Every first roll of two dice: what is told before it is the mean of what is told after it."""
    begun = forks.season()
    begun.perform("challenge", who="Ilse", suit="stones", card=None, dice=-1)
    before = told(begun)
    found: Counter[str] = Counter()
    for session, events, chance in forks.each_throw(begun):
        resolved = [e for e in events if isinstance(e, ChallengeResolved)]
        if resolved:
            found["at-least-pass"] += chance * resolved[0].outcome.passed
            found[OUTCOMES[resolved[0].outcome]] += chance
            continue
        assert isinstance(session.pending, EnterNumber)
        after = told(session)
        for key in ("at-least-pass", *OUTCOMES.values()):
            found[key] += chance * after[key]
        stopped = forks.fork(session)
        [kept] = [e for e in stopped.answer(NumberReading(0)) if isinstance(e, ChallengeResolved)]
        assert after["pass-now"] == kept.outcome.passed
        session.answer(NumberReading(session.pending.high))
        assert {k: v for k, v in after.items() if k != "pass-now"} == told(session)
    assert before == found
    assert sum(before[key] for key in OUTCOMES.values()) == 1
    assert before["at-least-pass"] == Fraction(5, 9)


def test_the_strikes_of_a_challenge() -> None:
    session = forks.season()
    for _ in range(2):
        session.perform("challenge", who="Ilse", suit="stones", dice=1)
        session.answer(rolled(Die.WEAVE, *["strike"] * session.pending.count))
    assert session.state.characters["Ilse"].strikes == 8
    session.perform("challenge", who="Ilse", suit="stones", dice=-1)
    first = told(session)["track-full"]
    full = sum(
        chance
        for _, events, chance in forks.each_throw(session)
        if any(isinstance(e, WoundMarked) for e in events)
    )
    # two Strikes at once, or one beside a Weave die that comes to rest on a Strike, or both so
    assert full == Fraction(1, 36)
    assert first == full + Fraction(2, 36) / 5 + Fraction(1, 36) / 25
    session.answer(rolled(Die.WEAVE, "strike", "weave"))
    assert told(session)["track-full"] == Fraction(1, 5), "the ninth Strike lies already"
    session.answer(NumberReading(1))
    session.answer(rolled(Die.WEAVE, "weave"))
    assert told(session)["track-full"] == Fraction(1, 5)


def test_assets_their_lucky_rerolls_and_their_triggers() -> None:
    begun = forks.season()
    begun.perform("add-character", player="Ben")
    begun.answer(ChoiceReading(("gales",)))
    for number in (1, 8, 6):
        begun.answer(CardReading(ComponentId.parse(f"S{number}")))
        begun.answer(ChoiceReading(("1",)))
    assert isinstance(begun.pending, ShowCard)
    found: Counter[str] = Counter()
    for number, option in product(begun.pending.among, ("1", "2")):
        session = forks.fork(begun)
        session.answer(CardReading(ComponentId.parse(f"S{number}")))
        session.answer(ChoiceReading((option,)))
        session.answer(TextReading("Ruth"))
        asset = session.state.characters["Ruth"].qualities[-1].quality
        mechanic = asset.mechanic
        if mechanic is None or mechanic.trigger is None or mechanic.suit is None:
            continue
        session.perform("use-asset", who="Ruth", asset=asset.name)
        if isinstance(session.pending, Choose):
            session.answer(ChoiceReading(()))  # a Flaw of hers that does not hold here
        assert isinstance(session.pending, Roll)
        lines = told(session)
        same = mechanic.trigger.suit is mechanic.suit
        again = Rerolls.WEAVE_AND_STRIKE if mechanic.type == "lucky" else Rerolls.WEAVE
        odds = challenge_odds(
            session.pending.count, 1, rerolls=again, trigger=Needed(mechanic.trigger.symbols, same)
        )
        assert (lines["at-least-pass"], lines["triggered"]) == (odds.passed, odds.triggered)
        found[mechanic.type] += 1
        if mechanic.type != "lucky":
            beside = session.pending.count - 1
            session.answer(rolled(Die.WEAVE, "weave", *[mechanic.suit.value] * beside))
            met = same and beside >= mechanic.trigger.symbols  # the Weave pays for the pass
            assert (told(session)["triggered"] == 1) == met
    assert found["lucky"]
    assert found["standard"]


def test_nothing_is_told_where_nothing_is_rolled() -> None:
    session = forks.season()
    assert odds_before(session) is None
    session.perform("add-character", player="Ada")
    assert odds_before(session) is None
    tale = forks.tale()
    tale.perform("coin-test")
    assert odds_before(tale) is None
    assert odds_before(Session.open(SYSTEMS["spellwoven"], seed="odds")) is None


def test_each_number_of_dice_to_roll_again_has_its_words_and_its_own_odds() -> None:
    session = forks.season()
    session.perform("challenge", who="Ilse", suit="stones", card=None)
    session.answer(rolled(Die.WEAVE, "weave", "weave", "gales"))
    asked = as_a(EnterNumber, session.pending)
    assert asked.words == "Roll Weave dice again?"
    assert [option.label for option in asked.options] == ["Keep", "Roll one again", "Roll both again"]
    told_of = {line.answer: line.chance for line in odds_before(session) or () if line.key == "epic-pass"}
    # Two successes lie there, three are an epic pass: by Stones or Weave, on the dice that this answer rolls.
    assert told_of == {"1": Fraction(1, 3), "2": 1 - Fraction(2, 3) ** 2}
