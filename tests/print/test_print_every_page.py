"""Every page at two resolutions, in colour, grey and low ink: a second reader reads every code."""

from __future__ import annotations

import pytest

from engine.kernel.components import ComponentId, Kind
from engine.kernel.tags import tag_of
from printkit.catalogue import components
from printkit.draw.palette import Style
from printkit.kit import PrintSettings
from printkit.raster import Picture, cut, render_page
from printkit.sheet.document import pages_to_pdf
from printkit.sheet.imposition import lay_out
from printkit.sheet.pieces import PrintedCard
from tests.print.second_reader import read_by_opencv, read_tags

LOOKS = [(Style.COLOUR, 200), (Style.GREY, 150), (Style.LOW_INK, 150), (Style.COLOUR, 150), (Style.GREY, 200)]
LOOKS.append((Style.LOW_INK, 200))
WITH_CODES = sorted(
    component.name
    for component in components().values()
    if any(isinstance(piece, PrintedCard) and piece.id for piece in component.pieces(PrintSettings().order))
)


TAGGED = (Kind.FIGURE, Kind.TAPESTRY)
"""These carry a tag and no QR code: a camera above the table finds them."""


def read_as(card: ComponentId, face: Picture) -> ComponentId | None:
    """What a second reader finds on the face of this card, by its tags or by its code."""
    if card.kind in TAGGED:
        return card if {tag for tag, _ in read_tags(face)} == {tag_of(card)} else None
    code = read_by_opencv(face)
    return ComponentId.from_code(code) if code else None


@pytest.mark.parametrize("name", WITH_CODES)
def test_every_code_on_every_page_is_read_by_another_reader(name: str) -> None:
    """Each card is looked at in one of the six looks in turn, so that all of them meet every kind of face."""
    chosen = {style: PrintSettings(style=style) for style in Style}
    pages = lay_out(components()[name].pieces(PrintSettings().order), chosen[Style.COLOUR].wish)
    files = {style: pages_to_pdf(pages, settings.sheets("test")) for style, settings in chosen.items()}
    turn, read = 0, 0
    for at, page in enumerate(pages):
        wanted = [
            (placed, placed.piece.back_id if placed.is_back else placed.piece.id)
            for placed in page.placed
            if isinstance(placed.piece, PrintedCard)
        ]
        pictures = {}
        for placed, card in wanted:
            if card is None:
                continue
            style, dpi = LOOKS[turn % len(LOOKS)]
            turn += 1
            if (style, dpi) not in pictures:
                pictures[style, dpi] = render_page(files[style], at, dpi)
            face = cut(pictures[style, dpi], page.layout.slot(placed.slot), page.layout.page_height, dpi)
            assert read_as(card, face) == card, f"{card} at {dpi} dpi, {style}"
            read += 1
    assert read >= 1
