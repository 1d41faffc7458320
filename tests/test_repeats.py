"""Our texts do not lean on one device, and have no long run of words in common with a rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repeats import found

HOME = Path(__file__).parent.parent
SHELF = HOME.parent / "shared" / "rulebooks"
RUN = 7
"""Words in a row that may not be a rulebook's."""
AT_MOST = {
    "numbers with nine": 44,
    "weekdays": 23,
    "weddings": 21,
    "closing lists of three": 60,
    "similes": 24,
}
"""Half of what there was when they were first counted."""


@pytest.mark.parametrize("device", AT_MOST)
def test_no_device_wears_out(device: str) -> None:
    assert 0 < len(found(device)) <= AT_MOST[device]


def _runs(path: Path) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", path.read_text("utf-8", "replace").lower())
    return (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def test_nothing_we_wrote_has_seven_words_in_a_row_from_a_rulebook() -> None:
    if not SHELF.is_dir():
        pytest.skip("the rulebooks are not here")
    theirs = {run for book in SHELF.glob("*.txt") for run in _runs(book)}
    ours = [*HOME.glob("docs/**/*.md"), *HOME.glob("templates/**/*.yaml")]
    assert theirs and ours
    for path in ours:
        for run in _runs(path):
            assert run not in theirs, f"{path.relative_to(HOME)}: {' '.join(run)}"
