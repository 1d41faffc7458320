"""``loom odds storm-weavers``: tests, exchanges, whole fights, whole adventures."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from loomtable.engine.odds.exact import plain
from loomtable.engine.odds.fight import CunningStrikes, FightOdds, fight_odds
from loomtable.engine.odds.storm_weavers import exchange_odds, odds_of_test
from loomtable.engine.storm_weavers.plans import USUAL_DICE, Enemy
from loomtable.engine.storm_weavers.sheet import ATTRIBUTE_BASE, MAX_HEALTH, Sheet
from loomtable.table.commands.command import Command
from loomtable.table.commands.odds_telling import (
    Exactly,
    Rulings,
    format_chance,
    format_mean,
    given_rulings,
    print_chances,
    print_table,
)
from loomtable.table.commands.options import option
from loomtable.table.commands.output import AsJson, say, show_help, write_json
from loomtable.table.games.storm_weavers.odds_adventure import adventure


class First(StrEnum):
    """Who attacks first."""

    THYMIN = "thymin"
    ENEMY = "enemy"


Dexterity = Annotated[int, option("--dexterity", "Thymin's Dexterity.")]
Health = Annotated[int, option("--health", "Thymin's Health.")]
Wisdom = Annotated[int, option("--wisdom", "Thymin's Wisdom, for Cunning Strikes.")]
Bonus = Annotated[int, option("--weapon-bonus", "Thymin's Weapon Bonus.")]
Armour = Annotated[int, option("--armour-class", "Thymin's Armour Class.")]
EnemyDexterity = Annotated[int, option("--enemy-dexterity", "The enemy's Dexterity.")]
EnemyHealth = Annotated[int, option("--enemy-health", "The enemy's Health.")]
EnemyBonus = Annotated[int, option("--enemy-weapon-bonus", "The enemy's Weapon Bonus.")]
EnemyArmour = Annotated[int, option("--enemy-armour-class", "The enemy's Armour Class.")]
FirstAttack = Annotated[First, option("--first", "Whose attack it is.")]


app = typer.Typer(help="Storm Weavers: tests, exchanges, whole fights, whole adventures.", rich_markup_mode=None)
app.command("adventure", cls=Command, epilog="loom odds storm-weavers adventure my-adventure.yaml")(adventure)
app.callback(invoke_without_command=True)(show_help)


@app.command("test", cls=Command, epilog="loom odds storm-weavers test --attribute 8")
def attribute_test(
    attribute: Annotated[int, option("--attribute", "Wisdom or Dexterity.")],
    modifier: Annotated[int, option("--modifier", "What is added to the dice.")] = 0,
    health: Health = MAX_HEALTH,
    dice: Annotated[str, option("--dice", "The dice that the paragraph names.")] = USUAL_DICE,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A test of Wisdom or Dexterity."""
    odds = odds_of_test(attribute, modifier=modifier, health=health, dice=dice, rulings=given_rulings(ruling))
    if as_json:
        write_json(plain(odds))
        return
    say(f"Storm Weavers test of {attribute}, {odds.modifier:+d} to the dice: {odds.highest} or less passes.", "")
    print_chances({"passed": odds.passed}, exact)


@app.command("exchange", cls=Command, epilog="loom odds storm-weavers exchange --dexterity 8 --enemy-dexterity 10")
def exchange(
    dexterity: Dexterity,
    enemy_dexterity: EnemyDexterity,
    weapon_bonus: Bonus = 0,
    armour_class: Armour = 0,
    enemy_weapon_bonus: EnemyBonus = 0,
    enemy_armour_class: EnemyArmour = 0,
    first: FirstAttack = First.THYMIN,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """One attack: who is hurt, and how much."""
    thymin = Sheet(dexterity, ATTRIBUTE_BASE, weapon_bonus=weapon_bonus, armour_class=armour_class)
    enemy = Enemy("the enemy", enemy_dexterity, 1, enemy_weapon_bonus, enemy_armour_class)
    odds = exchange_odds(thymin, enemy, by_thymin=first is First.THYMIN, rulings=given_rulings(ruling))
    if as_json:
        write_json(plain(odds))
        return
    say(f"Storm Weavers, an attack of {'Thymin' if first is First.THYMIN else 'the enemy'}.", "")
    both = sorted({*odds.enemy_injuries, *odds.thymin_injuries} - {0})
    print_table(
        ["injuries", "to the enemy", "to Thymin"],
        [
            [str(n), format_chance(odds.enemy_injuries[n], exact), format_chance(odds.thymin_injuries[n], exact)]
            for n in both
        ],
    )
    print_chances({"nobody is hurt": odds.nobody_hurt}, exact)


@app.command(
    "fight",
    cls=Command,
    epilog="loom odds storm-weavers fight --dexterity 8 --health 10 --enemy-dexterity 10 --enemy-health 10",
)
def fight(
    dexterity: Dexterity,
    enemy_dexterity: EnemyDexterity,
    enemy_health: EnemyHealth,
    health: Health = MAX_HEALTH,
    weapon_bonus: Bonus = 0,
    armour_class: Armour = 0,
    enemy_weapon_bonus: EnemyBonus = 0,
    enemy_armour_class: EnemyArmour = 0,
    wisdom: Wisdom = ATTRIBUTE_BASE,
    cunning_strikes: Annotated[
        CunningStrikes, option("--cunning-strikes", "Instead of Thymin's attacks: never or always.")
    ] = CunningStrikes.NEVER,
    first: FirstAttack = First.THYMIN,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A whole fight without a map, to the death."""
    odds = fight_odds(
        Sheet(dexterity, wisdom, weapon_bonus=weapon_bonus, armour_class=armour_class, health=health),
        Enemy("the enemy", enemy_dexterity, enemy_health, enemy_weapon_bonus, enemy_armour_class),
        thymin_first=first is First.THYMIN,
        cunning_strikes=cunning_strikes,
        rulings=given_rulings(ruling),
    )
    if as_json:
        write_json(plain(odds))
        return
    strikes = ", always by Cunning Strikes" if cunning_strikes is CunningStrikes.ALWAYS else ""
    say(f"Storm Weavers fight without a map, Health {health} against {enemy_health}{strikes}.", "")
    _tell_fight(odds, exact)


def _tell_fight(odds: FightOdds, exact: bool) -> None:
    print_chances({"Thymin wins": odds.won, "Thymin falls": odds.lost}, exact)
    say("", f"Expected: {format_mean(odds.exchanges, exact)} exchanges.", "")
    health = odds.final_health
    print_table(
        ["Thymin's final Health", "exactly", "or more"],
        [
            [
                "fallen" if n == 0 else str(n),
                format_chance(chance, exact),
                format_chance(health.at_least(n), exact),
            ]
            for n, chance in health.chances.items()
        ],
    )
