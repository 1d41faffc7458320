"""Play modes: begun, and ended when the group stops or the cards are gone (MN-11, MN-14)."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.mnemonic.arguments import Subject
from loomtable.engine.mnemonic.events.modes import ModeBegun, ModeEnded
from loomtable.engine.mnemonic.hands import dealt_round, fresh_deck
from loomtable.engine.mnemonic.state import RITUALS, Chronicle, PlayMode, Sitting
from loomtable.engine.mnemonic.system import MNEMONIC, active


@MNEMONIC.action("begin-mode", "MN-14", group="Beginning and ending")
def begin_mode(play: Play[Chronicle], *, mode: PlayMode, who: Subject = "") -> Steps[None]:
    """Begin a play mode with everybody who is played; ``who`` is laid to rest, or the story if left out."""
    state = play.state
    if state.sitting is not None:
        raise IllegalAction(f"{state.sitting.mode.label} is on; end it first (End mode)")
    if state.ended:
        raise IllegalAction("this story was laid to rest")
    if not state.active:
        raise IllegalAction("nobody is there to play; make characters first (Add character)")
    if who and mode is not PlayMode.LAID_TO_REST:
        raise IllegalAction(f"{mode.label} is for everybody; only Laid to Rest names somebody")
    if who:
        active(play, who)
    order = tuple(name for name in state.active if name != who)
    dealt = play.ruled("cards") == "dealt"
    hands = mode is PlayMode.INTO_THE_GREY
    cards = dealt_round(play, order, dealt=dealt) if hands else fresh_deck(play, dealt=dealt)
    yield ModeBegun(sitting=Sitting(mode, order, dealt, subject=who), cards=cards)
    yield from end_when_cards_are_gone(play)


@MNEMONIC.action("end-mode", "MN-11", "MN-14", group="Beginning and ending")
def end_mode(play: Play[Chronicle]) -> Steps[None]:
    """Stop, after a full round; Free Play stops at any time, a ritual only before anybody has spoken."""
    sitting, due = play.state.sitting, play.state.due
    if sitting is None:
        raise IllegalAction("no play mode is on")
    if sitting.mode in RITUALS and sitting.acted:
        last = "gather" if sitting.mode is PlayMode.FIRST_GATHERING else "lay-to-rest"
        raise IllegalAction(f"{sitting.mode.label} has begun; {last} ends it")
    if sitting.mode.has_rounds and sitting.acted and due:
        raise IllegalAction(f"this round is not over; still to come: {', '.join(due)}")
    yield ModeEnded(because="the group stops here")


def end_when_cards_are_gone(play: Play[Chronicle]) -> Steps[None]:
    """Into the Grey ends with the last card; so does a Deck Burner, by the ruling ``deck-burner-end`` (MN-14)."""
    sitting, cards = play.state.sitting, play.state.cards
    if sitting is None or cards is None:
        return
    if sitting.mode is PlayMode.INTO_THE_GREY and not any(h.count for h in cards.hands.values()):
        yield ModeEnded(because="no cards are left")
    burnt = sitting.mode is PlayMode.DECK_BURNER and play.ruled("deck-burner-end") == "deck-used-up"
    if burnt and not cards.deck.pile:
        yield ModeEnded(because="the deck is used up")
