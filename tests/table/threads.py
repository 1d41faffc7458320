"""Ada's tapestry before a camera, with threads on it, and an evening in which it is her turn."""

from __future__ import annotations

import numpy as np

from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.woven.counter import COUNTER, CounterFace
from loomtable.printkit.games.woven.mages import MAGES, MageInks
from loomtable.printkit.games.woven.tapestry_card import CELL
from loomtable.table.choices.taking import hands_shown
from loomtable.table.reading.scene import REST_AFTER
from loomtable.testing.virtual.lens import VirtualCamera
from loomtable.vision.pictures import BgrImage
from tests.table.hands_on import Evening
from tests.table.sluice_yard import photographed
from tests.table.wolds import contest
from tests.vision.scenes.boards import Panel, lying
from tests.vision.scenes.counters import counter_picture
from tests.vision.scenes.tapestries import card_panel

MADDER, WELD = MAGES[0], MAGES[1]


def counter(face: CounterFace, at: tuple[float, float], mage: MageInks = MADDER) -> Panel:
    side = counter_picture(mage, face, Style.COLOUR)
    return Panel(side, lying(side, (COUNTER.width, COUNTER.width), at, 25.0, 1.0).corners, round=True)


def lines(evening: Evening) -> list[str]:
    return [one.says for one in hands_shown(evening.watch, in_full=True).differences]


ON_GRID = VirtualCamera(height=230, tilt=30, frame=(1280, 720), aim=(40.0, 40.0))


def tapestry_with(evening: Evening, *threads: tuple[float, float]) -> BgrImage:
    """Ada's first card with her threads at these columns and rows, and one of Bo's that strayed there."""
    [card] = evening.session.state.mage("Ada").tapestry.placements
    panels = [card_panel(card, 0.0, Style.COLOUR, np.random.default_rng(3), 0.2)]
    panels += [counter(CounterFace.THREAD, ((x + 0.5) * CELL, (y + 0.5) * CELL)) for x, y in threads]
    return photographed([*panels, counter(CounterFace.THREAD, (0.5 * CELL, 1.5 * CELL), WELD)], ON_GRID)


def weaving() -> tuple[Evening, BgrImage]:
    """An evening in which it is Ada's turn and no thread of hers lies anywhere yet."""
    evening = Evening(contest())
    empty = tapestry_with(evening)
    evening.watch.begin_anew()
    evening.film(empty, REST_AFTER + 1.5)
    assert (evening.says, lines(evening)) == ("", [])
    return evening, empty
