"""From how far what is printed is read: what people are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loomtable.printkit.catalogue import RenderOptions, components_named
from loomtable.printkit.draw.code_size import CAMERAS
from loomtable.printkit.errors import CodeUnreadable
from loomtable.printkit.reach import what_is_read
from loomtable.printkit.sheet.papers import CARD_SIZES
from tests.short import raises


def told(names: str, camera: str, centimetres: float, *, tags: bool = False) -> list[str]:
    return what_is_read(
        components_named(names.split()), RenderOptions(tags=tags), CAMERAS[camera], centimetres * 10
    )


def test_each_component_says_by_what_it_is_read() -> None:
    assert told("story poker", "1080p", 30) == [
        "story-cards: needs modules of 0.88 mm, and has larger ones",
        "poker-deck: needs modules of 0.88 mm, and has larger ones",
    ]
    assert told("tapestry combat-maps", "4k", 60) == [
        "tapestry-cards: tags of 5.6 mm, read from up to 66 cm",
        "combat-maps: tags of 7.5 mm, read from up to 89 cm",
    ]


def test_what_is_too_small_says_so_and_what_would_do() -> None:
    with pytest.raises(CodeUnreadable, match="up to 33 cm; with --tags the cards are read from up to 69 cm"):
        told("story", "1080p", 60)
    assert told("story", "1080p", 60, tags=True) == ["story-cards: tags of 10.0 mm, read from up to 69 cm"]
    raises(CodeUnreadable, r"poker-deck.*up to 33 cm$", told, "poker", "1080p", 60, tags=True)
    raises(CodeUnreadable, r"tapestry-cards: tags of 5\.6 mm", told, "tapestry", "480p", 100)
    raises(CodeUnreadable, "none of these carry a code", told, "weave-sheet", "1080p", 30)


def test_on_smaller_cards_codes_and_tags_are_smaller_and_read_from_nearer() -> None:
    story, mini = components_named(["story"]), RenderOptions(card_size=CARD_SIZES["mini"])
    assert what_is_read(story, mini, CAMERAS["1080p"], 220) == [
        "story-cards: needs modules of 0.64 mm, and has larger ones"
    ]
    with pytest.raises(
        CodeUnreadable, match=r"room for 19\.3 mm; that is read from up to 23 cm; with --tags .* 48 cm"
    ):
        what_is_read(story, mini, CAMERAS["1080p"], 300)
    tagged = replace(mini, tags=True)
    assert what_is_read(story, tagged, CAMERAS["1080p"], 300) == [
        "story-cards: tags of 7.0 mm, read from up to 48 cm"
    ]
