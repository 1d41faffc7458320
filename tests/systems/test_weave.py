"""Weave at the table: pools, Strikes, Wounds, who sees what, and every ruling both ways."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernel.components import ComponentId
from engine.kernel.dice import Die
from engine.kernel.errors import ReadingMisfit
from engine.kernel.readings import Chosen, Numbered, Rolled, Shown, Wrote, rolled
from engine.kernel.requests import Roll, ShowCard
from engine.kernel.session import Session
from engine.weave.decks import challenge_card
from engine.weave.rules import WEAVE, challenge_pool
from engine.weave.state import Character, Season
from engine.weave.suits import Suit


def weave(*faces: str) -> Rolled:
    return rolled(Die.WEAVE, *faces)


def season(rulings: Mapping[str, str] | None = None) -> Session[Season]:
    """A season with one character: Ilse, Core Suit Gales, one Backstory in Gales."""
    session = Session.open(WEAVE, seed="s", rulings=rulings)
    session.perform("new-season", playset="the-salt-road")
    for number in (5, 16, 14):
        session.answer(Shown(ComponentId.parse(f"S{number}")))
        session.answer(Chosen(("1",)))
    session.answer(Wrote("A season"))
    session.perform("add-character", player="Ada")
    session.answer(Chosen(("gales",)))
    for number, option in ((1, "2"), (8, "1"), (6, "1"), (9, "1")):
        session.answer(Shown(ComponentId.parse(f"S{number}")))
        session.answer(Chosen((option,)))
    session.answer(Wrote("Ilse"))
    return session


def ilse(session: Session[Season]) -> Character:
    return session.state.characters["Ilse"]


def challenge(session: Session[Season], suit: str, card: str | None, *rolls: tuple[str, ...]) -> None:
    """Play a Challenge; after each roll but the last, as many Weave dice are rolled again as the next roll has."""
    session.perform("challenge", who="Ilse", suit=suit, card=card)
    for place, faces in enumerate(rolls):
        session.answer(weave(*faces))
        if not isinstance(session.pending, Roll) and session.pending is not None:
            following = rolls[place + 1] if place + 1 < len(rolls) else ()
            session.answer(Numbered(len(following)))
    assert session.pending is None


@pytest.mark.parametrize(("suit", "dice"), [("gales", 5), ("flames", 3), ("brooks", 3), ("stones", 3)])
def test_the_pool_is_three_and_backstories_and_the_core_suit(suit: str, dice: int) -> None:
    session = season()
    session.perform("challenge", who="Ilse", suit=suit)
    assert isinstance(session.pending, Roll)
    assert session.pending.count == dice
    assert session.pending.stand_in[4:] == ("weave", "strike")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(Die.WEAVE.faces), min_size=5, max_size=5), st.integers(0, 5), st.data())
def test_successes_and_strikes_against_a_count_by_hand(first: list[str], wanted: int, data: st.DataObject) -> None:
    session = season()
    session.perform("challenge", who="Ilse", suit="gales", card="C22")
    session.answer(weave(*first))
    seen = list(first)
    if "weave" in first:
        again = min(wanted, first.count("weave"))
        session.answer(Numbered(again))
        if again:
            second = data.draw(
                st.lists(st.sampled_from((*Die.WEAVE.faces[:4], "strike")), min_size=again, max_size=again)
            )
            seen += second
            session.answer(weave(*second))
            if first.count("weave") > again:
                session.answer(Numbered(0))
    assert session.pending is None
    told = next(s for s in session.story() if s.startswith("Ilse: "))
    successes = seen.count("gales") + seen.count("weave")
    outcome = (
        "epic pass" if successes >= 5 else "pass" if successes >= 3 else "epic fail" if successes <= 1 else "fail"
    )
    assert told.endswith(f"against level 3: {outcome}.")
    assert told.startswith(f"Ilse: {successes or 'no'} success")
    assert ilse(session).strikes == seen.count("strike")


def test_weave_dice_can_be_rolled_again_one_at_a_time_until_none_is_left() -> None:
    session = season()
    session.perform("challenge", who="Ilse", suit="gales", card="C25")
    session.answer(weave("weave", "weave", "stones", "stones", "stones"))
    session.answer(Numbered(1))
    session.answer(weave("weave"))
    with pytest.raises(ReadingMisfit, match="3 is not from 0 to 2"):
        session.answer(Numbered(3))
    session.answer(Numbered(2))
    session.answer(weave("gales", "stones"))
    assert session.pending is None
    assert "Ilse: 4 successes against level 4: pass." in session.story()


@pytest.mark.parametrize(("choice", "strikes"), [("counted", 3), ("not-counted", 1)])
def test_strikes_on_rerolls(choice: str, strikes: int) -> None:
    session = season({"strikes-on-rerolls": choice})
    challenge(session, "gales", "C22", ("weave", "weave", "gales", "strike", "stones"), ("strike", "strike"))
    assert (ilse(session).strikes, ilse(session).wounds) == (strikes, 0)


@pytest.mark.parametrize(("choice", "strikes"), [("both", 2), ("wound-only", 0)])
def test_an_epic_fail_marks_its_wound_and_perhaps_the_strikes(choice: str, strikes: int) -> None:
    session = season({"epic-fail-wound-and-strikes": choice})
    challenge(session, "stones", "C34", ("strike", "stones", "strike"))
    assert (ilse(session).strikes, ilse(session).wounds) == (strikes, 1)


@pytest.mark.parametrize(("choice", "track"), [("stops-at-10", 0), ("carried", 2)])
def test_the_tenth_strike_is_a_wound(choice: str, track: int) -> None:
    session = season({"strikes-overflow": choice})
    for strikes in (4, 4):
        challenge(session, "gales", None, (*["strike"] * strikes, "gales"))
    assert (ilse(session).strikes, ilse(session).wounds) == (8, 0)
    challenge(session, "gales", None, ("strike", "strike", "strike", "strike", "gales"))
    assert (ilse(session).strikes, ilse(session).wounds) == (track, 1)


@pytest.mark.parametrize(("choice", "dice"), [("one-die", 1), ("none", 0)])
def test_the_smallest_pool(choice: str, dice: int) -> None:
    # Two Wounds leave a die of the base three; only a Flaw or a house rule takes the last one.
    worn = msgspec.structs.replace(ilse(season()), wounds=3)
    assert challenge_pool(worn, Suit.STONES, minimum=choice) == dice
    assert challenge_pool(worn, Suit.GALES, minimum=choice) == 2


@pytest.mark.parametrize(("choice", "pips", "face"), [("flames-first", 3, "gales"), ("strike-first", 4, "gales")])
def test_what_the_pips_of_ordinary_dice_mean(choice: str, pips: int, face: str) -> None:
    session = season({"pip-faces": choice})
    session.perform("challenge", who="Ilse", suit=face, card="C22")
    session.answer(rolled(Die.D6, *[pips] * 5))
    assert "Ilse: 5 successes against level 3: epic pass." in session.story()


def test_a_changed_ruling_counts_from_then_on_and_is_told() -> None:
    session = season()
    session.perform("ruling", ruling="strikes-on-rerolls", choice="not-counted")
    assert session.game.rulings["strikes-on-rerolls"] == "not-counted"
    assert session.story()[-1] == "From now on, strikes-on-rerolls: No, only those of the first roll."
    session.undo()
    assert session.game.rulings["strikes-on-rerolls"] == "counted"


def test_the_storyteller_may_keep_the_suit() -> None:
    session = season()
    session.perform("challenge", who="Ilse", suit="stones", card="C28", instead="gales")
    assert session.pending is not None
    assert session.pending.by == "storyteller"
    session.answer(Chosen(("stones",)))
    assert isinstance(session.pending, Roll)
    assert session.pending.purpose == "Stones Challenge, level 2"


def test_a_player_sees_only_their_own_sheet() -> None:
    session = season()
    assert set(session.view("storyteller")["characters"]) == {"Ilse"}
    assert set(session.view("Ada")["characters"]) == {"Ilse"}
    assert session.view("Ben")["characters"] == {}


def test_a_story_card_lies_in_one_place_only() -> None:
    session = Session.open(WEAVE, seed="s")
    session.perform("new-season", playset="the-salt-road")
    session.answer(Shown(ComponentId.parse("S5")))
    session.answer(Chosen(("1",)))
    assert isinstance(session.pending, ShowCard)
    assert 5 not in session.pending.among
    assert len(session.pending.among) == 21


def test_the_challenge_deck_is_counted_out() -> None:
    names = [challenge_card(ComponentId.parse(f"C{n}")).name for n in range(1, 37)]
    assert len(names) == 36
    assert {names.count(n) for n in names} == {3}
    assert names[0] == "Flames 2"
    assert names[-1] == "Stones 4"
