"""``loom board``: the board on the table held against the one in a stored session, and moves made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loomtable.engine.kernel.errors import FileUnreadable, IllegalAction
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.output import AsJson, say, write_json

if TYPE_CHECKING:
    from loomtable.table.reading.board import Offer
    from loomtable.vision.pictures import BgrImage

DIFFERS = 1


def board(
    file: Annotated[str, typer.Argument(help="A file of journals, e.g. evenings.db, or a postgresql:// address.")],
    session: Annotated[str, typer.Argument(help="The session that is on the table.")],
    images: Annotated[
        list[Path] | None, typer.Argument(help="A picture of the table.", show_default=False)
    ] = None,
    camera: Annotated[str | None, typer.Option("--camera", help="Use this camera instead.")] = None,
    tapestry: Annotated[
        str | None, typer.Option("--tapestry", help="Look at this player's tapestry instead of the map (Woven).")
    ] = None,
    take: Annotated[
        bool, typer.Option("--take", help="Play the move that was made by hand, if it is legal.")
    ] = False,
    draw: Annotated[Path | None, typer.Option("--draw", help="Write a picture with what was seen here.")] = None,
    as_json: AsJson = False,
) -> int:
    """Say where figures and tapestry cards lie, what the book says, and whether a move made by hand is legal."""
    from loomtable.table.reading.pictures import pictures_from
    from loomtable.table.store import is_file, open_store
    from loomtable.vision.pictures import write_picture

    if is_file(file) and not Path(file).is_file():
        raise FileUnreadable(f"{file}: there is no such file")
    with open_store(file) as store:
        if session not in store.sessions():
            known = ", ".join(repr(name) for name in store.sessions()) or "none"
            raise FileUnreadable(f"{file}: there is no session {session!r}; it holds {known}")
        game = Session.resume(SYSTEMS, store.journal(session))
        code = 0
        for name, picture in pictures_from(images or [], camera):
            lines, offer, agrees, drawn = _looked(game, picture, tapestry)
            if take and offer is not None and offer.legal:
                offer.take(game, by="camera")
                lines = (*lines, "played")
            if as_json:
                legal = None if offer is None else offer.legal
                write_json({"picture": name, "says": lines, "agrees": agrees, "legal": legal})
            else:
                say(f"{name}:", *(f"  {line}" for line in lines))
            if draw is not None:
                write_picture(draw / f"{Path(name).stem.replace(' ', '-')}-board.png", drawn)
            code = max(code, 0 if agrees else DIFFERS)
    return code


def _looked(
    game: Session[Any], picture: BgrImage, tapestry: str | None
) -> tuple[tuple[str, ...], Offer | None, bool, BgrImage]:
    """What there is to say about a picture, the move in it, whether all is well, and the picture with marks."""
    from loomtable.table.reading.board_combat import look_at_combat
    from loomtable.table.reading.board_drawing import drawn_board, drawn_tapestry
    from loomtable.table.reading.board_regions import look_at_regions
    from loomtable.table.reading.board_tapestry import look_at_tapestry

    if game.system.key == "woven" and tapestry is not None:
        seen, offer = look_at_tapestry(game, tapestry, picture)
        lying = tuple(f"{card.card.short} {card.doubt or 'lies on the grid'}" for card in seen.cards)
        said = f"{offer.says}: {offer.reason or 'a legal move'}"
        return (*lying, said), offer, offer.legal, drawn_tapestry(picture, seen, offer)
    if game.system.key == "storm-weavers":
        look = look_at_combat(game, picture)
    elif game.system.key == "woven":
        look = look_at_regions(game, picture)
    else:
        raise IllegalAction(f"{game.system.title} is not played on a board; Storm Weavers and Woven are")
    return look.lines, look.offer, look.agrees, drawn_board(picture, look)
