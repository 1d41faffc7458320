"""Storm Weavers on a screen: the open page, the map with everybody on it, Thymin's sheet, the journey."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH, THYMIN, Sheet
from loomtable.engine.storm_weavers.state import Fight, Tale
from loomtable.table.games.storm_weavers.map import ground_picture, map_panel
from loomtable.table.games.storm_weavers.television import television
from loomtable.table.games.storm_weavers.text import drawings
from loomtable.table.screens import GameScreen, imported_later
from loomtable.table.screens.panel import Panel, Seen, badges, doing, facts, fitted, joined, listing, track

_TWO_D6 = 12
"""A test is made with 2d6 at or under Dexterity or Wisdom, so a track of this length shows what passes."""


def _panels(session: Session[Any], viewer: str, seen: Seen) -> tuple[Panel, ...]:
    """The panels of a tale. One player plays alone, and nothing is hidden."""
    panels = []
    tale: Tale = session.state
    if tale.map_fight is not None:
        fought = tale.map_fight
        title = f"{combat_map(fought.plan.map).title}, round {fought.round.number}"
        panels.append(
            Panel(
                "map",
                title,
                map_panel(session, fought),
                wide=True,
            )
        )
    if tale.fight is not None:
        panels.append(Panel("fight", "The fight", _fight(tale.fight)))
    if seen["page"]:
        panels.append(Panel("page", f"Paragraph {seen['page']['number']}", _page(session, seen), wide=True))
    if tale.thymin is not None:
        panels.append(Panel("sheet", THYMIN, _sheet(tale.thymin)))
    if tale.journey:
        panels.append(Panel("journey", "The journey", _journey(tale)))
    return tuple(panels)


def _page(session: Session[Any], seen: Seen) -> Markup:
    page = seen["page"]
    paragraphs = joined(fitted("<p>{text}</p>", text=part) for part in page["text"].split("\n\n"))
    asked = session.pending
    keys = {option.key for option in asked.options} if isinstance(asked, Choose) else set()
    # What can be chosen now stands with the question already.
    choices = [
        fitted("{says} <b>→ {to}</b>", says=c["says"], to=c["to"] or "")
        for c in page["choices"]
        if c["key"] not in keys
    ]
    on = Markup()
    if asked is None and seen["ending"] is None:
        on = fitted('<p><span class="choice go-on" {press}>Continue from here</span></p>', press=doing("go-on"))
    ending = fitted('<p class="ending">The end: {how}.</p>', how=seen["ending"]) if seen["ending"] else Markup()
    return fitted(
        '<div class="prose">{paragraphs}</div>{choices}{on}{ending}',
        paragraphs=paragraphs,
        choices=listing(choices, "choices") if choices else "",
        on=on,
        ending=ending,
    )


def _sheet(sheet: Sheet) -> Markup:
    return joined(
        [
            track("Health", max(sheet.health, 0), max(MAX_HEALTH, sheet.health), kind="health"),
            _tested("Dexterity", sheet.dexterity),
            _tested("Wisdom", sheet.wisdom),
            badges(
                {
                    "Speed": sheet.speed,
                    "Weapon bonus": f"{sheet.weapon_bonus:+d}",
                    "Armour class": sheet.armour_class,
                    "Gold": sheet.gold,
                }
            ),
            facts({"Carries": ", ".join(_carried(sheet)) or "nothing"}),
        ]
    )


def _tested(name: str, value: int) -> Markup:
    return track(name, value, max(_TWO_D6, value), kind="value", says=str(value))


def _carried(sheet: Sheet) -> Iterator[str]:
    """What Thymin has, each with the bonuses that it brought."""
    left = list(sheet.gear)
    for item in sheet.items:
        gear = next((one for one in left if one.item == item), None)
        if gear is not None:
            left.remove(gear)
        yield f"{item} ({gear.said})" if gear is not None else item


def _fight(fight: Fight) -> Markup:
    enemy = fight.enemy
    return joined(
        [
            track(enemy.name, max(enemy.health, 0), max(enemy.health, 1), kind="health"),
            facts({"Dexterity": enemy.dexterity, "Exchanges so far": str(fight.exchange)}),
        ]
    )


def _journey(tale: Tale) -> Markup:
    """The way so far as a chain of paragraphs, with what was written at them."""
    steps = [tale.journey[0].start, *(leg.end for leg in tale.journey)]
    notes = [
        fitted("<b>{number}</b>: {text}", number=number, text=text)
        for number, texts in tale.notes.items()
        for text in texts
    ]
    chain = joined((fitted("<span>{step}</span>", step=step) for step in steps), " → ")
    return joined([fitted('<p class="journey">{chain}</p>', chain=chain), listing(notes)])


screen = GameScreen(
    _panels,
    television,
    drawings,
    {"ground": ground_picture},
    board=imported_later("loomtable.table.games.storm_weavers.board:read_board"),
)
"""The screens of Storm Weavers."""
