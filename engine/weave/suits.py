"""The four suits, in the order in which every table of ours lists them (1 to 4 on an ordinary die)."""

from __future__ import annotations

from loomtable.engine.kernel.wording import Labelled


class Suit(Labelled):
    """A suit of Weave: what kind of effort a Challenge takes."""

    FLAMES = "flames"
    BROOKS = "brooks"
    GALES = "gales"
    STONES = "stones"

    @property
    def means(self) -> str:
        """The sort of effort, in one word."""
        return {"flames": "mental", "brooks": "social", "gales": "reaction", "stones": "physical"}[self.value]
