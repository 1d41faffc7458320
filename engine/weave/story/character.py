"""Characters: made from four Story cards, levelled up, and leaving the season."""

from __future__ import annotations

from collections.abc import Iterable

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.names import unused_names
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, EnterText, Option, ShowCard
from loomtable.engine.weave.arguments import PlayerName, Who
from loomtable.engine.weave.cards.drawing import choose_quality, dealt, named_card, numbers, playset_of, scan
from loomtable.engine.weave.cards.playset import CREATION, QualityKind
from loomtable.engine.weave.encounter.turns import check_season
from loomtable.engine.weave.events.figures import (
    CharacterCreated,
    LeftSeason,
    LevelReached,
    LevelUpDeclined,
    QualityGained,
    SheetCompleted,
)
from loomtable.engine.weave.state import HIGHEST_LEVEL, Character, ScannedQuality, Season
from loomtable.engine.weave.story.season import advise, check_player, players_at_table
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE

LEVEL_BONUSES: dict[int, tuple[QualityKind, ...]] = {
    2: (QualityKind.BACKSTORY,),
    3: (QualityKind.TALENT,),
    4: (QualityKind.BACKSTORY,),
    5: (QualityKind.TALENT, QualityKind.FLAW),
    6: (QualityKind.TALENT,),
    7: (QualityKind.SIGNATURE_MOVE,),
    8: (QualityKind.BACKSTORY,),
    9: (QualityKind.TALENT,),
    10: (QualityKind.TALENT,),
    11: (QualityKind.SIGNATURE_MOVE,),
}
"""What each level brings, all of it from one Story card (WV-11)."""


@WEAVE.action("add-character", "WV-5", "WV-6", "WV-7", group="Characters")
def add_character(play: Play[Season], *, player: PlayerName) -> Steps[None]:
    """Make a character: a Core Suit, four Story cards with an option from each, a name.

    Somebody who was not invited plays a local character; somebody who was has to have accepted.
    """
    check_season(play)
    check_player(player)
    if play.state.players.get(player) is False:
        raise IllegalAction(f"{player} has not accepted the invitation yet (Answer invitation)")
    before = players_at_table(play.state)
    suits = tuple(Option(s.value, s.label, s.means) for s in Suit)
    core = yield from ask(Choose("Core Suit", suits, by=player, rule="WV-6"))
    made = sum(c.player == player for c in play.state.characters.values())
    order = f"{player}/{made}" if play.ruled("dealt-for-a-character") == "own-order" else ""
    aside: list[ComponentId] = []
    qualities: list[ScannedQuality] = []
    for kind in CREATION:
        chosen = yield from scan(play, kind, by=player, rule="WV-6", without=aside, order=order)
        aside.append(chosen.card)
        qualities.append(chosen)
    name = yield from _unused_name(play, by=player)
    character = Character(name, player, Suit(core.key), tuple(qualities))
    yield CharacterCreated(character=character)
    yield SheetCompleted(who=name, bonus={s: character.dice_bonus(s) for s in Suit})
    yield from advise(play, before)


def _unused_name(play: Play[Season], *, by: str) -> Steps[str]:
    why = ""
    taken = {*play.state.characters, *play.state.npcs}
    free = unused_names(taken, playset_of(play).names)
    while True:
        question = EnterText("Name of the character", by=by, rule="WV-6", why=why, suggestions=free)
        written = yield from ask(question)
        name = written.text.strip()
        if name not in play.state.characters and name not in play.state.npcs and name != STORYTELLER:
            return name
        why = f"{name!r} is already taken; find another name."


@WEAVE.action("level-up", "WV-7", "WV-11", begun_by=PLAYER, group="Characters")
def level_up(play: Play[Season], *, who: Who) -> Steps[None]:
    """The storyteller offers a Level Up; the player accepts, shows a Story card and chooses what it brings."""
    check_season(play)
    character = play.state.characters.get(who)
    if character is None or character.left:
        raise IllegalAction(f"there is no character {who!r} who could level up")
    if character.level >= HIGHEST_LEVEL:
        raise IllegalAction(f"{who} is of level {HIGHEST_LEVEL}, the highest there is")
    if character.levelled_in == play.state.episode:
        raise IllegalAction(f"{who} has already levelled up in this episode")
    if play.state.episode == 1 and play.ruled("level-up-first-episode") == "refused":
        raise IllegalAction("Level Ups begin with the second episode (ruling level-up-first-episode)")
    if play.ruled("level-up-when") == "at-the-start" and not play.state.opening:
        raise IllegalAction("Level Ups are for the start of an episode, before anything has been played")
    level = character.level + 1
    kinds = LEVEL_BONUSES[level]
    what = " and ".join(k.label for k in kinds)
    options = (Option("accept", "Accept"), Option("decline", "Not now"))
    answer = yield from ask(
        Choose(f"Level Up of {who} to {level}: a new {what}", options, by=character.player, rule="WV-11")
    )
    if answer.key == "decline":
        yield LevelUpDeclined(who=who)
        return
    card = yield from _level_up_card(play, character, kinds)
    gained = []
    for kind in kinds:
        owned = _names(character, kind)
        gained.append(
            (yield from choose_quality(play, kind, card, by=character.player, rule="WV-11", owned=owned))
        )
    yield LevelReached(who=who, level=level)
    for quality in gained:
        yield QualityGained(who=who, gained=quality)


def _names(character: Character, kind: QualityKind) -> frozenset[str]:
    return frozenset(q.quality.name for q in character.qualities if q.kind is kind)


def _has_news(play: Play[Season], character: Character, kinds: Iterable[QualityKind], card: ComponentId) -> bool:
    """Whether the card offers something of each kind that the character does not have."""
    offers = playset_of(play)
    return all({q.name for q in offers.options(card.number, k)} - _names(character, k) for k in kinds)


def _level_up_card(play: Play[Season], character: Character, kinds: tuple[QualityKind, ...]) -> Steps[ComponentId]:
    """One of the four creation cards or a new one, by the ruling ``level-up-cards`` (WV-11)."""
    which = play.ruled("level-up-cards")
    made_by = [c for c in character.creation_cards if which != "new" and _has_news(play, character, kinds, c)]
    pile = play.state.story.pile
    new = [c for c in pile if c not in character.creation_cards] if which != "creation" else []
    fresh = [c for c in new if _has_news(play, character, kinds, c)]
    if not made_by and not fresh:
        raise IllegalAction(f"no Story card that may be shown has anything new for {character.name}")
    purpose, by = f"Story card for {character.name}'s Level Up", character.player
    if not dealt(play):
        among = numbers({*made_by, *fresh})
        shown = yield from ask(ShowCard(Kind.STORY, purpose, among, by=by, rule="WV-11"))
        return shown.card
    if not made_by:
        return fresh[0]
    options = [named_card(c.number, c) for c in made_by] + ([Option("new", "A new one")] if fresh else [])
    answer = yield from ask(Choose(purpose, tuple(options), by=by, rule="WV-11"))
    return fresh[0] if answer.key == "new" else ComponentId.parse(answer.key)


@WEAVE.action("leave-season", "WV-9", begun_by=PLAYER, group="Characters")
def leave_season(play: Play[Season], *, who: Who) -> Steps[None]:
    """A character leaves the season, for instance because no Wound was healed."""
    check_season(play)
    character = play.state.characters.get(who)
    if character is None or character.left:
        raise IllegalAction(f"there is no character {who!r} who could leave")
    met = play.state.encounter
    if met is not None and who in met.participants:
        raise IllegalAction(f"{who} takes part in the encounter; end it first (End encounter)")
    yield LeftSeason(who=who)
