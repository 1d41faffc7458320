"""Moves, shortest paths, run-ups and pushes, each beside a brute-force twin on small random maps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map, map_names, parse_map
from loomtable.engine.storm_weavers.movement import (
    EDGE,
    WALL,
    Ground,
    destinations,
    path_away,
    push_out,
    run_up_of,
    run_ups,
    shortest_way,
    walked,
    way_nearer,
    way_to_reach,
)
from loomtable.engine.storm_weavers.squares import Direction, Square, column_and_row, direction_between, square_at
from tests.short import present, raises
from tests.tiers import examples

WIDTH, HEIGHT = 3, 4
SQUARES = [square_at(c, r) for r in range(HEIGHT) for c in range(WIDTH)]
LINES = [frozenset(two) for two in combinations(SQUARES, 2) if direction_between(*two)]
"""The lines between squares, each of which may be a wall."""
LONGEST = 9


@st.composite
def grounds(draw: st.DrawFn) -> Ground:
    kinds = st.sampled_from(["", "", "", "wall", "bench"])
    marks = draw(st.lists(kinds, min_size=len(SQUARES), max_size=len(SQUARES)))
    obstacles = {s: kind for s, kind in zip(SQUARES, marks, strict=True) if kind}
    taken = draw(st.frozensets(st.sampled_from(SQUARES), max_size=3)) - obstacles.keys()
    crosses = frozenset(["bench"]) if draw(st.booleans()) else frozenset[str]()
    walls = draw(st.frozensets(st.sampled_from(LINES), max_size=4))
    return Ground(
        CombatMap("m", "M", WIDTH, HEIGHT, obstacles, "A1", {}, walls=walls),
        taken,
        crosses,
        draw(st.booleans()),
        stride=draw(st.sampled_from([None, 1, 2, 3])),
    )


def free(ground: Ground, square: Square) -> bool:
    return square not in ground.map.obstacles and square not in ground.taken


def open_to_walk(ground: Ground, square: Square) -> bool:
    if square in ground.map.obstacles:
        return ground.map.obstacles[square] in ground.crosses
    return ground.through_characters or square not in ground.taken


def steps_from(ground: Ground, square: Square) -> Iterator[Square]:
    """The neighbours by arithmetic, in the order in which ties are broken, but for those behind a wall."""
    column, row = column_and_row(square)
    for column_, row_ in ((column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row)):
        if 0 <= column_ < WIDTH and 0 <= row_ < HEIGHT:
            onward = square_at(column_, row_)
            yield from [] if frozenset((square, onward)) in ground.map.walls else [onward]


def walks(ground: Ground, start: Square) -> Iterator[list[tuple[Square, ...]]]:
    """Every walk of no step, of one, of two and so on, each in the order of the tie-break."""
    found: list[tuple[Square, ...]] = [()]
    while True:
        yield found
        found = [
            (*walk, onward)
            for walk in found
            for onward in steps_from(ground, walk[-1] if walk else start)
            if open_to_walk(ground, onward)
        ]


def can_be_done_move_by_move(ground: Ground, walk: tuple[Square, ...]) -> bool:
    """No run of squares without a place to stop is as long as the stride."""
    run = 0
    for square in walk:
        run = 0 if free(ground, square) else run + 1
        if ground.stride is not None and run >= ground.stride:
            return False
    return True


@examples(60, 150)
@given(grounds(), st.sampled_from(SQUARES), st.sampled_from(SQUARES))
def test_the_way_to_somebody_is_the_first_of_the_shortest(ground: Ground, start: Square, target: Square) -> None:
    assume(free(ground, start) and start != target)
    goals = [s for s in steps_from(ground, target) if s == start or free(ground, s)]
    way = way_to_reach(ground, start, target)
    for ways in islice(walks(ground, start), LONGEST + 1):
        reaching = [w for w in ways if (w[-1] if w else start) in goals and can_be_done_move_by_move(ground, w)]
        if reaching:
            assert way is not None
            assert (way.path, way.equally_short) == (reaching[0], len(reaching))
            return
    assert way is None or len(way.path) > LONGEST


@examples(60, 150)
@given(grounds(), st.sampled_from(SQUARES), st.integers(0, 4))
def test_destinations_are_the_ends_of_all_walks_within_speed(ground: Ground, start: Square, speed: int) -> None:
    assume(free(ground, start))
    ground = Ground(ground.map, ground.taken, ground.crosses, ground.through_characters)
    by_length = list(islice(walks(ground, start), 1, speed + 1))
    ends = {w[-1]: w for ways in reversed(by_length) for w in reversed(ways) if free(ground, w[-1])}
    ends.pop(start, None)
    assert destinations(ground, start, speed) == ends


@settings(max_examples=60, deadline=None)
@given(grounds(), st.sampled_from(SQUARES), st.sampled_from(SQUARES), st.integers(0, 4))
def test_who_keeps_away_takes_the_first_nearest_of_the_farthest_squares(
    ground: Ground, start: Square, target: Square, speed: int
) -> None:
    assume(free(ground, start) and start != target)
    without_figures = Ground(ground.map, frozenset(), ground.crosses)
    far = dict.fromkeys(SQUARES, WIDTH * HEIGHT)
    for steps, ways in enumerate(islice(walks(without_figures, target), LONGEST + 1)):
        for walk in ways:
            end = walk[-1] if walk else target
            far[end] = min(far[end], steps)
    ground = Ground(ground.map, ground.taken, ground.crosses, ground.through_characters)
    in_reach = [
        w for ways in islice(walks(ground, start), speed + 1) for w in ways if not w or free(ground, w[-1])
    ]
    assert path_away(ground, start, target, speed) == max(in_reach, key=lambda w: far[w[-1] if w else start])


@examples(60, 150)
@given(grounds(), st.sampled_from(SQUARES), st.sampled_from(SQUARES), st.integers(0, 5))
def test_run_ups_are_those_of_all_paths_that_enter_no_square_twice(
    ground: Ground, start: Square, end: Square, speed: int
) -> None:
    assume(free(ground, start))
    ground = Ground(ground.map, ground.taken, ground.crosses, ground.through_characters)
    directions: set[Direction] = set()
    for ways in islice(walks(ground, start), 2, max(2, speed + 1)):
        for walk in ways:
            squares = (start, *walk)
            if walk[-1] == end and free(ground, end) and len(set(squares)) == len(squares):
                last = {direction_between(squares[-3], squares[-2]), direction_between(squares[-2], squares[-1])}
                directions |= {d for d in last if d is not None and len(last) == 1}
    found = run_ups(ground, start, end, speed)
    assert set(found) == directions
    for direction, path in found.items():
        assert run_up_of(start, path, whole_move=False) is direction
        assert path in next(islice(walks(ground, start), len(path), None))
        assert len(path) <= speed


@given(grounds(), st.sampled_from(SQUARES), st.sampled_from(list(Direction)), st.integers(0, 3))
def test_a_push_by_arithmetic(ground: Ground, pusher: Square, direction: Direction, squares: int) -> None:
    pushed = ground.map.beside(pusher, direction)
    assume(pushed is not None and free(ground, pushed))
    assert pushed is not None
    (column, row), (east, south) = column_and_row(pushed), direction.offset
    path: list[Square] = []
    stopped_by = ""
    for step in range(1, squares + 1):
        at = (column + step * east, row + step * south)
        if not (0 <= at[0] < WIDTH and 0 <= at[1] < HEIGHT):
            stopped_by = EDGE
        elif frozenset(path[-1:] or [pushed]) | {square_at(*at)} in ground.map.walls:
            stopped_by = WALL
        elif square_at(*at) in ground.map.obstacles:
            stopped_by = ground.map.obstacles[square_at(*at)]
        elif square_at(*at) in ground.taken:
            stopped_by = square_at(*at)
        if stopped_by:
            break
        path.append(square_at(*at))
    push = push_out(ground, pusher, pushed, squares)
    assert (push.path, push.stopped_by) == (tuple(path), stopped_by)


@settings(max_examples=100, deadline=None)
@given(grounds(), st.sampled_from(SQUARES), st.integers(1, 3))
def test_a_way_can_always_be_walked_move_by_move(ground: Ground, start: Square, speed: int) -> None:
    """Whatever it crosses, every move ends where the figure can stand, and brings it on."""
    assume(free(ground, start))
    ground = Ground(ground.map, ground.taken, ground.crosses, ground.through_characters, stride=speed)
    goal = next((s for s in reversed(SQUARES) if free(ground, s)), start)
    way = shortest_way(ground, start, [goal])
    left = way.path if way else ()
    while left:
        moved = walked(ground, left, speed)
        assert moved
        assert free(ground, moved[-1])
        left = left[len(moved) :]


def test_who_is_barred_by_others_goes_where_the_way_would_be_shortest() -> None:
    # A corridor: the enemy in E1, a companion in C1, Thymin in A1.
    ground = Ground(CombatMap("m", "M", 5, 1, {}, "A1", {}), frozenset(["C1", "A1"]))
    assert way_to_reach(ground, "E1", "A1") is None
    way = way_nearer(ground, "E1", "A1")
    assert present(way).path == ("D1",)
    walled = Ground(CombatMap("m", "M", 5, 1, {"B1": "wall"}, "A1", {}), frozenset(["A1"]))
    assert way_nearer(walled, "E1", "A1") is None


@pytest.mark.parametrize("name", map_names())
def test_every_shipped_map_is_read_and_named_like_its_file(name: str) -> None:
    ground = combat_map(name)
    assert ground.name == name
    assert ground.enemies
    assert not ground.obstacles.keys() & {ground.thymin, *ground.enemies.values()}


TEXT = package_file("templates", "storm_weavers", "maps", "sluice-yard.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"...~..."', '"...~...."', "m.yaml line 12: 8 squares stand here, 7 in the first row"),
        ('"...~.2."', '"...~.W."', "m.yaml line 13: the legend does not say what 'W' is"),
        ('"...~.2."', '"...~.1."', "m.yaml line 13: 1 stands twice, at F2 and F4"),
        ('".T.o.1."', '"...o.1."', "m.yaml line 9: no square is marked T, where Thymin starts"),
        ('"o": pillar', '"oo": pillar', "m.yaml line 7: an obstacle's mark is one character"),
        ('"o": pillar', '"o": ""', "m.yaml line 7: the obstacle 'o' needs a name"),
        ("title:", "titel:", "there is no field `titel`"),
        (
            "rows:",
            "walls: [A1-A2, A1-B2]\nrows:",
            "m.yaml line 9: 'A1-B2' is no wall; name two squares side by side",
        ),
        ("rows:", "walls: [G1-H1]\nrows:", "m.yaml line 9: 'G1-H1' is no wall"),
        (
            "rows:",
            "picture: ../a.jpg\nrows:",
            "m.yaml line 9: name a JPEG file beside this one, such as cellar.jpg",
        ),
    ],
)
def test_a_mistake_in_a_map_is_named_with_its_line(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(ContentInvalid) as refused:
        parse_map(TEXT.replace(old, new, 1), "m.yaml")
    assert words in str(refused.value)


def test_an_unknown_map_lists_those_there_are() -> None:
    raises(ContentInvalid, r"there is no combat map 'moon'; installed: .*sluice-yard", combat_map, "moon")
