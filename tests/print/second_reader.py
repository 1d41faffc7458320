"""Readers that are not those we ship: OpenCV's own for QR codes, and for tags that of the AprilTag project."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pupil_apriltags  # type: ignore[import-untyped]

from loomtable.printkit.raster import Picture

_ZOOMS = (1.0, 2.0, 1.5, 0.75)


def read_by_opencv(picture: Picture) -> str:
    """The code in a picture that holds one, or ``""``; OpenCV needs a few sizes or its other detector for some."""
    for zoom in _ZOOMS:
        seen = cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC) if zoom != 1 else picture
        found, *_ = cv2.QRCodeDetector().detectAndDecode(np.ascontiguousarray(seen))
        if found:
            return str(found)
    found, *_ = cv2.QRCodeDetectorAruco().detectAndDecode(np.ascontiguousarray(picture))
    return str(found)


@cache
def _tag_reader() -> pupil_apriltags.Detector:
    return pupil_apriltags.Detector(families="tag36h11", nthreads=1, quad_decimate=1.0)


def read_tags(picture: Picture) -> list[tuple[int, tuple[float, float]]]:
    """Number and middle (x, y, in pixels from the upper left) of every tag in a picture, told without a doubt."""
    grey = np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))
    return [
        (int(seen.tag_id), (float(seen.center[0]), float(seen.center[1])))
        for seen in _tag_reader().detect(grey)
        if seen.hamming == 0
    ]
