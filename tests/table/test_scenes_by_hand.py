"""Short scenes played by virtual hands alone; ``benchmarks.hands`` plays them to the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from loomtable.table.commands.main import run
from loomtable.table.games.weave.demo.hands import run_hands
from tests.table.scenes_by_hand import (
    mnemonic_scenes,
    spellwoven_conflict,
    storm_weavers_fight,
    weave_scene,
    woven_game,
)
from tests.tiers import thorough
from tests.vision.needed import needs_networks

pytestmark = needs_networks


@thorough
def test_a_challenge_of_weave_is_laid_thrown_and_answered_by_hand() -> None:
    evening = weave_scene(2, challenges=1)
    evening.check()
    assert [one.meant[0].split()[0] for one in evening.played if one.meant] == ["printed-decks", "roll"]
    assert evening.touches == 0


def test_a_round_of_storm_weavers_is_moved_and_thrown_by_hand() -> None:
    evening = storm_weavers_fight(1, rounds=1)
    evening.check()
    moved = [one for one in evening.played if one.did.startswith("move F1")]
    assert [one.took for one in moved] == [("answer C3",)] and evening.touches == 0


@thorough
def test_a_scene_of_mnemonic_is_turned_chosen_and_thrown_by_hand() -> None:
    evening = mnemonic_scenes(1, scenes=1)
    evening.check()
    meant = [one.meant[0].split()[0] for one in evening.played if one.meant]
    assert (meant[:3], evening.touches) == (["scene", "answer", "roll"], 0)


@thorough
def test_a_round_of_spellwoven_is_moved_by_hand_on_the_ring_mat() -> None:
    evening = spellwoven_conflict(1, rounds=1)
    evening.check()
    meant = [one.meant[0].split()[0] for one in evening.played if one.meant]
    assert (meant, evening.touches) == (["move", "move", "next-round"], 0)


@thorough
def test_tendrils_of_woven_are_created_and_moved_by_their_counters() -> None:
    evening = woven_game(1, turns=3, moved=True)
    evening.check()
    meant = [one.meant[0].split()[0] for one in evening.played if one.meant]
    assert (meant, evening.touches) == (["create-tendril", "create-tendril", "move-tendril"], 0)


@thorough
def test_a_game_of_woven_for_two_is_played_by_counters_cards_and_figures() -> None:
    evening = woven_game(1)
    evening.check()
    meant = {one.meant[0].split()[0] for one in evening.played if one.meant}
    assert meant >= {"move", "create-tendril", "move-tendril", "place-thread", "acquire-card", "end-turn"}
    assert evening.touches == 0


@thorough
def test_the_demo_writes_a_challenge_played_by_hand_as_a_moving_picture(tmp_path: Path) -> None:
    made = run_hands(tmp_path, seed=6, tell=lambda line: None)
    assert made.touches == 0 and "Ilse faces a Brooks Challenge of level 2 with 3 dice." in made.story
    film = Image.open(made.film)
    assert film.n_frames > 40 and Path(made.film).stat().st_size < 3_000_000  # type: ignore[attr-defined]


def test_hands_need_no_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"
    assert run(["demo", "--hands", "--camera", "0", "--output", str(folder)]) == 2
    assert "leave --image and --camera out" in capsys.readouterr().err
    assert not folder.exists()
