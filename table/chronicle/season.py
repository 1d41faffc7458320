"""From a session to its episodes: what happened in each, and how everybody stood when it was over.

The chronicle tells everything; this is what people look up before the next evening. Plain values, for a page and
for paper alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chronicle import PassageMark, SceneMark, kept
from loomtable.engine.kernel.session import Session
from loomtable.table.chronicle.telling import Chapter, Retelling, RollBeat, TurnBeat, chronicle_of
from loomtable.table.chronicle.words import LONGEST_ITALIC
from loomtable.table.hosting.devices import ROOM
from loomtable.table.screens import screen_of, television_of
from loomtable.table.screens.blocks import Text
from loomtable.table.screens.panel import PersonCard


@dataclass(frozen=True)
class Episode:
    """One episode, as far as it has come."""

    title: str
    first_day: str
    last_day: str
    chapters: tuple[tuple[int, str], ...]
    """Its scenes that have a title, each with its place among all chapters of the chronicle, from 1."""
    happened: tuple[str, ...]
    """What turned in it and how it ended, in sentences, in order."""
    people: tuple[PersonCard, ...]
    """How the players' figures stood at its end, wounds and levels included, as far as the viewer may see."""


@dataclass(frozen=True)
class SeasonTold:
    """All episodes of a session, and the whole that they are taken from."""

    told: Retelling
    episodes: tuple[Episode, ...]


def season_of(session: Session[Any], name: str, viewer: str = STORYTELLER) -> SeasonTold:
    """The episodes of a session as far as ``viewer`` may know them; a game without any has one, the whole."""
    told = chronicle_of(session, name, viewer)
    episodes = []
    for number, (title, days, people) in enumerate(_ends(session, viewer), start=1):
        places = enumerate(told.chapters, start=1)
        chapters = [(place, chapter) for place, chapter in places if max(chapter.episode, 1) == number]
        titles = tuple((place, chapter.title) for place, chapter in chapters if chapter.title)
        happened = tuple(says for _, chapter in chapters for says in _happened(chapter))
        episodes.append(Episode(title or name, *days, titles, happened, people))
    return SeasonTold(told, tuple(episodes))


def _happened(chapter: Chapter) -> Iterator[str]:
    for beat in chapter.beats:
        match beat:
            case TurnBeat(says=says):
                yield says
            case RollBeat(decides=decides, says=says) if decides or beat.turning:
                yield " ".join(decides) or says
            case PassageMark(says=says) if len(says) <= LONGEST_ITALIC:
                yield says


def _ends(session: Session[Any], viewer: str) -> Iterator[tuple[str, tuple[str, str], tuple[PersonCard, ...]]]:
    """The title of each episode, its first and last day, and how people stood at its end."""
    opened, system = session.opened, session.system
    again: Session[Any] = Session.open(system, seed=opened.seed, setup=opened.setup, rulings=opened.rulings)
    written = {line.seq: line.at[:10] for line in session.lines()}
    title, days = "", [written[0]]
    for played in session.played:
        marks = (mark for event in played.events for mark in kept(system.telling(event, played.game, viewer)))
        begun = [mark.episode for mark in marks if isinstance(mark, SceneMark) and mark.episode]
        if begun and title:
            yield title, (days[0], days[-1]), _people(again, viewer)
            days.clear()
        title = begun[-1] if begun else title
        days.append(written[played.step.seq])
        again.take(played.step.what)
    yield title, (days[0], days[-1]), _people(session, viewer)


def _people(session: Session[Any], viewer: str) -> tuple[PersonCard, ...]:
    """The players' figures as the room sees them, and what heads each sheet that the viewer may read."""
    system = session.system
    own = {name for figures in system.people(session.game).values() for name in figures}
    heads = {
        panel.whose: head.words
        for panel in screen_of(session, viewer)
        for head in panel.blocks
        if isinstance(head, Text) and head.kind == "sheet-head"
    }
    return tuple(
        replace(person, about=str(heads.get(person.name, person.about)), state="")
        for person in television_of(session, ROOM).people
        if person.name in own or system.solo
    )
