"""A part of the table that is shown together, and what a game's screen needs to make one."""

from __future__ import annotations

import re

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import BadCode, UnknownComponent
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.table.screens.blocks import Block, Press, parts_of


class Panel(msgspec.Struct, frozen=True):
    """A part of the table that is shown together."""

    id: str
    """Unique on the page; the same panel keeps it, so that it can be replaced where it stands."""
    title: str
    blocks: tuple[Block, ...]
    wide: bool = False
    """Whether it takes the whole width where there are several columns."""
    mine: bool = False
    """Whether it is the own sheet of whoever looks; on a phone that comes first."""
    whose: str = ""
    """Whose sheet it is; empty for what is no sheet."""
    folded: bool = False
    """Whether only its title is seen until somebody opens it."""

    @property
    def anchor(self) -> str:
        """Where on the page it stands, for links to it."""
        return "panel-" + re.sub(r"\W+", "-", self.id)

    def begins(self, action: str) -> bool:
        """Whether something on it takes an action of this name when it is pressed."""
        acts = (part.what for part in parts_of(self.blocks) if isinstance(part, Press))
        return any(isinstance(what, Action) and what.name == action for what in acts)


class PersonCard(msgspec.Struct, frozen=True):
    """Somebody on a television: the name, tracks or words, and whose it is."""

    name: str
    blocks: tuple[Block, ...]
    about: str = ""
    state: str = ""
    """``now`` for who acts, ``out`` for who cannot."""


class Television(msgspec.Struct, frozen=True):
    """What a television shows of a game: one screen that fits, made from what everybody may see."""

    title: str
    """Of the scene, or where the game stands."""
    subtitle: str = ""
    picture: str = ""
    """The address of the picture of the place; the game's own where it is empty."""
    stage: tuple[Block, ...] = ()
    """The largest part: a map, what lies on the table, a page that is read."""
    people: tuple[PersonCard, ...] = ()
    """Everybody who is there."""
    over: bool = False
    """Whether the story has come to its end, and the chronicle is taken home."""


def may_press(session: Session[object], viewer: str, who: str) -> bool:
    """Whether this viewer answers and acts for ``who`` by pressing what is marked."""
    return viewer == STORYTELLER or who in session.system.names_of(session.game, viewer)


def component(code: object) -> ComponentId | str:
    """A card as a view writes it: its id, or words where it is hidden."""
    try:
        return ComponentId.parse(str(code))
    except (UnknownComponent, BadCode):
        return str(code)


def card_of(code: str) -> ComponentId | None:
    """A card as a view writes it; nothing where it is hidden."""
    card = component(code)
    return card if isinstance(card, ComponentId) else None
