"""Storm Weavers combat maps at true scale: squares of 25 mm with their names, obstacles, and where figures start.

A tag stands in each corner of the frame, so that a camera finds the map and every square on it.
"""

from __future__ import annotations

from random import Random

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.tags import map_tags
from loomtable.engine.storm_weavers.combat_map import MAPS, CombatMap, combat_map
from loomtable.engine.storm_weavers.squares import Square, column_and_row, square_at
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.decks.pictures import opened_picture
from loomtable.printkit.draw.palette import INK, WHITE, Colour
from loomtable.printkit.draw.path import circle, lens, polyline, rect, rounded, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import draw_corner_tags
from loomtable.printkit.draw.type import POINT, Font, fit_line, width_of
from loomtable.printkit.games.storm_weavers.ground import draw_square, ground_of
from loomtable.printkit.sheet.pieces import LargeDrawing

SQUARE = 25.0
"""Side of a square in mm: a figure on a 25 mm base fits."""
FRAME = 17.5
"""Width of the frame round the squares, mm."""
TAG = 13.0
"""Width of the black of a tag, mm."""
TAG_INSET = 2.0
"""From the drawing's edge to the black of a tag, mm."""
_GROUND, _JOINT = Colour.hex("EFE6D2"), Colour.hex("CDBE9C")
_FRAME, _DEEP, _GOLD = Colour.hex("D8CBB0"), Colour.hex("4A3B2A"), Colour.hex("A9762F")
_THYMIN, _ENEMY = Colour.hex("2F5D73"), Colour.hex("8C2F2B")


def map_size(plan: CombatMap) -> tuple[float, float]:
    """Width and height of the whole drawing in mm."""
    return plan.width * SQUARE + 2 * FRAME, plan.height * SQUARE + 2 * FRAME


def square_corner(plan: CombatMap, square: Square) -> tuple[float, float]:
    """Lower left corner of a square in the drawing, mm."""
    column, row = column_and_row(square)
    return FRAME + column * SQUARE, FRAME + (plan.height - 1 - row) * SQUARE


def draw_combat_map(pen: Pen, plan: CombatMap) -> None:
    """The whole map, its lower left corner at the origin.

    Raises:
        TextTooLong, GlyphMissing: its title or an obstacle's name cannot be set; the message names the map.
    """
    place_ground(pen, plan)
    _draw_starts(pen, plan)
    _draw_names(pen, plan)
    draw_frame(pen, plan)


def place_ground(pen: Pen, plan: CombatMap) -> None:
    """The ground of a map, which a file keeps once however often it shows it."""
    pen.place(f"squares-{plan.name}", (0, 0, *map_size(plan)), lambda inner: draw_ground(inner, plan))


def draw_ground(pen: Pen, plan: CombatMap) -> None:
    """The squares and what stands on them, without a word."""
    width, height = map_size(plan)
    pen.fill_background(rect(0, 0, width, height), _FRAME)
    pen.fill_background(rect(FRAME, FRAME, width - 2 * FRAME, height - 2 * FRAME), _GROUND)
    if plan.picture:
        _draw_picture(pen, plan)
    else:
        ground, starts = ground_of(set(plan.obstacles.values())), (plan.thymin, *plan.enemies.values())
        for row in range(plan.height):
            for column in range(plan.width):
                square = square_at(column, row)
                free = square not in plan.obstacles and square not in starts
                draw_square(pen, ground, square_corner(plan, square), SQUARE, f"{plan.name}/{square}", free=free)
        for kind, squares in _things(plan):
            _draw_thing(pen, plan, kind, squares)
    for near, far in sorted(sorted(square_corner(plan, square) for square in wall) for wall in plan.walls):
        _draw_wall_between(pen, near, far)


def _draw_picture(pen: Pen, plan: CombatMap) -> None:
    """The squares as somebody else drew them, ruled once more: not every picture shows its squares."""
    width, height = map_size(plan)
    file = MAPS.path(plan.name).with_name(plan.picture)
    picture = opened_picture(file, f"combat map {plan.name}")
    pen.picture(picture, (FRAME, FRAME, width - 2 * FRAME, height - 2 * FRAME))
    for column in range(1, plan.width):
        x = FRAME + column * SQUARE
        pen.stroke(polyline((x, FRAME), (x, height - FRAME)), _JOINT, 0.2)
    for row in range(1, plan.height):
        y = FRAME + row * SQUARE
        pen.stroke(polyline((FRAME, y), (width - FRAME, y)), _JOINT, 0.2)


def _draw_wall_between(pen: Pen, near: tuple[float, float], far: tuple[float, float]) -> None:
    """A wall on the line that two squares share; ``near`` and ``far`` are their lower left corners."""
    x, y = far
    line = polyline(far, (x, y + SQUARE) if near[1] == y else (x + SQUARE, y))
    pen.stroke(line, _DEEP, 1.8)
    pen.stroke(line, _JOINT, 0.7)


def _draw_names(pen: Pen, plan: CombatMap) -> None:
    """Each free square's name in its lower left corner; columns and rows again in the frame."""
    for row in range(plan.height):
        for column in range(plan.width):
            square = square_at(column, row)
            if square not in plan.obstacles:
                x, y = square_corner(plan, square)
                if plan.picture:
                    wide = width_of(square, Font.LABEL_BOLD, 8)
                    pen.fill_background(rounded(x + 1.1, y + 1.2, wide + 1.4, 3.4, 0.8), WHITE)
                pen.text(x + 1.8, y + 1.9, square, Font.LABEL_BOLD, 8, _DEEP)
    middle = 0.35 * 9 * POINT
    for column in range(plan.width):
        x = FRAME + (column + 0.5) * SQUARE
        for y in (FRAME - 4.6, FRAME + plan.height * SQUARE + 3.0):
            pen.text(x, y, square_at(column, 0)[:-1], Font.TITLE, 9, _DEEP, align="middle")
    for row in range(plan.height):
        y = FRAME + (plan.height - row - 0.5) * SQUARE - middle
        for x in (FRAME - 3.6, FRAME + plan.width * SQUARE + 3.6):
            pen.text(x, y, str(row + 1), Font.TITLE, 9, _DEEP, align="middle")


def _draw_starts(pen: Pen, plan: CombatMap) -> None:
    x, y = (value + SQUARE / 2 for value in square_corner(plan, plan.thymin))
    pen.fill(star(x, y, 8.4, 4.6, 8), _THYMIN.towards(_GROUND, 0.72))
    pen.stroke(circle(x, y, 9.6), _THYMIN, 0.5)
    pen.text(x, y - 2.1, "T", Font.TITLE, 17, _THYMIN, align="middle")
    for number, square in plan.enemies.items():
        x, y = (value + SQUARE / 2 for value in square_corner(plan, square))
        pen.fill(circle(x, y, 7.4), _ENEMY.towards(_GROUND, 0.62))
        pen.stroke(circle(x, y, 9.2), _ENEMY, 0.5)
        for turn in range(0, 360, 30):
            pen.solid(lens(x, y, 2.2, 0.55).shifted(9.2, 0).turned(turn, (x, y)), _ENEMY)
        pen.text(x, y - 2.1, str(number), Font.TITLE, 17, _ENEMY, align="middle")


def _things(plan: CombatMap) -> list[tuple[str, list[Square]]]:
    """Obstacles of one kind that touch are one thing: a bell over four squares, a wall along an edge."""
    waiting = dict(plan.obstacles)
    found = []
    while waiting:
        first, kind = next(iter(waiting.items()))
        group, edge = [], [first]
        del waiting[first]
        while edge:
            square = edge.pop()
            group.append(square)
            for _, beside in plan.around(square):
                if waiting.get(beside) == kind:
                    edge.append(beside)
                    del waiting[beside]
        found.append((kind, sorted(group)))
    return found


def _draw_thing(pen: Pen, plan: CombatMap, kind: str, squares: list[Square]) -> None:
    """A thing whose squares fill a rectangle is drawn once over it, any other square by square."""
    import shapely

    from loomtable.printkit.games.storm_weavers.obstacles import AREAS, OBSTACLES, draw_unknown

    corners = [square_corner(plan, square) for square in squares]
    boxes = [(x, y, SQUARE, SQUARE) for x, y in corners]
    if kind in AREAS:
        width, height = map_size(plan)
        land = shapely.box(FRAME, FRAME, width - FRAME, height - FRAME)
        AREAS[kind](pen, boxes, land, Random(f"{plan.name}/{squares[0]}"))
        return
    left, bottom = min(x for x, _ in corners), min(y for _, y in corners)
    width = max(x for x, _ in corners) + SQUARE - left
    height = max(y for _, y in corners) + SQUARE - bottom
    if round(width * height / SQUARE**2) == len(squares):
        boxes = [(left, bottom, width, height)]
    draw = OBSTACLES.get(kind)
    for box in boxes:
        if draw is not None:
            draw(pen, box)
        else:
            draw_unknown(pen, box, kind, f"combat map {plan.name}, obstacle {kind}")


def draw_frame(pen: Pen, plan: CombatMap) -> None:
    width, height = map_size(plan)
    pen.stroke(rect(FRAME - 0.6, FRAME - 0.6, width - 2 * FRAME + 1.2, height - 2 * FRAME + 1.2), _DEEP, 0.7)
    pen.stroke(rect(0.4, 0.4, width - 0.8, height - 0.8), _DEEP, 0.5)
    middle = width / 2
    room = width - 2 * (FRAME + 8)
    points = fit_line(plan.title, Font.TITLE, room - 14, 15, 8, f"combat map {plan.name}")
    top = height - FRAME / 2 + 1.2
    pen.text(middle, top, plan.title, Font.TITLE, points, INK, align="middle")
    for side in (-1, 1):
        pen.solid(lens(middle + side * (room / 2 - 4), top + 1.6, 9, 0.7), _GOLD)
    said = "T: Thymin starts here · 1, 2, 3: the enemies in order"
    points = fit_line(said, Font.LABEL, room, 7.5, 6, f"combat map {plan.name}")
    pen.text(middle, 4.4, said, Font.LABEL, points, _DEEP, align="middle")
    if plan.number:
        tags = map_tags(ComponentId(Kind.MAP, plan.number))
        draw_corner_tags(pen, tags, (width, height), TAG, TAG_INSET, _DEEP)


def map_drawing(plan: CombatMap) -> LargeDrawing:
    """A map as a piece to print: its frame may give way as far as to the tags."""
    return LargeDrawing(
        ComponentId(Kind.MAP, plan.number) if plan.number else None,
        plan.title,
        *map_size(plan),
        lambda pen: draw_combat_map(pen, plan),
        spare_edge=TAG_INSET,
    )


def maps(options: RenderOptions) -> list[LargeDrawing]:
    """Every map that ships, in the order of their numbers."""
    plans = sorted((combat_map(name) for name in MAPS.shipped()), key=lambda plan: (plan.number, plan.name))
    return [map_drawing(plan) for plan in plans]


def own_map(name: str, options: RenderOptions) -> list[LargeDrawing]:
    """A map of your own."""
    return [map_drawing(combat_map(name))]
