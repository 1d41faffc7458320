"""The codes on cards: as large as they should be, with white round them, as another encoder writes them."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from qrcode import QRCode

from loomtable.engine.weave.cards.decks import challenge_deck, story_deck
from loomtable.printkit.catalogue import components
from loomtable.printkit.draw.codes import MODULES, SYMBOL, modules
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.qr import ErrorCorrection, qr_modules
from loomtable.printkit.raster import Picture, card_faces, render_page
from loomtable.printkit.sheet.document import SheetSettings, pages_to_pdf
from loomtable.printkit.sheet.grid import DuplexMode
from loomtable.printkit.sheet.papers import A4, LETTER, POKER, US_POKER, CardSize, Paper
from tests.print.plain_cards import deck_pages
from tests.short import raises

DPI = 200
SCALE = DPI / 25.4
SAFE_ZONE = 3.0
"""How far inside the trim everything that matters stays (mm)."""
FEW = [challenge_deck()[at].id for at in (0, 11, 22, 35)]


@cache
def first_page(paper: Paper, size: CardSize, style: Style) -> Picture:
    """The first nine Story cards."""
    _, pages = deck_pages(components()["story-cards"], paper, size, DuplexMode.FRONTS_ONLY)
    settings = SheetSettings(title="test", paper=paper, sides=DuplexMode.FRONTS_ONLY, style=style)
    return render_page(pages_to_pdf(pages[:1], settings), 0, DPI)


def test_the_symbol_is_twenty_millimetres_wide_with_its_quiet_zone_white() -> None:
    page = first_page(A4, POKER, Style.COLOUR)
    found = zxingcpp.read_barcodes(page, formats=zxingcpp.BarcodeFormat.QRCode)[0]
    where = found.position
    width = math.dist((where.top_left.x, where.top_left.y), (where.top_right.x, where.top_right.y)) / SCALE
    assert width == pytest.approx(20, abs=0.35)
    quiet = 4 * SYMBOL / MODULES - 0.4
    left, top = where.top_left.x, where.top_left.y
    reach, span = round(quiet * SCALE), round(SYMBOL * SCALE)
    around = page[top - reach : top + span + reach, left - reach : left + span + reach].copy()
    around[reach - 2 : reach + span + 2, reach - 2 : reach + span + 2] = 255
    assert around.min() >= 250, "something is printed in a quiet zone"


@pytest.mark.parametrize("component", ["story-cards", "challenge-cards"])
@pytest.mark.parametrize("style", [Style.COLOUR, Style.LOW_INK])
def test_nothing_but_ground_lies_near_the_trim(component: str, style: Style) -> None:
    for face in card_faces(component, 120, style=style, only=None if component == "story-cards" else FEW).values():
        ring = np.ones(face.shape[:2], dtype=bool)
        edge = round(SAFE_ZONE * 120 / 25.4) - 1
        ring[edge:-edge, edge:-edge] = False
        ring[:2] = ring[-2:] = ring[:, :2] = ring[:, -2:] = False
        assert np.ptp(face[ring], axis=0).max() == 0


MASKS = [
    lambda i, j: (i + j) % 2 == 0,
    lambda i, j: i % 2 == 0,
    lambda i, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0,
    lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: i * j % 2 + i * j % 3 == 0,
    lambda i, j: (i * j % 2 + i * j % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2 == 0,
]
"""ISO/IEC 18004, table 10, in rows and columns."""


def unmasked(dark: np.ndarray) -> np.ndarray:
    """The data of a symbol of version 1, with neither its mask nor what is the same in every symbol."""
    mask = int("".join(str(int(module)) for module in dark[8, 2:5]), 2) ^ 0b101
    rows, columns = np.indices(dark.shape)
    data = np.ones(dark.shape, dtype=bool)
    data[:9, :9] = data[:9, -8:] = data[-8:, :9] = data[6] = data[:, 6] = False
    return (dark ^ MASKS[mask](rows, columns))[data]


def test_another_encoder_writes_the_same_codes() -> None:
    for card in (*story_deck(), *challenge_deck()):
        symbol = zxingcpp.create_barcode(card.id.code, zxingcpp.BarcodeFormat.QRCode, ec_level="H")
        theirs = np.asarray(symbol.to_image(scale=1, add_quiet_zones=False)) < 128
        assert (unmasked(np.array(modules(card.id.code))) == unmasked(theirs)).all()


def test_a_code_that_is_too_long_is_refused() -> None:
    raises(ValueError, "does not fit a QR code of version 1 at level H", modules, "LT1" + "A" * 20)


def test_cut_faces_carry_their_own_codes() -> None:
    wanted = {card.id for card in story_deck()[:3]}
    faces = card_faces("story-cards", DPI, only=wanted)
    assert set(faces) == wanted
    for card, face in faces.items():
        assert face.shape[:2] == (round(88 * SCALE), round(63 * SCALE))
        assert [found.text for found in zxingcpp.read_barcodes(face)] == [card.code]


def test_low_ink_takes_far_less_ink() -> None:
    colour = first_page(A4, POKER, Style.COLOUR)
    low = first_page(LETTER, US_POKER, Style.LOW_INK)
    assert (255 - low).mean() < 0.35 * (255 - colour).mean()


@given(
    st.text("ABCXYZ019:/. ", min_size=1, max_size=9), st.sampled_from(ErrorCorrection), st.sampled_from([1, 2, 7])
)
def test_the_mask_is_the_one_that_the_library_finds_best(text: str, level: ErrorCorrection, version: int) -> None:
    symbol = QRCode(version=version, error_correction=level.value, border=0)
    symbol.add_data(text)
    symbol.make(fit=False)
    assert qr_modules(text, level, version) == tuple(tuple(map(bool, row)) for row in symbol.get_matrix())
