"""Where the demo's pictures come from: a virtual camera over printed pages, picture files, or a real camera."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.errors import Broken
from loomtable.engine.kernel.wording import dice_count
from loomtable.table.games.weave.demo.printed import paper_die
from loomtable.table.reading.looking import settled_frame
from loomtable.testing.virtual import (
    TINTS,
    Scene,
    Surface,
    Truth,
    VirtualCamera,
    handful_of_dice,
    photograph,
    row_of_cards,
)
from loomtable.testing.virtual.printed_die import PrintedDie
from loomtable.vision.dice import TrayReading
from loomtable.vision.pictures import BgrImage, read_picture

CARD_HEIGHT = 270.0
DICE_HEIGHT = 215.0
"""How high the virtual camera stands over cards and over dice (mm)."""
DICE_SPREAD = 125.0
"""Width of the circle that the dice roll about in (mm)."""


class PicturesRanOut(Broken):
    """The demo needs another picture and none is left."""


class CameraBackend(ABC):
    """Looks at the table when it is told what is laid there."""

    name: str
    """What messages call it."""
    can_look_again = True
    """Whether another picture of the same thing can be had, after a person has moved something."""

    @property
    def has_more(self) -> bool:
        """Whether there is anything more to look at."""
        return True

    @abstractmethod
    def at_cards(self, kind: Kind, count: int, also: Sequence[ComponentId], *, again: bool) -> BgrImage:
        """A picture with ``count`` cards of a kind after those (``also``) that already lie there.

        ``again``: the same cards as last time, laid anew because they could not be read.
        """

    @abstractmethod
    def at_dice(self, die: Die, count: int, purpose: str, *, again: bool) -> BgrImage:
        """A picture of ``count`` dice that were just rolled; ``again``: the same faces, moved apart."""

    def looked_closely(self, tray: TrayReading) -> TrayReading | None:
        """The tray after a person has tapped every doubtful die, where this can know what lies there."""
        return None

    def lying(self) -> tuple[Face, ...] | None:
        """The faces that lie up, as a person at the table sees them, where this can know it."""
        return None


class RenderedCamera(CameraBackend):
    """A camera over a table that is not there: the printed cards, photographed; dice, thrown by chance."""

    name = "the virtual camera"

    def __init__(self, faces: Mapping[ComponentId, BgrImage], seed: int) -> None:
        """``faces`` are the printed fronts (RGB, uint8), cut from the rendered pages."""
        self._faces = faces
        self._chance = random.Random(seed)
        self._seed = seed * 1000
        self._left = {kind: sorted(c for c in faces if c.kind is kind) for kind in (Kind.STORY, Kind.CHALLENGE)}
        self._truth: Truth | None = None
        self._drawn: list[ComponentId] = []
        self._rolled: list[int] = []
        for pile in self._left.values():
            self._chance.shuffle(pile)

    def at_cards(self, kind: Kind, count: int, also: Sequence[ComponentId], *, again: bool) -> BgrImage:
        """Draw cards from a shuffled pile, lay them in a row after those that lie there, and photograph them."""
        if not again:
            self._drawn = [*also, *(self._left[kind].pop() for _ in range(count))]
        camera = VirtualCamera(
            height=CARD_HEIGHT + 40 * max(0, len(self._drawn) - 3), tilt=12, frame=(1920, 1080), noise=0.8
        )
        self._seed += 1
        faces = [self._faces[card] for card in self._drawn]
        surface = Surface("wood", seed=self._seed)
        return self._shot(row_of_cards(faces, self._seed, camera, cards=self._drawn, surface=surface), camera)

    def at_dice(self, die: Die, count: int, purpose: str, *, again: bool) -> BgrImage:
        """Throw Weave dice that were folded from paper onto felt, and photograph them."""
        if not again:
            self._rolled = [self._chance.randint(1, 6) for _ in range(count)]
        self._seed += 1
        camera = VirtualCamera(height=DICE_HEIGHT, tilt=8, noise=0.8)
        surface = Surface("felt", TINTS["felt"][0], self._seed)
        scene = handful_of_dice(
            self._rolled, self._seed, camera, surface=surface, look=paper_die(1, 1), spread_mm=DICE_SPREAD
        )
        dice = tuple(
            replace(cast(PrintedDie, die), sides=paper_die(place, 1).sides)
            for place, die in enumerate(scene.dice, start=1)
        )
        return self._shot(replace(scene, dice=dice), camera)

    def _shot(self, scene: Scene, camera: VirtualCamera) -> BgrImage:
        shot = photograph(scene, camera, self._seed)
        self._truth = shot.truth
        return shot.picture

    def looked_closely(self, tray: TrayReading) -> TrayReading | None:
        """Somebody at the virtual table taps the doubtful dice: they know what lies there."""
        assert self._truth is not None
        for place, die in enumerate(tray.dice):
            if die.doubt:
                nearest = min(
                    self._truth.dice,
                    key=lambda true, die=die: float(np.hypot(*(true.top.mean(axis=0) - die.centre))),  # type: ignore[misc]
                )
                tray = tray.corrected(place, Die.WEAVE.faces[nearest.value - 1])
        return tray

    def lying(self) -> tuple[Face, ...] | None:
        """What was thrown."""
        return tuple(Die.WEAVE.faces[value - 1] for value in self._rolled)


class PictureFolder(CameraBackend):
    """Pictures from files, one each time the demo looks, in the order in which they are given."""

    can_look_again = False

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = list(paths)
        self.name = "the pictures"

    @property
    def has_more(self) -> bool:
        """Whether pictures are left that have not been looked at."""
        return bool(self._paths)

    def at_cards(self, kind: Kind, count: int, also: Sequence[ComponentId], *, again: bool) -> BgrImage:
        """The next picture."""
        return self._next(_cards(kind, count))

    def at_dice(self, die: Die, count: int, purpose: str, *, again: bool) -> BgrImage:
        """The next picture."""
        return self._next(f"{dice_count(count)} ({purpose})")

    def _next(self, purpose: str) -> BgrImage:
        if not self._paths:
            raise PicturesRanOut(f"the pictures ran out: give one more (--image) for {purpose}")
        path = self._paths.pop(0)
        self.name = str(path)
        return read_picture(path)


class RealCamera(CameraBackend):
    """A real camera, with a person who lays things under it."""

    def __init__(self, camera: str) -> None:
        self._camera = camera
        self.name = f"camera {camera}"

    def at_cards(self, kind: Kind, count: int, also: Sequence[ComponentId], *, again: bool) -> BgrImage:
        """A frame, once the person says that the cards lie there."""
        return self._when_ready(f"Lay down {_cards(kind, count)}")

    def at_dice(self, die: Die, count: int, purpose: str, *, again: bool) -> BgrImage:
        """A frame, once the person says that the dice lie still."""
        dice = f"{count} {die.plural if count > 1 else die.label}"
        return self._when_ready(f"Move the {dice} apart" if again else f"Roll {dice} ({purpose})")

    def _when_ready(self, what: str) -> BgrImage:
        input(f"  {what}, then press Enter. ")
        return settled_frame(self._camera)


def _cards(kind: Kind, count: int) -> str:
    """``"3 Story cards"``."""
    return f"{count} {kind.value.capitalize()} card{'' if count == 1 else 's'}"
