"""The icons of the page on a home screen (``loomtable.webmanifest``), drawn as the backs of our cards are."""

from __future__ import annotations

import io
from collections.abc import Mapping

import pypdfium2
from PIL import Image
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from starlette.requests import Request
from starlette.responses import Response

from loomtable.printkit.draw.palette import CREAM, Colour, Style
from loomtable.printkit.draw.path import circle, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.suits import draw_suit
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.table.hosting.errors import NotThere
from loomtable.table.hosting.guard import ANYBODY, GuardedRoute, route
from loomtable.table.pages.drawing import kept_by_drawing

_SIZES: Mapping[str, int] = {"icon-192": 192, "icon-512": 512, "maskable-512": 512, "touch-180": 180}
"""Each icon and its edge in pixels. Systems cut a maskable one to a shape of their own, and round a touch icon."""
_EDGE = 50.0
"""The edge of what is drawn (mm)."""
_COLOURS = 96
"""Inks are few; more colours would only make the file larger (set by hand)."""
_KEPT = {"cache-control": "public, max-age=86400"}
_BLUE, _GOLD, _LIGHT = (Colour.hex(ink) for ink in ("1F5673", "A8712F", "C9D6D6"))


def draw_icon(pen: Pen, *, whole: bool) -> None:
    """Draw the icon, a knot on weaving, in a square of ``_EDGE`` mm: all of it, or with round corners."""
    outline = rect(0, 0, _EDGE, _EDGE) if whole else rounded(1, 1, _EDGE - 2, _EDGE - 2, 10)
    with pen.clipped(outline):
        pen.solid(rect(0, 0, _EDGE, _EDGE), _BLUE.towards(Colour(0, 0, 0), 0.35))
        deep, pale = _BLUE.towards(CREAM, 0.16), _BLUE.towards(CREAM, 0.3)
        rising, falling = (Band(4.2, ink, _BLUE.towards(Colour(0, 0, 0), 0.5), _LIGHT) for ink in (deep, pale))
        draw_lattice(pen, Lattice(_EDGE, _EDGE, 5, 5), 2, rising, falling)
        middle = _EDGE / 2
        pen.solid(circle(middle, middle, 16.6), _GOLD)
        pen.solid(circle(middle, middle, 15.6), CREAM)
        with pen.at(middle, middle):
            draw_suit(pen, "weave", 0, 0, 24, _BLUE, CREAM)


def icon_png(name: str) -> bytes:
    """An icon as a PNG file.

    Raises:
        NotThere: there is no such icon.
    """
    if name not in _SIZES:
        raise NotThere("there is no such icon")
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(_EDGE * mm, _EDGE * mm), invariant=1)
    canvas.scale(mm, mm)
    draw_icon(Pen(canvas, Style.COLOUR), whole=not name.startswith("icon"))
    canvas.save()
    document = pypdfium2.PdfDocument(file.getvalue())
    try:
        clear = (0, 0, 0, 0) if name.startswith("icon") else (255, 255, 255, 255)
        scale = _SIZES[name] / (_EDGE * mm)
        picture = document[0].render(scale=scale, fill_color=clear, rev_byteorder=True).to_pil()
    finally:
        document.close()
    made = io.BytesIO()
    few = picture.resize((_SIZES[name],) * 2).quantize(_COLOURS, Image.Quantize.FASTOCTREE)
    few.save(made, "PNG", optimize=True)
    return made.getvalue()


async def icon(request: Request) -> Response:
    """An icon of the app."""
    made = await kept_by_drawing(icon_png, request.path_params["name"])
    return Response(made, media_type="image/png", headers=_KEPT)


ROUTES: tuple[GuardedRoute, ...] = (route("/icon/{name}.png", icon, roles=ANYBODY),)
