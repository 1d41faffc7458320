"""What the network of uprights is shown, and that it learns from it."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch, of training/pyproject.toml")

from training.crops import PATCH, ROW, UNKNOWN, Crops, NothingToTrainOn  # noqa: E402
from training.train import Batches, Recipe, Run  # noqa: E402
from training.train_upright import (  # noqa: E402
    TURN_CROP_SIDE,
    Standing,
    turn_batch,
    unlikely,
)


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
    run = Run(Recipe("upright", (), None, (), 60, 1, 3e-3, None))
    for batch, _ in zip(Batches(partial(turn_batch, standing, batch=32), 1), range(60), strict=False):
        run.learn(batch)
    shown = next(iter(Batches(partial(turn_batch, standing), 9)))
    with torch.inference_mode():
        said = run.network.eval()(shown.taken)
    off = torch.atan2(said[:, 1], said[:, 0]) - shown.turns
    assert float((torch.cos(off) > 0.7).float().mean()) > 0.85
