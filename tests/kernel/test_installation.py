"""The line that installs Loomtable again is that by which it was installed: pipx, uv, pip or a checkout."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from loomtable.engine.kernel import installation
from loomtable.engine.kernel.installation import again, install_line, version, version_in_full
from loomtable.engine.kernel.journal import Opened
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS

WHEEL = "file:///home/ada/Our%20games/loomtable-0.9.0-py3-none-any.whl"
ASKED = f"'loomtable[decks] @ {WHEEL}'"


@pytest.mark.parametrize(
    ("mark", "origin", "line"),
    [
        ("pipx_metadata.json", {"url": WHEEL}, f"pipx install --force {ASKED}"),
        ("uv-receipt.toml", {"url": WHEEL}, f"uv tool install --force {ASKED}"),
        ("lib/python3.13/site-packages/pip/__init__.py", {"url": WHEEL},
         f"{sys.executable} -m pip install --force-reinstall {ASKED}"),
        ("lib/python3.13/site-packages/nothing", {"url": WHEEL},
         f"uv pip install --python {sys.executable} --reinstall {ASKED}"),
        ("pipx_metadata.json", {"url": "file:///home/ada/our%20loom", "dir_info": {"editable": True}},
         f"{sys.executable} -m pip install --editable '/home/ada/our loom[decks]'"),
        ("pipx_metadata.json", {}, f"pipx install --force './loomtable-{version()}-py3-none-any.whl[decks]'"),
    ],
)  # fmt: skip
def test_the_line_is_that_of_whatever_installed_it(
    mark: str, origin: dict[str, object], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / mark).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / mark).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(installation, "_origin", lambda: origin)
    extras: set[str] = set()
    monkeypatch.setattr(installation, "find_spec", lambda library: library in extras or None)
    assert install_line("decks") == line
    extras.add("psycopg")
    assert install_line("decks") == line.replace("[decks]", "[decks,postgresql]"), "it keeps what was there"
    extras.clear()
    assert again() == f"install Loomtable again: {install_line()}"
    assert "[" not in install_line()


def test_the_line_for_this_one_works_as_far_as_it_can_be_tried() -> None:
    """pip takes it for a requirement that can be met here, without any network."""
    dry = shlex.split(install_line())
    if dry[1:3] != ["-m", "pip"] or "--editable" not in dry:
        pytest.skip("this is no checkout with pip")
    dry += ["--dry-run", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run(dry, capture_output=True, text=True)
    assert f"Would install loomtable-{version()}" in done.stdout, done.stdout + done.stderr


def test_a_checkout_says_its_commit_and_a_wheel_its_version_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@b", *words], check=True
        )

    monkeypatch.setattr(installation, "_origin", lambda: {"url": WHEEL})
    assert version_in_full() == version()
    monkeypatch.setattr(
        installation, "_origin", lambda: {"url": tmp_path.as_uri(), "dir_info": {"editable": True}}
    )
    assert version_in_full() == f"{version()}, a checkout", "there is no repository yet"
    git("init", "--quiet")
    (tmp_path / "a").touch()
    git("add", "a")
    git("commit", "--quiet", "-m", "a")
    words, _, commit = version_in_full().rpartition(" ")
    assert words == f"{version()}, a checkout at"
    assert len(commit) == 8
    (tmp_path / "a").write_text("b")
    assert version_in_full() == f"{words} {commit}, changed since"


def test_a_journal_names_the_program_that_began_it() -> None:
    [line] = Session.open(SYSTEMS["weave"], seed="s").lines()
    assert isinstance(line.entry, Opened)
    assert line.entry.program == version()
