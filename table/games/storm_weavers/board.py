"""A combat map of Storm Weavers on the table, held against the fight in the record."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.gestures import squares
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.squares import Square, square_at
from loomtable.engine.storm_weavers.state import MapFight, Tale
from loomtable.printkit.components.figure_file import figures
from loomtable.printkit.games.storm_weavers import combat_map as printed
from loomtable.table.reading.board import Board
from loomtable.table.reading.board_geometry import tagged_map
from loomtable.vision.board.maps import TaggedSheet
from loomtable.vision.quads import Point


def combat_sheet(plan: CombatMap) -> TaggedSheet:
    """A combat map with its frame; one without a number carries no tags and cannot be found."""
    width, height = printed.map_size(plan)
    near, side = printed.TAG_INSET, printed.TAG
    right, foot = width - near - side, height - near - side
    return tagged_map(plan.number, width, height, ((near, near), (right, near), (right, foot), (near, foot)), side)


def square_of(plan: CombatMap, place: Point) -> tuple[Square | None, float]:
    """The square at a place of a combat map (mm), ``None`` beside all of them, and how far its lines are (mm)."""
    column, across = divmod((place[0] - printed.FRAME) / printed.SQUARE, 1)
    row, down = divmod((place[1] - printed.FRAME) / printed.SQUARE, 1)
    room = printed.SQUARE * min(across, 1 - across, down, 1 - down)
    if not (0 <= column < plan.width and 0 <= row < plan.height):
        return None, room
    return square_at(int(column), int(row)), room


def cast_of(fight: MapFight) -> dict[int, int]:
    """Which printed figure is whom: 0 is Thymin, the others are the enemies' numbers.

    Figures are told by their names; of several of one name, the one with the lowest mark is the enemy with the
    lowest number. An enemy of whom there is no figure is left out.
    """
    left = sorted(figures(), key=lambda figure: (figure.mark, figure.number))
    cast: dict[int, int] = {}
    for number, name in ((0, THYMIN), *((number, enemy.name) for number, enemy in fight.enemies.items())):
        mine = next((figure for figure in left if figure.name.casefold() == name.casefold()), None)
        if mine is not None:
            left.remove(mine)
            cast[mine.number] = number
    return cast


def combat_board(session: Session[Tale]) -> Board:
    """The map of the fight that is on.

    Raises:
        IllegalAction: no fight on a map is on.
    """
    fight = session.state.map_fight
    if fight is None:
        raise IllegalAction("no fight on a map is on, so there is nothing to hold the table against")
    plan, cast = combat_map(fight.plan.map), cast_of(fight)

    def whose(place: Point) -> tuple[str | None, float]:
        return square_of(plan, place)

    labels = {}
    for figure in figures():  # figures are marked within their kind, enemies are counted through the fight
        number = cast.get(figure.number, 0)
        if number and figure.mark not in (0, number):
            labels[fight.label(number)] = f"{fight.label(number)} (marked {figure.mark})"
    missing = [n for n in fight.standing if n not in cast.values()]
    return Board(
        combat_sheet(plan),
        whose,
        squares(fight),
        {figure: fight.label(number) if number else THYMIN for figure, number in cast.items()},
        {figure.number: figure.called for figure in figures()},
        labels,
        tuple(f"there is no printed figure of {fight.label(n)}" for n in missing),
    )
