"""Spellwoven on a television: the encounter that is read, or the conflict in lanes, and the heroes' wounds."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.levels import LEVELS, Levels
from loomtable.engine.spellwoven.state import Conflict, Left
from loomtable.engine.spellwoven.system import SPELLWOVEN
from loomtable.table.screens.panel import Seen, fitted, joined, track
from loomtable.table.screens.television import Television, person_card, prose

MOST_IN_A_LANE = 5


def television(session: Session[Any], seen: Seen) -> Television:
    """The television of an adventure."""
    met = seen["encounter"]
    title, stage, subtitle = met["title"] if met else session.system.title, Markup(), ""
    if seen["conflict"]:
        conflict = from_builtins(seen["conflict"], Conflict)
        subtitle = f"Round {conflict.round}" if conflict.round else "A conflict begins"
        stage = _lanes(session, seen, conflict)
    elif met:
        stage = prose(met["opening"])
    elif not seen["characters"]:
        stage = prose(session.system.presentation.about)
    turn = set(SPELLWOVEN.turn(session.game).split(" and "))
    return Television(title, subtitle, stage=stage, people=tuple(_heroes(seen, turn)))


def _lanes(session: Session[Any], seen: Seen, conflict: Conflict) -> Markup:
    """Who is how near to the fight, the quickest first, with what anybody can see of them."""
    turn = set(SPELLWOVEN.turn(session.game).split(" and "))
    order = sorted(conflict.combatants.items(), key=lambda one: (-one[1].initiative, one[0]))
    lanes = []
    for proximity in Proximity:
        near = [(name, one) for name, one in order if one.proximity is proximity]
        there = [
            fitted(
                '<li class="{state}"><b>{name}</b> <small>{how}</small> <span>{initiative}</span></li>',
                state="now" if name in turn else "done" if one.acted else "",
                name=name,
                initiative=one.initiative or "",
                how=_looks(seen["characters"][name], one.left),
            )
            for name, one in near[:MOST_IN_A_LANE]
        ]
        if len(near) > MOST_IN_A_LANE:
            there.append(fitted('<li class="done">and {count} more</li>', count=len(near) - MOST_IN_A_LANE))
        lanes.append(
            fitted(
                '<section class="lane"><h2>{where}</h2><ul>{there}</ul></section>',
                where=proximity.label,
                there=joined(there),
            )
        )
    return fitted('<div class="lanes">{lanes}</div>', lanes=joined(lanes))


def _looks(sheet: Seen, left: Left | None) -> str:
    if left is not None:
        return str(left.value).replace("-", " ")
    return "" if sheet["condition"] == "unhurt" else str(sheet["condition"])


def _heroes(seen: Seen, turn: set[str]) -> list[Markup]:
    """Every hero with the wounds that are marked, the Effort and the shield."""
    cards = []
    for name, hero in seen["tracks"].items():
        slots, wounds = from_builtins(hero["wound_slots"], Levels), from_builtins(hero["wounds"], Levels)
        shield = hero["shield"]
        levels = joined(
            track(level.label, wounds.at(level), max(slots.at(level), wounds.at(level)), kind="wound")
            for level in LEVELS
            if slots.at(level) or wounds.at(level)
        )
        inside = fitted(
            '<div class="levels">{levels}</div><p>Effort {effort}{shield}</p>',
            levels=levels,
            effort=hero["effort"],
            shield=f" · shield {shield['soak'] - shield.get('marked', 0)} of {shield['soak']}" if shield else "",
        )
        sheet = seen["characters"][name]
        gone = sheet["condition"] in ("dead", "incapacitated")
        state = "out" if gone else "now" if name in turn else ""
        about = sheet["condition"] if gone else sheet["player"] or ""
        cards.append(person_card(name, inside, about=about, state=state))
    return cards
