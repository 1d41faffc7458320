"""Items that carry bonuses: they come with the item, and go with it (SW-2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.adventure import Paragraph
from loomtable.engine.storm_weavers.adventure_check import check_adventure_text
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.sheet import GEAR, Gear
from loomtable.engine.storm_weavers.state import Tale
from loomtable.printkit.games.storm_weavers.adventure_words import passages_of
from loomtable.table.screens import screen_of
from loomtable.table.screens.blocks import parts_of
from tests.systems.storm_weavers_small import TEXT, begun, only, thymin

ITEMS = "items:\n  Saw: {weapon_bonus: 1}\n  Plate: {armour_class: 3}\n  Curse: {weapon_bonus: -1}\nparagraphs:"


def tale(**rulings: str) -> Session[Tale]:
    named = {k.replace("_", "-"): v for k, v in rulings.items()}
    session = Session.open(STORM_WEAVERS, seed="s", rulings=named)
    session.perform("create", dexterity_points=3)
    return session


def bonuses(session: Session[Tale]) -> tuple[int, int]:
    return thymin(session).weapon_bonus, thymin(session).armour_class


def test_the_rulebooks_gear_brings_its_bonus_and_takes_it_again() -> None:
    session = tale()
    session.perform("gain-gear", item="Double-edged Axe")
    session.perform("gain-gear", item="Chainmail")
    assert bonuses(session) == (2, 2)
    assert session.story()[-1] == "Thymin takes: Chainmail (Armour Class +2)."
    session.perform("lose-item", item="Axe")
    assert bonuses(session) == (2, 2)
    session.perform("lose-item", item="Double-edged Axe")
    assert bonuses(session) == (0, 2)
    assert session.story()[-1] == "Thymin no longer has: Double-edged Axe (Weapon Bonus -2)."
    with pytest.raises(
        IllegalAction, match="no bonuses of 'Spoon' are known, only those of Axe, Double-edged Axe"
    ):
        session.perform("gain-gear", item="Spoon")


gains = st.tuples(st.sampled_from(["Axe", "Saw", "Coat"]), st.integers(-2, 3), st.integers(-2, 3))


@given(st.lists(gains | st.sampled_from(["Axe", "Saw", "Coat"]), max_size=8))
def test_whatever_is_taken_and_lost_the_bonuses_are_those_of_what_is_left(
    steps: list[tuple[str, int, int] | str],
) -> None:
    session = tale()
    for step in steps:
        if isinstance(step, tuple):
            item, bonus, armour = step
            session.perform("gain-item", item=item, weapon_bonus=bonus, armour_class=armour)
        elif step in thymin(session).items:
            session.perform("lose-item", item=step)
        sheet = thymin(session)
        assert sheet.weapon_bonus == sum(gear.weapon_bonus for gear in sheet.gear)
        assert sheet.armour_class == sum(gear.armour_class for gear in sheet.gear)
        assert all(sheet.items.count(gear.item) for gear in sheet.gear)
    for item in thymin(session).items:
        session.perform("lose-item", item=item)
    assert (bonuses(session), thymin(session).gear) == ((0, 0), ())


@given(
    st.lists(st.sampled_from(["+Saw", "+Plate", "+Curse", "-Saw", "-Plate", "-Curse"]), max_size=7), st.booleans()
)
def test_a_paragraphs_items_bring_what_the_adventure_says_in_play(steps: list[str], stops: bool) -> None:
    choice = "stops-at-0" if stops else "falls-below"
    told = ", ".join(f"{{{'gain' if s[0] == '+' else 'lose'}: {s[1:]}}}" for s in steps)
    text = only(f"    changes: [{told}]\n    then: 2\n").replace("paragraphs:", ITEMS)
    with pytest.MonkeyPatch.context() as patch:
        session = begun(patch, text, rulings={"below-zero": choice})
    sheet = thymin(session)
    if stops:
        assert sheet.weapon_bonus >= 0 and sheet.armour_class >= 0
    else:
        carried = [{"Saw": 1, "Curse": -1}.get(item, 0) for item in sheet.items]
        assert sheet.weapon_bonus == sum(carried)
    assert sheet.armour_class == 3 * sheet.items.count("Plate")


def test_an_item_described_and_never_gained_is_found() -> None:
    [finding] = check_adventure_text(
        TEXT.replace("paragraphs:", "items: {Saw: {weapon_bonus: 1}}\nparagraphs:"), "f"
    )
    assert str(finding) == "f line 5: 'Saw' is described under 'items', and Thymin can nowhere gain it"
    assert not finding.stops_play


def test_paper_and_screen_say_what_an_item_brings() -> None:
    page = from_builtins({"text": "Here.", "changes": [{"gain": "Saw"}, {"lose": "Plate"}], "then": 2}, Paragraph)
    known = {"Saw": Gear(weapon_bonus=1), "Plate": Gear(armour_class=3)}
    said = [" ".join(words for words, _ in passage.runs) for passage in passages_of(page, known)]
    assert said[1] == "You gain the Saw (Weapon Bonus +1), you lose the Plate (Armour Class \u22123)."
    session = tale()
    session.perform("gain-gear", item="Chainmail")
    [sheet] = [panel for panel in screen_of(session, "") if panel.title == "Thymin"]
    assert "Axe, Chainmail (Armour Class +2)" in parts_of(sheet.blocks)


def test_the_rulebooks_figures() -> None:
    figures = {item: (gear.weapon_bonus, gear.armour_class) for item, gear in GEAR.items()}
    assert figures == {"Axe": (0, 0), "Double-edged Axe": (2, 0), "Chainmail": (0, 2)}
