"""The chronicle and the season as PDF files to keep: in the house's type, with its drawings, dice and cards.

The same evening gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from loomtable.engine.kernel.chronicle import CardsMark, PassageMark
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.components.sheet_themes import theme_of
from loomtable.printkit.draw.palette import INK, WHITE
from loomtable.printkit.draw.path import rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.running import (
    NO_BREAK,
    Manner,
    Part,
    Run,
    beside,
    columns_of,
    draw_parts,
    paragraph,
    stacked,
)
from loomtable.printkit.draw.type import Font, has_letter
from loomtable.printkit.sheet.document import leaves_to_pdf
from loomtable.printkit.sheet.papers import A4, Paper
from loomtable.table.chronicle.drawn import DICE_APART, cards, dice, ornament, picture, sign
from loomtable.table.chronicle.season import SeasonTold, as_told
from loomtable.table.chronicle.telling import (
    Beat,
    Chapter,
    ParagraphBeat,
    Retelling,
    RollBeat,
    TurnBeat,
    beside_cards,
)
from loomtable.table.chronicle.words import (
    AGAINST_THE_ODDS,
    LONGEST_ITALIC,
    chance_words,
    closing,
    colophon,
    company,
    days,
    who_cast,
)

_SIDE, _HEAD, _FOOT = 31.0, 24.0, 26.0
"""Margins (mm)."""
_CARD, _CARD_BESIDE, _CARDS_ACROSS = 40.0, 34.0, 5
"""Height of cards by themselves and beside words (mm), and how many stand side by side."""
_DIE, _LARGE_DIE, _DICE_ACROSS = 7.4, 11.0, 5
"""Size of a die and of one of a turning point (mm), and how many lie at the left of words."""
_LEFT, _RIGHT, _ABOVE, _BELOW, _AFTER, _BAR = 6.0, 4.0, 4.0, 3.4, 1.8, 0.8
"""From the edges of a turning point's ground to what stands on it and below it (mm), and the bar at its left."""
_UNPRINTABLE = "\N{WHITE SQUARE}"
"""For letters that no font of the house has; the page on the screen shows them."""
_QUIET = INK.towards(WHITE, 0.38)


def chronicle_pdf(told: Retelling, paper: Paper = A4, sort: str = "A chronicle") -> bytes:
    """The file's bytes."""
    return _Book(told, paper, sort).bytes()


def season_pdf(season: SeasonTold, paper: Paper = A4) -> bytes:
    """The bytes of a season's file, or of one hero's."""
    sort = f"A hero of {season.told.name}, a season" if season.hero else "A season"
    return chronicle_pdf(as_told(season), paper, sort)


class _Book:
    """One chronicle on one paper."""

    def __init__(self, told: Retelling, paper: Paper, sort: str) -> None:
        self.told, self.paper, self.sort = told, paper, sort
        self.theme = theme_of(SYSTEMS[told.system])
        self.width, self.height = paper.width - 2 * _SIDE, paper.height - _HEAD - _FOOT
        self.text = Manner(10.8, 1.41, bold=self.theme.warm, space=2.1, instead=_UNPRINTABLE)
        self.centre = replace(self.text, align="middle")
        self.about = replace(self.centre, points=11.6, leading=1.38)
        self.title = replace(self.centre, points=34, leading=1.18, colour=self.theme.deep)
        self.head = replace(self.title, points=19, leading=1.26)
        self.large = replace(self.text, points=15, leading=1.27, colour=self.theme.deep)
        self.turned = replace(self.large, align="middle", space=4.1)
        self.label = replace(self.text, points=9.4, leading=1.28, colour=_QUIET)
        self.quiet = replace(self.label, align="middle")

    def bytes(self) -> bytes:
        """The whole file."""
        told = self.told
        parts = [part for chapter in told.chapters for part in self._chapter(chapter)]
        columns = columns_of([*parts, self._end()], self.height)
        leaves = [partial(self._leaf, number=number, column=column) for number, column in enumerate(columns, 2)]
        subject = f"{self.sort} of {told.game}, {days(told.first_day, told.last_day)}"
        name = f"{told.name}: {self.sort[0].lower()}{self.sort[1:]}"
        return leaves_to_pdf([self._title_page, *leaves], self.paper, name, subject)

    # Pages

    def _title_page(self, pen: Pen) -> None:
        told, (width, height) = self.told, (self.paper.width, self.paper.height)
        for inset, line in ((9.0, 0.7), (11.2, 0.25)):
            frame = rounded(inset, inset, width - 2 * inset, height - 2 * inset, 3)
            pen.stroke(frame, self.theme.warm, line)
        people = [part for line in company(told) for part in self._set(line, Font.TEXT, self.centre)]
        parts = [
            self._picture(f"motif/{told.motif}", self.height * 0.5, 0),
            *self._set(told.name, Font.TITLE, replace(self.title, space=12)),
            *self._set(f"{self.sort} of {told.game}", Font.TEXT_ITALIC, replace(self.about, space=2.8)),
            self._middle(sign(self.theme, 8.1)),
            Part(0, lambda *_: None, 4),
            *people,
            *self._set(days(told.first_day, told.last_day), Font.LABEL, self.quiet),
        ]
        draw_parts(pen, _SIDE, height - _HEAD - self.height * 0.05, parts)

    def _leaf(self, pen: Pen, number: int, column: Sequence[Part]) -> None:
        draw_parts(pen, _SIDE, self.paper.height - _HEAD, column)
        with pen.at(self.paper.width / 2, 15.5, scale=0.22):
            self.theme.emblem(pen, self.theme.deep, self.theme.pale)
        name = self.told.name if len(self.told.name) <= 48 else self.told.name[:47] + "…"
        pen.text(_SIDE, 14.6, _printable(name), Font.LABEL, 8.6, _QUIET)
        pen.text(self.paper.width - _SIDE, 14.6, str(number), Font.LABEL, 8.6, _QUIET, align="right")

    # What stands on them

    def _set(self, words: str, face: Font, manner: Manner, width: float | None = None) -> list[Part]:
        return paragraph([(words, face)], width or self.width, manner, self.told.name)

    def _middle(self, part: Part) -> Part:
        return beside(((self.width - part.width) / 2, part), space=part.space)

    def _picture(self, name: str, height: float, space: float) -> Part:
        return self._middle(picture(name, self.width, height, self.theme, space))

    def _chapter(self, chapter: Chapter) -> Iterator[Part]:
        opening = self._set(chapter.title, Font.TITLE, replace(self.head, space=9))
        opening += self._set(chapter.about, Font.TEXT_ITALIC, replace(self.about, space=1.4))
        opening.append(self._middle(ornament(self.theme, 1.4 if opening else 5)))
        if chapter.picture:
            height = 58 if chapter.picture.startswith("motif/") else 84
            opening.append(self._picture(chapter.picture, height, 4))
        blocks = [self._block(cards, beats) for cards, beats in beside_cards(chapter.beats)]
        blocks[0][0] = replace(blocks[0][0], space=5)
        yield from _tied(opening)
        yield from (part for block in blocks for part in block)

    def _block(self, laid: CardsMark | None, beats: Sequence[Beat]) -> list[Part]:
        """What stands together: beats, with the cards that belong to them at their left."""
        if laid is None:
            return [part for beat in beats for part in self._beat(beat, self.width)]
        row = cards(laid.cards, _CARD_BESIDE)
        if isinstance(beats[0], RollBeat) and beats[0].turning:
            return [self._turning(beats[0], self.width, row)]
        left = row.width + 6
        inside = stacked([part for beat in beats for part in self._beat(beat, self.width - left)])
        return [beside((0, row), (left, inside), space=3)]

    def _beat(self, beat: Beat, width: float) -> list[Part]:
        match beat:
            case ParagraphBeat(says=sentence):
                return self._set(sentence, Font.TEXT, self.text, width)
            case PassageMark():
                return self._passage(beat, width)
            case CardsMark(cards=laid):
                rows = (laid[at : at + _CARDS_ACROSS] for at in range(0, len(laid), _CARDS_ACROSS))
                return [self._middle(cards(row, _CARD, 3.5)) for row in rows]
            case RollBeat(turning=True):
                return [self._turning(beat, width)]
            case RollBeat():
                return [self._throw(beat, width)]
            case TurnBeat(says=sentence):
                return _tied(self._set(sentence, Font.TITLE, self.turned, width))

    def _passage(self, passage: PassageMark, width: float) -> list[Part]:
        face = Font.TEXT_ITALIC if len(passage.says) <= LONGEST_ITALIC else Font.TEXT
        blocks = [self._set(block, face, self.text, width) for block in passage.says.split("\n")]
        says = [part for block in blocks for part in block]
        by = self._set(passage.by, Font.LABEL, replace(self.label, align="right"), width)
        prompt = self._set(passage.prompt, Font.LABEL, self.label, width)
        return [*_tied(prompt), *(_tied(says) if by else says), *by]

    def _throw(self, throw: RollBeat, width: float) -> Part:
        """Dice on the left, what came of them beside; below, where there are several casts."""
        word = (f"{NO_BREAK}{throw.word}", Font.LABEL_BOLD) if throw.word else ("", Font.TEXT)
        outcome: list[Run] = [(throw.says + NO_BREAK, Font.TEXT), word, (" ".join(throw.decides), Font.TEXT)]
        if len(throw.casts) > 1:
            below = paragraph(outcome, width, replace(self.text, space=1), self.told.name)
            return stacked([self._dice(throw, _DIE, width), *below], 2.1)
        left = min(len(throw.casts[0].faces), _DICE_ACROSS) * _DIE * DICE_APART
        says = paragraph(outcome, width - left - 3, self.text, self.told.name)
        return beside((0, self._dice(throw, _DIE, left)), (left + 3, stacked(says)), space=2.1)

    def _dice(self, throw: RollBeat, size: float, width: float) -> Part:
        several = len(throw.casts) > 1
        return dice(
            [(_printable(who_cast(cast)) if several else "", cast.faces) for cast in throw.casts], size, width
        )

    def _turning(self, throw: RollBeat, width: float, row: Part | None = None) -> Part:
        """A turning point on a ground of its own: large dice, and how likely it was."""
        room = width - _LEFT - _RIGHT - (row.width + 6 if row else 0)
        words = " ".join(throw.decides) or f"{throw.word[:1].upper()}{throw.word[1:]}" or AGAINST_THE_ODDS
        inside = stacked(
            [
                self._dice(throw, _LARGE_DIE, room),
                *self._set(words, Font.TITLE, self.large, room),
                *self._set(throw.says, Font.TEXT, replace(self.text, space=0.7), room),
                *self._set(chance_words(throw), Font.LABEL, self.label, room),
            ]
        )
        whole = beside((_LEFT, inside), *(((width - _RIGHT - row.width, row),) if row else ()))
        height = whole.height + _ABOVE + _BELOW

        def draw(pen: Pen, x: float, y: float) -> None:
            pen.fill_background(rect(x, y - height, width, height), self.theme.pale.towards(WHITE, 0.45))
            pen.solid(rect(x, y - height, _BAR, height), self.theme.warm)
            whole.draw(pen, x, y - _ABOVE)

        return Part(height + _AFTER, draw, space=4.1)

    def _end(self) -> Part:
        told = self.told
        return stacked(
            [
                self._middle(sign(self.theme)),
                *self._set(closing(told), Font.TITLE, replace(self.head, space=5)),
                *self._set(told.ending, Font.TEXT_ITALIC, replace(self.about, space=1.4)),
                *self._set(colophon(told), Font.LABEL, replace(self.quiet, space=7)),
            ],
            space=12,
        )


def _tied(parts: Sequence[Part]) -> list[Part]:
    """Parts that stay with what comes after them."""
    return [replace(part, tied=True) for part in parts]


def _printable(words: str) -> str:
    """Words for one line of the label's face."""
    return "".join(word if has_letter(Font.LABEL, word) else _UNPRINTABLE for word in words)
