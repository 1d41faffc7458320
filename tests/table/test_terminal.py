"""The terminal's window: completion, colours, the line editor, and the recordings in the documents."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest

from docs.site.terminal_pages import PAGE, TYPED, page_with_sessions
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.terminal.console import Screen
from loomtable.table.terminal.editor import Completions, News, completed
from loomtable.table.terminal.terminal import Terminal
from tests.table.terminal_person import Person

HOME = Path(__file__).parents[2]


def offered_after(system: str, *typed: str) -> list[tuple[str, str]]:
    """What Tab would offer after these lines."""
    at_hand: list[Completions] = []
    lines = iter([*typed, None])

    class Typist:
        def line(self) -> str | None:
            return next(lines)

    def sits_down(completions: Completions, news: News) -> Typist:
        at_hand.append(completions)
        return Typist()

    session = Session.open(SYSTEMS[system], seed="x")
    Terminal(session, Screen(Person(1, 0).console), sits_down, keep=lambda one: one).run()
    return list(at_hand[0]())


def words(before: str, offered: list[tuple[str, str]]) -> list[str]:
    return [word for word, _, _ in completed(before, offered)]


def test_tab_completes_actions_arguments_people_and_commands() -> None:
    offered = offered_after("weave", "0")
    assert "challenge" in words("ch", offered)
    assert "Ilse" in words("challenge il", offered)
    assert "suit=" in words("challenge who=Ilse su", offered)
    assert ":sheet" in words(":sh", offered)


def test_tab_completes_answers_and_cards() -> None:
    assert words("fl", offered_after("weave", "0", "challenge ilse flames")) == ["flames"]
    cards = offered_after("weave", "new-season playset=the-salt-road")
    assert ("S16", "The Thorn") in cards or any(word == "S16" for word, _ in cards)
    places = offered_after("woven", "0")
    assert "A1" in words("place-thread A", places)


def test_the_recordings_in_the_documents_are_what_the_terminal_shows() -> None:
    text = PAGE.read_text("utf-8")
    assert page_with_sessions(text) == text, "make them anew: python -m docs.site.terminal_pages"
    assert text.count(" -->\n```text\n$ loom play ") == len(TYPED) + 2 == len(SYSTEMS) + 2


@pytest.mark.skipif(os.name == "nt", reason="a window of its own is opened as on Unix")
@pytest.mark.parametrize(("lines", "paged"), [(24, True), (2_000, False)])
@pytest.mark.parametrize("command", ["rulings weave", "play woven --store s.db"])
def test_what_a_window_is_too_small_for_goes_through_the_pager(
    tmp_path: Path, command: str, lines: int, paged: bool
) -> None:
    pager = {"TERM": "xterm", "PAGER": "sed s/^/paged:/", "PROMPT_TOOLKIT_NO_CPR": "1", "PYTHONPATH": str(HOME)}
    window = pexpect.spawn(
        sys.executable,
        ["-m", "loomtable", *command.split()],
        env={**{k: v for k, v in os.environ.items() if k not in ("LINES", "COLUMNS")}, **pager},
        encoding="utf-8",
        dimensions=(lines, 80),
        timeout=60,
        cwd=str(tmp_path),
    )
    if command.startswith("play"):
        window.expect("help the rest")
        window.sendline("help")
    window.expect("leave; everything is saved" if command.startswith("play") else pexpect.EOF)
    assert ("paged:" in window.before) == paged
    window.sendeof()
    window.close()


@pytest.mark.skipif(os.name == "nt", reason="a window of its own is opened as on Unix")
def test_in_a_window_there_are_colours_history_and_completion(tmp_path: Path) -> None:
    """In a real terminal, with the real line editor: Tab, arrow up, and a table that is drawn."""
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(HOME), "PROMPT_TOOLKIT_NO_CPR": "1"}
    environment.pop("NO_COLOR", None)
    window = pexpect.spawn(
        sys.executable,
        ["-m", "loomtable", "play", "weave", "--store", str(tmp_path / "s.db")],
        env=environment,
        encoding="utf-8",
        dimensions=(50, 90),
        timeout=60,
        cwd=str(HOME),
    )
    window.expect("ready evening")
    assert "\x1b[" in window.before, "there are colours"
    window.sendline("0")
    window.expect("Core challenge")
    window.expect("help the rest")
    window.send("challenge Ils")
    window.expect("Ils")
    window.send("\t")
    window.expect(r"\x1b\[0me\x1b")  # the name is completed; typing on would stop that
    window.sendline(" flames")
    window.expect("Ilse faces a Flames Challenge")
    window.sendline(":chance")
    window.expect("╭")
    window.expect(r"(picks|help the rest).*\x1b\[\?2004h")  # whatever the dice came to; then the editor reads
    window.expect(">")
    window.send("\x1b[A")  # arrow up
    window.expect(":chance")
    window.sendcontrol("c")
    window.expect("Ctrl-C again leaves")
    window.expect(">")
    window.sendcontrol("d")
    window.expect(pexpect.EOF)
    window.close()
    assert window.exitstatus == 0
