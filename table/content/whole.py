"""Everything that travels with Loomtable: all files of content, and what each game should have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.systems import SYSTEMS
from loomtable.table.content.sorts import game_contents


def shipped_content() -> list[Path]:
    """Every file of content, sorted."""
    return sorted(package_file("templates").rglob("*.yaml"))


def shortfalls() -> list[str]:
    """A sentence for everything that a game should have and has not."""
    try:
        return [*(shortfall for content in game_contents() for shortfall in content.shortfalls()), *_undeclared()]
    except LoomtableError as error:  # a file that cannot be read is found by its own check too
        return [str(error)]


def _undeclared() -> Iterator[str]:
    shown = [system.presentation for system in SYSTEMS.values()]
    declared = {path for game in shown for path in (game.quick_start, *game.ready_evenings)}
    for folder in ("quick_starts", "ready_evenings"):
        for path in sorted(package_file("templates", folder).glob("*.yaml")):
            if path not in declared:
                yield f"{folder}/{path.name}: no game declares it"
