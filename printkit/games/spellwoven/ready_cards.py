"""Cards of Spellwoven: arms and armour to hand out, and the ready foes for the storyteller."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.wording import listed
from loomtable.engine.spellwoven.armoury import Weapon, armour, shields, skills, weapons
from loomtable.engine.spellwoven.levels import LEVELS, Levels
from loomtable.engine.spellwoven.people import Sheet, incidentals, npcs
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.ready_cards import picture_for
from loomtable.printkit.decks.own import ready_cards
from loomtable.printkit.draw.running import NO_BREAK
from loomtable.printkit.sheet.pieces import PrintedCard

_WEAPON, _ARMOUR, _SHIELD, _FOE = "5E2430", "33404D", "4F5636", "5E2430"


def _levels(counts: Levels) -> str:
    """``Shallow 2, Deep 1``."""
    return ", ".join(f"{level.label} {counts.at(level)}" for level in LEVELS if counts.at(level))


def _skill(key: str) -> str:
    return skills()[key].name


def _weapon(weapon: Weapon) -> list[str]:
    uses = [f"{_skill(use.skill)}, {use.reach.label}" for use in weapon.uses]
    return [f"Menace {weapon.menace}", *uses, *(str(tag).replace("-", " ").capitalize() for tag in weapon.tags)]


def items(options: RenderOptions) -> list[PrintedCard]:
    """A card for each weapon, armour and shield."""
    held = [(weapon.name, _weapon(weapon), _WEAPON) for weapon in weapons().values()]
    held += [(worn.name, ["Soak", *_levels(worn.soak).split(", ")], _ARMOUR) for worn in armour().values()]
    held += [(shield.name, [f"Soak {shield.soak}"], _SHIELD) for shield in shields().values()]
    cards = [
        {"name": name, "figures": "\n".join(said), "colour": ink, "blank": "yes"} | picture_for("spellwoven", name)
        for name, said, ink in held
    ]
    return ready_cards("stated", cards, "item cards")


def _figures(foe: Sheet) -> Iterator[str]:
    yield listed(f"{_skill(key)}{NO_BREAK}{rating}" for key, rating in foe.ratings.items())
    yield f"Quickness Defence {foe.quickness_defence}, Presence Defence {foe.presence_defence}"
    known = weapons()
    arms = [given if isinstance(given, Weapon) else known[given] for given in foe.weapons]
    if arms:
        yield listed(f"{weapon.name} (Menace{NO_BREAK}{weapon.menace})" for weapon in arms)
    worn = [armour()[key].name for key in foe.armour] + ([shields()[foe.shield].name] if foe.shield else [])
    if worn:
        yield listed(worn)
    for said, soak in (("Soak", foe.soak), ("Hide", foe.hide)):
        if _levels(soak):
            yield f"{said}: {_levels(soak)}"


def _foe(foe: Sheet) -> dict[str, str]:
    text = "\n".join(filter(None, (foe.manner, f"**Wants:** {foe.wants}" if foe.wants else "")))
    slots = [(level.label, "\N{BALLOT BOX}" * foe.wound_slots.at(level)) for level in LEVELS]
    return {
        "name": foe.name,
        "figures": "\n".join(_figures(foe)),
        "marked": "  ".join(f"{label}{NO_BREAK}{boxes}" for label, boxes in slots if boxes),
        "text": text,
        "colour": _FOE,
        **picture_for("spellwoven", foe.name),
    }


def foes(options: RenderOptions) -> list[PrintedCard]:
    """A card for each foe that has a name, or none."""
    return ready_cards("stated", [_foe(foe) for foe in (*npcs().values(), *incidentals().values())], "foe cards")
