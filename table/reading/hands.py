"""What hands have done on a table: from scene to scene, which cards and figures are new and mean something.

A thing is new from when it is laid until it was taken for something, or a person said that it means nothing. What
lies there when the watch begins, or when something is undone, is not.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.gestures import Counted, Lying, Offer, Stood, Table, Thrown, ThrownAgain
from loomtable.engine.kernel.readings import DiceReading, ReadDie
from loomtable.table.reading.beside import below, beside
from loomtable.table.reading.board import BoardLook
from loomtable.table.reading.card_geometry import card_outline, on_table
from loomtable.table.reading.scene import Scene
from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.cards import SeenCard
from loomtable.vision.quads import box_round, quad_centre
from loomtable.vision.tray import SeenDie
from loomtable.vision.verdict import Verdict
from loomtable.vision.whereabouts import Place

MISSED = 60.0
"""Seconds for which a marker that is not seen any more may still lie where it was seen."""


class Hands:
    """Keeps which things on a table are new.

    All methods may be called from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._lying: dict[ComponentId, Place] = {}
        """Everything that is there, as it came, where it was seen last; what something lies over is there too."""
        self._used: dict[ComponentId, int] = {}
        """As which laying a thing has meant what it meant."""
        self._markers: dict[ComponentId, tuple[SeenCard, float]] = {}
        """Where each marker was seen last, and when."""
        self._outlines: dict[ComponentId, Float32Array] = {}
        """Of everything that lies there, as it came, and of markers that were there a minute ago, mm."""
        self._meant: set[tuple[str, str]] = set()
        """Figures on the fields on which they mean nothing."""
        self._board = BoardLook()
        self._counted: dict[str, Counted] = {}
        """How many counters mean nothing where they lie, whatever the record says, by their names; others none."""
        self.kinds: set[str] = set()
        """Kinds of counters that have been seen at all; for others people may have beads or coins."""

    def see(
        self, scene: Scene, others: Sequence[Kind] = (), *, at: float = 0.0, flat: Float64Array | None = None
    ) -> Table:
        """The table ``at`` so many seconds, as a scene shows it, without the kinds ``others``; ``flat`` is as of
        ``on_table``."""
        with self._lock:
            seen = {card.card: card for card in scene.cards if not card.doubt}
            self._lying = {place.what.card: place for place in scene.lying}
            sure = {card: place.what for card, place in self._lying.items() if not place.what.doubt}
            self._markers |= {card: (one, at) for card, one in seen.items() if card.kind is Kind.MARKER}
            missed = {card: one for card, (one, when) in self._markers.items() if at - when < MISSED}
            self._outlines = on_table(missed | sure | seen, flat)
            self._board = scene.board or BoardLook()
            where = {standing.who: standing.seen for standing in self._board.standings}
            self._meant = {(who, field) for who, field in self._meant if where.get(who, field) in (field, "")}
            counters = self._count()
            lies = tuple(self._lies(card, seen) for card in seen if card.kind not in others)
            figures = tuple(
                Stood(figure.who, figure.seen, (figure.who, figure.seen) not in self._meant)
                for figure in self._board.standings
                if figure.who and figure.verdict is Verdict.REJECTED
            )
            return Table(lies, figures, counters, _thrown_again(scene), self._thrown(scene))

    def _count(self) -> tuple[Counted, ...]:
        """The counters that are not as in the record; those that were so mean something once moved."""
        board, counted = self._board, {pile.name: pile for pile in self._board.counted}
        self.kinds |= {counters.kind for counters in counted.values() if counters.count}
        looked_for = {counters.kind for counters in board.counters if counters.sure}
        still = counted.keys() | board.hidden
        kept = {name: was for name, was in self._counted.items() if was.kind not in looked_for or name in still}
        self._counted = kept | {name: now for name, now in counted.items() if now.count == now.record}
        known = [pile for pile in board.miscounted if pile.kind in self.kinds]
        nothing = {name: pile.count for name, pile in self._counted.items()}
        return tuple(replace(pile, new=pile.count != nothing.get(pile.name, 0)) for pile in known)

    def means(self, offer: Offer) -> bool:
        """Whether a card that was placed has not meant anything yet."""
        return any(map(self._is_new, offer.things))

    def _is_new(self, thing: ComponentId) -> bool:
        return self._laying(thing) > self._used.get(thing, 0)

    def _laying(self, thing: ComponentId) -> int:
        return self._lying[thing].laying if thing in self._lying else 0

    def use(self, things: Iterable[ComponentId], about: str | None = "") -> None:
        """These cards, and the figure or counters of this name where they are, have meant what they meant; without
        a name all figures and counters."""
        with self._lock:
            self._used |= {thing: self._laying(thing) for thing in things}
            figures = self._board.standings
            self._meant |= {(one.who, one.seen) for one in figures if one.who and about in (None, one.who)}
            self._counted |= {pile.name: pile for pile in self._board.counted if about in (None, pile.name)}

    def play_on(self) -> None:
        """The record has changed: figures and counters mean nothing where they are, until they are moved, nor do
        answer cards, which were laid for what was asked before."""
        self.use([card for card in self._lying if card.kind is Kind.ANSWER], None)

    def use_all(self) -> None:
        """Nothing that is on the table now means anything, until it is moved or laid anew."""
        self.use(self._lying, None)

    def boxes(self, things: Iterable[ComponentId], about: str = "") -> tuple[Box, ...]:
        """Where these things lie in the picture, and the figure or the counters of this name, px."""
        cards = [card_outline(self._lying[thing].what) for thing in things if thing in self._lying]
        pieces = [one.outline for one in self._board.everything if about and one.who == about and one.outline]
        return tuple(map(box_round, cards + pieces))

    def _thrown(self, scene: Scene) -> Thrown | None:
        """All the dice of a roll, thrown since they were looked for, and how far figures stand from them."""
        roll = scene.roll
        if not scene.thrown or roll is None or not scene.all_fallen:
            return None
        if roll.verdict is Verdict.REJECTED:
            return Thrown(None, unread=roll.reason)
        middle = np.mean([die.centre for die in roll.dice], axis=0)
        far = {
            standing.who: math.dist(middle, quad_centre(standing.outline)) / math.dist(*standing.outline[:2])
            for standing in self._board.standings
            if standing.who and standing.outline is not None and not standing.doubt and not scene.in_tray
        }
        return Thrown(_as_read(roll.dice) if roll.verdict is Verdict.ACCEPTED else None, far)

    def _lies(self, card: ComponentId, seen: Mapping[ComponentId, SeenCard]) -> Lying:
        new = self._is_new(card)
        if not new or card.kind in (Kind.MARKER, Kind.ANSWER):
            return Lying(card, new)
        near, on = beside(card, self._outlines), below(card, self._outlines)
        return Lying(card, new, on, near, all(other in seen for other in near))


def _thrown_again(scene: Scene) -> ThrownAgain | None:
    """Some dice that were thrown again, where every one of them is sure."""
    roll, fallen = scene.roll, scene.fallen
    if roll is None or roll.verdict is not Verdict.ACCEPTED or not 0 < len(fallen) < len(roll.dice):
        return None
    if len(scene.picked_up) != len(fallen):
        return None
    return ThrownAgain(_as_read(scene.picked_up), _as_read(fallen))


def _as_read(dice: Sequence[SeenDie]) -> DiceReading:
    return DiceReading(tuple(ReadDie(die.die, die.face, die.how, die.confidence) for die in dice))
