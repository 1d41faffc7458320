"""Woven's counters as they are printed, for the reader of counters; and those that lie on a sheet, counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from loomtable.engine.kernel.gestures import Counted
from loomtable.engine.woven.state import Contest
from loomtable.printkit.games.woven import counter as printed
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.games.woven.tapestry_card import CELL
from loomtable.table.reading.board import Counters, LyingCounters
from loomtable.vision.arrays import Float64Array
from loomtable.vision.board.counters import CounterPrint, SeenCounter
from loomtable.vision.quads import Point, Quad

COUNTERS = CounterPrint(
    printed.RIM,
    printed.RIM_INSIDE,
    printed.RING,
    {(figure, face.value): word for (figure, face), word in printed.WORDS.items()},
)
"""All counters of all mages."""


def cell_of(place: Point) -> tuple[tuple[int, int], float]:
    """The cell (column, row) at a place of a tapestry's grid (mm), and how far its nearest line is (mm)."""
    (column, across), (row, down) = (divmod(value, CELL) for value in place)
    return (int(column), int(row)), min(across, CELL - across, down, CELL - down)


def seats(contest: Contest) -> dict[int, str]:
    """Whose the figures and counters are, by the numbers of their players' colours."""
    numbers = {mage.name.casefold(): mage.number for mage in MAGES}
    return {numbers[mage.colour]: name for name, mage in contest.mages.items()}


def counted(
    kind: printed.CounterFace,
    seen: Iterable[SeenCounter],
    field_at: Callable[[Point], tuple[str | None, float]],
    pixels: Callable[[Float64Array], Float64Array],
    record: Mapping[tuple[str, str], int],
    whose: Mapping[int, str],
    border: float,
) -> Counters:
    """The counters of one kind on a sheet, beside those in the record; what lies off it is left out.

    Where one is in doubt, none is counted: it could be any of them.

    Args:
        field_at: the field at a place of the sheet (mm), and how far its nearest border is (mm).
        pixels: where places (N, 2) of the sheet are seen.
        record: how many there are of each player on each field.
        whose: the players by the numbers of their figures; counters of others are left out.
        border: how near to a border (mm) one is in doubt.
    """
    lying: dict[tuple[str, str], list[Point]] = {key: [] for key in record}
    doubtful = []
    for pile in seen:
        field, room = field_at(pile.place)
        counts = pile.figure in whose and pile.kind == kind
        doubt = pile.doubt or ("is on a border; push it to the middle of its place" if room < border else "")
        if field is None or not (counts or pile.doubt):
            continue
        if doubt:
            outline = _outline([pile.place], pixels)
            doubtful.append(LyingCounters(f"a counter on {field}", doubt=doubt, outline=outline))
        else:
            lying.setdefault((whose[pile.figure], field), []).append(pile.place)
    if doubtful:
        return Counters(kind, tuple(doubtful))
    found = []
    for (who, field), places in lying.items():
        one_field = Counted(who, kind.value, field, len(places), record.get((who, field), 0))
        found.append(
            LyingCounters(
                one_field.name,
                str(one_field.count),
                str(one_field.record),
                outline=_outline(places, pixels) if places else None,
                who=one_field.name,
                counted=one_field,
                places=tuple(_outline([place], pixels) for place in places),
            )
        )
    return Counters(kind, tuple(found))


def _outline(places: list[Point], pixels: Callable[[Float64Array], Float64Array]) -> Quad:
    """What surrounds counters at these places, px."""
    half = printed.COUNTER.width / 2
    (left, top), (right, bottom) = np.min(places, axis=0) - half, np.max(places, axis=0) + half
    corners = pixels(np.array([(left, top), (right, top), (right, bottom), (left, bottom)]))
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
