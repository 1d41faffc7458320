"""About what a fight may cost: against laws that fights have, against what is played, and as advice to a host."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds import spellwoven_fight, weave_fight
from loomtable.engine.odds.played import fair_fights
from loomtable.engine.odds.spellwoven import attack_odds
from loomtable.engine.odds.weave import challenge_odds
from loomtable.engine.odds.weave_fight import Striker, best_suit, plain_fight
from loomtable.engine.ready_evening import begun_ready
from loomtable.engine.spellwoven.encounters import encounter_names
from loomtable.engine.spellwoven.levels import Levels
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.suits import Suit
from loomtable.table.screens import screen_of
from loomtable.testing import play_on
from loomtable.testing.player import in_all
from loomtable.testing.players import spellwoven, weave

NOBODY = Striker((0, 0, 0, 0), track=1)


def test_a_foe_who_falls_at_the_first_hit_stands_as_long_as_the_odds_of_a_pass_say() -> None:
    """Two tries a round, alone and against somebody who has nothing to hit with: a geometric law."""
    hero = Striker((2, 0, 0, 0))
    miss = 1 - challenge_odds(5, 1).passed
    fought = plain_fight((hero,), (NOBODY,), 4000)
    assert fought.won == 1
    assert fought.rounds == pytest.approx(float(1 / (1 - miss * miss)), abs=0.05)


def test_the_weakest_suit_is_attacked() -> None:
    assert best_suit(Striker((1, 1, 1, 1)), Striker((5, 4, 2, 3))) == 2
    assert best_suit(Striker((3, 0, 0, 0)), Striker((2, 1, 1, 1))) == 0


def test_more_dice_more_foes_and_longer_tracks_never_help_the_heroes() -> None:
    heroes = tuple(Striker(tuple(3 * (suit == own) for suit in range(4))) for own in range(4))
    by_dice = [plain_fight(heroes, (Striker((dice,) * 4),) * 2) for dice in range(3, 7)]
    assert [one.won for one in by_dice] == sorted((one.won for one in by_dice), reverse=True)
    by_foes = [plain_fight(heroes, (Striker((3,) * 4),) * foes) for foes in (1, 3, 5)]
    assert [one.wounds for one in by_foes] == sorted(one.wounds for one in by_foes)
    short, long = (plain_fight(heroes, (Striker((5,) * 4, track=track),) * 2) for track in (4, 10))
    assert short.wounds < long.wounds and short.rounds < long.rounds


def test_one_blow_in_spellwoven_falls_as_often_as_its_odds_say() -> None:
    """No slots but Felling and Mortal, no soak: whatever wounds also fells, and a glance does nothing."""
    body = spellwoven_fight.Reserves(Levels(), Levels(), 0)
    slots = Levels(felling=1, mortal=1)
    hero = spellwoven_fight.Warrior(9, 6, ((5, 4),), 0, slots, Levels(), body)
    post = spellwoven_fight.Warrior(1, 2, ((0, 1),), 0, slots, Levels(), body)
    odds = attack_odds(5, 2, 4)
    wounded = sum((chance for severity, chance in odds.severities.items() if severity != "glance"), Fraction(0))
    fought = spellwoven_fight.plain_fight((hero,), (post,), 4000)
    assert fought.rounds == pytest.approx(float(1 / wounded), rel=0.06)


def test_it_comes_near_to_what_is_played_by_all_the_rules() -> None:
    """Cards are left out of it, so one party may do better or worse; several together are near."""
    quick, played = 0.0, []
    for number in range(8):
        game = weave.party(4, 1, 2, f"near/{number}")
        foe = {"npc": "Foe", "enemy": True, "dice": dict.fromkeys([suit.value for suit in Suit], 4)}
        game = play_on(WEAVE, game, lambda season: True, opening=[Action("add-npc", foe)])
        [season, heroes] = game.state, list(game.state.characters)
        expected = weave_fight.expected_of(season.characters.values(), season.npcs.values(), own_track=False)
        assert expected is not None
        quick += expected.won / 8
        played += [weave.fight_played(game, heroes, ["Foe"], str(n)) for n in range(8)]
    assert abs(in_all(played).share.chance - quick) < 0.25
    for encounter in encounter_names():
        four, opening = spellwoven.encountered(encounter, {})
        there = play_on(SPELLWOVEN, four, lambda one: True, opening=opening[:1]).state.characters.values()
        heroes_and_foes = [[c for c in there if c.is_player_character is ours] for ours in (True, False)]
        roughly = spellwoven_fight.expected_of(*heroes_and_foes)
        assert roughly is not None
        assert abs(roughly.won - fair_fights().fair_fights["spellwoven"][encounter].share.chance) < 0.15


def advice(session: Session[Any], viewer: str) -> str:
    return str([panel.blocks for panel in screen_of(session, viewer) if panel.title == "If it comes to a fight"])


def test_the_storyteller_reads_what_a_fight_may_cost_before_it_begins_and_nobody_else_does() -> None:
    session = begun_ready(SYSTEMS["weave"], "tonight", random.Random(1))
    session.perform("add-npc", npc="The Bailiff", enemy=True, dice=dict.fromkeys(("flames", "brooks"), 3))
    heroes = [session.state.characters[name] for name in session.state.present]
    told = advice(session, STORYTELLER)
    fought = weave_fight.expected_of(heroes, [session.state.npcs["The Bailiff"]], own_track=False)
    assert fought is not None
    assert (
        f"Two of level 1 against The Bailiff: about {fought.won:.0%} win, {fought.wounds:.1f} Wounds each." in told
    )
    boss = session.state.foundation[-1].quality.name
    assert f"against {boss}:" in told
    assert advice(session, "Ada") == "[]"
    session.perform("begin-encounter", against=["The Bailiff"], combat=True)
    assert advice(session, STORYTELLER) == "[]"


def test_while_theme_location_and_boss_are_still_chosen_there_is_nobody_to_fight() -> None:
    session = Session.open(SYSTEMS["weave"], seed="s", rulings={"decks": "dealt"})
    session.perform("new-season", playset="the-salt-road")
    source = random.Random(1)
    while session.pending is not None:
        assert advice(session, STORYTELLER) == "[]"
        session.answer(random_answer(session.pending, source))


def test_an_open_encounter_of_spellwoven_says_it_too_until_it_comes_to_a_fight() -> None:
    session = begun_ready(SYSTEMS["spellwoven"], "tonight", random.Random(1))
    cost = "Four against Corvin Ash, Nell Quick, Big Ewan and Little Ewan: about 99% win, 0.3 of them fall."
    assert cost in str(screen_of(session, STORYTELLER))
    assert cost not in str(screen_of(session, "Ada"))
    session.perform("begin-conflict")
    assert cost not in str(screen_of(session, STORYTELLER))
