"""Where content lies, and reading it: what travels with Loomtable (decks, models), and what people have added."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.installation import again


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


def own_folder(*parts: str) -> Path:
    """The folder for content of your own, e.g. ``own_folder("storm_weavers", "maps")``; it may not exist yet."""
    return Path(platformdirs.user_data_dir("loomtable", appauthor=False)).joinpath("content", *parts)


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
