"""``loom check``: whether content that somebody wrote holds together, and how it reads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.package_data import added_folders, package_file
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.kernel.yamlfile import read_text
from loomtable.printkit.import_sum import IMPORTED
from loomtable.table.commands.options import argument, option
from loomtable.table.commands.output import AsJson, each, say, write_json
from loomtable.table.content.prose import remarks_on
from loomtable.table.content.sorts import findings_in, notes_asked_for
from loomtable.table.content.whole import shipped_content, shortfalls

DOES_NOT_HOLD = 1
_DECK = "deck"


def check(
    files: Annotated[
        list[Path] | None,
        argument("Playsets, adventures, maps, transcripts, decks ...; everything installed if left out.", "FILE"),
    ] = None,
    template: Annotated[
        str | None,
        option("--template", "The card template of your decks; otherwise their columns decide.", "NAME|FILE"),
    ] = None,
    strict: Annotated[bool, option("--strict", "Count remarks on style as mistakes.")] = False,
    as_json: AsJson = False,
) -> int:
    """Check content: report every mistake, and remarks on style, each with its line."""
    results = [_checked(path, template, whole=not files) for path in each("Checking", files or _everything())]
    if template and not any(result["sort"] == _DECK for result in results):
        raise LoomtableError("--template is for decks of your own, and none of these is one; leave it out")
    missing = [] if files else shortfalls()
    if as_json:
        write_json({"files": results, "missing": missing} if not files else results)
    else:
        _tell(results, missing, whole=not files)
    count = sum(len(r["findings"]) + (len(r["remarks"]) if strict else 0) for r in results) + len(missing)
    return DOES_NOT_HOLD if count else 0


def _everything() -> list[Path]:
    """All content that is installed: what ships, and what was added."""
    return [*shipped_content(), *sorted(file for folder in added_folders() for file in folder.rglob("*.yaml"))]


def _checked(path: Path, template: str | None, *, whole: bool) -> dict[str, Any]:
    """A file of content, or a deck; one that cannot be read does not stop a check of the ``whole``."""
    from loomtable.printkit.decks.own import check_deck, deck_named
    from loomtable.printkit.decks.table import is_deck

    path, template = deck_named(path, template)
    shown = f"{path}".removeprefix(f"{package_file('templates').parent}{os.sep}") if whole else f"{path}"
    try:
        if is_deck(path):
            findings, counted = check_deck(path, template)
            told = {"remarks": counted.remarks(), "sums": [] if findings else counted.sums()}
            return {"file": shown, "sort": _DECK, "findings": findings, **told}
        text = read_text(path)
        sort, findings = findings_in(text, shown)
    except LoomtableError as error:
        if not whole:
            raise
        return {"file": shown, "sort": "unreadable", "findings": [str(error)], "remarks": [], "sums": []}
    remarks = [] if findings else [*notes_asked_for(text, sort, shown), *remarks_on(text, shown)]
    sums = [line.removeprefix("# ") for line in text.splitlines() if line.startswith(f"# {IMPORTED}:")]
    return {"file": shown, "sort": sort, "findings": findings, "remarks": remarks, "sums": sums}


def _tell(results: list[dict[str, Any]], missing: list[str], *, whole: bool) -> None:
    for result in results:
        say(*result["findings"], *(f"{remark} (a remark)" for remark in result["remarks"]), *result["sums"])
        count = len(result["findings"])
        say(f"{result['file']}: {result['sort']}, {'holds together' if not count else f'{count} to correct'}")
    if whole:
        lacking = f"{len(missing)} missing" if missing else "nothing is missing"
        say(*missing, f"{how_many(len(results), 'file', 'files')}; {lacking}")
