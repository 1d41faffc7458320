"""The sheet by which a printer is calibrated: one sheet, both sides, read by eye.

On each edge the front has a millimetre scale and the back a vernier, whose divisions are 0.9 mm. Held against a
light, the vernier's nought shows whole millimetres, and whichever of its lines meets a line of the scale shows
tenths.
"""

from __future__ import annotations

from dataclasses import replace

from loomtable.printkit.draw.palette import INK
from loomtable.printkit.draw.path import polygon, polyline
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.papers import Paper
from loomtable.printkit.sheet.pieces import PrintedPage

_TOP_INSET, _BOTTOM_INSET, _SIDE_INSET = 19.0, 23.0, 15.0
"""From the paper's edges to the lines on which front scales and back verniers meet (mm)."""
RULED_WIDTH, RULED_HEIGHT = 150.0, 200.0
"""The lengths of the lines that are measured with a ruler (mm)."""
_REACH = 10
_VERNIER = 0.9
_FRONT_STEPS = (
    "1  Print this sheet on both sides, turned over the long edge, at 100 %, with scaling off.",
    "2  Hold this side towards you against a light. On each edge the vernier of the back shows through.",
    "    Its long nought line gives whole millimetres: right and up count as plus. The line that best meets",
    "    one of the scale's gives tenths. Top or bottom, and left or right, are enough:",
    "    loom calibrate printer NAME --top 0.3 --left -0.2",
    "3  If backs are turned, or sizes matter: read all four edges, and measure the two long lines with a ruler.",
    "    loom calibrate printer NAME --top 0.3 --bottom 0.5 --left -0.2 --right -0.1 --width 149.8 --height 200.1",
    "4  loom print story-cards --printer NAME",
)


def calibration_pdf(paper: Paper) -> bytes:
    """The sheet as a PDF file of two pages."""
    area = page_area(paper)

    def side(is_back: bool) -> PrintedPage:
        def draw(pen: Pen) -> None:
            with pen.at(-area.x, -area.y):
                _draw_side(pen, paper, is_back)

        return PrintedPage(None, "Calibration", draw, draw)

    front, back = side(False), side(True)
    page = replace(front, back=back.front)
    settings = PrintSettings(paper=paper)
    return pages_to_pdf(lay_out([page], settings), settings.sheets("Printer calibration sheet"))


def scale_places(paper: Paper) -> dict[str, tuple[float, float]]:
    """Where the nought of each scale stands on the front (mm)."""
    middle_x, middle_y = paper.width / 2, paper.height / 2
    return {
        "top": (middle_x, paper.height - _TOP_INSET),
        "bottom": (middle_x, _BOTTOM_INSET),
        "left": (_SIDE_INSET, middle_y),
        "right": (paper.width - _SIDE_INSET, middle_y),
    }


def _draw_side(pen: Pen, paper: Paper, is_back: bool) -> None:
    middle_x, middle_y = paper.width / 2, paper.height / 2
    for name, (x, y) in scale_places(paper).items():
        turn = 0 if name in ("top", "bottom") else 90
        if is_back:
            _draw_vernier(pen, paper.width - x, y, turn)
        else:
            _draw_scale(pen, x, y, turn, name)
    if is_back:
        pen.text(middle_x, middle_y, "back", Font.TITLE, 14, INK, align="middle")
    else:
        _draw_lengths(pen, paper)
        left, top = 22.0, paper.height * 0.3 - 13
        pen.text(left, top, "Calibrating a printer", Font.TITLE, 13, INK)
        for at, line in enumerate(_FRONT_STEPS):
            pen.text(left, top - 6 - at * 3.6, line, Font.LABEL, 7, INK)


def _draw_scale(pen: Pen, x: float, y: float, turn: float, name: str) -> None:
    """A millimetre scale through (x, y): ticks on the outer side of its line, figures beyond them."""
    with pen.at(x, y, turn=turn):
        pen.stroke(polyline((-_REACH, 0), (_REACH, 0)), INK, 0.1, butt=True)
        for at in range(-_REACH, _REACH + 1):
            length = 4.0 if at == 0 else 3.2 if at % 5 == 0 else 2.4
            pen.stroke(polyline((at, 0), (at, length)), INK, 0.1, butt=True)
            if at % 5 == 0:
                pen.text(at, 4.4, f"{at:+d}" if at else "0", Font.LABEL, 5, INK, align="middle")
        pen.text(-_REACH - 2, 1, f"{name}, −", Font.LABEL, 6, INK, align="right")
        pen.text(_REACH + 2, 1, "+", Font.LABEL, 6, INK)


def _draw_vernier(pen: Pen, x: float, y: float, turn: float) -> None:
    """The vernier behind the front's scale, in mirror writing, so that it reads rightly through the paper."""
    with pen.at(x, y), pen.mirrored(0), pen.at(0, 0, turn=turn):
        for at in range(11):
            length = 4.6 if at == 0 else 3.2 if at % 5 == 0 else 2.4
            pen.stroke(polyline((at * _VERNIER, 0), (at * _VERNIER, -length)), INK, 0.1, butt=True)
            if at % 5 == 0:
                pen.text(at * _VERNIER, -length - 2, str(at), Font.LABEL, 5, INK, align="middle")


def _draw_lengths(pen: Pen, paper: Paper) -> None:
    """A line of 150 mm across and one of 200 mm along, each between two arrowheads that end exactly there."""
    across_y = paper.height * 0.7 + 18
    along_x = paper.width - 22
    for x, y, turn, length, name in (
        ((paper.width - RULED_WIDTH) / 2, across_y, 0, RULED_WIDTH, "width: 150 mm"),
        (along_x, (paper.height - RULED_HEIGHT) / 2, 90, RULED_HEIGHT, "height: 200 mm"),
    ):
        with pen.at(x, y, turn=turn):
            pen.stroke(polyline((0, 0), (length, 0)), INK, 0.1, butt=True)
            for end, inward in ((0.0, 2.0), (length, -2.0)):
                pen.stroke(polyline((end, -2), (end, 2)), INK, 0.1, butt=True)
                pen.solid(polygon((end, 0), (end + inward, 0.6), (end + inward, -0.6)), INK)
            pen.text(length / 2 - 30, 1, name, Font.LABEL, 7, INK, align="middle")
