"""Wounds, soak and healing against slow models written from the rules alone (SP-11 to SP-15, SP-19, SP-20)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import rolled
from loomtable.engine.kernel.requests import EnterNumber
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.attribute_tests import successes_of
from loomtable.engine.spellwoven.events.wounds import MenaceCounted
from loomtable.engine.spellwoven.healing import reduced, slid
from loomtable.engine.spellwoven.levels import LEVELS, Levels, Severity, healed, landing, stacked
from loomtable.engine.spellwoven.state import Adventure, Character, CharacterKind
from tests.short import as_a
from tests.systems.spellwoven_table import MENACE, answer, fight, pass_round, strike, table, who

counts = st.builds(Levels, *[st.integers(0, 3)] * 5)
wounded = counts.flatmap(
    lambda slots: st.tuples(st.just(slots), st.builds(Levels, *[st.integers(0, c) for c in slots.counts]))
)


@given(st.lists(st.integers(1, 10), min_size=3, max_size=3), st.integers(1, 12))
def test_successes_are_counted_as_the_book_counts(faces: list[int], rating: int) -> None:
    expected = 0
    for face in faces:
        if face == 1:
            expected += 2
        elif face <= rating:
            expected += 1
    assert successes_of(faces, rating) == expected
    assert 0 <= successes_of(faces, rating) <= 6


@given(wounded, st.sampled_from(LEVELS))
def test_a_wound_lands_where_boxes_crossed_off_by_hand_say(
    track: tuple[Levels, Levels], severity: Severity
) -> None:
    slots, wounds = track
    boxes = [["x"] * w + ["_"] * (s - w) for s, w in zip(slots.counts, wounds.counts, strict=True)]
    expected = None
    for row in range(list(LEVELS).index(severity), 5):
        if "_" in boxes[row]:
            expected = LEVELS[row]
            break
    assert landing(slots, wounds, severity) == expected


@given(wounded, st.sampled_from(LEVELS), st.booleans())
def test_healing_never_makes_anything_worse_and_never_overfills(
    track: tuple[Levels, Levels], level: Severity, flows: bool
) -> None:
    slots, wounds = track
    if wounds.at(level) == 0:
        return
    after = healed(slots, wounds, level, flows=flows)
    assert all(0 <= w <= s for w, s in zip(after.counts, slots.counts, strict=True))
    assert after.total in (wounds.total, wounds.total - 1)
    weight = [sum(w * n for n, w in enumerate(x.counts, start=1)) for x in (wounds, after)]
    assert weight[1] < weight[0] or (after == wounds and not flows)
    assert after.counts[LEVELS.index(level) + 1 :] == wounds.counts[LEVELS.index(level) + 1 :]


def slow_slide(slots: Levels, wounds: Levels, *, flows: bool) -> Levels:
    """Wound by wound on paper: each level from Shallow up hands its wounds to the next existing one below."""
    boxes = list(wounds.counts)
    for row in range(5):
        for _ in range(boxes[row]):
            place = row - 1
            while place >= 0 and slots.counts[place] == 0:
                place -= 1
            if place >= 0 and boxes[place] == slots.counts[place]:
                if not flows:
                    continue
                while place >= 0 and boxes[place] >= slots.counts[place]:
                    place -= 1
            boxes[row] -= 1
            if place >= 0:
                boxes[place] += 1
    return Levels(*boxes)


@given(wounded, st.booleans())
def test_days_slide_wounds_as_on_paper(track: tuple[Levels, Levels], flows: bool) -> None:
    assert slid(*track, flows=flows) == slow_slide(*track, flows=flows)


@given(wounded)
def test_enough_days_heal_everything_where_nothing_is_in_the_way(track: tuple[Levels, Levels]) -> None:
    slots, wounds = track
    for _ in range(30):
        wounds = slid(slots, wounds, flows=False)
    assert wounds.total == 0


def patient(slots: Levels, wounds: Levels) -> Character:
    return Character(
        name="P",
        kind=CharacterKind.NPC,
        side="s",
        ratings={},
        quickness_defence=0,
        presence_defence=0,
        wound_slots=slots,
        wounds=wounds,
    )


@given(wounded, st.booleans())
def test_first_aid_for_every_wound_is_one_slide(track: tuple[Levels, Levels], flows: bool) -> None:
    slots, wounds = track
    every = tuple(level for level in LEVELS for _ in range(wounds.at(level)))
    assert reduced(patient(slots, wounds), every, flows=flows) == slow_slide(slots, wounds, flows=flows)


@given(st.lists(counts, min_size=1, max_size=4))
def test_worn_pieces_stack_to_at_most_three(pieces: list[Levels]) -> None:
    for level in LEVELS:
        worn = 0
        for piece in pieces:
            for _ in range(piece.at(level)):
                worn = min(3, worn + 1)
        assert stacked(*pieces).at(level) == worn


class SlowTrack:
    """Soak and wounds as boxes on paper, for a whole fight."""

    def __init__(self, slots: Levels, soak: Levels) -> None:
        self.free = list(slots.counts)
        self.soak = list(soak.counts)
        self.crossed = [0] * 5
        self.soaked = [0] * 5
        self.dead = False

    def hit(self, successes: int, pierces: bool) -> None:
        if successes == 0:
            return
        row = min(successes, 5) - 1
        if not pierces and self.soak[row]:
            self.soak[row] -= 1
            self.soaked[row] += 1
            return
        while row < 5 and not self.free[row]:
            row += 1
        if row < 5:
            self.free[row] -= 1
            self.crossed[row] += 1
        self.dead = row >= 4

    @property
    def down(self) -> bool:
        return self.dead or self.crossed[3] > 0


blows = st.lists(st.integers(0, 5), min_size=1, max_size=10)


@settings(max_examples=40, deadline=None)
@given(counts, counts.filter(lambda slots: 0 not in slots.counts[:3]), blows)
def test_blow_after_blow_against_boxes_on_paper(soak: Levels, slots: Levels, successes: list[int]) -> None:
    plain = {"soak": msgspec.to_builtins(soak), "wound_slots": msgspec.to_builtins(slots), "quickness_defence": 0}
    session: Session[Adventure] = fight(table(foe=plain), "Hero")
    paper = SlowTrack(slots, soak)
    for count in successes:
        if paper.down:
            break
        triplet = count == 3
        strike(session, "Hero", "Foe", (3, 3, 3) if triplet else MENACE[count])
        paper.hit(count, pierces=triplet)
        foe = who(session, "Foe")
        assert (list(foe.wounds.counts), list(foe.soak_marked.counts)) == (paper.crossed, paper.soaked)
        assert (foe.dead, foe.incapacitated or foe.dead) == (paper.dead, paper.down)
        pass_round(session)


@pytest.mark.parametrize(
    ("slots", "successes", "level", "rule"),
    [
        ({"shallow": 3, "felling": 1, "mortal": 1}, 2, Severity.FELLING, "SP-14"),
        ({"shallow": 3, "felling": 1, "mortal": 1}, 1, Severity.SHALLOW, "SP-12"),
        ({"grievous": 3, "felling": 1, "mortal": 1}, 1, Severity.GRIEVOUS, "SP-14"),
        ({"grievous": 3, "felling": 1, "mortal": 1}, 4, Severity.FELLING, "SP-12"),
    ],
)
def test_incidental_characters_pass_a_missing_level_over(
    slots: dict[str, int], successes: int, level: Severity, rule: str
) -> None:
    session = table()
    session.perform("add-incidental-npc", ready="outlaw", called="Extra")
    given = {"name": "Minor", "ratings": {"prowess": 3}, "quickness_defence": 0, "presence_defence": 0}
    session.perform("add-incidental-npc", sheet={**given, "wound_slots": slots})
    fight(session, "Hero", "Foe")
    strike(session, "Hero", "Minor", MENACE[successes])
    [marked] = [e for e in session.played[-1].events if type(e).__name__ == "WoundMarked"]
    assert (marked.level, marked.rule) == (level, rule)  # type: ignore[attr-defined]


def test_effort_says_what_it_brings() -> None:
    session = fight(table(hero={"effort": 2}), "Hero")
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    session.answer(rolled(Die.D10, 2, 10, 10))
    asked = as_a(EnterNumber, session.pending)
    assert [(o.label, o.does) for o in asked.options] == [
        ("No Effort", "1 success, enough"),
        ("Spend 1", "2 successes, enough"),
        ("Spend 2", "3 successes, enough"),
    ]
    answer(session, 0, MENACE[1])
    asked = as_a(EnterNumber, session.pending)
    assert asked.words == "Hero hits Foe: add Effort to the damage?"
    brings = [option.does for option in asked.options]
    answer(session, 1)
    counted = [e for e in session.played[-1].events if isinstance(e, MenaceCounted)]
    assert brings[1] == f"a {counted[0].severity.label} wound"
