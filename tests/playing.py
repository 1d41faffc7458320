"""Evenings: of each game at random, played once for all tests of a process, and those that come with Loomtable."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any

from loomtable.engine.kernel.journal import Journal
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import replay
from loomtable.engine.systems import SYSTEMS
from loomtable.testing import random_session

STEPS = 60
EVENINGS = 2**32 if os.environ.get("HYPOTHESIS_PROFILE") == "explore" else 10
"""So many different evenings of each game: to play one takes far longer than to hold a law against it."""


@cache
def live_evening(system: str, seed: int) -> Session[Any]:
    """A session of this game that was played at random, with undos; it is shared: look, do not touch."""
    return random_session(SYSTEMS[system], seed, STEPS)


def evening(system: str, seed: int) -> Session[Any]:
    """The same session taken up from its journal, to do with as one likes."""
    return Session.resume(SYSTEMS, Journal(live_evening(system, seed).lines()))


def transcript(name: str) -> Session[Any]:
    """An evening that travels with Loomtable, as it ends."""
    path = package_file("templates", "transcripts", f"{name}.yaml")
    return replay(path.read_text("utf-8"), path.name, SYSTEMS).session


def again(name: str) -> Iterator[Session[Any]]:
    """The same, step by step."""
    whole = transcript(name)
    opened = whole.opened
    session = Session.open(whole.system, seed=opened.seed, setup=opened.setup, rulings=opened.rulings)
    for played in whole.played:
        session.take(played.step.what)
        yield session
