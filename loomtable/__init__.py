"""Loomtable prints the kit of a story game, reads its dice and cards from a camera, and resolves every roll.

These names are public: they keep their place within a major version, and each has an example in its docstring.
They are imported at first use, so ``import loomtable`` costs nothing. Everything else may change in any version.

=============  ==========================================================================================
play           ``Session``, ``SYSTEMS``, ``begun_ready``, ``Die``, ``rolled``, ``reading_of``, ``open_store``
odds           ``odds_before``
read           ``read_picture``, ``read_dice``, ``scan_cards``, ``Verdict``
print          ``print_kit``, ``PrintSettings``, ``paper_named``
refusals       ``LoomtableError``: one sentence that says what, where, and what to do
=============  ==========================================================================================

A game of your own is written with ``loomtable.game`` and ``loomtable.panels``, and tested with
``loomtable.testing``, which has a virtual table with hands. They are public too.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loomtable.engine.kernel.dice import Die
    from loomtable.engine.kernel.errors import LoomtableError
    from loomtable.engine.kernel.readings import rolled
    from loomtable.engine.kernel.session import Session
    from loomtable.engine.odds.before import odds_before
    from loomtable.engine.ready_evening import begun_ready
    from loomtable.engine.systems import SYSTEMS
    from loomtable.printkit.kit import PrintSettings, print_kit
    from loomtable.printkit.sheet.papers import paper_named
    from loomtable.table.reading.typed import reading_of
    from loomtable.table.store import open_store
    from loomtable.vision.cards import scan_cards
    from loomtable.vision.dice import read_dice
    from loomtable.vision.pictures import read_picture
    from loomtable.vision.verdict import Verdict

    __version__: str

__all__ = [
    "SYSTEMS",
    "Die",
    "LoomtableError",
    "PrintSettings",
    "Session",
    "Verdict",
    "__version__",
    "begun_ready",
    "odds_before",
    "open_store",
    "paper_named",
    "print_kit",
    "read_dice",
    "read_picture",
    "reading_of",
    "rolled",
    "scan_cards",
]

_HOMES = {
    "Die": "engine.kernel.dice",
    "LoomtableError": "engine.kernel.errors",
    "rolled": "engine.kernel.readings",
    "Session": "engine.kernel.session",
    "begun_ready": "engine.ready_evening",
    "odds_before": "engine.odds.before",
    "reading_of": "table.reading.typed",
    "SYSTEMS": "engine.systems",
    "PrintSettings": "printkit.kit",
    "paper_named": "printkit.sheet.papers",
    "print_kit": "printkit.kit",
    "open_store": "table.store",
    "scan_cards": "vision.cards",
    "read_dice": "vision.dice",
    "read_picture": "vision.pictures",
    "Verdict": "vision.verdict",
}

if not (Path(__file__).parent / "engine").is_dir():  # a checkout where links cannot be made, as on some Windows
    __path__.append(str(Path(__file__).resolve().parent.parent))


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from loomtable.engine.kernel.installation import version

        return version()
    if name not in _HOMES:
        raise AttributeError(f"module 'loomtable' has no attribute {name!r}")
    return getattr(importlib.import_module(f"loomtable.{_HOMES[name]}"), name)
