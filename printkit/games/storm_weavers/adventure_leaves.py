"""The leaves of an adventure's booklet: cover, how to play, enemies, paragraphs, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from loomtable.engine.kernel.reference import read_panels
from loomtable.engine.storm_weavers.adventure import Adventure
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.plans import Enemy
from loomtable.engine.storm_weavers.reference import FILE, figures
from loomtable.printkit.components.figure_file import figures as drawn_figures
from loomtable.printkit.components.sheet_style import PARCHMENT, draw_cord, draw_roundel
from loomtable.printkit.draw.art import art_named, art_names
from loomtable.printkit.draw.figures import draw_figure
from loomtable.printkit.draw.palette import CREAM, INK, Colour, Style
from loomtable.printkit.draw.path import lens, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.running import Part, columns_of, draw_parts
from loomtable.printkit.draw.type import POINT, Font, fit_lines
from loomtable.printkit.games.storm_weavers.adventure_setting import parts_of
from loomtable.printkit.games.storm_weavers.adventure_words import passages_of
from loomtable.printkit.games.storm_weavers.combat_map import map_size, place_ground
from loomtable.printkit.games.storm_weavers.theme import THEME

Leaf = Callable[[Pen], None]
"""Draws one leaf, its lower left corner at the origin."""
WIDTH, HEIGHT = 138.0, 189.0
"""Of what stands on a leaf, mm: half of a landscape A4 page within what printers reach."""
_EDGE, _FOOT, _GUTTER = 4.0, 9.0, 6.0
_COLUMN = (WIDTH - 2 * _EDGE - _GUTTER) / 2
_TOP = HEIGHT - 5.0
_MOST_ENEMIES = 6
"""Of whom a leaf tells."""
_LAMP, _NIGHT = Colour.hex("F2C867"), Colour.hex("1C2444")


def leaves_of(adventure: Adventure, multiple: int = 1) -> list[Leaf]:
    """All leaves in reading order, filled up with leaves for notes until ``multiple`` divides their number.

    Raises:
        GlyphMissing, TextTooLong: something cannot be set; the message names the paragraph.
    """
    parts = (
        part
        for number, page in sorted(adventure.paragraphs.items())
        for part in parts_of(
            number, passages_of(page, adventure.items), _COLUMN, f"{adventure.name}, paragraph {number}"
        )
    )
    columns = columns_of(parts, _TOP - _FOOT)
    inner: list[Leaf] = [lambda pen: _how_to_play(pen, adventure), *_enemy_leaves(adventure)]
    inner += [_text_leaf(columns[at : at + 2]) for at in range(0, len(columns), 2)]
    while (len(inner) + 2) % multiple:
        inner.append(_notes)
    numbered = [_with_number(leaf, number) for number, leaf in enumerate(inner, start=2)]
    return [lambda pen: draw_cover(pen, adventure), *numbered, lambda pen: _back_cover(pen, adventure)]


def maps_of(adventure: Adventure) -> list[CombatMap]:
    """The maps of its fights, each once, in the order of their numbers."""
    names = dict.fromkeys(page.map_fight.map for page in adventure.paragraphs.values() if page.map_fight)
    return sorted((combat_map(name) for name in names), key=lambda plan: (plan.number, plan.name))


def _with_number(leaf: Leaf, number: int) -> Leaf:
    def draw(pen: Pen) -> None:
        leaf(pen)
        x = WIDTH - _EDGE if number % 2 else _EDGE
        pen.text(x, 1.6, str(number), Font.LABEL, 8, THEME.deep, align="right" if number % 2 else "left")

    return draw


def _text_leaf(columns: Sequence[Sequence[Part]]) -> Leaf:
    def draw(pen: Pen) -> None:
        for at, column in enumerate(columns):
            draw_parts(pen, _EDGE + at * (_COLUMN + _GUTTER), _TOP, column)
        pen.solid(lens(WIDTH / 2, (_TOP + _FOOT) / 2, _TOP - _FOOT, 0.25, 90), THEME.warm)

    return draw


# Cover


def draw_cover(pen: Pen, adventure: Adventure) -> None:
    """The adventure's own scene, or the game's sign by night; whoever is met there; the title above."""
    low = pen.style is Style.LOW_INK
    with pen.clipped(rect(0, 0, WIDTH, HEIGHT)):
        if adventure.name in art_names("scenes"):
            art_named("scenes", adventure.name).draw(pen)
        else:
            pen.fill_background(rect(0, 0, WIDTH, HEIGHT), _NIGHT)
            draw_roundel(pen, THEME, WIDTH / 2, 81.0, 44.0)
        _company(pen, adventure)
    draw_cord(pen, THEME, WIDTH, HEIGHT, inset=2.0)
    light = INK if low else CREAM
    lines, points = fit_lines(adventure.title, Font.TITLE, WIDTH - 34, 31, 16, 3, f"{adventure.name}, title")
    y = HEIGHT - 28
    for line in lines:
        pen.text(WIDTH / 2, y, line, Font.TITLE, points, light, align="middle", spacing=0.4)
        y -= points * POINT * 1.12
    pen.solid(lens(WIDTH / 2, y + 4.6, 62, 0.6), _LAMP)
    said = f"{THEME.title}: a solo adventure of {len(adventure.paragraphs)} paragraphs"
    pen.text(WIDTH / 2, y - 1.2, said, Font.TEXT_ITALIC, 11, light, align="middle")


def _company(pen: Pen, adventure: Adventure) -> None:
    """Thymin before the mountain, and behind him, smaller, some of those whom he will meet."""
    arts = {figure.name: figure.art for figure in drawn_figures()}
    met = [name for name in _enemies_of(adventure) if name in arts][:6]
    for at, name in enumerate(met):
        x = 14 + at * 21.5 + (13 if at >= len(met) / 2 else 0)
        with pen.at(x if x < WIDTH - 9 else WIDTH - 10, 17 + (at % 2) * 4, scale=0.62):
            draw_figure(pen, art_named("figures", arts[name], f"{adventure.name}, {name}"))
    if "Thymin" in arts:
        with pen.at(WIDTH / 2, 8, scale=1.25):
            draw_figure(pen, art_named("figures", arts["Thymin"], f"{adventure.name}, Thymin"))


def _back_cover(pen: Pen, adventure: Adventure) -> None:
    pen.fill_background(rect(0, 0, WIDTH, HEIGHT), PARCHMENT)
    draw_cord(pen, THEME, WIDTH, HEIGHT, inset=2.0)
    draw_roundel(pen, THEME, WIDTH / 2, HEIGHT * 0.64, 21)
    about = set_words(adventure.about, Font.TEXT_ITALIC, (WIDTH - 44, 40), 12, 8, f"{adventure.name}, about")
    about.draw(pen, WIDTH / 2, HEIGHT * 0.64 - 34, THEME.deep, middle=True)


# How to play, enemies, notes


def _how_to_play(pen: Pen, adventure: Adventure) -> None:
    [panel] = read_panels(FILE, figures())
    y = _title(pen, panel.title)
    for block in panel.blocks:
        pen.text(_EDGE, y, block.title, Font.LABEL_BOLD, 10, THEME.deep)
        rule = set_words(block.text, Font.TEXT, (WIDTH - 2 * _EDGE - 27, 40), 10, 8, f"{adventure.name}, rules")
        rule.draw(pen, _EDGE + 27, y, INK)
        y -= rule.height + 1.9
    plans = maps_of(adventure)
    if plans:
        _small_maps(pen, plans, y - 1)


def _small_maps(pen: Pen, plans: Sequence[CombatMap], top: float) -> None:
    """The maps, small and without words; they are at true scale behind the booklet."""
    across = 2 if len(plans) > 1 else 1
    rows = -(-len(plans) // across)
    room_x, room_y = (WIDTH - 2 * _EDGE - (across - 1) * 5) / across, (top - 6) / rows - 3
    for at, plan in enumerate(plans):
        row, column = divmod(at, across)
        wide, high = map_size(plan)
        scale = min(room_x / wide, room_y / high, 0.3)
        x = _EDGE + column * (room_x + 5) + (room_x - wide * scale) / 2
        with (
            pen.at(x, top - row * (room_y + 3) - high * scale, scale=scale),
            pen.described(f"The map {plan.title}, small"),
        ):
            place_ground(pen, plan)


def _title(pen: Pen, words: str) -> float:
    pen.text(_EDGE, HEIGHT - 11, words, Font.TITLE, 21, THEME.deep, spacing=0.3)
    pen.solid(lens(WIDTH / 2, HEIGHT - 14.4, WIDTH - 2 * _EDGE, 0.5), THEME.warm)
    return HEIGHT - 21.5


def _enemies_of(adventure: Adventure) -> dict[str, Enemy]:
    """Every kind of enemy by its name, as it is met first."""
    met: dict[str, Enemy] = {}
    for _, page in sorted(adventure.paragraphs.items()):
        fought = (page.fight.enemy,) if page.fight else page.map_fight.enemies if page.map_fight else ()
        for enemy in fought:
            met.setdefault(enemy.name, enemy)
    return {name: met[name] for name in (*adventure.enemies, *met) if name in met}


def _enemy_leaves(adventure: Adventure) -> list[Leaf]:
    kinds = list(_enemies_of(adventure))
    leaves = -(-len(kinds) // _MOST_ENEMIES)
    shown = -(-len(kinds) // max(leaves, 1)) or 1
    return [
        lambda pen, held=kinds[at : at + shown]: _enemies(pen, adventure, held)  # type: ignore[misc]
        for at in range(0, len(kinds), shown)
    ]


def _enemies(pen: Pen, adventure: Adventure, kinds: Sequence[str]) -> None:
    """Who they are and how they fight; their numbers stand in the paragraphs, for they are not always the same."""
    top = _title(pen, "Whom you may meet") + 4
    arts = {figure.name: figure.art for figure in drawn_figures()}
    step = (top - _FOOT) / max(5, len(kinds))
    for at, name in enumerate(kinds):
        y = top - (at + 1) * step
        if name in arts:
            with pen.at(_EDGE + 13, y + 2, scale=min(0.84, (step - 3) / 33)):
                draw_figure(pen, art_named("figures", arts[name], f"{adventure.name}, {name}"))
        left = _EDGE + 30
        pen.text(left, y + step - 9, name, Font.TITLE, 14, THEME.deep)
        manner = adventure.enemies.get(name, "")
        if manner:
            called = f"{adventure.name}, the manner of {name}"
            lines = set_words(manner, Font.TEXT, (WIDTH - _EDGE - left, step - 12), 10.5, 8, called)
            lines.draw(pen, left, y + step - 15.5, INK)
        if at:
            pen.solid(lens(WIDTH / 2, y + step, WIDTH - 2 * _EDGE, 0.3), THEME.warm)


def _notes(pen: Pen) -> None:
    y = _title(pen, "Notes on the way")
    while y > _FOOT:
        pen.solid(lens(WIDTH / 2, y - 3, WIDTH - 2 * _EDGE, 0.14), THEME.deep)
        y -= 8.5
