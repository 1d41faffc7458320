"""My Game: roll as often as you dare, and stop before you have more than 21."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from loomtable.game import (
    PLAYER,
    Block,
    Choose,
    Die,
    Event,
    IllegalAction,
    Looks,
    Names,
    Option,
    Play,
    Presentation,
    Reference,
    Roll,
    Rules,
    Session,
    SettingUp,
    Steps,
    System,
    Words,
    ask,
    no_setup,
    to_builtins,
)
from loomtable.panels import Facts, Panel, Track

MOST = 21


class Player(msgspec.Struct, frozen=True):
    """One player: the best total so far, and the turns taken."""

    best: int = 0
    turns: int = 0


class Table(msgspec.Struct, frozen=True):
    """Everything there is to know about the game. It never changes: events make a new one."""

    players: dict[str, Player] = {}


class Stopped(Event, frozen=True, kw_only=True):
    """A turn is over."""

    who: str
    total: int

    def apply(self, state: Table) -> Table:
        """A total over 21 counts for nothing."""
        was = state.players.get(self.who, Player())
        best = max(was.best, self.total if self.total <= MOST else 0)
        return Table({**state.players, self.who: Player(best, was.turns + 1)})


def _view(table: Table, viewer: str) -> dict[str, Any]:
    """What a viewer may see: here all of it. Whatever is hidden is left out here, and nowhere else."""
    seen: dict[str, Any] = to_builtins(table)
    return seen


def _tell(event: Event, table: Table, viewer: str) -> str:
    assert isinstance(event, Stopped)
    return (
        f"{event.who} stops at {event.total}."
        if event.total <= MOST
        else f"{event.who} has {event.total}: too many."
    )


GAME: System[Table] = System(
    "my-game",
    "My Game",
    rules=Rules("1"),
    setting_up=SettingUp(
        begin=no_setup("My Game", Table), people=lambda table: {who: (who,) for who in table.players}
    ),
    words=Words(tell=_tell, hears=lambda event, table, viewer: True),
    looks=Looks(view=_view),
    presentation=Presentation(about="Two dice, and how much you dare.", motif="well", groups=("The dice",)),
)

Who = Annotated[str, Names(lambda seen: seen["players"], closed=False, acting=True)]


@GAME.action("roll", "MG-1", begun_by=PLAYER, group="The dice", opens=True)
def roll(play: Play[Table], *, who: Who) -> Steps[None]:
    """Roll two dice as often as you dare, and stop before you have more than 21."""
    if not who.strip():
        raise IllegalAction("a player needs a name")
    total, on = 0, True
    while on and total <= MOST:
        lying = yield from ask(Roll(die=Die.D6, count=2, purpose=f"{total} so far", by=who, rule="MG-1"))
        total += sum(lying.pips)
        if total < MOST:
            options = (Option("stop", "Stop"), Option("on", "Roll again"))
            chosen = yield from ask(Choose(f"{total}: stop or roll again?", options, by=who, rule="MG-1"))
            on = chosen.key == "on"
        else:
            on = False
    yield Stopped(who=who, total=total, rule="MG-1")


@GAME.reference
def in_short() -> Reference:
    """What stands on the printed reference card."""
    return Reference(front=(Block("Your turn", "MG-1", "Roll two dice, add them, and stop by 21."),), back=())


def sheets(session: Session[Table], viewer: str, seen: Mapping[str, Any]) -> tuple[Panel, ...]:
    """A sheet for each player, on page, phone, television and terminal."""
    return tuple(
        Panel(
            f"sheet-{who}",
            who,
            (Track("Best", player["best"], MOST), Facts({"Turns": player["turns"]})),
            whose=who,
        )
        for who, player in seen["players"].items()
    )
