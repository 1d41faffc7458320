"""What came of the dice and the coin: tests, attacks against defences, and how a fight ended."""

from __future__ import annotations

from loomtable.engine.kernel.play import Game
from loomtable.engine.kernel.results import Outcome, RollInPlay
from loomtable.engine.storm_weavers.events import fights as f
from loomtable.engine.storm_weavers.events import journey as j
from loomtable.engine.storm_weavers.plans import FightOutcome
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.state import Tale
from loomtable.engine.storm_weavers.system import STORM_WEAVERS

_APART = (
    f.Charged,
    f.FightBegun,
    f.FightEnded,
    f.Flanked,
    f.MapFightBegun,
    f.Moved,
    j.ParagraphReached,
    f.RoundBegun,
    f.RoundEnded,
    f.Waited,
)
"""What goes on by itself after a roll, or stands in its words already."""


@STORM_WEAVERS.outcome
def outcome(roll: RollInPlay[Tale], viewer: str) -> Outcome:
    """A test (SW-3), a coin (SW-4), an Attack and its Defence (SW-8), or the end of a fight (SW-5, SW-15)."""
    over = roll.last(f.FightEnded)
    ending = _ending(over, roll.after) if over is not None else ""
    tested, coin, exchanged = roll.last(j.Tested), roll.last(j.CoinTested), roll.last(f.Exchanged)
    if exchanged is not None:
        return _exchange(roll, exchanged, ending)
    if tested is not None:
        total = tested.total + tested.modifier
        return Outcome(
            settled=True,
            verdict="Pass" if tested.passed else "Fail",
            passed=tested.passed,
            counted=(
                f"{_sum(roll, tested.modifier)} = {total}",
                f"{tested.value} or less was needed",
            ),
            ending=ending,
            said=(j.Tested, *_APART),
        )
    if coin is not None:
        return Outcome(
            settled=True,
            verdict="Pass" if coin.passed else "Fail",
            passed=coin.passed,
            counted=(f"Thymin called {coin.called}",),
            ending=ending,
            said=(j.CoinTested, *_APART),
        )
    return Outcome(settled=bool(ending), verdict="The fight is over" if ending else "", ending=ending, said=_APART)


def _exchange(roll: RollInPlay[Tale], made: f.Exchanged, ending: str) -> Outcome:
    """Attack against Defence: each die with what is added to it."""
    dice = [int(throw.faces[0]) for throw in roll.throws[-2:]]
    sides = zip(("Attack", "Defence"), dice, (made.attack, made.defence), strict=False)
    hurt = roll.last(f.Injured)
    return Outcome(
        settled=True,
        verdict="Nobody is hurt" if hurt is None else f"{hurt.who} is hit: {hurt.injuries}",
        passed=made.winner == THYMIN if made.winner else None,
        counted=tuple(f"{name}: {die} + {total - die} = {total}" for name, die, total in sides),
        title=f"{made.attacker} attacks",
        ending=ending,
        said=(f.Exchanged, *_APART),
    )


def _sum(roll: RollInPlay[Tale], modifier: int) -> str:
    dice = " + ".join(str(face) for face in roll.throws[-1].faces)
    return f"{dice} + {modifier}" if modifier > 0 else f"{dice} - {-modifier}" if modifier else dice


def _ending(over: f.FightEnded, after: Game[Tale]) -> str:
    """Who won the fight, and how it ended."""
    if over.outcome is FightOutcome.ALL_DEAD:
        return f"Thymin won the fight. {STORM_WEAVERS.tell(over, after)}"
    if over.outcome is FightOutcome.THYMIN_DEAD:
        return f"{over.enemy} won the fight. {STORM_WEAVERS.tell(over, after)}"
    return STORM_WEAVERS.tell(over, after)
