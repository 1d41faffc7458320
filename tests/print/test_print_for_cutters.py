"""What a cutting machine gets: outlines that lie on the printed page, and the marks by which it finds them."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import cv2
import ezdxf
import numpy as np
import pikepdf
import pytest

from loomtable.printkit.catalogue import Component, RenderOptions, components
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import rect
from loomtable.printkit.kit import PrintSettings, print_components
from loomtable.printkit.raster import Picture, render_page
from loomtable.printkit.sheet.cutting import cut_lines, flattened
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import ImpositionOptions, Page, lay_out
from loomtable.printkit.sheet.marks import CropMarks
from loomtable.printkit.sheet.papers import A4, LETTER, POKER, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard
from loomtable.printkit.sheet.press import press_for
from loomtable.printkit.sheet.registration import PACKED_INSET, clear_of_marks, registration_marks
from tests.print.plain_cards import COIN, DOMINO, cards

DPI = 300
Box = tuple[float, float, float, float]


def filled(size: CardSize) -> PrintedCard:
    """A card that is red exactly within its trim, white in its bleed."""
    return PrintedCard(
        None, size.name, lambda pen: pen.solid(rect(0, 0, size.width, size.height), Colour(1, 0, 0)), None, size,
        ground=Colour(1, 1, 1),
    )  # fmt: skip


def boxes_in_svg(svg: bytes, group: str = "cut") -> tuple[list[Box], float, float]:
    """Left, top, right, bottom of each path as another reader of XML sees it, in mm from the upper left corner."""
    root = ElementTree.fromstring(svg)
    width, height = (float(str(root.get(side)).removesuffix("mm")) for side in ("width", "height"))
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}", "a unit is a millimetre"
    found: list[Box] = []
    for path in root.findall(f"{{*}}g[@id='{group}']/{{*}}path"):
        points = np.array([float(v) for v in re.findall(r"-?[\d.]+", str(path.get("d")))]).reshape(-1, 2)
        found.append((*points.min(axis=0), *points.max(axis=0)))
    return found, width, height


def red_boxes(page: Picture) -> list[Box]:
    """Left, top, right, bottom of each red spot of a page, mm."""
    seen = page.astype(int)
    red = ((seen[..., 0] > 180) & (seen[..., 1] < 90)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(red)
    scale = 25.4 / DPI
    return [
        (x * scale, y * scale, (x + w) * scale, (y + h) * scale)
        for x, y, w, h, area in (stats[at] for at in range(1, count))
        if area > 2000
    ]


@pytest.mark.parametrize("registration", [False, True])
@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_outlines_lie_on_what_is_printed_to_a_pixel(paper: object, registration: bool, tmp_path: Path) -> None:
    sizes = (POKER, COIN, DOMINO)
    part = Component("mixed", "Mixed", "", "test", lambda _: [filled(size) for size in sizes for _ in range(3)])
    chosen = PrintSettings(paper=paper, marks=CropMarks.NONE, cut="svg", registration=registration)  # type: ignore[arg-type]
    [file] = print_components([part], tmp_path, chosen)
    printed, told = [], []
    for at, path in enumerate(file.cut_files):
        picture = render_page(file.path, at, DPI)
        boxes, width, height = boxes_in_svg(path.read_bytes())
        assert picture.shape[:2] == pytest.approx((height / 25.4 * DPI, width / 25.4 * DPI), abs=1)
        told += boxes
        printed += red_boxes(picture)
    assert len(told) == len(printed) == 9
    for box in told:
        assert min(max(abs(a - b) for a, b in zip(box, other, strict=True)) for other in printed) < 2 * 25.4 / DPI


def test_dxf_says_the_same_to_a_reader_of_dxf(tmp_path: Path) -> None:
    part = Component("mixed", "Mixed", "", "test", lambda _: [filled(POKER), filled(COIN), filled(DOMINO)])
    made = {}
    for form in ("svg", "dxf"):
        [file] = print_components([part], tmp_path / form, PrintSettings(cut=form))
        made[form] = file.cut_files[0]
    drawing = ezdxf.readfile(made["dxf"])
    assert not drawing.audit().has_errors
    assert drawing.header["$INSUNITS"] == 4 and drawing.header["$MEASUREMENT"] == 1, "millimetres"
    lines = list(drawing.modelspace().query("POLYLINE[layer=='CUT']"))
    assert len(lines) == 3 and all(line.is_closed for line in lines)
    boxes, _, height = boxes_in_svg(made["svg"].read_bytes())
    for line, box in zip(lines, boxes, strict=True):
        points = np.array([(p.x, height - p.y) for p in line.points()])
        assert (*points.min(axis=0), *points.max(axis=0)) == pytest.approx(box, abs=0.02)
    coin = np.array([(p.x, p.y) for p in lines[2].points()])
    radius = np.hypot(*(coin - (coin.min(axis=0) + coin.max(axis=0)) / 2).T)
    assert radius == pytest.approx(12.5, abs=0.02), "a circle stays one to two hundredths"


@pytest.mark.parametrize("name", ["plain-dice-nets", "weave-dice-nets"])
def test_nets_are_one_outline_each_with_their_folds(name: str) -> None:
    [page] = lay_out(components()[name].pieces(RenderOptions()), ImpositionOptions())
    lines = cut_lines(page)
    assert len(lines.cuts) == 6
    for path in lines.cuts:
        [(points, closed)] = flattened(path)
        assert closed and len(points) > 12
        assert all(5 < x < 205 and 5 < y < 292 for x, y in points)
    assert len(lines.folds) >= 6 * 12


def test_standees_are_scored_where_they_fold() -> None:
    [page] = lay_out(components()["mage-standees"].pieces(RenderOptions()), ImpositionOptions())
    lines = cut_lines(page)
    assert len(lines.cuts) == 5 and len(lines.folds) >= 5 * 3
    slot = page.layout.slot(0)
    ends = [point for _, points in lines.folds[0].steps for point in points]
    assert [x for x, _ in ends] == pytest.approx([slot.x, slot.right])


def pages_for_silhouette(size: CardSize) -> list[Page]:
    return lay_out(cards(20, size), ImpositionOptions(registration=True))


@pytest.mark.parametrize("size", [POKER, COIN, CardSize("tarot", 70, 120), DOMINO], ids=lambda size: size.name)
def test_registration_marks_stand_free_at_their_places(size: CardSize) -> None:
    pages = pages_for_silhouette(size)
    assert all(clear_of_marks(page.layout) for page in pages)
    chosen = PrintSettings(registration=True)
    pdf = pages_to_pdf(pages, chosen.sheets("test"))
    picture = render_page(pdf, 0, DPI)
    height, width = picture.shape[:2]

    def at(mm: float) -> int:
        return round(mm / 25.4 * DPI)

    square = picture[at(10.2) : at(14.8), at(10.2) : at(14.8)]
    assert square.max() < 30, "a black square, 10 mm from both edges"
    assert picture[at(10.2) : at(18.5), width - at(10.3)].max() < 30
    assert picture[height - at(10.3), at(10.2) : at(18.5)].max() < 30
    assert picture[at(9) : at(9.8), at(8) : at(40)].min() > 200, "and nothing else near it"
    assert len(registration_marks(pages[0].layout)) == 3
    assert render_page(pdf, 1, 72)[20:60, 20:60].min() > 200, "none on the back"


def test_eight_poker_cards_a_sheet_go_with_the_marks() -> None:
    layout = pages_for_silhouette(POKER)[0].layout
    assert len(layout.slots()) == 8


def test_cards_of_several_sizes_keep_clear_of_the_marks() -> None:
    wide = CardSize("wide", 90, 40)  # two in a row, or six of them above each other, would lie over the marks
    for page in lay_out([*cards(8, wide), *cards(9, DOMINO)], ImpositionOptions(registration=True)):
        for slot in page.layout.slots():
            assert slot.x >= PACKED_INSET - 1e-6 and slot.right <= A4.width - PACKED_INSET + 1e-6
            assert slot.y >= PACKED_INSET - 1e-6 and slot.top <= A4.height - PACKED_INSET + 1e-6


@pytest.mark.parametrize("pro", [False, True])
def test_outlines_in_an_ink_of_their_own(tmp_path: Path, pro: bool) -> None:
    part = Component("card", "Card", "", "test", lambda _: [filled(POKER)])
    chosen = PrintSettings(spot_cut=True, singly=pro, press=press_for() if pro else None)
    [file] = print_components([part], tmp_path, chosen)
    with pikepdf.open(io.BytesIO(file.path.read_bytes())) as pdf:
        spaces = [
            space
            for page in pdf.pages
            for space in page.obj["/Resources"].get("/ColorSpace", {}).values()
            if str(space[0]) == "/Separation"
        ]
        assert {str(space[1]) for space in spaces} == {"/CutContour"}
