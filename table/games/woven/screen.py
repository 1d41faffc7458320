"""Woven on a screen: whose turn it is, every tapestry with its threads, spells and charges.

The land is in ``woven_map``.
"""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.woven.spells import IGNORED, SYMBOL, Spell, spell_named
from loomtable.engine.woven.state import Dye
from loomtable.engine.woven.tapestries import CARD_COST
from loomtable.table.games.woven.map import land, mana, region_picture
from loomtable.table.games.woven.tapestry import FACE_DOWN, rows_in_words, tapestry_panel, thread
from loomtable.table.games.woven.television import television
from loomtable.table.games.woven.text import drawings, pattern_drawn
from loomtable.table.screens import GameScreen, imported_later
from loomtable.table.screens.panel import Panel, Seen, cards_laid, facts, fitted, joined, may_press


def _panels(session: Session[Any], viewer: str, seen: Seen) -> tuple[Panel, ...]:
    """The panels of a contest."""
    if not seen["mages"]:
        return ()
    panels = [Panel("turn", _title(seen), _turn(seen), wide=True)]
    if seen["map"]:
        panels.append(Panel("land", "The land", land(session, viewer, seen), wide=True))
    # The viewer's own tapestry comes first, then that of the mage who acts or is asked.
    acting = session.pending.by if session.pending is not None else (seen["turn"] or {}).get("mage")
    for name in sorted(seen["mages"], key=lambda one: (one != viewer, one != acting)):
        mage = seen["mages"][name]
        panels.append(
            Panel(
                f"mage-{name}",
                name,
                joined([_tapestry(session, viewer, name, mage), _deeds(session, viewer, name, seen), _mage(mage)]),
                whose=name,
            )
        )
        if mage["dealt"]:
            dealt = (d if d == FACE_DOWN else spell_named(d).component for d in mage["dealt"])
            panels.append(Panel(f"dealt-{name}", f"{name} chooses from", cards_laid(dealt), wide=True))
    return tuple(panels)


def _title(seen: Seen) -> str:
    if seen["winners"]:
        return f"{' and '.join(seen['winners'])} won"
    if not seen["turn"]:
        return "Before the first turn"
    return f"Round {seen['round']}: {seen['turn']['mage']}'s turn"


def _turn(seen: Seen) -> Markup:
    last = f"round {seen['last_round']} is the last" if seen["last_round"] else ""
    left = seen["stack"]["pile"]
    cards = f"{left} card{'' if left == 1 else 's'} left"
    seats = [
        fitted(
            '<li class="{now}">{name}</li>',
            now="now" if (seen["turn"] or {}).get("mage") == name else "",
            name=name,
        )
        for name in seen["mages"]
    ]
    return joined(
        [
            fitted('<ol class="order seats">{seats}</ol>', seats=joined(seats)),
            facts({"Tapestry stack": cards, "The end": last}),
        ]
    )


def _mage(mage: Seen) -> Markup:
    """Where thirteen mana lie, and the spells with what lies on them."""
    threads = len(mage["tapestry"]["threads"])
    lies = {
        "pool": mage["pool"],
        "spent": mage["spent"],
        "threads": threads,
        "tendrils": sum(mage["tendrils"].values()),
        "charges": sum(mage["charges"].values()),
    }
    bar = joined(fitted('<i class="{kind}"></i>', kind=kind) * count for kind, count in lies.items())
    words = ", ".join(
        f"{count} {kind.removesuffix('s') if count == 1 else kind}" for kind, count in lies.items() if count
    )
    known = [*mage["shown"], *mage["hand"]]
    spells = [_spell(key, mage) for key in known if key != FACE_DOWN]
    if unseen := known.count(FACE_DOWN):
        says = how_many(unseen, "spell", "spells").capitalize()
        spells.append(fitted('<li class="spell down">{says} nobody has seen yet</li>', says=says))
    home = mage["home_card"]
    return joined(
        [
            fitted(
                '<p class="mana" aria-hidden="true">{bar}</p><p>{words}</p>', bar=bar, words=words.capitalize()
            ),
            facts(
                {
                    "Colour": Dye(mage["colour"]).label,
                    "Sits at": mage["edge"] or "",
                    "Home card": str(home) if home is not None else "",
                    "Bodies lost": str(mage["destroyed"]) if mage["destroyed"] else "",
                    "Bodies destroyed": str(mage["kills"]) if mage["kills"] else "",
                }
            ),
            fitted('<ul class="spells">{spells}</ul>', spells=joined(spells)) if spells else Markup(),
        ]
    )


def _spell(key: str, mage: Seen) -> Markup:
    """A spell with its pattern, small; the whole text opens."""
    spell = spell_named(key)
    charges = mage["charges"].get(key, 0)
    return fitted(
        '<li class="spell"><details><summary>{pattern}<span class="name">{name}</span>'
        '<span class="level">{element}, level {level}{charged}{new}</span></summary><p>{says}</p></details></li>',
        pattern=_pattern(spell),
        name=spell.name,
        element=str(spell.element).capitalize(),
        level=spell.level,
        charged=f", {charges} charge{'' if charges == 1 else 's'}" if charges else "",
        new=", not yet cast" if key in mage["hand"] else "",
        says=spell.says,
    )


def _pattern(spell: Spell) -> Markup:
    marks = spell.pattern.marks()
    cells = joined(
        _pattern_cell(mark, column * 8, row * 8, spell)
        for row, line in enumerate(marks)
        for column, mark in enumerate(line)
        if mark != IGNORED
    )
    width, height = 8 * spell.pattern.columns, 8 * spell.pattern.rows
    return fitted(
        '<svg class="pattern" viewBox="0 0 {w} {h}" width="{pw}" height="{ph}" aria-hidden="true" '
        'data-drawn="{drawn}">{cells}</svg>',
        drawn=pattern_drawn(spell),
        w=width,
        h=height,
        pw=width * 2,
        ph=height * 2,
        cells=cells,
    )


def _pattern_cell(mark: str, x: float, y: float, spell: Spell) -> Markup:
    if mark == SYMBOL:
        return fitted(
            '<image href="/art/element/{e}.svg" x="{x}" y="{y}" width="7" height="7"/>',
            e=spell.element.value,
            x=x + 0.5,
            y=y + 0.5,
        )
    return thread(x, y, 8)


def _tapestry(session: Session[Any], viewer: str, name: str, mage: Seen) -> Markup:
    drawn = tapestry_panel(session, viewer, name, mage)
    if not mage["laid"]["rows"]:
        return drawn
    words = rows_in_words(mage)
    in_words = fitted('<details class="in-words"><summary>In words</summary>{words}</details>', words=words)
    return joined([drawn, in_words])


def _deeds(session: Session[Any], viewer: str, name: str, seen: Seen) -> Markup:
    """What else the mage whose turn it is can do, as buttons with what they cost."""
    turn = (seen["turn"] or {}).get("mage", "") if session.pending is None else ""
    if turn != name or not may_press(session, viewer, name):
        return Markup()
    mage = seen["mages"][name]
    deeds = {
        "acquire-card": ("Draw a card", mana(CARD_COST, mage["pool"])),
        "rest": ("Rest", "all spent mana back" if mage["spent"] else ""),
        "end-turn": ("End the turn", ""),
    }
    buttons = [
        fitted(
            '<button type="button" {press}>{label}{cost}</button>',
            press=_plain_press(deed, name),
            label=label,
            cost=fitted(" <small>{cost}</small>", cost=cost) if cost else "",
        )
        for deed, (label, cost) in deeds.items()
        if not session.refusal(deed, who=name)
    ]
    if not buttons:
        return Markup()
    number = list(seen["mages"]).index(name)
    return fitted('<p class="row deeds" id="deeds-{number}">{buttons}</p>', number=number, buttons=joined(buttons))


def _plain_press(deed: str, who: str) -> Markup:
    """The attributes of a button, which is a button by itself."""
    return fitted('data-act="{act}"', act=json.dumps({"name": deed, "args": {"who": who}}))


screen = GameScreen(
    _panels,
    television,
    drawings=drawings,
    pictures={"region": region_picture},
    board=imported_later("loomtable.table.games.woven.board_tapestry:read_board"),
)
"""The screens of Woven."""
