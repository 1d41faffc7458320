"""``loom odds storm-weavers``: tests, exchanges, whole fights, whole adventures."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.fight import CunningStrikes, fight_odds
from loomtable.engine.odds.storm_weavers import exchange_odds, odds_of_test
from loomtable.engine.storm_weavers.adventure_check import ADVENTURES, playable_adventure
from loomtable.engine.storm_weavers.plans import USUAL_DICE, Enemy
from loomtable.engine.storm_weavers.sheet import ATTRIBUTE_BASE, ATTRIBUTE_POINTS, MAX_HEALTH, Sheet
from loomtable.table.commands.odds import Mean, OddsAnswer, OddsTable, Rulings, odds_app, question
from loomtable.testing.player import Plays
from loomtable.testing.players.storm_weavers import adventure_played, ends_of


class First(StrEnum):
    """Who attacks first."""

    THYMIN = "thymin"
    ENEMY = "enemy"


Dexterity = Annotated[int, "Thymin's Dexterity."]
Health = Annotated[int, "Thymin's Health."]
Bonus = Annotated[int, "Thymin's Weapon Bonus."]
Armour = Annotated[int, "Thymin's Armour Class."]
EnemyDexterity = Annotated[int, "The enemy's Dexterity."]
EnemyBonus = Annotated[int, "The enemy's Weapon Bonus."]
EnemyArmour = Annotated[int, "The enemy's Armour Class."]
FirstAttack = Annotated[First, "Whose attack it is."]

app = odds_app("Storm Weavers: tests, exchanges, whole fights, whole adventures.")


@question(app, "adventure", "storm-weavers adventure my-adventure.yaml")
def adventure(
    rulings: Rulings,
    plays: Plays,
    file: Annotated[Path, "An adventure's file, or its name if it is installed."],
    paragraph: Annotated[int | None, "Only this paragraph, such as its fight on a map: where it leads."] = None,
    dexterity_points: Annotated[int, "Thymin's points on Dexterity; the rest go to Wisdom."] = 2,
    health: Annotated[int, "Thymin's Health as he begins."] = MAX_HEALTH,
) -> OddsAnswer:
    """A whole adventure, played many times: how often it is won, and how often each ending comes."""
    name = ADVENTURES.lent(file)
    tales = plays.of(lambda seed: adventure_played(name, seed, dexterity_points, rulings, health, paragraph))
    ends, won = ends_of(tales, alone=paragraph is not None)
    points = f"{how_many(dexterity_points, 'point', 'points')} on Dexterity, {ATTRIBUTE_POINTS - dexterity_points}"
    value = [{"paragraph": number, "ending": ending, **share.plain()} for number, ending, share in ends]
    alone = f", paragraph {paragraph}" if paragraph else ""
    return OddsAnswer(
        {"adventure": playable_adventure(name).name, "won": won.plain(), "ends": value},
        f"{playable_adventure(name).title}{alone}, {points} on Wisdom; {plays}.",
        OddsTable(["paragraph", "ending", "chance"], ends if paragraph else [("any", "victory", won), *ends]),
    )


@question(app, "test", "storm-weavers test --attribute 8")
def attribute_test(
    rulings: Rulings,
    attribute: Annotated[int, "Wisdom or Dexterity."],
    modifier: Annotated[int, "What is added to the dice."] = 0,
    health: Health = MAX_HEALTH,
    dice: Annotated[str, "The dice that the paragraph names."] = USUAL_DICE,
) -> OddsAnswer:
    """A test of Wisdom or Dexterity."""
    odds = odds_of_test(attribute, modifier=modifier, health=health, dice=dice, rulings=rulings)
    passes = f"{odds.modifier:+d} to the dice: {odds.highest} or less passes."
    return OddsAnswer(odds, f"Storm Weavers test of {attribute}, {passes}", {"passed": odds.passed})


@question(app, "exchange", "storm-weavers exchange --dexterity 8 --enemy-dexterity 10")
def exchange(
    rulings: Rulings,
    dexterity: Dexterity,
    enemy_dexterity: EnemyDexterity,
    weapon_bonus: Bonus = 0,
    armour_class: Armour = 0,
    enemy_weapon_bonus: EnemyBonus = 0,
    enemy_armour_class: EnemyArmour = 0,
    first: FirstAttack = First.THYMIN,
) -> OddsAnswer:
    """One attack: who is hurt, and how much."""
    thymin = Sheet(dexterity, ATTRIBUTE_BASE, weapon_bonus=weapon_bonus, armour_class=armour_class)
    enemy = Enemy("the enemy", enemy_dexterity, 1, enemy_weapon_bonus, enemy_armour_class)
    odds = exchange_odds(thymin, enemy, by_thymin=first is First.THYMIN, rulings=rulings)
    both = sorted({*odds.enemy_injuries, *odds.thymin_injuries} - {0})
    rows = [[n, odds.enemy_injuries[n], odds.thymin_injuries[n]] for n in both]
    return OddsAnswer(
        odds,
        f"Storm Weavers, an attack of {'Thymin' if first is First.THYMIN else 'the enemy'}.",
        OddsTable(["injuries", "to the enemy", "to Thymin"], rows),
        {"nobody is hurt": odds.nobody_hurt},
    )


@question(app, "fight", "storm-weavers fight --dexterity 8 --health 10 --enemy-dexterity 10 --enemy-health 10")
def fight(
    rulings: Rulings,
    dexterity: Dexterity,
    enemy_dexterity: EnemyDexterity,
    enemy_health: Annotated[int, "The enemy's Health."],
    health: Health = MAX_HEALTH,
    weapon_bonus: Bonus = 0,
    armour_class: Armour = 0,
    enemy_weapon_bonus: EnemyBonus = 0,
    enemy_armour_class: EnemyArmour = 0,
    wisdom: Annotated[int, "Thymin's Wisdom, for Cunning Strikes."] = ATTRIBUTE_BASE,
    cunning_strikes: Annotated[
        CunningStrikes, "Instead of Thymin's attacks: never or always."
    ] = CunningStrikes.NEVER,
    first: FirstAttack = First.THYMIN,
) -> OddsAnswer:
    """A whole fight without a map, to the death."""
    odds = fight_odds(
        Sheet(dexterity, wisdom, weapon_bonus=weapon_bonus, armour_class=armour_class, health=health),
        Enemy("the enemy", enemy_dexterity, enemy_health, enemy_weapon_bonus, enemy_armour_class),
        thymin_first=first is First.THYMIN,
        cunning_strikes=cunning_strikes,
        rulings=rulings,
    )
    strikes = ", always by Cunning Strikes" if cunning_strikes is CunningStrikes.ALWAYS else ""
    final = odds.final_health
    rows = [[n or "fallen", chance, final.at_least(n)] for n, chance in final.chances.items()]
    return OddsAnswer(
        odds,
        f"Storm Weavers fight without a map, Health {health} against {enemy_health}{strikes}.",
        {"Thymin wins": odds.won, "Thymin falls": odds.lost},
        "",
        ["Expected: ", Mean(odds.exchanges), " exchanges."],
        "",
        OddsTable(["Thymin's final Health", "exactly", "or more"], rows),
    )
