"""Wound levels, and what is counted by level: slots, wounds, soak (SP-11 to SP-15, SP-19, SP-20).

Pure arithmetic of the wound track; nothing here asks or changes anything.
"""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.wording import Labelled

MOST_SOAK = 3
"""Worn pieces stack, but never beyond this at one level (SP-15)."""


class Severity(Labelled):
    """How grave a wound is, from the successes of the Menace roll (SP-11)."""

    GLANCE = "glance"
    SHALLOW = "shallow"
    DEEP = "deep"
    GRIEVOUS = "grievous"
    FELLING = "felling"
    MORTAL = "mortal"

    @property
    def and_above(self) -> tuple[Severity, ...]:
        """This level and the graver ones, in the order in which a wound flows (SP-12)."""
        return LEVELS[LEVELS.index(self) :]

    @property
    def below(self) -> tuple[Severity, ...]:
        """The milder levels, in the order in which a wound heals (SP-19, SP-20)."""
        return tuple(reversed(LEVELS[: LEVELS.index(self)]))


LEVELS = (Severity.SHALLOW, Severity.DEEP, Severity.GRIEVOUS, Severity.FELLING, Severity.MORTAL)
"""The levels that are tracked; Glances are not (SP-11)."""


def severity_of(successes: int) -> Severity:
    """What a Menace roll of so many successes inflicts: 0 is a Glance, 5 or more are Mortal (SP-11)."""
    return tuple(Severity)[min(successes, len(LEVELS))]


class Levels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A count for each level: slots, wounds or soak."""

    shallow: int = 0
    deep: int = 0
    grievous: int = 0
    felling: int = 0
    mortal: int = 0

    def at(self, level: Severity) -> int:
        """The count at a level."""
        return int(getattr(self, level.value))

    def plus(self, level: Severity, by: int = 1) -> Levels:
        """The counts with ``by`` more at one level."""
        return msgspec.structs.replace(self, **{level.value: self.at(level) + by})

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts from Shallow to Mortal."""
        return self.shallow, self.deep, self.grievous, self.felling, self.mortal

    @property
    def total(self) -> int:
        """All levels together."""
        return sum(self.counts)


def stacked(*pieces: Levels) -> Levels:
    """The soak of pieces worn together: their sum, at most 3 at each level (SP-15)."""
    return Levels(*(min(MOST_SOAK, sum(at_level)) for at_level in zip(*(p.counts for p in pieces), strict=True)))


def landing(slots: Levels, wounds: Levels, severity: Severity) -> Severity | None:
    """Where a wound is marked: its own level, or the next graver one with a free slot (SP-12, SP-14).

    ``None`` means that nothing is free up to Mortal.
    """
    return next((level for level in severity.and_above if wounds.at(level) < slots.at(level)), None)


def healed(slots: Levels, wounds: Levels, level: Severity, *, flows: bool) -> Levels:
    """The wounds after one of them at ``level`` got a level milder (SP-19, SP-20).

    A level that the track does not have is passed over; below the mildest one a wound vanishes. Where the next
    level is full, the wound flows on downward if ``flows``, and stays where it is if not.
    """
    existing = [milder for milder in level.below if slots.at(milder) > 0]
    free = [milder for milder in existing if wounds.at(milder) < slots.at(milder)]
    if existing and not flows and existing[0] not in free:
        return wounds
    eased = wounds.plus(level, -1)
    return eased.plus(free[0]) if free else eased
