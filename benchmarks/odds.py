"""Our exact odds beside icepool's for the same figures; both are held equal before anything is timed.

Ours forgets what it has worked out before each run, except where a line says otherwise.

Last: Weave 0.015 times, one attack of Spellwoven 0.14, ten ratings 0.6 to 1.8, fights of Storm Weavers below
0.001.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import icepool

from benchmarks.timing import best_of
from loomtable.engine.odds import spellwoven, weave_dice
from loomtable.engine.odds.fight import fight_odds
from loomtable.engine.odds.spellwoven import attack_odds, odds_of_test
from loomtable.engine.odds.weave import challenge_odds, joint_odds
from loomtable.engine.spellwoven.levels import Severity
from loomtable.engine.storm_weavers.plans import Enemy
from loomtable.engine.storm_weavers.sheet import Sheet

Figures = dict[Any, Fraction]
POOLS, LEVELS = range(3, 9), range(1, 6)
ROUNDS = 200


def forget() -> None:
    """Empty our memories, so that each run works everything out."""
    for memory in (weave_dice._dice, weave_dice.tally, spellwoven.throws, spellwoven._counted):
        memory.cache_clear()


def chance(die: Any, wanted: Callable[[Any], bool]) -> Fraction:
    """The chance of an event in icepool."""
    return Fraction(sum(weight for outcome, weight in die.items() if wanted(outcome)), die.denominator())


# Weave


def our_levels() -> Figures:
    """Thirty chances to pass, one by one."""
    forget()
    return {(pool, level): challenge_odds(pool, level).passed for pool in POOLS for level in LEVELS}


def their_levels() -> Figures:
    """Thirty chances to pass: one die as an exact absorbing chain up to 5 successes, then pools of it."""
    die = icepool.map(_rolled_on, (1, 0), icepool.d6, star=False, repeat="inf").map(lambda state: state[1])
    found: Figures = {}
    for pool in POOLS:
        dice = pool @ die
        found.update({(pool, level): chance(dice, lambda s, least=level: s >= least) for level in LEVELS})
    return found


def _rolled_on(state: Any, face: int) -> Any:
    rolling, successes = state
    return (int(face == 5), min(successes + (face in (1, 5)), 5)) if rolling else state


def our_joint() -> Figures:
    """Successes (to 5) with Strikes, for 3 to 8 dice."""
    forget()
    return {
        (pool, *pair): c for pool in POOLS for pair, c in joint_odds(pool, upto=8).chances.items() if pair[0] < 6
    }


def their_joint() -> Figures:
    """The same by an absorbing chain of one die, and pools of it as vectors."""
    die = icepool.map(_counted_on, (1, 0, 0), icepool.d6, star=False, repeat="inf").map(lambda state: state[1:])
    found: Figures = {}
    for pool in POOLS:
        dice = icepool.Die([(0, 0)])
        for _ in range(pool):
            dice = icepool.map(lambda a, b: (min(a[0] + b[0], 6), a[1] + b[1]), dice, die, star=False)
        found.update(
            {(pool, *pair): chance(dice, lambda p, w=pair: p == w) for pair in dice.outcomes() if pair[0] < 6}
        )
    return found


def _counted_on(state: Any, face: int) -> Any:
    rolling, successes, strikes = state
    if not rolling:
        return state
    return int(face == 5), min(successes + (face in (1, 5)), 6), strikes + (face == 6)


def our_challenge() -> Figures:
    """Everything about one Challenge: outcomes, Strikes, Wounds."""
    forget()
    return dict(challenge_odds(5, 3, track=7).outcomes)


# Spellwoven


def our_tests() -> Figures:
    """Ten ratings against six difficulties."""
    forget()
    return {(r, d): odds_of_test(r, d).passed for r in range(1, 11) for d in range(1, 7)}


def remembered_tests() -> Figures:
    """The same, as a table that is open all evening meets it."""
    return {(r, d): odds_of_test(r, d).passed for r in range(1, 11) for d in range(1, 7)}


def their_tests() -> Figures:
    """The same."""
    found: Figures = {}
    for rating in range(1, 11):
        dice = 3 @ icepool.d10.map(lambda face, at=rating: 2 if face == 1 else int(face <= at))
        found.update({(rating, d): chance(dice, lambda s, least=d: s >= least) for d in range(1, 7)})
    return found


def our_attack() -> Figures:
    """An attack with the severity of its wound and the chance to ignore armour."""
    forget()
    odds = attack_odds(5, 3, 4)
    return {("severity", s): c for s, c in odds.severities.items()} | {
        ("past armour", s): c for s, c in odds.pierces.items()
    }


def their_attack() -> Figures:
    """The same, from whole throws, because a triplet is lost once a die is a success or none."""

    def throw(rating: int) -> Any:
        def count(*faces: int) -> tuple[int, bool]:
            return sum(2 if f == 1 else int(f <= rating) for f in faces), len(set(faces)) == 1

        return icepool.map(count, icepool.d10, icepool.d10, icepool.d10)

    both = icepool.map(lambda hit, wound: (hit, wound), throw(5), throw(4), star=False)
    found: Figures = {}
    for place, severity in enumerate(Severity):

        def lands(pair: Any, at: int = place) -> bool:
            return pair[0][0] >= 3 and min(pair[1][0], 5) == at

        found["severity", severity] = chance(both, lands)
        found["past armour", severity] = chance(both, lambda pair, f=lands: f(pair) and (pair[0][1] or pair[1][1]))
    return found


# Storm Weavers


def our_fight(health: int) -> Figures:
    """The chance to win, and Thymin's Health at the end."""
    odds = fight_odds(Sheet(8, 5, health=health), Enemy("Goblin", 8, health))
    return {"won": odds.won} | {h: odds.final_health[h] for h in range(1, health + 1)}


def _one_round(state: Any, attack: int, defence: int) -> Any:
    """Thymin's attack and the enemy's."""
    for lead in (attack, -defence):
        thymin, enemy = state
        if thymin and enemy:
            state = (thymin, max(enemy - lead, 0)) if lead > 0 else (max(thymin + lead, 0), enemy)
    return state


def _ends(die: Any, health: int) -> Figures:
    found: Figures = {h: chance(die, lambda s, left=h: s == (left, 0)) for h in range(1, health + 1)}
    return {"won": chance(die, lambda s: s[1] == 0)} | found


def their_fight(health: int) -> Figures:
    """The same as an absorbing chain, the obvious way: until nothing changes any more, solved exactly."""
    swing = icepool.d6 - icepool.d6
    return _ends(icepool.map(_one_round, (health, health), swing, swing, star=False, repeat="inf"), health)


def their_quick_fight(health: int) -> Figures:
    """The same with two insights: rounds in which nobody is hurt are left out, and then few enough can follow."""
    swing = icepool.d6 - icepool.d6
    both = icepool.tupleize(swing, swing).reroll([(0, 0)], depth="inf")

    def one_round(state: Any, leads: tuple[int, int]) -> Any:
        return _one_round(state, *leads)

    return _ends(icepool.map(one_round, (health, health), both, star=False, repeat=2 * health), health)


def line(what: str, seconds: float, beside: str, peer_seconds: float) -> None:
    """One line: our time, the peer's time, and the ratio; ours are often a small part of the peer's."""
    times = f"{seconds * 1000:.3f} ms | {beside} | {peer_seconds * 1000:.3f} ms"
    print(f"| {what} | {times} | {seconds / peer_seconds:.2g} x |")


def compare(
    what: str,
    ours: Callable[[], Figures],
    theirs: Callable[[], Figures],
    runs: int,
    their_runs: int,
    beside: str = "icepool",
) -> float:
    """Hold the figures equal, then time both; returns the peer's time."""
    mine, peers = ours(), theirs()
    if mine != {key: peers.get(key, Fraction(0)) for key in mine}:
        raise AssertionError(f"{what}: ours and icepool's are not the same")
    peer = best_of(their_runs, theirs)
    line(what, best_of(runs, ours), beside, peer)
    return peer


def main() -> None:
    """Print the table."""
    print("| what | ours | beside | peer | ratio |\n| --- | --- | --- | --- | --- |")
    compare("Weave, 3 to 8 dice, level 1 to 5", our_levels, their_levels, ROUNDS, 20)
    compare("Weave, successes with Strikes, 3 to 8 dice", our_joint, their_joint, 20, 3)
    tests = compare("Spellwoven, 10 ratings, 6 difficulties", our_tests, their_tests, ROUNDS, 20)
    line("the same, the throws remembered", best_of(ROUNDS, remembered_tests), "icepool", tests)
    compare("Spellwoven, one attack with triplets", our_attack, their_attack, 50, 5)
    obvious, quick = (their_fight, "icepool, the obvious way"), (their_quick_fight, "icepool, the quick way")
    for health, (theirs, way) in ((6, obvious), (10, obvious), (10, quick), (20, quick)):
        what = f"Storm Weavers, a fight of {health} against {health}"
        compare(what, partial(our_fight, health), partial(theirs, health), ROUNDS, 2, way)
    print(f"\nOne Weave Challenge with everything about it: {best_of(50, our_challenge) * 1000:.2f} ms.")
    print(f"A fight of 40 against 40: {best_of(10, lambda: our_fight(40)) * 1000:.2f} ms.")


if __name__ == "__main__":
    main()
