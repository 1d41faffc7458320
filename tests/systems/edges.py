"""Tables of edges and refusals: at each bound of a rule, what the book says, and what the engine makes of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import pytest

from loomtable.engine.kernel.errors import IllegalAction, LoomtableError
from loomtable.engine.kernel.play import Action, Game, Play, Playthrough, Steps
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.session import Session

R = TypeVar("R")
S = TypeVar("S")


class Edge(NamedTuple):
    """One side of a bound: the rule in words with its id, what comes out, and how to look."""

    says: str
    want: object
    got: Callable[[], object]


def edge(says: str, want: object, got: Callable[..., object], *args: Any, **more: Any) -> Edge:
    """A row of a table; of what the rules refuse, ``want`` is said in the refusal."""
    return Edge(says, want, partial(got, *args, **more))


def each(*edges: Edge) -> pytest.MarkDecorator:
    """A test for each row, called by what it says."""
    return pytest.mark.parametrize("edge", [pytest.param(row, id=f"{row.says}: {row.want}") for row in edges])


def holds(row: Edge) -> None:
    """What the book says is what comes out."""
    try:
        got = row.got()
    except IllegalAction as refusal:
        got = str(row.want) if str(row.want) in str(refusal) else str(refusal)
    assert got == row.want, got  # the row itself is in the test's name


REFUSALS = msgspec.yaml.decode(Path(__file__).with_name("refusals.yaml").read_bytes())


def refusals(game: str) -> pytest.MarkDecorator:
    """A test for each ``row`` of ``refusals.yaml`` of a game."""
    return pytest.mark.parametrize("row", REFUSALS[game])


def is_refused(session: Session[Any], row: dict[str, Any], error: type[LoomtableError] = IllegalAction) -> None:
    """An action is refused in these words, and changes nothing."""
    before = session.game, session.lines(), session.pending
    with pytest.raises(error) as refused:
        session.perform(row["do"], **row.get("with", {}))
    assert row["says"] in str(refused.value)
    assert (session.game, session.lines(), session.pending) == before


def played(game: Game[S], rule: Callable[[Play[S]], Steps[R]], *answers: Reading) -> tuple[R, S]:
    """A part of a rule by itself, with these answers: what it returns, and the state after it."""
    returned: list[R] = []

    def start(play: Play[S], action: Action) -> Steps[None]:
        returned.append((yield from rule(play)))

    through = Playthrough(game, "s", start)
    through.perform(Action("edge"))
    for answer in answers:
        through.answer(answer)
    assert through.pending is None, through.pending
    return returned[0], through.game.state
