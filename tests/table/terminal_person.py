"""Somebody at a terminal who knows only what stands on the screen, and types only what is offered there."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Sequence

from rich.console import Console

from loomtable.table.terminal.editor import Completions, News

OPTION = re.compile(r"^ +(\d+)  (\S.*)$", re.MULTILINE)
"""A numbered line: ``  2  Odo``."""
ACTION = re.compile(r"(?:: |   |^ {2,})(\d+) (\S+(?: \S+)*)")
"""An action in a row of them: ``  The scene: 7 Play story   8 Add location``."""
BETWEEN = re.compile(r"Type a number from (-?\d+) to (-?\d+)\.")
WIDTH = 90
NAMES = ("Harrow", "Wren", "Tamsin Oake", "The Grey Cart")
"""What a person writes where the screen asks for words."""


class Person:
    """Reads the screen and types; what to take is left to ``prefers`` and then to a die of the person's own."""

    def __init__(
        self,
        seed: int,
        most: int,
        *,
        prefers: Callable[[list[str]], str] | None = None,
        begins: Sequence[str] = (),
        enough: Callable[[str], bool] = lambda screen: False,
        width: int = WIDTH,
    ) -> None:
        self.seen = io.StringIO()
        self.console = Console(
            file=self.seen, width=width, force_terminal=True, color_system=None, highlight=False, markup=False
        )
        self.typed: list[str] = []
        self.begins = list(begins)
        self._dice = random.Random(seed)
        self._most = most
        self._prefers = prefers or (lambda offered: "")
        self._enough = enough
        self._read = 0
        self._asked = ""
        self.refused: list[str] = []

    def __call__(self, completions: Completions, news: News) -> Person:
        """Sits down; a person does not press Tab, and plays alone."""
        return self

    def line(self) -> str | None:
        """What the person types next; ``None`` when there was enough."""
        screen = self.seen.getvalue()
        new, self._read = screen[self._read :], len(screen)
        if len(self.typed) >= self._most or self._enough(screen):
            return None
        typed = self.begins.pop(0) if self.begins else self._choose(new)
        self.typed.append(typed)
        self.console.print(f"> {typed}")
        self._read = len(self.seen.getvalue())
        return typed

    def _choose(self, screen: str) -> str:
        if "Nothing can be begun any more" in screen:
            return ":quit"
        if "What now" in screen:
            return self._of(actions_on(screen))
        parts = re.split(r"\n *\n", f"\n{screen}")
        if len(parts) > 1:
            self._asked = parts[-1]
        else:
            self.refused.append(screen)  # the question that stands above goes on
        asked = self._asked
        if bounds := BETWEEN.search(asked):
            return str(self._dice.randint(int(bounds[1]), int(bounds[2])))
        options = {number: name.strip() for number, name in OPTION.findall(asked)}
        if "Type a number or" in asked and options:
            return self._of(options)
        if "Enter alone leaves it out" in asked:
            return ""
        if "Type a number;" in asked:
            return "1"
        if "with commas between" in asked and options:
            return self._dice.choice(list(options))
        if "Type it;" in asked:
            return NAMES[len(self.typed) % len(NAMES)]
        assert ":chance" in asked, f"nothing on the screen says what can be typed:\n{screen}"
        return ":chance"

    def _of(self, offered: dict[str, str]) -> str:
        wanted = self._prefers(list(offered.values()))
        fits = [number for number, name in offered.items() if wanted and name.startswith(wanted)]
        return self._dice.choice(fits or list(offered))


def actions_on(screen: str) -> dict[str, str]:
    """The numbers and names of what can be done, from the last menu on the screen."""
    menu = screen[screen.rfind("What now") :].partition("\nType a number")[0]
    ready = dict(OPTION.findall(menu))
    if "0" in ready:  # somebody new takes what stands first
        return ready
    joined = re.sub(r"\n +(?=\S)", "   ", menu)
    return dict(ACTION.findall(joined))
