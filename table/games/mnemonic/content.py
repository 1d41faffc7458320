"""What people write for Mnemonic: its checks, and how much the almanac should have."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.mnemonic.almanac import (
    concepts,
    parse_concepts,
    parse_prompts,
    parse_weaving_dice,
    weaving_dice,
)
from loomtable.table.content.sorts import GameContent

CONCEPTS, WEAVING_DICE = 7, 13


def _shortfalls() -> Iterator[str]:
    if len(concepts()) != CONCEPTS:
        yield f"concepts.yaml: {len(concepts())} concepts; {CONCEPTS} are needed"
    if len(weaving_dice()) != WEAVING_DICE:
        yield f"weaving-dice.yaml: {len(weaving_dice())} dice; {WEAVING_DICE} are needed"


CONTENT = GameContent(
    {"dice": parse_weaving_dice, "concepts": parse_concepts, "scenes": parse_prompts}, shortfalls=_shortfalls
)
