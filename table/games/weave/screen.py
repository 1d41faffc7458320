"""Weave on a screen: the episode, the cards that lie, the characters with their tracks, the encounter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.weave.effect_words import quality_does
from loomtable.engine.weave.playset import Playset, Quality, QualityKind, playset
from loomtable.engine.weave.state import BASE_POOL, MOST_WOUNDS, STRIKE_TRACK, Character, Encounter, Npc, pair
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.words import boon_words
from loomtable.table.games.weave.television import television
from loomtable.table.screens import GameScreen
from loomtable.table.screens.panel import (
    Panel,
    Seen,
    card_picture,
    cards_laid,
    component,
    facts,
    fitted,
    joined,
    listing,
    track,
)


def _panels(session: Session[Any], viewer: str, seen: Seen) -> tuple[Panel, ...]:
    """The panels of a season."""
    panels = [Panel("episode", _episode_title(seen), _episode(seen), wide=True)]
    if seen["encounter"]:
        panels.append(
            Panel("encounter", "Encounter", _encounter(from_builtins(seen["encounter"], Encounter)), wide=True)
        )
    if seen["spread"] or seen["face_down"]:
        panels.append(Panel("spread", "On the table", _spread(seen), wide=True))
    for name, sheet in seen["characters"].items():
        panels.append(Panel(f"sheet-{name}", name, _sheet(from_builtins(sheet, Character))))
    if seen["npcs"]:
        panels.append(Panel("npcs", "The storyteller's people", listing(map(_npc, seen["npcs"].values()))))
    if seen["hand"]:
        hand = cards_laid(component(card) for card in seen["hand"])
        panels.append(Panel("hand", "The storyteller's hand", hand, wide=True))
    if seen["playset"] and playset(seen["playset"]).people:
        panels.append(Panel("known", "Who is who, where is where", _known(playset(seen["playset"])), wide=True))
    return tuple(panels)


def _episode_title(seen: Seen) -> str:
    if not seen["name"]:
        return "No season has begun"
    return f"{seen['name']}: episode {seen['episode']}, scene {seen['scene']}"


def _episode(seen: Seen) -> Markup:
    """Theme, Location and Boss as a line of time, then what came into play."""
    placed = [q if isinstance(q, Mapping) else None for q in seen["foundation"]]
    kinds = ("Theme", "Location", "Boss")
    line = [_element(kinds[place], quality) for place, quality in enumerate(placed)]
    in_play = [_element(QualityKind(q["kind"]).label, q) for q in seen["elements"]]
    plan = seen["plan"]
    parts = [
        fitted('<ol class="timeline">{line}</ol>', line=joined(line)) if line else Markup(),
        fitted('<h3>In play</h3><ul class="elements">{all}</ul>', all=joined(in_play)) if in_play else Markup(),
        _planned(plan) if plan else Markup(),
        facts(
            {
                "Playset": playset(seen["playset"]).title if seen["playset"] else "",
                "Place": seen["place"],
                "Players": ", ".join(_player(*p) for p in seen["players"].items()),
            }
        ),
    ]
    return joined(parts)


def _known(played: Playset) -> Markup:
    """Who and what the cards speak of, folded away until somebody asks."""
    return fitted(
        "<details><summary>{title}</summary><h3>Who is who</h3>{people}<h3>Where is where</h3>{places}</details>",
        title=played.title,
        people=facts({one.name: one.text for one in played.people}),
        places=facts({one.name: one.text for one in played.places}),
    )


def _player(name: str, accepted: bool) -> str:
    return name if accepted else f"{name} (invited)"


def _planned(plan: Seen) -> Markup:
    tried = joined(_element(QualityKind(q["kind"]).label, q) for q in plan["tried"])
    return fitted('<h3>Being planned</h3><ul class="elements">{tried}</ul>', tried=tried)


def _element(kind: str, quality: Seen | None) -> Markup:
    """A quality with the card it came from; face down where it is hidden."""
    if quality is None:
        return fitted('<li class="element down"><b>{kind}</b><span>face down</span></li>', kind=kind)
    return fitted(
        '<li class="element"><b>{kind}</b><span class="name">{name}</span>'
        '<span class="code">{card}</span><p>{art}{text}</p></li>',
        kind=kind,
        name=quality["quality"]["name"],
        card=quality["card"],
        art=fitted(
            '<img class="art" src="/art/card/{card}.svg" alt="" width="63" height="88" loading="lazy">',
            card=quality["card"],
        ),
        text=quality["quality"]["text"],
    )


def _spread(seen: Seen) -> Markup:
    lying: list[ComponentId | str] = [component(card) for card in seen["spread"]]
    if seen["face_down"]:
        lying.append(component(seen["face_down"]))
    return cards_laid(lying)


def _sheet(sheet: Character) -> Markup:
    """One character: tracks, dice by suit, qualities, kept cards."""
    state = "has left the season" if sheet.left else "out of the scene" if sheet.out else ""
    return joined(
        [
            fitted(
                '<p class="sheet-head">{player} · level {level}{state}</p>',
                player=sheet.player,
                level=sheet.level,
                state=f" · {state}" if state else "",
            ),
            track("Strikes", sheet.strikes, STRIKE_TRACK),
            track("Wounds", sheet.wounds, MOST_WOUNDS, kind="wound"),
            fitted('<ul class="suits">{suits}</ul>', suits=joined(_suit(sheet, suit) for suit in Suit)),
            joined(_quality(sheet, one) for one in sheet.qualities),
            _boons(sheet),
            fitted('<h3>Kept</h3><div class="cards">{kept}</div>', kept=joined(map(_small, sheet.kept)))
            if sheet.kept
            else Markup(),
        ]
    )


def _small(card: ComponentId) -> Markup:
    return card_picture(card, small=True)


def _suit(sheet: Character, suit: Suit) -> Markup:
    """How many dice a Challenge in this suit gives before anything else."""
    core = "core " if suit is sheet.core_suit else ""
    dice = BASE_POOL + sheet.dice_bonus(suit)
    return fitted(
        '<li class="{core}"><img src="/art/suit/{suit}.svg" alt="" width="22" height="22">'
        '<span>{name}</span><span class="boxes" aria-hidden="true">{boxes}</span><b>{dice} dice</b></li>',
        core=core,
        suit=suit.value,
        name=f"{suit.label}, core suit" if core else suit.label,
        boxes=Markup('<i class="on"></i>') * dice,
        dice=dice,
    )


def _quality(sheet: Character, one: Any) -> Markup:
    spent = sheet.spent.get(one.quality.name)
    return fitted(
        '<details class="quality"><summary><b>{kind}</b> {name}{spent}</summary>{does}<p>{text}</p></details>',
        kind=one.kind.label,
        does=_does(one.quality),
        name=one.quality.name,
        spent=f" (used for this {spent})" if spent else "",
        text=one.quality.text,
    )


def _does(quality: Quality) -> Markup:
    says = quality_does(quality)
    return fitted('<p class="does">{says}</p>', says=says) if says else Markup()


def _boons(sheet: Character | Npc) -> Markup:
    lines = [fitted("{why}: {words}", why=b.because, words=boon_words(b)) for b in sheet.boons]
    return joined([Markup("<h3>In force</h3>"), listing(lines)]) if lines else Markup()


def _npc(npc: Seen) -> Markup:
    kind = "enemy" if npc["enemy"] else "NPC"
    tracks = Markup()
    if "strikes" in npc:
        tracks = joined(
            [
                track("Strikes", npc["strikes"], npc["track"]),
                track("Wounds", npc["wounds"], MOST_WOUNDS, kind="wound"),
            ]
        )
    return fitted(
        "<b>{name}</b> ({kind}){beaten}{tracks}{boons}{qualities}",
        name=npc["name"],
        kind=kind,
        beaten=", beaten" if npc["beaten"] else "",
        tracks=tracks,
        boons=_boons(from_builtins(npc, Npc)) if "boons" in npc else Markup(),
        qualities=joined(_hidden_quality(one) for one in npc.get("qualities", ())),
    )


def _hidden_quality(one: Seen) -> Markup:
    """What somebody whom the storyteller plays can do; only the storyteller's view has it."""
    return fitted(
        '<details class="quality"><summary><b>{kind}</b> {name}</summary>{does}<p>{text}</p></details>',
        does=_does(from_builtins(one["quality"], Quality)),
        kind=QualityKind(one["kind"]).label,
        name=one["quality"]["name"],
        text=one["quality"]["text"],
    )


def _encounter(fought: Encounter) -> Markup:
    """The order of turns, and how far everybody is from everybody else."""
    order = [
        fitted('<li class="{now}">{name}{left}</li>', now=_now(name, fought), name=name, left=_left(name, fought))
        for name in fought.order or fought.participants
    ]
    head = f"Round {fought.round}" if fought.round else f"{fought.starter or 'Somebody'} begins"
    return joined(
        [
            fitted("<p>{head}, in {suit}{combat}</p>", head=head, suit=fought.suit.label, combat=_combat(fought)),
            fitted('<ol class="order">{order}</ol>', order=joined(order)),
            _bands(fought) if fought.combat else Markup(),
        ]
    )


def _combat(fought: Encounter) -> str:
    return ", a combat" if fought.combat else ""


def _now(name: str, fought: Encounter) -> str:
    return "now" if name == fought.acting else ""


def _left(name: str, fought: Encounter) -> str:
    return f": {how_many(fought.actions_left, 'action', 'actions')} left" if name == fought.acting else ""


def _bands(fought: Encounter) -> Markup:
    """Range bands as a table of pairs, nearest first."""
    rows: Iterable[Markup] = (
        fitted(
            '<tr><th scope="row">{one} and {other}</th><td><span class="band {band}">{band}</span></td></tr>',
            one=one,
            other=other,
            band=str(fought.bands.get(pair(one, other), fought.opening_band)),
        )
        for one, other in combinations(fought.participants, 2)
    )
    return fitted('<h3>How far</h3><table class="bands">{rows}</table>', rows=joined(rows))


screen = GameScreen(_panels, television)
"""The screens of Weave."""
