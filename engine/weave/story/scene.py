"""Scenes: the storyteller's hand, Story cards that bring something in, Subplots, and the end of a scene."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.arguments import USUAL
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, RulingChanged, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.kernel.wording import article
from loomtable.engine.weave.arguments import AssetInPlay, Chooser, LocationName, StoryCard, SubplotName, Who, Whom
from loomtable.engine.weave.cards.drawing import (
    check_playable,
    choose_quality,
    dealt,
    drawn,
    fill_hand,
    play_card,
    refill,
    scan,
)
from loomtable.engine.weave.cards.effects import draw_to_keep
from loomtable.engine.weave.cards.mechanics import Moment, RangeBand
from loomtable.engine.weave.cards.occasions import Occasion
from loomtable.engine.weave.cards.passives import settled
from loomtable.engine.weave.cards.playset import IN_PLAY, MOST_BONUS, MOST_ON_A_SHEET, QualityKind
from loomtable.engine.weave.encounter.hurt import check_able
from loomtable.engine.weave.encounter.turns import check_season
from loomtable.engine.weave.events.figures import NpcAdded, QualityGained
from loomtable.engine.weave.events.story import (
    CardPlayed,
    HandPutBack,
    PlaceSet,
    SceneEnded,
    StoryElementAdded,
    StoryElementGone,
    SubplotResolved,
)
from loomtable.engine.weave.state import STRIKE_TRACK, Character, Npc, ScannedQuality, Season
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE

NOBODY = "nobody"


@WEAVE.action("draw-hand", "WV-13", group="The scene")
def draw_hand(play: Play[Season]) -> Steps[None]:
    """Draw the storyteller's hand, four Challenge and two Story cards; from then on it is kept here."""
    check_season(play)
    if play.state.hand_drawn:
        raise IllegalAction("the storyteller's hand has already been drawn")
    yield from fill_hand(play)


@WEAVE.action("printed-decks", "WV-13", group="The scene")
def printed_decks(play: Play[Season]) -> Steps[None]:
    """Continue with the printed decks: the computer's hand goes back, and you show the cards that you draw."""
    if not dealt(play):
        raise IllegalAction("the printed decks are in play already")
    yield RulingChanged(ruling="decks", choice="physical", rule="WV-13")
    if play.state.hand_drawn:
        yield HandPutBack()


@WEAVE.action("play-story", "WV-4", "WV-14", "WV-15", group="The scene")
def play_story(
    play: Play[Season],
    *,
    kind: QualityKind,
    card: StoryCard | None = None,
    chooser: Chooser | None = None,
) -> Steps[None]:
    """Play a Story card from the hand for a Location, NPC, Enemy, Subplot or Asset.

    Without a ``card`` one of those in the hand is picked unseen, by the ``chooser``, who may be a player; the
    storyteller chooses what it brings.
    """
    check_season(play)
    if kind not in IN_PLAY:
        kinds = ", ".join(IN_PLAY)
        raise IllegalAction(f"a Story card in play brings one of {kinds}, not {article(kind)}")
    if card is None:
        card = yield from _picked(play, chooser or STORYTELLER)
    elif chooser is not None:
        raise IllegalAction("either a card is named, or somebody chooses one")
    check_playable(play, card, Kind.STORY)
    yield from play_card(play, card)
    chosen = yield from choose_quality(play, kind, card, by=STORYTELLER, rule="WV-15")
    yield from _brought_in(play, chosen)


def _picked(play: Play[Season], by: str) -> Steps[ComponentId]:
    """One of the storyteller's Story cards, by its place in the hand: a player does not see what it is."""
    held = play.state.held(Kind.STORY)
    if not held:
        raise IllegalAction("the storyteller holds no Story card (Draw hand)")
    places = tuple(Option(str(n), f"Story card {n} of the hand") for n in range(1, len(held) + 1))
    answer = yield from ask(Choose("Which Story card is played?", places, by=by, rule="WV-15"))
    return held[int(answer.key) - 1]


def _brought_in(play: Play[Season], chosen: ScannedQuality) -> Steps[None]:
    if chosen.kind in (QualityKind.NPC, QualityKind.ENEMY):
        quality, enemy = chosen.quality, chosen.kind is QualityKind.ENEMY
        name, track = _unused(play, quality.name), quality.track or STRIKE_TRACK
        yield NpcAdded(npc=Npc(name, enemy, quality.dice, (chosen,), track, reach=quality.attacks_at))
        yield from settled(play, Occasion(Moment.SCENE, name))
    else:
        yield StoryElementAdded(added=chosen)


def _unused(play: Play[Season], name: str) -> str:
    taken = {*play.state.characters, *play.state.npcs}
    return next(n for n in (name, *(f"{name} {i}" for i in range(2, len(taken) + 3))) if n not in taken)


@WEAVE.action("add-location", "WV-2", "WV-4", group="The scene")
def add_location(play: Play[Season]) -> Steps[None]:
    """Scan a Story card for one more Location, from the storyteller's hand or the deck."""
    check_season(play)
    held = play.state.held(Kind.STORY)
    purpose = "Story card for one more Location"
    if dealt(play) and held:
        card = yield from _picked(play, STORYTELLER)
    else:
        card = yield from drawn(play, Kind.STORY, purpose, by=STORYTELLER, rule="WV-4", also=held)
    chosen = yield from choose_quality(play, QualityKind.LOCATION, card, by=STORYTELLER, rule="WV-4")
    yield CardPlayed(card=card)
    yield from refill(play)
    yield StoryElementAdded(added=chosen, rule="WV-4")


@WEAVE.action("set-place", "WV-4", group="The scene")
def set_place(play: Play[Season], *, location: LocationName) -> Steps[None]:
    """Say at which of the episode's Locations the scene plays; what is always on there then counts by itself."""
    check_season(play)
    names = [q.quality.name for q in play.state.locations]
    if location not in names:
        raise IllegalAction(f"there is no Location {location!r} in this episode; there is {', '.join(names)}")
    yield PlaceSet(location=location)


@WEAVE.action("take-asset", "WV-15", group="The scene")
def take_asset(play: Play[Season], *, who: Who, asset: AssetInPlay) -> Steps[None]:
    """A character takes an Asset that came into play."""
    taker = check_able(play, who)
    if not isinstance(taker, Character):
        raise IllegalAction(f"only characters take Assets, and {who} is none")
    found = _in_play(play, QualityKind.ASSET, asset)
    if asset in [q.quality.name for q in taker.qualities]:
        raise IllegalAction(f"{who} already has {asset}")
    yield StoryElementGone(gone=found)
    yield QualityGained(who=who, gained=found)


def _in_play(play: Play[Season], kind: QualityKind, name: str) -> ScannedQuality:
    there = [e for e in play.state.elements if e.kind is kind]
    for element in there:
        if element.quality.name == name:
            return element
    known = ", ".join(e.quality.name for e in there) or "none"
    raise IllegalAction(f"there is no {kind.label} {name!r} in play; there is {known}")


@WEAVE.action("resolve-subplot", "WV-16", group="The scene")
def resolve_subplot(play: Play[Season], *, subplot: SubplotName, involved: tuple[Whom, ...]) -> Steps[None]:
    """A Subplot is resolved: everyone involved takes the top Challenge card, to redeem later."""
    found = _in_play(play, QualityKind.SUBPLOT, subplot)
    if not involved or len(set(involved)) != len(involved):
        raise IllegalAction("name each character who was involved, once")
    for name in involved:
        character = play.state.characters.get(name)
        if character is None or character.left:
            raise IllegalAction(f"there is no character {name!r} who could be involved")
    yield StoryElementGone(gone=found, rule="WV-16")
    yield SubplotResolved(subplot=subplot, involved=involved)
    drawing = involved
    if len(involved) > 1 and play.ruled("subplot-cards") == "one":
        options = tuple(Option(name, name) for name in involved)
        question = Choose(f"{subplot}: who keeps the Challenge card?", options, by=STORYTELLER, rule="WV-16")
        drawing = (yield from ask(question)).keys
    for name in drawing:
        yield from draw_to_keep(play, name, rule="WV-16")


@WEAVE.action("add-npc", "WV-20", group="The scene")
def add_npc(
    play: Play[Season],
    *,
    npc: str,
    enemy: Annotated[bool, USUAL] = False,
    dice: Annotated[dict[Suit, int] | None, USUAL] = None,
    track: int = 10,
    reach: tuple[RangeBand, ...] = (RangeBand.MELEE,),
) -> Steps[None]:
    """The storyteller brings in somebody whom no card has brought, with a dice bonus for some suits.

    ``reach`` are the range bands in which they attack.
    """
    check_season(play)
    name = npc.strip()
    if not name or len(name) > 60 or name in (STORYTELLER, NOBODY) or not name.isprintable():
        raise IllegalAction("an NPC needs a name of at most 60 characters")
    if name in play.state.characters or name in play.state.npcs:
        raise IllegalAction(f"{name!r} is already taken; find another name")
    if not all(0 <= bonus <= MOST_BONUS for bonus in (dice or {}).values()):
        raise IllegalAction(f"a dice bonus is 0 to {MOST_BONUS}")
    if not 1 <= track <= STRIKE_TRACK:
        raise IllegalAction(f"a track has 1 to {STRIKE_TRACK} Strikes")
    if not reach:
        raise IllegalAction("an NPC attacks in at least one range band")
    yield NpcAdded(npc=Npc(name, enemy, dice or {}, track=track, reach=reach), rule="WV-20")


@WEAVE.action("boss-sheet", "WV-4", group="The season")
def boss_sheet(
    play: Play[Season],
    *,
    backstories: int | None = None,
    talents: int | None = None,
    flaws: int | None = None,
    assets: int | None = None,
) -> Steps[None]:
    """Make a character sheet for the episode's Boss: so many of each kind, each from its own Story card.

    What the playset itself has written on the Boss's sheet stands there already, and only what is asked for joins
    it. Any other Boss has one Backstory, one Talent and one Flaw unless something else is asked for.
    """
    check_season(play)
    boss = the_boss(play.state)
    own = boss.quality.sheet
    usual = 0 if own else 1
    wanted = {
        QualityKind.BACKSTORY: usual if backstories is None else backstories,
        QualityKind.TALENT: usual if talents is None else talents,
        QualityKind.FLAW: usual if flaws is None else flaws,
        QualityKind.ASSET: assets or 0,
    }
    if not all(0 <= n <= MOST_ON_A_SHEET for n in wanted.values()) or not (own or any(wanted.values())):
        raise IllegalAction(f"a Boss has 0 to {MOST_ON_A_SHEET} of each kind, and something of one")
    if boss.quality.name in {*play.state.npcs, *play.state.characters}:
        raise IllegalAction(f"{boss.quality.name} already has a sheet")
    aside: list[ComponentId] = []
    scanned: list[ScannedQuality] = []
    for kind, count in wanted.items():
        for _ in range(count):
            chosen = yield from scan(play, kind, by=STORYTELLER, rule="WV-4", without=aside)
            aside.append(chosen.card)
            scanned.append(chosen)
    yield from _boss_comes(play, boss, *scanned)


def the_boss(season: Season) -> ScannedQuality:
    """The Boss of the episode, whose card lies in the foundation (WV-1)."""
    return next(q for q in season.foundation if q.kind is QualityKind.BOSS)


def meet_boss(play: Play[Season], names: Collection[str]) -> Steps[None]:
    """The episode's Boss, where it is one of ``names`` and has not come in yet, brings its own sheet (WV-4)."""
    boss = the_boss(play.state)
    if boss.quality.name in names and boss.quality.name not in {*play.state.npcs, *play.state.characters}:
        yield from _boss_comes(play, boss)


def _boss_comes(play: Play[Season], boss: ScannedQuality, *scanned: ScannedQuality) -> Steps[None]:
    came = boss_comes(boss, *scanned)
    yield came
    yield from settled(play, Occasion(Moment.SCENE, came.npc.name))


def boss_comes(boss: ScannedQuality, *scanned: ScannedQuality) -> NpcAdded:
    """The Boss as it comes in: what its card says of it, its own sheet, and what was scanned besides (WV-4)."""
    quality = boss.quality
    own = [ScannedQuality(kind, boss.card, q) for kind, written in quality.sheet.items() for q in written]
    sheet, track = (boss, *own, *scanned), quality.track or STRIKE_TRACK
    npc = Npc(quality.name, True, quality.dice, sheet, track, reach=quality.attacks_at)
    return NpcAdded(npc=npc, rule="WV-4")


@WEAVE.action("end-scene", "WV-8", "WV-14", group="The scene")
def end_scene(play: Play[Season]) -> Steps[None]:
    """End the scene: the spread goes back into the decks, Strikes are cleared."""
    check_season(play, between=True)
    yield SceneEnded(discards=play.ruled("discards-return") == "scene-end")
    yield from refill(play)
    yield from scene_begins(play)


def scene_begins(play: Play[Season]) -> Steps[None]:
    """What is always on when a scene begins, for everybody who is there (WV-10)."""
    for name in (*play.state.present, *(n for n, npc in play.state.npcs.items() if not npc.out)):
        yield from settled(play, Occasion(Moment.SCENE, name))
