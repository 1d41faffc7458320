"""Pictures on cards of one's own look as in every viewer: upright, in all their greys, clear parts clear."""

from __future__ import annotations

import sys
from base64 import b64encode
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from loomtable.printkit.decks.own import own_deck
from loomtable.printkit.decks.pictures import opened_picture
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.errors import DeckInvalid
from loomtable.printkit.kit import PrintSettings, print_components
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.papers import BLEED
from loomtable.printkit.sheet.press import press_for
from tests.short import raises

TEMPLATE = """template: mine
ground: 3050A0
boxes:
  - {kind: plate, at: [0, 0, 63, 30], colour: "206030"}
  - {kind: picture, field: picture, at: [10, 40, 40, 20]}
  - {kind: picture, field: low, at: [10, 5, 40, 20], optional: true}
  - {kind: text, field: name, at: [5, 74, 53, 9], optional: true}
  - {kind: text, field: words, at: [51, 5, 10, 20], points: 20, optional: true}
icons: {mark: mark.png}
"""
UPPER, LOWER = (10, 40, 40, 20), (10, 5, 40, 20)
"""The two boxes for pictures (mm): on the template's ground, and on its plate."""
WIDE, HIGH = 480, 240
DPI = 100
LOOKS = (*(style.value for style in Style), "pro")
COLOURS = {"red": (200, 40, 40), "green": (40, 180, 40), "blue": (40, 40, 200), "yellow": (230, 220, 60)}
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How a camera keeps an upright picture, for each orientation that EXIF then says."""
ORIENTATION = 0x0112
Pixels = npt.NDArray[np.int_]


def quarters() -> Image.Image:
    """Four colours, one in each quarter."""
    picture = Image.new("RGB", (WIDE, HIGH))
    for at, colour in enumerate(COLOURS.values()):
        picture.paste(colour, (at % 2 * WIDE // 2, at // 2 * HIGH // 2, WIDE, HIGH))
    return picture


def as_kept(upright: Image.Image, orientation: int, path: Path) -> str:
    """Keep a picture as a camera that was held otherwise does; the file's name."""
    turned = STORED[orientation]
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    (upright.transpose(turned) if turned is not None else upright).save(path, exif=exif, quality=95)
    return path.name


@cache
def ordered(look: str) -> PrintSettings:
    """One picture on a page; ``pro`` is what a press prints."""
    if look == "pro":
        return PrintSettings(singly=True, press=press_for())
    return PrintSettings(style=Style(look), singly=True)


def printed(folder: Path, lines: list[str], look: str) -> list[Pixels]:
    """The fronts of a deck, printed and rendered."""
    (folder / "mine.yaml").write_text(TEMPLATE, "utf-8")
    if not (folder / "mark.png").exists():
        Image.new("RGB", (400, 400)).save(folder / "mark.png")
    (folder / "deck.csv").write_text("\n".join(lines) + "\n", "utf-8")
    deck = own_deck(folder / "deck.csv", str(folder / "mine.yaml"))
    [file] = print_components([deck], folder / "out", ordered(look))
    return [render_page(file.path, at, DPI).astype(int) for at in range(len(lines) - 1)]


def shown(face: Pixels, box: tuple[int, int, int, int], across: float, up: float) -> Pixels:
    """The colour at a place in a box, each part of its width and height from its lower left corner."""
    left, bottom, width, height = box
    x, y = left + across * width + BLEED, bottom + up * height + BLEED
    column, row = round(x / 25.4 * DPI), face.shape[0] - round(y / 25.4 * DPI)
    mean: Pixels = face[row - 1 : row + 2, column - 1 : column + 2].reshape(-1, 3).mean(axis=0).astype(int)
    return mean


def corners(face: Pixels) -> list[Pixels]:
    """The colours of a picture's quarters, along the rows."""
    return [shown(face, UPPER, across, up) for up in (0.75, 0.25) for across in (0.25, 0.75)]


@pytest.mark.parametrize("look", LOOKS)
def test_a_photograph_is_as_upright_as_the_camera_says(tmp_path: Path, look: str) -> None:
    names = [
        as_kept(quarters(), turned, tmp_path / f"{turned}{end}") for turned in STORED for end in (".jpg", ".png")
    ]
    seen = cv2.imread(str(tmp_path / "6.jpg"))
    assert seen is not None and seen.shape[:2] == (HIGH, WIDE), "another program turns it too"
    faces = printed(tmp_path, ["name,picture", *(f"Card,{name}" for name in names)], look)
    upright = corners(faces[0])
    if look == "colour":
        assert np.abs(np.array(upright) - np.array(list(COLOURS.values()))).max() < 12
    assert len({tuple(colour) for colour in upright}) == 4
    for name, face in zip(names, faces, strict=True):
        assert np.abs(np.array(corners(face)) - np.array(upright)).max() < 12, name


def test_a_turned_photograph_goes_into_the_document_as_it_is(tmp_path: Path) -> None:
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 255, (HIGH, WIDE, 3), dtype=np.uint8))
    as_kept(noise, 6, tmp_path / "photo.jpg")
    printed(tmp_path, ["name,picture", "Card,photo.jpg"], "colour")
    [file] = (tmp_path / "out").glob("*.pdf")
    assert (tmp_path / "photo.jpg").read_bytes() in file.read_bytes()


@pytest.mark.parametrize("look", LOOKS)
def test_a_scan_of_sixteen_bits_looks_like_one_of_eight(tmp_path: Path, look: str) -> None:
    levels = np.tile(np.linspace(0, 0xFFFF, WIDE), (HIGH, 1))
    Image.fromarray(levels.astype(np.uint16)).save(tmp_path / "deep.png")
    Image.fromarray(levels.astype(np.uint16)).save(tmp_path / "deep.tif")
    Image.fromarray((levels / 257).astype(np.uint8)).save(tmp_path / "plain.png")
    lines = ["name,picture", "Deep,deep.png", "Deep,deep.tif", "Plain,plain.png"]
    png, tif, plain = (
        np.array([shown(face, UPPER, across, 0.5) for across in (0.1, 0.5, 0.9)])
        for face in printed(tmp_path, lines, look)
    )
    assert np.abs(png - plain).max() <= 2 and np.abs(tif - plain).max() <= 2
    assert plain[0].mean() + 60 < plain[2].mean()
    if look == "colour":
        assert np.abs(plain[:, 0] - [25, 128, 230]).max() < 6


def half_clear() -> Image.Image:
    """Red: clear on the left, half clear in the middle, solid on the right."""
    picture = Image.new("RGBA", (WIDE, HIGH), (*COLOURS["red"], 255))
    alpha = np.repeat(np.array([[0, 128, 255]], np.uint8), WIDE // 3, axis=1).repeat(HIGH, axis=0)
    picture.putalpha(Image.fromarray(alpha))
    return picture


@pytest.mark.parametrize("look", LOOKS)
def test_the_ground_shows_where_a_picture_is_clear(tmp_path: Path, look: str) -> None:
    half_clear().save(tmp_path / "soft.png")
    half_clear().save(tmp_path / "soft.webp", lossless=True)
    half_clear().convert("LA").save(tmp_path / "grey.png")
    half_clear().save(tmp_path / "hard.gif")
    half_clear().quantize(4).save(tmp_path / "palette.png")
    half_clear().convert("RGB").save(tmp_path / "solid.png")
    names = ("soft.png", "soft.webp", "grey.png", "palette.png", "hard.gif", "solid.png")
    *clear, solid = printed(tmp_path, ["name,picture,low", *(f"Card,{name},{name}" for name in names)], look)
    for name, face in zip(names, clear, strict=False):
        for box in (UPPER, LOWER):
            below = shown(face, box, -0.1, 0.5)
            left, middle, right = (shown(face, box, across, 0.5) for across in (0.15, 0.5, 0.85))
            assert np.abs(left - below).max() <= 2, f"{name}: clear"
            if name != "grey.png":
                assert np.abs(right - shown(solid, box, 0.85, 0.5)).max() <= 2, f"{name}: solid"
            if name != "hard.gif":
                assert np.abs(middle - (below + right) / 2).max() <= 12, f"{name}: half clear"
    if look == "colour":
        assert np.abs(shown(clear[0], UPPER, 0.15, 0.5) - (0x30, 0x50, 0xA0)).max() <= 2
        assert np.abs(shown(clear[0], LOWER, 0.15, 0.5) - (0x20, 0x60, 0x30)).max() <= 2


def test_a_plate_shows_round_an_icon_on_it(tmp_path: Path) -> None:
    dot = Image.new("RGBA", (400, 400), (255, 255, 255, 0))
    dot.paste((255, 255, 255, 255), (150, 150, 250, 250))
    dot.save(tmp_path / "mark.png")
    quarters().save(tmp_path / "any.png")
    [face] = printed(tmp_path, ["name,words,picture", "Card,{mark},any.png"], "colour")
    top, bottom = (face.shape[0] - round((up + BLEED) / 25.4 * DPI) for up in (25, 5))
    left, right = (round((across + BLEED) / 25.4 * DPI) for across in (51, 61))
    line = face[top:bottom, left:right].reshape(-1, 3)
    assert (line.min(axis=1) > 240).any(), "the dot"
    assert (np.abs(line - (0x20, 0x60, 0x30)).max(axis=1) <= 2).mean() > 0.9, "the plate all round it"


def test_greys_that_nobody_can_tell_are_refused(tmp_path: Path) -> None:
    Image.fromarray(np.full((HIGH, WIDE), 0.5, np.float32)).save(tmp_path / "float.tif")
    Image.fromarray(np.full((HIGH, WIDE), 1 << 20, np.int32)).save(tmp_path / "deeper.tif")
    for name in ("float.tif", "deeper.tif"):
        said = (
            rf"card 1 \(Card\), field 'picture': {name} cannot be used \(it has 32 bits .* save it with 8 or 16\)"
        )
        raises(DeckInvalid, said, printed, tmp_path, ["name,picture", f"Card,{name}"], "colour")
    assert not (tmp_path / "out").exists()


DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" {size}>
<rect width="20" height="20" fill="#c82828"/><path d="M25 0H40V10Z" fill="#2828c8" fill-opacity="0.5"/></svg>
"""


@pytest.mark.parametrize(
    "size",
    [
        'viewBox="0 0 40 20"',
        'viewBox="0 0 40 20" width="4cm" height="20mm"',
        'viewBox="0 0 40 20" width="900000" height="450000"',
    ],
)
@pytest.mark.parametrize("look", LOOKS)
def test_an_svg_file_is_drawn_sharply_and_its_clear_parts_are_clear(tmp_path: Path, look: str, size: str) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "drawing.svg").write_text(DRAWING.format(size=size), "utf-8")
    Image.new("RGB", (WIDE, HIGH), (200, 40, 40)).save(tmp_path / "red.png")
    drawn, red = printed(tmp_path, ["name,picture", "Card,art\\drawing.svg", "Card,red.png"], look)
    below = shown(drawn, UPPER, -0.1, 0.5)
    assert np.abs(shown(drawn, UPPER, 0.25, 0.5) - shown(red, UPPER, 0.25, 0.5)).max() <= 2
    assert np.abs(shown(drawn, UPPER, 0.8, 0.2) - below).max() <= 2, "clear"
    assert np.abs(shown(drawn, UPPER, 0.8, 0.9) - below).max() > 4, "half clear"


SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 20">
{}</svg>"""
DEEP = SVG.format("<g>" * 60_000 + "</g>" * 60_000)
WITHIN = f"data:image/svg+xml;base64,{b64encode(DEEP.encode()).decode()}"
LONG = "drawing it takes too long or too much memory; make it simpler, or save it as PNG"
ELSEWHERE = "it shows '.*', which is not in its folder; embed that picture"


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        (DEEP, "it has more than 200 groups within groups; ungroup them"),
        (
            f'<image width="40" height="20" href="{WITHIN}"/>',
            LONG,
        ),
        (
            '<filter id="f"><feTurbulence baseFrequency="1e-9" numOctaves="2000000000"/></filter>'
            '<rect width="40" height="20" filter="url(#f)"/>',
            LONG,
        ),
        ('<image width="40" height="20" href="OUTSIDE"/>', ELSEWHERE),
        ('<image width="40" height="20" xlink:href=" OUTSIDE "/>', ELSEWHERE),
        ('<image width="40" height="20" href="../outside.png"/>', ELSEWHERE),
        ('<image width="40" height="20" href="link.png"/>', ELSEWHERE),
        (
            '<filter id="f"><feImage href="OUTSIDE"/></filter><rect width="9" height="9" filter="url(#f)"/>',
            ELSEWHERE,
        ),
    ],
)
def test_an_svg_file_that_takes_too_much_or_looks_outside_is_refused_and_the_next_is_drawn(
    tmp_path: Path, inside: str, why: str
) -> None:
    folder, outside = tmp_path / "deck", tmp_path / "outside.png"
    folder.mkdir()
    Image.new("RGB", (9, 9), (0, 0, 200)).save(outside)
    (folder / "link.png").symlink_to(outside)
    (folder / "drawing.svg").write_text(
        inside if inside is DEEP else SVG.format(inside.replace("OUTSIDE", str(outside)))
    )
    with pytest.raises(DeckInvalid, match=rf"card: drawing.svg cannot be used \({why}\)"):
        opened_picture(folder / "drawing.svg", "card")
    Image.new("RGB", (9, 9), (0, 200, 0)).save(folder / "beside.png")
    beside = '<image width="40" height="20" preserveAspectRatio="none" href="beside.png"/>'
    (folder / "drawing.svg").write_text(SVG.format(beside))
    assert opened_picture(folder / "drawing.svg", "card").image.getpixel((20, 20)) == (0, 200, 0, 255)


def test_an_svg_file_that_would_look_different_elsewhere_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="5">A</text></svg>'
    for text, why in (
        (words, "its text would depend on your fonts; save it with text as paths"),
        ("<svg", "it is not a picture"),
        ("no drawing", "it is not a picture"),
    ):
        (tmp_path / "drawing.svg").write_text(text, "utf-8")
        said = rf"card 1 \(Card\), field 'picture': drawing.svg cannot be used \({why}\)"
        raises(DeckInvalid, said, printed, tmp_path, ["name,picture", "Card,drawing.svg"], "colour")
    (tmp_path / "drawing.svg").write_text(DRAWING.format(size=""), "utf-8")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = r"drawing.svg cannot be used \(save it as PNG, or install what reads SVG: .*\[decks.*\].*\)"
    raises(DeckInvalid, said, printed, tmp_path, ["name,picture", "Card,drawing.svg"], "colour")
    assert not (tmp_path / "out").exists()
