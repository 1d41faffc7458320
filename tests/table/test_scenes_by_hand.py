"""Short scenes played by virtual hands alone; ``benchmarks.hands`` plays them to the end."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.games.weave.demo.hands import run_hands
from loomtable.testing import EveningByHand, VirtualTable
from loomtable.testing.evening_by_hand import Upshot
from tests.short import Loom
from tests.table.playing_by_hand import Players
from tests.table.scenes_by_hand import (
    PACE,
    Weather,
    mnemonic_scenes,
    photographed_dice,
    spellwoven_conflict,
    storm_weavers_fight,
    weave_scene,
    woven_game,
)
from tests.tiers import mostly, thorough
from tests.vision.needed import needs_networks, needs_photographs

pytestmark = needs_networks


def test_a_round_of_storm_weavers_is_moved_and_thrown_by_hand() -> None:
    evening = storm_weavers_fight(1, rounds=1)
    evening.check()
    moved = [one for one in evening.played if one.did.startswith("move F1")]
    assert [one.took for one in moved] == [("answer C3",)] and evening.touches == 0


def test_coins_are_flipped_by_hand_and_read_by_a_second_camera() -> None:
    evening = storm_weavers_fight(1, weather=Weather(second=True, stories=True), rounds=1)
    evening.check()
    assert [one.took for one in evening.played if "coin" in one.did] == 2 * [("answer heads",)]


@thorough
def test_an_episode_of_weave_begins_with_three_story_cards_that_a_hand_lays() -> None:
    evening = weave_scene(2, weather=Weather(stories=True), challenges=1)
    evening.check()
    assert evening.played[0].took[:2] == ("printed-decks", "new-episode") and evening.touches == 0


@thorough
def test_a_game_of_woven_for_two_is_played_by_counters_cards_and_figures() -> None:
    evening = woven_game(1)
    evening.check()
    meant = {one.meant[0].split()[0] for one in evening.played if one.meant}
    assert meant >= {"move", "create-tendril", "move-tendril", "place-thread", "acquire-card", "end-turn"}
    assert evening.touches == 0


SHORT: dict[str, Callable[[Weather], EveningByHand]] = {
    "weave": lambda weather: weave_scene(2, weather=weather, challenges=1),
    "storm-weavers": lambda weather: storm_weavers_fight(1, weather=weather, rounds=1),
    "mnemonic": lambda weather: mnemonic_scenes(1, weather=weather, scenes=1),
    "spellwoven": lambda weather: spellwoven_conflict(1, weather=weather, rounds=1),
    "woven": lambda weather: woven_game(1, weather=weather, turns=3, moved=True),
}
"""A short scene of each game."""


@pytest.mark.parametrize(
    ("game", "rate"), mostly(itertools.product(SHORT, (3, 8, 15, 30)), [("storm-weavers", 30), ("woven", 3)])
)
def test_what_hands_do_is_taken_at_every_rate_of_frames(game: str, rate: int) -> None:
    evening = SHORT[game](Weather(rate))
    evening.check()
    assert evening.touches == 0


@thorough
@pytest.mark.parametrize("game", SHORT)
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_that_befalls_a_table_is_taken_for_what_hands_do(game: str, seed: int) -> None:
    evening = SHORT[game](Weather.drawn(seed))
    assert [str(one) for one in evening.played if one.outcome is Upshot.WRONG] == []


@thorough
@needs_photographs
def test_no_photographed_die_is_taken_for_another() -> None:
    session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    session.perform("create", dexterity_points=2)
    table = VirtualTable(seed=2, photographs=photographed_dice())
    with EveningByHand.of(session, table=table, pace=PACE) as evening:
        players = Players(evening, 1, answers=[(-150, -80), (-80, -80)], tray=(60, 40))
        for _ in range(6):
            evening.touch(Action("test", {"attribute": "wisdom"}))
            players.play_on()
        outcomes = [one.outcome for one in evening.played]
    assert Upshot.WRONG not in outcomes and outcomes.count(Upshot.TAKEN) >= 4


@thorough
def test_the_demo_writes_a_challenge_played_by_hand_as_a_moving_picture(tmp_path: Path) -> None:
    made = run_hands(tmp_path, seed=6, tell=lambda line: None)
    assert made.touches == 0 and "Ilse faces a Brooks Challenge of level 2 with 3 dice." in made.story
    film = Image.open(made.film)
    assert film.n_frames > 40 and Path(made.film).stat().st_size < 3_000_000  # type: ignore[attr-defined]


def test_hands_need_no_pictures(tmp_path: Path, loom: Loom) -> None:
    folder = tmp_path / "demo"
    heard = loom("demo", "--hands", "--camera", "0", "--output", folder, code=2).err
    assert "leave --image and --camera out" in heard
    assert not folder.exists()
