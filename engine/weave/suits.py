"""The four suits, in the order in which every table of ours lists them (1 to 4 on an ordinary die)."""

from __future__ import annotations

from enum import StrEnum


class Suit(StrEnum):
    """A suit of Weave: what kind of effort a Challenge takes."""

    FLAMES = "flames"
    BROOKS = "brooks"
    GALES = "gales"
    STONES = "stones"

    @property
    def label(self) -> str:
        """The suit's name as printed."""
        return self.value.capitalize()

    @property
    def means(self) -> str:
        """The sort of effort, in one word."""
        return {"flames": "mental", "brooks": "social", "gales": "reaction", "stones": "physical"}[self.value]
