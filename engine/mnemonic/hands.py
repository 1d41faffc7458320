"""Cards: shuffled, dealt, turned and played (MN-3, MN-14).

Where the people deal (ruling ``cards``), the engine knows how many cards there are in each hand, and not which; a
card that is shown must be one that nobody has seen yet. Where the computer deals it knows them all, and no request
tells what a hand holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.poker import CardSuit, PokerCard
from loomtable.engine.kernel.requests import ShowCard
from loomtable.engine.mnemonic.events.scenes import CardPlayed, DeckShuffledAgain, SuitNamed
from loomtable.engine.mnemonic.people import choose_suit
from loomtable.engine.mnemonic.state import DECK, Cards, Chronicle, Hand, PlayMode, poker
from loomtable.engine.mnemonic.system import active

HOW_TO_WRITE = "A card is written like 7H, 10S, QD or RJ."


def shuffled(play: Play[Chronicle], cards: Sequence[ComponentId], pile: str = "") -> Deck[ComponentId]:
    """Some of the cards, shuffled; the order follows from the session's seed and the number of modes so far."""
    return Deck(f"{play.seed}/{play.state.modes}{pile}", tuple(cards)).shuffle()


def fresh_deck(play: Play[Chronicle], *, dealt: bool) -> Cards:
    """The whole deck: shuffled where the computer deals, else only known to be there."""
    return Cards(shuffled(play, DECK) if dealt else Deck(play.seed, DECK))


def piles(aces: str) -> tuple[tuple[ComponentId, ...], ...]:
    """Face cards, numbers and jokers, by the ruling ``aces`` (MN-14)."""
    faces, numbers, jokers = list[ComponentId](), list[ComponentId](), list[ComponentId]()
    for card in DECK:
        lying = poker(card)
        is_face = lying.face or (lying.rank == "A" and aces == "faces")
        (jokers if lying.joker else faces if is_face else numbers).append(card)
    return tuple(faces), tuple(numbers), tuple(jokers)


def dealt_round(play: Play[Chronicle], players: Sequence[str], *, dealt: bool) -> Cards:
    """The three piles dealt round, by the ruling ``uneven-deal`` (Into the Grey, MN-14)."""
    way = play.ruled("uneven-deal")
    given: dict[str, list[ComponentId]] = {who: [] for who in players}
    aside: list[ComponentId] = []
    start = 0
    for place, pile in enumerate(piles(play.ruled("aces"))):
        cards = shuffled(play, pile, f"/{place}").pile
        goes = len(cards) - len(cards) % len(players) if way == "left-over-aside" else len(cards)
        for turn, card in enumerate(cards[:goes]):
            given[players[(start + turn) % len(players)]].append(card)
        aside += cards[goes:]
        start = (start + goes) % len(players) if way == "goes-on" else 0
    if dealt:
        hands = {who: Hand(len(held), tuple(sorted(held))) for who, held in given.items()}
        return Cards(Deck(play.seed, ()), hands, Hand(len(aside), tuple(sorted(aside))))
    counts = {who: Hand(len(held)) for who, held in given.items()}
    return Cards(Deck(play.seed, DECK), counts, Hand(len(aside)))


def from_hand(play: Play[Chronicle]) -> bool:
    """Whether cards are played from hands in this mode."""
    return play.state.sitting is not None and play.state.sitting.mode is PlayMode.INTO_THE_GREY


def has_card(play: Play[Chronicle], who: str) -> bool:
    """Whether there is a card left for somebody to use."""
    cards = play.state.cards
    if cards is None:
        return False
    if from_hand(play):
        return cards.hands[who].count > 0
    return bool(cards.deck.pile) or _goes_on(play)


def _goes_on(play: Play[Chronicle]) -> bool:
    """Whether an empty deck is shuffled again; only a Deck Burner's may end the mode."""
    sitting = play.state.sitting
    assert sitting is not None, "a deck outside a play mode"
    return sitting.mode is not PlayMode.DECK_BURNER or play.ruled("deck-burner-end") == "shuffled-again"


def card_for(play: Play[Chronicle], who: str, card: ComponentId | None, *, rule: str) -> Steps[PokerCard]:
    """The card that somebody turns, or plays from the hand; it lies open then (MN-3)."""
    sitting, cards = play.state.sitting, play.state.cards
    assert sitting is not None and cards is not None, "a card outside a play mode"
    hand = from_hand(play)
    if not hand and not cards.deck.pile:
        yield DeckShuffledAgain()
        cards = play.state.cards
        assert cards is not None, "the deck is still there"
    if card is not None:
        _check_given(card, cards, hand=hand, dealt=sitting.dealt)
    elif sitting.dealt and not hand:
        card = cards.deck.pile[0]
    else:
        asked = f"Card from the hand of {who}" if hand else f"Top card of the deck for {who}"
        among = tuple(c.number for c in cards.unseen)
        player = active(play, who).player
        shown = yield from ask(ShowCard(Kind.POKER, asked, among, by=player, rule=rule, why=HOW_TO_WRITE))
        card = shown.card
    if hand and sitting.dealt and card not in cards.hands[who].cards:
        raise IllegalAction(f"the {poker(card).name} is not in the hand of {who}")
    yield CardPlayed(who=who, card=card, from_hand=hand, rule=rule)
    return poker(card)


def _check_given(card: ComponentId, cards: Cards, *, hand: bool, dealt: bool) -> None:
    if card.kind is not Kind.POKER or card not in DECK:
        raise IllegalAction(f"{card} is not a card of the deck; write it like 7H, QS or RJ")
    if dealt and not hand:
        raise IllegalAction("the computer turns the top card; leave the card out")
    if card not in cards.unseen:
        raise IllegalAction(f"the {poker(card).name} is open already")


def suit_of(play: Play[Chronicle], who: str, card: PokerCard, *, rule: str) -> Steps[CardSuit | None]:
    """The suit for which a card counts; a joker by the ruling ``joker-suit`` (MN-3)."""
    if card.suit is not None:
        return card.suit
    if play.ruled("joker-suit") == "none":
        return None
    player = active(play, who).player
    suit = yield from choose_suit(
        play, f"Suit of the {card.name} for {who}", tuple(CardSuit), by=player, rule=rule
    )
    yield SuitNamed(who=who, suit=suit)
    return suit
