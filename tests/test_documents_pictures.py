"""The pictures in the documents: one command makes them all, every one is shown, and none is out of date."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from loomtable.vision.pictures import BgrImage, read_picture
from tests.tiers import mostly

HOME = Path(__file__).parent.parent
PICTURES = HOME / "docs" / "pictures"
QUICK = ("own-deck", "decks", "templates")
"""Those that take a second or two: their pictures are made anew by the tests."""
ALIKE = 6.0
"""Grey levels by which small pictures of the same thing may differ in the mean."""


@pytest.fixture(scope="module")
def command() -> ModuleType:
    """``docs/site/pictures.py``, which lies in no package."""
    spec = importlib.util.spec_from_file_location("docs_pictures", HOME / "docs" / "site" / "pictures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_command_makes_every_picture_and_no_other(command: ModuleType) -> None:
    """But for the diagram, which people draw."""
    made = [name for making in command.MAKINGS for name in making.files]
    assert len(made) == len(set(made))
    assert set(made) == {path.name for path in PICTURES.iterdir() if path.suffix != ".svg"}


def test_every_picture_is_shown_somewhere_and_described() -> None:
    shown: set[str] = set()
    for page in (HOME / "README.md", *HOME.glob("docs/**/*.md")):  # a film is behind its still
        for words, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text("utf-8")):
            assert len(words) > 12, f"{page.name}: {target} is shown without saying what it shows"
        shown |= {Path(target).name for target in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8"))}
    assert {path.name for path in PICTURES.iterdir()} <= shown


@pytest.mark.parametrize("name", mostly(QUICK, QUICK[:2]))
def test_pictures_show_what_is_printed_now(name: str, command: ModuleType, tmp_path: Path) -> None:
    [making] = [making for making in command.MAKINGS if making.name == name]
    assert command.main(["--into", str(tmp_path), name]) == 0
    for file in making.files:
        kept, fresh = small(read_picture(PICTURES / file)), small(read_picture(tmp_path / file))
        off = float(np.abs(kept.astype(float) - fresh).mean())
        assert off < ALIKE, f"{file} shows something else than is printed: python docs/site/pictures.py {name}"


def small(picture: BgrImage) -> BgrImage:
    return np.asarray(cv2.resize(picture, (96, 72), interpolation=cv2.INTER_AREA), np.uint8)


def test_what_is_there_is_left_and_a_wrong_name_is_refused(
    command: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (name for making in command.MAKINGS for name in making.files):
        (tmp_path / file).write_bytes(b"an old picture")
    assert command.main(["--into", str(tmp_path), "--missing"]) == 0
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {b"an old picture"}
    with pytest.raises(SystemExit):
        command.main(["soup"])
    assert "there is no 'soup'" in capsys.readouterr().err
