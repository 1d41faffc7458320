"""Stores to play on, SQLite and PostgreSQL where there is one, and a table at which an evening has begun."""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from loomtable.vision.pictures import BgrImage
from tests.table.asking import Asker, Table, a_tale
from tests.table.browsing import Served, chromium, serving
from tests.table.filming import TWO, shot
from tests.table.postgres import NoPostgres, place_in, postgres_server

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a test's home is; to number each, pytest would count all that there are."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, homes: Path) -> Path:
    """What is kept from evening to evening is kept here, and nobody's real dice and settings are touched."""
    home = Path(tempfile.mkdtemp(dir=homes))
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(home))
    monkeypatch.setattr(platformdirs, "user_config_dir", lambda *_, **__: str(home / "config"))
    return home


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


@pytest.fixture
def friday(tmp_path: Path) -> Iterator[Table]:
    """A table on which Thymin is about to test his Wisdom."""
    with TableHost(open_store(tmp_path / "e.db")) as host:
        a_tale(host).take(Action("test", {"attribute": "wisdom"}), by="", revision=2)
        yield Table(host, hurried=True)


@pytest.fixture
def host(friday: Table) -> Asker:
    """The host's device at that table."""
    return friday.join(Role.HOST)


@pytest.fixture
def in_turns() -> Iterator[None]:
    """Threads change as often as Python lets them: after every microsecond."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


_NEED_ONE: set[Path] = set()
"""Files with pages: they come first, one after the other, and share a browser."""
_BROWSERS: dict[Any, Iterator[Any]] = {}
"""The browser that is open, if one is."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    _NEED_ONE.update(item.path for item in items if "shared_browser" in getattr(item, "fixturenames", ()))
    items.sort(key=lambda item: item.path not in _NEED_ONE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """A test without a page has an event loop to itself, while the browser's waits."""
    loop = asyncio._get_running_loop() if _BROWSERS else None
    if loop and "shared_browser" not in getattr(item, "fixturenames", ()):
        asyncio._set_running_loop(None)
    done = yield
    if loop:
        asyncio._set_running_loop(loop)
    while _BROWSERS and (nextitem is None or nextitem.path not in _NEED_ONE):
        next(_BROWSERS.popitem()[1], None)
    return done


@pytest.fixture(scope="module")
def browser(shared_browser: Any) -> Any:
    """A browser; without one the test is skipped. A file may have one of its own instead."""
    return shared_browser


@pytest.fixture(scope="module")
def shared_browser() -> Any:
    if not _BROWSERS:
        opened = chromium()
        _BROWSERS[next(opened)] = opened
    return next(iter(_BROWSERS))


@pytest.fixture
def table(browser: Any, tmp_path: Path) -> Iterator[Served]:
    """A table that is served, for pages in the browser."""
    with serving(browser, tmp_path) as here:
        yield here


@pytest.fixture(scope="session")
def empty() -> BgrImage:
    """The felt under the camera, before any dice were thrown."""
    return shot(())


@pytest.fixture(scope="session")
def lying() -> BgrImage:
    """Two dice that lie on it."""
    return shot(TWO)
