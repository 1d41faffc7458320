"""What the arguments of Woven's actions can be, by what a viewer sees of the game."""

from __future__ import annotations

from typing import Annotated

from loomtable.engine.kernel.arguments import Names, View
from loomtable.engine.woven.cards import BOX_MARK
from loomtable.engine.woven.region_map import map_names, region_map
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.tapestry import Spot


def _boxes(view: View) -> list[Spot]:
    """The boxes without a thread, of all tapestries."""
    return [
        Spot(laid["left"] + column, laid["top"] + row)
        for laid in (mage["laid"] for mage in view["mages"].values())
        for row, cells in enumerate(laid["rows"])
        for column, mark in enumerate(cells)
        if mark == BOX_MARK
    ]


def _regions(view: View) -> list[str]:
    return [region.key for region in region_map(view["map"]).regions] if view["map"] else []


Who = Annotated[str, Names(lambda view: view["mages"], acting=True)]
PlayerName = Annotated[str, Names(lambda view: view["mages"], closed=False, acting=True)]
MapName = Annotated[str, Names(lambda view: map_names(), title=lambda name: region_map(name).title)]
Charge = Annotated[
    str, Names(lambda view: [spell for mage in view["mages"].values() for spell in mage["charges"]])
]
Box = Annotated[Spot, Names(_boxes, title=lambda name: str(Spot(*map(int, name.split("/")))))]
TendrilPlace = Annotated[
    RegionKey, Names(lambda view: [place for mage in view["mages"].values() for place in mage["tendrils"]])
]
Place = Annotated[RegionKey, Names(_regions)]
