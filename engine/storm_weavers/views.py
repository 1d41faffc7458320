"""What a screen shows of a tale besides its values: the open page, and the map with its figures."""

from __future__ import annotations

import msgspec

from loomtable.engine.storm_weavers.combat_map import FREE, START_OF_THYMIN, combat_map
from loomtable.engine.storm_weavers.paragraphs import open_choices, page_of
from loomtable.engine.storm_weavers.squares import square_at
from loomtable.engine.storm_weavers.state import Tale

OBSTACLE = "#"


class WayOn(msgspec.Struct, frozen=True):
    """A choice that is open to Thymin: its key, its words, and the paragraph where it leads, if one is known."""

    key: str
    says: str
    to: int | None


class OpenPage(msgspec.Struct, frozen=True):
    """The paragraph where Thymin is, and the choices open to him (SW-17)."""

    number: int
    text: str
    way_on: str
    choices: tuple[WayOn, ...]


class TaleView(Tale, frozen=True):
    """A tale as its player sees it: nothing is hidden, and the open page is there."""

    page: OpenPage | None = None
    board: tuple[str, ...] | None = None


def page(tale: Tale) -> OpenPage | None:
    """The paragraph where Thymin is; ``None`` without an adventure."""
    paragraph = page_of(tale)
    if paragraph is None or tale.paragraph is None:
        return None
    choices = tuple(WayOn(key, c.says, c.to) for key, c in open_choices(tale).items())
    return OpenPage(tale.paragraph, paragraph.text.strip(), paragraph.ways_on[0], choices)


def board(tale: Tale) -> list[str] | None:
    """The combat map row by row: ``T`` is Thymin, digits are standing enemies, ``#`` is an obstacle (SW-5).

    ``None`` where no fight on a map is on.
    """
    fought = tale.map_fight
    if fought is None:
        return None
    ground = combat_map(fought.plan.map)
    figures = {e.square: str(number) for number, e in fought.standing.items()} | {fought.thymin: START_OF_THYMIN}

    def mark(column: int, row: int) -> str:
        square = square_at(column, row)
        return figures.get(square, OBSTACLE if square in ground.obstacles else FREE)

    return ["".join(mark(column, row) for column in range(ground.width)) for row in range(ground.height)]
