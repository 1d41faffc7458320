"""Printing from the page: kits, filled sheets and maps as PDF files; several at once come packed in a ZIP file."""

from __future__ import annotations

import io
import tempfile
import threading
import zipfile
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.errors import BadInput
from loomtable.engine.kernel.session import Session
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.errors import BadForm
from loomtable.table.hosting.guard import HOST, route
from loomtable.table.settings import usual_paper

PRINTING = threading.Lock()
"""One thing is printed at a time: it takes a processor and some memory, and play goes on beside it."""


class NothingToPrint(BadInput):
    """Nothing of what was asked for belongs to this game."""


def print_session(request: Request) -> Response:
    """Components of the session's game, sheets filled in from it: ``what`` (repeated), ``paper``, ``style``."""
    return _printed(request, live_session_of(request).session)


def print_blank(request: Request) -> Response:
    """Kits and components: ``what`` (repeated) or a kit as a ``whole``, ``paper``, ``style``, ``fillable``."""
    return _printed(request, None)


def _printed(request: Request, session: Session[object] | None) -> Response:
    from loomtable.printkit.catalogue import components_named
    from loomtable.printkit.draw.palette import Style
    from loomtable.printkit.kit import PrintSettings, print_components
    from loomtable.printkit.sheet.papers import chosen, paper_named

    query = request.query_params
    names = list(filter(None, query.getlist("whole") or query.getlist("what")))
    if not names:
        raise BadForm("tick what to print first")
    components = components_named(names)
    if session is not None:
        components = [component for component in components if component.system in (None, session.system.key)]
        if not components:
            raise NothingToPrint(f"nothing of that belongs to {session.system.title}")
    settings = PrintSettings(
        paper=paper_named(query.get("paper") or usual_paper()),
        style=chosen(query.get("style") or Style.COLOUR.value, {s.value: s for s in Style}, "style"),
        fillable=query.get("fillable", "") in ("1", "on", "yes"),
        session=session,
    )
    with PRINTING, tempfile.TemporaryDirectory(prefix="loomtable-") as folder:
        files = [file.path for file in print_components(components, Path(folder), settings)]
        if len(files) == 1:
            return _file(files[0].read_bytes(), files[0].name, "application/pdf")
        return _file(_zipped(files), "loomtable.zip", "application/zip")


def _zipped(files: list[Path]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        for file in files:
            # The same date each time, so that the same prints are the same bytes.
            into.writestr(zipfile.ZipInfo(file.name, (2020, 1, 1, 0, 0, 0)), file.read_bytes())
    return packed.getvalue()


def _file(content: bytes, name: str, media_type: str) -> Response:
    disposition = f"attachment; filename*=UTF-8''{quote(name)}"
    return Response(content, media_type=media_type, headers={"content-disposition": disposition})


ROUTES = (
    route("/api/play/{session:path}/print", print_session, roles=HOST),
    route("/api/print", print_blank, roles=HOST),
)
