"""Where a table and the record differ, and what people have said of it."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.gestures import Offer, Stood, Table
from loomtable.engine.kernel.offered import offers
from loomtable.engine.kernel.session import Session
from loomtable.table.reading.board import BoardLook, LyingCounters
from loomtable.table.reading.hands import Hands
from loomtable.vision.verdict import Verdict


@dataclass(frozen=True)
class Difference:
    """Where the table and the record differ."""

    says: str
    """And what to do where the record is right."""
    about: str
    """Whose figure it is, which counters, or which card."""
    seen: str = ""
    """Where it is on the table; empty where that is in doubt."""
    offer: Offer | None = None
    """How the table becomes right, where the rules allow it."""


class Differences:
    """Those that are open at one table; all methods may be called from any thread."""

    def __init__(self, hands: Hands) -> None:
        self._hands, self._lock = hands, threading.Lock()
        self.open: tuple[Difference, ...] = ()
        """Those that nobody has settled."""
        self.put_back: dict[str, str] = {}
        """What people have said they put where the record has it, and where it is on the table until they do."""

    def named(self, about: str) -> Difference:
        """The one about this.

        Raises:
            ReadingMisfit: table and record agree.
        """
        differs = next((apart for apart in self.open if apart.seen and apart.about == about), None)
        if differs is None:
            raise ReadingMisfit(f"there is nothing to settle about {about[:60] or 'nobody'} now")
        return differs

    def settle(self, about: str) -> str:
        """Somebody puts it where the record has it; what to do, in words. The rest is as in ``named``."""
        differs = self.named(about)
        with self._lock:
            self.put_back[about] = differs.seen
            self.open = tuple(apart for apart in self.open if apart.about != about)
        return differs.says

    def compare(self, session: Session[object], board: BoardLook | None) -> None:
        """Hold a look at the board against the record."""
        if board is None:
            self.open = ()
            return
        found = self._found(session, board)
        seen = {apart.about: apart.seen for apart in found}
        with self._lock:
            self.put_back = {about: was for about, was in self.put_back.items() if seen.get(about) == was}
            self.open = tuple(apart for apart in found if apart.about not in self.put_back)

    def _found(self, session: Session[object], board: BoardLook) -> list[Difference]:
        """Where things are not as in the record, or in doubt, and how the table becomes right."""
        found = []
        for standing in board.everything:
            counted = standing.counted if isinstance(standing, LyingCounters) else None
            if standing.verdict is Verdict.ACCEPTED or not (standing.seen or standing.doubt):
                continue
            if counted is not None and counted.kind not in self._hands.kinds:
                continue  # people have beads or coins instead
            moved = () if counted is not None else (Stood(standing.who, standing.seen),)
            as_moved = Table(figures=moved, counters=board.miscounted)
            moves = offers(session, as_moved) if standing.who and not standing.doubt else ()
            offer = next((move for move in moves if move.legal and move.about == standing.who), None)
            says = standing.says if standing.doubt else f"{standing.says}: {standing.remedy}"
            found.append(Difference(says, standing.who or standing.name, standing.seen, offer))
        if (placed := board.offer) is not None and not self._hands.means(placed):
            says = f"Card {placed.about} is on the table, the record has it nowhere: take it back"
            found.append(Difference(says, placed.about, placed.says, placed if placed.legal else None))
        return found
