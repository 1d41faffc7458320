"""The reader measured on rendered scenes: what is counted, and by which elevation."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from tests.tiers import thorough
from tests.vision.needed import needs_networks
from training.develop import labels, photographed
from training.invent import make_scene
from training.labels import SCENES, LabelledScene
from training.raster import Rasteriser
from training.rendered import Counts, count, main
from training.views import RendererMissing


def test_a_die_is_wrong_if_it_is_believed_and_not_right() -> None:
    counts: Counts = defaultdict(Counter)
    for right, believed in ((True, True), (True, False), (False, True), (False, False)):
        count(counts, [("d10", "all")], right, believed)
    assert counts["d10", "all"] == {"dice": 4, "right": 2, "believed": 2, "wrong": 1}


@thorough
@needs_networks
def test_scenes_are_counted_by_kind_and_elevation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        renderer = Rasteriser(finer=1.0)
    except RendererMissing as missing:
        pytest.skip(str(missing))
    part, lines = tmp_path / "part-00000", []
    part.mkdir()
    for seed in range(7_300_000, 7_300_003):
        scene = make_scene(seed, typefaces=renderer.typefaces, size=(480, 360), kinds=("d6",), elevations=(75, 75))
        rendered = renderer.draw(scene)
        cv2.imwrite(str(part / f"{seed}.png"), photographed(scene, rendered))
        lines.append(msgspec.json.encode(LabelledScene(f"{seed}.png", 480, 360, labels(scene, rendered.which))))
    (part / SCENES).write_bytes(b"\n".join(lines))
    assert main([str(tmp_path)]) == 0
    rows = [[cell.strip() for cell in row.split("│")[1:-1]] for row in capsys.readouterr().out.splitlines()]
    counted = {(row[0], row[1]): int(row[2]) for row in rows if row}
    assert counted.pop(("whole pictures", "all")) == 3
    assert set(counted) == {(kind, band) for kind in ("d6", "all") for band in ("60 to 90", "all")}
    assert len(set(counted.values())) == 1 and counted["d6", "all"] >= 3


@needs_networks
def test_scenes_that_do_not_say_from_where_a_die_is_seen_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = tmp_path / "part-00000"
    part.mkdir()
    cv2.imwrite(str(part / "1.png"), np.full((60, 80, 3), 90, np.uint8))
    die = {"kind": "d6", "value": 3, "box": [10, 10, 40, 40]}
    (part / SCENES).write_text(json.dumps({"image": "1.png", "width": 80, "height": 60, "dice": [die]}))
    assert main([str(tmp_path)]) == 2
    said = f"{part / '1.png'}: a d6 has no box or upright; draw the scenes again with this version"
    assert said in capsys.readouterr().err.splitlines()


def test_a_folder_without_scenes_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err == (f"there are no scenes in {tmp_path}: draw some with training.make\n")
