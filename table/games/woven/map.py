"""The land of Woven on a screen: the printed map with mages and tendrils, and where one can go now."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from loomtable.engine.kernel.play import Action, Play
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.woven.acting import TENDRIL_MOVE_COST
from loomtable.engine.woven.region_map import map_names, region_map
from loomtable.engine.woven.regions import RegionKey, RegionMap
from loomtable.engine.woven.travel import paid_cost
from loomtable.engine.woven.views import ContestView, MageView
from loomtable.table.games.woven.text import land_in_words, land_text, mage_letters
from loomtable.table.screens import Picture
from loomtable.table.screens.blocks import Drawing, Lift, Press, Shape, fitted
from loomtable.table.screens.panel import may_press

COLOURS = {"madder": 1, "woad": 2, "orchil": 3, "moss": 4, "weld": 5}
"""The number of each colour in the style sheet. A mage is told from others by colour and by a letter as well."""

_WALK = {"data-walk": ""}
"""Marks what is on the map while no tendril is lifted."""


def region_picture(name: str) -> Picture:
    """The printed map by its name; printing is imported when one is drawn."""
    from loomtable.printkit.games.woven.region_map import draw_region_map

    if name not in map_names():
        raise KeyError(name)
    ground = region_map(name)
    return Picture(lambda pen: draw_region_map(pen, ground, ground.size[0]), *ground.size)


def land(session: Session[object], viewer: str, contest: ContestView) -> Drawing:
    """The map, the figures on it, and the regions and tendrils that can be pressed."""
    ground = region_map(contest.map)
    width, height = ground.size
    opened = list(_open(session, viewer, contest, ground))
    reaches = _reaches(session, viewer, contest, ground)
    words = tuple(land_in_words(contest, ground))
    picture = fitted(
        '<image href="/art/region/{name}.svg" width="{w}" height="{h}"/>', name=contest.map, w=width, h=height
    )
    return Drawing(
        "map",
        (0, 0, width, height),
        (
            Shape(picture),
            Shape(parts=tuple(_place(ground, key, press) for key, press, _ in opened), data=_WALK),
            *(_reach(ground, start, ends) for start, ends in reaches.items()),
            *_figures(session, viewer, contest, ground, reaches),
            Shape(parts=tuple(_price(ground, key, cost) for key, _, cost in opened if cost), data=_WALK),
        ),
        label=f"The map. {'; '.join(words)}",
        text=land_text(contest),
        idle="Press a dashed place to go there." if opened else "",
        words=words,
        folded=True,
    )


def _acting(session: Session[object], viewer: str, contest: ContestView) -> str:
    """Whose turn it is, where this viewer acts for them and nothing is asked; nobody otherwise."""
    turn = contest.acting if session.pending is None else ""
    return turn if turn and may_press(session, viewer, turn) else ""


def _reaches(
    session: Session[object], viewer: str, contest: ContestView, ground: RegionMap
) -> dict[RegionKey, list[tuple[RegionKey, Press]]]:
    """Where each tendril of the mage whose turn it is can be moved, and what is pressed for it."""
    who = _acting(session, viewer, contest)
    mage = contest.mages.get(who)
    if mage is None or mage.pool < TENDRIL_MOVE_COST:
        return {}
    found: dict[RegionKey, list[tuple[RegionKey, Press]]] = {}
    for start in mage.tendrils:
        for to in ground.neighbours(start):
            if not session.refusal("move-tendril", who=who, start=start, to=to):
                effect = f"{who} moves a tendril from {ground.region(start).name} to {ground.region(to).name}"
                move = Action("move-tendril", {"who": who, "start": start, "to": to})
                press = Press(move, effect, mana(TENDRIL_MOVE_COST, mage.pool))
                found.setdefault(start, []).append((to, press))
    return found


def _reach(ground: RegionMap, start: RegionKey, ends: list[tuple[RegionKey, Press]]) -> Shape:
    """The places to which a tendril can be moved; shown once it has been pressed."""
    places = [_place(ground, to, press) for to, press in ends]
    prices = [_price(ground, to, TENDRIL_MOVE_COST) for to, _ in ends]
    return Shape(parts=(*places, *prices), data={"data-reach": start}, hidden=True)


def middle(ground: RegionMap, key: RegionKey) -> tuple[float, float]:
    """The middle of a region on the drawing, from its top left."""
    x, y = ground.centre(key)
    return x, ground.size[1] - y


def _place(ground: RegionMap, key: RegionKey, press: Press) -> Shape:
    outline = "L".join(f"{x:g} {ground.size[1] - y:g}" for x, y in ground.outline(key))
    return Shape(fitted('<path d="M{outline}Z"/>', outline=outline), "open", press=press)


def _price(ground: RegionMap, key: RegionKey, cost: int) -> Shape:
    """What going there costs, as a coin on the place."""
    x, y = middle(ground, key)
    return Shape(fitted('<circle r="4.6"/><text y="2">{cost}</text>', cost=cost), "price", at=(x, y + 8))


def _open(
    session: Session[object], viewer: str, contest: ContestView, ground: RegionMap
) -> Iterator[tuple[RegionKey, Press, int]]:
    """Regions that answer what is asked, or into which the mage whose turn it is can move, and what it costs."""
    asked = session.pending
    if isinstance(asked, Choose) and may_press(session, viewer, asked.by):
        for option in asked.options:
            if option.key in ground.by_key:
                yield option.key, Press(ChoiceReading((option.key,)), option.label, asked.purpose), 0
    elif who := _acting(session, viewer, contest):
        play: Play[Any] = Play(session.game, session.opened.seed)
        mage = contest.mages[who]
        for key in ground.neighbours(mage.place) if mage.place else ground.by_key:
            if not session.refusal("move", who=who, to=key):
                region = ground.region(key)
                free = not mage.place and play.ruled("astral-plane") == "free"
                cost = paid_cost(play, who, mage.place, key) if mage.place else 0 if free else region.terrain.cost
                effect = f"{who} moves into {region.name} ({region.terrain})"
                yield key, Press(Action("move", {"who": who, "to": key}), effect, mana(cost, mage.pool)), cost


def mana(cost: int, pool: int) -> str:
    """What something costs, and what is left then."""
    return f"{cost} mana, {pool - cost} left" if cost else "no mana"


def _figures(
    session: Session[object], viewer: str, contest: ContestView, ground: RegionMap, reaches: Collection[RegionKey]
) -> Iterator[Shape]:
    """Tendrils as small knots and mages as discs, those in one place side by side.

    Whose turn it is presses the own disc to create a tendril there, and an own tendril to move it or take it back.
    """
    acting, letters = _acting(session, viewer, contest), mage_letters(list(contest.mages))
    places: dict[RegionKey, list[Shape]] = {}
    for name, mage in contest.mages.items():
        for key, count in mage.tendrils.items():
            label = f"{how_many(count, 'tendril', 'tendrils')} of {name}"
            press = None
            if name == acting:
                press = (_lifting if key in reaches else _recovering)(session, name, key, label, mage.pool)
            mark = f"{letters[name]}{count if count > 1 else ''}"
            places.setdefault(key, []).append(_knot(mage, mark, label, press))
        if mage.place:
            press = _creating(session, name, mage.pool) if name == acting else None
            places.setdefault(mage.place, []).append(_body(mage, letters[name], name, press))
    for key, lying in places.items():
        x, y = middle(ground, key)
        for at, figure in enumerate(lying):
            yield replace(figure, at=(x + (at - (len(lying) - 1) / 2) * 14, y - 4))


def _creating(session: Session[object], who: str, pool: int) -> Press | None:
    if session.refusal("create-tendril", who=who):
        return None
    cost = 2 if session.game.rulings["tendril-cost"] == "one-more" else 1
    return Press(Action("create-tendril", {"who": who}), f"{who} creates a tendril here", mana(cost, pool))


def _recover(session: Session[object], who: str, key: RegionKey) -> Action | None:
    refused = session.refusal("recover", who=who, tendril=key)
    return None if refused else Action("recover", {"who": who, "tendril": key})


def _recovering(session: Session[object], who: str, key: RegionKey, label: str, pool: int) -> Press | None:
    back = _recover(session, who, key)
    return Press(back, f"{label}: take one back", "1 mana back in the pool") if back else None


def _lifting(session: Session[object], who: str, key: RegionKey, label: str, pool: int) -> Press:
    """A tendril that can be moved is pressed first, and then the place it goes to. Taking it back is a button
    meanwhile, where the rules allow it."""
    told = f"{label}: press a dashed place to move one there"
    return Press(Lift(key, _recover(session, who, key)), told, mana(TENDRIL_MOVE_COST, pool))


def _body(mage: MageView, letter: str, name: str, press: Press | None) -> Shape:
    disc = fitted('<circle r="6.4"/><text y="2.6">{letter}</text>', letter=letter)
    return Shape(disc, f"mage mage-{COLOURS[mage.colour]}", name, press)


def _knot(mage: MageView, mark: str, label: str, press: Press | None) -> Shape:
    knot = fitted(
        '<rect x="-4.2" y="-4.2" width="8.4" height="8.4" rx="1.4" transform="rotate(45)"/>'
        '<text y="1.9">{mark}</text>',
        mark=mark,
    )
    return Shape(knot, f"tendril mage-{COLOURS[mage.colour]}", label, press)
