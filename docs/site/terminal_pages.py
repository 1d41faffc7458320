"""Recorded sessions at the terminal, in ``docs/terminal.md``: ``python -m docs.site.terminal_pages``.

Each is played by ``loom play`` itself, line by line as typed here; a test holds the page against it.
"""

from __future__ import annotations

import io
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.terminal.console import Screen
from loomtable.table.terminal.terminal import Terminal

PAGE = Path(__file__).parents[1] / "terminal.md"
WIDTH = 80
"""Columns of the window, where a recording names no others."""
TYPED = {
    "weave": (
        "0",
        "challenge ilse gales",
        "tick 3",
        "gales weave stones flames gales",
        "1",
        ":chance",
        "table",
        "challenge",
        "odo",
        "stones",
        "",
        "",
        "quit",
    ),
    "spellwoven": ("0", "begin conflict", ":chance", "2", "? join conflict", "table", "quit"),
    "storm-weavers": ("0", "3", "", ":chance", "test", "dexterity", ":chance", "sheet", "quit"),
    "mnemonic": ("0", "scene", ":chance", "undo", "1", "1", ":chance", "sheet ilse", "quit"),
    "woven": ("0", "place-thread A2", "End turn", "tapestry ada", "move", "Winteracre", "sheet ben", "quit"),
}
"""What is typed, game by game; ``:chance`` is the computer's answer, the same in every recording."""
ELSEWHERE = {"woven": ("0", "map", "quit"), "spellwoven": ("0", "table", "quit")}
"""The same, where a recording names a width of its own."""
_SESSION = re.compile(r"(<!-- session: (\S+)(?:, (\d+) columns)? -->\n```text\n).*?(```)", re.DOTALL)


class _Script:
    """Types prepared lines and shows them, as a terminal does."""

    def __init__(self, console: Console, typed: Sequence[str]) -> None:
        self._console, self._typed = console, iter(typed)

    def line(self) -> str | None:
        """The next line."""
        typed = next(self._typed, None)
        if typed is not None:
            self._console.print(f"> {typed}".rstrip())
        return typed


def recorded(system: str, width: int = WIDTH) -> str:
    """One game at the terminal, as a window of so many columns shows it."""
    seen, typed = io.StringIO(), TYPED if width == WIDTH else ELSEWHERE
    console = Console(
        file=seen, width=width, force_terminal=True, color_system=None, highlight=False, markup=False, emoji=False
    )
    game = SYSTEMS[system]
    session = Session.open(game, seed=system, rulings=game.rulings.usual())  # as a new table decides them
    chance = random.Random(system)
    terminal = Terminal(
        session, Screen(console), lambda *_: _Script(console, typed[system]), keep=lambda one: one, chance=chance
    )
    terminal.run()
    lines = [line.rstrip() for line in seen.getvalue().splitlines()]
    return "\n".join([f"$ loom play {system}", *lines]) + "\n"


def page_with_sessions(text: str) -> str:
    """The page with every recording made anew."""
    return _SESSION.sub(lambda found: f"{found[1]}{recorded(found[2], int(found[3] or WIDTH))}{found[4]}", text)


if __name__ == "__main__":
    PAGE.write_text(page_with_sessions(PAGE.read_text("utf-8")), "utf-8")
    sys.exit(0)
