"""``loom chronicle``: an evening as a PDF file to keep."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from loomtable.engine.kernel.errors import FileUnreadable, LoomtableError
from loomtable.table.commands.options import (
    AS_SET,
    PaperNamed,
    SessionNamed,
    kept_session,
    open_kept,
    option,
)
from loomtable.table.commands.output import DEFAULT_STORE, AsJson, StoreAt, progress, say, write_json


def chronicle(
    session: SessionNamed = None,
    store: StoreAt = DEFAULT_STORE,
    output: Annotated[
        Path | None, option("--output", "The PDF file; output/SESSION.pdf if left out.", "FILE")
    ] = None,
    paper: PaperNamed = AS_SET,
    player: Annotated[str | None, option("--for", "Only what this player may know.", "PLAYER")] = None,
    as_json: AsJson = False,
) -> None:
    """Write up an evening as a PDF file: its scenes, cards and dice, and how it ended."""
    from loomtable.engine.kernel.action_rules import STORYTELLER
    from loomtable.printkit.files import write_whole
    from loomtable.printkit.sheet.papers import paper_named
    from loomtable.table.chronicle.pdf import chronicle_pdf
    from loomtable.table.chronicle.telling import chronicle_of

    if session is None:
        raise LoomtableError("say which session: loom chronicle --session NAME; loom journal lists them")
    wanted = paper_named(paper)
    with open_kept(store) as journals:
        played = kept_session(journals, session)
    people = played.system.people(played.game)
    if player is not None and player not in people:
        known = ", ".join(map(repr, people)) or "none"
        raise FileUnreadable(f"nobody called {player!r} plays in {session!r}; there are: {known}")
    told = chronicle_of(played, session, STORYTELLER if player is None else player)
    path = output or Path("output") / (re.sub(r"[^\w -]", "-", session) + ".pdf")
    with progress("Writing the chronicle") as report:
        report(0, 1, "")
        write_whole(path, chronicle_pdf(told, wanted))
    write_json({"file": str(path), "session": session}) if as_json else say(str(path))
