"""What a television shows of a game: one picture that fits the screen, made from what everybody may see."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from loomtable.table.screens.blocks import Block
from loomtable.table.screens.panel import fitted, joined

PROSE = (100, 260, 520)
"""How many characters a text may have to be set in the largest type, and in the next."""


@dataclass(frozen=True)
class Person:
    """Somebody who is there: the name, whose it is, and tracks or words."""

    name: str
    blocks: tuple[Block, ...]
    about: str = ""
    state: str = ""


@dataclass(frozen=True)
class Television:
    """One screen for the room."""

    title: str
    """Of the scene, or where the game stands."""
    subtitle: str = ""
    picture: str = ""
    """The address of the picture of the place; the game's own where it is empty."""
    stage: tuple[Block, ...] | Markup = ()
    """The largest part: a map, what lies on the table, a page that is read."""
    people: tuple[Person | Markup, ...] = ()
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
