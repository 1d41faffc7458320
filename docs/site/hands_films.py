"""Three films of a table that hands lead, as pictures: what a lamp, a mug and two markers do, and do not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from loomtable.engine.kernel.play import Action
from loomtable.engine.ready_evening import begun_ready
from loomtable.engine.weave.rules import WEAVE
from loomtable.printkit.draw.type import Font, font_file
from loomtable.table.hosting.proposals import Taking
from loomtable.testing import EveningByHand, VirtualTable
from loomtable.vision.pictures import BgrImage, write_picture

_SIZE, _BAND, _PACE = (480, 270), 54, 5.0
_INK, _PAPER, _QUIET = (32, 28, 26), (250, 246, 238), (120, 110, 100)
_DARK = 0.35
"""How much light is left when the lamp goes out."""


class _Strip:
    """Moments of an evening, each with what the table says below it."""

    def __init__(self, evening: EveningByHand) -> None:
        self._evening, self._frame = evening, np.zeros((*_SIZE[::-1], 3), np.uint8)
        self._moments: list[Image.Image] = []
        evening.on_frame = self._keep

    def _keep(self, frame: BgrImage) -> None:
        self._frame = frame

    def moment(self, what: str) -> None:
        """Keep the latest frame, and tell what happened."""
        seen, state = self._evening.camera(), self._evening.state
        proposal = seen["proposal"]
        asks = state.pending.purpose if state.pending is not None else "nothing"
        says = f"{proposal['says']}." if proposal else f"Asked: {asks}. Camera: {seen['says']}."
        picture = Image.new("RGB", (_SIZE[0], _SIZE[1] + _BAND), _PAPER)
        small = cv2.resize(self._frame, _SIZE, interpolation=cv2.INTER_AREA)
        picture.paste(Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB)), (0, 0))
        pen = ImageDraw.Draw(picture)
        pen.text((12, _SIZE[1] + 6), what, _INK, ImageFont.truetype(font_file(Font.LABEL_BOLD), 17))
        pen.text((12, _SIZE[1] + 29), says, _QUIET, ImageFont.truetype(font_file(Font.TEXT), 15))
        self._moments.append(picture)

    def write(self, file: Path) -> Path:
        """Two beside two."""
        wide, high = _SIZE[0], _SIZE[1] + _BAND
        whole = Image.new("RGB", (2 * wide, 2 * high), _PAPER)
        for at, picture in enumerate(self._moments):
            whole.paste(picture, (at % 2 * wide, at // 2 * high))
        write_picture(file, np.asarray(cv2.cvtColor(np.asarray(whole), cv2.COLOR_RGB2BGR), np.uint8))
        return file


def make_hands_films(folder: Path) -> Sequence[Path]:
    """``hands-lamp.jpg``, ``hands-mug.jpg`` and ``hands-markers.jpg``."""
    return [
        _lamp(folder / "hands-lamp.jpg"),
        _mug(folder / "hands-mug.jpg"),
        _markers(folder / "hands-markers.jpg"),
    ]


def _evening(**places: tuple[float, float]) -> Iterator[EveningByHand]:
    session = begun_ready(WEAVE, "films", random.Random(3))
    session.perform("printed-decks")
    table = VirtualTable(seed=4, tray=(70.0, 20.0))
    for name, at in places.items():
        table.put(name, at, turn=0)
    with EveningByHand.of(session, table=table, pace=_PACE, taking=Taking.ASK, skips=False) as evening:
        yield evening


def _lamp(file: Path) -> Path:
    for evening in _evening():
        strip = _Strip(evening)
        evening.touch(Action("challenge", {"who": "Odo", "suit": "stones"}))
        evening.throw("3d6", [1, 3, 4], means=[])
        strip.moment("Three dice are thrown.")
        evening.rest(3)
        while evening.state.pending is not None:
            evening.touch()
        evening.touch(Action("challenge", {"who": "Odo", "suit": "stones"}))
        evening.rest(2)
        strip.moment("The next roll is asked, and the dice lie there.")
        evening.table.light = _DARK
        evening.rest(2)
        strip.moment("The lamp is out for two seconds.")
        evening.table.light = 1.0
        evening.rest(6)
        strip.moment("Nothing was thrown, so nothing is taken.")
        strip.write(file)
    return file


def _mug(file: Path) -> Path:
    for evening in _evening():
        strip = _Strip(evening)
        evening.touch(Action("end-scene"))
        evening.lay("Undo", at=(0, 0), means=[])
        strip.moment("Undo is laid.")
        evening.rest(3)
        strip.moment("It has undone the last step, and is left there.")
        evening.lay("mug", on="Undo")
        evening.rest(4)
        strip.moment("A mug is on it for four seconds.")
        evening.take_away("mug")
        evening.rest(6)
        strip.moment("It comes to light again, and means nothing.")
        strip.write(file)
    return file


def _markers(file: Path) -> Path:
    for evening in _evening(R1=(-40, -48), R2=(-40, 42)):
        strip = _Strip(evening)
        evening.rest(1)
        strip.moment("Two markers, nine centimetres apart.")
        for card, at, what in (
            ("C31", (12.0, 56.0), "A card beside the lower one."),
            ("C10", (12.0, -70.0), "A card beside the upper one."),
            ("C4", (12.0, -4.0), "A card as near to both."),
        ):
            evening.lay(card, at=at, turn=0, by=3)
            strip.moment(what)
            evening.take_away(card, by=3)
        strip.write(file)
    return file
