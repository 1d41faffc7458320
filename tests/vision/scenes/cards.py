"""Frames of our own printed cards for measuring how they are read: faces cut from the PDF files that are printed,
laid on a virtual table, and photographed so that a code is seen at a wanted size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.raster import card_faces
from loomtable.table.reading.card_geometry import code_corners
from loomtable.testing.virtual import Glare, PlacedCard, Scene, VirtualCamera, any_light, any_surface, photograph
from loomtable.vision.code_reading import MODULES
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import Quad, quad_side

DECKS = ("story-cards", "challenge-cards", "spell-cards", "poker-deck", "home-cards")
"""Every deck of ours whose cards carry a QR code."""
HARDEST_TILT = 40.0


@dataclass(frozen=True)
class CodeLies:
    """A code in a frame: whose, where (px), and how large."""

    card: ComponentId
    quad: Quad

    @property
    def pixels_per_module(self) -> float:
        """Along its shortest side."""
        return quad_side(self.quad) / MODULES


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture (BGR) and the codes of all cards in it, covered ones and those outside the picture too."""

    picture: BgrImage
    codes: tuple[CodeLies, ...]


@cache
def faces(dpi: int, decks: tuple[str, ...] = DECKS) -> dict[ComponentId, BgrImage]:
    """The fronts of every card (RGB, uint8), by card."""
    return {card: face for deck in decks for card, face in card_faces(deck, dpi).items()}


def any_camera(
    rng: np.random.Generator, frame: tuple[int, int], tilt: float, field_of_view: float
) -> VirtualCamera:
    """A webcam by chance: lens, shaking, noise, exposure and JPEG as they are where people sit down to play."""
    return VirtualCamera(
        tilt=tilt,
        roll=float(rng.uniform(-10, 10)),
        field_of_view=field_of_view,
        frame=frame,
        exposure=float(rng.uniform(-0.7, 0.4)),
        blur=float(rng.uniform(0.4, 1.1)),
        motion=float(rng.uniform(0, 2)),
        noise=float(rng.uniform(0.3, 2.0)),
        jpeg_quality=int(rng.integers(70, 96)),
    )


def code_in(laid: PlacedCard, camera: VirtualCamera) -> Quad:
    """Where the code of a card of ours falls in the picture."""
    flat = laid.places(code_corners())
    corners = camera.project(np.column_stack([flat, np.full(4, laid.thickness_mm)]))
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def seen_at(camera: VirtualCamera, laid: PlacedCard, pixels_per_module: float) -> VirtualCamera:
    """The camera so high, looking at the card's code, that the code's shortest side is seen at the wanted size."""
    x, y = laid.places(code_corners()).mean(axis=0)
    near = replace(camera, aim=(float(x), float(y)))
    for _ in range(3):
        size = quad_side(code_in(laid, near)) / MODULES
        near = replace(near, height=min(max(near.height * size / pixels_per_module, 50.0), 5000.0))
    return near


def one_code(seed: int, pixels_per_module: float, *, dpi: int = 300, **camera_as: float) -> Frame:
    """One card, turned anyhow and tilted up to 40 degrees, its code in the middle; ``camera_as`` fixes traits."""
    rng = np.random.default_rng([seed, 41])
    deck = faces(dpi)
    card = sorted(deck)[int(rng.integers(len(deck)))]
    laid = PlacedCard(
        deck[card], turn=float(rng.uniform(-180, 180)), card=card, curl_mm=float(rng.uniform(-0.9, 1.1))
    )
    side = int(pixels_per_module * MODULES * 2.6) // 2 * 2 + 32
    camera = any_camera(rng, (max(side, 96), max(side, 96)), float(rng.uniform(0, HARDEST_TILT)), 24.0)
    camera = seen_at(replace(camera, **camera_as), laid, pixels_per_module)  # type: ignore[arg-type]
    return _taken(Scene(any_surface(rng), (laid,), (), any_light(rng)), camera, seed)


def anything(seed: int) -> Frame:
    """One or two cards of any deck, any size and turn, the second often partly over the first."""
    rng = np.random.default_rng([seed, 43])
    deck = faces(120)
    cards = [sorted(deck)[int(k)] for k in rng.choice(len(deck), int(rng.integers(1, 3)))]
    laid = [PlacedCard(deck[cards[0]], turn=float(rng.uniform(-180, 180)), card=cards[0])]
    for card in cards[1:]:
        angle, far = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(25, 75))
        x, y = laid[0].places(code_corners()).mean(axis=0)
        place = (float(x + far * math.cos(angle)), float(y + far * math.sin(angle)))
        laid.append(PlacedCard(deck[card], *place, turn=float(rng.uniform(-180, 180)), card=card))
    camera = any_camera(rng, (216, 176), float(rng.uniform(0, HARDEST_TILT)), 24.0)
    camera = replace(camera, blur=float(rng.uniform(0.4, 1.8)), motion=float(rng.uniform(0, 4)))
    camera = seen_at(camera, laid[0], float(rng.uniform(1.5, 4.5)))
    return _taken(Scene(any_surface(rng), tuple(laid), (), any_light(rng)), camera, seed)


def nine_cards(seed: int, pixels_per_module: float, frame: tuple[int, int] = (1920, 1080)) -> Frame:
    """Nine cards in two rows, five over four, a little askew, one in five upside down."""
    rng = np.random.default_rng([seed, 47])
    deck = faces(200)
    cards = [sorted(deck)[int(k)] for k in rng.choice(len(deck), 9, replace=False)]
    laid = [
        PlacedCard(
            deck[card],
            x=(place % 5 - 2) * 70.0 + float(rng.uniform(-2, 2)) + 35.0 * (place // 5),
            y=(place // 5 - 0.5) * 96.0 + float(rng.uniform(-2, 2)),
            turn=float(rng.uniform(-6, 6)) + 180.0 * float(rng.random() < 0.2),
            card=card,
        )
        for place, card in enumerate(cards)
    ]
    camera = any_camera(rng, frame, float(rng.uniform(0, 20)), 62.0)
    camera = replace(seen_at(camera, laid[2], pixels_per_module), aim=(0.0, 0.0))
    return _taken(Scene(any_surface(rng), tuple(laid), (), any_light(rng)), camera, seed)


def anyhow(seed: int, count: int, **camera_as: float) -> Frame:
    """So many cards of any deck, up to eight, turned anyhow, 1920 x 1080; ``camera_as`` fixes traits."""
    rng = np.random.default_rng([seed, 99])
    deck = faces(120)
    cards = [sorted(deck)[int(k)] for k in rng.choice(len(deck), count, replace=False)]
    spots = rng.permutation(8)
    laid = tuple(
        PlacedCard(
            deck[card],
            x=(spot % 4 - 1.5) * 112.0 + float(rng.uniform(-4, 4)),
            y=(spot // 4 - 0.5) * 112.0 + float(rng.uniform(-4, 4)),
            turn=float(rng.uniform(-180, 180)),
            card=card,
        )
        for card, spot in zip(cards, spots, strict=False)
    )
    camera = any_camera(rng, (1920, 1080), float(rng.uniform(0, 38)), 62.0)
    camera = replace(camera, height=float(rng.uniform(430, 560)), **camera_as)  # type: ignore[arg-type]
    return _taken(Scene(any_surface(rng), laid, (), any_light(rng)), camera, seed)


FAULTS: Mapping[str, Mapping[str, float]] = {
    "none": {},
    "too dark": {"exposure": -2.2},
    "grainy": {"noise": 6.0},
    "too bright": {"exposure": 1.8},
    "out of focus": {"blur": 2.3},
    "shaken": {"motion": 9.0},
    "too far": {"height": 560.0},
    "from the side": {"tilt": 48.0, "height": 150.0},
    "glare on the left": {},
    "glare on the right": {},
    "glare in the middle": {},
}
"""Pictures with one fault, by what the camera does wrong."""
SAID = {
    "too dark": "too dark: more",
    "grainy": "too dark: the picture is grainy",
    "too bright": "too bright",
    "out of focus": "out of focus",
    "shaken": "the picture is shaken",
    "move closer": "move closer",
    "no code made out": "no code can be made out",
    "from the side": "the camera looks too much from the side",
    "left": "glare on the left",
    "right": "glare on the right",
    "middle": "glare in the middle",
}
"""How each piece of advice begins."""


def three_cards(seed: int, fault: str) -> BgrImage:
    """A row of three cards, 960 x 540, all well but for one of ``FAULTS``."""
    rng = np.random.default_rng([seed, 51])
    deck = faces(150)
    cards = [sorted(deck)[int(k)] for k in rng.choice(len(deck), 3, replace=False)]
    camera = VirtualCamera(
        height=float(rng.uniform(230, 260)),
        tilt=float(rng.uniform(0, 15)),
        frame=(960, 540),
        noise=float(rng.uniform(0.4, 1.2)),
        blur=float(rng.uniform(0.5, 0.9)),
    )
    light, surface = any_light(rng), any_surface(rng)
    x = {"glare on the left": -90.0, "glare on the right": 90.0, "glare in the middle": 0.0}.get(fault)
    if x is not None:
        radius, strength = float(rng.uniform(25, 50)), float(rng.uniform(1.5, 2.5))
        light = replace(light, glare=Glare(x, float(rng.uniform(0, 30)), radius, strength))
    camera = replace(camera, **FAULTS[fault])  # type: ignore[arg-type]
    laid = [
        PlacedCard(
            deck[card], 78.0 * (k - 1) + float(rng.uniform(-3, 3)), turn=float(rng.uniform(-5, 5)), card=card
        )
        for k, card in enumerate(cards)
    ]
    return photograph(Scene(surface, tuple(laid), (), light), camera, seed).picture


def _taken(scene: Scene, camera: VirtualCamera, seed: int) -> Frame:
    codes = tuple(CodeLies(laid.card, code_in(laid, camera)) for laid in scene.cards if laid.card is not None)
    return Frame(photograph(scene, camera, seed).picture, codes)


def shown_whole(code: CodeLies, picture: BgrImage, margin: float = 2.0) -> bool:
    """Whether the whole code lies inside the picture."""
    height, width = picture.shape[:2]
    xs, ys = zip(*code.quad, strict=True)
    return min(*xs, *ys) >= margin and max(xs) <= width - margin and max(ys) <= height - margin


def whole_codes(frame: Frame) -> Sequence[CodeLies]:
    """The codes that lie inside the picture."""
    return [code for code in frame.codes if shown_whole(code, frame.picture)]
