"""What hands say on the table of Weave: Challenge cards, Weave dice thrown again, Story cards, enticements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import UnknownComponent
from loomtable.engine.kernel.gestures import Lying, Offer, Situation
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, NumberReading, Source
from loomtable.engine.kernel.requests import EnterNumber
from loomtable.engine.weave.cards.decks import challenge_card, story_card
from loomtable.engine.weave.cards.markers import marker_owners
from loomtable.engine.weave.cards.playset import CREATION, IN_PLAY, STORY_ELEMENTS, QualityKind
from loomtable.engine.weave.challenge.tally import STRIKE_FACE, STRIKES_AGAIN, WEAVE_FACE, WEAVES_AGAIN
from loomtable.engine.weave.rulings import PIP_FACES
from loomtable.engine.weave.state import Season
from loomtable.engine.weave.system import WEAVE


def heroes_at(situation: Situation[Season], card: Lying) -> Sequence[str]:
    """Whose marker is beside a card; without any, who is on turn, or everybody who can act."""
    season = situation.state
    if card.beside:
        owners = marker_owners(season.characters)
        return [owners[marker] for marker in card.beside if marker in owners]
    return [situation.turn] if situation.turn in season.characters else season.present


@WEAVE.gesture("challenge")
def challenge(situation: Situation[Season]) -> Iterator[Offer]:
    """A Challenge card is that Challenge, at its suit and level; one on a hero's Flaw entices (WV-17, WV-26)."""
    season = situation.state
    kept = {card for hero in season.characters.values() for card in hero.kept}
    known = {*season.spread, *kept, *([season.face_down] if season.face_down else ())}
    laid = situation.table.laid(Kind.CHALLENGE)
    yield Offer("", things=tuple(card.thing for card in laid if card.thing in known))
    new = [card for card in laid if card.thing not in known]
    if not new or situation.asked is not None:
        return
    things = tuple(card.thing for card in new)
    tempting = [(card, *flaw) for card in new if (flaw := _flaw_under(season, card.on))]
    played = [card for card in new if card not in [tempts for tempts, *_ in tempting]]
    if len(played) != 1 or len(tempting) > 1:
        reason = "lay one" if played else "lay the Challenge itself beside the hero's marker as well"
        yield Offer("Challenge cards are on the table", reason=reason, things=things)
        return
    [card] = played
    try:
        named = challenge_card(card.thing)
    except UnknownComponent as error:
        yield Offer("A Challenge card is on the table", reason=str(error), things=things)
        return
    arguments: dict[str, Any] = {"suit": named.suit.value, "card": card.thing.short}
    if tempting:
        [(tempts, whose, temptation)] = tempting
        arguments["enticement"] = {"flaw": temptation, "card": tempts.thing.short}
        heroes: Sequence[str] = [whose]
    else:
        heroes = heroes_at(situation, card)
    if not heroes:
        reason = "that marker is nobody's yet" if card.beside else "no hero can face it now"
        yield Offer(f"{named.name} is on the table", reason=reason, things=things)
    for who in heroes:
        says = f"{who} faces {named.suit.label} at level {named.level}"
        says += ", and is enticed" if tempting else ""  # by what is for their own sheet
        offer = Offer(says, Action("challenge", {"who": who, **arguments}), about=card.thing.short, things=things)
        yield _printed(situation, offer)


def _printed(situation: Situation[Season], offer: Offer) -> Offer:
    """The offer; where the computer deals and no card of its hand is played, once the printed decks are used."""
    plays = not offer.cards and set(offer.things) & set(situation.state.hand)
    if plays or situation.game.rulings["decks"] != "dealt":
        return offer
    says = f"{offer.says}, and cards come from the printed decks from now on"
    return replace(offer, says=says, first=Action("printed-decks"))


def _flaw_under(season: Season, card: ComponentId | None) -> tuple[str, str] | None:
    """Whose Flaw a Story card is, and which."""
    for name, hero in season.characters.items():
        for scanned in hero.qualities:
            if scanned.kind is QualityKind.FLAW and scanned.card == card:
                return name, scanned.quality.name
    return None


@WEAVE.gesture("roll-again")
def roll_again(situation: Situation[Season]) -> Iterator[Offer]:
    """Weaves that were picked up and thrown are rolled again; so are Strikes, where they may be (WV-17, WV-10)."""
    asked, thrown = situation.asked, situation.table.thrown_again
    if thrown is None or not isinstance(asked, EnterNumber):
        return
    pips = PIP_FACES[situation.game.rulings["pip-faces"]]
    lay = thrown.picked_up.dice
    showed = [pips[int(die.face) - 1] if die.die is Die.D6 else die.face for die in lay]
    weaves, strikes = showed.count(WEAVE_FACE), showed.count(STRIKE_FACE)
    many = len(showed)
    says = f"{'The' if many == 1 else many} {'die was' if many == 1 else 'dice were'} thrown again"
    if asked.purpose.startswith(WEAVES_AGAIN):
        if weaves + strikes < many:
            yield Offer(says, reason="only dice that show Weave are; put the others back")
            return
        again = NumberReading(weaves, Source.CAMERA)
        yield Offer(says, answers=(again, NumberReading(strikes, Source.CAMERA), thrown.dice))
        if not strikes:
            yield Offer(says, answers=(again, thrown.dice))
    elif asked.purpose.startswith(STRIKES_AGAIN) and strikes == many:
        yield Offer(says, answers=(NumberReading(strikes, Source.CAMERA), thrown.dice))


@WEAVE.gesture("story-cards")
def story_cards(situation: Situation[Season]) -> Iterator[Offer]:
    """Three Story cards begin an episode, four a hero, one is a Location or what it brings; an Asset's is taken
    (WV-1, WV-2, WV-4, WV-6, WV-15)."""
    season = situation.state
    own = (quality for hero in season.characters.values() for quality in hero.qualities)
    known = {one.card for one in (*season.season_wide, *season.foundation, *season.elements, *own)}
    laid = situation.table.laid(Kind.STORY)
    assets = {each.card: each.quality.name for each in season.elements if each.kind is QualityKind.ASSET}
    taken = [asset for asset in laid if asset.thing in assets and asset.beside and situation.asked is None]
    for asset in taken:
        for who in heroes_at(situation, asset):
            given = {"who": who, "asset": assets[asset.thing]}
            yield Offer(f"{who} takes {assets[asset.thing]}", Action("take-asset", given), things=(asset.thing,))
    yield Offer("", things=tuple(card.thing for card in laid if card.thing in known and card not in taken))
    new = tuple(card.thing for card in laid if card.thing not in known)
    if not new or situation.asked is not None:
        return
    try:
        for card in new:
            story_card(card)
    except UnknownComponent as error:
        yield Offer("A Story card is on the table", reason=str(error), things=new)
        return
    for offer in _set_up(season, new) if len(new) > 1 else _brings(season, new[0]):
        yield _printed(situation, offer) if offer.action is not None else offer


def _set_up(season: Season, cards: tuple[ComponentId, ...]) -> Iterator[Offer]:
    """An episode from three cards, a hero from four."""
    playing = {hero.player for hero in season.characters.values()}
    waiting = [player for player, accepted in season.players.items() if accepted and player not in playing]
    if len(cards) == len(STORY_ELEMENTS):
        begins = "new-episode" if season.name else "new-season"
        says = "Three Story cards begin a new episode" if season.name else "Three Story cards begin a season"
        yield Offer(says, Action(begins), things=cards, cards=cards, sure=not waiting)
    elif len(cards) == len(CREATION) and waiting:
        for player in waiting:
            action = Action("add-character", {"player": player})
            yield Offer(f"Four Story cards make a hero of {player}'s", action, things=cards, cards=cards)
    else:
        reason = "three begin an episode, four make a hero"
        reason = "nobody waits for a hero; invite them first" if len(cards) == len(CREATION) else reason
        yield Offer(f"{len(cards)} Story cards are on the table", reason=reason, things=cards)


def _brings(season: Season, card: ComponentId) -> Iterator[Offer]:
    """What one card can bring; never taken by itself, for it may be the first of several."""
    if card in season.hand:
        for kind in IN_PLAY:
            action = Action("play-story", {"kind": kind.value, "card": card.short})
            yield Offer(f"The Story card brings {kind.label}", action, things=(card,), sure=False)
    else:
        answer = CardReading(card, Source.CAMERA)
        yield Offer(
            "The Story card is one more Location", Action("add-location"), (answer,), things=(card,), sure=False
        )


@WEAVE.gesture("end-turn")
def end_turn(situation: Situation[Season]) -> Iterator[Offer]:
    """The card Go on ends the turn in an encounter (WV-23)."""
    if situation.state.encounter is not None:
        yield from situation.go_on(f"{situation.turn or 'The starter'}'s turn ends", "end-turn")
