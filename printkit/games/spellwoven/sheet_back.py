"""The back of Spellwoven's character sheet: arms, talents, armour, healing."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.spellwoven.armoury import ShieldSize, key_of, shields, skills
from loomtable.engine.spellwoven.levels import LEVELS
from loomtable.engine.spellwoven.state import RECUPERATION, Activity, Character, Combatant
from loomtable.printkit.components.sheet_style import Side, panel, row_panel, small
from loomtable.printkit.draw.forms import row_of
from loomtable.printkit.draw.pen import Box
from loomtable.printkit.draw.type import Font

_GAP = 3.0
_WEAPONS, _PIECES, _TALENTS = 7, 6, 6


def rating_of(who: Character | None, key: str) -> int | None:
    """The rating in a skill that stands on the sheet, if there is one."""
    return who.ratings.get(key) if who else None


def draw_back(side: Side, who: Character | None, fighting: Combatant | None, hours: int) -> None:
    tall = side.box[3]
    shares = (0.27, 0.27, 0.24)
    weapons, talents, armour = (tall * share for share in shares)
    y = side.top - weapons
    _weapons(side, y, weapons, who)
    y -= talents + _GAP
    _talents(side, y, talents, who, fighting)
    y -= armour + _GAP
    _armour(side, y, armour, who)
    _healing(side, side.foot, y - _GAP - side.foot, who, hours)


def _heads(side: Side, box: Box, columns: Sequence[tuple[str, float]]) -> list[float]:
    """Column heads over a table; returns where the columns begin."""
    starts, x = [], box[0]
    for label, width in columns:
        small(side, x + 0.4, box[1] + box[3] - 1.6, label)
        starts.append(x)
        x += width
    return starts


def _weapons(side: Side, y: float, height: float, who: Character | None) -> None:
    box = row_panel(side, y, height, "Arms", "a use to a line (SP-10)")
    _, foot, wide, high = box
    columns = [
        ("Weapon", 50.0),
        ("Skill", wide - 123),
        ("Rating", 16.0),
        ("Reach", 27.0),
        ("Menace", 16.0),
        ("Loaded", 14.0),
    ]
    starts = _heads(side, box, columns)
    uses = [(weapon, use) for weapon in (who.weapons if who else ()) for use in weapon.uses]
    rows = max(_WEAPONS, len(uses))
    step = (high - 3) / rows
    for at in range(rows):
        base = foot + high - 3 - (at + 1) * step
        weapon, use = uses[at] if at < len(uses) else (None, None)
        called = weapon.name if weapon else ""
        if weapon and at and uses[at - 1][0] is weapon:
            called = f"{weapon.name}, or"
        skill = skills()[use.skill].name if use else ""
        name, form, tall = f"weapon.{at + 1}", side.form, step - 0.6
        label = f"Weapon {at + 1}"
        form.ruled(f"{name}.name", f"{label}, name", (starts[0], base, 48, tall), called)
        form.ruled(f"{name}.skill", f"{label}, skill", (starts[1], base, wide - 125, tall), skill)
        form.ruled(
            f"{name}.rating",
            f"{label}, rating",
            (starts[2], base, 14, tall),
            rating_of(who, use.skill) if use else None,
        )
        form.ruled(f"{name}.reach", f"{label}, reach", (starts[3], base, 25, tall), use.reach.label if use else "")
        form.ruled(
            f"{name}.menace", f"{label}, Menace", (starts[4], base, 14, tall), weapon.menace if weapon else None
        )
        size = min(5.2, tall - 0.4)
        loaded = bool(weapon and who and weapon.key in who.loaded)
        form.tick(
            f"{name}.loaded", f"{label}, loaded", starts[5] + 4, base + (tall - size) / 2 + 0.3, size, loaded
        )


def _talents(side: Side, y: float, height: float, who: Character | None, fighting: Combatant | None) -> None:
    left, foot, wide, high = row_panel(side, y, height, "Talents", "a box for each use in a conflict")
    held = who.talents if who else ()
    rows = max(_TALENTS // 2, -(-len(held) // 2))
    cell, step = (wide - 4) / 2, high / rows
    for at in range(rows * 2):
        row, column = divmod(at, 2)
        x, base = left + column * (cell + 4), foot + high - (row + 1) * step
        talent = held[at] if at < len(held) else None
        name, label = f"talent.{at + 1}", f"Talent {at + 1}"
        side.form.ruled(
            f"{name}.name", f"{label}, name", (x, base + step - 6.8, cell - 19, 6.6), talent and talent.name
        )
        used = fighting.talents_used.get(key_of(talent.name), 0) if talent and fighting else 0
        spots = row_of(x + cell - 17, base + step - 6.2, min(talent.uses, 3) if talent else 3, 6)
        side.form.ticks(f"{name}.used", f"{label}, used", spots, 5.2, used)
        words = f"{talent.when.value.replace('-', ' ').capitalize()}. {talent.says}" if talent else ""
        box = (x, base + 0.4, cell, step - 8)
        side.form.paragraph(f"{name}.says", f"{label}, what it does", box, words, points=9.5)


def _armour(side: Side, y: float, height: float, who: Character | None) -> None:
    """Pieces with what they soak, and the shield."""
    wide = side.width * 0.68
    box = panel(side, side.left, y, wide, height, "Armour", "what each piece soaks")
    _, foot, inner, high = box
    each = 12.0
    columns = [("Piece", inner - 5 * each), *((level.label, each) for level in LEVELS)]
    starts = _heads(side, box, columns)
    pieces = who.armour if who else ()
    rows = max(_PIECES, len(pieces))
    step = (high - 3) / rows
    for at in range(rows):
        base, piece = foot + high - 3 - (at + 1) * step, pieces[at] if at < len(pieces) else None
        name, label = f"armour.{at + 1}", f"Armour {at + 1}"
        side.form.ruled(
            f"{name}.name",
            f"{label}, name",
            (starts[0], base, columns[0][1] - 2, step - 0.6),
            piece and piece.name,
        )
        for level, x in zip(LEVELS, starts[1:], strict=True):
            value = (piece.soak.at(level) or "\u2013") if piece else None
            field = f"{name}.{level}"
            side.form.ruled(field, f"{label}, {level.label} soak", (x, base, each - 2, step - 0.6), value)
    left, foot, inner, high = panel(side, side.left + wide + _GAP, y, side.width - wide - _GAP, height, "Shield")
    shield = who.shield if who else None
    step = high / (len(ShieldSize) + 1)
    for at, size in enumerate(ShieldSize):
        base = foot + high - (at + 1) * step
        held = shield is not None and shield.size is size
        side.form.tick(f"shield.{size}", f"{size.value} shield", left, base + 1, 6, held)
        words = f"{size.value.capitalize()}: {shields()[size].soak}"
        side.pen.text(left + 8, base + 2.6, words, Font.TEXT, 10, side.theme.deep)
    small(side, left, foot + step - 3, "Blows caught")
    most = max(kind.soak for kind in shields().values())
    spots = row_of(left, foot, shield.soak if shield else most, 9)
    side.form.ticks("shield.caught", "Blow caught by the shield", spots, 7.6, shield.marked if shield else 0)


def _healing(side: Side, y: float, height: float, who: Character | None, hours: int) -> None:
    """Days until all wounds slide a level, first aid, and room for notes (SP-19, SP-20)."""
    wide = side.width * 0.52
    left, foot, inner, high = panel(
        side, side.left, y, wide, height, "Healing", "all wounds slide a level after so many days"
    )
    step = (high - 9) / len(Activity)
    for at, activity in enumerate(Activity):
        base = foot + high - (at + 1) * step
        chosen = bool(who and who.activity is activity)
        form = side.form
        label = activity.value.replace("-", " ").capitalize()
        form.tick(f"rest.{activity}", label, left, base + 0.6, 5.6, chosen, round_=True)
        side.pen.text(left + 7.4, base + 2, label, Font.TEXT, 10, side.theme.deep)
        days = who.rested * activity.days // RECUPERATION if who and chosen else 0
        spots = row_of(left + 31, base + 0.6, activity.days, 7.2)
        form.ticks(f"day.{activity}", f"{label}, day", spots, 5.6, days)
    treated = f"hour {who.treated_at}, now {hours}" if who and who.treated_at is not None else ""
    side.form.ruled("treated", "Last first aid", (left, foot, inner, 7.4), treated, label="Last first aid, at")
    box = panel(side, side.left + wide + _GAP, y, side.width - wide - _GAP, height, "Notes")
    side.form.paragraph("notes", "Notes", box, "")
