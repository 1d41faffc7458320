"""What pages and the terminal offer in a conflict: at the Heron, a man with a knife would rather talk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.spellwoven.armoury import skills
from loomtable.engine.spellwoven.people import characters
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.store import open_store
from tests.table.asking import Table

PEOPLE = ("Ada", "Ben", "Cleo", "Dov")


class Heron:
    """The encounter with the four ready characters, played on as far as wanted."""

    def __init__(self, host: TableHost) -> None:
        self.live: LiveSession = host.begin("spellwoven", "friday")
        self.table, self.source = Table(host, hurried=True), Random("heron")
        for player, ready in zip(PEOPLE, characters(), strict=False):
            self.take("add-player-character", player=player, ready=ready)
        self.take("open-encounter", encounter="three-chairs-at-the-heron")
        self.take("begin-conflict")

    def take(self, name: str, **args: Any) -> None:
        """Begin an action, and leave what it asks to chance."""
        what: Action | Reading | None = Action(name, args)
        while what is not None:
            self.live.take(what, by="", revision=self.live.revision)
            pending = self.session.pending
            what = random_answer(pending, self.source) if pending is not None else None

    @property
    def session(self) -> Any:
        return self.live.session

    @property
    def acting(self) -> str:
        return str(self.session.system.turn(self.session.game))

    def can(self, name: str, **args: Any) -> bool:
        return not self.session.refusal(name, **args)

    def turns(self, count: int) -> Iterator[str]:
        """Who acts, so many times; then they wait."""
        for _ in range(count):
            while not self.acting:
                self.take("next-round")
            yield self.acting
            self.take("act", who=self.acting, doing="waits")


@pytest.fixture
def heron(tmp_path: Path) -> Iterator[Heron]:
    with TableHost(open_store(tmp_path / "e.db")) as host:
        yield Heron(host)


def test_talking_and_acting_together_are_offered_whenever_they_are_possible(heron: Heron) -> None:
    host, everybody = heron.table.join(Role.HOST), list(heron.session.state.characters)
    phones = {person: heron.table.join(Role.PLAYER, person) for person in PEOPLE}
    talks = together = 0
    for who in heron.turns(10):
        page = host.get("/table/friday").text
        ways = [{"target": target, "skill": skill} for target, skill in product(everybody, skills())]
        talk = any(heron.can("talk", who=who, intent="distract", **way) for way in ways)
        assert ("?do=talk" in page) == talk
        pairs = any(heron.can("cooperate", who=pair) for pair in combinations(everybody, 2))
        assert ("?do=cooperate" in page) == pairs
        player = heron.session.state.characters[who].player
        if player:
            assert ("?do=talk" in phones[player].get("/table/friday").text) == talk
        talks, together = talks + talk, together + pairs
    assert talks > 5 and together


def test_a_form_offers_who_acts_and_whom_they_can_reach_and_no_one_else(heron: Heron) -> None:
    host = heron.table.join(Role.HOST)
    for who in heron.turns(5):
        form = host.get("/table/friday?do=talk").text
        people = heron.session.state.characters
        assert offered(form, "who") == [who]
        assert f'<b>Who</b> {who}<input type="hidden"' in form, "whose turn it is stands there and is not asked"
        assert set(offered(form, "target")) == {n for n, c in people.items() if c.side != people[who].side}
        way = {"who": who, "target": offered(form, "target")[0], "intent": "distract"}
        assert set(offered(form, "skill")) == {one for one in skills() if heron.can("talk", skill=one, **way)}


def test_what_cannot_be_done_says_why_for_who_acts(heron: Heron) -> None:
    who = heron.acting
    why = heron.session.system.refusals(heron.session.game, "storyteller")
    assert why["next-round"] == f"{who} has still to act in round 1"
    assert why["test"].startswith(f"{who} is in a conflict")
    assert "two or more" not in " ".join(why.values())


def offered(form: str, argument: str) -> list[str]:
    """The values of a field, as radio buttons, a list, or the only one in plain words."""
    listed = re.search(rf'<select [^>]*name="arg\.{argument}".*?</select>', form, re.S)
    if listed is not None:
        return re.findall(r'<option value="([^"]+)"', listed[0])
    return re.findall(rf'<input type="(?:radio|hidden)" name="arg\.{argument}" value="([^"]+)"', form)
