"""Spellwoven's character sheet: ratings, defences, and the wound track beside armour's soak."""

from __future__ import annotations

from functools import partial

from loomtable.engine.spellwoven.armoury import Proximity, SkillSort, skills
from loomtable.engine.spellwoven.levels import LEVELS, MOST_SOAK
from loomtable.engine.spellwoven.state import Adventure, Character, Combatant
from loomtable.engine.spellwoven.strike import EVASION_SLOTS
from loomtable.printkit.components.journal_pages import game_journal
from loomtable.printkit.components.sheet_style import DrawnSheet, Side, game_sheets, panel, row_panel, small
from loomtable.printkit.draw.forms import row_of
from loomtable.printkit.draw.palette import WHITE
from loomtable.printkit.draw.path import Path, lens, polyline
from loomtable.printkit.draw.type import Font
from loomtable.printkit.games.spellwoven.sheet_back import draw_back, rating_of
from loomtable.printkit.games.spellwoven.theme import THEME

_GAP = 3.0
_USUAL_SLOTS = 6
"""Boxes of a level on an empty sheet, to be outlined as far as the character has them."""
_OWN_SKILLS = 5


def _front(side: Side, who: Character | None, fighting: Combatant | None) -> None:
    _name(side, who)
    tall = side.box[3]
    defences, wounds, order = 36.0, 74.0, 33.0
    y = side.top - defences
    _traits(side, y, defences, who)
    y -= wounds + _GAP
    _wounds(side, y, wounds, who)
    y -= order + _GAP
    _conflict(side, y, order, who, fighting)
    _skills(side, side.foot, tall - defences - wounds - order - 3 * _GAP, who)


def _name(side: Side, who: Character | None) -> None:
    left, right, top = side.left + 84, side.left + side.width, side.top + 24
    middle = left + 58
    side.form.ruled("name", "Name", (left, top - 10.5, right - left, 9), who and who.name, label="Name", points=17)
    side.form.ruled("player", "Player", (left, top - 19.5, 54, 7.4), who and who.player, label="Player")
    side.form.ruled("side", "Side", (middle, top - 19.5, right - middle, 7.4), who and who.side, label="Side")


def _traits(side: Side, y: float, height: float, who: Character | None) -> None:
    """The base traits, both defences and Effort: the numbers that are read out across the table."""
    traits = [key for key, skill in skills().items() if skill.sort is SkillSort.TRAIT]
    half = side.width * 0.5
    left, foot, wide, high = panel(side, side.left, y, half, height, "Traits")
    step = wide / len(traits)
    for at, key in enumerate(traits):
        x = left + at * step + (step - 17) / 2
        side.form.number(key, skills()[key].name, (x, foot + 4.2, 17, high - 4.4), rating_of(who, key), points=20)
        small(side, x + 8.5, foot + 0.6, skills()[key].name, align="middle", points=8)
    left, foot, wide, high = panel(
        side, side.left + half + _GAP, y, side.width - half - _GAP, height, "Defences and Effort"
    )
    step = wide / 4
    shown: tuple[tuple[str, str, int | None], ...] = (
        ("quickness-defence", "Quickness", who.quickness_defence if who else None),
        ("presence-defence", "Presence", who.presence_defence if who else None),
        ("evasion", "less in armour", who.worn_slots // EVASION_SLOTS if who else None),
        ("effort", "Effort", who.effort if who else None),
    )
    for at, (name, label, value) in enumerate(shown):
        x = left + at * step + (step - 17) / 2
        if at < 2:
            _shield(side, x, foot + 4.2, 17, high - 4.4)
            side.form.write(
                name,
                f"{label} Defence",
                (x + 2.5, foot + 8, 12, high - 10),
                value,
                points=20,
                face=Font.CODE,
                middle=True,
            )
        else:
            side.form.number(name, label, (x, foot + 4.2, 17, high - 4.4), value, points=20)
        small(side, x + 8.5, foot + 0.6, label, align="middle", points=8)


def _shield(side: Side, x: float, y: float, width: float, height: float) -> None:
    outline = (
        Path()
        .move(x, y + height)
        .curve(x + width * 0.3, y + height * 0.95, x + width * 0.7, y + height * 0.95, x + width, y + height)
    )
    outline.curve(x + width, y + height * 0.35, x + width * 0.75, y + height * 0.12, x + width / 2, y)
    outline.curve(x + width * 0.25, y + height * 0.12, x, y + height * 0.35, x, y + height).close()
    side.pen.fill_background(outline, WHITE)
    side.pen.stroke(outline, side.theme.deep, 0.5)


def _wounds(side: Side, y: float, height: float, who: Character | None) -> None:
    """A row for each level: the boxes of the wound track, and beside them the soak of armour (SP-12, SP-15)."""
    left, foot, wide, high = row_panel(
        side, y, height, "Wounds and soak", "armour first, then the track; a full level flows down this list"
    )
    pen, form = side.pen, side.form
    soak_x = left + wide - 50
    small(side, left + 42, foot + high - 2, "Wounds")
    small(side, soak_x + 12, foot + high - 2, "Soak of what is worn")
    step = (high - 3) / len(LEVELS)
    for at, level in enumerate(LEVELS):
        base = foot + (len(LEVELS) - 1 - at) * step
        pen.text(left + 1, base + step / 2 - 1.6, level.label, Font.TITLE, 13.5, side.theme.deep)
        note = {"felling": "cannot act", "mortal": "dies"}.get(level.value, "")
        small(side, left + 39, base + step / 2 - 1.2, note, align="right", points=7)
        slots = who.wound_slots.at(level) if who else _USUAL_SLOTS
        size = min(step - 2.2, 9.4, 94 / max(slots, 1) - 1)
        spots = row_of(left + 42, base + (step - size) / 2, slots, size + 1.1)
        form.ticks(f"wound.{level}", f"{level.label} wound", spots, size, who.wounds.at(level) if who else 0)
        soaks = who.soak_slots.at(level) if who else MOST_SOAK
        spots = row_of(soak_x + 12, base + (step - 7.6) / 2, soaks, 9)
        marked = who.soak_marked.at(level) if who else 0
        form.ticks(f"soak.{level}", f"{level.label} soak", spots, 7.6, marked, round_=True)
        for missing in range(soaks, MOST_SOAK):
            mx = soak_x + 12 + missing * 9 + 3.8
            pen.solid(lens(mx, base + step / 2, 4, 0.4), side.theme.warm)
        if at:
            pen.solid(lens(left + wide / 2, base + step, wide, 0.22), side.theme.warm)
    pen.stroke(polyline((soak_x + 6, foot + 1), (soak_x + 6, foot + high - 1)), side.theme.warm, 0.2)


def _conflict(side: Side, y: float, height: float, who: Character | None, fighting: Combatant | None) -> None:
    """Initiative, momentum and proximity in a conflict, and what befell the character."""
    left, foot, wide, high = row_panel(side, y, height, "In a conflict")
    form = side.form
    numbers = (
        ("initiative", "Initiative", fighting.initiative if fighting else None),
        ("momentum", "Momentum", fighting.momentum if fighting else None),
        ("guard", "Guard", fighting.guard if fighting else None),
    )
    for at, (name, label, value) in enumerate(numbers):
        x = left + at * 20
        form.number(name, label, (x, foot + 4, 16, high - 5), value, points=18)
        small(side, x + 8, foot + 0.5, label, align="middle")
    for at, proximity in enumerate(Proximity):
        x = left + 64 + at * 19
        form.tick(
            proximity.value,
            proximity.label,
            x + 3.5,
            foot + 7,
            9,
            bool(fighting and fighting.proximity is proximity),
            round_=True,
        )
        small(side, x + 8, foot + 0.5, proximity.label, align="middle")
    marks = (
        ("incapacitated", "Incapacitated", who and who.incapacitated),
        ("tended", "Tended", who and who.tended),
        ("maimed", "Maimed", who and who.maimed),
        ("heroic", "Last stand", who and who.heroic),
        ("distracted", "Distracted", fighting and fighting.distraction is not None),
        ("dead", "Dead", who and who.dead),
    )
    cell = (wide - 126) / 2
    for at, (name, label, on) in enumerate(marks):
        column, row = divmod(at, 3)
        x, base = left + 126 + column * cell, foot + high - 6.6 - row * (high - 5.4) / 2.4
        form.tick(name, label, x, base, 5.2, bool(on))
        small(side, x + 6.6, base + 1.6, label, points=8)


def _skills(side: Side, y: float, height: float, who: Character | None) -> None:
    """Every installed skill with a box for its rating, and lines for skills of one's own (SP-1)."""
    left, foot, wide, high = row_panel(side, y, height, "Skills", "three ten-sided dice, at or under the rating")
    listed = [(key, skill.name) for key, skill in skills().items() if skill.sort is not SkillSort.TRAIT]
    own = [
        (key, key.replace("-", " ").capitalize()) for key in (who.ratings if who else ()) if key not in skills()
    ]
    spare = max(_OWN_SKILLS, len(own))
    places: list[tuple[str, str] | None] = [*listed, *own, *[None] * (spare - len(own))]
    columns = 4
    rows = -(-len(places) // columns)
    cell, step = wide / columns, high / rows
    size = min(step - 0.8, 8.5)
    for at, place in enumerate(places):
        column, row = divmod(at, rows)
        x, base = left + column * cell, foot + high - (row + 1) * step + (step - size) / 2
        key, name = place or (f"own.{at - len(listed) + 1}", "")
        form = side.form
        form.number(
            f"skill.{key}", name or "Own skill, rating", (x, base, size + 2, size), rating_of(who, key), points=12
        )
        if name:
            side.pen.text(x + size + 3.4, base + size / 2 - 1.2, name, Font.TEXT, 9.5, side.theme.deep)
        else:
            form.ruled(f"skill.{key}.name", "Own skill, name", (x + size + 3.4, base, cell - size - 6, size))


def _sheets(state: Adventure | None) -> list[DrawnSheet]:
    played: list[Character | None] = []
    if state:
        played += [who for who in state.characters.values() if who.is_player_character]

    def sheet(who: Character | None) -> DrawnSheet:
        conflict = state.conflict if state else None
        fighting = conflict.combatants.get(who.name) if conflict and who else None
        return DrawnSheet(
            f"Character sheet of {who.name}" if who else "Character sheet",
            "Character sheet",
            lambda side: _front(side, who, fighting),
            lambda side: draw_back(side, who, fighting, state.hours if state else 0),
            "Arms, talents, healing",
        )

    return [sheet(who) for who in played or [None]]


def _round(adventure: Adventure) -> str:
    return str(adventure.conflict.round or "\u2013") if adventure.conflict else "\u2013"


sheets = partial(game_sheets, THEME, _sheets)
journal = partial(game_journal, THEME, "Round", _round)
