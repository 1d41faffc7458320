"""What is read in pictures of the table, and the pictures with that drawn on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.systems import card_name
from loomtable.table.reading.card_edges import TAGGED_ONLY, on_edges
from loomtable.table.reading.card_geometry import MIDDLE, TAGGED, card_outline
from loomtable.vision.card_outlines import blurred_cards
from loomtable.vision.card_tags import with_tags
from loomtable.vision.cards import CardScan, RefusalKind, SeenCard, scan_cards
from loomtable.vision.dice import SeenDie, TrayReading
from loomtable.vision.overlay import Mark, draw_caption, draw_close_ups, draw_marks
from loomtable.vision.pictures import BgrImage, write_picture
from loomtable.vision.poker import PokerReading
from loomtable.vision.quads import Point, corners
from loomtable.vision.tags import find_tags
from loomtable.vision.verdict import Verdict


def cards_in(picture: BgrImage, *, tags: bool = False) -> CardScan:
    """Every card of ours in a picture, in the order in which the whole cards lie, and how many are blurred.

    With ``tags`` also those that carry tags in place of codes, which takes longer.
    """
    scan = scan_cards(picture, middle=MIDDLE)
    if tags:
        scan = with_tags(scan, find_tags(picture), TAGGED)
    return msgspec.structs.replace(scan, blurred=max(blurred_cards(picture) - len(scan.cards), 0))


def card_marks(
    scan: CardScan, picture: BgrImage | None = None, whose: Mapping[ComponentId, str] | None = None
) -> list[Mark]:
    """Every code in a picture as a mark: the card's name or ``whose`` it is, or why it was refused.

    With the picture, outlines are laid on the edges of the cards that are seen in it.
    """
    names = {c.card: (whose or {}).get(c.card) or card_name(c.card) for c in scan.cards}
    marks = [
        Mark(_outline(c, picture), c.doubt or f"{c.card.short} {names[c.card]}", c.verdict) for c in scan.cards
    ]
    words = {
        RefusalKind.FOREIGN: "not one of ours",
        RefusalKind.OTHER_VERSION: "another version",
        RefusalKind.DAMAGED: "damaged",
    }
    marks += [Mark(r.quad, words[r.kind], Verdict.REJECTED) for r in scan.refused]
    return marks


def _outline(seen: SeenCard, picture: BgrImage | None) -> tuple[Point, ...]:
    """The whole card where its code tells where it lies; of a card with tags the tag."""
    if seen.card.kind in TAGGED_ONLY:
        return seen.quad
    return card_outline(seen) if picture is None else on_edges(picture, seen)


def dice_marks(tray: TrayReading, faces: Sequence[str] = ()) -> list[Mark]:
    """Every die of a tray as a mark: its face (or the word in ``faces``), dashed where it is doubtful."""
    unasked = [tray.expected is not None and not tray.expected.count(die.die) for die in tray.dice]
    # Where it is one die that does not belong, the others are not to blame.
    all_wrong = tray.verdict is Verdict.REJECTED and not any(unasked)
    several = len({die.die for die in tray.dice}) > 1
    marks: list[Mark] = []
    for place, die in enumerate(tray.dice):
        label = faces[place] if place < len(faces) else _face_label(die, several)
        rejected = all_wrong or unasked[place]
        mood = Verdict.REJECTED if rejected else Verdict.ASK if die.doubt else Verdict.ACCEPTED
        marks.append(Mark(die.polygon or corners(die.box), label, mood, die.sides))
    return marks


def _face_label(die: SeenDie, several: bool) -> str:
    """``"4"``; ``"d10: 4"`` where several kinds lie there; ``"0 = 10"`` for a d10's last face; ``"00"``."""
    value = "?" if die.value is None else str(die.value)
    if die.value == 0:
        value = "00" if die.die is Die.D100 else f"0 = {die.face}"
    return f"{die.die.value}: {value}" if several else value


def poker_marks(reading: PokerReading) -> list[Mark]:
    """Every card of an ordinary deck as a mark: its short name, dashed where it is doubtful."""
    return [
        Mark(seen.quad, seen.card.short if seen.card else "?", Verdict.ASK if seen.doubt else Verdict.ACCEPTED)
        for seen in reading.cards
    ]


def draw_cards(picture: BgrImage, scan: CardScan, folder: Path, name: str) -> Path:
    """Write the picture with its cards marked into ``folder``; returns where it lies."""
    return _drawn(draw_marks(picture, card_marks(scan, picture)), folder, name)


def draw_dice(picture: BgrImage, tray: TrayReading, folder: Path, name: str, *, explain: bool) -> Path:
    """Write the picture with its dice marked, or close-ups of them, into ``folder``; returns where it lies."""
    caption = f"{tray.verdict}: {tray.reason}" if tray.reason else str(tray.verdict)
    marks = dice_marks(tray)
    close = [(die.box, die.read or (mark,)) for die, mark in zip(tray.dice, marks, strict=True)]
    drawn = draw_close_ups(picture, close) if explain else draw_marks(picture, marks)
    return _drawn(draw_caption(drawn, caption, tray.verdict), folder, name)


def draw_poker(picture: BgrImage, reading: PokerReading, folder: Path, name: str) -> Path:
    """Write the picture with its playing cards marked into ``folder``; returns where it lies."""
    marked = draw_marks(picture, poker_marks(reading))
    return _drawn(draw_caption(marked, reading.reason or str(reading.verdict), reading.verdict), folder, name)


def _drawn(picture: BgrImage, folder: Path, name: str) -> Path:
    path = folder / f"{Path(name).stem.replace(' ', '-')}-seen.png"
    write_picture(path, picture)
    return path
