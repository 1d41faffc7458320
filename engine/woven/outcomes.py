"""What came of a spell: Woven has no dice, and what everybody waits for is what a spell does, and who wins."""

from __future__ import annotations

from loomtable.engine.kernel.results import Outcome, RollInPlay
from loomtable.engine.woven.events.beginning import ContestWon, TurnBegun
from loomtable.engine.woven.events.ground import Attacked, BodyDestroyed
from loomtable.engine.woven.events.weaving import NoEffect, SpellCast
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.system import WOVEN


@WOVEN.outcome
def outcome(roll: RollInPlay[Contest], viewer: str) -> Outcome:
    """A spell that was cast and what it did (WO-10, WO-13), or the end of the contest."""
    won, cast = roll.last(ContestWon), roll.last(SpellCast)
    ending = WOVEN.tell(won, roll.after) if won is not None else ""
    if cast is not None:
        spell = spell_named(cast.spell)
        struck, fallen = roll.last(Attacked) is not None, roll.last(BodyDestroyed) is not None
        vain = roll.last(NoEffect) is not None
        return Outcome(
            settled=True,
            verdict=spell.name,
            passed=True if fallen else False if struck or vain else None,
            title=f"{cast.who} casts a spell",
            card=spell.component,
            ending=ending,
            said=(SpellCast, ContestWon, TurnBegun),
        )
    return Outcome(
        settled=bool(ending), verdict="The contest is over" if ending else "", ending=ending, said=(ContestWon,)
    )
