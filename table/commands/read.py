"""``loom read``: the dice in pictures, videos, folders of pictures, or before a camera."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands.output import say, warn
from loomtable.vision.verdict import how_sure

if TYPE_CHECKING:
    from loomtable.vision.dice import SeenDie, TrayReading, UnexpectedDie

NOT_SURE = 1
UNREADABLE = 2

AsLines = Annotated[bool, typer.Option("--json", help="Write one line of JSON for each picture or roll.")]


class Told(msgspec.Struct, frozen=True):
    """One die as programs are told it: ``value`` is what is printed on the face, nothing where it was not read."""

    kind: str
    value: int | str | None
    confidence: float
    box: tuple[float, float, float, float]
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
    images: Annotated[
        list[Path] | None, typer.Argument(help="Pictures, videos or folders of pictures.", show_default=False)
    ] = None,
    camera: Annotated[str | None, typer.Option("--camera", help="Use this camera instead.")] = None,
    expect: Annotated[
        str | None,
        typer.Option(
            "--expect", help="What was asked for: 3d10, 5d6+3d10, or cards; anything else is then doubted."
        ),
    ] = None,
    draw: Annotated[Path | None, typer.Option("--draw", help="Write pictures with what was seen here.")] = None,
    as_json: AsLines = False,
) -> int:
    """Read dice (or ordinary playing cards): each with how sure it is, and a verdict on the whole."""
    from loomtable.table.commands.read_cards import asks_for_cards, read_cards

    if expect is not None and asks_for_cards(expect):
        return read_cards(images or [], camera, expect, draw, as_json=as_json)
    from loomtable.table.reading.pictures import draw_dice, looks_at
    from loomtable.vision.dice import Verdict, parse_dice
    from loomtable.vision.dice.enrolment.dice import own_dice

    pool = parse_dice(expect) if expect else None
    own = own_dice()
    code = 0
    for look in looks_at(images or [], camera, pool, own):
        if isinstance(look.tray, LoomtableError):
            warn(str(look.tray))
            code = UNREADABLE
            if as_json:
                _write(Line(look.name, Verdict.REJECTED, str(look.tray), (), 0.0))
            continue
        in_file = look.tray.scaled(look.scale)
        if as_json:
            _write(_line(look.name, in_file, look.milliseconds))
        else:
            _tell(look.name, in_file)
        if look.tray.verdict is not Verdict.ACCEPTED:
            code = max(code, NOT_SURE)
        if draw is not None and look.picture is not None:
            draw_dice(look.picture, look.tray, draw, look.title)
    return code


def _line(name: str, tray: TrayReading, milliseconds: float) -> Line:
    dice = tuple(_told(one) for one in tray.everything)
    return Line(name, tray.verdict, tray.reason, dice, round(milliseconds, 1))


def _told(one: SeenDie | UnexpectedDie) -> Told:
    x0, y0, x1, y1 = (round(side, 1) for side in one.box)
    from loomtable.vision.dice import SeenDie

    doubt = one.doubt if isinstance(one, SeenDie) else ""
    return Told(one.name, one.value, round(one.confidence, 3), (x0, y0, x1, y1), doubt)


def _write(line: Line) -> None:
    sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
    # Whoever reads along a camera wants each roll when it is known.
    sys.stdout.flush()


def _tell(name: str, tray: TrayReading) -> None:
    reason = f" - {tray.reason}" if tray.reason else ""
    say(f"{name}: {tray.verdict}{reason}")
    for die in tray.everything:
        x, y = (round(place) for place in die.centre)
        value = "?" if die.value is None else die.value
        learned = f"  known as {die.learned}" if die.learned else ""
        say(f"  {die.name:<4} {value!s:>2}  {how_sure(die.confidence):>8} sure  at {x:>4}, {y:>4}{learned}")
