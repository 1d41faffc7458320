"""Woven as a system: how it begins, who sees what, whose turn it is; the rules register themselves with it."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import FIRST_OWN, Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.play import Play
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.system import Looks, Presentation, Rules, SettingUp, System, no_setup, shipped_words
from loomtable.engine.woven.hints import spells_in_reach
from loomtable.engine.woven.rulings import RULINGS
from loomtable.engine.woven.spells import spell_numbered
from loomtable.engine.woven.state import Contest, Mage
from loomtable.engine.woven.views import FACE_DOWN, tapestry_rows
from loomtable.engine.woven.words import tell


def _view(contest: Contest, viewer: str) -> dict[str, Any]:
    """A player sees everything that lies face up, and the own spells and home card (WO-16).

    Not seen are the spells of others that were not cast yet, their home cards until they come onto the map, spells
    that lie aside face down, and the order of decks. The storyteller sees everything but the order of decks.
    """
    view: dict[str, Any] = to_builtins(contest)
    view["stack"] = {"pile": len(contest.stack.pile), "discards": len(contest.stack.discards)}
    view["homes"] = len(contest.homes.pile)
    for name, mage in contest.mages.items():
        view["mages"][name]["laid"] = to_builtins(tapestry_rows(mage))
    if viewer == STORYTELLER:
        return view
    if not contest.aside_shown:
        view["aside"] = [FACE_DOWN] * len(contest.aside)
    for name, mage in contest.mages.items():
        if name != viewer:
            view["mages"][name] |= _hidden(mage)
    return view


def _hidden(mage: Mage) -> dict[str, Any]:
    """What takes the place of what only the mage's own player sees."""
    hidden: dict[str, Any] = {"hand": [FACE_DOWN] * len(mage.hand), "dealt": [FACE_DOWN] * len(mage.dealt)}
    if mage.home_card is not None and not mage.home_shown:
        hidden["home_card"] = FACE_DOWN
    return hidden


WOVEN: System[Contest] = System(
    "woven",
    "Woven",
    rules=Rules("1", RULINGS),
    setting_up=SettingUp(
        begin=no_setup("Woven", Contest), people=lambda contest: {name: (name,) for name in contest.mages}
    ),
    # no sentence names what lies hidden (``words.py``)
    words=shipped_words("woven", tell, lambda event, contest, viewer: True),
    looks=Looks(
        view=_view,
        hints=spells_in_reach,
        turn=lambda contest: contest.turn.mage if contest.turn is not None and not contest.winners else "",
    ),
    presentation=Presentation(
        card_names={
            Kind.HOME: lambda card: f"Home {card.number}" if card.number < FIRST_OWN else "a card of your own",
            Kind.SPELL: lambda card: spell_numbered(card.number).name,
            Kind.TAPESTRY: lambda card: f"tapestry card {card.number}, side {card.side}",
        },
        about="A contest of mages on a land of their own: threads, tapestries and spells.",
        motif="red-thread",
        groups=("The turn", "The game"),
        quick_start=package_file("templates", "quick_starts", "woven.yaml"),
        evening="woven-three-at-the-loom",
        likely=("place-thread", "acquire-card", "move", "rest", "set-up"),
        ready_evenings=(package_file("templates", "ready_evenings", "woven.yaml"),),
    ),
)
"""Mages on a region map, who cast spells by weaving threads on tapestries of overlapping cards."""


def playing(play: Play[Contest], who: str) -> Mage:
    """The mage of this player, in a game that is on.

    Raises:
        IllegalAction: nothing was set up, the game is over, or there is no such mage.
    """
    contest = play.state
    mage = contest.mage(who)
    if contest.winners:
        raise IllegalAction(f"the game is over; {' and '.join(contest.winners)} won")
    if contest.turn is None:
        raise IllegalAction("the game has not begun yet")
    return mage


def acting(play: Play[Contest], who: str) -> Mage:
    """The mage of this player, whose turn it is.

    Raises:
        IllegalAction: it is somebody else's turn, or no game is on.
    """
    mage = playing(play, who)
    turn = play.state.turn
    assert turn is not None
    if turn.mage != who:
        raise IllegalAction(f"it is {turn.mage}'s turn, not {who}'s")
    return mage


def pay(mage: Mage, cost: int, what: str) -> None:
    """Refuse what costs more mana than is in the pool.

    Raises:
        IllegalAction: the pool holds too little.
    """
    if mage.pool < cost:
        raise IllegalAction(
            f"{what} costs {cost} mana; {mage.name} has {mage.pool} in the pool"
            + (f" and {mage.spent} spent, which resting brings back" if mage.spent else "")
        )


def on_map(mage: Mage, what: str) -> None:
    """Refuse what needs a body on the map.

    Raises:
        IllegalAction: the mage has none there.
    """
    if not mage.on_map:
        raise IllegalAction(f"{mage.name} is not on the map and cannot {what}; move there first (Move)")
