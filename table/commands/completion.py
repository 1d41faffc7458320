"""What the shell offers when Tab is pressed: names of games, sessions, playsets, components, cameras and the like.

Nothing is imported before it is asked for, and what cannot be looked up offers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from importlib import import_module
from typing import Any

import typer

from loomtable.engine.kernel.errors import LoomtableError

Offers = Callable[[typer.Context, str], list[str]]


def _completes(names: Callable[[typer.Context], Iterable[str]]) -> Offers:
    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            return [name for name in names(ctx) if name.startswith(incomplete)]
        except LoomtableError:  # a shell that is about to complete a word is no place for an error
            return []

    return complete


def values_of(module: str, name: str) -> Offers:
    """The names in a table, or the values of an enumeration, of one of our modules."""

    def named(_: typer.Context) -> Iterable[str]:
        found: Mapping[str, Any] | type[Enum] = getattr(import_module(f"loomtable.{module}"), name)
        return [str(member.value) for member in found] if isinstance(found, type) else found

    return _completes(named)


def _games(_: typer.Context) -> Iterable[str]:
    from loomtable.engine.systems import GAMES

    return GAMES.games()


def _sessions(ctx: typer.Context) -> Iterable[str]:
    from pathlib import Path

    from loomtable.table.settings import setting, usual_store
    from loomtable.table.store import is_file, open_store

    kept = ctx.params.get("store") or setting("store") or usual_store()
    if is_file(kept) and not Path(kept).is_file():
        return ()
    with open_store(kept) as store:
        return store.sessions()


def _playsets(_: typer.Context) -> Iterable[str]:
    from loomtable.table.reading.card_trial import card_steps

    return (name for steps in card_steps() for name in steps.playsets())


def _scan_steps(_: typer.Context) -> Iterable[str]:
    from loomtable.table.reading.card_trial import card_steps

    return (name for steps in card_steps() for name in steps.names)


def _components(_: typer.Context) -> Iterable[str]:
    from loomtable.printkit.catalogue import components, kits

    return (*kits(), *components())


def _shops_and_screens(_: typer.Context) -> Iterable[str]:
    from loomtable.printkit.shops import SHOPS
    from loomtable.table.commands.print_conflicts import SCREENS

    return (*SHOPS, *SCREENS)


def _printers(_: typer.Context) -> Iterable[str]:
    from loomtable.printkit.sheet.printer import printer_names

    return printer_names()


def _cameras(_: typer.Context) -> Iterable[str]:
    from loomtable.vision.camera import cameras

    return (str(camera.number) for camera in cameras())


def _settings(_: typer.Context) -> Iterable[str]:
    from loomtable.engine.systems import SYSTEMS
    from loomtable.table.settings import CHECKS

    return (*CHECKS, *(f"{key}.{ruling}" for key, system in SYSTEMS.items() for ruling in system.rulings))


def _setting_values(ctx: typer.Context) -> Iterable[str]:
    name = str(ctx.params.get("name") or "")
    game, dot, ruling = name.partition(".")
    if dot:
        from loomtable.engine.systems import SYSTEMS

        return (choice.key for choice in SYSTEMS[game].rulings[ruling].choices)
    if name == "colour":
        return ("auto", "always", "never")
    known = {"camera": cameras, "paper": papers, "printer": printers}.get(name)
    return known(ctx, "") if known else ()


games = _completes(_games)
sessions = _completes(_sessions)
playsets = _completes(_playsets)
scan_steps = _completes(_scan_steps)
components = _completes(_components)
printers = _completes(_printers)
cameras = _completes(_cameras)
settings_names = _completes(_settings)
settings_values = _completes(_setting_values)
profiles = values_of("table.commands.printing", "PROFILES")
papers = values_of("printkit.sheet.papers", "PAPERS")
card_sizes = values_of("printkit.sheet.papers", "CARD_SIZES")
sleeves = values_of("printkit.sheet.papers", "SLEEVES")
sides = values_of("printkit.sheet.grid", "DuplexMode")
spacings = values_of("printkit.sheet.imposition", "Spacing")
marks = values_of("printkit.sheet.marks", "CropMarks")
marked_sides = values_of("printkit.sheet.marks", "MarkedSides")
shops_and_screens = _completes(_shops_and_screens)
cut_formats = values_of("printkit.sheet.cutting", "CUT_FORMATS")
label_sheets = values_of("printkit.sheet.labels", "SHEETS")
styles = values_of("printkit.draw.palette", "Style")
camera_kinds = values_of("printkit.draw.code_size", "CAMERAS")
