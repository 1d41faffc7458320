"""``loom read``: the dice in pictures, videos, folders of pictures, or before a camera."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from loomtable.engine.kernel.errors import BadInput, LoomtableError
from loomtable.table.commands.options import AsLines, CameraAt, Draw, Images, camera_or_set, option
from loomtable.table.commands.output import each, say, warn, write_line
from loomtable.vision.verdict import how_sure

if TYPE_CHECKING:
    from loomtable.vision.dice import TrayReading

NOT_SURE = 1
UNREADABLE = 2


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
    from loomtable.table.commands.read_cards import asks_for_cards, read_cards

    files = images or []
    camera = camera_or_set(files, camera)
    if expect is not None and asks_for_cards(expect):
        if explain:
            raise BadInput("only dice are explained, and you expect cards; leave out --explain")
        return read_cards(files, camera, expect, draw, as_json=as_json)
    from loomtable.table.reading.looking import dice_in
    from loomtable.table.reading.pictures import draw_dice
    from loomtable.vision.dice import Verdict, parse_dice
    from loomtable.vision.dice.enrolment.rolls import own_dice

    pool = parse_dice(expect) if expect else None
    own = own_dice()
    code = 0
    for look in each("Reading", dice_in(files, camera, pool, own)):
        if isinstance(look.seen, LoomtableError):
            warn(str(look.seen))
            code = UNREADABLE
            if as_json:
                write_line(Line(look.name, Verdict.REJECTED, str(look.seen), (), 0.0))
            continue
        in_file = look.seen.placed(look.scale)
        if as_json:
            write_line(_line(look.name, in_file, look.milliseconds))
        else:
            _tell(look.name, in_file)
        if look.seen.verdict is not Verdict.ACCEPTED:
            code = max(code, NOT_SURE)
        if (draw is not None or explain) and look.picture is not None:
            draw_dice(look.picture, look.seen, draw or Path("output"), look.title, explain=explain)
    return code


def _line(name: str, tray: TrayReading, milliseconds: float) -> Line:
    dice = tuple(
        Told(die.name, die.value, round(die.confidence, 3), tuple(round(side, 1) for side in die.box), die.doubt)
        for die in tray.dice
    )
    return Line(name, tray.verdict, tray.reason, dice, round(milliseconds, 1))


def _tell(name: str, tray: TrayReading) -> None:
    reason = f" - {tray.reason}" if tray.reason else ""
    say(f"{name}: {tray.verdict}{reason}")
    values = ["?" if die.value is None else str(die.value) for die in tray.dice]
    named, valued = max([4, *(len(die.name) for die in tray.dice)]), max([2, *map(len, values)])
    for die, value in zip(tray.dice, values, strict=True):
        x, y = (round(place) for place in die.centre)
        what = f"{die.name:<{named}} {value:>{valued}}"
        # A rule may doubt what is read with confidence: a figure beside the question would contradict it.
        sure = "not sure" if die.doubt else f"{how_sure(die.confidence)} sure"
        say(f"  {what}  {sure:>13}  at {x:>4}, {y:>4}")
