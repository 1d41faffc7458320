"""A tapestry of Woven on a screen: its cells with their threads, and where one can be laid now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.woven.patterns import castable
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.tapestry import Spot, Tapestry
from loomtable.table.games.woven.laying import laying, step_asked
from loomtable.table.games.woven.map import mana
from loomtable.table.screens.panel import (
    Seen,
    answering,
    doing,
    fitted,
    joined,
    listing,
    may_press,
    preview_line,
    previewed,
)

ROOM = 2
"""Cells of room round a tapestry while a card is laid: it may reach so far beyond."""
CELL = 24.0
"""Side of a cell of a tapestry on the screen, in units of its drawing."""
FACE_DOWN = "face down"
"""What a view says in the place of a spell that the viewer may not see."""
_NOTHING = Markup("<p>There is no card here yet.</p>")


def thread(x: float, y: float, side: float) -> Markup:
    """A thread on a cell."""
    a, b = side * 0.25, side * 0.75
    return fitted(
        '<path class="thread" d="M{x1} {y1}L{x2} {y2}M{x2} {y1}L{x1} {y2}"/>',
        x1=x + a,
        y1=y + a,
        x2=x + b,
        y2=y + b,
    )


def tapestry_picture(name: str, mage: Seen) -> Markup:
    """The cells that can be seen, with threads; nothing can be pressed."""
    tapestry = from_builtins(mage["tapestry"], Tapestry)
    visible = tapestry.visible()
    return _drawn(name, tapestry, visible, 0, {}) if visible else _NOTHING


def tapestry_panel(session: Session[Any], viewer: str, name: str, mage: Seen) -> Markup:
    """The cells that can be seen, with threads; where one can be laid now, a cell can be pressed.

    While a drawn card is to be laid there is room round it, and the page's script lays the card.
    """
    tapestry = from_builtins(mage["tapestry"], Tapestry)
    visible = tapestry.visible()
    acting = may_press(session, viewer, name)
    step = step_asked(session.pending, name, mage["drawn"]) if acting else ""
    if not visible and not step:
        return _NOTHING
    open_spots = dict(_open_spots(session, name, mage, tapestry)) if acting and not step else {}
    spots = [*visible, *open_spots] or [Spot(0, 0), Spot(2, 1)]
    idle = "Drag the card onto the tapestry, or tap where it should go." if step and visible else ""
    idle = idle or ("Press a dashed box." if open_spots else "")
    drawn = _drawn(name, tapestry, spots, ROOM if step and visible else 0, open_spots)
    drawing = joined([drawn, preview_line(idle)])
    if not step:
        return drawing
    known = laying(session, step, mage["drawn"], tapestry)
    return fitted('<div class="laying" {known}>{drawing}</div>', known=known, drawing=drawing)


def _drawn(
    name: str, tapestry: Tapestry, spots: Iterable[Spot], margin: int, open_spots: Mapping[Spot, Markup]
) -> Markup:
    spots = list(spots)
    left, top = min(s.column for s in spots) - margin, min(s.row for s in spots) - margin
    columns = 1 + max(s.column for s in spots) + margin - left
    rows = 1 + max(s.row for s in spots) + margin - top

    def place(spot: Spot) -> tuple[float, float]:
        return (spot.column - left) * CELL, (spot.row - top) * CELL

    cells = [_cell(*place(spot), cell, spot in tapestry.threads) for spot, cell in tapestry.visible().items()]
    pressed = [_open_spot(*place(spot), press) for spot, press in open_spots.items()]
    return fitted(
        '<svg class="tapestry" viewBox="-1 -1 {w} {h}" role="group" aria-label="{says}"{origin}>'
        '{cells}{pressed}<g class="ghost"></g></svg>',
        w=columns * CELL + 2,
        h=rows * CELL + 2,
        says=f"The tapestry of {name}, {rows} rows of {columns} cells, "
        + how_many(len(tapestry.threads), "thread", "threads"),
        origin=fitted(' data-left="{left}" data-top="{top}" data-cell="{cell}"', left=left, top=top, cell=CELL),
        cells=joined(cells),
        pressed=joined(pressed),
    )


def _open_spot(x: float, y: float, press: Markup) -> Markup:
    return fitted(
        '<g class="open" {press}><rect x="{x}" y="{y}" width="{s}" height="{s}" rx="3"/></g>',
        press=press,
        x=x + 2,
        y=y + 2,
        s=CELL - 4,
    )


def _cell(x: float, y: float, element: Any, threaded: bool) -> Markup:
    parts = [fitted('<rect class="cell" x="{x}" y="{y}" width="{s}" height="{s}"/>', x=x, y=y, s=CELL)]
    if element is not None:
        parts.append(
            fitted(
                '<image href="/art/element/{e}.svg" x="{x}" y="{y}" width="18" height="18"/>',
                e=element.value,
                x=x + 3,
                y=y + 3,
            )
        )
    else:
        parts.append(fitted('<rect class="box" x="{x}" y="{y}" width="16" height="16" rx="2"/>', x=x + 4, y=y + 4))
    if threaded:
        parts.append(thread(x, y, CELL))
    return joined(parts)


def _open_spots(session: Session[Any], name: str, mage: Seen, tapestry: Tapestry) -> Iterator[tuple[Spot, Markup]]:
    """The spots that answer what is asked of this mage, or where a thread can be laid now, with what it costs and
    which spells it would let the mage cast."""
    asked = session.pending
    if isinstance(asked, Choose) and asked.by == name:
        for option in asked.options:
            column, slash, row = option.key.partition("/")
            if slash and _whole(column) and _whole(row):
                press = previewed(answering(option.key), asked.purpose, option.label, option.says)
                yield Spot(int(column), int(row)), press
    elif asked is None:
        casts = spells_completed(mage, tapestry)
        for spot in tapestry.free_boxes():
            if not session.refusal("place-thread", who=name, at=[spot.column, spot.row]):
                press = doing("place-thread", who=name, at=[spot.column, spot.row])
                spells = f"casts {listed(casts[spot])}" if spot in casts else ""
                yield spot, previewed(press, f"A thread at {spot}", mana(1, mage["pool"]), spells)


def spells_completed(mage: Seen, tapestry: Tapestry) -> dict[Spot, list[str]]:
    """Which of the spells that the viewer may see one thread would complete, by its place (WO-10)."""
    spells = [spell_named(key) for key in (*mage["shown"], *mage["hand"]) if key != FACE_DOWN]
    found: dict[Spot, dict[str, None]] = {}
    for way in castable(tapestry, spells, 1):
        found.setdefault(way.place[0], {})[spell_named(way.spell).name] = None
    return {spot: list(names) for spot, names in found.items()}


def _whole(word: str) -> bool:
    return word.removeprefix("-").isdecimal()


def rows_in_words(mage: Seen) -> Markup:
    """The tapestry row by row, for those who do not see the picture."""
    laid = mage["laid"]
    says = {"x": "thread", ".": "box", " ": "bare table", "A": "Air", "F": "Fire", "E": "Earth", "W": "Water"}
    rows = [", ".join(says.get(mark, mark) for mark in row) for row in laid["rows"]]
    return listing(
        (f"Row {laid['top'] + number}, from column {laid['left']}: {row}" for number, row in enumerate(rows)),
        "rows",
    )
