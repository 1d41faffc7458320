"""Woven's player sheet: where the mana lies, the spells with their patterns, tendrils, and the tapestry."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from loomtable.engine.woven.cards import Element
from loomtable.engine.woven.regions import RIVER_COST, Terrain
from loomtable.engine.woven.spells import Spell
from loomtable.engine.woven.state import MANA, Contest, Mage
from loomtable.printkit.components.journal_pages import game_journal
from loomtable.printkit.components.sheet_style import (
    DrawnSheet,
    Side,
    game_sheets,
    panel,
    row_panel,
    rule_lines,
    small,
)
from loomtable.printkit.draw.elements import draw_element
from loomtable.printkit.draw.fields import PEN_INK
from loomtable.printkit.draw.forms import row_of
from loomtable.printkit.draw.palette import WHITE
from loomtable.printkit.draw.path import circle, lens, polyline, rect
from loomtable.printkit.draw.type import Font
from loomtable.printkit.games.woven.theme import THEME

_GAP = 3.0
_SPELLS = 7
"""How many each mage drafts (WO-2)."""
_CHARGES, _TENDRILS = 3, 8
_GRID = 9.0
"""A cell of the tapestry on the back (mm)."""


def _front(side: Side, mage: Mage | None, contest: Contest | None) -> None:
    _name(side, mage, contest)
    mana, tendrils = 58.0, 42.0
    y = side.top - mana
    _mana(side, y, mana, mage)
    spells = side.box[3] - mana - tendrils - 2 * _GAP
    y -= spells + _GAP
    _spells(side, y, spells, mage)
    _tendrils(side, side.foot, tendrils, mage, contest)


def _name(side: Side, mage: Mage | None, contest: Contest | None) -> None:
    left, right, top = side.left + 83, side.left + side.width, side.top + 24
    form = side.form
    form.ruled("name", "Name", (left, top - 10.5, right - left, 9), mage and mage.name, label="Mage", points=17)
    home = ""
    if mage is not None and mage.edge is not None:
        home = f"{mage.edge.value} edge"
    elif mage is not None and mage.home_card is not None:
        home = f"home card {mage.home_card}"
    form.ruled("home", "Home", (left, top - 19.5, 48, 7.4), home, label="Home")
    place = (
        contest.ground.region(mage.place).name
        if mage and contest and mage.on_map
        else "beside the map"
        if mage
        else ""
    )
    form.ruled("place", "Place", (left + 51, top - 19.5, right - left - 51, 7.4), place, label="Where")


def _mana(side: Side, y: float, height: float, mage: Mage | None) -> None:
    """All mana, by where it lies: a number each, and as many rings as there is mana (WO-1)."""
    left, foot, wide, high = row_panel(side, y, height, "Mana", f"{MANA} in all, wherever they are")
    places = (
        ("pool", "Pool", mage.pool if mage else None),
        ("spent", "Spent", mage.spent if mage else None),
        ("threads", "Threads", len(mage.threads) if mage else None),
        ("tendrils", "Tendrils", sum(mage.tendrils.values()) if mage else None),
        ("charges", "Charges", sum(mage.charges.values()) if mage else None),
    )
    step = high / len(places)
    size = min(step - 1.4, 7.6)
    for at, (name, label, value) in enumerate(places):
        base = foot + high - (at + 1) * step + (step - size) / 2
        side.pen.text(left + 1, base + size / 2 - 1.6, label, Font.TITLE, 13, side.theme.deep)
        side.form.number(name, f"{label}, mana", (left + 27, base - 0.4, 13, size + 0.8), value, points=14)
        spots = row_of(left + 45, base, MANA, (wide - 47) / MANA)
        side.form.ticks(f"{name}.mana", f"{label}, mana", spots, size, value or 0, round_=True)
        if at:
            side.pen.solid(lens(left + wide / 2, base + size + (step - size) / 2, wide, 0.2), side.theme.warm)


def _spells(side: Side, y: float, height: float, mage: Mage | None) -> None:
    """A line for each spell: pattern, what it does, charges, and whether others have seen it (WO-10, WO-12)."""
    box = row_panel(side, y, height, "Spells", "hidden until they are first cast")
    left, foot, wide, high = box
    held: Sequence[Spell] = mage.spells if mage else ()
    rows = max(_SPELLS, len(held))
    step = (high - 3) / rows
    for words, x in (
        ("Pattern", left),
        ("Spell", left + 27),
        ("Level", left + 62.6),
        ("What it does", left + 72),
        ("Charges", left + wide - 31),
        ("Shown", left + wide - 8),
    ):
        small(side, x, foot + high - 1.4, words)
    for at in range(rows):
        base = foot + high - 3 - (at + 1) * step
        spell = held[at] if at < len(held) else None
        name, label, form = f"spell.{at + 1}", f"Spell {at + 1}", side.form
        _pattern(side, left, base + 1, 24, step - 2.4, spell)
        form.ruled(f"{name}.name", f"{label}, name", (left + 27, base + step - 7.6, 39, 7), spell and spell.name)
        for place, element in enumerate(Element):
            x = left + 27 + place * 8.6
            of = bool(spell and spell.element is element)
            form.tick(f"{name}.{element}", f"{label} is of {element.value}", x + 3.1, base + 1.4, 5, of)
            draw_element(side.pen, element, x + 1.3, base + 3.9, 2.6)
        form.number(
            f"{name}.level", f"{label}, level", (left + 62.6, base + 1.0, 6.4, 6), spell and spell.level, points=9
        )
        form.paragraph(
            f"{name}.says",
            f"{label}, what it does",
            (left + 72, base + 0.8, wide - 107, step - 1.6),
            spell.says if spell else "",
        )
        laid = mage.charges.get(spell.key, 0) if mage and spell else 0
        spots = row_of(left + wide - 32, base + step / 2 - 3, max(_CHARGES, laid), 6.8)
        form.ticks(f"{name}.charge", f"{label}, charge", spots, 6, laid, round_=True)
        shown = bool(mage and spell and spell.key in mage.shown)
        form.tick(f"{name}.shown", f"{label}, shown to all", left + wide - 7.4, base + step / 2 - 3, 6, shown)
        if at:
            side.pen.solid(lens(left + wide / 2, base + step, wide, 0.22), side.theme.warm)


def _pattern(side: Side, x: float, y: float, width: float, height: float, spell: Spell | None) -> None:
    """The spell's pattern as it stands on its card; without a spell, a grid to draw it in."""
    columns, rows = (spell.pattern.columns, spell.pattern.rows) if spell else (4, 3)
    cell = min(width / max(columns, 4), height / max(rows, 2))
    top = y + height / 2 + rows * cell / 2
    pen = side.pen
    for row in range(rows):
        for column in range(columns):
            cx, cy = x + column * cell, top - (row + 1) * cell
            spot = (column, row)
            used = spell is None or spot in spell.pattern.symbols or spot in spell.pattern.threads
            if used:
                pen.fill_background(rect(cx, cy, cell, cell), WHITE)
                pen.stroke(rect(cx, cy, cell, cell), side.theme.deep, 0.2)
            if spell and spot in spell.pattern.symbols:
                draw_element(pen, spell.element, cx + cell / 2, cy + cell / 2, round(cell * 0.78, 1))
            elif spell and spot in spell.pattern.threads:
                pen.solid(circle(cx + cell / 2, cy + cell / 2, cell * 0.27), PEN_INK)


def _tendrils(side: Side, y: float, height: float, mage: Mage | None, contest: Contest | None) -> None:
    wide = side.width * 0.62
    left, foot, inner, high = panel(side, side.left, y, wide, height, "Tendrils", "where they are, and how many")
    held = (
        [(contest.ground.region(key).name, count) for key, count in mage.tendrils.items()]
        if mage and contest
        else []
    )
    rows = max(_TENDRILS // 2, -(-len(held) // 2))
    step, cell = high / rows, (inner - 4) / 2
    for at in range(rows * 2):
        column, row = divmod(at, rows)
        x, base = left + column * (cell + 4), foot + high - (row + 1) * step
        where, count = held[at] if at < len(held) else ("", None)
        side.form.ruled(
            f"tendril.{at + 1}", f"Tendril {at + 1}, where", (x, base, cell - 10, step), where, points=10
        )
        side.form.number(
            f"tendril.{at + 1}.count",
            f"Tendril {at + 1}, how many",
            (x + cell - 8, base + 0.6, 8, min(step - 1, 6.6)),
            count,
            points=11,
        )
    left, foot, inner, high = panel(
        side, side.left + wide + _GAP, y, side.width - wide - _GAP, height, "Bodies and cities"
    )
    counts = (
        ("kills", "destroyed", mage.kills if mage else None),
        ("destroyed", "lost", mage.destroyed if mage else None),
        ("points", "points", mage.points if mage else None),
    )
    step = inner / len(counts)
    for at, (name, label, value) in enumerate(counts):
        x = left + at * step + (step - 15) / 2
        side.form.number(
            name,
            f"Bodies {label}" if at < 2 else "Points for cities",
            (x, foot + 6, 15, high - 7),
            value,
            points=18,
        )
        small(side, x + 7.5, foot + 1.4, label, align="middle", points=8.5)


def _back(side: Side, mage: Mage | None) -> None:
    """The tapestry as it lies (elements, boxes, threads), what each step on the map costs, and notes."""
    notes = 44.0
    height = side.box[3] - notes - _GAP
    box = row_panel(side, side.top - height, height, "Tapestry", "dots are threads; a card is three cells by two")
    left, foot, wide, high = box
    columns, rows = int(wide / _GRID), int(high / _GRID)
    x0, y0 = left + (wide - columns * _GRID) / 2, foot + (high - rows * _GRID) / 2
    for column in range(columns + 1):
        x = x0 + column * _GRID
        side.pen.stroke(polyline((x, y0), (x, y0 + rows * _GRID)), side.theme.deep.towards(WHITE, 0.55), 0.15)
    for row in range(rows + 1):
        y = y0 + row * _GRID
        side.pen.stroke(polyline((x0, y), (x0 + columns * _GRID, y)), side.theme.deep.towards(WHITE, 0.55), 0.15)
    if mage is not None:
        _laid(side, mage, x0, y0, columns, rows)
    half = side.width * 0.36
    left, foot, wide, high = panel(side, side.left, side.foot, half, notes, "Steps", "mana to the spent pool")
    costs = [(terrain.value.capitalize(), str(terrain.cost)) for terrain in Terrain] + [
        ("over a river", f"{RIVER_COST} more")
    ]
    step = high / len(costs)
    for at, (words, cost) in enumerate(costs):
        y = foot + high - (at + 0.75) * step
        side.pen.text(left, y, words, Font.TEXT, 11, side.theme.deep)
        side.pen.text(left + wide - 2, y, cost, Font.CODE, 11, side.theme.deep, align="right")
    box = panel(side, side.left + half + _GAP, side.foot, side.width - half - _GAP, notes, "Notes")
    rule_lines(side, box, 5)
    side.form.paragraph("notes", "Notes", box)


def _laid(side: Side, mage: Mage, x0: float, y0: float, columns: int, rows: int) -> None:
    """The visible cells in the middle of the grid; on a tapestry larger than the grid, smaller ones."""
    visible = mage.tapestry.visible()
    if not visible:
        return
    across = [column for column, _ in visible]
    down = [row for _, row in visible]
    wide, high = max(across) - min(across) + 1, max(down) - min(down) + 1
    cell = min(_GRID, columns * _GRID / wide, rows * _GRID / high)
    start_x = x0 + (columns - wide) // 2 * _GRID if cell == _GRID else x0
    start_y = y0 + (rows - (rows - high) // 2) * _GRID if cell == _GRID else y0 + rows * _GRID
    for (column, row), shown in visible.items():
        x, y = start_x + (column - min(across)) * cell, start_y - (row - min(down) + 1) * cell
        side.pen.fill_background(rect(x, y, cell, cell), side.theme.pale)
        side.pen.stroke(rect(x, y, cell, cell), side.theme.deep, 0.35)
        if shown is not None:
            draw_element(side.pen, shown, x + cell / 2, y + cell / 2, round(cell * 0.72, 1))
    for spot in mage.threads:
        x, y = start_x + (spot.column - min(across)) * cell, start_y - (spot.row - min(down) + 1) * cell
        side.pen.solid(circle(x + cell / 2, y + cell / 2, cell * 0.26), PEN_INK)


def _sheets(contest: Contest | None) -> list[DrawnSheet]:
    def sheet(mage: Mage | None) -> DrawnSheet:
        return DrawnSheet(
            f"Sheet of {mage.name}" if mage else "Player sheet",
            "Player sheet, for its owner's eyes" if mage and mage.hand else "Player sheet",
            lambda side: _front(side, mage, contest),
            lambda side: _back(side, mage),
            "Tapestry notes",
        )

    mages: list[Mage | None] = [*contest.mages.values()] if contest else []
    return [sheet(mage) for mage in mages or [None]]


sheets = partial(game_sheets, THEME, _sheets)
journal = partial(game_journal, THEME, "Round", lambda contest: str(contest.round or "\u2013"))
