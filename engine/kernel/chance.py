"""The computer rolls: a random answer to any request, marked as such.

For a table that lets the computer roll, for simulations, and for tests that play at random.
"""

from __future__ import annotations

import random

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.names import NAMES, SURNAMES
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    ReadDie,
    Reading,
    Source,
    TextReading,
)
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Flip, Request, Roll, ShowCard


def random_answer(request: Request, source: random.Random) -> Reading:
    """An answer in which every face, card, option and number is equally likely."""
    match request:
        case Roll(die=die, count=count):
            return DiceReading(tuple(ReadDie(die, source.choice(die.faces), Source.RANDOM) for _ in range(count)))
        case Flip():
            return CoinReading(source.choice(("heads", "tails")), Source.RANDOM)
        case ShowCard(kind=kind, among=among):
            side = source.choice("AB") if kind is Kind.TAPESTRY else ""
            return CardReading(ComponentId(kind, source.choice(among), side), Source.RANDOM)
        case Choose(options=options, at_least=at_least, at_most=at_most):
            keys = [option.key for option in options if not option.stays]
            count = source.randint(at_least, min(at_most, len(keys)))
            return ChoiceReading(tuple(source.sample(keys, count)), Source.RANDOM)
        case EnterNumber(low=low, high=high):
            return NumberReading(source.randint(low, high), Source.RANDOM)
        case EnterText(longest=longest, suggestions=suggestions):
            # Rules that want a name nobody has yet ask again, so there have to be many.
            named = f"{source.choice(NAMES)} {source.choice(SURNAMES)}"
            return TextReading((source.choice(suggestions) if suggestions else named)[:longest], Source.RANDOM)
