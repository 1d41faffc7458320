"""Quick starts: the example on each page is played, and no figure on it can be wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.quick_start import check_quick_start, parse_quick_start, quick_start
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.catalogue import components_named
from tests.short import raises

HOME = Path(__file__).parents[2]


def text_of(system: str) -> str:
    return package_file("templates", "quick_starts", f"{system}.yaml").read_text("utf-8")


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_example_comes_out_as_the_page_says(system: str) -> None:
    assert check_quick_start(text_of(system), f"{system}.yaml") == []
    start = quick_start(system)
    assert start.quick_start == system
    assert 2 <= len(start.example) <= 6
    assert sum(len(step.tells) for step in start.example) >= 3
    if system != "woven":  # which has no dice
        assert any(step.chance for step in start.example)
        assert any(played.roll for step in start.example for played in step.play)


@pytest.mark.parametrize("system", SYSTEMS)
def test_everything_on_the_page_can_be_printed_and_read(system: str) -> None:
    start = quick_start(system)
    for fetched in start.fetch:
        if fetched.print:
            for part in components_named(fetched.print.split()):
                assert part.system in (system, "table"), f"{part.name} belongs to {part.system}"
    for on in start.read_on:
        if on.at.startswith("docs/"):
            assert (HOME / on.at).is_file()
        else:
            command = on.at.split()
            assert command[0] == "loom" and command[-1] in (system, "attack", "use")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_changed_die_or_card_is_found(system: str) -> None:
    """Every face in the example matters: the sentences that are printed hang on it."""
    text = text_of(system)
    begin = text.index("\nexample:")
    changed = {
        "weave": ("gales, weave, strike", "stones, weave, strike"),
        "spellwoven": ("[2, 9, 5]", "[2, 9, 7]"),
        "storm-weavers": ("[4, 3]", "[4, 4]"),
        "mnemonic": ("[5, 2]", "[5, 6]"),
        "woven": ("at: [0, 0]", "at: [1, 1]"),
    }[system]
    assert changed[0] in text[begin:]
    assert check_quick_start(text[:begin] + text[begin:].replace(*changed, 1), "page.yaml") != []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("better 59.4%", "better 60%", "the odds are not 'pass or better 60%'; they are pass or better 59.4%"),
        (
            "with 5 dice.]",
            "with 6 dice.]",
            "the engine does not say 'Ilse faces a Gales Challenge of level 2 with 6",
        ),
        ("quick_start: weave", "quick_start: weft", "there is no system 'weft'"),
        ("    - number: 1\n    - roll: [gales]", "    - number: 1\n      roll: [gales]", "a step is one of"),
        ("card: C20", "card: C21000", "numbered 1 to 999, not 21000"),
        ("scene: >-\n", "scene: >-\n  " + "Rain. " * 130 + "\n", "at most 700 fit"),
        ("  - says: >-\n      She rolls.", "  - say: >-\n      She rolls.", "no field `say`"),
        ("    - {do: challenge", "    - {do: chalenge", "unknown action 'chalenge'"),
    ],
)
def test_a_mistake_is_one_sentence_with_its_line(old: str, new: str, words: str) -> None:
    text = text_of("weave")
    assert old in text
    found = check_quick_start(text.replace(old, new, 1), "page.yaml")
    assert len(found) == 1 and words in found[0], found
    assert re.match(r"page.yaml line \d+: ", found[0])


def test_a_page_without_anything_on_the_table_is_none() -> None:
    text = text_of("woven")
    bare = re.sub(r"    play:\n(    - .*\n)+", "", text)
    bare = re.sub(r"    tells: .*\n", "", bare)
    raises(ContentInvalid, "nothing is rolled or shown in the example", parse_quick_start, bare, "page.yaml")
