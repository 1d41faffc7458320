"""Drawing: what cannot be drawn is an error that names the card; suits differ by shape; every motif is there."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from loomtable.engine.weave.cards.decks import StoryCard, story_deck
from loomtable.engine.weave.suits import Suit
from loomtable.printkit.catalogue import components_named
from loomtable.printkit.components.layout import face_scale
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH, art_named, art_names
from loomtable.printkit.draw.palette import BLACK, WHITE, Colour, Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.suits import draw_suit
from loomtable.printkit.draw.type import Font, fit_lines, width_of
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.printkit.errors import GlyphMissing, PrintError, TextTooLong, UnknownMotif
from loomtable.printkit.games.weave.story_card import draw_story_front
from loomtable.printkit.kit import PrintSettings, print_components
from loomtable.printkit.raster import Picture, picture_of
from loomtable.printkit.sheet.papers import CARD_SIZES, POKER, SLEEVES, CardSize
from tests.print.second_reader import read_by_opencv
from tests.short import raises
from tests.tiers import mostly


def drawn(draw: Callable[[Pen], None], width: float, height: float, style: Style = Style.COLOUR) -> Picture:
    return picture_of(draw, width, height, 100, style)


@pytest.mark.parametrize(
    ("card", "error", "says"),
    [
        (StoryCard(23, "The 龍", "lantern"), GlyphMissing, r"Story card S23 \(The 龍\).*'龍'"),
        (StoryCard(24, "The Incomprehensibilities", "lantern"), TextTooLong, r"Story card S24 \(The Incompreh"),
        (StoryCard(25, "One Two Three Four Five Six Seven Eight Nine Ten", "lantern"), TextTooLong, "S25"),
        (StoryCard(26, "The Spoon", "spoon"), UnknownMotif, r"S26 \(The Spoon\).*'spoon'.*anchor"),
    ],
)
def test_a_card_that_cannot_be_drawn_is_named(card: StoryCard, error: type[PrintError], says: str) -> None:
    raises(error, says, drawn, lambda pen: draw_story_front(pen, card, POKER), 63, 88)


def test_titles_shrink_before_they_are_refused() -> None:
    lines, points = fit_lines("The Longest Possible Denomination", Font.TITLE, 27, 14.5, 9, 3, "test")
    assert points < 14.5
    assert len(lines) == 3
    assert all(width_of(line, Font.TITLE, points) <= 27 for line in lines)
    assert " ".join(lines) == "The Longest Possible Denomination"


def test_every_story_card_has_a_picture_and_every_picture_a_card() -> None:
    assert sorted(card.motif for card in story_deck()) == art_names("motifs")


@pytest.mark.parametrize("name", art_names("motifs"))
def test_motifs_cover_their_panel_and_are_no_two_alike(name: str) -> None:
    motif = art_named("motifs", name, "test")
    picture = drawn(motif.draw, MOTIF_WIDTH, MOTIF_HEIGHT)
    bare = (picture.min(axis=2) > 253).mean()
    assert bare < 0.02, "paper shows through"
    assert len(np.unique(picture.reshape(-1, 3) // 8, axis=0)) > 40
    lines = drawn(motif.draw, MOTIF_WIDTH, MOTIF_HEIGHT, Style.LOW_INK)
    assert 0.01 < (lines.mean(axis=2) < 128).mean() < 0.25


def test_symbols_differ_in_shape() -> None:
    """Black on white and 6 mm high, no two symbols share most of their ink: colour is never the only mark."""
    shapes: dict[str, np.ndarray] = {}
    for name in (*Suit, "weave", "strike"):
        shapes[name] = drawn(lambda pen, n=name: draw_suit(pen, n, 4, 4, 6, BLACK, WHITE), 8, 8).mean(axis=2) < 128
    for one, other in combinations(shapes, 2):
        shared = (shapes[one] & shapes[other]).sum() / (shapes[one] | shapes[other]).sum()
        assert shared < 0.6, f"{one} and {other} look alike ({shared:.2f})"


def test_woven_bands_pass_over_and_under_in_turn() -> None:
    lattice = Lattice(60, 80, 4, 5)
    red, green = (Band(4, Colour(*ink), Colour(*ink), Colour(*ink)) for ink in ((1, 0, 0), (0, 1, 0)))
    picture = drawn(lambda pen: draw_lattice(pen, lattice, 0, rising=red, falling=green), 60, 80)
    on_top = {}
    for rising, falling, (x, y) in lattice.pairs(0):
        if 1 < x < 59 and 1 < y < 79:
            on_top[rising, falling] = bool(picture[round((80 - y) / 25.4 * 100), round(x / 25.4 * 100), 1] > 128)
    assert len(on_top) > 20
    for (rising, falling), falling_is_on_top in on_top.items():
        for neighbour in ((rising + 1, falling), (rising, falling + 1)):
            assert on_top.get(neighbour, not falling_is_on_top) != falling_is_on_top


SHOWN = (CARD_SIZES["tarot"], CARD_SIZES["mini"])
"""The largest step and the smallest; every other size is for the thorough run."""
EVERY_SIZE = [*CARD_SIZES.values(), *SLEEVES.values()]


@pytest.mark.parametrize("size", mostly(EVERY_SIZE, SHOWN), ids=lambda size: size.name)
def test_a_face_is_whole_on_cards_of_every_size(size: CardSize) -> None:
    card = story_deck()[11]
    scale = face_scale(size)

    def as_large(pen: Pen) -> None:
        with pen.at(0, 0, scale=1 / scale):
            draw_story_front(pen, card, size)

    picture = drawn(as_large, size.width / scale, size.height / scale)
    edge = round(3.5 / 25.4 * 100)
    assert picture[edge:-edge, edge:-edge].min() < 100
    picture[edge:-edge, edge:-edge] = 255
    assert picture.min() > 250, "all keeps its distance from the cut, so nothing is cut off"
    assert 0.6 < scale < 1.5
    assert read_by_opencv(drawn(as_large, size.width / scale, size.height / scale)) == card.id.code


@pytest.mark.parametrize("size", mostly(EVERY_SIZE, SHOWN[1:]), ids=lambda size: size.name)
def test_no_card_of_any_size_has_type_under_6_points(tmp_path: Path, size: CardSize) -> None:
    """Read by PDFium: each letter's size as it stands on the paper."""
    named = components_named(["story", "challenge", "spells", "homes", "poker-deck"])
    settings = PrintSettings(card_size=size, singly=True)
    for file in print_components(named, tmp_path, settings):
        document = pypdfium2.PdfDocument(file.path)
        for page in document:
            text = page.get_textpage()
            for at in range(text.count_chars()):
                matrix = pypdfium2.raw.FS_MATRIX()
                assert pypdfium2.raw.FPDFText_GetMatrix(text, at, matrix)
                points = pypdfium2.raw.FPDFText_GetFontSize(text, at) * math.hypot(matrix.a, matrix.b)
                assert points > 5.99 or not text.get_text_range(at, 1).strip(), (file.path.name, points)
        document.close()
