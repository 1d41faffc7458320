"""Mnemonic's sheets: skills by suit with ratings, complications and injuries, and the journal scene by scene."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.mnemonic.journal import in_words
from loomtable.engine.mnemonic.state import MEANINGS, TRUTH_RATING, Character, Chronicle, JournalLine, Skill
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.sheet_journal import Entry, journal_sheets
from loomtable.printkit.components.sheet_style import (
    DrawnSheet,
    Side,
    game_sheets,
    panel,
    row_panel,
    rule_lines,
    session_of,
    sheet_pages,
    small,
)
from loomtable.printkit.draw.pips import draw_pip
from loomtable.printkit.draw.type import Font
from loomtable.printkit.games.mnemonic.theme import THEME
from loomtable.printkit.sheet.pieces import PrintedPage

_GAP = 3.0
_SKILLS = 8
"""Lines for skills in each suit, unless somebody has more."""


def _front(side: Side, who: Character | None, chronicle: Chronicle | None) -> None:
    _name(side, who)
    foot = 25.0
    tall = (side.box[3] - foot - 2 * _GAP) / 2
    half = (side.width - _GAP) / 2
    for at, suit in enumerate(CardSuit):
        row, column = divmod(at, 2)
        x, y = side.left + column * (half + _GAP), side.top - (row + 1) * tall - row * _GAP
        _suit(side, suit, x, y, half, tall, who, chronicle)
    _rest(side, side.foot, foot, who)


def _name(side: Side, who: Character | None) -> None:
    left, right, top = side.left + 80, side.left + side.width, side.top + 24
    form = side.form
    form.ruled("name", "Name", (left, top - 10.5, right - left, 9), who and who.name, label="Name", points=17)
    form.ruled("concept", "Concept", (left, top - 19.5, 56, 7.4), who and who.concept, label="Concept")
    form.ruled(
        "player", "Player", (left + 59, top - 19.5, right - left - 59, 7.4), who and who.player, label="Player"
    )


def _suit(
    side: Side,
    suit: CardSuit,
    x: float,
    y: float,
    width: float,
    height: float,
    who: Character | None,
    told: Chronicle | None,
) -> None:
    """A suit: its pip, what it stands for, strong or weak, injured, and its skills (MN-1, MN-2)."""
    left, foot, wide, high = panel(side, x, y, width, height, suit.label)
    form, top = side.form, foot + high
    draw_pip(side.pen, suit, left + 8, top - 9, 15)
    meaning = told.meaning(suit) if told else ""
    form.ruled(
        f"{suit}.meaning", f"What {suit.label} stand for", (left + 18, top - 8, wide - 18, 7.6), meaning, points=12
    )
    if not meaning:
        small(side, left + wide, top - 10.4, MEANINGS[suit], align="right", points=7)
    marks = (
        ("strong", "Strong", who and who.strong is suit),
        ("weak", "Weak", who and who.weak is suit),
        ("injured", "Injured", who and suit in who.injured),
    )
    for at, (name, label, on) in enumerate(marks):
        bx = left + 18 + at * (wide - 18) / 3
        form.tick(f"{suit}.{name}", f"{suit.label}: {label}", bx, top - 18.2, 6, bool(on))
        small(side, bx + 7.2, top - 16.2, label, points=8.5)
    held = [s for s in who.skills if s.suit is suit] if who else []
    rows = max(_SKILLS, len(held))
    small(side, left + 0.4, top - 23, "Skill")
    for words, from_right in (("rating", 26.0), ("complicated", 14.8), ("truth", 4.2)):
        small(side, left + wide - from_right, top - 23, words, align="middle", points=6.5)
    step = (high - 24.5) / rows
    for at in range(rows):
        _skill(
            side,
            f"{suit}.{at + 1}",
            f"{suit.label}, skill {at + 1}",
            left,
            foot + (rows - 1 - at) * step,
            wide,
            step,
            held[at] if at < len(held) else None,
        )


def _skill(
    side: Side, name: str, label: str, x: float, y: float, width: float, step: float, skill: Skill | None
) -> None:
    form, size = side.form, min(step - 1, 6.4)
    form.ruled(f"{name}.name", f"{label}, name", (x, y, width - 31, step), skill and skill.name, points=12)
    base = y + (step - size) / 2 + 0.3
    form.number(
        f"{name}.rating", f"{label}, rating", (x + width - 30, base, 8, size), skill and skill.rating, points=12
    )
    form.tick(
        f"{name}.complicated",
        f"{label}, complicated",
        x + width - 14.8 - size / 2,
        base,
        size,
        bool(skill and skill.complicated),
    )
    form.tick(
        f"{name}.truth",
        f"{label}, universal truth",
        x + width - 4.2 - size / 2,
        base,
        size,
        bool(skill and skill.truth),
        round_=True,
    )


def _rest(side: Side, y: float, height: float, who: Character | None) -> None:
    left, foot, wide, high = row_panel(
        side, y, height, "Next", f"a skill at {TRUTH_RATING} can become a universal truth"
    )
    form = side.form
    form.number(
        "gift",
        "Dice given for the next roll",
        (left, foot + 1, 14, high - 1),
        who.gift if who and who.gift else None,
        points=17,
    )
    small(side, left + 16, foot + high / 2 + 0.4, "dice that others")
    small(side, left + 16, foot + high / 2 - 3, "gave for the next roll")
    for at, (name, label, on) in enumerate(
        (
            ("absent", "out of the next group scene", who and who.absent),
            ("at-rest", "laid to rest", who and who.at_rest),
        )
    ):
        x = left + 52 + at * 44
        form.tick(name, label.capitalize(), x, foot + high / 2 - 3.2, 6.4, bool(on))
        small(side, x + 8, foot + high / 2 - 1.2, label)
    side.pen.text(
        left + wide,
        foot + high / 2 + 1.2,
        "6 is clean; anything else works,",
        Font.TEXT_ITALIC,
        9,
        side.theme.deep,
        align="right",
    )
    side.pen.text(
        left + wide,
        foot + high / 2 - 3,
        "and the skill is complicated",
        Font.TEXT_ITALIC,
        9,
        side.theme.deep,
        align="right",
    )


def _back(side: Side) -> None:
    """Skills that others know of, and promises: what a player wants to keep in sight. Left to the pencil."""
    box = row_panel(side, side.foot, side.box[3], "To remember", "people, promises, questions")
    rule_lines(side, box, int(box[3] / 9))
    side.form.paragraph("notes", "To remember", box)


def _people(chronicle: Chronicle | None) -> list[Character | None]:
    people: list[Character | None] = [*chronicle.characters.values()] if chronicle else []
    return people or [None]


def _sheets(chronicle: Chronicle | None) -> list[DrawnSheet]:
    def sheet(who: Character | None) -> DrawnSheet:
        return DrawnSheet(
            f"Character sheet of {who.name}" if who else "Character sheet",
            "Character sheet",
            lambda side: _front(side, who, chronicle),
            _back,
            "To remember",
        )

    return [sheet(who) for who in _people(chronicle)]


def journals(options: RenderOptions) -> list[PrintedPage]:
    """One journal for each character, scene by scene (MN-16)."""
    session = session_of(options, THEME)
    sheets: list[DrawnSheet] = []
    for who in _people(session.state if session else None):
        lines = _entries(who.journal) if who else []
        sheets += journal_sheets(f"Journal of {who.name}" if who else "Journal", "Scene", lines)
    return sheet_pages(options, THEME, sheets)


def _entries(journal: Sequence[JournalLine]) -> list[Entry]:
    """The lines of a journal; the scene's number stands at its first line."""
    scenes = [None, *(line.scene for line in journal)]
    return [
        Entry("" if line.scene == before else str(line.scene or "\u2013"), in_words(line))
        for before, line in zip(scenes, journal, strict=False)
    ]


sheets = partial(game_sheets, THEME, _sheets)
