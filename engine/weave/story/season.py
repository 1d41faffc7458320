"""Seasons and episodes: Theme, Location and Boss, planned ahead or scanned, and the people who play."""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.arguments import noted
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, EnterText, Option, ShowCard
from loomtable.engine.weave.arguments import PlayerName, PlaysetName
from loomtable.engine.weave.cards.decks import story_deck
from loomtable.engine.weave.cards.drawing import choose_quality, dealt, named_card, numbers, playset_of, scan
from loomtable.engine.weave.cards.playset import STORY_ELEMENTS, playset_head, playset_names
from loomtable.engine.weave.encounter.hurt import heal_wounds
from loomtable.engine.weave.encounter.turns import by_today, check_season
from loomtable.engine.weave.events.figures import LeftSeason
from loomtable.engine.weave.events.story import (
    CardScannedAhead,
    CombinationKept,
    CombinationTried,
    EpisodeBegun,
    InvitationAnswered,
    ManyPlayers,
    PlayerInvited,
    SceneEnded,
    SeasonBegun,
    SeasonElementChosen,
    SeasonOpened,
    StoryElementChosen,
)
from loomtable.engine.weave.state import EpisodePlan, ScannedQuality, Season
from loomtable.engine.weave.story.scene import scene_begins
from loomtable.engine.weave.system import WEAVE

MANY_PLAYERS = 6


def _known_playset(name: str) -> None:
    playset_head(name)


@WEAVE.action("new-season", "WV-1", "WV-3", "WV-13", group="The season", opens=True)
def new_season(
    play: Play[Season], *, playset: PlaysetName | None = None, season_wide: bool = False, planned: bool = False
) -> Steps[None]:
    """Begin a season: both decks shuffled, three Story cards for its Theme, Location and Boss, and a name.

    Without a ``playset`` it is asked for. ``season_wide`` scans three for the season as a whole first; ``planned``
    takes the combination that was kept while planning instead of scanning.
    """
    if play.state.name:
        raise IllegalAction(f"the season {play.state.name!r} has already begun")
    # Refused before the playset is asked for: no answer to that would help.
    plan = _kept_plan(play) if planned else None
    if playset is None:
        playset = yield from _choose_playset()
    _known_playset(playset)
    kept = _combination_for(plan, playset) if plan is not None else ()
    yield SeasonOpened(playset=playset, seed=play.seed)
    if season_wide:
        yield from _scan_season_wide(play)
    yield from _lay_foundation(play, kept, rule="WV-1")
    hidden = play.state.face_down_names  # the name is told to everybody, and so is where the playset plays
    places = tuple(place.name for place in playset_of(play, playset).places if place.name not in hidden)
    name = yield from ask(EnterText("Name of the season", by=STORYTELLER, rule="WV-1", suggestions=places))
    yield SeasonBegun(name=name.text.strip(), playset=playset)


def _choose_playset() -> Steps[str]:
    heads = {name: playset_head(name) for name in playset_names()}
    options = tuple(Option(n, p.title, p.mood.strip(), noted(p.content_notes.strip())) for n, p in heads.items())
    return (yield from ask(Choose("Playset of the season", options, by=STORYTELLER, rule="WV-1"))).key


def _scan_season_wide(play: Play[Season]) -> Steps[None]:
    """Three story elements for the season as a whole; their cards go back into the deck (WV-3)."""
    aside: list[ComponentId] = []
    for kind in STORY_ELEMENTS:
        chosen = yield from scan(play, kind, by=STORYTELLER, rule="WV-3", without=aside)
        aside.append(chosen.card)
        yield SeasonElementChosen(chosen=chosen)


def _lay_foundation(play: Play[Season], kept: tuple[ScannedQuality, ...], *, rule: str) -> Steps[None]:
    """Theme, Location and Boss; their three cards lie face down (WV-1, WV-13)."""
    for chosen in kept:
        yield StoryElementChosen(chosen=chosen, rule=rule)
    for kind in STORY_ELEMENTS[len(kept) :]:
        chosen = yield from scan(play, kind, by=STORYTELLER, rule=rule)
        yield StoryElementChosen(chosen=chosen, rule=rule)


def _kept_plan(play: Play[Season]) -> EpisodePlan:
    plan = play.state.plan
    if plan is None or not plan.kept:
        raise IllegalAction("no combination has been kept yet (Plan episode)")
    return plan


def _combination_for(plan: EpisodePlan, playset_name: str) -> tuple[ScannedQuality, ...]:
    if plan.playset != playset_name:
        raise IllegalAction(f"the plan is for {plan.playset}, not for {playset_name}")
    return plan.tried


@WEAVE.action("plan-episode", "WV-3", group="The season", opens=True)
def plan_episode(play: Play[Season], *, playset: PlaysetName | None = None) -> Steps[None]:
    """Scan Story cards ahead and try combinations of them before one is kept for the coming episode.

    Before a season there is no playset yet, so it has to be named.
    """
    of = play.state.playset or (play.state.plan.playset if play.state.plan else "") or playset
    if not of:
        raise IllegalAction("planning a season needs its playset")
    if playset not in (None, of):
        raise IllegalAction(f"what is planned here is for {of}, not for {playset}")
    _known_playset(of)
    while True:
        plan = play.state.plan or EpisodePlan(of)
        steps = [Option("scan", "Scan another card")] if len(plan.cards) < len(story_deck()) else []
        if len(plan.cards) >= len(STORY_ELEMENTS):
            steps.append(Option("try", "Try a combination"))
        if plan.tried and not plan.kept:
            steps.append(Option("keep", "Keep the combination tried last"))
        steps.append(Option("stop", "Stop planning"))
        step = yield from ask(Choose("Planning: what next?", tuple(steps), by=STORYTELLER, rule="WV-3"))
        if step.key == "stop":
            return
        if step.key == "scan":
            card = yield from _scanned_ahead(play, plan)
            yield CardScannedAhead(playset=of, card=card)
        elif step.key == "try":
            yield CombinationTried(tried=(yield from _combination(play, plan)))
        else:
            yield CombinationKept()


def _scanned_ahead(play: Play[Season], plan: EpisodePlan) -> Steps[ComponentId]:
    """Any Story card: planning is done between episodes, when all of them are at hand."""
    left = [c.id for c in story_deck() if c.id not in plan.cards]
    if dealt(play) and play.state.story.pile:
        return next((c for c in play.state.story.pile if c in left), left[0])
    shown = yield from ask(
        ShowCard(Kind.STORY, "Story card to plan with", numbers(left), by=STORYTELLER, rule="WV-3")
    )
    return shown.card


def _combination(play: Play[Season], plan: EpisodePlan) -> Steps[tuple[ScannedQuality, ...]]:
    tried: list[ScannedQuality] = []
    for kind in STORY_ELEMENTS:
        left = [c for c in plan.cards if c not in [q.card for q in tried]]
        options = tuple(named_card(c.number, c) for c in left)
        which = yield from ask(Choose(f"Card for the {kind.label}", options, by=STORYTELLER, rule="WV-3"))
        card = ComponentId.parse(which.key)
        tried.append((yield from choose_quality(play, kind, card, by=STORYTELLER, rule="WV-3", of=plan.playset)))
    return tuple(tried)


@WEAVE.action("new-episode", "WV-2", "WV-9", "WV-13", group="The season")
def new_episode(play: Play[Season], *, planned: bool = False) -> Steps[None]:
    """Begin a new episode: the old story elements are cleared, all cards are shuffled, three new scans.

    A Theme, Location or Boss that this season has had is marked, and choosing it again is confirmed.
    """
    check_season(play, between=True)
    kept = _combination_for(_kept_plan(play), play.state.playset) if planned else ()
    yield SceneEnded()
    if play.ruled("healing-deadline") == "next-episode":
        yield from _heal_or_leave(play)
    back = play.ruled("kept-cards-at-new-episode") == "handed-back"
    yield EpisodeBegun(episode=play.state.episode + 1, kept_go_back=back)
    yield from _lay_foundation(play, kept, rule="WV-2")
    if by_today(play):
        yield from scene_begins(play)


def _heal_or_leave(play: Play[Season]) -> Steps[None]:
    """With three Wounds, one has to be healed for a character to go on in the season (WV-9)."""
    options = (
        Option("heal", "A Wound is healed between the episodes"),
        Option("leave", "The season goes on without"),
    )
    for name, character in play.state.characters.items():
        if character.out and not character.left:
            question = Choose(f"{name} has three Wounds", options, by=character.player, rule="WV-9")
            answer = yield from ask(question)
            if answer.key == "heal":
                yield from heal_wounds(play, name, 1)
            else:
                yield LeftSeason(who=name)


# Players


@WEAVE.action("invite", "WV-5", group="Characters")
def invite(play: Play[Season], *, player: PlayerName) -> Steps[None]:
    """Invite a player by name, to make a character on their own device."""
    check_season(play)
    check_player(player)
    if player in play.state.players:
        raise IllegalAction(f"{player} has already been invited")
    yield PlayerInvited(player=player)


@WEAVE.action(
    "answer-invitation",
    "WV-5",
    begun_by=PLAYER,
    group="Characters",
    then=lambda given: "add-character" if given["accept"] else "",
    drafted=True,
)
def answer_invitation(play: Play[Season], *, player: PlayerName, accept: bool) -> Steps[None]:
    """An invited player joins the season, or does not."""
    if play.state.players.get(player) is not False:
        raise IllegalAction(f"no invitation of {player} is open")
    before = players_at_table(play.state)
    yield InvitationAnswered(player=player, accepted=accept)
    yield from advise(play, before)


def check_player(player: str) -> None:
    """Refuse a name that no player can have.

    Raises:
        IllegalAction: it is empty, or the storyteller's.
    """
    if not player.strip() or player == STORYTELLER:
        raise IllegalAction(f"a character needs a player, and {player!r} is none")


def players_at_table(season: Season) -> int:
    """How many people play, whether on their own device or not."""
    joined = {name for name, accepted in season.players.items() if accepted}
    return len(joined | {c.player for c in season.characters.values() if not c.left})


def advise(play: Play[Season], before: int) -> Steps[None]:
    """Any number can play; from six on, it is advised that this is hard to lead (WV-5)."""
    now = players_at_table(play.state)
    if now >= MANY_PLAYERS and now > before:
        yield ManyPlayers(players=now)
