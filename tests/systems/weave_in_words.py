"""How much of Weave's playsets stands in words only: main effects, Triggers, passives, Flaws, dice of Bosses.

python -m tests.systems.weave_in_words            # the counts
python -m tests.systems.weave_in_words --list     # and what they are
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from loomtable.engine.weave.cards.mechanics import EffectKind, MechanicType
from loomtable.engine.weave.cards.playset import Quality, QualityKind, playset, playset_names

SPEAKS = re.compile(
    r"\b(dice|die|dies|levels?|Strikes?|Wounds?|actions?|attack\w*|mov(e[sd]?|ing)|range|turns?|acts?|roll\w*"
    r"|bonus|targets?|Assets?|Talents?|Challenges?)\b"
)
"""What a passive mechanic speaks of when the engine keeps something of it."""
BY_WORD = "passives that hold by people's word, though they speak of what is kept"


def qualities() -> Iterator[tuple[str, QualityKind, Quality]]:
    """Every option of every card, with its playset."""
    for name in playset_names():
        for offer in playset(name).cards.values():
            for kind, offered in offer.items():
                yield from ((name, kind, quality) for quality in offered)


def in_words() -> dict[str, tuple[list[str], int]]:
    """By what is counted: the names of those that stand in words, and how many there are in all."""
    counted: dict[str, tuple[list[str], int]] = {}

    def count(what: str, where: str, quality: Quality, *, words: bool) -> None:
        names, total = counted.get(what, ([], 0))
        counted[what] = ([*names, f"{where}: {quality.name}"] if words else names, total + 1)

    for where, kind, quality in qualities():
        mechanic = quality.mechanic
        if kind is QualityKind.FLAW:
            count("Flaws without a mechanic", where, quality, words=mechanic is None)
        if kind is QualityKind.BOSS:
            count("Bosses without dice", where, quality, words=not quality.dice)
        if mechanic is None:
            continue
        if mechanic.type is MechanicType.PASSIVE:
            if not mechanic.reach:
                count("passives", where, quality, words=all(change.tells for change in mechanic.always))
                only_held = all(e.do is EffectKind.STAND for change in mechanic.always for e in change.effects)
                held = only_held and any(change.effects for change in mechanic.always)
                count(BY_WORD, where, quality, words=held and SPEAKS.search(mechanic.says) is not None)
            continue
        if not mechanic.reach:
            count("main effects", where, quality, words=not mechanic.effects)
        if mechanic.trigger is not None:
            lifts = any(effect.lifted for effect in mechanic.effects)
            count("Triggers", where, quality, words=not (mechanic.trigger.effects or lifts))
    return counted


def main() -> None:
    for what, (names, total) in in_words().items():
        print(f"{what}: {len(names)} of {total} in words only")
        if "--list" in sys.argv:
            print(*(f"    {name}" for name in names), sep="\n")


if __name__ == "__main__":
    main()
