"""What a component holds, in words: how many of which size."""

from __future__ import annotations

from loomtable.engine.kernel.wording import how_many
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece, PrintedPage
from loomtable.printkit.sheet.tiled import tiles


def contents_of(component: Component) -> str:
    """``36 of 63 x 88 mm, both sides``; ``1 of 594 x 420 mm, tiled over 6 pages of A4``; parts joined by ``;``."""
    options = RenderOptions()
    counts: dict[str, int] = {}
    for piece in component.pieces(options):
        kind = _kind(piece, options)
        counts[kind] = counts.get(kind, 0) + piece.copies
    return "; ".join(f"{count} {kind}" for kind, count in counts.items())


def _kind(piece: Piece, options: RenderOptions) -> str:
    if isinstance(piece, PrintedPage):
        return f"whole page of {options.paper.name}{_sides(piece.back is not None)}"
    if isinstance(piece, LargeDrawing):
        pages = len(tiles(piece.width, piece.height, options.paper))
        over = f", over {how_many(pages, 'page', 'pages')} of {options.paper.name}" if pages > 1 else ""
        return f"of {piece.width:g} x {piece.height:g} mm{over}"
    size = piece.size or options.card_size
    return f"of {size.width:g} x {size.height:g} mm{_sides(piece.back is not None)}"


def _sides(both: bool) -> str:
    return ", both sides" if both else ", one side"
