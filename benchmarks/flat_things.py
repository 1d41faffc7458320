"""Flat things that lie on a table by chance, with no die among them: ``python -m benchmarks.seen flat`` counts how
often the dice reader takes them for dice.

Buttons, counters, tokens, dominoes, cards, tiles, sockets, biscuits, ladybirds, bricks and score sheets
are photographed by the virtual camera.

Last: in ``models/README.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from loomtable.testing.virtual import PlacedCard, Scene, VirtualCamera, any_light, any_surface, photograph
from loomtable.testing.virtual.pip_layouts import LAYOUTS
from loomtable.vision.pictures import BgrImage

_PER_MM = 12
"""Pixels a millimetre at which things are drawn."""
Colour = tuple[int, int, int]


def _colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Ground and print, far enough apart to be seen."""
    while True:
        ground, ink = rng.integers(0, 256, (2, 3))
        if rng.random() < 0.4:
            ground = np.full(3, rng.choice([20, 235])) + rng.integers(-15, 16, 3)
        if abs(float(ground.mean() - ink.mean())) > 70:
            break
    return (int(ground[0]), int(ground[1]), int(ground[2])), (int(ink[0]), int(ink[1]), int(ink[2]))


def _blank(width: float, height: float, ground: Colour) -> BgrImage:
    return np.full((round(height * _PER_MM), round(width * _PER_MM), 3), ground, np.uint8)


def _disc(face: BgrImage, x: float, y: float, radius: float, colour: Colour, thickness: int = -1) -> None:
    """A disc on a face; lengths in millimetres."""
    centre = round(x * _PER_MM), round(y * _PER_MM)
    cv2.circle(face, centre, round(radius * _PER_MM), colour, thickness, cv2.LINE_AA)


def _print(
    face: BgrImage, text: str, x: float, y: float, height: float, ink: Colour, rng: np.random.Generator
) -> None:
    """Print about a middle; lengths in millimetres."""
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    scale = height * _PER_MM / 22
    thick = max(1, round(scale * float(rng.uniform(1.0, 3.0))))
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    at = round(x * _PER_MM - wide / 2), round(y * _PER_MM + high / 2)
    cv2.putText(face, text, at, font, scale, ink, thick, cv2.LINE_AA)


def _pips(face: BgrImage, value: int, x: float, y: float, side: float, ink: Colour, size: float) -> None:
    for down, across in LAYOUTS.get(value, ()):
        _disc(face, x + 0.27 * side * across, y + 0.27 * side * down, size * side, ink)


def button(rng: np.random.Generator) -> PlacedCard:
    """A button with two holes or four, through which something dark is seen."""
    across = float(rng.uniform(11, 26))
    ground, hole = _colours(rng)
    face = _blank(across, across, ground)
    _disc(face, across / 2, across / 2, across * 0.38, tuple(int(0.85 * c) for c in ground), round(0.8 * _PER_MM))  # type: ignore[arg-type]
    out, radius, turn = across * rng.uniform(0.1, 0.17), across * rng.uniform(0.045, 0.08), rng.uniform(0, np.pi)
    for k in range(count := int(rng.choice([2, 4], p=[0.35, 0.65]))):
        angle = turn + 2 * np.pi * k / count
        _disc(face, across / 2 + out * np.cos(angle), across / 2 + out * np.sin(angle), radius, hole)
    return PlacedCard(face, width_mm=across, height_mm=across, corner_mm=across / 2 - 0.01, thickness_mm=2.0)


def counter(rng: np.random.Generator) -> PlacedCard:
    """A plain counter, one with a spot, or one with rings."""
    across = float(rng.uniform(12, 30))
    ground, ink = _colours(rng)
    face = _blank(across, across, ground)
    for _ in range(int(rng.integers(0, 3))):
        line = -1 if rng.random() < 0.4 else round(rng.uniform(0.3, 1.5) * _PER_MM)
        _disc(face, across / 2, across / 2, across * rng.uniform(0.08, 0.42), ink, line)
    round_ = across / 2 - 0.01 if rng.random() < 0.7 else across * 0.1
    return PlacedCard(face, width_mm=across, height_mm=across, corner_mm=round_, thickness_mm=rng.uniform(0.5, 3))


def token(rng: np.random.Generator) -> PlacedCard:
    """A round or square token with a number of one digit or two."""
    across = float(rng.uniform(12, 26))
    ground, ink = _colours(rng)
    face = _blank(across, across, ground)
    _print(face, str(rng.integers(0, 21)), across / 2, across / 2, across * rng.uniform(0.3, 0.6), ink, rng)
    round_ = across / 2 - 0.01 if rng.random() < 0.6 else across * 0.12
    return PlacedCard(face, width_mm=across, height_mm=across, corner_mm=round_, thickness_mm=rng.uniform(0.5, 3))


def domino(rng: np.random.Generator) -> PlacedCard:
    """A domino, half as wide as long."""
    side = float(rng.uniform(12, 26))
    ground, ink = _colours(rng)
    face = _blank(side, 2 * side, ground)
    middle = round(side * _PER_MM)
    cv2.line(face, (round(0.1 * middle), middle), (round(0.9 * middle), middle), ink, max(2, round(0.4 * _PER_MM)))
    for half in (0.5, 1.5):
        _pips(face, int(rng.integers(0, 7)), side / 2, half * side, side, ink, float(rng.uniform(0.07, 0.11)))
    return PlacedCard(face, width_mm=side, height_mm=2 * side, corner_mm=0.06 * side, thickness_mm=4.0)


def card(rng: np.random.Generator) -> PlacedCard:
    """A card with up to six pips of a suit, as on a small playing card."""
    width = float(rng.uniform(16, 44))
    height = width * float(rng.uniform(1.25, 1.6))
    ground: Colour = (int(rng.integers(225, 256)),) * 3
    ink: Colour = (20, 20, 20) if rng.random() < 0.5 else (190, 20, 30)
    face, size = _blank(width, height, ground), width * float(rng.uniform(0.05, 0.1))
    for down, across in LAYOUTS[int(rng.integers(1, 7))]:
        x, y = width / 2 + 0.27 * width * across, height / 2 + 0.27 * height * down
        corners = np.array([[0, -1.3], [1, 0], [0, 1.3], [-1, 0]]) * size + [x, y]
        if rng.random() < 0.7:
            cv2.fillPoly(face, [np.round(corners * _PER_MM).astype(np.int32)], ink, cv2.LINE_AA)
        else:
            _disc(face, x, y, size, ink)
    return PlacedCard(face, width_mm=width, height_mm=height, corner_mm=0.06 * width)


def tile(rng: np.random.Generator) -> PlacedCard:
    """A thin square tile with dots, or with a frame and a sign."""
    side = float(rng.uniform(14, 40))
    ground, ink = _colours(rng)
    face = _blank(side, side, ground)
    if rng.random() < 0.6:
        _pips(face, int(rng.integers(1, 7)), side / 2, side / 2, side, ink, float(rng.uniform(0.05, 0.11)))
    else:
        edge = round(0.1 * side * _PER_MM)
        cv2.rectangle(face, (edge, edge), (len(face) - edge, len(face) - edge), ink, max(2, edge // 6))
        _print(face, str(rng.choice([*"AEKST", "?", "+"])), side / 2, side / 2, 0.4 * side, ink, rng)
    return PlacedCard(face, width_mm=side, height_mm=side, corner_mm=0.05 * side, thickness_mm=rng.uniform(1, 4))


def socket(rng: np.random.Generator) -> PlacedCard:
    """The plate of a socket: a round hollow with two or three holes."""
    side = float(rng.uniform(20, 60))
    ground: Colour = (int(rng.integers(215, 250)),) * 3
    face = _blank(side, side, ground)
    _disc(face, side / 2, side / 2, 0.38 * side, tuple(int(0.9 * c) for c in ground))  # type: ignore[arg-type]
    for x, y in ((-0.15, 0.0), (0.15, 0.0), (0.0, 0.16))[: int(rng.integers(2, 4))]:
        _disc(face, side * (0.5 + x), side * (0.5 + y), 0.05 * side, (40, 40, 40))
    return PlacedCard(face, width_mm=side, height_mm=side, corner_mm=0.08 * side, thickness_mm=5.0)


def biscuit(rng: np.random.Generator) -> PlacedCard:
    """A biscuit with rows of holes."""
    width = float(rng.uniform(18, 50))
    height = width * float(rng.choice([1.0, 1.0, 1.3, 1.6]))
    ground: Colour = (int(rng.integers(205, 235)), int(rng.integers(160, 190)), int(rng.integers(95, 130)))
    face, hole = _blank(width, height, ground), tuple(int(0.62 * c) for c in ground)
    across, down = int(rng.integers(2, 4)), int(rng.integers(2, 5))
    for x in (np.arange(across) + 0.75) / (across + 0.5) * width:
        for y in (np.arange(down) + 0.75) / (down + 0.5) * height:
            _disc(face, x, y, 0.035 * width, hole)  # type: ignore[arg-type]
    return PlacedCard(face, width_mm=width, height_mm=height, corner_mm=0.05 * width, thickness_mm=5.0)


def ladybird(rng: np.random.Generator) -> PlacedCard:
    """A ladybird of wood or sugar: red, with a black head and dots on both wings."""
    width = float(rng.uniform(10, 24))
    face = _blank(width, width, (int(rng.integers(170, 225)), 25, 30))
    _disc(face, width / 2, 0.02 * width, 0.25 * width, (20, 20, 20))
    middle, edge = len(face) // 2, max(2, len(face) // 40)
    cv2.line(face, (middle, 0), (middle, len(face)), (20, 20, 20), edge)
    for y in rng.choice([0.35, 0.55, 0.75], int(rng.integers(1, 4)), replace=False):
        for x in (0.28, 0.72):
            _disc(face, x * width, float(y) * width, 0.08 * width, (20, 20, 20))
    return PlacedCard(face, width_mm=width, height_mm=width, corner_mm=width / 2 - 0.01, thickness_mm=4.0)


def brick(rng: np.random.Generator) -> PlacedCard:
    """A flat building brick with two by two to two by four studs."""
    rows, stud = int(rng.integers(2, 5)), 8.0
    ground: Colour = tuple(int(c) for c in rng.integers(40, 230, 3))  # type: ignore[assignment]
    face = _blank(2 * stud, rows * stud, ground)
    for x in (0.5, 1.5):
        for y in np.arange(rows) + 0.5:
            _disc(face, x * stud + 0.5, y * stud + 0.5, 2.6, tuple(int(0.6 * c) for c in ground))  # type: ignore[arg-type]
            _disc(face, x * stud, y * stud, 2.5, tuple(min(int(1.15 * c + 8), 255) for c in ground))  # type: ignore[arg-type]
    return PlacedCard(face, width_mm=2 * stud, height_mm=rows * stud, corner_mm=0.3, thickness_mm=3.2)


def score_sheet(rng: np.random.Generator) -> PlacedCard:
    """A printed sheet: a grid with numbers, and now and then the faces of dice beside its rows."""
    width, height = float(rng.uniform(70, 150)), float(rng.uniform(90, 160))
    ground: Colour = (int(rng.integers(225, 250)),) * 3
    ink: Colour = tuple(int(c) for c in rng.integers(0, 120, 3))  # type: ignore[assignment]
    face = _blank(width, height, ground)
    cell, icons = float(rng.uniform(9, 18)), rng.random() < 0.4
    for row in range(1, int(height / cell)):
        y = row * cell
        cv2.line(face, (0, round(y * _PER_MM)), (round(width * _PER_MM), round(y * _PER_MM)), ink, 3)
        for column in range(int(width / cell)):
            x = (column + 0.5) * cell
            if column == 0 and icons:
                half = 0.38 * cell
                corners = [(round((x - half) * _PER_MM), round((y + 0.5 * cell - half) * _PER_MM))]
                corners += [(round((x + half) * _PER_MM), round((y + 0.5 * cell + half) * _PER_MM))]
                cv2.rectangle(face, corners[0], corners[1], ink, 4)
                _pips(face, (row - 1) % 6 + 1, x, y + 0.5 * cell, 0.8 * cell, ink, 0.09)
            elif rng.random() < 0.5:
                _print(face, str(rng.integers(1, 31)), x, y + 0.5 * cell, 0.45 * cell, ink, rng)
    return PlacedCard(face, width_mm=width, height_mm=height, corner_mm=0.5, thickness_mm=0.1)


THINGS: dict[str, Callable[[np.random.Generator], PlacedCard]] = {
    "buttons": button,
    "counters": counter,
    "tokens": token,
    "dominoes": domino,
    "cards": card,
    "tiles": tile,
    "sockets": socket,
    "biscuits": biscuit,
    "ladybirds": ladybird,
    "bricks": brick,
    "a score sheet": score_sheet,
}


def make_picture(seed: int) -> tuple[str, int, BgrImage]:
    """What lies in the picture of a seed, how many of it, and the picture."""
    rng = np.random.default_rng([seed, 406])
    name = tuple(THINGS)[seed % len(THINGS)]
    count = 1 if name == "a score sheet" else int(rng.integers(1, 6))
    tilt, away = float(rng.uniform(0, 45)), float(rng.uniform(110, 330))
    camera = VirtualCamera(
        height=away * float(np.cos(np.radians(tilt))),
        tilt=tilt,
        roll=float(rng.uniform(-20, 20)),
        frame=(640, 480),
        blur=float(rng.uniform(0.5, 1.2)),
        noise=float(rng.uniform(0.3, 2)),
    )
    laid: list[PlacedCard] = []
    for _ in range(60):
        if len(laid) == count:
            break
        thing = THINGS[name](rng)
        x, y = away * rng.uniform(-0.35, 0.35), away * rng.uniform(-0.25, 0.25)
        apart = all(
            np.hypot(x - other.x, y - other.y) > 1.1 * (thing.height_mm + other.height_mm) / 2 for other in laid
        )
        if not laid or apart:
            laid.append(
                replace(thing, x=x, y=y, turn=rng.uniform(0, 360), curl_mm=0.02, shine=rng.uniform(0, 0.8))
            )
    scene = Scene(any_surface(rng), tuple(laid), (), any_light(rng))
    return name, len(laid), photograph(scene, camera, seed).picture
