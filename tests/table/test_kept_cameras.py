"""What a camera has seen of how the table lies is kept for that camera alone."""

from __future__ import annotations

import numpy as np

from loomtable.table.reading.kept_cameras import keep_camera, kept_prints
from loomtable.vision.plane_pose import FlatPrint

FRAME = np.zeros((480, 640, 3), np.uint8)


def prints(at: float) -> tuple[FlatPrint, ...]:
    corners = ((at, 0.0), (at + 10, 0.0), (at + 10, 10.0), (at, 10.0))
    return (FlatPrint(corners, corners),)


def test_two_phones_never_share_one_pose() -> None:
    names = ("李's phone", "王's phone", "Jörg's phone", "J rg's phone", "j rg s phone", "J/rg's phone")
    for at, name in enumerate(names):
        keep_camera(name, prints(at), FRAME)
    assert [kept_prints(name, FRAME) for name in names] == [prints(at) for at in range(len(names))]
    keep_camera(names[0], (), FRAME)
    assert [bool(kept_prints(name, FRAME)) for name in names] == [False] + [True] * (len(names) - 1)
