"""Words with marks in them: ``**bold**``, ``*italic*``, icons by name, ``{flames}``, and HTML's commonest tags.

A backslash takes away what a mark means; ``\\n`` and ``<br>`` begin a new line.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator

from loomtable.engine.kernel.wording import listed
from loomtable.printkit.draw.rich import Styled
from loomtable.printkit.errors import DeckInvalid

UNDERSTOOD = ("b", "strong", "i", "em", "br")
"""The tags of HTML that are not printed as they are."""
_MARK = re.compile(
    r"\\(?P<escaped>[\\*{}n])"
    r"|\{(?P<icon>[^{}]*)\}"
    r"|(?<![0-9A-Za-z])(?P<stars>\*{1,3})(?=\S)(?P<inner>.+?)(?<=[^\s\\])(?P=stars)(?![0-9A-Za-z*])"
    r"|<(?P<tag>b|strong|i|em)>(?P<tagged>(?:.|\n)*?)</(?P=tag)>|(?P<line><br */?>)|(?P<entity>&#?\w+;)",
    re.IGNORECASE,
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
        elif found["line"] or found["entity"]:
            yield look.saying("\n" if found["line"] else html.unescape(found["entity"]))
        elif mark := found["stars"] or found["tag"]:
            bold, italic = mark.lower() in ("**", "***", "b", "strong"), mark.lower() in ("*", "***", "i", "em")
            inner = Styled("", bold=look.bold or bold, italic=look.italic or italic)
            yield from _spans(found["inner"] or found["tagged"] or "", inner, icons, called)
        elif found["icon"] in icons:
            yield Styled("", icon=found["icon"])
        else:
            raise DeckInvalid(
                f"{called}: there is no icon {{{found['icon'][:30]}}}; choose from {listed(sorted(icons))}, "
                r"or write \{ for a brace"
            )
    if at < len(words):
        yield look.saying(words[at:])
