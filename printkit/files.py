"""Writing files so that nobody ever finds half of one."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from loomtable.printkit.errors import PrintUnwritable


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the place, flush to the disk, rename; whatever fails, no partial file stays.

    On Linux what is being written has no name until it is whole: a run that is killed leaves nothing behind.

    Raises:
        PrintUnwritable: the folder or the file cannot be written.
    """
    beside = path.parent / f".{path.name}.{secrets.token_hex(4)}.part"
    try:
        make_folder(path.parent)
        try:
            if not _written_without_name(beside, content):
                with beside.open("wb") as file:
                    _fill(file, content)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise PrintUnwritable(f"{path}: cannot be written ({error.strerror}); choose another folder") from None


def write_all(files: Iterable[tuple[Path, bytes]]) -> None:
    """Write files that are made one after another: none is in its place before the last is made.

    Until then they are in one temporary file without a name, so that memory holds one at a time.

    Raises:
        PrintUnwritable: the folder of one, or the file, cannot be written; whatever making one raises.
    """
    try:
        with tempfile.TemporaryFile() as made:
            places = [(path, made.write(content)) for path, content in files]
            made.seek(0)
            for path, length in places:
                write_whole(path, made.read(length))
    except OSError as error:
        why = f"what is printed cannot be written there first ({error.strerror}); make room there"
        raise PrintUnwritable(f"{tempfile.gettempdir()}: {why}") from None


def make_folder(folder: Path) -> None:
    """Make a folder that is to be written into, where it is missing.

    Raises:
        PrintUnwritable: a file has its name, or that of a folder above it.
    """
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)


def check_folder(folder: Path) -> None:
    """Refuse what cannot be made a folder; nothing is made yet.

    Raises:
        PrintUnwritable: a file has its name, or that of a folder above it.
    """
    taken = next((place for place in (folder, *folder.parents) if place.exists() and not place.is_dir()), None)
    if taken:
        raise PrintUnwritable(f"{taken}: is a file, not a folder; name another folder")


def _fill(file: BinaryIO, content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def _written_without_name(path: Path, content: bytes) -> bool:
    """Write a file that gets its name at the end; ``False`` where the system or the folder has no such files."""
    if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").is_dir():
        return False
    try:
        handle = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:
        return False  # whatever else is wrong with the folder, writing in the plain way meets it too
    with os.fdopen(handle, "wb") as file:
        _fill(file, content)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:  # told the folder by its handle, Python follows the link to the open file
            os.link(f"/proc/self/fd/{handle}", path.name, dst_dir_fd=folder, follow_symlinks=True)
        except OSError:
            return False
        finally:
            os.close(folder)
    return True
