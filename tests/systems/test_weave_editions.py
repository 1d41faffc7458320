"""Evenings begun with version 3 of the rules of Weave still play as they did; new ones do not play so."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import msgspec
import pytest

from loomtable.engine.kernel import yamlfile
from loomtable.engine.kernel.errors import JournalCorrupt
from loomtable.engine.kernel.journal import Journal, Line, Opened
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.serialization import from_builtins, to_json
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.cards.playset import playset, playset_first_edition, playset_names

KEPT = Path(__file__).parent / "evenings_of_weave_3.json.xz"
EVENINGS = [json.loads(line) for line in lzma.decompress(KEPT.read_bytes()).splitlines()]
"""One of each playset, of 500 lines, recorded by the program of then: the journal, and the state it led to."""


def resumed(evening: Any, version: str = "3") -> Session[Any]:
    first, *rest = from_builtins(evening["lines"], tuple[Line, ...])
    assert isinstance(first.entry, Opened)
    then = msgspec.structs.replace(first, entry=msgspec.structs.replace(first.entry, rules_version=version))
    return Session.resume(SYSTEMS, Journal((then, *rest)))


def still_in(then: Any, now: Any) -> bool:
    """Whether all that was in the state then is in it now; a newer program may know more."""
    if isinstance(then, dict):
        return all(key in now and still_in(value, now[key]) for key, value in then.items())
    if isinstance(then, list):
        return len(then) == len(now) and all(map(still_in, then, now))
    return bool(then == now)


@pytest.mark.parametrize("number", range(4))
def test_an_evening_of_then_leads_where_it_led(number: int) -> None:
    session = resumed(EVENINGS[number])
    assert session.game.rulings["cards-edition"] == "first"
    assert still_in(EVENINGS[number]["state"], json.loads(to_json(session.state)))


def test_by_the_rules_of_today_not_every_one_does() -> None:
    def leads_there(evening: Any) -> bool:
        try:
            return still_in(evening["state"], json.loads(to_json(resumed(evening, "4").state)))
        except JournalCorrupt:
            return False

    assert not all(map(leads_there, EVENINGS))


def test_each_shipped_playset_is_kept_as_it_was() -> None:
    for name in playset_names():
        assert playset_first_edition(name).playset == name
        assert playset_first_edition(name).cards.keys() == playset(name).cards.keys()


def test_a_playset_of_your_own_has_one_edition(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = package_file("templates", "weave", "playsets", "the-salt-road.yaml").read_text("utf-8")
    (tmp_path / "mine.yaml").write_text(own, "utf-8")
    monkeypatch.setattr(yamlfile, "added_folders", lambda *_: [tmp_path])
    assert playset_first_edition.__wrapped__("mine") == playset("mine")
