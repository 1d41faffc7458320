"""Spells on the tapestry: found wherever they are complete, or a thread or two short of it (WO-10)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.woven.cards import CardSide, tapestry_cards
from loomtable.engine.woven.patterns import castable, completed, orientations
from loomtable.engine.woven.spells import Pattern, Spell, spell_named, spells
from loomtable.engine.woven.tapestry import CardPlacement, Spot, Tapestry
from tests.short import raises
from tests.systems.woven_pattern_twin import castable_twin, completed_twin
from tests.systems.woven_tapestries import FIRST, laid, tapestries

SINGLE_FACES = {
    "haste": 33, "push": 13, "plains-walker": 0, "water-moccasins": 18, "quick-drop": 0, "shield-pierce": 0,
    "remove-tendril": 0, "traceback": 0, "run-and-toss": 0, "protection": 33, "recovery-shield": 18,
    "tendril-shield": 0, "split": 28, "stone-reflection": 25, "nudge": 10, "harden-shell": 13, "barrier": 0,
    "double-shield": 0, "fire-arrow": 25, "ricochet-blast": 0, "delete-all": 0, "fire-ball": 0, "fire-reign": 0,
    "erase": 0, "sneak-n-stab": 0, "hands-of-flame": 0, "fire-burst": 0, "creep": 25, "deflect": 0, "spread": 0,
    "whiplash": 13, "tendril-coil": 0, "snapback": 0, "teleport": 0, "burst": 0, "diasporate": 0,
}  # fmt: skip
"""On how many of the 66 faces each pattern stands whole; counted elsewhere, by other hands."""


@pytest.mark.parametrize("spell", spells().values(), ids=lambda spell: spell.key)
def test_so_many_faces_hold_the_whole_pattern(spell: Spell) -> None:
    faces = [laid(CardPlacement(number, side, Spot(0, 0))) for number in tapestry_cards() for side in CardSide]
    assert sum(bool(castable(face, [spell], threads=2)) for face in faces) == SINGLE_FACES[spell.key]


@pytest.mark.parametrize("threads", [0, 3])
def test_one_or_two_threads_are_looked_ahead(threads: int) -> None:
    raises(ValueError, "one or two", castable, laid(FIRST), [], threads=threads)


@given(tapestries(), st.sampled_from([1, 2]))
@settings(max_examples=30)
def test_castable_is_what_the_obvious_way_finds(tapestry: Tapestry, threads: int) -> None:
    ours = castable(tapestry, spells().values(), threads)
    assert len(set(ours)) == len(ours)
    assert set(ours) == castable_twin(tapestry, spells().values(), threads)


@given(tapestries(), st.data())
@settings(max_examples=30)
def test_completed_is_what_the_obvious_way_finds(tapestry: Tapestry, data: st.DataObject) -> None:
    if tapestry.threads:
        new = data.draw(st.sampled_from(tapestry.threads))
        ours = completed(tapestry, spells().values(), new)
        assert len(set(ours)) == len(ours)
        assert set(ours) == completed_twin(tapestry, spells().values(), new)


@given(tapestries(most_cards=5))
@settings(max_examples=30)
def test_what_is_castable_casts_and_the_spell_is_one_it_completes(tapestry: Tapestry) -> None:
    for way in castable(tapestry, spells().values(), threads=2):
        laid_out = tapestry
        for spot in way.place:
            laid_out = laid_out.with_thread(spot)
        assert completed(laid_out, [spell_named(way.spell)], way.place[-1])


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=5), st.integers(1, 4))
@settings(max_examples=60)
def test_every_orientation_has_the_same_orientations(cells: set[tuple[int, int]], symbols: int) -> None:
    ordered = sorted(cells)
    split = min(symbols, len(ordered) - 1)
    pattern = Pattern(tuple(ordered[:split]), tuple(ordered[split:]))
    everyone = set(orientations(pattern))
    assert len(everyone) in (1, 2, 4, 8)
    assert all(set(orientations(other)) == everyone for other in everyone)
