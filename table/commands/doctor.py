"""``loom doctor``: what this machine has, what is missing, and what to do about it; written down without names."""

from __future__ import annotations

import contextlib
import getpass
import platform
import re
import socket
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

from loomtable.table.commands.doctor_checks import Finding, check_all, required
from loomtable.table.commands.logs import last_defects
from loomtable.table.commands.options import option
from loomtable.table.commands.output import DEFAULT_STORE, AsJson, StoreAt, each, say, write_json
from loomtable.table.commands.table import PORT

TROUBLE = 1
_OPENING = (
    "Made by loom doctor --report {day}, to go with a question about Loomtable.",
    "Names and addresses of this machine, its user, printers, dice and sessions are left out, as far as a program",
    "knows them. Read it through before you give it to somebody.",
)


def doctor(
    store: StoreAt = DEFAULT_STORE,
    port: Annotated[int, option("--port", "The port the page would use.", "N", min=1, max=65534)] = PORT,
    report: Annotated[
        Path | None, option("--report", "Write a report to send when you ask for help, without names.", "FILE")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check for common problems, and say what to do: one line for each check."""
    findings = list(each("Checking", check_all(store, port)))
    if report is not None:
        from loomtable.printkit.files import write_whole

        write_whole(report, report_of(findings, store).encode())
    if as_json:
        write_json(findings)
        return _code(findings)
    for finding in findings:
        say(f"{finding.mark}  {finding.what:<18} {finding.says}")
    missing = sum(finding.needed and not finding.ok for finding in findings)
    say("", f"{missing} of these must be fixed first." if missing else "Everything required is in place.")
    if report is not None:
        say(f"{report}: written; read it before you share it")
    return _code(findings)


def _code(findings: list[Finding]) -> int:
    return TROUBLE if any(f.needed and not f.ok for f in findings) else 0


def report_of(findings: Sequence[Finding], store: str) -> str:
    """The text for a person to attach to a question; where the sessions are kept is left out."""
    opening = "\n".join(_OPENING).format(day=f"{datetime.now(UTC):%Y-%m-%d}")
    checks = [f"{finding.mark}  {finding.what}: {_said(finding, store)}" for finding in findings]
    parts = {
        "Versions": list(_versions()),
        "Checks": checks,
        "Last defects": last_defects() or ["none is known"],
    }
    text = "\n\n".join("\n".join([title, "-" * len(title), *lines]) for title, lines in parts.items())
    return f"{opening}\n\n{without_names(text, store)}\n"


def _said(finding: Finding, store: str) -> str:
    from loomtable.table.store import is_file

    if finding.what == "sessions" and not is_file(store):
        # What a server says of itself has names of its own in it, and nobody knows which.
        return "on a PostgreSQL server" if finding.ok else "on a PostgreSQL server, which cannot be used"
    return finding.says


def _versions() -> Iterator[str]:
    yield f"Python {platform.python_version()} ({platform.python_implementation()})"
    yield platform.platform()
    with contextlib.suppress(PackageNotFoundError):  # told among the findings
        for name in ("loomtable", *(library for library, _ in required())):
            try:
                yield f"{name} {version(name)}"
            except PackageNotFoundError:
                yield f"{name} is not installed"


def without_names(text: str, store: str) -> str:
    """A text without the names of this machine, its user and the things at its table, and without its places."""
    for place, instead in sorted(_places(), key=lambda pair: len(pair[0]), reverse=True):
        text = text.replace(place, instead)
    for name, instead in sorted(_names(store), key=lambda pair: len(pair[0]), reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", instead, text, flags=re.IGNORECASE)
    return text


def _places() -> Iterable[tuple[str, str]]:
    folders = ((Path.home(), "~"), (Path.home().resolve(), "~"), (Path.cwd(), "."))
    return ((str(folder), instead) for folder, instead in folders if folder != Path(folder.anchor))


def _names(store: str) -> Iterator[tuple[str, str]]:
    from loomtable.printkit.sheet.printer import printer_names
    from loomtable.table.hosting.addresses import network_addresses

    yield store, "(the sessions)"
    with contextlib.suppress(KeyError, OSError):  # a user whom the system does not know by name
        yield getpass.getuser(), "(user)"
    if Path.home().name:
        yield Path.home().name, "(user)"
    yield from ((name, "(machine)") for name in {platform.node(), socket.gethostname().split(".")[0]} if name)
    yield from ((name, "(a printer)") for name in printer_names())
    yield from ((address, "(an address)") for address in network_addresses())
