"""Loomtable: prints the kit of a story game, reads dice and cards from a camera, and resolves the outcome.

What a program needs is named here; everything else is the house's own. The folders of the packages lie beside this
one in a checkout (``loomtable/engine`` is a link to ``engine/``), and within it in an installed wheel.
"""

from __future__ import annotations

from pathlib import Path

if not (Path(__file__).parent / "engine").is_dir():  # a checkout where links cannot be made, as on some Windows
    __path__.append(str(Path(__file__).resolve().parent.parent))
