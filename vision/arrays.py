"""Types of arrays, by the names that the field uses."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Float32Array = npt.NDArray[np.float32]
"""Inputs and outputs of networks."""
Float64Array = npt.NDArray[np.float64]
"""What geometry is computed in."""
GrayImage = npt.NDArray[np.uint8]
"""(height, width): a picture in one channel."""
