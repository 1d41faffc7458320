"""What a quality does by the rules, for people who choose between them (WV-7, WV-10, WV-15)."""

from __future__ import annotations

from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.weave.cards.mechanics import Mechanic
from loomtable.engine.weave.cards.playset import Quality


def quality_does(quality: Quality) -> str:
    """What there is besides the mood: dice by suit, a track, the mechanic; empty where there is nothing."""
    parts = [
        f"One die more for {quality.suit.label} Challenges." if quality.suit is not None else "",
        _dice(quality),
        mechanic_does(quality.mechanic) if quality.mechanic is not None else "",
        f"Attacks at {listed([band.label for band in quality.reach])}." if quality.reach else "",
        "Brings a sheet of its own." if quality.sheet else "",
    ]
    return " ".join(filter(None, parts))


def _dice(quality: Quality) -> str:
    more = [f"{count:+d} {suit.label}" for suit, count in quality.dice.items()]
    track = f"Strike track of {quality.track}" if quality.track is not None else ""
    has = [part for part in (f"dice {listed(more)}" if more else "", track) if part]
    return f"{', '.join(has)}.".capitalize() if has else ""


def mechanic_does(mechanic: Mechanic) -> str:
    """``"Lucky, Gales: Clear 2 Strikes. Trigger, 2 more Brooks: an ally as well. Once an episode."``"""
    kind = mechanic.type.value.capitalize() + (f", {mechanic.suit.label}" if mechanic.suit is not None else "")
    parts = [f"{kind}: {mechanic.says.strip()}"]
    if (trigger := mechanic.trigger) is not None:
        parts.append(
            f"Trigger, {how_many(trigger.symbols, 'more', 'more')} {trigger.suit.label}: {trigger.says.strip()}"
        )
    if mechanic.reach:
        parts.append(f"Attacks at {listed([band.label for band in mechanic.reach])}.")
    if mechanic.once is not None:
        parts.append(f"Once an {mechanic.once.value}." if mechanic.once.value[0] == "e" else "Once a scene.")
    return " ".join(parts)
