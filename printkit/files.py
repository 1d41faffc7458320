"""Writing files so that nobody ever finds half of one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from printkit.errors import PrintUnwritable


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the place, flush to the disk, rename; whatever fails, no partial file stays.

    Raises:
        PrintUnwritable: the folder or the file cannot be written.
    """
    beside = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(0o666 & ~_umask())
        Path(beside).replace(path)
    except OSError as error:
        raise PrintUnwritable(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        if beside:
            Path(beside).unlink(missing_ok=True)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
