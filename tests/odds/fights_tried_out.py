"""Fights played out with every throw there is, by the engine's own rules and a manner of fighting."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import msgspec

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Action, Game, Play, Playthrough
from loomtable.engine.kernel.readings import ChoiceReading, Reading, rolled
from loomtable.engine.kernel.requests import Choose, Roll
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.odds.fight_ends import DEAD, FightEnding
from loomtable.engine.odds.manners import Manner, every_ruling, move_of, prefers_cunning, target_of
from loomtable.engine.storm_weavers.plans import FightPlan, MapFightPlan
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, Tale

Plan = FightPlan | MapFightPlan


EXCHANGES = [((max(1, 1 + lead), max(1, 1 - lead)), Fraction(6 - abs(lead), 36)) for lead in range(-5, 6)]
"""Attack and Defence are only compared: one pair of dice for each difference, with its chance."""


def every_throw(
    thymin: Sheet, plan: Plan, manner: Manner, rulings: Mapping[str, str] | None = None
) -> dict[FightEnding, Fraction]:
    """How the fight may end; each throw is answered with all faces in turn, and the fight begun anew each time."""
    found: dict[FightEnding, Fraction] = {}
    waiting: list[tuple[tuple[Reading, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        throws, chance = waiting.pop()
        play = _played(thymin, plan, manner, throws, every_ruling(rulings))
        if isinstance(play.pending, Roll) and play.pending.rule == "SW-8":
            dice = (((rolled(Die.D6, a), rolled(Die.D6, d)), c) for (a, d), c in EXCHANGES)
            waiting += [((*throws, *lying), chance * part) for lying, part in dice]
            continue
        if isinstance(play.pending, Roll):
            faces = list(product(range(1, 7), repeat=play.pending.count))
            waiting += [((*throws, rolled(play.pending.die, *lying)), chance / len(faces)) for lying in faces]
            continue
        tale: Tale = play.game.state
        assert tale.thymin is not None
        at = tale.paragraph
        end = FightEnding(DEAD, 0)
        if at != DEATH_PARAGRAPH:
            end = FightEnding([e.to for e in plan.ends].index(at), tale.thymin.health)
        found[end] = found.get(end, Fraction(0)) + chance
    return found


def _played(
    thymin: Sheet, plan: Plan, manner: Manner, throws: tuple[Reading, ...], rulings: dict[str, str]
) -> Playthrough[Tale]:
    """The fight with these throws, up to the next one."""
    game = Game(Tale(thymin=thymin), rulings)
    play = Playthrough(game, "tried out", STORM_WEAVERS.start)
    plain = {name: value for name, value in to_builtins(plan).items() if value is not None}
    play.perform(Action("fight" if isinstance(plan, FightPlan) else "map-fight", plain))
    left = list(throws)
    while play.pending is not None:
        if isinstance(play.pending, Choose):
            play.answer(ChoiceReading((_decided(play, plan, manner, play.pending),)))
        elif left:
            play.answer(left.pop(0))
        else:
            break
    return play


def _decided(play: Playthrough[Tale], plan: Plan, manner: Manner, asked: Choose) -> str:
    tale = play.game.state
    assert tale.thymin is not None
    if asked.purpose.startswith("Thymin's move"):
        return move_of(Play(play.game, ""))
    sheet = msgspec.structs.replace(tale.thymin)
    if isinstance(plan, FightPlan):
        return "cunning-strike" if prefers_cunning(manner, sheet, plan.enemy, plan.modifiers, {}) else "attack"
    target = target_of([int(o.key.rsplit("-", 1)[1]) for o in asked.options if o.key.startswith("attack-")])
    modifiers = plan.modifiers_against(target)
    cunning = prefers_cunning(manner, sheet, plan.enemies[target - 1], modifiers, {}, plan.strike_test)
    return f"{'cunning-strike' if cunning else 'attack'}-{target}"
