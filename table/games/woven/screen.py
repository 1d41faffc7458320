"""Woven on a screen: whose turn it is, the land, every tapestry with its threads, spells and charges."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.woven.region_map import region_map
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.tapestries import CARD_COST
from loomtable.engine.woven.views import FACE_DOWN, ContestView, MageView
from loomtable.table.games.woven.map import COLOURS, land, mana, middle, region_picture
from loomtable.table.games.woven.tapestry import pattern, tapestry
from loomtable.table.screens import GameScreen, imported_later
from loomtable.table.screens.blocks import (
    Block,
    Button,
    Buttons,
    Cards,
    Counters,
    Drawing,
    Facts,
    Foldout,
    Group,
    Ladder,
    Listing,
    Press,
    Prose,
    Shape,
    Strong,
    Text,
    Token,
    fitted,
)
from loomtable.table.screens.panel import Panel, PersonCard, Television, may_press


def _panels(session: Session[object], viewer: str, contest: ContestView) -> tuple[Panel, ...]:
    """The panels of a contest."""
    if not contest.mages:
        return ()
    panels = [Panel("turn", _title(contest), _turn(contest), wide=True)]
    if contest.map:
        panels.append(Panel("land", "The land", (land(session, viewer, contest),), wide=True))
    # The viewer's own tapestry comes first, then that of the mage who acts or is asked.
    acting = session.pending.by if session.pending is not None else contest.acting
    asked = acting if acting in contest.mages else next(iter(contest.mages))
    for name in sorted(contest.mages, key=lambda mage: (mage != viewer, mage != acting)):
        mage = contest.mages[name]
        drawn = tapestry(session, viewer, name, contest, asked=name == asked)
        panel = (drawn, *_mage(mage), *_deeds(session, viewer, name, contest))
        panels.append(Panel(f"mage-{name}", name, panel, whose=name))
        if mage.dealt:
            dealt = tuple(None if key == FACE_DOWN else spell_named(key).component for key in mage.dealt)
            panels.append(Panel(f"dealt-{name}", f"{name} chooses from", (Cards(dealt),), wide=True))
    return tuple(panels)


FAR_NAME = 0.0248
"""The size of a name on a television, of the width of the map: 28 px at 1080 lines, where that is 1,130 px."""
HELD = 1.15
"""How much larger it is where somebody or something is."""
LETTER = 0.5
"""The width of a letter, of its size."""


def _television(session: Session[object], contest: ContestView) -> Television:
    """The land as large as it goes, and every mage's tapestry and mana."""
    if not contest.mages:
        return Television(session.system.title, stage=(Prose(session.system.presentation.about),))
    last = f" of {contest.last_round}" if contest.last_round else ""
    where = (
        region_map(contest.map).title if contest.map else "",
        f"Round {contest.round}{last}" if contest.round else "",
    )
    return Television(
        _won(contest) or (f"{contest.acting}'s turn" if contest.acting else "Before the first turn"),
        " · ".join(filter(None, where)),
        stage=(_land_named(session, contest),) if contest.map else (),
        people=tuple(_person(session, name, contest) for name in contest.mages),
        over=bool(contest.winners),
    )


def _land_named(session: Session[object], contest: ContestView) -> Drawing:
    """The map with names that can be read from afar: of the places where somebody or something is, and of all
    others in which there is room for it."""
    drawn, ground = land(session, "", contest), region_map(contest.map)
    mages = contest.mages.values()
    held = {mage.place for mage in mages if mage.place}.union(*(mage.tendrils for mage in mages))
    size = ground.size[0] * FAR_NAME
    names = []
    for region in ground.regions:
        key, across = region.key, [x for x, _ in ground.outline(region.key)]
        if key in held or len(region.name) * size * LETTER < max(across) - min(across):
            below = 1.7 if key in held else 1.1 if key in ground.cities or key in ground.homes else 0.35
            large = HELD * size if key in held else size
            word = fitted(
                '<text y="{y:g}" font-size="{size:g}">{name}</text>', y=below * size, size=large, name=region.name
            )
            names.append(Shape(word, "named held" if key in held else "named", at=middle(ground, key)))
    return replace(drawn, shapes=(*drawn.shapes, *names))


def _won(contest: ContestView) -> str:
    return f"{' and '.join(contest.winners)} won" if contest.winners else ""


def _title(contest: ContestView) -> str:
    turn = f"Round {contest.round}: {contest.acting}'s turn" if contest.acting else "Before the first turn"
    return _won(contest) or turn


def _turn(contest: ContestView) -> tuple[Block, ...]:
    seats = tuple(Token(name, state="now" if name == contest.acting else "") for name in contest.mages)
    last = f"round {contest.last_round} is the last" if contest.last_round else ""
    left = f"{contest.stack.pile} card{'' if contest.stack.pile == 1 else 's'} left"
    return Ladder(seats, "seats"), Facts({"Tapestry stack": left, "The end": last})


def _lies(mage: MageView) -> dict[str, int]:
    """Where thirteen mana lie."""
    return {
        "pool": mage.pool,
        "spent": mage.spent,
        "threads": len(mage.tapestry.threads),
        "tendrils": sum(mage.tendrils.values()),
        "charges": sum(mage.charges.values()),
    }


def _mage(mage: MageView) -> Iterator[Block]:
    """The mana, and the spells with what lies on them."""
    lies = _lies(mage)
    words = (f"{count} {kind.removesuffix('s') if count == 1 else kind}" for kind, count in lies.items() if count)
    yield Counters(lies, ", ".join(words).capitalize())
    yield Facts(
        {
            "Colour": mage.colour.label,
            "Sits at": mage.edge or "",
            "Home card": "" if mage.home_card is None else str(mage.home_card),
            "Bodies lost": mage.destroyed or "",
            "Bodies destroyed": mage.kills or "",
        }
    )
    known = (*mage.shown, *mage.hand)
    spells: list[Block] = [_spell(key, mage) for key in known if key != FACE_DOWN]
    if unseen := known.count(FACE_DOWN):
        unknown = how_many(unseen, "spell", "spells").capitalize()
        spells.append(Text(f"{unknown} nobody has seen yet", "nobody"))
    yield Listing(tuple(spells), "spells")


def _spell(key: str, mage: MageView) -> Foldout:
    """A spell with its pattern, small; the whole text opens."""
    spell, charges = spell_named(key), mage.charges.get(key, 0)
    about = (
        f"{str(spell.element).capitalize()}, level {spell.level}",
        how_many(charges, "charge", "charges") if charges else "",
        "not yet cast" if key in mage.hand else "",
    )
    title = (Strong(spell.name), f" {', '.join(filter(None, about))}")
    return Foldout(title, (Text(spell.says),), picture=pattern(spell))


def _deeds(session: Session[object], viewer: str, name: str, contest: ContestView) -> Iterator[Block]:
    """What else the mage whose turn it is can do, as buttons with what they cost."""
    if session.pending is not None or contest.acting != name or not may_press(session, viewer, name):
        return
    mage = contest.mages[name]
    deeds = {
        "acquire-card": ("Draw a card", mana(CARD_COST, mage.pool)),
        "rest": ("Rest", "all spent mana back" if mage.spent else ""),
        "end-turn": ("End the turn", ""),
    }
    buttons = tuple(
        Button(label, Press(Action(deed, {"who": name})), cost)
        for deed, (label, cost) in deeds.items()
        if not session.refusal(deed, who=name)
    )
    if buttons:
        yield Buttons(buttons)


def _person(session: Session[object], name: str, contest: ContestView) -> PersonCard:
    mage = contest.mages[name]
    told = (
        f"{mage.pool} mana",
        f"in {region_map(contest.map).region(mage.place).name}" if contest.map and mage.place else "",
        f"{mage.points} points" if mage.points else "",
        f"body lost {mage.destroyed}×" if mage.destroyed else "",
        ", ".join(spell_named(key).name for key in mage.charges),
    )
    drawn = (tapestry(session, "", name, contest),) if mage.tapestry.visible() else ()
    weaver = Group((*drawn, Counters(_lies(mage))), "weaver")
    state = f"seat-{COLOURS[mage.colour]}{' now' if name == contest.acting else ''}"
    return PersonCard(name, (weaver, Text(" · ".join(filter(None, told)))), state=state)


screen = GameScreen(
    _panels,
    _television,
    ContestView,
    {"region": region_picture},
    imported_later("loomtable.table.games.woven.board_regions:region_board"),
    imported_later("loomtable.table.games.woven.board_tapestry:read_tapestry_of"),
    imported_later("loomtable.table.games.woven.board_tapestry:placed_by_hand"),
)
"""The screens of Woven."""
