"""Cards with a code, drawn without our printing."""

import cv2
import numpy as np
import qrcode


def printed(payload, version=1, level=qrcode.constants.ERROR_CORRECT_H):
    """A white card, ten pixels a millimetre, with a QR code in its lower right corner and some grey art."""
    code = qrcode.QRCode(version=version, error_correction=level, border=0)
    code.add_data(payload)
    code.make(fit=version is None)
    modules = np.where(np.array(code.get_matrix()), 20, 245).astype(np.uint8)
    face = np.full((880, 630, 3), 245, np.uint8)
    cv2.rectangle(face, (40, 40), (590, 480), (70, 110, 140), -1)
    cv2.circle(face, (300, 250), 150, (220, 190, 120), 20)
    face[630:830, 380:580] = cv2.resize(modules, (200, 200), interpolation=cv2.INTER_NEAREST)[..., None]
    return face
