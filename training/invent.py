"""Scenes made up from a seed alone, so that one number stands for one picture.

What is drawn follows the rolls people make and the sets of dice they own. Where a range matters to what is learned
from the pictures, it is wide: readers can only be as good as the worst that they were shown. With other typefaces
installed the same seed gives other numerals, and nothing else changes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.dice.layouts import layouts, marks_of
from loomtable.vision.dice.solids import solid
from training.glyphs import PIP_STYLES, TURNABLE
from training.scenes import Camera, Colour, LaidDie, Lamp, Make, Mark, Optics, Scene, Table, Thing

MIXES: tuple[tuple[float, tuple[str, ...]], ...] = (
    (0.44, ("d6",)),
    (0.24, ("d10",)),
    (0.06, ("d10", "d100")),
    (0.08, ("d6", "d10")),
    (0.18, ("d4", "d6_numeral", "d8", "d10", "d100", "d12", "d20")),
)
"""How often a scene holds which kinds: the rolls people make, and sets of dice nobody asked for."""
HELD_UPRIGHT = np.pi / 2 - 0.6
"""Radians above the table below which cameras are held upright."""


def make_scene(
    seed: int,
    *,
    typefaces: int,
    size: tuple[int, int] = (640, 480),
    kinds: tuple[str, ...] = (),
    elevations: tuple[float, float] | None = None,
    tray: bool = False,
) -> Scene:
    """The scene of a seed; ``typefaces`` is how many the atlas has, ``size`` the picture's width and height.

    ``kinds`` are those of its dice; where there are none, the seed chooses one of ``MIXES``. The camera stands
    between two ``elevations``, degrees above the table, all as likely; without, as people hold cameras. In a
    ``tray`` the dice lie between walls, under a wide camera that hangs over it, turned in any way.
    """
    rng = np.random.default_rng([seed, 2026])
    shares = np.array([share for share, _ in MIXES])
    mixed = MIXES[int(rng.choice(len(MIXES), p=shares / shares.sum()))][1]
    count = int(rng.choice([1, 2, 3, 4, 5, 6, 8], p=[0.2, 0.14, 0.2, 0.14, 0.14, 0.1, 0.08]))
    alike = rng.random() < 0.45
    base = _looks(rng)
    dice: list[LaidDie] = []
    across = float(np.exp(rng.uniform(np.log(10), np.log(22))))
    crowd = float(rng.choice([1.0, 1.6, 3.0])) * across * max(count, 2) ** 0.5
    for _ in range(count):
        kind = (kinds or mixed)[int(rng.integers(len(kinds or mixed)))]
        looks = base if alike else _looks(rng)
        laid = _lay(kind, across * float(rng.uniform(0.93, 1.07)), looks, dice, crowd, typefaces, rng)
        if laid is not None:
            dice.append(laid)
    camera = _camera(dice, across, size, rng)
    if elevations is not None:
        camera = _elevated(camera, elevations, np.random.default_rng([seed, 90]))
    lamps, ambient = _light(rng)
    things = _clutter(dice, across, crowd, rng)
    if tray:
        dice, things, camera = _in_tray(dice, across, size, np.random.default_rng([seed, 91]))
    return Scene(seed, tuple(dice), things, lamps, ambient, camera, _table(rng), _film(across, camera, rng))


def _colour(rng: np.random.Generator, low: float = 0.0, high: float = 1.0) -> Colour:
    """A paint: hue at random, often pale, dark or grey."""
    hue, strength = rng.random(), rng.choice([0.0, 0.3, 0.8, 0.97], p=[0.2, 0.15, 0.3, 0.35]) * rng.uniform(0.7, 1)
    value = float(np.clip(rng.choice([0.02, 0.12, 0.35, 0.62]) * rng.uniform(0.6, 1.25), low, high))
    wheel = np.clip(np.abs((hue * 6 + np.array([0, 4, 2])) % 6 - 3) - 1, 0, 1)
    red, green, blue = value * (1 - strength + strength * wheel)
    return float(red), float(green), float(blue)


def _lightness(colour: Colour) -> float:
    return 0.25 * colour[0] + 0.65 * colour[1] + 0.1 * colour[2]


@dataclass(frozen=True)
class _Make(Make):
    """Looks before their style and size are brought to a kind of die, and how its faces are numbered."""

    marked: str
    upside_down: bool


def _looks(rng: np.random.Generator) -> _Make:
    """How the dice of one maker look."""
    body = _colour(rng)
    if rng.random() < 0.25:
        body = (0.66, 0.65, 0.61) if rng.random() < 0.7 else (0.02, 0.02, 0.02)
    ink = _colour(rng)
    for _ in range(60):
        if abs(_lightness(ink) ** 0.45 - _lightness(body) ** 0.45) > rng.uniform(0.3, 0.65):
            break
        ink = _colour(rng) if rng.random() < 0.4 else ((0.7,) * 3 if rng.random() < 0.5 else (0.015,) * 3)
    red_one = rng.random() < 0.08
    tumbled = rng.random() < 0.5
    metal = 1.0 if rng.random() < 0.06 else 0.0
    return _Make(
        body=body,
        second=_colour(rng),
        swirl=float(rng.choice([0, 0, 0.4, 1.0]) * rng.uniform(0.3, 1)),
        grain=float(np.exp(rng.uniform(np.log(0.08), np.log(1.2)))),
        ink=ink,
        ink_of_one=(0.6, 0.02, 0.02) if red_one else ink,
        depth=float(rng.uniform(0, 1)),
        gloss=float(rng.uniform(0, 1)),
        metal=metal,
        clear=0.0 if metal or rng.random() < 0.75 else float(rng.uniform(0.3, 0.95)),
        rounding=float(rng.uniform(0.0, 1) ** 1.5),
        ball=float(rng.uniform(1.2, 1.5)) if tumbled else 9.0,
        style=int(rng.integers(1 << 30)),
        size=float(rng.uniform(0, 1)),
        weight=float(rng.normal(0, 0.02)),
        marked=str(rng.choice(["bar", "dot", "plain"], p=[0.55, 0.3, 0.15])),
        upside_down=bool(rng.random() < 0.08),
        lean=float(rng.choice(np.arange(43.5, 49.6, 0.5))),
    )


def _lay(
    kind: str,
    across: float,
    looks: _Make,
    dice: list[LaidDie],
    crowd: float,
    typefaces: int,
    rng: np.random.Generator,
) -> LaidDie | None:
    """One more die beside those that lie there; nothing where no free place was found."""
    shape = solid(kind, looks.lean)
    inner = across / 2 * {"d4": 0.55, "d20": 1.15, "d12": 1.08}.get(kind, 1.0)
    face = int(rng.integers(len(shape.faces)))
    up = shape.faces[face].normal if kind != "d4" else -shape.faces[face].normal
    turn = _about_z(float(rng.uniform(0, 2 * np.pi))) @ _bring_up(up)
    cocked = bool(rng.random() < 0.025)
    if cocked:
        turn = _about_x(float(np.radians(rng.uniform(14, 38)))) @ turn
    # Blunt corners do not reach as deep as sharp ones, but a die at rest lies on its faces either way.
    low = float((shape.corners @ turn.T)[:, 2].min())
    reach = min(shape.reach, looks.ball) * inner
    for _ in range(40):
        place = np.array([*rng.uniform(-crowd, crowd, 2), -low * inner])
        near = [np.linalg.norm(place[:2] - other.place[:2]) - 0.78 * _reach(other) for other in dice]
        if all(gap > 0.78 * reach for gap in near):
            break
    else:
        return None
    marks = _marks(kind, looks, rng)
    pips = kind == "d6"
    readable = kind != "d4" and not cocked
    if pips:
        style, size = looks.style % PIP_STYLES, float(np.interp(looks.size, [0, 1], [0.82, 1.02]))
    else:
        style, size = looks.style % typefaces, float(np.interp(looks.size, [0, 1], [0.72, 1.12]))
    seen = {field.name: getattr(looks, field.name) for field in fields(Make)} | {
        "style": style,
        "size": size,
        "ball": looks.ball if kind in ("d6", "d6_numeral") else 9.0,
        "ink_of_one": looks.ink_of_one if pips else looks.ink,
    }
    return LaidDie(
        **seen,
        kind=kind,
        value=int(marks[face].text) if readable else None,
        inner=inner,
        turn=turn,
        place=place,
        up_face=face,
        marks=marks,
        cocked=cocked,
    )


def _reach(die: LaidDie) -> float:
    return min(die.solid.reach, die.ball) * die.inner


def _marks(kind: str, looks: _Make, rng: np.random.Generator) -> tuple[Mark, ...]:
    """Numbers on the faces: as on a layout that is known; of other kinds opposite faces add up as makers have it,
    the rest by chance."""
    normals = solid(kind, looks.lean).normals
    faces = len(normals)
    numbers = np.zeros(faces, int)
    if kind == "d4":
        numbers = np.arange(1, 5)
    else:
        low = 0 if kind in ("d10", "d100") else 1
        pairs = [(k, int(np.argmin(normals @ normals[k]))) for k in range(faces)]
        values = rng.permutation(faces // 2)
        first = [k for k, other in pairs if k < other]
        for value, k in zip(values, first, strict=True):
            one, two = value + low, faces - 1 + 2 * low - (value + low)
            if rng.random() < 0.5:
                one, two = two, one
            numbers[k], numbers[pairs[k][1]] = one, two
    turns = np.zeros(faces, int)
    known = [layout for layout in layouts() if layout.kind == kind]
    if known:
        numbers, turns = marks_of(known[int(numbers[0]) % len(known)]).T
        numbers = np.array(known[0].kind.numbers)[numbers] // (10 if kind == "d100" else 1)
    marks = []
    for number, up in zip(numbers, turns, strict=True):
        text = "00" if kind == "d100" and number == 0 else str(number * 10 if kind == "d100" else number)
        style = "pips" if kind == "d6" else (looks.marked if text in TURNABLE else "plain")
        if style != "pips" and text in ("16", "19") and rng.random() < 0.6:
            style = "plain"
        turn = float(np.pi / 2 * rng.integers(4)) if kind in ("d6", "d6_numeral") else -2 * np.pi / 3 * float(up)
        if kind == "d100" and looks.upside_down:
            turn = float(np.pi)
        if kind == "d12":
            turn = float(2 * np.pi / 5 * rng.integers(5)) + (np.pi if looks.upside_down else 0)
        marks.append(Mark(text, style, turn))
    return tuple(marks)


def _bring_up(normal: Float64Array) -> Float64Array:
    """The rotation that brings a unit vector to +z."""
    z = np.array([0.0, 0.0, 1.0])
    axis = np.cross(normal, z)
    sine, cosine = float(np.linalg.norm(axis)), float(normal @ z)
    if sine < 1e-9:
        return np.eye(3) if cosine > 0 else np.diag([1.0, -1.0, -1.0])
    x, y, w = axis / sine
    cross = np.array([[0, -w, y], [w, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + sine * cross + (1 - cosine) * cross @ cross)


def _about_z(angle: float) -> Float64Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _about_x(angle: float) -> Float64Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])


def _camera(dice: list[LaidDie], across: float, size: tuple[int, int], rng: np.random.Generator) -> Camera:
    """Looks at the dice from above, aslant or from afar, so that a die is 14 to 250 pixels across."""
    width, height = size
    focal = float(rng.uniform(0.7, 1.6))
    middle = np.mean([die.place for die in dice], axis=0) if dice else np.zeros(3)
    spread = max((float(np.linalg.norm(die.place - middle)) for die in dice), default=0.0) + across
    pixels = float(np.exp(rng.uniform(*np.log((30, 170) if rng.random() < 0.85 else (20, 260)))))
    # Most rolls are in the picture as a whole; some are cut by its edge.
    room = float(rng.choice([0.45, 0.7], p=[0.85, 0.15])) * height
    pixels = max(min(pixels, room * across / spread), 22.0)
    distance = across * focal * width / pixels
    tilt = float(np.radians(abs(rng.normal(0, 27)) if rng.random() < 0.8 else rng.uniform(35, 62)))
    tilt = min(tilt, np.radians(65))
    around = float(rng.uniform(0, 2 * np.pi))
    view = distance * width / (focal * width)
    target = np.array([middle[0], middle[1], 0]) + np.array([*rng.normal(0, 0.06 * view, 2), 0])
    away = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    # Seen much aslant, what lies up is told by the picture's own up, as people hold cameras.
    held = rng.random() < 0.7 or tilt > np.pi / 2 - HELD_UPRIGHT
    roll = float(rng.normal(0, 0.12)) if held else float(rng.uniform(-np.pi, np.pi))
    return Camera(target + distance * away, target, roll, focal, width, height)


def _elevated(camera: Camera, elevations: tuple[float, float], rng: np.random.Generator) -> Camera:
    """The camera, as far away, at an elevation of this range; one that is much aslant is held upright."""
    elevation, around = np.radians(rng.uniform(*elevations)), rng.uniform(0, 2 * np.pi)
    level = np.cos(elevation)
    away = np.array([level * np.cos(around), level * np.sin(around), np.sin(elevation)])
    distance = float(np.linalg.norm(camera.eye - camera.target))
    held = elevation < HELD_UPRIGHT or rng.random() < 0.7
    roll = float(rng.normal(0, 0.12)) if held else float(rng.uniform(-np.pi, np.pi))
    return replace(camera, eye=camera.target + distance * away, roll=roll)


def _in_tray(
    dice: list[LaidDie], across: float, size: tuple[int, int], rng: np.random.Generator
) -> tuple[list[LaidDie], tuple[Thing, ...], Camera]:
    """The dice all over a tray, most of them near its walls, and a camera with a wide lens over it."""
    width, height = size
    longer, quarters = max(size), int(rng.integers(4))
    half = float(rng.uniform(60, 150)) * np.array(size if quarters % 2 == 0 else size[::-1]) / longer
    laid: list[LaidDie] = []
    for die in dice:
        for _ in range(40):
            near = rng.uniform(0, 1, 2) ** np.where(rng.permutation(2) == 0, 0.25, 1.0)
            place = near * rng.choice([-1, 1], 2) * (half - 0.8 * across)
            gaps = (np.linalg.norm(place - other.place[:2]) / (_reach(die) + _reach(other)) for other in laid)
            if all(gap > 0.8 for gap in gaps):
                laid.append(replace(die, place=np.array([*place, die.place[2]])))
                break
    tall, thick, colour = across * rng.uniform(0.7, 2.5), float(rng.uniform(2, 8)), _colour(rng)
    walls = []
    for way, side in ((0, -1), (0, 1), (1, -1), (1, 1)):
        at, reach = np.zeros(3), np.array([*(half + 2 * thick), tall / 2])
        at[way], at[2], reach[way] = side * (half[way] + thick), tall / 2, thick
        walls.append(Thing(False, at, reach, 1.0, 0.0, colour))
    # Makers give a lens's field of view across the diagonal.
    focal = 0.5 / float(np.tan(np.radians(rng.uniform(65, 110)) / 2)) * float(np.hypot(width, height)) / width
    above = focal * width * 2 * float(half.max()) / longer * float(rng.uniform(0.9, 1.2))
    tilt, around = np.radians(min(abs(rng.normal(0, 9)), 24)), rng.uniform(0, 2 * np.pi)
    away = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    roll = float(around + (1 + quarters) * np.pi / 2 + rng.normal(0, 0.1))
    target = np.array([*rng.normal(0, 0.06, 2) * half, 0.0])
    return laid, tuple(walls), Camera(target + above * away, target, roll, focal, width, height)


def _light(rng: np.random.Generator) -> tuple[tuple[Lamp, ...], Colour]:
    lamps = []
    total = float(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))
    for _ in range(int(total)):
        high, around = np.radians(rng.uniform(22, 88)), rng.uniform(0, 2 * np.pi)
        towards = np.array([np.cos(high) * np.cos(around), np.cos(high) * np.sin(around), np.sin(high)])
        warm = rng.normal(0, 0.12)
        strength = rng.uniform(0.5, 1.5) / total
        colour = (strength * (1 + warm), strength, strength * (1 - 1.3 * warm))
        lamps.append(Lamp(towards, colour, float(np.exp(rng.uniform(np.log(0.015), np.log(0.45))))))
    warm, strength = rng.normal(0, 0.1), rng.uniform(0.15, 1.0)
    return tuple(lamps), (float(strength * (1 + warm)), float(strength), float(strength * (1 - 1.2 * warm)))


def _clutter(dice: list[LaidDie], across: float, crowd: float, rng: np.random.Generator) -> tuple[Thing, ...]:
    """Fingers, pens, boxes and tray walls at the edge of the roll, never over a die's middle."""
    things: list[Thing] = []
    for _ in range(int(rng.choice([0, 0, 1, 2, 4]))):
        around, far = rng.uniform(0, 2 * np.pi), crowd * rng.uniform(1.1, 2.2) + across
        at = np.array([far * np.cos(around), far * np.sin(around), 0])
        colour = _colour(rng)
        if rng.random() < 0.5:
            skin = rng.uniform(0.15, 0.75)
            colour = (skin, skin * 0.62, skin * 0.46) if rng.random() < 0.6 else colour
            along = at + rng.normal(0, 40, 3) * [1, 1, 0.2]
            radius = float(rng.uniform(2.5, 9))
            at[2], along[2] = radius + abs(rng.normal(0, 6)), radius + abs(along[2])
            if _clear_of(dice, at, along, radius + across):
                things.append(Thing(True, at, along, radius, 0.0, colour))
        else:
            half = np.array([rng.uniform(4, 60), rng.uniform(4, 40), rng.uniform(0.5, 14)])
            at = at * (1 + half[:2].max() / far)
            at[2] = half[2]
            things.append(Thing(False, at, half, float(rng.uniform(0.2, 2)), float(rng.uniform(0, 3.2)), colour))
    return tuple(things)


def _clear_of(dice: list[LaidDie], start: Float64Array, end: Float64Array, gap: float) -> bool:
    along = end - start
    length = max(float(along @ along), 1e-9)
    for die in dice:
        share = np.clip((die.place - start) @ along / length, 0, 1)
        if np.linalg.norm((start + share * along - die.place)[:2]) < gap:
            return False
    return True


def _table(rng: np.random.Generator) -> Table:
    covers = ["wood", "felt", "linen", "plain", "board", "page", "picture"]
    cover = str(rng.choice(covers, p=[0.16, 0.14, 0.1, 0.16, 0.14, 0.06, 0.24]))
    return Table(
        cover,
        int(rng.integers(1 << 30)),
        float(np.exp(rng.uniform(np.log(150), np.log(700)))),
        float(rng.uniform(0, 2 * np.pi)),
        float(rng.choice([0, 0.3, 1.0]) * rng.random()) if cover not in ("felt", "linen") else 0.0,
    )


def _film(across: float, camera: Camera, rng: np.random.Generator) -> Optics:
    """A lens and sensor that spoil the picture, but seldom so far that a person could not read the dice."""
    distance = float(np.linalg.norm(camera.eye - camera.target))
    side = across * camera.focal * camera.width / distance
    smaller = float(rng.choice([1, 1, 1, 0.75, 0.5])) if side > 60 else 1.0
    most = (0.028 if rng.random() < 0.9 else 0.06) * side * smaller
    return Optics(
        blur=float(min(abs(rng.normal(0, 0.8)) + 0.25, max(most, 0.3))),
        motion=float(rng.choice([0, 0.06], p=[0.8, 0.2]) * rng.random() * side * smaller),
        noise=float(rng.choice([0.3, 1, 3]) * rng.random()),
        exposure=float(rng.normal(-0.15, 0.35)),
        warmth=float(rng.normal(0, 0.7)),
        vignetting=float(rng.uniform(0, 0.5)),
        sharpening=float(rng.choice([0, 0.5, 1.2]) * rng.random()),
        jpeg_quality=int(rng.integers(45, 97)),
        grey=bool(rng.random() < 0.06),
        smaller=smaller,
    )
