"""Whole evenings as pages of the documentation, made from their transcripts:
``python -m docs.site.evening_pages``.

Every line comes out of the play itself: what was done, what was asked, what lay there, what came of it. A test
holds the pages against the transcripts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from loomtable.engine.kernel.journal import MemoryJournal
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.requests import Choose, Request
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import StepPlayer, Transcript, TranscriptStep, parse_transcript
from loomtable.engine.kernel.wording import ended
from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.engine.systems import SYSTEMS
from loomtable.table.journal_words import reading_in_words


def evening_page(system: str) -> str:
    """A game's evening in Markdown, as ``transcript_page`` writes it."""
    return transcript_page(SYSTEMS[system].presentation.evening)


def transcript_page(name: str) -> str:
    """A transcript that ships in Markdown.

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
        journal=MemoryJournal(),
    )
    _, lines = parse_yaml(text, Transcript, name)
    player = StepPlayer(session, lines)
    written = [f"# {session.system.title}: {transcript.transcript}", "", transcript.about.strip(), ""]
    written += [
        f"An evening of {session.system.title} from its first step to its last, as it was played; made from",
        f"`templates/transcripts/{name}.yaml`, which `loom replay` plays again. What people do is in **bold**,",
        "what they are asked in *italics*.",
        "",
    ]
    for place, step in enumerate(transcript.play):
        written += _step(session, player, step, place)
    return "\n".join(_joined(written)) + "\n"


def _step(session: Session[Any], player: StepPlayer[Any], step: TranscriptStep, place: int) -> Iterator[str]:
    if step.note:
        yield from ("", f"## {_heading(step.note)}" if len(step.note) < 60 else step.note.strip(), "")
    asked = session.pending
    before = len(session.played)
    player.play(step, "play", place)
    if step.do is not None:
        yield f"- **{step.do.replace('-', ' ').capitalize()}**{_arguments(step.args)}"
    elif step.undo is not None:
        yield "- **Taken back.**"
    elif step.refused is not None:
        yield f"- Not allowed: {ended(step.refused.because)}"
    elif asked is not None and step.expect is None:
        yield f"- *{asked.by}, {_question(asked)}* **{_answer(asked, player, step)}**"
    for played in session.played[before:]:
        yield from (f"  - {session.system.tell(event, played.game)}" for event in played.events)


def _heading(note: str) -> str:
    return note.strip().rstrip(".:")


def _arguments(args: dict[str, Any]) -> str:
    plain = [f"{name.replace('_', ' ')} {_plain(value)}" for name, value in args.items()]
    return f": {', '.join(plain)}" if plain else ""


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return " and ".join(f"{key} {_plain(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    return str(value)


def _question(asked: Request) -> str:
    return f"{asked.purpose}:" if asked.purpose[-1:].isalnum() or asked.purpose[-1:] == ")" else asked.purpose


def _answer(asked: Request, player: StepPlayer[Any], step: TranscriptStep) -> str:
    """What was answered; of a choice the words of the option instead of its key."""
    reading = player.reading(step)
    said, _ = reading_in_words(reading)
    if isinstance(asked, Choose):
        labels = {option.key: option.label for option in asked.options}
        return ", ".join(labels.get(key, key) for key in said.split(", "))
    return said


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
