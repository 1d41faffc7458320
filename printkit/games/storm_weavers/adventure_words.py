"""What a paragraph of an adventure says on paper: its text, and in words whatever the engine would do there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from loomtable.engine.kernel.wording import listed, number_word
from loomtable.engine.storm_weavers.adventure import Condition, Paragraph, ParagraphChoice
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.map_setup import placed_enemies, thymins_start
from loomtable.engine.storm_weavers.movement import CHARACTER
from loomtable.engine.storm_weavers.plans import (
    USUAL_DICE,
    Change,
    Conditions,
    Enemy,
    FightEnd,
    FightOutcome,
    FightPlan,
    MapEnemy,
    MapFightPlan,
    Modifiers,
    NamedSide,
    Terms,
)
from loomtable.engine.storm_weavers.sheet import THYMIN, Gear
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, AdventureEnding
from loomtable.printkit.draw.type import Font

Run = tuple[str, Font]
"""Words in one face."""
TEXT, NOTE, BOLD = Font.TEXT, Font.TEXT_ITALIC, Font.LABEL_BOLD


@dataclass(frozen=True)
class SetPassage:
    """Part of a paragraph that is set by itself; ``boxes`` of Health follow it, ``mark`` stands before it."""

    runs: tuple[Run, ...]
    mark: str = ""
    boxes: int = 0


def passages_of(page: Paragraph, items: Mapping[str, Gear] | None = None) -> Iterator[SetPassage]:
    """Everything that stands in a paragraph, below its number; ``items`` are the bonuses that items carry."""
    known = items or {}
    yield SetPassage(((page.text.strip(), TEXT),))
    if page.changes:
        yield SetPassage(((f"{_told(page.changes, known)}.", NOTE),))
    for choice in page.choices:
        yield _choice(choice, known)
    if page.test is not None:
        test = page.test
        dice = f" with {test.dice}" if test.dice != USUAL_DICE else ""
        added = f", {test.modifier:+d} to the dice".replace("-", "\u2212") if test.modifier else ""
        yield SetPassage(((f"Test {test.attribute.label}{dice}{added}.", BOLD),))
        yield from _helpful(test)
        yield _way("Passed:", test.passed)
        yield _way("Failed:", test.failed)
    if page.coin is not None:
        side = page.coin.side
        good, bad = "As you called", "The other side"
        if side is not None:
            good, bad = str(side).title(), "Tails" if side is NamedSide.HEADS else "Heads"
        yield SetPassage((("Flip a coin." if side else "Call a side and flip a coin.", BOLD),))
        yield _way(f"{good}:", page.coin.passed)
        yield _way(f"{bad}:", page.coin.failed)
    if page.fight is not None:
        yield from _fight(page.fight, known)
    if page.map_fight is not None:
        yield from _map_fight(page.map_fight, known)
    if page.then is not None:
        yield _way("", page.then)
    if page.ending is not None:
        said = (
            "Victory: your adventure ends well."
            if page.ending is AdventureEnding.VICTORY
            else "Your adventure ends here."
        )
        yield SetPassage(((said, BOLD),))


def _helpful(terms: Terms) -> Iterator[SetPassage]:
    for item, by in terms.items.items():
        yield SetPassage(((f"{item}: {by:+d} to the dice, if you use it.".replace("-", "\u2212"), NOTE),))


def _strikes(terms: Terms) -> Iterator[SetPassage]:
    """What is said of the tests of Cunning Strikes."""
    if terms.modifier:
        yield SetPassage(((f"Cunning Strike: {terms.modifier:+d} to the dice.".replace("-", "\u2212"), NOTE),))
    for item, by in terms.items.items():
        said = f"Cunning Strike with the {item}: {by:+d} to the dice."
        yield SetPassage(((said.replace("-", "\u2212"), NOTE),))


def _way(before: str, to: int) -> SetPassage:
    runs: tuple[Run, ...] = ((f"{before} turn to" if before else "Turn to", TEXT), (f"{to}.", BOLD))
    return SetPassage(runs, mark="\u2022")


def _choice(choice: ParagraphChoice, known: Mapping[str, Gear]) -> SetPassage:
    runs: list[Run] = []
    if not choice.needs.always:
        runs.append((f"{condition_in_words(choice.needs)}:", NOTE))
    runs.append((choice.says, TEXT))
    if choice.changes:
        runs.append((f"({_told(choice.changes, known)}.)", NOTE))
    return SetPassage((*runs, ("Turn to", TEXT), (f"{choice.to}.", BOLD)), mark="\u2022")


def condition_in_words(needs: Condition) -> str:
    """What has to hold for a choice: ``If you have 10 crowns and the Rope``."""
    parts = []
    if needs.item:
        parts.append(f"you have the {needs.item}")
    if needs.without:
        parts.append(f"you do not have the {needs.without}")
    if needs.gold:
        parts.append(f"you have {needs.gold} crowns")
    parts += [f"your {a.label} is {least} or more" for a, least in needs.at_least.items()]
    if needs.visited is not None:
        parts.append(f"you have read {needs.visited}")
    if needs.unvisited is not None:
        parts.append(f"you have not read {needs.unvisited}")
    return f"If {listed(parts)}"


def _told(changes: Sequence[Change], known: Mapping[str, Gear]) -> str:
    """Changes in a row: ``Health +3, you gain the Rope``."""
    said = []
    for change in changes:
        if change.gain:
            said.append(f"you gain the {change.gain}{_bonus(known.get(change.gain))}")
        elif change.lose:
            worn = known.get(change.lose) or Gear()
            said.append(f"you lose the {change.lose}{_bonus(Gear(-worn.weapon_bonus, -worn.armour_class))}")
        elif change.attribute is not None and change.by is not None:
            label = "crowns" if change.attribute.value == "gold" else change.attribute.label
            said.append(f"{label} {change.by:+d}".replace("-", "\u2212"))
        elif change.attribute is not None:
            label = "your crowns are" if change.attribute.value == "gold" else f"{change.attribute.label} is"
            said.append(f"{label} now {change.to}")
    told = ", ".join(said)
    return told[:1].upper() + told[1:]


def _bonus(gear: Gear | None) -> str:
    return f" ({gear.said})".replace("-", "\u2212") if gear is not None and gear.said else ""


def enemy_in_words(enemy: Enemy) -> str:
    """An enemy's numbers: ``Dexterity 7, Weapon Bonus 1``; Health stands in boxes."""
    parts = [f"Dexterity {enemy.dexterity}"]
    parts += [f"Weapon Bonus {enemy.weapon_bonus}"] if enemy.weapon_bonus else []
    parts += [f"Armour Class {enemy.armour_class}"] if enemy.armour_class else []
    if isinstance(enemy, MapEnemy):
        parts += [f"Speed {enemy.speed}"] if enemy.speed is not None else []
        parts += ["waits where it stands"] if enemy.still else []
        parts += ["keeps as far from you as it can"] if enemy.keeps_away else []
        parts += ["does nothing until you attack it"] if enemy.peaceful else []
        parts += [f"keeps away and attacks no more at Health {enemy.flees_at} or less"] if enemy.flees_at else []
        parts += [f"attacks {number_word(enemy.attacks)} times"] if enemy.attacks > 1 else []
        parts += _modified(enemy.modifiers, "its")
    return ", ".join(parts)


def _fight(plan: FightPlan, known: Mapping[str, Gear]) -> Iterator[SetPassage]:
    yield SetPassage((("Fight without a map.", BOLD), *_modifiers(plan.modifiers)))
    yield _enemy(plan.enemy.name, plan.enemy)
    yield from _strikes(plan.strike_test)
    yield from _ends(plan.ends, (plan.enemy,), known)


def _map_fight(plan: MapFightPlan, known: Mapping[str, Gear]) -> Iterator[SetPassage]:
    title = combat_map(plan.map).title
    speed = f"Speed {plan.speed}. " if plan.speed is not None else ""
    start = f"{speed}You start at {thymins_start(plan)}."
    yield SetPassage(((f"Fight on the map: {title}.", BOLD), (start, TEXT), *_modifiers(plan.modifiers)))
    for number, enemy in placed_enemies(plan).items():
        yield _enemy(f"{number} {enemy.name}, {enemy.square}", enemy)
    for said in _conditions(plan.conditions):
        yield SetPassage(((said, NOTE),))
    yield from _strikes(plan.strike_test)
    yield from _ends(plan.ends, plan.enemies, known)


def _enemy(called: str, enemy: Enemy) -> SetPassage:
    return SetPassage(
        ((f"{called}:", BOLD), (f"{enemy_in_words(enemy)}. Health {enemy.health}:", TEXT)), boxes=enemy.health
    )


def _modified(extra: Modifiers, whose: str) -> list[str]:
    named = {
        "your Attack": extra.thymin_attack,
        "your Defence": extra.thymin_defence,
        f"{whose} Attack": extra.enemy_attack,
        f"{whose} Defence": extra.enemy_defence,
    }
    return [f"{by:+d} to {what}".replace("-", "\u2212") for what, by in named.items() if by]


def _modifiers(extra: Modifiers) -> tuple[Run, ...]:
    said = _modified(extra, "their")
    return ((f"{', '.join(said)}.", NOTE),) if said else ()


def _conditions(special: Conditions) -> Iterator[str]:
    if special.thymin_crosses:
        yield f"You may move across: {listed(special.thymin_crosses)}."
    if special.enemies_cross:
        yield f"Enemies move across: {listed(special.enemies_cross)}."
    if special.through_characters:
        yield "Everybody may move through others."
    if special.attacks > 1:
        yield f"You may attack {special.attacks} different enemies in your phase."
    if not special.cunning_strike:
        yield "No Cunning Strikes here."
    if special.push_squares != Conditions().push_squares:
        yield f"A push out leads {special.push_squares} square{'s' * (special.push_squares != 1)} far."
    for kind, lost in special.collision.items():
        against = "another figure" if kind == CHARACTER else kind
        yield f"Pushed against {against}: {lost} Health, not 1."


def _ends(ends: Sequence[FightEnd], enemies: Sequence[Enemy], known: Mapping[str, Gear]) -> Iterator[SetPassage]:
    for end in ends:
        after = f" {_told(end.changes, known)}." if end.changes else ""
        way = _way(f"{_end_in_words(end, enemies)}{after and ':'}{after or ':'}", end.to or DEATH_PARAGRAPH)
        yield way
    yield _way("Your Health is 0 or less:", DEATH_PARAGRAPH)


def _end_in_words(end: FightEnd, enemies: Sequence[Enemy]) -> str:
    alone = len(enemies) == 1
    who = enemies[end.enemy - 1].name if end.enemy else enemies[0].name if alone else "one enemy"
    return {
        FightOutcome.ALL_DEAD: f"{enemies[0].name} is dead" if alone else "All are dead",
        FightOutcome.ROUNDS: f"{end.at} rounds are over",
        FightOutcome.ENEMY_HEALTH: f"{who[:1].upper()}{who[1:]} has {end.at} Health or less",
        FightOutcome.THYMIN_HEALTH: f"You have {end.at} Health or less",
        FightOutcome.ROUND_WON: "You have won a round",
        FightOutcome.ROUND_LOST: "You have lost a round",
        FightOutcome.THYMIN_DEAD: f"{THYMIN} is dead",
    }[end.when]
