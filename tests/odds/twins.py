"""Brute force beside every algorithm: the rules played out face by face, with an exact bound on what is left over.

Nothing here uses anything of ``loomtable.engine.odds`` but its words for what is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from loomtable.engine.odds.weave_dice import Rerolls

SUIT, OTHER, BLANK, BLANK_TOO, WEAVE, STRIKE = range(6)
D6 = range(1, 7)


class Lying(NamedTuple):
    """What a pool has counted: successes, Strikes, exact symbols of a Trigger."""

    successes: int
    strikes: int
    symbols: int


class Table(NamedTuple):
    """How a table rolls Weave dice again."""

    rerolls: Rerolls
    trigger: int | None
    """The face that a Trigger counts."""
    counted: bool
    strikes_again: bool
    marked: bool


@cache
def weave_pool(pool: int, table: Table, rolls: int, first: bool = True) -> dict[Lying | None, Fraction]:
    """Every way in which ``pool`` dice fall, within ``rolls`` rolls; ``None`` is the chance of longer ones."""
    if pool == 0:
        return {Lying(0, 0, 0): Fraction(1)}
    if rolls == 0:
        return {None: Fraction(1)}
    found: Counter[Lying | None] = Counter()
    for faces in product(range(6), repeat=pool):
        weaves, strikes = faces.count(WEAVE), faces.count(STRIKE)
        lifted = weaves if table.rerolls is not Rerolls.NONE else 0
        lifted_strikes = 0
        if table.rerolls is Rerolls.WEAVE_AND_STRIKE and (first or table.strikes_again):
            lifted_strikes = strikes
        marked = strikes if first or table.counted else 0
        if not table.marked:
            marked -= min(marked, lifted_strikes)
        symbols = faces.count(table.trigger) if table.trigger is not None else 0
        for more, chance in weave_pool(lifted + lifted_strikes, table, rolls - 1, False).items():
            total = more and Lying(
                more.successes + weaves + faces.count(SUIT), more.strikes + marked, more.symbols + symbols
            )
            found[total] += chance / 6**pool
    return dict(found)


def ten_sided(edge: str, advantage: str) -> Counter[tuple[int, ...]]:
    """Every throw of a test's dice, one by one: the three that count, with the number of ways."""
    thrown: Counter[tuple[int, ...]] = Counter()
    extra = edge != "none" and advantage != "one-success"
    for faces in product(range(1, 11), repeat=4 if extra else 3):
        if not extra:
            thrown[faces] += 1
        elif advantage == "four-dice":
            worst = max(faces) if edge == "advantage" else min(faces)
            place = faces.index(worst)
            thrown[faces[:place] + faces[place + 1 :]] += 1
        else:
            lying, again = faces[:3], faces[3]
            place = lying.index(max(lying) if edge == "advantage" else min(lying))
            thrown[(*lying[:place], again, *lying[place + 1 :])] += 1
    return thrown


def ten_sided_successes(faces: tuple[int, ...], rating: int, edge: str, advantage: str) -> int:
    """Successes of a throw, die by die."""
    successes = 0
    for face in faces:
        if face == 1:
            successes += 2
        elif face <= rating:
            successes += 1
    if advantage == "one-success":
        successes += {"advantage": 1, "none": 0, "disadvantage": -1}[edge]
    return max(successes, 0)


class Side(NamedTuple):
    """A fighter without a map."""

    dexterity: int
    health: int
    weapon_bonus: int = 0
    armour_class: int = 0


End = tuple[int, int]
"""Thymin's and the enemy's Health at the end, 0 for 0 or less."""


class Brawl:
    """A fight without a map, an exchange at a time, in plain fractions."""

    def __init__(
        self, thymin: Side, enemy: Side, *, tie: str, wisdom: Mapping[int, Fraction] | None = None
    ) -> None:
        self.thymin, self.enemy, self.tie = thymin, enemy, tie
        self.wisdom = wisdom
        """The chance of a Cunning Strike at each Health, where Thymin makes nothing else."""
        self._ends = cache(self._ends_from)

    def attack(self, t: int, e: int, by_thymin: bool) -> dict[End, Fraction]:
        """The Healths after one attack."""
        after: Counter[End] = Counter()
        if by_thymin and self.wisdom is not None:
            after[t, max(e - 3, 0)] += self.wisdom[t]
            after[max(t - 3, 0), e] += 1 - self.wisdom[t]
            return {end: chance for end, chance in after.items() if chance}
        for mine, theirs in product(D6, D6):
            thymin, enemy = mine + self.thymin.dexterity, theirs + self.enemy.dexterity
            thymin_wins = thymin > enemy or (thymin == enemy and self.tie == "defender-wins" and not by_thymin)
            enemy_wins = enemy > thymin or (thymin == enemy and self.tie == "defender-wins" and by_thymin)
            injuries = abs(thymin - enemy)
            left = t, e
            if thymin_wins:
                left = t, max(e - max(injuries + self.thymin.weapon_bonus - self.enemy.armour_class, 0), 0)
            elif enemy_wins:
                left = max(t - max(injuries + self.enemy.weapon_bonus - self.thymin.armour_class, 0), 0), e
            after[left] += Fraction(1, 36)
        return dict(after)

    def played_out(self, exchanges: int, by_thymin: bool = True) -> tuple[dict[End, Fraction], Fraction]:
        """The ends within so many exchanges, and the chance that the fight is still on."""
        ends: Counter[End] = Counter()
        on: dict[End, Fraction] = {(self.thymin.health, self.enemy.health): Fraction(1)}
        for exchange in range(exchanges):
            coming: Counter[End] = Counter()
            for (t, e), chance in on.items():
                for left, way in self.attack(t, e, by_thymin == (exchange % 2 == 0)).items():
                    (coming if all(left) else ends)[left] += chance * way
            on = dict(coming)
        return dict(ends), sum(on.values(), Fraction(0))

    def ends(self, by_thymin: bool = True) -> tuple[dict[End, Fraction], Fraction]:
        """All ends, exactly, and the exchanges to expect; each pair of Healths by its own two equations."""
        return self._ends(self.thymin.health, self.enemy.health, by_thymin)

    def _ends_from(self, t: int, e: int, by_thymin: bool) -> tuple[dict[End, Fraction], Fraction]:
        if t == 0 or e == 0:
            return {(t, e): Fraction(1)}, Fraction(0)
        here, idle, length = self._leaving(t, e, by_thymin)
        there, idle_there, length_there = self._leaving(t, e, not by_thymin)
        back = 1 - idle * idle_there
        ends: Counter[End] = Counter()
        for end, chance in here.items():
            ends[end] += chance / back
        for end, chance in there.items():
            ends[end] += idle * chance / back
        return dict(ends), (length + idle * length_there) / back

    def _leaving(self, t: int, e: int, by_thymin: bool) -> tuple[Counter[End], Fraction, Fraction]:
        """The ends by way of this attack hurting somebody; the chance that it does not; exchanges to expect."""
        ends: Counter[End] = Counter()
        idle, length = Fraction(0), Fraction(1)
        for left, chance in self.attack(t, e, by_thymin).items():
            if left == (t, e):
                idle += chance
                continue
            further, more = self._ends(*left, not by_thymin)
            length += chance * more
            for end, way in further.items():
                ends[end] += chance * way
        return ends, idle, length
