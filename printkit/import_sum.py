"""What is brought in from outside, counted: nothing is lost without being said.

Each import ends with its sum: how much came, and how much did not, by kind. Under half is refused.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError
from loomtable.engine.kernel.wording import how_many, listed

IMPORTED = "Imported: "
"""How the sum of an import begins, on the screen and in its file."""


@dataclass
class ImportSum:
    """The sum of the import of a ``file``; ``error`` is what is raised where under half of something comes in.

    ``came`` has a phrase for each kind of thing, ``lost`` one for each kind of loss. ``said`` are the remarks on
    single places: line, kind by which it is counted or ``""``, words.
    """

    file: str
    error: type[LoomtableError] = ContentInvalid
    came: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    said: list[tuple[int, str, str]] = field(default_factory=list)

    def count(self, came: int, of: int, one: str, many: str, why: str, remedy: str, aside: int = 0) -> None:
        """So many ``of`` a kind of thing came in, and none of those ``aside``, which were not meant to.

        ``why`` and ``remedy`` are for those who are refused.

        Raises:
            LoomtableError: under half did, so nothing does.
        """
        phrase = f"{came} of {how_many(of + aside, one, many)}"
        if 2 * came < of:
            raise self.error(f"{self.file}: only {phrase} would come in, {why}; {remedy}")
        self.came += [phrase] * bool(of)

    def lose(self, number: int, one: str, many: str, why: str = "") -> None:
        """So many of a kind are left out; of none, nothing is said."""
        self.lost += [f"{how_many(number, one, many)}{' ' * bool(why)}{why}"] * bool(number)

    def sums(self) -> list[str]:
        """What came and what did not, and how many remarks there are of each kind."""
        kinds = Counter(kind for _, kind, _ in self.said if kind).most_common()
        looked = [how_many(number, kind, f"{kind}s") for kind, number in kinds]
        sums = [f"{IMPORTED}{listed(self.came)}{'; left out: ' * bool(self.lost)}{listed(self.lost)}"]
        return sums + [f"For you to look at: {listed(looked)}"] * bool(looked)


def printable(line: str) -> str:
    """What neither YAML nor a terminal takes for anything but text."""
    return "".join(letter if letter.isprintable() else " " for letter in line)
