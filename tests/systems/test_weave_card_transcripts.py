"""What single cards of Weave say, and what comes of it: a transcript each, with the words as its title."""

from __future__ import annotations

from pathlib import Path

import pytest

from loomtable.engine.kernel.transcript import replay
from loomtable.engine.systems import SYSTEMS

CARDS = sorted((Path(__file__).parent / "cards").glob("*.yaml"))


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_the_card_does_what_it_says(path: Path) -> None:
    replayed = replay(path.read_text("utf-8"), path.name, SYSTEMS)
    assert replayed.expectations, "a transcript that expects nothing cannot fail"
