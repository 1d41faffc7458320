"""How surely ordinary playing cards are read: ``python -m benchmarks.poker_photographs FOLDER``.

The folder holds photographs and ``playing-cards.jsonl`` with the rank and box of every card. The reader was taught
on drawn corners only. Its limits were set on the photographs with even numbers; the others are the measure. Suits
have no labels: ``--sheet`` writes every card that is believed with what was read, for people to look at.

Last: in ``models/poker_corners.md``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from loomtable.vision.pictures import BgrImage, read_picture, write_picture
from loomtable.vision.poker import PokerReading, SeenPokerCard, read_poker
from loomtable.vision.verdict import Verdict

_SLACK = 12.0
"""How far outside its box the corner of a card may be taken to be, px."""


@dataclass(frozen=True)
class Photograph:
    """One photograph, and what was read in it."""

    number: int
    picture: BgrImage
    labels: tuple[tuple[str, tuple[float, float, float, float]], ...]
    """Rank and box of each card."""
    reading: PokerReading

    def label_of(self, card: SeenPokerCard) -> str | None:
        """The rank of the labelled card on which this one was read: the one with a corner nearest to its index, as
        cards lie over one another and their boxes do too."""
        x, y = card.quad[0]
        near = [
            (min(abs(x - a) + abs(y - b) for a in (left, right) for b in (top, foot)), rank)
            for rank, (left, top, right, foot) in self.labels
            if left - _SLACK < x < right + _SLACK and top - _SLACK < y < foot + _SLACK
        ]
        if card.indices == 2:
            x, y = np.mean(card.quad, axis=0)
            near = [
                (abs(x - (left + right) / 2) + abs(y - (top + foot) / 2), rank)
                for rank, (left, top, right, foot) in self.labels
                if left < x < right and top < y < foot
            ]
        return min(near)[1] if near else None


def photographs(folder: Path) -> Iterator[Photograph]:
    """Every labelled photograph, read."""
    for number, line in enumerate((folder / "playing-cards.jsonl").read_text().splitlines()):
        one = json.loads(line)
        picture = read_picture(folder / one["image"])
        labels = tuple((card["rank"], tuple(card["box"])) for card in one["cards"])
        yield Photograph(number, picture, labels, read_poker(picture))


def row(name: str, some: Iterable[Photograph]) -> str:
    """The figures of some photographs as a line of a table."""
    every = list(some)
    counts: Counter[str] = Counter()
    for one in every:
        counts["cards"] += len(one.labels)
        for card in one.reading.cards:
            label = one.label_of(card)
            if card.card is None:
                continue
            right = card.card.rank == label
            counts["sure right" if right else "sure wrong"] += not card.doubt
            counts["asked"] += bool(card.doubt)
        counts["accepted"] += one.reading.verdict is Verdict.ACCEPTED
    shares = [f"{100 * counts[what] / max(counts['cards'], 1):.1f} %" for what in ("sure right", "asked")]
    cells = [
        name,
        str(len(every)),
        str(counts["cards"]),
        *shares,
        str(counts["sure wrong"]),
        str(counts["accepted"]),
    ]
    return f"| {' | '.join(cells)} |"


def sheet(some: Iterable[Photograph]) -> BgrImage:
    """Every card that is believed, straightened, with what was read above it."""
    tiles = []
    for one in some:
        for card in (card for card in one.reading.cards if card.card is not None and not card.doubt):
            there = np.array([[0, 0], [126, 0], [126, 176], [0, 176]], np.float32) + np.array([2, 22], np.float32)
            warp = cv2.getPerspectiveTransform(np.array(card.quad, np.float32), there)
            tile = cv2.warpPerspective(one.picture, warp, (130, 202), borderMode=cv2.BORDER_REPLICATE)
            tile[:20] = 0
            said = card.card.short if card.card else "?"
            cv2.putText(tile, f"{said} {one.number}", (4, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1)
            tiles.append(tile)
    across = 12
    tiles += [np.zeros((202, 130, 3), np.uint8)] * (-len(tiles) % across)
    rows = [np.hstack(tiles[at : at + across]) for at in range(0, len(tiles), across)]
    return np.asarray(np.vstack(rows) if rows else np.zeros((4, 4, 3)), np.uint8)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sheet", type=Path, help="write the cards that are believed here, as a PNG")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    every = list(photographs(given.folder))
    print("| | photographs | cards | believed and right | asked about | believed and wrong | accepted whole |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    print(row("even numbers, on which limits were set", [one for one in every if one.number % 2 == 0]))
    print(row("odd numbers", [one for one in every if one.number % 2]))
    alone = [one for one in every if one.number % 2 and len(one.labels) == 1]
    print(row("odd numbers, one card alone", alone))
    if given.sheet is not None:
        write_picture(given.sheet, sheet(every))


if __name__ == "__main__":
    main()
