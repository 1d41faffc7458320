"""ONNX Runtime with its telemetry off; the one module of ours that imports it, at first use.

From some version on its wheels write events into the user's cache and send them to their maker. The switch is read
once, when the library is loaded: so it is set here before the import, whoever calls us. Where another program has
imported the library before, all that is left is to ask it to send no more events.
"""

from __future__ import annotations

import os
from typing import Any

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime as onnxruntime

onnxruntime.disable_telemetry_events()


def quantization_tools() -> Any:
    """The runtime's module that quantizes networks; it needs ``onnx``, which only training has."""
    from onnxruntime import quantization

    return quantization
