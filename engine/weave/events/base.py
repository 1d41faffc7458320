"""What all events of Weave share: where cards lie, one figure changed, spans that end."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.play import Event, changed
from loomtable.engine.weave.cards.mechanics import Span
from loomtable.engine.weave.state import Boon, Figure, Season


class SeasonEvent(Event, frozen=True, kw_only=True):
    """An event of Weave."""

    def apply(self, state: Season) -> Season:
        """The season after this event."""
        return state


class FigureEvent(SeasonEvent, frozen=True, kw_only=True):
    """An event that happens to one character or NPC."""

    who: str


def with_deck(state: Season, kind: Kind, deck: Deck[ComponentId]) -> Season:
    """The season with one of its decks changed."""
    return changed(state, story=deck) if kind is Kind.STORY else changed(state, challenges=deck)


def _less(cards: tuple[ComponentId, ...], card: ComponentId) -> tuple[ComponentId, ...]:
    return tuple(c for c in cards if c != card)


def lifted(state: Season, card: ComponentId) -> Season:
    """The season without ``card``, wherever it lay; only a foundation stays where it is."""
    deck = state.deck(card.kind)
    state = with_deck(
        state, card.kind, changed(deck, pile=_less(deck.pile, card), discards=_less(deck.discards, card))
    )
    for holder in state.characters.values():
        if card in holder.kept:
            state = with_figure(state, holder.name, kept=_less(holder.kept, card))
    return changed(
        state,
        hand=_less(state.hand, card),
        spread=_less(state.spread, card),
        face_down=None if state.face_down == card else state.face_down,
    )


def discarded(state: Season, *cards: ComponentId) -> Season:
    """The season with ``cards`` on their discard piles."""
    for card in cards:
        state = lifted(state, card)
        state = with_deck(state, card.kind, state.deck(card.kind).discard(card))
    return state


def put_under(state: Season, card: ComponentId) -> Season:
    """The season with ``card`` at the bottom of its draw pile."""
    state = lifted(state, card)
    deck = state.deck(card.kind)
    return with_deck(state, card.kind, changed(deck, pile=(*deck.pile, card)))


def gathered(state: Season, *, discards: bool) -> Season:
    """The spread, and perhaps the discards, back in their decks, which are shuffled (WV-14)."""
    for kind in (Kind.STORY, Kind.CHALLENGE):
        deck, back = state.deck(kind), tuple(c for c in state.spread if c.kind is kind)
        whole = deck.put_back(*back) if discards else changed(deck, pile=deck.pile + back).shuffle()
        state = with_deck(state, kind, whole)
    return changed(state, spread=())


def with_figure(state: Season, who: str, **values: Any) -> Season:
    """The season with values of one sheet changed."""
    return changed(state, "characters" if who in state.characters else "npcs", who, **values)


def figures(state: Season) -> tuple[Figure, ...]:
    """Every character and NPC."""
    return (*state.characters.values(), *state.npcs.values())


def forget(state: Season, *spans: Span) -> Season:
    """The season after some spans have ended: used qualities can be used again, boons are lost (WV-10, WV-12)."""
    for figure in figures(state):
        spent = {name: span for name, span in figure.spent.items() if span not in spans}
        boons: tuple[Boon, ...] = tuple(b for b in figure.boons if b.lasts not in spans)
        state = with_figure(state, figure.name, spent=spent, boons=boons)
    return changed(state, judged={}) if Span.SCENE in spans else state
