"""The evenings that travel with Loomtable, typed into the terminal line by line, to the same end."""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    TextReading,
)
from loomtable.engine.kernel.requests import Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import RULING_ACTION
from loomtable.engine.systems import SYSTEMS
from loomtable.table.reading.typed import NONE, TICK
from loomtable.table.store import open_store
from tests.playing import transcript
from tests.short import Loom
from tests.tiers import EVENINGS, mostly

TYPED = (
    "long-night",
    "mnemonic-the-last-lamp",
    "spellwoven-nineteen-soaks",
    "storm-weavers-the-axe-in-the-river",
    "weave-the-rope-and-the-minute",
    "weave-where-no-lamp-burns",
    "woven-an-empty-pool",
)
"""Short evenings of every game in which together every kind of question is given every kind of answer."""


def lines_of(session: Session[Any]) -> Iterator[str]:
    """What somebody types to play a session again."""
    for ruling in session.system.rulings.values():  # a new table may begin otherwise
        choice = session.opened.rulings.get(ruling.id, ruling.default)
        yield f"{RULING_ACTION} ruling={ruling.id} choice={choice}"
    asked: Request | None = None
    for played in session.played:
        what: Any = played.step.what
        if isinstance(what, ChoiceReading) and isinstance(asked, Roll):
            yield " ".join((TICK, *what.keys))
        else:
            yield _action(what) if isinstance(what, Action) else _answer(what)
        asked = played.pending


def _action(action: Action) -> str:
    words = [action.name]
    for key, value in action.args.items():
        words.append(f"{key}={value}" if isinstance(value, str) else f"{key}={json.dumps(value)}")
    return shlex.join(words)


def _answer(what: Any) -> str:
    match what:
        case DiceReading():
            return " ".join(map(str, what.faces))
        case CoinReading():
            return str(what.side)
        case CardReading():
            return str(what.card.short)
        case ChoiceReading():
            return " ".join(what.keys) or NONE
        case NumberReading():
            return str(what.value)
        case TextReading():
            return what.text
    raise AssertionError(what)


@pytest.mark.parametrize("name", mostly(EVENINGS, TYPED))
def test_a_whole_evening_typed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loom: Loom) -> None:
    told = transcript(name)
    kept = tmp_path / "s.db"
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines_of(told))))
    seed = ["--seed", str(told.opened.seed)]
    refused = loom("play", told.system.key, "--session", name, "--store", kept, *seed).err
    assert refused == ""
    with open_store(kept) as store:
        session = Session.resume(SYSTEMS, store.journal(name))
    assert session.state == told.state
    assert session.pending == told.pending
