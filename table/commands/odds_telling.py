"""What all commands of ``loom odds`` share: their options, and how chances are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated

from loomtable.engine.odds.exact import OddsUnknown, decimal, percent
from loomtable.table.commands.options import option
from loomtable.table.commands.output import say

GAP = "  "

Rulings = Annotated[
    list[str] | None,
    option("--ruling", "How your table plays a ruling, e.g. strikes-on-rerolls=not-counted; again for more."),
]
Exactly = Annotated[bool, option("--exact", "Write every chance as an exact fraction too.")]


def given_rulings(given: Sequence[str] | None) -> dict[str, str]:
    """The rulings that were given as RULING=CHOICE.

    Raises:
        OddsUnknown: one is not written so.
    """
    rulings: dict[str, str] = {}
    for ruling in given or ():
        name, equals, choice = ruling.partition("=")
        if not equals:
            raise OddsUnknown(f"a ruling is given as RULING=CHOICE, and {ruling!r} is not")
        rulings[name.strip()] = choice.strip()
    return rulings


def many_dice(pool: int) -> str:
    """``1 die``, ``5 dice``."""
    return f"{pool} {'die' if pool == 1 else 'dice'}"


def format_chance(chance: Fraction, exact: bool) -> str:
    """A chance in percent, and with ``--exact`` as a fraction too."""
    return f"{percent(chance)} = {chance}" if exact else percent(chance)


def format_mean(number: Fraction, exact: bool, digits: int = 1) -> str:
    """A mean with so many decimals, and with ``--exact`` as a fraction too."""
    return f"{decimal(number, digits)} = {number}" if exact else decimal(number, digits)


def print_chances(chances: Mapping[str, Fraction], exact: bool) -> None:
    """A line for each chance."""
    for what, chance in chances.items():
        say(f"{GAP}{what:<34}{percent(chance):>7}{f' = {chance}' if exact else ''}")


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table, its columns flush right; as wide as it is, also where the terminal is narrower."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 0, 0, 3), header_style="bold")
    for title in head:
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    # Never wider than needed, for then lines would end in spaces; nor narrower, for a figure that is cut is none.
    width = len(GAP) + Console(width=10_000).measure(table).maximum
    Console(highlight=False, width=width).print(Padding(table, (0, 0, 0, len(GAP))))
