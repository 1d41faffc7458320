"""Setting up: map, mages, home cards, the draft of spells, the first tapestry cards (WO-1, WO-2, WO-16)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import blake2b

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option, ShowCard
from loomtable.engine.woven.arguments import MapName, PlayerName
from loomtable.engine.woven.events.beginning import (
    SEATS,
    HandsPassed,
    HomeDealt,
    SetUp,
    SpellKept,
    SpellsDealt,
    SpellsSetAside,
    TurnBegun,
)
from loomtable.engine.woven.region_map import map_names, region_map
from loomtable.engine.woven.spells import spell_named, spell_numbered, spells
from loomtable.engine.woven.state import Contest, Dye
from loomtable.engine.woven.system import WOVEN
from loomtable.engine.woven.tapestries import lay_first_card

PLAYERS = range(2, 6)
HAND = 7
"""Spells that each player is dealt, and keeps in the end (WO-2)."""
ROUNDS = 12
"""Rounds that more than two players play, where nobody names another number."""
LONGEST_NAME = 30


@WOVEN.action("set-up", "WO-1", "WO-2", "WO-16", group="The game", opens=True)
def set_up(
    play: Play[Contest],
    *,
    players: tuple[PlayerName, ...],
    map: MapName = "",  # noqa: A002 - the argument's name in transcripts
    rounds: int | None = None,
    colours: tuple[Dye, ...] = (),
) -> Steps[None]:
    """Set up a game for two to five players, named clockwise; the first one begins.

    They draft seven spells each and lay a first tapestry card. rounds is after how many the game ends; without it,
    two players play until it is decided and more play twelve. colours are the players', in their order; who names
    none has the next that is free.
    """
    if play.state.mages:
        raise IllegalAction("this game is set up already; another game is a new session")
    trouble = _trouble_with(players, rounds) or _trouble_with_colours(players, colours)
    if trouble:
        raise IllegalAction(trouble)
    last = rounds if rounds is not None or len(players) == len(SEATS) else ROUNDS
    free = [colour for colour in Dye if colour not in colours]
    chosen = (*colours, *free)[: len(players)]
    yield SetUp(
        players=players, map=_map(play, map, len(players)), seed=play.seed, last_round=last, colours=chosen
    )
    if len(players) != len(SEATS):
        yield from _deal_homes(play)
    if play.ruled("decks") == "dealt":
        yield from _draft(play)
    else:
        yield from _show_kept_spells(play)
    yield SpellsSetAside(
        count=len(spells()) - HAND * len(players), shown=play.ruled("fifth-player-leftover") == "shown-to-all"
    )
    for who in players:
        yield from lay_first_card(play, who, rule="WO-2")
    yield TurnBegun(who=players[0], round=1)


def _trouble_with(players: Sequence[str], rounds: int | None) -> str:
    """Why these people cannot play, in words; empty where they can."""
    if len(players) not in PLAYERS:
        return f"Woven is for {PLAYERS[0]} to {PLAYERS[-1]} players, not {len(players)}"
    for name in players:
        if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            return f"a player's name is one line of 1 to {LONGEST_NAME} characters"
        if name == STORYTELLER:
            return f"nobody can be called {STORYTELLER}: that is who sees everything"
    if len(set(players)) != len(players):
        return "two players cannot have the same name"
    if rounds is not None and rounds < 1:
        return f"a game has at least one round, not {rounds}"
    return ""


def _trouble_with_colours(players: Sequence[str], colours: Sequence[Dye]) -> str:
    """Why these colours cannot be theirs, in words; empty where they can."""
    if len(colours) > len(players):
        return f"there are {len(colours)} colours for {len(players)} players"
    twice = next((colour for colour in colours if colours.count(colour) > 1), None)
    return f"two players cannot both be {twice.label}" if twice else ""


def _map(play: Play[Contest], wanted: str, players: int) -> str:
    """The key of the map, checked to have a place for everybody.

    Raises:
        IllegalAction: it has too few home places.
        LoomtableError: there is no such map, or it does not hold together.
    """
    if not wanted:
        names, place = map_names(), 0
        if play.ruled("map") == "by-seed":
            place = int.from_bytes(blake2b(f"{play.seed}/map".encode(), digest_size=8).digest(), "big")
        wanted = names[place % len(names)]
    ground = region_map(wanted)
    if players > len(SEATS) and len(ground.homes) < players:
        raise IllegalAction(f"the map {wanted} has {len(ground.homes)} home places, too few for {players} players")
    return wanted


def _deal_homes(play: Play[Contest]) -> Steps[None]:
    """A random home card for each player, which nobody else sees (WO-2)."""
    for who in play.state.mages:
        left = play.state.homes.pile
        if play.ruled("decks") == "dealt":
            yield HomeDealt(who=who, card=left[0])
            continue
        every = tuple(range(1, len(play.state.ground.homes) + 1))
        question = ShowCard(Kind.HOME, "Home card, drawn unseen", every, by=who, rule="WO-2")
        yield HomeDealt(who=who, card=(yield from _own_card(question, left)))


def _draft(play: Play[Contest]) -> Steps[None]:
    """Deal seven, keep one, pass the rest to the left, until nothing is left to pass (WO-2)."""
    deck = Deck(f"{play.seed}/spells", tuple(spells())).shuffle()
    hands = {}
    for who in play.state.mages:
        hands[who], deck = deck.draw(HAND)
    yield SpellsDealt(hands=hands)
    for keeping in range(1, HAND + 1):
        for who, mage in play.state.mages.items():
            spell = mage.dealt[0]
            if len(mage.dealt) > 1:
                options = tuple(_as_option(key) for key in mage.dealt)
                question = Choose(f"Keep a spell, {keeping} of {HAND}", options, by=who, rule="WO-2")
                spell = (yield from ask(question)).key
            yield SpellKept(who=who, spell=spell)
        if keeping < HAND:
            yield HandsPassed()


def _as_option(key: str) -> Option:
    spell = spell_named(key)
    pattern = " / ".join(" ".join(row) for row in spell.pattern.marks())
    return Option(key, f"{spell.name} ({spell.element}, {pattern})", spell.says)


def _show_kept_spells(play: Play[Contest]) -> Steps[None]:
    """After a draft by hand, everybody shows the seven kept, to the engine alone (WO-2).

    Every request allows all spells that this player has not shown, so that none tells what another player has.
    """
    for who in play.state.mages:
        for keeping in range(1, HAND + 1):
            own = play.state.mages[who].hand
            among = tuple(spell.number for spell in spells().values() if spell.key not in own)
            question = ShowCard(
                Kind.SPELL, f"Spell that you kept, {keeping} of {HAND}", among, by=who, rule="WO-2"
            )
            kept = {key for mage in play.state.mages.values() for key in mage.hand}
            free = [spell.number for spell in spells().values() if spell.key not in kept]
            number = yield from _own_card(question, free)
            yield SpellKept(who=who, spell=spell_numbered(number).key)


def _own_card(question: ShowCard, free: Collection[int]) -> Steps[int]:
    """The number of a card that nobody has shown before; a person who shows another is asked again.

    The list of the question cannot say so, as it would tell what others have.
    """
    number = (yield from ask(question)).card.number
    while number not in free:
        why = "That card cannot be yours; show one of your own."
        number = (yield from ask(msgspec.structs.replace(question, why=why))).card.number
    return number
