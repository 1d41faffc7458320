"""Networks in 8 bits say what they said before, and stay as they are when they are quantized again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="training needs onnx, of training/pyproject.toml")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from loomtable.engine.kernel.errors import FileUnreadable  # noqa: E402
from loomtable.engine.kernel.package_data import package_file  # noqa: E402
from loomtable.testing.virtual import VirtualCamera, handful_of_dice, photograph  # noqa: E402
from loomtable.vision.dice.networks import DETECTOR, READER  # noqa: E402
from loomtable.vision.network import Network  # noqa: E402
from loomtable.vision.pictures import write_picture  # noqa: E402
from tests.tiers import thorough  # noqa: E402
from tests.vision.needed import needs_networks  # noqa: E402
from training.onnx_files import halve, widen  # noqa: E402
from training.photographs import Photographs, load_photographs  # noqa: E402
from training.quantize import ALLOWED, changes, quantize, quantize_models  # noqa: E402

SEED = np.random.default_rng(6)
CONV = SEED.normal(0, 0.3, (12, 3, 3, 3)).astype(np.float32)
HEAD = SEED.normal(0, 0.3, (12, 5)).astype(np.float32)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A convolution and a head, as a file with its weights in half precision."""
    nodes = [
        helper.make_node("Conv", ["crops", "conv"], ["seen"], "conv", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["seen"], ["lit"], "relu"),
        helper.make_node("GlobalAveragePool", ["lit"], ["mean"], "mean"),
        helper.make_node("Flatten", ["mean"], ["flat"], "flat"),
        helper.make_node("MatMul", ["flat", "head"], ["kind"], "head"),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("crops", TensorProto.FLOAT, ["n", 3, 16, 16])],
        [helper.make_tensor_value_info("kind", TensorProto.FLOAT, ["n", 5])],
        [numpy_helper.from_array(CONV, "conv"), numpy_helper.from_array(HEAD, "head")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, str(tmp_path / "small.onnx"))
    halve(tmp_path / "small.onnx")
    return tmp_path / "small.onnx"


def crops(brightest: float) -> list[np.ndarray]:
    light = np.linspace(0.1, brightest, 6, dtype=np.float32)
    return [SEED.random((4, 3, 16, 16), np.float32) * one for one in light]


def test_in_8_bits_a_network_says_what_it_said(file: Path, tmp_path: Path) -> None:
    quantize(file, tmp_path / "quick.onnx", crops(1.0))
    before, after = Network(file, ("kind",)), Network(tmp_path / "quick.onnx", ("kind",))
    assert 0 < changes(before, after, crops(1.0))["kind"] < ALLOWED / 4
    quick = onnx.load(str(tmp_path / "quick.onnx"))
    assert {"QuantizeLinear", "DequantizeLinear"} <= {node.op_type for node in quick.graph.node}


def test_ranges_measured_in_the_dark_are_found_out_by_day(file: Path, tmp_path: Path) -> None:
    quantize(file, tmp_path / "quick.onnx", crops(0.1))
    before, after = Network(file, ("kind",)), Network(tmp_path / "quick.onnx", ("kind",))
    assert changes(before, after, crops(1.0))["kind"] > ALLOWED


def test_a_network_in_8_bits_is_left_as_it_is(file: Path, tmp_path: Path) -> None:
    quick, again = tmp_path / "quick.onnx", tmp_path / "again.onnx"
    quantize(file, quick, crops(1.0))
    quantize(quick, again, crops(0.1))
    assert again.read_bytes() == quick.read_bytes()


def test_half_precision_can_be_taken_back(file: Path) -> None:
    model = onnx.load(str(file))
    widen(model)
    assert "Cast" not in {node.op_type for node in model.graph.node}
    assert {weight.name for weight in model.graph.initializer} == {"conv", "head"}
    weights = {weight.name: numpy_helper.to_array(weight) for weight in model.graph.initializer}
    assert np.allclose(weights["conv"], CONV, atol=1e-3)


@thorough
@needs_networks
def test_what_has_8_bits_already_ships_as_it_is(tmp_path: Path) -> None:
    folder, camera = tmp_path / "dice" / "skovy", VirtualCamera()
    folder.mkdir(parents=True)
    shot = photograph(handful_of_dice([2, 5], seed=1, camera=camera), camera, seed=1)
    write_picture(folder / "000.png", shot.picture)
    height, width = shot.picture.shape[:2]
    (tmp_path / "dice.jsonl").write_text(
        f'{{"image": "dice/skovy/000.png", "width": {width}, "height": {height}, '
        '"dice": [{"kind": "d6", "value": 2}, {"kind": "d6", "value": 5}]}\n' * 2
    )
    photographs = load_photographs(tmp_path, ["skovy"])
    changed = quantize_models(package_file("models"), photographs, tmp_path / "new")
    assert changed[DETECTOR]["heat"] == changed[READER]["kind"] == 0
    for name in (DETECTOR, READER):
        assert (tmp_path / "new" / name).read_bytes() == package_file("models", name).read_bytes()


def test_a_folder_without_networks_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileUnreadable, match="holds no networks of the dice reader"):
        quantize_models(tmp_path, Photographs(tmp_path, ()), tmp_path / "new")
    assert not (tmp_path / "new").exists()
