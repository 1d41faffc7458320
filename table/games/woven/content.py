"""What people write for Woven: its checks, and what the installed cards and maps should have."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.woven.cards import parse_cards, tapestry_cards
from loomtable.engine.woven.map.names import parse_map_names
from loomtable.engine.woven.region_map import map_names, parse_region_map, region_map
from loomtable.engine.woven.spells import parse_spells
from loomtable.table.content.sorts import GameContent

LEAST_MAPS = 3


def _shortfalls() -> Iterator[str]:
    for card in tapestry_cards().values():
        if not card.name.strip():
            yield f"tapestry-cards.yaml: card {card.number} has no name"

    sizes = {len(region_map(name).regions) for name in map_names()}
    if len(sizes) < LEAST_MAPS:
        yield f"maps: {len(sizes)} different sizes of region maps; {LEAST_MAPS} are needed"


CONTENT = GameContent(
    {"region_map": parse_region_map, "spells": parse_spells, "cards": parse_cards, "firsts": parse_map_names},
    shortfalls=_shortfalls,
)
