"""Begin where a shipped network ended:
``python -m training.again second --scenes DIR... --photos --out F.ckpt``.

An ONNX file keeps what a network has learned, but not how it learned: each norm is folded into the convolution
before it. Here the weights are taken out of the file again, in the order in which they are used, and every norm is
given the mean and spread that its layer has on the crops or views to be learned from. The network then says what
the file says, and can go on learning: the file is one to ``--start`` from. A part that the file lacks (the second
reader's embedding) begins at random.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.package_data import package_file
from loomtable.vision.dice.numerals import TURN_CROP_SIDE
from training.command import one_sentence
from training.networks import MAKES
from training.onnx_files import weights_of, without_head
from training.photographs import photograph_folder
from training.shapes import CROP
from training.train import Recipe, batches_of

BATCHES = 12
"""So many batches tell the mean and the spread of every layer."""
Array = npt.NDArray[np.float32]


class _Layer(NamedTuple):
    """What an ONNX file keeps of one layer that weighs what comes in."""

    weight: Array
    bias: Array | None
    norm: tuple[Array, ...]
    """Scale, shift, mean and variance of a norm that was not folded into the layer; nothing where it was."""


def _layers(file: Path) -> list[_Layer]:
    """The weighing layers of an ONNX file, in the order in which they are used.

    Raises:
        FileUnreadable: the file is missing or damaged.
    """
    import onnx

    try:
        graph = without_head(onnx.load(str(file))).graph
        kept = weights_of(graph)
    except Exception as error:  # noqa: BLE001  each kind of damage raises a class of its own
        raise FileUnreadable(f"{file}: no network can be read from it ({str(error)[:60]})") from None
    layers: list[_Layer] = []
    for node in graph.node:
        given = [kept.get(name) for name in node.input]
        if node.op_type in ("Conv", "Gemm") and given[1] is not None:
            layers.append(_Layer(given[1], given[2] if len(given) > 2 else None, ()))
        elif node.op_type == "MatMul" and given[1] is not None:
            layers.append(_Layer(given[1].T, None, ()))
        elif node.op_type == "BatchNormalization" and layers:
            layers[-1] = layers[-1]._replace(norm=tuple(array for array in given[1:] if array is not None))
    return layers


class _Used(NamedTuple):
    """A weighing layer of a network, with the norm after it where there is one."""

    layer: nn.Conv2d | nn.Linear
    norm: nn.BatchNorm1d | nn.BatchNorm2d | None


def _used(network: nn.Module, example: Tensor) -> list[_Used]:
    """A network's weighing layers in the order in which they are used."""
    used: list[_Used] = []

    def note(module: nn.Module, _: Any, __: Any) -> None:
        if isinstance(module, nn.Conv2d | nn.Linear):
            used.append(_Used(module, None))
        elif isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            used[-1] = used[-1]._replace(norm=module)

    hooks = [module.register_forward_hook(note) for module in network.modules()]
    with torch.inference_mode():
        network.eval()(example)
    for hook in hooks:
        hook.remove()
    return used


def taken_from(file: Path, make: str, seed: int = 1) -> nn.Module:
    """A network that says what an ONNX file says. Its norms do nothing yet: :func:`with_norms` wakes them.

    Raises:
        FileUnreadable: the file is missing, damaged, or another network's.
    """
    torch.manual_seed(seed)
    network = MAKES[make]()
    side = TURN_CROP_SIDE if make == "upright" else CROP
    # The second reader's file leaves the embedding out.
    unkept = network.heads.embedding if make == "second" else None
    used = [one for one in _used(network, torch.rand(2, 3, side, side)) if one.layer is not unkept]
    layers = _layers(file)
    shapes = [tuple(one.layer.weight.shape) for one in used]
    if shapes != [layer.weight.shape for layer in layers]:
        raise FileUnreadable(f"{file}: is not a {make} as training/networks.py makes it")
    with torch.no_grad():
        for one, layer in zip(used, layers, strict=True):
            _fill(one, layer)
    return network.eval()


def _fill(one: _Used, layer: _Layer) -> None:
    one.layer.weight.copy_(torch.from_numpy(layer.weight.copy()))
    bias = torch.zeros(len(layer.weight)) if layer.bias is None else torch.from_numpy(layer.bias.copy())
    if one.layer.bias is not None:
        one.layer.bias.copy_(bias)
    norm = one.norm
    if norm is None:
        return
    assert norm.running_mean is not None and norm.running_var is not None
    if layer.norm:
        for ours, theirs in zip(
            (norm.weight, norm.bias, norm.running_mean, norm.running_var), layer.norm, strict=True
        ):
            ours.copy_(torch.from_numpy(theirs.copy()))
    else:
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
        norm.weight.fill_(1.0)
        norm.bias.copy_(bias)


def with_norms(network: nn.Module, taken: Iterable[Tensor]) -> nn.Module:
    """The same network, in which every norm has the mean and spread that its layer has on what is ``taken``: it
    says what it said, and learns as if it had never been a file."""
    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d)]
    sums = {norm: torch.zeros(3, norm.num_features, dtype=torch.float64) for norm in norms}

    def measure(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        values = given[0].double().transpose(0, 1).flatten(1)
        sums[norm] += torch.stack(
            [torch.full_like(values[:, 0], values.shape[1]), values.sum(1), (values**2).sum(1)]
        )

    hooks = [norm.register_forward_pre_hook(measure) for norm in norms]
    with torch.inference_mode():
        for pictures in taken:
            network.eval()(pictures)
    for hook in hooks:
        hook.remove()
    with torch.no_grad():
        for norm in norms:
            _move(norm, sums[norm])
    return network


def _move(norm: nn.BatchNorm1d | nn.BatchNorm2d, sums: Tensor) -> None:
    """Give a norm another mean and spread, and scale and shift so that it answers as before."""
    assert norm.running_mean is not None and norm.running_var is not None
    count, total, squares = sums
    mean = total / count
    # A channel that is always the same has no spread: nothing would be left of the digits of its scale.
    spread = (squares / count - mean**2).clamp(min=1e-6)
    before = (norm.running_var.double() + norm.eps).sqrt()
    scale = norm.weight.double() / before
    norm.bias.copy_(norm.bias.double() + scale * (mean - norm.running_mean.double()))
    norm.weight.copy_(scale * (spread + norm.eps).sqrt())
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(spread)


def _pictures(recipe: Recipe, cache: Path) -> Iterable[Tensor]:
    for batch in islice(iter(batches_of(recipe, cache, 0)), BATCHES):
        yield batch.taken


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m training.again", description=__doc__)
    parser.add_argument("make", choices=sorted(MAKES))
    parser.add_argument("--model", type=Path, help="the ONNX file to begin from, by default the shipped one")
    parser.add_argument("--scenes", type=Path, nargs="*", default=[], help="folders of made scenes")
    parser.add_argument("--photos", type=Path, nargs="?", const=photograph_folder(), help="the photographs")
    parser.add_argument("--cache", type=Path, default=Path("output/training"), help="where crops are kept")
    parser.add_argument("--out", type=Path, required=True, help="the run to begin with (.ckpt)")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    model = given.model or package_file("models") / f"dice_{given.make}.onnx"
    scenes, photos = tuple(map(str, given.scenes)), str(given.photos) if given.photos else None
    recipe = Recipe(given.make, scenes, photos, (), 0.0, 0, 1, 0.0, 0.5, None)
    network = with_norms(taken_from(model, given.make), _pictures(recipe, given.cache))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"mean": network.state_dict()}, given.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
