"""Models are held against the checksums that training writes beside them: one changed weight reads otherwise."""

from __future__ import annotations

import hashlib
from pathlib import Path

from loomtable.engine.kernel.installation import again
from loomtable.vision.network import ModelBroken

SUMS = "SHA256SUMS"
"""The file of checksums, as ``sha256sum`` writes and checks it."""


def check_sums(*files: Path) -> None:
    """Hold files of a folder against its checksums, where it has any: those in training have none yet.

    Raises:
        ModelBroken: a file is not the one that was measured.
    """
    for file in files:
        kept = file.with_name(SUMS)
        if kept.exists() and file.exists() and _line(file) not in kept.read_text("utf-8", "replace").splitlines():
            raise ModelBroken(
                f"{file}: is damaged, or another file than the one that was measured ({SUMS} beside it); {again()}"
            )


def write_sums(folder: Path) -> None:
    """Write the checksums of all models in a folder, and of their calibration."""
    files = sorted([*folder.glob("*.onnx"), *folder.glob("*.json")])
    folder.joinpath(SUMS).write_text("".join(f"{_line(file)}\n" for file in files), "utf-8")


def renew_sums(folder: Path) -> None:
    """After a file in it has changed: the same, in a folder that has checksums."""
    if folder.joinpath(SUMS).exists():
        write_sums(folder)


def _line(file: Path) -> str:
    return f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}"
