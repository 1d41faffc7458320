"""The networks of the dice reader: shapes, learning, and what is written to files."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch, of training/pyproject.toml")
pytest.importorskip("onnx", reason="training needs onnx, of training/pyproject.toml")

from loomtable.engine.kernel.errors import FileUnreadable  # noqa: E402
from loomtable.testing.virtual.pip_layouts import LAYOUTS  # noqa: E402
from loomtable.vision.network import Network  # noqa: E402
from training.augment_pictures import Crop  # noqa: E402
from training.crops import NothingToTrainOn  # noqa: E402
from training.export import ALLOWED, export  # noqa: E402
from training.networks import MAKES, Detector, Reader, Second  # noqa: E402
from training.pack import MOBILENET  # noqa: E402
from training.schooled import schooled  # noqa: E402
from training.shapes import KINDS  # noqa: E402
from training.train import Recipe, Run, load_network, train  # noqa: E402
from training.train_detector import batch_of, detector_loss  # noqa: E402
from training.train_readers import CropBatch, reader_loss  # noqa: E402


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def drawn(value: int, rng: np.random.Generator) -> np.ndarray:
    """A face with pips on a table, drawn."""
    table, body, ink = (rng.integers(0, 256, 3).tolist() for _ in range(3))
    crop = np.full((96, 96, 3), table, np.uint8)
    cv2.rectangle(crop, (16, 16), (80, 80), body, -1)
    for x, y in LAYOUTS[value]:
        cv2.circle(crop, (48 + 18 * x, 48 + 18 * y), 7, ink if abs(sum(ink) - sum(body)) > 90 else (0, 0, 0), -1)
    return crop


def twenty() -> CropBatch:
    rng = np.random.default_rng(2)
    values = [1 + k % 6 for k in range(20)]
    crops = torch.from_numpy(np.stack([drawn(value, rng) for value in values]))
    pips = torch.tensor(values) - 1
    return CropBatch(
        crops, torch.full((20,), KINDS.index("d6")), pips, torch.full((20,), -1), torch.zeros(20, 4), pairs=0
    )


@pytest.mark.parametrize(("make", "steps"), [("reader", 36), ("second", 70)])
def test_a_reader_learns_twenty_faces_by_heart(make: str, steps: int) -> None:
    recipe = Recipe(make, (), None, (), steps, 1, 3e-3, None)
    run, batch = Run(recipe), twenty()
    for _ in range(steps):
        figures = run.learn(batch)
    assert figures["pips"] >= 0.95 and figures["kind"] == 1


def test_the_detector_learns_one_view_by_heart() -> None:
    picture = np.full((96, 96, 3), 200, np.uint8)
    cv2.rectangle(picture, (30, 40), (60, 70), (20, 20, 160), -1)
    nothing = np.zeros((0, 4), np.float32)
    batch = batch_of([Crop(picture, np.array([[30, 40, 60, 70]], np.float32), nothing, nothing)] * 4)
    run = Run(Recipe("detector", (), None, (), 50, 1, 3e-3, None))
    first = run.learn(batch)
    for _ in range(49):
        last = run.learn(batch)
    assert last["loss"] < 0.15 * first["loss"]
    assert last["seen"] == 1


def test_answers_have_their_shapes() -> None:
    found = Detector().eval()(torch.rand(1, 3, 64, 96))
    assert [part.shape[1:] for part in found] == [(1, 8, 12), (2, 8, 12), (2, 8, 12)]
    for network in (Reader(), Second()):
        read = network.eval()(torch.rand(2, 3, 96, 96))
        assert [part.shape for part in read] == [(2, 9), (2, 6), (2, 21), (2, 4), (2, 64)]
        assert torch.allclose(read.embedding.norm(dim=1), torch.ones(2), atol=1e-5)


@pytest.mark.parametrize("make", sorted(MAKES))
def test_a_file_says_what_its_network_says(make: str, tmp_path: Path) -> None:
    torch.manual_seed(4)
    network = MAKES[make]()
    assert export(network, tmp_path / "whole.onnx", half=False) < 1e-3
    assert export(network, tmp_path / "half.onnx") < ALLOWED
    assert (tmp_path / "half.onnx").stat().st_size < 0.6 * (tmp_path / "whole.onnx").stat().st_size


def test_the_product_loads_what_training_writes(tmp_path: Path) -> None:
    export(Reader(), tmp_path / "reader.onnx")
    network = Network(tmp_path / "reader.onnx", ("kind", "pips", "numeral", "embedding"))
    said = network.run(np.random.default_rng(1).random((5, 3, 96, 96), np.float32))
    assert said["embedding"].shape == (5, 64)


def test_the_second_reader_begins_with_layers_that_can_see(tmp_path: Path) -> None:
    seeing = Second().features.state_dict(prefix="features.")
    taught = {name: torch.full_like(weight, 0.5) for name, weight in seeing.items()}
    buffer = io.BytesIO()
    torch.save(taught | {"features.18.0.weight": torch.zeros(3)}, buffer)
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(MOBILENET, buffer.getvalue())
    begun = schooled(wheel).state_dict()
    assert all(torch.equal(begun[name], weight) for name, weight in taught.items())
    with pytest.raises(FileUnreadable, match="cannot be read"):
        schooled(tmp_path / "none.whl")


def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    recipe, batch = Recipe("second", (), None, (), 6, 1, 2e-3, None), twenty()
    whole, begun, resumed = Run(recipe), Run(recipe), Run(recipe)
    torch.manual_seed(0)
    for _ in range(3):
        begun.learn(batch)
    begun.keep(tmp_path / "run.ckpt")
    resumed.go_on_from(tmp_path / "run.ckpt")
    for _ in range(3):
        resumed.learn(batch)
    torch.manual_seed(0)
    for _ in range(6):
        whole.learn(batch)
    assert (resumed.step, resumed.done) == (whole.step, 1.0)
    same = zip(resumed.network.parameters(), whole.network.parameters(), strict=True)
    assert all(torch.allclose(one, other, atol=1e-4) for one, other in same)
    assert load_network("second", tmp_path / "run.ckpt").training is False


def test_what_was_not_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "broken.ckpt").write_bytes(b"no run")
    with pytest.raises(FileUnreadable, match="no run was kept"):
        load_network("second", tmp_path / "broken.ckpt")


def test_what_is_unknown_counts_for_nothing() -> None:
    batch = twenty()
    unknown = CropBatch(
        batch.crops, batch.kind, torch.full((20,), -1), batch.numeral, torch.full((20, 4), torch.nan), pairs=0
    )
    network = Reader()
    loss, figures = reader_loss(network(batch.taken), unknown)
    loss.backward()
    pips = network.heads.answers.weight.grad[len(KINDS) : len(KINDS) + 6]
    assert np.isnan(figures["pips"]) and pips.abs().max() == 0
    nothing = np.zeros((0, 4), np.float32)
    ignored = Crop(np.zeros((64, 64, 3), np.uint8), nothing, np.array([[0, 0, 64, 64]], np.float32), nothing)
    found = Detector()(torch.rand(1, 3, 64, 64))
    assert float(detector_loss(found, batch_of([ignored]))[0].detach()) == 0


def test_nothing_to_learn_from_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NothingToTrainOn, match="nothing to learn from"):
        train(Recipe("reader", (), None, (), 1, 1, 3e-3, None), tmp_path / "it.onnx", tmp_path)
    assert not list(tmp_path.iterdir())
