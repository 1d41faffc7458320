"""Every event of Weave as a sentence: the one place to translate; and who may hear it.

Cards in a hand, and those laid face down to entice, are not named here.
"""

from __future__ import annotations

from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.wording import ended, how_many, listed
from loomtable.engine.weave import encounter_events as t
from loomtable.engine.weave import events as e
from loomtable.engine.weave import figure_events as h
from loomtable.engine.weave.decks import name_of
from loomtable.engine.weave.mechanics import FOR_CHALLENGES, Span
from loomtable.engine.weave.passive_words import PHRASES, changes
from loomtable.engine.weave.playset import PLAYED_BY_STORYTELLER, QualityKind
from loomtable.engine.weave.state import TURN_ACTIONS, Boon, Season


def tell(event: Event, season: Season) -> str:
    """The event as a sentence for people."""
    sentence = _of_the_story(event) or _of_the_cards(event) or _of_figures(event) or _of_challenges(event)
    return sentence or _of_mechanics(event) or _of_encounters(event)


_OPEN = (
    e.SeasonBegun,
    e.EpisodeBegun,
    e.StoryElementAdded,
    e.StoryElementGone,
    e.SubplotResolved,
    e.InvitationAnswered,
    e.SceneEnded,
    e.CardPlayed,
    e.CardLaidFaceDown,
    e.CardKept,
    h.CardRedeemed,
    h.LeftSeason,
    h.LeftScene,
    h.EnemyBeaten,
    h.ChallengeIssued,
    h.ChallengeResolved,
    h.AutoPassed,
    h.CoreChallengeRolled,
    h.Ranked,
    h.EnticementAnswered,
    h.ActionFailed,
    t.EncounterBegun,
    t.TurnOrderSet,
    t.TurnBegun,
    t.ActionSpent,
    t.ActionsChanged,
    t.OrderChanged,
    t.JoinedEncounter,
    t.LeftEncounter,
    t.BandChanged,
    t.EncounterEnded,
)
"""What happens before everybody's eyes."""
_OF_CHARACTERS = (
    h.StrikesMarked,
    h.StrikesCleared,
    h.WoundMarked,
    h.WoundHealed,
    h.QualityActivated,
    h.QualitySpent,
    h.BoonGiven,
    h.BoonsUsed,
    h.BoonsEnded,
    h.Answered,
    h.PassivesApplied,
)
"""What is open where it happens to a player's character; of those whom the storyteller plays it is hidden."""


def hears(event: Event, season: Season, viewer: str) -> bool:
    """Whether a viewer may hear the sentence of an event: what lies open, and what is on the own sheet (WV-5)."""
    if any(name in season.face_down_names for name in _names(event)):
        return False
    if isinstance(event, (*_OPEN, e.PlaceSet)):
        return True
    if isinstance(event, h.PassivesApplied) and any(_on_a_hidden_sheet(one, season) for one in event.applied):
        return False
    if isinstance(event, h.CharacterCreated):
        return event.character.player == viewer
    sheet = season.characters.get(getattr(event, "who", ""))
    return sheet is not None and (isinstance(event, _OF_CHARACTERS) or sheet.player == viewer)


def _names(event: Event) -> tuple[str, ...]:
    """The qualities that a sentence names, one of which may still lie face down."""
    match event:
        case e.PlaceSet(location=location):
            return (location,)
        case h.PassivesApplied(applied=applied):
            return tuple(one.quality for one in applied)
        case h.QualityActivated(quality=quality) | h.QualitySpent(quality=quality) | h.Answered(quality=quality):
            return (quality,)
        case h.BoonGiven(boon=boon):
            return (boon.because,)
        case h.BoonsEnded(ended=over):
            return tuple(boon.because for boon in over)
    return ()


def _on_a_hidden_sheet(one: h.Applied, season: Season) -> bool:
    """Whether it is what somebody whom the storyteller plays can do, and not who they are (WV-5)."""
    npc = season.npcs.get(one.owner)
    known = {q.quality.name for q in npc.qualities if q.kind in PLAYED_BY_STORYTELLER} if npc is not None else ()
    return npc is not None and one.quality not in known


def _of_the_story(event: Event) -> str:
    match event:
        case e.SeasonOpened():
            return "Each of the two decks is shuffled."
        case e.StoryElementChosen(chosen=chosen):
            return f"{chosen.kind.label} from {name_of(chosen.card)}: {chosen.quality.name}."
        case e.SeasonElementChosen(chosen=chosen):
            return f"{chosen.kind.label} of the whole season, from {name_of(chosen.card)}: {chosen.quality.name}."
        case e.SeasonBegun(name=name):
            return f"The season {name!r} begins."
        case e.EpisodeBegun(episode=episode, kept_go_back=back):
            shuffled = ", kept ones too" if back else ""
            return f"Episode {episode} begins; all cards are shuffled{shuffled}."
        case e.CardScannedAhead(card=card):
            return f"{name_of(card)} is scanned ahead."
        case e.CombinationTried(tried=tried):
            return f"Tried together: {', '.join(q.quality.name for q in tried)}."
        case e.CombinationKept():
            return "This combination is kept for the coming episode."
        case e.StoryElementAdded(added=added):
            told = f"{added.kind.label} from {name_of(added.card)}: {added.quality.name}."
            return f"{told} {added.quality.text}".strip()
        case e.StoryElementGone(gone=gone) if gone.kind is QualityKind.SUBPLOT:
            return f"The Subplot {gone.quality.name} is over."
        case e.StoryElementGone(gone=gone):
            return f"{gone.quality.name} is picked up."
        case e.SubplotResolved(subplot=subplot, involved=involved):
            return f"{listed(involved)} resolved {subplot}."
        case e.PlaceSet(location=location):
            return f"The scene plays at {location}."
        case e.PlayerInvited(player=player):
            return f"{player} is invited."
        case e.InvitationAnswered(player=player, accepted=accepted):
            return f"{player} {'joins the season' if accepted else 'declines the invitation'}."
        case e.ManyPlayers(players=players):
            return f"There are {players} players now. Six or more are hard to lead."
        case e.SceneEnded():
            return "The scene ends. The spread goes back, and Strikes are cleared."
    return ""


def _of_the_cards(event: Event) -> str:
    match event:
        case e.DiscardsShuffled(kind=kind):
            return f"The {kind.capitalize()} deck has run out; its discards are shuffled."
        case e.CardDrawn(card=card):
            return f"The storyteller draws a {card.kind.capitalize()} card."
        case e.CardPlayed(card=card):
            return f"{name_of(card)} joins the spread."
        case e.CardsDiscarded(cards=cards):
            return f"Discarded: {', '.join(name_of(c) for c in cards)}."
        case e.CardLaidFaceDown(who=who, flaw=flaw):
            return f"{flaw} entices {who}: a Challenge card is laid face down."
        case e.CardKept(who=who):
            return f"{who} keeps a Challenge card to redeem later."
        case h.CardRedeemed(who=who, card=card, lowers=lowers):
            return f"{who} redeems {name_of(card)}; the Challenge is {how_many(lowers, 'level', 'levels')} lower."
    return ""


def _of_figures(event: Event) -> str:
    match event:
        case h.CharacterCreated(character=c):
            names = ", ".join(q.quality.name for q in c.qualities)
            return f"{c.player} plays {c.name}, Core Suit {c.core_suit.label}: {names}."
        case h.SheetCompleted(who=who, bonus=bonus):
            dice = ", ".join(f"{suit.label} +{n}" for suit, n in bonus.items() if n)
            return f"{who}'s dice bonus: {dice}."
        case h.NpcAdded(npc=npc):
            dice = ", ".join(f"{suit.label} +{n}" for suit, n in npc.dice.items() if n)
            side = " as an enemy" if npc.enemy else ""
            looks = next((q.quality.text for q in npc.qualities if q.quality.name == npc.name), "")
            return f"{npc.name} comes in{side}{f' ({dice})' if dice else ''}. {looks}".strip()
        case h.LevelUpDeclined(who=who):
            return f"{who} does not level up now."
        case h.LevelReached(who=who, level=level):
            return f"{who} reaches level {level}."
        case h.QualityGained(who=who, gained=gained):
            return f"{who} gains the {gained.kind.label} {gained.quality.name}."
        case h.LeftSeason(who=who):
            return f"{who} leaves the season."
        case h.StrikesMarked(who=who, strikes=strikes, track=track):
            return f"{who} marks {how_many(strikes, 'Strike', 'Strikes')} ({track} on the track)."
        case h.StrikesCleared(who=who, strikes=strikes):
            return f"{who} clears {how_many(strikes, 'Strike', 'Strikes')}."
        case h.WoundMarked(who=who, because=because):
            return f"{who} marks a Wound: {because}."
        case h.WoundHealed(who=who):
            return f"{who} heals a Wound."
        case h.LeftScene(who=who):
            return f"{who} has three Wounds and cannot go on in this scene."
        case h.EnemyBeaten(who=who):
            return f"{who} is beaten."
    return ""


def _of_challenges(event: Event) -> str:
    match event:
        case h.ChallengeIssued(who=who, suit=suit, level=level, pool=pool):
            return f"{who} faces a {suit.label} Challenge of level {level} with {how_many(pool, 'die', 'dice')}."
        case h.ChallengeResolved(who=who, level=0):
            return f"{who} passes without a roll: the Challenge is at level 0."
        case h.ChallengeResolved(who=who, outcome=outcome, successes=successes, level=level):
            return f"{who}: {how_many(successes, 'success', 'successes')} against level {level}: {outcome}."
        case h.AutoPassed(who=who):
            return f"{who} passes without a Challenge."
        case h.CoreChallengeRolled(who=who, suit=suit, successes=successes, passed=passed):
            verdict = "passed" if passed else "failed"
            return f"{who}, {suit.label} Core Challenge: {how_many(successes, 'success', 'successes')}, {verdict}."
        case h.Ranked(order=order):
            return f"In order: {', '.join(order)}."
        case h.EnticementAnswered(who=who, flaw=flaw, accepted=accepted):
            return f"{who} {'gives in to' if accepted else 'resists'} {flaw}."
        case h.ActionFailed(who=who, because=because):
            return f"{who} tries, and it fails: {because}."
    return ""


def _of_mechanics(event: Event) -> str:
    match event:
        case h.QualityActivated(who=who, quality=quality, triggered=triggered):
            return f"{who}: {quality} takes effect{', and so does its Trigger' if triggered else ''}."
        case h.QualitySpent(who=who, quality=quality, span=span):
            return f"{who} cannot use {quality} again this {span}."
        case h.BoonGiven(who=who, boon=boon):
            return f"{who}: {boon_words(boon)} ({boon.because})."
        case h.BoonsEnded(who=who, ended=over):
            return f"Over for {who}: {listed(b.because for b in over)}."
        case h.Answered(who=who, quality=quality, words=words):
            return f"{quality}, for {who}: {ended(words)}"
        case h.PassivesApplied(who=who, applied=applied):
            return ended(". ".join(f"{a.quality}: {changes(a.change, who)}" for a in applied))
        case h.BoonsUsed(who=who, used=used):
            return f"This counts for {who} now: {listed(boon_words(b, brief=True) for b in used)}."
    return ""


def boon_words(boon: Boon, *, brief: bool = False) -> str:
    """What stays with a figure, in a few words."""
    said = PHRASES[boon.do](boon.amount)
    if boon.do not in FOR_CHALLENGES:
        return said if boon.lasts is None else f"{said} {_UNTIL[boon.lasts]}"
    if brief:
        return said
    suit = f" {boon.suit.label}" if boon.suit else ""
    if boon.challenges == 0 and boon.lasts is not None:
        return f"{said} in every{suit} Challenge {_UNTIL[boon.lasts]}"
    coming = "the next" if boon.challenges == 1 else f"each of the next {boon.challenges}"
    return f"{said} in {coming}{suit} Challenge{'s' if boon.challenges > 1 else ''}"


_UNTIL = {
    Span.TURN: "until the next turn of whoever caused it",
    Span.ENCOUNTER: "in this encounter",
    Span.SCENE: "in this scene",
    Span.EPISODE: "in this episode",
}


def _of_encounters(event: Event) -> str:
    match event:
        case t.EncounterBegun(encounter=met):
            return f"{'A combat' if met.combat else 'An encounter'} begins: {listed(met.participants)}."
        case t.TurnOrderSet(order=order):
            return f"Turn order: {', '.join(order)}."
        case t.TurnBegun(who=who, round=0):
            return f"{who} started it and acts first."
        case t.TurnBegun(who=who, round=round_, actions=actions):
            counted = "" if actions == TURN_ACTIONS else f", with {how_many(actions, 'action', 'actions')}"
            return f"Round {round_}: {who}'s turn{counted}."
        case t.ActionSpent(who=who, actions=actions):
            return f"{who} uses {'an action' if actions == 1 else 'both actions'}."
        case t.ActionsChanged(who=who, by=by):
            gained = how_many(abs(by), "action", "actions")
            return f"{who} has {gained} {'more' if by > 0 else 'fewer'} this turn."
        case t.OrderChanged(order=order):
            return f"The turn order is now: {', '.join(order)}."
        case t.JoinedEncounter(who=who):
            return f"{who} joins the encounter."
        case t.LeftEncounter(who=who):
            return f"{who} is no longer part of the encounter."
        case t.BandChanged(who=who, other=other, band=band):
            return f"{who} and {other} are at {band.label}."
        case t.EncounterEnded(resolution=resolution):
            return f"The encounter ends: {resolution.rstrip('.')}."
    return ""
