"""``loom chronicle``: an evening as a PDF file to keep."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from loomtable.engine.kernel.errors import FileUnreadable, LoomtableError
from loomtable.table.commands.options import AS_SET, PaperNamed, SessionNamed, kept_session, open_kept, option
from loomtable.table.commands.output import DEFAULT_STORE, AsJson, StoreAt, progress, say, write_json


def chronicle(
    session: SessionNamed = None,
    store: StoreAt = DEFAULT_STORE,
    output: Annotated[
        Path | None, option("--output", "The PDF file; output/SESSION.pdf if left out.", "FILE")
    ] = None,
    paper: PaperNamed = AS_SET,
    player: Annotated[str | None, option("--for", "Only what this player may know.", "PLAYER")] = None,
    season: Annotated[bool, option("--season", "A season instead, episode by episode.")] = False,
    hero: Annotated[
        str | None, option("--hero", "What became of this hero instead, episode by episode.", "NAME")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write up an evening as a PDF file: its scenes, cards and dice, and how it ended."""
    from loomtable.engine.kernel.action_rules import STORYTELLER
    from loomtable.printkit.files import write_whole
    from loomtable.printkit.sheet.papers import paper_named
    from loomtable.table.chronicle.pdf import chronicle_pdf, season_pdf
    from loomtable.table.chronicle.season import season_of
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
    viewer, name = STORYTELLER if player is None else player, session
    with progress("Writing the chronicle") as report:
        report(0, 1, "")
        if season or hero:
            whole = season_of(played, session, viewer)
            name = f"{session} - {hero or 'the season'}"
            made = season_pdf(whole.of_hero(hero) if hero else whole, wanted)
        else:
            made = chronicle_pdf(chronicle_of(played, session, viewer), wanted)
        path = output or Path("output") / (re.sub(r"[^\w -]", "-", name) + ".pdf")
        write_whole(path, made)
    write_json({"file": str(path), "session": session}) if as_json else say(str(path))
