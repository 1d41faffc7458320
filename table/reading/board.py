"""The board on the table and in the record: what differs, and what a hand has done, offered as a step.

Nothing here changes a session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from loomtable.engine.kernel.gestures import Counted, Offer, Stood, Table
from loomtable.engine.kernel.offered import offers
from loomtable.engine.kernel.session import S, Session
from loomtable.engine.kernel.tags import MOST_FIGURES
from loomtable.engine.kernel.wording import listed
from loomtable.table.reading.board_geometry import FIGURE_PRINTS, UNCLEAR
from loomtable.vision.board.figures import SeenFigure, figures_on
from loomtable.vision.board.maps import SeenSheet, TaggedSheet, find_sheet, tag_advice
from loomtable.vision.pictures import BgrImage
from loomtable.vision.plane_pose import FlatPrint, flat_rectangle
from loomtable.vision.quads import Point, Quad
from loomtable.vision.table_looks import TableLook
from loomtable.vision.verdict import Verdict

Whose = Callable[[Point], tuple[str | None, float]]
"""The name of the field at a place of a map (mm), and how far its nearest border is (mm)."""
BESIDE = "the table beside the map"
SURELY = 3.0
"""Deviations from its place within which a figure must stand on one field."""


@dataclass(frozen=True)
class Board:
    """A printed map as a game is played on it now: where it is found, and where the record has its figures."""

    sheet: TaggedSheet
    whose: Whose
    record: Mapping[str, str]
    """The field of everybody who plays on it, by name; empty for who is not on it now."""
    cast: Mapping[int, str]
    """Who is shown by which printed figure."""
    called: Mapping[int, str]
    """What the game's printed figures are called."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """How somebody is told of, where not by name: ``"Frost Carter 2 (marked 1)"``."""
    notes: tuple[str, ...] = ()
    """What people have to see to themselves."""
    margin: float = 40.0
    """Millimetres beside the map within which a figure belongs to it."""
    counters: Callable[[SeenSheet, TableLook], Counters] | None = None
    """Reads the counters on it, where it is played with some."""


@dataclass(frozen=True)
class Standing:
    """One figure on the table and in the record."""

    name: str
    """What people read of it."""
    seen: str = ""
    """Where it stands on the table; empty where it is not seen, or not clearly."""
    record: str = ""
    """Where the record has it; empty where it has it nowhere."""
    doubt: str = ""
    """Why its place is not sure, as the end of a sentence."""
    outline: Quad | None = None
    """Corners of its base in the picture, px."""
    who: str = ""
    """Its name in the game; empty for one that plays no part."""

    @property
    def verdict(self) -> Verdict:
        """Accepted where table and record agree, asked about where they may, rejected where they do not."""
        if self.doubt or not self.seen:
            return Verdict.ASK
        return Verdict.ACCEPTED if self.seen == self.record else Verdict.REJECTED

    @property
    def says(self) -> str:
        """One sentence about it."""
        record = f"the record says {self.record}" if self.record else "the record has it nowhere on this map"
        if self.doubt:
            return f"{self.name} {self.doubt}; {record}"
        if not self.seen:
            return f"{self.name} is not seen; {record}"
        if self.seen == self.record:
            return f"{self.name} is on {self.seen}"
        return f"{self.name} is on {self.seen}, {record}"

    @property
    def remedy(self) -> str:
        """What to do where the record is right."""
        return "put it there" if self.record else "take it off"


@dataclass(frozen=True)
class LyingCounters(Standing):
    """Counters of one kind and one person on one field; ``seen`` and ``record`` are how many."""

    counted: Counted | None = None
    """What is surely seen; nothing where it is in doubt."""
    places: tuple[Quad, ...] = ()
    """Where each is seen, px."""

    @property
    def says(self) -> str:
        """One sentence about them."""
        if self.doubt or self.counted is None:
            return f"{self.name} {self.doubt}"
        one = self.counted
        here = f"{one.count or 'no'} {one.kind}{'s' if one.count > 1 else ''} on {one.field}"
        if self.verdict is Verdict.ACCEPTED:
            return f"{one.who} has {here}"
        return f"{one.who} has {here}, the record says {one.record}"

    @property
    def remedy(self) -> str:
        """What to do where the record is right."""
        return "take one away" if int(self.seen) > int(self.record) else "lay it back"


@dataclass(frozen=True)
class Counters:
    """All counters of one kind that were looked for."""

    kind: str
    lying: tuple[LyingCounters, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether none is in doubt, so that they can be counted."""
        return not any(pile.doubt for pile in self.lying)


@dataclass(frozen=True)
class BoardLook:
    """A look at a map, held against the record."""

    standings: tuple[Standing, ...] = ()
    counters: tuple[Counters, ...] = ()
    """Where counters could be looked for."""
    hidden: frozenset[str] = frozenset()
    """Names of counters over which something may lie, so that they are not counted."""
    flat: FlatPrint | None = None
    """What it tells of how the table lies."""
    offer: Offer | None = None
    """A move made by hand, where one was and somebody is to move."""
    reason: str = ""
    """Why the map was not found; empty where it was."""
    notes: tuple[str, ...] = ()
    """What could not be looked at, and what to change."""

    @property
    def misses(self) -> bool:
        """Whether a more thorough look may find more."""
        return bool(self.reason) or not all(stood.seen or stood.doubt for stood in self.standings)

    @property
    def agrees(self) -> bool:
        """Whether everything stands where the record has it."""
        return not self.reason and all(thing.verdict is Verdict.ACCEPTED for thing in self.everything)

    @property
    def everything(self) -> tuple[Standing, ...]:
        """Figures and counters."""
        lying = (pile for counters in self.counters for pile in counters.lying if pile.name not in self.hidden)
        return (*self.standings, *lying)

    @property
    def piles(self) -> tuple[LyingCounters, ...]:
        """Counters that are surely seen, all of them."""
        sure = (pile for kind in self.counters if kind.sure for pile in kind.lying)
        return tuple(pile for pile in sure if pile.name not in self.hidden)

    @property
    def counted(self) -> tuple[Counted, ...]:
        """How many they are."""
        return tuple(pile.counted for pile in self.piles if pile.counted is not None)

    @property
    def miscounted(self) -> tuple[Counted, ...]:
        """Counters of which the table surely shows another number than the record has."""
        return tuple(pile for pile in self.counted if pile.count != pile.record)

    @property
    def lines(self) -> tuple[str, ...]:
        """Everything to say, in sentences."""
        told = [self.reason] if self.reason else [thing.says for thing in self.everything]
        if self.offer is not None:
            told.append(f"{self.offer.says}: {self.offer.reason or 'a legal move'}")
        return (*told, *self.notes)


def look_at_board(session: Session[S], board: Board, picture: BgrImage) -> BoardLook:
    """Hold the figures on a map against the record, and offer a move that was made by hand.

    Args:
        picture: (height, width, 3) blue green red, 8 bits.
    """
    look = stand_on(board, TableLook.at(picture))
    moved = tuple(
        Stood(stood.who, stood.seen) for stood in look.standings if stood.who and stood.verdict is Verdict.REJECTED
    )
    found = [one for one in offers(session, Table(figures=moved, counters=look.miscounted)) if one.says]
    return replace(look, offer=next((move for move in found if move.legal), next(iter(found), None)))


def stand_on(board: Board, look: TableLook) -> BoardLook:
    """Where figures stand on a map, and where the record has them."""
    tags = look.tags
    advice = tag_advice(tags)
    notes = (advice,) if advice else ()
    seen = find_sheet(tags, board.sheet, look.picture.shape)
    if isinstance(seen, str):
        return BoardLook(reason=seen, notes=notes)
    of_figures = [tag for tag in tags if 1 <= tag.number <= MOST_FIGURES]
    figures = figures_on(seen, of_figures, FIGURE_PRINTS, margin=board.margin)
    standings = []
    for who, place in board.record.items():
        mine = [piece for piece in figures if board.cast.get(piece.number) == who]
        if mine or place:
            standings.append(replace(standing(board.labels.get(who, who), mine, place, board.whose), who=who))
    strangers = [piece for piece in figures if board.cast.get(piece.number) not in board.record]
    for number in dict.fromkeys(piece.number for piece in strangers):
        name = board.called.get(number, f"Figure {number}")
        standings.append(standing(name, [piece for piece in figures if piece.number == number], "", board.whose))
    counters = () if board.counters is None else (board.counters(seen, look),)
    flat = flat_rectangle(seen.outline, board.sheet.width, board.sheet.height)
    return BoardLook(tuple(standings), counters, flat=flat, notes=(*board.notes, *notes))


def standing(name: str, seen: Sequence[SeenFigure], record: str, whose: Whose) -> Standing:
    """One figure, by everything that was seen of its number, held against the field where the record has it."""
    if not seen:
        return Standing(name, record=record)
    fields = [whose(place) for figure in seen for place in figure.places]
    where = list(dict.fromkeys(field or BESIDE for field, _ in fields))
    doubt = ""
    if seen[0].doubt:
        doubt = f"{seen[0].doubt}, on {listed(where)}; take the others away"
    elif len(where) > 1:
        doubt = f"is on {' or '.join(where)}; push it to the middle of its place"
    elif min(room for _, room in fields) < UNCLEAR:
        doubt = f"is on the edge of {where[0]}; push it to the middle of its place"
    elif min(room for _, room in fields) < UNCLEAR + SURELY * seen[0].position_error:
        doubt = f"seems to be on {where[0]}, but too little of the map is in view; uncover its corners"
    return Standing(name, "" if doubt else where[0], record, doubt, seen[0].outline)
