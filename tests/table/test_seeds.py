"""What cards are shuffled by: chance that nobody knows, unless the host asks for the same cards again."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.journal import Journal, Opened
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.woven.spells import spells
from loomtable.table.commands.main import run
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from loomtable.table.store.packing import pack
from tests.table.asking import Table

ILSE = {"hearts": ["Climb", "Held Breath"], "diamonds": ["Old Songs"], "spades": ["Lockpicks"]}
ODO = {"spades": ["Ropes", "Lamp"], "diamonds": ["Numbers"], "clubs": ["Dockers"]}
SET_UP = Action("set-up", {"players": ["Ada", "Ben"]})
DEALS = {
    "woven": ("decks", SET_UP),
    "weave": ("decks", Action("new-season", {"playset": "the-salt-road"})),
    "mnemonic": (
        "cards",
        Action(
            "add-character", {"player": "Ada", "name": "Ilse", "strong": "hearts", "weak": "clubs", "skills": ILSE}
        ),
        Action(
            "add-character", {"player": "Ben", "name": "Odo", "strong": "spades", "weak": "hearts", "skills": ODO}
        ),
        Action("begin-mode", {"mode": "into-the-grey"}),
    ),
}
"""The games whose cards the computer can deal: the ruling that says so, and what is done until they are dealt."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with open_store(tmp_path / "seeds.db") as store, TableHost(store) as host:
        yield Table(host, hurried=True)


def cards_of(session: Session[Any]) -> object:
    """Where the cards of a session lie, hidden ones too."""
    state = session.state
    match session.system.key:
        case "woven":
            return {name: mage.dealt for name, mage in state.mages.items()}
        case "mnemonic":
            return state.cards.hands
    return state.story.pile, state.challenges.pile


def words(line: str) -> tuple[str, ...]:
    return tuple(line.split())


def begun(table: Table, key: str, name: str, **form: str) -> object:
    """A session begun on the page, and played until its cards are dealt."""
    host = table.join(Role.HOST)
    ruling, *actions = DEALS[key]
    answer = host.post(
        "/api/sessions/begin", {"system": key, "session": name, f"ruling.{ruling}": "dealt", **form}
    )
    assert answer.status == 200, answer.text
    live = table.host.live_session(name)
    for action in actions:
        assert isinstance(action, Action)
        live.take(action, by="", revision=live.revision)
    return cards_of(live.session)


@pytest.mark.parametrize("key", sorted(DEALS))
def test_two_sessions_of_one_name_deal_differently(key: str, table: Table) -> None:
    first = begun(table, key, "friday")
    table.host.rename("friday", "last friday")
    assert begun(table, key, "friday") != first


@pytest.mark.parametrize("key", sorted(DEALS))
def test_the_same_cards_are_dealt_where_the_host_asks_for_them(key: str, table: Table) -> None:
    first = begun(table, key, "friday")
    assert begun(table, key, "saturday", seed="friday") == first, "as in the session of this name"
    word = begun(table, key, "sunday", seed="heron")
    assert begun(table, key, "monday", seed="heron") == word != first, "as for this word"


def test_a_players_address_does_not_tell_the_hand_of_another(table: Table) -> None:
    """Ben's phone shows the name of the session, and anybody can shuffle by a name on a machine of their own."""
    hands = begun(table, "woven", "friday")
    deck = Deck("friday/spells", tuple(spells())).shuffle()
    adas, deck = deck.draw(7)
    bens, _ = deck.draw(7)
    assert hands != {"Ada": adas, "Ben": bens}


def test_a_session_of_earlier_days_deals_on_as_it_did(table: Table) -> None:
    """Its seed is its name, and what was dealt from it has to stay as it lies."""
    journal = Journal()
    journal.append(Opened("woven", "1", "friday", {}, {"decks": "dealt"}))
    live = table.host.bring_in(pack("friday", journal.lines()))
    live.take(SET_UP, by="", revision=live.revision)
    assert cards_of(live.session) == {
        "Ada": words("water-moccasins fire-burst stone-reflection ricochet-blast protection spread run-and-toss"),
        "Ben": words("tendril-coil split shield-pierce fire-ball sneak-n-stab delete-all nudge"),
    }, "as an earlier Loomtable dealt"
    assert begun(table, "woven", "saturday", seed="friday") == cards_of(live.session)


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_a_ready_evening_is_not_foretold_by_its_name(key: str, table: Table) -> None:
    host = table.join(Role.HOST)
    seeds = []
    for _ in range(2):
        name = host.post("/api/sessions/ready", {"system": key}).json["session"]
        seeds.append(table.host.live_session(name).session.opened.seed)
        table.host.rename(name, f"{key} {len(seeds)}")
    assert len(set(seeds)) == 2 and all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)


def test_a_program_can_set_up_a_ready_evening_as_it_was(table: Table) -> None:
    one, other = (table.host.begin_ready("weave", seed="heron") for _ in range(2))
    assert one.session.state == other.session.state and one.name != other.name


def test_the_terminal_deals_from_nothing_that_anybody_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seed_of(store: str, *options: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("set-up players=Ada,Ben\n"))
        assert run(["play", "woven", "--store", str(tmp_path / store), *options]) == 0
        with open_store(tmp_path / store) as kept:
            name = options[1] if "--session" in options else "woven"
            return Session.resume(SYSTEMS, kept.journal(name)).opened.seed

    first = seed_of("one.db")
    assert first != seed_of("two.db") and re.fullmatch("[0-9a-f]{32}", first)
    assert seed_of("one.db", "--session", "again", "--seed", "woven") == first
    assert seed_of("one.db", "--session", "word", "--seed", "heron") == "heron"


def test_a_program_that_gives_no_seed_gets_one_that_nobody_knows() -> None:
    seeds = {Session.open(SYSTEMS["woven"]).opened.seed for _ in range(3)} | {""}
    assert len(seeds) == 4


def test_the_page_that_begins_a_session_says_what_a_word_gives_away(table: Table) -> None:
    begun(table, "woven", "Ada's & Ben's night")
    begun(table, "weave", "friday")
    page = html.unescape(table.join(Role.HOST).get("/new/woven", accept="text/html").text)
    assert "The same cards as" in page and "Anyone who knows the word can work out every hand" in page
    assert "<option value=\"Ada's & Ben's night\">" in page and 'value="friday"' not in page
