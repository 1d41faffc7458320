"""Storm Weavers as a system: how it begins, and what is seen; the rules register themselves with it."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.system import Looks, Presentation, Rules, SettingUp, System, no_setup, shipped_words
from loomtable.engine.storm_weavers.rulings import RULINGS
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.state import Tale
from loomtable.engine.storm_weavers.views import board, page
from loomtable.engine.storm_weavers.words import tell


def _view(tale: Tale, viewer: str) -> dict[str, Any]:
    """One player plays alone, so nothing is hidden; the page and the map are added as they lie there now."""
    view: dict[str, Any] = to_builtins(tale)
    return {**view, "page": to_builtins(page(tale)), "board": board(tale)}


STORM_WEAVERS: System[Tale] = System(
    "storm-weavers",
    "Storm Weavers",
    rules=Rules("1", RULINGS),
    setting_up=SettingUp(begin=no_setup("Storm Weavers", Tale), solo=True),
    words=shipped_words("storm_weavers", tell),
    looks=Looks(view=_view, turn=lambda tale: THYMIN if tale.thymin is not None else ""),
    presentation=Presentation(
        episodes=True,
        about="A gamebook for one: paragraphs, tests, and fights on a map.",
        motif="storm",
        groups=("The journey", "Tests and fights", "The sheet"),
        by_hand=("Tests and fights", "The sheet"),
        quick_start=package_file("templates", "quick_starts", "storm-weavers.yaml"),
        evening="storm-weavers-karrow-head",
        likely=("go-on", "begin-adventure", "create"),
        ready_evenings=(package_file("templates", "ready_evenings", "storm-weavers.yaml"),),
    ),
)
"""A solo gamebook fighter: adventures, tests, coin tests, fights with and without a map."""
