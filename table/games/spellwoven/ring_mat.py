"""The ring mat of Spellwoven on the table: who stands in which ring."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.lookup import stands
from loomtable.engine.spellwoven.state import Adventure
from loomtable.printkit.games.spellwoven.figures import FOES, HEROES
from loomtable.printkit.games.spellwoven.ring_mat import HEIGHT, RING_MAT, TAG, TAG_INSET, WIDTH, ring_at
from loomtable.table.reading.board import Board
from loomtable.table.reading.board_geometry import tagged_map
from loomtable.vision.quads import Point

_RIGHT, _FOOT = WIDTH - TAG_INSET - TAG, HEIGHT - TAG_INSET - TAG
MAT_SHEET = tagged_map(
    RING_MAT.number,
    WIDTH,
    HEIGHT,
    ((TAG_INSET, TAG_INSET), (_RIGHT, TAG_INSET), (_RIGHT, _FOOT), (TAG_INSET, _FOOT)),
    TAG,
)
"""The mat as a camera finds it."""


def ring_of(place: Point) -> tuple[str | None, float]:
    """The ring at a place of the mat (mm), ``None`` outside of all, and how far (mm) the nearest border is."""
    ring, room = ring_at(place[0], place[1])
    return (ring.label if ring else None), room


def ring_board(session: Session[Adventure]) -> Board:
    """The ring mat of the conflict that is on.

    Hero 1 is the first player's character of the adventure, foe 1 the first of the others in the conflict.

    Raises:
        IllegalAction: there is none.
    """
    adventure = session.state
    if adventure.conflict is None:
        raise IllegalAction("there is no conflict, so there is nothing to compare the table with")
    combatants = adventure.conflict.combatants
    heroes = [name for name, character in adventure.characters.items() if character.is_player_character]
    foes = [name for name in combatants if name not in heroes]
    pairs = [*zip(HEROES, heroes, strict=False), *zip(FOES, foes, strict=False)]
    return Board(
        MAT_SHEET,
        ring_of,
        {name: combatant.proximity.label for name, combatant in combatants.items() if stands(adventure, name)},
        {figure.number: name for figure, name in pairs},
        {figure.number: figure.called for figure in (*HEROES, *FOES)},
        {name: f"{name} ({figure.called})" for figure, name in pairs},
    )
