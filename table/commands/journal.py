"""``loom journal``: what is in a file of journals, and a session written down as a transcript."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.journal import Acted, Answered, Opened
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import STORYTELLER
from loomtable.engine.kernel.transcript import print_transcript, transcript_of
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.output import AsJson, say, write_json
from loomtable.table.journal_words import line_in_words


def journal(
    file: Annotated[
        str, typer.Argument(help="A file of journals, e.g. output/demo/evenings.db, or a postgresql:// address.")
    ],
    session: Annotated[
        str | None, typer.Argument(help="A session in it; all are listed if left out.", show_default=False)
    ] = None,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Write the session down as a transcript instead.")
    ] = False,
    page: Annotated[
        str | None, typer.Option("--page", help="The journal of this character (Mnemonic), to read or print.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what people did and what was read: every line of a session, struck-through ones included."""
    from loomtable.table.store import is_file, open_store

    if is_file(file) and not Path(file).is_file():
        raise FileUnreadable(f"{file}: there is no such file")
    with open_store(file) as store:
        names = store.sessions()
        if session is None:
            write_json(names) if as_json else say(*(names or ("no sessions",)))
            return
        if session not in names:
            known = ", ".join(repr(n) for n in names) or "none"
            raise FileUnreadable(f"{file}: there is no session {session!r}; it holds {known}")
        resumed = Session.resume(SYSTEMS, store.journal(session))
    if page is not None:
        say(_page(resumed, page))
    elif transcript:
        say(print_transcript(transcript_of(resumed, session)).rstrip())
    elif as_json:
        write_json({"lines": resumed.lines(), "pending": resumed.pending, "state": resumed.state})
    else:
        _tell(resumed)


def _page(session: Session[Any], who: str) -> str:
    """The journal that a character keeps in a game where characters keep one.

    Raises:
        FileUnreadable: nobody of this name keeps a journal in this session.
    """
    pages: dict[str, str] = session.view(STORYTELLER).get("pages", {})
    if who not in pages:
        known = ", ".join(repr(name) for name in pages) or "none"
        raise FileUnreadable(f"{who!r} keeps no journal in this session; there are: {known}")
    return pages[who].rstrip()


def _tell(session: Session[Any]) -> None:
    counts = {p.step.seq for p in session.played} | {0}
    for line in session.lines():
        plays = isinstance(line.entry, Acted | Answered | Opened)
        struck = " (struck through)" if plays and line.seq not in counts else ""
        by = f"  [{line.who}]" if line.who else ""
        say(f"{line.seq:>4}  {line.at[:19].replace('T', ' ')}  {line_in_words(line)}{struck}{by}")
    if session.pending is not None:
        say(f"      now asked of {session.pending.by}: {session.pending.purpose}")
