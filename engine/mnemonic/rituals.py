"""What is told and not rolled: the First Gathering, and Laid to Rest (MN-14)."""

from __future__ import annotations

from collections.abc import Mapping

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.poker import CardSuit, PokerCard
from loomtable.engine.kernel.requests import GROUP, EnterText
from loomtable.engine.mnemonic.almanac import prompts, told_by_card
from loomtable.engine.mnemonic.arguments import HandCard, Who, Whom
from loomtable.engine.mnemonic.events.modes import Gathered, Introduced, LaidToRest, Met, ModeEnded, Remembered
from loomtable.engine.mnemonic.hands import card_for, suit_of
from loomtable.engine.mnemonic.people import LONGEST_LINE, choose_suit
from loomtable.engine.mnemonic.state import Chronicle, PlayMode
from loomtable.engine.mnemonic.system import MNEMONIC, active, check_turn, sitting_in

_LINES = (
    "Nobody says anything, and that is the answer.",
    "It is told with the hands, and everybody understands.",
    "That is a long story, and it will have to wait for the next fire.",
)
"""Written where chance is to answer: nothing that anybody has to remember."""


@MNEMONIC.action("introduce", "MN-14", begun_by=PLAYER, group="Beginning and ending")
def introduce(play: Play[Chronicle], *, who: Who, card: HandCard | None = None) -> Steps[None]:
    """First Gathering: say who a character is, to a question of the suit that is turned."""
    active(play, who)
    sitting_in(play, "an introduction", PlayMode.FIRST_GATHERING)
    check_turn(play, who)
    suit, prompt = yield from _question(play, who, card, prompts().introductions)
    text = yield from _tell(f"{who} is introduced", active(play, who).player, prompt)
    yield Introduced(who=who, suit=suit, prompt=prompt, text=text)


@MNEMONIC.action("meet", "MN-14", begun_by=PLAYER, group="Beginning and ending")
def meet(play: Play[Chronicle], *, who: Who, other: Whom) -> Steps[None]:
    """First Gathering: say what a character sees in another, once all are introduced."""
    active(play, who)
    active(play, other)
    sitting = sitting_in(play, "a meeting", PlayMode.FIRST_GATHERING)
    if play.state.due:
        raise IllegalAction(f"everybody is introduced first; still to come: {', '.join(play.state.due)}")
    if who == other:
        raise IllegalAction(f"{who} cannot meet {who}")
    if who in sitting.met:
        raise IllegalAction(f"{who} has met somebody already")
    prompt = prompts().meetings[len(sitting.met) % len(prompts().meetings)]
    text = yield from _tell(f"{who} meets {other}", active(play, who).player, prompt)
    yield Met(who=who, other=other, prompt=prompt, text=text)


@MNEMONIC.action("gather", "MN-14", group="Beginning and ending")
def gather(play: Play[Chronicle]) -> Steps[None]:
    """First Gathering: say why these people stay together; this ends it."""
    sitting = sitting_in(play, "gathering", PlayMode.FIRST_GATHERING)
    if play.state.due:
        raise IllegalAction(f"everybody is introduced first; still to come: {', '.join(play.state.due)}")
    waiting = tuple(n for n in sitting.order if n not in sitting.met)
    if waiting and len(sitting.order) > 1:
        raise IllegalAction(f"everybody meets somebody first (Meet); still to come: {', '.join(waiting)}")
    why = "What keeps these people on one road, at least until tomorrow?"
    text = yield from _tell("The group stays together", GROUP, why)
    yield Gathered(text=text)
    yield ModeEnded(because="the group has gathered")


@MNEMONIC.action("remember", "MN-14", begun_by=PLAYER, group="Beginning and ending")
def remember(play: Play[Chronicle], *, who: Who, card: HandCard | None = None) -> Steps[None]:
    """Laid to Rest: tell a memory of whom, or what, is laid to rest, to a question of the suit that is turned."""
    active(play, who)
    sitting = sitting_in(play, "a memory", PlayMode.LAID_TO_REST)
    check_turn(play, who)
    suit, prompt = yield from _question(play, who, card, prompts().farewells)
    text = yield from _tell(f"{who} remembers {sitting.subject or 'the story'}", active(play, who).player, prompt)
    yield Remembered(who=who, suit=suit, prompt=prompt, text=text)


@MNEMONIC.action("lay-to-rest", "MN-14", group="Beginning and ending")
def lay_to_rest(play: Play[Chronicle]) -> Steps[None]:
    """Laid to Rest: the last words, when everybody has told a memory; this ends it."""
    sitting = sitting_in(play, "the last words", PlayMode.LAID_TO_REST)
    if play.state.due:
        raise IllegalAction(f"everybody tells a memory first; still to come: {', '.join(play.state.due)}")
    by = active(play, sitting.subject).player if sitting.subject else GROUP
    why = "One line to end on. Write it, read it aloud, and close the journal."
    text = yield from _tell(f"Last words for {sitting.subject or 'the story'}", by, why)
    yield LaidToRest(subject=sitting.subject, text=text)
    yield ModeEnded(because=f"{sitting.subject or 'the story'} is at rest")


def _question(
    play: Play[Chronicle], who: str, card: ComponentId | None, asked: Mapping[CardSuit, tuple[str, ...]]
) -> Steps[tuple[CardSuit, str]]:
    """The suit and the question, by the ruling ``prompt-suit``."""
    lying: PokerCard | None = None
    suit: CardSuit | None = None
    if play.ruled("prompt-suit") == "by-card":
        lying = yield from card_for(play, who, card, rule="MN-14")
        suit = yield from suit_of(play, who, lying, rule="MN-14")
    elif card is not None:
        raise IllegalAction("no card is turned at this table (ruling prompt-suit); leave it out")
    if suit is None:
        by = active(play, who).player
        suit = yield from choose_suit(play, f"Suit of the question to {who}", tuple(CardSuit), by=by, rule="MN-14")
    return suit, told_by_card(asked[suit], lying, len(play.state.characters[who].journal))


def _tell(purpose: str, by: str, why: str) -> Steps[str]:
    wrote = yield from ask(EnterText(purpose, LONGEST_LINE, by=by, rule="MN-14", why=why, suggestions=_LINES))
    return wrote.text.strip()
