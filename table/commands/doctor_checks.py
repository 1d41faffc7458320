"""What ``loom doctor`` looks at: what was installed, cameras, printers, folders, sessions, ports, network."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import socket
import sqlite3
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import msgspec

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.installation import EXTRAS, again, install_line

OLDEST_PYTHON = (3, 11)
_NATIVE = {
    "cv2": "opencv-python-headless",
    "loomtable.vision.onnx_runtime": "onnxruntime",
    "zxingcpp": "zxing-cpp",
}
"""Libraries in native code, by the name they are imported by: these can be there and still not work."""
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*?>=\s*([0-9][0-9a-z.]*)[^;]*$")
OUTPUT = Path("output")
LEAST_FREE = 200_000_000
"""Bytes of free disk from which an evening with its prints has room."""
OLDEST_SQLITE = (3, 37)


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at; where it is not ``ok``, ``says`` what to do. Trouble only where ``needed``."""

    what: str
    ok: bool
    says: str
    needed: bool = True

    @property
    def mark(self) -> str:
        """What its line begins with."""
        return "ok  " if self.ok else "MISS" if self.needed else "note"


def check_all(store: str, port: int) -> Iterator[Finding]:
    """Everything, for a table with this store at this port."""
    yield _python()
    yield from _libraries()
    yield _fonts()
    yield _content()
    yield _models()
    yield from _cameras()
    yield from _own_dice()
    yield from _printers()
    yield from _folders()
    yield _settings()
    yield _disk()
    yield _sqlite()
    yield _store(store)
    yield from _ports(port)
    yield _certificate()
    yield _network()
    yield _browser()
    yield _terminal()


def _python() -> Finding:
    ok = sys.version_info >= OLDEST_PYTHON
    detail = platform.python_version() + ("" if ok else "; install Python 3.11 or later")
    return Finding("Python", ok, f"{detail}, {platform.system()} {platform.machine()}")


def _libraries() -> Iterator[Finding]:
    """Each library that is missing, too old or broken; where all is well, how many there are."""
    try:
        named = [("loomtable", ""), *required()]
    except PackageNotFoundError:
        yield Finding("loomtable", False, f"is not installed; {again()}")
        return
    troubles: list[Finding] = []
    for name, least in named:
        try:
            there = version(name)
        except PackageNotFoundError:
            troubles.append(Finding(name, False, f"is not installed; {again()}"))
            continue
        if _numbers(there) < _numbers(least):
            troubles.append(Finding(name, False, f"{there} is older than {least}; {again()}"))
    troubles += _native()
    yield from troubles
    if not troubles:
        yield Finding("libraries", True, f"all {len(named)} work; --report FILE lists their versions")
    if missing := [extra for extra, module in EXTRAS.items() if importlib.util.find_spec(module) is None]:
        yield Finding("extras", True, f"without {', '.join(missing)}; to add one: {install_line(missing[0])}")


def required() -> list[tuple[str, str]]:
    """What loomtable needs without any extra: each name, and the least version."""
    plain = [line for line in requires("loomtable") or [] if "extra ==" not in line]
    return [(match[1], match[2]) for line in plain if (match := _REQUIREMENT.match(line))]


def _numbers(named: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", named)[:3])


def _native() -> Iterator[Finding]:
    try:
        both = version("opencv-python")
    except PackageNotFoundError:
        both = ""
    if both:
        detail = "overwrites opencv-python-headless, which is used here: pip uninstall opencv-python, then"
        yield Finding("opencv-python", False, f"{both} {detail} {again()}", needed=False)
    for module, name in _NATIVE.items():
        try:
            importlib.import_module(module)
        except ImportError as error:
            yield Finding(name, False, f"cannot be loaded ({str(error).splitlines()[0]}); {again()}")


def _fonts() -> Finding:
    from loomtable.printkit.draw.type import Font, face_name

    try:
        return Finding("fonts", True, ", ".join(face_name(face) for face in Font))
    except LoomtableError as error:
        return Finding("fonts", False, str(error))


def _content() -> Finding:
    from loomtable.table.content.sorts import game_contents

    try:
        has = [content.summary() for content in game_contents() if content.summary is not None]
    except LoomtableError as error:
        return Finding("decks and playsets", False, str(error))
    return Finding("decks and playsets", True, "; ".join(has))


def _models() -> Finding:
    """The networks, really loaded: a file that was cut short is found here and not at the table."""
    from loomtable.engine.kernel.package_data import package_file

    try:
        from loomtable.vision.dice.networks import load_models

        folder = package_file("models")
        loaded = load_models(folder)
    except LoomtableError as error:
        return Finding("models", False, str(error), needed=False)
    except ImportError as error:
        return Finding("models", False, f"cannot be loaded ({error})", needed=False)
    names = ", ".join(sorted(path.name for path in folder.glob("*.onnx")))
    detail = names if loaded else "none; dice are typed"
    return Finding("models", loaded is not None, detail, needed=False)


def _cameras() -> Iterator[Finding]:
    try:
        from loomtable.vision.camera import cameras
    except ImportError:  # told with the libraries
        return
    found = cameras()
    if not found:
        detail = "none found; plug in a webcam, use a phone by its address, or pictures and typed dice"
        yield Finding("cameras", False, detail, needed=False)
    for camera in found:
        yield _camera(camera.number, camera.name)


def _camera(number: int, name: str) -> Finding:
    """Whether a camera that is plugged in really gives a picture."""
    from loomtable.vision.camera import CameraDevice
    from loomtable.vision.camera_modes import FAST_ENOUGH

    device = Path(f"/dev/video{number}")
    if device.exists() and not os.access(device, os.R_OK | os.W_OK):
        detail = f"{name}: you may not use {device}; sudo usermod -aG video $USER, and log in again"
        return Finding(f"camera {number}", False, detail, needed=False)
    try:
        with CameraDevice(number) as camera:
            mode = camera.mode if camera.read() is not None else None
    except LoomtableError as error:
        detail = f"{name}: {error}; close other programs that use it, or plug it in again"
        return Finding(f"camera {number}", False, detail, needed=False)
    if mode is None:
        detail = f"{name} gives no picture; close other programs that use it, or plug it in again"
        return Finding(f"camera {number}", False, detail, needed=False)
    slow = 0 < mode.frames_a_second < FAST_ENOUGH
    more = "; few pictures a second: give it more light, or another plug" if slow else ""
    return Finding(f"camera {number}", True, f"{name}, {mode}{more}", needed=False)


def _own_dice() -> Iterator[Finding]:
    try:
        from loomtable.vision.dice.enrolment.rolls import own_dice

        own_dice()
    except ImportError:
        return
    except LoomtableError as error:
        yield Finding("dice of your own", False, f"{error}", needed=False)


def _printers() -> Iterator[Finding]:
    from loomtable.printkit.sheet.printer import printer_named, printer_names

    names = printer_names()
    if not names:
        detail = "no profile yet; needed only if backs do not match their fronts: loom calibrate printer"
        yield Finding("printers", True, detail, needed=False)
    for name in names:
        try:
            printer_named(name)
        except LoomtableError as error:
            yield Finding(f"printer {name}", False, str(error), needed=False)
        else:
            yield Finding(f"printer {name}", True, f"use it with: loom print --printer {name!r} ...", needed=False)


def _folders() -> Iterator[Finding]:
    from loomtable.printkit.sheet.printer import printers_folder
    from loomtable.table.hosting.host import table_folder

    kinds = (
        ("output folder", OUTPUT, "give another with --output, or begin in a folder of your own"),
        ("table's folder", table_folder(), "make it writable: joined phones and the certificate are kept there"),
        ("printers' folder", printers_folder(), "make it writable: printer profiles are kept there"),
    )
    for what, folder, remedy in kinds:
        trouble = _unwritable(folder)
        detail = (
            f"{folder.absolute()} cannot be written ({trouble}); {remedy}" if trouble else str(folder.absolute())
        )
        yield Finding(what, not trouble, detail, needed=False)


def _unwritable(folder: Path) -> str:
    """Why nothing can be written into a folder, or where it is to be made; empty where it can."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    try:
        with tempfile.NamedTemporaryFile(dir=there):
            return ""
    except OSError as error:
        return error.strerror or str(error)


def _settings() -> Finding:
    """Which settings differ from the usual; an address of a camera may hold a password, so no values."""
    from loomtable.table.settings import read_settings, settings_file

    names = ", ".join(read_settings()) or "all at their defaults"
    return Finding("settings", True, f"{settings_file()}: {names}", needed=False)


def _disk() -> Finding:
    free = shutil.disk_usage(OUTPUT if OUTPUT.is_dir() else Path()).free
    enough = free >= LEAST_FREE
    return Finding("disk", enough, f"{free / 1e9:.1f} GB free{'' if enough else '; make room'}", needed=False)


def _sqlite() -> Finding:
    ok = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    more = "" if ok else "; 3.37 or later is needed: install a newer Python"
    return Finding("SQLite", ok, sqlite3.sqlite_version + more)


def _store(where: str) -> Finding:
    """Whether the sessions can be opened, and written on; a store that is not there is not made."""
    from loomtable.table.store import is_file, open_store

    if is_file(where) and not Path(where).exists():
        trouble = _unwritable(Path(where).parent)
        detail = (
            f"{where} cannot be made ({trouble}); name another with --store" if trouble else f"{where}: none yet"
        )
        return Finding("sessions", not trouble, detail)
    if is_file(where) and not os.access(where, os.W_OK):
        return Finding("sessions", False, f"{where} is read-only; make it writable, or name another with --store")
    try:
        with open_store(where) as store:
            if damaged := store.damage():
                return Finding("sessions", False, f"{'; '.join(damaged)}; the others can be played")
            count = len(store.sessions())
            return Finding("sessions", True, f"{store.title}: {count} {'session' if count == 1 else 'sessions'}")
    except LoomtableError as error:
        return Finding("sessions", False, f"{error}; name another with --store, or take your last copy")


def _ports(port: int) -> Iterator[Finding]:
    for number, what in ((port, "the page"), (port + 1, "phones over HTTPS")):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", number))
            except OSError as error:
                detail = f"taken ({error.strerror}): a table is open already, or take another with --port"
                yield Finding(f"port {number}", False, detail, needed=False)
            else:
                yield Finding(f"port {number}", True, f"free, for {what}", needed=False)


def _certificate() -> Finding:
    """Whether a certificate can be made here at all; the table's own is left alone."""
    from loomtable.table.hosting.addresses import LOOPBACK
    from loomtable.table.hosting.certificates import certificate_for, server_context

    try:
        with tempfile.TemporaryDirectory() as scratch:
            server_context(certificate_for(LOOPBACK, Path(scratch)))
    except (LoomtableError, OSError, ValueError) as error:
        detail = f"cannot be made ({error}); phones can join with photographs over HTTP"
        return Finding("certificate", False, detail, needed=False)
    return Finding("certificate", True, "can be made; phones warn once and go on", needed=False)


def _network() -> Finding:
    from loomtable.table.hosting.addresses import network_addresses

    found = network_addresses()
    if found:
        return Finding("network", True, f"phones find this machine at {', '.join(found)}", needed=False)
    detail = "this machine has no address at home; join the phones' network before loom table --lan"
    return Finding("network", False, detail, needed=False)


def _browser() -> Finding:
    try:
        webbrowser.get()
    except webbrowser.Error:
        detail = "none opens by itself here; open the address that loom table prints"
        return Finding("browser", False, detail, needed=False)
    return Finding("browser", True, "opens by itself", needed=False)


def _terminal() -> Finding:
    told = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    if told in ("utf8", "cp65001"):
        return Finding("terminal", True, "UTF-8 works", needed=False)
    detail = f"writes {told or 'nothing known'}, not UTF-8: set PYTHONUTF8=1, or some letters are lost"
    return Finding("terminal", False, detail, needed=False)
