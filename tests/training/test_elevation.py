"""The head that tells from where a die is seen: what it is shown, that it learns, and that the reader stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="training needs onnx, of training/pyproject.toml")
torch = pytest.importorskip("torch", reason="training needs PyTorch, of training/pyproject.toml")

from loomtable.vision.dice.pose import ORDERS  # noqa: E402
from loomtable.vision.network import Network  # noqa: E402
from training.crops import PATCH, ROW, Crops, NothingToTrainOn  # noqa: E402
from training.export import OF_ELEVATION, export  # noqa: E402
from training.networks import Reader, Second  # noqa: E402
from training.quantize import ELEVATION_HEAD  # noqa: E402
from training.shapes import KINDS  # noqa: E402
from training.train_elevation import (  # noqa: E402
    Lessons,
    learn_from,
    prior_of,
    train,
)

BEFORE = ("kind", "pips", "numeral", "top")


def crops(upright: tuple[float, float]) -> Crops:
    rng = np.random.default_rng(4)
    patch = rng.integers(0, 255, (PATCH, PATCH, 3)).astype(np.uint8)
    row = np.zeros(1, ROW)
    row["side"], row["seen"], row["upright"], row["top"], row["source"] = 80.0, 1.0, upright, (0.0, -0.2), "scenes"
    row["kind"], row["yaw"] = KINDS.index("d8"), 0.5
    return Crops(patch[None], row)


def test_what_stands_upright_turns_with_its_crop() -> None:
    learned = learn_from([crops((0.0, -0.9))], Reader().eval(), seed=1, looks=12)
    assert learned.features.shape[0] == len(learned.upright) == len(learned.place) == 12
    assert np.hypot(*learned.upright.T) == pytest.approx(0.9, abs=1e-5)
    assert learned.upright[:, 1].max() < -0.85, "turned by 12 degrees at most"
    mirrored = learned.yaw[:, 0] < 0
    assert 0 < mirrored.sum() < 12
    yaws = np.arctan2(learned.yaw[:, 1], np.abs(learned.yaw[:, 0]))
    turns = np.arctan2(learned.upright[:, 0], -learned.upright[:, 1])
    assert yaws == pytest.approx(0.5 + np.where(mirrored, -turns, turns), abs=1e-5), "its yaw turns with it"
    assert set(learned.order) == {ORDERS.index(3)}
    with pytest.raises(NothingToTrainOn, match="make scenes again"):
        learn_from([crops((float("nan"), float("nan")))], Reader().eval(), seed=1)


def test_what_was_learned_from_is_told_as_a_mean_and_a_scale() -> None:
    upright = np.random.default_rng(3).normal((0.1, -0.5), (0.1, 0.4), (20_000, 2)).astype(np.float32)
    middle, scale = prior_of(upright)
    assert middle == pytest.approx((0.1, -0.5), abs=0.01)
    assert scale == pytest.approx(0.2, abs=0.005), "the geometric mean of both"


@pytest.mark.parametrize(("make", "shape"), [(Reader, (128, 6, 6)), (Second, (96, 5, 5))])
def test_a_head_is_learned_and_put_beside_what_the_reader_says(
    make: type[Reader | Second], shape: tuple[int, int, int], tmp_path: Path
) -> None:
    rng = np.random.default_rng(2)
    upright = rng.uniform(-0.8, 0.8, (400, 2)).astype(np.float32)
    features = rng.normal(0, 0.1, (400, *shape)).astype(np.float16)
    features[:, :2] += upright[:, :, None, None].astype(np.float16)
    yaw = upright / np.hypot(*upright.T)[:, None]
    order = np.where(np.arange(400) < 300, ORDERS.index(1), -1)
    head = train(Lessons(features, upright, upright / 2, yaw, order), steps=150, seed=1)
    with torch.inference_mode():
        said, place, turned = head(torch.from_numpy(features).float())
    along = (turned[:, :2] / turned[:, :2].norm(dim=1, keepdim=True) * torch.from_numpy(yaw)).sum(dim=1)
    assert float(along.median()) > 0.9
    assert float((said[:, :2] - torch.from_numpy(upright)).norm(dim=1).median()) < 0.2
    assert float((place - torch.from_numpy(upright) / 2).norm(dim=1).median()) < 0.2
    torch.manual_seed(1)
    network = make().eval()
    export(network, tmp_path / "bare.onnx")
    export(network, tmp_path / "taught.onnx", head=head)
    given = rng.random((3, 3, 96, 96)).astype(np.float32)
    old = Network(tmp_path / "bare.onnx", BEFORE).run(given)
    new = Network(tmp_path / "taught.onnx", (*BEFORE, *OF_ELEVATION)).run(given)
    assert all(old[name] == pytest.approx(new[name], abs=1e-5) for name in BEFORE)
    assert [new[name].shape for name in OF_ELEVATION] == [(3, 3), (3, 2), (3, 8)]
    nodes = onnx.load(str(tmp_path / "taught.onnx")).graph.node
    convolved = [node.name for node in nodes if node.op_type == "Conv" and node.name.startswith(ELEVATION_HEAD)]
    assert len(convolved) == 1, "what quantizing leaves as it is"
