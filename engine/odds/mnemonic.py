"""Mnemonic: the odds of a skill, of single dice, and of a group scene (MN-3, MN-5 to MN-8, MN-12, MN-13)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction

import msgspec

from loomtable.engine.mnemonic.almanac import WeavingBand, band_of
from loomtable.engine.mnemonic.state import GroupOutcome
from loomtable.engine.mnemonic.uses import LEARNED
from loomtable.engine.mnemonic.weaving import INJURING
from loomtable.engine.odds.exact import ONE, ZERO, Distribution, OddsUnknown, distribution, whole

SIDES = 6
TEACHING_FACES = 2
MOST_DICE = 99


class UseOdds(msgspec.Struct, frozen=True):
    """What the roll of a skill may bring (MN-3, MN-6)."""

    dice: int
    clean: Fraction
    """A 6 is among the dice."""
    complicated: Fraction
    """None is, and the skill becomes complicated."""
    improved: Fraction
    """All dice show 1s and 6s."""
    improved_clean: Fraction
    """The same with a 6 among them; the rest of ``improved`` is nothing but 1s."""
    highest: Distribution


class SingleDieOdds(msgspec.Struct, frozen=True):
    """What the rolls of one die may bring (MN-5, MN-7, MN-8, MN-13)."""

    bands: dict[WeavingBand, Fraction]
    injured: Fraction
    """By a weaving, or by a universal truth that was asked for."""
    truth_answers: Fraction
    """A universal truth is there, and solves it."""
    learned_at_2: Fraction
    learned_complicated: Fraction
    learned_injured: Fraction
    alone_absent: Fraction
    """A Moment Alone heals, and takes the next group scene."""
    alone_grows: Fraction
    """It heals, and a skill of the suit grows."""


class GroupSceneOdds(msgspec.Struct, frozen=True):
    """How a group scene may end (MN-12)."""

    adversary: int
    players: int
    """The dice of all players together: whose die is the highest of them makes no difference."""
    victory: Fraction
    draw: Fraction
    defeat: Fraction

    def chance(self, outcome: GroupOutcome) -> Fraction:
        """The chance of one outcome."""
        return {"victory": self.victory, "draw": self.draw, "defeat": self.defeat}[outcome.value]


def use_odds(rating: int, *, gift: int = 0) -> UseOdds:
    """The odds of a skill's roll (MN-3, MN-6).

    Args:
        rating: the skill's rating.
        gift: dice that weavings of others add to it (MN-11).

    Raises:
        OddsUnknown: a number is out of bounds.
    """
    dice = whole(rating, "the rating", 1, MOST_DICE) + whole(gift, "the dice given", 0, MOST_DICE)
    complicated = Fraction(SIDES - 1, SIDES) ** dice
    improved = Fraction(TEACHING_FACES, SIDES) ** dice
    return UseOdds(
        dice,
        clean=ONE - complicated,
        complicated=complicated,
        improved=improved,
        improved_clean=improved - Fraction(1, SIDES) ** dice,
        highest=_highest(dice),
    )


def single_die_odds() -> SingleDieOdds:
    """The odds of everything that is rolled with one die (MN-5, MN-7, MN-8, MN-13)."""
    return SingleDieOdds(
        bands={band: _faces(lambda face, band=band: band_of(face) is band) for band in WeavingBand},  # type: ignore[misc]
        injured=_faces(lambda face: band_of(face) in INJURING),
        truth_answers=_faces(lambda face: band_of(face) is not WeavingBand.BEND),
        learned_at_2=_faces(lambda face: LEARNED[face][0] == max(rating for rating, _ in LEARNED.values())),
        learned_complicated=_faces(lambda face: LEARNED[face][1]),
        learned_injured=_faces(lambda face: band_of(face) is WeavingBand.TEAR),
        alone_absent=_faces(lambda face: face == 1),
        alone_grows=_faces(lambda face: face == SIDES),
    )


def _faces(wanted: Callable[[int], bool]) -> Fraction:
    return Fraction(sum(wanted(face) for face in range(1, SIDES + 1)), SIDES)


def group_scene_odds(
    adversary: int,
    pools: Sequence[int],
    *,
    adversary_faces: Collection[int] = (),
    faces: Collection[int] = (),
) -> GroupSceneOdds:
    """How a group scene may end (MN-12).

    Args:
        adversary: the adversary's dice that are still to be rolled.
        pools: the dice of each player that are still to be rolled.
        adversary_faces: what the adversary's dice show that lie already.
        faces: what the players' dice show that lie already.

    Raises:
        OddsUnknown: a number is out of bounds, or the adversary has no die at all.
    """
    whole(adversary, "the adversary's dice", 0, MOST_DICE)
    for pool in pools:
        whole(pool, "a player's dice", 1, MOST_DICE)
    for face in (*adversary_faces, *faces):
        whole(face, "a die", 1, SIDES)
    if adversary + len(adversary_faces) == 0:
        raise OddsUnknown("an adversary needs dice, one for each complication")
    theirs = _highest(adversary, max(adversary_faces, default=0))
    ours = _highest(sum(pools), max(faces, default=0))
    victory = sum((theirs[k] * ours.at_least(k + 1) for k in theirs), ZERO)
    draw = sum((theirs[k] * ours[k] for k in theirs), ZERO)
    return GroupSceneOdds(adversary + len(adversary_faces), sum(pools), victory, draw, ONE - victory - draw)


def _highest(dice: int, lying: int = 0) -> Distribution:
    """The highest of so many dice and of one that lies; 0 where there is none."""
    weights = {k: k**dice - (k - 1) ** dice for k in range(1, SIDES + 1)} if dice else {0: 1}
    kept: dict[int, int] = {}
    for face, weight in weights.items():
        kept[max(face, lying)] = kept.get(max(face, lying), 0) + weight
    return distribution(kept, SIDES**dice)
