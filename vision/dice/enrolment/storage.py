"""Files in which this machine keeps what it has learned of a person's own dice and coins."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeVar

import msgspec
import platformdirs

from loomtable.engine.kernel.errors import BadInput, ContentInvalid, FileUnreadable
from loomtable.engine.kernel.serialization import from_json

_NAME = re.compile(r"[\w][\w -]{0,39}")
_SUFFIX = ".json"
_Kept = TypeVar("_Kept", bound=msgspec.Struct)


class NothingToLearn(BadInput):
    """What was shown cannot be learned from; the message says why."""


def kept_folder() -> Path:
    """Where this machine keeps what belongs to a person."""
    return Path(platformdirs.user_data_dir("loomtable", appauthor=False))


def kept_file(name: str, kind: str, folder: Path | None = None) -> Path:
    """The file of one of them.

    Raises:
        NothingToLearn: the name cannot be kept.
    """
    if not _NAME.fullmatch(name):
        raise NothingToLearn(f"{name!r} is no name to keep; take letters, digits, blanks and hyphens, 40 at most")
    return (folder or kept_folder()) / kind / (re.sub(" +", "-", name.strip().lower()) + _SUFFIX)


def kept_files(kind: str, folder: Path | None = None) -> list[Path]:
    """The files of a kind, by name."""
    return sorted(((folder or kept_folder()) / kind).glob("*" + _SUFFIX))


def read_kept(file: Path, holds: type[_Kept]) -> _Kept:
    """What a file holds.

    Raises:
        ContentInvalid: it is damaged.
        FileUnreadable: it cannot be read.
    """
    try:
        return from_json(file.read_bytes(), holds)
    except msgspec.DecodeError as error:
        raise ContentInvalid(f"{file}: is damaged ({error}); forget it and show it again") from None
    except OSError as error:
        raise FileUnreadable(f"{file}: cannot be read ({error.strerror})") from None


def write_kept(file: Path, kept: msgspec.Struct) -> None:
    """Write beside the place and rename there, so that nobody finds half a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(".part")
    beside.write_bytes(msgspec.json.encode(kept))
    beside.replace(file)
