"""From a session to its episodes: what happened in each, and how everybody stood when it was over.

The chronicle tells everything; this is what people look up before the next evening. Plain values, for a page and
for paper alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chronicle import Decisive, PassageMark, SceneMark, Sentence, kept
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import ended, listed
from loomtable.table.chronicle.telling import (
    Beat,
    Chapter,
    ParagraphBeat,
    Retelling,
    RollBeat,
    TurnBeat,
    chronicle_of,
)
from loomtable.table.chronicle.words import LONGEST_ITALIC
from loomtable.table.chronicle.words import days as days_in_words
from loomtable.table.hosting.devices import ROOM
from loomtable.table.hosting.errors import NotThere
from loomtable.table.screens import screen_of, television_of
from loomtable.table.screens.blocks import Text, Track
from loomtable.table.screens.panel import PersonCard

_End = tuple[str, tuple[str, str], tuple[PersonCard, ...], tuple[str, ...]]


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
    named: tuple[str, ...] = ()
    """Every sentence of it that is worth keeping, by the names in which a hero's own page is found."""


@dataclass(frozen=True)
class SeasonTold:
    """All episodes of a session, and the whole that they are taken from."""

    told: Retelling
    episodes: tuple[Episode, ...]
    hero: str = ""
    """Whose page it is; empty for the whole table's."""

    @property
    def heroes(self) -> tuple[str, ...]:
        """The players' figures, in the order in which they came in."""
        return tuple(dict.fromkeys(person.name for episode in self.episodes for person in episode.people))

    def of_hero(self, hero: str) -> SeasonTold:
        """What became of one figure: the sentences that name it, and how it stood.

        Raises:
            NotThere: nobody of that name was there.
        """
        if hero not in self.heroes:
            raise NotThere(f"nobody called {hero!r} is in this season; there are {listed(self.heroes) or 'none'}")
        name = re.compile(rf"(?<!\w){re.escape(hero)}(?!\w)")
        told = replace(self.told, people=tuple(p for p in self.told.people if hero in p[1]))
        episodes = tuple(
            replace(
                episode,
                happened=tuple(says for says in episode.named if name.search(says)),
                people=tuple(person for person in episode.people if person.name == hero),
            )
            for episode in self.episodes
        )
        return SeasonTold(told, episodes, hero)


def season_of(session: Session[object], name: str, viewer: str = STORYTELLER) -> SeasonTold:
    """The episodes of a session as far as ``viewer`` may know them; a game without any has one, the whole."""
    told = chronicle_of(session, name, viewer)
    episodes = []
    for number, (title, days, people, named) in enumerate(_ends(session, viewer), start=1):
        places = enumerate(told.chapters, start=1)
        chapters = [(place, chapter) for place, chapter in places if max(chapter.episode, 1) == number]
        titles = tuple((place, chapter.title) for place, chapter in chapters if chapter.title)
        happened = tuple(says for _, chapter in chapters for says in _happened(chapter))
        episodes.append(Episode(title or name, *days, titles, happened, people, named))
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


def _ends(session: Session[object], viewer: str) -> Iterator[_End]:
    """The title of each episode, its first and last day, how people stood at its end, and its sentences."""
    opened, system = session.opened, session.system
    again: Session[object] = Session.open(system, seed=opened.seed, setup=opened.setup, rulings=opened.rulings)
    written = {line.seq: line.at[:10] for line in session.lines()}
    title, days, named = "", [written[0]], list[str]()
    for played in session.played:
        told = (system.telling(event, played.game, viewer) for event in played.events)
        marks = [mark for telling in told for mark in kept(telling)]
        begun = [mark.episode for mark in marks if isinstance(mark, SceneMark) and mark.episode]
        if begun and title:
            yield title, (days[0], days[-1]), _people(again, viewer), tuple(named)
            days, named = [], []
        title = begun[-1] if begun else title
        days.append(written[played.step.seq])
        named += [mark.says for mark in marks if isinstance(mark, Sentence | Decisive) and mark.says]
        again.take(played.step.what)
    yield title, (days[0], days[-1]), _people(session, viewer), tuple(named)


def _people(session: Session[object], viewer: str) -> tuple[PersonCard, ...]:
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
        msgspec.structs.replace(person, about=str(heads.get(person.name, person.about)), state="")
        for person in television_of(session, ROOM).people
        if person.name in own or system.solo
    )


def nothing_told(season: SeasonTold, *, last: bool) -> str:
    """What is said of an episode in which nothing happened."""
    nothing = f"Nothing is told of {season.hero}" if season.hero else "Nothing was decided"
    return f"{nothing}{' yet' if last else ''}."


def standing_title(season: SeasonTold, *, last: bool) -> str:
    """``"How everybody stood at its end"``, or of the ``last`` episode ``"How Ilse stands now"``."""
    return f"How {season.hero or 'everybody'} {'stands now' if last else 'stood at its end'}"


def stands(person: PersonCard) -> str:
    """A person's card in words: ``"Ilse (Ada · level 3): Strikes 2 of 10, Wounds 1 of 3."``"""
    tracks = [f"{b.name} {b.words or f'{b.marked} of {b.length}'}" for b in person.blocks if isinstance(b, Track)]
    said = [str(b.words) for b in person.blocks if isinstance(b, Text)]
    whose = f"{person.name} ({person.about})" if person.about else person.name
    return ended(": ".join(part for part in (whose, ", ".join([*tracks, *said])) if part))


def as_told(season: SeasonTold) -> Retelling:
    """A season as an evening is told, for paper: a chapter each episode."""

    def chapter(episode: Episode) -> Chapter:
        last = episode is season.episodes[-1]
        about = " · ".join(
            [days_in_words(episode.first_day, episode.last_day), *(title for _, title in episode.chapters)]
        )
        beats: list[Beat] = [*map(ParagraphBeat, episode.happened or (nothing_told(season, last=last),))]
        if episode.people:
            beats.append(TurnBeat(standing_title(season, last=last)))
        beats += [ParagraphBeat(stands(person)) for person in episode.people]
        return Chapter(episode.title, about, beats=beats)

    return replace(
        season.told, name=season.hero or season.told.name, chapters=tuple(map(chapter, season.episodes))
    )
