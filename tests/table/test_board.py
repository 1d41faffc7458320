"""The board on the table beside the record: print, lay, photograph, read, and offer what a hand did."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.gestures import Stood, Table
from loomtable.engine.kernel.offered import offers, refusal
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading, Source
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.woven.cards import CardSide, tapestry_card
from loomtable.engine.woven.region_map import region_map
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestry import CardPlacement, Spot
from loomtable.printkit.components.figure_file import Figure, figures
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.games.woven.region_map_legend import sheet_size
from loomtable.table.commands.main import run
from loomtable.table.games.storm_weavers.board import cast_of, combat_board
from loomtable.table.games.woven.board_regions import region_board
from loomtable.table.games.woven.board_tapestry import look_at_tapestry, offered_placement
from loomtable.table.reading.board import look_at_board
from loomtable.table.store import open_store
from loomtable.testing.places_on_maps import region_middle
from loomtable.testing.virtual.lens import VirtualCamera
from loomtable.vision.board.tapestry import GridCard, SeenTapestry
from loomtable.vision.pictures import BgrImage, write_picture
from loomtable.vision.table_looks import TableLook
from loomtable.vision.verdict import Verdict
from tests.short import present
from tests.table.sluice_yard import fight, flat_corners, photographed, yard_with
from tests.table.wolds import contest
from tests.tiers import thorough
from tests.vision.scenes.boards import Panel
from tests.vision.scenes.maps import lying_token, region_picture
from tests.vision.scenes.tapestries import card_panel

OUTLINE = ((0.0, 0.0),) * 4


def test_the_table_is_held_against_the_book_and_a_move_is_offered() -> None:
    session = fight(("Stair-wolf", "F2"), ("Frost Carter", "F6"))
    picture = yard_with({"Thymin": "C3"}, {"Stair-wolf": "F2", "Frost Carter 1": "E6"})
    look = look_at_board(session, combat_board(session), picture)
    assert [(one.says, one.verdict) for one in look.standings] == [
        ("Thymin is on C3, the record says C2", Verdict.REJECTED),
        ("Stair-wolf 1 is on F2", Verdict.ACCEPTED),
        ("Frost Carter 2 (marked 1) is on E6, the record says F6", Verdict.REJECTED),
    ]
    assert not look.agrees
    assert look.offer is not None
    assert look.offer.legal
    assert look.lines[-1] == "Thymin moves from C2 to C3: a legal move"
    look.offer.take(session)
    assert present(session.state.map_fight).thymin == "C3"


@pytest.mark.parametrize(
    ("square", "reason"),
    [
        ("D2", "D2 is taken by an obstacle (pillar) on the map sluice-yard"),
        ("F2", "Stair-wolf 1 is there"),
        ("G6", "no way of Thymin's leads from C2 to G6 in one move"),
    ],
)
def test_a_move_that_is_not_legal_is_offered_with_the_reason(square: str, reason: str) -> None:
    session = fight(("Stair-wolf", "F2"))
    before = session.game
    look = look_at_board(session, combat_board(session), yard_with({}, {"Thymin": square}))
    assert look.offer is not None
    assert not look.offer.legal
    assert look.offer.reason == reason
    assert refusal(session, *look.offer.steps)
    assert session.game == before


def test_a_figure_moved_out_of_turn_is_not_offered() -> None:
    session = fight(("Ice Troll", "C3"))
    session.answer(ChoiceReading(("stay",)))
    offer = look_at_board(session, combat_board(session), yard_with({}, {"Thymin": "C1", "Ice Troll": "C3"})).offer
    assert offer is not None
    assert not offer.legal
    assert offer.reason == "it is not his move now; Thymin's attack, round 1 is still to be answered"


def test_who_is_missing_or_strange_or_has_no_figure_is_said() -> None:
    session = fight(("Ghoul", "F2"), ("Ice Troll", "B3"))
    look = look_at_board(session, combat_board(session), yard_with({}, {"Thymin": "C2", "Cave Bear": "E3"}))
    assert look.offer is None
    assert [one.says for one in look.standings[1:]] == [
        "Ghoul 1 is not seen; the record says F2",
        "Ice Troll 2 is not seen; the record says B3",
        "Cave Bear is on E3, the record has it nowhere on this map",
    ]
    assert look.notes == ("there is no printed figure of Ghoul 1",)
    assert {one.verdict for one in look.standings[1:3]} == {Verdict.ASK}


def test_a_map_that_is_not_there_and_a_fight_that_is_not_on_are_said() -> None:
    session = fight(("Ice Troll", "B3"))
    bare = np.full((480, 640, 3), 90, np.uint8)
    look = look_at_board(session, combat_board(session), bare)
    assert look.lines == ("no map is seen: none of its corner tags is in the picture",)
    assert not look.agrees
    with pytest.raises(IllegalAction, match="no fight on a map is on"):
        combat_board(Session.open(STORM_WEAVERS, seed="s"))
    with pytest.raises(IllegalAction, match="no contest is set up"):
        region_board(Session.open(WOVEN, seed="s"))


def test_enemies_of_one_name_are_told_by_their_marks() -> None:
    session = fight(("Pass Archer", "F1"), ("Frost Carter", "G2"), ("Pass Archer", "F6"))
    cast = cast_of(present(session.state.map_fight))
    called = {figure.number: figure.called for figure in figures()}
    assert {called[figure]: number for figure, number in cast.items()} == {
        "Thymin": 0,
        "Pass Archer 1": 1,
        "Frost Carter 1": 2,
        "Pass Archer 2": 3,
    }


# Woven


def wolds_with(places: dict[str, str]) -> BgrImage:
    """The printed map with mages (by their dyes) in regions."""
    ground = region_map("the-weft-wolds")
    size = sheet_size(ground)
    panels = [Panel(region_picture(ground.key, Style.COLOUR), flat_corners(size, (0, 0), 0.2))]
    for mage in MAGES:
        if mage.name in places:
            x, y = region_middle(ground, places[mage.name])
            one = Figure(mage.number, f"{mage.name} Mage", mage.art)
            panels.append(lying_token(one, Style.COLOUR, (x - size[0] / 2, y - size[1] / 2), 10.0, 1.0))
    return photographed(panels, VirtualCamera(height=330, tilt=15, frame=(1920, 1080)))


@thorough
def test_a_mage_put_on_the_region_map_is_offered_as_a_move() -> None:
    session = contest()
    ground = session.state.ground
    home = session.state.home_of(session.state.mage("Ada"))[2]
    name = ground.region(home).name
    picture = wolds_with({"Madder": home})
    look = look_at_board(session, region_board(session), picture)
    assert look.standings[0].says == f"Ada (Madder Mage) is on {name}, the record has it nowhere on this map"
    assert look.offer is not None
    assert (look.offer.action, look.offer.reason) == (Action("move", {"who": "Ada", "to": home}), "")
    look.offer.take(session)
    assert look_at_board(session, region_board(session), picture).agrees
    # On the same place the figure of Bo, who begins at the other edge.
    bo = Table(figures=(Stood("Bo", name),))
    [refused] = [one for one in offers(session, bo) if one.says]
    assert refused.reason == f"Bo comes onto the map at their own edge of the map, and {name} is not there"
    session.perform("acquire-card", who="Bo")
    [waits] = offers(session, bo)
    assert not waits.legal
    assert waits.reason.startswith("Move has to wait: ")


def laid(placed: CardPlacement, doubt: str = "") -> GridCard:
    component = tapestry_card(placed.card).component(placed.side)
    return GridCard(component, placed.at[0], placed.at[1], placed.turns, OUTLINE, doubt)


def drawn(session: Session[Contest]) -> int:
    """Ada draws a card; returns which."""
    session.perform("acquire-card", who="Ada")
    card = session.state.mage("Ada").drawn
    return present(card)


def test_a_card_laid_by_hand_is_offered_and_can_be_taken() -> None:
    session = contest(decks="dealt")
    [first] = session.state.mage("Ada").tapestry.placements
    new = CardPlacement(drawn(session), CardSide.B, Spot(1, 1), 1)
    offer = offered_placement(session, "Ada", SeenTapestry((laid(first), laid(new))))
    assert offer.legal, offer.reason
    assert (offer.action, len(offer.answers)) == (None, 3)
    offer.take(session)
    assert session.state.mage("Ada").tapestry.placements == (first, new)


def test_a_card_that_cannot_lie_so_is_refused_in_the_rules_own_words() -> None:
    session = contest(decks="dealt")
    [first] = session.state.mage("Ada").tapestry.placements
    card = drawn(session)

    def why(*cards: GridCard) -> str:
        return offered_placement(session, "Ada", SeenTapestry(cards)).reason

    beside = CardPlacement(card, CardSide.A, Spot(9, 9))
    assert "must overlap at least one cell" in why(laid(first), laid(beside))
    over = CardPlacement(card, CardSide.A, Spot(1, 0))
    other = next(n for n in range(1, 34) if n not in (card, first.card))
    assert (
        why(laid(first), laid(CardPlacement(other, CardSide.A, Spot(1, 0))))
        == f"card {card} was drawn; lay that one"
    )
    assert why(laid(first)).startswith("lay a card")
    assert (
        why(laid(first), laid(over), laid(CardPlacement(other, CardSide.A, Spot(0, 1))))
        == "lay one card at a time"
    )
    assert why(laid(over)) == "no card of the recorded tapestry is seen beside it; move the camera back"
    assert why(laid(first), laid(over, "lies askew")) == "it lies askew"


def test_before_a_card_is_dealt_the_game_says_so() -> None:
    session = contest(decks="dealt")
    [first] = session.state.mage("Ada").tapestry.placements
    # The next card of the stack is nobody's to know, and another one lies there.
    new = next(n for n in range(1, 34) if n not in (first.card, session.state.stack.pile[0]))
    offer = offered_placement(
        session, "Ada", SeenTapestry((laid(first), laid(CardPlacement(new, CardSide.A, Spot(1, 0)))))
    )
    assert not offer.legal
    assert offer.reason.startswith("the cards of this game are dealt")
    assert offered_placement(session, "Bo", SeenTapestry(())).reason.startswith("lay a card")
    with pytest.raises(IllegalAction, match="there is no mage"):
        offered_placement(session, "Cy", SeenTapestry(()))


def test_where_printed_cards_are_shown_the_laid_card_is_drawn_and_laid_in_one() -> None:
    session = contest()
    [first] = session.state.mage("Ada").tapestry.placements
    new = CardPlacement(session.state.stack.pile[-1], CardSide.B, Spot(-1, 1), 2)
    seen = SeenTapestry((laid(first), laid(new)))
    offer = offered_placement(session, "Ada", seen)
    assert offer.legal, offer.reason
    assert offer.action == Action("acquire-card", {"who": "Ada"})
    assert offered_placement(session, "Bo", SeenTapestry((laid(new),))).reason
    offer.take(session)
    assert session.state.mage("Ada").tapestry.placements == (first, new)


def test_a_tapestry_is_printed_laid_photographed_and_read() -> None:
    session = contest(decks="dealt")
    [first] = session.state.mage("Ada").tapestry.placements
    new = CardPlacement(drawn(session), CardSide.A, Spot(2, -1), 3)
    rng = np.random.default_rng(3)
    panels = [card_panel(one, 33.0, Style.COLOUR, rng, 0.3 + at) for at, one in enumerate((first, new))]
    picture = photographed(panels, VirtualCamera(height=230, tilt=30, frame=(1280, 720), aim=(40.0, 50.0)))
    seen, offer = look_at_tapestry(session, "Ada", TableLook.at(picture))
    assert [card.card.number for card in seen.cards] == sorted((first.card, new.card))
    assert offer.legal, offer.reason
    assert any(isinstance(answer, ChoiceReading) and answer.how is Source.CAMERA for answer in offer.answers)
    offer.take(session)
    assert session.state.mage("Ada").tapestry.placements[-1] == new


# On the command line


def test_the_board_of_each_game_is_looked_at_where_it_has_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare, store = tmp_path / "bare.png", tmp_path / "evenings.db"
    write_picture(bare, np.full((480, 640, 3), 90, np.uint8))
    with open_store(str(store)) as journals:
        Session.open(WEAVE, journal=journals.journal("weave"))
        woven = Session.open(WOVEN, journal=journals.journal("woven"))
        woven.perform("set-up", players=["Ada", "Bo"], map="the-weft-wolds")
        tale = Session.open(STORM_WEAVERS, journal=journals.journal("tale"))
        tale.perform("create", dexterity_points=3)
        wolf = {"name": "Stair-wolf", "dexterity": 8, "health": 30, "square": "F2"}
        tale.perform("map-fight", map="sluice-yard", thymin="C2", enemies=[wolf])
    no_map = "no map is seen: none of its corner tags is in the picture"
    for asked, code, words in (
        ("tale", 1, no_map),
        ("woven", 1, no_map),
        ("woven --tapestry Ada", 1, "no new card is seen: lay a card so that one of its corners shows"),
        ("weave", 2, "loom: Weave is not played on a board; Spellwoven, Storm Weavers and Woven are\n"),
    ):
        assert run(["board", str(bare), "--store", str(store), "--session", *asked.split()]) == code
        assert words in "".join(capsys.readouterr())
