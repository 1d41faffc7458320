"""``loom odds spellwoven``: tests, wounds, attacks, conflicts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated

from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.odds.spellwoven import SEVERITIES, Edge, attack_odds, odds_of_test, wound_odds
from loomtable.engine.spellwoven.armoury import MOST_MENACE
from loomtable.engine.spellwoven.encounters import ENCOUNTERS, installed_encounter
from loomtable.engine.spellwoven.levels import Severity
from loomtable.table.commands.odds import Mean, OddsAnswer, OddsTable, Rulings, fought, odds_app, question
from loomtable.testing.player import Plays
from loomtable.testing.players.spellwoven import against, conflict_played, encountered, the_four

Effort = Annotated[int, "The most Effort that may be spent."]
Advantage = Annotated[bool, "The test is made at an advantage."]
Disadvantage = Annotated[bool, "The test is made at a disadvantage."]
Menace = Annotated[int, f"The weapon's Menace, 1 to {MOST_MENACE}."]

app = odds_app("Spellwoven: tests, wounds, attacks, conflicts.")


@question(app, "test", "spellwoven test --rating 5 --difficulty 3")
def rating_test(
    rulings: Rulings,
    rating: Annotated[int, "The rating that is tested."],
    difficulty: Annotated[int, "The successes that pass."],
    effort: Effort = 0,
    advantage: Advantage = False,
    disadvantage: Disadvantage = False,
) -> OddsAnswer:
    """A test of three ten-sided dice, with Effort."""
    edge = _edge(advantage, disadvantage)
    odds = odds_of_test(rating, difficulty, effort=effort, edge=edge, rulings=rulings)
    rows = [[e.effort, e.passed, Mean(e.spent, 2)] for e in odds.with_effort]
    successes = {how_many(n, "success", "successes"): c for n, c in odds.successes.chances.items()}
    return OddsAnswer(
        odds,
        f"Spellwoven test of {rating} against difficulty {difficulty}{_at(edge)}.",
        OddsTable(["Effort at most", "passed", "spent"], rows),
        "",
        {**successes, "passed with a triplet": odds.triplet},
    )


@question(app, "wound", "spellwoven wound --menace 4")
def wound(menace: Menace, effort: Effort = 0) -> OddsAnswer:
    """How grave a wound is, once a blow has hit, with Effort."""
    odds = wound_odds(menace, effort=effort)
    reached = {"or graver" if e == 0 else f"{e} Effort": line for e, line in enumerate(odds.with_effort)}
    table = _severities({"exactly": odds.severities} | reached)
    title = f"Spellwoven wound by Menace {menace}."
    return OddsAnswer(odds, title, table, "", {"a triplet, armour ignored": odds.triplet})


@question(app, "attack", "spellwoven attack --skill 5 --defence 3 --menace 4")
def attack(
    rulings: Rulings,
    skill: Annotated[int, "The fighting skill."],
    defence: Annotated[int, "The target's Quickness Defence."],
    menace: Menace,
    effort: Effort = 0,
    advantage: Advantage = False,
    disadvantage: Disadvantage = False,
) -> OddsAnswer:
    """An attack: the hit, then the wound, with Effort for both together."""
    edge = _edge(advantage, disadvantage)
    odds = attack_odds(skill, defence, menace, effort=effort, edge=edge, rulings=rulings)
    reached = {"or graver" if e.effort == 0 else f"{e.effort} Effort": e.at_least for e in odds.with_effort}
    spent = odds.with_effort[-1].spent if effort else None
    hits = {f"hit with {line.effort} Effort": line.hit for line in odds.with_effort[1:]}
    return OddsAnswer(
        odds,
        f"Spellwoven attack, skill {skill} against defence {defence}, Menace {menace}{_at(edge)}.",
        _severities({"exactly": odds.severities, "past armour": odds.pierces} | reached, spent),
        "",
        {"miss": odds.miss, "hit": odds.with_effort[0].hit} | hits,
    )


@question(app, "encounter", "spellwoven encounter the-toll-at-cold-ford")
def encounter(
    rulings: Rulings, plays: Plays, file: Annotated[Path, "An encounter's file, or its name if it is installed."]
) -> OddsAnswer:
    """An encounter in which it comes to a fight, played many times by the four ready characters."""
    name = ENCOUNTERS.lent(file)
    once = partial(conflict_played, *encountered(name, rulings))
    return fought(installed_encounter(name).title, plays, "heroes who fall", once)


@question(app, "conflict", "spellwoven conflict --foe barrow-king --foe wolf")
def conflict(
    rulings: Rulings, plays: Plays, foe: Annotated[list[str], "A ready foe; again for each."]
) -> OddsAnswer:
    """A conflict with ready foes, played many times by the four ready characters; everybody is Engaged."""
    once = partial(conflict_played, the_four(rulings), against(foe))
    return fought(f"Spellwoven, four against {listed(foe)}", plays, "heroes who fall", once)


def _edge(advantage: bool, disadvantage: bool) -> Edge:
    if advantage == disadvantage:
        return Edge.NONE  # both at once cancel each other
    return Edge.ADVANTAGE if advantage else Edge.DISADVANTAGE


def _at(edge: Edge) -> str:
    return "" if edge is Edge.NONE else f", at {'an' if edge is Edge.ADVANTAGE else 'a'} {edge}"


def _severities(
    columns: Mapping[str, Mapping[Severity, Fraction]], spent: Mapping[Severity, Fraction] | None = None
) -> OddsTable:
    rows = [
        [s.label, *(column[s] for column in columns.values()), *([Mean(spent[s], 2)] if spent else [])]
        for s in SEVERITIES
    ]
    return OddsTable(["severity", *columns, *(["spent then"] if spent else [])], rows)
