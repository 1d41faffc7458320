"""The page for printing: kits and components, and for a session its sheets filled in."""

from __future__ import annotations

from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.catalogue import Component, components
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.sheet.papers import PAPERS
from loomtable.table.hosting.guard import HOST, GuardedRoute, route
from loomtable.table.hosting.joining import host_of
from loomtable.table.pages.rendering import page
from loomtable.table.settings import usual_paper


class Kit(msgspec.Struct, frozen=True):
    """What is printed for one game, or for the table as a whole."""

    key: str
    title: str
    parts: tuple[tuple[str, str, str], ...]
    """Name, title and description of each component."""
    whole: bool = True


class Sheets(msgspec.Struct, frozen=True):
    """What can be filled in from one session."""

    session: str
    title: str
    action: str
    parts: tuple[tuple[str, str], ...]


def print_page(request: Request) -> Response:
    """Everything that can be printed."""
    every = list(components().values())
    titles = {key: system.title for key, system in SYSTEMS.items()} | {"table": "For every game"}
    sessions = [session for session in host_of(request).sessions() if not session.trouble]
    return page(
        request,
        "print.html",
        kits=[_kit(key, title, every) for key, title in titles.items()],
        sheets=[sheets for session in sessions if (sheets := _sheets(session.name, session.system, every)).parts],
        papers=[(name, str(paper.name)) for name, paper in PAPERS.items()],
        usual_paper=usual_paper(),
        styles=_STYLES,
    )


_STYLES = (
    (Style.COLOUR.value, "In colour"),
    (Style.LOW_INK.value, "With little ink"),
    (Style.GREY.value, "In grey"),
)


def _kit(key: str, title: str, every: list[Component]) -> Kit:
    held = (part for part in every if part.system == key or part.in_every_kit)
    return Kit(key, title, tuple((part.name, _short(part.title), part.description) for part in held))


def _short(title: str) -> str:
    """The title without the name of the game before it."""
    short = title.partition(": ")[2] or title
    return short[:1].upper() + short[1:]


def _sheets(session: str, system: str, every: list[Component]) -> Sheets:
    parts = tuple(
        (c.name, _short(c.title)) for c in every if c.system == system and c.name.endswith(("-sheet", "-journal"))
    )
    return Sheets(session, SYSTEMS[system].title, f"/api/play/{quote(session)}/print", parts)


ROUTES: tuple[GuardedRoute, ...] = (route("/print", print_page, roles=HOST),)
