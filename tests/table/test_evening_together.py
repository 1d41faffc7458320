"""The beginning of an evening on laptop, television and two phones at once, with a film as the camera.

Whole evenings of every game are a command of their own: ``python -m tests.evening_together``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.evening_together import play
from tests.table.browsing import serving
from tests.tiers import thorough


@thorough
def test_every_screen_shows_what_came_of_dice_that_were_filmed(browser: Any, tmp_path: Path) -> None:
    with serving(browser, tmp_path) as table:
        seen = play(table, "mnemonic", tmp_path, filmed=1, most=1, hurried=True)
    assert seen.by_camera == 1, "the dice were not read"
    assert seen.results == len(seen.seconds) == 4, "laptop, television and both phones"
    assert seen.looked_for_hidden > 0
