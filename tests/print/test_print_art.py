"""Pictures kept as SVG files: what a drawing program saves is drawn just so, and what cannot be is named."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.package_data import package_file
from loomtable.printkit.draw import art
from loomtable.printkit.draw.art import art_named, art_names
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.svg import drawn_as_svg
from loomtable.printkit.errors import ArtUnreadable, UnknownMotif
from loomtable.printkit.raster import card_faces
from tests.print.drawn_cards import drawn
from tests.short import raises

FOLDERS = sorted(path.name for path in package_file("templates", "art").iterdir())
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -20 20 20"><g transform="scale(1 -1)">'


@pytest.fixture
def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of pictures that somebody is working on."""
    (tmp_path / "templates" / "art" / "mine").mkdir(parents=True)
    monkeypatch.setattr(art, "package_file", lambda *parts: tmp_path.joinpath(*parts))
    art_named.cache_clear()
    art_names.cache_clear()
    yield tmp_path / "templates" / "art" / "mine"
    art_named.cache_clear()
    art_names.cache_clear()


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_picture_can_be_read_and_leaves_a_mark_in_every_style(folder: str) -> None:
    for name in art_names(folder):
        picture = art_named(folder, name)
        _, _, width, height = picture.box
        for style in Style:
            with_picture = drawn_as_svg(picture.draw, width, height, style=style)
            assert "<path" in with_picture, (name, style)


def test_what_a_drawing_program_saves_is_drawn_the_same(studio: Path) -> None:
    """A circle, a box and a wave as our files have them, and as Inkscape writes them after somebody moved them."""
    (studio / "ours.svg").write_text(
        HEAD + '<path fill="#a8321f" d="M2 2L8 2L8 6L2 6Z"/>'
        '<path fill="#1f5673" d="M18 10C18 12.21 16.21 14 14 14C11.79 14 10 12.21 10 10C10 7.79 11.79 6 14 6'
        'C16.21 6 18 7.79 18 10Z"/><path fill="none" stroke="#000000" stroke-width="0.5" stroke-linecap="round" '
        'd="M2 16C4 18 6 14 8 16"/></g></svg>'
    )
    (studio / "theirs.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        'viewBox="0 -20 20 20"><g inkscape:label="Layer 1" style="stroke-linecap:round">'
        '<rect style="fill:#A8321F;stroke:none" x="1" y="-6" width="6" height="4" transform="translate(1)"/>'
        '<g transform="matrix(0 1 -1 0 14 -10)"><ellipse cx="0" cy="0" rx="4" ry="4" style="fill:#1f5673"/></g>'
        '<path style="fill:none;stroke:#000000;stroke-width:0.5" d="m 2,-16 c 2,-2 4,2 6,0"/></g></svg>'
    )
    ours, theirs = (
        drawn(art_named("mine", name).draw, (20, 20), Style.COLOUR, 100) for name in ("ours", "theirs")
    )
    assert np.abs(ours.astype(int) - theirs).mean() < 0.5
    assert (np.abs(ours.astype(int) - theirs).max(axis=2) > 40).mean() < 0.002
    assert (ours.min(axis=2) < 128).mean() > 0.1


def test_each_class_takes_ink_as_it_says(studio: Path) -> None:
    (studio / "classes.svg").write_text(
        HEAD + '<path fill="#204060" d="M0 0L20 0L20 20L0 20Z"/>'
        '<path class="mark" fill="#ffffff" d="M2 2L6 2L6 6L2 6Z"/>'
        '<path class="tone" fill="#808080" d="M8 2L12 2L12 6L8 6Z"/>'
        '<path class="solid" fill="#808080" d="M14 2L18 2L18 6L14 6Z"/>'
        '<path class="only-low-ink solid" fill="#000000" d="M2 10L6 10L6 14L2 14Z"/>'
        '<path class="deep" fill="#000000" d="M8 10L12 10L12 14L8 14Z"/></g></svg>'
    )
    picture = art_named("mine", "classes")
    at = {"mark": (4, 4), "tone": (10, 4), "solid": (16, 4), "only-low-ink": (4, 12), "deep": (10, 12)}

    def levels(style: Style) -> dict[str, int]:
        page = drawn(lambda pen: picture.draw(pen, {"deep": Colour(1, 0.8, 0.8)}), (20, 20), style, 127)
        return {name: int(page[100 - 5 * y, 5 * x].mean()) for name, (x, y) in at.items()}

    colour, low = levels(Style.COLOUR), levels(Style.LOW_INK)
    assert (
        colour["mark"] == 255 > colour["deep"] > 200 > colour["tone"] == colour["solid"] > colour["only-low-ink"]
    )
    assert low["tone"] == low["deep"] == 255, "no shade, and an outline in place of a body"
    assert max(low["mark"], low["solid"], low["only-low-ink"]) < 60


@pytest.mark.parametrize(
    ("inside", "says"),
    [
        ('<text x="1">Hello</text>', "it has <text>; turn it into paths"),
        ('<rect width="3" height="3" fill="url(#glow)"/>', r"the colour 'url\(#glow\)' is not a plain one"),
        ('<g transform="skewX(20)"><rect width="3" height="3"/></g>', r"moved by skewX\(\)"),
        ("<path d=", "cannot be drawn"),
        ('<g clip-path="url(#gone)"><rect width="3" height="3"/></g>', "gone"),
    ],
)
def test_what_cannot_be_printed_is_named_with_its_file(studio: Path, inside: str, says: str) -> None:
    (studio / "odd.svg").write_text(HEAD + inside + "</g></svg>")
    raises(ArtUnreadable, rf"art/mine/odd\.svg.*{says}", art_named, "mine", "odd")


def test_a_picture_that_nobody_drew_is_named_beside_those_there_are(studio: Path) -> None:
    shutil.copy(package_file("templates", "art", "suits") / "weave.svg", studio)
    with pytest.raises(UnknownMotif, match="card 4: there is no picture 'spoon'; there are weave"):
        art_named("mine", "spoon", "card 4")


def test_the_challenge_cards_of_one_suit_and_level_differ_in_their_picture() -> None:
    ids = [ComponentId.parse(short) for short in ("C1", "C2", "C3", "C4")]
    faces = card_faces("challenge-cards", 150, only=ids)
    rings = [faces[card][: round(54 / 25.4 * 150)].astype(int) for card in ids]

    def apart(one: int, other: int) -> int:
        return int((np.abs(rings[one] - rings[other]).max(axis=2) > 60).sum())

    assert all(apart(one, other) > 10 * apart(0, 3) for one, other in combinations(range(3), 2))
