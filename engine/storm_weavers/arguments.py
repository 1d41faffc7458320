"""What the arguments of Storm Weavers' actions can be, by what stands in the tale."""

from __future__ import annotations

from typing import Annotated

from loomtable.engine.kernel.arguments import Names
from loomtable.engine.storm_weavers.adventure_check import adventure_names, playable_adventure
from loomtable.engine.storm_weavers.combat_map import combat_map, map_names
from loomtable.engine.storm_weavers.plans import USUAL_DICE
from loomtable.engine.storm_weavers.sheet import ATTRIBUTE_POINTS, GEAR

MapName = Annotated[str, Names(lambda view: map_names(), title=lambda name: combat_map(name).title)]
AdventureName = Annotated[
    str,
    Names(
        lambda view: adventure_names(),
        title=lambda name: playable_adventure(name).title,
        notes=lambda name: playable_adventure(name).content_notes,
    ),
]
ItemName = Annotated[str, Names(lambda view: view["thymin"]["items"] if view["thymin"] else ())]
GearName = Annotated[
    str, Names(lambda view: GEAR | (playable_adventure(key).gear if (key := view["adventure"]) else {}))
]
TestDice = Annotated[str, Names(lambda view: (USUAL_DICE, "1d6", "3d6"), closed=False)]
Points = Annotated[int, Names(lambda view: range(ATTRIBUTE_POINTS + 1))]
