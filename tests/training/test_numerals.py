"""How the reader of numerals is cut out of a reader of print."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="training needs onnx, of training/pyproject.toml")

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.vision.network import Network
from training.numerals import cut_down

CHARACTERS = ["猫", *"zyx", *"9876543210", *"-+", "犬"]


def reader_of_print(weights: np.ndarray, characters: list[str]) -> bytes:
    """A recogniser of the published form: the mean over the height, one layer kept as a constant, and shares."""
    from onnx import TensorProto, helper, numpy_helper

    named = {"linear.w": weights, "linear.b": np.linspace(0, 1, weights.shape[1], dtype=np.float32)}
    constants = [
        helper.make_node("Constant", [], [name], value=numpy_helper.from_array(array, name))
        for name, array in named.items()
    ]
    nodes = [
        *constants,
        helper.make_node("ReduceMean", ["x"], ["flat"], axes=[2], keepdims=0),
        helper.make_node("Transpose", ["flat"], ["places"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["places", "linear.w"], ["scores"]),
        helper.make_node("Add", ["scores", "linear.b"], ["sums"]),
        helper.make_node("Softmax", ["sums"], ["said"], axis=2),
    ]
    taken = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, "h", "w"])
    said = helper.make_tensor_value_info("said", TensorProto.FLOAT, ["n", "w", weights.shape[1]])
    model = helper.make_model(
        helper.make_graph(nodes, "print", [taken], [said]), opset_imports=[helper.make_opsetid("", 12)]
    )
    model.ir_version = 8
    helper.set_model_props(model, {"character": "\n".join(characters)})
    return bytes(model.SerializeToString())


def test_digits_keep_their_weights_and_other_scripts_are_gone(tmp_path: Path) -> None:
    # What stands first is "nothing here", and what stands last a blank.
    weights = np.random.default_rng(2).normal(0, 1, (3, len(CHARACTERS) + 2)).astype(np.float32)
    out = tmp_path / "numerals.onnx"
    cut_down(reader_of_print(weights, CHARACTERS), out)
    crops = np.random.default_rng(3).random((2, 3, 8, 16), np.float32)
    shares = Network(out, ("characters",)).run(crops)["characters"]
    kept = [0, *(1 + CHARACTERS.index(c) for c in "0123456789+-xyz")]
    scores = crops.mean(axis=2).transpose(0, 2, 1) @ weights + np.linspace(0, 1, weights.shape[1])
    wanted = np.exp(scores[..., kept])
    assert shares.shape == (2, 16, 16)
    assert shares == pytest.approx(wanted / wanted.sum(axis=-1, keepdims=True), abs=2e-3)


@pytest.mark.parametrize("characters", [["a", "b"], [*"0123456789", *"unlike the layer"]])
def test_another_recogniser_is_refused_in_a_sentence(tmp_path: Path, characters: list[str]) -> None:
    with pytest.raises(FileUnreadable, match="take rapidocr-onnxruntime"):
        cut_down(reader_of_print(np.zeros((3, 20), np.float32), characters), tmp_path / "o.onnx")
    assert not (tmp_path / "o.onnx").exists()
