"""Tests, coin tests, attacks and Cunning Strikes: what fights with and without a map share."""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import UNCLEAR, Choose, Flip, Option, Roll
from loomtable.engine.storm_weavers.events.fights import CunningStrikeMade, Exchanged, Injured
from loomtable.engine.storm_weavers.events.journey import CoinTested, Tested
from loomtable.engine.storm_weavers.plans import USUAL_DICE, NamedSide, Terms, dice_of_a_test
from loomtable.engine.storm_weavers.sheet import THYMIN, Attribute, Sheet
from loomtable.engine.storm_weavers.state import Tale

CUNNING_STRIKE_INJURIES = 3
_GRAVELY_HURT, _HURT = 4, 10


def sheet_of(play: Play[Tale]) -> Sheet:
    """Thymin's sheet, dead or alive.

    Raises:
        IllegalAction: there is none yet.
    """
    if play.state.thymin is None:
        raise IllegalAction("there is no Thymin yet; make his sheet first (Create)")
    return play.state.thymin


def living_thymin(play: Play[Tale]) -> Sheet:
    """Thymin's sheet.

    Raises:
        IllegalAction: there is none yet, or he is dead (SW-16).
    """
    sheet = sheet_of(play)
    if play.state.thymin_is_dead:
        raise IllegalAction(f"Thymin has died; his tale ended at paragraph {play.state.paragraph}")
    return sheet


def make_test(play: Play[Tale], attribute: Attribute, modifier: int = 0, dice: str = USUAL_DICE) -> Steps[bool]:
    """2d6, or other dice that the paragraph names, and modifiers at or under the attribute (SW-3)."""
    if attribute not in (Attribute.WISDOM, Attribute.DEXTERITY):
        raise IllegalAction(f"{attribute.label} cannot be tested; only Wisdom and Dexterity can")
    count, die = dice_of_a_test(dice)
    lying = yield from ask(Roll(die, count, f"Test of {attribute.label}", by=THYMIN, rule="SW-3"))
    sheet = living_thymin(play)
    added = modifier + added_when_hurt(sheet.health, play.ruled("health-exactly-4"))
    passed = sum(lying.pips) + added <= sheet.value(attribute)
    yield Tested(
        attribute=attribute, total=sum(lying.pips), modifier=added, value=sheet.value(attribute), passed=passed
    )
    return passed


def added_when_hurt(health: int, exactly_4: str) -> int:
    """What injuries add to the dice of a test (SW-3); ``exactly_4`` is the table's ruling."""
    if health == _GRAVELY_HURT:
        return {"plus-2": 2, "plus-4": 4, "none": 0}[exactly_4]
    if health < _GRAVELY_HURT:
        return 4
    return 2 if health < _HURT else 0


def helped_by(terms: Terms, attribute: Attribute, items: tuple[str, ...]) -> Steps[int]:
    """What the paragraph and the items that Thymin uses add to the dice; he need not use any (SW-3)."""
    helpful = {item: by for item, by in terms.items.items() if item in items}
    if not helpful:
        return terms.modifier
    options = tuple(Option(item, item, f"{by:+d} to the dice") for item, by in helpful.items())
    question = Choose(
        f"Items for the test of {attribute.label}",
        options,
        at_least=0,
        at_most=len(options),
        by=THYMIN,
        rule="SW-3",
    )
    used = yield from ask(question)
    return terms.modifier + sum(helpful[item] for item in used.keys)


def flip_coin_test(play: Play[Tale], side: NamedSide | None = None) -> Steps[bool]:
    """Call a side and flip; an unclear coin is flipped again (SW-4). A paragraph may say which ``side`` passes."""
    wanted = str(side or "")
    if not wanted:
        sides = (Option("heads", "Heads"), Option("tails", "Tails"))
        wanted = (yield from ask(Choose("Call the coin", sides, by=THYMIN, rule="SW-4"))).key
    flip = yield from ask(Flip("Coin test", by=THYMIN, rule="SW-4"))
    while flip.side == UNCLEAR:
        flip = yield from ask(Flip("Coin test", by=THYMIN, rule="SW-4", why="The coin was unclear: flip again."))
    passed = flip.side == wanted
    yield CoinTested(called=wanted, side=flip.side, passed=passed, fixed=side is not None)
    return passed


class Fighter(msgspec.Struct, frozen=True):
    """One side of an attack, with everything that counts for it at this moment.

    ``attack`` and ``defence`` are added to the die: Dexterity and all modifiers. ``number`` is 0 for Thymin and
    for an enemy without a map.
    """

    name: str
    attack: int
    defence: int
    weapon_bonus: int
    armour_class: int
    number: int = 0


class Wound(msgspec.Struct, frozen=True):
    """Injuries that one side of an attack caused to the other."""

    winner: Fighter
    loser: Fighter
    injuries: int


def attack(
    play: Play[Tale], attacker: Fighter, defender: Fighter, attack_for: str, defence_for: str
) -> Steps[Wound | None]:
    """Attack against Defence; the loser is hurt, whichever side that is (SW-8, SW-9).

    ``attack_for`` and ``defence_for`` are the purposes of the two rolls.
    """
    attack_die = yield from ask(Roll(Die.D6, 1, attack_for, by=attacker.name, rule="SW-8"))
    defence_die = yield from ask(Roll(Die.D6, 1, defence_for, by=defender.name, rule="SW-8"))
    attacked, defended = attack_die.pips[0] + attacker.attack, defence_die.pips[0] + defender.defence
    winner: Fighter | None = attacker if attacked > defended else defender
    loser = defender if winner is attacker else attacker
    if attacked == defended and play.ruled("tie") == "no-winner":
        winner = None
    injuries = 0
    if winner is not None:
        injuries = max(0, abs(attacked - defended) + winner.weapon_bonus - loser.armour_class)
    yield Exchanged(
        attacker=attacker.name,
        attack=attacked,
        defence=defended,
        winner=winner.name if winner else "",
        injuries=injuries,
    )
    if winner is None or not injuries:
        return None
    yield Injured(who=loser.name, number=loser.number, injuries=injuries)
    return Wound(winner, loser, injuries)


def cunning_strike_option(key: str, label: str, terms: Terms) -> Option:
    """A Cunning Strike among the ways to attack."""
    added = f", {terms.modifier:+d} to the dice" if terms.modifier else ""
    return Option(key, label, f"Test Wisdom{added}: 3 injuries to the enemy, or to you.")


def cunning_strike(play: Play[Tale], thymin: Fighter, enemy: Fighter, terms: Terms) -> Steps[Wound]:
    """A Wisdom test: three injuries to the enemy or to Thymin, armour ignored (SW-11)."""
    added = yield from helped_by(terms, Attribute.WISDOM, living_thymin(play).items)
    passed = yield from make_test(play, Attribute.WISDOM, added)
    yield CunningStrikeMade(passed=passed)
    winner, loser = (thymin, enemy) if passed else (enemy, thymin)
    yield Injured(who=loser.name, number=loser.number, injuries=CUNNING_STRIKE_INJURIES, rule="SW-11")
    return Wound(winner, loser, CUNNING_STRIKE_INJURIES)
