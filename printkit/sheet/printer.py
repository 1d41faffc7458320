"""Printer profiles: how one printer and tray misprints, and the matrix that makes it come out right.

A profile is a small file of its own in the folder that the operating system keeps for each person's settings. All
positions are on upright paper, in mm from its lower left corner; the back is seen from behind, turned over its
long edge.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import msgspec
import platformdirs

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.package_data import read_text
from loomtable.engine.kernel.serialization import from_json
from loomtable.engine.kernel.wording import listed
from loomtable.printkit.errors import PrinterProfileInvalid, UnknownPrintName
from loomtable.printkit.files import write_whole
from loomtable.printkit.sheet.grid import DuplexMode

Affine = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f as PDF has it: x' = a x + c y + e, y' = b x + d y + f."""

IDENTITY: Affine = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
MOST_SHIFT, MOST_ANGLE, MOST_STRETCH = 20.0, 5.0, 0.05
"""Beyond these (mm, degrees, share) it is no misprint but a mistake in measuring."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")


class CorrectionScope(StrEnum):
    """What a profile moves: backs only, so that they meet their fronts, or both sides to where they belong."""

    BACKS = "backs"
    BOTH = "both"


@dataclass(frozen=True)
class Misregistration:
    """Where a printer puts one side: about the paper's middle stretched, then turned, then shifted.

    ``dx`` (to the right) and ``dy`` (upwards) in mm, ``angle`` in degrees anticlockwise, scales as shares of 1.
    """

    dx: float = 0.0
    dy: float = 0.0
    angle: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def matrix(self, width: float, height: float) -> Affine:
        """What it does to a point of an upright paper of this size."""
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        a, b, c, d = cos * self.scale_x, sin * self.scale_x, -sin * self.scale_y, cos * self.scale_y
        x, y = width / 2, height / 2
        return a, b, c, d, x + self.dx - a * x - c * y, y + self.dy - b * x - d * y

    def turned(self) -> Misregistration:
        """The same misprint as it looks with the paper turned half round."""
        return Misregistration(-self.dx, -self.dy, self.angle, self.scale_x, self.scale_y)


@dataclass(frozen=True)
class Printer:
    """A profile: how one printer, with one tray and paper, puts fronts and backs, and what to do about it."""

    name: str
    front: Misregistration = field(default_factory=Misregistration)
    back: Misregistration = field(default_factory=Misregistration)
    corrected: CorrectionScope = CorrectionScope.BACKS

    def correction(self, width: float, height: float, sides: DuplexMode, is_back: bool) -> Affine:
        """The matrix to print through on an upright paper of this size, so that the misprint is undone.

        Where only backs are corrected, they are moved onto their fronts as those are printed.
        """
        back = self.back if sides is not DuplexMode.SHORT_EDGE else self.back.turned()
        if self.corrected is CorrectionScope.BOTH:
            return inverse((back if is_back else self.front).matrix(width, height))
        if not is_back:
            return IDENTITY
        turned = (
            (-1.0, 0.0, 0.0, 1.0, width, 0.0)
            if sides is not DuplexMode.SHORT_EDGE
            else (1.0, 0.0, 0.0, -1.0, 0.0, height)
        )
        seen_from_behind = compose(turned, compose(self.front.matrix(width, height), turned))
        return compose(inverse(back.matrix(width, height)), seen_from_behind)


def compose(second: Affine, first: Affine) -> Affine:
    """The matrix that does ``first``, then ``second``."""
    a, b, c, d, e, f = second
    g, h, i, j, k, m = first
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def inverse(matrix: Affine) -> Affine:
    """The matrix that undoes ``matrix``."""
    a, b, c, d, e, f = matrix
    det = a * d - b * c
    return d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det


def transform_point(matrix: Affine, x: float, y: float) -> tuple[float, float]:
    """Where a point goes."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def printers_folder() -> Path:
    """Where profiles are kept."""
    return Path(platformdirs.user_config_dir("loomtable", appauthor=False)) / "printers"


def printer_names() -> list[str]:
    """The profiles there are."""
    return sorted(path.stem for path in printers_folder().glob("*.json"))


def save_printer(printer: Printer) -> Path:
    """Write a profile where ``printer_named`` finds it; one of the same name is replaced. Returns the file.

    Raises:
        PrinterProfileInvalid: the name cannot name a file, or a figure is beyond any misprint.
        PrintUnwritable: the file cannot be written.
    """
    _checked(printer)
    path = printers_folder() / f"{printer.name}.json"
    write_whole(path, msgspec.json.format(msgspec.json.encode(printer), indent=2) + b"\n")
    return path


def printer_named(name: str) -> Printer:
    """The profile of this name.

    Raises:
        UnknownPrintName: there is none.
        PrinterProfileInvalid: its file does not hold one.
    """
    names = printer_names()
    if name not in names:
        known = f"choose from {listed(names)}" if names else "make one with `loom calibrate printer`"
        raise UnknownPrintName(f"there is no printer profile {name[:40]!r}; {known}")
    path = printers_folder() / f"{name}.json"
    try:
        return _checked(from_json(read_text(path), Printer))
    except (FileUnreadable, msgspec.DecodeError) as error:
        why = f"{path}: is no printer profile ({error}); calibrate the printer again"
        raise PrinterProfileInvalid(why) from None


def _checked(printer: Printer) -> Printer:
    if not _NAME.fullmatch(printer.name):
        raise PrinterProfileInvalid(
            f"{printer.name[:40]!r} cannot name a printer; use up to 40 letters, figures, spaces, dots and dashes"
        )
    for side, misprint in (("front", printer.front), ("back", printer.back)):
        for what, value, most, unit in (
            ("dx", misprint.dx, MOST_SHIFT, "mm"),
            ("dy", misprint.dy, MOST_SHIFT, "mm"),
            ("angle", misprint.angle, MOST_ANGLE, "degrees"),
            ("scale_x - 1", misprint.scale_x - 1, MOST_STRETCH, ""),
            ("scale_y - 1", misprint.scale_y - 1, MOST_STRETCH, ""),
        ):
            if not (math.isfinite(value) and abs(value) <= most):
                raise PrinterProfileInvalid(
                    f"printer {printer.name!r}, {side}: {what} is {value:g} {unit}".rstrip()
                    + f"; no misprint is larger than {most:g}"
                )
    return printer
