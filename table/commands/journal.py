"""``loom journal``: what is in a file of journals, and a session written down as a transcript."""

from __future__ import annotations

from typing import Annotated

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.journal import Acted, Answered, Opened
from loomtable.engine.kernel.requests import in_words
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import print_transcript, transcript_of
from loomtable.table.commands.options import SessionNamed, kept_session, open_kept, option
from loomtable.table.commands.output import DEFAULT_STORE, AsJson, StoreAt, page, say, write_json
from loomtable.table.journal_words import line_in_words


def journal(
    session: SessionNamed = None,
    store: StoreAt = DEFAULT_STORE,
    transcript: Annotated[bool, option("--transcript", "Write the session as a transcript instead.")] = False,
    character: Annotated[
        str | None, option("--page", "The journal of this character (Mnemonic), to read or print.", "CHARACTER")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the sessions; with --session, show every line of one, including lines struck out."""
    if character is not None and session is None:
        raise FileUnreadable(f"--page needs the session too: loom journal --page {character!r} --session NAME")
    with open_kept(store) as journals:
        if session is None:
            names = journals.sessions()
            write_json(names) if as_json else say(*(names or ("no sessions",)))
            return
        resumed = kept_session(journals, session)
    if character is not None:
        say(_page(resumed, character))
    elif transcript:
        say(print_transcript(transcript_of(resumed, session)).rstrip())
    elif as_json:
        write_json({"lines": resumed.lines(), "pending": resumed.pending, "state": resumed.state})
    else:
        _tell(resumed)


def _page(session: Session[object], who: str) -> str:
    """The journal that a character keeps in a game where characters keep one.

    Raises:
        FileUnreadable: nobody of this name keeps a journal in this session.
    """
    pages: dict[str, str] = session.view(STORYTELLER).get("pages", {})
    if who not in pages:
        known = ", ".join(repr(name) for name in pages) or "none"
        raise FileUnreadable(f"{who!r} keeps no journal in this session; there are: {known}")
    return pages[who].rstrip()


def _tell(session: Session[object]) -> None:
    counts = {p.step.seq for p in session.played} | {0}
    lines, told = session.lines(), []
    for line in lines:
        plays = isinstance(line.entry, Acted | Answered | Opened)
        struck = " (struck through)" if plays and line.seq not in counts else ""
        by = f"  [{line.who}]" if line.who else ""
        told.append(f"{line.seq:>4}  {line.at[:19].replace('T', ' ')}  {line_in_words(line, lines)}{struck}{by}\n")
    if session.pending is not None:
        told.append(f"      now asked of {session.pending.by}: {in_words(session.pending)}\n")
    page("".join(told))
