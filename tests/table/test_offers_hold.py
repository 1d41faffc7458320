"""Whatever forms offer, the rules take: random evenings that choose only what is offered, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.system import RULING_ACTION
from loomtable.engine.systems import SYSTEMS
from loomtable.table.choices.fields import Field, arguments_from, fields_of, filled_in
from loomtable.table.choices.offers import Offers
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.store import open_store
from tests.tiers import STEADY, mostly

STEPS = 30 if STEADY else 60
HOST = Device("1", "the laptop", Role.HOST)


def open_fields(fields: tuple[Field, ...]) -> Iterator[Field]:
    """What still has to be said, or is wanted where something else would do as well; also within groups."""
    for field in fields:
        if (field.required or field.wanted) and not field.parts and not field.chosen:
            yield field
        yield from open_fields(field.parts)


def chosen_at_random(live: LiveSession, name: str, source: Random) -> dict[str, list[str]] | None:
    """A form filled in with what it offers, each choice narrowing the rest; nothing where words are wanted."""
    session, rule, given = live.session, live.session.system.actions[name], dict[str, list[str]]()
    for _ in range(12):
        possible = session.system.possible_values(session.game, HOST.viewer, name, arguments_from(rule, given))
        if not possible.filling:
            return None  # it wants a card of which only people know that they hold it
        fields = filled_in(fields_of(rule, Offers(session, HOST), possible), given)
        field = next(open_fields(fields), None)
        if field is None:
            return {f.path: list(f.chosen) for f in fields if f.chosen} | given
        if len(field.choices) < max(field.at_least, 1):
            return None
        given[field.path] = [one.value for one in source.sample(field.choices, max(field.at_least, 1))]
    return None


def played(live: LiveSession, source: Random) -> tuple[int, list[str]]:
    """How many steps were begun from forms, and every refusal."""
    begun, refused = 0, list[str]()
    for _ in range(STEPS):
        session: Any = live.session
        if session.pending is not None:
            answer = random_answer(session.pending, source)
            try:
                live.take(answer, by="", revision=live.revision)
            except LoomtableError as error:
                refused.append(f"{answer}: {error}")
            continue
        refusals = session.system.refusals(session.game, HOST.viewer)
        names = [name for name, why in refusals.items() if not why and name != RULING_ACTION]
        if not names:
            break
        name = source.choice(names)
        given = chosen_at_random(live, name, source)
        if given is None:
            continue
        action = Action(name, arguments_from(session.system.actions[name], given))
        begun += 1
        try:
            live.take(action, by="", revision=live.revision)
        except LoomtableError as error:
            refused.append(f"{action}: {error}")
    return begun, refused


@pytest.mark.parametrize(
    ("system", "seed"),
    mostly([(s, n) for s in sorted(SYSTEMS) for n in range(4)], [(s, 0) for s in sorted(SYSTEMS)]),
)
def test_nothing_that_is_offered_is_refused_in_many_random_steps(system: str, seed: int, tmp_path: Path) -> None:
    with TableHost(open_store(tmp_path / "e.db")) as host:
        live = host.begin_ready(system, seed=f"offers {seed}")
        begun, refused = played(live, Random(seed))
    assert begun > 2
    assert refused == []
