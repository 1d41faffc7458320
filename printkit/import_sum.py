"""What is brought in from outside, or read in pictures, counted: nothing is lost without being said.

Each import ends with its sum: how much came, and how much did not, by kind. Under half is refused.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from operator import itemgetter

from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError
from loomtable.engine.kernel.wording import how_many, listed

IMPORTED = "Imported"
"""How the sum of an import begins, on the screen and in its file."""
_MOST_SHOWN = 30
"""Remarks on the screen; counts by kind follow them."""


@dataclass
class ImportSum:
    """The sum of the import of a ``file``; ``error`` is what is raised where under half of something comes in.

    ``came`` has a phrase for each kind of thing, ``lost`` one for each kind of loss, beside those that are counted
    in ``losses``: what one and several are called, and why they are lost. ``said`` are the remarks on
    single places: line, kind by which it is counted or ``""``, words; ``places`` say where each line is. The sum
    begins with ``begun``, and what did not come with ``left``.
    """

    file: str
    error: type[LoomtableError] = ContentInvalid
    came: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    said: list[tuple[int, str, str]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    begun: str = IMPORTED
    left: str = "left out"
    losses: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def count(self, came: int, of: int, one: str, many: str, refused: str = "", aside: int = 0) -> None:
        """So many ``of`` a kind of thing came in, and none of those ``aside``, which were not meant to.

        Raises:
            LoomtableError: under half did, and ``refused`` says why nothing does then, and what to do.
        """
        phrase = f"{came} of {how_many(of + aside, one, many)}"
        if refused and 2 * came < of:
            raise self.error(f"{self.file}: only {phrase} would come in, {refused}")
        self.came += [phrase] * bool(of)

    def lose(self, number: int, one: str, many: str, why: str = "") -> None:
        """So many more of a kind are left out; of none, nothing is said."""
        self.losses[one, many, why] += number

    def remarks(self) -> list[str]:
        """What is said of single places, in their order."""
        told = [
            (self.places[line - 1] if self.places else self.file, what)
            for line, _, what in sorted(self.said, key=itemgetter(0, 2))
        ]
        return [printable(f"{place}: {what}") for place, what in told]

    def sums(self) -> list[str]:
        """What came and what did not, and how many remarks there are of each kind."""
        kinds = Counter(kind for _, kind, _ in self.said if kind).most_common()
        looked = [how_many(number, kind, f"{kind}s") for kind, number in kinds]
        losses = (f"{how_many(n, one, many)} {why}".rstrip() for (one, many, why), n in self.losses.items() if n)
        lost = [*losses, *self.lost]
        sums = [f"{self.begun}: {listed(self.came)}{f'; {self.left}: ' * bool(lost)}{listed(lost)}"]
        return sums + [f"For you to look at: {listed(looked)}"] * bool(looked)


def shown(remarks: list[str], sums: list[str], others: str) -> list[str]:
    """What the screen shows of an import; ``others`` says where the rest of its remarks is."""
    more = len(remarks) - _MOST_SHOWN
    return [*remarks[:_MOST_SHOWN], *[f"and {more} more, {others}"] * (more > 0), *sums]


def printable(line: str) -> str:
    """What neither YAML nor a terminal takes for anything but text."""
    return "".join(letter if letter.isprintable() else " " for letter in line)
