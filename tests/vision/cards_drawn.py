"""Cards with a code, drawn without our printing."""

import cv2
import numpy as np
import zxingcpp


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
