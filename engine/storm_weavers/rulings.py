"""What tables decide in Storm Weavers."""

from __future__ import annotations

from loomtable.engine.kernel.rulings import shipped_rulings

RULINGS = shipped_rulings("storm_weavers")
