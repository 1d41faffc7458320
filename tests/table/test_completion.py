"""What the shell offers when Tab is pressed."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.main import get_command

from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.cards.playset import playset_names
from loomtable.printkit.catalogue import components, kits
from loomtable.printkit.sheet.papers import PAPERS
from loomtable.table.commands import completion
from loomtable.table.commands.main import COMMANDS, app, run
from loomtable.table.hosting.host import TableHost
from loomtable.table.settings import CHECKS, change_setting, usual_store
from loomtable.table.store import open_store


class _Shell:
    """Bash, when Tab is pressed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, typed: str) -> list[str]:
        """What is offered for the last word of a command line; an empty one after a space."""
        with self._monkeypatch.context() as shell:
            shell.setenv("_LOOM_COMPLETE", "complete_bash")
            shell.setenv("COMP_WORDS", f"loom {typed}")
            shell.setenv("COMP_CWORD", str(len(typed.split(" "))))
            with pytest.raises(SystemExit):
                run([])
        return self._capsys.readouterr().out.split()


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> _Shell:
    return _Shell(monkeypatch, capsys)


def test_commands_are_completed(offered: _Shell) -> None:
    assert offered("pri") == ["print"]
    assert set(offered("")) == set(COMMANDS)


@pytest.mark.parametrize("command", ["play ", "rulings ", "print --system ", "odds "])
def test_games_are_completed(offered: _Shell, command: str) -> None:
    assert set(offered(command)) == set(SYSTEMS) - ({"woven"} if command == "odds " else set())


def test_kits_and_components_are_completed(offered: _Shell) -> None:
    everything = [*kits(), *components()]
    assert offered("print ") == everything
    assert offered("print weave-d") == [name for name in everything if name.startswith("weave-d")]


def test_sessions_are_completed_of_the_store_that_is_named_or_usual(offered: _Shell, tmp_path: Path) -> None:
    assert offered("journal --session ") == []
    for place, name in ((tmp_path / "ours.db", "friday"), (Path(usual_store()), "sunday")):
        with open_store(place) as store:
            TableHost(store).begin("weave", name)
    assert offered("journal --session ") == ["sunday"]
    assert offered(f"journal --store {tmp_path / 'ours.db'} --session f") == ["friday"]
    (tmp_path / "ours.db").write_bytes(b"torn" * 100)
    assert offered(f"journal --store {tmp_path / 'ours.db'} --session ") == []


def test_playsets_papers_cameras_and_settings_are_completed(offered: _Shell) -> None:
    assert offered("scan --for episode --playset ") == list(playset_names())
    assert offered("print weave --paper ") == list(PAPERS)
    assert offered("scan --for c") == ["character", "challenge"]
    assert set(CHECKS) <= set(offered("settings "))
    assert offered("settings colour ") == ["auto", "always", "never"]
    assert "weave.strikes-on-rerolls" in offered("settings weave.")
    assert offered("read --camera ") == offered("cameras ")


def test_every_list_that_is_offered_can_be_looked_up(offered: _Shell) -> None:
    context = typer.Context(get_command(app))
    named = vars(completion).items()
    lists = {name: value for name, value in named if getattr(value, "__name__", "") == "complete"}
    assert len(lists) > 15
    for name, offers in lists.items():
        assert isinstance(offers(context, ""), list), name


def test_a_broken_setting_offers_nothing_and_says_nothing(offered: _Shell, tmp_path: Path) -> None:
    change_setting("store", str(tmp_path / "none.db"))
    assert offered("journal --session ") == []
