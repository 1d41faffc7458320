"""The rules of Storm Weavers as coroutines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.kernel.dice import Die
from engine.kernel.errors import IllegalAction
from engine.kernel.play import Play, Steps, ask
from engine.kernel.requests import UNCLEAR, Choose, Flip, Option, Roll
from engine.kernel.system import System, no_setup
from engine.storm_weavers.rulings import RULINGS
from engine.storm_weavers.state import (
    ATTRIBUTE_BASE,
    ATTRIBUTE_POINTS,
    DEATH_PARAGRAPH,
    THYMIN,
    Attribute,
    AttributeChanged,
    CoinTested,
    CunningStrikeMade,
    Enemy,
    Exchanged,
    FightBegun,
    FightEnded,
    Injured,
    ItemGained,
    ParagraphReached,
    Sheet,
    SheetMade,
    Tale,
    Tested,
)
from engine.storm_weavers.words import tell

CUNNING_STRIKE_INJURIES = 3
_GRAVELY_HURT, _HURT = 4, 10


def _begin(setup: Mapping[str, Any]) -> Tale:
    no_setup("Storm Weavers", setup)
    return Tale()


STORM_WEAVERS: System[Tale] = System(
    "storm-weavers",
    "Storm Weavers",
    rules_version="1",
    rulings=RULINGS,
    begin=_begin,
    view=lambda tale, viewer: msgspec.to_builtins(tale),
    tell=tell,
)
"""A solo gamebook fighter: tests, coin tests and fights."""


@STORM_WEAVERS.action("create", "SW-1")
def create(play: Play[Tale], *, dexterity_points: int) -> Steps[None]:
    """Make Thymin's sheet, with so many of the four points on Dexterity and the rest on Wisdom."""
    if play.state.thymin is not None:
        raise IllegalAction("Thymin's sheet is already made; a new adventure is a new session")
    if not 0 <= dexterity_points <= ATTRIBUTE_POINTS:
        raise IllegalAction(f"{dexterity_points} of the {ATTRIBUTE_POINTS} points cannot go to Dexterity")
    wisdom_points = ATTRIBUTE_POINTS - dexterity_points
    yield SheetMade(sheet=Sheet(ATTRIBUTE_BASE + dexterity_points, ATTRIBUTE_BASE + wisdom_points))


@STORM_WEAVERS.action("change", "SW-2")
def change(play: Play[Tale], *, attribute: Attribute, by: int, reason: str) -> Steps[None]:
    """Change a number on the sheet, as a paragraph says."""
    sheet = _thymin(play)
    if attribute is not Attribute.HEALTH and getattr(sheet, attribute) + by < 0:
        raise IllegalAction(f"{attribute.label} is {getattr(sheet, attribute)} and cannot change by {by:+d}")
    yield AttributeChanged(attribute=attribute, by=by, reason=reason)
    yield from _death(play)


@STORM_WEAVERS.action("gain-item", "SW-2")
def gain_item(play: Play[Tale], *, item: str) -> Steps[None]:
    """Take an item."""
    _thymin(play)
    yield ItemGained(item=item)


@STORM_WEAVERS.action("test", "SW-3")
def test_attribute(play: Play[Tale], *, attribute: Attribute, modifier: int = 0) -> Steps[None]:
    """Test Wisdom or Dexterity; ``modifier`` is what the paragraph and items add to the dice."""
    _thymin(play)
    yield from _test(play, attribute, modifier)


def _test(play: Play[Tale], attribute: Attribute, modifier: int = 0) -> Steps[bool]:
    """2d6 and modifiers at or under the attribute (SW-3)."""
    if attribute not in (Attribute.WISDOM, Attribute.DEXTERITY):
        raise IllegalAction(f"{attribute.label} cannot be tested; only Wisdom and Dexterity can")
    lying = yield from ask(Roll(Die.D6, 2, f"Test of {attribute.label}", by=THYMIN, rule="SW-3"))
    sheet = _thymin(play)
    value = int(getattr(sheet, attribute))
    added = modifier + _added_when_hurt(sheet.health, play.ruled("health-exactly-4"))
    passed = sum(lying.pips) + added <= value
    yield Tested(attribute=attribute, total=sum(lying.pips), modifier=added, value=value, passed=passed)
    return passed


def _added_when_hurt(health: int, exactly_4: str) -> int:
    if health == _GRAVELY_HURT:
        return {"plus-2": 2, "plus-4": 4, "none": 0}[exactly_4]
    if health < _GRAVELY_HURT:
        return 4
    return 2 if health < _HURT else 0


@STORM_WEAVERS.action("coin-test", "SW-4")
def coin_test(play: Play[Tale]) -> Steps[None]:
    """Call a side and flip; an unclear coin is flipped again."""
    _thymin(play)
    sides = (Option("heads", "Heads"), Option("tails", "Tails"))
    call = yield from ask(Choose("Call the coin", sides, by=THYMIN, rule="SW-4"))
    flip = yield from ask(Flip("Coin test", by=THYMIN, rule="SW-4"))
    while flip.side == UNCLEAR:
        flip = yield from ask(Flip("Coin test", by=THYMIN, rule="SW-4", why="The coin was unclear: flip again."))
    yield CoinTested(called=call.key, side=flip.side, passed=flip.side == call.key)


@STORM_WEAVERS.action("fight", "SW-8", "SW-9", "SW-11", "SW-15", "SW-16")
def fight(play: Play[Tale], *, enemy: Enemy) -> Steps[None]:
    """Fight one enemy without a map: the attacks alternate until somebody falls."""
    _thymin(play)
    if play.state.fight is not None:
        raise IllegalAction(f"the fight against {play.state.fight.enemy.name} is still on")
    if enemy.health <= 0:
        raise IllegalAction(f"{enemy.name} has no Health to fight with")
    if enemy.name == THYMIN:
        raise IllegalAction("Thymin cannot fight himself; name the enemy otherwise")
    yield FightBegun(enemy=enemy)
    while True:
        yield from _thymins_phase(play)
        if (yield from _fallen(play)):
            return
        yield from _attack(play, by_thymin=False)
        if (yield from _fallen(play)):
            return


def _thymins_phase(play: Play[Tale]) -> Steps[None]:
    """An attack or, where it is allowed, a Cunning Strike (SW-11)."""
    if play.ruled("cunning-strike-without-map") == "as-the-example":
        way = yield from ask(
            Choose(
                f"Thymin's attack, exchange {_exchange(play)}",
                (
                    Option("attack", "Attack", "Compare Attack and Defence."),
                    Option("cunning-strike", "Cunning Strike", "Test Wisdom: 3 injuries to the enemy, or to you."),
                ),
                by=THYMIN,
                rule="SW-11",
            )
        )
        if way.key == "cunning-strike":
            yield from _cunning_strike(play)
            return
    yield from _attack(play, by_thymin=True)


def _cunning_strike(play: Play[Tale]) -> Steps[None]:
    """A Wisdom test: three injuries to the enemy or to Thymin, armour ignored (SW-11)."""
    passed = yield from _test(play, Attribute.WISDOM)
    yield CunningStrikeMade(passed=passed)
    who = _enemy(play).name if passed else THYMIN
    yield Injured(who=who, injuries=CUNNING_STRIKE_INJURIES, rule="SW-11")


def _attack(play: Play[Tale], *, by_thymin: bool) -> Steps[None]:
    """Attack against Defence; the loser is hurt, whichever side that is (SW-8, SW-9)."""
    sheet, enemy = _thymin(play), _enemy(play)
    sides = [(THYMIN, sheet.dexterity), (enemy.name, enemy.dexterity)]
    (attacker, attack_base), (defender, defence_base) = sides if by_thymin else reversed(sides)
    place = f", exchange {_exchange(play)}"
    attack_die = yield from ask(Roll(Die.D6, 1, f"Attack of {attacker}{place}", by=attacker, rule="SW-8"))
    defence_die = yield from ask(Roll(Die.D6, 1, f"Defence of {defender}{place}", by=defender, rule="SW-8"))
    attack, defence = attack_die.pips[0] + attack_base, defence_die.pips[0] + defence_base
    winner, loser = _winner(attack, defence, attacker, defender, play.ruled("tie"))
    injuries = 0
    if winner:
        bonus = sheet.weapon_bonus if winner == THYMIN else enemy.weapon_bonus
        armour = sheet.armour_class if loser == THYMIN else enemy.armour_class
        injuries = max(0, abs(attack - defence) + bonus - armour)
    yield Exchanged(attacker=attacker, attack=attack, defence=defence, winner=winner, injuries=injuries)
    if injuries:
        yield Injured(who=loser, injuries=injuries)


def _winner(attack: int, defence: int, attacker: str, defender: str, tie: str) -> tuple[str, str]:
    if attack == defence and tie == "no-winner":
        return "", ""
    return (attacker, defender) if attack > defence else (defender, attacker)


def _fallen(play: Play[Tale]) -> Steps[bool]:
    """End the fight when somebody's Health is gone (SW-15, SW-16)."""
    fought = play.state.fight
    assert fought is not None
    thymin_stands = _thymin(play).health > 0
    if thymin_stands and fought.enemy.health > 0:
        return False
    yield FightEnded(enemy=fought.enemy.name, won=thymin_stands, exchanges=fought.exchange)
    yield from _death(play)
    return True


def _death(play: Play[Tale]) -> Steps[None]:
    """Health 0 or less sends Thymin to his death's paragraph (SW-16)."""
    if _sheet_of(play).health <= 0:
        yield ParagraphReached(paragraph=DEATH_PARAGRAPH)


def _sheet_of(play: Play[Tale]) -> Sheet:
    if play.state.thymin is None:
        raise IllegalAction("there is no Thymin yet; make his sheet first (create)")
    return play.state.thymin


def _thymin(play: Play[Tale]) -> Sheet:
    sheet = _sheet_of(play)
    if play.state.paragraph == DEATH_PARAGRAPH and sheet.health <= 0:
        raise IllegalAction(f"Thymin has died; his tale ended at paragraph {DEATH_PARAGRAPH}")
    return sheet


def _enemy(play: Play[Tale]) -> Enemy:
    assert play.state.fight is not None
    return play.state.fight.enemy


def _exchange(play: Play[Tale]) -> int:
    assert play.state.fight is not None
    return play.state.fight.exchange + 1
