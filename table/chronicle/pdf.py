"""The chronicle as a PDF file to keep: set by reportlab's own page layout, in the house's type and drawings.

The same chronicle gives the same bytes.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color
from reportlab.lib.enums import TA_CENTER, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Spacer,
    Table,
    TableStyle,
)
from reportlab.platypus import Paragraph as Set

from loomtable.engine.kernel.chronicle import CardsMark, PassageMark
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.components.sheet_themes import theme_of
from loomtable.printkit.draw.palette import INK, WHITE, Colour
from loomtable.printkit.draw.path import rounded
from loomtable.printkit.draw.type import Face, face_name, has_letter
from loomtable.printkit.sheet.document import AUTHOR, LANGUAGE
from loomtable.printkit.sheet.papers import A4, Paper
from loomtable.table.chronicle.flowables import DICE_APART, CardStrip, Dice, Emblem, Framed, Rule, pen_on
from loomtable.table.chronicle.season import SeasonTold, nothing_told, standing_title, stands
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
from loomtable.table.screens.art import art_drawing

_SIDE, _HEAD, _FOOT = 31.0, 24.0, 26.0
"""Margins (mm)."""
_CARD = 40.0
"""Height of a card (mm)."""
_CARDS_ACROSS = 5
_CARD_BESIDE = 34.0
"""Height of cards beside dice or words (mm)."""
_DICE_ACROSS = 5
_DIE, _LARGE_DIE = 7.4, 11.0
_UNPRINTABLE = "\N{WHITE SQUARE}"
"""For letters that no font of the house has; the page on the screen shows them."""


def chronicle_pdf(told: Retelling, paper: Paper = A4) -> bytes:
    """The file's bytes."""
    return _Book(told, paper).bytes()


def season_pdf(season: SeasonTold, paper: Paper = A4) -> bytes:
    """The bytes of a season's file, or of one hero's."""
    return _SeasonBook(season, paper).bytes()


class _Book:
    """One chronicle on one paper."""

    sort = "A chronicle"

    def __init__(self, told: Retelling, paper: Paper) -> None:
        self.told, self.paper = told, paper
        self.theme: Theme = theme_of(SYSTEMS[told.system])
        self.width = paper.width - 2 * _SIDE
        for face in Face:
            face_name(face)
        deep, quiet = _ink(self.theme.deep), _ink(INK.towards(WHITE, 0.38))
        text = {"fontName": face_name(Face.TEXT), "fontSize": 10.8, "leading": 15.2, "textColor": _ink(INK)}
        self.text = ParagraphStyle("text", **text, spaceAfter=6, allowWidows=0, allowOrphans=0)
        self.passage = ParagraphStyle("passage", parent=self.text, fontName=face_name(Face.TEXT_ITALIC))
        self.label = ParagraphStyle(
            "label", parent=self.text, fontName=face_name(Face.LABEL), fontSize=9.4, leading=12, textColor=quiet
        )
        self.by = ParagraphStyle("by", parent=self.label, alignment=TA_RIGHT)
        self.title = ParagraphStyle(
            "title",
            parent=self.text,
            fontName=face_name(Face.TITLE),
            fontSize=34,
            leading=40,
            textColor=deep,
            alignment=TA_CENTER,
            spaceAfter=8,
        )
        self.head = ParagraphStyle("head", parent=self.title, fontSize=19, leading=24, spaceAfter=4)
        self.about = ParagraphStyle("about", parent=self.passage, alignment=TA_CENTER, fontSize=11.6, leading=16)
        self.centre = ParagraphStyle("centre", parent=self.text, alignment=TA_CENTER)
        self.quiet = ParagraphStyle("quiet", parent=self.label, alignment=TA_CENTER)
        self.large = ParagraphStyle(
            "large",
            parent=self.text,
            fontName=face_name(Face.TITLE),
            fontSize=15,
            leading=19,
            textColor=deep,
            spaceAfter=2,
        )
        self.turned = ParagraphStyle("turned", parent=self.large, alignment=TA_CENTER)

    def bytes(self) -> bytes:
        """The whole file."""
        file = io.BytesIO()
        pages = BaseDocTemplate(
            file,
            pagesize=(self.paper.width * mm, self.paper.height * mm),
            title=f"{self.told.name}: {self.sort[0].lower()}{self.sort[1:]}",
            author=AUTHOR,
            subject=f"{self.sort} of {self.told.game}, {days(self.told.first_day, self.told.last_day)}",
            creator="Loomtable",
            lang=LANGUAGE,
            invariant=1,
            pageCompression=1,
            initialFontName=face_name(Face.LABEL),
        )
        box = (_SIDE * mm, _FOOT * mm, self.width * mm, (self.paper.height - _HEAD - _FOOT) * mm)
        bare = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
        pages.addPageTemplates(
            [
                PageTemplate("title", [Frame(*box, **bare)], onPage=self._title_ground),
                PageTemplate("story", [Frame(*box, **bare)], onPage=self._footer),
            ]
        )
        pages.build(list(self._story()))
        return file.getvalue()

    # Pages

    def _title_ground(self, canvas: Any, _: BaseDocTemplate) -> None:
        canvas.saveState()
        pen = pen_on(canvas)
        for inset, width in ((9.0, 0.7), (11.2, 0.25)):
            frame = rounded(inset, inset, self.paper.width - 2 * inset, self.paper.height - 2 * inset, 3)
            pen.stroke(frame, self.theme.warm, width)
        canvas.restoreState()

    def _footer(self, canvas: Any, _: BaseDocTemplate) -> None:
        canvas.saveState()
        pen = pen_on(canvas)
        with pen.at(self.paper.width / 2, 15.5, scale=0.22):
            self.theme.emblem(pen, self.theme.deep, self.theme.pale)
        grey = INK.towards(WHITE, 0.38)
        name = self.told.name if len(self.told.name) <= 48 else self.told.name[:47] + "…"
        pen.text(_SIDE, 14.6, _printable(name), Face.LABEL, 8.6, grey)
        number = str(canvas.getPageNumber())
        pen.text(self.paper.width - _SIDE, 14.6, number, Face.LABEL, 8.6, grey, align="right")
        canvas.restoreState()

    # What stands on them

    def _story(self) -> Iterator[Flowable]:
        yield from self._title_page()
        for chapter in self.told.chapters:
            yield from self._chapter(chapter)
        yield from self._end()

    def _title_page(self) -> Iterator[Flowable]:
        told = self.told
        room = self.paper.height - _HEAD - _FOOT
        yield Spacer(1, room * 0.05 * mm)
        yield Framed(art_drawing("motif", told.motif), f"motif-{told.motif}", self.width, room * 0.5, self.theme)
        yield Spacer(1, 12 * mm)
        yield Set(self._words(told.name, Face.TITLE), self.title)
        yield Set(self._words(f"{self.sort} of {told.game}", Face.TEXT_ITALIC), self.about)
        yield Spacer(1, 6 * mm)
        yield Emblem(self.theme)
        yield Spacer(1, 6 * mm)
        for line in company(told):
            yield Set(self._words(line, Face.TEXT), self.centre)
        yield Set(self._words(days(told.first_day, told.last_day), Face.LABEL), self.quiet)
        yield NextPageTemplate("story")
        yield PageBreak()

    def _chapter(self, chapter: Chapter) -> Iterator[Flowable]:
        opening: list[Flowable] = []
        if chapter.title:
            opening += [Spacer(1, 7 * mm), Set(self._words(chapter.title, Face.TITLE), self.head)]
            if chapter.about:
                opening.append(Set(self._words(chapter.about, Face.TEXT_ITALIC), self.about))
            opening += [Rule(self.theme), Spacer(1, 4 * mm)]
        else:
            opening += [Spacer(1, 3 * mm), Rule(self.theme), Spacer(1, 4 * mm)]
        if chapter.picture:
            kind, _, name = chapter.picture.partition("/")
            height = 58.0 if kind == "motif" else 84.0
            opening += [
                Framed(art_drawing(kind, name), f"{kind}-{name}", self.width, height, self.theme),
                Spacer(1, 5 * mm),
            ]
        blocks = [self._block(cards, beats) for cards, beats in beside_cards(chapter.beats)]
        yield CondPageBreak(45 * mm)
        yield KeepTogether([*opening, *blocks[0]])
        for block in blocks[1:]:
            yield KeepTogether(block) if len(block) > 1 else block[0]

    def _block(self, cards: CardsMark | None, beats: Sequence[Beat]) -> list[Flowable]:
        """What stands together: beats, with the cards that belong to them at their left."""
        if cards is not None and isinstance(beats[0], RollBeat) and beats[0].turning:
            return self._turning(beats[0], cards)
        inside = [part for beat in beats for part in self._beat(beat)]
        if cards is None:
            return inside
        row = CardStrip(cards.cards, _CARD_BESIDE, centred=False)
        left = row.width_mm + 6
        return [self._beside(row, inside, left), Spacer(1, 2.5 * mm)]

    def _beside(self, left: Any, right: Any, width: float) -> Flowable:
        table = Table([[left, right]], colWidths=[width * mm, (self.width - width) * mm])
        table.setStyle(TableStyle([*_BARE, ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]))
        return table

    def _beat(self, beat: Beat) -> Iterator[Flowable]:
        match beat:
            case ParagraphBeat(says=sentence):
                yield Set(self._words(sentence, Face.TEXT), self.text)
            case PassageMark():
                yield from self._passage(beat)
            case CardsMark(cards=cards):
                for at in range(0, len(cards), _CARDS_ACROSS):
                    yield CardStrip(cards[at : at + _CARDS_ACROSS], _CARD)
                    yield Spacer(1, 3.5 * mm)
            case RollBeat(turning=True):
                yield from self._turning(beat, None)
            case RollBeat():
                yield from self._throw(beat)
            case TurnBeat(says=sentence):
                yield Spacer(1, 2 * mm)
                yield Set(self._words(sentence, Face.TITLE), self.turned)
                yield Spacer(1, 2 * mm)

    def _passage(self, passage: PassageMark) -> Iterator[Flowable]:
        if passage.prompt:
            yield Set(self._words(passage.prompt, Face.LABEL), self.label)
        for block in passage.says.split("\n"):
            if block.strip():
                italic = len(passage.says) <= LONGEST_ITALIC
                yield Set(
                    self._words(block, Face.TEXT_ITALIC if italic else Face.TEXT),
                    self.passage if italic else self.text,
                )
        if passage.by:
            yield Set(self._words(passage.by, Face.LABEL), self.by)

    def _throw(self, throw: RollBeat) -> Iterator[Flowable]:
        """Dice on the left, what came of them beside; below, where there are several casts."""
        dice, outcome = Dice(_named(throw), _DIE), Set(self._outcome(throw), self.text)
        if len(throw.casts) > 1:
            yield from (dice, Spacer(1, 1 * mm), outcome)
        else:
            across = min(len(throw.casts[0].faces), _DICE_ACROSS)
            yield self._beside(dice, outcome, across * _DIE * DICE_APART + 3)
        yield Spacer(1, 1.4 * mm)

    def _outcome(self, throw: RollBeat) -> str:
        bold, warm = face_name(Face.LABEL_BOLD), _hex(self.theme.warm)
        word = f' <font name="{bold}" color="{warm}">{escape(throw.word)}</font>'
        decided = f" {self._words(' '.join(throw.decides), Face.TEXT)}" if throw.decides else ""
        return f"{self._words(throw.says, Face.TEXT)}{word if throw.word else ''}{decided}"

    def _turning(self, throw: RollBeat, beside: CardsMark | None) -> list[Flowable]:
        """A turning point: large dice, and how likely it was."""
        inside: list[Flowable] = [Dice(_named(throw), _LARGE_DIE), Spacer(1, 2 * mm)]
        inside.append(Set(self._outcome_large(throw), self.large))
        inside.append(Set(self._words(throw.says, Face.TEXT), self.text))
        chance = chance_words(throw)
        if chance:
            inside.append(Set(self._words(chance, Face.LABEL), self.label))
        cells: list[Any] = [inside]
        widths = [self.width * mm]
        if beside is not None:
            row = CardStrip(beside.cards, _CARD_BESIDE)
            cells.append(row)
            right = row.width_mm + 9
            widths = [(self.width - right) * mm, right * mm]
        table = Table([cells], colWidths=widths)
        pale = self.theme.pale.towards(WHITE, 0.45)
        table.setStyle(
            TableStyle(
                [
                    ("BACKGROUND", (0, 0), (-1, -1), _ink(pale)),
                    ("LINEBEFORE", (0, 0), (0, -1), 2.2, _ink(self.theme.warm)),
                    ("LEFTPADDING", (0, 0), (0, -1), 6 * mm),
                    ("RIGHTPADDING", (0, 0), (-1, -1), 4 * mm),
                    ("TOPPADDING", (0, 0), (-1, -1), 4 * mm),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5 * mm),
                    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ]
            )
        )
        return [Spacer(1, 2.5 * mm), table, Spacer(1, 4 * mm)]

    def _outcome_large(self, throw: RollBeat) -> str:
        words = " ".join(throw.decides) or (throw.word[:1].upper() + throw.word[1:])
        return self._words(words or AGAINST_THE_ODDS, Face.TITLE)

    def _end(self) -> Iterator[Flowable]:
        told = self.told
        parts: list[Flowable] = [
            Spacer(1, 10 * mm),
            Emblem(self.theme),
            Spacer(1, 5 * mm),
            Set(self._words(closing(told), Face.TITLE), self.head),
        ]
        if told.ending:
            parts.append(Set(self._words(told.ending, Face.TEXT_ITALIC), self.about))
        parts += [Spacer(1, 5 * mm), Set(self._words(colophon(told), Face.LABEL), self.quiet)]
        yield KeepTogether(parts)

    def _words(self, words: str, face: Face) -> str:
        """Words for reportlab, each letter in a face that has it."""
        written = []
        for instead, letters in groupby(words, lambda letter: _face_for(letter, face)):
            said = "".join(letters)
            if instead is None:
                written.append(_UNPRINTABLE * len(said))
            elif instead is face:
                written.append(escape(said))
            else:
                written.append(f'<font name="{face_name(instead)}">{escape(said)}</font>')
        return "".join(written)


class _SeasonBook(_Book):
    """A season on one paper: its episodes, what turned in each, and how people stood at its end."""

    def __init__(self, season: SeasonTold, paper: Paper) -> None:
        told = season.told
        self.sort = f"A hero of {told.name}, a season" if season.hero else "A season"
        super().__init__(dataclasses.replace(told, name=season.hero or told.name), paper)
        self.season = season

    def _story(self) -> Iterator[Flowable]:
        yield from self._title_page()
        for episode in self.season.episodes:
            titles = " · ".join(title for _, title in episode.chapters)
            head: list[Flowable] = [
                Spacer(1, 7 * mm),
                Set(self._words(episode.title, Face.TITLE), self.head),
                Set(self._words(days(episode.first_day, episode.last_day), Face.LABEL), self.quiet),
                *([Set(self._words(titles, Face.LABEL), self.quiet)] if titles else []),
                Rule(self.theme),
                Spacer(1, 3 * mm),
            ]
            last = episode is self.season.episodes[-1]
            happened = episode.happened or (nothing_told(self.season, last=last),)
            said = [Set(self._words(says, Face.TEXT), self.text) for says in happened]
            standing: list[Flowable] = []
            if episode.people:
                title = self._words(standing_title(self.season, last=last), Face.TITLE)
                standing += [Spacer(1, 2 * mm), Set(title, self.large)]
                standing += [Set(self._words(line, Face.TEXT), self.text) for line in map(stands, episode.people)]
            yield KeepTogether([*head, *said, *standing])
        yield from self._end()


def _named(throw: RollBeat) -> list[tuple[str, Sequence[Any]]]:
    """Casts with whose they are, where more than one was made."""
    several = len(throw.casts) > 1
    return [(_printable(who_cast(cast)) if several else "", cast.faces) for cast in throw.casts]


def _printable(words: str) -> str:
    """Words for one line of the label's face."""
    return "".join(one if has_letter(Face.LABEL, one) else _UNPRINTABLE for one in words)


_BARE: Sequence[Any] = [
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 1),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
]


def _face_for(letter: str, face: Face) -> Face | None:
    return next(
        (font for font in (face, Face.TEXT, Face.LABEL) if letter.isspace() or has_letter(font, letter)), None
    )


def _ink(colour: Colour) -> Color:
    return Color(*colour)


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
