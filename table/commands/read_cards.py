"""``loom read --expect cards``: rank and suit of ordinary playing cards that lie face up."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from loomtable.table.commands.output import each, say, write_line
from loomtable.vision.verdict import how_sure

if TYPE_CHECKING:
    from loomtable.vision.poker import PokerReading

NOT_SURE = 1
_ASKED = re.compile(r"(\d{1,2})?\s*cards?")


def asks_for_cards(expect: str | None) -> bool:
    """Whether ``--expect`` says cards (``cards``, ``3 cards``) and not dice."""
    return expect is not None and _ASKED.fullmatch(expect.strip().lower()) is not None


def read_cards(images: list[Path], camera: str | None, expect: str, draw: Path | None, *, as_json: bool) -> int:
    """Read the cards in pictures or before a camera; 1 where a person has to look."""
    from loomtable.table.reading.looking import pictures_from
    from loomtable.table.reading.pictures import draw_poker
    from loomtable.vision.poker import read_poker
    from loomtable.vision.verdict import Verdict

    count = int("".join(filter(str.isdigit, expect)) or 0) or None
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
            draw_poker(picture, reading, draw, name)
    return code


def _plain(name: str, reading: PokerReading) -> dict[str, object]:
    cards = [
        {
            "card": detection.card.short if detection.card else None,
            "confidence": round(detection.confidence, 3),
            "doubt": detection.doubt,
            "quad": detection.quad,
        }
        for detection in reading.cards
    ]
    return {"image": name, "status": str(reading.verdict), "reason": reading.reason, "cards": cards}


def _tell(name: str, reading: PokerReading) -> None:
    say(f"{name}: {reading.verdict}{f' - {reading.reason}' if reading.reason else ''}")
    for detection in reading.cards:
        x, y = (round(sum(side) / 4) for side in zip(*detection.quad, strict=True))
        called = detection.card.name if detection.card else "?"
        doubt = f"  {detection.doubt}" if detection.doubt else ""
        say(f"  {called:<18} {how_sure(detection.confidence):>8} sure  at {x:>4}, {y:>4}{doubt}")
