"""Tapestry cards: drawn from the stack, turned, and laid over others (WO-2, WO-8)."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option, ShowCard
from loomtable.engine.woven.asking import spot_key, spot_label
from loomtable.engine.woven.cards import BOX_MARK, CardSide, Cell
from loomtable.engine.woven.events.weaving import CardDrawn, CardLaid, StackRenewed
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestry import CardPlacement, Spot

CARD_COST = 3


def cells_in_words(cells: Sequence[Sequence[Cell]]) -> str:
    """Rows of cells as they are read: ``"A . . / . F E"``, with ``.`` for a box."""
    return " / ".join(" ".join(BOX_MARK if cell is None else cell.letter for cell in row) for row in cells)


def placement_in_words(placement: CardPlacement) -> str:
    """What a card shows as it lies."""
    cells = placement.cells()
    rows = sorted({spot.row for spot in cells})
    columns = sorted({spot.column for spot in cells})
    return cells_in_words([[cells[Spot(column, row)] for column in columns] for row in rows])


def can_draw_card(play: Play[Contest]) -> bool:
    """Whether a tapestry card can be acquired (ruling ``tapestry-stack-empty``)."""
    stack = play.state.stack
    return bool(stack.pile or (stack.discards and play.ruled("tapestry-stack-empty") == "discards-return"))


def draw_card(play: Play[Contest], who: str, *, cost: int, rule: str) -> Steps[tuple[CardSide, ...]]:
    """The next tapestry card, dealt or shown; returns the sides that can be up.

    Somebody who shows a printed card shows the side that is to be up.
    """
    if not play.state.stack.pile:
        yield StackRenewed(cards=len(play.state.stack.discards))
    pile = play.state.stack.pile
    if play.ruled("decks") == "dealt":
        yield CardDrawn(who=who, card=pile[0], cost=cost, rule=rule)
        return tuple(CardSide)
    shown = yield from ask(
        ShowCard(
            Kind.TAPESTRY,
            "Tapestry card, with the side up that you lay",
            tuple(sorted(pile)),
            by=who,
            rule=rule,
        )
    )
    yield CardDrawn(who=who, card=shown.card.number, cost=cost, rule=rule)
    return (CardSide(shown.card.side),)


def lay_first_card(play: Play[Contest], who: str, *, rule: str) -> Steps[None]:
    """A random card begins a tapestry, either side up (WO-2)."""
    sides = yield from draw_card(play, who, cost=0, rule=rule)
    yield from _lay(play, who, sides, rule)


def acquire_card(play: Play[Contest], who: str) -> Steps[None]:
    """A card for 3 mana, laid at once so that it covers a part of the tapestry (WO-8).

    Raises:
        IllegalAction: no card is left.
    """
    if not can_draw_card(play):
        raise IllegalAction("no tapestry card is left in the stack")
    sides = yield from draw_card(play, who, cost=CARD_COST, rule="WO-8")
    yield from _lay(play, who, sides, "WO-8")


def _lay(play: Play[Contest], who: str, sides: Sequence[CardSide], rule: str) -> Steps[None]:
    """Choose the side, the turn and the place of the drawn card, and lay it."""
    mage = play.state.mages[who]
    assert mage.drawn is not None, "draw a card before you lay one"
    any_turn = play.ruled("card-grid") == "quarter-turns"
    ways = [p for p in mage.tapestry.legal_placements(mage.drawn, sides) if any_turn or p.turns % 2 == 0]
    if len(sides) > 1:
        side = yield from _choose_side(who, mage.drawn, rule)
        ways = [p for p in ways if p.side is side]
    if mage.tapestry.placements:
        turns = yield from _choose_turns(who, ways, rule)
        ways = [p for p in ways if p.turns == turns]
        placement = yield from _choose_spot(play, who, ways, rule)
    else:
        placement = ways[0]
    _, covered = mage.tapestry.with_card(placement)
    yield CardLaid(who=who, placement=placement, covered=covered, rule=rule)


def _choose_side(who: str, card: int, rule: str) -> Steps[CardSide]:
    options = tuple(
        Option(side.value, f"Side {side}", placement_in_words(CardPlacement(card, side, Spot(0, 0))))
        for side in CardSide
    )
    question = Choose(f"Which side of tapestry card {card} is up?", options, by=who, rule=rule)
    return CardSide((yield from ask(question)).key)


def _choose_turns(who: str, ways: Sequence[CardPlacement], rule: str) -> Steps[int]:
    """How often the card is turned by a quarter, clockwise."""
    labels = ("As it is", "A quarter to the right", "Upside down", "A quarter to the left")
    first = {p.turns: p for p in reversed(ways)}
    options = tuple(Option(str(turns), labels[turns], placement_in_words(first[turns])) for turns in sorted(first))
    return int((yield from ask(Choose("How is the card turned?", options, by=who, rule=rule))).key)


def _choose_spot(play: Play[Contest], who: str, ways: Sequence[CardPlacement], rule: str) -> Steps[CardPlacement]:
    """Where the card's upper left cell comes to lie."""
    tapestry = play.state.mages[who].tapestry
    options = []
    for placement in ways:
        covered = len(tapestry.with_card(placement)[1])
        covers = f"covers {covered} thread{'' if covered == 1 else 's'}" if covered else ""
        options.append(Option(spot_key(placement.at), spot_label(placement.at), covers))
    question = Choose("Where does the card's upper left cell go?", tuple(options), by=who, rule=rule)
    key = (yield from ask(question)).key
    return next(p for p in ways if spot_key(p.at) == key)
