"""The screens of a game that has none of its own: everything its view shows, as tables; large, the first of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.session import Session
from loomtable.table.screens.blocks import (
    Block,
    Cards,
    Facts,
    Group,
    Heading,
    Listing,
    Prose,
    Strong,
    Table,
    TableRow,
    Words,
)
from loomtable.table.screens.panel import Panel, Television, component

MOST_PARTS, MOST_FACTS = 6, 5
"""How much is laid out on a television, which has no way to scroll."""


def default_screen(session: Session[object], viewer: str, seen: Mapping[str, Any]) -> tuple[Panel, ...]:
    """What stands at the top of the view together, and a panel for everything that has parts."""
    plain = {name: value for name, value in seen.items() if not isinstance(value, Mapping)}
    parts = {name: value for name, value in seen.items() if isinstance(value, Mapping) and value}
    panels = [Panel("game", session.system.title, (_table(plain),), wide=True)] if plain else []
    return (*panels, *(Panel(f"part-{name}", _label(name), (_table(value),)) for name, value in parts.items()))


def default_television(session: Session[object], seen: Mapping[str, Any]) -> Television:
    """What stands in the view, the values of each part in a box of its own."""
    plain = {name: value for name, value in seen.items() if not isinstance(value, Mapping) and value}
    boxes = [_box(session.system.title, plain)] if plain else []
    for name, value in seen.items():
        if isinstance(value, Mapping) and value:
            inner = {key: part for key, part in value.items() if isinstance(part, Mapping)}
            boxes += [_box(key, part) for key, part in inner.items()] if inner else [_box(_label(name), value)]
    stage = (Group(tuple(boxes[:MOST_PARTS]), "parts"),)
    return Television(session.system.title, stage=stage if boxes else (Prose(session.system.presentation.about),))


def _shown(value: Any) -> Words | Block:
    """A value in words; what has parts as a table in a table."""
    if isinstance(value, Mapping) and value:
        return _table(value)
    if isinstance(value, Sequence) and value and not isinstance(value, str):
        return Listing(tuple(map(_shown, value)))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value)
    card = component(value) if value else "nothing"
    return Cards((card,), small=True) if isinstance(card, ComponentId) else card


def _table(values: Mapping[str, Any]) -> Table:
    rows = (TableRow((Strong(_label(name)), _shown(value))) for name, value in values.items())
    return Table(tuple(rows), kind="default")


def _box(title: str, values: Mapping[str, Any]) -> Group:
    shown = [(name, value) for name, value in values.items() if value not in (None, "", (), [], {})][:MOST_FACTS]
    return Group((Heading(title), Facts({_label(name): _short(value) for name, value in shown})), "part")


def _short(value: Any) -> Words | Block:
    """A value in words; of what has parts itself, how many there are."""
    return str(len(value)) if isinstance(value, Mapping | list | tuple) else _shown(value)


def _label(name: str) -> str:
    return name.replace("_", " ") if name[:1].isupper() else name.replace("_", " ").capitalize()
