"""A tapestry of Woven on a screen: its cells with their threads, and where one can be laid now."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.woven.cards import Cell
from loomtable.engine.woven.spells import IGNORED, SYMBOL, Spell
from loomtable.engine.woven.tapestry import Spot
from loomtable.engine.woven.views import ContestView, MageView, Rows
from loomtable.table.games.woven.laying import laying, spells_completed, spots_asked, step_asked
from loomtable.table.games.woven.map import mana
from loomtable.table.games.woven.text import pattern_text, tapestry_text
from loomtable.table.screens.blocks import Block, Drawing, Press, Shape, Text, fitted
from loomtable.table.screens.panel import may_press

ROOM = 2
"""Cells of room round a tapestry while a card is laid: it may reach so far beyond."""
CELL = 24.0
"""Side of a cell of a tapestry on the screen, in units of its drawing."""
PATTERN_CELL = 8
"""Side of a cell of a spell's pattern."""


def tapestry(
    session: Session[object], viewer: str, name: str, contest: ContestView, *, asked: bool = False
) -> Block:
    """The cells that can be seen, with threads; where one can be laid now, a cell can be pressed.

    While a drawn card is to be laid there is room round it, and the page's script lays the card.
    """
    mage = contest.mages[name]
    visible = mage.tapestry.visible()
    acting = may_press(session, viewer, name)
    step = step_asked(session.pending, name, mage.drawn) if acting else ""
    if not visible and not step:
        return Text("There is no card here yet.")
    open_spots = dict(_open_spots(session, name, mage)) if acting and not step else {}
    margin = ROOM if step and visible else 0
    spots = [*visible, *open_spots] or [Spot(0, 0), Spot(2, 1)]
    left, top = min(s.column for s in spots) - margin, min(s.row for s in spots) - margin
    columns = 1 + max(s.column for s in spots) + margin - left
    rows = 1 + max(s.row for s in spots) + margin - top

    def corner(spot: Spot) -> tuple[float, float]:
        return (spot.column - left) * CELL, (spot.row - top) * CELL

    cells = (_cell(*corner(spot), cell, spot in mage.tapestry.threads) for spot, cell in visible.items())
    threads = how_many(len(mage.tapestry.threads), "thread", "threads")
    idle = "Drag the card onto the tapestry, or tap where it should go." if margin else ""
    return Drawing(
        "tapestry",
        (-1, -1, columns * CELL + 2, rows * CELL + 2),
        (
            Shape(Markup().join(cells)),
            *(_open_spot(*corner(spot), press) for spot, press in open_spots.items()),
            Shape(kind="ghost"),
        ),
        label=f"The tapestry of {name}, {rows} rows of {columns} cells, {threads}",
        text=tapestry_text(session, name, contest, asked=asked),
        idle=idle or ("Press a dashed box." if open_spots else ""),
        words=tuple(_in_words(mage.laid)),
        folded=True,
        data={"data-left": str(left), "data-top": str(top), "data-cell": str(CELL)},
        laying=laying(session, step, mage.drawn, mage.tapestry) if step and mage.drawn is not None else "",
    )


def pattern(spell: Spell) -> Drawing:
    """What a spell wants to see on a tapestry, small."""
    cells = (
        _symbol(spell.element, column * PATTERN_CELL + 0.5, row * PATTERN_CELL + 0.5, 7)
        if mark == SYMBOL
        else _thread(column * PATTERN_CELL, row * PATTERN_CELL, PATTERN_CELL)
        for row, line in enumerate(spell.pattern.marks())
        for column, mark in enumerate(line)
        if mark != IGNORED
    )
    box = (0, 0, PATTERN_CELL * spell.pattern.columns, PATTERN_CELL * spell.pattern.rows)
    return Drawing("pattern", box, (Shape(Markup().join(cells)),), text=pattern_text(spell))


def _symbol(element: Cell, x: float, y: float, side: float) -> Markup:
    image = '<image href="/art/element/{e}.svg" x="{x}" y="{y}" width="{s}" height="{s}"/>'
    return fitted(image, e=element, x=x, y=y, s=side)


def _thread(x: float, y: float, side: float) -> Markup:
    a, b = side * 0.25, side * 0.75
    return fitted(
        '<path class="thread" d="M{x1} {y1}L{x2} {y2}M{x2} {y1}L{x1} {y2}"/>',
        x1=x + a,
        y1=y + a,
        x2=x + b,
        y2=y + b,
    )


def _open_spot(x: float, y: float, press: Press) -> Shape:
    place = fitted('<rect x="{x}" y="{y}" width="{s}" height="{s}" rx="3"/>', x=x + 2, y=y + 2, s=CELL - 4)
    return Shape(place, "open", press=press)


def _cell(x: float, y: float, element: Cell, threaded: bool) -> Markup:
    drawn = fitted('<rect class="cell" x="{x}" y="{y}" width="{s}" height="{s}"/>', x=x, y=y, s=CELL)
    if element is not None:
        drawn += _symbol(element, x + 3, y + 3, 18)
    else:
        drawn += fitted('<rect class="box" x="{x}" y="{y}" width="16" height="16" rx="2"/>', x=x + 4, y=y + 4)
    return drawn + _thread(x, y, CELL) if threaded else drawn


def _open_spots(session: Session[object], name: str, mage: MageView) -> Iterator[tuple[Spot, Press]]:
    """The spots that answer what is asked of this mage, or where a thread can be laid now, with what it costs and
    which spells it would let the mage cast."""
    asked = session.pending
    if asked is not None:
        for spot, option in spots_asked(asked, name).items():
            yield spot, Press(ChoiceReading((option.key,)), asked.purpose, option.label, option.says)
        return
    casts = spells_completed(mage)
    for spot in mage.tapestry.free_boxes():
        args = {"who": name, "at": [spot.column, spot.row]}
        if not session.refusal("place-thread", **args):
            spells = f"casts {listed(casts[spot])}" if spot in casts else ""
            yield spot, Press(Action("place-thread", args), f"A thread at {spot}", mana(1, mage.pool), spells)


def _in_words(laid: Rows) -> Iterator[str]:
    """The tapestry row by row, for those who do not see the picture."""
    names = {"x": "thread", ".": "box", " ": "bare table", "A": "Air", "F": "Fire", "E": "Earth", "W": "Water"}
    for number, row in enumerate(laid.rows, start=laid.top):
        yield f"Row {number}, from column {laid.left}: {', '.join(names.get(mark, mark) for mark in row)}"
