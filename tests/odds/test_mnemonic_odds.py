"""The odds of Mnemonic, against every throw of the dice, the real rules played out, and games solved by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import rolled
from loomtable.engine.kernel.requests import Choose, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.mnemonic.events.modes import FaceRoundPlayed
from loomtable.engine.mnemonic.events.people import Complicated, SkillImproved, SuitHealed, SuitInjured
from loomtable.engine.mnemonic.events.scenes import GroupSceneEnded, SkillUsed, WeavingPerformed
from loomtable.engine.mnemonic.state import GroupOutcome
from loomtable.engine.odds.before import odds_before
from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.game_face import ALL, FacePlan, dice_odds, game_face_odds, solved
from loomtable.engine.odds.mnemonic import group_scene_odds, single_die_odds, use_odds
from loomtable.engine.odds.words import OddsLine
from tests.odds.forks import each_throw
from tests.playing import again
from tests.short import present, raises
from tests.systems.mnemonic_table import Table

D6 = range(1, 7)
Dice = tuple[int, ...]


def said(session: Session[Any], key: str) -> Fraction:
    lines = odds_before(session)
    return next(line.chance for line in present(lines) if line.key == key)


# A skill


@pytest.mark.parametrize("dice", range(1, 6))
def test_a_skill_against_every_throw(dice: int) -> None:
    throws = list(product(D6, repeat=dice))
    odds = use_odds(dice)
    assert odds.clean == Fraction(sum(6 in t for t in throws), len(throws))
    assert odds.complicated == 1 - odds.clean
    taught = [t for t in throws if set(t) <= {1, 6}]
    assert odds.improved == Fraction(len(taught), len(throws))
    assert odds.improved_clean == Fraction(sum(6 in t for t in taught), len(throws))
    for face in D6:
        assert odds.highest[face] == Fraction(sum(max(t) == face for t in throws), len(throws))


def test_given_dice_are_dice() -> None:
    assert use_odds(2, gift=1) == use_odds(3)
    raises(OddsUnknown, "the rating has to be from 1", use_odds, 0)


def test_the_skill_before_a_roll_is_what_the_engine_does_with_every_throw() -> None:
    table = Table("free-play")
    table.scene("Ilse", "5H", "use-climb")
    clean = complicated = improved = Fraction(0)
    for _, events, chance in each_throw(table.session):
        clean += chance * any(isinstance(e, SkillUsed) and e.clean for e in events)
        complicated += chance * any(isinstance(e, Complicated) for e in events)
        improved += chance * any(isinstance(e, SkillImproved) for e in events)
    assert (clean, complicated, improved) == tuple(
        said(table.session, k) for k in ("clean", "complicated", "improved")
    )


def test_the_single_dice_are_what_the_engine_does_with_every_face() -> None:
    odds = single_die_odds()
    weaving = Table("free-play")
    weaving.scene("Ilse", "2S", "use-lockpicks", (3,), "remove-complication", "rust")
    injured = sum(
        c * any(isinstance(e, SuitInjured) for e in events) for _, events, c in each_throw(weaving.session)
    )
    assert injured == odds.injured == said(weaving.session, "weaving-injury")
    for band, chance in odds.bands.items():
        came = [
            c
            for _, events, c in each_throw(weaving.session)
            if any(isinstance(e, WeavingPerformed) and e.band is band for e in events)
        ]
        assert sum(came) == chance
    weaving.answer((6,))
    weaving.scene("Ilse", "3S", "moment-alone")
    absent = sum(
        c * any(isinstance(e, SuitHealed) and e.absent for e in events)
        for _, events, c in each_throw(weaving.session)
    )
    grows = sum(c * isinstance(trial.pending, Choose) for trial, _, c in each_throw(weaving.session))
    assert (absent, grows) == (odds.alone_absent, odds.alone_grows)
    assert said(weaving.session, "alone-grows") == grows
    learning = Table("free-play")
    learning.scene("Ilse", "2C", "learn", "Ferrymen")
    after = [(trial.state.characters["Ilse"], c) for trial, _, c in each_throw(learning.session)]
    assert sum(c for sheet, c in after if sheet.skill("Ferrymen").rating == 2) == odds.learned_at_2
    assert sum(c for sheet, c in after if sheet.skill("Ferrymen").complicated) == odds.learned_complicated
    assert sum(c for sheet, c in after if sheet.injured) == odds.learned_injured
    assert said(learning.session, "learned-complicated") == odds.learned_complicated


# Group scenes


@pytest.mark.parametrize(
    ("adversary", "pools"), [(1, [1]), (2, [1, 2]), (3, [2]), (1, [1, 1, 2]), (2, []), (4, [1, 1])]
)
def test_a_group_scene_against_every_throw(adversary: int, pools: Sequence[int]) -> None:
    counts = dict.fromkeys(GroupOutcome, 0)
    total = 0
    for theirs in product(D6, repeat=adversary):
        for ours in product(D6, repeat=sum(pools)):
            best = max((max(ours[i : i + 1]) for i in range(len(ours))), default=0)
            outcome = "victory" if best > max(theirs) else "draw" if best == max(theirs) else "defeat"
            counts[GroupOutcome(outcome)] += 1
            total += 1
    odds = group_scene_odds(adversary, pools)
    assert {o: odds.chance(o) for o in GroupOutcome} == {o: Fraction(n, total) for o, n in counts.items()}


def test_what_lies_already_counts() -> None:
    assert group_scene_odds(0, [], adversary_faces=(5, 2), faces=(3, 5)).draw == 1
    assert group_scene_odds(0, [1], adversary_faces=(5,), faces=(4,)).victory == Fraction(1, 6)
    raises(OddsUnknown, "an adversary needs dice", group_scene_odds, 0, [2])


def in_the_group_scene() -> Session[Any]:
    table = Table("free-play")
    table.scene("Ilse", "2H", "use-climb", (2, 2), "none")
    table.scene("Odo", "2S", "use-lamp", (2, 2), "none")
    table.do("group-scene", "3S", "use-lockpicks", "4S", "use-ropes")
    return table.session


def test_the_group_scene_before_its_rolls_adds_up_over_every_throw() -> None:
    session = in_the_group_scene()
    for key in ("victory", "draw", "defeat"):
        ahead = said(session, key)
        assert ahead == sum(c * said(trial, key) for trial, _, c in each_throw(session)), "the adversary's roll"
    session.answer(rolled(Die.D6, 4, 3))
    for key in ("victory", "draw", "defeat"):
        ahead = said(session, key)
        assert ahead == sum(c * said(trial, key) for trial, _, c in each_throw(session)), "a player's roll"
    session.answer(rolled(Die.D6, 4))
    last = dict.fromkeys(GroupOutcome, Fraction(0))
    for _, events, chance in each_throw(session):
        [ended] = [e for e in events if isinstance(e, GroupSceneEnded)]
        last[ended.outcome] += chance
    assert last == {o: said(session, o.value) for o in GroupOutcome}


# Game Face


WAYS = [
    {"game-face-choice": choice, "game-face-tie": tie}
    for choice in ("in-secret", "in-turn")
    for tie in ("re-rolled", "nobody-scores")
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.fractions(-2, 2, max_denominator=6), min_size=3, max_size=3), min_size=1, max_size=3))
def test_a_matrix_game_is_solved_so_that_neither_can_do_better(payoffs: list[list[Fraction]]) -> None:
    rows, columns = solved(payoffs)
    assert sum(rows) == sum(columns) == 1
    assert min(*rows, *columns) >= 0
    value = sum(x * y * payoffs[i][j] for i, x in enumerate(rows) for j, y in enumerate(columns))
    for j in range(3):
        assert sum(x * payoffs[i][j] for i, x in enumerate(rows)) >= value
    for row in payoffs:
        assert sum(y * value_ for y, value_ in zip(columns, row, strict=True)) <= value


def test_stone_paper_scissors() -> None:
    payoffs = [[Fraction(n) for n in row] for row in ((0, -1, 1), (1, 0, -1), (-1, 1, 0))]
    assert solved(payoffs) == ((Fraction(1, 3),) * 3,) * 2


def by_hand(mine: int, theirs: int, tie: str) -> dict[int, Fraction]:
    """A round throw by throw; a tie that is rolled again is summed as it comes."""
    chances = {1: Fraction(0), 0: Fraction(0), -1: Fraction(0)}
    for one, two in product(range(1, mine + 1), range(1, theirs + 1)):
        chances[(one > two) - (one < two)] += Fraction(1, mine * theirs)
    if tie == "re-rolled":
        return {1: chances[1] / (1 - chances[0]), 0: Fraction(0), -1: chances[-1] / (1 - chances[0])}
    return chances


def after_a_round(
    own: Dice, other: Dice, score: tuple[int, int], mine: int, theirs: int, tie: str
) -> Iterator[tuple[Fraction, tuple[Dice, Dice, tuple[int, int]]]]:
    """What can come of these two dice: how likely, and the dice and the score that are left."""
    left = list(own), list(other)
    left[0].remove(mine)
    left[1].remove(theirs)
    for point, chance in by_hand(mine, theirs, tie).items():
        if chance:
            yield chance, (tuple(left[0]), tuple(left[1]), (score[0] + (point > 0), score[1] + (point < 0)))


def following(
    own: Dice,
    other: Dice,
    score: tuple[int, int],
    first: bool,
    rulings: dict[str, str],
    best: str,
) -> Fraction:
    """The edge when both follow their plans, but for the side ``best``, which does whatever is best for it."""
    if max(score) == 2 or len(own) == 1:
        return Fraction((score[0] > score[1]) - (score[0] < score[1]))
    plan = game_face_odds(own, other, score=score, first=first, rulings=rulings)

    def round_edge(mine: int, theirs: int) -> Fraction:
        return sum(
            chance * following(*then, not first, rulings, best)
            for chance, then in after_a_round(own, other, score, mine, theirs, rulings["game-face-tie"])
        )

    if best == "own":
        return max(sum(y * round_edge(m, t) for t, y in plan.answer.items() if y) for m in set(own))
    if best == "other":
        return min(sum(x * round_edge(m, t) for m, x in plan.plan.items() if x) for t in set(other))
    return sum(
        (x * y * round_edge(m, t) for m, x in plan.plan.items() for t, y in plan.answer.items() if x and y),
        Fraction(0),
    )


UNEVEN = (
    ((12, 8, 6), (12, 8, 8), (0, 1)),
    ((8, 8, 6), (12, 8, 6), (1, 0)),
    ((12, 6), (8, 8), (1, 1)),
    (ALL, ALL, (0, 0)),
)


@pytest.mark.parametrize(("own", "other", "score"), UNEVEN)
@pytest.mark.parametrize("tie", ["re-rolled", "nobody-scores"])
def test_whoever_leaves_the_best_plan_does_no_better(
    own: Dice, other: Dice, score: tuple[int, int], tie: str
) -> None:
    rulings = {"game-face-choice": "in-secret", "game-face-tie": tie}
    plan = game_face_odds(own, other, score=score, rulings=rulings)
    assert plan.ending.won + plan.ending.drawn + plan.ending.lost == 1
    for best in ("", "own", "other"):
        assert following(own, other, score, True, rulings, best) == plan.ending.edge
    assert max(plan.wins.values()) >= plan.ending.won or plan.ending.drawn


@pytest.mark.parametrize("tie", ["re-rolled", "nobody-scores"])
@pytest.mark.parametrize(("own", "other", "score"), UNEVEN)
def test_in_turn_is_a_minimax_over_every_choice(own: Dice, other: Dice, score: tuple[int, int], tie: str) -> None:
    rulings = {"game-face-choice": "in-turn", "game-face-tie": tie}

    def edge(own: Dice, other: Dice, score: tuple[int, int], first: bool) -> Fraction:
        if max(score) == 2 or len(own) == 1:
            return Fraction((score[0] > score[1]) - (score[0] < score[1]))

        def round_edge(mine: int, theirs: int) -> Fraction:
            came = after_a_round(own, other, score, mine, theirs, tie)
            return sum(chance * edge(*then, not first) for chance, then in came)

        if first:
            return max(min(round_edge(m, t) for t in set(other)) for m in set(own))
        return min(max(round_edge(m, t) for m in set(own)) for t in set(other))

    for first in (True, False):
        plan = game_face_odds(own, other, score=score, first=first, rulings=rulings)
        assert plan.ending.edge == edge(own, other, score, first)


@pytest.mark.parametrize("rulings", WAYS)
def test_the_game_is_even_at_the_start(rulings: dict[str, str]) -> None:
    plan = game_face_odds(rulings=rulings)
    assert plan.ending.won == plan.ending.lost
    assert sum(plan.plan.values()) == 1


def test_what_cannot_be_is_refused() -> None:
    for kwargs, words in (
        ({"own": (12, 12, 8)}, "the dice of Game Face are"),
        ({"own": (12, 8)}, "both have used as many dice"),
        ({"score": (1, 0)}, "both have used as many dice"),
        ({"own": (8, 6), "other": (8, 6), "score": (2, 0)}, "this game is over"),
        ({"answer_to": 8}, "has not been taken openly"),
    ):
        raises(OddsUnknown, words, game_face_odds, **kwargs)  # type: ignore[arg-type]


@pytest.mark.parametrize("rulings", WAYS)
def test_the_odds_of_a_round_are_what_the_engine_does_with_every_throw(rulings: dict[str, str]) -> None:
    table = Table("", **{k.replace("-", "_"): v for k, v in rulings.items()})
    table.do("game-face", "d8", "d6", who="Ilse", other="Odo")
    assert isinstance(table.session.pending, Roll)
    ahead = {line.says: line.chance for line in odds_before(table.session) or ()}
    together = dict.fromkeys(ahead, Fraction(0))
    for trial, _, chance in each_throw(table.session):
        for line in odds_before(trial) or ():
            together[line.says] = together.get(line.says, Fraction(0)) + chance * line.chance
    assert together == ahead
    table.answer((5,))
    won = Fraction(0)
    again = Fraction(0)
    for _, events, chance in each_throw(table.session):
        [played] = [e for e in events if isinstance(e, FaceRoundPlayed)]
        won += chance * (played.winner == "Ilse")
        again += chance * played.again
    fresh = dice_odds(ALL, ALL, 8, 6, rulings=rulings)[0].won
    assert said(table.session, "face-round") == won + again * fresh


def test_a_secret_die_changes_nothing_in_what_the_other_is_told() -> None:
    told: list[tuple[OddsLine, ...] | None] = []
    for die in ("d12", "d6"):
        table = Table("")
        table.do("game-face", die, who="Ilse", other="Odo")
        told.append(odds_before(table.session))
    assert told[0] == told[1]
    open_table = Table("", game_face_choice="in-turn")
    open_table.do("game-face", "d6", who="Ilse", other="Odo")
    best: FacePlan = game_face_odds(first=False, answer_to=6, rulings={"game-face-choice": "in-turn"})
    assert said(open_table.session, "face-win") == best.ending.won


# Before a roll, over whole evenings


@pytest.mark.parametrize("name", ["mnemonic-low-field-evening", "mnemonic-universal-truth", "mnemonic-game-face"])
def test_every_roll_of_an_evening_has_odds(name: str) -> None:
    rolls = 0
    for session in again(name):
        if isinstance(session.pending, Roll):
            lines = odds_before(session)
            assert lines
            assert all(0 <= line.chance <= 1 for line in lines)
            rolls += 1
    assert rolls >= 6
