"""The learned models, loaded once, at first use, and run by ONNX Runtime."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from loomtable.engine.kernel.errors import FileUnreadable, LoomtableError
from loomtable.engine.kernel.package_data import package_file
from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.fusion.calibration import Calibration, load_calibration

logger = logging.getLogger(__name__)

THREADS = 2
"""Threads that one network runs on; more gain nothing on a laptop of two cores and slow its other work."""

DETECTOR = "dice_detector.onnx"
READER = "dice_reader.onnx"
SECOND = "dice_second.onnx"
NUMERALS = "dice_numerals.onnx"
UPRIGHT = "dice_upright.onnx"
CALIBRATION = "dice_calibration.json"
_OUTPUTS = {
    DETECTOR: ("heat", "size", "offset"),
    READER: ("kind", "pips", "numeral", "top", "embedding"),
    SECOND: ("kind", "pips", "numeral"),
    NUMERALS: ("characters",),
    UPRIGHT: ("turn",),
}


class ModelBroken(LoomtableError):
    """A model file is damaged or not the one that its name says."""


class Network:
    """One ONNX model with one input.

    Raises:
        ModelBroken: the file cannot be loaded, or lacks one of the outputs ``gives``.
    """

    def __init__(self, path: Path, outputs: Sequence[str]) -> None:
        # Loading the runtime takes a quarter of a second: who reads no dice should not wait for it.
        from loomtable.vision.onnx_runtime import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.inter_op_num_threads = 1
        # Threads that spin while they wait take the cores from the count of pips, which goes on at the same time.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 4
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # noqa: BLE001  the runtime raises a class of its own for each kind of damage
            said = _first_line(error)
            raise ModelBroken(f"{path}: cannot be loaded ({said}); install loomtable again") from None
        missing = sorted(set(outputs) - {output.name for output in self._session.get_outputs()})
        if missing:
            raise ModelBroken(f"{path}: gives no {', '.join(missing)}; it is not the model that its name says")
        self.path = path
        self._outputs = tuple(outputs)
        self._input: str = self._session.get_inputs()[0].name
        logger.info("the network %s is loaded", path.name)

    def run(self, inputs: Float32Array) -> dict[str, Float32Array]:
        """Every output by its name."""
        outputs = self._session.run(self._outputs, {self._input: inputs})
        return {name: np.asarray(array, np.float32) for name, array in zip(self._outputs, outputs, strict=True)}


@dataclass(frozen=True)
class Models:
    """The networks of the dice reader, with what was measured about them."""

    detector: Network
    reader: Network
    second: Network | None
    """Another make, on the same crops: a second witness; nothing where it is not installed."""
    calibration: Calibration
    numerals: Network | None = None
    """Reads numerals as print: a third witness, for dice with numerals; nothing where it is not installed."""
    upright: Network | None = None
    """Says how far a numeral is turned; there where ``numerals`` is."""


@lru_cache(maxsize=4)
def load_models(folder: Path | None = None) -> Models | None:
    """The models in ``folder``, by default the shipped ones; nothing where none are installed.

    Raises:
        ModelBroken: a model is damaged.
        FileUnreadable: models without their calibration.
        ContentInvalid: the calibration is damaged.
    """
    if folder is None:
        try:
            folder = package_file("models")
        except FileUnreadable:
            return None
    if not ((folder / DETECTOR).exists() and (folder / READER).exists()):
        return None
    calibration = load_calibration(folder / CALIBRATION)
    detector, reader = (Network(folder / name, _OUTPUTS[name]) for name in (DETECTOR, READER))
    second, numerals, upright = (
        Network(folder / name, _OUTPUTS[name]) if (folder / name).exists() else None
        for name in (SECOND, NUMERALS, UPRIGHT)
    )
    return Models(detector, reader, second, calibration, numerals if upright else None, upright)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
