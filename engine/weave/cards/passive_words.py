"""What effects and passive mechanics do, in a few words (WV-10)."""

from __future__ import annotations

from collections.abc import Callable

from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.weave.cards.mechanics import Acts, Effect, EffectKind, Moment, Passive, Whom


def _strikes(count: int) -> str:
    return how_many(count, "Strike", "Strikes")


def _actions(count: int) -> str:
    return how_many(count, "action", "actions")


def _bands(count: int) -> str:
    return how_many(count, "range band", "range bands")


PHRASES: dict[EffectKind, Callable[[int], str]] = {
    EffectKind.HEAL_WOUNDS: lambda n: f"{how_many(n, 'Wound', 'Wounds')} healed",
    EffectKind.CLEAR_STRIKES: lambda n: f"{_strikes(n)} cleared" if n < 10 else "all Strikes cleared",
    EffectKind.DEAL_STRIKES: lambda n: f"{_strikes(n)} marked",
    EffectKind.EXTRA_DICE: lambda n: how_many(n, "die more", "dice more"),
    EffectKind.FEWER_DICE: lambda n: how_many(n, "die fewer", "dice fewer"),
    EffectKind.LOWER_LEVEL: lambda n: how_many(n, "level lower", "levels lower"),
    EffectKind.RAISE_LEVEL: lambda n: how_many(n, "level higher", "levels higher"),
    EffectKind.REROLL_DICE: lambda n: f"up to {how_many(n, 'die', 'dice')} rolled again",
    EffectKind.MORE_STRIKES: lambda n: f"{_strikes(n)} more from the next attack",
    EffectKind.WARD: lambda n: f"{_strikes(n)} fewer from an attack",
    EffectKind.THORNS: lambda n: f"{_strikes(n)} for whoever attacks at Melee Range",
    EffectKind.CALM: lambda n: "no attacking before being attacked",
    EffectKind.SAFE: lambda n: "not to be attacked before attacking",
    EffectKind.SPARE: lambda n: (
        "no attacking whoever caused it" + (", nor being attacked by them" if n > 1 else "")
    ),
    EffectKind.HOLD: lambda n: "held fast",
    EffectKind.ROOTED: lambda n: "not to be moved by others",
    EffectKind.STRIKES_LATER: lambda n: f"{_strikes(n)} at the end of the next turn",
    EffectKind.BARBS: lambda n: f"breaking free costs {_strikes(n)}",
    EffectKind.GAIN_ACTIONS: lambda n: f"{_actions(n)} more on the next turn",
    EffectKind.LOSE_ACTIONS: lambda n: f"{_actions(n)} fewer on the next turn",
    EffectKind.ACT_NOW: lambda n: f"{_actions(n)} more at once",
    EffectKind.TAKE_BOON: lambda n: f"{how_many(n, 'effect', 'effects')} taken away",
    EffectKind.MOVE_BANDS: lambda n: f"up to {_bands(n)} nearer or farther",
    EffectKind.PUSH: lambda n: f"{_bands(n)} farther off",
    EffectKind.PULL: lambda n: f"{_bands(n)} nearer",
    EffectKind.EXCHANGE_PLACES: lambda n: "two places exchanged",
    EffectKind.LEAVE: lambda n: "out of the encounter",
    EffectKind.CHANGE_SIDES: lambda n: "on the other side",
    EffectKind.DRAW_CHALLENGE: lambda n: f"{how_many(n, 'Challenge card', 'Challenge cards')} to keep",
    EffectKind.ANSWER: lambda n: f"{how_many(n, 'answer', 'answers')} of the storyteller",
    EffectKind.STAND: lambda n: "what the card says holds",
    EffectKind.LET_MOVE: lambda n: f"up to {_bands(n)} nearer to one figure, or farther",
    EffectKind.SET_BANDS: lambda n: f"up to {how_many(n, 'distance', 'distances')} set",
    EffectKind.CHANGE_TURN: lambda n: "another place in the order of turns",
    EffectKind.ACT_BETWEEN: lambda n: "one action out of turn",
}
"""Each kind of effect, by its amount."""


def changes(change: Passive, who: str) -> str:
    """``"1 die fewer, for Ilse"``, ``"2 Strikes cleared, for Ilse"``."""
    level = "higher" if change.level > 0 else "lower"
    parts = [
        _more(change.dice, "die", "dice"),
        f"{how_many(abs(change.level), 'level', 'levels')} {level}" if change.level else "",
        PHRASES[EffectKind.REROLL_DICE](change.rerolls) if change.rerolls else "",
        _more(change.strikes, "Strike", "Strikes"),
        "Strikes doubled" if change.double else "",
        "Strikes halved" if change.half else "",
        f"at most {_strikes(change.most)}" if change.most else "no Strikes" if change.most == 0 else "",
        _more(change.actions, "action", "actions"),
        "not allowed" if change.forbids and change.at is not Moment.MOVED else "",
        "the move is taken back" if change.forbids and change.at is Moment.MOVED else "",
        _ACTS[change.acts] if change.acts is not None else "",
        f"as if at {change.band.label}" if change.band is not None else "",
        f"at most {_bands(change.bands)} a turn" if change.bands else "",
        f"a {change.needs.label} Challenge first" if change.needs is not None else "",
        f"the track stops at {change.track}" if change.track else "",
        "the same dice bonus as whoever it faces" if change.mirrors else "",
        "the pool is rolled again" if change.again else "",
        *(_effect(effect) for effect in change.effects),
    ]
    return f"{listed([part for part in parts if part])}, for {who}"


_ACTS = {
    Acts.LAST: "acts last",
    Acts.NOT_FIRST: "does not act first",
    Acts.AFTER_FOE: "acts after an enemy",
    Acts.BEFORE_ONE: "acts just before somebody",
}


def _more(count: int, single: str, many: str) -> str:
    return f"{how_many(abs(count), single, many)} {'more' if count > 0 else 'fewer'}" if count else ""


def _effect(effect: Effect) -> str:
    named = f"{'other ' if effect.other else ''}{effect.to.value.replace('-', ' ')}"
    whom = "" if effect.to in (Whom.TARGET, Whom.SELF, Whom.SAME) else f" ({named})"
    return f"{PHRASES[effect.do](effect.amount)}{whom}"
