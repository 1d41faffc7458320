"""A virtual camera over a virtual table: photographs without hardware, with the truth about what they show.

>>> camera = VirtualCamera(tilt=20)
>>> shot = photograph(handful_of_dice([3, 5, 6], seed=1, camera=camera), camera, seed=1)
>>> shot.picture.shape, [die.value for die in shot.truth.dice]
((720, 1280, 3), [3, 5, 6])
"""

from loomtable.testing.virtual.cutout import Cutout
from loomtable.testing.virtual.film import Film
from loomtable.testing.virtual.hand import SKINS, SLEEVES, Arm, Pose
from loomtable.testing.virtual.lens import ImpossibleScene, VirtualCamera
from loomtable.testing.virtual.light import Glare, Light
from loomtable.testing.virtual.placed_card import PlacedCard
from loomtable.testing.virtual.placed_die import PlacedDie
from loomtable.testing.virtual.scatter import any_die, any_light, handful_of_dice, row_of_cards
from loomtable.testing.virtual.scene import Photograph, Scene, TrueCard, TrueDie, Truth, photograph, truth_of
from loomtable.testing.virtual.surfaces import TINTS, Surface, any_surface
from loomtable.testing.virtual.ten_sided import TenSidedDie

__all__ = [
    "SKINS",
    "SLEEVES",
    "TINTS",
    "Arm",
    "Cutout",
    "Film",
    "Glare",
    "ImpossibleScene",
    "Light",
    "Photograph",
    "PlacedCard",
    "PlacedDie",
    "Pose",
    "Scene",
    "Surface",
    "TenSidedDie",
    "TrueCard",
    "TrueDie",
    "Truth",
    "VirtualCamera",
    "any_die",
    "any_light",
    "any_surface",
    "handful_of_dice",
    "photograph",
    "row_of_cards",
    "truth_of",
]
