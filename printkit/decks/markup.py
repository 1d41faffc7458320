"""Words with marks in them: ``**bold**``, ``*italic*``, and icons by name, ``{flames}``.

A backslash takes away what a mark means; ``\\n`` begins a new line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from loomtable.engine.kernel.wording import listed
from loomtable.printkit.draw.rich import Styled
from loomtable.printkit.errors import DeckInvalid

_MARK = re.compile(
    r"\\(?P<escaped>[\\*{}n])"
    r"|\{(?P<icon>[^{}]*)\}"
    r"|(?<![0-9A-Za-z])(?P<stars>\*{1,3})(?=\S)(?P<inner>.+?)(?<=[^\s\\])(?P=stars)(?![0-9A-Za-z*])"
)


def spans_of(words: str, icons: Collection[str], called: str) -> list[Styled]:
    """The words in spans of one look each.

    Raises:
        DeckInvalid: an icon is asked for that there is not; the message begins with ``called``.
    """
    return list(_spans(words, Styled(""), icons, called))


def _spans(words: str, look: Styled, icons: Collection[str], called: str) -> Iterator[Styled]:
    at = 0
    for found in _MARK.finditer(words):
        if found.start() > at:
            yield look.saying(words[at : found.start()])
        at = found.end()
        if found["escaped"]:
            yield look.saying("\n" if found["escaped"] == "n" else found["escaped"])
        elif found["stars"]:
            count = len(found["stars"])
            inner = Styled("", bold=look.bold or count > 1, italic=look.italic or count != 2)
            yield from _spans(found["inner"], inner, icons, called)
        elif found["icon"] in icons:
            yield Styled("", icon=found["icon"])
        else:
            raise DeckInvalid(
                f"{called}: there is no icon {{{found['icon'][:30]}}}; choose from {listed(sorted(icons))}, "
                r"or write \{ for a brace"
            )
    if at < len(words):
        yield look.saying(words[at:])
