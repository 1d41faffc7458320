"""The rules of Woven in short: figures for the sentences in ``templates/woven/reference.yaml``."""

from __future__ import annotations

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.reference import Reference, read_reference
from loomtable.engine.woven.acting import TENDRIL_COST, TENDRIL_MOVE_COST
from loomtable.engine.woven.regions import RIVER_COST, Terrain
from loomtable.engine.woven.state import MANA
from loomtable.engine.woven.system import WOVEN
from loomtable.engine.woven.tapestries import CARD_COST


@WOVEN.reference
def woven_reference() -> Reference:
    """Woven: turns, costs, casting, attacks."""
    return read_reference(
        package_file("templates", "woven", "reference.yaml"),
        {
            "mana": MANA,
            "tendril": TENDRIL_COST,
            "tendril_move": TENDRIL_MOVE_COST,
            "card": CARD_COST,
            "river": RIVER_COST,
            "terrain": tuple((terrain.value.capitalize(), str(terrain.cost)) for terrain in Terrain),
        },
    )
