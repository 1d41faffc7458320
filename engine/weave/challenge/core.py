"""Core Challenges: level 1, three or four dice, no Strikes marked; for one or for many (WV-22)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.weave.arguments import Whom
from loomtable.engine.weave.challenge.challenge import may_go_on
from loomtable.engine.weave.challenge.tally import LOWEST_LEVEL, Tally, core_pool, roll_pool
from loomtable.engine.weave.encounter.hurt import check_able
from loomtable.engine.weave.encounter.turns import check_season
from loomtable.engine.weave.events.figures import CoreChallengeRolled, Ranked
from loomtable.engine.weave.state import Season
from loomtable.engine.weave.story.enticement import (
    Enticement,
    EnticementGiven,
    check_enticed_here,
    check_enticement,
)
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE


class Standing(msgspec.Struct, frozen=True):
    """What counts for the order: successes first, then dice that show the suit itself."""

    who: str
    successes: int
    symbols: int

    @property
    def key(self) -> tuple[int, int]:
        """Sorts the best first."""
        return -self.successes, -self.symbols


@WEAVE.action("core-challenge", "WV-22", "WV-26", group="Challenges")
def core_challenge(
    play: Play[Season],
    *,
    suit: Suit,
    who: tuple[Whom, ...] = (),
    enticement: EnticementGiven = None,
    enticed: Whom | None = None,
) -> Steps[None]:
    """A Core Challenge for those named, or for every character in the scene; several are put in order.

    An ``enticement`` is for the one who is ``enticed``, or for the only one who rolls.
    """
    check_season(play)
    rolling = who or play.state.present
    if not rolling:
        raise IllegalAction("there is nobody who could roll")
    if len(set(rolling)) != len(rolling):
        raise IllegalAction("nobody rolls twice in one Core Challenge")
    for name in rolling:
        check_able(play, name)
    if enticement is not None:
        check_enticed_here(play)
        if enticed is None and len(rolling) > 1:
            raise IllegalAction("several roll; say who of them is enticed")
        enticed = enticed or rolling[0]
        if enticed not in rolling:
            raise IllegalAction(f"{enticed} does not roll, and cannot be enticed")
        check_enticement(play, play.state.figure(enticed), enticement)
    standings = yield from roll_all(play, rolling, suit, enticed=enticed or "", enticement=enticement)
    if len(rolling) > 1:
        order = yield from ranked(standings)
        yield Ranked(order=order)


def roll_all(
    play: Play[Season],
    who: Sequence[str],
    suit: Suit,
    *,
    enticed: str = "",
    enticement: Enticement | None = None,
    dice: Mapping[str, int] | None = None,
) -> Steps[list[Standing]]:
    """Everybody rolls the same Core Challenge; who gives in to an enticement does not, and has no success."""
    standings: list[Standing] = []
    for name in who:
        if name == enticed and not (yield from may_go_on(play, name, enticement)):
            standings.append(Standing(name, 0, 0))
            continue
        tally = yield from core_roll(play, name, suit, dice=(dice or {}).get(name, 0))
        standings.append(Standing(name, tally.successes, tally.symbols[suit]))
    return standings


def core_roll(play: Play[Season], who: str, suit: Suit, *, lucky: bool = False, dice: int = 0) -> Steps[Tally]:
    """One figure's roll, with ``dice`` more or fewer; its Strikes cost nothing."""
    figure, wounds = play.state.figure(who), play.ruled("core-challenge-wounds")
    pool = core_pool(figure, suit, wounds=wounds, minimum=play.ruled("minimum-pool"), dice=dice)
    purpose = f"{suit.label} Core Challenge, {who}"
    tally = yield from roll_pool(play, figure, suit, pool, purpose, rule="WV-22", lucky=lucky)
    yield CoreChallengeRolled(
        who=who,
        suit=suit,
        pool=pool,
        successes=tally.successes,
        symbols=tally.symbols[suit],
        passed=tally.successes >= LOWEST_LEVEL,
    )
    return tally


def ranked(standings: Sequence[Standing], *, rule: str = "WV-22") -> Steps[tuple[str, ...]]:
    """The order by successes, then by exact symbols; those still tied are put in order by agreement (WV-22)."""
    order: list[str] = []
    for _, same in groupby(sorted(standings, key=lambda s: s.key), key=lambda s: s.key):
        tied = [s.who for s in same]
        if len(tied) > 1:
            names = ", ".join(tied)
            options = tuple(Option(name, name) for name in tied)
            question = Choose(f"Agreed order of {names}", options, len(tied), len(tied), by=STORYTELLER, rule=rule)
            agreed = yield from ask(question)
            tied = list(agreed.keys)
        order += tied
    return tuple(order)
