"""``loom doctor``: what this machine has, what is missing, and what to do about it."""

from __future__ import annotations

import importlib
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import chain
from pathlib import Path
from typing import Annotated

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands.doctor_machine import Finding, machine
from loomtable.table.commands.options import option
from loomtable.table.commands.output import DEFAULT_STORE, AsJson, StoreAt, each, say, write_json
from loomtable.table.commands.table import PORT

OLDEST_PYTHON = (3, 11)
TROUBLE = 1
_AGAIN = "install loomtable again: pip install --force-reinstall loomtable"
_NATIVE = {
    "cv2": "opencv-python-headless",
    "loomtable.vision.onnx_runtime": "onnxruntime",
    "zxingcpp": "zxing-cpp",
}
"""Libraries in native code, by the name they are imported by: these can be there and still not work."""
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*?>=\s*([0-9][0-9a-z.]*)[^;]*$")


def doctor(
    store: StoreAt = DEFAULT_STORE,
    port: Annotated[int, option("--port", "Where the page would be served.", "N", min=1, max=65534)] = PORT,
    report: Annotated[
        Path | None, option("--report", "Write down what helps others to help, without names.", "FILE")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Look at everything that often gives trouble, and say what to do: one line for each thing."""
    findings = list(each("Checking", chain(_itself(), machine(store, port))))
    if report is not None:
        _write(report, findings, store)
    if as_json:
        write_json(findings)
        return _code(findings)
    for finding in findings:
        say(f"{finding.mark}  {finding.what:<18} {finding.says}")
    missing = sum(finding.needed and not finding.ok for finding in findings)
    say("", f"{missing} of these must be fixed first." if missing else "Everything required is in place.")
    if report is not None:
        say(f"{report}: written; read it through before you give it to somebody")
    return _code(findings)


def _write(file: Path, findings: list[Finding], store: str) -> None:
    from loomtable.printkit.files import write_whole
    from loomtable.table.commands.doctor_report import report

    try:
        needed = [name for name, _ in _required()]
    except PackageNotFoundError:  # told among the findings
        needed = []
    write_whole(file, report(findings, ["loomtable", *needed], store).encode())


def _code(findings: list[Finding]) -> int:
    return TROUBLE if any(f.needed and not f.ok for f in findings) else 0


def _itself() -> Iterator[Finding]:
    """What was installed, and what travels with it."""
    yield _python()
    yield from _libraries()
    yield _fonts()
    yield _content()
    yield _models()


def _python() -> Finding:
    ok = sys.version_info >= OLDEST_PYTHON
    says = platform.python_version() + ("" if ok else "; install Python 3.11 or later")
    return Finding("Python", ok, f"{says}, {platform.system()} {platform.machine()}")


def _libraries() -> Iterator[Finding]:
    """Each library that is missing, too old or broken; where all is well, one line with them all."""
    try:
        named = [("loomtable", ""), *_required()]
    except PackageNotFoundError:
        yield Finding("loomtable", False, "is not installed; in its folder: pip install --editable .")
        return
    found: list[str] = []
    troubles: list[Finding] = []
    for name, least in named:
        try:
            there = version(name)
        except PackageNotFoundError:
            troubles.append(Finding(name, False, f"is not installed; {_AGAIN}"))
            continue
        found.append(f"{name} {there}")
        if _numbers(there) < _numbers(least):
            troubles.append(Finding(name, False, f"{there} is older than {least}; {_AGAIN}"))
    troubles += _native()
    yield from troubles
    if not troubles:
        yield Finding("libraries", True, ", ".join(found))


def _required() -> list[tuple[str, str]]:
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
        says = "overwrites opencv-python-headless, which is used here: pip uninstall opencv-python, then"
        yield Finding("opencv-python", False, f"{both} {says} {_AGAIN}", needed=False)
    for module, name in _NATIVE.items():
        try:
            importlib.import_module(module)
        except ImportError as error:
            yield Finding(name, False, f"cannot be loaded ({str(error).splitlines()[0]}); {_AGAIN}")


def _fonts() -> Finding:
    from loomtable.printkit.draw.type import Face, face_name

    try:
        return Finding("fonts", True, ", ".join(face_name(face) for face in Face))
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
        return Finding("models", False, f"cannot be loaded ({error}); {_AGAIN}", needed=False)
    names = ", ".join(sorted(path.name for path in folder.glob("*.onnx")))
    says = names if loaded else "none; d6 are read by their pips alone, other dice are typed"
    return Finding("models", loaded is not None, says, needed=False)
