"""``loom calibrate``: measuring what stands between a design and the table."""

from __future__ import annotations

import math
from collections.abc import Callable
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


@app.command(
    "printer",
    cls=Command,
    epilog="loom calibrate printer\nloom calibrate printer inkjet --front front.jpg --back back.jpg",
)
def printer(
    name: Annotated[
        str | None,
        argument("The profile's name; without one, the sheet is printed.", "NAME", completion.printers),
    ] = None,
    paper: PaperNamed = AS_SET,
    front: Annotated[Path | None, option("--front", "A photograph of the sheet's front.", "IMAGE")] = None,
    back: Annotated[Path | None, option("--back", "A photograph of its back.", "IMAGE")] = None,
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
    """Print the calibration sheet; or make a profile from photographs of it, or from its scales."""
    from loomtable.printkit.sheet.papers import chosen, paper_named
    from loomtable.printkit.sheet.printer import CorrectionScope, Misregistration, Printer, save_printer

    size = paper_named(paper)
    offsets = {"top": top, "bottom": bottom, "left": left, "right": right}
    by_eye = any(value is not None for value in offsets.values())
    if name is None:
        if front or back or by_eye:
            raise LoomtableError("name the printer first, as in: loom calibrate printer inkjet --front front.jpg")
        _print_sheet(size, output, as_json)
        return
    if bool(front or back) == by_eye:
        raise LoomtableError(
            "give photographs (--front and --back), or what the scales show (--top, --bottom, --left and --right)"
        )
    wanted = chosen(correct, {c.value: c for c in CorrectionScope}, "correction") if correct else None
    if by_eye:
        given = [value for value in offsets.values() if value is not None]
        if len(given) < len(offsets) or not all(math.isfinite(value) for value in given):
            raise LoomtableError("all four scales are needed: --top, --bottom, --left and --right")
        front_side, back_side = _by_eye(size, given, width, height)
        usual = CorrectionScope.BOTH if (width, height) != (150.0, 200.0) else CorrectionScope.BACKS
    else:
        tell = (lambda line: None) if as_json else say
        front_side = _by_camera(front, size, tell, is_back=False) if front else Misregistration()
        back_side = _by_camera(back, size, tell, is_back=True) if back else Misregistration()
        usual = CorrectionScope.BOTH
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


def _by_camera(photograph: Path, paper: Paper, tell: Callable[[str], None], *, is_back: bool) -> Misregistration:
    from loomtable.printkit.sheet.printer import Misregistration
    from loomtable.vision.pictures import read_picture
    from loomtable.vision.print_calibration import SheetUnread, read_printed_side

    try:
        found = read_printed_side(read_picture(photograph), (paper.width, paper.height), is_back)
    except SheetUnread as error:
        raise SheetUnread(f"{photograph}: {error}") from None
    tell(f"{photograph}: {found.tags} of 8 tags, which miss their places by {found.residual:.2f} mm")
    return Misregistration(
        round(found.dx, 3),
        round(found.dy, 3),
        round(found.angle, 4),
        round(found.scale_x, 5),
        round(found.scale_y, 5),
    )


def _by_eye(
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
