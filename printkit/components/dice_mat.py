"""The dice mat: a calm ground to roll on, with a tag in each corner that tells the camera plane and scale.

The ground is pale and its weaving fainter than any shadow, so that whatever lies on the mat stands out.
"""

from __future__ import annotations

from loomtable.engine.kernel.mats import MATS, Mat
from loomtable.engine.kernel.wording import listed
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.draw.palette import INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import arc, circle, lens, on_circle, polyline, rect, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import TAG_MODULES, draw_tag
from loomtable.printkit.draw.type import Font
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.printkit.errors import SheetTooSmall
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.pieces import PrintedPage

_GROUND = Colour.hex("C9D5D2")
_FAINT, _EDGE = Colour.hex("C1CECB"), Colour.hex("B4C4C1")
_RISING, _FALLING, _LINE = Colour.hex("B9CBC9"), Colour.hex("D6DBCB"), Colour.hex("8FA6A4")
_NAME = Colour.hex("4C6868")
_SCALE_LENGTH = 100


def draw_mat(pen: Pen, mat: Mat) -> None:
    """The whole mat, its lower left corner at the origin."""
    _draw_ground(pen, mat)
    _draw_border(pen, mat)
    for corner, tag in enumerate(mat.tags):
        (left, top), _, (right, bottom), (x, y) = mat.tag_corners(corner)
        # A plain plate under the tag, wide enough that it keeps its white edge.
        room = mat.tag_width / TAG_MODULES + 1.5
        plate = rect(left - room, mat.height - bottom - room, right - left + 2 * room, bottom - top + 2 * room)
        pen.fill_background(plate, WHITE)
        pen.stroke(plate, _LINE, 0.4)
        draw_tag(pen, tag, x, mat.height - y, mat.tag_width)
    _draw_scale(pen, mat)
    _draw_name(pen, mat)


def _draw_ground(pen: Pen, mat: Mat) -> None:
    """A pale field, and in its middle a wide round of faint weaving."""
    pen.fill_background(rect(0, 0, mat.width, mat.height), _GROUND)
    if pen.style is Style.LOW_INK:
        return
    x, y = mat.width / 2, mat.height / 2
    radius = mat.height / 2 - mat.border - 9
    with pen.clipped(circle(x, y, radius)):
        lattice = Lattice(mat.width, mat.height, round(mat.width / 16), round(mat.height / 16))
        draw_lattice(pen, lattice, 0, Band(7.4, _FAINT, _EDGE, _EDGE), Band(7.4, _GROUND, _EDGE, _EDGE))
    for reach, width in ((radius, 0.7), (radius + 1.8, 0.3)):
        pen.stroke(arc(x, y, reach, 0, 360), _EDGE, width)
    for at in range(72):
        pen.fill_background(lens(*on_circle(x, y, radius + 4.4, at * 5), 3.4, 0.7, at * 5 + 55), _EDGE)
    pen.fill_background(star(x, y, 9, 3, 8), _EDGE)
    pen.fill_background(star(x, y, 5.4, 2.1, 8, 112.5), _GROUND)


def _draw_border(pen: Pen, mat: Mat) -> None:
    """A woven band all round; only its edges in the low-ink style."""
    inner = (mat.border, mat.border, mat.width - 2 * mat.border, mat.height - 2 * mat.border)
    if pen.style is not Style.LOW_INK:
        with pen.clipped(rect(0, 0, mat.width, mat.height) + rect(*inner).mirrored(mat.width / 2)):
            across, along = round(mat.width / 7), round(mat.height / 7)
            lattice = Lattice(mat.width, mat.height, across, along)
            draw_lattice(pen, lattice, 0, Band(3.0, _RISING, _LINE, _LINE), Band(3.0, _FALLING, _LINE, _LINE))
    for grow, width in ((0.0, 0.6), (1.6, 0.25)):
        x, y, wide, high = inner
        pen.stroke(rect(x + grow, y + grow, wide - 2 * grow, high - 2 * grow), _LINE, width)
    pen.stroke(rect(0.2, 0.2, mat.width - 0.4, mat.height - 0.4), _LINE, 0.4)


def _draw_scale(pen: Pen, mat: Mat) -> None:
    """A hundred millimetres along the lower border: if a ruler says otherwise, the mat was scaled."""
    x, y = (mat.width - _SCALE_LENGTH) / 2, 3.2
    pen.fill_background(rect(x - 6, y - 1.6, _SCALE_LENGTH + 12, 8.4), _GROUND)
    pen.stroke(rect(x - 6, y - 1.6, _SCALE_LENGTH + 12, 8.4), _LINE, 0.25)
    pen.stroke(polyline((x, y), (x + _SCALE_LENGTH, y)), _NAME, 0.2, butt=True)
    for at in range(_SCALE_LENGTH + 1):
        high = 3.0 if at % 10 == 0 else 2.2 if at % 5 == 0 else 1.3
        pen.stroke(polyline((x + at, y), (x + at, y + high)), _NAME, 0.16, butt=True)
    for at in range(0, _SCALE_LENGTH + 1, 10):
        said = f"{at} mm" if at == _SCALE_LENGTH else str(at)
        pen.text(x + at, y + 3.7, said, Font.LABEL, 6, _NAME, align="middle")


def _draw_name(pen: Pen, mat: Mat) -> None:
    x, y, wide = mat.width / 2, mat.height - mat.border / 2, 76.0
    plate = rect(x - wide / 2, y - 4.2, wide, 8.4)
    pen.fill_background(plate, _GROUND)
    pen.stroke(plate, _LINE, 0.25)
    colour = INK if pen.style is Style.LOW_INK else _NAME
    pen.text(x, y - 1.7, "LOOMTABLE DICE MAT", Font.TITLE, 13, colour, align="middle", spacing=0.6)


def mat_pages(options: RenderOptions) -> list[PrintedPage]:
    """The largest mat that fits the paper."""
    area = page_area(options.paper, landscape=True)
    fitting = [mat for mat in MATS.values() if mat.width <= area.width and mat.height <= area.height]
    if not fitting:
        raise SheetTooSmall(f"no dice mat fits {options.paper.name} paper; they are made for {listed(MATS)}")
    mat = MATS.get(options.paper.name) or max(fitting, key=lambda mat: mat.width * mat.height)

    def draw(pen: Pen) -> None:
        with pen.at((area.width - mat.width) / 2, (area.height - mat.height) / 2):
            draw_mat(pen, mat)

    return [PrintedPage(None, f"Dice mat, {mat.paper}", draw, landscape=True)]
