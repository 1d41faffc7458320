"""What is installed beside the program and registers itself: entry points of Python packages, one group a hook.

A game stands in the group ``loomtable.games``; its screen, odds, theme, content and the like stand under the same
name in groups of their own. Ours are registered in ``pyproject.toml`` exactly as a stranger's are. Each hook is
declared beside what calls it, with the type of what is registered there; ``docs/extending.md`` lists them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_third_party = True


@dataclass(frozen=True)
class Hook(Generic[T]):
    """A place where games extend the program: what they register in one ``group``, each under its key."""

    group: str

    def games(self) -> Iterator[str]:
        """The games that have registered something, sorted."""
        return iter(_registered(self.group))

    def entry(self, key: str) -> EntryPoint | None:
        """Where something is registered under a key, not imported."""
        return _registered(self.group).get(key)

    def load(self, key: str) -> T | None:
        """What is registered under a key; ``None`` where nothing is, or where it cannot be imported."""
        found: T | None = _loaded(self.group, key)
        return found

    def load_all(self) -> Iterator[tuple[str, T]]:
        """All that is registered and can be imported, by key."""
        return ((key, found) for key in self.games() if (found := self.load(key)) is not None)


@cache
def _registered(group: str) -> Mapping[str, EntryPoint]:
    """Everything that is registered in a group, sorted by name.

    Of two of one name ours counts, or else the one that is found first, and a warning names both.
    """
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: (entry.name, not _is_ours(entry))):
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
    _registered.cache_clear()
    _loaded.cache_clear()


@cache
def _loaded(group: str, name: str) -> Any | None:
    """What is registered under a name; ``None`` where nothing is, or where it cannot be imported.

    What cannot be imported is one warning: a stranger's package never keeps the program from starting.
    """
    entry = _registered(group).get(name)
    if entry is None:
        return None
    try:
        return entry.load()
    except Exception as error:  # noqa: BLE001 - whatever a stranger's module raises while it is imported
        warn(entry, f"{type(error).__name__}: {error}")
        return None


def _is_ours(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == "loomtable"


def warn(entry: EntryPoint, why: str) -> None:
    """Say in one sentence that something registered is left out."""
    _LOG.warning("%s cannot be used and is left out (%s); update or uninstall it", _origin(entry), why)


def _origin(entry: EntryPoint) -> str:
    package = f" of the package {entry.dist.name}" if entry.dist is not None else ""
    return f"{entry.value}{package}"
