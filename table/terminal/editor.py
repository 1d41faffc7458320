"""Where typed lines come from: a line editor in a window, standard input when piped."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from loomtable.table.hosting.following import EVERY

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

PROMPT = "> "
Completions = Callable[[], Iterable[tuple[str, str]]]
"""What can be typed now, each with what it means."""
News = Callable[[], bool]
"""Whether others have played meanwhile; may be called from any thread."""


class Woken(Exception):
    """There is news while somebody types; what is typed so far stands in the next line."""


class Lines(Protocol):
    """Gives one typed line after another."""

    def line(self) -> str | None:
        """The next line without blanks at its ends; ``None`` at the end.

        Raises:
            Woken: there is news; where lines are only read, nobody is woken.
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        ...


def lines_from_people(completions: Completions, news: News) -> Lines:
    """The line editor, where somebody sits at a window that can show one."""
    window = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return _Editor(completions, news) if window else PlainLines()


class PlainLines:
    """Lines without an editor: what is piped, or typed into a window that can show none."""

    def line(self) -> str | None:
        """The next one; nothing at the end."""
        if sys.stdin.isatty():
            try:
                return input(PROMPT).strip()
            except EOFError:
                return None
        line = sys.stdin.readline()
        return line.strip() if line else None


class _Editor:
    """Arrow keys, history (of this evening), and Tab; Ctrl-D leaves."""

    def __init__(self, completions: Completions, news: News) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion

        class Offered(Completer):
            def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
                for word, start, means in completed(document.text_before_cursor, completions()):
                    yield Completion(word, start_position=start, display_meta=means)

        self._session: PromptSession[str] = PromptSession(completer=Offered(), complete_while_typing=False)
        self._news, self._typed = news, ""

    def line(self) -> str | None:
        typed, self._typed = self._typed, ""
        try:
            return self._session.prompt(PROMPT, default=typed, pre_run=self._listen).strip()
        except EOFError:
            return None

    def _listen(self) -> None:
        self._session.app.create_background_task(self._wake())

    async def _wake(self) -> None:
        import asyncio  # as the editor does, which nobody needs whose lines are piped

        while not await asyncio.to_thread(self._news):
            await asyncio.sleep(EVERY)
        self._typed = self._session.default_buffer.text
        self._session.app.exit(exception=Woken)


def completed(before: str, offered: Iterable[tuple[str, str]]) -> Iterator[tuple[str, int, str]]:
    """How a line can go on: whole phrases from its beginning, and words from its last blank; each with where it
    starts, counted back from the cursor."""
    last = before.rpartition(" ")[2]
    for word, means in offered:
        if word.casefold().startswith(before.casefold()):
            yield word, -len(before), means
        elif last != before and word.casefold().startswith(last.casefold()):
            yield word, -len(last), means
