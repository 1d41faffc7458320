"""Game Face of Mnemonic: the best plan for its dice, exactly (MN-14).

Where both choose in secret, a round is a matrix game: the value of every pair of dice is known from the rounds
after it, and the best plan may mix the dice, so that it does not matter what the other one takes. Where one
chooses after the other, the best die is the one against which the best answer is worth least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

import msgspec

from loomtable.engine.mnemonic.game_face import DICE, ROUNDS, TO_WIN
from loomtable.engine.mnemonic.rulings import RULINGS
from loomtable.engine.odds.exact import ONE, ZERO, OddsUnknown, decided

ALL = tuple(len(die.faces) for die in DICE)
"""The dice by their sides, the biggest first."""


class GameFaceEnding(msgspec.Struct, frozen=True):
    """The chances of the three ends, for the one whose odds they are."""

    won: Fraction
    drawn: Fraction
    lost: Fraction

    @property
    def edge(self) -> Fraction:
        """What is played for: the chance to win less the chance to lose."""
        return self.won - self.lost


class FacePlan(msgspec.Struct, frozen=True):
    """The best that can be done, and the end it comes to if the other does the same."""

    ending: GameFaceEnding
    plan: dict[int, Fraction]
    """How often each die is taken, by its sides."""
    answer: dict[int, Fraction]
    """The same for the other one."""
    wins: dict[int, Fraction]
    """The chance to win by each die of this round, against that answer."""


class _Table(msgspec.Struct, frozen=True):
    """How a table plays it."""

    secret: bool
    again: bool


class _Stand(msgspec.Struct, frozen=True):
    """A game between two rounds, seen by the one whose odds are reckoned."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    score: tuple[int, int]
    first: bool
    """Chooses first in this round."""

    def after(self, mine: int, theirs: int, point: int) -> _Stand:
        """The game after a round: 1 is a point, -1 the other's, 0 nobody's."""
        score = (self.score[0] + (point > 0), self.score[1] + (point < 0))
        return _Stand(_less(self.own, mine), _less(self.other, theirs), score, not self.first)


def game_face_odds(
    own: Sequence[int] = ALL,
    other: Sequence[int] = ALL,
    *,
    score: tuple[int, int] = (0, 0),
    first: bool = True,
    answer_to: int | None = None,
    rulings: Mapping[str, str] | None = None,
) -> FacePlan:
    """The best plan for the dice that are left, and what it is worth (MN-14).

    Args:
        own: the dice left to the one whose odds they are, by their sides.
        other: the dice left to the other one.
        score: rounds won, own first.
        first: whether the one whose odds they are chooses first; it matters only where dice are chosen in turn.
        answer_to: the die that the other one has taken openly.
        rulings: the table's choices by ruling id; our defaults where it has none.

    Raises:
        OddsUnknown: these dice and this score cannot be, or the game is over.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    table = _table(rulings)
    stand = _Stand(_checked(own), _checked(other), score, first)
    if len(stand.own) != len(stand.other) or sum(score) > _played(stand) or min(score) < 0:
        raise OddsUnknown("both have used as many dice as there were rounds, and no round has two winners")
    if _over(stand):
        raise OddsUnknown("this game is over")
    if answer_to is not None:
        if table.secret or answer_to not in other:
            raise OddsUnknown(f"a d{answer_to} has not been taken openly by the other one")
        ends = {mine: _round(stand, table, mine, answer_to) for mine in dict.fromkeys(stand.own)}
        best = max(ends, key=lambda mine: ends[mine].edge)
        plan = {mine: Fraction(mine == best) for mine in ends}
        return FacePlan(ends[best], plan, {answer_to: ONE}, {mine: end.won for mine, end in ends.items()})
    return _best(stand, table)


def dice_odds(
    own: Sequence[int],
    other: Sequence[int],
    mine: int,
    theirs: int,
    *,
    score: tuple[int, int] = (0, 0),
    first: bool = True,
    lying: int | None = None,
    rulings: Mapping[str, str] | None = None,
) -> tuple[GameFaceEnding, GameFaceEnding]:
    """The round and the whole game, once both dice are known and both play their best after it.

    ``lying`` is what the own die shows, if it lies already. Other arguments and errors as for ``game_face_odds``.
    """
    table = _table(rulings)
    stand = _Stand(_checked(own), _checked(other), score, first)
    if mine not in stand.own or theirs not in stand.other or _over(stand):
        raise OddsUnknown("these dice are not available")
    chances = _points(mine, theirs, table, lying)
    return GameFaceEnding(chances[1], chances[0], chances[-1]), _weighed(stand, table, mine, theirs, chances)


def _table(rulings: Mapping[str, str] | None) -> _Table:
    by = decided(RULINGS, rulings)
    return _Table(by["game-face-choice"] == "in-secret", by["game-face-tie"] == "re-rolled")


def _checked(dice: Sequence[int]) -> tuple[int, ...]:
    left = list(ALL)
    for die in dice:
        if die not in left:
            raise OddsUnknown(f"the dice of Game Face are {', '.join(f'd{d}' for d in ALL)}, each of them once")
        left.remove(die)
    return tuple(sorted(dice, reverse=True))


def _less(dice: tuple[int, ...], used: int) -> tuple[int, ...]:
    place = dice.index(used)
    return dice[:place] + dice[place + 1 :]


def _played(stand: _Stand) -> int:
    return len(ALL) - len(stand.own)


def _over(stand: _Stand) -> bool:
    return max(stand.score) >= TO_WIN or _played(stand) >= ROUNDS


def _points(mine: int, theirs: int, table: _Table, lying: int | None = None) -> dict[int, Fraction]:
    """The chances that the round brings a point (1), the other one (-1), or nobody (0)."""
    own = range(1, mine + 1) if lying is None else (lying,)
    weights = {1: 0, 0: 0, -1: 0}
    for ours in own:
        for against in range(1, theirs + 1):
            weights[(ours > against) - (ours < against)] += 1
    total = sum(weights.values())
    chances = {point: Fraction(weight, total) for point, weight in weights.items()}
    if not table.again or not chances[0]:
        return chances
    if lying is None:
        decisive = ONE - chances[0]
        return {1: chances[1] / decisive, 0: ZERO, -1: chances[-1] / decisive}
    anew = _points(mine, theirs, table)
    return {1: chances[1] + chances[0] * anew[1], 0: ZERO, -1: chances[-1] + chances[0] * anew[-1]}


@cache
def _round(stand: _Stand, table: _Table, mine: int, theirs: int) -> GameFaceEnding:
    return _weighed(stand, table, mine, theirs, _points(mine, theirs, table))


def _weighed(
    stand: _Stand, table: _Table, mine: int, theirs: int, chances: Mapping[int, Fraction]
) -> GameFaceEnding:
    parts = [(c, _worth(stand.after(mine, theirs, point), table)) for point, c in chances.items() if c]
    return _mixed(parts)


def _mixed(parts: Sequence[tuple[Fraction, GameFaceEnding]]) -> GameFaceEnding:
    return GameFaceEnding(
        sum((c * e.won for c, e in parts), ZERO),
        sum((c * e.drawn for c, e in parts), ZERO),
        sum((c * e.lost for c, e in parts), ZERO),
    )


def _worth(stand: _Stand, table: _Table) -> GameFaceEnding:
    if _over(stand):
        own, other = stand.score
        return GameFaceEnding(Fraction(own > other), Fraction(own == other), Fraction(own < other))
    return _best(stand, table).ending


@cache
def _best(stand: _Stand, table: _Table) -> FacePlan:
    own, other = tuple(dict.fromkeys(stand.own)), tuple(dict.fromkeys(stand.other))
    ends = [[_round(stand, table, mine, theirs) for theirs in other] for mine in own]
    if table.secret:
        rows, columns = solved([[e.edge for e in row] for row in ends])
    else:
        rows, columns = _in_turn([[e.edge for e in row] for row in ends], first=stand.first)
    parts = [(x * y, ends[i][j]) for i, x in enumerate(rows) for j, y in enumerate(columns) if x and y]
    wins = {
        mine: _mixed([(y, end) for y, end in zip(columns, row, strict=True)]).won
        for mine, row in zip(own, ends, strict=True)
    }
    return FacePlan(_mixed(parts), dict(zip(own, rows, strict=True)), dict(zip(other, columns, strict=True)), wins)


Mix = tuple[Fraction, ...]


def _in_turn(payoffs: Sequence[Sequence[Fraction]], *, first: bool) -> tuple[Mix, Mix]:
    """One chooses knowing what the other will answer; the rows are the own dice."""
    rows, columns = range(len(payoffs)), range(len(payoffs[0]))
    if first:
        row = max(rows, key=lambda i: min(payoffs[i]))
        column = min(columns, key=lambda j: payoffs[row][j])
    else:
        column = min(columns, key=lambda j: max(payoffs[i][j] for i in rows))
        row = max(rows, key=lambda i: payoffs[i][column])
    return tuple(Fraction(i == row) for i in rows), tuple(Fraction(j == column) for j in columns)


def solved(payoffs: Sequence[Sequence[Fraction]]) -> tuple[Mix, Mix]:
    """Best mixes of rows and of columns in a matrix game; ``payoffs`` are what the rows win.

    Tries every square part of the matrix for mixes that make the other side's choice within it indifferent, and
    takes the first pair that is best against all rows and columns. Shapley and Snow showed in 1950 that there is
    one.
    """
    across = [list(column) for column in zip(*payoffs, strict=True)]
    heights, widths = range(len(payoffs)), range(len(across))
    for size in range(1, min(len(payoffs), len(across)) + 1):
        for rows in combinations(heights, size):
            for columns in combinations(widths, size):
                by_row = _indifferent([[payoffs[i][j] for i in rows] for j in columns])
                by_column = _indifferent([[payoffs[i][j] for j in columns] for i in rows])
                if by_row is None or by_column is None:
                    continue
                mine = _spread(by_row, rows, len(payoffs))
                theirs = _spread(by_column, columns, len(across))
                least = min(_dot(mine, column) for column in across)
                most = max(_dot(theirs, row) for row in payoffs)
                if least == most:
                    return mine, theirs
    raise AssertionError("every matrix game has a solution")


def _dot(mix: Mix, line: Sequence[Fraction]) -> Fraction:
    return sum((x * value for x, value in zip(mix, line, strict=True)), ZERO)


def _spread(mix: Mix, places: Sequence[int], length: int) -> Mix:
    shares = dict(zip(places, mix, strict=True))
    return tuple(shares.get(place, ZERO) for place in range(length))


def _indifferent(lines: list[list[Fraction]]) -> Mix | None:
    """Shares that add up to 1 and give every line the same sum; ``None`` where there are none of 0 or more."""
    size = len(lines)
    system = [[*line, -ONE, ZERO] for line in lines] + [[ONE] * size + [ZERO, ONE]]
    for place in range(size + 1):
        pivot = next((row for row in range(place, size + 1) if system[row][place]), None)
        if pivot is None:
            return None
        system[place], system[pivot] = system[pivot], system[place]
        head = system[place][place]
        system[place] = [value / head for value in system[place]]
        for row in range(size + 1):
            if row != place and system[row][place]:
                factor = system[row][place]
                system[row] = [
                    value - factor * above for value, above in zip(system[row], system[place], strict=True)
                ]
    shares = tuple(line[-1] for line in system[:size])
    return shares if min(shares) >= 0 else None
