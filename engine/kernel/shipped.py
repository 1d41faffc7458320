"""Where the files that travel with Loomtable lie: decks, playsets, models."""

from __future__ import annotations

from pathlib import Path

from engine.kernel.errors import FileUnreadable


def shipped(*parts: str) -> Path:
    """The path of a shipped file or folder, e.g. ``shipped("templates", "weave")``.

    In an installed wheel they lie in ``loomtable/`` beside the packages, in a checkout at its top.

    Raises:
        FileUnreadable: it is not there, so the installation is broken.
    """
    home = Path(__file__).resolve().parents[2]
    for place in (home / "loomtable", home):
        path = place.joinpath(*parts)
        if path.exists():
            return path
    raise FileUnreadable(f"{'/'.join(parts)} is missing from this installation; install loomtable again")
