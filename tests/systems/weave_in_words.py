"""Every sentence of Weave's cards beside its data, and how many clauses are left to people.

Somebody has read each sentence beside its data. What was read is in ``weave_sentences.txt``: a digest of both, and
the clauses that are only told, with the reason. A clause is what is between full stops and semicolons. All others
the engine applies, or asks about; a situation that people play by (``stand``) stays on a sheet while it lasts.

python -m tests.systems.weave_in_words                   # the counts
python -m tests.systems.weave_in_words --list            # and the clauses that are only told
python -m tests.systems.weave_in_words --table           # every sentence beside its data
python -m tests.systems.weave_in_words --unread          # those that changed since they were read, or are new
python -m tests.systems.weave_in_words --read            # keep the digests of all, after reading those
python -m tests.systems.weave_in_words --draw 7          # 60 cards at random, by this seed
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.weave.cards.mechanics import EffectKind, Mechanic, Trigger
from loomtable.engine.weave.cards.playset import Quality, playset, playset_names

READ = Path(__file__).with_name("weave_sentences.txt")
TOLD = "    told: "
DRAWN = 60
MEANS = {"whole", "says", "type", "suit", "symbols", "trigger"}
"""Fields that are no part of what a sentence does."""


@dataclass(frozen=True)
class Sentence:
    """The words of a mechanic, or of its Trigger, and the data beside them."""

    playset: str
    card: str
    name: str
    of: Mechanic | Trigger

    @property
    def says(self) -> str:
        """The words, on one line."""
        return " ".join(self.of.says.split())

    @property
    def clauses(self) -> int:
        """How many clauses the words have."""
        return len([part for part in re.split(r"[;.!?](?:\s|$)", self.says) if part.strip()])

    @property
    def data(self) -> dict[str, Any]:
        """What is listed beside the words."""
        return {key: value for key, value in to_builtins(self.of).items() if key not in MEANS}

    @property
    def stands(self) -> int:
        """How many clauses are situations that stay on a sheet while they last, for people to play by."""
        always = [effect for change in getattr(self.of, "always", ()) for effect in change.effects]
        return sum(effect.do is EffectKind.STAND for effect in (*self.of.effects, *always))

    @property
    def digest(self) -> str:
        """Short, and another as soon as a word or a figure changes."""
        return hashlib.sha256(f"{self.says}{self.data}{self.of.whole}".encode()).hexdigest()[:8]

    def __str__(self) -> str:
        return f"{self.playset} {self.card} {self.name}"


def sentences() -> Iterator[Sentence]:
    """Every sentence of every card, in their order."""
    for where in playset_names():
        for number, offer in playset(where).cards.items():
            for kind, offered in offer.items():
                for quality in offered:
                    yield from _of(quality, where, f"S{number} {kind}")


def _of(quality: Quality, where: str, card: str) -> Iterator[Sentence]:
    if quality.mechanic is not None:
        yield Sentence(where, card, quality.name, quality.mechanic)
        if quality.mechanic.trigger is not None:
            yield Sentence(where, card, f"{quality.name}, Trigger", quality.mechanic.trigger)
    for kind, qualities in quality.sheet.items():
        for one in qualities:
            yield from _of(one, where, f"{card}'s {kind}")


@dataclass
class Read:
    """A sentence as it was read."""

    digest: str
    told: list[tuple[str, str]] = field(default_factory=list)
    """Clauses that are only told, each with the reason."""


def read() -> dict[str, Read]:
    """What was read, by sentence."""
    known: dict[str, Read] = {}
    name = ""
    for line in READ.read_text("utf-8").splitlines() if READ.exists() else ():
        if line.startswith(TOLD):
            clause, _, why = line.removeprefix(TOLD).partition(" -- ")
            known[name].told.append((clause, why))
        else:
            digest, _, name = line.partition(" ")
            known[name] = Read(digest)
    return known


def keep() -> None:
    """Keep the digests of all sentences as they are now; what is said of their clauses stays."""
    known, lines = read(), []
    for one in sentences():
        lines.append(f"{one.digest} {one}")
        lines += [f"{TOLD}{clause} -- {why}" for clause, why in known.get(str(one), Read("")).told]
    READ.write_text("\n".join(lines) + "\n", "utf-8")


def counts() -> dict[str, int]:
    """How many clauses the engine applies or asks about, how many stay on a sheet, how many are only told."""
    known, found = read(), Counter[str]()
    for one in sentences():
        told = len(known[str(one)].told) if str(one) in known else one.clauses
        stay = min(one.stands, max(0, one.clauses - told))
        found.update(told=told, stay=stay, applied=max(0, one.clauses - told - stay), sentences=1)
    return dict(found)


def beside(one: Sentence) -> str:
    """A sentence beside its data, on three lines."""
    told = "; ".join(f"told only: {clause} ({why})" for clause, why in read().get(str(one), Read("")).told)
    told = told or ("every clause is seen to" if one.of.whole else "told whole when it takes effect")
    return f"{one}\n    {one.says}\n    {one.data or 'nothing'}\n    {told}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--list", "--table", "--unread", "--read"):
        options.add_argument(name, action="store_true")
    options.add_argument("--draw", type=int, metavar="SEED")
    given = options.parse_args()
    if given.read:
        keep()
    known, every = read(), list(sentences())
    if given.table:
        print(*map(beside, every), sep="\n")
    elif given.unread:
        print(*(beside(s) for s in every if str(s) not in known or known[str(s)].digest != s.digest), sep="\n")
    elif given.draw is not None:
        cards = sorted({(s.playset, s.card, s.name.removesuffix(", Trigger")) for s in every})
        drawn = random.Random(given.draw).sample(cards, DRAWN)
        print(
            *(beside(s) for s in every if (s.playset, s.card, s.name.removesuffix(", Trigger")) in drawn), sep="\n"
        )
    else:
        found = counts()
        print(f"{sum(found.values()) - found['sentences']} clauses in {found['sentences']} sentences")
        print(f"{found['applied']} applied or asked about")
        print(f"{found['stay']} told, and kept on the sheet while they last")
        print(f"{found['told']} only told when they take effect")
        if given.list:
            print(*(f"    {s}: {c} ({why})" for s in every for c, why in known[str(s)].told), sep="\n")


if __name__ == "__main__":
    main()
