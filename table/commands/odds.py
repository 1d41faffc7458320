"""``loom odds``: exact probabilities of what the dice may bring; each game registers its own commands.

They stand under the game's key in the group ``loomtable.odds_commands``, each a ``typer.Typer``, and are imported
when one of them is wanted.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import typer
from typer.core import TyperGroup

from loomtable.engine.kernel.plugins import ODDS_COMMANDS, loaded, registered
from loomtable.table.commands.output import show_help


class _Games(TyperGroup):
    """The commands of the games that are installed."""

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """Every game's commands, by its key."""
        apps = {name: loaded(ODDS_COMMANDS, name) for name in registered(ODDS_COMMANDS)}
        return {
            name: typer.main.get_group_from_info(typer.models.TyperInfo(app, name=name), **_SHOWN)
            for name, app in apps.items()
            if app is not None
        }

    @commands.setter
    def commands(self, given: MutableMapping[str, Any]) -> None:
        """Nothing is given beforehand."""


_SHOWN: Any = {"pretty_exceptions_short": False, "rich_markup_mode": None, "suggest_commands": True}

app = typer.Typer(
    cls=_Games,
    help="Exact probabilities of what the dice may bring. Woven has no dice, and no odds.",
    rich_markup_mode=None,
)
app.callback(invoke_without_command=True)(show_help)
