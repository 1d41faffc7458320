"""``loom board``: the board on the table held against the one in a stored session, and moves made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from loomtable.engine.kernel.errors import IllegalAction, LoomtableError
from loomtable.engine.kernel.wording import listed
from loomtable.table.commands.options import (
    AsLines,
    CameraAt,
    Draw,
    Images,
    SessionNamed,
    camera_or_set,
    kept_session,
    open_kept,
    option,
)
from loomtable.table.commands.output import DEFAULT_STORE, StoreAt, each, say, write_line

DIFFERS = 1


def board(
    images: Images = None,
    session: SessionNamed = None,
    store: StoreAt = DEFAULT_STORE,
    camera: CameraAt = None,
    tapestry: Annotated[
        str | None, option("--tapestry", "Look at this player's tapestry instead of the map (Woven).", "PLAYER")
    ] = None,
    take: Annotated[bool, option("--take", "Play the move that was made by hand, if it is legal.")] = False,
    draw: Draw = None,
    as_json: AsLines = False,
) -> int:
    """Say where figures and tapestry cards are, where the game has them, and if a move by hand is legal."""
    from loomtable.engine.systems import SYSTEMS
    from loomtable.table.reading.board import look_at_board
    from loomtable.table.reading.board_drawing import drawn_board
    from loomtable.table.reading.looking import seen_in
    from loomtable.table.screens import game_screen, game_screens
    from loomtable.vision.pictures import write_picture
    from loomtable.vision.verdict import Verdict

    if session is None:
        raise LoomtableError("say which session is on the table: loom board IMAGE --session NAME")
    files = images or []
    with open_kept(store) as journals:
        game = kept_session(journals, session)
        code = 0
        screen = game_screen(game.system.key)
        if screen.board is None:
            boards = listed([SYSTEMS[key].title for key, screen in game_screens().items() if screen.board])
            raise IllegalAction(f"{game.system.title} is not played on a board; {boards} are")
        for seen in each("Reading", seen_in(files, camera_or_set(files, camera), lambda picture: picture)):
            name, picture = seen.name, seen.seen
            if isinstance(picture, LoomtableError):
                raise picture
            if tapestry is not None and screen.tapestry is not None:
                lines, offer, agrees, drawn = screen.tapestry(game, picture, tapestry)
            else:
                look = look_at_board(game, screen.board(game), picture)
                lines, offer, agrees, drawn = look.lines, look.offer, look.agrees, drawn_board(picture, look)
            if take and offer is not None and offer.legal:
                offer.take(game, by="camera")
                lines = (*lines, "played")
            if as_json:
                legal = None if offer is None else offer.legal
                status = Verdict.ACCEPTED if agrees else Verdict.REJECTED if legal is False else Verdict.ASK
                reason = "" if agrees else lines[-1]
                found = {"says": lines, "agrees": agrees, "legal": legal}
                write_line({"image": name, "status": status, "reason": reason, **found})
            else:
                say(f"{name}:", *(f"  {line}" for line in lines))
            if draw is not None:
                write_picture(draw / f"{Path(name).stem.replace(' ', '-')}-board.png", drawn)
            code = max(code, 0 if agrees else DIFFERS)
    return code
