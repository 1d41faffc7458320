"""Screens: every step of every shipped transcript can be shown to everybody, and shows nobody what is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.session import Session
from loomtable.engine.mnemonic.state import Chronicle
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.state import Season
from loomtable.engine.woven.state import Contest
from loomtable.table.pages.pressing import pressing
from loomtable.table.screens import screen_of
from loomtable.table.screens.art import NoSuchPicture, art
from loomtable.table.screens.blocks import Lift, Press, parts_of
from loomtable.table.screens.default import default_screen
from loomtable.table.screens.panel import component
from tests.playing import again
from tests.short import present, raises
from tests.table.panels_shown import html_of
from tests.tiers import EVENINGS, TELLING, mostly

SHOWN = (
    "mnemonic-game-face",
    "mnemonic-tides-and-debts",
    "spellwoven-infirmary",
    "spellwoven-parley",
    "storm-weavers-lantern-and-thread",
    "storm-weavers-ringers-word",
    "weave-second-episode",
    "weave-where-no-lamp-burns",
    "woven-five-at-the-table",
    "woven-nine-stones",
)
"""Two evenings of each game."""


class _Nesting(HTMLParser):
    """Holds that every tag that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass


def now_and_then(name: str, every: int) -> Iterator[Session[Any]]:
    """An evening every so many steps, and at its end."""
    number = -1
    for number, session in enumerate(again(name)):
        if number % every == 0:
            yield session
    if number % every:
        yield session


def viewers(session: Session[Any]) -> tuple[str, ...]:
    state = session.state
    if isinstance(state, Season):
        return (STORYTELLER, *state.players)
    if isinstance(state, Contest):
        return (STORYTELLER, *state.mages)
    if isinstance(state, Chronicle):
        return (STORYTELLER, *dict.fromkeys(c.player for c in state.characters.values()))
    return (STORYTELLER, "Ada")


@pytest.mark.parametrize("name", mostly(EVENINGS, SHOWN))
def test_every_step_is_shown_to_everybody(name: str) -> None:
    for session in now_and_then(name, every=7):
        for viewer in viewers(session):
            panels = screen_of(session, viewer)
            assert len({panel.id for panel in panels}) == len(panels)
            nesting = _Nesting()
            nesting.feed(html_of(*panels))
            assert not nesting.open, nesting.open


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_a_game_without_a_screen_shows_its_whole_view_as_tables(key: str) -> None:
    name = SYSTEMS[key].presentation.evening
    [*_, session] = now_and_then(name, every=1000)
    for viewer in viewers(session):
        seen = session.view(viewer)
        panels = default_screen(session, viewer, seen)
        reader = _Nesting()
        reader.feed(html_of(*panels))
        assert not reader.open
        assert len({panel.id for panel in panels}) == len(panels)
        text = unescape(re.sub(r"<[^>]+>", " ", html_of(*panels)))
        for value in words_in(seen):
            assert value in text, f"{value!r} is not on the screen"


def words_in(value: Any) -> Iterator[str]:
    """Every text in a view that is no card's code."""
    if isinstance(value, dict):
        yield from (word for inner in value.values() for word in words_in(inner))
    elif isinstance(value, list):
        yield from (word for inner in value for word in words_in(inner))
    elif isinstance(value, str) and not isinstance(component(value), ComponentId):
        yield value


def pressed(session: Session[Any]) -> Iterator[Action | ChoiceReading | Lift]:
    """What the host's panels do when something on them is pressed; a page carries each of them out as it is."""
    panels = screen_of(session, STORYTELLER)
    acts = [part for panel in panels for part in parts_of(panel.blocks) if isinstance(part, Press)]
    html = unescape(html_of(*panels))
    for press in acts:
        yield press.what
        for name, value in pressing(press).items():
            assert f'{name}="{value}"' in html


@pytest.mark.parametrize("name", mostly(EVENINGS, SHOWN))
def test_whatever_can_be_pressed_is_legal(name: str) -> None:
    for session in now_and_then(name, every=11):
        for what in pressed(session):
            if isinstance(what, Action):
                assert session.refusal(what.name, **what.args) == ""
            elif isinstance(what, ChoiceReading):
                present(session.pending).check(what)


def test_moves_threads_and_squares_are_offered_somewhere() -> None:
    offered: set[str] = set()
    for name in sorted(TELLING):
        if name.startswith(("woven", "storm-weavers")):
            for session in now_and_then(name, every=5):
                for what in pressed(session):
                    offered.add(what.name if isinstance(what, Action) else f"{type(what).__name__} {name[:5]}")
    assert {"move", "place-thread", "go-on", "ChoiceReading storm", "ChoiceReading woven", "Lift woven"} <= offered


def test_words_of_people_are_escaped() -> None:
    session = Session.open(SYSTEMS["woven"], seed="s")
    session.perform("set-up", players=["<script>alert(1)</script>", "Ben"])
    html = html_of(*screen_of(session, STORYTELLER))
    assert "<script" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("card", "S7"),
        ("card", "C12"),
        ("card", "QH"),
        ("card", "P7"),
        ("card", "T3B"),
        ("ground", "bell-hall"),
        ("element", "fire"),
        ("suit", "gales"),
    ],
)
def test_pictures_are_drawn_as_the_kit_is_printed(kind: str, name: str) -> None:
    from xml.etree import ElementTree

    drawn = ElementTree.fromstring(art(kind, name))
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}path"))) > 1


@pytest.mark.parametrize(("kind", "name"), [("card", "S99"), ("card", "../x"), ("ground", "nowhere"), ("x", "y")])
def test_pictures_that_there_are_not(kind: str, name: str) -> None:
    raises(NoSuchPicture, r"there (is|are) no picture", art, kind, name)


def test_a_card_has_one_address_so_that_nobody_fills_the_memory_with_its_pictures() -> None:
    for written in ("s7", "S007", "S-7", " S7", ComponentId.parse("S7").code):
        assert ComponentId.parse(written).short == "S7"
        with pytest.raises(NoSuchPicture):
            art("card", written)
