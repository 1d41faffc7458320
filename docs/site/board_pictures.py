"""The pictures of ``docs/reading-the-board.md``: what is read on a board, drawn on it."""

from __future__ import annotations

import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.readings import CardReading, ChoiceReading
from loomtable.engine.kernel.requests import Choose, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.squares import column_and_row
from loomtable.engine.woven.cards import CardSide, tapestry_card
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestry import CardPlacement, Spot
from loomtable.printkit.components.figure_file import figures
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.storm_weavers.combat_map import map_size
from loomtable.table.games.storm_weavers.board import combat_board
from loomtable.table.games.woven.board_tapestry import look_at_tapestry
from loomtable.table.reading.board import look_at_board
from loomtable.table.reading.board_drawing import drawn_board, drawn_tapestry
from loomtable.testing.places_on_maps import square_middle
from loomtable.testing.virtual.lens import VirtualCamera
from loomtable.testing.virtual.surfaces import TINTS, Surface
from loomtable.vision.pictures import BgrImage
from loomtable.vision.table_looks import TableLook
from tests.vision.scenes.boards import Board, Lens, Panel, lying, take
from tests.vision.scenes.maps import combat_picture, facing, lying_token, standing_panels
from tests.vision.scenes.tapestries import card_panel


def fight_on_the_table() -> BgrImage:
    """A fight in the sluice yard: Thymin was moved by hand, and somebody knocked against a Frost Carter."""
    session = Session.open(STORM_WEAVERS, seed="picture")
    session.perform("create", dexterity_points=3)
    enemies = [("Stair-wolf", "F2"), ("Frost Carter", "F4"), ("Pass Archer", "G6")]
    there = [{"name": name, "dexterity": 8, "health": 9, "square": at, "still": True} for name, at in enemies]
    session.perform("map-fight", map="sluice-yard", thymin="B2", enemies=there)
    plan = combat_map("sluice-yard")
    size = map_size(plan)
    camera = VirtualCamera(height=262, tilt=34, frame=(1920, 1080), aim=(0.0, 6.0), noise=0.8)
    panels = [lying(combat_picture(plan.name, Style.COLOUR), size, (0, 0), 3.0, 0.2)]
    named = {figure.called: figure for figure in figures()}
    for name, square, turn in (("Thymin", "B4", 14), ("Frost Carter 1", "F5", -20), ("Pass Archer 1", "G6", 8)):
        x, y = square_middle(plan, *column_and_row(square))
        at = x - size[0] / 2 + 2, y - size[1] / 2
        panels += facing(standing_panels(named[name], Style.COLOUR, at, turn, 1.5), camera)
    x, y = square_middle(plan, *column_and_row("F2"))
    panels.append(lying_token(named["Stair-wolf"], Style.COLOUR, (x - size[0] / 2, y - size[1] / 2), 50, 1.5))
    picture = _photographed(panels, camera, 4)
    return drawn_board(picture, look_at_board(session, combat_board(session), picture))


def tapestry_on_the_table() -> BgrImage:
    """Three cards of Ada's, and a fourth that she has just laid over them."""
    session = Session.open(WOVEN, seed="picture")
    session.perform("set-up", players=["Ada", "Bo"], map="the-weft-wolds")
    _answer_all(session, {"Ada": 5, "Bo": 12})
    laid = [CardPlacement(17, CardSide.B, Spot(2, 1), 1), CardPlacement(30, CardSide.A, Spot(-1, 1), 2)]
    for placed in laid:
        session.perform("acquire-card", who="Ada")
        for answer in _answers(placed):
            session.answer(answer)
        session.perform("rest", who="Bo")
        session.perform("rest", who="Ada")
        session.perform("rest", who="Bo")
    new = CardPlacement(9, CardSide.B, Spot(1, -1), 3)
    rng = np.random.default_rng(12)
    every = [*session.state.mage("Ada").tapestry.placements, new]
    panels = [card_panel(one, -12.0, Style.COLOUR, rng, 0.3 + 0.4 * at) for at, one in enumerate(every)]
    camera = VirtualCamera(height=290, tilt=28, frame=(1920, 1080), aim=(38.0, 34.0), noise=0.8)
    picture = _photographed(panels, camera, 7)
    return drawn_tapestry(picture, *look_at_tapestry(session, "Ada", TableLook.at(picture)))


def _photographed(panels: list[Panel], camera: VirtualCamera, seed: int) -> BgrImage:
    surface = Surface("wood", TINTS["wood"][0], 1)
    board = Board(tuple(panels), camera, surface, Lens(-0.008, (0.25, 0.3)))
    return take(board, np.random.default_rng(seed)).picture


def _answers(placed: CardPlacement) -> list[CardReading | ChoiceReading]:
    return [
        CardReading(tapestry_card(placed.card).component(placed.side)),
        ChoiceReading((str(placed.turns),)),
        ChoiceReading((f"{placed.at[0]}/{placed.at[1]}",)),
    ]


def _answer_all(session: Session[Contest], first: dict[str, int]) -> None:
    """Spells as they come, and these first tapestry cards."""
    spells = iter(range(1, 37))
    while (asked := session.pending) is not None:
        if isinstance(asked, ShowCard) and asked.kind == "tapestry":
            session.answer(CardReading(tapestry_card(first[asked.by]).component(CardSide.A)))
        elif isinstance(asked, ShowCard):
            session.answer(CardReading(ComponentId(asked.kind, next(spells))))
        else:
            assert isinstance(asked, Choose)
            session.answer(ChoiceReading((asked.options[0].key,)))
