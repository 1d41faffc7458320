"""What the checker says about reading an adventure: lengths, manners of enemies, things asked for too early."""

from __future__ import annotations

import pytest

from loomtable.engine.storm_weavers.adventure_check import check_adventure_text, playable_adventure
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, AdventureEnding
from tests.systems.storm_weavers_small import TEXT

TROLL = "enemies: {Troll: Sleeps.}\nparagraphs:"
MANNER = "enemies: {Goblin: Comes straight at you.}\nparagraphs:"


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


def test_manners_of_everybody_hold_together() -> None:
    assert check_adventure_text(TEXT.replace("paragraphs:", MANNER), "small.yaml") == []


def test_karrow_head_is_what_was_promised() -> None:
    """A whole evening: paragraphs, maps, kinds of enemy, endings, tests, coins, prices."""
    adventure = playable_adventure("the-light-on-karrow-head")
    pages = adventure.paragraphs
    assert len(pages) >= 80
    assert all(25 <= len(page.text.split()) <= 130 for page in pages.values())
    assert len({page.map_fight.map for page in pages.values() if page.map_fight}) == 4
    assert len(adventure.enemies) >= 8
    endings = [page.ending for page in pages.values() if page.ending]
    assert endings.count(AdventureEnding.VICTORY) >= 3 and endings.count(AdventureEnding.DEATH) >= 3
    assert pages[DEATH_PARAGRAPH].ending is AdventureEnding.DEATH
    assert not any(to == DEATH_PARAGRAPH for page in pages.values() for to, _ in page.exits())
    assert sum(page.coin is not None for page in pages.values()) >= 3
    assert {page.test.attribute for page in pages.values() if page.test} == {"wisdom", "dexterity"}
    far = [abs(to - number) for number, page in pages.items() for to, _ in page.exits() if to != number]
    assert sum(step <= 2 for step in far) <= 4, "paragraphs that follow each other lie apart"
