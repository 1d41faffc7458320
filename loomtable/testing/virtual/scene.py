"""A table with cards and dice, and the photograph of it with the truth about what it shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.testing.virtual.lens import Points, VirtualCamera
from loomtable.testing.virtual.light import Light
from loomtable.testing.virtual.placed_card import PlacedCard, place_card
from loomtable.testing.virtual.placed_die import PlacedDie
from loomtable.testing.virtual.sensor import develop
from loomtable.testing.virtual.shade import cast_shadows, draw_die, those_near
from loomtable.testing.virtual.surfaces import Surface, paint
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage


@dataclass(frozen=True, eq=False)
class Scene:
    """What lies on the table. Later cards lie over earlier ones; dice lie on table or cards, never on dice."""

    surface: Surface = field(default_factory=Surface)
    cards: tuple[PlacedCard, ...] = ()
    dice: tuple[PlacedDie, ...] = ()
    light: Light = field(default_factory=Light)


@dataclass(frozen=True, eq=False)
class TrueCard:
    """A card in the photograph: its corners (4, 2) px, top left, top right, bottom right, bottom left as read."""

    placed: PlacedCard
    polygon: Points

    @property
    def card(self) -> ComponentId | None:
        """Which card it is, where the scene says so."""
        return self.placed.card


@dataclass(frozen=True, eq=False)
class TrueDie:
    """A die in the photograph: the hull (N, 2) px of all that is seen, and the four corners (4, 2) px on top."""

    placed: PlacedDie
    polygon: Points
    top: Points

    @property
    def value(self) -> int:
        """The face that lies up."""
        return self.placed.value


@dataclass(frozen=True, eq=False)
class Truth:
    """What a photograph shows, in the order of the scene."""

    cards: tuple[TrueCard, ...]
    dice: tuple[TrueDie, ...]


@dataclass(frozen=True, eq=False)
class Photograph:
    """A webcam's picture (BGR) and the truth about it."""

    picture: BgrImage
    truth: Truth


def truth_of(scene: Scene, camera: VirtualCamera) -> Truth:
    """Where everything falls in the picture, without taking it."""
    return Truth(
        tuple(TrueCard(card, card.polygon(camera)) for card in scene.cards),
        tuple(TrueDie(die, die.outline(camera), die.top_face(camera)) for die in scene.dice),
    )


def photograph(scene: Scene, camera: VirtualCamera, seed: int = 0) -> Photograph:
    """Take the picture. The same scene, camera and seed give the same picture; the seed is that of the noise."""
    light = light_of(scene, camera)
    picture = develop(light, camera, np.random.default_rng([seed, 31]))
    return Photograph(picture, truth_of(scene, camera))


def light_of(scene: Scene, camera: VirtualCamera) -> Float32Array:
    """The light (H, W, 3), linear RGB, that reaches a perfect lens: what ``photograph`` starts from."""
    ground = bare_ground(scene.surface, camera)
    for card in scene.cards:
        ground = ground.with_card(card, camera, scene.light)
    return light_over(ground, scene, camera)


@dataclass(frozen=True, eq=False)
class Ground:
    """The table and the cards on it before any light falls: what ``light_over`` starts from."""

    albedo: Float32Array
    """Colour in white light (H, W, 3), linear RGB."""
    lit: Float32Array
    """The share of the lamp that arrives (H, W)."""
    shine: Float32Array
    """How much of a glare is given back (H, W)."""

    def with_card(self, card: PlacedCard, camera: VirtualCamera, light: Light) -> Ground:
        """The ground with another card upon all others."""
        more = Ground(self.albedo.copy(), self.lit.copy(), self.shine.copy())
        place_card(card, more.albedo, more.lit, more.shine, camera, light)
        return more


def bare_ground(surface: Surface, camera: VirtualCamera) -> Ground:
    """The table without anything on it."""
    albedo = _table(surface, camera)
    shape = albedo.shape[:2]
    return Ground(albedo, np.ones(shape, np.float32), np.full(shape, surface.shine, np.float32))


def light_over(ground: Ground, scene: Scene, camera: VirtualCamera) -> Float32Array:
    """The light (H, W, 3) from the ground, which has the scene's surface and cards, and from the scene's dice."""
    fall, glare = _lamp_over(scene.light, camera)
    lamp, sky = cast_shadows(scene.dice, camera, scene.light)
    key = (ground.lit * lamp * fall)[..., None] * scene.light.key_colour
    # Under the edge of a lifted card it is dark for the light from all round too.
    round_about = (sky * np.minimum(0.35 + 0.65 * ground.lit, 1))[..., None] * scene.light.sky_colour
    light = np.asarray(ground.albedo * (key + round_about), np.float32)
    light += (glare * ground.shine * lamp)[..., None] * scene.light.key_colour
    for die in sorted(scene.dice, key=lambda die: -float(np.linalg.norm(camera.position - die.centre))):
        near, under = those_near(die, scene.dice), _around(light, die, camera)
        sprite = draw_die(die, near, under, camera, scene.light)
        if sprite is not None:
            sprite.put_on(light)
    return light


def _around(light: Float32Array, die: PlacedDie, camera: VirtualCamera) -> tuple[float, float, float]:
    """The mean light, linear RGB, that the table round a die gives back."""
    middle = camera.project([[die.x, die.y]])[0]
    reach = 1.6 * die.size_mm * camera.pixels_per_mm
    left, top = np.maximum((middle - reach).astype(int), 0)
    right, bottom = (middle + reach).astype(int) + 1
    beside = light[top : max(bottom, 0), left : max(right, 0)]
    red, green, blue = beside.reshape(-1, 3).mean(axis=0).tolist() if beside.size else (0.0, 0.0, 0.0)
    return red, green, blue


@lru_cache(maxsize=2)
def _table(surface: Surface, camera: VirtualCamera) -> Float32Array:
    """The bare table (H, W, 3) in white light; a camera looks at one for a whole evening."""
    width, height = camera.frame
    scale = round(2 * max(camera.pixels_per_mm, 1.0)) / 2
    size = (int(width * 1.5), int(height * 1.7))
    painted = paint(surface, size[0], size[1], scale)
    grid = np.array([[1 / scale, 0, -size[0] / 2 / scale], [0, 1 / scale, -size[1] / 2 / scale], [0, 0, 1]])
    return np.asarray(
        cv2.warpPerspective(
            painted,
            camera.homography @ grid,
            (width, height),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT_101,
        ),
        np.float32,
    )


@lru_cache(maxsize=2)
def _lamp_over(light: Light, camera: VirtualCamera) -> tuple[Float32Array, Float32Array]:
    """The lamp's share and its glare for every pixel, (H, W) each; found on a coarse grid, for both are smooth."""
    width, height = camera.frame
    x, y = np.meshgrid(np.linspace(0, width - 1, width // 12), np.linspace(0, height - 1, height // 12))
    places = camera.place(np.column_stack([x.ravel(), y.ravel()]))
    fall = light.on_table(places).reshape(x.shape)
    glare = np.zeros_like(fall)
    if light.glare is not None:
        away = np.hypot(places[:, 0] - light.glare.x, places[:, 1] - light.glare.y) / light.glare.radius
        glare = (light.glare.strength * np.exp(-0.5 * away**2)).reshape(x.shape).astype(np.float32)
    return (
        np.asarray(cv2.resize(fall, (width, height), interpolation=cv2.INTER_CUBIC), np.float32),
        np.asarray(cv2.resize(glare, (width, height), interpolation=cv2.INTER_CUBIC), np.float32),
    )
