"""Laying a tapestry card by hand on the screen: both sides of it, how it can be turned, and where it can lie."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from loomtable.engine.kernel.readings import CardReading, ChoiceReading
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.cards import CardSide
from loomtable.engine.woven.patterns import castable
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.tapestry import CardPlacement, Spot, Tapestry
from loomtable.engine.woven.views import FACE_DOWN, MageView

STEPS = ("side", "turns", "spot")
"""What is asked about a card, one after another (WO-8)."""


def step_asked(asked: object, who: str, drawn: object) -> str:
    """Which of the questions about the drawn card is asked of this mage; empty where none is."""
    if drawn is None or not isinstance(asked, Choose) or asked.by != who:
        return ""
    keys = [option.key for option in asked.options]
    if all(key in set(CardSide) for key in keys):
        return "side"
    if all(key.isdecimal() for key in keys):
        return "turns"
    return "spot" if all("/" in key for key in keys) else ""


def spots_asked(asked: object, who: str) -> dict[Spot, Option]:
    """The spots among which this mage is asked to choose, each with its option."""
    options = asked.options if isinstance(asked, Choose) and asked.by == who else ()
    pairs = {option.key.partition("/")[::2]: option for option in options if "/" in option.key}
    return {
        Spot(int(column), int(row)): option
        for (column, row), option in pairs.items()
        if all(part.removeprefix("-").isdecimal() for part in (column, row))
    }


def spells_completed(mage: MageView) -> dict[Spot, list[str]]:
    """Which of the spells that the viewer may see one thread would complete, by its place (WO-10)."""
    spells = [spell_named(key) for key in (*mage.shown, *mage.hand) if key != FACE_DOWN]
    found: dict[Spot, dict[str, None]] = {}
    for way in castable(mage.tapestry, spells, 1):
        found.setdefault(way.place[0], {})[spell_named(way.spell).name] = None
    return {spot: list(names) for spot, names in found.items()}


def laying(session: Session[object], step: str, card: int, tapestry: Tapestry) -> str:
    """What the page's script needs to lay the card, as JSON: one answer after another, from the open question."""
    side, turns = _answered(session, step)
    sides = [side] if side else list(CardSide)
    asked = session.pending
    turnings = [turns] if turns is not None else list(range(4))
    if isinstance(asked, Choose) and step == "turns":
        turnings = sorted(int(option.key) for option in asked.options)
    elif session.game.rulings["card-grid"] != "quarter-turns":
        turnings = [turn for turn in turnings if turn % 2 == 0]
    known = {
        "steps": list(STEPS[STEPS.index(step) :]) if tapestry.placements else ["side"],
        "turns": turnings if tapestry.placements else [0],
        "faces": {up: [_face(card, up, turn) for turn in range(4)] for up in sides},
        "spots": [_corners(tapestry, card, sides[0], turn) for turn in (0, 1)],
        "threads": [list(spot) for spot in tapestry.threads],
    }
    return json.dumps(known)


def faces_shown(session: Session[object], step: str, card: int) -> dict[str, list[list[str]]]:
    """How the card can lie, by what is asked: both its sides, its turns, or as it is turned already."""
    side, turns = _answered(session, step)
    asked = session.pending
    if step == "side" or side is None:
        return {f"side {up}": _face(card, up, 0) for up in CardSide}
    if step == "turns" and isinstance(asked, Choose):
        return {option.key: _face(card, side, int(option.key)) for option in asked.options}
    return {"": _face(card, side, turns or 0)}


def _answered(session: Session[object], step: str) -> tuple[CardSide | None, int | None]:
    """The side and the turn that were answered already, by the last steps of the journal."""
    said = [played.step.what for played in session.played[-2:]]
    turned = said.pop() if step == "spot" else None
    turns = int(turned.keys[0]) if isinstance(turned, ChoiceReading) else None
    last = said[-1] if said and step != "side" else None
    if isinstance(last, CardReading):
        return CardSide(last.card.side), turns
    return (CardSide(last.keys[0]) if isinstance(last, ChoiceReading) else None), turns


def _face(card: int, side: CardSide, turns: int) -> list[list[str]]:
    """The rows of cells as the card lies: an element, or nothing for a box."""
    cells: Mapping[Spot, Any] = CardPlacement(card, side, Spot(0, 0), turns).cells()
    rows, columns = 1 + max(s.row for s in cells), 1 + max(s.column for s in cells)
    return [[str(cells[Spot(column, row)] or "") for column in range(columns)] for row in range(rows)]


def _corners(tapestry: Tapestry, card: int, side: CardSide, turns: int) -> list[list[int]]:
    """The upper left spots at which the card may lie, so turned."""
    return [list(p.at) for p in tapestry.legal_placements(card, [side]) if p.turns == turns]
