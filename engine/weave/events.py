"""Everything that can change a season, about its cards and its story. Figures and encounters: ``happenings``."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.play import Event, Open, changed
from loomtable.engine.weave.decks import challenge_deck, story_deck
from loomtable.engine.weave.mechanics import Span
from loomtable.engine.weave.playset import QualityKind
from loomtable.engine.weave.state import Boon, Figure, Plan, ScannedQuality, Season


class SeasonEvent(Event, frozen=True, kw_only=True):
    """An event of Weave."""

    def apply(self, state: Season) -> Season:
        """The season after this event."""
        return state


class FigureEvent(SeasonEvent, frozen=True, kw_only=True):
    """An event that happens to one character or NPC."""

    who: str


# Where the cards lie


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
    return state


# Seasons and episodes


class SeasonOpened(SeasonEvent, frozen=True, kw_only=True):
    """A playset was chosen and both decks were shuffled, each by itself (WV-1)."""

    playset: str
    seed: str
    rule: str = "WV-1"

    def apply(self, state: Season) -> Season:
        story = Deck(f"{self.seed}/story", tuple(c.id for c in story_deck())).shuffle()
        challenges = Deck(f"{self.seed}/challenge", tuple(c.id for c in challenge_deck())).shuffle()
        return changed(state, playset=self.playset, story=story, challenges=challenges)


class StoryElementChosen(SeasonEvent, frozen=True, kw_only=True):
    """A Theme, Location or Boss was scanned and chosen; its card joins the foundation, face down (WV-1, WV-13)."""

    chosen: ScannedQuality
    rule: str = "WV-1"

    def apply(self, state: Season) -> Season:
        state = lifted(state, self.chosen.card)
        return changed(state, foundation=(*state.foundation, self.chosen))


class SeasonElementChosen(SeasonEvent, frozen=True, kw_only=True):
    """A story element of the season as a whole; its card goes back into the deck (WV-3)."""

    chosen: ScannedQuality
    rule: str = "WV-3"

    def apply(self, state: Season) -> Season:
        return changed(state, season_wide=(*state.season_wide, self.chosen), story=state.story.shuffle())


class SeasonBegun(Open, SeasonEvent, frozen=True, kw_only=True):
    """A new season has its playset and its name (WV-1)."""

    name: str
    playset: str
    rule: str = "WV-1"

    def apply(self, state: Season) -> Season:
        return changed(state, name=self.name, playset=self.playset, opening=True, plan=None)


class EpisodeBegun(Open, SeasonEvent, frozen=True, kw_only=True):
    """A new episode: the story elements are cleared, all cards are gathered and shuffled (WV-2, WV-13)."""

    episode: int
    kept_go_back: bool
    """Whether the players hand back the cards they kept (ruling ``kept-cards-at-new-episode``)."""
    rule: str = "WV-2"

    def apply(self, state: Season) -> Season:
        back = [*state.hand, *(q.card for q in state.foundation)]
        if self.kept_go_back:
            back += [card for c in state.characters.values() for card in c.kept]
        past = (*state.past, *state.foundation, *(e for e in state.elements if e.kind is QualityKind.LOCATION))
        state = discarded(changed(state, foundation=()), *back)
        state = forget(gathered(state, discards=True), *Span)
        return changed(
            state,
            episode=self.episode,
            scene=1,
            opening=True,
            past=past,
            elements=(),
            place="",
            npcs={},
            hand_drawn=False,
            plan=None,
        )


class CardScannedAhead(SeasonEvent, frozen=True, kw_only=True):
    """A Story card was scanned to plan with; it stays in the deck (WV-3)."""

    playset: str
    card: ComponentId
    rule: str = "WV-3"

    def apply(self, state: Season) -> Season:
        plan = state.plan or Plan(self.playset)
        return changed(state, plan=changed(plan, cards=(*plan.cards, self.card)))


class CombinationTried(SeasonEvent, frozen=True, kw_only=True):
    """A combination of Theme, Location and Boss was tried (WV-3)."""

    tried: tuple[ScannedQuality, ...]
    rule: str = "WV-3"

    def apply(self, state: Season) -> Season:
        return changed(state, "plan", tried=self.tried, kept=False)


class CombinationKept(SeasonEvent, frozen=True, kw_only=True):
    """The combination tried last is kept for the coming episode (WV-3)."""

    rule: str = "WV-3"

    def apply(self, state: Season) -> Season:
        return changed(state, "plan", kept=True)


class StoryElementAdded(Open, SeasonEvent, frozen=True, kw_only=True):
    """A Location, Subplot or Asset came into play (WV-4, WV-15)."""

    added: ScannedQuality
    rule: str = "WV-15"

    def apply(self, state: Season) -> Season:
        return changed(state, elements=(*state.elements, self.added))


class StoryElementGone(Open, SeasonEvent, frozen=True, kw_only=True):
    """A Subplot was resolved, or somebody took an Asset (WV-15, WV-16)."""

    gone: ScannedQuality
    rule: str = "WV-15"

    def apply(self, state: Season) -> Season:
        return changed(state, elements=tuple(e for e in state.elements if e != self.gone))


class PlaceSet(Open, SeasonEvent, frozen=True, kw_only=True):
    """The scene plays at one of the episode's Locations (WV-4)."""

    location: str
    rule: str = "WV-4"

    def apply(self, state: Season) -> Season:
        return changed(state, place=self.location)


class SubplotResolved(Open, SeasonEvent, frozen=True, kw_only=True):
    """The players resolved a Subplot (WV-16)."""

    subplot: str
    involved: tuple[str, ...]
    rule: str = "WV-16"


# Players


class PlayerInvited(SeasonEvent, frozen=True, kw_only=True):
    """A player was invited by name, to play on their own device (WV-5)."""

    player: str
    rule: str = "WV-5"

    def apply(self, state: Season) -> Season:
        return changed(state, players={**state.players, self.player: False})


class InvitationAnswered(Open, SeasonEvent, frozen=True, kw_only=True):
    """An invited player accepted or declined (WV-5)."""

    player: str
    accepted: bool
    rule: str = "WV-5"

    def apply(self, state: Season) -> Season:
        if self.accepted:
            return changed(state, players={**state.players, self.player: True})
        return changed(state, players={n: a for n, a in state.players.items() if n != self.player})


class ManyPlayers(SeasonEvent, frozen=True, kw_only=True):
    """Six players or more: advice, not a bound (WV-5)."""

    players: int
    rule: str = "WV-5"


# Decks, hand and spread


class DiscardsShuffled(SeasonEvent, frozen=True, kw_only=True):
    """A draw pile has run out, and its discards become the new one (WV-13)."""

    kind: Kind
    rule: str = "WV-13"

    def apply(self, state: Season) -> Season:
        return with_deck(state, self.kind, state.deck(self.kind).put_back())


class CardDrawn(SeasonEvent, frozen=True, kw_only=True):
    """The storyteller drew a card to their hand (WV-13)."""

    card: ComponentId
    rule: str = "WV-13"

    def apply(self, state: Season) -> Season:
        state = lifted(state, self.card)
        return changed(state, hand=(*state.hand, self.card), hand_drawn=True)


class CardPlayed(Open, SeasonEvent, frozen=True, kw_only=True):
    """A card joined the scene's spread, face up (WV-14)."""

    card: ComponentId
    rule: str = "WV-14"

    def apply(self, state: Season) -> Season:
        state = lifted(state, self.card)
        return changed(state, spread=(*state.spread, self.card), opening=False)


class CardsDiscarded(SeasonEvent, frozen=True, kw_only=True):
    """Cards went to their discard piles (WV-19, WV-27)."""

    cards: tuple[ComponentId, ...]
    rule: str

    def apply(self, state: Season) -> Season:
        return discarded(state, *self.cards)


class CardLaidFaceDown(Open, FigureEvent, frozen=True, kw_only=True):
    """The storyteller entices a character: a Flaw, and a Challenge card face down (WV-26)."""

    flaw: str
    card: ComponentId
    rule: str = "WV-26"

    def apply(self, state: Season) -> Season:
        return changed(lifted(state, self.card), face_down=self.card, opening=False)


class CardKept(Open, FigureEvent, frozen=True, kw_only=True):
    """A player keeps a Challenge card to redeem it later (WV-16, WV-26)."""

    card: ComponentId
    rule: str

    def apply(self, state: Season) -> Season:
        state = lifted(state, self.card)
        return with_figure(state, self.who, kept=(*state.characters[self.who].kept, self.card))


class SceneEnded(Open, SeasonEvent, frozen=True, kw_only=True):
    """The scene is over: the spread goes back into the decks, all Strikes are cleared (WV-8, WV-14)."""

    discards: bool = True
    """Whether the discards go back too (ruling ``discards-return``)."""
    rule: str = "WV-14"

    def apply(self, state: Season) -> Season:
        for figure in figures(state):
            state = with_figure(state, figure.name, strikes=0)
        state = forget(gathered(state, discards=self.discards), Span.TURN, Span.ENCOUNTER, Span.SCENE)
        return changed(state, scene=state.scene + 1, opening=False, place="")
