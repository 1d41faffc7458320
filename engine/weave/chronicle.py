"""How an evening of Weave is told afterwards.

A player is told what lay open: not the foundation, not the sheets of others, not what the storyteller planned
(WV-5).
"""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chronicle import Cards, Decisive, Ending, Mark, Passage, RollMark, Scene, Sentence
from loomtable.engine.kernel.play import Action, Event
from loomtable.engine.kernel.wording import ended, how_many, listed, number_word
from loomtable.engine.weave import encounter_events as t
from loomtable.engine.weave import events as e
from loomtable.engine.weave import figure_events as h
from loomtable.engine.weave.decks import story_card
from loomtable.engine.weave.playset import QualityKind
from loomtable.engine.weave.state import Outcome as Came
from loomtable.engine.weave.state import Season
from loomtable.engine.weave.system import WEAVE

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_FOUNDATION = {
    QualityKind.THEME: "The theme is {name}.",
    QualityKind.LOCATION: "The place is {name}.",
    QualityKind.BOSS: "Behind it all stands {name}.",
}


@WEAVE.chronicle
def weave_chronicle(event: Event, season: Season, viewer: str, action: Action) -> Iterator[Mark]:
    """The season's beginnings, its scenes with the cards that were played, Challenges, wounds and resolutions."""
    yield from _beginnings(event, season, viewer)
    yield from _scenes(event)
    yield from _challenges(event)
    yield from _people(event, season, viewer)


def _beginnings(event: Event, season: Season, viewer: str) -> Iterator[Mark]:
    whole = viewer == STORYTELLER
    match event:
        case e.SeasonOpened():
            yield Scene("How it begins")
        case e.SeasonBegun(name=name):
            yield Sentence(f"The season is called {name}.")
        case e.StoryElementChosen(chosen=chosen) | e.SeasonElementChosen(chosen=chosen) if whole:
            yield Cards((chosen.card,))
            yield Sentence(_FOUNDATION.get(chosen.kind, "{name} is part of it.").format(name=chosen.quality.name))
        case h.CharacterCreated(character=c):
            qualities = listed([q.quality.name for q in c.qualities]) if viewer in (STORYTELLER, c.player) else ""
            yield Sentence(f"{c.player} plays {c.name}{f': {qualities}' if qualities else ''}.", apart=True)
        case e.EpisodeBegun() | e.SceneEnded():
            yield Scene(_title(season), picture=_place(season, whole=whole))


def _title(season: Season) -> str:
    scene = season.scene
    title = f"The {_ORDINALS[scene - 1]} scene" if scene <= len(_ORDINALS) else f"Scene {scene}"
    if season.episode == 1:
        return title
    return f"Episode {number_word(season.episode)}, {title[0].lower()}{title[1:]}"


def _place(season: Season, *, whole: bool) -> str:
    """The picture of where it plays: the latest Location that the reader knows of."""
    known = (*(season.foundation if whole else ()), *season.elements)
    places = [one.card for one in known if one.kind is QualityKind.LOCATION]
    return f"motif/{story_card(places[-1]).motif}" if places else ""


def _scenes(event: Event) -> Iterator[Mark]:
    match event:
        case e.CardPlayed(card=card):
            yield Cards((card,))
        case e.StoryElementAdded(added=added):
            yield Sentence(f"{_with_article(added.kind.label)} comes into play: {added.quality.name}.")
        case e.SubplotResolved(subplot=subplot, involved=involved):
            yield Decisive(
                f"{listed(involved)} {'brings' if len(involved) == 1 else 'bring'} {subplot} to its end."
            )
        case h.NpcAdded(npc=npc):
            yield Sentence(f"{npc.name} comes in{', an enemy' if npc.enemy else ''}.")
        case t.EncounterBegun(encounter=met):
            what = "A fight begins" if met.combat else "They face each other"
            yield Sentence(f"{what}: {listed(met.participants)}.", apart=True)
        case t.EncounterEnded(resolution=resolution):
            yield Passage(ended(resolution))
            yield Ending(ended(resolution))
        case h.EnticementAnswered(who=who, flaw=flaw, accepted=accepted):
            yield Sentence(f"{who} {'gives in to' if accepted else 'resists'} {flaw}.")
        case h.CardRedeemed(who=who, lowers=lowers):
            easier = how_many(lowers, "level", "levels")
            yield Sentence(f"{who} redeems a card kept for this moment: {easier} easier.")


def _with_article(label: str) -> str:
    return f"{'An' if label[0] in 'AEIOU' else 'A'} {label}"


def _challenges(event: Event) -> Iterator[Mark]:
    match event:
        case h.ChallengeResolved(who=who, level=0):
            yield Sentence(f"{who} passes without a roll.")
        case h.ChallengeResolved(who=who, suit=suit, outcome=outcome, successes=successes, level=level):
            key = {Came.EPIC_PASS: "epic-pass", Came.EPIC_FAIL: "epic-fail"}.get(outcome, "pass")
            came = f"{how_many(successes, 'success', 'successes')} against level {level}"
            yield RollMark(
                f"{who} faces a {suit.label} Challenge: {came}.",
                (key,),
                missed=outcome is Came.FAIL,
                word=str(outcome),
            )
        case h.WoundMarked(who=who):
            yield Decisive(f"{who} takes a Wound.")
        case h.EnemyBeaten(who=who):
            yield Decisive(f"{who} is beaten.")
        case h.LeftScene(who=who):
            yield Decisive(f"{who} cannot go on in this scene.")
        case h.WoundHealed(who=who):
            yield Sentence(f"A Wound of {who} is healed.")


def _people(event: Event, season: Season, viewer: str) -> Iterator[Mark]:
    match event:
        case h.LevelReached(who=who, level=level):
            yield Sentence(f"{who} reaches level {level}.")
        case h.QualityGained(who=who, gained=gained):
            known = viewer in (STORYTELLER, season.characters[who].player)
            yield Sentence(f"{who} gains {gained.quality.name if known else 'something new'}.")
        case h.LeftSeason(who=who):
            yield Sentence(f"{who} leaves the season.")
