"""The page's web application: all routes behind the guard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from loomtable.table.hosting import api, events, joining, learned, prints, uploads
from loomtable.table.hosting.addresses import LOOPBACK
from loomtable.table.hosting.errors import NotThere
from loomtable.table.hosting.guard import Guard, GuardedRoute
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.responses import error_response
from loomtable.table.hosting.throttle import Throttle
from loomtable.table.pages import routes as pages
from loomtable.table.pages.rendering import trouble_page

GUESSES = (0.5, 6.0)
"""Codes a second that one address may try, and how many at once: enough for slips of the finger."""
ALL_GUESSES = (2.0, 30.0)
"""The same for all addresses in the network together; this machine's own do not count there."""
FIRST_GUESSES = (1 / 300, 3.0)
"""The same for one address that may take from what is kept for newcomers
(``joining.RESERVED``): it opens a page, sends its code, and may slip."""


def routes() -> Sequence[GuardedRoute]:
    """Every route there is."""
    modules = (joining, api, uploads, prints, events, learned, pages)
    return [route for module in modules for route in module.ROUTES]


def application(
    host: TableHost,
    names: Iterable[str] = LOOPBACK,
    ports: Iterable[int] = (),
    throttle: Throttle | None = None,
) -> Starlette:
    """The application for a host.

    Args:
        host: whose sessions and devices it serves.
        names: the names and addresses by which it may be asked.
        ports: its ports; any where none are given.
        throttle: how often one device may ask, where not as often as usual.
    """

    def missing(request: Request, error: Exception) -> Response:
        return error_response(request, NotThere("there is no such page"))

    def wrong_method(request: Request, error: Exception) -> Response:
        answer = error_response(request, NotThere("there is no such page for this way of asking"))
        answer.status_code = 405
        return answer

    app = Starlette(
        routes=list(routes()),
        middleware=[Middleware(Guard, devices=host.devices, names=names, ports=ports, throttle=throttle)],
        exception_handlers={404: missing, 405: wrong_method},
    )
    app.state.host = host
    app.state.trouble_page = trouble_page
    app.state.guesses = Throttle(*GUESSES)
    app.state.all_guesses = Throttle(*ALL_GUESSES)
    app.state.first_guesses = Throttle(*FIRST_GUESSES)
    return app
