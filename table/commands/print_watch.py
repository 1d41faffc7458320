"""``loom print --deck FILE --watch``: a page on this machine that shows a card of the deck as you save it."""

from __future__ import annotations

import base64
import html
import io
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import Template

import uvicorn
from PIL import Image
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.printkit.decks.own import own_deck
from loomtable.printkit.decks.table import read_table
from loomtable.printkit.draw.path import rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.raster import picture_of
from loomtable.printkit.sheet.papers import POKER
from loomtable.printkit.sheet.pieces import Drawing, PrintedCard
from loomtable.table.commands.output import say

LOOPBACK = "127.0.0.1"
_DPI = 200
_NEAR = 10
"""So many cards before and after the one that is shown have a link."""


@dataclass(frozen=True)
class WatchedDeck:
    """A deck and its template, read anew whenever the page is asked for."""

    deck: Path
    template: str | None

    @property
    def state(self) -> str:
        """What changes when the deck, a file beside it or its template, or one that a card names was saved."""
        folders = {self.deck.parent, Path(self.template or self.deck).parent}
        files = {file for folder in folders for file in folder.iterdir()}
        try:
            values = {str(value) for card in read_table(self.deck).cards for value in card}
            files |= {self.deck.parent / value for value in values if "." in value and len(value) < 200}
        except LoomtableError:  # the page says what is wrong
            pass
        saved = sorted((str(file), file.stat().st_mtime_ns) for file in files if file.is_file())
        return f"{hash(tuple(saved)):x}"

    def shown(self, number: int) -> str:
        """The page of a card: both its sides, and all that is wrong with the deck."""
        state = self.state  # before the files are read: what is saved meanwhile is shown by the next page
        faults: list[LoomtableError] = []
        pictures: list[str] = []
        cards: list[PrintedCard] = []
        try:
            cards = own_deck(self.deck, self.template, report=faults.append).cards()
            number = max(1, min(number, len(cards)))
            pictures = list(_pictures(cards[number - 1])) if cards else []
        except LoomtableError as error:
            faults.append(error)
        near = range(max(1, number - _NEAR), min(len(cards), number + _NEAR) + 1)
        return Template(Path(__file__).with_suffix(".html").read_text("utf-8")).substitute(
            title=html.escape(f"{number}: {cards[number - 1].name}" if cards else self.deck.name),
            links="".join(f"<b>{at}</b>" if at == number else f'<a href="?card={at}">{at}</a>' for at in near),
            faults="".join(f"<li>{html.escape(fault)}</li>" for fault in dict.fromkeys(map(str, faults))),
            pictures="".join(pictures),
            state=state,
        )


def _pictures(card: PrintedCard) -> Iterator[str]:
    size = card.size or POKER
    outline = rounded(0, 0, size.width, size.height, size.corner)

    def face(pen: Pen, side: Drawing) -> None:
        with pen.clipped(outline):
            pen.fill_background(outline, card.ground)
            side(pen)

    for name, side in (("front", card.front), ("back", card.back)):
        if side:
            kept = io.BytesIO()
            drawn = picture_of(partial(face, side=side), size.width, size.height, _DPI)
            Image.fromarray(drawn).save(kept, "PNG")
            data = base64.b64encode(kept.getvalue()).decode()
            yield f'<img alt="{name} of {html.escape(card.name)}" src="data:image/png;base64,{data}">'


def watching(watched: WatchedDeck) -> Starlette:
    """The application. It answers to this machine's own names only, so that no page from elsewhere can read it."""

    def page(request: Request) -> Response:
        asked = request.query_params.get("card", "")
        number = int(asked) if asked.isdecimal() and len(asked) < 6 else 1
        return HTMLResponse(watched.shown(number), headers={"Cache-Control": "no-store"})

    def state(_: Request) -> Response:
        return PlainTextResponse(watched.state)

    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[LOOPBACK, "localhost"])
    return Starlette(routes=[Route("/", page), Route("/state", state)], middleware=[hosts])


def watch(deck: Path, template: str | None) -> None:
    """Serve the page on this machine alone, until it is stopped.

    Raises:
        LoomtableError: there is no such deck or template.
    """
    own_deck(deck, template, report=lambda _: None)
    with socket.create_server((LOOPBACK, 0)) as opened:
        address = f"http://{LOOPBACK}:{opened.getsockname()[1]}/"
        say(f"Open {address}: the card there changes whenever you save your deck. Ctrl+C ends it.")
        app = watching(WatchedDeck(deck, template))
        uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run(sockets=[opened])
