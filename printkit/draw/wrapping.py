"""Breaking longer texts into lines: word by word, in type that shrinks until they fit their box."""

from __future__ import annotations

from loomtable.printkit.draw.type import AnyFace, check_glyphs, width_of
from loomtable.printkit.errors import TextTooLong

LEADING = 1.22
"""From line to line, in type sizes."""
_POINT = 25.4 / 72
_STEP = 0.5


def wrapped(
    words: str, face: AnyFace, box: tuple[float, float], points: float, least: float, card: str
) -> tuple[list[str], float]:
    """The lines, and the largest size from ``points`` down to ``least`` at which they fit ``box`` (mm).

    A line break in ``words`` starts a new line.

    Raises:
        GlyphMissing: the font lacks a character.
        TextTooLong: they do not fit even at ``least``.
    """
    paragraphs = [paragraph.split() for paragraph in words.splitlines()]
    for paragraph in paragraphs:
        for word in set(paragraph):
            check_glyphs(word, face, card)
    widths = {word: width_of(word, face, 1.0) for paragraph in paragraphs for word in paragraph}
    space = width_of(" ", face, 1.0)
    width, height = box
    size = points
    while size >= least - 1e-9:
        lines = _broken(paragraphs, widths, space, width / size)
        if lines is not None and len(lines) * size * _POINT * LEADING <= height + size * _POINT * 0.2:
            return lines, size
        size -= _STEP
    shown = words if len(words) <= 60 else words[:57].rstrip() + "..."
    raise TextTooLong(f"{card}: {shown!r} does not fit {width:g} x {height:g} mm, even at {least:g} points")


def _broken(paragraphs: list[list[str]], widths: dict[str, float], space: float, room: float) -> list[str] | None:
    """Lines no wider than ``room`` (in type sizes), or ``None`` where a single word is wider."""
    lines: list[str] = []
    for paragraph in paragraphs:
        line: list[str] = []
        used = 0.0
        for word in paragraph:
            width = widths[word]
            if width > room:
                return None
            if line and used + space + width > room:
                lines.append(" ".join(line))
                line, used = [], 0.0
            used += width + (space if line else 0.0)
            line.append(word)
        lines.append(" ".join(line))
    return lines
