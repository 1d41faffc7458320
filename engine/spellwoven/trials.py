"""Tests outside combat: against a difficulty, or against each other (SP-1, SP-23)."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.spellwoven.acting import Declared
from loomtable.engine.spellwoven.arguments import SkillName, Who, Whom
from loomtable.engine.spellwoven.attribute_tests import skill_key, skill_test
from loomtable.engine.spellwoven.events.people import EffortChanged, Opposed
from loomtable.engine.spellwoven.lookup import living
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.system import SPELLWOVEN
from loomtable.engine.spellwoven.turns import able


@SPELLWOVEN.action("test", "SP-1", "SP-2", "SP-23", group="Tests")
def plain_test(
    play: Play[Adventure],
    *,
    who: Who,
    skill: SkillName,
    difficulty: int = 1,
    situation: Declared = Declared.EVEN,
    doing: str = "",
) -> Steps[None]:
    """Test a skill: three dice, and as many successes as the difficulty."""
    skill = _ready(play, who, skill, difficulty)
    purpose = f"{who}: {doing.strip() or skill}, difficulty {difficulty}"
    yield from skill_test(
        play, who, skill, difficulty, purpose, rule="SP-23", leaning=situation.leaning, doing=doing
    )


@SPELLWOVEN.action("opposed-test", "SP-23", group="Tests")
def opposed_test(
    play: Play[Adventure],
    *,
    who: Who,
    skill: SkillName,
    opposer: Whom,
    opposing_skill: SkillName,
    situation: Declared = Declared.EVEN,
) -> Steps[None]:
    """Test a skill against somebody who opposes it: more successes win; ``situation`` is that of ``who``."""
    skill = _ready(play, who, skill)
    if who == opposer:
        raise IllegalAction(f"{who} cannot oppose {who}")
    opposing_skill = _ready(play, opposer, opposing_skill)
    tie = play.ruled("opposed-tie")
    throw = 0
    while True:
        throw += 1
        again = f", roll {throw}" if throw > 1 else ""
        own = yield from skill_test(
            play,
            who,
            skill,
            None,
            f"{who}: {skill} against {opposer}{again}",
            rule="SP-23",
            leaning=situation.leaning,
        )
        other = yield from skill_test(
            play, opposer, opposing_skill, None, f"{opposer}: {opposing_skill} against {who}{again}", rule="SP-23"
        )
        if own.successes != other.successes or tie != "roll-again":
            break
    winner = opposer if tie == "opposer" else ""
    if own.successes != other.successes:
        winner = who if own.successes > other.successes else opposer
    yield Opposed(who=who, opposer=opposer, winner=winner)


def _ready(play: Play[Adventure], who: str, skill: str, difficulty: int = 1) -> str:
    if play.state.conflict is not None and who in play.state.conflict.combatants:
        raise IllegalAction(f"{who} is in a conflict; a test there is the action of the round (Act)")
    living(play, who)
    able(play, who)
    return skill_key(play, who, skill, difficulty)


@SPELLWOVEN.action("change-effort", "SP-2", group="Tests")
def change_effort(play: Play[Adventure], *, who: Who, by: int, reason: str) -> Steps[None]:
    """Give back or take Effort, as the story and the storyteller say."""
    sheet = living(play, who)
    if sheet.effort + by < 0:
        raise IllegalAction(f"{who} has {sheet.effort} Effort, which cannot change by {by:+d}")
    yield EffortChanged(who=who, by=by, reason=reason)
