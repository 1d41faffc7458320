"""The gallery of the site: the first sheet of everything that can be printed, as it comes out of the printer."""

from __future__ import annotations

import tempfile
from pathlib import Path

import cv2
import numpy as np

from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.catalogue import Component, components
from loomtable.printkit.kit import print_kit
from loomtable.printkit.raster import Picture, render_page
from loomtable.vision.pictures import write_picture

_DPI = 90
"""An upright A4 page is 744 pixels wide."""
_INK = 200
"""What is darker is printed."""


def write_gallery(folder: Path, *, quick: bool = False) -> None:
    """Write ``gallery.md`` and its pictures into ``folder``: all components of the kits, or one of each game."""
    shown = [one for one in components().values() if one.in_kits]
    lines = [
        "# Gallery\n",
        "The first sheet of everything Loomtable prints, made by the program when this site was built.",
        "To print one, use the command below it.\n",
    ]
    titles = {"table": "For every game"} | {key: system.title for key, system in SYSTEMS.items()}
    for key, title in titles.items():
        those = [one for one in shown if one.system == key]
        lines += [f"## {title}\n", ":::::{container} gallery"]
        lines += [line for one in (those[-1:] if quick else those) for line in _shown(one, folder)]
        lines += [":::::\n"]
    (folder / "gallery.md").write_text("\n".join(lines), "utf-8")


def _shown(component: Component, folder: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as scratch:
        [printed, *_] = print_kit([component.name], Path(scratch))
        page = render_page(printed.path, 0, _DPI)
    picture = np.asarray(cv2.cvtColor(_without_blank(page), cv2.COLOR_RGB2BGR), np.uint8)
    name = f"pictures/gallery/{component.name}.jpg"
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    write_picture(folder / name, picture)
    return [
        f"::::{{figure}} {name}",
        f":alt: {component.title}",
        ":loading: lazy",
        "",
        f"{component.description}  ",
        f"`loom print {component.name}`",
        "::::",
    ]


def _without_blank(page: Picture) -> Picture:
    """The sheet down to the last thing on it, if more than half is blank; rulers and footer do not count."""
    high, wide = page.shape[:2]
    middle = page[: round(high * 0.93), round(wide * 0.15) : round(wide * 0.85)]
    last = int(np.flatnonzero((middle < _INK).any(axis=(1, 2)))[-1])
    return page[: last + _DPI // 2] if last < high / 2 else page
