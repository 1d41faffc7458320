"""Tables that nobody has seen, with our printed dice and coins on them: what their reader is measured on.

The sides come out of the PDF that is printed; everything else is drawn by chance from a seed: where things lie,
what the table is covered with, the light, the lens, how the stickers were stuck on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.mats import MATS, Mat
from loomtable.engine.kernel.ring_codes import DICE_NUMBERS, RingMark
from loomtable.printkit.components.coin_token import COIN, draw_coin_side
from loomtable.printkit.components.dice_mat import draw_mat
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.weave.weave_die import EDGE, STICKER, draw_weave_side
from loomtable.printkit.raster import card_faces, picture_of
from loomtable.testing.virtual.lens import Points, VirtualCamera, rotated
from loomtable.testing.virtual.light import Glare, Light
from loomtable.testing.virtual.placed_card import PlacedCard
from loomtable.testing.virtual.printed_die import PrintedDie
from loomtable.testing.virtual.scatter import DICE_COLOURS, any_light
from loomtable.testing.virtual.scene import Scene, light_of
from loomtable.testing.virtual.sensor import automatic_gain, develop
from loomtable.testing.virtual.surfaces import any_surface
from loomtable.vision.pictures import BgrImage

_DPI = 260
_PAPER_WHITE = (240, 238, 232)


@dataclass(frozen=True)
class Lying:
    """One thing on the table, as it truly lies."""

    mark: RingMark
    polygon: tuple[tuple[float, float], ...]
    """Corners of the side that lies up, in pixels."""

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle in pixels."""
        xs, ys = zip(*self.polygon, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    @property
    def pixels(self) -> float:
        """The root of its area in pixels: the side of a square of that area."""
        points = self.polygon
        around = zip(points, (*points[1:], points[0]), strict=True)
        return float(abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in around)) / 2) ** 0.5


@dataclass(frozen=True, eq=False)
class Tray:
    """A photograph of printed dice and coins, and the truth."""

    picture: BgrImage
    lying: tuple[Lying, ...]
    ground: str
    """``mat``, ``wood``, ``felt``, ``linen``, or ``cards`` that lie about."""
    tilt: float
    style: Style


@lru_cache(maxsize=256)
def side_picture(mark: RingMark, edge: float, style: Style) -> BgrImage:
    """A side of a Weave die as it is printed for an edge of ``edge`` mm."""
    return picture_of(lambda pen: draw_weave_side(pen, mark, edge), edge, edge, _DPI, style)


@lru_cache(maxsize=8)
def coin_picture(face: Face, style: Style) -> BgrImage:
    """A side of a coin."""
    return picture_of(lambda pen: draw_coin_side(pen, face), COIN.width, COIN.height, _DPI, style)


@lru_cache(maxsize=6)
def mat_picture(mat: Mat, style: Style) -> BgrImage:
    """The dice mat."""
    return picture_of(lambda pen: draw_mat(pen, mat), mat.width, mat.height, 160, style)


@lru_cache(maxsize=1)
def _cards() -> tuple[BgrImage, ...]:
    return tuple(card_faces("story-cards", 110).values())


def make_tray(seed: int, *, mat: bool) -> Tray:
    """Three to six Weave dice (or one to three coins) on a table by chance, photographed."""
    rng = np.random.default_rng([seed, 71, int(mat)])
    style = (Style.COLOUR, Style.COLOUR, Style.COLOUR, Style.LOW_INK, Style.GREY)[int(rng.integers(5))]
    with_coins = bool(rng.random() < 0.25)
    camera = _camera(rng, mat)
    count = int(rng.integers(1, 4) if with_coins else rng.integers(3, 7))
    spots = _spots(rng, camera, count, 25.6 if with_coins else 18.4)
    dice: list[tuple[PrintedDie, RingMark]] = []
    tokens: list[tuple[PlacedCard, RingMark]] = []
    if with_coins:
        tokens = [_coin(rng, spot, style) for spot in spots]
    else:
        dice = _dice(rng, spots, style)
    ground = (_laid_mat(rng, style),) if mat else _clutter(rng) if rng.random() < 0.4 else ()
    surface = any_surface(rng)
    scene = Scene(surface, (*ground, *(token for token, _ in tokens)), tuple(die for die, _ in dice), _light(rng))
    picture = _taken(scene, camera, rng)
    lying = [Lying(mark, _corners(die.top_face(camera))) for die, mark in dice]
    lying += [Lying(mark, _corners(token.polygon(camera))) for token, mark in tokens]
    called = "mat" if mat else "cards" if ground else surface.cover
    return Tray(picture, tuple(lying), called, camera.tilt, style)


def _taken(scene: Scene, camera: VirtualCamera, rng: np.random.Generator) -> BgrImage:
    """The picture, exposed so that white paper comes out between dim and half a stop burnt out."""
    light = light_of(scene, camera)
    white = scene.light.strength + scene.light.sky
    meant = float(rng.uniform(0.45, 1.4))
    stops = math.log2(meant / (white * automatic_gain(light)))
    return develop(light, replace(camera, exposure=stops), rng)


def _camera(rng: np.random.Generator, mat: bool) -> VirtualCamera:
    """A webcam as people have them; with a mat it stands far enough away to see all of it."""
    leaning = float(rng.uniform(0, 45))
    view = float(rng.uniform(55, 72))
    wide = float(rng.uniform(330, 520) if mat else rng.uniform(200, 650))
    # The slant distance gives the picture's width on the table; leaning, the lens stands lower.
    slant = wide / 2 / math.tan(math.radians(view / 2)) * (1 + 0.25 * math.sin(math.radians(leaning)) * mat)
    return VirtualCamera(
        height=slant * math.cos(math.radians(leaning)),
        tilt=leaning,
        roll=float(rng.uniform(-6, 6)),
        field_of_view=view,
        blur=float(rng.uniform(0.6, 1.2)),
        motion=float(rng.choice([0, 0, 0, 2])),
        noise=float(rng.uniform(0.5, 2.5)),
        warmth=float(rng.uniform(-0.4, 0.7)),
        sharpening=float(rng.uniform(0.2, 0.8)),
        jpeg_quality=int(rng.integers(72, 93)),
    )


def _light(rng: np.random.Generator) -> Light:
    light = any_light(rng)
    if rng.random() < 0.2:
        glare = Glare(*(float(v) for v in rng.uniform(-90, 90, 2)), 50.0, float(rng.uniform(0.1, 0.5)))
        return replace(light, glare=glare)
    return light


def _spots(
    rng: np.random.Generator, camera: VirtualCamera, count: int, side: float
) -> list[tuple[float, float, float]]:
    """Places and turns that keep things apart and in the picture; now and then two of them touch."""
    spots: list[tuple[float, float, float]] = []
    while len(spots) < count:
        if spots and rng.random() < 0.25:
            x0, y0, turn = spots[-1]
            dx, dy = rotated([[float(rng.choice([-1, 1])) * side, float(rng.uniform(-6, 6))]], turn)[0]
            x, y = x0 + float(dx), y0 + float(dy)
        else:
            away, turn = 72 * float(np.sqrt(rng.random())), float(rng.uniform(0, 360))
            dx, dy = rotated([[away, 0]], float(rng.uniform(0, 360)))[0]
            x, y = float(dx), float(dy)
        others = spots[:-1] if spots and math.hypot(x - spots[-1][0], y - spots[-1][1]) < 1.4 * side else spots
        touching = len(others) < len(spots)
        if touching and abs(turn - spots[-1][2]) > 0.01:
            continue
        if any(math.hypot(x - a, y - b) < 1.5 * side for a, b, _ in others):
            continue
        box = np.array([[x + u * 14, y + v * 14, z] for u in (-1, 1) for v in (-1, 1) for z in (0, 18)])
        if camera.shows(camera.project(box)):
            spots.append((x, y, turn))
    return spots


def _dice(
    rng: np.random.Generator, spots: Sequence[tuple[float, float, float]], style: Style
) -> list[tuple[PrintedDie, RingMark]]:
    """One set of dice: all with stickers on plastic, or all of paper."""
    paper = bool(rng.random() < 0.4)
    body = _PAPER_WHITE if paper else DICE_COLOURS[int(rng.integers(len(DICE_COLOURS)))][0]
    gloss = 0.05 if paper else float(rng.uniform(0.1, 0.5))
    first = int(rng.integers(DICE_NUMBERS))
    made = []
    for at, (x, y, turn) in enumerate(spots):
        number, value = (first + at) % DICE_NUMBERS + 1, int(rng.integers(1, 7))
        marks = [RingMark(Die.WEAVE, number, face) for face in Die.WEAVE.faces]
        edge = EDGE if paper else STICKER.width
        quarter = rng.integers(0, 4, 6) * 90.0
        loose = (1.0, 0.15) if paper else (5.0, 0.4)
        askew = tuple(
            (float(q + rng.uniform(-loose[0], loose[0])), *(float(v) for v in rng.uniform(-loose[1], loose[1], 2)))
            for q in quarter
        )
        die = PrintedDie(
            value=value,
            x=x,
            y=y,
            turn=turn,
            size_mm=EDGE if paper else 16.0,
            body=body,
            edge_mm=0.35 if paper else 0.9,
            corner=0.0 if paper else 0.5,
            gloss=gloss,
            sides=tuple(side_picture(mark, edge, style) for mark in marks),
            side_mm=edge,
            corner_mm=0.1 if paper else 1.6,
            askew=askew,
        )
        made.append((die, marks[value - 1]))
    return made


def _coin(rng: np.random.Generator, spot: tuple[float, float, float], style: Style) -> tuple[PlacedCard, RingMark]:
    face = Die.COIN.faces[int(rng.integers(2))]
    x, y, turn = spot
    token = PlacedCard(
        coin_picture(face, style),
        x,
        y,
        turn,
        COIN.width,
        COIN.height,
        corner_mm=COIN.width / 2 - 0.01,
        thickness_mm=float(rng.uniform(0.4, 2.0)),
        curl_mm=0.05,
        shine=float(rng.uniform(0.1, 0.8)),
    )
    return token, RingMark(Die.COIN, 1, face)


def _laid_mat(rng: np.random.Generator, style: Style) -> PlacedCard:
    mat = MATS["A4"]
    x, y = (float(v) for v in rng.uniform(-8, 8, 2))
    turn = float(rng.uniform(-8, 8)) + float(rng.choice([0, 0, 0, 180]))
    face = mat_picture(mat, style)
    return PlacedCard(face, x, y, turn, mat.width, mat.height, corner_mm=0.5, curl_mm=0.3, shine=0.2)


def _clutter(rng: np.random.Generator) -> tuple[PlacedCard, ...]:
    """Cards strewn about and under the dice, as a table in the middle of a game has them."""
    cards = _cards()
    return tuple(
        PlacedCard(
            cards[int(rng.integers(len(cards)))],
            float(rng.uniform(-150, 150)),
            float(rng.uniform(-100, 100)),
            float(rng.uniform(0, 360)),
        )
        for _ in range(int(rng.integers(2, 7)))
    )


def _corners(points: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)
