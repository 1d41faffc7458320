"""How an evening of each game begins, as pages of the documentation, made from their transcripts:
``python -m docs.site.evening_pages``.

Every line comes out of the play itself: what was done, asked and answered, and what happened. A test
holds the pages against the transcripts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from loomtable.engine.kernel.journal import Acted, Answered, Journal
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.requests import in_words
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import StepPlayer, Transcript, TranscriptStep, parse_transcript
from loomtable.engine.kernel.wording import ended
from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.engine.systems import SYSTEMS
from loomtable.table.journal_words import answer_in_words, line_in_words

BEGINNING = 1200
"""Words after which a page of the documents ends, with what is told next left out; the site has whole evenings."""


def evening_page(system: str) -> str:
    """How a game's evening begins, in Markdown, as ``transcript_page`` writes it."""
    return transcript_page(SYSTEMS[system].presentation.evening, BEGINNING)


def transcript_page(name: str, most: int | None = None) -> str:
    """A transcript that ships in Markdown, or no more of it than the notes that begin within ``most`` words.

    Raises:
        TranscriptInvalid, TranscriptFailed: the transcript no longer plays.
    """
    text = package_file("templates", "transcripts", f"{name}.yaml").read_text("utf-8")
    transcript = parse_transcript(text, name)
    session: Session[Any] = Session.open(
        SYSTEMS[transcript.system],
        seed=transcript.seed,
        setup=transcript.setup,
        rulings=transcript.rulings,
        journal=Journal(),
    )
    _, lines = parse_yaml(text, Transcript, name)
    player = StepPlayer(session, lines)
    written = [f"# {session.system.title}: {transcript.transcript}", "", transcript.about.strip(), ""]
    written += [
        f"As it was played: `loom replay templates/transcripts/{name}.yaml` plays it again. What people do is in",
        "**bold**, what they are asked in *italics*.",
        "",
    ]
    for place, step in enumerate(transcript.play):
        if most and step.note and sum(len(line.split()) for line in written) > most:
            written += ["", f"So it goes on, for {len(transcript.play) - place} more steps."]
            break
        written += _step(session, player, step, place)
    return "\n".join(_joined(written)) + "\n"


def _step(session: Session[Any], player: StepPlayer[Any], step: TranscriptStep, place: int) -> Iterator[str]:
    if step.note:
        yield from ("", f"## {_heading(step.note)}" if len(step.note) < 60 else step.note.strip(), "")
    before, line = len(session.played), len(session.lines())
    player.play(step, "play", place)
    if step.undo is not None:
        yield "- **Taken back.**"
    elif step.refused is not None:
        yield f"- Not allowed: {ended(step.refused.because)}"
    for written in session.lines()[line : line + 1]:
        match written.entry:
            case Answered(request=asked, reading=reading):
                colon = "" if in_words(asked).endswith("?") else ":"
                yield f"- *{asked.by}, {in_words(asked)}{colon}* **{answer_in_words(asked, reading)}**"
            case Acted():
                yield f"- **{line_in_words(written, session.lines())}**"
    for played in session.played[before:]:
        yield from (f"  - {session.system.tell(event, played.game)}" for event in played.events)


def _heading(note: str) -> str:
    return note.strip().rstrip(".:")


def _joined(lines: list[str]) -> Iterator[str]:
    """Without two empty lines on end."""
    last = "x"
    for line in lines:
        if line or last:
            yield line
        last = line


def write_evening_pages(folder: Path) -> list[Path]:
    """Write every evening into a folder; returns the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = []
    for system in (key for key, game in SYSTEMS.items() if game.presentation.evening):
        page = folder / f"{system}.md"
        page.write_text(evening_page(system), "utf-8")
        pages.append(page)
    return pages


if __name__ == "__main__":
    for path in write_evening_pages(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/evenings")):
        print(path)
