"""Storm Weavers on a screen: the open page, the map with everybody on it, Thymin's sheet, the journey."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.odds.exact import percent
from loomtable.engine.odds.map_strikes import strike_odds
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH, THYMIN, Sheet
from loomtable.engine.storm_weavers.squares import Square
from loomtable.engine.storm_weavers.state import Fight, MapFight, Tale
from loomtable.printkit.components.combat_map import SQUARE, map_size, square_corner
from loomtable.table.screens.panel import (
    Panel,
    answering,
    doing,
    facts,
    fitted,
    joined,
    listing,
    preview_line,
    previewed,
    track,
)

Seen = Mapping[str, Any]


def screen(session: Session[Any], viewer: str, seen: Seen) -> tuple[Panel, ...]:
    """The panels of a tale. One player plays alone, and nothing is hidden."""
    panels = []
    tale: Tale = session.state
    if tale.map_fight is not None:
        fought = tale.map_fight
        title = f"{combat_map(fought.plan.map).title}, round {fought.round.number}"
        panels.append(Panel("map", title, _map(session, fought), wide=True))
    if tale.fight is not None:
        panels.append(Panel("fight", "The fight", _fight(tale.fight)))
    if seen["page"]:
        panels.append(Panel("page", f"Paragraph {seen['page']['number']}", _page(session, seen), wide=True))
    if tale.thymin is not None:
        panels.append(Panel("sheet", THYMIN, _sheet(tale.thymin)))
    if tale.journey:
        panels.append(Panel("journey", "The journey", _journey(tale)))
    return tuple(panels)


def _page(session: Session[Any], seen: Seen) -> Markup:
    page = seen["page"]
    paragraphs = joined(fitted("<p>{text}</p>", text=part) for part in page["text"].split("\n\n"))
    asked = session.pending
    keys = {option.key for option in asked.options} if isinstance(asked, Choose) else set()
    choices = [
        fitted('<span class="choice" {press}>{says} <b>→ {to}</b></span>', press=answering(c["key"]), **_shown(c))
        if c["key"] in keys
        else fitted("{says} <b>→ {to}</b>", **_shown(c))
        for c in page["choices"]
    ]
    on = Markup()
    if asked is None and seen["ending"] is None:
        on = fitted('<p><span class="choice go-on" {press}>Go on from here</span></p>', press=doing("go-on"))
    ending = fitted('<p class="ending">The end: {how}.</p>', how=seen["ending"]) if seen["ending"] else Markup()
    return fitted(
        '<div class="prose">{paragraphs}</div>{choices}{on}{ending}',
        paragraphs=paragraphs,
        choices=listing(choices, "choices"),
        on=on,
        ending=ending,
    )


def _shown(choice: Seen) -> dict[str, object]:
    return {"says": choice["says"], "to": choice["to"] or ""}


def _sheet(sheet: Sheet) -> Markup:
    return joined(
        [
            track("Health", max(sheet.health, 0), max(MAX_HEALTH, sheet.health), kind="health"),
            facts(
                {
                    "Dexterity": sheet.dexterity,
                    "Wisdom": sheet.wisdom,
                    "Speed": sheet.speed,
                    "Weapon bonus": f"{sheet.weapon_bonus:+d}",
                    "Armour class": str(sheet.armour_class),
                    "Gold": str(sheet.gold),
                    "Carries": ", ".join(_carried(sheet)) or "nothing",
                }
            ),
        ]
    )


def _carried(sheet: Sheet) -> Iterator[str]:
    """What Thymin has, each with the bonuses that it brought."""
    left = list(sheet.gear)
    for item in sheet.items:
        gear = next((one for one in left if one.item == item), None)
        if gear is not None:
            left.remove(gear)
        yield f"{item} ({gear.said})" if gear is not None else item


def _fight(fight: Fight) -> Markup:
    enemy = fight.enemy
    return joined(
        [
            track(enemy.name, max(enemy.health, 0), max(enemy.health, 1), kind="health"),
            facts({"Dexterity": enemy.dexterity, "Exchanges so far": str(fight.exchange)}),
        ]
    )


def _journey(tale: Tale) -> Markup:
    """The way so far as a chain of paragraphs, with what was written at them."""
    steps = [tale.journey[0].start, *(leg.end for leg in tale.journey)]
    notes = [
        fitted("<b>{number}</b>: {text}", number=number, text=text)
        for number, texts in tale.notes.items()
        for text in texts
    ]
    chain = joined((fitted("<span>{step}</span>", step=step) for step in steps), " → ")
    return joined([fitted('<p class="journey">{chain}</p>', chain=chain), listing(notes)])


# The map


def _map(session: Session[Any], fought: MapFight) -> Markup:
    """The printed map with figures; squares that can be gone to and enemies that can be struck are marked."""
    ground = combat_map(fought.plan.map)
    width, height = map_size(ground)
    squares = list(_open_squares(session, fought, ground, height))
    lying = joined([*squares, *_figures(session, fought, ground, height)])
    stand = [f"Thymin stands on {fought.thymin}"]
    stand += [f"{fought.label(number)} on {e.square}, health {e.health}" for number, e in fought.standing.items()]
    idle = "Press a dashed square to go there." if squares else ""
    if any(key.startswith("attack-") for key in _choices(session)):
        idle = "Press an enemy to strike it."
    return fitted(
        '<svg class="map" viewBox="0 0 {w} {h}" role="group" aria-label="{says}">'
        '<image href="/art/ground/{name}.svg" width="{w}" height="{h}"/>{lying}</svg>{preview}{list}',
        w=width,
        h=height,
        name=fought.plan.map,
        says="The map. " + "; ".join(stand),
        lying=lying,
        preview=preview_line(idle),
        list=listing(stand, "standing"),
    )


def _choices(session: Session[Any]) -> dict[str, str]:
    """The keys and labels of what is asked now, if it is a choice."""
    asked = session.pending
    return {option.key: option.label for option in asked.options} if isinstance(asked, Choose) else {}


def _open_squares(session: Session[Any], fought: MapFight, ground: CombatMap, height: float) -> Iterator[Markup]:
    for key, label in _choices(session).items():
        square, _, run_up = key.partition("-")
        if not ground.holds(square):
            continue
        x, y = _upper_left(ground, square, height)
        arrow = Markup()
        if run_up:
            arrow = fitted('<text x="{x}" y="{y}">{way}</text>', x=x + SQUARE / 2, y=y + 15, way=_ARROWS[run_up])
        inset = 7 if run_up else 1
        yield fitted(
            '<g class="open" {press}><rect x="{x}" y="{y}" width="{side}" height="{side}" rx="2"/>{arrow}</g>',
            press=previewed(answering(key), f"To {square}", _way(label), _beside(fought, ground, square)),
            x=x + inset,
            y=y + inset,
            side=SQUARE - 2 * inset,
            arrow=arrow,
        )


def _way(label: str) -> str:
    """The way and what it costs: ``"by B3 and B2, 2 squares, a run-up for a charge"``."""
    path, _, charge = label.partition(", ")
    steps = path.split("-")[1:]
    if not steps:
        return label
    words = how_many(len(steps), "square", "squares") + (f" by {listed(steps[:-1])}" if len(steps) > 1 else "")
    return words + (f", {charge}" if charge else "")


def _beside(fought: MapFight, ground: CombatMap, square: Square) -> str:
    """Which enemies he then stands beside; two or more flank him (SW-13)."""
    around = {there for _, there in ground.around(square)}
    beside = [fought.label(number) for number, enemy in fought.standing.items() if enemy.square in around]
    return f"beside {listed(beside)}" if beside else "beside no enemy"


_ARROWS = {"north": "↑", "east": "→", "south": "↓", "west": "←"}


def _figures(session: Session[Any], fought: MapFight, ground: CombatMap, height: float) -> Iterator[Markup]:
    choices = _choices(session)
    yield _figure(ground, fought.thymin, height, "T", "thymin", THYMIN, "", Markup())
    for number, enemy in fought.enemies.items():
        standing = number in fought.standing
        key = f"attack-{number}"
        press = Markup()
        if key in choices:
            odds = strike_odds(session, number)
            chances = f"{percent(odds.enemy_hurt)} to hurt it, {percent(odds.thymin_hurt)} to be hurt"
            press = previewed(answering(key), choices[key], f"its health {enemy.health}", chances)
        kind = "enemy" if standing else "enemy fallen"
        says = f"{fought.label(number)}, health {enemy.health}"
        health = str(enemy.health) if standing else ""
        yield _figure(ground, enemy.square, height, str(number), kind, says, health, press)


def _figure(
    ground: CombatMap, square: Square, height: float, mark: str, kind: str, says: str, health: str, press: Markup
) -> Markup:
    """A figure as a disc with its number; an enemy's health stands beside it."""
    x, y = _upper_left(ground, square, height)
    badge = Markup()
    if health:
        badge = fitted(
            '<g class="badge"><circle cx="{x}" cy="{y}" r="4.6"/><text x="{x}" y="{t}">{health}</text></g>',
            x=x + 20.5,
            y=y + 4.8,
            t=y + 6.8,
            health=health,
        )
    return fitted(
        '<g class="figure {kind}{open}" {press}><title>{says}</title>'
        '<circle cx="{cx}" cy="{cy}" r="9.2"/><text x="{cx}" y="{ty}">{mark}</text>{badge}</g>',
        kind=kind,
        open=" can-strike" if press else "",
        press=press or fitted('aria-label="{says}"', says=says),
        says=says,
        cx=x + SQUARE / 2,
        cy=y + SQUARE / 2,
        ty=y + SQUARE / 2 + 3.4,
        mark=mark,
        badge=badge,
    )


def _upper_left(ground: CombatMap, square: Square, height: float) -> tuple[float, float]:
    x, y = square_corner(ground, square)
    return x, height - y - SQUARE
