"""The spells: pattern, element, level and effects, as data that people write (WO-10, WO-15).

The file is ``templates/woven/spells.yaml``; ``docs/woven-data.md`` describes it. What the effects are stands in
``loomtable.engine.woven.effects``, how patterns are found in ``loomtable.engine.woven.patterns``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product

import msgspec

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.wording import nearest
from loomtable.engine.kernel.yamlfile import Titled, parse_yaml
from loomtable.engine.woven.cards import Element
from loomtable.engine.woven.effects import (
    CastEffect,
    MoveTendril,
    OnRivalTendril,
    PlaceCharge,
    PlaceTendril,
    SpendEffect,
    StandingEffect,
    Where,
    Which,
)

SYMBOL, THREAD, IGNORED = "@", "X", "."
"""The marks of a pattern: a visible symbol of the spell's element, a thread, a cell that does not matter."""
MOST_LEVEL = 4
MOST_PATTERN = 6
"""Rows and columns of the largest pattern that is read."""


class Pattern(msgspec.Struct, frozen=True):
    """Where symbols and threads stand, as (column, row) from the upper left corner, rows downwards (WO-10)."""

    symbols: tuple[tuple[int, int], ...]
    threads: tuple[tuple[int, int], ...]

    @property
    def columns(self) -> int:
        """How wide it is."""
        return 1 + max(column for column, _ in self.symbols + self.threads)

    @property
    def rows(self) -> int:
        """How high it is."""
        return 1 + max(row for _, row in self.symbols + self.threads)

    def marks(self) -> tuple[tuple[str, ...], ...]:
        """The pattern row by row: ``@`` symbol, ``X`` thread, ``.`` ignored."""
        at = {**dict.fromkeys(self.symbols, SYMBOL), **dict.fromkeys(self.threads, THREAD)}
        return tuple(
            tuple(at.get((column, row), IGNORED) for column in range(self.columns)) for row in range(self.rows)
        )


class Spell(msgspec.Struct, frozen=True):
    """A spell card; ``number`` is 1 to 36, ``key`` its name as it is typed."""

    number: int
    key: str
    name: str
    element: Element
    level: int
    pattern: Pattern
    says: str
    on_cast: tuple[CastEffect, ...]
    while_charged: tuple[StandingEffect, ...] = ()
    by_spending: tuple[SpendEffect, ...] = ()

    @property
    def takes_charges(self) -> bool:
        """Whether casting it puts a charge on it."""
        return any(isinstance(effect, PlaceCharge) for effect in self.on_cast)

    @property
    def component(self) -> ComponentId:
        """The printed card: ``P7``."""
        return ComponentId(Kind.SPELL, self.number)


class _SpellEntry(msgspec.Struct, forbid_unknown_fields=True):
    spell: str
    name: str
    element: Element
    level: int
    pattern: list[str]
    says: str
    on_cast: tuple[CastEffect, ...]
    while_charged: tuple[StandingEffect, ...] = ()
    by_spending: tuple[SpendEffect, ...] = ()


class _SpellFile(Titled, frozen=True):
    spells: list[_SpellEntry]


def parse_spells(text: str, name: str) -> dict[str, Spell]:
    """Read and check a file of spells; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line.
    """
    file, lines = parse_yaml(text, _SpellFile, name)
    spells: dict[str, Spell] = {}
    for place, entry in enumerate(file.spells):
        pattern = _pattern(entry.pattern, f"{lines.place('spells', place, 'pattern')}: {entry.name!r}")
        spell = Spell(
            place + 1,
            entry.spell,
            entry.name,
            entry.element,
            entry.level,
            pattern,
            entry.says,
            entry.on_cast,
            entry.while_charged,
            entry.by_spending,
        )
        trouble = "stands twice" if entry.spell in spells else spell_trouble(spell)
        if trouble:
            raise ContentInvalid(f"{lines.place('spells', place)}: {entry.name!r} {trouble}")
        spells[entry.spell] = spell
    if not spells:
        raise ContentInvalid(f"{lines.place('spells')}: there is no spell")
    return spells


def _pattern(rows: list[str], where: str) -> Pattern:
    """The pattern whose rows are these, e.g. ``["@ . X", ". X ."]``."""
    grid = [row.split() for row in rows]
    if not grid or len({len(row) for row in grid}) != 1:
        raise ContentInvalid(f"{where} needs a pattern whose rows are equally long")
    if len(grid) > MOST_PATTERN or len(grid[0]) > MOST_PATTERN:
        raise ContentInvalid(f"{where} has a pattern of more than {MOST_PATTERN} x {MOST_PATTERN} cells")
    at: dict[str, list[tuple[int, int]]] = {SYMBOL: [], THREAD: [], IGNORED: []}
    for row, column in product(range(len(grid)), range(len(grid[0]))):
        mark = grid[row][column]
        if mark not in at:
            raise ContentInvalid(f"{where} has {mark[:20]!r} in its pattern; the marks are @, X and .")
        at[mark].append((column, row))
    if not at[SYMBOL] or not at[THREAD]:
        raise ContentInvalid(f"{where} needs at least one symbol (@) and one thread (X) in its pattern")
    taken = at[SYMBOL] + at[THREAD]
    if any(
        min(spot[axis] for spot in taken) > 0 or max(spot[axis] for spot in taken) < size - 1
        for axis, size in ((0, len(grid[0])), (1, len(grid)))
    ):
        raise ContentInvalid(
            f"{where} has an outer row or column in its pattern in which only ignored cells stand"
        )
    return Pattern(tuple(at[SYMBOL]), tuple(at[THREAD]))


def spell_trouble(spell: Spell) -> str:
    """What is wrong with a spell, in words; nothing if it holds together."""
    if spell.key != spell.name.lower().replace(" ", "-") or not spell.name.strip():
        return f"is called {spell.key!r}, which is not its name with hyphens"
    if not 1 <= spell.level <= MOST_LEVEL:
        return f"is of level {spell.level}; levels are 1 to {MOST_LEVEL}"
    if not spell.says.strip():
        return "does not say what it does"
    if not spell.on_cast:
        return "does nothing when it is cast"
    if bool(spell.while_charged or spell.by_spending) != spell.takes_charges:
        return (
            "takes charges that are good for nothing" if spell.takes_charges else "needs a charge and takes none"
        )
    return _order_trouble(list(_flat(spell.on_cast))) or _counts_trouble(
        [*_flat(spell.on_cast), *spell.while_charged, *spell.by_spending]
    )


def _flat(effects: Iterable[CastEffect]) -> Iterator[CastEffect]:
    for effect in effects:
        yield effect
        if isinstance(effect, OnRivalTendril):
            yield from _flat(effect.then)


_CHOOSE_A_PLACE = {Where.ADJACENT, Where.BESIDE_OWN_TENDRIL, Where.OWN_TENDRIL}
_CHOOSE_A_TENDRIL = {Where.OWN_TENDRIL, Where.BESIDE_OWN_TENDRIL, Where.AROUND_OWN_TENDRIL}


def _order_trouble(effects: list[CastEffect]) -> str:
    """An effect that speaks of *that* needs an earlier one which chose it."""
    place = tendril = new = mage = False
    for effect in effects:
        where = getattr(effect, "where", None) or getattr(effect, "to", None)
        which = getattr(effect, "which", None)
        for needed, known, what in (
            (where is Where.THAT_PLACE, place, "that place"),
            (where is Where.THAT_MAGE, mage, "that mage"),
            (which is Which.THAT, tendril, "that tendril"),
            (which is Which.NEW, new, "the new tendril"),
        ):
            if needed and not known:
                return f"speaks of {what} before anything chose it"
        place |= where in _CHOOSE_A_PLACE
        tendril |= where in _CHOOSE_A_TENDRIL or isinstance(effect, MoveTendril)
        new |= isinstance(effect, PlaceTendril)
        mage |= isinstance(effect, OnRivalTendril)
    return ""


def _counts_trouble(effects: Iterable[object]) -> str:
    for effect in effects:
        for field in ("steps", "count", "strength", "reach", "divided_by"):
            if getattr(effect, field, 1) < 1:
                return (
                    f"has an effect whose {field.replace('_', ' ')} is {getattr(effect, field)}; it is at least 1"
                )
    return ""


@cache
def spells() -> Mapping[str, Spell]:
    """The installed spells, by key, in the order of their numbers."""
    return parse_spells(*shipped("woven", "spells.yaml"))


def spell_named(key: str) -> Spell:
    """The installed spell of this key.

    Raises:
        ContentInvalid: there is none; the message names the nearest one.
    """
    known = spells()
    if key not in known:
        raise ContentInvalid(f"there is no spell {key[:40]!r}{nearest(key, known)}")
    return known[key]


def spell_numbered(number: int) -> Spell:
    """The installed spell of this number, as it stands on its card.

    Raises:
        ContentInvalid: there is none.
    """
    for spell in spells().values():
        if spell.number == number:
            return spell
    raise ContentInvalid(f"there is no spell {number}; they are numbered 1 to {len(spells())}")
