"""From how far what is printed is read: what people are told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from loomtable.printkit.catalogue import RenderOptions, components, components_named
from loomtable.printkit.components import figure, seats
from loomtable.printkit.draw.code_size import CAMERAS
from loomtable.printkit.errors import CodeUnreadable
from loomtable.printkit.games.spellwoven import ring_mat
from loomtable.printkit.games.storm_weavers import combat_map
from loomtable.printkit.games.woven import region_map_art, region_map_legend, tapestry_card
from loomtable.printkit.reach import what_is_read
from loomtable.printkit.sheet.papers import CARD_SIZES
from tests.short import Loom, raises


def told(names: str, camera: str, centimetres: float, *, tags: bool = False) -> list[str]:
    return what_is_read(
        components_named(names.split()), RenderOptions(tags=tags), CAMERAS[camera], centimetres * 10
    )


def test_each_component_says_by_what_it_is_read() -> None:
    assert told("story poker", "1080p", 30) == [
        "story-cards: codes are 20.0 mm wide and read from up to 33 cm",
        "poker-deck: codes are 20.0 mm wide and read from up to 33 cm",
    ]
    assert told("answers", "1080p", 60) == ["answer-cards: tags are 10.0 mm wide and read from up to 69 cm"]
    assert told("tapestry combat-maps", "4k", 60) == [
        "tapestry-cards: tags are 5.6 mm wide and read from up to 66 cm",
        "combat-maps: tags are 13.0 mm wide and read from up to 154 cm",
    ]


def test_the_tags_that_are_listed_are_as_wide_as_those_that_are_drawn() -> None:
    listed = {component.name: component.tag for component in components().values() if component.tag}
    assert listed == {
        "hero-markers": seats.HERO_TAG,
        "combat-maps": combat_map.TAG,
        "region-maps": pytest.approx(region_map_art.TAG * region_map_legend.LEAST_SCALE),
        "tapestry-cards": tapestry_card.TAG,
        "ring-mat": ring_mat.TAG,
        **dict.fromkeys(("storm-standees", "spellwoven-standees", "mage-standees"), figure.FLAP_TAG),
        **dict.fromkeys(("storm-tokens", "spellwoven-tokens", "mage-tokens"), figure.TOKEN_TAG),
    }


def test_what_is_too_far_says_so_and_what_would_do() -> None:
    closer = "you said 60 cm: move the camera closer"
    assert told("story", "1080p", 60) == [
        f"story-cards: codes are 20.0 mm wide and read from up to 33 cm; {closer}, "
        "or add --tags, which are read from up to 69 cm"
    ]
    tagged = "story-cards: tags are 10.0 mm wide and read from up to 69 cm"
    assert told("story", "1080p", 60, tags=True) == [tagged]
    for tags in (True, False):
        [poker] = told("poker", "1080p", 60, tags=tags)
        assert poker == f"poker-deck: codes are 20.0 mm wide and read from up to 33 cm; {closer}"
    [tapestry] = told("tapestry", "480p", 100)
    assert tapestry.startswith("tapestry-cards: tags are 5.6 mm") and tapestry.endswith("move the camera closer")
    raises(CodeUnreadable, "none of these carry a code", told, "weave-sheet", "1080p", 30)


def test_on_smaller_cards_codes_and_tags_are_smaller_and_read_from_nearer() -> None:
    story, mini = components_named(["story"]), RenderOptions(card_size=CARD_SIZES["mini"])
    near, far = (what_is_read(story, mini, CAMERAS["1080p"], distance) for distance in (220, 300))
    assert near == ["story-cards: codes are 14.0 mm wide and read from up to 23 cm"]
    assert far[0].startswith(f"{near[0]}; you said 30 cm") and far[0].endswith("from up to 48 cm")
    tagged = replace(mini, tags=True)
    assert what_is_read(story, tagged, CAMERAS["1080p"], 300) == [
        "story-cards: tags are 7.0 mm wide and read from up to 48 cm"
    ]


def test_the_usual_cameras_print_and_say_how_near_they_must_be(tmp_path: Path, loom: Loom) -> None:
    (tmp_path / "deck.csv").write_text("name,text,code\nBell,Rings.,O6\n", "utf-8")
    for camera, reach in (("720p", 24), ("1080p", 33)):
        for what in (["story", "--only", "S1"], ["--deck", str(tmp_path / "deck.csv")]):
            said = loom("print", *what, "--camera", camera, "--output", str(tmp_path / camera)).out
            assert f"read from up to {reach} cm; you said 40 cm: move the camera closer" in said
        assert len(list((tmp_path / camera).glob("*.pdf"))) == 2
    (tmp_path / "words.csv").write_text("name,text\nBell,Rings.\n", "utf-8")
    words = ["--deck", str(tmp_path / "words.csv"), "--template", "words", "--camera", "4k"]
    heard = loom("print", *words, "--output", tmp_path / "words").out
    assert "template 'words' has no code for a camera to read" in heard
    told = loom("print", "story", "--only", "S1", "--camera", "720p", "--output", tmp_path, "--json")
    assert [made["component"] for made in json.loads(told.out)] == ["story-cards"]
    assert "move the camera closer" in told.err
