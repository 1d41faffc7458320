"""The rules of Weave as coroutines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.kernel.components import ComponentId, Kind
from engine.kernel.dice import Die
from engine.kernel.errors import IllegalAction
from engine.kernel.plain import to_plain
from engine.kernel.play import Play, Steps, ask
from engine.kernel.requests import Choose, EnterNumber, EnterText, Option, Roll, ShowCard
from engine.kernel.system import STORYTELLER, System, no_setup
from engine.weave.decks import challenge_card, story_deck
from engine.weave.playset import CREATION, STORY_ELEMENTS, QualityKind, playset
from engine.weave.rulings import PIP_FACES, RULINGS
from engine.weave.state import (
    BASE_POOL,
    STRIKE_TRACK,
    CardPlayed,
    ChallengeIssued,
    ChallengeResolved,
    Character,
    CharacterCreated,
    LeftScene,
    Outcome,
    ScannedQuality,
    SceneEnded,
    Season,
    SeasonBegun,
    StoryElementChosen,
    StrikesMarked,
    WoundMarked,
)
from engine.weave.suits import Suit
from engine.weave.words import tell

EPIC_MARGIN = 2
LOWEST_LEVEL = 1


def _begin(setup: Mapping[str, Any]) -> Season:
    no_setup("Weave", setup)
    return Season()


def _view(season: Season, viewer: str) -> dict[str, Any]:
    """A player sees only the sheets of their own characters, the storyteller all of them (WV-5)."""
    seen: dict[str, Any] = to_plain(season)
    if viewer != STORYTELLER:
        own = {n: c for n, c in seen["characters"].items() if c["player"] == viewer}
        seen["characters"] = own
    return seen


WEAVE: System[Season] = System(
    "weave", "Weave", rules_version="1", rulings=RULINGS, begin=_begin, view=_view, tell=tell
)
"""Seasons of episodes, from Story cards, Challenge cards and suit dice."""


@WEAVE.action("new-season", "WV-1")
def new_season(play: Play[Season], *, playset: str) -> Steps[None]:
    """Begin a season: three Story cards for its Theme, Location and Boss, and a name."""
    if play.state.name:
        raise IllegalAction(f"the season {play.state.name!r} has already begun")
    _known_playset(playset)
    left = _all_story_numbers()
    for kind in STORY_ELEMENTS:
        chosen = yield from _scan(playset, kind, left, by=STORYTELLER, rule="WV-1")
        left.remove(chosen.card.number)
        yield StoryElementChosen(chosen=chosen)
    name = yield from ask(EnterText("Name of the season", by=STORYTELLER, rule="WV-1"))
    yield SeasonBegun(name=name.text.strip(), playset=playset)


@WEAVE.action("add-character", "WV-5", "WV-6", "WV-7")
def add_character(play: Play[Season], *, player: str) -> Steps[None]:
    """Make a local character: a Core Suit, four Story cards with an option from each, a name."""
    if not play.state.name:
        raise IllegalAction("there is no season yet; begin one first (new-season)")
    if not player.strip() or player == STORYTELLER:
        raise IllegalAction(f"a character needs a player, and {player!r} is none")
    suits = tuple(Option(s.value, s.label, s.means) for s in Suit)
    core = yield from ask(Choose("Core Suit", suits, by=player, rule="WV-6"))
    left = _all_story_numbers()
    qualities: list[ScannedQuality] = []
    for kind in CREATION:
        chosen = yield from _scan(play.state.playset, kind, left, by=player, rule="WV-6")
        left.remove(chosen.card.number)
        qualities.append(chosen)
    name = yield from _unused_name(play, by=player)
    yield CharacterCreated(character=Character(name, player, Suit(core.key), tuple(qualities)))


def _unused_name(play: Play[Season], *, by: str) -> Steps[str]:
    why = ""
    while True:
        written = yield from ask(EnterText("Name of the character", by=by, rule="WV-6", why=why))
        name = written.text.strip()
        if name not in play.state.characters and name != STORYTELLER:
            return name
        why = f"{name!r} is already taken; find another name."


def _known_playset(name: str) -> None:
    playset(name)


def _all_story_numbers() -> list[int]:
    return [card.number for card in story_deck()]


def _scan(playset_name: str, kind: QualityKind, left: list[int], *, by: str, rule: str) -> Steps[ScannedQuality]:
    """Show a Story card that is still in the deck and choose one of its options of a kind."""
    purpose = f"Story card for the {kind.label}"
    shown = yield from ask(ShowCard(Kind.STORY, purpose, tuple(left), by=by, rule=rule))
    offered = playset(playset_name).options(shown.card.number, kind)
    options = tuple(Option(str(n), q.name, q.text) for n, q in enumerate(offered, start=1))
    choice = yield from ask(Choose(f"{kind.label} from {shown.card}", options, by=by, rule=rule))
    return ScannedQuality(kind, shown.card, offered[int(choice.key) - 1])


@WEAVE.action("challenge", "WV-8", "WV-9", "WV-14", "WV-17", "WV-18")
def challenge(
    play: Play[Season],
    *,
    who: str,
    suit: Suit,
    card: ComponentId | None = None,
    instead: Suit | None = None,
) -> Steps[None]:
    """Issue a Challenge: with a card of its suit at the card's level, or at level 1 with none fitting.

    ``instead`` is a suit that the player proposes; the storyteller decides.
    """
    _ready(play, who)
    level = LOWEST_LEVEL
    if card is not None:
        played = challenge_card(card)
        if played.suit is not suit:
            raise IllegalAction(f"{card} is {played.name}, which is no {suit.label} card")
        if card in play.state.spread:
            raise IllegalAction(f"{card} already lies in the spread")
        level = played.level
        yield CardPlayed(card=card)
    if instead is not None and instead is not suit:
        suit = yield from _negotiated(who, suit, instead)
    pool = challenge_pool(play.state.characters[who], suit, minimum=play.ruled("minimum-pool"))
    yield ChallengeIssued(who=who, suit=suit, level=level, pool=pool)
    successes, strikes = yield from _roll_challenge(play, who, suit, level, pool)
    outcome = _outcome(successes, level)
    yield ChallengeResolved(
        who=who,
        suit=suit,
        level=level,
        successes=successes,
        strikes=strikes,
        outcome=outcome,
        rule="WV-18" if outcome in (Outcome.EPIC_PASS, Outcome.EPIC_FAIL) else "WV-17",
    )
    yield from _bear(play, who, strikes, outcome)


def _ready(play: Play[Season], who: str) -> Character:
    character = play.state.characters.get(who)
    if character is None:
        known = ", ".join(play.state.characters) or "none yet"
        raise IllegalAction(f"there is no character {who!r}; there are: {known}")
    if character.out:
        raise IllegalAction(f"{who} has three Wounds and cannot go on until one is healed (WV-9)")
    return character


def _negotiated(who: str, suit: Suit, instead: Suit) -> Steps[Suit]:
    """The player proposes another suit, the storyteller agrees or not (WV-17)."""
    answer = yield from ask(
        Choose(
            f"{who} proposes {instead.label} instead of {suit.label}",
            (Option(instead.value, f"Agree to {instead.label}"), Option(suit.value, f"Keep {suit.label}")),
            by=STORYTELLER,
            rule="WV-17",
        )
    )
    return Suit(answer.key)


def challenge_pool(character: Character, suit: Suit, *, minimum: str) -> int:
    """Three dice and the suit's bonus, less a die for each Wound (WV-9, WV-17), at the ruling's ``minimum``."""
    pool = BASE_POOL + character.dice_bonus(suit) - character.wounds
    return max(pool, 1 if minimum == "one-die" else 0)


def _roll_challenge(play: Play[Season], who: str, suit: Suit, level: int, pool: int) -> Steps[tuple[int, int]]:
    """Roll, then roll Weave dice again as often as wished: the successes and the Strikes (WV-17)."""
    purpose = f"{suit.label} Challenge, level {level}"
    successes = strikes = 0
    rolling, weaves, roll_count = pool, 0, 0
    while rolling:
        roll_count += 1
        again = f", re-roll {roll_count - 1}" if roll_count > 1 else ""
        lying = yield from ask(_weave_roll(play, rolling, purpose + again, who))
        successes += lying.faces.count(suit.value) + lying.faces.count("weave")
        if roll_count == 1 or play.ruled("strikes-on-rerolls") == "counted":
            strikes += lying.faces.count("strike")
        weaves += lying.faces.count("weave") - (rolling if roll_count > 1 else 0)
        rolling = 0
        if weaves:
            again = f"Weave dice to roll again, after roll {roll_count}"
            why = f"{successes} successes so far; {weaves} of your dice show Weave."
            chosen = yield from ask(EnterNumber(again, 0, weaves, by=who, rule="WV-17", why=why))
            rolling = chosen.value
    return successes, strikes


def _weave_roll(play: Play[Season], count: int, purpose: str, who: str) -> Roll:
    pips = PIP_FACES[play.ruled("pip-faces")]
    return Roll(Die.WEAVE, count, purpose, pips, by=who, rule="WV-17")


def _outcome(successes: int, level: int) -> Outcome:
    """Pass at the level, epic two beyond it either way (WV-17, WV-18)."""
    if successes >= level + EPIC_MARGIN:
        return Outcome.EPIC_PASS
    if successes >= level:
        return Outcome.PASS
    return Outcome.EPIC_FAIL if successes <= level - EPIC_MARGIN else Outcome.FAIL


def _bear(play: Play[Season], who: str, strikes: int, outcome: Outcome) -> Steps[None]:
    """Mark what a Challenge cost: the Wound of an epic fail, and Strikes (WV-8, WV-18)."""
    if outcome is Outcome.EPIC_FAIL:
        yield WoundMarked(who=who, because="an epic fail", rule="WV-18")
    if strikes and not (
        outcome is Outcome.EPIC_FAIL and play.ruled("epic-fail-wound-and-strikes") == "wound-only"
    ):
        yield from _mark_strikes(play, who, strikes)
    if play.state.characters[who].out:
        yield LeftScene(who=who)


def _mark_strikes(play: Play[Season], who: str, strikes: int) -> Steps[None]:
    """Ten Strikes are a Wound, and the track starts again (WV-8)."""
    track = play.state.characters[who].strikes + strikes
    full = track >= STRIKE_TRACK
    if full:
        track = track - STRIKE_TRACK if play.ruled("strikes-overflow") == "carried" else 0
    yield StrikesMarked(who=who, strikes=strikes, track=track)
    if full:
        yield WoundMarked(who=who, because="the tenth Strike", rule="WV-8")


@WEAVE.action("end-scene", "WV-8", "WV-14")
def end_scene(play: Play[Season]) -> Steps[None]:
    """End the scene: the spread goes back into the decks, Strikes are cleared."""
    if not play.state.name:
        raise IllegalAction("there is no season yet; begin one first (new-season)")
    yield SceneEnded()
