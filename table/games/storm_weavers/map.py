"""A combat map on a screen: the printed map with everybody on it, where one can go, and what it would bring."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.odds.exact import percent
from loomtable.engine.odds.map_strikes import strike_odds
from loomtable.engine.storm_weavers.combat_map import MAPS, CombatMap, combat_map, map_names
from loomtable.engine.storm_weavers.movement import WALL
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.squares import Square, column_and_row, square_at
from loomtable.engine.storm_weavers.state import MapFight, Tale
from loomtable.printkit.games.storm_weavers.combat_map import SQUARE, draw_combat_map, map_size, square_corner
from loomtable.table.screens import Picture
from loomtable.table.screens.blocks import Drawing, Press, Shape, fitted
from loomtable.table.screens.text import TextDrawing, boxed

OPEN = "·"
"""A square that can be gone to now, in characters."""
_ARROWS = {"north": "↑", "east": "→", "south": "↓", "west": "←"}


def ground_picture(address: str) -> Picture:
    """The printed map by its name, behind which your own have the time of their last change."""
    name = address.partition("~")[0]
    if name not in map_names() or address != _address(name):
        raise KeyError(address)
    plan = combat_map(name)
    return Picture(lambda pen: draw_combat_map(pen, plan), *map_size(plan))


def _address(name: str) -> str:
    """The name of a map's picture, which is another one when the map's file has changed."""
    changed = MAPS.changed(name)
    return f"{name}~{changed}" if changed > 0 else name


def map_drawing(session: Session[Tale], fought: MapFight) -> Drawing:
    """The printed map with figures; squares that can be gone to and enemies that can be struck can be pressed."""
    ground = combat_map(fought.plan.map)
    width, height = map_size(ground)
    asked = session.pending
    choices = {option.key: option.label for option in asked.options} if isinstance(asked, Choose) else {}
    idle = "Press an enemy to strike it." if any(key.startswith("attack-") for key in choices) else ""
    if any(ground.holds(key.partition("-")[0]) for key in choices):
        idle = "Press a dashed square to go there."
    href = f"/art/ground/{_address(fought.plan.map)}.svg"
    picture = fitted('<image href="{href}" width="{w}" height="{h}"/>', href=href, w=width, h=height)
    standing = _standing(fought)
    return Drawing(
        "map",
        (0, 0, width, height),
        (
            Shape(picture),
            *_open_squares(choices, fought, ground, height),
            *_figures(session, choices, fought, ground, height),
        ),
        label=f"The map. {'; '.join(standing)}",
        text=_in_characters(choices, fought, ground),
        idle=idle,
        words=standing,
    )


def _in_characters(choices: dict[str, str], fought: MapFight, ground: CombatMap) -> TextDrawing:
    cells = {(c, r): "" for c in range(ground.width) for r in range(ground.height)}
    cells |= {column_and_row(square): "#" for square in ground.obstacles}
    opened = {key: key for key in choices if ground.holds(key.partition("-")[0])}
    cells |= {column_and_row(key.partition("-")[0]): OPEN for key in opened}
    cells[column_and_row(fought.thymin)] = "T"
    cells |= {column_and_row(enemy.square): str(number) for number, enemy in fought.standing.items()}
    walls = {frozenset(map(column_and_row, wall)) for wall in ground.walls}
    kinds = sorted(set(ground.obstacles.values()))
    legend = (
        *_standing(fought),
        f"# {', '.join(dict.fromkeys([*kinds, *([WALL] if walls else [])]))}" if kinds or walls else "",
        f"{OPEN} can be gone to" if opened else "",
    )
    rows = boxed(cells, (lambda column: square_at(column, 0)[:-1], lambda row: str(row + 1)), walls)
    return TextDrawing("map", ground.title, tuple(rows), tuple(filter(None, legend)), names=opened)


def _standing(fought: MapFight) -> tuple[str, ...]:
    """Where everybody stands, in words."""
    return (
        f"Thymin is on {fought.thymin}",
        *(f"{fought.label(number)} on {e.square}, health {e.health}" for number, e in fought.standing.items()),
    )


def _open_squares(choices: dict[str, str], fought: MapFight, ground: CombatMap, height: float) -> Iterator[Shape]:
    for key, label in choices.items():
        square, _, run_up = key.partition("-")
        if not ground.holds(square):
            continue
        x, y = _upper_left(ground, square, height)
        inset = 7 if run_up else 1
        drawn = fitted(
            '<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="2"/>',
            x=x + inset,
            y=y + inset,
            side=SQUARE - 2 * inset,
        )
        if run_up:
            drawn += fitted('<text x="{x}" y="{y}">{way}</text>', x=x + SQUARE / 2, y=y + 15, way=_ARROWS[run_up])
        way = Press(ChoiceReading((key,)), f"To {square}", _way(label), _beside(fought, ground, square))
        yield Shape(drawn, "open", press=way)


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


def _figures(
    session: Session[Tale], choices: dict[str, str], fought: MapFight, ground: CombatMap, height: float
) -> Iterator[Shape]:
    yield Shape(_disc("T"), "figure thymin", THYMIN, at=_middle(ground, fought.thymin, height))
    for number, enemy in fought.enemies.items():
        fighting = number in fought.standing
        key, press = f"attack-{number}", None
        if key in choices:
            odds = strike_odds(session, number)
            chances = f"{percent(odds.enemy_hurt, 0)} to hurt it, {percent(odds.thymin_hurt, 0)} to be hurt"
            press = Press(ChoiceReading((key,)), choices[key], f"its health {enemy.health}", chances)
        yield Shape(
            _disc(str(number), str(enemy.health) if fighting else ""),
            "figure enemy" if fighting else "figure enemy fallen",
            f"{fought.label(number)}, health {enemy.health}",
            press,
            _middle(ground, enemy.square, height),
        )


def _disc(mark: str, health: str = "") -> Markup:
    """A figure as a disc with its number; an enemy's health stands beside it."""
    badge = fitted(
        '<g class="badge"><circle cx="8" cy="-7.7" r="4.6"/><text x="8" y="-5.7">{health}</text></g>',
        health=health,
    )
    return fitted('<circle r="9.2"/><text y="3.4">{mark}</text>{badge}', mark=mark, badge=badge if health else "")


def _upper_left(ground: CombatMap, square: Square, height: float) -> tuple[float, float]:
    x, y = square_corner(ground, square)
    return x, height - y - SQUARE


def _middle(ground: CombatMap, square: Square, height: float) -> tuple[float, float]:
    x, y = _upper_left(ground, square, height)
    return x + SQUARE / 2, y + SQUARE / 2
