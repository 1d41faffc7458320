"""Where content lies, and reading it: what travels with Loomtable (decks, models), and what people have added."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType

import platformdirs

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.installation import again
from loomtable.engine.kernel.plugins import Hook, warn

PACKS: Hook[ModuleType] = Hook("loomtable.packs")
"""Packages of Python with content in them, laid out like ``templates``: playsets, adventures, maps, decks."""


def package_file(*parts: str) -> Path:
    """The path of a shipped file or folder, e.g. ``package_file("templates", "weave")``.

    They lie beside the packages, in a checkout as in an installed wheel.

    Raises:
        FileUnreadable: it is not there, so the installation is broken.
    """
    path = Path(__file__).parents[2].joinpath(*parts)
    if path.exists():
        return path
    raise FileUnreadable(f"{'/'.join(parts)} is missing from this installation; {again()}")


def shipped(*parts: str) -> tuple[str, str]:
    """A file's text and name, as parsers take them: ``parse_spells(*shipped("woven", "spells.yaml"))``."""
    return read_text(package_file("templates", *parts)), parts[-1]


def added_folders(*parts: str) -> list[Path]:
    """Where added content may be, such as ``("storm_weavers", "maps")``: first your own, then that of packs."""
    own = Path(platformdirs.user_data_dir("loomtable", appauthor=False), "content")
    return [folder.joinpath(*parts) for folder in (own, *filter(None, map(_folder_of, PACKS.games())))]


def added_file(given: Path, *folder: str) -> Path:
    """The file that is given, or the added one of this name: ``harbour``, for ``harbour.csv``."""
    added = (file for place in added_folders(*folder) for file in sorted(place.glob("*.*")))
    return given if given.is_file() else next((file for file in added if file.stem == str(given)), given)


@cache
def _folder_of(pack: str) -> Path | None:
    module, entry = PACKS.load(pack), PACKS.entry(pack)
    if module is not None and entry is not None and not hasattr(module, "__path__"):
        warn(entry, "it is one file and not a folder")
    return next(map(Path, getattr(module, "__path__", ())), None)


def read_text(path: Path) -> str:
    """The file's text (UTF-8), without the mark that some editors put before it.

    Raises:
        FileUnreadable: missing, a folder, no permission, or not UTF-8.
    """
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise FileUnreadable(f"{path}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise FileUnreadable(f"{path}: is not a UTF-8 text file (byte {error.start})") from None
    except OSError as error:
        raise FileUnreadable(f"{path}: cannot be read ({error.strerror})") from None
