"""What was played so many times, with its error; and the fair fights that are kept with the program.

Whole adventures, conflicts and fights on a map have no exact odds: a small player (``loomtable.testing``) plays
them on the engine. Fights that screens and documents show are kept in ``templates/fair_fights.yaml``.
"""

from __future__ import annotations

from functools import cache
from math import ceil, sqrt

import msgspec

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.yamlfile import parse_yaml, read_text

SURE = 1.96
"""Standard errors within which the truth is 95 times of 100."""


class Share(msgspec.Struct, frozen=True):
    """How often something came about in so many plays."""

    came: int
    times: int

    @property
    def chance(self) -> float:
        """The share, from 0 to 1."""
        return self.came / self.times

    @property
    def bounds(self) -> tuple[float, float]:
        """Between what the true chance is, 95 times of 100 (Wilson's interval)."""
        share, times = self.chance, self.times
        middle = (share + SURE**2 / (2 * times)) / (1 + SURE**2 / times)
        half = SURE * sqrt(share * (1 - share) / times + (SURE / (2 * times)) ** 2) / (1 + SURE**2 / times)
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def percent(self) -> str:
        """``"71%"``; never 0 for what came about, or 100 for what once did not."""
        if 0 < self.chance < 0.005:
            return "<1%"
        return ">99%" if 0.995 <= self.chance < 1 else f"{self.chance:.0%}"

    def plain(self) -> dict[str, float]:
        """For JSON: what came about, of how many, the chance and its bounds."""
        low, high = self.bounds
        return {"came": self.came, "times": self.times, "chance": self.chance, "low": low, "high": high}

    def __str__(self) -> str:
        """In percent, and by how many points it may be off: ``"71% ±5"``."""
        low, high = self.bounds
        return f"{self.percent} ±{ceil(100 * max(high - self.chance, self.chance - low))}"


class Fights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How fights of one kind came out for the heroes."""

    times: int
    won: int
    cost: float
    """On average: in Weave the Wounds that each hero took, in Spellwoven how many heroes fell."""

    @property
    def share(self) -> Share:
        """How often they won."""
        return Share(self.won, self.times)

    @property
    def short(self) -> str:
        """``"71%, 1.2"``: where the error is said once for all."""
        return f"{self.share.percent}, {self.cost:.1f}"

    def __str__(self) -> str:
        """``"71% ±5, 1.2"``."""
        return f"{self.share}, {self.cost:.1f}"


class FairFights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fights that are kept."""

    licence: str
    seed: str
    rules: dict[str, str]
    """The version of each game's rules by which they were played."""
    fair_fights: dict[str, dict[str, Fights]]
    """By game, then by ``weave_fight`` or ``spellwoven_fight``."""


@cache
def fair_fights() -> FairFights:
    """The fights that are kept with the program."""
    file = package_file("templates", "fair_fights.yaml")
    return parse_fair_fights(read_text(file), file.name)


def parse_fair_fights(text: str, name: str) -> FairFights:
    """Read such fights; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: it is not good YAML, or not of the format; the message says in which line.
    """
    return parse_yaml(text, FairFights, name)[0]


def weave_fight(
    heroes: int,
    level: int,
    foes: int,
    dice: int,
    *,
    track: int = 0,
    suited: int | None = None,
    spread: bool = False,
) -> str:
    """Under what a fight of Weave is kept; ``loom odds weave fight`` says what the numbers mean."""
    matched = heroes - 1 if suited is None else suited
    blows = ", blows spread" if spread else ""
    return f"{heroes} of level {level}, {matched} suited, against {foes} with +{dice}, track {track}{blows}"


def spellwoven_fight(foe: str, foes: int) -> str:
    """Under what a fight of the ready characters with so many of a ready foe is kept."""
    return f"against {foes} {foe}"
