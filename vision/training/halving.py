"""Weights of ONNX files in half precision: files of half the size. Needs onnx alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def halve(file: Path) -> None:
    """Keep all large weights as float16 and widen them when the file is loaded."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(file))
    graph = model.graph
    widened, kept = [], []
    for weight in graph.initializer:
        array = numpy_helper.to_array(weight)
        if array.dtype != np.float32 or array.size < 256:
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
