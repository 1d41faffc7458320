"""One small player: plays any adventure, fight or conflict on the engine, so many times, and counts.

It sees what the engine offers and nothing else: the state, what is asked, and what the rules refuse. A game's
*preference* (``loomtable.testing.players``) says what a sensible person would do next, best first; the first of it
that the rules allow is done. Dice fall by chance. Where a preference has nothing to say, chance answers, and
chance picks an action that can be begun. So it plays every game, and those with a preference well enough for its
figures to mean something: how often a hero of flesh and blood wins who plays soundly and plans nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import IllegalAction, LoomtableError, ReadingMisfit
from loomtable.engine.kernel.play import Action, Game, Play, Playthrough
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Request
from loomtable.engine.kernel.system import System
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.exact import whole
from loomtable.engine.odds.played import Fights

MOST_STEPS = 5000
"""Actions and answers of one play; whoever needs more goes round for ever."""
MOST_TIMES = 100_000

_Outcome = TypeVar("_Outcome")
Move = Action | Reading
Preference = Callable[[Play[Any], Request | None, random.Random], Iterable[Move]]
"""What a sensible person would do, best first: answers to what is asked, or actions where nothing is."""


def no_preference(play: Play[Any], asked: Request | None, source: random.Random) -> Iterable[Move]:
    """Nothing is preferred: chance plays."""
    return ()


def play_on(
    system: System[Any],
    game: Game[Any],
    over: Callable[[Any], bool],
    *,
    opening: Iterable[Action] = (),
    prefers: Preference = no_preference,
    seed: str = "",
) -> Game[Any]:
    """Play from a moment on until the state is what ``over`` says, nothing can be begun, or for ``MOST_STEPS``.

    ``opening`` are actions that come first, whatever is preferred. The same seed plays the same.

    >>> from loomtable import SYSTEMS
    >>> from loomtable.engine.kernel.play import Action
    >>> from loomtable.testing import play_on
    >>> game = SYSTEMS["storm-weavers"].new_game({}, {})
    >>> opening = [Action("create", {"dexterity_points": 3}), Action("test", {"attribute": "wisdom"})]
    >>> play_on(SYSTEMS["storm-weavers"], game, lambda tale: True, opening=opening).state.thymin.dexterity
    8

    Raises:
        LoomtableError: an action of the opening is refused.
    """
    source, left, opens = random.Random(seed), [*opening], False
    begun: list[Move] = []
    through = Playthrough(game, seed, system.start)
    for _ in range(MOST_STEPS):
        if through.pending is not None:
            try:
                _answer(through, prefers(Play(through.game, seed), through.pending, source), source)
            except IllegalAction:  # what follows the answer is refused, and nothing came of the action
                through, opens = Playthrough(game, seed, system.start), False
            continue
        if through.game != game:
            begun = []  # of which nothing came: it is not tried again before something has changed
        game, left = through.game, left[opens:]
        if opens := bool(left):
            through.perform(left[0])
        elif over(game.state) or not _begin(
            through, chain(prefers(Play(game, seed), None, source), _any_action(system, game, source)), begun
        ):
            break
    return through.game


def _answer(through: Playthrough[Any], preferred: Iterable[Move], source: random.Random) -> None:
    assert through.pending is not None
    for move in preferred:
        try:
            if not isinstance(move, Action):
                through.answer(move)
                return
        except ReadingMisfit:  # no answer to this; nothing has changed
            continue
    through.answer(random_answer(through.pending, source))


def _begin(through: Playthrough[Any], moves: Iterable[Move], begun: list[Move]) -> bool:
    for move in moves:
        try:
            if isinstance(move, Action) and move not in begun:
                begun.append(move)
                through.perform(move)
                return True
        except LoomtableError:  # the rules refuse it; nothing has changed
            continue
    return False


def _any_action(system: System[Any], game: Game[Any], source: random.Random) -> Iterator[Action]:
    legal = list(system.legal_actions(game, STORYTELLER, each=8))
    source.shuffle(legal)
    yield from legal


@dataclass(frozen=True)
class Plays:
    """So many plays, and the seed from which each has its own; ``counted`` is told of each as it comes."""

    times: int
    seed: str
    counted: Callable[[Sequence[int]], Iterable[int]] = iter

    def of(self, once: Callable[[str], _Outcome]) -> list[_Outcome]:
        """What came of each.

        Raises:
            OddsUnknown: there are too few or too many.
        """
        numbers = range(whole(self.times, "the number of times", 1, MOST_TIMES))
        return [once(f"{self.seed}/{number}") for number in self.counted(numbers)]

    def __str__(self) -> str:
        return f"played {how_many(self.times, 'time', 'times')}"


class Fought(NamedTuple):
    """How one fight came out for the heroes."""

    won: bool
    cost: float
    """As in ``Fights``."""


def in_all(fights: Sequence[Fought]) -> Fights:
    """What came of so many fights."""
    return Fights(
        len(fights), sum(fought.won for fought in fights), sum(fought.cost for fought in fights) / len(fights)
    )
