"""Whole games of Woven played at random, by legal moves alone."""

from __future__ import annotations

import random
from collections.abc import Iterator

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.play import Action, Event, Game
from loomtable.engine.kernel.readings import ChoiceReading, Reading
from loomtable.engine.kernel.requests import Choose, Request
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.asking import NO
from loomtable.engine.woven.region_map import map_names, region_map
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.state import Contest

PEOPLE = ("Ada", "Ben", "Cyd", "Dov", "Eve")


def small_map() -> str:
    """The map with the fewest regions, where random players meet soonest."""
    return min(map_names(), key=lambda name: len(region_map(name).regions))


def random_move(game: Game[Contest], source: random.Random) -> Action:
    """A legal move of whoever's turn it is: a kind first, threads before all, then one of that kind."""
    assert game.state.turn is not None
    moves = WOVEN.legal_actions(game, game.state.turn.mage)
    names = sorted({move.name for move in moves})
    name = source.choice([*names, *(["place-thread"] * 5 if "place-thread" in names else [])])
    return source.choice([move for move in moves if move.name == name])


def aimed_move(game: Game[Contest], source: random.Random) -> Action:
    """A legal move of whoever's turn it is, towards another mage as long as none is near."""
    contest = game.state
    assert contest.turn is not None
    mage = contest.mages[contest.turn.mage]
    others = [m.place for name, m in contest.mages.items() if name != mage.name and m.on_map]
    if not mage.on_map or not others:
        return random_move(game, source)

    def nearest(place: str) -> int:
        away = contest.ground.within(place, len(contest.ground.regions))
        return min(away[other] for other in others)

    steps = [
        move
        for move in WOVEN.legal_actions(game, mage.name)
        if move.name == "move" and nearest(move.args["to"]) < nearest(mage.place)
    ]
    return source.choice(steps) if steps and nearest(mage.place) > 1 else random_move(game, source)


def aimed_answer(contest: Contest, asked: Request, source: random.Random) -> Reading:
    """A random answer, but spells are cast, and where another mage stands is where everything goes."""
    keys = [option.key for option in asked.options] if isinstance(asked, Choose) and asked.at_most == 1 else []
    others = [mage.place for name, mage in contest.mages.items() if name != asked.by]
    wanted = [key for key in keys if key in others]
    if asked.rule == "WO-10":
        wanted = [key for key in keys if key != NO]
    return ChoiceReading((source.choice(wanted),)) if wanted else random_answer(asked, source)


class WovenEvening:
    """A whole game played at random, with legal moves alone; the computer deals."""

    def __init__(self, players: int, seed: int, *, rounds: int, **rulings: str) -> None:
        chosen = {"decks": "dealt", **{key.replace("_", "-"): choice for key, choice in rulings.items()}}
        self.source = random.Random(f"{players}/{seed}")
        self.session: Session[Contest] = Session.open(WOVEN, seed=str(seed), rulings=chosen)
        self.session.perform("set-up", players=list(PEOPLE[:players]), map=small_map(), rounds=rounds)
        while self.session.pending is not None:
            self.session.answer(random_answer(self.session.pending, self.source))

    def played(self, steps: int) -> Iterator[tuple[Event, Contest]]:
        """What happened so far and then what happens in so many steps, each event with the game after its step."""
        for done in self.session.played:
            yield from ((event, done.game.state) for event in done.events)
        for _ in range(steps):
            if self.session.state.winners:
                return
            for event in self._step():
                yield event, self.session.state

    def _step(self) -> tuple[Event, ...]:
        session, source = self.session, self.source
        if session.pending is not None:
            return session.answer(random_answer(session.pending, source))
        move = random_move(session.game, source)
        return session.perform(move.name, **move.args)
