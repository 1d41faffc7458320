"""Passive mechanics: applied where the engine knows that they hold, asked about where it cannot (WV-10)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.weave.arguments import PassiveName, Whom
from loomtable.engine.weave.cards.effects import apply_effects, change_turn_refusal
from loomtable.engine.weave.cards.mechanics import EffectKind, Moment, Passive
from loomtable.engine.weave.cards.occasions import (
    Occasion,
    OfferedPassives,
    answered,
    applied,
    felt,
    judged,
    offers,
    sources,
    spent,
    words_of,
)
from loomtable.engine.weave.encounter.hurt import OUT, check_able
from loomtable.engine.weave.encounter.turns import by_today, check_season
from loomtable.engine.weave.events.figures import ActionFailed, Applied, JudgedAnew, PassivesApplied, QualitySpent
from loomtable.engine.weave.state import Season
from loomtable.engine.weave.system import WEAVE
from loomtable.engine.weave.words import on_a_hidden_sheet


def settled(
    play: Play[Season], occasion: Occasion, without: Sequence[OfferedPassives] = ()
) -> Steps[tuple[Passive, ...]]:
    """What holds on an occasion, ``without`` what is ticked with the roll: what is known, and what the storyteller
    ticks; its effects are applied."""
    return tuple(passive.change for passive in (yield from holding(play, occasion, without)))


def holding(
    play: Play[Season], occasion: Occasion, without: Sequence[OfferedPassives] = ()
) -> Steps[tuple[OfferedPassives, ...]]:
    """As ``settled``, with whose it is."""
    chosen, asked, ticked = yield from answered(play, occasion, without)
    yield from take_effect(play, occasion, chosen, asked, ticked)
    return tuple(chosen)


def allowed(play: Play[Season], occasion: Occasion) -> Steps[tuple[OfferedPassives, ...] | None]:
    """What holds before something is done, or ``None`` where people say that it forbids it (WV-10).

    Raises:
        IllegalAction: the engine knows that something forbids it, and nobody has to be asked.
    """
    check_allowed(play, occasion)
    return (yield from attempted(play, occasion))


def attempted(play: Play[Season], occasion: Occasion) -> Steps[tuple[OfferedPassives, ...] | None]:
    """What holds as something is done, or ``None`` where that forbids it: it fails."""
    held = yield from holding(play, occasion)
    if play.state.figure(occasion.who).out:
        yield ActionFailed(who=occasion.who, because=OUT)
        return None
    for passive in held:
        if passive.change.forbids:
            yield ActionFailed(who=occasion.who, because=_named(play, passive, occasion))
            return None
    return held


def check_allowed(play: Play[Season], occasion: Occasion) -> None:
    """Refuse what the engine knows to be forbidden (WV-10).

    Raises:
        IllegalAction: something forbids it; the message says what.
    """
    for offer in offers(play, occasion):
        if offer.certain and offer.change.forbids:
            raise IllegalAction(f"{occasion.who} cannot do this now: {_named(play, offer, occasion)}")


def _named(play: Play[Season], passive: OfferedPassives, occasion: Occasion) -> str:
    """The name of what holds, unless it is on a sheet that players do not see (WV-5)."""
    name = passive.quality.name
    hidden = on_a_hidden_sheet(felt(occasion, (passive,)).applied[0], play.state)
    return "something keeps it from being done" if hidden or name in play.state.face_down_names else name


def take_effect(
    play: Play[Season],
    occasion: Occasion,
    applying: Iterable[OfferedPassives],
    asked: Sequence[OfferedPassives],
    ticked: Collection[str],
) -> Steps[None]:
    """What was said for the whole scene is kept; what applies is spent where it can be had once, and acts."""
    yield from judged(occasion, asked, ticked)
    for holds in applying:
        yield from _take_effect(play, holds.owner or occasion.who, holds.quality.name, holds.change, occasion.who)


def _take_effect(play: Play[Season], keeper: str, quality: str, change: Passive, who: str) -> Steps[None]:
    if change.once is not None:
        yield QualitySpent(who=keeper, quality=quality, span=change.once)
    yield from apply_effects(play, keeper, change.effects, quality, target=who)


def strikes_after(strikes: int, held: tuple[Passive, ...], had: int = 0) -> int:
    """Strikes once what holds is reckoned: first more and fewer, then doubled, then halved and rounded up.

    ``had`` are those on the track, which may stop.
    """
    most = [change.most for change in held if change.most is not None]
    strikes = max(0, strikes + sum(change.strikes for change in held))
    strikes *= 2 ** sum(change.double for change in held)
    for _ in range(sum(change.half for change in held)):
        strikes = -(-strikes // 2)
    return min([strikes, *most, *(max(0, change.track - had) for change in held if change.track)])


@WEAVE.action("passive", "WV-10", group="Challenges")
def passive(play: Play[Season], *, who: Whom, quality: PassiveName) -> Steps[None]:
    """Apply what is always on and no roll calls for, to whoever meets its words; people say when that is."""
    check_season(play)
    figure = check_able(play, who)
    found = [
        (owner, scanned, change)
        for owner, scanned in sources(play.state)
        if scanned.quality.name == quality and scanned.quality.mechanic is not None
        for change in applied(play, scanned.quality.mechanic.always)
        if change.at is Moment.ANY
    ]
    if not found:
        raise IllegalAction(f"there is no passive quality {quality!r} here that is applied by saying so")
    for owner, scanned, change in found:
        if spent(play, owner or figure.name, quality, change):
            raise IllegalAction(f"{quality} has been used in this {change.once}")
        late = change_turn_refusal(play, owner or who) if by_today(play) else ""
        if late and any(effect.do is EffectKind.CHANGE_TURN for effect in change.effects):
            raise IllegalAction(late)
        told = Applied(quality, owner, change, words_of(change, scanned.quality))
        yield PassivesApplied(who=who, applied=(told,))
        yield from _take_effect(play, owner or who, scanned.quality.name, change, who)


@WEAVE.action("ask-again", "WV-10", group="Challenges")
def ask_again(play: Play[Season]) -> Steps[None]:
    """Ask again about everything that was said always, or never, to apply in this scene."""
    if not play.state.judged:
        raise IllegalAction("nothing was said to apply always, or never, in this scene")
    yield JudgedAnew()


def blocked(play: Play[Season], who: str, *kinds: EffectKind) -> str:
    """Why something that stays with a figure keeps it from acting; empty where nothing does."""
    return next((b.because for b in play.state.figure(who).boons if b.do in kinds), "")
