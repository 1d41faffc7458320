"""The beginning of an evening on laptop, television and two phones at once, with a film as the camera.

Whole evenings of every game are a command of their own: ``python -m tests.evening_together``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evening_together import play
from tests.table.browsing import chromium, serving
from tests.tiers import thorough


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from chromium()


@thorough
def test_every_screen_shows_what_came_of_dice_that_were_filmed(browser: Any, tmp_path: Path) -> None:
    with serving(browser, tmp_path) as table:
        seen = play(table, "mnemonic", tmp_path, filmed=1, most=1, hurried=True)
    assert seen.by_camera == 1, "the dice were not read"
    assert seen.results == len(seen.seconds) == 4, "laptop, television and both phones"
    assert seen.looked_for_hidden > 0
