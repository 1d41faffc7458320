"""The screen of a game that has none of its own: everything its view shows, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.session import Session
from loomtable.table.screens.panel import Panel, card_picture, component, fitted, joined, listing


def default_screen(session: Session[Any], viewer: str, seen: Mapping[str, Any]) -> tuple[Panel, ...]:
    """What stands at the top of the view together, and a panel for everything that has parts."""
    plain = {name: value for name, value in seen.items() if not isinstance(value, Mapping)}
    parts = {name: value for name, value in seen.items() if isinstance(value, Mapping) and value}
    panels = [Panel("game", session.system.title, _table(plain), wide=True)] if plain else []
    return (*panels, *(Panel(f"part-{name}", _label(name), shown_value(value)) for name, value in parts.items()))


def shown_value(value: Any) -> Markup:
    """A value in words; what has parts as a table in a table."""
    if isinstance(value, Mapping):
        return _table(value) if value else Markup("nothing")
    if isinstance(value, Sequence) and not isinstance(value, str):
        return listing(map(shown_value, value)) or Markup("nothing")
    if value is None or value == "":
        return Markup("nothing")
    if isinstance(value, bool):
        return Markup("yes" if value else "no")
    card = component(value) if isinstance(value, str) else value
    return card_picture(card, small=True) if isinstance(card, ComponentId) else fitted("{value}", value=card)


def _table(values: Mapping[str, Any]) -> Markup:
    rows = (
        fitted('<tr><th scope="row">{name}</th><td>{value}</td></tr>', name=_label(name), value=shown_value(value))
        for name, value in values.items()
    )
    return fitted('<table class="default">{rows}</table>', rows=joined(rows))


def _label(name: str) -> str:
    return name.replace("_", " ") if name[:1].isupper() else name.replace("_", " ").capitalize()
