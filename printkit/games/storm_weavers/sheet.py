"""Thymin's sheet: attributes, Health, crowns and items, enemies, and the journey by paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from loomtable.engine.storm_weavers.attacks import added_when_hurt
from loomtable.engine.storm_weavers.plans import Enemy
from loomtable.engine.storm_weavers.rulings import RULINGS
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH, STARTING_GOLD, THYMIN, Attribute
from loomtable.engine.storm_weavers.sheet import Sheet as Thymin
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, Tale
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
from loomtable.printkit.draw.forms import LEAST_BOX, rows_of
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.path import circle, lens, ribbon
from loomtable.printkit.draw.type import Font
from loomtable.printkit.games.storm_weavers.theme import THEME

_GAP = 3.0
_ITEMS, _ENEMIES, _ENEMY_HEALTH = 14, 4, 20
_NUMBERS = (("Dex", "Dexterity"), ("WB", "Weapon Bonus"), ("AC", "Armour Class"), ("H", "Health"))
_STOPS_ACROSS, _LEAST_STOPS = 11, 88
"""How the paragraphs of the journey stand on the back: so many in a row, and how many at least."""


def _front(side: Side, thymin: Thymin | None, tale: Tale | None) -> None:
    tall = side.box[3]
    _name(side, tale)
    attributes, health = 36.0, 62.0
    y = side.top - attributes
    _attributes(side, y, attributes, thymin)
    y -= health + _GAP
    _health(side, side.left, y, 104, health, thymin)
    _crowns(side, side.left + 104 + _GAP, y, side.width - 104 - _GAP, health, thymin)
    items = (tall - attributes - health - 3 * _GAP) * 0.42
    y -= items + _GAP
    _items(side, y, items, thymin)
    _enemies(side, side.foot, y - _GAP - side.foot, tale)


def _name(side: Side, tale: Tale | None) -> None:
    left, right, top = side.left + 94, side.left + side.width, side.top + 24
    side.form.ruled("name", "Name", (left, top - 10.5, right - left, 9), THYMIN, label="Name", points=17)
    middle = left + 56
    adventure = tale.adventure.replace("-", " ").capitalize() if tale else ""
    form, paragraph = side.form, tale.paragraph if tale else None
    form.ruled("adventure", "Adventure", (left, top - 19.5, 53.0, 7.4), adventure, label="Adventure")
    form.ruled("paragraph", "Paragraph", (middle, top - 19.5, right - middle, 7.4), paragraph, label="Paragraph")


def _attributes(side: Side, y: float, height: float, thymin: Thymin | None) -> None:
    """The numbers that are read before every roll."""
    left, foot, wide, high = row_panel(side, y, height, "Attributes")
    shown = [a for a in Attribute if a not in (Attribute.HEALTH, Attribute.GOLD)]
    step = wide / len(shown)
    for at, attribute in enumerate(shown):
        x = left + at * step + (step - 22) / 2
        value = thymin.value(attribute) if thymin else None
        side.form.number(attribute.value, attribute.label, (x, foot + 4.4, 22, high - 4.6), value, points=24)
        small(side, x + 11, foot + 0.6, attribute.label, align="middle", points=9)


def _health(side: Side, x: float, y: float, width: float, height: float, thymin: Thymin | None) -> None:
    """A box for each point: crossed out as Health is lost, so what is left can be seen from afar (SW-9, SW-16)."""
    left, foot, wide, high = panel(side, x, y, width, height, "Health", "cross out what is lost, from the end")
    across, size = 5, 9.6
    lost = MAX_HEALTH - max(thymin.health, 0) if thymin else 0
    step_x, step_y = (wide - 24) / across, (high - 1) / (MAX_HEALTH // across)
    for at in range(MAX_HEALTH):
        row, column = divmod(at, across)
        bx, by = left + 24 + column * step_x + 1.5, foot + high - size - row * step_y
        point = MAX_HEALTH - at
        crossed = at < lost

        def sign(point: int = point, bx: float = bx, by: float = by) -> None:
            if side.pen.style is Style.LOW_INK:
                small(side, bx + size - 0.9, by + 1, str(point), align="right")
                return
            grey = side.theme.deep.towards(side.theme.pale, 0.62)
            side.pen.text(bx + size / 2, by + 3.1, str(point), Font.CODE, 13, grey, align="middle")

        side.form.tick(f"health.{point}", f"Health {point} lost", bx, by, size, crossed, sign=sign)
    side.form.number("health", "Health", (left, foot + high - 17, 19, 16), thymin and thymin.health, points=22)
    small(side, left + 9.5, foot + high - 20.4, "left", align="middle")
    for at, (words, added) in enumerate(_hurt()):
        base = foot + 14.5 - at * 8.5
        side.pen.text(left, base, words, Font.TEXT_ITALIC, 9, side.theme.deep)
        small(side, left, base - 3.3, f"add {added} to tests", points=7)


def _hurt() -> list[tuple[str, int]]:
    """From which Health downwards tests are harder, and by how much, as the engine has it (SW-3)."""
    usual = RULINGS["health-exactly-4"].default
    harder: list[tuple[str, int]] = []
    for health in range(MAX_HEALTH, 0, -1):
        added = added_when_hurt(health, usual)
        if added and (not harder or harder[-1][1] != added):
            harder.append((f"{health} or less", added))
    return harder


def _crowns(side: Side, x: float, y: float, width: float, height: float, thymin: Thymin | None) -> None:
    left, foot, wide, high = panel(side, x, y, width, height, "Crowns", f"{STARTING_GOLD} at the beginning")
    side.form.number("gold", "Crowns", (left, foot + high - 15, 28, 14.5), thymin and thymin.gold, points=20)
    small(side, left + 30, foot + high - 5, "in the purse")
    for at, (cx, cy) in enumerate(((6.0, 3.2), (12.4, 4.4), (18.4, 2.8), (9.2, 8.2))):
        pen, px, py = side.pen, left + wide - 26 + cx, foot + high - 15 + cy
        pen.fill(circle(px, py, 3.3), side.theme.warm)
        pen.fill_background(circle(px, py, 2.6), side.theme.pale)
        pen.solid(lens(px, py, 3.4, 0.7, 35 * at), side.theme.warm)
    lines = 4
    step = (high - 17) / lines
    for at in range(lines):
        label = "In and out" if at == 0 else ""
        side.form.ruled(
            f"purse.{at + 1}",
            f"Crowns in and out, line {at + 1}",
            (left, foot + (lines - 1 - at) * step, wide, step),
            label=label,
        )


def _items(side: Side, y: float, height: float, thymin: Thymin | None) -> None:
    left, foot, wide, high = row_panel(side, y, height, "Items", "weapons and armour with what they add")
    held: Sequence[str] = thymin.items if thymin else ()
    rows = max(_ITEMS // 2, -(-len(held) // 2))
    step, cell = high / rows, (wide - 5) / 2
    for at in range(rows * 2):
        column, row = divmod(at, rows)
        box = (left + column * (cell + 5), foot + high - (row + 1) * step, cell, step)
        side.form.ruled(f"item.{at + 1}", f"Item {at + 1}", box, held[at] if at < len(held) else "", points=12)


def _enemies(side: Side, y: float, height: float, tale: Tale | None) -> None:
    """Enemies of the fight that is on, with a box for each point of Health."""
    left, foot, wide, high = row_panel(
        side, y, height, "Enemies", "a box for each point of Health, crossed out as it is lost"
    )
    cell, tall = (wide - 5) / 2, high / 2
    met = _met(tale)
    for at in range(_ENEMIES):
        row, column = divmod(at, 2)
        x, top = left + column * (cell + 5), foot + high - row * tall
        name, label, form = f"enemy.{at + 1}", f"Enemy {at + 1}", side.form
        enemy = met[at] if at < len(met) else None
        called = enemy[0] if enemy else ""
        form.ruled(f"{name}.name", f"{label}, name", (x, top - 8, cell * 0.4, 7.6), called, label=str(at + 1))
        for place, (short, long) in enumerate(_NUMBERS):
            nx = x + cell * (0.42 + place * 0.147)
            value = enemy[1][place] if enemy else None
            form.number(f"{name}.{short}", f"{label}, {long}", (nx, top - 8, 8.4, 7.2), value, points=11)
            small(side, nx + 8.8, top - 5.8, short, points=6.2)
        size = max(min(5.8, (tall - 11) / 2), LEAST_BOX)
        across = _ENEMY_HEALTH // 2
        spots = list(rows_of(x, top - 9.4 - size, _ENEMY_HEALTH, across, cell / across))
        form.ticks(f"{name}.lost", f"{label}, Health lost", spots, size, 0)


def _met(tale: Tale | None) -> list[tuple[str, tuple[int, ...]]]:
    """Name and numbers of everybody whom Thymin fights just now."""
    if tale is None:
        return []
    if tale.map_fight is not None:
        fought = tale.map_fight.enemies.items()
        return [(f"{e.name} {n}", _numbers(e)) for n, e in fought]
    if tale.fight is None:
        return []
    enemy = tale.fight.enemy
    return [(enemy.name, _numbers(enemy))]


def _numbers(enemy: Enemy) -> tuple[int, ...]:
    return enemy.dexterity, enemy.weapon_bonus, enemy.armour_class, enemy.health


def _back(side: Side, tale: Tale | None) -> None:
    """Every paragraph that was read, strung on one thread, and what was noted there (SW-17)."""
    visited = tale.visited if tale else ()
    stops = max(_LEAST_STOPS, -(-len(visited) // _STOPS_ACROSS) * _STOPS_ACROSS)
    notes = 62.0
    height = side.box[3] - notes - _GAP
    left, foot, wide, high = row_panel(
        side, side.top - height, height, "Paragraphs read", f"Health 0: go to {DEATH_PARAGRAPH}"
    )
    rows = stops // _STOPS_ACROSS
    across, down = wide / _STOPS_ACROSS, high / rows
    size = min(across, down) * 0.72
    middles = []
    for at in range(stops):
        row, column = divmod(at, _STOPS_ACROSS)
        column = column if row % 2 == 0 else _STOPS_ACROSS - 1 - column
        middles.append((left + (column + 0.5) * across, foot + high - (row + 0.5) * down))
    for (ax, ay), (bx, by) in pairwise(middles):
        bend = 1.1 if ax == bx else 0.9
        way = [
            (ax, ay),
            ((ax + bx) / 2 + (bend if ax == bx else 0), (ay + by) / 2 + (bend if ay == by else 0)),
            (bx, by),
        ]
        side.pen.solid(ribbon(way, [0.5, 0.8, 0.5], 3), side.theme.warm)
    for at, (x, y) in enumerate(middles):
        value = visited[at] if at < len(visited) else None
        box = (x - size / 2, y - size / 2, size, size)
        side.form.number(f"paragraph.{at + 1}", f"Paragraph, stop {at + 1}", box, value, points=13, ring=True)
    box = row_panel(side, side.foot, notes, "Notes on the way")
    said = [f"{n}: {text}" for n, texts in tale.notes.items() for text in texts] if tale else []
    if not said:
        rule_lines(side, box, 7)
    side.form.paragraph("notes", "Notes on the way", box, "\n".join(said), points=11)


def _sheets(tale: Tale | None) -> list[DrawnSheet]:
    thymin = tale.thymin if tale else None
    return [
        DrawnSheet(
            "Thymin's sheet",
            "Thymin's sheet",
            lambda side: _front(side, thymin, tale),
            lambda side: _back(side, tale),
            "Map of the journey",
        )
    ]


def _paragraph(tale: Tale) -> str:
    return str(tale.paragraph) if tale.paragraph is not None else "\u2013"


sheets = partial(game_sheets, THEME, _sheets)
journal = partial(game_journal, THEME, "Paragraph", _paragraph)
