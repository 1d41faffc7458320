"""What effects and passive mechanics do, in a few words (WV-10)."""

from __future__ import annotations

from loomtable.engine.kernel.sentences import filled
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.weave.cards.mechanics import (
    MOST_AMOUNT,
    VOCABULARY,
    Acts,
    Effect,
    EffectKind,
    Moment,
    Passive,
    Whom,
)


def in_brief(kind: EffectKind, amount: int) -> str:
    """``"2 Strikes cleared"``: what an effect does."""
    words = VOCABULARY.effects[kind]
    said = (words.all if amount == MOST_AMOUNT else words.more if amount > 1 else "") or words.brief
    return filled(said, (), {"n": amount})


def changes(change: Passive, who: str) -> str:
    """``"1 die fewer, for Ilse"``, ``"2 Strikes cleared, for Ilse"``."""
    level = "higher" if change.level > 0 else "lower"
    parts = [
        _more(change.dice, "die", "dice"),
        f"{how_many(abs(change.level), 'level', 'levels')} {level}" if change.level else "",
        in_brief(EffectKind.REROLL_DICE, change.rerolls) if change.rerolls else "",
        _more(change.strikes, "Strike", "Strikes"),
        "Strikes doubled" if change.double else "",
        "Strikes halved" if change.half else "",
        f"at most {how_many(change.most, 'Strike', 'Strikes')}"
        if change.most
        else "no Strikes"
        if change.most == 0
        else "",
        _more(change.actions, "action", "actions"),
        "not allowed" if change.forbids and change.at is not Moment.MOVED else "",
        "the move is taken back" if change.forbids and change.at is Moment.MOVED else "",
        _ACTS[change.acts] if change.acts is not None else "",
        f"as if at {change.band.label}" if change.band is not None else "",
        f"at most {how_many(change.bands, 'range band', 'range bands')} a turn" if change.bands else "",
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
    return f"{in_brief(effect.do, effect.amount)}{whom}"
