"""The sheet by which a printer is calibrated: where its tags stand, for printing it and for reading it.

Positions are in mm on upright paper, from its lower left corner, x to the right and y upwards; the back is seen
from behind, turned over its long edge. The tags are AprilTags of the family 36h11, 16 mm wide.
"""

from __future__ import annotations

from collections.abc import Mapping

Place = tuple[float, float]

TAG_WIDTH = 16.0
_INSET = 30.0
"""From the paper's edges to the middle of the tags in its corners (mm)."""
FRONT_TAGS = tuple(range(540, 548))
BACK_TAGS = tuple(range(550, 558))


def tag_places(width: float, height: float, is_back: bool) -> Mapping[int, Place]:
    """The middle of each tag on one side of a paper of ``width`` x ``height`` mm, by the tag's number."""
    places = (
        (_INSET, height - _INSET),
        (width - _INSET, height - _INSET),
        (_INSET, _INSET),
        (width - _INSET, _INSET),
        (width / 2, height * 0.7),
        (width / 2, height * 0.3),
        (width * 0.3, height / 2),
        (width * 0.7, height / 2),
    )
    return dict(zip(BACK_TAGS if is_back else FRONT_TAGS, places, strict=True))
