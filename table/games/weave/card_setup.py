"""Cards under the camera become a step of Weave: three to an episode, four to a character, one to a level.

A ``ScanFlow`` collects cards, asks for those still missing, and can be put right ("not this card", "other order")
before anything counts. What is legal is for the engine to say: the whole step is tried on a copy of the session,
and a card that is refused there is refused here, for the same reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction, LoomtableError, ReadingMisfit
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading, Source
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import listed
from loomtable.engine.weave.cards.decks import challenge_card
from loomtable.engine.weave.cards.playset import playset_names
from loomtable.engine.weave.state import Season
from loomtable.table.reading.card_trial import CardProposal, CardSteps, called, redeems
from loomtable.table.screens import imported_later
from loomtable.vision.cards import SeenCard


class For(StrEnum):
    """What cards can be scanned for."""

    EPISODE = "episode"
    CHARACTER = "character"
    LEVEL_UP = "level-up"
    LOCATION = "location"
    HAND = "hand"
    CHALLENGE = "challenge"


@dataclass
class ScanFlow:
    """One step of Weave, set up by cards; ``begin`` makes it."""

    session: Session[Season]
    purpose: For
    action: Action | None
    _cards: list[ComponentId] = field(default_factory=list)
    _how: dict[ComponentId, Source] = field(default_factory=dict)
    _answers: dict[str, Reading] = field(default_factory=dict)
    _not_these: set[ComponentId] = field(default_factory=set)
    _put_in_order: bool = False

    @classmethod
    def begin(
        cls,
        session: Session[Season],
        purpose: For,
        *,
        who: str | None = None,
        player: str | None = None,
        playset: str | None = None,
    ) -> ScanFlow:
        """Begin a flow.

        ``who`` is the character of a Level Up or a Challenge, ``player`` whose character is made, ``playset`` the
        one of a new season.

        Raises:
            IllegalAction: the session is no game of Weave, something else is asked in it, one of these is missing,
                or the engine does not allow the step now.
        """
        if session.system.key != "weave":
            raise IllegalAction(f"cards are scanned for Weave; this session is of {session.system.title}")
        pending = session.pending
        if pending is not None and not (purpose is For.CHALLENGE and redeems(pending)):
            raise IllegalAction(f"first answer what is asked of {pending.by}: {pending.purpose}")
        flow = cls(
            session, purpose, None if pending is not None else _action(session, purpose, who, player, playset)
        )
        if flow._card_first:
            return flow
        refusal = flow.proposed.refusal
        if refusal:
            raise IllegalAction(refusal)
        return flow

    @property
    def cards(self) -> tuple[ComponentId, ...]:
        """The cards so far, in their order."""
        return tuple(self._cards)

    @property
    def asks(self) -> str:
        """What to do next, as one sentence."""
        if self._card_first:
            return "Show the Challenge card that is played."
        tried = self.proposed
        if tried.refusal:
            return f"This cannot be done: {tried.refusal}."
        if tried.missing is not None:
            return f"Show the {tried.missing.purpose}."
        if tried.questions:
            return f"{tried.questions[0].by}: {tried.questions[0].purpose.rstrip('?')}?"
        return "Everything is there: confirm it, or correct it."

    @property
    def proposed(self) -> CardProposal:
        """What confirming would do now; tried on a copy, so that nothing happens yet."""
        action, cards = self.action, self._cards
        if action is not None and self.purpose is For.CHALLENGE and cards:
            suit = challenge_card(cards[0]).suit.value
            action, cards = Action(action.name, {**action.args, "suit": suit, "card": cards[0].short}), cards[1:]
        return CardProposal(self.session, action, cards, self._how, self._answers, self._may_wait)

    # Cards come and go

    def take(self, card: ComponentId, how: Source = Source.CAMERA) -> str:
        """Add a card after the others; returns a sentence about it.

        Raises:
            IllegalAction: it cannot be used here, with the engine's reason; the flow is as it was.
        """
        if card in self._cards:
            raise IllegalAction(f"{called(card)} is there already")
        if self._card_first and card.kind is not Kind.CHALLENGE:
            raise IllegalAction(f"{called(card)} is no Challenge card")
        self._cards.append(card)
        tried = self.proposed
        while tried.refusal and tried.refused not in (None, card):
            # A card that had to wait for its turn turns out to be wrong: that one goes, not this.
            assert tried.refused is not None
            self.remove(tried.refused)
            tried = self.proposed
        if tried.refusal:
            self._cards.remove(card)
            raise IllegalAction(tried.refusal)
        self._how[card] = how
        self._not_these.discard(card)
        purpose = next((laid.purpose for laid in tried.laid if laid.card == card), "")
        return f"{called(card)}: {purpose or self._without_a_purpose(card)}"

    def _without_a_purpose(self, card: ComponentId) -> str:
        """What a card is for that nothing asks for by itself, or not yet."""
        if self.purpose is not For.CHALLENGE:
            return "waits until it is asked for"
        played = self.action is not None and card == self._cards[0]
        return "the Challenge card that is played" if played else "waits to be redeemed"

    def remove(self, card: ComponentId) -> None:
        """Not this card: it does not count, also where it still lies there; ``take`` takes it back.

        Raises:
            IllegalAction: it is none of the flow's cards.
        """
        if card not in self._cards:
            there = listed(map(str, self._cards)) or "there are none"
            raise IllegalAction(f"{card} is not among the cards: {there}")
        self._cards.remove(card)
        self._not_these.add(card)

    def swap(self, first: int, other: int) -> None:
        """Another order: exchange two cards by their places, from 1.

        Raises:
            IllegalAction: there is no such place, or the engine refuses that order.
        """
        if not all(1 <= place <= len(self._cards) for place in (first, other)):
            why = f"there are cards 1 to {len(self._cards)}, so {first} and {other} cannot be exchanged"
            raise IllegalAction(why)
        before = self.cards
        self._cards[first - 1], self._cards[other - 1] = self._cards[other - 1], self._cards[first - 1]
        if refusal := self.proposed.refusal:
            self._cards = list(before)
            raise IllegalAction(refusal)
        self._put_in_order = True

    def see(self, lying: Sequence[SeenCard]) -> tuple[str, ...]:
        """Take what lies under the camera, in its order; returns a sentence for each new card and each refusal.

        Cards that a person has put away or in another order stay so. A card in doubt is not taken: a person types
        it.
        """
        said: list[str] = []
        new = [found for found in lying if found.card not in self._cards and found.card not in self._not_these]
        for found in new:
            if found.doubt:
                said.append(f"{called(found.card)}: {found.doubt}; type the card's short code")
                continue
            try:
                said.append(self.take(found.card))
            except LoomtableError as error:
                self._not_these.add(found.card)
                said.append(f"Not taken: {error}")
        places = {found.card: place for place, found in enumerate(lying)}
        ordered = sorted(self._cards, key=lambda card: places.get(card, -1))
        if not self._put_in_order and all(card in places for card in self._cards):
            self._cards = ordered
        return tuple(said)

    def answer(self, reading: Reading) -> None:
        """Answer the first of the open questions.

        Raises:
            IllegalAction: there is none.
            ReadingMisfit: this does not answer it.
        """
        questions = self.proposed.questions
        if not questions:
            raise IllegalAction("nothing is asked at the moment")
        questions[0].check(reading)
        self._answers[questions[0].purpose] = reading
        if refusal := self.proposed.refusal:
            del self._answers[questions[0].purpose]
            raise ReadingMisfit(refusal)

    def confirm(self) -> tuple[str, ...]:
        """Do it in the session: the action and all its answers; returns what happened, a sentence each.

        Raises:
            IllegalAction: something is still missing; the session is as it was.
        """
        tried = self.proposed
        if not tried.ready:
            raise IllegalAction(tried.refusal or f"first: {self.asks.rstrip('.')}")
        told, done = len(self.session.story()), 0
        try:
            for step in (*((tried.action,) if tried.action else ()), *tried.readings):
                self.session.take(step)
                done += 1
        except LoomtableError:  # the session has gone on since it was tried: all or nothing
            for _ in range(done):
                self.session.undo()
            raise
        return self.session.story()[told:]

    def _may_wait(self, card: ComponentId) -> bool:
        """Whether a card that nothing asks for yet may lie there: one of a hand, or one kept to be redeemed."""
        if self.purpose is For.CHALLENGE:
            return any(card in character.kept for character in self.session.state.characters.values())
        return self.purpose is For.HAND and card.kind in (Kind.STORY, Kind.CHALLENGE)

    @property
    def _card_first(self) -> bool:
        """A Challenge is of its card's suit: before the card lies there, there is nothing to try."""
        return self.purpose is For.CHALLENGE and self.action is not None and not self._cards


def _action(
    session: Session[Season], purpose: For, who: str | None, player: str | None, playset: str | None
) -> Action:
    """The action that a flow prepares.

    Raises:
        IllegalAction: something has to be named that was not, or nobody has that name. A Challenge cannot be tried
            before its card lies there, so whose it is has to be held against the session here.
    """
    match purpose:
        case For.EPISODE if session.state.name and playset not in (None, session.state.playset):
            raise IllegalAction(
                f"the season {session.state.name!r} is played with {session.state.playset}, not with {playset}; "
                "leave --playset out, or name another session for a new season"
            )
        case For.EPISODE if not session.state.name:
            known = ", ".join(playset_names())
            return Action("new-season", {"playset": _given(playset, f"name a --playset for the season: {known}")})
        case For.EPISODE:
            return Action("new-episode")
        case For.CHARACTER:
            return Action("add-character", {"player": _given(player, "say whose character it is (--player)")})
        case For.LEVEL_UP:
            return Action("level-up", {"who": _given(who, "say whose Level Up it is (--who)")})
        case For.LOCATION:
            return Action("add-location")
        case For.HAND:
            return Action("draw-hand")
        case For.CHALLENGE:
            named = _given(who, "say whose Challenge it is (--who)")
            session.state.figure(named)
            return Action("challenge", {"who": named})


def _given(value: str | None, otherwise: str) -> str:
    if not value:
        raise IllegalAction(otherwise)
    return value


STEPS = CardSteps(tuple(For), imported_later("loomtable.table.games.weave.scan_flow:scan_for"), playset_names)
