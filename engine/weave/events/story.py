"""Events of the cards and the story: seasons, episodes, players, decks, hand and spread."""

from __future__ import annotations

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.play import Open, changed
from loomtable.engine.weave.cards.decks import challenge_deck, story_deck
from loomtable.engine.weave.cards.mechanics import Span
from loomtable.engine.weave.cards.playset import QualityKind
from loomtable.engine.weave.events.base import (
    FigureEvent,
    SeasonEvent,
    discarded,
    figures,
    forget,
    gathered,
    lifted,
    put_under,
    with_deck,
    with_figure,
)
from loomtable.engine.weave.state import EpisodePlan, ScannedQuality, Season


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
        plan = state.plan or EpisodePlan(self.playset)
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


class OracleAnswered(SeasonEvent, frozen=True, kw_only=True):
    """A Challenge card answered a question; it goes under its deck."""

    question: str
    card: ComponentId
    answer: str
    rule: str = "WV-13"

    def apply(self, state: Season) -> Season:
        return put_under(state, self.card)


class IdeaDrawn(SeasonEvent, frozen=True, kw_only=True):
    """A Story card gave an idea: a name, or with a ``kind`` a person or complication; it goes under its deck."""

    card: ComponentId
    name: str
    says: str = ""
    kind: QualityKind | None = None
    rule: str = "WV-13"

    def apply(self, state: Season) -> Season:
        return put_under(state, self.card)


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


class HandPutBack(SeasonEvent, frozen=True, kw_only=True):
    """The hand that the computer dealt went back under its decks (WV-13)."""

    rule: str = "WV-13"

    def apply(self, state: Season) -> Season:
        for card in state.hand:
            state = put_under(state, card)
        return changed(state, hand_drawn=False)


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
