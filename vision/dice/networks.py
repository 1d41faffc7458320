"""The networks of the dice reader and their calibration, loaded once, at first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.package_data import package_file
from loomtable.vision.dice.fusion.calibration import Calibration, load_calibration
from loomtable.vision.model_sums import check_sums
from loomtable.vision.network import Network

DETECTOR = "dice_detector.onnx"
READER = "dice_reader.onnx"
SECOND = "dice_second.onnx"
NUMERALS = "dice_numerals.onnx"
FACES = "dice_faces.onnx"
CALIBRATION = "dice_calibration.json"
_OUTPUTS = {
    DETECTOR: ("heat", "size", "offset"),
    READER: ("kind", "pips", "numeral", "top", "embedding", "upright", "place", "yaw"),
    SECOND: ("kind", "pips", "numeral", "upright", "yaw"),
    NUMERALS: ("characters",),
    FACES: ("strings",),
}


@dataclass(frozen=True)
class Models:
    """The networks of the dice reader, with what was measured about them."""

    detector: Network
    reader: Network
    second: Network | None
    """Another architecture, on the same crops; nothing where it is not installed."""
    calibration: Calibration
    numerals: Network | None = None
    """The OCR model, for dice with numerals; nothing where it is not installed."""
    faces: Network | None = None
    """Reads faces laid flat; nothing where it is not installed."""


@lru_cache(maxsize=4)
def load_models(folder: Path | None = None) -> Models | None:
    """The models in ``folder``, by default the shipped ones; nothing where none are installed.

    Raises:
        ModelBroken: a model or the calibration is damaged, or not the one that was measured.
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
    check_sums(*(folder / name for name in (*_OUTPUTS, CALIBRATION)))
    calibration = load_calibration(folder / CALIBRATION)
    detector, reader = load_detector(folder / DETECTOR), Network(folder / READER, _OUTPUTS[READER])
    second, numerals, faces = (
        Network(folder / name, _OUTPUTS[name]) if (folder / name).exists() else None
        for name in (SECOND, NUMERALS, FACES)
    )
    return Models(detector, reader, second, calibration, numerals, faces)


def load_detector(file: Path) -> Network:
    """A detector.

    Raises:
        ModelBroken: the file is missing, damaged or another network's.
    """
    return Network(file, _OUTPUTS[DETECTOR], whole=True)
