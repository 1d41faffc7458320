"""``loom read``: the dice in pictures, videos, folders of pictures, or before a camera; or playing cards."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from loomtable.engine.kernel.errors import BadInput
from loomtable.printkit.import_sum import ImportSum
from loomtable.table.commands.options import AsLines, CameraAt, Draw, Images, camera_or_set, option
from loomtable.table.commands.output import UNOPENED, each_look, say, write_line
from loomtable.vision.verdict import Verdict, how_sure

if TYPE_CHECKING:
    from loomtable.vision.dice import TrayReading
    from loomtable.vision.poker import PokerReading

NOT_SURE, UNREADABLE = 1, 2
_DICE, _CARD = ("die", "dice"), ("card", "cards")
_CARDS = re.compile(r"(\d{1,2})?\s*cards?")


class Told(msgspec.Struct, frozen=True):
    """One die as programs are told it: ``value`` is what is printed on the face, nothing where it was not read."""

    kind: str
    value: int | str | None
    confidence: float
    box: tuple[float, ...]
    doubt: str
    """Why it is not sure, as the end of a sentence; empty where it is."""


class Line(msgspec.Struct, frozen=True):
    """One line of ``--json``: a picture, or a roll of a video or camera."""

    image: str
    status: str
    reason: str
    dice: tuple[Told, ...]
    ms: float


def read(
    images: Images = None,
    camera: CameraAt = None,
    expect: Annotated[
        str | None,
        option("--expect", "What was asked for: 3d10, 1d20+2d6, d100, or cards; others are questioned.", "DICE"),
    ] = None,
    draw: Draw = None,
    explain: Annotated[bool, option("--explain", "Draw each die large, with each face as it was read.")] = False,
    as_json: AsLines = False,
) -> int:
    """Read dice (or ordinary playing cards): what each shows, how surely, and a verdict on the whole picture."""
    from loomtable.table.reading.looking import dice_in
    from loomtable.table.reading.pictures import draw_dice
    from loomtable.vision.dice import parse_dice
    from loomtable.vision.dice.enrolment.rolls import own_dice

    files = images or []
    camera = camera_or_set(files, camera)
    if cards := _CARDS.fullmatch((expect or "").strip().lower()):
        if explain:
            raise BadInput("only dice are explained, and you expect cards; leave out --explain")
        return _read_cards(files, camera, int(cards[1] or 0) or None, draw, as_json)
    pool = parse_dice(expect) if expect else None
    code, told = 0, ImportSum("", begun="Read", left="not read")

    def unread(name: str, why: str) -> Line:
        return Line(name, Verdict.REJECTED, why, (), 0.0)

    looks = dice_in(files, camera, pool, own_dice())
    for look, seen in each_look(looks, told, _DICE, _sure, unread if as_json else None):
        in_file = seen.placed(look.scale)
        if as_json:
            write_line(_line(look.name, in_file, look.milliseconds))
        else:
            _tell(look.name, in_file)
        if seen.verdict is not Verdict.ACCEPTED:
            code = NOT_SURE
        why = "in rolls that were refused" if seen.verdict is Verdict.REJECTED else "in doubt"
        told.lose(len(seen.dice) - _sure(seen), *_DICE, why)
        told.lose(not seen.dice, "file", "files", "without dice")
        if (draw is not None or explain) and look.picture is not None:
            draw_dice(look.picture, seen, draw or Path("output"), look.title, explain=explain)
    return UNREADABLE if told.losses[UNOPENED] else code


def _sure(tray: TrayReading) -> int:
    return 0 if tray.verdict is Verdict.REJECTED else sum(not die.doubt for die in tray.dice)


def _line(name: str, tray: TrayReading, milliseconds: float) -> Line:
    dice = tuple(
        Told(die.name, die.value, round(die.confidence, 3), tuple(round(side, 1) for side in die.box), die.doubt)
        for die in tray.dice
    )
    return Line(name, tray.verdict, tray.reason, dice, round(milliseconds, 1))


def _tell(name: str, tray: TrayReading) -> None:
    say(f"{name}: {tray.verdict}{f' - {tray.reason}' if tray.reason else ''}")
    values = ["?" if die.value is None else str(die.value) for die in tray.dice]
    named, valued = max([4, *(len(die.name) for die in tray.dice)]), max([2, *map(len, values)])
    for die, value in zip(tray.dice, values, strict=True):
        x, y = (round(place) for place in die.centre)
        what = f"{die.name:<{named}} {value:>{valued}}"
        # A rule may doubt what is read with confidence: a figure beside the question would contradict it.
        sure = "not sure" if die.doubt else f"{how_sure(die.confidence)} sure"
        say(f"  {what}  {sure:>13}  at {x:>4}, {y:>4}")


def _read_cards(files: list[Path], camera: str | None, count: int | None, draw: Path | None, as_json: bool) -> int:
    """Read the cards in pictures or before a camera; 1 where a person has to look."""
    from loomtable.table.reading.looking import seen_in
    from loomtable.table.reading.pictures import draw_poker
    from loomtable.vision.poker import PokerReading, read_poker

    code, told = 0, ImportSum("", begun="Read", left="not read")

    def unread(name: str, why: str) -> dict[str, object]:
        return _plain_cards(name, PokerReading(Verdict.REJECTED, why, ()))

    looks = seen_in(files, camera, partial(read_poker, expected=count))
    for look, reading in each_look(looks, told, _CARD, lambda read: len(read.sure), unread if as_json else None):
        if reading.verdict is not Verdict.ACCEPTED:
            code = NOT_SURE
        if as_json:
            write_line(_plain_cards(look.name, reading))
        else:
            _tell_cards(look.name, reading)
        told.lose(len(reading.cards) - len(reading.sure), *_CARD, "in doubt")
        told.lose(not reading.cards, "file", "files", "without cards")
        if draw is not None and look.picture is not None:
            draw_poker(look.picture, reading, draw, look.name)
    return UNREADABLE if told.losses[UNOPENED] else code


def _plain_cards(name: str, reading: PokerReading) -> dict[str, object]:
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


def _tell_cards(name: str, reading: PokerReading) -> None:
    say(f"{name}: {reading.verdict}{f' - {reading.reason}' if reading.reason else ''}")
    for detection in reading.cards:
        x, y = (round(sum(side) / 4) for side in zip(*detection.quad, strict=True))
        called = detection.card.name if detection.card else "?"
        doubt = f"  {detection.doubt}" if detection.doubt else ""
        say(f"  {called:<18} {how_sure(detection.confidence):>8} sure  at {x:>4}, {y:>4}{doubt}")
