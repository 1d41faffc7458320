"""``loom doctor``: what this machine has, what is missing, and what to do about it."""

from __future__ import annotations

import platform
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from engine.kernel.errors import LoomtableError
from table.commands.output import AsJson, say, write_json

OLDEST_PYTHON = (3, 11)
TROUBLE = 1
_LIBRARIES = (
    "loomtable",
    "opencv-python-headless",
    "zxing-cpp",
    "onnxruntime",
    "reportlab",
    "pypdfium2",
    "numpy",
    "msgspec",
    "sqlalchemy",
    "starlette",
    "uvicorn",
    "cryptography",
)


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at; where it is not ``ok``, ``says`` what to do. Trouble only where ``needed``."""

    what: str
    ok: bool
    says: str
    needed: bool = True


def doctor(as_json: AsJson = False) -> int:
    """Look at cameras, models, fonts, decks and versions, and say what is missing."""
    checks: tuple[Callable[[], list[Finding]], ...] = (
        _python,
        _libraries,
        _fonts,
        _content,
        _models,
        _cameras,
        _storage,
    )
    findings = [finding for check in checks for finding in check()]
    if as_json:
        write_json(findings)
    else:
        for finding in findings:
            mark = "ok  " if finding.ok else "MISS" if finding.needed else "note"
            say(f"{mark}  {finding.what:<24} {finding.says}")
    return TROUBLE if any(f.needed and not f.ok for f in findings) else 0


def _python() -> list[Finding]:
    ok = sys.version_info >= OLDEST_PYTHON
    says = platform.python_version() + ("" if ok else "; install Python 3.11 or later")
    return [Finding("Python", ok, f"{says}, {platform.system()} {platform.machine()}")]


def _libraries() -> list[Finding]:
    findings: list[Finding] = []
    for name in _LIBRARIES:
        try:
            findings.append(Finding(name, True, version(name)))
        except PackageNotFoundError:
            findings.append(Finding(name, False, "is not installed; install loomtable again"))
    return findings


def _fonts() -> list[Finding]:
    from printkit.draw.type import Face, face_name

    try:
        return [Finding("fonts", True, ", ".join(face_name(face) for face in Face))]
    except LoomtableError as error:
        return [Finding("fonts", False, str(error))]


def _content() -> list[Finding]:
    from engine.weave.decks import challenge_deck, story_deck
    from engine.weave.playset import playset, playset_names

    try:
        cards = f"{len(story_deck())} Story cards, {len(challenge_deck())} Challenge cards"
        titles = [playset(name).title for name in playset_names()]
    except LoomtableError as error:
        return [Finding("decks and playsets", False, str(error))]
    return [Finding("decks and playsets", True, f"{cards}; playsets: {', '.join(titles)}")]


def _models() -> list[Finding]:
    from engine.kernel.shipped import shipped

    try:
        models = sorted(path.name for path in shipped("models").glob("*.onnx"))
    except LoomtableError as error:
        return [Finding("models", False, str(error))]
    says = ", ".join(models) or "none learned yet; dice are read by their pips alone"
    return [Finding("models", bool(models), says, needed=False)]


def _cameras() -> list[Finding]:
    from vision.camera import cameras

    found = cameras()
    if not found:
        says = "none found; plug in a webcam, use a phone by its address, or pictures and typed dice"
        return [Finding("cameras", False, says, needed=False)]
    return [_camera(c.number, c.name) for c in found]


def _camera(number: int, name: str) -> Finding:
    """Whether a camera that is plugged in really gives a picture."""
    from vision.camera import CameraDevice
    from vision.camera_modes import FAST_ENOUGH

    try:
        with CameraDevice(number) as camera:
            mode = camera.mode if camera.read() is not None else None
    except LoomtableError as error:
        says = f"{name}: {error}; close other programs that use it, and see that you may use /dev/video{number}"
        return Finding(f"camera {number}", False, says, needed=False)
    slow = mode is not None and 0 < mode.frames_a_second < FAST_ENOUGH
    more = "; few pictures a second: give it more light, or another plug" if slow else ""
    return Finding(f"camera {number}", True, f"{name}, {mode}{more}", needed=False)


def _storage() -> list[Finding]:
    findings = [Finding("SQLite", sqlite3.sqlite_version_info >= (3, 37), sqlite3.sqlite_version)]
    folder = Path("output")
    try:
        with tempfile.NamedTemporaryFile(dir=folder if folder.is_dir() else Path()):
            pass
        findings.append(Finding("output folder", True, f"{folder.resolve()} can be written"))
    except OSError as error:
        says = f"{folder.resolve()} cannot be written ({error.strerror}); give another with --output"
        findings.append(Finding("output folder", False, says, needed=False))
    return findings
