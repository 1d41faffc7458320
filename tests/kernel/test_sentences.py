"""The sentences that are data: each is of an event of its game, and names values that the event has."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter

import pytest
import yaml

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.sentences import filled
from loomtable.engine.systems import SYSTEMS

GAMES = ("weave", "spellwoven", "storm_weavers", "mnemonic", "woven")


def events(kind: type[Event] = Event) -> Iterator[type[Event]]:
    for one in kind.__subclasses__():
        yield one
        yield from events(one)


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_is_of_an_event_of_the_game_and_names_what_it_has(game: str) -> None:
    assert len(SYSTEMS) >= len(GAMES)
    there = {kind.__name__: kind for kind in events() if f".{game}." in kind.__module__}
    kinds = yaml.safe_load(package_file("templates", game, "sentences.yaml").read_text("utf-8"))
    named = [pair for sentences in kinds.values() for pair in sentences.items()]
    assert len(named) == len(dict(named)), "an event has one sentence"
    for event, sentence in named:
        values = {name.split(".")[0] for _, name, _, _ in Formatter().parse(sentence) if name}
        assert values <= {*there[event].__struct_fields__}, event
        assert sentence.endswith((".", "?", "!", "}")), sentence


def test_values_are_counted_listed_and_chosen_between() -> None:
    said = "{who} has {n:Strike|Strikes}, {names:and}, {names:,}, {so:?yes|no}, {kind:A}"
    values = {"who": "Ilse", "n": 2, "names": ("a", "b"), "so": True, "kind": "story"}
    assert filled(said, (), values) == "Ilse has 2 Strikes, a and b, a, b, yes, Story"
    ended = filled("{a:-} {b:dice} {c:+d} {d:.}", (), {"a": (2, 5), "b": 2, "c": 1, "d": "so"})
    assert ended == "2-5 two dice +1 so."
    assert filled("{n:Strike|Strikes} {n:?one|more}", (), {"n": 1}) == "1 Strike one"
