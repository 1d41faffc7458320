"""``loom calibrate``: measuring what stands between a design and the table."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands import completion
from loomtable.table.commands.command import Command
from loomtable.table.commands.options import AS_SET, PaperNamed, argument, option, output_folder
from loomtable.table.commands.output import AsJson, say, show_help, write_json

if TYPE_CHECKING:
    from loomtable.printkit.sheet.papers import Paper
    from loomtable.printkit.sheet.printer import Misregistration

app = typer.Typer(
    help="Measure a printer, so that backs match their fronts and sizes are true.", rich_markup_mode=None
)

app.callback(invoke_without_command=True)(show_help)

Offset = Annotated[float | None, typer.Option(metavar="MM", help="What the vernier on this edge shows, in mm.")]

_EXAMPLE = "loom calibrate printer inkjet --top 0.3 --left -0.2"


@app.command(
    "printer",
    cls=Command,
    epilog=f"loom calibrate printer\n{_EXAMPLE}",
)
def printer(
    name: Annotated[
        str | None,
        argument("The profile's name; without one, the sheet is printed.", "NAME", completion.printers),
    ] = None,
    paper: PaperNamed = AS_SET,
    top: Offset = None,
    bottom: Offset = None,
    left: Offset = None,
    right: Offset = None,
    width: Annotated[float, option("--width", "How long the line of 150 mm is, by a ruler.", "MM")] = 150.0,
    height: Annotated[float, option("--height", "How long the line of 200 mm is, by a ruler.", "MM")] = 200.0,
    correct: Annotated[
        str | None,
        option("--correct", "backs: move backs onto fronts; both: move both sides to their true place.", "WHAT"),
    ] = None,
    output: Annotated[Path, output_folder("The folder for the sheet.")] = Path("output"),
    as_json: AsJson = False,
) -> None:
    """Print the calibration sheet; or make a profile from what two of its scales show, or all four."""
    from loomtable.printkit.sheet.papers import chosen, paper_named
    from loomtable.printkit.sheet.printer import CorrectionScope, Printer, save_printer

    size = paper_named(paper)
    across = [value for value in (top, bottom) if value is not None]
    up = [value for value in (left, right) if value is not None]
    if name is None:
        if across or up:
            raise LoomtableError(f"name the printer first, as in: {_EXAMPLE}")
        _print_sheet(size, output, as_json)
        return
    if not (across and up):
        why = f"give what two scales show, --top or --bottom and --left or --right, as in: {_EXAMPLE}"
        raise LoomtableError(why)
    wanted = chosen(correct, {c.value: c for c in CorrectionScope}, "correction") if correct else None
    # Where one edge of two was read, the other is taken to show the same: nothing is turned.
    front_side, back_side = _measured(size, [across[0], across[-1], up[0], up[-1]], width, height)
    usual = CorrectionScope.BOTH if (width, height) != (150.0, 200.0) else CorrectionScope.BACKS
    profile = Printer(name, front_side, back_side, wanted or usual)
    path = save_printer(profile)
    if as_json:
        write_json({"file": str(path), "profile": profile})
        return
    say(f"front: {_told(front_side)}", f"back: {_told(back_side)}", f"Kept in {path}.")
    what = "both sides are" if profile.corrected is CorrectionScope.BOTH else "backs are"
    say(f"With loom print --printer {name!r} {what} corrected.")


def _print_sheet(paper: Paper, output: Path, as_json: bool) -> None:
    from loomtable.printkit.files import write_whole
    from loomtable.printkit.sheet.calibration_page import calibration_pdf

    path = output / f"printer-calibration-{paper.name.lower()}.pdf"
    write_whole(path, calibration_pdf(paper))
    if as_json:
        write_json({"file": str(path)})
        return
    say(
        f"{path}: one sheet, both sides",
        "Print it at 100 %, turned over the long edge; the sheet says how to go on.",
    )


def _measured(
    paper: Paper, offsets: list[float], width: float, height: float
) -> tuple[Misregistration, Misregistration]:
    """Both sides from the verniers (mm, as seen from the front: right and up) and the two ruled lines.

    The shift is the mean of two edges, the turn what their differences agree on best.
    """
    from loomtable.printkit.sheet.calibration_page import RULED_HEIGHT, RULED_WIDTH, scale_places
    from loomtable.printkit.sheet.printer import Misregistration

    top, bottom, left, right = offsets
    places = scale_places(paper)
    tall = places["top"][1] - places["bottom"][1]
    wide = places["right"][0] - places["left"][0]
    turn = ((bottom - top) * tall + (right - left) * wide) / (tall**2 + wide**2)
    middle = (places["top"][1] + places["bottom"][1] - paper.height) / 2
    dx = (top + bottom) / 2 + turn * middle
    scales = (width / RULED_WIDTH, height / RULED_HEIGHT)
    back = Misregistration(
        round(-dx, 3),
        round((left + right) / 2, 3),
        round(-math.degrees(turn), 4),
        round(scales[0], 5),
        round(scales[1], 5),
    )
    return Misregistration(scale_x=round(scales[0], 5), scale_y=round(scales[1], 5)), back


def _told(side: Misregistration) -> str:
    return (
        f"{side.dx:+.2f} mm to the right, {side.dy:+.2f} mm up, turned by {side.angle:+.2f} degrees, "
        f"{side.scale_x:.2%} wide, {side.scale_y:.2%} high"
    )
