"""From a session to its chronicle: what happened, the cards, the dice as they lay, the turning points.

The journal is played once more, step by step, so that each roll has the odds that it had then. What each event is
worth, its game says where it words it (``loomtable.engine.kernel.chronicle``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chronicle import (
    CardsMark,
    Decisive,
    EndingMark,
    Lead,
    Mark,
    PassageMark,
    RollMark,
    SceneMark,
    Sentence,
    kept,
)
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.play import Action, Event, Game
from loomtable.engine.kernel.requests import Request, Roll
from loomtable.engine.kernel.results import Throw, thrown
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import ended
from loomtable.engine.odds.before import odds_before
from loomtable.engine.odds.words import OddsLine

BEFORE = "How it begins"
"""The title of what happens before the first scene that a game names."""
UNLIKELY = Fraction(1, 4)
"""What had at most this chance may be a turning point."""
DECISIVE = Fraction(1, 6)
"""As how unlikely a roll counts that decided something, where its odds are not known or were better."""
CARDS_BESIDE, LONGEST_BESIDE = 2, 400
"""Cards that can stand beside words, and the letters of words that can stand beside cards."""
MOST_TURNS = 8
"""Turning points of an evening; with more of them none would be one."""


@dataclass(frozen=True)
class Cast:
    """Dice or a coin as they lay: whose they were, and what was known before."""

    who: str
    faces: tuple[tuple[Die, Face], ...]
    again: bool = False
    """Some dice of the cast before, rolled once more."""
    odds: tuple[OddsLine, ...] = ()


@dataclass(frozen=True)
class RollBeat:
    """Casts that had one outcome."""

    casts: tuple[Cast, ...]
    says: str
    word: str = ""
    odds: OddsLine | None = None
    """The line that the outcome belongs to."""
    missed: bool = False
    minor: bool = False
    decides: tuple[str, ...] = ()
    decisive: bool = False
    turning: bool = False

    @property
    def chance(self) -> Fraction | None:
        """How likely this outcome was before the roll."""
        if self.odds is None:
            return None
        return 1 - self.odds.chance if self.missed else self.odds.chance


@dataclass(frozen=True)
class ParagraphBeat:
    """Sentences that belong together."""

    says: str
    lead: bool = False
    """They only lead to what follows."""


@dataclass(frozen=True)
class TurnBeat:
    """Something that turned without dice."""

    says: str


Beat = ParagraphBeat | PassageMark | CardsMark | RollBeat | TurnBeat


@dataclass
class Chapter:
    """A scene, or with no title what follows it after a pause."""

    title: str
    about: str = ""
    picture: str = ""
    episode: int = 0
    """The number of the episode that it belongs to; 0 before the first begins."""
    beats: list[Beat] = field(default_factory=list)


@dataclass(frozen=True)
class Retelling:
    """An evening to keep."""

    name: str
    game: str
    system: str
    motif: str
    people: tuple[tuple[str, tuple[str, ...]], ...]
    """Who took part, and whom they played."""
    first_day: str
    last_day: str
    chapters: tuple[Chapter, ...]
    ending: str
    open_question: str
    """What is still asked, where the evening goes on."""
    dice: int
    """How many were cast."""


def chronicle_of(session: Session[object], name: str, viewer: str = STORYTELLER) -> Retelling:
    """The chronicle of a session, as far as ``viewer`` may know it."""
    opened, system = session.opened, session.system
    figures = system.people(session.game)
    told = _Told(figures, viewer)
    again: Session[object] = Session.open(system, seed=opened.seed, setup=opened.setup, rulings=opened.rulings)
    for played in session.played:
        what, asked = played.step.what, again.pending
        if isinstance(what, Action):
            told.casts.clear()
        elif asked is not None and (throw := thrown(played, asked)) is not None:
            told.cast(asked, throw, odds_before(again) or ())
        events = again.take(what)
        told.happened(tuple(_marks(session, events, again.game, told)))
    told.close()
    told.end()
    lines = session.lines()
    pending = session.pending
    return Retelling(
        name=name,
        game=system.title,
        system=system.key,
        motif=system.presentation.motif,
        people=tuple((person, tuple(own)) for person, own in figures.items()),
        first_day=lines[0].at[:10],
        last_day=lines[-1].at[:10],
        chapters=_with_turns(told.chapters),
        ending=told.ending,
        open_question=f"{pending.by}: {ended(pending.purpose)}" if pending and viewer == STORYTELLER else "",
        dice=told.dice,
    )


def beside_cards(beats: Sequence[Beat]) -> Iterator[tuple[CardsMark | None, list[Beat]]]:
    """Beats in the groups that stand together: a card or two, and what was said and cast because of them."""
    rest = list(beats)
    while rest:
        beat, *rest = rest
        if not (
            isinstance(beat, CardsMark) and len(beat.cards) <= CARDS_BESIDE and rest and _fits_beside(rest[0])
        ):
            yield None, [beat]
            continue
        together = [rest.pop(0)]
        if isinstance(together[0], PassageMark) and rest and isinstance(rest[0], RollBeat) and not rest[0].turning:
            together.append(rest.pop(0))
        yield beat, together


def _fits_beside(beat: Beat) -> bool:
    return isinstance(beat, RollBeat) or (
        isinstance(beat, PassageMark | ParagraphBeat) and len(beat.says) <= LONGEST_BESIDE
    )


def _marks(session: Session[object], events: Iterable[Event], game: Game[object], told: _Told) -> Iterator[Mark]:
    system, withheld = session.system, False
    for event in events:
        telling = system.telling(event, game, told.viewer)
        if not isinstance(telling, str):
            yield from kept(telling)
        elif not system.hears(event, game, told.viewer):
            withheld = True
        else:
            yield RollMark(telling) if told.casts else Sentence(telling)
    if withheld and told.casts:
        yield RollMark(ended(told.purpose))  # dice fall on the table; what they did may be hidden


class _Told:
    """What has been told so far."""

    def __init__(self, figures: Mapping[str, tuple[str, ...]], viewer: str) -> None:
        self.viewer = viewer
        self.casts: list[Cast] = []
        self.purpose = ""
        self.chapters: list[Chapter] = [Chapter(BEFORE)]
        self.ending = ""
        self.dice = 0
        self._figures = figures
        self._players = {name for person, own in figures.items() for name in (person, *own)}
        self._sentences: list[str] = []
        self._lead = ""
        self._passages: set[str] = set()

    def cast(self, asked: Request, throw: Throw, odds: tuple[OddsLine, ...]) -> None:
        """Dice were cast."""
        faces = tuple((throw.die, face) for face in throw.faces if face in throw.die.faces)
        if not faces:
            return
        if self.viewer != STORYTELLER and asked.by not in self._players:
            odds = ()  # they would tell what stands on a hidden sheet
        before = self.casts[-1] if self.casts else None
        own = self._figures.get(asked.by, ())
        who = own[0] if len(own) == 1 else asked.by
        again = before is not None and before.who == who and isinstance(asked, Roll)
        self.dice += len(faces)
        self.purpose = throw.purpose
        self.casts.append(Cast(who, faces, again, odds))

    def happened(self, marks: Iterable[Mark]) -> None:
        """One step's marks."""
        fresh = False  # whether the last throw is this step's
        for mark in marks:
            match mark:
                case SceneMark(title=title, about=about, picture=picture, episode=episode):
                    self.close()
                    number = self.chapters[-1].episode + bool(episode)
                    self.chapters.append(Chapter(title, about, picture, number))
                case Sentence(says=sentence, apart=apart):
                    if apart:
                        self.close()
                    self._sentences += [lead for lead in (self._lead,) if lead] + [sentence]
                    self._lead = ""
                case Lead(says=sentence):
                    self.close()
                    self._lead = sentence
                case PassageMark(says=sentence):
                    if sentence not in self._passages:
                        self._passages.add(sentence)
                        self._add(mark)
                case CardsMark(cards=cards):
                    self._cards(cards)
                case RollMark():
                    self._add(self._throw(mark))
                    fresh = True
                case Decisive(says=sentence):
                    self._decide(sentence, fresh=fresh)
                case EndingMark(says=sentence):
                    self.ending = sentence

    def close(self) -> None:
        """The paragraph is over."""
        if self._sentences:
            self.chapters[-1].beats.append(ParagraphBeat(" ".join(self._sentences)))
            self._sentences.clear()
        self._lead = ""

    def end(self) -> None:
        """What is said at the end need not be said twice."""
        beats = next((chapter.beats for chapter in reversed(self.chapters) if chapter.beats), [])
        if beats and isinstance(beats[-1], PassageMark | TurnBeat) and beats[-1].says == self.ending:
            beats.pop()
            if beats and isinstance(beats[-1], ParagraphBeat) and beats[-1].lead:
                beats.pop()

    def _add(self, beat: Beat) -> None:
        lead = self._lead
        self.close()
        self.chapters[-1].beats += [*([ParagraphBeat(lead, lead=True)] if lead else []), beat]

    def _cards(self, cards: tuple[Any, ...]) -> None:
        """Cards laid one after another lie side by side, before what is said of them."""
        beats = self.chapters[-1].beats
        if beats and isinstance(beats[-1], CardsMark):
            beats[-1] = CardsMark(beats[-1].cards + cards)
            return
        if self._sentences:
            self.close()
        beats.append(CardsMark(cards))

    def _throw(self, mark: RollMark) -> RollBeat:
        casts, self.casts = tuple(self.casts), []
        lines = (
            line for cast in casts for wanted in mark.odds for line in cast.odds if wanted in (line.key, line.says)
        )
        return RollBeat(casts, mark.says, mark.word, next(lines, None), mark.missed, minor=mark.minor)

    def _decide(self, sentence: str, *, fresh: bool) -> None:
        beats = self.chapters[-1].beats
        last = next((at for at in range(len(beats) - 1, -1, -1) if isinstance(beats[at], RollBeat)), None)
        if fresh and last is not None:
            throw = beats[last]
            assert isinstance(throw, RollBeat)
            said = " ".join((throw.says, *self._sentences))  # a wound, before somebody falls by it
            self._sentences.clear()
            decides = (*throw.decides, sentence) if sentence else throw.decides
            beats[last] = replace(throw, says=said, decisive=True, decides=decides)
        elif sentence:
            self._add(TurnBeat(sentence))


def _with_turns(chapters: list[Chapter]) -> tuple[Chapter, ...]:
    """The chapters in which something happens, with the turning points marked and small matters left out."""
    throws = [
        beat for chapter in chapters for beat in chapter.beats if isinstance(beat, RollBeat) and _weight(beat)
    ]
    turning = {id(throw) for throw in sorted(throws, key=_weight)[:MOST_TURNS]}
    kept = []
    for chapter in chapters:
        beats: list[Beat] = []
        for beat in chapter.beats:
            if isinstance(beat, RollBeat):
                if id(beat) in turning:
                    beat = replace(beat, turning=True)
                elif beat.minor and not beat.decisive:
                    continue
                if not beat.casts:
                    beats.append(ParagraphBeat(" ".join((beat.says, *beat.decides))))
                    continue
            beats.append(beat)
        if beats:
            kept.append(replace(chapter, beats=beats))
    return tuple(kept)


def _weight(throw: RollBeat) -> Fraction:
    """How much of a turning point it is, the smaller the more; 0 where it is none."""
    chance = throw.chance
    if not throw.casts:
        return Fraction()
    if throw.decisive:
        return min(DECISIVE, chance) if chance else DECISIVE
    return chance if chance is not None and 0 < chance <= UNLIKELY else Fraction()
