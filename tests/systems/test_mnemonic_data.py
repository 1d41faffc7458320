"""The almanac of Mnemonic: the shipped files hold together, a mistake is named with its line."""

from __future__ import annotations

import re

import pytest

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.mnemonic.almanac import (
    LONGEST_BAND,
    WeavingBand,
    concepts,
    key_of,
    parse_concepts,
    parse_prompts,
    parse_weaving_dice,
    prompts,
    weaving_dice,
)
from tests.short import raises

FILES = ("weaving-dice.yaml", "concepts.yaml", "prompts.yaml")
READERS = dict(zip(FILES, (parse_weaving_dice, parse_concepts, parse_prompts), strict=True))


def test_there_are_thirteen_dice_and_no_text_stands_twice() -> None:
    dice = weaving_dice().values()
    assert len(dice) == 13
    texts = [die.text(band) for die in dice for band in WeavingBand] + [die.says for die in dice]
    assert len(set(texts)) == 13 * 5
    assert all(60 <= len(text) <= LONGEST_BAND for text in texts)


def test_there_are_seven_concepts_each_with_enough_for_every_suit() -> None:
    assert len(concepts()) == 7
    assert {c.strong for c in concepts().values()} == set(CardSuit)
    names = [skill for c in concepts().values() for suit in CardSuit for skill in c.skills[suit]]
    assert len({key_of(name) for name in names}) == len(names)


def test_every_card_has_a_prompt_of_its_own() -> None:
    asked = prompts()
    assert sorted(asked.cards) == list(range(1, 55))
    assert len(set(asked.cards.values())) == 54
    assert min(len(asked.group), len(asked.meetings)) >= 5


def spoilt(name: str, old: str, new: str) -> str:
    text = shipped("mnemonic", name)[0]
    assert old in text
    return text.replace(old, new, 1)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


LONG = "x" * (LONGEST_BAND + 1)


@pytest.mark.parametrize(
    ("name", "old", "new", "where", "words"),
    [
        (FILES[0], "    bend:", "    bent:", "    bent:", "there is no field `bent`"),
        (FILES[0], "name: Lantern", "name: salt", "name: salt", "the name 'salt' stands twice"),
        (FILES[0], "name: Salt", "name: '...'", "name: '...'", "the name '...' needs letters"),
        (FILES[0], "    weave: Every", f"    weave: {LONG} Every", f"    weave: {LONG}", "at most 280 fit"),
        (FILES[0], "title:", "titel:", "titel:", "there is no field `titel`"),
        (FILES[1], "weak: diamonds", "weak: hearts", "weak: hearts", "the weak suit is the strong one too"),
        (FILES[1], "strong: hearts", "strong: swords", "strong: swords", "'swords'"),
        (
            FILES[1],
            "[The Long Pole, Knots That Hold Wet, A Boat on Wheels]",
            "[Pole]",
            "spades: [Pole]",
            "needs at",
        ),
        (
            FILES[1],
            "[The Long Pole,",
            "[Smell Weather,",
            "spades: [Smell",
            "the skill 'Smell Weather' stands twice",
        ),
        (FILES[2], "    '2': Two people need", "    '1': Two people need", "    '1':", "no card of rank '1'"),
        (FILES[2], "  - The red one laughs.", "  - ''\n  - The red one laughs.", "jokers:", "need a prompt each"),
        (
            FILES[2],
            "What do you know by heart that nobody ever taught you?",
            "' '",
            "    - ' '",
            "the text is empty",
        ),
        (FILES[2], "  diamonds:\n    A:", "  coins:\n    A:", "  coins:", "there is no suit 'coins'"),
    ],
)
def test_a_mistake_is_named_with_its_line(name: str, old: str, new: str, where: str, words: str) -> None:
    text = spoilt(name, old, new)
    with pytest.raises(ContentInvalid) as refused:
        READERS[name](text, name)
    assert str(refused.value).startswith(f"{name} line {line_of(text, where)}: ")
    assert words in str(refused.value)


def test_a_prompt_that_is_missing_is_named() -> None:
    text = re.sub(r"    K: An old strength.*\n", "", shipped("mnemonic", "prompts.yaml")[0])
    raises(ContentInvalid, "K of Hearts has no prompt", parse_prompts, text, "prompts.yaml")
    with pytest.raises(ContentInvalid, match="there is no weaving die"):
        parse_weaving_dice("title: t\nlicence: l\ndice: []\n", "d.yaml")
