"""Every route of the pages, for the application to gather."""

from __future__ import annotations

from loomtable.table.chronicle import page as chronicle_pages
from loomtable.table.hosting.guard import GuardedRoute
from loomtable.table.pages import (
    emblem_pages,
    host_pages,
    icons,
    joining_pages,
    journal_pages,
    notes_pages,
    open_pages,
    print_pages,
    result_view,
    room_pages,
    safety_pages,
    table_pages,
    taking_pages,
    viewer,
)

ROUTES: tuple[GuardedRoute, ...] = (
    *open_pages.ROUTES,
    *icons.ROUTES,
    *host_pages.ROUTES,
    *joining_pages.ROUTES,
    *room_pages.ROUTES,
    *notes_pages.ROUTES,
    *emblem_pages.ROUTES,
    *safety_pages.ROUTES,
    *print_pages.ROUTES,
    *journal_pages.ROUTES,
    *chronicle_pages.ROUTES,
    *viewer.ROUTES,
    *taking_pages.ROUTES,
    *result_view.ROUTES,
    *table_pages.ROUTES,
    table_pages.TABLE,
)
