"""Weave on a television: the place, the spread face up, whose turn it is, everybody's Strikes and Wounds."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.weave.decks import story_deck
from loomtable.engine.weave.playset import QualityKind
from loomtable.engine.weave.state import MOST_WOUNDS, STRIKE_TRACK, Encounter
from loomtable.table.screens.panel import Seen, card_picture, component, fitted, joined, track
from loomtable.table.screens.television import Television, chips, person_card, prose

MOST_CARDS, FEW_CARDS = 8, 1
"""Of a long spread the latest are shown; beside a short one there is room for words."""
MOST_PEOPLE = 8
"""Characters come first, then enemies."""


def television(session: Session[Any], seen: Seen) -> Television:
    """The television of a season."""
    if not seen["name"]:
        return Television(title="No season has begun", stage=prose(session.system.presentation.about))
    place = next((e for e in reversed(seen["elements"]) if e["kind"] == QualityKind.LOCATION), None)
    where = f"Episode {seen['episode']}, scene {seen['scene']}"
    return Television(
        title=place["quality"]["name"] if place else seen["name"],
        subtitle=f"{seen['name']} · {where}" if place else where,
        picture=_picture(place["card"]) if place else "",
        stage=joined([_encounter(seen), _on_the_table(seen, place), _in_play(seen, place)]),
        people=(*_characters(seen), *_others(seen))[:MOST_PEOPLE],
    )


def _picture(code: str) -> str:
    card = component(code)
    return next((f"/art/motif/{one.motif}.svg" for one in story_deck() if one.id == card), "")


def _encounter(seen: Seen) -> Markup:
    """Whose turn it is, and how far from everybody else they are."""
    if not seen["encounter"]:
        return Markup()
    met = from_builtins(seen["encounter"], Encounter)
    turns = joined(
        fitted('<li class="{now}">{name}</li>', now="now" if name == met.acting else "", name=name)
        for name in met.order or met.participants
    )
    far = ""
    if met.combat and met.acting:
        others = [name for name in met.participants if name != met.acting]
        far = " · ".join(f"{name}: {met.band(met.acting, name).value}" for name in others)
    return fitted(
        '<div class="turns"><ol class="order">{turns}</ol>{far}</div>',
        turns=turns,
        far=fitted('<p class="far">{far}</p>', far=far) if far else "",
    )


def _spread(seen: Seen) -> Markup:
    """The cards of the scene, the latest last; one that lies face down is small."""
    cards = [card for card in map(component, seen["spread"]) if isinstance(card, ComponentId)][-MOST_CARDS:]
    lying = [card_picture(card) for card in cards]
    if seen["face_down"]:
        lying.append(Markup('<figure class="card down"><div class="card-back"></div></figure>'))
    if not lying:
        return Markup()
    return fitted('<div class="spread of-{count}">{cards}</div>', count=len(lying), cards=joined(lying))


def _on_the_table(seen: Seen, place: Seen | None) -> Markup:
    """The spread, and beside a short one the place in words."""
    spread = _spread(seen)
    if not spread or place is None or len(seen["spread"]) > FEW_CARDS:
        return spread
    return fitted('<div class="beside">{spread}{text}</div>', spread=spread, text=prose(place["quality"]["text"]))


def _in_play(seen: Seen, place: Seen | None) -> Markup:
    """What came into play in this episode; where nothing lies on the table, the place in words."""
    others = [one for one in seen["elements"] if one is not place]
    named = chips({one["quality"]["name"]: QualityKind(one["kind"]).label for one in others})
    if seen["spread"] or seen["encounter"] or place is None:
        return named
    return joined([prose(place["quality"]["text"]), named])


def _characters(seen: Seen) -> list[Markup]:
    return [
        person_card(
            name,
            joined(
                [
                    track("Strikes", one["strikes"], STRIKE_TRACK),
                    track("Wounds", one["wounds"], MOST_WOUNDS, kind="wound"),
                ]
            ),
            about=one["player"],
            state="out" if one["wounds"] >= MOST_WOUNDS else _now(seen, name),
        )
        for name, one in seen["tracks"].items()
        if not one["left"]
    ]


def _others(seen: Seen) -> list[Markup]:
    """Those whom the storyteller plays: who they are, and whether they are beaten."""
    kinds = {True: "enemy", False: ""}
    return [
        person_card(
            name,
            fitted("<p>{how}</p>", how="beaten" if one["beaten"] else "an enemy" if one["enemy"] else "an NPC"),
            state=f"other {kinds[one['enemy']]} {'out' if one['beaten'] else _now(seen, name)}",
        )
        for name, one in sorted(seen["npcs"].items(), key=lambda npc: not npc[1]["enemy"])
    ]


def _now(seen: Seen, name: str) -> str:
    return "now" if seen["encounter"] and seen["encounter"]["acting"] == name else ""
