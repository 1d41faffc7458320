"""The spells and tapestry cards as data: the shipped files hold together, a mistake is named with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loomtable.engine.kernel.errors import ContentInvalid, UnknownComponent
from loomtable.engine.woven import effects
from loomtable.engine.woven.cards import CardSide, Element, parse_cards, tapestry_card, tapestry_cards
from loomtable.engine.woven.spells import parse_spells, spell_named, spell_numbered, spells
from tests.short import raises

FACTS = Path(__file__).parents[3] / "shared" / "data" / "woven"
needs_facts = pytest.mark.skipif(not FACTS.exists(), reason="the game's own tables are not on this machine")

ONE = """\
title: Spells
licence: CC0
spells:
  - spell: gust
    name: Gust
    element: air
    level: 2
    pattern:
    - "@ X"
    - ". X"
    says: Move a little.
    on_cast:
    - {do: move, steps: 2}
"""
CARD = """\
title: Cards
licence: CC0
cards:
  - {card: 1, a: ["A . .", ". F E"], b: [". . .", ". . W"]}
"""


def facts(name: str) -> Any:
    return json.loads((FACTS / name).read_text("utf-8"))


@needs_facts
def test_the_spells_have_the_names_levels_and_patterns_of_the_game() -> None:
    told = {spell["name"]: spell for spell in facts("spells.json")["primary"]}
    assert [spell.name for spell in spells().values()] == list(told)
    for spell in spells().values():
        fact = told[spell.name]
        assert (spell.element.value, spell.level) == (fact["element"], fact["level"])
        assert [" ".join(row) for row in spell.pattern.marks()] == fact["pattern"]
        assert spell.takes_charges == fact["places_charge"]
        assert any(isinstance(e, effects.AnotherAction) for e in spell.on_cast) == fact["take_another_action"]


@needs_facts
def test_each_effect_has_the_numbers_of_the_game() -> None:
    """What is counted in a spell (steps, strengths, how many) is the same here and there."""
    fields = ("steps", "strength", "count", "divided_by")
    for fact in facts("spells.json")["primary"]:
        spell = spell_named(fact["name"].lower().replace(" ", "-"))
        flat = [*spell.on_cast, *spell.while_charged, *spell.by_spending]
        ours = {getattr(effect, field) for effect in flat for field in fields if hasattr(effect, field)}
        theirs = {op.get("n", 1) for op in fact["ops"]} | {op["count"] for op in fact["ops"] if "count" in op}
        assert theirs - {1} <= ours, spell.name


@needs_facts
def test_the_cards_show_what_the_cards_of_the_game_show() -> None:
    for fact in facts("tapestry_cards.json")["cards"]:
        card = tapestry_card(int(fact["id"][1:]))
        for side, face in ((CardSide.A, fact["front"]), (CardSide.B, fact["back"])):
            assert [[cell.value if cell else "box" for cell in row] for row in card.face(side)] == face


@needs_facts
def test_no_sentence_is_taken_over() -> None:
    theirs = json.dumps(facts("spells.json")).lower()
    for spell in spells().values():
        for sentence in spell.says.lower().split(". "):
            words = sentence.split()
            assert not any(" ".join(words[at : at + 7]) in theirs for at in range(max(0, len(words) - 6))), (
                spell.name
            )


def test_there_are_33_cards_and_36_spells_nine_of_each_element() -> None:
    assert sorted(tapestry_cards()) == list(range(1, 34))
    assert [spell.number for spell in spells().values()] == list(range(1, 37))
    for element in Element:
        assert sum(spell.element is element for spell in spells().values()) == 9
    assert spell_numbered(36) is spell_named("diasporate")
    assert (tapestry_card(12).component(CardSide.B).short, spell_numbered(7).component.short) == ("T12B", "P7")


def test_the_sentences_are_short_enough_for_a_card() -> None:
    for spell in spells().values():
        assert 3 <= len(spell.says.split()) <= 40, spell.name


def test_a_new_spell_needs_no_code() -> None:
    [gust] = parse_spells(ONE, "own.yaml").values()
    assert gust.pattern.marks() == (("@", "X"), (".", "X"))
    assert gust.on_cast == (effects.Move(steps=2),)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ('- ". X"', '- ". X X"', 8, "'Gust' needs a pattern whose rows are equally long"),
        ('- ". X"', '- ". ?"', 8, "has '\\?' in its pattern; the marks are @, X and \\."),
        ('- "@ X"', '- ". X"', 8, "needs at least one symbol"),
        ('- ". X"', '- ". ."', 8, "an outer row or column"),
        ("level: 2", "level: 9", 4, "is of level 9; levels are 1 to 4"),
        ("element: air", "element: aether", 6, "aether"),
        ("spell: gust", "spell: Gust", 4, "which is not its name with hyphens"),
        ("do: move, steps: 2", "do: fly, steps: 2", 13, "fly"),
        ("steps: 2", "paces: 2", 13, "paces"),
        ("steps: 2", "steps: 0", 4, "has an effect whose steps is 0; it is at least 1"),
        ("do: move, steps: 2", "do: consume, which: that", 4, "speaks of that tendril before anything chose it"),
        ("do: move, steps: 2", "do: move-into, where: that-place", 4, "speaks of that place"),
        ("do: move, steps: 2", "do: place-tendril, where: that-mage", 4, "speaks of that mage"),
        ("do: move, steps: 2", "do: move-tendril, steps: 2, which: new", 4, "speaks of the new tendril"),
        ("do: move, steps: 2", "do: charge", 4, "takes charges that are good for nothing"),
        ("    on_cast:", "    while_charged: [{do: hold-tendrils}]\n    on_cast:", 4, "needs a charge"),
        ("    on_cast:\n    - {do: move, steps: 2}\n", "    on_cast: []\n", 4, "does nothing when it is cast"),
        ("says: Move a little.", "says: ''", 4, "does not say what it does"),
        ("title: Spells", "titel: Spells", 1, "titel"),
    ],
)  # fmt: skip
def test_a_spell_that_does_not_hold_together_is_refused(old: str, new: str, line: int, why: str) -> None:
    assert old in ONE
    raises(ContentInvalid, rf"own\.yaml line {line}: .*{why}", parse_spells, ONE.replace(old, new), "own.yaml")


def test_a_spell_that_stands_twice_is_refused() -> None:
    twice = ONE + ONE.split("spells:\n")[1]
    raises(ContentInvalid, r"own\.yaml line 14: 'Gust' stands twice", parse_spells, twice, "own.yaml")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("A . .", "A . . .", "the row 'A . . .' has 4 cells, not 3"),
        ("A . .", "Q . .", "'Q' is no cell; cells are . A F E W"),
        ("A . .", "W . .", "card 1 carries air 0 times over both sides"),
        ('["A . .", ". F E"]', '["A . ."]', "a side has 2 rows of 3 cells, not 1"),
        ("card: 1", "card: 0", "cards are numbered 1 to 999, not 0"),
    ],
)
def test_a_card_that_does_not_hold_together_is_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(
        ContentInvalid, match=rf"own\.yaml line 4: {why}".replace(".", r"\.").replace(r"\\.", r"\.")
    ):
        parse_cards(CARD.replace(old, new), "own.yaml")


def test_what_there_is_not_is_refused_with_the_nearest() -> None:
    raises(ContentInvalid, "there is no spell 'hast'; did you mean haste", spell_named, "hast")
    raises(ContentInvalid, "there is no spell 37; they are numbered 1 to 36", spell_numbered, 37)
    raises(UnknownComponent, "no tapestry card 0", tapestry_card, 0)
