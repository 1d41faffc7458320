"""What is installed beside the program and registers itself: entry points of Python packages, one group a kind.

A game stands in the group ``loomtable.games``; its screen, odds, theme, content and the like stand under the same
name in groups of their own. Ours are registered in ``pyproject.toml`` exactly as a stranger's are.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

GAMES = "loomtable.games"
SCREENS = "loomtable.screens"
ODDS = "loomtable.odds"
ODDS_COMMANDS = "loomtable.odds_commands"
THEMES = "loomtable.themes"
PRINTED = "loomtable.printed"
CONTENT = "loomtable.content"
CARD_STEPS = "loomtable.card_steps"

_LOG = logging.getLogger(__name__)
_third_party = True


@cache
def registered(group: str) -> Mapping[str, EntryPoint]:
    """Everything that is registered in a group, sorted by name.

    Of two of one name ours counts, or else the one that is found first, and a warning names both.
    """
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=group), key=_ours_first):
        if not (_third_party or _is_ours(entry)):
            continue
        if entry.name in found and entry.value != found[entry.name].value:
            _LOG.warning(
                "%s: both %s and %s are registered as %r; the first one counts, uninstall one of them",
                group,
                *(_origin(point) for point in (found[entry.name], entry)),
                entry.name,
            )
        found.setdefault(entry.name, entry)
    return found


def ignore_third_party() -> None:
    """Let only what is ours count from here on: our documents and tests are about that, whatever is installed."""
    global _third_party
    _third_party = False
    registered.cache_clear()
    loaded.cache_clear()


@cache
def loaded(group: str, name: str) -> Any | None:
    """What is registered under a name; ``None`` where nothing is, or where it cannot be imported.

    What cannot be imported is one warning: a stranger's package never keeps the program from starting.
    """
    entry = registered(group).get(name)
    if entry is None:
        return None
    try:
        return entry.load()
    except Exception as error:  # noqa: BLE001 - whatever a stranger's module raises while it is imported
        warn(entry, f"{type(error).__name__}: {error}")
        return None


def _ours_first(entry: EntryPoint) -> tuple[str, bool]:
    return entry.name, not _is_ours(entry)


def _is_ours(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == "loomtable"


def warn(entry: EntryPoint, why: str) -> None:
    """Say in one sentence that something registered is left out."""
    _LOG.warning("%s cannot be used and is left out (%s); update or uninstall it", _origin(entry), why)


def _origin(entry: EntryPoint) -> str:
    package = f" of the package {entry.dist.name}" if entry.dist is not None else ""
    return f"{entry.value}{package}"
