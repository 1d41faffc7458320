"""``loom chronicle``: an evening as a PDF file to keep."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.output import DEFAULT_STORE, StoreAt, say


def chronicle(
    session: Annotated[str, typer.Argument(help="The session, by its name.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option("--output", help="The PDF file; output/SESSION.pdf if left out.", show_default=False),
    ] = None,
    store: StoreAt = DEFAULT_STORE,
    paper: Annotated[str, typer.Option("--paper", help="a4, letter or a3.")] = "a4",
    player: Annotated[
        str | None,
        typer.Option("--for", metavar="PLAYER", help="Only what this player may know.", show_default=False),
    ] = None,
) -> None:
    """Make a chronicle of an evening: its scenes, the cards, the dice as they lay, and how it ended."""
    from loomtable.engine.kernel.system import STORYTELLER
    from loomtable.printkit.files import write_whole
    from loomtable.printkit.sheet.papers import paper_named
    from loomtable.table.chronicle.pdf import chronicle_pdf
    from loomtable.table.chronicle.telling import chronicle_of
    from loomtable.table.store import is_file, open_store

    wanted = paper_named(paper)
    if is_file(store) and not Path(store).is_file():
        raise FileUnreadable(f"{store}: there is no such file")
    with open_store(store) as journals:
        names = journals.sessions()
        if session not in names:
            known = ", ".join(map(repr, names)) or "none"
            raise FileUnreadable(f"{store}: there is no session {session!r}; it holds {known}")
        played = Session.resume(SYSTEMS, journals.journal(session))
    people = played.system.people(played.game)
    if player is not None and player not in people:
        known = ", ".join(map(repr, people)) or "none"
        raise FileUnreadable(f"nobody called {player!r} plays in {session!r}; there are: {known}")
    told = chronicle_of(played, session, STORYTELLER if player is None else player)
    path = output or Path("output") / (re.sub(r"[^\w -]", "-", session) + ".pdf")
    write_whole(path, chronicle_pdf(told, wanted))
    say(str(path))
