"""The computer rolls: a random answer to any request, marked as such.

For a table that lets the computer roll, for simulations, and for tests that play at random.
"""

from __future__ import annotations

import random

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.readings import Chosen, Flipped, How, Numbered, ReadDie, Reading, Rolled, Shown, Wrote
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Flip, Request, Roll, ShowCard


def random_answer(request: Request, source: random.Random) -> Reading:
    """An answer in which every face, card, option and number is equally likely."""
    match request:
        case Roll(die=die, count=count):
            return Rolled(tuple(ReadDie(die, source.choice(die.faces), How.RANDOM) for _ in range(count)))
        case Flip():
            return Flipped(source.choice(("heads", "tails")), How.RANDOM)
        case ShowCard(kind=kind, among=among):
            side = source.choice("AB") if kind is Kind.TAPESTRY else ""
            return Shown(ComponentId(kind, source.choice(among), side), How.RANDOM)
        case Choose(options=options, at_least=at_least, at_most=at_most):
            count = source.randint(at_least, min(at_most, len(options)))
            return Chosen(tuple(o.key for o in source.sample(options, count)), How.RANDOM)
        case EnterNumber(low=low, high=high):
            return Numbered(source.randint(low, high), How.RANDOM)
        case EnterText():
            return Wrote(f"Nameless {source.randint(1, 999)}", How.RANDOM)
