"""``loom odds``: what the dice may bring; each game declares its own questions.

One roll and one fight are exact. Whole adventures, fights on a map and conflicts are played so many times by the
small player of ``loomtable.testing``, and what came of them is told with its error.

They stand under the game's key in the group ``loomtable.odds_commands``, each a ``typer.Typer`` (``odds_app``);
they are imported when one of them is wanted. A question is a function (``question``): its parameters are options,
and it returns an ``OddsAnswer``. Printing, ``--ruling``, ``--exact`` and ``--json`` are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.core import TyperGroup

from loomtable.engine.kernel.plugins import Hook
from loomtable.engine.odds.exact import OddsUnknown, decimal, percent, plain
from loomtable.engine.systems import GAMES
from loomtable.table.choices.odds import percents
from loomtable.table.commands.command import Command
from loomtable.table.commands.options import argument, option
from loomtable.table.commands.output import AsJson, each, say, show_help, write_json
from loomtable.testing.player import Fought, Plays, in_all

_GAP = "  "
_SHOWN: Any = {"pretty_exceptions_short": False, "rich_markup_mode": None, "suggest_commands": True}


@dataclass(frozen=True)
class Mean:
    """An expected number; told as a decimal, where a plain fraction is a chance and told in percent."""

    number: Fraction
    digits: int = 1

    def __str__(self) -> str:
        return decimal(self.number, self.digits)


@dataclass(frozen=True)
class OddsTable:
    """Rows of words and chances under their titles."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]


Block = str | Sequence[str | Mean] | Mapping[str, Fraction] | OddsTable
"""A line; a line with numbers in it; a line for each chance; a table."""


class OddsAnswer:
    """What a question brings: its value for programs; for people a first line, and blocks below it."""

    def __init__(self, value: Any, title: str, *blocks: Block) -> None:
        self.value = value
        self.blocks = (title, "", *blocks)


Rulings = Mapping[str, str]
"""A parameter of this type is how the table plays its rulings, by ``--ruling``. One of the type ``Plays`` plays so
many times, by ``--times`` and ``--seed``; what comes of it is not exact."""


def fought(title: str, plays: Plays, cost: str, once: Callable[[str], Fought]) -> OddsAnswer:
    """How often the heroes win, and what it costs them on average."""
    fights = in_all(plays.of(once))
    table = OddsTable(["won", cost], [[fights.share, f"{fights.cost:.1f}"]])
    return OddsAnswer({**fights.share.plain(), "cost": fights.cost}, f"{title}; {plays}.", table)


def odds_app(summary: str) -> typer.Typer:
    """The questions of a game."""
    app = typer.Typer(help=summary, rich_markup_mode=None)
    app.callback(invoke_without_command=True)(show_help)
    return app


def question(
    app: typer.Typer, name: str, example: str
) -> Callable[[Callable[..., OddsAnswer]], Callable[..., OddsAnswer]]:
    """Declare a question of a game.

    Each parameter is annotated with its type and what the help says of it, ``Annotated[int, "How many dice."]``,
    and is an option of its name; a ``Path`` is an argument.
    """

    def declare(ask: Callable[..., OddsAnswer]) -> Callable[..., OddsAnswer]:
        hints = get_type_hints(ask, include_extras=True)
        takes_rulings, plays = [hints.pop(name, None) is not None for name in ("rulings", "plays")]

        def command(*, as_json: bool, exact: bool = False, ruling: list[str] | None = None, **given: Any) -> None:
            if takes_rulings:
                given["rulings"] = _given(ruling)
            if plays:
                given["plays"] = Plays(given.pop("times"), given.pop("seed"), partial(each, "Playing"))
            answer = ask(**given)
            if as_json:
                write_json(plain(answer.value))
            else:
                for block in answer.blocks:
                    _print(block, exact)

        options = [
            parameter.replace(annotation=_option(key, hints[key]), kind=Parameter.KEYWORD_ONLY)
            for key, parameter in signature(ask).parameters.items()
            if key in hints
        ]
        shared: dict[str, tuple[Any, Any]] = {"ruling": (_Rulings, None)} if takes_rulings else {}
        shared |= {"times": (_Times, 400), "seed": (_Seed, "1")} if plays else {"exact": (_Exactly, False)}
        options += [
            Parameter(key, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for key, (kind, default) in {**shared, "as_json": (AsJson, False)}.items()
        ]
        vars(command)["__signature__"] = Signature(options)
        command.__doc__ = ask.__doc__
        app.command(name, cls=Command, epilog=f"loom odds {example}")(command)
        return ask

    return declare


_Rulings = Annotated[
    list[str] | None,
    option("--ruling", "How your table plays a ruling, e.g. strikes-on-rerolls=not-counted; again for more."),
]
_Times = Annotated[int, option("--times", "How many times it is played.")]
_Seed = Annotated[str, option("--seed", "Another seed plays with other dice; the same one plays the same.")]
_Exactly = Annotated[bool, option("--exact", "Write every chance as an exact fraction too.")]


def _option(name: str, annotated: Any) -> Any:
    kind, summary = get_args(annotated)
    declared = argument(summary, "FILE") if kind is Path else option("--" + name.replace("_", "-"), summary)
    return Annotated[kind, declared]


def _given(rulings: Sequence[str] | None) -> dict[str, str]:
    given: dict[str, str] = {}
    for ruling in rulings or ():
        name, equals, choice = ruling.partition("=")
        if not equals:
            raise OddsUnknown(f"a ruling is given as RULING=CHOICE, and {ruling!r} is not")
        given[name.strip()] = choice.strip()
    return given


def _told(cell: object, exact: bool) -> str:
    if not isinstance(cell, Fraction | Mean):
        return str(cell)
    number, short = (cell.number, str(cell)) if isinstance(cell, Mean) else (cell, percent(cell))
    return f"{short} = {number}" if exact else short


def _print(block: Block, exact: bool) -> None:
    match block:
        case str():
            say(block)
        case OddsTable():
            _print_table(block.head, [[_told(cell, exact) for cell in row] for row in block.rows])
        case Mapping():
            for (what, chance), told in zip(block.items(), percents(list(block.values())), strict=True):
                say(f"{_GAP}{what:<34}{told:>7}{f' = {chance}' if exact else ''}")
        case _:
            say("".join(_told(part, exact) for part in block))


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table, its columns flush right; as wide as it is, also where the terminal is narrower."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        say(_GAP + "   ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


ODDS_COMMANDS: Hook[typer.Typer] = Hook("loomtable.odds_commands")


class _Games(TyperGroup):
    """The questions of the games that are installed."""

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """Every game's questions, by its key."""
        return {
            name: typer.main.get_group_from_info(typer.models.TyperInfo(app, name=name), **_SHOWN)
            for name, app in ODDS_COMMANDS.load_all()
        }

    @commands.setter
    def commands(self, given: MutableMapping[str, Any]) -> None:
        """Nothing is given beforehand."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The questions of this game; one without any is no misspelling."""
        if GAMES.entry(cmd_name) and cmd_name not in self.commands:
            raise OddsUnknown(f"{cmd_name} has no odds; there are odds of {', '.join(self.commands)}")
        return super().get_command(ctx, cmd_name)


app = typer.Typer(
    cls=_Games,
    help="What the dice may bring: exactly, or played many times. Woven has no dice, and no odds.",
    rich_markup_mode=None,
)
app.callback(invoke_without_command=True)(show_help)
