"""Cards with a code, drawn without our printing, and pictures shown to a watch."""

import cv2
import numpy as np
import zxingcpp

from loomtable.table.reading.card_geometry import TAGGED
from loomtable.vision.card_stream import CardWatch


def another_encoder(payload, level):
    """The dark modules of a QR code as zxing-cpp writes it."""
    symbol = zxingcpp.create_barcode(payload, zxingcpp.BarcodeFormat.QRCode, ec_level=level)
    return np.asarray(symbol.to_image(scale=1, add_quiet_zones=False)) < 128


def printed(payload, level="H"):
    """A white card, ten pixels a millimetre, with a QR code in its lower right corner and some grey art.

    The code is from another encoder than those on our cards.
    """
    modules = np.where(another_encoder(payload, level), 20, 245).astype(np.uint8)
    face = np.full((880, 630, 3), 245, np.uint8)
    cv2.rectangle(face, (40, 40), (590, 480), (70, 110, 140), -1)
    cv2.circle(face, (300, 250), 150, (220, 190, 120), 20)
    face[630:830, 380:580] = cv2.resize(modules, (200, 200), interpolation=cv2.INTER_NEAREST)[..., None]
    return face


class Watched:
    """Shows pictures to a watch, frame by frame, and keeps what it tells; ``grain`` is the noise of each frame."""

    def __init__(self, a_frame, grain=0):
        self.watch, self.now, self.a_frame, self.grain = CardWatch(TAGGED), 0.0, a_frame, grain
        self.rng = np.random.default_rng(1)

    def shows(self, picture, frames=4, slower=1):
        told = []
        for _ in range(frames):
            self.now += self.a_frame * slower
            grain = self.rng.normal(0, self.grain, (*picture.shape[:2], 1)) if self.grain else 0
            seen = self.watch.update(np.clip(picture + grain, 0, 255).astype(np.uint8), self.now)
            told += [f"+{one.card}" for one in seen.placed] + [f"-{one.card}" for one in seen.taken]
            told += [f"!{code.says}" for code in seen.refused] + [f"?{ask}" for ask in seen.asks]
        return told

    @property
    def lying(self):
        return " ".join(str(one.card) for one in self.watch.present)
