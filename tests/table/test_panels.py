"""Panels of somebody else's game: written once, they are on the page, on a television and in a terminal."""

from __future__ import annotations

import importlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from rich.console import Console

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, rolled
from loomtable.engine.kernel.session import Session
from loomtable.panels import Button, Buttons, Cards, Facts, Panel, Press, Track, card_of, may_press
from loomtable.table.hosting.devices import ROOM
from loomtable.table.pages.rendering import environment
from loomtable.table.screens import GameScreen, screen_of, television_of
from loomtable.table.screens.blocks import (
    Block,
    Drawing,
    Shape,
    parts_of,
)
from loomtable.table.terminal.blocks import drawn
from tests.short import present
from tests.table.panels_shown import html_of

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "last_ferry"


def river(session: Session[Any], viewer: str, seen: Mapping[str, Any]) -> tuple[Panel, ...]:
    """A sheet for each passenger."""
    panels = []
    for who, passenger in seen["passengers"].items():
        cross = Button("Cross again", Press(Action("cross", {"who": who})))
        blocks = (
            Track("Coins", passenger["coins"], 3),
            Facts({"Crossings": passenger["crossings"]}),
            Cards((card_of(passenger["lucky"]),) if passenger["lucky"] else ()),
            Buttons((cross,) if may_press(session, viewer, who) else ()),
        )
        panels.append(Panel(f"sheet-{who}", who, blocks, whose=who))
    return tuple(panels)


@pytest.fixture
def ferry(monkeypatch: pytest.MonkeyPatch) -> Session[Any]:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    session: Session[Any] = Session.open(importlib.import_module("last_ferry.rules").FERRY, seed="river")
    for who, card, faces in (("Ada", "7H", (3, 5)), ("Ben", "9S", (1, 2))):
        session.perform("cross", who=who)
        session.answer(CardReading(ComponentId.parse(card)))
        session.answer(rolled(Die.D6, *faces))
    return session


def in_characters(*panels: Panel) -> str:
    console = Console(file=io.StringIO(), width=80)
    for panel in panels:
        console.print(drawn(panel.blocks))
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def test_one_panel_is_on_every_screen(ferry: Session[Any]) -> None:
    panels = river(ferry, STORYTELLER, ferry.view(STORYTELLER))
    assert in_characters(*panels) == (
        "Coins ■■■ 3 of 3\nCrossings  1\n7H 7 of Hearts\nCoins ■■□ 2 of 3\nCrossings  0"
    )
    html = html_of(*panels)
    assert "3 of 3" in html and "2 of 3" in html and "/art/card/7H.svg" in html
    assert html.count("Cross again") == 2


class Passenger(msgspec.Struct, frozen=True):
    """What a viewer sees of somebody on the bank."""

    coins: int


class BankView(msgspec.Struct, frozen=True):
    """What a viewer sees of the bank."""

    passengers: dict[str, Passenger]


def coins(session: Session[Any], viewer: str, bank: BankView) -> tuple[Panel, ...]:
    return (Panel("coins", "Coins", (Facts({who: seen.coins for who, seen in bank.passengers.items()}),)),)


def test_a_screen_reads_what_is_seen_as_a_type_of_its_own(
    ferry: Session[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = GameScreen(coins, view=BankView)
    monkeypatch.setattr("loomtable.table.screens.game_screen", lambda key: screen)
    assert in_characters(*screen_of(ferry, "Ben")) == "Ada  3\nBen  2"
    shown = television_of(ferry, ROOM)
    assert shown.title == "Last Ferry" and {"Ada", "Ben"} <= {*map(str, parts_of(shown.stage))}


def test_only_who_may_play_for_somebody_can_press(ferry: Session[Any]) -> None:
    ada, ben = river(ferry, "Ben", ferry.view("Ben"))
    assert not ada.begins("cross") and ben.begins("cross") and not ben.begins("ruling")
    assert "7H" not in html_of(ada, ben) + in_characters(ada, ben), "Ada's lucky card is for her alone"
    assert html_of(ben).count("<button") == 1 and "<button" not in html_of(ada)


def test_a_table_that_is_only_looked_at_cannot_be_played(ferry: Session[Any]) -> None:
    boat = Shape("<circle r='4'/>", "boat", "The ferry", Press(Action("cross", {"who": "Ada"}), "Cross again"))
    map_of_the_river = Panel("map", "The river", (Drawing("map", (0, 0, 9, 9), (boat,), "The river"),))
    panels = (map_of_the_river, *river(ferry, STORYTELLER, ferry.view(STORYTELLER)))
    assert html_of(*panels).count("data-act") == 3
    for only in ({"still": True}, {"far_away": True}):
        html = html_of(*panels, **only)
        assert "3 of 3" in html and 'aria-label="The ferry"' in html
        assert "data-act" not in html and "button" not in html


def test_the_page_draws_every_kind_of_block() -> None:
    source, _, _ = present(environment().loader).get_source(environment(), "blocks.html")
    assert [kind for block in get_args(Block) if f'kind == "{(kind := block.__name__)}"' not in source] == []
