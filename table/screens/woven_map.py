"""The land of Woven on a screen: the printed map with mages and tendrils, and where one can go now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.region_map import RegionKey, RegionMap, region_map
from loomtable.table.screens.panel import answering, doing, fitted, joined, listing

Seen = Mapping[str, Any]
MOST_COLOURS = 5
"""A mage is told from others by colour and by the letter on the figure."""


def land(session: Session[Any], seen: Seen) -> Markup:
    """The map, the figures on it, and the regions that can be pressed."""
    ground = region_map(seen["map"])
    width, height = ground.size
    letters = _letters(list(seen["mages"]))
    open_regions = [
        fitted(
            '<g class="open" {press} aria-label="{says}"><path d="{outline}"/></g>',
            press=press,
            says=says,
            outline=_outline(ground, key),
        )
        for key, press, says in _open(session, seen, ground)
    ]
    words = _in_words(seen, ground)
    return fitted(
        '<svg class="map" viewBox="0 0 {w} {h}" role="group" aria-label="The map. {says}">'
        '<image href="/art/region/{name}.svg" width="{w}" height="{h}"/>{open}{figures}</svg>'
        '<details class="in-words"><summary>In words</summary>{words}</details>',
        w=width,
        h=height,
        says="; ".join(words),
        name=seen["map"],
        open=joined(open_regions),
        figures=joined(_figures(seen, ground, letters)),
        words=listing(words),
    )


def _letters(names: list[str]) -> dict[str, str]:
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


def _open(session: Session[Any], seen: Seen, ground: RegionMap) -> Iterator[tuple[RegionKey, Markup, str]]:
    """Regions that answer what is asked, or into which the mage whose turn it is can move."""
    asked = session.pending
    if isinstance(asked, Choose):
        for option in asked.options:
            if option.key in ground.by_key:
                yield option.key, answering(option.key), option.label
    elif asked is None and seen["turn"]:
        who = seen["turn"]["mage"]
        place = seen["mages"][who]["place"]
        for key in ground.neighbours(place) if place else ground.by_key:
            if not session.refusal("move", who=who, to=key):
                cost = f", {ground.step_cost(place, key)} mana" if place else ""
                yield key, doing("move", who=who, to=key), f"{who} moves into {ground.region(key).name}{cost}"


def _figures(seen: Seen, ground: RegionMap, letters: Mapping[str, str]) -> Iterator[Markup]:
    """Tendrils as small knots and mages as discs, those in one place side by side."""
    places: dict[RegionKey, list[Markup]] = {}
    for number, (name, mage) in enumerate(seen["mages"].items()):
        colour = f"mage-{number % MOST_COLOURS + 1}"
        for key, count in mage["tendrils"].items():
            says = f"{count} tendril{'' if count == 1 else 's'} of {name}"
            places.setdefault(key, []).append(_knot(colour, letters[name], count, says))
        if mage["place"]:
            places.setdefault(mage["place"], []).append(_body(colour, letters[name], name))
    for key, lying in places.items():
        x, y = _middle(ground, key)
        for at, figure in enumerate(lying):
            shift = (at - (len(lying) - 1) / 2) * 11
            yield fitted(
                '<g transform="translate({x} {y})">{figure}</g>', x=f"{x + shift:g}", y=f"{y - 4:g}", figure=figure
            )


def _body(colour: str, letter: str, name: str) -> Markup:
    return fitted(
        '<g class="mage {colour}" role="img" aria-label="{name}"><title>{name}</title>'
        '<circle r="6.4"/><text y="2.6">{letter}</text></g>',
        colour=colour,
        letter=letter,
        name=name,
    )


def _knot(colour: str, letter: str, count: int, says: str) -> Markup:
    return fitted(
        '<g class="tendril {colour}" role="img" aria-label="{says}"><title>{says}</title>'
        '<rect x="-4.2" y="-4.2" width="8.4" height="8.4" rx="1.4" transform="rotate(45)"/>'
        '<text y="1.9">{letter}{count}</text></g>',
        colour=colour,
        letter=letter,
        count=count if count > 1 else "",
        says=says,
    )


def _in_words(seen: Seen, ground: RegionMap) -> list[str]:
    words = []
    for name, mage in seen["mages"].items():
        where = ground.region(mage["place"]).name if mage["place"] else "not on the map"
        tendrils = [f"{count} in {ground.region(key).name}" for key, count in mage["tendrils"].items()]
        words.append(f"{name}: {where}" + (f"; tendrils: {', '.join(tendrils)}" if tendrils else ""))
    return words
