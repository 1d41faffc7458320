"""The board on the table and the board in the book: what differs, and what a hand has done, offered as a step.

Nothing here changes a session. An ``Offer`` is tried on a copy of it, so that whether it is legal, and why not, is
said by the rules themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.journal import MemoryJournal
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.tags import MOST_FIGURES
from loomtable.engine.kernel.wording import listed
from loomtable.table.reading.board_geometry import UNCLEAR
from loomtable.vision.board import SeenFigure
from loomtable.vision.quads import Point, Quad
from loomtable.vision.tags import SeenTag
from loomtable.vision.verdict import Verdict

Whose = Callable[[Point], tuple[str | None, float]]
"""The name of the field at a place of a map (mm), and how far its nearest border is (mm)."""
BESIDE = "the table beside the map"
_SURELY = 3.0
"""Deviations from its place within which a figure must stand on one field."""


@dataclass(frozen=True)
class Offer:
    """What somebody seems to have done with their hands, as steps of the game."""

    says: str
    """One sentence about what lies there now."""
    action: Action | None = None
    """What it would begin with, where nothing is asked yet."""
    answers: tuple[Reading, ...] = ()
    """Answers to what is asked then, in order."""
    reason: str = ""
    """Why it cannot be taken: the rules' own refusal, or what is not clear; empty where it can."""
    about: str = ""
    """The name of the figure that was moved, or the short code of the card that was laid."""

    @property
    def steps(self) -> tuple[Action | Reading, ...]:
        """Everything that would be played."""
        return (() if self.action is None else (self.action,)) + self.answers

    @property
    def legal(self) -> bool:
        """Whether there is something to play, and the rules allow it."""
        return bool(self.steps) and not self.reason

    def take(self, session: Session[Any], *, by: str = "") -> None:
        """Play it.

        Raises:
            LoomtableError: the rules refuse it; what was played before that stays played.
        """
        for step in self.steps:
            session.take(step, by=by)


@dataclass(frozen=True)
class Standing:
    """One figure on the table and in the book."""

    name: str
    seen: str = ""
    """Where it stands on the table; empty where it is not seen, or not clearly."""
    book: str = ""
    """Where the book has it; empty where it has it nowhere."""
    doubt: str = ""
    """Why its place is not sure, as the end of a sentence."""
    outline: Quad | None = None
    """Corners of its base in the picture, px."""

    @property
    def verdict(self) -> Verdict:
        """Accepted where table and book agree, asked about where they may, rejected where they do not."""
        if self.doubt or not self.seen:
            return Verdict.ASK
        return Verdict.ACCEPTED if self.seen == self.book else Verdict.REJECTED

    @property
    def says(self) -> str:
        """One sentence about it."""
        book = f"the book says {self.book}" if self.book else "the book has it nowhere on this map"
        if self.doubt:
            return f"{self.name} {self.doubt}; {book}"
        if not self.seen:
            return f"{self.name} is not seen; {book}"
        if self.seen == self.book:
            return f"{self.name} is on {self.seen}"
        return f"{self.name} is on {self.seen}, {book}"


@dataclass(frozen=True)
class BoardLook:
    """A look at a map, held against the book."""

    standings: tuple[Standing, ...] = ()
    map_outline: Quad | None = None
    """Corners of the map in the picture, px; nothing where it was not found."""
    offer: Offer | None = None
    """A move made by hand, where one was and somebody is to move."""
    reason: str = ""
    """Why the map was not found; empty where it was."""
    notes: tuple[str, ...] = ()
    """What could not be looked at, and what to change."""

    @property
    def agrees(self) -> bool:
        """Whether everything stands where the book has it."""
        return not self.reason and all(figure.verdict is Verdict.ACCEPTED for figure in self.standings)

    @property
    def lines(self) -> tuple[str, ...]:
        """Everything to say, in sentences."""
        told = [self.reason] if self.reason else [figure.says for figure in self.standings]
        if self.offer is not None:
            told.append(f"{self.offer.says}: {self.offer.reason or 'a legal move'}")
        return (*told, *self.notes)


def copy_of(session: Session[Any]) -> Session[Any]:
    """The same game in memory, to try things on."""
    return Session.resume({session.system.key: session.system}, MemoryJournal(session.lines()))


def refusal(session: Session[Any], *steps: Action | Reading) -> str:
    """Why the rules do not allow these steps now, in their own words; empty where they do."""
    trial = copy_of(session)
    try:
        for step in steps:
            trial.take(step)
    except LoomtableError as error:
        return str(error)
    return ""


def standing(name: str, seen: Sequence[SeenFigure], book: str, whose: Whose) -> Standing:
    """One figure, by everything that was seen of its number, held against the field where the book has it."""
    if not seen:
        return Standing(name, book=book)
    fields = [whose(place) for figure in seen for place in figure.places]
    where = list(dict.fromkeys(field or BESIDE for field, _ in fields))
    doubt = ""
    if seen[0].doubt:
        doubt = f"{seen[0].doubt}, on {listed(where)}; take the others away"
    elif len(where) > 1:
        doubt = f"is on {' or '.join(where)}; push it to the middle of its place"
    elif min(room for _, room in fields) < UNCLEAR:
        doubt = f"is on the edge of {where[0]}; push it to the middle of its place"
    elif min(room for _, room in fields) < UNCLEAR + _SURELY * seen[0].position_error:
        doubt = f"seems to be on {where[0]}, but too little of the map is in view; uncover its corners"
    return Standing(name, "" if doubt else where[0], book, doubt, seen[0].outline)


def tags_of_figures(tags: Sequence[SeenTag]) -> list[SeenTag]:
    """The tags that stand on figures."""
    return [tag for tag in tags if 1 <= tag.number <= MOST_FIGURES]
