"""Printed cards in a row under the virtual camera."""

from functools import cache

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.raster import card_faces
from loomtable.testing.virtual import Surface, VirtualCamera, photograph, row_of_cards


@cache
def faces():
    story = ids(*(f"S{n}" for n in (1, 2, 4, 5, 6, 8, 9, 10, 14, 17, 21)))
    challenge = ids("C1", "C2", "C3", "C10", "C25", "C31")
    return card_faces("story-cards", 130, only=story) | card_faces("challenge-cards", 130, only=challenge)


@cache
def under_the_camera_picture(cards, turn=0):
    """Printed cards in a row."""
    ids = [ComponentId.parse(short) for short in cards.split()]
    camera = VirtualCamera(height=235 + 45 * len(ids), tilt=8, frame=(1440, 810))
    scene = row_of_cards(
        [faces()[one] for one in ids], 4, camera, cards=ids, turn=turn, surface=Surface("felt", seed=2)
    )
    return photograph(scene, camera, 4).picture


def ids(*shorts):
    return tuple(ComponentId.parse(short) for short in shorts)
