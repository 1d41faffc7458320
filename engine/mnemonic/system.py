"""Mnemonic as a system: how a chronicle begins, who sees what; the rules register themselves with it."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.play import Play
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.system import (
    Looks,
    Presentation,
    Rules,
    SettingUp,
    System,
    no_setup,
    people_of,
    shipped_words,
)
from loomtable.engine.mnemonic.journal import journal_page
from loomtable.engine.mnemonic.rulings import RULINGS
from loomtable.engine.mnemonic.state import RITUALS, Character, Chronicle, PlayMode, Sitting
from loomtable.engine.mnemonic.words import tell

HIDDEN = "hidden"


def _view(chronicle: Chronicle, viewer: str) -> dict[str, Any]:
    """Journals are open to all; hands, the order of the deck and dice chosen in secret are not.

    A player sees the cards of their own character, and of other hands how many there are. The order of the deck is
    seen by nobody. ``pages`` are the journals in words (MN-16).
    """
    view: dict[str, Any] = to_builtins(chronicle)
    view["pages"] = {name: journal_page(chronicle, name) for name in chronicle.characters}
    if chronicle.cards is not None:
        deck = chronicle.cards.deck
        view["cards"]["deck"] = {"pile": len(deck.pile), "discards": [c.short for c in deck.discards]}
        view["cards"]["aside"] = {"count": chronicle.cards.aside.count}
        for who, hand in chronicle.cards.hands.items():
            if viewer not in (STORYTELLER, chronicle.characters[who].player):
                view["cards"]["hands"][who] = {"count": hand.count}
    if chronicle.game_face is not None and chronicle.game_face.secret and viewer != STORYTELLER:
        for who in chronicle.game_face.chosen:
            if chronicle.characters[who].player != viewer:
                view["game_face"]["chosen"][who] = HIDDEN
    return view


MNEMONIC: System[Chronicle] = System(
    "mnemonic",
    "Mnemonic",
    rules=Rules("1", RULINGS),
    setting_up=SettingUp(
        begin=no_setup("Mnemonic", Chronicle), people=lambda chronicle: people_of(chronicle.characters)
    ),
    # no sentence names a card in a hand or a die chosen in secret
    words=shipped_words("mnemonic", tell, lambda event, chronicle, viewer: True),
    looks=Looks(view=_view, turn=lambda chronicle: next(iter(chronicle.due), "")),
    presentation=Presentation(
        about="Skills tied to the suits of a poker deck, and what is remembered of them.",
        motif="hourglass",
        groups=("Scenes", "Beginning and ending", "Characters"),
        quick_start=package_file("templates", "quick_starts", "mnemonic.yaml"),
        evening="mnemonic-the-last-house",
        likely=(
            "scene",
            "group-scene",
            "next-round",
            "introduce",
            "meet",
            "gather",
            "remember",
            "begin-mode",
            "add-character",
        ),
        ready_evenings=(package_file("templates", "ready_evenings", "mnemonic.yaml"),),
    ),
)
"""Skills tied to card suits, weavings, journals, and the play modes."""


def character(play: Play[Chronicle], who: str) -> Character:
    """The character of this name.

    Raises:
        IllegalAction: there is none; the message lists those there are.
    """
    known = play.state.characters
    if who not in known:
        there = f"there are {', '.join(known)}" if known else "nobody has been made yet (Add character)"
        raise IllegalAction(f"there is no character {who!r}; {there}")
    return known[who]


def active(play: Play[Chronicle], who: str) -> Character:
    """The character of this name, if still played.

    Raises:
        IllegalAction: there is none, or they were laid to rest.
    """
    found = character(play, who)
    if found.at_rest:
        raise IllegalAction(f"{who} was laid to rest")
    return found


def sitting_in(play: Play[Chronicle], what: str, *modes: PlayMode) -> Sitting:
    """The play mode that is on, if ``what`` belongs to it.

    Raises:
        IllegalAction: none is on, or another one.
    """
    sitting = play.state.sitting
    if sitting is None:
        raise IllegalAction(f"{what} needs a play mode; begin one first (Begin mode)")
    if sitting.mode not in modes:
        raise IllegalAction(f"{what} does not belong to {sitting.mode.label}")
    return sitting


def check_turn(play: Play[Chronicle], who: str) -> None:
    """Refuse somebody who has had their turn, or whose turn has not come (MN-11).

    Raises:
        IllegalAction: so it is, or ``who`` came in after the mode began, or has no card left.
    """
    sitting, due = play.state.sitting, play.state.due
    assert sitting is not None, "a turn outside a play mode"
    if who not in sitting.order:
        raise IllegalAction(f"{who} takes no part in this {sitting.mode.label}")
    if sitting.mode is PlayMode.FREE_PLAY:
        return
    if who in sitting.acted:
        rest = f"; it is {due[0]}'s turn" if due else "; the round is over"
        raise IllegalAction(f"{who} has had a turn in this round{rest}")
    if not play.state.can_act(who):
        raise IllegalAction(f"{who} has no card left")
    in_order = sitting.mode in RITUALS or play.ruled("turn-order") == "round-the-table"
    if in_order and due[0] != who:
        raise IllegalAction(f"it is {due[0]}'s turn, not {who}'s")
