"""``loom odds spellwoven``: tests, wounds and attacks."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

import typer

from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.exact import plain
from loomtable.engine.odds.spellwoven import SEVERITIES, Edge, attack_odds, odds_of_test, wound_odds
from loomtable.engine.spellwoven.levels import Severity
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

Effort = Annotated[int, option("--effort", "The most Effort that may be spent.")]
Advantage = Annotated[bool, option("--advantage", "The test is made at an advantage.")]
Disadvantage = Annotated[bool, option("--disadvantage", "The test is made at a disadvantage.")]
Menace = Annotated[int, option("--menace", "The weapon's Menace, 1 to 9.")]

app = typer.Typer(help="Spellwoven: tests, wounds and attacks.", rich_markup_mode=None)
app.callback(invoke_without_command=True)(show_help)


@app.command("test", cls=Command, epilog="loom odds spellwoven test --rating 5 --difficulty 3")
def rating_test(
    rating: Annotated[int, option("--rating", "The rating that is tested.")],
    difficulty: Annotated[int, option("--difficulty", "The successes that pass.")],
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
    print_table(
        ["Effort at most", "passed", "spent"],
        [
            [str(e.effort), format_chance(e.passed, exact), format_mean(e.spent, exact, 2)]
            for e in odds.with_effort
        ],
    )
    say("")
    print_chances({how_many(n, "success", "successes"): c for n, c in odds.successes.chances.items()}, exact)
    print_chances({"passed with a triplet": odds.triplet}, exact)


@app.command("wound", cls=Command, epilog="loom odds spellwoven wound --menace 4")
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
    print_chances({"a triplet, armour ignored": odds.triplet}, exact)


@app.command("attack", cls=Command, epilog="loom odds spellwoven attack --skill 5 --defence 3 --menace 4")
def attack(
    skill: Annotated[int, option("--skill", "The fighting skill.")],
    defence: Annotated[int, option("--defence", "The target's Quickness Defence.")],
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
    print_chances({"miss": odds.miss, "hit": odds.with_effort[0].hit} | hits, exact)


def _edge(advantage: bool, disadvantage: bool) -> Edge:
    if advantage == disadvantage:
        return Edge.NONE  # both at once cancel each other
    return Edge.ADVANTAGE if advantage else Edge.DISADVANTAGE


def _at(edge: Edge) -> str:
    return "" if edge is Edge.NONE else f", at {'an' if edge is Edge.ADVANTAGE else 'a'} {edge}"


def _tell_severities(
    columns: Mapping[str, Mapping[Severity, Fraction]],
    exact: bool,
    spent: Mapping[Severity, Fraction] | None = None,
) -> None:
    head = ["severity", *columns, *(["spent then"] if spent else [])]
    rows = [[s.label, *(format_chance(column[s], exact) for column in columns.values())] for s in SEVERITIES]
    if spent:
        rows = [[*row, format_mean(spent[s], exact, 2)] for row, s in zip(rows, SEVERITIES, strict=True)]
    print_table(head, rows)
    say("")
