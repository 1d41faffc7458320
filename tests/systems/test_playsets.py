"""Playsets: the shipped ones hold together, and a mistake in a home-made one is named with its line."""

from __future__ import annotations

import pytest

from engine.kernel.errors import ContentInvalid
from engine.kernel.shipped import shipped
from engine.weave.decks import story_deck
from engine.weave.playset import MechanicType, QualityKind, parse_playset, playset, playset_names
from engine.weave.suits import Suit

SHIPPED = playset_names()


@pytest.mark.parametrize("name", SHIPPED)
def test_it_offers_a_choice_of_every_kind_on_every_card(name: str) -> None:
    for card in story_deck():
        for kind in QualityKind:
            assert len(playset(name).options(card.number, kind)) >= 2, f"{card.name} offers no choice of {kind}"


@pytest.mark.parametrize("name", SHIPPED)
def test_no_name_stands_twice_and_the_suits_are_even(name: str) -> None:
    offers = playset(name).cards.values()
    for kind in QualityKind:
        names = [q.name for offer in offers for q in offer[kind]]
        assert len(set(names)) == len(names)
    suits = [q.suit for offer in offers for q in offer[QualityKind.BACKSTORY]]
    assert {suits.count(s) for s in Suit} == {len(suits) // 4}
    types = {q.mechanic.type for offer in offers for q in offer[QualityKind.TALENT] if q.mechanic}
    assert types == set(MechanicType)


TEXT = shipped("templates", "weave", "playsets", "the-salt-road.yaml").read_text("utf-8")


def damaged(old: str, new: str) -> tuple[str, int]:
    """The shipped playset with one mistake in it, and the line of the mistake."""
    assert old in TEXT
    return TEXT.replace(old, new, 1), TEXT[: TEXT.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("suit: gales", "suit: storms", "invalid enum value 'storms'"),
        ("type: standard", "type: passive", "is passive and can have no Trigger"),
        ("symbols: 2", "symbols: 4", "has a Trigger of 4 symbols; it must be 2 or 3"),
        ("    theme:", "    teme:", "'teme' is no kind of quality"),
        ("mood: >-", "moood: >-", "there is no field `moood`"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, words: str) -> None:
    text, line = damaged(old, new)
    with pytest.raises(ContentInvalid) as refused:
        parse_playset(text, "the-salt-road.yaml")
    assert words in str(refused.value)
    named = int(str(refused.value).split(" line ")[1].split(":")[0])
    # A field is named by its own line, a mechanic by the line in which its quality begins.
    assert 0 <= line - named <= 12, f"line {named} is named, the mistake is in {line}"


def test_a_missing_card_a_long_text_and_a_lucky_quality_without_trigger() -> None:
    cut = TEXT[: TEXT.index("\n  22:")] + "\n"
    with pytest.raises(ContentInvalid, match="Story card 22 is missing"):
        parse_playset(cut, "p.yaml")
    long = TEXT.replace("text: >-", "text: >-\n          " + "salt " * 60, 1)
    with pytest.raises(ContentInvalid, match=r"p.yaml line \d+: .* at most 280 are allowed"):
        parse_playset(long, "p.yaml")


def test_an_unknown_playset_lists_those_there_are() -> None:
    with pytest.raises(ContentInvalid, match=r"there is no playset 'pepper'; installed: .*the-salt-road"):
        playset("pepper")
