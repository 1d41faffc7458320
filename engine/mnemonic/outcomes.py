"""What came of the dice of Mnemonic: skills, weavings, lessons, group scenes and Game Face."""

from __future__ import annotations

from loomtable.engine.kernel.results import NOTHING, Meaning, Outcome, RollInPlay, Throw, Tone
from loomtable.engine.mnemonic.events.modes import DieChosen, FaceRoundPlayed, GameFaceEnded
from loomtable.engine.mnemonic.events.people import SkillImproved, SkillLearned, SuitHealed
from loomtable.engine.mnemonic.events.scenes import (
    AdversaryRolled,
    GroupSceneEnded,
    RolledTogether,
    RoundBegun,
    SceneEnded,
    SkillUsed,
    TruthCalled,
    WeavingPerformed,
)
from loomtable.engine.mnemonic.state import Chronicle, GroupOutcome
from loomtable.engine.mnemonic.system import MNEMONIC
from loomtable.engine.mnemonic.uses import CLEAN

SIX, ONE, HIGHEST = (Meaning("clean", Tone.GOOD), Meaning("a 1"), Meaning("the highest", Tone.GOOD))
_APART = (RoundBegun, SceneEnded)
"""What goes on after a roll."""


@MNEMONIC.outcome
def outcome(roll: RollInPlay[Chronicle], viewer: str) -> Outcome:
    """A skill (MN-3), a weaving (MN-5), a truth (MN-8), a group scene (MN-12) or whatever was rolled last."""
    over = roll.last(GroupSceneEnded)
    if over is not None:
        return Outcome(
            settled=True,
            verdict=str(over.outcome).capitalize(),
            passed={GroupOutcome.VICTORY: True, GroupOutcome.DEFEAT: False}.get(over.outcome),
            counted=(f"{over.players or 'nothing'} against {over.adversary}: the highest die counts",),
            meanings=tuple(map(_highest, roll.throws)),
            title="The group scene",
            said=(AdversaryRolled, RolledTogether, *_APART),
            ending={GroupOutcome.VICTORY: "The group wins.", GroupOutcome.DEFEAT: "The adversary wins."}.get(
                over.outcome, "Nobody wins."
            ),
        )
    played = roll.last(FaceRoundPlayed)
    if played is not None:
        done = roll.last(GameFaceEnded)
        return Outcome(
            settled=True,
            verdict=f"{played.winner} wins" if played.winner else "A draw",
            title="Game Face",
            said=(DieChosen, GameFaceEnded),
            ending=f"{done.winner or 'Nobody'} wins Game Face." if done is not None else "",
        )
    return _of_one_person(roll)


def _of_one_person(roll: RollInPlay[Chronicle]) -> Outcome:
    for event in reversed(roll.events):
        match event:
            case SkillUsed():
                return _skill(roll, event)
            case WeavingPerformed(weaver=weaver):
                return Outcome(settled=True, verdict=event.band.label, title=f"{weaver} weaves", said=_APART)
            case TruthCalled(keeper=keeper, skill=skill, face=face):
                came = face > 1
                return Outcome(
                    settled=True,
                    verdict=f"{keeper} comes" if came else "Nobody comes",
                    passed=came,
                    title=f"{skill} of {keeper}",
                )
            case SkillLearned(skill=skill, who=who):
                said = f"Learned at rating {skill.rating}"
                return Outcome(settled=True, verdict=said, title=f"{who} learns {skill.name}")
            case SuitHealed(suit=suit, absent=absent):
                return Outcome(settled=True, verdict=f"{suit.label} healed", passed=not absent)
            case RolledTogether():
                return Outcome(meanings=tuple(map(_highest, roll.throws)))
    return Outcome()


def _skill(roll: RollInPlay[Chronicle], used: SkillUsed) -> Outcome:
    """A skill always does what it was meant to; a 6 keeps it from hurting anybody (MN-3, MN-6)."""
    improved = roll.last(SkillImproved) is not None
    row = tuple(SIX if face == CLEAN else ONE if improved and face == 1 else NOTHING for face in used.faces)
    return Outcome(
        settled=True,
        verdict="Clean" if used.clean else "Not clean",
        passed=used.clean,
        counted=(f"the highest die is a {max(used.faces)}; a 6 keeps it clean",),
        meanings=(row,),
        title=f"{used.who} uses {used.skill}",
        said=_APART,
    )


def _highest(throw: Throw) -> tuple[Meaning, ...]:
    """The first of the highest dice is the one that counts."""
    at = throw.faces.index(max(throw.faces, key=int))
    return tuple(HIGHEST if place == at else NOTHING for place in range(len(throw.faces)))
