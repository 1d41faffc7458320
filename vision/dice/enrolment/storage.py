"""Files in which this machine keeps what it has learned of people's dice, and the switch for it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TypeVar

import msgspec
import platformdirs

from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable
from loomtable.engine.kernel.serialization import from_json

_SUFFIX = ".json"
_Kept = TypeVar("_Kept", bound=msgspec.Struct)


def kept_file(name: str, kind: str) -> Path:
    """Where this machine keeps something of a kind."""
    return Path(platformdirs.user_data_dir("loomtable", appauthor=False)) / kind / (name + _SUFFIX)


def kept_files(kind: str) -> list[Path]:
    """The files of a kind, by name."""
    return sorted(kept_file("", kind).parent.glob("*" + _SUFFIX))


def read_kept(file: Path, holds: type[_Kept]) -> _Kept:
    """What a file holds.

    Raises:
        ContentInvalid: it is damaged.
        FileUnreadable: it cannot be read.
    """
    try:
        return from_json(file.read_bytes(), holds)
    except msgspec.DecodeError as error:
        raise ContentInvalid(f"{file}: is damaged ({error}); loom dice --forget begins again") from None
    except OSError as error:
        raise FileUnreadable(f"{file}: cannot be read ({error.strerror})") from None


def write_kept(file: Path, kept: msgspec.Struct) -> None:
    """Write beside the place, each thread for itself, and rename there, so that nobody finds half a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(f".{threading.get_native_id()}.part")
    beside.write_bytes(msgspec.json.encode(kept))
    beside.replace(file)


def learns_from_rolls() -> bool:
    """Whether confirmed rolls are kept and used."""
    return not _switch().exists()


def learn_from_rolls(on: bool) -> None:
    """Switch it on or off; what is kept stays until it is forgotten."""
    if on:
        _switch().unlink(missing_ok=True)
    else:
        _switch().parent.mkdir(parents=True, exist_ok=True)
        _switch().touch()


def _switch() -> Path:
    return kept_file("", "confirmed").with_name("off")
