"""What a screen is made of: panels of HTML, in which every word that came from people is escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import BadCode, UnknownComponent
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import card_name
from loomtable.table.screens.blocks import Block, Press, parts_of
from loomtable.table.screens.blocks import fitted as fitted

Seen = Mapping[str, Any]
"""What a viewer may see of a game, as plain values."""


@dataclass(frozen=True)
class Panel:
    """A part of the table that is shown together."""

    id: str
    """Unique on the page; the same panel keeps it, so that it can be replaced where it stands."""
    title: str
    blocks: tuple[Block, ...] | Markup
    wide: bool = False
    """Whether it takes the whole width where there are several columns."""
    mine: bool = False
    """Whether it is the own sheet of whoever looks; on a phone that comes first."""
    whose: str = ""
    """Whose sheet it is; empty for what is no sheet."""

    @property
    def anchor(self) -> str:
        """Where on the page it stands, for links to it."""
        return "panel-" + re.sub(r"\W+", "-", self.id)

    def begins(self, action: str) -> bool:
        """Whether something on it takes an action of this name when it is pressed."""
        if isinstance(self.blocks, Markup):
            return taps(self.blocks, action)
        acts = (part.what for part in parts_of(self.blocks) if isinstance(part, Press))
        return any(isinstance(what, Action) and what.name == action for what in acts)


def joined(parts: Iterable[object], between: str = "") -> Markup:
    """Pieces of HTML one after another."""
    return Markup(between).join(parts)  # type: ignore[arg-type]


def facts(pairs: Mapping[str, object]) -> Markup:
    """Names and values, a line each; empty values are left out."""
    lines = [fitted("<div><dt>{name}</dt><dd>{value}</dd></div>", name=n, value=v) for n, v in pairs.items() if v]
    return fitted('<dl class="facts">{lines}</dl>', lines=joined(lines)) if lines else Markup()


def listing(items: Iterable[object], kind: str = "plain") -> Markup:
    """Items as a list."""
    inner = joined(fitted("<li>{item}</li>", item=item) for item in items)
    return fitted(f'<ul class="{kind}">{{inner}}</ul>', inner=inner) if inner else Markup()


def card_picture(card: ComponentId, *, small: bool = False) -> Markup:
    """A printed card as it looks, with its code and name in words."""
    return fitted(
        '<figure class="card{small}">'
        '<img src="/art/card/{code}.svg" alt="" width="126" height="176" loading="lazy">'
        "<figcaption><b>{code}</b> {name}</figcaption></figure>",
        small=" small" if small else "",
        code=card.short,
        name=card_name(card),
    )


def cards_laid(cards: Iterable[str | ComponentId]) -> Markup:
    """Cards side by side as they lie; a card that is no id lies face down."""
    return fitted('<div class="cards">{cards}</div>', cards=joined(_laid(card) for card in cards))


def _laid(card: str | ComponentId) -> Markup:
    if isinstance(card, ComponentId):
        return card_picture(card)
    return Markup(
        '<figure class="card down"><div class="card-back"></div><figcaption>face down</figcaption></figure>'
    )


def doing(name: str, **args: Any) -> Markup:
    """The attributes of something that takes an action when it is pressed, by hand or by key."""
    return fitted('data-act="{act}" role="button" tabindex="0"', act=json.dumps({"name": name, "args": args}))


def taps(html: Markup, name: str) -> bool:
    """Whether something in this HTML takes an action of this name when it is pressed."""
    return fitted('data-act="{act}', act=json.dumps({"name": name})[:-1]) in html


def answering(*keys: str) -> Markup:
    """The attributes of something that answers the open question with these choices when it is pressed."""
    return fitted('data-answer="{answer}" role="button" tabindex="0"', answer=json.dumps({"keys": keys}))


def previewed(press: Markup, says: str, cost: str = "", odds: str = "") -> Markup:
    """What something would do, what it costs and how likely it goes well, shown before it is pressed."""
    told = ", ".join(part for part in (says, cost, odds) if part)
    return fitted(
        '{press} data-says="{says}" data-cost="{cost}" data-odds="{odds}" aria-label="{told}"',
        press=press,
        says=says,
        cost=cost,
        odds=odds,
        told=told,
    )


def preview_line(idle: str) -> Markup:
    """Where the page says what would be done; ``idle`` while nothing is pointed at."""
    return fitted('<p class="preview" data-idle="{idle}">{idle}</p>', idle=idle)


def may_press(session: Session[Any], viewer: str, who: str) -> bool:
    """Whether this viewer answers and acts for ``who`` by pressing what is marked."""
    return viewer == STORYTELLER or who in session.system.names_of(session.game, viewer)


_PRESSED = re.compile(r' data-(act|answer)="[^"]*" role="button" tabindex="0"')
"""What makes an element of a panel play; quotation marks within are escaped, so it ends at the first one."""


def only_seen(html: Markup) -> Markup:
    """A piece of a screen on which nothing can be pressed."""
    return Markup(_PRESSED.sub(' role="group"', html))


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
