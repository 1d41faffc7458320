"""What a television shows of a game: one picture that fits the screen, made from what everybody may see.

Of a game whose ``GameScreen`` has no television of its own, the values of its view are laid out large.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.session import Session
from loomtable.table.screens.default import shown_value
from loomtable.table.screens.panel import Seen, fitted, joined

PROSE = (100, 260, 520)
"""How many characters a text may have to be set in the largest type, and in the next."""
MOST_PARTS, MOST_FACTS = 6, 5
"""How much of a stranger's game is laid out: a television has no way to scroll."""

_NOTHING = Markup()


@dataclass(frozen=True)
class Television:
    """One screen for the room."""

    title: str
    """Of the scene, or where the game stands."""
    subtitle: str = ""
    picture: str = ""
    """The address of the picture of the place; the game's own where it is empty."""
    stage: Markup = _NOTHING
    """The largest part: a map, what lies on the table, a page that is read."""
    people: tuple[Markup, ...] = ()
    """A card for everybody who is there, with their tracks."""


def person_card(name: str, inside: object, *, about: str = "", state: str = "") -> Markup:
    """Somebody who is there: the name, whose it is, and tracks or words."""
    return fitted(
        '<section class="person {state}"><h2>{name}{about}</h2>{inside}</section>',
        state=state,
        name=name,
        about=fitted(" <small>{about}</small>", about=about) if about else "",
        inside=inside,
    )


def prose(text: str) -> Markup:
    """A text to be read from afar, in type as large as it has room for."""
    size = next((at for at, most in enumerate(PROSE) if len(text) <= most), len(PROSE))
    paragraphs = joined(fitted("<p>{part}</p>", part=part) for part in text.strip().split("\n\n"))
    return fitted('<div class="read-out size-{size}">{paragraphs}</div>', size=size, paragraphs=paragraphs)


def chips(words: Mapping[str, str]) -> Markup:
    """Short names, each with what it is."""
    items = joined(
        fitted("<li><small>{kind}</small> {name}</li>", kind=kind, name=name) for name, kind in words.items()
    )
    return fitted('<ul class="chips">{items}</ul>', items=items) if items else Markup()


def default_television(session: Session[Any], seen: Seen) -> Television:
    """What stands in the view of a game that has no television of its own."""
    plain = {
        name: value for name, value in seen.items() if not isinstance(value, Mapping) and value not in (None, "")
    }
    parts = {name: value for name, value in seen.items() if isinstance(value, Mapping) and value}
    boxes = [_box(session.system.title, plain)] if plain else []
    for name, value in parts.items():
        inner = {key: one for key, one in value.items() if isinstance(one, Mapping)}
        boxes += [_box(key, one) for key, one in inner.items()] if inner else [_box(_label(name), value)]
    rest = len(boxes) - MOST_PARTS
    more = fitted('<p class="more">and {count} more, on the laptop</p>', count=rest) if rest > 0 else Markup()
    stage = fitted('<div class="parts">{boxes}</div>{more}', boxes=joined(boxes[:MOST_PARTS]), more=more)
    return Television(
        title=session.system.title, stage=stage if boxes else prose(session.system.presentation.about)
    )


def _box(title: str, values: Seen) -> Markup:
    shown = [(name, value) for name, value in values.items() if value not in (None, "", (), [], {})][:MOST_FACTS]
    rows = joined(
        fitted("<div><dt>{name}</dt><dd>{value}</dd></div>", name=_label(name), value=_short(value))
        for name, value in shown
    )
    return fitted("<section><h2>{title}</h2><dl>{rows}</dl></section>", title=title, rows=rows)


def _short(value: Any) -> Markup:
    """A value in words; of what has parts itself, how many there are."""
    if isinstance(value, Mapping | list | tuple):
        return fitted("{count}", count=len(value))
    return shown_value(value)


def _label(name: str) -> str:
    return name.replace("_", " ") if name[:1].isupper() else name.replace("_", " ").capitalize()
