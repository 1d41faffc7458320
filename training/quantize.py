"""Quantize the networks that can bear it.

Static post-training quantization of the detector, the first reader, and what tells a 6 from a 9: weights and
activations of every convolution become integers of 8 bits, which takes a third to a half of the time. The ranges
of the activations are measured on what the networks are given while photographs are read; what they say of other
photographs is then held against what they said before. Weights keep to 7 bits, because processors without dot
products of integers (VNNI) add two products in 16 bits, and give other answers where that is too little. Heads
stay as they are: they cost nothing, and each of their answers counts. A network that is quantized already is left
alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from loomtable.engine.kernel.errors import FileUnreadable, LoomtableError
from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.cues import gather_evidence
from loomtable.vision.dice.networks import DETECTOR, READER, Models, load_models
from loomtable.vision.model_sums import write_sums
from loomtable.vision.network import Network
from loomtable.vision.onnx_runtime import quantization_tools
from loomtable.vision.pictures import read_picture
from training.figures import pool_of
from training.onnx_files import halve, widen
from training.photographs import Photographs

PER_SOURCE = 16
"""Photographs of each source: half measure ranges, half hold the quantized network against the one before. Set by
hand: some minutes of reading."""
QUANTIZED = ("Conv", "Add", "Relu", "AveragePool", "MaxPool")
"""Operators that become integers."""
ALLOWED = 0.2
"""Root mean square of the change of an answer, in its standard deviations, at most. The networks that ship come to
0.02 to 0.09."""
BATCH, MAX_CROPS = 16, 640
"""Crops that are run at once, and that measure ranges: all they give is held in memory. Set by hand."""
PERCENTILE = 99.999
"""Of an activation's values, up to which its range reaches: 0.06 of a standard deviation becomes 0.05."""
MIN_HEAT = 0.3
"""Score from which there may be a die at a place: the detector's own upper threshold."""
BOX_HEAD = "/detector/answer/Conv"
"""The detector's last layer, which says where boxes end: in steps of a 256th they would be off by two pixels."""
ELEVATION_HEAD = "/elevation/"
"""Layers of a reader that tell from where it sees a die."""


class QuantizationDiffers(LoomtableError):
    """A quantized network does not say what it said before."""


class _Listener(Network):
    """A network that keeps what it is given."""

    def __init__(self, network: Network) -> None:
        super().__init__(network.path, network.outputs)
        self.given: list[Float32Array] = []

    def run(self, inputs: Float32Array) -> dict[str, Float32Array]:
        self.given.append(inputs)
        return super().run(inputs)


def given_to_networks(models: Models, photographs: Photographs) -> dict[str, list[Float32Array]]:
    """What each network that becomes integers is given while these photographs are read, by their files' names."""
    recorders = {file: _Listener(network) for file, network in _quantizable(models).items()}
    recording = replace(models, detector=recorders[DETECTOR], reader=recorders[READER])
    for photograph in track(photographs.pictures, "Reading", console=Console(stderr=True), transient=True):
        gather_evidence(read_picture(photographs.path(photograph)), pool_of(photograph), recording)
    return {file: recorder.given for file, recorder in recorders.items() if recorder.given}


def _quantizable(models: Models) -> dict[str, Network]:
    """The networks that become integers, by their files' names."""
    return {DETECTOR: models.detector, READER: models.reader}


def quantize(file: Path, out: Path, samples: Sequence[Float32Array]) -> None:
    """Write a network in 8 bits, its activations in the ranges that they have for ``samples``.

    A network that computes with integers already is copied.
    """
    import onnx

    model = onnx.load(str(file))
    unfinished = out.with_suffix(".part.onnx")
    if any(node.op_type == "QuantizeLinear" for node in model.graph.node):
        shutil.copyfile(file, unfinished)
    else:
        widen(model)
        _quantize(model, unfinished, samples)
        halve(unfinished)
    unfinished.replace(out)


def _quantize(model: Any, out: Path, samples: Sequence[Float32Array]) -> None:
    quantization = quantization_tools()
    name = model.graph.input[0].name

    class Samples(quantization.CalibrationDataReader):  # type: ignore[misc,name-defined]
        """The samples one by one, as the library wants them."""

        def __init__(self) -> None:
            self.waiting: Iterator[Float32Array] = iter(samples)

        def get_next(self) -> dict[str, Float32Array] | None:
            sample = next(self.waiting, None)
            return None if sample is None else {name: sample}

    alike = len({sample.shape for sample in samples}) == 1
    quantization.quantize_static(
        model,
        str(out),
        Samples(),
        # Leaving the outermost values out of a range is better, but takes inputs of one shape.
        calibrate_method=quantization.CalibrationMethod.Percentile
        if alike
        else quantization.CalibrationMethod.MinMax,
        extra_options={"CalibPercentile": PERCENTILE},
        quant_format=quantization.QuantFormat.QDQ,
        op_types_to_quantize=list(QUANTIZED),
        nodes_to_exclude=[node.name for node in model.graph.node if _stays_whole(node)],
        per_channel=True,
        reduce_range=True,
        activation_type=quantization.QuantType.QUInt8,
        weight_type=quantization.QuantType.QInt8,
    )


def _in_batches(given: Sequence[Float32Array]) -> list[Float32Array]:
    """Crops from all over the pictures in batches of one size; pictures as they are."""
    if len({picture.shape[1:] for picture in given}) > 1:
        return list(given)
    crops = np.random.default_rng(1).permutation(np.concatenate(given))[:MAX_CROPS]
    whole = len(crops) // BATCH * BATCH
    return np.split(crops[:whole], whole // BATCH) if whole else [crops]


def _stays_whole(node: Any) -> bool:
    return bool(node.name == BOX_HEAD or node.name.startswith(ELEVATION_HEAD))


def changes(before: Network, after: Network, samples: Sequence[Float32Array]) -> dict[str, float]:
    """By how much each output of a network changed: root mean square, in standard deviations of what it was.

    A detector's size and offset count where there may be a die; elsewhere nobody has taught it any.
    """
    taken = [(before.run(sample), after.run(sample)) for sample in samples]
    return {
        name: _change(
            [_counted(was, name, was) for was, _ in taken], [_counted(now, name, was) for was, now in taken]
        )
        for name in taken[0][0]
    }


def _counted(outputs: dict[str, Float32Array], name: str, was: dict[str, Float32Array]) -> Float32Array:
    """(n,): of an output, the values that count."""
    given = outputs[name]
    if "heat" not in was or name == "heat":
        return given.ravel()
    return given[np.broadcast_to(was["heat"] > MIN_HEAT, given.shape)]


def _change(before: Sequence[Float32Array], after: Sequence[Float32Array]) -> float:
    was, now = np.concatenate(before), np.concatenate(after)
    return float(np.sqrt(np.mean((now - was) ** 2)) / max(was.std(), 1e-9)) if len(was) else 0.0


def quantize_models(folder: Path, photographs: Photographs, out: Path) -> dict[str, dict[str, float]]:
    """Write the networks of a folder that can bear it in 8 bits; what changed, by file and output.

    Raises:
        FileUnreadable: the folder holds no networks.
        QuantizationDiffers: an answer changed by more than ``ALLOWED``; what is in ``out`` stays as it was.
    """
    models = load_models(folder)
    if models is None:
        raise FileUnreadable(f"{folder}: holds no networks of the dice reader")
    changed = {}
    with TemporaryDirectory() as unfinished:
        for file, given in given_to_networks(models, photographs).items():
            before, new = _quantizable(models)[file], Path(unfinished) / file
            quantize(before.path, new, _in_batches(given[::2]))
            changed[file] = changes(before, Network(new, before.outputs), given[1::2])
            name, most = max(changed[file].items(), key=lambda change: change[1])
            if most > ALLOWED:
                raise QuantizationDiffers(f"{file}: {name} is off by {most:.2f} standard deviations in 8 bits")
        out.mkdir(parents=True, exist_ok=True)
        for file in changed:
            shutil.move(Path(unfinished) / file, out / file)
    write_sums(out)
    return changed
