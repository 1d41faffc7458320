"""Events of Weave in words, where ``sentences.yaml`` has none; what the chronicle keeps; and who may hear it.

Cards in a hand, and those laid face down to entice, are not named here. A player is told what lay open: not the
foundation, not the sheets of others, not what the storyteller planned (WV-5).
"""

from __future__ import annotations

from dataclasses import replace

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chronicle import (
    CardsMark,
    Decisive,
    EndingMark,
    PassageMark,
    RollMark,
    SceneMark,
    Sentence,
    Spoken,
    Telling,
)
from loomtable.engine.kernel.play import Event, Open
from loomtable.engine.kernel.wording import article, ended, how_many, listed, number_word
from loomtable.engine.weave.cards.decks import name_of, story_card
from loomtable.engine.weave.cards.mechanics import FOR_CHALLENGES, Span
from loomtable.engine.weave.cards.passive_words import changes, in_brief
from loomtable.engine.weave.cards.playset import PLAYED_BY_STORYTELLER, QualityKind
from loomtable.engine.weave.events import encounters as t
from loomtable.engine.weave.events import figures as h
from loomtable.engine.weave.events import story as e
from loomtable.engine.weave.state import TURN_ACTIONS, Boon, ChallengeOutcome, Season
from loomtable.engine.weave.suits import Suit


def tell(event: Event, season: Season, viewer: str) -> Telling:
    """The event in words for a viewer."""
    telling = _of_the_story(event, season, viewer) or _of_figures(event, season, viewer)
    heard = viewer == STORYTELLER or hears(event, season, viewer)
    return telling or _of_the_table(event) or _of_mechanics(event, heard=heard)


def hears(event: Event, season: Season, viewer: str) -> bool:
    """Whether a viewer may hear the sentence of an event: what lies open, and what is on the own sheet (WV-5)."""
    if any(name in season.face_down_names for name in _names(event)):
        return False
    if isinstance(event, Open):
        return True
    if isinstance(event, h.PassivesApplied) and any(
        on_a_hidden_sheet(passive, season) for passive in event.applied
    ):
        return False
    if isinstance(event, h.CharacterCreated):
        return event.character.player == viewer
    sheet = season.characters.get(getattr(event, "who", ""))
    return sheet is not None and (isinstance(event, h.OpenOfCharacters) or sheet.player == viewer)


def _names(event: Event) -> tuple[str, ...]:
    """The qualities that a sentence names, one of which may still lie face down."""
    match event:
        case e.PlaceSet(location=location):
            return (location,)
        case h.PassivesApplied(applied=applied):
            return tuple(passive.quality for passive in applied)
        case h.QualityActivated(quality=quality) | h.QualitySpent(quality=quality) | h.Answered(quality=quality):
            return (quality,)
        case h.BoonGiven(boon=boon):
            return (boon.because,)
        case h.BoonsEnded(ended=over):
            return tuple(boon.because for boon in over)
    return ()


def on_a_hidden_sheet(passive: h.Applied, season: Season) -> bool:
    """Whether it is what somebody whom the storyteller plays can do, and not who they are (WV-5)."""
    npc = season.npcs.get(passive.owner)
    known = {q.quality.name for q in npc.qualities if q.kind in PLAYED_BY_STORYTELLER} if npc is not None else ()
    return npc is not None and passive.quality not in known


_FOUNDATION = {
    QualityKind.THEME: "The theme is {name}.",
    QualityKind.LOCATION: "The place is {name}.",
    QualityKind.BOSS: "Behind it all stands {name}.",
}


def _of_the_story(event: Event, season: Season, viewer: str) -> Telling:
    whole = viewer == STORYTELLER
    match event:
        case e.SeasonOpened():
            return Spoken(
                "Each of the two decks is shuffled.", SceneMark("How it begins", episode=_episode(season))
            )
        case e.StoryElementChosen(chosen=chosen) | e.SeasonElementChosen(chosen=chosen):
            sentence = _FOUNDATION.get(chosen.kind, "{name} is part of it.").format(name=chosen.quality.name)
            season_wide = " of the whole season" if isinstance(event, e.SeasonElementChosen) else ""
            drawn = f"{chosen.kind.label}{season_wide}, from {name_of(chosen.card)}: {chosen.quality.name}."
            return Spoken(drawn, *((CardsMark((chosen.card,)), Sentence(sentence)) if whole else ()))
        case e.EpisodeBegun(episode=episode, kept_go_back=back):
            shuffled = ", kept ones too" if back else ""
            says = f"Episode {episode} begins; all cards are shuffled{shuffled}."
            return Spoken(says, replace(_scene(season, whole=whole), episode=_episode(season)))
        case e.SceneEnded():
            sentence = "The scene ends. The spread goes back, and Strikes are cleared."
            return Spoken(sentence, _scene(season, whole=whole))
        case e.CardScannedAhead(card=card):
            return Spoken(f"{name_of(card)} is scanned ahead.")
        case e.CombinationTried(tried=tried):
            return Spoken(f"Tried together: {', '.join(q.quality.name for q in tried)}.")
        case e.StoryElementAdded(added=added):
            what = article(added.kind.label)
            sentence = f"{what[0].upper()}{what[1:]} comes into play: {added.quality.name}."
            return Spoken(f"{sentence} {added.quality.text}".strip(), Sentence(sentence))
        case e.StoryElementGone(gone=gone) if gone.kind is QualityKind.SUBPLOT:
            return Spoken(f"The Subplot {gone.quality.name} is over.")
        case e.StoryElementGone(gone=gone):
            return Spoken(f"{gone.quality.name} is picked up.")
        case e.SubplotResolved(subplot=subplot, involved=involved):
            return Decisive(
                f"{listed(involved)} {'brings' if len(involved) == 1 else 'bring'} {subplot} to its end."
            )
        case e.OracleAnswered(question=question, card=card, answer=answer):
            catch = " there is a catch" if answer.endswith("but") else ""
            return Sentence(f"{question} {answer}{catch}, says {name_of(card)}.")
        case e.IdeaDrawn(card=card, name=name, says=says, kind=kind):
            idea = {None: "A name", QualityKind.NPC: "Somebody to meet"}.get(kind, "A complication")
            return Spoken(f"{idea}, from {name_of(card)}: {name}. {says}".strip())
    return ""


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def _episode(season: Season) -> str:
    return f"Episode {number_word(season.episode)}"


def _scene(season: Season, *, whole: bool) -> SceneMark:
    """The scene that comes now, with the picture of the latest Location that the reader knows of."""
    scene = season.scene
    title = f"The {_ORDINALS[scene - 1]} scene" if scene <= len(_ORDINALS) else f"Scene {scene}"
    if season.episode > 1:
        title = f"{_episode(season)}, {title[0].lower()}{title[1:]}"
    known = (*(season.foundation if whole else ()), *season.elements)
    places = [element.card for element in known if element.kind is QualityKind.LOCATION]
    return SceneMark(title, picture=f"motif/{story_card(places[-1]).motif}" if places else "")


def _of_figures(event: Event, season: Season, viewer: str) -> Telling:
    match event:
        case h.CharacterCreated(character=c):
            known = f": {listed(q.quality.name for q in c.qualities)}" if viewer in (STORYTELLER, c.player) else ""
            suited = f"{c.player} plays {c.name}, Core Suit {c.core_suit.label}{known}."
            return Spoken(suited, Sentence(f"{c.player} plays {c.name}{known}.", apart=True))
        case h.SheetCompleted(who=who, bonus=bonus):
            return Spoken(f"{who}'s dice bonus: {_dice(bonus)}.")
        case h.NpcAdded(npc=npc):
            sentence = f"{npc.name} comes in{', an enemy' if npc.enemy else ''}"
            looks = next((q.quality.text for q in npc.qualities if q.quality.name == npc.name), "")
            whole = f"{sentence}{f' ({dice})' if (dice := _dice(npc.dice)) else ''}. {looks}".strip()
            return Spoken(whole, Sentence(f"{sentence}."))
        case h.QualityGained(who=who, gained=gained):
            mine = viewer in (STORYTELLER, season.characters[who].player)
            what = f"the {gained.kind.label} {gained.quality.name}" if mine else "something new"
            return Sentence(f"{who} gains {what}.")
    return ""


def _dice(bonus: dict[Suit, int]) -> str:
    return ", ".join(f"{suit.label} +{n}" for suit, n in bonus.items() if n)


def _of_the_table(event: Event) -> Telling:
    match event:
        case e.CardPlayed(card=card):
            return Spoken(f"{name_of(card)} joins the spread.", CardsMark((card,)))
        case e.CardsDiscarded(cards=cards):
            return Spoken(f"Discarded: {', '.join(name_of(c) for c in cards)}.")
        case h.CardRedeemed(who=who, card=card, lowers=lowers):
            easier = f"the Challenge is {how_many(lowers, 'level', 'levels')} lower"
            return Sentence(f"{who} redeems {name_of(card)}, kept for this moment: {easier}.")
        case t.EncounterBegun(encounter=met):
            what = "A fight" if met.combat else "An encounter"
            return Sentence(f"{what} begins: {listed(met.participants)}.", apart=True)
        case t.TurnBegun(who=who, round=0):
            return Spoken(f"{who} started it and acts first.")
        case t.TurnBegun(who=who, round=round_, actions=actions):
            counted = "" if actions == TURN_ACTIONS else f", with {how_many(actions, 'action', 'actions')}"
            return Spoken(f"Round {round_}: {who}'s turn{counted}.")
        case t.ActionsChanged(who=who, by=by):
            gained = how_many(abs(by), "action", "actions")
            return Spoken(f"{who} has {gained} {'more' if by > 0 else 'fewer'} this turn.")
        case t.EncounterEnded(resolution=resolution):
            sentence = ended(resolution)
            return Spoken(f"The encounter ends: {sentence}", PassageMark(sentence), EndingMark(sentence))
        case h.ChallengeResolved(who=who, level=0):
            return Sentence(f"{who} passes without a roll: the Challenge is at level 0.")
        case h.ChallengeResolved(who=who, suit=suit, outcome=outcome, successes=successes, level=level):
            key = {ChallengeOutcome.EPIC_PASS: "epic-pass", ChallengeOutcome.EPIC_FAIL: "epic-fail"}.get(
                outcome, "at-least-pass"
            )
            came = f"{how_many(successes, 'success', 'successes')} against level {level}"
            faced = f"{who} faces a {suit.label} Challenge: {came}."
            mark = RollMark(faced, (key,), missed=outcome is ChallengeOutcome.FAIL, word=str(outcome))
            return Spoken(f"{who}: {came}: {outcome}.", mark)
    return ""


def _of_mechanics(event: Event, *, heard: bool) -> Telling:
    """``heard``: the chronicle keeps what people see to themselves, for those who may hear it."""
    match event:
        case h.QualityActivated(who=who, quality=quality, triggered=triggered, says=says):
            sentence = f"{who}: {quality} takes effect{', and so does its Trigger' if triggered else ''}."
            return Spoken(f"{sentence} {says}".strip(), *_words_kept(f"{who}: {quality}.", says if heard else ""))
        case h.BoonGiven(who=who, boon=boon):
            return Spoken(f"{who}: {boon_words(boon)} ({boon.because}).")
        case h.BoonsEnded(who=who, ended=over):
            return Spoken(f"Over for {who}: {listed(b.because for b in over)}.")
        case h.PassivesApplied(who=who, applied=()):
            return Spoken(f"Nothing more applies to the roll of {who}.")
        case h.PassivesApplied(who=who, applied=applied):
            told = (f"{a.quality}: {a.says.rstrip('.') or changes(a.change, who)}" for a in applied)
            by_people = [a for a in applied if a.says and a.change.effects and heard]
            lines = (mark for a in by_people for mark in _words_kept(f"{a.quality}, {who}:", a.says))
            return Spoken(ended(". ".join(told)), *lines)
        case h.BoonsUsed(who=who, used=used):
            return Spoken(f"This counts for {who} now: {listed(boon_words(b, brief=True) for b in used)}.")
    return ""


def _words_kept(what: str, says: str) -> tuple[Sentence, ...]:
    """The words of what took effect, in the story that is read on every screen."""
    return (Sentence(f"{what} {says}", apart=True),) if says else ()


def boon_words(boon: Boon, *, brief: bool = False) -> str:
    """What stays with a figure, in a few words."""
    said = in_brief(boon.do, boon.amount)
    said = said.partition(" before ")[0] if boon.unbroken else said  # no attack ends it
    if boon.do not in FOR_CHALLENGES:
        return said if boon.lasts is None else f"{said} {_UNTIL[boon.lasts]}"
    if brief:
        return said
    suit = f" {boon.suit.label}" if boon.suit else ""
    what = f"{suit} {'Challenge' if boon.attack is None else 'attack'}"
    on = f" on {boon.attack}" if boon.attack else ""
    if boon.challenges == 0 and boon.lasts is not None:
        return f"{said} in every{what}{on} {_UNTIL[boon.lasts]}"
    coming = "the next" if boon.challenges == 1 else f"each of the next {boon.challenges}"
    return f"{said} in {coming}{what}{'s' if boon.challenges > 1 else ''}{on}"


_UNTIL = {
    Span.TURN: "until the next turn of whoever caused it",
    Span.ENCOUNTER: "in this encounter",
    Span.SCENE: "in this scene",
    Span.EPISODE: "in this episode",
}
