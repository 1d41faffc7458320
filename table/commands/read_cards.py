"""``loom read --expect cards``: rank and suit of ordinary playing cards that lie face up."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from loomtable.table.commands.output import each, say, write_line
from loomtable.vision.verdict import how_sure

if TYPE_CHECKING:
    from loomtable.vision.pictures import BgrImage
    from loomtable.vision.poker import PokerReading

NOT_SURE = 1
_ASKED = re.compile(r"(\d{1,2})?\s*cards?")


def asks_for_cards(expect: str | None) -> bool:
    """Whether ``--expect`` says cards (``cards``, ``3 cards``) and not dice."""
    return expect is not None and _ASKED.fullmatch(expect.strip().lower()) is not None


def read_cards(images: list[Path], camera: str | None, expect: str, draw: Path | None, *, as_json: bool) -> int:
    """Read the cards in pictures or before a camera; 1 where a person has to look."""
    from loomtable.table.reading.pictures import pictures_from
    from loomtable.vision.pictures import write_picture
    from loomtable.vision.poker import read_poker
    from loomtable.vision.verdict import Verdict

    wanted = _ASKED.fullmatch(expect.strip().lower())
    count = int(wanted[1]) if wanted and wanted[1] else None
    code = 0
    for name, picture in each("Reading", pictures_from(images, camera)):
        reading = read_poker(picture, count)
        if reading.verdict is not Verdict.ACCEPTED:
            code = NOT_SURE
        if as_json:
            write_line(_plain(name, reading))
        else:
            _tell(name, reading)
        if draw is not None:
            write_picture(draw / f"{Path(name).stem.replace(' ', '-')}-seen.png", drawn_poker(picture, reading))
    return code


def _plain(name: str, reading: PokerReading) -> dict[str, object]:
    cards = [
        {"card": None if one.card is None else one.card.short, "confidence": round(one.confidence, 3),
         "doubt": one.doubt, "quad": one.quad}
        for one in reading.cards
    ]  # fmt: skip
    return {"image": name, "status": str(reading.verdict), "reason": reading.reason, "cards": cards}


def _tell(name: str, reading: PokerReading) -> None:
    say(f"{name}: {reading.verdict}{f' - {reading.reason}' if reading.reason else ''}")
    for one in reading.cards:
        x, y = (round(sum(side) / 4) for side in zip(*one.quad, strict=True))
        called, doubt = "?" if one.card is None else one.card.name, f"  {one.doubt}" if one.doubt else ""
        say(f"  {called:<18} {how_sure(one.confidence):>8} sure  at {x:>4}, {y:>4}{doubt}")


def drawn_poker(picture: BgrImage, reading: PokerReading) -> BgrImage:
    """The picture with every card outlined and named."""
    from loomtable.vision.overlay import Mark, draw_caption, draw_marks
    from loomtable.vision.verdict import Verdict

    marks = [
        Mark(one.quad, one.card.short if one.card else "?", Verdict.ASK if one.doubt else Verdict.ACCEPTED)
        for one in reading.cards
    ]
    return draw_caption(draw_marks(picture, marks), reading.reason or str(reading.verdict), reading.verdict)
