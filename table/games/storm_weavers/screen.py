"""Storm Weavers on a screen: the open page, the map with everybody on it, Thymin's sheet, the journey."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH, THYMIN, Sheet
from loomtable.engine.storm_weavers.state import Fight, Tale
from loomtable.engine.storm_weavers.views import OpenPage, TaleView
from loomtable.table.games.storm_weavers.map import ground_picture, map_drawing
from loomtable.table.screens import GameScreen, imported_later
from loomtable.table.screens.blocks import (
    Badges,
    Block,
    Button,
    Buttons,
    Facts,
    Listing,
    Press,
    Prose,
    Strong,
    Text,
    Track,
    Words,
)
from loomtable.table.screens.panel import Panel, PersonCard, Television

_TWO_D6 = 12
"""A test is made with 2d6 at or under Dexterity or Wisdom, so a track of this length shows what passes."""


def _panels(session: Session[Tale], viewer: str, tale: TaleView) -> tuple[Panel, ...]:
    """The panels of a tale. One player plays alone, and nothing is hidden."""
    panels = []
    if tale.map_fight is not None:
        fought = tale.map_fight
        title = f"{combat_map(fought.plan.map).title}, round {fought.round.number}"
        panels.append(Panel("map", title, (map_drawing(session, fought),), wide=True))
    if tale.fight is not None:
        panels.append(Panel("fight", "The fight", _fight(tale.fight)))
    if tale.page is not None:
        title = f"Paragraph {tale.page.number}"
        panels.append(Panel("page", title, tuple(_page(session, tale, tale.page)), wide=True))
    if tale.thymin is not None:
        panels.append(Panel("sheet", THYMIN, _sheet(tale.thymin), whose=THYMIN))
    if tale.journey:
        panels.append(Panel("journey", "The journey", _journey(tale)))
    return tuple(panels)


def _television(session: Session[Tale], tale: TaleView) -> Television:
    """The map as large as it goes or the page that is read, and everybody's Health."""
    people = [_thymin(tale.thymin)] if tale.thymin is not None else []
    if tale.map_fight is not None:
        fought = tale.map_fight
        people += [_enemy(fought.label(n), e.health) for n, e in fought.enemies.items()]
        return Television(
            title=combat_map(fought.plan.map).title,
            subtitle=f"Round {fought.round.number}" if fought.round.number else "The fight begins",
            stage=(map_drawing(session, fought),),
            people=tuple(people),
        )
    if tale.fight is not None:
        people.append(_enemy(tale.fight.enemy.name, tale.fight.enemy.health))
    page = tale.page
    ways = (Listing(_ways(session, page), "ways-on"),) if page else ()
    return Television(
        title=f"Paragraph {page.number}" if page else session.system.title,
        subtitle=f"The end: {tale.ending}" if tale.ending else "",
        stage=(Prose(page.text if page else session.system.presentation.about), *ways),
        people=tuple(people),
        over=bool(tale.ending),
    )


def _ways(session: Session[Tale], page: OpenPage) -> tuple[Words, ...]:
    """The ways on from a page; while one is chosen, what can be, with the numbers that laptop and phone show."""
    asked, ways = session.pending, {way.key for way in page.choices}
    if isinstance(asked, Choose) and ways & {option.key for option in asked.options}:
        return tuple((Strong(str(n)), f" {option.label}") for n, option in enumerate(asked.options, start=1))
    return tuple(way.says for way in page.choices)


def _page(session: Session[Tale], tale: TaleView, page: OpenPage) -> Iterator[Block]:
    yield Prose(page.text)
    asked = session.pending
    # What can be chosen now is with the question already.
    keys = {option.key for option in asked.options} if isinstance(asked, Choose) else set()
    ways = [(f"{way.says} ", Strong(f"→ {way.to or ''}")) for way in page.choices if way.key not in keys]
    yield Listing(tuple(ways), "choices")
    if tale.ending is not None:
        yield Text(f"The end: {tale.ending}.", "ending")
    elif asked is None:
        yield Buttons((Button("Continue from here", Press(Action("go-on"))),))


def _sheet(sheet: Sheet) -> tuple[Block, ...]:
    return (
        _health("Health", sheet.health, MAX_HEALTH),
        _tested("Dexterity", sheet.dexterity),
        _tested("Wisdom", sheet.wisdom),
        Badges(
            {
                "Speed": sheet.speed,
                "Weapon bonus": f"{sheet.weapon_bonus:+d}",
                "Armour class": sheet.armour_class,
                "Gold": sheet.gold,
            }
        ),
        Facts({"Carries": ", ".join(_carried(sheet)) or "nothing"}),
    )


def _health(name: str, health: int, most: int) -> Track:
    return Track(name, max(health, 0), max(most, health), kind="health")


def _tested(name: str, value: int) -> Track:
    return Track(name, value, max(_TWO_D6, value), kind="value", words=str(value))


def _carried(sheet: Sheet) -> Iterator[str]:
    """What Thymin has, each with the bonuses that it brought."""
    left = list(sheet.gear)
    for item in sheet.items:
        gear = next((carried for carried in left if carried.item == item), None)
        if gear is not None:
            left.remove(gear)
        yield f"{item} ({gear.said})" if gear is not None else item


def _fight(fight: Fight) -> tuple[Block, ...]:
    enemy = fight.enemy
    return (
        _health(enemy.name, enemy.health, 1),
        Facts({"Dexterity": enemy.dexterity, "Exchanges so far": str(fight.exchange)}),
    )


def _journey(tale: TaleView) -> tuple[Block, ...]:
    """The way so far as a chain of paragraphs, with what was written at them."""
    steps = (tale.journey[0].start, *(leg.end for leg in tale.journey))
    notes: list[Words] = [
        (Strong(str(number)), f": {text}") for number, texts in tale.notes.items() for text in texts
    ]
    return Text(" → ".join(map(str, steps)), "journey"), Listing(tuple(notes))


def _thymin(sheet: Sheet) -> PersonCard:
    numbers = f"Dexterity {sheet.dexterity} · Wisdom {sheet.wisdom} · Gold {sheet.gold}"
    tracks = (_health("Health", sheet.health, MAX_HEALTH), Text(numbers))
    return PersonCard(THYMIN, tracks, state="out" if sheet.health <= 0 else "")


def _enemy(name: str, health: int) -> PersonCard:
    health_left = "fallen" if health <= 0 else f"Health {health}"
    return PersonCard(name, (Text(health_left),), state="other enemy out" if health <= 0 else "other enemy")


screen = GameScreen(
    _panels,
    _television,
    TaleView,
    pictures={"ground": ground_picture},
    board=imported_later("loomtable.table.games.storm_weavers.board:combat_board"),
)
"""The screens of Storm Weavers."""
