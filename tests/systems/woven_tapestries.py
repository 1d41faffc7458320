"""Tapestries for tests: laid at random by the rules, with threads in some of their boxes."""

from __future__ import annotations

from hypothesis import strategies as st

from loomtable.engine.woven.cards import CardSide, tapestry_cards
from loomtable.engine.woven.tapestry import CardPlacement, Spot, Tapestry

MANA = 13


@st.composite
def tapestries(draw: st.DrawFn, most_cards: int = 10) -> Tapestry:
    """Any tapestry of up to ``most_cards`` cards and a player's mana in threads."""
    tapestry = Tapestry()
    order = draw(st.permutations(sorted(tapestry_cards())))
    for number in order[: draw(st.integers(1, most_cards))]:
        side, turns = draw(st.sampled_from(CardSide)), draw(st.integers(0, 3))
        ways = tapestry.legal_placements(number, [side])
        ways = tuple(way for way in ways if way.turns == turns)
        tapestry, _ = tapestry.with_card(draw(st.sampled_from(ways)))
    boxes = tapestry.free_boxes()
    if boxes:
        for spot in draw(st.lists(st.sampled_from(boxes), max_size=MANA, unique=True)):
            tapestry = tapestry.with_thread(Spot(*spot))
    return tapestry


FIRST = CardPlacement(1, CardSide.A, Spot(0, 0))
"""Air, box, box above box, fire, earth."""


def laid(*placements: CardPlacement) -> Tapestry:
    tapestry = Tapestry()
    for placement in placements:
        tapestry, _ = tapestry.with_card(placement)
    return tapestry
