"""The journal's pages: every line, the table as it was then, and putting something right with all that follows."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.errors import IllegalAction, LoomtableError
from loomtable.engine.kernel.journal import Acted, Line
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Request as Asked
from loomtable.engine.kernel.requests import part_answered
from loomtable.engine.kernel.session import Session
from loomtable.table.choices.asked import question
from loomtable.table.hosting.api import amendment_in, live_session_of
from loomtable.table.hosting.arguments import MOST_DICE, words_in
from loomtable.table.hosting.errors import NotThere
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import HOST, GuardedRoute, route
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.journal_words import line_in_words
from loomtable.table.pages.journal_view import consequences_shown, lines_of
from loomtable.table.pages.rendering import page
from loomtable.table.pages.result_view import result_shown, results_by_line
from loomtable.table.pages.table_pages import places
from loomtable.table.reading.typed import words_of
from loomtable.table.screens import screen_of

_DIGITS = 12
"""Digits that the number of a line has fewer of."""

LINES = 100
"""Lines of the journal on one page."""


def journal(request: Request) -> Response:
    """The journal, struck-through lines included, a page at a time: the latest lines, or those up to ``from``."""
    live = live_session_of(request)
    given = request.query_params.get("from", "")
    with live.held() as session:
        revision = live.revision
        newest = min(int(given), revision - 1) if given.isdecimal() and len(given) < _DIGITS else revision - 1
        lines = lines_of(session, newest, LINES)
        results = results_by_line(session, request.state.device.viewer)
        saved = session.save_points
    earlier = lines[-1].seq - 1
    later = min(newest + LINES, revision - 1)
    return page(
        request,
        "journal.html",
        live=live,
        revision=revision,
        lines=lines,
        results=results,
        saved=saved,
        earlier=earlier if earlier >= 0 else None,
        later=later if newest < revision - 1 else None,
        last=revision - 1,
        **places(live),
    )


def then(request: Request) -> Response:
    """The table as it was after one line, to look at only."""
    live, seq = live_session_of(request), int(request.path_params["seq"])
    line = _line_of(live, seq)
    was = live.session_at(seq)
    device = request.state.device
    return page(
        request,
        "then.html",
        live=live,
        revision=None,
        seq=seq,
        last=live.revision - 1,
        says=line_in_words(line, live.session.lines()),
        at=line.at,
        pending=was.pending,
        r=result_shown(live.session, device, seq),
        panels=screen_of(was, device.viewer),
        still=True,
        **places(live),
    )


def amend(request: Request) -> Response:
    """Put one answer right: its form, and once an answer is given, everything that would change."""
    live, seq = live_session_of(request), int(request.path_params["seq"])
    with live.held() as session:
        asked, recorded = _answered(session, seq)
        words = _words(request, "answer")
        inserted = [given for at in range(MOST_DICE) if (given := _words(request, f"then{at}-answer"))]
        found, wrong, asked_next = None, "", None
        if words:
            fields = {"answer": tuple(words), "inserted": (json.dumps(inserted),)}
            try:
                consequences = session.preview_amend(seq, *amendment_in(Form(fields), session, seq))
                found = consequences_shown(session, consequences)
                if consequences.pending is not None and consequences.pending != session.pending:
                    asked_next = question(consequences.pending)
            except LoomtableError as error:
                wrong = str(error)
        return page(
            request,
            "amend.html",
            live=live,
            revision=live.revision,
            seq=seq,
            asked=question(asked),
            was=line_in_words(session.lines()[seq], session.lines()),
            recorded=words_of(asked, recorded),
            words=words,
            inserted=inserted,
            inserted_json=json.dumps(inserted),
            found=found,
            wrong=wrong,
            asked_next=asked_next,
            **places(live),
        )


def back(request: Request) -> Response:
    """Everything that going back to the table after a line would do, before it is done."""
    live, seq = live_session_of(request), int(request.path_params["seq"])
    line = _line_of(live, seq)
    with live.held() as session:
        return page(
            request,
            "back.html",
            live=live,
            revision=live.revision,
            seq=seq,
            says=line_in_words(line, live.session.lines()),
            at=line.at,
            found=consequences_shown(session, session.preview_back(seq)),
            **places(live),
        )


def strike(request: Request) -> Response:
    """Everything that striking an action through would do, before it is done."""
    live, seq = live_session_of(request), int(request.path_params["seq"])
    line = _line_of(live, seq)
    if not isinstance(line.entry, Acted):
        raise IllegalAction(f"journal line {seq} holds no action that could be struck through")
    with live.held() as session:
        found = consequences_shown(session, session.preview_void(seq))
        return page(
            request,
            "strike.html",
            live=live,
            revision=live.revision,
            seq=seq,
            says=line_in_words(line, live.session.lines()),
            found=found,
            **places(live),
        )


def _line_of(live: LiveSession, seq: int) -> Line:
    lines = live.lines()
    if not 0 <= seq < len(lines):
        raise NotThere(f"the journal has no line {seq}; it has lines 0 to {len(lines) - 1}")
    return lines[seq]


def _answered(session: Session[object], seq: int) -> tuple[Asked, Reading]:
    """What was asked in a line, and the answer to it that counts."""
    for played in session.played:
        if played.step.seq == seq and played.step.request is not None and not isinstance(played.step.what, Action):
            return part_answered(played.step.request, played.step.what), played.step.what
    raise IllegalAction(f"journal line {seq} holds no answer that counts")


def _words(request: Request, name: str) -> list[str]:
    """The words of an answer in an address."""
    query = request.query_params
    return words_in(Form({key: tuple(query.getlist(key)) for key in query}), name)


ROUTES: tuple[GuardedRoute, ...] = (
    route("/table/{session:path}/journal", journal, roles=HOST),
    route("/table/{session:path}/journal/{seq:int}", then, roles=HOST),
    route("/table/{session:path}/journal/{seq:int}/amend", amend, roles=HOST),
    route("/table/{session:path}/journal/{seq:int}/strike", strike, roles=HOST),
    route("/table/{session:path}/journal/{seq:int}/back", back, roles=HOST),
)
