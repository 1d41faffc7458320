"""Woven in characters: the land with the numbers of its regions, tapestries with the names of their boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial

from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import listed
from loomtable.engine.woven.region_map import region_map
from loomtable.engine.woven.regions import RegionKey, RegionMap
from loomtable.engine.woven.spells import IGNORED, Spell
from loomtable.engine.woven.tapestry import Spot
from loomtable.engine.woven.views import ContestView
from loomtable.table.games.woven.laying import faces_shown, spells_completed, spots_asked, step_asked
from loomtable.table.screens.text import TextDrawing, boxed

WIDTH = 76
"""Characters across a map; a window of eighty has room for it."""
TALL = 0.48
"""How wide a character is, of its height."""
THREAD, BOX = "x", "□"
TERRAINS = {"plains": " ", "forest": "♣", "mountains": "^", "water": "~"}


# The land


def land_text(contest: ContestView) -> TextDrawing:
    """The land with the number of each region; in what is told, boxes are called as on the tapestries."""
    ground = region_map(contest.map)
    numbers = {region.key: str(at) for at, region in enumerate(ground.regions, start=1)}
    rows = [list(row) for row in _raster(ground.key)]
    for key, mark in _marks(contest, numbers).items():
        _write(rows, ground, key, mark)
    legend = [
        *land_in_words(contest, ground),
        "^ mountains (3 mana)  ♣ forest (2)  ~ water (5)  blank plains (1)  ≈ river (+3)",
        "@ a mage, * a tendril, each with the first letter of the name",
    ]
    drawn = tuple("".join(row).rstrip() for row in rows)
    names = {r.key: f"{numbers[r.key]} {r.name} ({r.terrain}, {r.terrain.cost})" for r in ground.regions}
    index, reword = tuple(_in_columns(list(names.values()))), partial(_reworded, contest=contest)
    return TextDrawing("map", ground.title, drawn, tuple(legend), index, names, reword)


def _marks(contest: ContestView, numbers: Mapping[RegionKey, str]) -> dict[RegionKey, str]:
    """The number of each region, with who stands there, and whose tendrils: ``12@A*B``."""
    letters = mage_letters(list(contest.mages))
    marks = dict(numbers)
    for name, mage in contest.mages.items():
        if mage.place:
            marks[mage.place] += f"@{letters[name]}"
        for key in mage.tendrils:
            marks[key] += f"*{letters[name]}"
    return marks


def mage_letters(names: list[str]) -> dict[str, str]:
    """The shortest beginnings that tell the mages apart."""
    length = 1
    while len({name[:length].casefold() for name in names}) < len(names) and length < 8:
        length += 1
    return {name: name[:length] for name in names}


def land_in_words(contest: ContestView, ground: RegionMap) -> Iterator[str]:
    """Where every mage is, and their tendrils."""
    for name, mage in contest.mages.items():
        where = ground.region(mage.place).name if mage.place else "not on the map"
        tendrils = [f"{count} in {ground.region(key).name}" for key, count in mage.tendrils.items()]
        yield f"{name}: {where}" + (f"; tendrils: {', '.join(tendrils)}" if tendrils else "")


@cache
def _raster(name: str) -> tuple[str, ...]:
    """Each place of the drawing with the mark of its terrain, or of the border that runs there."""
    ground = region_map(name)
    width, height = ground.size
    step = width / WIDTH
    lines = round(height / step * TALL)
    inside = [
        [_region_at(ground, (column + 0.5) * step, height * (1 - (line + 0.5) / lines)) for column in range(WIDTH)]
        for line in range(lines)
    ]

    def mark(line: int, column: int) -> str:
        here = inside[line][column]
        beside = inside[line][column + 1] if column + 1 < WIDTH else here
        below = inside[line + 1][column] if line + 1 < lines else here
        other = beside if beside != here else below
        if other == here:
            return " " if (line + column) % 4 or not here else TERRAINS[ground.region(here).terrain]
        return "≈" if here and other and ground.river_between(here, other) else "|" if beside != here else "_"

    return tuple("".join(mark(line, column) for column in range(WIDTH)) for line in range(lines))


def _region_at(ground: RegionMap, x: float, y: float) -> RegionKey:
    return next((r.key for r in ground.regions if _holds(ground.outline(r.key), x, y)), "")


def _holds(outline: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    """Whether a point lies within an outline: a ray from it crosses an odd number of borders."""
    odd = False
    for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
    return odd


def _write(rows: list[list[str]], ground: RegionMap, key: RegionKey, mark: str) -> None:
    """A mark in the middle of a region."""
    x, y = ground.centre(key)
    width, height = ground.size
    line = min(len(rows) - 1, int((1 - y / height) * len(rows)))
    start = max(0, min(WIDTH - len(mark), int(x / width * WIDTH - len(mark) / 2)))
    rows[line][start : start + len(mark)] = mark


def _in_columns(words: list[str]) -> Iterator[str]:
    """Short lines side by side."""
    column = max(map(len, words)) + 2
    across = max(1, WIDTH // column)
    down = -(-len(words) // across)
    for row in range(down):
        yield "".join(f"{word:<{column}}" for word in words[row::down]).rstrip()


# A tapestry


def tapestry_text(session: Session[object], name: str, contest: ContestView, *, asked: bool) -> TextDrawing:
    """The cells that can be seen. Columns have letters, rows numbers, from the upper left corner.

    Of the mage who is ``asked`` or acts, boxes are called so in what is asked.
    """
    mage = contest.mages[name]
    visible = mage.tapestry.visible()
    open_spots = spots_asked(session.pending, name)
    step = step_asked(session.pending, name, mage.drawn)
    spots = [*visible, *open_spots] or [Spot(0, 0)]
    left, top = min(s.column for s in spots), min(s.row for s in spots)
    cells = {(spot.column, spot.row): "" for spot in spots} | {
        (spot.column, spot.row): THREAD if spot in mage.tapestry.threads else BOX if cell is None else cell.letter
        for spot, cell in visible.items()
    }
    if step == "spot":  # the corners at which the card can lie, also where something lies already
        cells |= {(spot.column, spot.row): f"{cells[spot]}·" for spot in open_spots}
    names = {f"{c}/{r}": f"{_letter(c - left)}{r - top + 1}" for c, r in cells}
    rows = boxed(cells, (lambda c: _letter(c - left), lambda r: str(r - top + 1)))
    legend = [
        f"{BOX} box   {THREAD} thread   A Air   E Earth   F Fire   W Water",
        f"{mage.pool} mana in the pool, {mage.spent} spent",
    ]
    legend += [
        f"A thread at {names[f'{s[0]}/{s[1]}']} casts {listed(w)}" for s, w in spells_completed(mage).items()
    ]
    if step and mage.drawn is not None:
        legend += _card(session, step, mage.drawn)
    title = f"{name}'s tapestry"
    return TextDrawing(f"tapestry {name}", title, tuple(rows), tuple(legend), names=names if asked else {})


def _reworded(sentence: str, contest: ContestView) -> str:
    """A sentence with boxes called as on the tapestry of the mage it begins with."""
    mage = next((mage for name, mage in contest.mages.items() if sentence.startswith(f"{name} ")), None)
    visible = mage.tapestry.visible() if mage is not None else {}
    if not visible:
        return sentence
    left, top = min(s.column for s in visible), min(s.row for s in visible)
    return re.sub(
        r"column (-?\d+), row (-?\d+)",
        lambda found: f"{_letter(int(found[1]) - left)}{int(found[2]) - top + 1}",
        sentence,
    )


def _letter(column: int) -> str:
    first, last = divmod(column, 26)
    return (chr(ord("A") + first - 1) if first else "") + chr(ord("A") + last)


def _card(session: Session[object], step: str, card: int) -> list[str]:
    """The card that is to be laid, as it can lie: its sides, or how it can be turned."""
    said = ["The card:" if step != "spot" else "The card; its upper left corner goes on a place marked ·"]
    faces = faces_shown(session, step, card)
    for line in range(max(len(rows) for rows in faces.values())):
        said.append("   ".join(_part(title, rows, line) for title, rows in faces.items()).rstrip())
    return said


def _part(title: str, rows: list[list[str]], line: int) -> str:
    cells = " ".join(cell[:1].upper() or BOX for cell in rows[line]) if line < len(rows) else ""
    return f"{title if not line else '':<{len(title)}} {cells:<{2 * len(rows[0]) - 1}}"


def pattern_text(spell: Spell) -> TextDrawing:
    """A spell's pattern: an element's letter, ``x`` for a thread, ``·`` for anything."""
    letters = {"@": spell.element.letter, "X": THREAD, IGNORED: "·"}
    rows = (" ".join(letters[mark] for mark in row) for row in spell.pattern.marks())
    return TextDrawing("", spell.name, tuple(rows))
