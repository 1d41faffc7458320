"""Which font sets which letter of a text: the face that was chosen, or the first fallback that has it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

from loomtable.engine.kernel.installation import install_line
from loomtable.printkit.draw.bidi import mirrored
from loomtable.printkit.draw.script_fonts import Shaped, can_shape, fallback_files, script_font
from loomtable.printkit.draw.type import (
    POINT,
    AnyFace,
    Emphasis,
    Font,
    HouseFace,
    OwnFace,
    face_name,
    has_letter,
    width_of,
)
from loomtable.printkit.errors import GlyphMissing

Look = tuple[bool, bool]
"""Whether letters are bold, and whether they are italic."""
_LOOKS: dict[Font, tuple[HouseFace, HouseFace, HouseFace]] = {
    Font.TITLE: (Emphasis.TEXT_BOLD, Font.TEXT_ITALIC, Emphasis.TEXT_BOLD_ITALIC),
    Font.TEXT: (Emphasis.TEXT_BOLD, Font.TEXT_ITALIC, Emphasis.TEXT_BOLD_ITALIC),
    Font.TEXT_ITALIC: (Emphasis.TEXT_BOLD_ITALIC, Font.TEXT, Emphasis.TEXT_BOLD),
    Font.CODE: (Emphasis.TEXT_BOLD, Font.TEXT_ITALIC, Emphasis.TEXT_BOLD_ITALIC),
    Font.LABEL: (Font.LABEL_BOLD, Emphasis.LABEL_ITALIC, Emphasis.LABEL_BOLD_ITALIC),
    Font.LABEL_BOLD: (Font.LABEL_BOLD, Emphasis.LABEL_BOLD_ITALIC, Emphasis.LABEL_BOLD_ITALIC),
}
"""What is set for bold, for italic and for bold italic words within a text in a face of ours."""
ICON_PLACE = "\ufffc"
"""Stands for an icon among letters."""
_TOP, _BOTTOM = 0.7, 0.2


class SetFace(Protocol):
    """A font that sets words: one of ours, or one that HarfBuzz shapes."""

    @property
    def name(self) -> str:
        """How reportlab knows it."""

    def has(self, letter: str) -> bool:
        """Whether it can set a letter."""

    def shape(self, words: str, *, rtl: bool) -> Shaped:
        """The words as they are set."""


@dataclass(frozen=True)
class _Plain:
    """A face whose letters stand side by side."""

    face: AnyFace

    @property
    def name(self) -> str:
        """How reportlab knows it."""
        return face_name(self.face)

    def has(self, letter: str) -> bool:
        """Whether it can set a letter."""
        return has_letter(self.face, letter)

    def shape(self, words: str, *, rtl: bool) -> Shaped:
        """The words as they are set."""
        shown = "".join(letter for letter in words if not _has_no_look(letter))
        width = width_of(shown, self.face, 1.0) / POINT
        return Shaped(mirrored(shown) if rtl else shown, width, _TOP, _BOTTOM)


@dataclass(frozen=True)
class Typefaces:
    """The faces of one text: the one it is set in, fonts of one's own for bold and italic words, its language."""

    face: AnyFace
    bold: OwnFace | None = None
    italic: OwnFace | None = None
    language: str = ""
    _known: dict[Look, list[SetFace]] = field(default_factory=dict, compare=False)

    def chosen(self, words: str, looks: Sequence[Look], card: str) -> list[SetFace]:
        """The font of each character. What is no letter follows the letters before it, if their font has it.

        Raises:
            GlyphMissing: no font has one; the message names ``card``.
        """
        chosen: list[SetFace] = []
        last: SetFace | None = None
        for first, end in _clusters(words):
            fonts = self._fonts(looks[first])
            shown = [letter for letter in words[first:end] if not _has_no_look(letter)]
            is_letter = unicodedata.category(words[first])[0] in "LM"
            asked = [last, *fonts] if last in fonts and not is_letter else fonts
            found = next((font for font in asked if font is not None and all(map(font.has, shown))), None)
            if found is None:
                missing = next((word for word in shown if not any(font.has(word) for font in fonts)), shown[0])
                raise GlyphMissing(self._missing(missing, words, card))
            if is_letter:
                last = found
            chosen.extend([found] * (end - first))
        return chosen

    def _fonts(self, look: Look) -> list[SetFace]:
        """The fonts for a look, in the order in which they are asked for a letter."""
        known = self._known.get(look)
        if known is None:
            known = self._known[look] = [self._main(look), *self._fallbacks(look)]
        return known

    def _main(self, look: Look) -> SetFace:
        bold, italic = look
        if not isinstance(self.face, OwnFace):
            wanted: HouseFace = self.face
            if isinstance(wanted, Font) and (bold or italic):
                wanted = _LOOKS[wanted][(bold + 2 * italic) - 1]
            return _Plain(wanted)
        given = (self.italic if italic else None) or (self.bold if bold else None)
        if not can_shape():
            return _Plain(given or self.face)
        if given is not None:
            return script_font(given.path, bold=bold and italic, language=self.language)
        return script_font(self.face.path, bold=bold, slanted=italic, language=self.language)

    def _fallbacks(self, look: Look) -> list[SetFace]:
        bold, italic = look
        return [script_font(path, bold=bold, language=self.language) for path in fallback_files(italic=italic)]

    def _missing(self, letter: str, words: str, card: str) -> str:
        word = next((word for word in words.split() if letter in word), words)
        remedy = "give the template a font file that has it, under 'fonts'"
        if not can_shape():
            remedy += f"; or install more fonts: {install_line('scripts')}"
        shown = f"{letter!r} (U+{ord(letter):04X})"
        return f"{card}: the font {self.face.value} has no {shown}, which is in {word!r}; {remedy}"


def _clusters(words: str) -> Iterator[tuple[int, int]]:
    """Where each letter with its marks begins and ends."""
    marks = [unicodedata.category(letter)[0] == "M" or _has_no_look(letter) for letter in words]
    return pairwise([*(at for at, mark in enumerate(marks) if at == 0 or not mark), len(words)])


def _has_no_look(letter: str) -> bool:
    """Whether a character is nothing that is seen: a joiner, a mark of direction, a placeholder for an icon."""
    return letter == ICON_PLACE or unicodedata.category(letter) == "Cf" or 0xFE00 <= ord(letter) <= 0xFE0F
