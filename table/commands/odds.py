"""``loom odds``: exact probabilities of what the dice may bring, for each game."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

import typer

from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.exact import percent, plain
from loomtable.engine.odds.fight import CunningStrikes, FightOdds, fight_odds
from loomtable.engine.odds.spellwoven import SEVERITIES, Edge, attack_odds, odds_of_test, wound_odds
from loomtable.engine.odds.storm_weavers import exchange_odds
from loomtable.engine.odds.storm_weavers import odds_of_test as odds_of_attribute_test
from loomtable.engine.odds.weave import ChallengeOdds, Needed, challenge_odds, core_challenge_odds, joint_odds
from loomtable.engine.odds.weave_dice import Rerolls
from loomtable.engine.spellwoven.levels import Severity
from loomtable.engine.storm_weavers.plans import Enemy
from loomtable.engine.storm_weavers.sheet import ATTRIBUTE_BASE, MAX_HEALTH, Sheet
from loomtable.engine.weave.state import Outcome
from loomtable.table.commands.odds_adventure import adventure
from loomtable.table.commands.odds_mnemonic import app as mnemonic
from loomtable.table.commands.odds_telling import (
    GAP,
    Exactly,
    Rulings,
    given_rulings,
    many_dice,
    tell_chances,
    tell_table,
    told_chance,
    told_mean,
)
from loomtable.table.commands.output import AsJson, say, show_help, write_json

SHOWN_STRIKES = 6


class Suits(StrEnum):
    """Whose symbols a Trigger needs."""

    SAME = "same"
    OTHER = "other"


class First(StrEnum):
    """Who attacks first."""

    THYMIN = "thymin"
    ENEMY = "enemy"


Pool = Annotated[int, typer.Option("--pool", help="How many Weave dice.")]
Again = Annotated[Rerolls, typer.Option("--rerolls", help="Which dice are rolled again until none is left.")]
Symbols = Annotated[int | None, typer.Option("--trigger", help="How many additional symbols a Trigger needs.")]
TriggerSuit = Annotated[Suits, typer.Option("--trigger-suit", help="The Challenge's own suit, or another.")]
Effort = Annotated[int, typer.Option("--effort", help="The most Effort that may be spent.")]
Advantage = Annotated[bool, typer.Option("--advantage", help="The test is made at an advantage.")]
Disadvantage = Annotated[bool, typer.Option("--disadvantage", help="The test is made at a disadvantage.")]
Menace = Annotated[int, typer.Option("--menace", help="The weapon's Menace, 1 to 9.")]
Dexterity = Annotated[int, typer.Option("--dexterity", help="Thymin's Dexterity.")]
Health = Annotated[int, typer.Option("--health", help="Thymin's Health.")]
Wisdom = Annotated[int, typer.Option("--wisdom", help="Thymin's Wisdom, for Cunning Strikes.")]
Bonus = Annotated[int, typer.Option("--weapon-bonus", help="Thymin's Weapon Bonus.")]
Armour = Annotated[int, typer.Option("--armour-class", help="Thymin's Armour Class.")]
EnemyDexterity = Annotated[int, typer.Option("--enemy-dexterity", help="The enemy's Dexterity.")]
EnemyHealth = Annotated[int, typer.Option("--enemy-health", help="The enemy's Health.")]
EnemyBonus = Annotated[int, typer.Option("--enemy-weapon-bonus", help="The enemy's Weapon Bonus.")]
EnemyArmour = Annotated[int, typer.Option("--enemy-armour-class", help="The enemy's Armour Class.")]
FirstAttack = Annotated[First, typer.Option("--first", help="Whose attack it is.")]

app = typer.Typer(
    help="Exact probabilities of what the dice may bring. Woven has no dice, and no odds.", rich_markup_mode=None
)
weave = typer.Typer(help="Weave: Challenges and Core Challenges.", rich_markup_mode=None)
spellwoven = typer.Typer(help="Spellwoven: tests, wounds and attacks.", rich_markup_mode=None)
storm_weavers = typer.Typer(
    help="Storm Weavers: tests, exchanges, whole fights, whole adventures.", rich_markup_mode=None
)
storm_weavers.command("adventure")(adventure)
app.add_typer(weave, name="weave")
app.add_typer(spellwoven, name="spellwoven")
app.add_typer(storm_weavers, name="storm-weavers")
app.add_typer(mnemonic, name="mnemonic")


for _group in (app, weave, spellwoven, storm_weavers, mnemonic):
    _group.callback(invoke_without_command=True)(show_help)


@weave.command("challenge")
def challenge(
    pool: Pool,
    level: Annotated[int, typer.Option("--level", help="The Challenge Level.")],
    rerolls: Again = Rerolls.WEAVE,
    trigger: Symbols = None,
    trigger_suit: TriggerSuit = Suits.OTHER,
    track: Annotated[int, typer.Option("--track", help="Strikes already marked.")] = 0,
    joint: Annotated[bool, typer.Option("--joint", help="Show successes together with Strikes.")] = False,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A Challenge: how it may end, its Strikes, its Trigger."""
    rulings, needed = given_rulings(ruling), _needed(trigger, trigger_suit)
    odds = challenge_odds(pool, level, rerolls=rerolls, trigger=needed, track=track, rulings=rulings)
    both = (
        joint_odds(pool, upto=max(level + 2, SHOWN_STRIKES), rerolls=rerolls, rulings=rulings) if joint else None
    )
    if as_json:
        pairs = [{"successes": s, "strikes": k, "chance": c} for (s, k), c in both.chances.items()] if both else []
        write_json(plain(odds) | (plain({"joint": {"chances": pairs, "rest": both.rest}}) if both else {}))
        return
    say(f"Weave Challenge, level {level}: {many_dice(pool)}; {rerolls.says}.", "")
    _tell_outcomes(odds, exact)
    tell_chances({f"Strikes fill the track (from {track})": odds.track_full}, exact)
    tell_chances({f"at least {n} Wound{'s' * (n > 1)}": odds.wounds.at_least(n) for n in (1, 2)}, exact)
    successes, strikes = told_mean(odds.expected_successes, exact), told_mean(odds.expected_strikes, exact)
    say("", f"Expected: {successes} successes, {strikes} Strikes.")
    if both:
        _tell_joint(both.chances, level + 2)


@weave.command("core")
def core(
    pool: Pool = 3,
    rerolls: Again = Rerolls.WEAVE,
    trigger: Symbols = None,
    trigger_suit: TriggerSuit = Suits.OTHER,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A Core Challenge: level 1, three or four dice, no Strikes."""
    needed = _needed(trigger, trigger_suit)
    odds = core_challenge_odds(pool, rerolls=rerolls, trigger=needed, rulings=given_rulings(ruling))
    if as_json:
        write_json(plain(odds))
        return
    say(f"Weave Core Challenge: {many_dice(pool)}; {rerolls.says}.", "")
    _tell_outcomes(odds, exact)
    say("", f"Expected: {told_mean(odds.expected_successes, exact)} successes.")


@spellwoven.command("test")
def spellwoven_test(
    rating: Annotated[int, typer.Option("--rating", help="The rating that is tested.")],
    difficulty: Annotated[int, typer.Option("--difficulty", help="The successes that pass.")],
    effort: Effort = 0,
    advantage: Advantage = False,
    disadvantage: Disadvantage = False,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A test of three ten-sided dice, with Effort."""
    edge = _edge(advantage, disadvantage)
    odds = odds_of_test(rating, difficulty, effort=effort, edge=edge, rulings=given_rulings(ruling))
    if as_json:
        write_json(plain(odds))
        return
    say(f"Spellwoven test of {rating} against difficulty {difficulty}{_at(edge)}.", "")
    tell_table(
        ["Effort at most", "passed", "spent"],
        [[str(e.effort), told_chance(e.passed, exact), told_mean(e.spent, exact, 2)] for e in odds.with_effort],
    )
    say("")
    tell_chances({how_many(n, "success", "successes"): c for n, c in odds.successes.chances.items()}, exact)
    tell_chances({"passed with a triplet": odds.triplet}, exact)


@spellwoven.command("wound")
def wound(
    menace: Menace,
    effort: Effort = 0,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """How grave a wound is, once a blow has hit, with Effort."""
    odds = wound_odds(menace, effort=effort)
    if as_json:
        write_json(plain(odds))
        return
    say(f"Spellwoven wound by Menace {menace}.", "")
    reached = {"or graver" if e == 0 else f"{e} Effort": line for e, line in enumerate(odds.with_effort)}
    _tell_severities({"exactly": odds.severities} | reached, exact)
    tell_chances({"a triplet, armour ignored": odds.triplet}, exact)


@spellwoven.command("attack")
def attack(
    skill: Annotated[int, typer.Option("--skill", help="The fighting skill.")],
    defence: Annotated[int, typer.Option("--defence", help="The target's Quickness Defence.")],
    menace: Menace,
    effort: Effort = 0,
    advantage: Advantage = False,
    disadvantage: Disadvantage = False,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """An attack: the hit, then the wound, with Effort for both together."""
    edge = _edge(advantage, disadvantage)
    odds = attack_odds(skill, defence, menace, effort=effort, edge=edge, rulings=given_rulings(ruling))
    if as_json:
        write_json(plain(odds))
        return
    say(f"Spellwoven attack, skill {skill} against defence {defence}, Menace {menace}{_at(edge)}.", "")
    reached = {"or graver" if e.effort == 0 else f"{e.effort} Effort": e.at_least for e in odds.with_effort}
    spent = odds.with_effort[-1].spent if effort else None
    _tell_severities({"exactly": odds.severities, "past armour": odds.pierces} | reached, exact, spent)
    hits = {f"hit with {line.effort} Effort": line.hit for line in odds.with_effort[1:]}
    tell_chances({"miss": odds.miss, "hit": odds.with_effort[0].hit} | hits, exact)


@storm_weavers.command("test")
def attribute_test(
    attribute: Annotated[int, typer.Option("--attribute", help="Wisdom or Dexterity.")],
    modifier: Annotated[int, typer.Option("--modifier", help="What is added to the dice.")] = 0,
    health: Health = MAX_HEALTH,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A test of Wisdom or Dexterity."""
    odds = odds_of_attribute_test(attribute, modifier=modifier, health=health, rulings=given_rulings(ruling))
    if as_json:
        write_json(plain(odds))
        return
    say(f"Storm Weavers test of {attribute}, {odds.modifier:+d} to the dice: {odds.highest} or less passes.", "")
    tell_chances({"passed": odds.passed}, exact)


@storm_weavers.command("exchange")
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
    tell_table(
        ["injuries", "to the enemy", "to Thymin"],
        [
            [str(n), told_chance(odds.enemy_injuries[n], exact), told_chance(odds.thymin_injuries[n], exact)]
            for n in both
        ],
    )
    tell_chances({"nobody is hurt": odds.nobody_hurt}, exact)


@storm_weavers.command("fight")
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
        CunningStrikes, typer.Option("--cunning-strikes", help="Instead of Thymin's attacks: never or always.")
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
    tell_chances({"Thymin wins": odds.won, "Thymin falls": odds.lost}, exact)
    say("", f"Expected: {told_mean(odds.exchanges, exact)} exchanges.", "")
    health = odds.final_health
    tell_table(
        ["Thymin's final Health", "exactly", "or more"],
        [
            ["fallen" if n == 0 else str(n), told_chance(chance, exact), told_chance(health.at_least(n), exact)]
            for n, chance in health.chances.items()
        ],
    )


# What the commands share


def _needed(trigger: int | None, suit: Suits) -> Needed | None:
    return None if trigger is None else Needed(trigger, suit is Suits.SAME)


def _edge(advantage: bool, disadvantage: bool) -> Edge:
    if advantage == disadvantage:
        return Edge.NONE  # both at once cancel each other
    return Edge.ADVANTAGE if advantage else Edge.DISADVANTAGE


def _at(edge: Edge) -> str:
    return "" if edge is Edge.NONE else f", at {'an' if edge is Edge.ADVANTAGE else 'a'} {edge}"


def _tell_outcomes(odds: ChallengeOdds, exact: bool) -> None:
    outcomes = {str(o): c for o, c in odds.outcomes.items() if c or o is not Outcome.EPIC_FAIL}
    tell_chances({"passed in all": odds.passed, **outcomes}, exact)
    if odds.triggered is not None:
        tell_chances({"passed with the Trigger": odds.triggered}, exact)


def _tell_severities(
    columns: Mapping[str, Mapping[Severity, Fraction]],
    exact: bool,
    spent: Mapping[Severity, Fraction] | None = None,
) -> None:
    head = ["severity", *columns, *(["spent then"] if spent else [])]
    rows = [[s.label, *(told_chance(column[s], exact) for column in columns.values())] for s in SEVERITIES]
    if spent:
        rows = [[*row, told_mean(spent[s], exact, 2)] for row, s in zip(rows, SEVERITIES, strict=True)]
    tell_table(head, rows)
    say("")


def _tell_joint(chances: Mapping[tuple[int, int], Fraction], highest: int) -> None:
    strikes = range(SHOWN_STRIKES + 1)
    say("", "Successes (down) and Strikes (across):")
    shown = {pair: c for pair, c in chances.items() if pair[0] <= highest and pair[1] <= SHOWN_STRIKES}
    rows = [[str(s), *(percent(shown.get((s, k), Fraction(0))) for k in strikes)] for s in range(highest + 1)]
    tell_table(["", *map(str, strikes)], rows)
    say(f"{GAP}beyond this table: {percent(1 - sum(shown.values(), Fraction(0)))}")
