"""What lies on a board: printed maps with the figures on them, and tapestry cards on their grid.

Everything here is found by its tags (``loomtable.vision.tags``). How large the printed things are and where
their tags stand is given by whoever asks, so that nothing of a game has to be known.
"""

from loomtable.vision.board.counters import CounterPrint, SeenCounter, counters_on_grid, counters_on_sheet
from loomtable.vision.board.figures import FigurePrint, SeenFigure, figures_on
from loomtable.vision.board.maps import SeenSheet, SheetSearch, TaggedSheet, find_sheet
from loomtable.vision.board.tapestry import CardTags, GridCard, SeenTapestry, read_tapestry

__all__ = [
    "CardTags",
    "CounterPrint",
    "FigurePrint",
    "GridCard",
    "SeenCounter",
    "SeenFigure",
    "SeenSheet",
    "SeenTapestry",
    "SheetSearch",
    "TaggedSheet",
    "counters_on_grid",
    "counters_on_sheet",
    "figures_on",
    "find_sheet",
    "read_tapestry",
]
