"""Drawing, playing and scanning cards.

Where the people deal (ruling ``decks``), the order of a pile is theirs; the engine knows which cards it holds, and
a card that is shown must be one of them. Where the computer deals, the top card of the shuffled pile is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import blake2b

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option, ShowCard
from loomtable.engine.weave.cards.decks import challenge_card, name_of, story_card
from loomtable.engine.weave.cards.effect_words import quality_does
from loomtable.engine.weave.cards.playset import Playset, Quality, QualityKind, playset, playset_first_edition
from loomtable.engine.weave.events.story import CardDrawn, CardPlayed, DiscardsShuffled
from loomtable.engine.weave.state import HAND, ScannedQuality, Season


def numbers(cards: Iterable[ComponentId]) -> tuple[int, ...]:
    """The cards' numbers in order, so that a request does not tell the order of a pile."""
    return tuple(sorted(c.number for c in cards))


def playset_of(play: Play[Season], name: str = "") -> Playset:
    """The season's playset, or another, in the edition by which this table plays (ruling ``cards-edition``)."""
    read = playset_first_edition if play.ruled("cards-edition") == "first" else playset
    return read(name or play.state.playset)


def dealt(play: Play[Season]) -> bool:
    """Whether the computer deals."""
    return play.ruled("decks") == "dealt"


def can_draw(play: Play[Season], kind: Kind) -> Steps[bool]:
    """Whether the pile has a card; an empty one takes up its discards, by the ruling ``empty-pile`` (WV-13)."""
    deck = play.state.deck(kind)
    if not deck.pile and deck.discards and play.ruled("empty-pile") == "discards-shuffled":
        yield DiscardsShuffled(kind=kind)
    return bool(play.state.deck(kind).pile)


def drawn(
    play: Play[Season],
    kind: Kind,
    purpose: str,
    *,
    by: str,
    rule: str,
    without: Collection[ComponentId] = (),
    also: Collection[ComponentId] = (),
    order: str = "",
) -> Steps[ComponentId]:
    """The next card of a pile: shown, or dealt. It stays where it is until an event moves it.

    ``without`` are cards that lie aside for the moment, ``also`` are others that may be shown instead. ``order``
    names an order of the pile that no shuffle changes, for cards that somebody is dealt while others play on.
    """
    yield from can_draw(play, kind)
    deck = play.state.deck(kind)
    left = [c for c in deck.pile if c not in without]
    if not left and not also:
        raise IllegalAction(f"the {kind.capitalize()} deck has no card left to draw")
    if dealt(play) and left:
        return min(left, key=lambda card: _place(deck.seed, order, card)) if order else left[0]
    shown = yield from ask(ShowCard(kind, purpose, numbers({*left, *also}), by=by, rule=rule))
    return shown.card


def _place(seed: str, order: str, card: ComponentId) -> bytes:
    return blake2b(f"{seed}/{order}/{card}".encode(), digest_size=16).digest()


def fill_hand(play: Play[Season]) -> Steps[None]:
    """The storyteller draws up to four Challenge and two Story cards (WV-13)."""
    for kind, full in HAND.items():
        while len(play.state.held(kind)) < full and (yield from can_draw(play, kind)):
            purpose = f"{kind.capitalize()} card for the storyteller's hand"
            card = yield from drawn(play, kind, purpose, by=STORYTELLER, rule="WV-13")
            yield CardDrawn(card=card)


def refill(play: Play[Season]) -> Steps[None]:
    """After a card was played the hand is filled again, where it is kept here at all (WV-13)."""
    if play.state.hand_drawn:
        yield from fill_hand(play)


def check_playable(play: Play[Season], card: ComponentId, kind: Kind) -> None:
    """Refuse a card that the storyteller cannot play now.

    Raises:
        IllegalAction: it is of the other deck, lies in the spread, is not in the hand, or no hand was drawn.
        UnknownComponent: it is in neither deck.
    """
    named = story_card(card).name if kind is Kind.STORY else challenge_card(card).name
    season = play.state
    if card in season.spread:
        raise IllegalAction(f"{card} is already in the spread")
    if season.hand_drawn:
        if card not in season.hand:
            raise IllegalAction(f"{card} ({named}) is not in the storyteller's hand")
    elif play.ruled("undrawn-hand") == "refused":
        raise IllegalAction("the storyteller's hand has not been drawn yet (Draw hand)")
    elif card not in season.deck(kind).pile:
        raise IllegalAction(f"{card} ({named}) is not in the draw pile")


def play_card(play: Play[Season], card: ComponentId) -> Steps[None]:
    """A card joins the spread, and the hand is filled again (WV-13, WV-14)."""
    check_playable(play, card, card.kind)
    yield CardPlayed(card=card)
    yield from refill(play)


def scan(
    play: Play[Season],
    kind: QualityKind,
    *,
    by: str,
    rule: str,
    without: Collection[ComponentId] = (),
    order: str = "",
) -> Steps[ScannedQuality]:
    """Show the next Story card and choose one of its options of a kind."""
    purpose = f"Story card for the {kind.label}"
    card = yield from drawn(play, Kind.STORY, purpose, by=by, rule=rule, without=without, order=order)
    return (yield from choose_quality(play, kind, card, by=by, rule=rule))


def choose_quality(
    play: Play[Season],
    kind: QualityKind,
    card: ComponentId,
    *,
    by: str,
    rule: str,
    owned: Collection[str] = (),
    of: str = "",
) -> Steps[ScannedQuality]:
    """Choose an option of a Story card; one used before in this season is marked, and confirmed (WV-2).

    ``owned`` are names that cannot be chosen again; ``of`` is a playset other than the season's.
    """
    offered = playset_of(play, of).options(card.number, kind)
    used = _used_before(play.state, kind)
    options = tuple(
        Option(str(n), q.name + (" (used before)" if q.name in used else ""), q.text, quality_does(q))
        for n, q in enumerate(offered, start=1)
        if q.name not in owned
    )
    while True:
        choice = yield from ask(Choose(f"{kind.label} from {card}", options, by=by, rule=rule, about=card))
        chosen = offered[int(choice.key) - 1]
        if chosen.name not in used or (yield from _meant_it(chosen)):
            return ScannedQuality(kind, card, chosen)


def _used_before(season: Season, kind: QualityKind) -> frozenset[str]:
    """Themes, Locations and Bosses that this season has already had (WV-2)."""
    if kind not in (QualityKind.THEME, QualityKind.LOCATION, QualityKind.BOSS):
        return frozenset()
    had = (*season.past, *season.foundation, *season.elements)
    return frozenset(q.quality.name for q in had if q.kind is kind)


def _meant_it(chosen: Quality) -> Steps[bool]:
    again = Option("again", "Use it again", "The story calls for it.")
    other = Option("other", "Choose another")
    answer = yield from ask(
        Choose(f"{chosen.name} was used before in this season", (again, other), by=STORYTELLER, rule="WV-2")
    )
    return answer.key == again.key


def named_card(number: int, card: ComponentId) -> Option:
    """A card as an option, by its short code."""
    return Option(card.short, name_of(card), f"Card {number}")
