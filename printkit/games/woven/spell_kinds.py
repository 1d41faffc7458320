"""What sort of spell it is, told from its effects, with a picture for each sort: a bolt, a shield, a path..."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.path import Path, blob, circle, ellipse, lens, on_circle, polygon, ribbon, star
from loomtable.printkit.draw.pen import Pen

ART_WIDTH, ART_HEIGHT = 26.4, 23.6
"""The panel of a picture, in mm."""
_SCALE = 0.94
_REACH_X, _REACH_Y = ART_WIDTH / 2 - 0.8, ART_HEIGHT / 2 - 0.8


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
    _rays(pen, kind, deep, light)
    with pen.at(0, 0, scale=_SCALE):
        _ART[kind](pen, deep, light)


def _rays(pen: Pen, kind: SpellKind, deep: Colour, light: Colour) -> None:
    """Cuts that run in from the edge, set differently for each kind."""
    turn = list(SpellKind).index(kind) * 3.0
    soft = deep if pen.style is Style.LOW_INK else light.towards(deep, 0.28)
    for at in range(24 if pen.style is Style.LOW_INK else 36):
        angle = turn + at * 360 / (24 if pen.style is Style.LOW_INK else 36)
        x, y = on_circle(0, 0, 1, angle)
        reach = min(_REACH_X / max(abs(x), 1e-6), _REACH_Y / max(abs(y), 1e-6))
        length = 2.2 if at % 2 else 3.6
        pen.solid(lens(*on_circle(0, 0, reach - length / 2 - 0.2, angle), length, 0.42, angle), soft)


def _cuts(pen: Pen, paths: list[Path], deep: Colour, light: Colour) -> None:
    for path in paths:
        if pen.style is Style.LOW_INK:
            pen.solid(path, deep)
        else:
            pen.fill_background(path, light)


def _strike(pen: Pen, deep: Colour, light: Colour) -> None:
    bolt = polygon((4.6, 10.2), (-4.4, 1.0), (-0.4, 0.4), (-5.2, -10.2), (4.8, 1.6), (0.6, 2.2))
    pen.fill(star(-2.6, -6.2, 4.6, 1.9, 9), light.towards(deep, 0.25))
    pen.fill(bolt, deep)
    _cuts(pen, [lens(0.2, 5.0, 6.4, 0.7, 47), lens(-1.2, -3.4, 6.6, 0.7, 64)], deep, light)
    for x, y, turn in ((-6.6, 4.6, 40), (6.8, -3.6, 40), (6.2, 4.2, 62), (-7.2, -1.4, 20)):
        pen.solid(lens(x, y, 3.6, 0.8, turn), deep)


def _ward(pen: Pen, deep: Colour, light: Colour) -> None:
    def shield(share: float) -> Path:
        path = (
            Path()
            .move(0, 9.4 * share)
            .curve(3 * share, 8.2 * share, 5.6 * share, 7.8 * share, 8 * share, 7.8 * share)
        )
        path.curve(8.4 * share, 0.6 * share, 5.4 * share, -6.4 * share, 0, -9.8 * share)
        path.curve(-5.4 * share, -6.4 * share, -8.4 * share, 0.6 * share, -8 * share, 7.8 * share)
        return path.curve(-5.6 * share, 7.8 * share, -3 * share, 8.2 * share, 0, 9.4 * share).close()

    pen.fill(shield(1), deep)
    pen.fill(shield(0.84), light)
    with pen.clipped(shield(0.76)):
        for row in range(-4, 5):
            for column in range(-4, 5):
                x, y = column * 2.3, row * 2.3
                pen.solid(lens(x, y, 2.1, 0.8, 90 if (row + column) % 2 else 0), deep)


_FOOTPRINTS = (
    (-7.0, -7.6, -18, 1.0), (-3.4, -5.2, -40, 0.95), (1.2, -3.6, -68, 0.85), (4.4, -1.8, -20, 0.8),
    (3.4, 1.8, 40, 0.7), (-0.6, 2.8, 62, 0.62), (-2.2, 5.2, 8, 0.52),
)  # fmt: skip
"""x, y, direction and size of each footprint."""


def _path(pen: Pen, deep: Colour, light: Colour) -> None:
    """Footprints that climb a winding way."""
    way = [(-7.6, -10.4), (-5.2, -5.4), (2.6, -3.6), (4.2, 0.8), (-2.4, 3.4), (-1.4, 7.2), (4.4, 9.8)]
    pen.fill(ribbon(way, [9.2, 8.0, 6.4, 5.2, 3.6, 2.2], 4), light.towards(deep, 0.2), tone=True)
    for x, y, turn, size in _FOOTPRINTS:
        with pen.at(x, y, turn=turn, scale=size):
            pen.solid(blob((-1.1, 0.8), (-1.3, 2.4), (0, 3.3), (1.3, 2.4), (1.0, 0.8), (0, 0.3)), deep)
            pen.solid(ellipse(0, -1.0, 0.95, 0.8), deep)
    pen.solid(star(5.4, 9.2, 2.0, 0.7, 4), deep)


def _growth(pen: Pen, deep: Colour, light: Colour) -> None:
    """A tendril that winds up and puts out leaves."""
    stem = [
        (-6.0, -10.6),
        (-4.6, -5.2),
        (1.0, -3.2),
        (4.4, 0.6),
        (1.2, 4.0),
        (-3.0, 4.6),
        (-4.2, 8.0),
        (-1.0, 10.0),
        (1.6, 8.2),
        (0.6, 6.8),
    ]
    for x, y, length, turn in (
        (-0.6, -6.2, 6.4, -24),
        (-6.8, -3.0, 6.2, 68),
        (6.8, 1.6, 6.0, 34),
        (5.6, 5.0, 5.8, 28),
        (-6.8, 3.0, 5.2, -20),
    ):
        pen.fill(lens(x, y, length, length * 0.38, turn), light.towards(deep, 0.35))
        pen.stroke(lens(x, y, length, length * 0.38, turn), deep, 0.25)
        pen.solid(lens(x, y, length * 0.8, 0.28, turn), deep)
    pen.solid(ribbon(stem, [1.9, 1.8, 1.6, 1.5, 1.3, 1.1, 0.9, 0.4], 4), deep)
    pen.solid(
        ribbon([(4.0, 1.4), (6.8, -1.4), (8.6, -1.2), (8.8, -3.0), (7.6, -3.2)], [0.9, 0.7, 0.5, 0.2], 4), deep
    )


def _unpick(pen: Pen, deep: Colour, light: Colour) -> None:
    """A thread that is cut."""
    for side in (1, -1):
        pen.solid(
            ribbon(
                [(side * 11.6, -5.6), (side * 8.0, -1.4), (side * 4.6, -3.6), (side * 1.8, -1.6)],
                [1.5, 1.5, 1.3, 1.0],
                4,
            ),
            deep,
        )
        for away in (-1.2, 0.0, 1.2):
            pen.solid(lens(side * 1.1, -1.4 + away * 0.6, 2.2, 0.4, side * away * 24), deep)
    for side in (1, -1):
        blade = ribbon(
            [(side * 2.9, 3.6), (side * 1.1, 0.2), (-side * 0.9, -3.6), (-side * 3.0, -9.6)], [1.4, 2.0, 2.2, 0], 4
        )
        pen.fill(blade, light.towards(deep, 0.18 if side > 0 else 0.32))
        pen.stroke(blade, deep, 0.3)
        ring = circle(side * 4.0, 6.8, 3.3)
        pen.fill(ring, deep)
        pen.fill(circle(side * 4.0, 6.8, 1.9), light)
    pen.solid(circle(0, -1.6, 0.8), deep)


_ART: Mapping[SpellKind, Callable[[Pen, Colour, Colour], None]] = {
    SpellKind.STRIKE: _strike,
    SpellKind.WARD: _ward,
    SpellKind.PATH: _path,
    SpellKind.GROWTH: _growth,
    SpellKind.UNPICK: _unpick,
}
