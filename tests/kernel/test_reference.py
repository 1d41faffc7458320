"""Rules in short are a file that people write: figures are the engine's, mistakes are named with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.reference import Block, ScreenPanel, read_panels, read_reference

FERRY = """reference:
  front:
  - &rowing
    title: Rowing
    rules: FE-1
    text: "{dice} dice; each {least} or more is a stroke."
    table:
    - [Depth, Strokes]
    - depths
    - ["in fog", "{least} more"]
  back: []
panels:
  On the water:
  - *rowing
"""
FIGURES = {"dice": "Three", "least": 4, "depths": (("shallow", "2"), ("deep", "12"))}
ROWING = Block(
    "Rowing",
    "FE-1",
    "Three dice; each 4 or more is a stroke.",
    (("Depth", "Strokes"), ("shallow", "2"), ("deep", "12"), ("in fog", "4 more")),
)


def written(folder: Path, text: str) -> Path:
    file = folder / "reference.yaml"
    file.write_text(text)
    return file


def test_sentences_and_tables_are_filled_with_the_engines_figures(tmp_path: Path) -> None:
    file = written(tmp_path, FERRY)
    assert read_reference(file, FIGURES).front == (ROWING,)
    assert read_panels(file, FIGURES) == (ScreenPanel("On the water", (ROWING,)),)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (FERRY.replace("{dice}", "{dies}"), r"line 3: .*'dies'.*the figures are dice, least, depths"),
        (FERRY.replace("- depths", "- deeps"), r"line 3: .*'deeps'"),
        (FERRY.replace("- depths", "- dice"), r"line 3: .*'dice'"),
        (FERRY.replace("{dice}", "{}"), r"line 3: "),
        (FERRY.replace("{dice}", "{dice"), r"line 3: "),
        (FERRY.replace("rules:", "rule:"), r"line [1-5]: .*rule"),
    ],
)
def test_what_cannot_be_filled_is_named_with_its_line(tmp_path: Path, wrong: str, says: str) -> None:
    with pytest.raises(ContentInvalid, match=rf"reference\.yaml {says}"):
        read_reference(written(tmp_path, wrong), FIGURES)
