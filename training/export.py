"""Trained networks as ONNX files, as the dice reader loads them, each held against the network it is made from."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.vision.dice.faces import FACE_SIDE
from loomtable.vision.model_sums import renew_sums
from training.networks import Detector, FaceNet, Reader
from training.onnx_files import halve
from training.shapes import CROP, STRIDE

OPSET = 17
OF_ELEVATION = ["upright", "place", "yaw"]
"""What a reader says of from where it sees a die."""
ALLOWED = 1e-2
"""By how much a file's answers may differ from its network's. Half precision weights come to 0.001 to 0.009: a
hundredth of a logit turns no answer."""


class ExportDiffers(LoomtableError):
    """An ONNX file does not say what the network says."""


class _Peaks(nn.Module):
    """The detector with its answer in pixels: heat 0 to 1, size in pixels of the input."""

    def __init__(self, detector: nn.Module) -> None:
        super().__init__()
        self.detector = detector

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        found = self.detector(picture)
        return torch.sigmoid(found.heat), torch.exp(found.size) * STRIDE, found.offset


class _Answers(nn.Module):
    """A reader's answers as a plain tuple, without the embedding where it is not wanted; and what a head says of
    the same feature map."""

    def __init__(self, reader: nn.Module, embedding: bool, head: nn.Module | None) -> None:
        super().__init__()
        self.reader, self.embedding, self.elevation = reader, embedding, head

    def forward(self, crops: Tensor) -> tuple[Tensor, ...]:
        seen = self.reader.seen(crops)
        read = self.reader.read(seen)
        answers = (read.kind, read.pips, read.numeral, read.top, *([read.embedding] if self.embedding else []))
        return answers if self.elevation is None else (*answers, *self.elevation(seen))


class _Form(NamedTuple):
    module: nn.Module
    example: Tensor
    takes: str
    gives: list[str]
    free: dict[str, dict[int, str]]


def _form(network: nn.Module, head: nn.Module | None) -> _Form:
    if isinstance(network, Detector):
        places = {2: "h", 3: "w"}
        return _Form(
            _Peaks(network),
            torch.rand(1, 3, 96, 128),
            "picture",
            ["heat", "size", "offset"],
            {"picture": {2: "height", 3: "width"}, "heat": places, "size": places, "offset": places},
        )
    if isinstance(network, FaceNet):
        example = torch.rand(2, 3, FACE_SIDE, FACE_SIDE)
        return _Form(network, example, "crops", ["strings"], {"crops": {0: "crops"}, "strings": {0: "crops"}})
    gives = ["kind", "pips", "numeral", "top"] + (["embedding"] if isinstance(network, Reader) else [])
    gives += OF_ELEVATION if head is not None else []
    free = {name: {0: "crops"} for name in ("crops", *gives)}
    answers = _Answers(network, isinstance(network, Reader), head)
    return _Form(answers, torch.rand(3, 3, CROP, CROP), "crops", gives, free)


def export_small(network: nn.Module, file: Path, head: nn.Module | None = None) -> float:
    """Write a network with its weights in half precision, or in whole where that would say something else."""
    try:
        return export(network, file, head=head)
    except ExportDiffers:
        # Hours of learning are not lost over a rounding: the file is then twice as large.
        return export(network, file, half=False, head=head)


def export(network: nn.Module, file: Path, half: bool = True, head: nn.Module | None = None) -> float:
    """Write ``network`` to ``file`` and hold the file against it; the largest difference of any answer.

    ``head`` tells from where a reader sees a die (``train_elevation.py``). ``half`` keeps the
    weights as float16, which halves the file; reckoning stays float32.

    Raises:
        ExportDiffers: the file's answers are off by more than ``ALLOWED``; nothing is left in its place.
    """
    form = _form(network, head)
    form.module.eval()
    unfinished = file.with_suffix(".part.onnx")
    with warnings.catch_warnings():
        # The newer exporter writes the same network with weights beside it; this one writes one plain file.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            form.module.cpu().float(),
            (form.example,),
            str(unfinished),
            input_names=[form.takes],
            output_names=form.gives,
            dynamic_axes=form.free,
            opset_version=OPSET,
            dynamo=False,
        )
    if half:
        halve(unfinished)
    off = difference(form, unfinished)
    if off > ALLOWED:
        unfinished.unlink()
        raise ExportDiffers(f"{file}: the exported network is off by {off:.4f}; export it with whole precision")
    unfinished.replace(file)
    renew_sums(file.parent)
    return off


def difference(form: _Form, file: Path) -> float:
    """The largest difference, relative to answers over 1, between a file's answers and its network's, on twice the
    example's size."""
    from loomtable.vision.onnx_runtime import onnxruntime

    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    torch.manual_seed(5)
    shape = list(form.example.shape)
    for axis in form.free[form.takes]:
        shape[axis] *= 2
    taken = torch.rand(shape)
    with torch.inference_mode():
        said = form.module(taken)
    told = session.run(form.gives, {form.takes: taken.numpy()})
    off = 0.0
    for ours, theirs in zip((said,) if isinstance(said, Tensor) else said, told, strict=True):
        exact = cast(Tensor, ours).numpy()
        off = max(off, float((np.abs(exact - theirs) / np.maximum(np.abs(exact), 1)).max()))
    return off
