"""The chronicle's pages: to read in a browser, and as a file to keep; for the host and for players."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.systems import card_name
from loomtable.printkit.sheet.papers import paper_named
from loomtable.table.choices.taking import face_key
from loomtable.table.chronicle.season import SeasonTold, nothing_told, season_of, standing_title
from loomtable.table.chronicle.telling import Retelling, beside_cards, chronicle_of
from loomtable.table.chronicle.words import (
    AGAINST_THE_ODDS,
    LONGEST_ITALIC,
    chance_words,
    closing,
    colophon,
    company,
    days,
    faces_words,
    who_cast,
)
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.devices import ROOM
from loomtable.table.hosting.guard import ANYBODY, HOST, PLAYERS, GuardedRoute, route
from loomtable.table.hosting.joining import host_of
from loomtable.table.hosting.prints import PRINTING
from loomtable.table.hosting.responses import done
from loomtable.table.pages.joining_pages import code_of, shared_path
from loomtable.table.pages.rendering import page
from loomtable.table.pages.table_pages import address_of, places
from loomtable.table.pages.viewer import seen_as
from loomtable.table.settings import usual_paper


def chronicle_page(request: Request) -> Response:
    """The evening as a page to read."""
    live, host = live_session_of(request), host_of(request)
    with live.held() as session:
        told = chronicle_of(session, live.name, seen_as(request, session).viewer)
        revision = live.revision
    path = shared_path(live)
    shared = {"path": path, "code": code_of(host, path)} if path else None
    return _chronicle(request, told, live=live, revision=revision, shared=shared, **places(live))


def shared_page(request: Request) -> Response:
    """What everybody may know of the evening, for whoever has the address while it is shared."""
    live = host_of(request).shared(request.path_params["secret"])
    with live.held() as session:
        told = chronicle_of(session, live.name, ROOM)
    return _chronicle(request, told)


def share(request: Request) -> Response:
    """Share the chronicle with the house, or do so no longer: ``on``."""
    live = live_session_of(request)
    live.share(request.state.form.yes("on"))
    says = "The evening is over, and its chronicle is shared." if live.shared else "It is not shared any more."
    return done(request, says, way_on=address_of(live, "chronicle"))


def _chronicle(request: Request, told: Retelling, **shown: Any) -> Response:
    return page(
        request,
        "chronicle.html",
        told=told,
        chapters=[(chapter, beside_cards(chapter.beats)) for chapter in told.chapters],
        card_name=card_name,
        who_cast=who_cast,
        faces_words=faces_words,
        face_key=face_key,
        chance_words=chance_words,
        longest_italic=LONGEST_ITALIC,
        against_the_odds=AGAINST_THE_ODDS,
        company=company(told),
        days=days(told.first_day, told.last_day),
        colophon=colophon(told),
        closing=closing(told),
        **shown,
    )


def season_page(request: Request) -> Response:
    """The episodes of a session: what happened in each, and how everybody stood at its end; or one ``hero``."""
    live = live_session_of(request)
    with live.held() as session:
        whole = season_of(session, live.name, seen_as(request, session).viewer)
        revision = live.revision
    season = _of_hero(request, whole)
    return page(
        request,
        "season.html",
        live=live,
        revision=revision,
        season=season,
        heroes=whole.heroes,
        company=company(season.told),
        days=days,
        standing=standing_title,
        nothing=nothing_told,
        **places(live),
    )


def season_file(request: Request) -> Response:
    """The season, or what became of one ``hero``, as a PDF file; ``paper`` as for the chronicle."""
    from loomtable.table.chronicle.pdf import season_pdf

    live = live_session_of(request)
    paper = paper_named(request.query_params.get("paper") or usual_paper())
    with live.held() as session:
        season = _of_hero(request, season_of(session, live.name, seen_as(request, session).viewer))
    with PRINTING:
        made = season_pdf(season, paper)
    return _file(made, f"{live.name} - {season.hero or 'the season'}.pdf")


def _of_hero(request: Request, whole: SeasonTold) -> SeasonTold:
    hero = request.query_params.get("hero", "")
    return whole.of_hero(hero) if hero else whole


def chronicle_file(request: Request) -> Response:
    """The evening as a PDF file; ``paper`` is ``a4`` or ``letter``."""
    from loomtable.table.chronicle.pdf import chronicle_pdf

    live = live_session_of(request)
    paper = paper_named(request.query_params.get("paper") or usual_paper())
    with live.held() as session:
        told = chronicle_of(session, live.name, seen_as(request, session).viewer)
    with PRINTING:
        made = chronicle_pdf(told, paper)
    return _file(made, f"{live.name}.pdf")


def _file(made: bytes, name: str) -> Response:
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return Response(made, media_type="application/pdf", headers={"content-disposition": disposition})


ROUTES: tuple[GuardedRoute, ...] = (
    route("/table/{session:path}/chronicle", chronicle_page, roles=PLAYERS),
    route("/table/{session:path}/share", share, methods=["POST"], roles=HOST),
    route("/shared/{secret}", shared_page, roles=ANYBODY),
    route("/table/{session:path}/season", season_page, roles=PLAYERS),
    route("/table/{session:path}/season.pdf", season_file, roles=PLAYERS),
    route("/table/{session:path}/chronicle.pdf", chronicle_file, roles=PLAYERS),
)
