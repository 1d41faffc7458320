"""Where figures can go on a combat map: moves, shortest paths, run-ups, pushes, flanking. Pure, and nobody asked.

The brute-force twins of these functions stand in ``tests/systems/test_storm_weavers_movement.py``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from itertools import pairwise

import msgspec

from loomtable.engine.storm_weavers.combat_map import CombatMap
from loomtable.engine.storm_weavers.squares import Direction, Path, Square, direction_between

RUN_UP = 2
"""The squares of a straight line that make a charge (SW-12)."""

EDGE, CHARACTER, WALL = "the edge of the map", "character", "wall"
"""What stops a push besides obstacles, as a paragraph names it."""


class Ground(msgspec.Struct, frozen=True):
    """The map as one figure finds it: what it may pass through, and where it may stand (SW-6)."""

    map: CombatMap
    taken: frozenset[Square] = frozenset()
    """Squares of the other figures."""
    crosses: frozenset[str] = frozenset()
    """Kinds of obstacle that the fight's instruction lets it cross; it cannot stop on them."""
    through_characters: bool = False
    avoids: frozenset[Square] = frozenset()
    """Squares that it could pass, but does not want to on the way."""
    stride: int | None = None
    """Its Speed, where a way takes several moves: it has to find a square to stop on within each."""

    def can_stand(self, square: Square) -> bool:
        """Whether the figure can stop there."""
        return square not in self.map.obstacles and square not in self.taken

    def can_pass(self, square: Square) -> bool:
        """Whether the figure can walk through there."""
        kind = self.map.obstacles.get(square)
        if square in self.avoids:
            return False
        if kind is not None:
            return kind in self.crosses
        return self.through_characters or square not in self.taken

    def spot_before(self, square: Square, spot: tuple[Square, int]) -> tuple[Square, int] | None:
        """``square`` as the one before ``spot`` on a way, with the squares from there that it cannot stop on.

        ``None`` where the figure cannot pass there, or not in one move.
        """
        if not self.can_pass(square):
            return None
        if self.can_stand(square):
            return square, 0
        without_stop = spot[1] + 1 if self.stride is not None else 1
        return None if self.stride is not None and without_stop >= self.stride else (square, without_stop)


class Route(msgspec.Struct, frozen=True):
    """A shortest path, and how many equally short ones it was chosen from."""

    path: Path
    equally_short: int = 1


_Spot = tuple[Square, int]
"""A square on the way, and how many squares from it onward the figure cannot stop on, itself included."""


class _Ways:
    """All shortest ways to any of ``goals``, found by walking back from them."""

    def __init__(self, ground: Ground, goals: Iterable[Square]) -> None:
        self.steps: dict[_Spot, int] = {(goal, 0): 0 for goal in goals}
        self.onward: dict[_Spot, list[_Spot]] = {spot: [] for spot in self.steps}
        waiting = deque(self.steps)
        while waiting:
            spot = waiting.popleft()
            for _, neighbour in ground.map.around(spot[0]):
                before = ground.spot_before(neighbour, spot)
                if before is None:
                    continue
                if before not in self.steps:
                    self.steps[before] = self.steps[spot] + 1
                    self.onward[before] = []
                    waiting.append(before)
                if self.steps[before] == self.steps[spot] + 1:
                    self.onward[before].append(spot)

    def nearest(self, square: Square) -> list[_Spot]:
        """The spots of a square from which fewest steps lead to a goal; none where no way leads there."""
        spots = [spot for spot in self.steps if spot[0] == square]
        fewest = min((self.steps[spot] for spot in spots), default=0)
        return [spot for spot in spots if self.steps[spot] == fewest]

    def count(self, spots: Iterable[_Spot]) -> int:
        """How many different shortest ways lead on from these spots."""
        counts: dict[_Spot, int] = {}
        for spot in sorted(self.steps, key=lambda s: self.steps[s]):
            counts[spot] = sum(counts[s] for s in self.onward[spot]) if self.steps[spot] else 1
        return sum(counts[spot] for spot in spots)


def first_paths(ground: Ground, start: Square, most: int | None = None) -> dict[Square, Path]:
    """The first shortest path to every square that can be walked to, in at most so many steps; nearest first.

    Squares wait in the order of their paths, so whoever finds a square first has the first path to it.
    """
    paths: dict[Square, Path] = {start: ()}
    waiting = deque(paths)
    while waiting:
        square = waiting.popleft()
        if len(paths[square]) == most:
            break
        for _, neighbour in ground.map.around(square):
            if neighbour not in paths and ground.can_pass(neighbour):
                paths[neighbour] = (*paths[square], neighbour)
                waiting.append(neighbour)
    return paths


def shortest_way(ground: Ground, start: Square, goals: Collection[Square]) -> Route | None:
    """The shortest path from ``start`` to any of ``goals``, or ``None`` (SW-7).

    Ties are broken by the first step that differs: north before east before south before west.
    """
    ways = _Ways(ground, goals)
    spots = first = ways.nearest(start)
    if not spots:
        return None
    path: list[Square] = []
    square = start
    while ways.steps[spots[0]]:
        onward = {s for spot in spots for s in ways.onward[spot]}
        reached = {s[0] for s in onward}
        square = next(s for _, s in ground.map.around(square) if s in reached)
        spots = [s for s in onward if s[0] == square]
        path.append(square)
    return Route(tuple(path), ways.count(first))


def way_to_reach(ground: Ground, start: Square, target: Square) -> Route | None:
    """The shortest path to a square next to ``target``, empty where ``start`` is one; ``None`` without any."""
    beside = [s for _, s in ground.map.around(target) if s == start or ground.can_stand(s)]
    return shortest_way(ground, start, beside)


def way_nearer(ground: Ground, start: Square, target: Square) -> Route | None:
    """Where others bar every path to ``target``: to the square from which it would be nearest without them.

    ``None`` where the obstacles alone bar the way.
    """
    alone = msgspec.structs.replace(ground, taken=frozenset())
    ways = _Ways(alone, [s for _, s in ground.map.around(target) if alone.can_stand(s)])
    in_reach = [s for s in first_paths(ground, start) if s == start or ground.can_stand(s)]
    left = {s: ways.steps[s, 0] for s in in_reach if (s, 0) in ways.steps}
    if not left:
        return None
    return shortest_way(ground, start, [s for s in left if left[s] == min(left.values())])


def path_away(ground: Ground, start: Square, target: Square, speed: int) -> Path:
    """The path to the square within Speed that is farthest from ``target``, other figures left out of account.

    The nearest of them by the first path; empty where none is farther than ``start``.
    """
    alone = msgspec.structs.replace(ground, taken=frozenset())
    ways = first_paths(alone, target)
    off_the_way = ground.map.width * ground.map.height
    ends = {start: (), **destinations(ground, start, speed)}
    return ends[max(ends, key=lambda square: len(ways[square]) if square in ways else off_the_way)]


def walked(ground: Ground, path: Path, speed: int) -> Path:
    """So much of ``path`` as Speed allows, ending where the figure can stand."""
    ends = [n for n in range(1, min(speed, len(path)) + 1) if ground.can_stand(path[n - 1])]
    return path[: max(ends, default=0)]


def destinations(ground: Ground, start: Square, speed: int) -> dict[Square, Path]:
    """Every square a figure can move to, nearest first, with its first shortest path (SW-6)."""
    paths = first_paths(ground, start, speed)
    return {square: path for square, path in paths.items() if path and ground.can_stand(square)}


def run_ups(ground: Ground, start: Square, square: Square, speed: int) -> dict[Direction, Path]:
    """The directions in which a move to ``square`` can end with two squares in one line, with a path each (SW-12).

    The run-up may need a longer way than the shortest; it has to lie within Speed, and no move enters a square
    twice, for else a step back and forth on the spot would make a charge of any attack.
    """
    found: dict[Direction, Path] = {}
    if square == start or not ground.can_stand(square):
        return found
    for direction in Direction:
        before = _behind(ground, square, direction, 1)
        begun = _behind(ground, square, direction, RUN_UP)
        if before is None or begun is None or before == start or not ground.can_pass(before):
            continue
        once = msgspec.structs.replace(ground, avoids=frozenset({before, square}))
        way = first_paths(once, start, speed - RUN_UP).get(begun) if speed >= RUN_UP else None
        if way is not None:
            found[direction] = (*way, before, square)
    return found


def _behind(ground: Ground, square: Square, direction: Direction, count: int) -> Square | None:
    """The square ``count`` steps back from ``square`` for somebody who comes in this direction."""
    back = {
        Direction.NORTH: Direction.SOUTH,
        Direction.SOUTH: Direction.NORTH,
        Direction.EAST: Direction.WEST,
        Direction.WEST: Direction.EAST,
    }[direction]
    at: Square | None = square
    for _ in range(count):
        at = ground.map.beside(at, back) if at is not None else None
    return at


def run_up_of(start: Square, path: Path, *, whole_move: bool) -> Direction | None:
    """The direction in which ``path`` ends with a run-up, or ``None`` where it does not (SW-12).

    With ``whole_move``, all of it has to lie in one line.
    """
    if len(path) < RUN_UP:
        return None
    squares = (start, *path)
    steps = [direction_between(a, b) for a, b in pairwise(squares)]
    line = steps if whole_move else steps[-RUN_UP:]
    return line[0] if len(set(line)) == 1 else None


class PushedWay(msgspec.Struct, frozen=True):
    """Where a push out leads: the squares passed, and what stopped it, if anything did (SW-10)."""

    path: Path
    stopped_by: str = ""
    """A kind of obstacle, a figure's square, or the edge of the map; empty where nothing did."""
    kind: str = ""
    """The same as a paragraph's ``collision`` names it: of figures ``character``."""


def push_out(ground: Ground, pusher: Square, pushed: Square, squares: int) -> PushedWay:
    """A figure pushed straight away from the adjacent square ``pusher`` (SW-10)."""
    direction = direction_between(pusher, pushed)
    assert direction is not None, "only an adjacent figure can be pushed"
    path: list[Square] = []
    at = pushed
    for _ in range(squares):
        onward = ground.map.beside(at, direction)
        if onward is None:
            stopped_by = WALL if ground.map.wall_beyond(at, direction) else EDGE
            return PushedWay(tuple(path), stopped_by, stopped_by)
        if not ground.can_stand(onward):
            obstacle = ground.map.obstacles.get(onward)
            return PushedWay(tuple(path), obstacle or onward, obstacle or CHARACTER)
        path.append(onward)
        at = onward
    return PushedWay(tuple(path))


def adjacent(map_: CombatMap, square: Square, others: Collection[Square]) -> int:
    """How many of ``others`` stand on squares adjacent to ``square``."""
    return sum(neighbour in others for _, neighbour in map_.around(square))


def lost_when_flanked(enemies_beside: int) -> int:
    """The Dexterity that so many adjacent enemies take from Thymin: 2 take 1, 3 take 2, 4 take 3 (SW-13)."""
    return max(0, enemies_beside - 1)
