"""ONNX files as training leaves them: weights in half precision, and in whole again. Needs onnx alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
MIN_HALVED = 256
"""Numbers in an array of weights from which it is kept in half precision."""


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
