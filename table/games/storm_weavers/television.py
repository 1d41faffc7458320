"""Storm Weavers on a television: the map as large as it goes or the page that is read, and everybody's Health."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH, THYMIN, Sheet
from loomtable.engine.storm_weavers.state import Tale
from loomtable.table.games.storm_weavers.map import map_picture
from loomtable.table.screens.panel import Seen, fitted, joined, listing, only_seen, track
from loomtable.table.screens.television import Television, person_card, prose


def television(session: Session[Any], seen: Seen) -> Television:
    """The television of a tale."""
    tale: Tale = session.state
    people = [_thymin(tale.thymin)] if tale.thymin is not None else []
    if tale.map_fight is not None:
        fought = tale.map_fight
        people += [_enemy(fought.label(n), e.health) for n, e in fought.enemies.items()]
        return Television(
            title=combat_map(fought.plan.map).title,
            subtitle=f"Round {fought.round.number}" if fought.round.number else "The fight begins",
            stage=only_seen(map_picture(session, fought)),
            people=tuple(people),
        )
    if tale.fight is not None:
        enemy = tale.fight.enemy
        people.append(_enemy(enemy.name, enemy.health))
    page = seen["page"]
    title = f"Paragraph {page['number']}" if page else "Storm Weavers"
    stage = joined([prose(page["text"]), _ways_on(page)]) if page else prose(session.system.presentation.about)
    subtitle = f"The end: {tale.ending}" if tale.ending else ""
    return Television(title=title, subtitle=subtitle, stage=stage, people=tuple(people))


def _ways_on(page: Seen) -> Markup:
    return listing((one["says"] for one in page["choices"]), "ways-on")


def _thymin(sheet: Sheet) -> Markup:
    numbers = f"Dexterity {sheet.dexterity} · Wisdom {sheet.wisdom} · Gold {sheet.gold}"
    inside = [
        track("Health", max(sheet.health, 0), max(MAX_HEALTH, sheet.health), kind="health"),
        fitted("<p>{numbers}</p>", numbers=numbers),
    ]
    return person_card(THYMIN, joined(inside), state="out" if sheet.health <= 0 else "")


def _enemy(name: str, health: int) -> Markup:
    says = "fallen" if health <= 0 else f"Health {health}"
    state = "other enemy out" if health <= 0 else "other enemy"
    return person_card(name, fitted("<p>{says}</p>", says=says), state=state)
