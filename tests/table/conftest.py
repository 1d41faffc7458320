"""Stores to play on: a file of SQLite, and a database of a real PostgreSQL server where there is one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.postgres import NoPostgres, place_in, postgres_server

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """A running PostgreSQL server: the folder of its socket."""
    try:
        server = postgres_server()
        folder = server.__enter__()
    except (NoPostgres, ImportError, OSError) as missing:
        pytest.skip(f"no PostgreSQL server: {missing}")
    yield folder
    server.__exit__(None, None, None)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new and empty store can be opened."""
    if request.param == "sqlite":
        return str(tmp_path / "evenings.db")
    return place_in(request.getfixturevalue("postgres"), f"evenings_{next(_NUMBERS)}")
