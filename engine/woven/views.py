"""What a screen shows besides the values: tapestries as rows of cells."""

from __future__ import annotations

from typing import Any

from loomtable.engine.woven.cards import BOX_MARK
from loomtable.engine.woven.state import Mage
from loomtable.engine.woven.tapestry import Spot

THREAD_MARK = "x"


def tapestry_rows(mage: Mage) -> dict[str, Any]:
    """A tapestry row by row: letters are elements, ``.`` are boxes, ``x`` threads, blanks are bare table.

    ``left`` and ``top`` are the column and the row of the first cell.
    """
    visible = mage.tapestry.visible()
    if not visible:
        return {"left": 0, "top": 0, "rows": []}
    columns = [column for column, _ in visible]
    rows = [row for _, row in visible]

    def mark(column: int, row: int) -> str:
        at = Spot(column, row)
        if at not in visible:
            return " "
        cell = visible[at]
        return THREAD_MARK if at in mage.threads else BOX_MARK if cell is None else cell.letter

    return {
        "left": min(columns),
        "top": min(rows),
        "rows": [
            "".join(mark(column, row) for column in range(min(columns), max(columns) + 1))
            for row in range(min(rows), max(rows) + 1)
        ],
    }
