"""What a paragraph may say otherwise: dice of a test, the side of a coin, Cunning Strikes (SW-3, SW-4, SW-11)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.readings import ChoiceReading, CoinReading, rolled
from loomtable.engine.kernel.requests import Choose, Flip, Roll
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.adventure import Paragraph
from loomtable.engine.storm_weavers.events.journey import Tested as AttributeTested
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.state import Tale
from loomtable.printkit.games.storm_weavers.adventure_words import passages_of
from tests.short import present
from tests.systems.storm_weavers_small import begun, go_on, only
from tests.systems.storm_weavers_yard import choose, events, options, roll_together, thymin


def tale() -> Session[Tale]:
    session = Session.open(STORM_WEAVERS, seed="s")
    session.perform("create", dexterity_points=3)
    return session


def on_paper(plain: dict[str, Any]) -> list[str]:
    page = from_builtins({"text": "Here.", **plain}, Paragraph)
    return [" ".join(words for words, _ in passage.runs) for passage in passages_of(page)][1:]


@given(st.lists(st.integers(1, 8), min_size=1, max_size=5), st.integers(-3, 3))
def test_a_test_with_other_dice_is_their_total_against_the_attribute(faces: list[int], modifier: int) -> None:
    session = tale()
    session.perform("test", attribute="dexterity", modifier=modifier, dice=f"{len(faces)}d8")
    assert isinstance(session.pending, Roll)
    assert (session.pending.count, session.pending.die) == (len(faces), Die.D8)
    session.answer(rolled(Die.D8, *faces))
    assert [e.passed for e in events(session, AttributeTested)] == [sum(faces) + modifier <= 8]


@pytest.mark.parametrize("dice", ["two", "0d6", "3 coins", "2dW", "2d7"])
def test_dice_that_are_none_are_refused(dice: str) -> None:
    session = tale()
    with pytest.raises(IllegalAction):
        session.perform("test", attribute="wisdom", dice=dice)
    assert session.pending is None


@pytest.mark.parametrize(("side", "paragraph"), [("heads", 5), ("tails", 2)])
def test_where_a_paragraph_names_the_side_nobody_calls_one(
    monkeypatch: pytest.MonkeyPatch, side: str, paragraph: int
) -> None:
    session = begun(monkeypatch, only("    coin: {side: heads, pass: 5, fail: 2}\n"))
    go_on(session)
    assert isinstance(session.pending, Flip)
    session.answer(CoinReading("unclear"))
    session.answer(CoinReading(side))
    assert session.state.paragraph == paragraph
    said = f"The coin shows {side}, heads passes: {'passed' if paragraph == 5 else 'failed'}."
    assert said in session.story()


STRIKE = {"modifier": 2, "items": {"Axe": -3, "Mirror": -9}}


@pytest.mark.parametrize("used", [(), ("Axe",)])
def test_a_cunning_strike_takes_the_paragraphs_modifier_and_items(used: tuple[str, ...]) -> None:
    """Wisdom 6: with 5 on the dice and 2 added it fails, with the axe's 3 less it lands."""
    session = tale()
    session.perform("fight", enemy={"name": "Goblin", "dexterity": 9, "health": 20}, strike_test=STRIKE)
    assert isinstance(session.pending, Choose)
    assert session.pending.options[1].says == "Test Wisdom, +2 to the dice: 3 injuries to the enemy, or to you."
    choose(session, "cunning-strike")
    assert options(session) == {"Axe"}
    session.answer(ChoiceReading(used))
    roll_together(session, 2, 3)
    assert (present(session.state.fight).enemy.health, thymin(session).health) == ((17, 20) if used else (20, 17))


@given(st.lists(st.integers(-4, 4), max_size=6), st.sampled_from(["falls-below", "stops-at-0"]))
def test_a_paragraphs_changes_of_a_bonus_end_at_0_or_do_not(changes: list[int], choice: str) -> None:
    """The engine's paragraph comes to what a person adds up by hand."""
    now = 0
    for by in changes:
        now = now + by if choice == "falls-below" else max(0, now + by)
    told = ", ".join(f"{{attribute: armour_class, by: {by}}}" for by in changes)
    with pytest.MonkeyPatch.context() as patch:
        session = begun(patch, only(f"    changes: [{told}]\n    then: 2\n"), rulings={"below-zero": choice})
    assert thymin(session).armour_class == now


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ({"when": "thymin-health", "at": 7}, "There is no fight: Thymin's Health is already down to 7 or less."),
        ({"when": "enemy-health", "at": 9}, "There is no fight: the Health of Ghoul is 9 or less to begin with."),
    ],
)
@pytest.mark.parametrize("on_map", [False, True])
def test_a_fight_whose_end_already_holds_is_not_begun(end: dict[str, Any], said: str, on_map: bool) -> None:
    session = tale()
    session.perform("change", attribute="health", by=-13, reason="the road")
    enemy = {"name": "Ghoul", "dexterity": 8, "health": 9}
    ends = [{"when": "all-dead", "to": 2}, {**end, "to": 3, "changes": [{"gain": "Scar"}]}]
    if on_map:
        session.perform("map-fight", map="sluice-yard", enemies=[enemy], ends=ends)
    else:
        session.perform("fight", enemy=enemy, ends=ends)
    assert session.pending is None
    assert (session.state.fight, session.state.map_fight, session.state.paragraph) == (None, None, 3)
    assert "Scar" in thymin(session).items
    if on_map and end["when"] == "enemy-health":
        said = said.replace("the Health of Ghoul", "an enemy's Health")
    assert said in session.story()
    assert not any("bars the way" in told or "Thymin stands against" in told for told in session.story())


def test_the_booklet_says_what_is_otherwise() -> None:
    ends = [{"when": "all-dead", "to": 5}]
    enemy = {"name": "Goblin", "dexterity": 7, "health": 4}
    test = on_paper({"test": {"attribute": "wisdom", "dice": "3d6", "modifier": -1, "pass": 5, "fail": 2}})
    assert test[0] == "Test Wisdom with 3d6, \u22121 to the dice."
    assert on_paper({"coin": {"side": "tails", "pass": 5, "fail": 2}}) == [
        "Flip a coin.",
        "Tails: turn to 5.",
        "Heads: turn to 2.",
    ]
    fight = on_paper({"fight": {"enemy": enemy, "strike_test": STRIKE, "ends": ends}})
    assert fight[2:5] == [
        "Cunning Strike: +2 to the dice.",
        "Cunning Strike with the Axe: \u22123 to the dice.",
        "Cunning Strike with the Mirror: \u22129 to the dice.",
    ]
