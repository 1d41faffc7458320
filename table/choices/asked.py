"""What the people must do now, as a page shows it: who, what, why, by which rule, and how it can be answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.requests import (
    Choose,
    EnterNumber,
    EnterText,
    Flip,
    Option,
    Request,
    Roll,
    ShowCard,
    in_words,
)
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import number_word
from loomtable.engine.odds.before import odds_before
from loomtable.engine.odds.words import OddsLine
from loomtable.engine.systems import card_name
from loomtable.table.choices.odds import with_odds
from loomtable.table.choices.taking import FaceShown, faces_to_tap
from loomtable.table.hosting.devices import Device
from loomtable.table.hosting.rights import as_asked, is_asked, open_to_all


class CardShown(msgspec.Struct, frozen=True):
    """One card: its code, its name with the code, and the address of its picture."""

    value: str
    label: str
    picture: str


class Asked(msgspec.Struct, frozen=True):
    """The open request for one viewer.

    ``ask`` is its kind: ``roll``, ``flip``, ``show_card``, ``choose``, ``number`` or ``text``. Where ``mine`` is
    false, others have to answer: then nothing stands here that only they may know.
    """

    ask: str
    by: str
    heading: str
    """What to do: ``"Roll 3 d10"``."""
    purpose: str = ""
    why: str = ""
    rule: str = ""
    mine: bool = True
    count: int = 0
    whose: tuple[str, ...] = ()
    """Whose the dice are, where several roll: an equal part each."""
    die: str = ""
    """What one of the dice is called: ``"Weave die"``."""
    faces: tuple[FaceShown, ...] = ()
    stand_in: tuple[tuple[int, str], ...] = ()
    """What the pips of an ordinary d6 mean, where one may stand in."""
    options: tuple[Option, ...] = ()
    at_least: int = 1
    at_most: int = 1
    about: CardShown | None = None
    """The card that a choice is about."""
    cards: tuple[CardShown, ...] = ()
    card_kind: str = ""
    low: int = 0
    high: int = 0
    certain: bool = False
    """Whether nothing better can come of any other answer than of the first."""
    longest: int = 60
    suggestions: tuple[str, ...] = ()
    looks: bool = False
    """Whether a camera can read the answer."""
    ticks: tuple[Option, ...] = ()
    """What can be said as the dice are rolled."""
    ticked: tuple[str, ...] = ()
    """The keys of those that are said."""
    ticks_ask: str = ""


def asked_of(session: Session[object], device: Device) -> Asked | None:
    """The open request as a device may see it; ``None`` where nothing is asked."""
    request = session.pending
    if request is None:
        return None
    if is_asked(session, request, device):
        return question(as_asked(session, request, device), odds_before(session) or ())
    open_ = open_to_all(request) or session.system.solo
    return Asked(
        ask=_kind(request),
        by=request.by,
        heading=_heading(request) if open_ else _hidden_heading(request),
        purpose=_purpose(request) if open_ else "",
        rule=request.rule if open_ else "",
        mine=False,
    )


def question(request: Request, odds: Sequence[OddsLine] = ()) -> Asked:
    """A request in full, for those who answer it, with what is known of the odds on each answer."""
    common: dict[str, Any] = {
        "ask": _kind(request),
        "by": request.by,
        "heading": _heading(request),
        "purpose": _purpose(request),
        "why": request.why,
        "rule": request.rule,
        "looks": isinstance(request, Roll | Flip | ShowCard),
    }
    match request:
        case Roll(die=die, count=count, stand_in=stand_in, whose=whose, ticks=ticks):
            shown = tuple(enumerate(map(str.capitalize, stand_in), start=1))
            if ticks is not None:
                common |= {"ticks": ticks.options, "ticked": request.ticked, "ticks_ask": in_words(ticks)}
            return Asked(
                **common, count=count, whose=whose, die=die.label, faces=faces_to_tap(request), stand_in=shown
            )
        case Flip():
            return Asked(**common, count=1, die="coin", faces=faces_to_tap(request))
        case ShowCard(kind=kind, among=among):
            sides = ("A", "B") if kind is Kind.TAPESTRY else ("",)
            every = (ComponentId(kind, number, side) for number in among for side in sides)
            return Asked(**common, cards=tuple(map(_card, every)), card_kind=kind.value)
        case Choose(options=options, at_least=at_least, at_most=at_most, about=card):
            about = _card(card) if card is not None else None
            return Asked(**common, options=options, at_least=at_least, at_most=at_most, about=about)
        case EnterNumber(low=low, high=high, options=options):
            told = tuple(with_odds(option, odds) for option in options)
            certain = bool(odds) and all(line.chance in (0, 1) for line in odds if line.answer != "0")
            return Asked(**common, low=low, high=high, options=told, certain=certain)
        case EnterText(longest=longest, suggestions=suggestions):
            return Asked(**common, longest=longest, suggestions=suggestions)


def _asks(request: Request) -> bool:
    """Whether its words say all that there is to do, and are the heading."""
    alone = isinstance(request, EnterText) or (isinstance(request, Choose) and request.at_most == 1)
    return alone or (in_words(request).endswith("?") and isinstance(request, Choose | EnterNumber))


def _purpose(request: Request) -> str:
    return "" if _asks(request) else in_words(request)


def _kind(request: Request) -> str:
    return str(type(request).__struct_config__.tag)


def _heading(request: Request) -> str:
    if _asks(request):
        return in_words(request)[0].upper() + in_words(request)[1:]
    match request:
        case Roll(die=die, count=count):
            return f"Roll {number_word(count)} {die.label if count == 1 else die.plural}"
        case Flip():
            return "Flip a coin"
        case ShowCard(kind=kind):
            return f"Draw a {kind.value.capitalize()} card"
        case Choose(at_least=least, at_most=most):
            return f"Choose {number_word(least)}" if least == most else f"Choose up to {number_word(most)}"
        case EnterNumber(low=low, high=high):
            return f"Choose a number, {low} to {high}"
    raise AssertionError(f"no heading for {type(request).__name__}")


def _hidden_heading(request: Request) -> str:
    who = "The storyteller" if request.by == STORYTELLER else request.by[:1].upper() + request.by[1:]
    match request:
        case ShowCard():
            return f"{who} shows a card"
        case EnterText():
            return f"{who} writes something"
        case _:
            return f"{who} is choosing"


def _card(card: ComponentId) -> CardShown:
    return CardShown(card.short, f"{card.short} {card_name(card)}", f"/art/card/{card.short}.svg")
