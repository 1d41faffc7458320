"""The container file: what it starts comes up healthy, keeps its sessions, and stops when told to."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.container import Recipe
from tests.table.ports import free_port
from tests.tiers import thorough


@thorough
def test_what_the_container_starts_is_healthy_until_it_is_stopped(tmp_path: Path) -> None:
    port = free_port()
    recipe = Recipe.read(port)
    assert recipe.command[:2] == ("loom", "table")
    recipe.run([sys.executable, "-m", "loomtable"], sys.executable, tmp_path)


def test_the_container_runs_as_a_user_without_rights() -> None:
    assert Recipe.read().user not in ("", "0", "root")
