"""A table that is not there, and hands that do things on it, as the frames of a camera that looks on."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from loomtable.engine.kernel.dice import Die, Face
from loomtable.table.games.weave.demo.printed import paper_die
from loomtable.testing.printed_things import PrintedThing, coin_token, plastic_d10, printed_thing, thing_named
from loomtable.testing.virtual import (
    SKINS,
    SLEEVES,
    TINTS,
    Arm,
    Cutout,
    Film,
    ImpossibleScene,
    Light,
    PlacedCard,
    PlacedDie,
    Pose,
    Scene,
    Surface,
    VirtualCamera,
    any_die,
)
from loomtable.testing.virtual.colour import linear
from loomtable.testing.virtual.lens import Points, rotated
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage

Place = tuple[float, float]
Frames = Iterator[BgrImage]

CAMERA = VirtualCamera(height=400.0, tilt=8.0, noise=0.8)
"""A phone on a stand: it sees 480 by 270 mm of the table, in which codes of our cards can be read."""
_AWAY = 330.0
"""Millimetres from where it comes to rest at which a hand begins and ends."""
_GAP = 8.0
"""Millimetres between things that are laid beside one another."""
_ASKEW = 5.0
"""Degrees by which people lay things askew."""
_HELD, _HAND = 14.0, 24.0
"""How high over the table carried things and hands are, mm."""
_TRIES = 500
_CUTOUT = 3.0
"""Pixels per millimetre of things in a hand."""


@dataclass(frozen=True)
class Pace:
    """How many frames a hand takes to come, to do what it does, and to go."""

    come: int = 3
    do: int = 2
    go: int = 2

    @classmethod
    def at(cls, rate: float) -> Pace:
        """A hand before a camera that sends so many frames a second."""
        come, do, go = (max(least, round(seconds * rate)) for least, seconds in ((2, 0.6), (2, 0.4), (1, 0.4)))
        return cls(come, do, go)


class VirtualTable:
    """A table with a camera over it, and hands that lay, throw, move, turn over and take away what is printed.

    Each verb is a run of frames (height, width, 3; blue, green, red), and things move while its frames are taken.
    Places are millimetres from the middle of the table, x to the right and y towards the near edge; turns are
    degrees, clockwise. Cards, maps and figures are named by their codes (``"C12"``), answer cards by what they say
    (``"Go on"``), counters by mage and side (``"woad thread 2"``), dice by what was thrown (``"d6 1"``), both with
    a number. The same seed and verbs give the same frames. ``by`` is whose hand it is: of four people, 0 sits at
    the near edge, 1 at the left, 2 at the right and 3 opposite.

    >>> from loomtable.testing import VirtualTable
    >>> table = VirtualTable(seed=1)
    >>> frames = [*table.lay("C12", at=(-100, 0)), *table.throw("2weave", ["flames", "gales"]), *table.rest(3)]
    >>> frames[-1].shape, list(table.lying)
    ((720, 1280, 3), ['C12', 'weave 1', 'weave 2'])
    >>> moved = list(table.move("C12", to=(80, -30)))
    >>> round(table.lying["C12"].x)
    80
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        camera: VirtualCamera = CAMERA,
        surface: Surface | None = None,
        light: Light | None = None,
        pace: Pace = Pace(),
        tray: Place = (0.0, 75.0),
        drift: float = 0.05,
        photographs: Mapping[int, Sequence[PrintedThing]] | None = None,
        over_tray: VirtualCamera | None = None,
    ) -> None:
        """``tray`` is about where dice are thrown; ``drift`` the share by which the light grows and falls.

        Six-sided dice may be ``photographs`` of some, by what they show. A second camera may be ``over_tray``.
        """
        self._photographs = photographs
        self.camera, self.pace, self.tray = camera, pace, tray
        self._chance = np.random.default_rng([seed, 71])
        self._surface = surface or Surface("felt", TINTS["felt"][seed % 4], seed)
        self._light = light or Light(azimuth=215, elevation=60, distance=1200, size=9, sky=0.7)
        self._film = Film(camera, seed, drift=drift)
        self._tray_film = Film(over_tray, seed + 1, drift=drift) if over_tray is not None else None
        self.in_tray: BgrImage | None = None
        """What the second camera has seen in the latest frame."""
        self._things: dict[str, PlacedCard | PlacedDie] = {}
        self._scene: Scene | None = None
        self._look = any_die(self._chance)
        self.light, self.blur = 1.0, 0.0
        """The share of the light that is left, and pixels by which the camera is out of focus."""
        skins, sleeves = self._chance.permutation(len(SKINS)), self._chance.permutation(len(SLEEVES))
        self._arms = [
            Arm(int(skin), int(sleeve), side + float(self._chance.uniform(-12, 12)))
            for skin, sleeve, side in zip(skins, sleeves, (0, 90, -90, 180), strict=False)
        ]

    @property
    def lying(self) -> Mapping[str, PlacedCard | PlacedDie]:
        """What lies on the table, by its name, the lowest first."""
        return dict(self._things)

    # The verbs

    def rest(self, frames: int) -> Frames:
        """Nothing moves."""
        for _ in range(frames):
            yield self._frame()

    def put(self, name: str, at: Place = (0.0, 0.0), turn: float = 0.0, *, face_up: bool = True) -> None:
        """Something lies there already: no hand is seen to lay it.

        Raises:
            ImpossibleScene: nothing of that name is printed, or it does not lie in the camera's sight.
        """
        self._set(name, self._card(thing_named(name), at, turn, face_up=face_up))

    def lay(
        self,
        name: str,
        *,
        at: Place | None = None,
        beside: str | None = None,
        on: str | None = None,
        turn: float | None = None,
        face_up: bool = True,
        by: int = 0,
    ) -> Frames:
        """A hand lays something down: ``at`` a place, ``beside`` or ``on`` something that lies there.

        Raises:
            ImpossibleScene: as ``put``; or there is no free place, or nothing beside or on which to lay it.
        """
        printed = thing_named(name)
        place = self._place(printed, at, beside, on)
        askew = self._askew() if turn is None else turn
        thing = self._card(printed, place, askew, face_up=face_up)
        held = _cutout_of(thing)
        grip = self._grip(thing, by)
        yield from self._come(grip, by, Pose.PINCH, [(held, thing)])
        self._set(name, thing)
        yield from self._hold(grip, by, Pose.PINCH)
        yield from self._go(grip, by, Pose.OPEN)

    def throw(
        self,
        what: str | Sequence[str],
        faces: Sequence[Face],
        *,
        near: Place | None = None,
        against: str | None = None,
        spread: float = 120.0,
        by: int = 0,
    ) -> Frames:
        """A hand throws dice (``"5weave"``, ``"2d6"``, ``"coin"``), or picks up those named and throws them again.

        They come to rest about the place ``near``, at most ``spread`` mm apart, none on a card; the first leans
        ``against`` something.

        Raises:
            ImpossibleScene: there are other faces than dice, no such dice, or no room for them.
            ReadingMisfit: a die has no such face.
        """
        if isinstance(what, str):
            names, kind = self._new_dice(what)
        else:
            names, kind = list(what), Die(what[0].split()[0])
        if len(names) != len(faces):
            raise ImpossibleScene(f"{len(faces)} faces for {len(names)} dice")
        again = [name for name in names if name in self._things]
        middle = near or self.tray
        if again:
            places = np.array([[self._things[name].x, self._things[name].y] for name in again]).mean(axis=0)
            yield from self._pick_up(again, (float(places[0]), float(places[1])), by)
        yield from self._come(middle, by, Pose.PINCH, ())
        laid: dict[str, PlacedCard | PlacedDie] = {}
        for name, face in zip(names, faces, strict=True):
            first = against if not laid else None
            laid[name] = self._thrown(name, kind, kind.check(face), middle, spread, laid, first)
        rolling = [(_cutout_of(thing), thing) for thing in laid.values()]
        for step in (0.3, 0.75):
            on_their_way = [self._rolling(*pair, middle, step) for pair in rolling]
            yield self._frame([*on_their_way, self._hand(middle, by, Pose.OPEN)])
        for name, thing in laid.items():
            self._set(name, thing)
        yield from self._go(middle, by, Pose.OPEN)

    def move(
        self,
        name: str,
        *,
        to: Place | None = None,
        beside: str | None = None,
        on: str | None = None,
        turn: float | None = None,
        by: int = 0,
    ) -> Frames:
        """A hand pushes something elsewhere, and what lies on top of everything is it.

        Raises:
            ImpossibleScene: no such thing lies there; otherwise as ``lay``.
        """
        thing = self._lies(name)
        moved = replace(thing, turn=self._askew() + thing.turn if turn is None else turn)
        x, y = self._place(moved, to, beside, on) if isinstance(moved, PlacedCard) else to or self.tray
        moved = replace(moved, x=x, y=y)
        start, end = self._grip(thing, by), self._grip(moved, by)
        yield from self._come(start, by, Pose.OPEN, ())
        del self._things[name]
        self._scene, held = None, _cutout_of(thing)
        for share in np.linspace(0, 1, self.pace.do + 2)[1:-1]:
            at = _between(start, end, float(share))
            yield self._frame([self._carried(held, thing, start, at), self._hand(at, by, Pose.PINCH, blur=8)])
        self._set(name, moved)
        yield from self._hold(end, by, Pose.PINCH)
        yield from self._go(end, by, Pose.OPEN)

    def turn_over(self, name: str, *, by: int = 0) -> Frames:
        """A hand turns a card over where it lies.

        Raises:
            ImpossibleScene: no such card lies there.
        """
        thing = self._lies(name)
        if isinstance(thing, PlacedDie) or thing.card is None:
            raise ImpossibleScene(f"{name} has no other side")
        printed, grip = printed_thing(thing.card), self._grip(thing, by)
        other = replace(thing, face=printed.back if thing.face is printed.front else printed.front)
        yield from self._come(grip, by, Pose.OPEN, ())
        yield from self._hold(grip, by, Pose.PINCH)
        self._things[name] = other
        self._scene = None
        yield from self._hold(grip, by, Pose.PINCH)
        yield from self._go(grip, by, Pose.OPEN)

    def take_away(self, *names: str, by: int = 0) -> Frames:
        """A hand carries things off, one grip for all.

        Raises:
            ImpossibleScene: no such thing lies there.
        """
        things = [self._lies(name) for name in names]
        middle = np.mean([self._grip(thing, by) for thing in things], axis=0)
        yield from self._pick_up(names, (float(middle[0]), float(middle[1])), by, gone=True)

    def sweep(self, *, by: int = 0, at: Place | None = None) -> Frames:
        """A hand only passes over the table."""
        place = at or (float(self._chance.uniform(-80, 80)), float(self._chance.uniform(-40, 40)))
        yield from self._come(place, by, Pose.OPEN, ())
        yield from self._go(place, by, Pose.OPEN)

    def rest_arm(self, at: Place, frames: int, *, by: int = 0) -> Frames:
        """An arm lies over a place for so many frames."""
        yield from self._come(at, by, Pose.OPEN, ())
        for _ in range(frames):
            yield self._frame([self._hand(at, by, Pose.OPEN)])
        yield from self._go(at, by, Pose.OPEN)

    def knock(self, across: Place, turn: float = 0.0) -> Frames:
        """The camera shakes, and looks elsewhere by so many mm and degrees from then on."""
        stood = self.camera
        for share in (0.4, 1.3, 1.0):
            aim = stood.aim[0] + share * across[0], stood.aim[1] + share * across[1]
            self.camera = self._film.camera = replace(stood, aim=aim, roll=stood.roll + share * turn)
            self._film.forget()
            self._scene = None
            yield self._frame()

    # Frames with a hand

    def _frame(self, moving: Sequence[Cutout] = ()) -> BgrImage:
        if self._scene is None:
            things = self._things.values()
            cards = tuple(thing for thing in things if isinstance(thing, PlacedCard))
            dice = tuple(thing for thing in things if isinstance(thing, PlacedDie))
            self._scene = Scene(self._surface, cards, dice, self._light)
        if self._tray_film is not None:
            self.in_tray = self._seen(self._tray_film.frame(self._scene, moving))
        return self._seen(self._film.frame(self._scene, moving))

    def _seen(self, frame: BgrImage) -> BgrImage:
        if self.blur:
            frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), self.blur), np.uint8)
        return frame if self.light == 1 else np.asarray(np.clip(frame * self.light, 0, 255), np.uint8)

    def _hand(self, at: Place, by: int, pose: Pose, *, blur: float = 0.0) -> Cutout:
        return self._arms[by % len(self._arms)].at(*at, pose, height_mm=_HAND, blur_px=blur)

    def _away(self, at: Place, by: int, share: float) -> Place:
        """A place on the way of a hand: ``share`` 0 is where it is out of sight, 1 ``at`` its end."""
        way = rotated([[0.0, _AWAY * (1 - share) ** 1.5]], self._arms[by % len(self._arms)].side)[0]
        return float(at[0] + way[0]), float(at[1] + way[1])

    def _come(
        self, at: Place, by: int, pose: Pose, carried: Sequence[tuple[Float32Array, PlacedCard | PlacedDie]]
    ) -> Frames:
        for step in range(1, self.pace.come + 1):
            hand = self._away(at, by, step / self.pace.come)
            blur = 14.0 * (1 - step / self.pace.come)
            with_it = [self._carried(held, thing, at, hand, blur) for held, thing in carried]
            yield self._frame([*with_it, self._hand(hand, by, pose, blur=blur)])

    def _hold(self, at: Place, by: int, pose: Pose) -> Frames:
        for _ in range(max(1, self.pace.do - 1)):
            yield self._frame([self._hand(at, by, pose)])

    def _go(
        self,
        at: Place,
        by: int,
        pose: Pose,
        carried: Sequence[tuple[Float32Array, PlacedCard | PlacedDie]] = (),
    ) -> Frames:
        for step in range(1, self.pace.go + 1):
            hand = self._away(at, by, 1 - step / (self.pace.go + 1))
            with_it = [self._carried(held, thing, at, hand, 10.0) for held, thing in carried]
            yield self._frame([*with_it, self._hand(hand, by, pose, blur=10.0)])

    def _pick_up(self, names: Sequence[str], at: Place, by: int, *, gone: bool = False) -> Frames:
        things = [self._lies(name) for name in names]
        yield from self._come(at, by, Pose.OPEN, ())
        carried = [(_cutout_of(thing), thing) for thing in things]
        for name in names:
            del self._things[name]
        self._scene = None
        if gone:
            yield from self._go(at, by, Pose.PINCH, carried)
            return
        yield from self._hold(at, by, Pose.PINCH)

    def _carried(
        self, held: Float32Array, thing: PlacedCard | PlacedDie, start: Place, at: Place, blur: float = 6.0
    ) -> Cutout:
        """Something in a hand that took it at ``start`` and is ``at`` another place."""
        wide, high = _size(thing)
        x, y = thing.x + at[0] - start[0], thing.y + at[1] - start[1]
        return Cutout(held, (wide, high), (wide / 2, high / 2), x, y, thing.turn, _HELD, blur)

    def _rolling(self, held: Float32Array, thing: PlacedCard | PlacedDie, start: Place, share: float) -> Cutout:
        """Something on its way from a hand to where it comes to rest."""
        x, y = _between(start, (thing.x, thing.y), share)
        wide, high = _size(thing)
        turn = float(self._chance.uniform(0, 360))
        return Cutout(held, (wide, high), (wide / 2, high / 2), x, y, turn, 30 * (1 - share), 12 * (1 - share) + 3)

    # Where things lie

    def _set(self, name: str, thing: PlacedCard | PlacedDie) -> None:
        seen = thing.polygon(self.camera) if isinstance(thing, PlacedCard) else thing.outline(self.camera)
        if not self.camera.shows(seen, margin=-0.35 * float(np.ptp(seen))):
            raise ImpossibleScene(f"{name} at {thing.x:.0f}, {thing.y:.0f} mm is out of the camera's sight")
        self._things.pop(name, None)
        self._things[name] = thing
        self._scene = None

    def _lies(self, name: str) -> PlacedCard | PlacedDie:
        if name not in self._things:
            raise ImpossibleScene(f"no {name} is on the table; there are {', '.join(self._things) or 'no things'}")
        return self._things[name]

    def _askew(self) -> float:
        return float(np.clip(self._chance.normal(0, _ASKEW / 2), -2 * _ASKEW, 2 * _ASKEW))

    def _card(self, printed: PrintedThing, at: Place, turn: float, *, face_up: bool = True) -> PlacedCard:
        large = max(printed.width, printed.height) > 120
        return PlacedCard(
            printed.front if face_up else printed.back,
            *at,
            turn,
            printed.width,
            printed.height,
            printed.id,
            printed.corner,
            0.15 if large else 0.32,
            0.1 if large else float(self._chance.uniform(-0.4, 0.8)),
        )

    def _grip(self, thing: PlacedCard | PlacedDie, by: int) -> Place:
        """Where a hand takes hold of something: near the edge on its own side."""
        reach = 0.32 * min(_size(thing)) if isinstance(thing, PlacedCard) else 0.0
        way = rotated([[0.0, reach]], self._arms[by % len(self._arms)].side)[0]
        return float(thing.x + way[0]), float(thing.y + way[1])

    def _place(
        self, thing: PrintedThing | PlacedCard, at: Place | None, beside: str | None, on: str | None
    ) -> Place:
        if at is not None:
            return at
        if on is not None:
            under = self._lies(on)
            return under.x + float(self._chance.uniform(-3, 3)), under.y + float(self._chance.uniform(-3, 3))
        if beside is None:
            raise ImpossibleScene("say where: at a place, beside or on something")
        other = self._lies(beside)
        wide, high = _size(thing)
        across, down = (_size(other)[k] / 2 + (wide, high)[k] / 2 + _GAP for k in (0, 1))
        for x, y in ((across, 0.0), (-across, 0.0), (0.0, down), (0.0, -down)):
            place = other.x + x, other.y + y
            box = _box(place, (wide, high))
            if self.camera.shows(self.camera.project(box)) and not self._covers(box):
                return place
        raise ImpossibleScene(f"there is no free place beside {beside}")

    def _covers(self, box: Points) -> bool:
        """Whether a card lies where a box (4, 2) mm would be; maps and pages are to lie on."""
        return any(
            isinstance(thing, PlacedCard)
            and max(_size(thing)) < 120
            and cv2.intersectConvexConvex(box.astype(np.float32), thing.outline.astype(np.float32))[0] > 1
            for thing in self._things.values()
        )

    # Dice

    def _new_dice(self, what: str) -> tuple[list[str], Die]:
        found = re.fullmatch(r"(\d*)([a-z]\w*)", what)
        try:
            kind = Die(found[2]) if found else None
        except ValueError:
            kind = None
        if found is None or kind not in (Die.D6, Die.D10, Die.WEAVE, Die.COIN):
            raise ImpossibleScene(
                f"{what!r} cannot be thrown on a virtual table; its dice are d6, d10, weave and coin"
            )
        free = (n for n in range(1, 1000) if f"{kind} {n}" not in self._things)
        return [f"{kind} {next(free)}" for _ in range(int(found[1] or 1))], kind

    def _thrown(
        self,
        name: str,
        kind: Die,
        face: Face,
        middle: Place,
        spread: float,
        others: Mapping[str, PlacedCard | PlacedDie],
        against: str | None,
    ) -> PlacedCard | PlacedDie:
        number = int(name.split()[1])
        if kind is Die.COIN:
            die: PlacedCard | PlacedDie = self._card(coin_token(face), middle, 0)
        elif kind is Die.D6 and self._photographs is not None:
            looks = self._photographs[int(face)]
            die = self._card(looks[int(self._chance.integers(len(looks)))], middle, 0)
        elif kind is Die.D10:
            die = plastic_d10(int(face))
        elif kind is Die.WEAVE:
            die = paper_die(number, Die.WEAVE.faces.index(face) + 1)
        else:
            die = replace(self._look, value=int(face))
        half = die.reach if isinstance(die, PlacedDie) else max(_size(die)) / 2
        for _ in range(_TRIES):
            x, y, turn = self._somewhere(middle, spread, against, half)
            die = replace(die, x=x, y=y, turn=turn)
            things = (*self._things.values(), *others.values())
            near = [other for other in things if isinstance(other, PlacedDie)]
            apart = all(math.hypot(x - other.x, y - other.y) > (half + other.reach) * 1.45 for other in near)
            box = _box((x, y), (2.9 * half, 2.9 * half)) if against is None else _box((x, y), (1.9 * half,) * 2)
            seen = self.camera.project(_box((x, y), (4 * half, 4 * half)))
            if apart and not self._covers(box) and self.camera.shows(seen):
                return die
        raise ImpossibleScene(f"there is no room for {name} about {middle[0]:.0f}, {middle[1]:.0f} mm")

    def _somewhere(
        self, middle: Place, spread: float, against: str | None, half: float
    ) -> tuple[float, float, float]:
        """A place and a turn by chance: about the middle, or at a side of something."""
        turn = float(self._chance.uniform(0, 360))
        if against is None:
            far = spread / 2 * math.sqrt(float(self._chance.random()))
            x, y = rotated([[far, 0]], float(self._chance.uniform(0, 360)))[0] + middle
            return float(x), float(y), turn
        other = self._lies(against)
        wide, high = _size(other)
        side = int(self._chance.integers(4))
        along = float(self._chance.uniform(-0.4, 0.4)) * (high, wide)[side % 2]
        out = (wide, high)[side % 2] / 2 + half + 0.3
        x, y = rotated([[(out, along), (along, out), (-out, along), (along, -out)][side]], other.turn)[0]
        return float(other.x + x), float(other.y + y), other.turn


def _between(start: Place, end: Place, share: float) -> Place:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _box(middle: Place, size: tuple[float, float]) -> Points:
    """The corners (4, 2) of an upright box, mm."""
    corners: Points = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2 + np.array(middle)
    return corners


def _size(thing: PrintedThing | PlacedCard | PlacedDie) -> tuple[float, float]:
    """Width and height, mm, as it is read."""
    match thing:
        case PlacedDie(size_mm=side):
            return side, side
        case PlacedCard(width_mm=wide, height_mm=high):
            return wide, high
        case PrintedThing(width=wide, height=high):
            return wide, high


def _cutout_of(thing: PlacedCard | PlacedDie) -> Float32Array:
    """Something as it looks in a hand: colour in white light times cover, and cover, (h, w, 4)."""
    wide, high = (max(4, round(side * _CUTOUT)) for side in _size(thing))
    cover = np.ones((high, wide), np.float32)
    if isinstance(thing, PlacedDie):
        colour = np.ones((high, wide, 3), np.float32) * linear(thing.body)
    else:
        colour = linear(cv2.resize(thing.face, (wide, high), interpolation=cv2.INTER_AREA))
        rounded = max(1, round(thing.corner_mm * _CUTOUT))
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * rounded + 1, 2 * rounded + 1))
        framed = cv2.copyMakeBorder(cover, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        cover = np.asarray(cv2.morphologyEx(framed, cv2.MORPH_OPEN, disc), np.float32)[1:-1, 1:-1]
    return np.asarray(np.dstack([colour * cover[..., None], cover]), np.float32)
