"""The reliability diagram: how often dice are right that were read with some confidence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float64Array

BORDERS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
"""Borders of the confidences that are counted together, closer where it matters."""


def reliability(said: Float64Array, right: npt.NDArray[np.bool_]) -> list[tuple[float, float, int]]:
    """(mean confidence, share right, how many) of each range of confidences that any reading is in."""
    place = np.clip(np.searchsorted(BORDERS, said, side="right") - 1, 0, len(BORDERS) - 2)
    rows = []
    for number in range(len(BORDERS) - 1):
        mine = place == number
        if mine.any():
            rows.append((float(said[mine].mean()), float(right[mine].mean()), int(mine.sum())))
    return rows


def calibration_error(said: Float64Array, right: npt.NDArray[np.bool_]) -> float:
    """Mean distance between confidence and share right, over all readings, 0 to 1."""
    rows = reliability(said, right)
    return sum(count * abs(mean - share) for mean, share, count in rows) / max(len(said), 1)


def draw_diagram(file: Path, groups: Mapping[str, tuple[Float64Array, npt.NDArray[np.bool_]]]) -> None:
    """Draw one panel a group: shares of wrong readings against one minus the confidence, on logarithmic scales."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(groups), figsize=(5.2 * len(groups), 4.8), squeeze=False)
    for panel, (name, (said, right)) in zip(panels[0], groups.items(), strict=True):
        rows = reliability(said, right)
        doubt = np.array([max(1 - mean, 5e-4) for mean, _, _ in rows])
        wrong = np.array([max(1 - share, 5e-4) for _, share, _ in rows])
        panel.plot([5e-4, 1], [5e-4, 1], color="0.6", linestyle="--", label="as said")
        panel.plot(doubt, wrong, marker="o", color="black", label="measured")
        for x, y, (_, _, count) in zip(doubt, wrong, rows, strict=True):
            panel.annotate(str(count), (x, y), textcoords="offset points", xytext=(6, -10), fontsize=8)
        panel.set(xscale="log", yscale="log", xlim=(4e-4, 1.1), ylim=(4e-4, 1.1))
        panel.set(xlabel="doubt said (1 - confidence)", ylabel="share of readings that are wrong")
        panel.set_title(
            f"{name}: off by {100 * calibration_error(said, right):.1f} points on average", fontsize=10
        )
        panel.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(file, dpi=110)
    pyplot.close(figure)
