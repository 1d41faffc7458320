"""A first fight explains itself: each thing when it comes up, once, on the page and in the terminal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.session import Session
from loomtable.engine.ready_evening import begun_ready, guidance, ready_evenings
from loomtable.engine.spellwoven.turns import due
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from loomtable.table.terminal.console import Screen
from loomtable.table.terminal.terminal import Terminal
from tests.table.asking import Table
from tests.table.terminal_person import Person

TITLE = "A first fight"
FIGHTS = ("spellwoven", "weave")


def guide_of(key: str) -> dict[str, str]:
    return next(evening.guide for evening in ready_evenings(SYSTEMS[key]) if evening.title == TITLE)


def told_while_fighting(key: str, seed: int) -> Iterator[str]:
    """What is explained from the first roll to the end, where people only attack."""
    source = random.Random(seed)
    session = begun_ready(SYSTEMS[key], str(seed), source, TITLE)

    def done(action: str, **arguments: Any) -> Iterator[str]:
        if action:
            session.perform(action, **arguments)
        else:
            yield guidance(session)
        while session.pending is not None:
            if action:
                yield guidance(session)
            action = "answered"
            session.answer(random_answer(session.pending, source))
        yield guidance(session)

    yield from done("")
    yield from (_weave if key == "weave" else _spellwoven)(session, done)


def _weave(session: Session[Any], done: Any) -> Iterator[str]:
    while not session.state.npcs["The Lamp-Moth"].beaten:
        who = session.state.encounter.acting
        target = "The Lamp-Moth" if who != "The Lamp-Moth" else "Ilse"
        while session.state.encounter.actions_left and not session.state.npcs["The Lamp-Moth"].beaten:
            yield from done("attack", who=who, target=target, suit="gales")
        yield from done("end-turn")
    yield from done("end-encounter", resolution="The lamp burns.")


def _spellwoven(session: Session[Any], done: Any) -> Iterator[str]:
    for _ in range(12):
        if not (up := due(session.state)):
            yield from done("next-round")
            continue
        foes = ("The long one", "The fat one") if up[0] in ("Hedda", "Joss") else ("Joss", "Hedda")
        for foe in foes:
            try:
                yield from done("attack", who=up[0], target=foe)
            except LoomtableError:
                continue
            break
        else:
            break
    yield from done("end-conflict", outcome="The rest run.")


@pytest.mark.parametrize("key", FIGHTS)
def test_each_thing_is_explained_once_and_nothing_is_written_in_vain(key: str) -> None:
    guide, heard = guide_of(key), set[str]()
    for seed in range(12):
        told = [words for words in told_while_fighting(key, seed) if words]
        assert len(told) == len(set(told)), "once is enough"
        assert told[0] == next(iter(guide.values()))
        heard |= set(told)
    assert heard == set(guide.values())


@pytest.mark.parametrize("key", FIGHTS)
def test_it_is_only_for_evenings_that_began_so_and_comes_back_with_undo(key: str) -> None:
    session = begun_ready(SYSTEMS[key], "tonight", random.Random(1), TITLE)
    first = guidance(session)
    assert first == next(iter(guide_of(key).values()))
    assert session.pending is not None
    session.answer(random_answer(session.pending, random.Random(1)))
    assert guidance(session) != first
    session.undo(by="the host")
    assert guidance(session) == first
    assert guidance(begun_ready(SYSTEMS[key], "tonight", random.Random(1))) == ""


@pytest.mark.parametrize("key", FIGHTS)
def test_the_page_and_every_phone_explain_it_above_the_question(key: str, friday: Table) -> None:
    live = friday.host.begin_ready(key, title=TITLE)
    first = next(iter(guide_of(key).values()))[:60]
    host, phone = friday.join(Role.HOST), friday.join(Role.PLAYER, "Ben", live.name)
    address = f"/table/{live.name}".replace(" ", "%20")
    for device in (host, phone):
        shown = device.get(address, accept="text/html").text
        assert shown.index(first) < shown.index('data-section="asked"')


@pytest.mark.parametrize("key", FIGHTS)
def test_the_terminal_explains_it_before_it_asks(key: str) -> None:
    person = Person(1, 12, begins=[TITLE])
    Terminal(Session.open(SYSTEMS[key], seed="x"), Screen(person.console), person, keep=lambda one: one).run()
    seen = " ".join(person.seen.getvalue().split())
    assert seen.count(next(iter(guide_of(key).values()))) == 1
