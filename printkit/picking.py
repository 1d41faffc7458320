"""Which pieces of the components are printed, and how many of each: ``S3``, ``story:3,7``, ``spells:1-4x2``."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.wording import listed
from loomtable.printkit.catalogue import Component, RenderOptions, components_named
from loomtable.printkit.errors import CopiesInvalid, NoSuchCard
from loomtable.printkit.sheet.pieces import Piece

MOST_COPIES = 300
_PART = re.compile(
    r"(?:(?P<name>[a-z][a-z0-9-]*):)?(?P<first>[a-z0-9]{1,40}?)(?:-(?P<last>\d{1,9}))?(?:x(?P<copies>\d{1,9}))?",
    re.I,
)
"""So many digits at most: Python refuses to make a number of thousands."""


@dataclass(frozen=True)
class Pick:
    """Pieces that are wanted: one by its id, or number ``number`` of one component; ``copies`` of each.

    ``copies=None`` takes as many as a kit holds.
    """

    id: ComponentId | None = None
    component: str = ""
    number: int = 0
    copies: int | None = None

    def __str__(self) -> str:
        return str(self.id) if self.id else f"{self.component}:{self.number}"

    def may_mean(self, component: Component) -> bool:
        """Whether the piece may be one of this component's, which need not be made for that."""
        return self.id.kind in component.kinds if self.id is not None else self.component == component.name

    def takes(self, component: Component, piece: Piece, number: int) -> bool:
        """Whether it means this piece, which is number ``number`` of its component."""
        if self.id is not None:
            return self.id in (piece.id, getattr(piece, "back_id", None))
        return self.component == component.name and self.number == number


Only = Collection[ComponentId | Pick | str] | None
"""Which pieces are wanted: ids, picks, or the same as people write it, ``"S7"`` or ``"story:3,7-9"``."""


def picks_in(text: str) -> list[Pick]:
    """What a person wrote after ``--only``: parts between commas, a component's name standing for those after it.

    Raises:
        NoSuchCard: a part is none.
        UnknownPrintName: there is no such component.
    """
    picked: list[Pick] = []
    name = ""
    for part in (part.strip() for part in text.split(",")):
        found = _PART.fullmatch(part)
        if not found:
            why = f"{part[:40]!r} names no card; write S3, or a component and numbers as in story:3,7-9"
            raise NoSuchCard(why)
        if found["name"]:
            [component] = components_named([found["name"]])
            name = component.name
        copies = int(found["copies"]) if found["copies"] else None
        if copies is not None and not 1 <= copies <= MOST_COPIES:
            raise CopiesInvalid(f"copies are 1 to {MOST_COPIES}, not {copies} (in {part!r})")
        if found["first"].isdecimal() and name:
            first, last = int(found["first"]), int(found["last"] or found["first"])
            if not first <= last <= first + 999:
                raise NoSuchCard(f"{part!r}: {last} comes before {first}, or is far from it")
            picked += [Pick(component=name, number=number, copies=copies) for number in range(first, last + 1)]
        elif found["last"]:
            raise NoSuchCard(f"{part[:40]!r}: a range needs its component, as in story:3-9")
        else:
            picked.append(Pick(ComponentId.parse(found["first"]), copies=copies))
    return picked


def chosen_pieces(
    components: Sequence[Component],
    options: RenderOptions,
    only: Only,
    copies: int,
) -> list[tuple[Component, list[Piece]]]:
    """The pieces of each component that are to be printed, each as often as it is wanted, copies side by side.

    Components of which nothing is wanted are left out. Copies that are told add up, however a card is named;
    without copies, a card that is named twice is wanted once.

    Raises:
        NoSuchCard, UnknownComponent, BadCode: something is wanted that is in none of them, or names no card.
        CopiesInvalid: ``copies`` is no sensible number.
    """
    if not 1 <= copies <= MOST_COPIES:
        raise CopiesInvalid(f"copies are 1 to {MOST_COPIES}, not {copies}")
    picks = None if only is None else _picks(only)
    used: set[Pick] = set()
    decks: list[tuple[Component, list[Piece]]] = []
    for component in components:
        held: list[Piece] = []
        is_wanted = picks is None or any(pick.may_mean(component) for pick in picks)
        for place, piece in enumerate(component.pieces(options) if is_wanted else (), start=1):
            times = piece.copies
            if picks is not None:
                number = piece.id.number if piece.id else place
                takers = [pick for pick in picks if pick.takes(component, piece, number)]
                used.update(takers)
                told = [pick.copies for pick in takers if pick.copies is not None]
                times = sum(told) + (piece.copies if len(told) < len(takers) else 0)
            held += [piece] * (times * copies)
        decks.append((component, held))
    strangers = [pick for pick in picks or () if pick not in used]
    if picks is not None and (strangers or not picks):
        asked = f"{strangers[0]} is not among the cards" if strangers else "no card was named of those"
        ranges = [_range(component, component.pieces(options)) for component in components]
        raise NoSuchCard(f"{asked} to print, which are {listed(ranges)}")
    return [(component, held) for component, held in decks if held]


def _picks(only: Collection[ComponentId | Pick | str]) -> list[Pick]:
    """What is wanted, where a text stands for whatever it names."""
    if isinstance(only, str):
        return picks_in(only)
    return [
        pick
        for card in only
        for pick in (picks_in(card) if isinstance(card, str) else [card if isinstance(card, Pick) else Pick(card)])
    ]


def distinct(pieces: Sequence[Piece]) -> list[Piece]:
    """Each piece once, however many copies of it there are."""
    return list({id(piece): piece for piece in pieces}.values())


def _range(component: Component, pieces: Sequence[Piece]) -> str:
    ids = [piece.id for piece in pieces if piece.id]
    first, last = (ids[0], ids[-1]) if ids else (f"{component.name}:1", f"{component.name}:{len(pieces)}")
    return f"{first} to {last}" if first != last else str(first)
