"""Which of a mage's spells one thread, or two, would cast now: the patterns that are easily overlooked (WO-10)."""

from __future__ import annotations

from loomtable.engine.kernel.wording import how_many
from loomtable.engine.woven.patterns import MOST_NEW_THREADS, Castable, castable
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.words import spot_in_words


def spells_in_reach(contest: Contest, who: str) -> tuple[str, ...]:
    """A sentence for each spell that threads from the pool would cast, those that need fewest threads first.

    For the eyes of ``who`` alone: it names spells that are still hidden from the others (WO-16).

    Raises:
        IllegalAction: there is no such mage.
    """
    mage = contest.mage(who)
    threads = min(mage.pool, MOST_NEW_THREADS)
    if not threads:
        return ()
    ways: dict[str, list[Castable]] = {}
    for way in castable(mage.tapestry, mage.spells, threads):
        ways.setdefault(way.spell, []).append(way)
    return tuple(_said(key, found) for key, found in ways.items())


def _said(key: str, ways: list[Castable]) -> str:
    """The way that needs fewest threads, and how many others there are; ways into the same boxes are one."""
    places = list(dict.fromkeys(frozenset(way.place) for way in ways))
    threads = " and ".join(spot_in_words(spot) for spot in sorted(places[0]))
    others = f", or {how_many(len(places) - 1, 'other way', 'other ways')}" if len(places) > 1 else ""
    return f"{spell_named(key).name}: {'a thread at' if len(places[0]) == 1 else 'threads at'} {threads}{others}."
