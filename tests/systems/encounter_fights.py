"""Encounters fought out by plain players: ``python -m tests.systems.encounter_fights 200`` for figures.

Everybody attacks whoever is nearest, goes nearer where nobody is in reach, catches what a shield can, and
spends Effort only where one or two turn a miss into a hit. Nobody talks, flees, cooperates or tends wounds; all
fight to the last: at a table it goes better for the heroes.
"""

from __future__ import annotations

import random
import sys
from typing import NamedTuple

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.readings import ChoiceReading, NumberReading, Reading, rolled
from loomtable.engine.kernel.requests import Choose, EnterNumber, Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.attribute_tests import successes_of
from loomtable.engine.spellwoven.encounters import encounter_names, installed_encounter
from loomtable.engine.spellwoven.events.people import RollFaced, Tested
from loomtable.engine.spellwoven.lookup import stands
from loomtable.engine.spellwoven.people import characters
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.turns import due
from tests.short import present

MOST_ROUNDS = 40
MOST_EFFORT_FOR_A_HIT = 2


class Outcome(NamedTuple):
    """How a fight came out: whether nobody else stands, heroes who still stand, heroes who died, rounds."""

    won: bool
    standing: int
    dead: int
    rounds: int


class PlainFight:
    """One encounter, fought to its end."""

    def __init__(self, encounter: str, seed: int) -> None:
        self.chance = random.Random(f"{encounter}/{seed}")
        rulings = installed_encounter(encounter).rulings
        self.session: Session[Adventure] = Session.open(SPELLWOVEN, seed=str(seed), rulings=rulings)
        for ready in characters():
            self.session.perform("add-player-character", player=ready, ready=ready)
        self.session.perform("open-encounter", encounter=encounter)
        self.do("begin-conflict")

    def outcome(self) -> Outcome:
        """Fight until one side stands."""
        for _ in range(MOST_ROUNDS):
            while self._sides() > 1 and (next_ones := due(self.session.state)):
                self._act(next_ones[0])
            if self._sides() < 2:
                break
            self.do("next-round")
        heroes = [c for c in self.session.state.characters.values() if c.is_player_character]
        assert self.session.state.conflict is not None
        standing = sum(stands(self.session.state, hero.name) for hero in heroes)
        won = standing > 0 and self._sides() == 1
        return Outcome(won, standing, sum(hero.dead for hero in heroes), self.session.state.conflict.round)

    def do(self, action: str, **args: object) -> None:
        """An action, and the answers that it asks for."""
        self.session.perform(action, **args)
        while self.session.pending is not None:
            self.session.answer(self._answer(self.session.pending))

    def _sides(self) -> int:
        state = self.session.state
        return len({state.characters[n].side for n in present(state.conflict).combatants if stands(state, n)})

    def _act(self, who: str) -> None:
        state = self.session.state
        combatants = present(state.conflict).combatants
        foes = [
            n for n in combatants if state.characters[n].side != state.characters[who].side and stands(state, n)
        ]
        foes.sort(key=lambda n: (combatants[n].proximity.steps, self.chance.random()))
        nearer: list[dict[str, object]] = [{"to": to} for to in ("engaged", "nearby")]
        tries: list[tuple[str, dict[str, object]]] = [
            *(("attack", {"who": who, "target": foe}) for foe in foes),
            ("load", {"who": who}),
            *(("move", {"who": who, **step, "towards": foes[0]}) for step in nearer),
            *(("move", {"who": who, **step}) for step in nearer),
            ("act", {"who": who, "doing": "waits"}),
        ]
        for action, args in tries:
            try:
                self.do(action, **args)
            except LoomtableError:
                continue
            return

    def _answer(self, asked: Request) -> Reading:
        if isinstance(asked, Roll):
            return rolled(Die.D10, *(self.chance.randint(1, 10) for _ in range(asked.count)))
        if isinstance(asked, EnterNumber):
            short = self._short_of_a_hit()
            return NumberReading(short if 0 < short <= min(asked.high, MOST_EFFORT_FOR_A_HIT) else asked.low)
        assert isinstance(asked, Choose)
        keys = [option.key for option in asked.options]
        wanted = next((key for key in ("catch", "none") if key in keys), keys[0])
        return ChoiceReading((wanted,) if asked.at_least else ())

    def _short_of_a_hit(self) -> int:
        """How many successes the roll that lies there lacks; 0 where they are only counted."""
        faces: tuple[int, ...] = ()
        for played in reversed(self.session.played):
            reading = played.step.what
            faces = faces or tuple(getattr(reading, "pips", ()))
            for event in reversed(played.events):
                if isinstance(event, Tested):
                    return 0
                if isinstance(event, RollFaced):
                    return 0 if event.difficulty is None else event.difficulty - successes_of(faces, event.rating)
        return 0


def figures(encounter: str, fights: int) -> tuple[float, float, float, float]:
    """Of so many fights: the share that the heroes win, who stands then on average, who died, and the rounds."""
    outcomes = [PlainFight(encounter, seed).outcome() for seed in range(fights)]
    won = sum(one.won for one in outcomes)
    return (
        won / fights,
        sum(one.standing for one in outcomes) / fights,
        sum(one.dead for one in outcomes) / fights,
        sum(one.rounds for one in outcomes) / fights,
    )


if __name__ == "__main__":
    for name in encounter_names():
        won, standing, dead, rounds = figures(name, int(sys.argv[1]))
        print(f"{name}: won {won:.0%}, {standing:.1f} stand, {dead:.2f} dead, {rounds:.1f} rounds")
