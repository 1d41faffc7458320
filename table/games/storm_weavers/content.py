"""What people write for Storm Weavers."""

from __future__ import annotations

from loomtable.engine.storm_weavers.adventure_check import check_adventure_text
from loomtable.engine.storm_weavers.combat_map import parse_map
from loomtable.table.content.sorts import GameContent

CONTENT = GameContent({"map": parse_map}, {"adventure": check_adventure_text}, begun=frozenset({"adventure"}))
