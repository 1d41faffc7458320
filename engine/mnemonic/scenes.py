"""Individual scenes, and A Moment Alone in the place of one (MN-3, MN-11, MN-13)."""

from __future__ import annotations

from enum import Enum

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.poker import CardSuit, PokerCard
from loomtable.engine.kernel.requests import Choose, Option, Roll
from loomtable.engine.mnemonic.almanac import key_of, prompts
from loomtable.engine.mnemonic.arguments import HandCard, Who
from loomtable.engine.mnemonic.events.people import SkillRenamed, SuitHealed, WentAlone
from loomtable.engine.mnemonic.events.scenes import RoundBegun, SceneBegun, SceneEnded, SkillsLocked
from loomtable.engine.mnemonic.hands import card_for, has_card, suit_of
from loomtable.engine.mnemonic.modes import end_when_cards_are_gone
from loomtable.engine.mnemonic.people import choose_suit, name_skill
from loomtable.engine.mnemonic.state import SCENE_MODES, Chronicle, PlayMode, Skill
from loomtable.engine.mnemonic.system import MNEMONIC, active, check_turn, sitting_in
from loomtable.engine.mnemonic.uses import can_improve, learn_skill, may_learn, use_skill
from loomtable.engine.mnemonic.weaving import offer_weaving, others

USE, LEARN, ALONE, HELP, PASS, ANOTHER = "use-", "learn", "moment-alone", "ask-", "pass", "another-card"


class _Came(Enum):
    """What came of a card."""

    PLAYED = "played"
    PASSED = "passed"
    AGAIN = "again"


@MNEMONIC.action(
    "scene",
    "MN-3",
    "MN-4",
    "MN-5",
    "MN-6",
    "MN-7",
    "MN-9",
    "MN-11",
    "MN-13",
    "MN-15",
    begun_by=PLAYER,
    group="Scenes",
)
def scene(play: Play[Chronicle], *, who: Who, card: HandCard | None = None) -> Steps[None]:
    """One person's scene: a card is turned, and its suit says what can be tried."""
    active(play, who)
    sitting = sitting_in(play, "an individual scene", *SCENE_MODES)
    check_turn(play, who)
    free = sitting.mode is PlayMode.FREE_PLAY and play.ruled("free-play-cards") == "chosen"
    if free and card is not None:
        raise IllegalAction("no card is needed at this table (ruling free-play-cards); leave it out")
    yield SceneBegun(who=who, number=play.state.scenes + 1)
    while True:
        lying: PokerCard | None = None
        if free:
            purpose = f"Suit of the scene of {who}"
            suit: CardSuit | None = yield from choose_suit(
                play, purpose, tuple(CardSuit), by=active(play, who).player, rule="MN-11"
            )
        else:
            lying = yield from card_for(play, who, card, rule="MN-3")
            suit = yield from suit_of(play, who, lying, rule="MN-3")
        came = yield from _in_suit(play, who, suit, lying)
        if came is not _Came.AGAIN:
            break
        card = None
    yield SceneEnded(who=who, passed=came is _Came.PASSED)
    yield from end_when_cards_are_gone(play)


def _in_suit(play: Play[Chronicle], who: str, suit: CardSuit | None, card: PokerCard | None) -> Steps[_Came]:
    """What somebody does with a card of this suit."""
    if suit is None:
        return _Came.PASSED
    sheet = active(play, who)
    locked = tuple(s.name for s in sheet.skills if s.suit is suit and sheet.locked(s))
    if locked:
        yield SkillsLocked(who=who, suit=suit, skills=locked, injured=suit in sheet.injured)
    usable = {USE + key_of(s.name): s for s in sheet.usable(suit)}
    helping = _helping(play, who, suit) if not usable else {}
    options = _options(play, who, suit, usable, helping)
    why = prompts().cards[card.number] if card is not None else f"{suit.label} are {play.state.meaning(suit)}."
    purpose = f"{suit.label} for {who}"
    chosen = yield from ask(Choose(purpose, options, by=active(play, who).player, rule="MN-11", why=why))
    if chosen.key in usable:
        yield from _use(play, who, usable[chosen.key].name)
    elif chosen.key in helping:
        helper, skill = helping[chosen.key]
        yield from _use(play, helper, skill, helps=who)
    elif chosen.key == LEARN:
        learned = yield from learn_skill(play, who, suit)
        if play.ruled("learned-and-used") == "at-once" and not active(play, who).locked(learned):
            yield from _use(play, who, learned.name)
    elif chosen.key == ALONE:
        yield from _moment_alone(play, who, suit)
    else:
        return _Came.AGAIN if chosen.key == ANOTHER else _Came.PASSED
    return _Came.PLAYED


def _options(
    play: Play[Chronicle], who: str, suit: CardSuit, usable: dict[str, Skill], helping: dict[str, tuple[str, str]]
) -> tuple[Option, ...]:
    way = play.ruled("no-usable-skill")
    options = [Option(key, s.name, f"rating {s.rating}") for key, s in usable.items()]
    if (usable or way == "learn-or-help") and may_learn(play, who, suit):
        options.append(Option(LEARN, "Learn a new skill", f"of {suit.label}, {play.state.meaning(suit)}"))
    if suit in active(play, who).injured:
        options.append(Option(ALONE, "A Moment Alone", f"heals {suit.label}"))
    options += [Option(key, f"Ask {helper} for {skill}") for key, (helper, skill) in helping.items()]
    if not usable and way == "another-card" and has_card(play, who):
        options.append(Option(ANOTHER, "Another card"))
    if not usable and (way == "passes" or not options):
        options.append(Option(PASS, "Let the scene pass"))
    return tuple(options)


def _helping(play: Play[Chronicle], who: str, suit: CardSuit) -> dict[str, tuple[str, str]]:
    """The skills that others can use for somebody who has none, by option (MN-11)."""
    if play.ruled("no-usable-skill") != "learn-or-help":
        return {}
    any_skill = play.ruled("locked-skill-as-helper") == "allowed"
    found: dict[str, tuple[str, str]] = {}
    for name in others(play, who):
        sheet = active(play, name)
        for skill in sheet.skills:
            if skill.suit is suit and (any_skill or not sheet.locked(skill)):
                found[f"{HELP}{key_of(name)}.{key_of(skill.name)}"] = (name, skill.name)
    return found


def _use(play: Play[Chronicle], who: str, skill: str, *, helps: str = "") -> Steps[None]:
    complicated = yield from use_skill(play, who, skill, helps=helps)
    yield from offer_weaving(play, who, skill, complicated=complicated)


def _moment_alone(play: Play[Chronicle], who: str, suit: CardSuit) -> Steps[None]:
    """1: healed, but out of the next group scene; 6: healed, and a skill of the suit grows, renamed (MN-13)."""
    player = active(play, who).player
    growing = {key_of(s.name): s for s in active(play, who).skills if s.suit is suit and can_improve(play, s)}
    yield WentAlone(who=who, suit=suit, grows=bool(growing))
    lying = yield from ask(Roll(Die.D6, 1, f"A Moment Alone of {who}", by=player, rule="MN-13"))
    face = lying.pips[0]
    yield SuitHealed(who=who, suit=suit, face=face, absent=face == 1)
    if face != 6 or not growing:
        return
    options = tuple(Option(key, s.name, f"rating {s.rating}") for key, s in growing.items())
    chosen = yield from ask(Choose(f"Skill of {who} that grows", options, by=player, rule="MN-13"))
    old = growing[chosen.key]
    name = yield from name_skill(play, who, suit, rule="MN-13", instead=old.name)
    yield SkillRenamed(who=who, skill=old.name, name=name, rating=old.rating + 1)


@MNEMONIC.action("next-round", "MN-11", group="Scenes")
def next_round(play: Play[Chronicle]) -> Steps[None]:
    """Go round the table once more, when everybody has had a scene."""
    sitting = sitting_in(play, "another round", PlayMode.INTO_THE_GREY, PlayMode.DECK_BURNER)
    if play.state.due:
        raise IllegalAction(f"this round is not over; still to come: {', '.join(play.state.due)}")
    yield RoundBegun(round=sitting.round + 1)
