"""What sort of spell it is, told from its effects, with a picture for each sort: a bolt, a shield, a path..."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from loomtable.engine.woven.effects import (
    Attack,
    BlockEntry,
    ClearTendrils,
    Defend,
    Move,
    MoveEveryTendril,
    MoveTendril,
    NudgeTendrils,
    OnRivalTendril,
    PassTerrain,
    PlaceTendril,
    Push,
    Reflect,
    RemoveCharges,
    RemoveTendrils,
    SacrificeTendril,
    SaveTendril,
    Teleport,
    TendrilBesideWater,
    TendrilDefends,
)
from loomtable.engine.woven.effects import Deflect as DeflectEffect
from loomtable.engine.woven.effects import HoldTendrils as HoldEffect
from loomtable.engine.woven.spells import Spell
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen

ART_WIDTH, ART_HEIGHT = 26.4, 23.6
"""The panel of a picture, in mm."""
_SHARES = (18, 20, 25, 28, 32, 35)
"""The pictures' classes ``light-18`` and so on: the light ink with so much in a hundred of the deep one."""


class SpellKind(StrEnum):
    """What a spell is mainly for, as its card says."""

    STRIKE = "Strike"
    WARD = "Ward"
    PATH = "Path"
    GROWTH = "Growth"
    UNPICK = "Unpick"


_FIRST_OF: Mapping[SpellKind, tuple[type, ...]] = {
    SpellKind.STRIKE: (Attack,),
    SpellKind.WARD: (
        Defend, Reflect, DeflectEffect, BlockEntry, TendrilDefends, SacrificeTendril, SaveTendril, HoldEffect
    ),
    SpellKind.UNPICK: (ClearTendrils, RemoveTendrils, RemoveCharges),
    SpellKind.PATH: (Move, Push, Teleport, PassTerrain, TendrilBesideWater, OnRivalTendril),
    SpellKind.GROWTH: (PlaceTendril, MoveTendril, MoveEveryTendril, NudgeTendrils),
}  # fmt: skip
"""The effects that make a spell of each kind; the first kind that has one of them wins."""


def kind_of(spell: Spell) -> SpellKind:
    """What a spell is mainly for."""
    effects = [*spell.on_cast, *spell.while_charged, *spell.by_spending]
    for kind, types in _FIRST_OF.items():
        if any(isinstance(effect, types) and not getattr(effect, "sweeps", False) for effect in effects):
            return kind
    return SpellKind.UNPICK


def draw_spell_kind(pen: Pen, kind: SpellKind, deep: Colour, light: Colour) -> None:
    """The picture of a kind, in a panel of ``ART_WIDTH`` x ``ART_HEIGHT`` mm whose middle is the origin."""
    mixed = {f"light-{share}": light.towards(deep, share / 100) for share in _SHARES}
    art_named("spells", kind.lower()).draw(pen, {"deep": deep, "light": light, **mixed})
