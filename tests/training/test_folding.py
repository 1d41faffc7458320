"""Folding leaves what a network computes as it is: any chain of operators, before and after."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

onnx = pytest.importorskip("onnx", reason="training needs onnx, of training/pyproject.toml")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from loomtable.vision.onnx_runtime import onnxruntime  # noqa: E402
from training.folding import fold  # noqa: E402

CHANNELS = 3
PARTS = ("conv", "padded", "plain", "times", "plus", "over", "swish", "relu")
SHAPE = ["n", CHANNELS, 6, 6]


class Chain:
    """Operators one after another; ``nodes`` and ``weights`` grow with each."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.rng = np.random.default_rng(5)

    def number(self, name: str, of: float, scalar: bool = False) -> str:
        array = np.array(of if scalar else [of], np.float32)
        self.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(array, name)))
        return name

    def weight(self, name: str, *shape: int) -> str:
        self.weights.append(numpy_helper.from_array(self.rng.normal(0, 0.5, shape).astype(np.float32), name))
        return name

    def add(self, part: str, of: float, x: str, y: str) -> None:
        if part in ("conv", "padded", "plain"):
            size, pads = (1, 0) if part == "conv" else (3, 1)
            names = [x, self.weight(f"{y}.w", CHANNELS, CHANNELS, size, size)]
            names += [] if part == "plain" else [self.weight(f"{y}.b", CHANNELS)]
            self.nodes.append(helper.make_node("Conv", names, [y], pads=[pads] * 4))
        elif part == "swish":
            self.nodes.append(helper.make_node("Add", [x, self.number(f"{y}.3", 3.0)], [f"{y}.raised"]))
            bounds = [self.number(f"{y}.low", 0.0, True), self.number(f"{y}.high", 6.0, True)]
            self.nodes.append(helper.make_node("Clip", [f"{y}.raised", *bounds], [f"{y}.bent"]))
            self.nodes.append(helper.make_node("Mul", [x, f"{y}.bent"], [f"{y}.gated"]))
            self.nodes.append(helper.make_node("Div", [f"{y}.gated", self.number(f"{y}.6", 6.0)], [y]))
        elif part == "relu":
            self.nodes.append(helper.make_node("Relu", [x], [y]))
        else:
            kind = {"times": "Mul", "plus": "Add", "over": "Div"}[part]
            self.nodes.append(helper.make_node(kind, [x, self.number(f"{y}.n", of)], [y]))


def network(parts: list[tuple[str, float]], seen: int = 0) -> Any:
    """A network of such parts; what comes before part ``seen`` is an output too."""
    chain, values = Chain(), ["x", *(f"v{place}" for place in range(len(parts)))]
    for (part, of), x, y in zip(parts, values, values[1:], strict=False):
        chain.add(part, of, x, y)
    outputs = dict.fromkeys([values[-1], *([values[seen]] if 0 < seen < len(parts) else [])])
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, SHAPE) for name in ("x", *outputs)]
    graph = helper.make_graph(chain.nodes, "chain", infos[:1], infos[1:], chain.weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    return model


def computed(model: Any, x: np.ndarray) -> list[np.ndarray]:
    """What a network computes, by the runtime without any folding of its own."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, {"x": x}))


def operators(model: Any) -> list[str]:
    return [node.op_type for node in model.graph.node if node.op_type != "Constant"]


numbers = st.floats(0.25, 4.0).flatmap(lambda n: st.sampled_from([n, -n]))


@given(st.lists(st.tuples(st.sampled_from(PARTS), numbers), min_size=1, max_size=9), st.integers(0, 9))
def test_any_chain_computes_what_it_computed(parts: list[tuple[str, float]], seen: int) -> None:
    model = network(parts, seen)
    x = np.random.default_rng(1).normal(0, 2, (2, CHANNELS, 6, 6)).astype(np.float32)
    before, many = computed(model, x), len(operators(model))
    fold(model.graph)
    onnx.checker.check_model(model)
    for old, new in zip(before, computed(model, x), strict=True):
        assert np.allclose(old, new, rtol=1e-3, atol=1e-4 * max(1.0, float(np.abs(old).max())))
    assert len(operators(model)) <= many


def test_nine_operators_after_a_convolution_become_two() -> None:
    block = [("padded", 1.0), ("times", 1.5), ("plus", 2.0), ("swish", 1.0), ("times", 3.0), ("plus", 0.25)]
    model = network([*block, ("conv", 1.0)])
    fold(model.graph)
    assert operators(model) == ["Conv", "HardSigmoid", "Mul", "Conv"]


def test_an_offset_before_a_padded_border_stays() -> None:
    model = network([("times", 2.0), ("plus", 0.5), ("padded", 1.0)])
    fold(model.graph)
    assert operators(model) == ["Add", "Conv"], "beyond the border there is nothing to shift"


def test_what_stays_between_convolutions_is_one_of_one_pixel() -> None:
    model = network([("conv", 1.0), ("relu", 1.0), ("plus", 0.5), ("times", 3.0), ("plus", 2.0), ("padded", 1.0)])
    fold(model.graph)
    assert operators(model) == ["Conv", "Relu", "Conv", "Conv"]
    shifting = model.graph.node[[node.op_type for node in model.graph.node].index("Relu") + 1]
    assert {one.name: onnx.helper.get_attribute_value(one) for one in shifting.attribute} == {
        "group": CHANNELS,
        "kernel_shape": [1, 1],
    }
