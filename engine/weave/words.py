"""Every event of Weave as a sentence: the one place to translate."""

from __future__ import annotations

from engine.kernel.play import Event
from engine.weave import state as s
from engine.weave.decks import name_of


def tell(event: Event, season: s.Season) -> str:
    """The event as a sentence for people."""
    match event:
        case s.StoryElementChosen(chosen=chosen):
            return f"{chosen.kind.label} from {name_of(chosen.card)}: {chosen.quality.name}."
        case s.SeasonBegun(name=name):
            return f"The season {name!r} begins."
        case s.CharacterCreated(character=c):
            names = ", ".join(q.quality.name for q in c.qualities)
            return f"{c.player} plays {c.name}, Core Suit {c.core_suit.label}: {names}."
        case s.CardPlayed(card=card):
            return f"{name_of(card)} joins the spread."
        case s.ChallengeIssued(who=who, suit=suit, level=level, pool=pool):
            return f"{who} faces a {suit.label} Challenge of level {level} with {_many(pool, 'die', 'dice')}."
        case s.ChallengeResolved(who=who, outcome=outcome, successes=successes, level=level):
            return f"{who}: {_many(successes, 'success', 'successes')} against level {level}: {outcome}."
        case s.StrikesMarked(who=who, strikes=strikes, track=track):
            return f"{who} marks {_many(strikes, 'Strike', 'Strikes')} (track at {track})."
        case s.WoundMarked(who=who, because=because):
            return f"{who} marks a Wound: {because}."
        case s.LeftScene(who=who):
            return f"{who} has three Wounds and cannot go on in this scene."
        case s.SceneEnded():
            return "The scene ends; Strikes are cleared."
    raise AssertionError(f"no sentence for {type(event).__name__}")


def _many(count: int, one: str, many: str) -> str:
    return f"{count or 'no'} {one if count == 1 else many}"
