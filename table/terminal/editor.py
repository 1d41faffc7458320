"""Where typed lines come from: a line editor in a window, standard input when piped."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

PROMPT = "> "
Completions = Callable[[], Iterable[tuple[str, str]]]
"""What can be typed now, each with what it means."""


class Lines(Protocol):
    """Gives one typed line after another."""

    def line(self) -> str | None:
        """The next line without blanks at its ends; ``None`` at the end."""
        ...


def lines_from_people(completions: Completions) -> Lines:
    """The line editor, where somebody sits at a window that can show one."""
    window = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return _Editor(completions) if window else _Piped()


class _Piped:
    def line(self) -> str | None:
        if sys.stdin.isatty():
            try:
                return input(PROMPT).strip()
            except EOFError:
                return None
        line = sys.stdin.readline()
        return line.strip() if line else None


class _Editor:
    """Arrow keys, history (of this evening), and Tab; Ctrl-C drops a line, Ctrl-D leaves."""

    def __init__(self, completions: Completions) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion

        class Offered(Completer):
            def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
                for word, start, means in completed(document.text_before_cursor, completions()):
                    yield Completion(word, start_position=start, display_meta=means)

        self._session: PromptSession[str] = PromptSession(completer=Offered(), complete_while_typing=False)

    def line(self) -> str | None:
        try:
            return self._session.prompt(PROMPT).strip()
        except KeyboardInterrupt:
            return ""
        except EOFError:
            return None


def completed(before: str, offered: Iterable[tuple[str, str]]) -> Iterator[tuple[str, int, str]]:
    """How a line can go on: whole phrases from its beginning, and words from its last blank; each with where it
    starts, counted back from the cursor."""
    last = before.rpartition(" ")[2]
    for word, means in offered:
        if word.casefold().startswith(before.casefold()):
            yield word, -len(before), means
        elif last != before and word.casefold().startswith(last.casefold()):
            yield word, -len(last), means
