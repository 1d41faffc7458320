"""What the checker says about reading an adventure: lengths, manners of enemies, things asked for too early."""

from __future__ import annotations

import pytest

from loomtable.engine.storm_weavers.adventure_check import check_adventure_text
from tests.systems.storm_weavers_small import TEXT

TROLL = "enemies: {Troll: Sleeps.}\nparagraphs:"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("text: Home.", f"text: {'word ' * 131}", 30, "paragraph 5 has 131 words; 130 at most"),
        ("says: Open it.", "says: ' '", 9, "paragraph 1 has a choice that says nothing"),
        ("says: Open it.", f"says: {'O' * 101}", 9, "paragraph 1 has a choice of 101 letters; 100 at most"),
        ("paragraphs:", TROLL, 5, "'Troll' is described under 'enemies' and fights"),
        ("paragraphs:", TROLL, 14, "nothing is said under 'enemies' about 'Goblin'"),
        ("if: {item: Axe}", "if: {item: Key}", 10, "asks for the item 'Key', which is gained only later"),
        ("if: {item: Axe}", "if: {visited: 4}", 10, "asks whether paragraph 4 was read, which cannot come before"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_told_and_does_not_stop_the_play(
    old: str, new: str, line: int, words: str
) -> None:
    assert old in TEXT
    findings = check_adventure_text(TEXT.replace(old, new, 1), "small.yaml")
    [found] = [finding for finding in findings if words in finding.says]
    assert (found.line, found.stops_play) == (line, False)
