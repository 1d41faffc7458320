"""A table of Weave whose Flaw, Location and Boss hold what a test says."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from loomtable.engine.weave.cards import drawing
from loomtable.engine.weave.cards.mechanics import Mechanic, MechanicType, Passive
from loomtable.engine.weave.cards.playset import Offer, Playset, Quality, QualityKind, playset
from loomtable.engine.weave.suits import Suit
from tests.systems.weave_table import Table, weave


def quality(name: str, *always: Passive) -> Quality:
    return Quality(name, "x", mechanic=Mechanic(MechanicType.PASSIVE, "It is so.", always=always, whole=True))


def table_with(
    *always: Passive,
    place: tuple[Passive, ...] = (),
    boss: tuple[Passive, ...] = (),
    talent: tuple[Passive, ...] = (),
) -> Table:
    """Ilse and Odo as usual, and Ilse's Flaw, the Location, the Boss and the Boss's own Talent are these."""
    PLAYED.append(_playset(always, place, boss, talent))
    table = Table(people=False)
    table.season("S5", "S17", "S14")
    table.character("Ada", "Ilse", "gales", ("S1", "2"), ("S8", "2"), ("S6", "1"), ("S16", "1"))
    table.character("Ben", "Odo", "brooks", ("S3", "1"), ("S22", "2"), ("S12", "2"), ("S15", "1"))
    return table


def _playset(
    flaw: tuple[Passive, ...], place: tuple[Passive, ...], boss: tuple[Passive, ...], talent: tuple[Passive, ...]
) -> Playset:
    whole = playset("the-salt-road")
    offers: dict[int, Offer] = {n: dict(offer) for n, offer in whole.cards.items()}
    offers[6][QualityKind.FLAW] = [quality("Her Flaw", *flaw)]
    offers[17][QualityKind.LOCATION] = [quality("The Place", *place)]
    sheet = {QualityKind.TALENT: (quality("Its Talent", *talent),)} if talent else {}
    enemy = msgspec.structs.replace(quality("The Boss", *boss), dice={Suit.GALES: 1}, sheet=sheet)
    offers[14][QualityKind.BOSS] = [enemy]
    return msgspec.structs.replace(whole, cards=offers)


PLAYED: list[Playset] = []
"""What is played with, the latest last: a session is folded anew now and then, and asks for it again."""


@pytest.fixture(autouse=True, scope="module")
def these_cards() -> Iterator[None]:
    """A file that imports this plays with the cards of the latest table instead of the shipped ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "playset", lambda name: PLAYED[-1])
        yield


def fight(table: Table, band: str = "melee") -> None:
    table.do(
        "begin-encounter",
        weave("gales", "gales", "gales", "stones"),
        weave("gales", "gales", "stones"),
        weave("gales", "stones", "stones"),
        against=["The Boss"],
        combat=True,
        band=band,
    )
