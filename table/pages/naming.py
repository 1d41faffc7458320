"""A character's name leads to its sheet, wherever on a page it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from markupsafe import Markup, escape

from loomtable.table.screens.panel import Panel


def sheets_in(panels: Iterable[Panel]) -> dict[str, str]:
    """Whose sheets lie on the page, and the places where they lie."""
    return {panel.whose: panel.anchor for panel in panels if panel.whose}


def linked(words: str, sheets: Mapping[str, str]) -> Markup:
    """Words with each name that has a sheet as a link to it."""
    html = str(escape(words))
    if not sheets:
        return Markup(html)
    places = {str(escape(name)): anchor for name, anchor in sheets.items()}
    longest_first = sorted(places, key=len, reverse=True)
    known = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"
    return Markup(re.sub(known, lambda found: f'<a href="#{places[found[0]]}">{found[0]}</a>', html))
