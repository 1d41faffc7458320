"""A combat map of Storm Weavers on the table, held against the fight in the book."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.readings import ChoiceReading, Source
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.squares import Square, square_at
from loomtable.engine.storm_weavers.state import MapFight, Tale
from loomtable.printkit.components.figure_file import figures
from loomtable.printkit.games.storm_weavers import combat_map as printed
from loomtable.table.reading.board import BoardLook, Offer, Standing, refusal, standing, tags_of_figures
from loomtable.table.reading.board_drawing import BoardRead, map_read
from loomtable.table.reading.board_geometry import FIGURE_PRINTS, tagged_map
from loomtable.vision.board import TaggedSheet, figures_on, find_sheet
from loomtable.vision.board.maps import tag_advice
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import Point
from loomtable.vision.tags import find_tags

MOVE_RULE = "SW-6"


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


def square_middle(plan: CombatMap, column: int, row: int) -> Point:
    """The middle of a square, mm on the map."""
    return printed.FRAME + (column + 0.5) * printed.SQUARE, printed.FRAME + (row + 0.5) * printed.SQUARE


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


def look_at_combat(session: Session[Tale], picture: BgrImage) -> BoardLook:
    """Hold the figures on a combat map against the fight that is on, and offer a move of Thymin's made by hand.

    Args:
        picture: (height, width, 3) blue green red, 8 bits.

    Raises:
        IllegalAction: no fight on a map is on.
    """
    fight = session.state.map_fight
    if fight is None:
        raise IllegalAction("no fight on a map is on, so there is nothing to hold the table against")
    plan = combat_map(fight.plan.map)
    tags = find_tags(picture)
    advice = tag_advice(tags)
    notes = (advice,) if advice else ()
    search = find_sheet(tags, [combat_sheet(plan)], picture.shape)
    if search.sheet is None:
        return BoardLook(reason=search.reason, notes=notes)

    def whose(place: Point) -> tuple[str | None, float]:
        return square_of(plan, place)

    whom = cast_of(fight)
    book = {0: fight.thymin} | {number: enemy.square for number, enemy in fight.standing.items()}
    seen = figures_on(search.sheet, tags_of_figures(tags), FIGURE_PRINTS)
    marks = {whom[figure.number]: figure.mark for figure in figures() if figure.number in whom}
    standings = [
        standing(
            _name(fight, number, marks.get(number, 0)),
            [one for one in seen if whom.get(one.number) == number],
            square,
            whose,
        )
        for number, square in book.items()
    ]
    called = {figure.number: figure.called for figure in figures()}
    for strange in dict.fromkeys(one.number for one in seen if whom.get(one.number) not in book):
        name = called.get(strange, f"Figure {strange}")
        standings.append(standing(name, [one for one in seen if one.number == strange], "", whose))
    missing = [f"there is no printed figure of {fight.label(n)}" for n in book if n not in whom.values()]
    offer = _offer(session, plan, fight, standings[0])
    return BoardLook(tuple(standings), search.sheet.outline, offer, notes=(*missing, *notes))


def read_board(session: Session[Tale], picture: BgrImage, _: str | None) -> BoardRead:
    """The same, with the picture as it is drawn."""
    return map_read(picture, look_at_combat(session, picture))


def _name(fight: MapFight, number: int, mark: int) -> str:
    """What somebody is called; figures are marked within their kind, enemies are counted through the fight."""
    if not number:
        return THYMIN
    return f"{fight.label(number)} (marked {mark})" if mark not in (0, number) else fight.label(number)


def _offer(session: Session[Tale], plan: CombatMap, fight: MapFight, thymin: Standing) -> Offer | None:
    """Thymin's move, where he stands clearly on another square than in the book."""
    if thymin.seen in ("", fight.thymin):
        return None
    asked = session.pending
    says = f"Thymin moves from {fight.thymin} to {thymin.seen}"
    if not isinstance(asked, Choose) or asked.rule != MOVE_RULE:
        first = f"; {asked.purpose} is still to be answered" if asked is not None else ""
        return Offer(says, reason=f"it is not his move now{first}", about=thymin.name)
    ways = [option.key for option in asked.options if option.key.split("-")[0] == thymin.seen]
    answer = ChoiceReading((ways[0] if ways else thymin.seen,), Source.CAMERA)
    why = "" if ways else _why_not(plan, fight, thymin.seen)
    return Offer(says, answers=(answer,), reason=why or refusal(session, answer), about=thymin.name)


def _why_not(plan: CombatMap, fight: MapFight, square: Square) -> str:
    """Why Thymin cannot go there, in words."""
    if not plan.holds(square):
        return "that is not on the map"
    others = [fight.label(number) for number, enemy in fight.standing.items() if enemy.square == square]
    if others:
        return f"{others[0]} is there"
    return plan.trouble_with(square) or f"no way of Thymin's leads from {fight.thymin} to {square} in one move"
