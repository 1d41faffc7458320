"""``loom read``: the dice in pictures or before a camera."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.kernel.dice import parse_pool
from table.commands.output import AsJson, say, write_json

if TYPE_CHECKING:
    from vision.dice import TrayReading

NOT_SURE = 1


def read(
    images: Annotated[list[Path] | None, typer.Argument(help="Pictures of dice.", show_default=False)] = None,
    camera: Annotated[str | None, typer.Option("--camera", help="Use this camera instead.")] = None,
    expect: Annotated[
        str | None, typer.Option("--expect", help="What was asked for, e.g. 2d6; anything else is then doubted.")
    ] = None,
    draw: Annotated[Path | None, typer.Option("--draw", help="Write pictures with what was seen here.")] = None,
    as_json: AsJson = False,
) -> int:
    """Read dice: each value with how sure it is, and whether the whole is accepted, asked about or rejected."""
    from table.seeing import draw_dice, pictures_from
    from vision.dice import Verdict, read_dice

    pool = parse_pool(expect) if expect else None
    results: list[dict[str, Any]] = []
    code = 0
    for name, picture in pictures_from(images or [], camera):
        tray = read_dice(picture, pool)
        results.append(_result(name, tray))
        if not as_json:
            _tell(name, tray)
        if tray.verdict is not Verdict.ACCEPTED:
            code = NOT_SURE
        if draw is not None:
            draw_dice(picture, tray, draw, name)
    if as_json:
        write_json(results)
    return code


def _result(name: str, tray: TrayReading) -> dict[str, Any]:
    return {
        "picture": name,
        "verdict": tray.verdict,
        "reason": tray.reason,
        "dice": [
            {"die": d.die, "face": d.face, "confidence": round(d.confidence, 3), "box": d.box} for d in tray.dice
        ],
    }


def _tell(name: str, tray: TrayReading) -> None:
    reason = f" - {tray.reason}" if tray.reason else ""
    say(f"{name}: {tray.verdict}{reason}")
    for die in tray.dice:
        x, y = round((die.box[0] + die.box[2]) / 2), round((die.box[1] + die.box[3]) / 2)
        say(f"  {die.die} {die.face}  {die.confidence:>4.0%} sure  at {x:>4}, {y:>4}")
