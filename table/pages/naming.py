"""A character's name leads to its sheet, wherever on a page it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from markupsafe import Markup, escape

from loomtable.table.screens.panel import Panel

_ALONE = frozenset({"a", "button", "summary", "svg", "label", "select", "h2"})
"""Within these no link can stand, or none should."""
_TAG = re.compile(r"(<[^>]*>)")


def sheets_in(panels: Iterable[Panel]) -> dict[str, str]:
    """Whose sheets lie on the page, and the places where they lie."""
    return {panel.whose: panel.anchor for panel in panels if panel.whose}


def linked(words: str, sheets: Mapping[str, str]) -> Markup:
    """Words with each name that has a sheet as a link to it."""
    html = str(escape(words))
    if not sheets:
        return Markup(html)
    known, places = _names(sheets)
    return Markup(known.sub(lambda found: f'<a href="#{places[found[0]]}">{found[0]}</a>', html))


def _names(sheets: Mapping[str, str]) -> tuple[re.Pattern[str], dict[str, str]]:
    longest_first = sorted((str(escape(name)) for name in sheets), key=len, reverse=True)
    known = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return known, {str(escape(name)): anchor for name, anchor in sheets.items()}


def linked_html(words: str, sheets: Mapping[str, str]) -> Markup:
    html = str(escape(words))
    if not sheets:
        return Markup(html)
    known, places = _names(sheets)
    inside: list[str] = []
    parts = _TAG.split(html)
    for at, part in enumerate(parts):
        if at % 2:
            _follow(part, inside)
        elif not inside:
            parts[at] = known.sub(lambda found: f'<a href="#{places[found[0]]}">{found[0]}</a>', part)
    return Markup("".join(parts))


def _follow(tag: str, inside: list[str]) -> None:
    """Keep count of the elements within which no link stands."""
    name = tag.strip("</>").split()[0].lower() if tag.strip("</> ") else ""
    if name not in _ALONE or tag.endswith("/>"):
        return
    if not tag.startswith("</"):
        inside.append(name)
    elif name in inside:
        inside.remove(name)
