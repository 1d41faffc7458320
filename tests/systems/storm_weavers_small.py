"""A small adventure for the tests, whole; each test damages or changes it as it likes."""

from __future__ import annotations

from pathlib import Path

import pytest

from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers import paragraphs
from loomtable.engine.storm_weavers.adventure import Adventure, parse_adventure
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.state import Tale
from tests.short import present

TEXT = Path(__file__).with_name("small.yaml").read_text("utf-8")


def begun(
    monkeypatch: pytest.MonkeyPatch, text: str = TEXT, rulings: dict[str, str] | None = None, **sheet: int
) -> Session[Tale]:
    """A session in an adventure that is not installed."""
    adventure: Adventure = parse_adventure(text, "small.yaml")[0]
    monkeypatch.setattr(paragraphs, "playable_adventure", lambda name: adventure)
    session = Session.open(STORM_WEAVERS, seed="s", rulings=rulings)
    session.perform("create", dexterity_points=2)
    for attribute, to in sheet.items():
        session.perform("change", attribute=attribute, to=to, reason="the road")
    session.perform("begin-adventure", adventure="small")
    return session


def go_on(session: Session[Tale], *keys: str) -> None:
    session.perform("go-on")
    for key in keys:
        session.answer(ChoiceReading((key,)))


def thymin(session: Session[Tale]) -> Sheet:
    return present(session.state.thymin)


def only(paragraph: str) -> str:
    """The small adventure, with a first paragraph of one's own."""
    return TEXT.replace(TEXT[TEXT.index("    choices:") : TEXT.index("  2:\n")], paragraph)
