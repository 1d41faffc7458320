"""Mnemonic as it is played: cards, skills, scenes, refusals, and modes to their end."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction, LoomtableError, ReadingMisfit, UnknownAction
from loomtable.engine.kernel.poker import CARDS, CardSuit, PokerCard, poker_number
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.mnemonic.hands import piles
from loomtable.engine.mnemonic.journal import journal_page
from loomtable.engine.mnemonic.state import DECK
from loomtable.engine.mnemonic.uses import LEARNED
from tests.short import raises, refuses
from tests.systems.mnemonic_table import ILSE, Table

# The cards


def test_every_poker_card_has_a_number_a_name_and_a_short_code_that_reads_back() -> None:
    assert len(DECK) == len(set(DECK)) == 54
    for number in CARDS:
        card, known = ComponentId(Kind.POKER, number), PokerCard(number)
        assert ComponentId.parse(card.short) == ComponentId.parse(card.short.lower()) == card
        assert ComponentId.from_code(card.code) == card
        assert poker_number(known.short) == number
    by_suit = Counter(PokerCard(number).suit for number in CARDS)
    assert by_suit == {**dict.fromkeys(CardSuit, 13), None: 2}
    assert [PokerCard(n).name for n in (1, 26, 33, 52, 53)] == [
        "Ace of Hearts",
        "King of Diamonds",
        "7 of Spades",
        "King of Clubs",
        "red Joker",
    ]
    assert ComponentId.parse("10♦").number == 23


def test_a_poker_card_and_a_story_card_are_told_apart() -> None:
    assert ComponentId.parse("7S") == ComponentId(Kind.POKER, 33)
    assert ComponentId.parse("S7") == ComponentId(Kind.STORY, 7)
    assert ComponentId.parse("K60").short == "K60"


# Using a skill


@pytest.mark.parametrize(
    ("faces", "complicated", "rating"),
    [((6, 2), False, 2), ((5, 5), True, 2), ((6, 1), False, 3), ((1, 1), True, 3), ((6, 6), False, 3)],
)
def test_a_six_is_clean_and_ones_and_sixes_teach(faces: tuple[int, ...], complicated: bool, rating: int) -> None:
    table = Table()
    table.scene("Ilse", "5H", "use-climb", faces, "none")
    assert table.skill("Ilse", "Climb").complicated is complicated
    assert table.skill("Ilse", "Climb").rating == rating


@pytest.mark.parametrize("face", range(1, 7))
def test_learning_by_every_face(face: int) -> None:
    table = Table()
    table.scene("Ilse", "2C", "learn", "Ferrymen", (face,))
    learned = table.skill("Ilse", "Ferrymen")
    assert (learned.rating, learned.complicated) == LEARNED[face]
    assert learned.suit is CardSuit.CLUBS
    assert table.who("Ilse").injured == ((CardSuit.CLUBS,) if face == 6 else ())


@pytest.mark.parametrize("face", range(1, 7))
def test_a_weaving_by_every_face(face: int) -> None:
    table = Table()
    table.scene("Ilse", "2S", "use-lockpicks", (3,), "remove-complication", "rust", (face,))
    assert not table.skill("Ilse", "Lockpicks").complicated
    assert table.who("Ilse").injured == ((CardSuit.SPADES,) if face in (1, 6) else ())


@pytest.mark.parametrize("face", range(1, 7))
def test_a_moment_alone_by_every_face(face: int) -> None:
    table = Table("free-play")
    table.scene("Ilse", "2S", "use-lockpicks", (3,), "remove-complication", "rust", (6,))
    table.scene("Ilse", "3S", "moment-alone", (face,))
    if face == 6:
        table.answer("lockpicks", "Patience")
        assert table.skill("Ilse", "Patience").rating == 2
    assert table.asked == ""
    assert table.who("Ilse").injured == ()
    assert table.who("Ilse").absent is (face == 1)


def test_a_locked_skill_and_an_injured_suit_are_not_offered() -> None:
    table = Table("free-play")
    table.scene("Ilse", "5H", "use-climb", (2, 3), "none")
    table.scene("Ilse", "6H")
    assert table.options == ["use-held-breath", "learn"]
    table.answer("use-held-breath", (2, 2), "remove-complication", "salt", (1,))
    table.scene("Ilse", "7H")
    assert table.options == ["moment-alone"]


def test_a_skill_named_like_a_weaving_is_an_ordinary_skill() -> None:
    table = Table("free-play")
    table.scene("Ilse", "2C", "learn", "Bread", (5,))
    table.do("ruling", ruling="learning-needs-card", choice="any-time")
    table.do("learn", "Tide", (2,), who="Ilse", suit="clubs")
    table.scene("Ilse", "3C", "use-tide")
    assert isinstance(table.session.pending, Roll)
    assert (table.session.pending.rule, table.session.pending.count) == ("MN-9", 1)


# Refusals, each with its reason


@pytest.mark.parametrize(
    ("mode", "action", "args", "words"),
    [
        ("", "scene", {"who": "Ilse"}, "needs a play mode; begin one first (begin-mode)"),
        ("", "scene", {"who": "Ilze"}, "there is no character 'Ilze'; there are Ilse, Odo"),
        ("", "end-mode", {}, "no play mode is on"),
        ("", "add-character", {"player": "Ada", "name": "Wren"}, "Ada plays Ilse already"),
        ("", "add-character", {"player": "Cleo", "name": "ilse"}, "Ilse is in this chronicle already"),
        ("", "add-character", {"player": "group", "name": "Wren"}, "'group' is none"),
        ("", "add-character", {"player": "Cleo", "name": "W. H."}, "has a full stop"),
        ("", "add-character", {"player": "Cleo", "name": "Wren", "concept": "duellist"}, "no concept 'duellist'"),
        (
            "",
            "add-character",
            {"player": "Cleo", "name": "Wren", "strong": "hearts", "weak": "hearts"},
            "cannot be the strong suit and the weak one",
        ),
        (
            "",
            "add-character",
            {
                "player": "Cleo",
                "name": "W",
                "strong": "hearts",
                "weak": "clubs",
                "skills": {**ILSE, "clubs": ["X"]},
            },
            "Clubs is a weak suit: 0 skills, not 1",
        ),
        (
            "",
            "add-character",
            {
                "player": "Cleo",
                "name": "W",
                "strong": "hearts",
                "weak": "clubs",
                "skills": {**ILSE, "hearts": ["Climb", "climb"]},
            },
            "'climb' stands twice",
        ),
        ("", "define-suits", {"hearts": "x" * 61}, "at most 60 characters"),
        ("", "define-suits", {"hearts": "The Mind"}, "two suits cannot stand for the same"),
        ("", "note", {"who": "Ilse", "text": " "}, "1 to 300 characters"),
        ("", "mark-truth", {"who": "Ilse", "skill": "climb"}, "universal truths are not played"),
        ("", "learn", {"who": "Ilse"}, "a skill is learned in a scene"),
        ("", "begin-mode", {"mode": "free-play", "who": "Ilse"}, "only Laid to Rest names somebody"),
        ("", "begin-mode", {"mode": "laid-to-rest", "who": "Nobody"}, "there is no character 'Nobody'"),
        ("", "game-face", {"who": "Ilse", "other": "Ilse"}, "cannot keep a straight face"),
        ("", "game-face", {"who": "Ilse", "other": "Odo", "about": "x" * 121}, "at most 120 characters"),
        ("deck-burner", "scene", {"who": "Odo"}, "it is Ilse's turn, not Odo's"),
        ("deck-burner", "scene", {"who": "Ilse", "card": "S7"}, "S7 is not a card of the deck; write it like 7H"),
        ("deck-burner", "begin-mode", {"mode": "free-play"}, "Deck Burner is on; end it first (end-mode)"),
        ("deck-burner", "next-round", {}, "this round is not over; still to come: Ilse, Odo"),
        ("deck-burner", "group-scene", {}, "a group scene comes after the round"),
        ("deck-burner", "introduce", {"who": "Ilse"}, "an introduction does not belong to Deck Burner"),
        ("free-play", "group-scene", {}, "nothing is complicated"),
        ("free-play", "add-character", {"player": "Cleo", "name": "Wren"}, "are made between play modes"),
        ("first-gathering", "scene", {"who": "Ilse"}, "does not belong to First Gathering"),
        ("first-gathering", "meet", {"who": "Ilse", "other": "Odo"}, "everybody is introduced first"),
        ("laid-to-rest", "lay-to-rest", {}, "everybody tells a memory first; still to come: Ilse, Odo"),
    ],
)
def test_what_is_not_legal_is_refused_with_its_reason(
    mode: str, action: str, args: dict[str, object], words: str
) -> None:
    table = Table(mode)
    before = table.session.game
    with pytest.raises(IllegalAction) as refused:
        table.session.perform(action, **args)
    assert words in str(refused.value)
    assert table.session.game == before


def test_an_unknown_suit_or_mode_is_named_with_what_there_is() -> None:
    table = Table("")
    raises(UnknownAction, "mode", table.session.perform, "begin-mode", mode="into-the-gray")
    with pytest.raises(UnknownAction, match="strong"):
        table.session.perform("add-character", player="Cleo", name="Wren", strong="swords")


def test_a_card_cannot_be_turned_twice() -> None:
    table = Table("free-play")
    table.scene("Ilse", "5H", "use-climb", (6, 2), "none")
    refuses(table.session.perform, "the 5 of Hearts is open already", "scene", who="Ilse", card="5H")
    table.session.perform("scene", who="Ilse")
    raises(ReadingMisfit, "5H is not one of the poker cards that can be shown now", table.answer, "5H")


# Modes to their end


@pytest.mark.parametrize("cards", ["dealt", "physical"])
def test_into_the_grey_ends_when_the_last_card_is_played(cards: str) -> None:
    table = Table("into-the-grey", cards=cards, no_usable_skill="passes")
    source = random.Random(4)
    assert table.state.cards is not None
    assert [hand.count for hand in table.state.cards.hands.values()] == [27, 27]
    for _ in range(2000):
        if table.state.sitting is None:
            break
        try:
            if table.session.pending is not None:
                table.session.answer(random_answer(table.session.pending, source))
            elif table.state.due:
                who = table.state.due[0]
                hand = table.state.cards.hands[who].cards if table.state.cards else ()
                table.session.perform("scene", who=who, card=hand[0].short if hand else None)
            else:
                table.session.perform("next-round")
        except LoomtableError:
            continue
    assert table.state.sitting is None
    assert table.state.scenes == 54
    assert table.session.story()[-1] == "The mode is over: no cards are left."


def test_the_piles_are_face_cards_numbers_and_jokers() -> None:
    assert [len(pile) for pile in piles("numbers")] == [12, 40, 2]
    assert [len(pile) for pile in piles("faces")] == [16, 36, 2]
    assert sorted(c for pile in piles("numbers") for c in pile) == list(DECK)


def test_a_character_at_rest_is_played_no_more_and_the_journal_stays() -> None:
    table = Table("")
    table.do("begin-mode", mode="laid-to-rest", who="Odo")
    table.do("remember", "4C", "The song, and who it was for.", who="Ilse")
    table.do("lay-to-rest", "He kept the lamp.")
    assert table.state.active == ("Ilse",)
    assert "Laid to rest. He kept the lamp." in journal_page(table.state, "Odo")
    assert "In memory of Odo: The song, and who it was for." in journal_page(table.state, "Ilse")
    table.do("add-character", player="Ben", name="Wren", strong="hearts", weak="clubs", skills=ILSE)
    assert table.state.active == ("Ilse", "Wren")
