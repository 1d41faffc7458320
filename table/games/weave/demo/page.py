"""The demo's page: an evening told from the first card to the last die. One HTML file and its pictures.

The raw frames and those with what was read drawn on them stand beside it, with cards and dice as they are printed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.journal import Answered
from loomtable.engine.kernel.results import roll_results
from loomtable.engine.odds.exact import percent
from loomtable.engine.weave.cards.decks import name_of
from loomtable.engine.weave.cards.playset import playset
from loomtable.engine.weave.state import MOST_WOUNDS, STRIKE_TRACK
from loomtable.engine.weave.suits import Suit
from loomtable.printkit.draw.type import Emphasis, Font, HouseFace, font_file
from loomtable.printkit.files import write_whole
from loomtable.table.games.weave.demo.evening import Evening
from loomtable.table.games.weave.demo.printed import card_picture, die_picture
from loomtable.table.journal_words import line_in_words, reading_in_words

_FACES: tuple[HouseFace, ...] = (Font.TITLE, Font.TEXT, Font.TEXT_ITALIC, Emphasis.TEXT_BOLD)
_HERE = Path(__file__).parent


def write_page(path: Path, evening: Evening, sheets: Sequence[tuple[str, Path]], *, rendered: bool) -> None:
    """Write the page; ``sheets`` are pictures of printed pages with their titles. Written beside and renamed.

    ``rendered`` is whether the frames come from the virtual camera, which the page then says.
    """
    home, season = path.parent, evening.session.state
    templates = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    lines = evening.session.lines()
    text = templates.get_template("page.html").render(
        evening=evening,
        season=season,
        playset=playset(season.playset),
        character=evening.character,
        rolls=list(_rolls(evening)),
        journal=[
            (at, reading_in_words(at.entry.reading) if isinstance(at.entry, Answered) else ()) for at in lines
        ],
        sheets=sheets,
        rendered=rendered,
        style=(_HERE / "page.css").read_text("utf-8"),
        home=home,
        beside=lambda file: file.relative_to(home).as_posix(),
        card_picture=card_picture,
        die_picture=die_picture,
        name_of=name_of,
        percent=percent,
        line_in_words=line_in_words,
        suits=Suit,
        strike_track=STRIKE_TRACK,
        most_wounds=MOST_WOUNDS,
    )
    fonts = home / "fonts"  # beside the page, so that it looks the same on any machine and without a network
    fonts.mkdir(parents=True, exist_ok=True)
    for file in map(font_file, _FACES):
        shutil.copyfile(file, fonts / file.name)
    write_whole(path, text.lstrip().encode())


def _rolls(evening: Evening) -> Iterator[dict[str, Any]]:
    """Every throw: what was known before it, what was seen, what each die counted for; the last has the result."""
    looked = {frame.line: frame for frame in evening.frames if frame.line}
    for result in roll_results(evening.session, STORYTELLER):
        for line, throw in zip(result.lines, result.throws, strict=True):
            meanings = throw.meanings or (None,) * len(throw.faces)
            yield {
                "throw": throw,
                "known": evening.before[line],
                "frame": looked.get(line),
                "dice": list(zip(throw.faces, meanings, strict=True)),
                "result": result if line == result.lines[-1] else None,
            }
