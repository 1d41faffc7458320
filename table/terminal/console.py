"""How the terminal speaks: words wrapped at the window's width, lists, dice as they lie; plain text when piped."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from loomtable.engine.kernel.results import Meaning, RollResult, Throw, Tone
from loomtable.table.commands.output import page

STYLES = {Tone.GOOD: "bold green", Tone.BAD: "bold red", Tone.PLAIN: "", Tone.SPENT: "dim"}
Row = tuple[str, str, str, str]
"""A number, a name, what it says and what it does: something that can be chosen."""
PIPED_WIDTH = 10_000
"""Nothing is wrapped for programs, as everywhere on a command line."""


def console_for_people() -> Console:
    """Standard output as a console; without a window there are no colours and lines stay whole."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=PIPED_WIDTH)
    return console


class Screen:
    """Writes what people read."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @property
    def window(self) -> bool:
        """Whether somebody looks at it, in a window."""
        return self.console.is_terminal

    @contextmanager
    def paged(self) -> Iterator[None]:
        """What is written meanwhile, through a pager where the window is too small for it."""
        if self.console.file is not sys.stdout or not self.window:
            yield
            return
        with self.console.capture() as drawn:
            yield
        page(drawn.get())

    def say(self, *lines: str, style: str = "") -> None:
        """A line or a paragraph each, wrapped."""
        for line in lines:
            if not line:
                self.console.print()
                continue
            indent = len(line) - len(line.lstrip())
            self.show(Padding(Text(line.strip(), style), (0, 0, 0, indent), expand=False))

    def show(self, what: RenderableType) -> None:
        """Anything that can be drawn."""
        if self.window:
            self.console.print(what)
            return
        with self.console.capture() as drawn:
            self.console.print(what)
        self.console.file.write("".join(f"{line.rstrip()}\n" for line in drawn.get().splitlines()))

    def row(self, title: str, items: Iterable[str | Text]) -> None:
        """Short names in a row behind a title; none is broken at the end of a line."""
        lines, room = [Text.assemble((f"{title}:", "bold"))], self.console.width - 4
        for item in items:
            if len(lines[-1]) + 3 + len(item) > room:
                lines.append(Text())
            lines[-1].append(f" {item}" if lines[-1].plain.endswith(":") else f"   {item}")
        for line in lines:
            self.show(Padding(line, (0, 0, 0, 2), expand=False))

    def heading(self, words: str, remark: str = "") -> None:
        """A line that stands out, with a remark in small voice behind it."""
        self.show(Text.assemble((words, "bold"), (f"  {remark}" if remark else "", "dim")))

    def options(self, rows: Iterable[Row]) -> None:
        """What can be chosen."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(justify="right")
        for number, name, summary, does in rows:
            words = Text(name, "bold")
            if summary:
                words.append(f": {summary}", "not bold")
            if does:
                words.append(f"\n{does}", "not bold cyan")
            grid.add_row(Text(number, "bold cyan"), words)
        self.show(Padding(grid, (0, 0, 0, 2), expand=False))

    def result(self, found: RollResult, throws: Iterable[Throw]) -> None:
        """What came of a roll: the dice as they lie with what each counts for, then the verdict."""
        for throw in throws:
            head = throw.purpose or found.title
            self.heading(f"  {head}", throw.by)
            meanings = throw.meanings or (Meaning(),) * len(throw.faces)
            self._dice([(str(f).capitalize(), m) for f, m in zip(throw.faces, meanings, strict=True)])
        if found.settled:
            style = {True: "bold green", False: "bold red", None: "bold"}[found.passed]
            verdict = Text(found.verdict[:1].upper() + found.verdict[1:], style)
            if found.counted:
                verdict.append(f" {'(' if found.verdict else ''}{', '.join(found.counted)}", "not bold default")
                verdict.append(")" if found.verdict else "")
            if verdict.plain:
                self.show(Padding(verdict, (0, 0, 0, 2), expand=False))

    def _dice(self, dice: list[tuple[str, Meaning]]) -> None:
        if not self.window:
            told = (f"[{face}]" + (f" {meaning.says}" if meaning.says else "") for face, meaning in dice)
            self.say(f"  {'   '.join(told)}")
            return
        width = max(len(word) for face, meaning in dice for word in (face, meaning.says)) + 2
        in_row = max(1, (self.console.width - 4) // (width + 3))
        for start in range(0, len(dice), in_row):
            grid = Table.grid(padding=(0, 1, 0, 0))
            some = dice[start : start + in_row]
            edge = "─" * width
            grid.add_row(*(Text(f"╭{edge}╮", STYLES[m.tone]) for _, m in some))
            grid.add_row(*(Text(f"│{face:^{width}}│", STYLES[m.tone]) for face, m in some))
            grid.add_row(*(Text(f"╰{edge}╯", STYLES[m.tone]) for _, m in some))
            if any(m.says for _, m in some):
                grid.add_row(*(Text(f" {m.says:^{width}} ", STYLES[m.tone]) for _, m in some))
            self.show(Padding(grid, (0, 0, 0, 2), expand=False))
