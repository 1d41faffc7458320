"""Whole games at random, to their end, with every law held at every step; and the list of legal moves."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from loomtable.engine.kernel.errors import IllegalAction, LoomtableError
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.play import Action, Game, Play, apply
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import replay
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.woven.bodies import BODIES_TO_WIN
from loomtable.engine.woven.cards import tapestry_cards
from loomtable.engine.woven.events.ground import BodyDestroyed
from loomtable.engine.woven.events.weaving import NoEffect, SpellCast
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.rulings import RULINGS
from loomtable.engine.woven.spells import spells
from loomtable.engine.woven.state import MANA, Contest
from tests.short import raises
from tests.systems.woven_table import Table, road
from tests.tiers import mostly
from tests.woven_playing import PEOPLE, WovenEvening, aimed_answer, aimed_move


def hold_the_laws(contest: Contest) -> None:
    """What is true of every game of Woven at every moment."""
    land = contest.ground
    cards = [*contest.stack.pile, *contest.stack.discards]
    known = list(contest.aside)
    for mage in contest.mages.values():
        assert mage.mana == MANA, "thirteen mana, wherever they lie (WO-1)"
        assert mage.pool >= 0 <= mage.spent
        assert all(count > 0 for count in (*mage.tendrils.values(), *mage.charges.values()))
        assert set(mage.tendrils) <= set(land.by_key)
        assert mage.place in (*land.by_key, "")
        assert set(mage.charges) <= set(mage.shown), "charges lie on spells that were cast"
        seen = mage.tapestry.visible()
        assert all(seen[spot] is None for spot in mage.threads), "threads lie in boxes (WO-11)"
        assert len(set(mage.threads)) == len(mage.threads)
        cards += [placed.card for placed in mage.tapestry.placements]
        cards += [mage.drawn] if mage.drawn is not None else []
        known += [*mage.hand, *mage.shown, *mage.dealt]
    assert sorted(cards) == sorted(tapestry_cards()), "every card lies in one place"
    assert len(known) == len(set(known)), "every spell is one player's"
    assert set(known) <= set(spells())


@pytest.mark.parametrize(("players", "seed"), mostly(product((2, 3, 4, 5), (1, 2)), [(2, 1), (5, 1)]))
def test_a_game_to_the_end_with_every_law_held(players: int, seed: int) -> None:
    evening = WovenEvening(players, seed, rounds=25)
    for _ in evening.played(5000):
        hold_the_laws(evening.session.state)
    contest = evening.session.state
    assert contest.winners
    assert contest.turn is None
    assert evening.session.pending is None
    resumed = Session.resume(SYSTEMS, evening.session.journal)
    assert (resumed.game, resumed.story()) == (evening.session.game, evening.session.story())
    game = WOVEN.new_game({}, {"decks": "dealt"})
    for played in evening.session.played:
        for event in played.events:
            game = apply(game, event)
    assert game == evening.session.game, "the fold of the events is the state"


@pytest.mark.parametrize("seed", mostly(range(8), [1, 6]))
def test_every_law_holds_under_any_rulings(seed: int) -> None:
    source = random.Random(seed)
    rulings = {
        ruling.id.replace("-", "_"): source.choice(ruling.choices).key
        for ruling in RULINGS.values()
        if ruling.id != "decks"
    }
    evening = WovenEvening(2 + seed % 4, seed, rounds=15, **rulings)
    for _ in evening.played(800):
        hold_the_laws(evening.session.state)


@pytest.mark.parametrize("seed", mostly([1, 3, 4, 5], [5]))
def test_a_duel_is_played_on_until_a_body_was_destroyed_twice(seed: int) -> None:
    """No last round: two mages who know how to strike seek each other until one has won."""
    here, beyond = road(2)
    table = Table(
        Ada={"casts": ("sneak-n-stab", "hands-of-flame"), "place": here},
        Ben={"casts": ("fire-arrow", "creep", "haste"), "place": beyond},
    )
    source, through = random.Random(seed), table.through
    while not table.contest.winners:
        asked = through.pending
        if asked is not None:
            events = through.answer(aimed_answer(table.contest, asked, source))
        else:
            events = through.perform(aimed_move(through.game, source))
        for mage in table.contest.mages.values():
            assert mage.mana == MANA
        table.events += events
    [winner] = table.contest.winners
    assert table.mage(winner).kills == BODIES_TO_WIN
    assert [e.by for e in table.events if isinstance(e, BodyDestroyed) and e.by != e.who].count(winner) == 2


@pytest.mark.parametrize(("players", "seed"), mostly([(2, 3), (4, 3)], [(2, 3)]))
def test_what_is_listed_is_legal_and_what_is_not_is_refused(players: int, seed: int) -> None:
    evening = WovenEvening(players, seed, rounds=9)
    refused = legal = 0
    for step, _ in enumerate(evening.played(500)):
        game = evening.session.game
        if evening.session.pending is not None or game.state.turn is None or step % 7:
            continue
        for who in game.state.mages:
            listed = WOVEN.legal_actions(game, who)
            for action in _thinkable(game.state, who):
                if begins(game.state, dict(game.rulings), action):
                    assert action in listed
                    legal += 1
                else:
                    assert action not in listed
                    refused += 1
    assert legal > 100
    assert refused > 100


def begins(contest: Contest, rulings: dict[str, str], action: Action) -> bool:
    steps = WOVEN.start(Play(Game(contest, rulings), ""), action)
    try:
        next(steps)
    except IllegalAction:
        return False
    return True


def _thinkable(contest: Contest, who: str) -> list[Action]:
    """Actions of every sort, most of them out of place."""
    regions = [region.key for region in contest.ground.regions]
    grid = range(-6, 8)
    plain = ("rest", "create-tendril", "acquire-card", "end-turn")
    every: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in plain]
    every += [("move", {"to": place}) for place in regions]
    every += [("move-tendril", {"start": start, "to": to}) for start in regions for to in regions]
    every += [("recover", {"tendril": place}) for place in regions]
    every += [("place-thread", {"at": [column, row]}) for column in grid for row in grid]
    every += [("recover", {"charge": key}) for key in spells()]
    every += [("spend-charge", {"spell": key}) for key in spells()]
    return [Action(name, {"who": who, **args}) for name, args in every]


def test_every_spell_is_cast_and_does_something_in_a_shipped_transcript() -> None:
    """Cast, and not one of them only to say that it does nothing there."""
    worked = set()
    for path in sorted(package_file("templates", "transcripts").glob("woven-*.yaml")):
        for played in replay(path.read_text("utf-8"), path.name, SYSTEMS).session.played:
            cast = {event.spell for event in played.events if isinstance(event, SpellCast)}
            idle = {event.spell for event in played.events if isinstance(event, NoEffect)}
            worked |= cast - idle
    assert worked == set(spells())


def test_nobody_moves_before_the_game_or_after_it() -> None:
    assert WOVEN.legal_actions(WOVEN.new_game({}, {}), PEOPLE[0]) == ()
    evening = WovenEvening(2, 1, rounds=1)
    for _ in evening.played(100):
        pass
    assert evening.session.state.winners
    assert all(WOVEN.legal_actions(evening.session.game, who) == () for who in PEOPLE[:2])
    raises(LoomtableError, "the game is over", evening.session.perform, "rest", who="Ada")
