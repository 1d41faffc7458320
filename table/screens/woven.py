"""Woven on a screen: whose turn it is, every tapestry with its threads, spells and charges.

The land is in ``woven_map``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.woven.patterns import castable
from loomtable.engine.woven.spells import IGNORED, SYMBOL, Spell, spell_named
from loomtable.engine.woven.state import Dye
from loomtable.engine.woven.tapestries import CARD_COST
from loomtable.engine.woven.tapestry import Spot, Tapestry
from loomtable.table.screens.panel import (
    Panel,
    answering,
    cards_laid,
    doing,
    facts,
    fitted,
    joined,
    listing,
    may_press,
    preview_line,
    previewed,
)
from loomtable.table.screens.woven_laying import laying, step_asked
from loomtable.table.screens.woven_map import land, mana

Seen = Mapping[str, Any]
ROOM = 2
"""Cells of room round a tapestry while a card is laid: it may reach so far beyond."""
CELL = 24.0
"""Side of a cell of a tapestry on the screen, in units of its drawing."""


def screen(session: Session[Any], viewer: str, seen: Seen) -> tuple[Panel, ...]:
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
            )
        )
        if mage["dealt"]:
            dealt = (d if d == _DOWN else spell_named(d).component for d in mage["dealt"])
            panels.append(Panel(f"dealt-{name}", f"{name} chooses from", cards_laid(dealt), wide=True))
    return tuple(panels)


_DOWN = "face down"


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
    spells = [_spell(key, mage) for key in known if key != _DOWN]
    if unseen := known.count(_DOWN):
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
        '<svg class="pattern" viewBox="0 0 {w} {h}" width="{pw}" height="{ph}" aria-hidden="true">{cells}</svg>',
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
    return _thread(x, y, 8)


def _thread(x: float, y: float, side: float) -> Markup:
    a, b = side * 0.25, side * 0.75
    return fitted(
        '<path class="thread" d="M{x1} {y1}L{x2} {y2}M{x2} {y1}L{x1} {y2}"/>',
        x1=x + a,
        y1=y + a,
        x2=x + b,
        y2=y + b,
    )


# The tapestry


def _tapestry(session: Session[Any], viewer: str, name: str, mage: Seen) -> Markup:
    """The cells that can be seen, with threads; where one can be laid now, a cell can be pressed.

    While a drawn card is to be laid there is room round it, and the page's script lays the card.
    """
    tapestry = from_builtins(mage["tapestry"], Tapestry)
    visible = tapestry.visible()
    acting = may_press(session, viewer, name)
    step = step_asked(session.pending, name, mage["drawn"]) if acting else ""
    if not visible and not step:
        return Markup("<p>No card lies here yet.</p>")
    open_spots = dict(_open_spots(session, name, mage, tapestry)) if acting and not step else {}
    spots = [*visible, *open_spots] or [Spot(0, 0), Spot(2, 1)]
    margin = ROOM if step and visible else 0
    left, top = min(s.column for s in spots) - margin, min(s.row for s in spots) - margin
    columns = 1 + max(s.column for s in spots) + margin - left
    rows = 1 + max(s.row for s in spots) + margin - top

    def place(spot: Spot) -> tuple[float, float]:
        return (spot.column - left) * CELL, (spot.row - top) * CELL

    cells = [_cell(*place(spot), cell, spot in tapestry.threads) for spot, cell in visible.items()]
    pressed = [_open_spot(*place(spot), press) for spot, press in open_spots.items()]
    idle = "Drag the card onto the tapestry, or tap where it is to lie." if step and visible else ""
    idle = idle or ("Press a dashed box." if open_spots else "")
    drawing = fitted(
        '<svg class="tapestry" viewBox="-1 -1 {w} {h}" role="group" aria-label="{says}"{origin}>'
        '{cells}{pressed}<g class="ghost"></g></svg>{preview}',
        w=columns * CELL + 2,
        h=rows * CELL + 2,
        says=f"The tapestry of {name}, {rows} rows of {columns} cells, "
        + how_many(len(tapestry.threads), "thread", "threads"),
        origin=fitted(' data-left="{left}" data-top="{top}" data-cell="{cell}"', left=left, top=top, cell=CELL),
        cells=joined(cells),
        pressed=joined(pressed),
        preview=preview_line(idle),
    )
    if step:
        known = laying(session, step, mage["drawn"], tapestry)
        drawing = fitted('<div class="laying" {known}>{drawing}</div>', known=known, drawing=drawing)
    words = _rows_in_words(mage)
    return fitted(
        '{drawing}<details class="in-words"><summary>In words</summary>{words}</details>',
        drawing=drawing,
        words=words,
    )


def _open_spot(x: float, y: float, press: Markup) -> Markup:
    return fitted(
        '<g class="open" {press}><rect x="{x}" y="{y}" width="{s}" height="{s}" rx="3"/></g>',
        press=press,
        x=x + 2,
        y=y + 2,
        s=CELL - 4,
    )


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
    return fitted('<p class="row deeds">{buttons}</p>', buttons=joined(buttons)) if buttons else Markup()


def _plain_press(deed: str, who: str) -> Markup:
    """The attributes of a button, which is a button by itself."""
    return fitted('data-act="{act}"', act=json.dumps({"name": deed, "args": {"who": who}}))


def _cell(x: float, y: float, element: Any, threaded: bool) -> Markup:
    parts = [fitted('<rect class="cell" x="{x}" y="{y}" width="{s}" height="{s}"/>', x=x, y=y, s=CELL)]
    if element is not None:
        parts.append(
            fitted(
                '<image href="/art/element/{e}.svg" x="{x}" y="{y}" width="18" height="18"/>',
                e=element.value,
                x=x + 3,
                y=y + 3,
            )
        )
    else:
        parts.append(fitted('<rect class="box" x="{x}" y="{y}" width="16" height="16" rx="2"/>', x=x + 4, y=y + 4))
    if threaded:
        parts.append(_thread(x, y, CELL))
    return joined(parts)


def _open_spots(session: Session[Any], name: str, mage: Seen, tapestry: Tapestry) -> Iterator[tuple[Spot, Markup]]:
    """The spots that answer what is asked of this mage, or where a thread can be laid now, with what it costs and
    which spells it would let the mage cast."""
    asked = session.pending
    if isinstance(asked, Choose) and asked.by == name:
        for option in asked.options:
            column, slash, row = option.key.partition("/")
            if slash and _whole(column) and _whole(row):
                press = previewed(answering(option.key), asked.purpose, option.label, option.says)
                yield Spot(int(column), int(row)), press
    elif asked is None:
        casts = _casts(mage, tapestry)
        for spot in tapestry.free_boxes():
            if not session.refusal("place-thread", who=name, at=[spot.column, spot.row]):
                press = doing("place-thread", who=name, at=[spot.column, spot.row])
                spells = f"casts {listed(casts[spot])}" if spot in casts else ""
                yield spot, previewed(press, f"A thread at {spot}", mana(1, mage["pool"]), spells)


def _casts(mage: Seen, tapestry: Tapestry) -> dict[Spot, list[str]]:
    """Which of the spells that the viewer may see one thread would complete, by its place (WO-10)."""
    spells = [spell_named(key) for key in (*mage["shown"], *mage["hand"]) if key != _DOWN]
    found: dict[Spot, dict[str, None]] = {}
    for way in castable(tapestry, spells, 1):
        found.setdefault(way.place[0], {})[spell_named(way.spell).name] = None
    return {spot: list(names) for spot, names in found.items()}


def _whole(word: str) -> bool:
    return word.removeprefix("-").isdecimal()


def _rows_in_words(mage: Seen) -> Markup:
    laid = mage["laid"]
    says = {"x": "thread", ".": "box", " ": "bare table", "A": "Air", "F": "Fire", "E": "Earth", "W": "Water"}
    rows = [", ".join(says.get(mark, mark) for mark in row) for row in laid["rows"]]
    return listing(
        (f"Row {laid['top'] + number}, from column {laid['left']}: {row}" for number, row in enumerate(rows)),
        "rows",
    )
