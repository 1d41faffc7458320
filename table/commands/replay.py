"""``loom replay``: play transcripts and hold what they expect."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from loomtable.engine.kernel.errors import FileUnreadable, TranscriptFailed
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.transcript import Replayed
from loomtable.engine.kernel.transcript import replay as replay_transcript
from loomtable.engine.kernel.wording import said_once
from loomtable.engine.kernel.yamlfile import read_text
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.options import argument
from loomtable.table.commands.output import AsJson, each, say, warn, write_json

DOES_NOT_HOLD = 1


def replay(
    transcripts: Annotated[
        list[Path], argument("Transcript files, or names of shipped ones, such as goblin.", "TRANSCRIPT")
    ],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only say whether each one holds.")] = False,
    as_json: AsJson = False,
) -> int:
    """Replay transcripts: play every step and check every expectation."""
    results: list[dict[str, Any]] = []
    for path in each("Playing", transcripts):
        shipped = package_file("templates", "transcripts") / f"{path}.yaml"
        if not path.exists() and not shipped.is_file():
            near = get_close_matches(path.stem, [file.stem for file in shipped.parent.glob("*.yaml")], 1)
            hint = f"did you mean {near[0]}?" if near else "loom replay goblin plays a short one that is shipped"
            raise FileUnreadable(f"{path}: there is no such file; {hint}")
        try:
            played = replay_transcript(read_text(shipped if shipped.is_file() else path), str(path), SYSTEMS)
        except TranscriptFailed as error:
            results.append({"file": str(path), "holds": False, "why": str(error)})
            warn(str(error))
            continue
        results.append(_result(path, played))
        if not as_json:
            _tell(path, played, quiet)
    if as_json:
        write_json(results)
    return 0 if all(result["holds"] for result in results) else DOES_NOT_HOLD


def _result(path: Path, played: Replayed[object]) -> dict[str, Any]:
    return {
        "file": str(path),
        "holds": True,
        "system": played.session.system.key,
        "expectations": played.expectations,
        "rules": played.rules,
        "unlike_tables": played.unlike_tables,
        "story": played.session.story(),
        "pending": played.session.pending,
        "state": played.session.state,
    }


def _tell(path: Path, played: Replayed[object], quiet: bool) -> None:
    if not quiet:
        for part in played.told:
            say(*(["", part.note, ""] if part.note else []), *(f"  {said}" for said in said_once(part.sentences)))
        if played.session.pending is not None:
            say(f"  ... {played.session.pending.purpose.rstrip('?')}?")
    met = {0: "nothing is expected", 1: "the one expectation is met"}
    verdict = met.get(played.expectations, f"all {played.expectations} expectations are met")
    say(f"{path}: OK, {verdict}; rules {', '.join(played.rules)}")
    for ruling, choice in played.unlike_tables.items():
        say(f"  plays {ruling}: {choice}, for it says nothing; a new table plays otherwise (loom rulings)")
