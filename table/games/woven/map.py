"""The land of Woven on a screen: the printed map with mages and tendrils, and where one can go now."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.play import Play
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.acting import TENDRIL_MOVE_COST
from loomtable.engine.woven.region_map import RegionKey, RegionMap, map_names, region_map
from loomtable.engine.woven.travel import paid_cost
from loomtable.table.screens import Picture
from loomtable.table.screens.panel import (
    Seen,
    answering,
    doing,
    fitted,
    joined,
    listing,
    may_press,
    preview_line,
    previewed,
)

COLOURS = {"madder": 1, "woad": 2, "orchil": 3, "moss": 4, "weld": 5}
"""The number of each colour in the style sheet. A mage is told from others by colour and by a letter as well."""


def region_picture(name: str) -> Picture:
    """The printed map by its name; printing is imported when one is drawn."""
    from loomtable.printkit.games.woven.region_map import draw_region_map

    if name not in map_names():
        raise KeyError(name)
    ground = region_map(name)
    return Picture(lambda pen: draw_region_map(pen, ground, ground.size[0]), *ground.size)


def land(session: Session[Any], viewer: str, seen: Seen) -> Markup:
    """The map with everything on it, what would come of what is pointed at, and the same in words."""
    ground = region_map(seen["map"])
    can_go = any(True for _ in _open(session, viewer, seen, ground))
    idle = "Press a dashed place to go there." if can_go else ""
    words = listing(land_in_words(seen, ground))
    in_words = fitted('<details class="in-words"><summary>In words</summary>{words}</details>', words=words)
    return joined([land_picture(session, viewer, seen), preview_line(idle), in_words])


def land_picture(session: Session[Any], viewer: str, seen: Seen) -> Markup:
    """The map, the figures on it, and the regions that can be pressed."""
    ground = region_map(seen["map"])
    width, height = ground.size
    letters = mage_letters(list(seen["mages"]))
    opened = list(_open(session, viewer, seen, ground))
    open_regions = [_open_region(ground, key, press) for key, press, _ in opened]
    reaches = _reaches(session, viewer, seen, ground)
    return fitted(
        '<svg class="map" viewBox="0 0 {w} {h}" role="group" aria-label="The map. {says}">'
        '<image href="/art/region/{name}.svg" width="{w}" height="{h}"/><g data-walk>{open}</g>{reaches}{figures}'
        "<g data-walk>{prices}</g></svg>",
        w=width,
        h=height,
        says="; ".join(land_in_words(seen, ground)),
        name=seen["map"],
        open=joined(open_regions),
        reaches=joined(_reach(ground, start, ends) for start, ends in reaches.items()),
        figures=joined(_figures(session, viewer, seen, ground, letters, reaches)),
        prices=joined(_price(ground, key, cost) for key, _, cost in opened if cost),
    )


def _acting(session: Session[Any], viewer: str, seen: Seen) -> str:
    """Whose turn it is, where this viewer acts for them and nothing is asked; nobody otherwise."""
    turn = (seen["turn"] or {}).get("mage", "") if session.pending is None else ""
    return turn if turn and may_press(session, viewer, turn) else ""


def _reaches(
    session: Session[Any], viewer: str, seen: Seen, ground: RegionMap
) -> dict[RegionKey, list[tuple[RegionKey, Markup]]]:
    """Where each tendril of the mage whose turn it is can be moved, and what is pressed for it."""
    who = _acting(session, viewer, seen)
    mage = seen["mages"].get(who)
    if mage is None or mage["pool"] < TENDRIL_MOVE_COST:
        return {}
    found: dict[RegionKey, list[tuple[RegionKey, Markup]]] = {}
    for start in mage["tendrils"]:
        for to in ground.neighbours(start):
            if not session.refusal("move-tendril", who=who, start=start, to=to):
                says = f"{who} moves a tendril from {ground.region(start).name} to {ground.region(to).name}"
                press = doing("move-tendril", who=who, start=start, to=to)
                ends = found.setdefault(start, [])
                ends.append((to, previewed(press, says, mana(TENDRIL_MOVE_COST, mage["pool"]))))
    return found


def _reach(ground: RegionMap, start: RegionKey, ends: list[tuple[RegionKey, Markup]]) -> Markup:
    """The places to which a tendril can be moved; shown once it has been pressed."""
    places = joined(_open_region(ground, to, press) for to, press in ends)
    prices = joined(_price(ground, to, TENDRIL_MOVE_COST) for to, _ in ends)
    return fitted('<g data-reach="{start}" hidden>{places}{prices}</g>', start=start, places=places, prices=prices)


def mage_letters(names: list[str]) -> dict[str, str]:
    """The shortest beginnings that tell the mages apart."""
    length = 1
    while len({name[:length].casefold() for name in names}) < len(names) and length < 8:
        length += 1
    return {name: name[:length] for name in names}


def _outline(ground: RegionMap, key: RegionKey) -> str:
    points = [f"{x:g} {ground.size[1] - y:g}" for x, y in ground.outline(key)]
    return f"M{'L'.join(points)}Z"


def _middle(ground: RegionMap, key: RegionKey) -> tuple[float, float]:
    x, y = ground.centre(key)
    return x, ground.size[1] - y


def _open_region(ground: RegionMap, key: RegionKey, press: Markup) -> Markup:
    return fitted('<g class="open" {press}><path d="{outline}"/></g>', press=press, outline=_outline(ground, key))


def _price(ground: RegionMap, key: RegionKey, cost: int) -> Markup:
    """What going there costs, as a coin on the place."""
    x, y = _middle(ground, key)
    return fitted(
        '<g class="price" transform="translate({x} {y})" aria-hidden="true">'
        '<circle r="4.6"/><text y="2">{cost}</text></g>',
        x=f"{x:g}",
        y=f"{y + 8:g}",
        cost=cost,
    )


def _open(
    session: Session[Any], viewer: str, seen: Seen, ground: RegionMap
) -> Iterator[tuple[RegionKey, Markup, int]]:
    """Regions that answer what is asked, or into which the mage whose turn it is can move, and what it costs."""
    asked = session.pending
    if isinstance(asked, Choose) and may_press(session, viewer, asked.by):
        for option in asked.options:
            if option.key in ground.by_key:
                yield option.key, previewed(answering(option.key), option.label, asked.purpose), 0
    elif asked is None and seen["turn"] and may_press(session, viewer, seen["turn"]["mage"]):
        who = seen["turn"]["mage"]
        play: Play[Any] = Play(session.game, session.opened.seed)
        mage = seen["mages"][who]
        place = mage["place"]
        for key in ground.neighbours(place) if place else ground.by_key:
            if not session.refusal("move", who=who, to=key):
                region = ground.region(key)
                cost = paid_cost(play, who, place, key) if place else _return_cost(play, region.terrain.cost)
                says = f"{who} moves into {region.name} ({region.terrain})"
                yield key, previewed(doing("move", who=who, to=key), says, mana(cost, mage["pool"])), cost


def _return_cost(play: Play[Any], terrain: int) -> int:
    return 0 if play.ruled("astral-plane") == "free" else terrain


def mana(cost: int, pool: int) -> str:
    """What something costs, and what is left then."""
    return f"{cost} mana, {pool - cost} left" if cost else "no mana"


def _figures(
    session: Session[Any],
    viewer: str,
    seen: Seen,
    ground: RegionMap,
    letters: Mapping[str, str],
    reaches: Collection[RegionKey],
) -> Iterator[Markup]:
    """Tendrils as small knots and mages as discs, those in one place side by side.

    Whose turn it is presses the own disc to create a tendril there, and an own tendril to move it or take it back.
    """
    acting = _acting(session, viewer, seen)
    places: dict[RegionKey, list[Markup]] = {}
    for name, mage in seen["mages"].items():
        colour = f"mage-{COLOURS[mage['colour']]}"
        for key, count in mage["tendrils"].items():
            says = f"{count} tendril{'' if count == 1 else 's'} of {name}"
            press = Markup()
            if name == acting:
                pressed = _lifting if key in reaches else _recovering
                press = pressed(session, name, key, says)
            places.setdefault(key, []).append(_knot(colour, letters[name], count, says, press))
        if mage["place"]:
            press = _creating(session, name, mage["pool"]) if name == acting else Markup()
            places.setdefault(mage["place"], []).append(_body(colour, letters[name], name, press))
    for key, lying in places.items():
        x, y = _middle(ground, key)
        for at, figure in enumerate(lying):
            shift = (at - (len(lying) - 1) / 2) * 14
            yield fitted(
                '<g transform="translate({x} {y})">{figure}</g>', x=f"{x + shift:g}", y=f"{y - 4:g}", figure=figure
            )


def _creating(session: Session[Any], who: str, pool: int) -> Markup:
    if session.refusal("create-tendril", who=who):
        return Markup()
    cost = 2 if session.game.rulings["tendril-cost"] == "one-more" else 1
    return previewed(doing("create-tendril", who=who), f"{who} creates a tendril here", mana(cost, pool))


def _recovering(session: Session[Any], who: str, key: RegionKey, says: str) -> Markup:
    if session.refusal("recover", who=who, tendril=key):
        return Markup()
    return previewed(doing("recover", who=who, tendril=key), f"{says}: take one back", "1 mana back in the pool")


def _lifting(session: Session[Any], who: str, key: RegionKey, says: str) -> Markup:
    """The attributes of a tendril that can be moved: it is pressed first, and then the place it goes to. Taking it
    back is a button meanwhile, where the rules allow it."""
    allowed = not session.refusal("recover", who=who, tendril=key)
    back = json.dumps({"name": "recover", "args": {"who": who, "tendril": key}}) if allowed else ""
    pool = session.state.mages[who].pool
    lifted = fitted('data-tendril="{key}" data-back="{back}" role="button" tabindex="0"', key=key, back=back)
    return previewed(lifted, f"{says}: press a dashed place to move one there", mana(TENDRIL_MOVE_COST, pool))


def _body(colour: str, letter: str, name: str, press: Markup) -> Markup:
    return fitted(
        '<g class="mage {colour}{can}" {press}><title>{name}</title>'
        '<circle r="6.4"/><text y="2.6">{letter}</text></g>',
        colour=colour,
        can=" can-press" if press else "",
        press=press or fitted('role="img" aria-label="{name}"', name=name),
        letter=letter,
        name=name,
    )


def _knot(colour: str, letter: str, count: int, says: str, press: Markup) -> Markup:
    return fitted(
        '<g class="tendril {colour}{can}" {press}><title>{says}</title>'
        '<rect x="-4.2" y="-4.2" width="8.4" height="8.4" rx="1.4" transform="rotate(45)"/>'
        '<text y="1.9">{letter}{count}</text></g>',
        colour=colour,
        can=" can-press" if press else "",
        press=press or fitted('role="img" aria-label="{says}"', says=says),
        letter=letter,
        count=count if count > 1 else "",
        says=says,
    )


def land_in_words(seen: Seen, ground: RegionMap) -> list[str]:
    words = []
    for name, mage in seen["mages"].items():
        where = ground.region(mage["place"]).name if mage["place"] else "not on the map"
        tendrils = [f"{count} in {ground.region(key).name}" for key, count in mage["tendrils"].items()]
        words.append(f"{name}: {where}" + (f"; tendrils: {', '.join(tendrils)}" if tendrils else ""))
    return words
