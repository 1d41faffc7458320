"""Charges: spent for what a spell gives for them, and lost (WO-9, WO-12)."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.woven.arguments import Charge, Who
from loomtable.engine.woven.asking import spot_key, spot_label
from loomtable.engine.woven.effects import RecoverThreads
from loomtable.engine.woven.events.weaving import ChargeLoss, ChargeLost, ThreadsRecovered
from loomtable.engine.woven.spells import Spell, spell_named
from loomtable.engine.woven.state import Contest, Mage
from loomtable.engine.woven.system import WOVEN, playing
from loomtable.engine.woven.tapestry import Spot


def spend_charge(who: str, spell: str) -> Steps[None]:
    """A charge to spent mana, for what the spell gives (WO-12)."""
    yield ChargeLost(who=who, spell=spell, loss=ChargeLoss.SPENT)


def recover_threads_by(play: Play[Contest], who: str, spell: str, count: int) -> Steps[None]:
    """Up to ``count`` threads back into the pool; at least one, where one lies (WO-15)."""
    threads = play.state.mages[who].threads
    if len(threads) <= 1:
        chosen: Sequence[Spot] = threads
    else:
        options = tuple(Option(spot_key(spot), spot_label(spot)) for spot in threads)
        most = min(count, len(threads))
        question = Choose(
            f"Take back up to {how_many(most, 'thread', 'threads')}", options, 1, most, by=who, rule="WO-15"
        )
        keys = (yield from ask(question)).keys
        chosen = [spot for spot in threads if spot_key(spot) in keys]
    if chosen:
        yield ThreadsRecovered(who=who, spell=spell, at=tuple(chosen))


def charge_to_recover_threads(mage: Mage, spell: Spell) -> int:
    """How many threads a mage gets back for a charge of this spell at any time; 0 for none."""
    if spell.key not in mage.charges or not mage.threads:
        return 0
    return sum(effect.count for effect in spell.by_spending if isinstance(effect, RecoverThreads))


@WOVEN.action("spend-charge", "WO-12", begun_by=PLAYER, group="The turn")
def spend_charge_now(play: Play[Contest], *, who: Who, spell: Charge) -> Steps[None]:
    """Spend a charge for what its spell gives at any time, in another player's turn too."""
    mage = playing(play, who)
    known = spell_named(spell)
    if spell not in mage.charges:
        raise IllegalAction(f"{who} has no charge on {known.name}")
    if not any(isinstance(effect, RecoverThreads) for effect in known.by_spending):
        raise IllegalAction(f"a charge of {known.name} is good when something happens, and is asked for then")
    count = charge_to_recover_threads(mage, known)
    if not count:
        raise IllegalAction(f"{who} has no thread on the tapestry to take back")
    yield from spend_charge(who, spell)
    yield from recover_threads_by(play, who, spell, count)
