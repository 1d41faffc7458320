"""ONNX files as training leaves them: weights in half precision, the head that was learned last, quantised layers.
Needs onnx alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
MIN_HALVED = 256
"""Numbers in an array of weights from which it is kept in half precision."""
PREFIX, OUTPUTS = "elevation/", ("upright", "place", "yaw")
"""Names in a reader of what tells from where it sees a die, learned last (``train_elevation.py``)."""


def halve(file: Path) -> None:
    """Keep all large weights as float16, widened when the file is loaded; biases and scales stay as they are."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(file))
    graph = model.graph
    widened, kept = [], []
    for weight in graph.initializer:
        array = numpy_helper.to_array(weight)
        if array.dtype != np.float32 or array.size < MIN_HALVED or array.ndim < 2:
            kept.append(weight)
            continue
        narrow = f"{weight.name}.half"
        kept.append(numpy_helper.from_array(array.astype(np.float16), narrow))
        widened.append(helper.make_node("Cast", [narrow], [weight.name], to=TensorProto.FLOAT))
    del graph.initializer[:]
    graph.initializer.extend(kept)
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend([*widened, *nodes])
    onnx.save(model, str(file))


def widen(model: Any) -> None:
    """Turn weights kept in half precision into plain ones of the same name; the model is changed in place."""
    from onnx import numpy_helper

    graph = model.graph
    weights = {weight.name: weight for weight in graph.initializer}
    casts = [node for node in graph.node if node.op_type == "Cast" and node.input[0] in weights]
    for cast in casts:
        narrow = weights[cast.input[0]]
        wide = numpy_helper.from_array(numpy_helper.to_array(narrow).astype(np.float32), cast.output[0])
        graph.initializer.remove(narrow)
        graph.initializer.append(wide)
        graph.node.remove(cast)


def is_in_head(name: str) -> bool:
    """Whether something of a reader, by its name, tells from where it sees a die."""
    return name.startswith(PREFIX) or name in OUTPUTS


def without_head(model: Any) -> Any:
    """A reader as it was before it learned from where it sees a die; changed in place."""
    graph = model.graph
    ours: list[tuple[Any, Any]] = [
        (graph.node, node) for node in graph.node if any(is_in_head(name) for name in node.output)
    ]
    ours += [(kept, one) for kept in (graph.initializer, graph.output) for one in kept if is_in_head(one.name)]
    for kept, one in ours:
        kept.remove(one)
    return model


def feature_map(graph: Any) -> str:
    """The name of the last feature map before the one that is flattened.

    Raises:
        ValueError: nothing is flattened.
    """
    made = {name: node for node in graph.node for name in node.output}
    flat = next((node for node in graph.node if node.op_type == "Flatten"), None)
    if flat is None:
        raise ValueError("its features are never flattened")
    node = made[flat.input[0]]
    while node.op_type != "Conv":
        node = made[node.input[0]]
    return str(node.input[0])
