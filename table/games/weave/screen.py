"""Weave on a screen: the episode, the cards that lie, the characters with their tracks, the encounter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many, listed, number_word
from loomtable.engine.odds.weave_fight import fights_ahead
from loomtable.engine.ready_evening import ReadyEvening, opening_scene
from loomtable.engine.weave.cards.decks import story_deck
from loomtable.engine.weave.cards.effect_words import quality_does
from loomtable.engine.weave.cards.markers import marker_of, marker_owners
from loomtable.engine.weave.cards.playset import QualityKind, playset
from loomtable.engine.weave.state import (
    BASE_POOL,
    MOST_WOUNDS,
    STRIKE_TRACK,
    Boon,
    Character,
    Encounter,
    ScannedQuality,
    Season,
)
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.views import NpcView, SeasonView
from loomtable.engine.weave.words import boon_words
from loomtable.table.screens import GameScreen
from loomtable.table.screens.blocks import (
    Block,
    Cards,
    Element,
    Elements,
    Facts,
    Foldout,
    Group,
    Heading,
    Ladder,
    Listing,
    Prose,
    Rating,
    Ratings,
    Strong,
    Table,
    TableRow,
    Text,
    Token,
    Track,
)
from loomtable.table.screens.panel import Panel, PersonCard, Television, card_of

MOST_CARDS, FEW_CARDS = 8, 1
"""Of a long spread, a television shows the latest; beside a short one there is room for words."""
MOST_PEOPLE = 8
"""On a television, characters come first, then enemies."""
PLAIN_FIGHT = (
    "Roughly, by dice alone: all attack twice a turn, in reach. Weapons, Talents and healing make it easier."
)


def _panels(session: Session[Season], viewer: str, season: SeasonView) -> tuple[Panel, ...]:
    """The panels of a season."""
    line = _foundation(session, season)
    panels = [Panel("episode", _episode_title(season), tuple(_episode(season, line)), wide=True)]
    if season.encounter is not None:
        panels.append(Panel("encounter", "Encounter", tuple(_encounter(season.encounter)), wide=True))
    if season.spread or season.face_down:
        panels.append(Panel("spread", "On the table", (Cards(_spread(season)),), wide=True))
    for name, sheet in season.characters.items():
        panels.append(
            Panel(f"sheet-{name}", name, tuple(_sheet(sheet, marker_of(name, season.tracks))), whose=name)
        )
    if season.npcs:
        people = Listing(tuple(Group(tuple(_npc(npc))) for npc in season.npcs.values()))
        panels.append(Panel("npcs", "The storyteller's people", (people,)))
    if viewer == STORYTELLER and season.encounter is None and (lines := fair_fights(session)):
        told = (Listing(lines), Text(PLAIN_FIGHT, "hint"))
        panels.append(Panel("fights", "If it comes to a fight", told, folded=True))
    if season.hand:
        hand = Cards(tuple(map(card_of, season.hand)))
        panels.append(Panel("hand", "The storyteller's hand", (hand,), wide=True, folded=True))
    if season.playset and playset(season.playset).people:
        played = playset(season.playset)
        who = Facts({known.name: known.text for known in played.people})
        where = Facts({known.name: known.text for known in played.places})
        known = Foldout(played.title, (Heading("Who is who"), who, Heading("Where is where"), where))
        panels.append(Panel("known", "Who is who, where is where", (known,), wide=True))
    return tuple(panels)


def fair_fights(session: Session[Season]) -> tuple[str, ...]:
    """What it may cost to fight each enemy there is and the Boss, and all enemies at once (WV-24)."""
    heroes = [session.state.characters[name] for name in session.state.present]
    levels = sorted({hero.level for hero in heroes})
    who = f"{number_word(len(heroes)).capitalize()} of level {listed(map(str, levels))}"
    return tuple(
        f"{who} against {listed(foe.name for foe in side)}: about {fought.won:.0%} win, "
        f"{fought.wounds:.1f} Wounds each."
        for side, fought in fights_ahead(session.game)
    )


def _television(session: Session[Season], season: SeasonView) -> Television:
    """The place, the spread face up, whose turn it is, everybody's Strikes and Wounds."""
    if not season.name:
        return Television("No season has begun", stage=(Prose(session.system.presentation.about),))
    place = next((e for e in reversed(season.elements) if e.kind is QualityKind.LOCATION), None)
    where = f"Episode {season.episode}, scene {season.scene}"
    return Television(
        title=place.quality.name if place else season.name,
        subtitle=f"{season.name} · {where}" if place else where,
        picture=_motif(place.card) if place else "",
        stage=tuple(_stage(season, place, opening_scene(session), _foundation(session, season))),
        people=(*_characters(season), *_others(season))[:MOST_PEOPLE],
    )


def _episode_title(season: SeasonView) -> str:
    if not season.name:
        return "No season has begun"
    return f"{season.name}: episode {season.episode}, scene {season.scene}"


def _foundation(session: Session[Season], season: SeasonView) -> tuple[Element, ...]:
    """Theme, Location and Boss: in full to who sees the cards, else by name once scene or play tells it."""
    opening = opening_scene(session)
    scene = opening.scene if opening is not None and season.episode == 1 else ""
    line = []
    for seen, laid in zip(season.foundation, session.state.foundation, strict=True):
        name = laid.quality.name
        if isinstance(seen, str) and (name in season.npcs or name in scene):
            line.append(Element(laid.kind.label, name, card=laid.card, picture=_motif(laid.card)))
        else:
            line.append(Element(laid.kind.label) if isinstance(seen, str) else _element(seen))
    return tuple(line)


def _episode(season: SeasonView, line: tuple[Element, ...]) -> Iterator[Block]:
    """Theme, Location and Boss as a line of time, then what came into play."""
    if line:
        yield Elements(line, "timeline")
    if season.elements:
        yield from (Heading("In play"), Elements(tuple(map(_element, season.elements))))
    if season.plan is not None:
        yield from (Heading("Being planned"), Elements(tuple(map(_element, season.plan.tried))))
    players = ", ".join(who if accepted else f"{who} (invited)" for who, accepted in season.players.items())
    title = playset(season.playset).title if season.playset else ""
    yield Facts({"Playset": title, "Place": season.place, "Players": players})


def _element(scanned: ScannedQuality) -> Element:
    """A quality with the card it came from."""
    quality = scanned.quality
    return Element(scanned.kind.label, quality.name, quality.text, scanned.card, _motif(scanned.card))


def _spread(season: SeasonView) -> tuple[ComponentId | None, ...]:
    """The cards of the scene, the latest last; then one that is played face down."""
    return (*season.spread, card_of(season.face_down)) if season.face_down else season.spread


def _sheet(sheet: Character, marker: str) -> Iterator[Block]:
    """One character: the printed marker, tracks, dice by suit, qualities, kept cards."""
    state = "has left the season" if sheet.left else "out of the scene" if sheet.out else ""
    about = (sheet.player, f"level {sheet.level}", marker, state)
    yield Text(" · ".join(filter(None, about)), "sheet-head")
    yield from _tracks(sheet.strikes, STRIKE_TRACK, sheet.wounds)
    yield Ratings(tuple(_dice(sheet, suit) for suit in Suit), "suits")
    for scanned in sheet.qualities:
        spent = sheet.spent.get(scanned.quality.name)
        yield _quality(scanned, f" (used for this {spent})" if spent else "")
    yield from _boons(sheet.boons)
    if sheet.kept:
        yield from (Heading("Kept"), Cards(sheet.kept, small=True))


def _tracks(strikes: int, length: int, wounds: int) -> tuple[Track, Track]:
    return Track("Strikes", strikes, length), Track("Wounds", wounds, MOST_WOUNDS, kind="wound")


def _dice(sheet: Character, suit: Suit) -> Rating:
    """How many dice a Challenge in this suit gives before anything else."""
    core = suit is sheet.core_suit
    dice = BASE_POOL + sheet.dice_bonus(suit)
    name = f"{suit.label}, core suit" if core else suit.label
    return Rating(name, dice, f"{dice} dice", f"/art/suit/{suit.value}.svg", "core" if core else "")


def _quality(scanned: ScannedQuality, spent: str = "") -> Foldout:
    quality = scanned.quality
    does = quality_does(quality)
    text = (Text(does, "does"), Text(quality.text)) if does else (Text(quality.text),)
    return Foldout((Strong(scanned.kind.label), f" {quality.name}{spent}"), text, "quality")


def _boons(boons: Iterable[Boon]) -> tuple[Block, ...]:
    lines = tuple(f"{boon.because}: {boon_words(boon)}" for boon in boons)
    return (Heading("In force"), Listing(lines)) if lines else ()


def _npc(npc: NpcView) -> Iterator[Block]:
    kind = "enemy" if npc.enemy else "NPC"
    yield Text((Strong(npc.name), f" ({kind}){', beaten' if npc.beaten else ''}"))
    if npc.strikes is not None and npc.wounds is not None:
        yield from _tracks(npc.strikes, npc.track, npc.wounds)
    yield from _boons(npc.boons)
    yield from map(_quality, npc.qualities)


def _encounter(fought: Encounter) -> Iterator[Block]:
    """The order of turns, and how far everybody is from everybody else."""
    head = f"Round {fought.round}" if fought.round else f"{fought.starter or 'Somebody'} begins"
    yield Text(f"{head}, in {fought.suit.label}{', a combat' if fought.combat else ''}")
    yield _order(fought, f": {how_many(fought.actions_left, 'action', 'actions')} left")
    if fought.combat:
        pairs = combinations(fought.participants, 2)
        rows = (TableRow((Strong(f"{name} and {other}"), fought.band(name, other).value)) for name, other in pairs)
        yield from (Heading("How far"), Table(tuple(rows), kind="bands"))


def _order(fought: Encounter, left: str = "") -> Ladder:
    names = fought.order or fought.participants
    return Ladder(tuple(Token(f"{n}{left}", state="now") if n == fought.acting else Token(n) for n in names))


def _motif(card: ComponentId) -> str:
    return next((f"/art/motif/{story.motif}.svg" for story in story_deck() if story.id == card), "")


def _stage(
    season: SeasonView, place: ScannedQuality | None, opening: ReadyEvening | None, line: tuple[Element, ...]
) -> Iterator[Block]:
    """Whose turn it is and how far from everybody else that is, the spread, what is in play. While few cards lie,
    Theme, Location and Boss once one of them is told; before any does, the words of the place or opening scene."""
    fought = season.encounter
    if fought is not None:
        near = [name for name in fought.participants if name != fought.acting] if fought.acting else []
        far = " · ".join(f"{name}: {fought.band(fought.acting, name).value}" for name in near)
        yield Group((_order(fought), *((Text(far, "far"),) if far and fought.combat else ())), "turns")
    lying = _spread(season)[-MOST_CARDS - bool(season.face_down) :]
    told = place.quality.text if place else opening.scene if opening and season.episode == 1 else ""
    few = len(season.spread) <= FEW_CARDS
    line = line if any(element.name for element in line) else ()
    words = (Prose(told),) if told and few and not fought and not (line and lying) else ()
    if line and few:
        here = place and Element(place.kind.label, place.quality.name, card=place.card, picture=_motif(place.card))
        yield Elements(tuple(here if here and e.kind == here.kind else e for e in line), "timeline")
    if lying and words:
        yield Group((Cards(lying), *words), "beside")
    else:
        yield from (Cards(lying),) if lying else words
    others = tuple(_element(element) for element in season.elements if element is not place)
    if others:
        yield Elements(others)


def _characters(season: SeasonView) -> Iterator[PersonCard]:
    for name, tracks in season.tracks.items():
        if not tracks.left:
            state = _state(season, name, tracks.wounds >= MOST_WOUNDS)
            about = " · ".join(filter(None, (tracks.player, marker_of(name, season.tracks))))
            yield PersonCard(name, _tracks(tracks.strikes, STRIKE_TRACK, tracks.wounds), about, state)


def _others(season: SeasonView) -> Iterator[PersonCard]:
    """Those whom the storyteller plays: who they are, and whether they are beaten."""
    for name, npc in sorted(season.npcs.items(), key=lambda known: not known[1].enemy):
        how = "beaten" if npc.beaten else "an enemy" if npc.enemy else "an NPC"
        state = f"other {'enemy' if npc.enemy else ''} {_state(season, name, npc.beaten)}"
        yield PersonCard(name, (Text(how),), state=state)


def _state(season: SeasonView, name: str, out: bool) -> str:
    acting = season.encounter is not None and season.encounter.acting == name
    return "out" if out else "now" if acting else ""


screen = GameScreen(
    _panels, _television, SeasonView, marked=lambda session: marker_owners(session.state.characters)
)
"""The screens of Weave."""
