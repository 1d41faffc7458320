"""What befalls a table between what hands mean: lamps, knocks, mugs, arms that rest. None of it means anything."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from loomtable.testing.printed_things import PLAIN
from loomtable.testing.virtual import ImpossibleScene, Light, PlacedCard, Surface
from loomtable.testing.virtual.surfaces import TINTS
from loomtable.testing.virtual_table import Frames, VirtualTable

KNOCKED = 4.0
"""Millimetres by which a camera is knocked at most: everything stays in its picture."""


class Mishaps:
    """Some of it by chance, with a seed, before a ``share`` of what hands do; ``rate`` is the camera's, frames a
    second.

    >>> from loomtable.testing import Mishaps, VirtualTable
    >>> what, frames = Mishaps(seed=4, rate=5, share=1).next(VirtualTable(seed=1))
    >>> what, len(list(frames))
    ('the lamp goes to 1.3', 20)
    """

    def __init__(self, seed: int, rate: float, share: float = 0.4) -> None:
        self.chance, self._rate, self._share = random.Random(seed), rate, share

    def next(self, table: VirtualTable) -> tuple[str, Frames] | None:
        """What befalls a table now, in words and as frames; mostly nothing."""
        if self.chance.random() >= self._share:
            return None
        befalls: tuple[Callable[[VirtualTable], tuple[str, Frames]], ...]
        befalls = (self._lamp, self._focus, self._knock, self._arm, self._sweep, self._covered, self._covered)
        return self.chance.choice(befalls)(table)

    def _rest(self, table: VirtualTable, seconds: float) -> Frames:
        return table.rest(max(1, round(seconds * self._rate)))

    def _levels(self, table: VirtualTable, name: str, levels: Iterable[float], seconds: float) -> Frames:
        for level in levels:
            setattr(table, name, level)
            yield from self._rest(table, seconds)

    def _lamp(self, table: VirtualTable) -> tuple[str, Frames]:
        levels = self.chance.choice([(0.35,), (0.6,), (0.02,), (1.3,), (0.9, 0.75, 0.6, 0.75, 0.9)])
        return f"the lamp goes to {levels[0]}", self._levels(
            table, "light", (*levels, 1.0), self.chance.uniform(1, 3)
        )

    def _focus(self, table: VirtualTable) -> tuple[str, Frames]:
        return "the camera looks for its focus", self._levels(table, "blur", (1.5, 4.0, 2.0, 0.0), 0.5)

    def _knock(self, table: VirtualTable) -> tuple[str, Frames]:
        (x, y), reach = table.camera.aim, KNOCKED / 2
        across = (self.chance.uniform(-reach, reach) - x / 2, self.chance.uniform(-reach, reach) - y / 2)
        return "the camera is knocked", table.knock(across, self.chance.uniform(-0.6, 0.6) - table.camera.roll / 2)

    def _arm(self, table: VirtualTable) -> tuple[str, Frames]:
        seconds, by = self.chance.choice([1, 4, 9]), self.chance.randrange(4)
        at = (self.chance.uniform(-120, 120), self.chance.uniform(-40, 60))
        return f"an arm rests for {seconds} s", table.rest_arm(at, round(seconds * self._rate), by=by)

    def _sweep(self, table: VirtualTable) -> tuple[str, Frames]:
        return "a hand sweeps", table.sweep(by=self.chance.randrange(4))

    def _covered(self, table: VirtualTable) -> tuple[str, Frames]:
        cards = [name for name, one in table.lying.items() if isinstance(one, PlacedCard) and one.width_mm < 120]
        what = self.chance.choice([*PLAIN, "S1"])
        return f"a {what} lies on something", self._over(
            table, what, self.chance.choice(cards)
        ) if cards else iter(())

    def _over(self, table: VirtualTable, what: str, name: str) -> Frames:
        if what in table.lying:
            return
        try:
            yield from table.lay(what, on=name, face_up=what in PLAIN, by=self.chance.randrange(4))
        except ImpossibleScene:
            return  # it would lie out of the picture
        yield from self._rest(table, self.chance.choice([2, 4, 7]))
        yield from table.take_away(what)


def lamp_of(chance: random.Random) -> Light:
    """A lamp somewhere about a table."""
    return Light(azimuth=chance.uniform(0, 360), elevation=chance.uniform(45, 70), distance=1200, size=9, sky=0.7)


def ground_of(chance: random.Random) -> Surface:
    """The top of some table."""
    kind = chance.choice(sorted(TINTS))
    return Surface(kind, chance.choice(TINTS[kind]), chance.randrange(99))
