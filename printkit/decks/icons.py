"""Icons among the words of one's own deck: our symbols by name, and pictures that a template names."""

from __future__ import annotations

from pathlib import Path

from loomtable.printkit.decks.pictures import draw_picture, opened_picture
from loomtable.printkit.decks.template import Template
from loomtable.printkit.draw.elements import ELEMENT_COLOURS, draw_element, draw_thread
from loomtable.printkit.draw.facecode import SIDE_COLOURS, draw_symbol
from loomtable.printkit.draw.pen import Pen

_THREAD = "thread"


class Icons:
    """The icons of a template: ours and its own."""

    def __init__(self, template: Template, folder: Path) -> None:
        self._called = f"template {template.template!r}, icons"
        self._pictures = {name: folder / file for name, file in template.icons.items()}
        for path in self._pictures.values():
            opened_picture(path, self._called)
        self.names = frozenset((*map(str, SIDE_COLOURS), *ELEMENT_COLOURS, _THREAD, *self._pictures))

    def draw(self, pen: Pen, name: str, x: float, y: float, size: float) -> None:
        """Draw an icon, ``size`` mm high, about (x, y); kept once in a file for each size."""
        if name in self._pictures:
            box = (x - size / 2, y - size / 2, size, size)
            draw_picture(pen, self._pictures[name], box, f"{self._called}, {name!r}")
        elif name in ELEMENT_COLOURS:
            draw_element(pen, name, x, y, round(size, 2))
        elif name == _THREAD:
            draw_thread(pen, x, y, size)
        else:
            radius = round(size / 2, 2)
            box = (-radius - 0.1, -radius - 0.1, 2 * radius + 0.2, 2 * radius + 0.2)
            deep, light = SIDE_COLOURS[name]
            with pen.at(x, y):
                pen.place(
                    f"icon-{name}-{radius}", box, lambda inner: draw_symbol(inner, name, radius, deep, light)
                )
