"""Bosses whose playset has written them a sheet (WV-4): they bring it along, and use what stands on it."""

from __future__ import annotations

from typing import TypeVar

import pytest

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Choose, Roll
from loomtable.engine.weave.cards.playset import Quality, QualityKind, playset, playset_names
from loomtable.engine.weave.events.figures import NpcAdded, QualityActivated
from loomtable.engine.weave.state import ScannedQuality
from tests.systems.weave_table import Table, card, pick, weave, write

E = TypeVar("E")
HASK = "Toll-Baron Hask Mulgrave"
OWN = ("Basket-Boy over the Gullet", "Loosen a Plank", "The Baron's Health", "Trusts No Knot but His Own")


def at_half_bridge() -> Table:
    """The usual two, in an episode whose Boss is Hask; he has not come in yet."""
    table = Table()
    table.do("new-episode", card("S5"), pick("2"), card("S20"), pick("2"), card("S11"), boss_option(HASK))
    assert HASK not in table.state.npcs
    return table


def boss_option(name: str) -> Reading:
    options = playset("the-salt-road").options(11, QualityKind.BOSS)
    return pick(str([q.name for q in options].index(name) + 1))


def told(table: Table, sort: type[E]) -> list[E]:
    return [event for played in table.session.played for event in played.events if isinstance(event, sort)]


def names_on(sheet: tuple[ScannedQuality, ...]) -> list[str]:
    return [scanned.quality.name for scanned in sheet]


def test_a_boss_can_come_in_late_and_only_once() -> None:
    table = at_half_bridge()
    table.do("add-npc", npc="Wolf", enemy=True)
    table.do("begin-encounter", weave(*["gales"] * 4), weave("gales", "gales", "stones"), against=["Wolf"])
    table.do("join-encounter", who=HASK)
    assert set(OWN) < set(names_on(table.npc(HASK).qualities))
    table.do("end-encounter", resolution="He paid for the soup.")
    table.do("begin-encounter", weave(*["gales"] * 4), weave("gales", "gales", "stones"), against=[HASK])
    assert [added.npc.name for added in told(table, NpcAdded)].count(HASK) == 1


def test_an_encounter_that_is_refused_brings_nobody_in() -> None:
    table = at_half_bridge()
    with pytest.raises(IllegalAction, match="there is no character 'Nobody'"):
        table.session.perform("begin-encounter", who=["Nobody"], against=[HASK])
    assert HASK not in table.state.npcs


WRITTEN = [
    pytest.param(name, number, place, kind, quality, id=f"{name}-{quality.name}")
    for name in playset_names()
    for number, offer in playset(name).cards.items()
    for place, boss in enumerate(offer[QualityKind.BOSS], start=1)
    for kind in (QualityKind.TALENT, QualityKind.ASSET)
    for quality in boss.sheet.get(kind, ())
]


@pytest.mark.parametrize(("name", "number", "place", "kind", "quality"), WRITTEN)
def test_what_a_boss_can_do_takes_effect_on_two_characters(
    name: str, number: int, place: int, kind: QualityKind, quality: Quality
) -> None:
    table = Table(people=False)
    theme, location, *others = (f"S{n}" for n in range(1, 23) if n != number)
    scans = (card(theme), pick("1"), card(location), pick("1"), card(f"S{number}"), pick(str(place)))
    table.do("new-season", *scans, write("A season"), playset=name)
    table.character("Ada", "Ilse", "gales", *[(c, "1") for c in others[:4]])
    table.character("Ben", "Odo", "brooks", *[(c, "1") for c in others[4:8]])
    boss = table.state.foundation[2].quality.name
    mechanic = quality.mechanic
    assert mechanic is not None
    assert mechanic.suit is not None
    assert mechanic.trigger is not None
    table.session.perform("boss-sheet")
    within = [effect.within for effect in mechanic.effects if effect.within is not None]
    band = (*mechanic.reach, *within, "short")[0]
    table.session.perform("begin-encounter", against=[boss], combat=True, band=band, starter=boss)
    if kind is QualityKind.ASSET:
        table.session.perform("attack", who=boss, target="Ilse", asset=quality.name)
    else:
        table.session.perform("use-talent", who=boss, talent=quality.name)
    while isinstance(asked := table.pending, Roll | Choose):
        if isinstance(asked, Roll):
            more = [mechanic.trigger.suit] * (asked.count - 1)
            table.session.answer(weave(mechanic.suit, *more))
        else:
            table.session.answer(pick(*[o.key for o in asked.options][-asked.at_most :]))
    assert table.pending is None
    [used] = told(table, QualityActivated)
    assert (used.who, used.quality) == (boss, quality.name)
    same_suit = mechanic.trigger.suit is mechanic.suit
    assert used.triggered or (same_suit and mechanic.trigger.symbols == 3), "three dice are one too few then"
