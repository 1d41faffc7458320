"""What is known of the odds, on the answers that can be given."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from loomtable.engine.kernel.requests import Option
from loomtable.engine.odds.exact import percent
from loomtable.engine.odds.words import OddsLine


def with_odds(option: Option, odds: Sequence[OddsLine]) -> Option:
    """An option with what is certain and what may come once it is taken: ``"pass, epic pass 6%"``."""
    told = [
        f"{line.says}" + (f" {percent(line.chance, 0)}" if line.chance < 1 else "")
        for line in odds
        if line.answer == option.key and line.chance
    ]
    return replace(option, does=", ".join([option.does, *told] if option.does else told))
