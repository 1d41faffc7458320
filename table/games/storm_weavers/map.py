"""A combat map on a screen: the printed map with everybody on it, where one can go, and what it would bring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.odds.exact import percent
from loomtable.engine.odds.map_strikes import strike_odds
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map, map_names
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.squares import Square
from loomtable.engine.storm_weavers.state import MapFight
from loomtable.printkit.games.storm_weavers.combat_map import SQUARE, draw_combat_map, map_size, square_corner
from loomtable.table.screens import Picture
from loomtable.table.screens.panel import answering, fitted, joined, listing, preview_line, previewed


def ground_picture(name: str) -> Picture:
    """The printed map by its name."""
    if name not in map_names():
        raise KeyError(name)
    plan = combat_map(name)
    return Picture(lambda pen: draw_combat_map(pen, plan), *map_size(plan))


def map_panel(session: Session[Any], fought: MapFight) -> Markup:
    """The map, what would come of what is pointed at, and where everybody stands."""
    keys = _choices(session)
    idle = "Press an enemy to strike it." if any(key.startswith("attack-") for key in keys) else ""
    if any(combat_map(fought.plan.map).holds(key.partition("-")[0]) for key in keys):
        idle = "Press a dashed square to go there."
    return joined([map_picture(session, fought), preview_line(idle), listing(standing(fought), "standing")])


def map_picture(session: Session[Any], fought: MapFight) -> Markup:
    """The printed map with figures; squares that can be gone to and enemies that can be struck are marked."""
    ground = combat_map(fought.plan.map)
    width, height = map_size(ground)
    lying = joined([*_open_squares(session, fought, ground, height), *_figures(session, fought, ground, height)])
    return fitted(
        '<svg class="map" viewBox="0 0 {w} {h}" role="group" aria-label="The map. {says}">'
        '<image href="/art/ground/{name}.svg" width="{w}" height="{h}"/>{lying}</svg>',
        w=width,
        h=height,
        name=fought.plan.map,
        says="; ".join(standing(fought)),
        lying=lying,
    )


def standing(fought: MapFight) -> list[str]:
    """Where everybody stands, in words."""
    return [
        f"Thymin is on {fought.thymin}",
        *(f"{fought.label(number)} on {e.square}, health {e.health}" for number, e in fought.standing.items()),
    ]


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
        fighting = number in fought.standing
        key = f"attack-{number}"
        press = Markup()
        if key in choices:
            odds = strike_odds(session, number)
            chances = f"{percent(odds.enemy_hurt)} to hurt it, {percent(odds.thymin_hurt)} to be hurt"
            press = previewed(answering(key), choices[key], f"its health {enemy.health}", chances)
        kind = "enemy" if fighting else "enemy fallen"
        says = f"{fought.label(number)}, health {enemy.health}"
        health = str(enemy.health) if fighting else ""
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
