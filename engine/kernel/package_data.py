"""Where the files that travel with Loomtable lie: decks, playsets, models."""

from __future__ import annotations

from pathlib import Path

from loomtable.engine.kernel.errors import FileUnreadable


def package_file(*parts: str) -> Path:
    """The path of a shipped file or folder, e.g. ``package_file("templates", "weave")``.

    They lie beside the packages, in a checkout as in an installed wheel.

    Raises:
        FileUnreadable: it is not there, so the installation is broken.
    """
    path = Path(__file__).parents[2].joinpath(*parts)
    if path.exists():
        return path
    raise FileUnreadable(f"{'/'.join(parts)} is missing from this installation; install loomtable again")
