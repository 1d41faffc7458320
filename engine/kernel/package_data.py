"""Where content lies: what travels with Loomtable (decks, playsets, models), and what people have added."""

from __future__ import annotations

from pathlib import Path

import platformdirs

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


def own_folder(*parts: str) -> Path:
    """The folder for content of your own, e.g. ``own_folder("storm_weavers", "maps")``; it may not exist yet."""
    return Path(platformdirs.user_data_dir("loomtable", appauthor=False)).joinpath("content", *parts)
