"""A printer that misprints, its calibration sheet photographed, and what is made of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.calibration_page import calibration_pdf
from loomtable.printkit.sheet.grid import DuplexMode, grid_for
from loomtable.printkit.sheet.papers import A4, LETTER, POKER, Paper
from loomtable.printkit.sheet.printer import Affine, Misregistration, printer_named, transform_point
from loomtable.table.commands.main import run
from loomtable.vision.pictures import BgrImage, write_picture
from loomtable.vision.print_calibration import PrintedSide, SheetUnread, read_printed_side
from tests.tiers import mostly

DPI = 250
SCALE = DPI / 25.4
LONG = DuplexMode.LONG_EDGE
CAMERA = (1700, 2300)
MISPRINTS = [
    Misregistration(),
    Misregistration(1.3, -0.8, 0.4, 0.995, 1.004),
    Misregistration(-2.6, 3.1, -0.9, 1.01, 0.985),
]


@cache
def side_of(paper: Paper, is_back: bool) -> BgrImage:
    return np.ascontiguousarray(render_page(calibration_pdf(paper), int(is_back), DPI)[:, :, ::-1])


def misprinted(picture: BgrImage, paper: Paper, misprint: Misregistration) -> BgrImage:
    """The page as a bad printer puts it on the paper; both pictures are of the whole paper."""
    to_pixels = np.array([[SCALE, 0, -0.5], [0, -SCALE, paper.height * SCALE - 0.5], [0, 0, 1]])
    a, b, c, d, e, f = misprint.matrix(paper.width, paper.height)
    moved = to_pixels @ np.array([[a, c, e], [b, d, f], [0, 0, 1]]) @ np.linalg.inv(to_pixels)
    size = (picture.shape[1], picture.shape[0])
    return cv2.warpPerspective(picture, moved, size, flags=cv2.INTER_AREA, borderValue=(255, 255, 255))


def photographed(
    sheet: BgrImage, seed: int, *, table: int = 70, blur: float = 1.0, noise: float = 3.0
) -> BgrImage:
    """The sheet on a table, seen at a slant by a camera with ``CAMERA`` pixels that blurs and adds noise."""
    rng = np.random.default_rng(seed)
    height, width = sheet.shape[:2]
    across, down = CAMERA
    corners = np.array([(0.1, 0.09), (0.91, 0.1), (0.89, 0.92), (0.08, 0.9)]) * (across, down)
    corners += rng.normal(0, 25, (4, 2))
    here = np.array([(0, 0), (width, 0), (width, height), (0, height)]) - 0.5
    view = cv2.getPerspectiveTransform(here.astype(np.float32), corners.astype(np.float32))
    picture = np.full((down, across, 3), table, np.float32)
    soft = cv2.GaussianBlur(sheet, (0, 0), 1.2).astype(np.float32) * 0.9
    seen = cv2.warpPerspective(soft, view, CAMERA, flags=cv2.INTER_LINEAR, borderValue=(-1, -1, -1))
    cover = cv2.warpPerspective(np.ones((height, width), np.float32), view, CAMERA, flags=cv2.INTER_LINEAR)[
        ..., None
    ]
    picture = picture * (1 - cover) + np.maximum(seen, 0) * cover
    light = 0.75 + 0.25 * np.linspace(0, 1, across)[None, :, None]
    picture = cv2.GaussianBlur(picture * light, (0, 0), blur)
    noisy: BgrImage = np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)
    return noisy


def farthest(found: PrintedSide, true: Misregistration, paper: Paper) -> float:
    """By how much (mm) the found misprint is wrong at the worst of the paper's corners."""
    matrix: Affine = Misregistration(found.dx, found.dy, found.angle, found.scale_x, found.scale_y).matrix(
        paper.width, paper.height
    )
    corners = [(x, y) for x in (0, paper.width) for y in (0, paper.height)]
    return max(
        float(
            np.hypot(
                *np.subtract(
                    transform_point(matrix, *corner),
                    transform_point(true.matrix(paper.width, paper.height), *corner),
                )
            )
        )
        for corner in corners
    )


@pytest.mark.parametrize("misprint", MISPRINTS, ids=["true", "usual", "bad"])
@pytest.mark.parametrize(("paper", "is_back"), mostly([(A4, False), (A4, True), (LETTER, False)], [(A4, True)]))
def test_a_misprint_is_measured_to_a_tenth_of_a_millimetre(
    misprint: Misregistration, paper: Paper, is_back: bool
) -> None:
    sheet = misprinted(side_of(paper, is_back), paper, misprint)
    found = read_printed_side(photographed(sheet, seed=3), (paper.width, paper.height), is_back)
    assert found.tags == 8
    assert found.residual < 0.1
    assert farthest(found, misprint, paper) < 0.1


def test_what_cannot_be_measured_says_why() -> None:
    size = (A4.width, A4.height)
    front = side_of(A4, False)
    seen = photographed(front, 1)
    for picture, is_back, says in (
        (np.full((800, 600, 3), 90, np.uint8), False, "no tag"),
        (seen, True, "this is the front .* its back"),
        (photographed(front, 1, table=225), False, "edge cannot be told from the table"),
        (seen[:1200], False, r"only \d of 8 tags"),
        (seen[:, 320:], False, "left edge cannot be told"),
        (
            cv2.resize(seen, None, fx=0.35, fy=0.35, interpolation=cv2.INTER_AREA),
            False,
            "pixels to",
        ),
    ):
        with pytest.raises(SheetUnread, match=says):
            read_printed_side(picture, size, is_back)


def test_photographs_become_a_profile_through_which_backs_meet_their_fronts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("loomtable.printkit.sheet.printer.printers_folder", lambda: tmp_path / "printers")
    front, back = MISPRINTS[1], Misregistration(-1.7, 0.9, -0.35, 1.004, 0.997)
    for name, is_back, misprint in (("front", False, front), ("back", True, back)):
        sheet = misprinted(side_of(A4, is_back), A4, misprint)
        write_picture(tmp_path / f"{name}.png", photographed(sheet, seed=11 + is_back))
    pictures = ["--front", str(tmp_path / "front.png"), "--back", str(tmp_path / "back.png")]
    assert run(["calibrate", "printer", "den", *pictures]) == 0
    assert "both sides are corrected" in capsys.readouterr().out
    printer = printer_named("den")
    width, height = A4.width, A4.height
    for slot in grid_for(A4, POKER).slots():
        x, y = slot.x + slot.width / 2, slot.y + slot.height / 2
        on_front = transform_point(
            front.matrix(width, height), *transform_point(printer.correction(width, height, LONG, False), x, y)
        )
        behind = transform_point(printer.correction(width, height, LONG, True), width - x, y)
        on_back = transform_point(back.matrix(width, height), *behind)
        assert on_front == pytest.approx((x, y), abs=0.07)
        assert np.hypot(width - on_back[0] - on_front[0], on_back[1] - on_front[1]) < 0.05
    assert run(["calibrate", "printer", "den", "--front", str(tmp_path / "back.png")]) == 2
    assert "back.png: this is the back" in capsys.readouterr().err
