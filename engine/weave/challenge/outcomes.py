"""What came of a roll of Weave dice: each success and Strike, the pool, pass or fail, and who won a combat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.readings import ChoiceReading, DiceReading, NumberReading
from loomtable.engine.kernel.requests import Choose, EnterNumber, Roll
from loomtable.engine.kernel.results import NOTHING, SPENT, Meaning, Outcome, RollInPlay, Tone
from loomtable.engine.kernel.wording import ended, how_many, listed
from loomtable.engine.weave.challenge.tally import (
    ONCE_MORE,
    STRIKE_ANEW,
    STRIKE_FACE,
    STRIKES_AGAIN,
    WEAVE_FACE,
    WEAVES_AGAIN,
)
from loomtable.engine.weave.events.encounters import EncounterEnded, TurnBegun
from loomtable.engine.weave.events.figures import (
    ChallengeIssued,
    ChallengeResolved,
    CoreChallengeRolled,
    PassivesApplied,
)
from loomtable.engine.weave.state import BASE_POOL, Encounter, Season
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE
from loomtable.engine.weave.words import hears

SUCCESS = Meaning("success", Tone.GOOD)
WILD = Meaning("success", Tone.GOOD)
AGAIN = Meaning("success, rolled again", Tone.GOOD)
STRIKE = Meaning("Strike", Tone.BAD)
STRUCK = Meaning("Strike, rolled again", Tone.BAD)


@WEAVE.outcome
def outcome(roll: RollInPlay[Season], viewer: str) -> Outcome:
    """A Challenge, a Core Challenge, or the end of an encounter (WV-17, WV-18, WV-22, WV-23)."""
    over, met = roll.last(EncounterEnded), roll.before.state.encounter
    if over is not None and met is not None:
        ending = _ending(over, met, roll.after.state)
        return Outcome(settled=True, verdict="The encounter ends", ending=ending, said=(EncounterEnded,))
    issued, resolved, core = (
        roll.faced(ChallengeIssued),
        roll.last(ChallengeResolved),
        roll.last(CoreChallengeRolled),
    )
    if resolved is not None and issued is not None:
        return Outcome(
            settled=True,
            verdict=str(resolved.outcome).capitalize(),
            passed=resolved.outcome.passed,
            counted=(
                f"{how_many(resolved.successes, 'success', 'successes')} against level {resolved.level}",
                *([how_many(resolved.strikes, "Strike", "Strikes")] if resolved.strikes else []),
                *_pool(roll, issued, viewer),
            ),
            meanings=_meanings(roll, resolved.suit),
            title=f"{resolved.who}: {resolved.suit.label} Challenge",
            said=(ChallengeIssued, ChallengeResolved, TurnBegun),
        )
    if core is not None:
        return Outcome(
            settled=True,
            verdict="Pass" if core.passed else "Fail",
            passed=core.passed,
            counted=(how_many(core.successes, "success", "successes"),),
            meanings=_meanings(roll, core.suit),
            title=f"{core.who}: {core.suit.label} Core Challenge",
            said=(CoreChallengeRolled, TurnBegun),
        )
    return _so_far(roll, issued, viewer)


def _so_far(roll: RollInPlay[Season], issued: ChallengeIssued | None, viewer: str) -> Outcome:
    """The dice that lie there while some may still be rolled again."""
    suit = next((s for throw in roll.throws for s in Suit if throw.purpose.startswith(s.label)), None)
    if suit is None:
        return Outcome()
    meanings = _meanings(roll, suit)
    count = sum(meaning.tone is Tone.GOOD for throw in meanings for meaning in throw)
    successes = how_many(count, "success", "successes")
    against = f" against level {issued.level}" if issued is not None else ""
    return Outcome(counted=(f"{successes} so far{against}", *_pool(roll, issued, viewer)), meanings=meanings)


def _pool(roll: RollInPlay[Season], issued: ChallengeIssued | None, viewer: str) -> Iterator[str]:
    """Of what the pool was made, everything once (WV-9, WV-17), for those who may see the sheet."""
    sheet = roll.before.state.characters.get(issued.who) if issued is not None else None
    if issued is None or sheet is None or viewer not in (STORYTELLER, sheet.player):
        return
    core = issued.suit is sheet.core_suit
    known = {"Core Suit": int(core), "Backstory": sheet.dice_bonus(issued.suit) - core, "Wounds": -sheet.wounds}
    felt = roll.faced(PassivesApplied)
    heard = felt is not None and (viewer == STORYTELLER or hears(felt, roll.before.state, viewer))
    for passive in felt.applied if felt is not None and heard and felt.who == issued.who else ():
        known[passive.quality] = known.get(passive.quality, 0) + passive.change.dice
    known["other effects"] = issued.pool - BASE_POOL - sum(known.values())
    if parts := [f" {'+' if n > 0 else '-'} {abs(n)} {why}" for why, n in known.items() if n]:
        yield f"{how_many(issued.pool, 'die', 'dice')}: {BASE_POOL}{''.join(parts)}"


def _meanings(roll: RollInPlay[Season], suit: Suit) -> tuple[tuple[Meaning, ...], ...]:
    """What every die counts for, over all throws; a Weave that was picked up stays a success (WV-10, WV-17)."""
    rulings = roll.before.rulings
    on_rerolls = rulings["strikes-on-rerolls"] == "counted"
    lifted = SPENT if rulings["lucky-rerolled-strikes"] == "taken-back" else STRUCK
    throws: list[list[Meaning]] = []
    for step, asked, lying in zip(roll.steps, roll.asked, _faces(roll), strict=True):
        match step.step.what:
            case NumberReading(value=count) if isinstance(asked, EnterNumber):
                if asked.purpose.startswith(WEAVES_AGAIN):
                    _pick_up(throws, WILD, AGAIN, count)
                elif asked.purpose.startswith(STRIKES_AGAIN):
                    _pick_up(throws, STRIKE, lifted, count)
            case ChoiceReading(keys=keys) if isinstance(asked, Choose) and throws:
                for key in keys if asked.purpose.startswith("Dice to replace") else ():
                    throws[0][int(key) - 1] = SPENT
            case _ if lying:
                if isinstance(asked, Roll) and asked.purpose.endswith(ONCE_MORE):
                    throws = [[SPENT] * len(throw) for throw in throws]
                if isinstance(asked, Roll) and asked.purpose.endswith(STRIKE_ANEW):
                    _pick_up(throws, STRIKE, SPENT, 1)
                throws.append([_meaning(face, suit, strikes=not throws or on_rerolls) for face in lying])
    final = roll.last(ChallengeResolved) is not None or roll.last(CoreChallengeRolled) is not None
    return tuple(tuple(SUCCESS if final and m is WILD else m for m in throw) for throw in throws)


def _faces(roll: RollInPlay[Season]) -> Iterator[tuple[object, ...]]:
    """For each step the faces thrown in it; nothing where none were."""
    throws = iter(roll.throws)
    for step in roll.steps:
        yield next(throws).faces if isinstance(step.step.what, DiceReading) else ()


def _meaning(face: object, suit: Suit, *, strikes: bool) -> Meaning:
    if face == WEAVE_FACE:
        return WILD
    if face == STRIKE_FACE:
        return STRIKE if strikes else NOTHING
    return SUCCESS if face == suit.value else NOTHING


def _pick_up(throws: list[list[Meaning]], kind: Meaning, lifted: Meaning, count: int) -> None:
    """Mark so many dice as rolled again, the latest first."""
    for throw in reversed(throws):
        for place, meaning in enumerate(throw):
            if count and meaning is kind:
                throw[place], count = lifted, count - 1


def _ending(over: EncounterEnded, met: Encounter, season: Season) -> str:
    """Who still stands where all of the other side have fallen; otherwise how it was resolved."""
    heroes = [n for n in met.participants if n in season.characters]
    enemies = [n for n in met.participants if n in season.npcs and season.npcs[n].hostile]
    won = ""
    if met.combat and enemies and heroes:
        if not _standing(season, enemies):
            won = _win(_standing(season, heroes) or heroes)
        elif not _standing(season, heroes):
            won = _win(_standing(season, enemies))
    return f"{won} {ended(over.resolution)}".strip()


def _standing(season: Season, names: Iterable[str]) -> list[str]:
    return [name for name in names if not season.figure(name).out]


def _win(names: list[str]) -> str:
    return f"{listed(names)} {'wins' if len(names) == 1 else 'win'}."
