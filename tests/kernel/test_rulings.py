"""Rulings are a file that people write: what is wrong in it is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from loomtable.engine.kernel.errors import ContentInvalid, UnknownRuling
from loomtable.engine.kernel.rulings import read_rulings
from tests.short import raises

JOKERS = """rulings:
  jokers:
    rule: FE-2
    question: How deep is the water under a joker?
    book: The rules name the cards from the Ace to the King.
    choices:
      shallow: Depth 2.
      deep: Depth 12.
"""


def test_the_first_choice_is_the_default(tmp_path: Path) -> None:
    file = tmp_path / "rulings.yaml"
    file.write_text(JOKERS)
    rulings = read_rulings(file)
    assert rulings.defaults() == {"jokers": "shallow"}
    assert rulings["jokers"].choice("deep").says == "Depth 12."
    with pytest.raises(UnknownRuling, match="did you mean jokers"):
        rulings["joker"]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (JOKERS.replace("book:", "bok:"), r"rulings\.yaml line [1-5]: .*`?bok"),
        (JOKERS.split("choices")[0] + "choices: {}\n", r"rulings\.yaml line 6.*needs a choice"),
        (JOKERS + JOKERS.split("\n", 1)[1], r"rulings\.yaml line 9.*jokers"),
        (JOKERS.replace("shallow: Depth 2.", "shallow: [2]"), r"rulings\.yaml line \d+: expected text"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, wrong: str, says: str) -> None:
    file = tmp_path / "rulings.yaml"
    file.write_text(wrong)
    raises(ContentInvalid, says, read_rulings, file)
