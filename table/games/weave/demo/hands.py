"""``loom demo --hands``: a Challenge that hands play alone, as a moving picture."""

from __future__ import annotations

import io
import random
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
from PIL import Image, ImageDraw, ImageFont

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import NumberReading, rolled
from loomtable.engine.ready_evening import begun_ready
from loomtable.engine.weave.rules import WEAVE
from loomtable.printkit.draw.type import Font, font_file
from loomtable.printkit.files import make_folder, write_whole
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.testing import EveningByHand, VirtualTable
from loomtable.testing.evening_by_hand import Meant
from loomtable.testing.virtual_table import CAMERA, Pace
from loomtable.vision.pictures import BgrImage

_SIZE, _BAND = (640, 360), 78
"""Pixels of the picture, and of the band below it in which the table speaks."""
_QUALITY = 42
_INK, _PAPER, _QUIET, _RING = (32, 28, 26), (250, 246, 238), (120, 110, 100), (150, 60, 40)
PACE = 8.0


class HandsDemo(msgspec.Struct, frozen=True):
    """What was made."""

    film: str
    frames: int
    touches: int
    story: tuple[str, ...]
    gestures: tuple[str, ...]


def run_hands(folder: Path, *, seed: int, tell: Callable[[str], None]) -> HandsDemo:
    """Play a Challenge by virtual hands at a real table, and write it as a moving picture, ``hands.webp``.

    Raises:
        LoomtableError: the folder cannot be written.
    """
    make_folder(folder)
    session = begun_ready(WEAVE, f"hands {seed}", random.Random(seed))
    who, before = next(iter(session.state.characters)), len(session.story())
    camera = replace(CAMERA, noise=0.15, aim=(-30.0, 0.0), height=360.0)
    table = VirtualTable(seed=seed, camera=camera, pace=Pace(5, 3, 4), tray=(75.0, 40.0), drift=0.03)
    with EveningByHand.of(session, table=table, pace=PACE, skips=False) as evening:
        recorder = _Recorder(evening, before)
        evening.on_frame = recorder.take
        evening.lay("R1", at=(-190, -10), turn=0, by=1)
        means: list[Meant] = [Action("printed-decks"), Action("challenge", {"who": who, "card": "C10"})]
        evening.lay("C10", at=(-115, -5), by=3, means=means)
        evening.throw("3weave", ["brooks", "weave", "flames"])
        again: list[Meant] = [NumberReading(1), rolled(Die.WEAVE, "brooks")]
        evening.throw(["weave 2"], ["brooks"], means=again)
        evening.rest(2.5)
        story = evening.state.story()[before:]
    for played in evening.played:
        tell(str(played))
    film = folder / "hands.webp"
    write_whole(film, recorder.film())
    gestures = tuple(str(played.outcome) for played in evening.played)
    return HandsDemo(str(film), len(recorder.pictures), evening.touches, story, gestures)


class _Recorder:
    """The frames that the table has looked at, each with what its screens say below it."""

    def __init__(self, evening: EveningByHand, told: int) -> None:
        """``told`` is how many sentences of the story were told before."""
        self.pictures: list[Image.Image] = []
        self._evening, self._told = evening, told
        self._number, self._since = 0, 0
        self._revision, self._says = -1, ""
        self._words = ImageFont.truetype(font_file(Font.CODE), 20)
        self._small = ImageFont.truetype(font_file(Font.TEXT_ITALIC), 14)

    def take(self, frame: BgrImage) -> None:
        """Keep a frame."""
        seen = self._evening.camera()
        proposal = seen["proposal"]
        if proposal is None or proposal["number"] != self._number:
            self._number, self._since = proposal["number"] if proposal else 0, len(self.pictures)
        if (revision := self._evening.revision) != self._revision:
            self._revision, story = revision, self._evening.state.story()[self._told :]
            self._says = story[-1] if story else ""
        picture = Image.new("RGB", (_SIZE[0], _SIZE[1] + _BAND), _PAPER)
        small = cv2.resize(frame, _SIZE, interpolation=cv2.INTER_AREA)
        picture.paste(Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB)), (0, 0))
        pen = ImageDraw.Draw(picture)
        if proposal is not None and proposal["sure"]:
            share = min(1.0, (len(self.pictures) - self._since) / (PACE * COUNTDOWN))
            pen.arc((18, _SIZE[1] + 20, 56, _SIZE[1] + 58), -90, -90 + 360 * (1 - share), _RING, 6)
        quiet, loud = ("The table sees", proposal["says"]) if proposal else ("The table says", self._says)
        pen.text((76, _SIZE[1] + 8), quiet if loud else "", _QUIET, self._small)
        for row, line in enumerate(textwrap.wrap(loud, 62)[:2]):
            pen.text((76, _SIZE[1] + 24 + 24 * row), line, _INK, self._words)
        self.pictures.append(picture)

    def film(self) -> bytes:
        """The moving picture, a WebP file."""
        file = io.BytesIO()
        first, *rest = self.pictures
        first.save(file, "WEBP", save_all=True, append_images=rest, duration=round(1000 / PACE), loop=0,
                   quality=_QUALITY, method=4)  # fmt: skip
        return file.getvalue()
