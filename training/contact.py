"""A sheet of scenes as both renderers draw them:
``python -m training.contact SHEET.jpg --seeds 0-11``.

For people: before thousands of scenes are made, look at some. Upper rows are quick, lower rows are true.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.vision.pictures import BgrImage
from training.develop import labels, photographed
from training.invent import make_scene
from training.parts import RENDERERS, PartUnmade, renderer_named

_GREEN = (90, 220, 90)


def drawn_scene(seed: int, renderer: str, size: tuple[int, int], labelled: bool) -> BgrImage:
    """The picture (BGR) of one scene, with its labels on it where they are asked for."""
    drawing = renderer_named(renderer)
    scene = make_scene(seed, typefaces=drawing.typefaces, size=size)
    rendered = drawing.draw(scene)
    picture = photographed(scene, rendered)
    for die in labels(scene, rendered.which) if labelled else ():
        cv2.polylines(picture, [np.array(die.polygon).round().astype(np.int32)], True, _GREEN, 1, cv2.LINE_AA)
        told = f"{die.kind} {'?' if die.value is None else die.value}"
        at = (round(die.box[0]), round(die.box[1]) - 3)
        cv2.putText(picture, told, at, cv2.FONT_HERSHEY_SIMPLEX, 0.42, _GREEN, 1, cv2.LINE_AA)
    return picture


def contact_sheet(seeds: Sequence[int], size: tuple[int, int], across: int, labelled: bool) -> BgrImage:
    """Rows of scenes drawn by the quick renderer, each with the same scenes by the true one below."""
    pictures = {name: [drawn_scene(seed, name, size, labelled) for seed in seeds] for name in RENDERERS}
    blank = np.full((size[1], size[0], 3), 255, np.uint8)
    rows = []
    for start in range(0, len(seeds), across):
        for name in RENDERERS:
            row = pictures[name][start : start + across]
            rows.append(np.hstack([*row, *[blank] * (across - len(row))]))
    return np.asarray(np.vstack(rows), np.uint8)


def _numbers(told: str) -> list[int]:
    """``"3,7,10-12"`` → 3, 7, 10, 11, 12."""
    numbers: list[int] = []
    for part in told.split(","):
        low, _, high = part.partition("-")
        try:
            numbers += range(int(low), int(high or low) + 1)
        except ValueError:
            raise PartUnmade(f"--seeds takes numbers like 0-11 or 3,7,9, not {told!r}") from None
    return numbers


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 and one sentence where something is missing or wrong."""
    parser = argparse.ArgumentParser(prog="python -m training.contact", description=__doc__)
    parser.add_argument("sheet", type=Path, help="the picture to write (.png or .jpg)")
    parser.add_argument("--seeds", default="0-11", help="which scenes, like 0-11 or 3,7,9")
    parser.add_argument("--across", type=int, default=4, help="scenes side by side")
    parser.add_argument("--size", type=int, nargs=2, default=(480, 360), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--wide", type=int, default=1400, help="width of the sheet, pixels")
    parser.add_argument("--labels", action="store_true", help="draw faces and values onto the scenes")
    given = parser.parse_args(arguments)
    try:
        sheet = contact_sheet(_numbers(given.seeds), tuple(given.size), max(given.across, 1), given.labels)
    except LoomtableError as error:
        print(f"contact: {error}", file=sys.stderr)
        return 2
    factor = min(given.wide / sheet.shape[1], 1)
    small = cv2.resize(sheet, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    try:
        written = cv2.imwrite(str(given.sheet), small, [cv2.IMWRITE_JPEG_QUALITY, 82])
    except cv2.error:
        written = False
    if not written:
        print(
            f"contact: {given.sheet} cannot be written: name a .png or .jpg",
            file=sys.stderr,
        )
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
