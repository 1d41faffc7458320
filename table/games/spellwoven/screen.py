"""Spellwoven on a screen: the encounter, the round with its order and distances, sheets with wounds and soak."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.levels import LEVELS
from loomtable.engine.spellwoven.state import Character, Combatant, Conflict
from loomtable.table.games.spellwoven.television import television
from loomtable.table.screens import GameScreen
from loomtable.table.screens.panel import Panel, Seen, badges, facts, fitted, joined, listing, meters, track


def _panels(session: Session[Any], viewer: str, seen: Seen) -> tuple[Panel, ...]:
    """The panels of an adventure."""
    panels = []
    if seen["encounter"]:
        panels.append(Panel("encounter", seen["encounter"]["title"], _encounter(seen["encounter"]), wide=True))
    if seen["conflict"]:
        conflict = from_builtins(seen["conflict"], Conflict)
        title = f"Round {conflict.round}" if conflict.round else "A conflict begins"
        panels.append(Panel("conflict", title, _conflict(conflict), wide=True))
    others = []
    for name, sheet in seen["characters"].items():
        if "wound_slots" in sheet:
            panels.append(Panel(f"sheet-{name}", name, _sheet(from_builtins(sheet, Character))))
        else:
            others.append(_from_afar(sheet))
    if others:
        panels.append(Panel("others", "Seen from across the table", listing(others)))
    if seen["hours"]:
        panels.append(Panel("time", "Time", facts({"Since the beginning": _time(seen["hours"])})))
    return tuple(panels)


def _time(hours: int) -> str:
    days, rest = divmod(hours, 24)
    told = [how_many(days, "day", "days")] if days else []
    return listed([*told, how_many(rest, "hour", "hours")] if rest or not days else told)


def _encounter(encounter: Seen) -> Markup:
    """What is read aloud; for the storyteller also what everybody wants, and how it can end."""
    parts = [fitted('<div class="prose"><p>{opening}</p></div>', opening=encounter["opening"])]
    if "wants" in encounter:
        parts.append(facts({"They want": encounter["wants"]}))
        ends = {f"If they {how}": text for how, text in encounter["endings"].items()}
        parts.append(fitted("<details><summary>How it can end</summary>{ends}</details>", ends=facts(ends)))
        parts.append(facts({"Reward": encounter["reward"]["says"]}))
    return joined(parts)


def _conflict(conflict: Conflict) -> Markup:
    """Who acts when, highest initiative first, and a lane for each distance from the fight."""
    order = sorted(conflict.combatants.items(), key=lambda one: (-one[1].initiative, one[0]))
    lines = [_line(name, combatant) for name, combatant in order]
    head = "".join(f'<th scope="col">{word}</th>' for word in ("Initiative", "Who", "Momentum", "Where", "Now"))
    table = fitted(
        f'<table class="order"><thead><tr>{head}</tr></thead><tbody>{{lines}}</tbody></table>', lines=joined(lines)
    )
    lanes = joined(_lane(proximity, conflict) for proximity in Proximity)
    return fitted('{table}<div class="lanes">{lanes}</div>', table=table, lanes=lanes)


def _line(name: str, combatant: Combatant) -> Markup:
    return fitted(
        '<tr class="{kind}"><td>{initiative}</td><th scope="row">{name}</th><td>{momentum}</td><td>{where}</td>'
        "<td>{now}</td></tr>",
        kind="done" if combatant.acted or combatant.left else "",
        initiative=combatant.initiative,
        name=name,
        momentum=f"{combatant.momentum:+d}" if combatant.momentum else "0",
        where=combatant.proximity.label,
        now=_now(combatant),
    )


def _now(combatant: Combatant) -> str:
    """What there is to say about a combatant in this round."""
    says = [
        combatant.left.value.replace("-", " ") if combatant.left else "",
        "has acted" if combatant.acted and not combatant.left else "",
        "cooperates" if combatant.cooperating else "",
        f"guards (+{combatant.guard})" if combatant.guard else "",
        f"tends {combatant.aiding}" if combatant.aiding else "",
        "is open to attack" if combatant.open_to_attack else "",
        "is hampered" if combatant.hampered else "",
        "shoots" if combatant.shoots else "",
        f"is distracted: {combatant.distraction.value.replace('-', ' ')}" if combatant.distraction else "",
    ]
    return ", ".join(filter(None, says)) or "may act"


def _lane(proximity: Proximity, conflict: Conflict) -> Markup:
    there = [name for name, one in conflict.combatants.items() if one.proximity is proximity and not one.left]
    tokens = joined(fitted('<span class="token">{name}</span>', name=name) for name in there)
    return fitted(
        '<section class="lane"><h3>{where}</h3>{tokens}</section>',
        where=proximity.label,
        tokens=tokens or Markup('<span class="nobody">nobody</span>'),
    )


def _sheet(sheet: Character) -> Markup:
    """A whole sheet: wounds by level, soak, ratings, what is carried."""
    ratings = {name.replace("-", " ").capitalize(): value for name, value in sorted(sheet.ratings.items())}
    return joined(
        [
            fitted('<p class="sheet-head">{about}</p>', about=_about(sheet)),
            _levels(sheet),
            track("Shield", sheet.shield.marked, sheet.shield.soak, kind="shield") if sheet.shield else Markup(),
            badges(
                {
                    "Quickness Defence": sheet.quickness_defence,
                    "Presence Defence": sheet.presence_defence,
                    "Effort": sheet.effort,
                }
            ),
            meters(ratings, max(ratings.values(), default=0)),
            facts(
                {
                    "Weapons": ", ".join(f"{w.name} (Menace {w.menace})" for w in sheet.weapons),
                    "Armour": ", ".join(piece.name for piece in sheet.armour),
                    "Loaded": ", ".join(sheet.loaded),
                }
            ),
            joined(
                fitted(
                    '<details class="quality"><summary><b>Talent</b> {name}</summary><p class="does">{does}</p>'
                    "<p>{says}</p></details>",
                    name=talent.name,
                    does=talent.does,
                    says=talent.says,
                )
                for talent in sheet.talents
            ),
        ]
    )


def _about(sheet: Character) -> str:
    """Who keeps the sheet, whose side it is on, and the worst that can be said of its bearer."""
    worst = {
        "dead": sheet.dead,
        "in a last stand": sheet.heroic,
        "incapacitated": sheet.incapacitated,
        "maimed": sheet.maimed,
    }
    state = next((word for word, is_so in worst.items() if is_so), "")
    return " · ".join(filter(None, (sheet.keeper, sheet.side, state)))


def _levels(sheet: Character) -> Markup:
    """The wound track: for each level its slots, and the soak that stands before them."""
    rows = joined(
        fitted(
            '<tr><th scope="row">{level}</th><td>{wounds}</td><td>{soak}</td></tr>',
            level=level.label,
            wounds=_boxes(
                sheet.wounds.at(level), max(sheet.wound_slots.at(level), sheet.wounds.at(level)), "wound"
            ),
            soak=_boxes(sheet.soak_marked.at(level), sheet.soak_slots.at(level), "soak"),
        )
        for level in LEVELS
    )
    return fitted(
        '<table class="levels"><thead><tr><th scope="col">Level</th><th scope="col">Wounds</th>'
        '<th scope="col">Soak</th></tr></thead><tbody>{rows}</tbody></table>',
        rows=rows,
    )


def _boxes(marked: int, length: int, kind: str) -> Markup:
    if not length:
        return Markup('<span class="none">none</span>')
    boxes = joined(Markup('<i class="on"></i>') if n < marked else Markup("<i></i>") for n in range(length))
    return fitted(
        '<span class="boxes {kind}" role="img" aria-label="{marked} of {length}">{boxes}</span>',
        kind=kind,
        marked=marked,
        length=length,
        boxes=boxes,
    )


def _from_afar(sheet: Seen) -> Markup:
    return fitted(
        "<b>{name}</b>: {condition}{arms}",
        name=sheet["name"],
        condition=sheet["condition"],
        arms=f", with {', '.join([*sheet['weapons'], *sheet['armour']])}"
        if sheet["weapons"] or sheet["armour"]
        else "",
    )


screen = GameScreen(_panels, television)
"""The screens of Spellwoven."""
