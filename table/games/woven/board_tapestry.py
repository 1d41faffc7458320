"""A tapestry on the table, held against the one in the record, and a card laid by hand as a step of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.gestures import Offer
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, Reading, Source
from loomtable.engine.kernel.requests import Choose, Request, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.tags import tag_of
from loomtable.engine.kernel.wording import listed
from loomtable.engine.woven.asking import spot_key
from loomtable.engine.woven.cards import COLUMNS, ROWS, CardSide, tapestry_card
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestry import CardPlacement, Spot, Tapestry
from loomtable.printkit.games.woven import tapestry_card as printed
from loomtable.printkit.games.woven.counter import CounterFace
from loomtable.table.games.woven.counters import COUNTERS, cell_of, counted, seats
from loomtable.table.reading.board import BoardLook, Counters
from loomtable.table.reading.board_drawing import BoardRead, drawn_tapestry
from loomtable.vision.board.counters import counters_on_grid
from loomtable.vision.board.tapestry import CardTags, GridCard, SeenTapestry, read_tapestry
from loomtable.vision.pictures import BgrImage
from loomtable.vision.printed.plane import mapped
from loomtable.vision.quads import Point
from loomtable.vision.table_looks import TableLook

TAPESTRY_TAGS = CardTags(printed.CELL, COLUMNS, ROWS, printed.TAG, printed.TAG_INSET + printed.TAG / 2)
"""The tags of tapestry cards."""
_EDGE = 5.0
"""Millimetres: a counter nearer to a line of the grid is asked about; some 0.6 mm from one were read beyond it."""


def look_at_tapestry(session: Session[Contest], who: str, look: TableLook) -> tuple[SeenTapestry, Offer]:
    """The cards of one player's tapestry in a picture, and the card that was laid over them, as an offer.

    Cards that lie in other players' tapestries are left out, for those lie on grids of their own.

    Raises:
        IllegalAction: there is no such mage.
    """
    contest = session.state
    contest.mage(who)
    others = {
        placement.card
        for name, mage in contest.mages.items()
        if name != who
        for placement in mage.tapestry.placements
    }
    left_out = {tag_of(tapestry_card(card).component(side)) for card in others for side in CardSide}
    tapestry = read_tapestry([tag for tag in look.tags if tag.number not in left_out], TAPESTRY_TAGS)
    return tapestry, offered_placement(session, who, tapestry)


def placed_by_hand(session: Session[Contest], look: TableLook) -> tuple[Offer | None, tuple[Counters, ...]]:
    """The tapestry card that whoever acts, or is asked, has laid, if one is new; and their threads."""
    contest, asked = session.state, session.pending
    who = asked.by if asked is not None else session.system.turn(session.game)
    if who not in contest.mages:
        return None, ()
    seen, offer = look_at_tapestry(session, who, look)
    card = next((card.card for card in seen.cards if card.card.short == offer.about), None)
    threads = threads_on(contest, who, seen, look)
    return replace(offer, things=(card,)) if card is not None else None, threads


def threads_on(contest: Contest, who: str, seen: SeenTapestry, look: TableLook) -> tuple[Counters, ...]:
    """A player's threads beside those in the record; nothing where cards do not surely lie as in the record."""
    tapestry, grid = contest.mage(who).tapestry, seen.homography
    shift, _ = aligned(seen.cards, tapestry)
    laid = {placement.card for placement in tapestry.placements}
    if grid is None or shift is None or any(card.doubt or card.card.number not in laid for card in seen.cards):
        return ()
    visible = tapestry.visible()

    def spot_at(place: Point) -> tuple[str | None, float]:
        cell, room = cell_of(place)
        spot = shift.spot(*cell)
        return (str(spot) if spot in visible else None), room

    record = {(who, str(spot)): 1 for spot in tapestry.threads}
    mine = {number: player for number, player in seats(contest).items() if player == who}
    lying = counters_on_grid(seen, look, COUNTERS)
    return (counted(CounterFace.THREAD, lying, spot_at, partial(mapped, grid), record, mine, _EDGE),)


def read_tapestry_of(session: Session[Contest], picture: BgrImage, player: str) -> BoardRead:
    """A look at a player's tapestry, with the picture as it is drawn."""
    look = TableLook.at(picture)
    tapestry, offer = look_at_tapestry(session, player, look)
    lying = tuple(f"{card.card.short} {card.doubt or 'is on the grid'}" for card in tapestry.cards)
    threads = BoardLook(counters=threads_on(session.state, player, tapestry, look))
    said = f"{offer.says}: {offer.reason or 'a legal move'}"
    return (*lying, *threads.lines, said), offer, offer.legal, drawn_tapestry(picture, tapestry, offer)


def offered_placement(session: Session[Contest], who: str, lying: SeenTapestry) -> Offer:
    """The card that lies on the table and not in the record, as steps of the game; or why there is none to offer.

    Raises:
        IllegalAction: there is no such mage.
    """
    tapestry = session.state.mage(who).tapestry
    laid = {placement.card: placement for placement in tapestry.placements}
    new = [card for card in lying.cards if card.card.number not in laid]
    if not new:
        return Offer("no new card is seen", reason="lay a card so that one of its corners shows")
    if len(new) > 1:
        names = listed([card.card.short for card in new])
        return Offer(f"{names} are not in the record yet", reason="lay one card at a time")
    [card] = new
    if card.doubt:
        return Offer(f"tapestry card {card.card.short} is seen", reason=f"it {card.doubt}", about=card.card.short)
    placed, trouble = placed_beside(card, lying.cards, tapestry)
    if placed is None:
        return Offer(f"tapestry card {card.card.short} is seen", reason=trouble, about=card.card.short)
    move = (
        f"tapestry card {placed.card} is side {placed.side} up, {_TURNS[placed.turns]}, "
        f"with its upper left cell on {placed.at}"
    )
    return replace(_tried(session, who, placed, move), about=card.card.short)


_DEALT = "the cards of this game are dealt: draw one first (Acquire card), then lay that one"
_TURNS = ("as it is", "turned a quarter to the right", "upside down", "turned a quarter to the left")


@dataclass(frozen=True)
class _Shift:
    """From the cells as they were counted in the picture to those of the record: quarter turns, then a shift."""

    turns: int
    columns: int
    rows: int

    def of(self, card: GridCard) -> CardPlacement:
        turns = (card.turns + self.turns) % 4
        left, top = _corner_of_card(card, self.turns)
        at = Spot(left + self.columns, top + self.rows)
        return CardPlacement(card.card.number, CardSide(card.card.side), at, turns)

    def spot(self, column: int, row: int) -> Spot:
        """The cell of the record under a cell of the picture."""
        for _ in range(self.turns):
            column, row = -(row + 1), column
        return Spot(column + self.columns, row + self.rows)


def _corner_of_card(card: GridCard, turns: int) -> tuple[int, int]:
    wide, high = (COLUMNS, ROWS) if card.turns % 2 == 0 else (ROWS, COLUMNS)
    return _turned_corner((card.column, card.row), wide, high, turns)


def _turned_corner(corner: tuple[int, int], wide: int, high: int, turns: int) -> tuple[int, int]:
    """The upper left cell of so many cells after the whole table was turned clockwise by so many quarters."""
    left, top = corner
    for _ in range(turns):
        # A quarter clockwise takes the cell (column, row) to (-row - 1, column).
        left, top, wide, high = -(top + high), left, high, wide
    return left, top


def placed_beside(
    card: GridCard, cards: Sequence[GridCard], tapestry: Tapestry
) -> tuple[CardPlacement | None, str]:
    """Where a card lies in the cells of the record, by the cards that lie on both; or why that cannot be told.

    Cards that lie otherwise than in the record are not silently put right.
    """
    if not tapestry.placements:
        return CardPlacement(card.card.number, CardSide(card.card.side), Spot(0, 0)), ""
    shift, trouble = aligned(cards, tapestry)
    return (shift.of(card), "") if shift is not None else (None, trouble)


def aligned(cards: Sequence[GridCard], tapestry: Tapestry) -> tuple[_Shift | None, str]:
    """From the cells of the picture to those of the record, by the cards that lie on both; or why not."""
    laid = {placement.card: placement for placement in tapestry.placements}
    known = [neighbour for neighbour in cards if neighbour.card.number in laid and not neighbour.doubt]
    if not known:
        return None, "no card of the recorded tapestry is seen beside it; move the camera back"
    shifts = Counter(_shift(neighbour, laid[neighbour.card.number]) for neighbour in known)
    shift, votes = shifts.most_common(1)[0]
    if 2 * votes <= len(known):
        return None, "the cards on the table are not as in the record"
    strays = [neighbour.card.short for neighbour in known if shift.of(neighbour) != laid[neighbour.card.number]]
    if strays:
        return None, f"{listed(strays)} {'differs' if len(strays) == 1 else 'differ'} from the record"
    return shift, ""


def _shift(card: GridCard, laid: CardPlacement) -> _Shift:
    turns = (laid.turns - card.turns) % 4
    left, top = _corner_of_card(card, turns)
    return _Shift(turns, laid.at[0] - left, laid.at[1] - top)


def _tried(session: Session[Contest], who: str, placed: CardPlacement, move: str) -> Offer:
    """The placement played on a copy of the game: what has to be answered, and whether the rules allow it."""
    trial = session.copy()
    mage = trial.state.mage(who)
    action = None
    answers: list[Reading] = []
    trouble = mage.tapestry.card_trouble(placed)
    if trouble:
        return Offer(move, reason=trouble)
    if mage.drawn is not None and mage.drawn != placed.card:
        return Offer(move, reason=f"card {mage.drawn} was drawn; lay that one")
    try:
        if trial.pending is None:
            action = Action("acquire-card", {"who": who})
            trial.take(action)
        while (answer := _answer(trial.pending, who, placed)) is not None:
            drawn = trial.state.mage(who).drawn
            if drawn is not None and drawn != placed.card:
                return Offer(move, reason=_DEALT)
            trial.take(answer)
            answers.append(answer)
            if placed in trial.state.mage(who).tapestry.placements:
                return Offer(move, action, tuple(answers))
    except LoomtableError as error:
        return Offer(move, action, tuple(answers), str(error))
    return Offer(move, reason=f"{who} is not to lay a card now")


def _answer(asked: Request | None, who: str, placed: CardPlacement) -> Reading | None:
    """What this placement answers to a question; nothing where it is about something else."""
    if asked is None or asked.by != who:
        return None
    if isinstance(asked, ShowCard) and asked.kind is Kind.TAPESTRY:
        return CardReading(tapestry_card(placed.card).component(placed.side), Source.CAMERA)
    if isinstance(asked, Choose):
        keys = {option.key for option in asked.options}
        if keys == set(map(str, CardSide)):
            return ChoiceReading((placed.side.value,), Source.CAMERA)
        if keys <= set("0123"):
            return ChoiceReading((str(placed.turns),), Source.CAMERA)
        if all("/" in key for key in keys):
            return ChoiceReading((spot_key(placed.at),), Source.CAMERA)
    return None
