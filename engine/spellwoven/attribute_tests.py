"""Tests: three dice against a rating, Effort, talents, advantage (SP-1, SP-2, SP-9, SP-23)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, EnterNumber, Option, Roll
from loomtable.engine.kernel.wording import how_many, nearest
from loomtable.engine.spellwoven.armoury import Talent, TalentEffect, When, key_of, skills
from loomtable.engine.spellwoven.events.people import EffortChanged, RollFaced, TalentUsed, Tested
from loomtable.engine.spellwoven.lookup import stands
from loomtable.engine.spellwoven.state import Adventure

DICE = 3
ONCE_MORE = "once more"
HEROIC_BONUS = 3
MANOEUVRE, QUICKNESS, PROWESS = "manoeuvre", "quickness", "prowess"
SENSES, FORTITUDE, HEALING, SPEED = "senses", "fortitude", "healing", "speed"


class Leaning(msgspec.Struct, frozen=True):
    """Why a test is at an advantage, and why at a disadvantage."""

    favours: tuple[str, ...] = ()
    hinders: tuple[str, ...] = ()

    def __add__(self, other: Leaning) -> Leaning:
        return Leaning(self.favours + other.favours, self.hinders + other.hinders)

    def net(self, stacking: str) -> int:
        """1 for an advantage, -1 for a disadvantage, by the ruling ``advantages-and-disadvantages``."""
        favours, hinders = len(self.favours), len(self.hinders)
        if stacking == "cancel":
            favours, hinders = min(favours, 1), min(hinders, 1)
        return (favours > hinders) - (favours < hinders)


EVEN = Leaning()


class Count(msgspec.Struct, frozen=True):
    """A roll that was counted: the three dice that stand, what was added, and the successes of it all."""

    faces: tuple[int, ...]
    bonus: int
    successes: int

    @property
    def triplet(self) -> bool:
        """Whether the three dice show the same (SP-17)."""
        return len(set(self.faces)) == 1


def successes_of(faces: Sequence[int], rating: int) -> int:
    """One for each die at or under the rating, two for a 1 (SP-1)."""
    return sum(2 if face == 1 else int(face <= rating) for face in faces)


def best_or_worst(faces: Sequence[int], leaning: int) -> tuple[int, ...]:
    """The three lowest, or with a disadvantage the three highest, of the dice (SP-23)."""
    ordered = sorted(faces)
    return tuple(ordered[:DICE] if leaning > 0 else ordered[-DICE:])


def skill_key(play: Play[Adventure], who: str, skill: str, difficulty: int = 1) -> str:
    """The skill's key, if ``who`` can test it.

    Raises:
        IllegalAction: ``who`` has neither that rating nor one in its place, or it would not be difficult at all.
    """
    key = key_of(skill)
    if rating_of(play, who, key) is None:
        known = {*skills(), *play.state.characters[who].ratings}
        hint = "" if key in known else nearest(key, sorted(known))
        raise IllegalAction(f"{who} has no rating in {skill!r}{hint}")
    if difficulty < 1:
        raise IllegalAction("a test has a difficulty of at least 1")
    return key


def rating_of(play: Play[Adventure], who: str, skill: str) -> int | None:
    """The rating that ``who`` tests for a skill, or ``None`` without one.

    Quickness stands in for Manoeuvre (SP-3); for an NPC Prowess does, by the ruling ``npc-without-the-skill``.
    """
    sheet = play.state.characters[who]
    if skill in sheet.ratings:
        return sheet.ratings[skill]
    if skill == MANOEUVRE and QUICKNESS in sheet.ratings:
        return sheet.ratings[QUICKNESS]
    if not sheet.is_player_character and play.ruled("npc-without-the-skill") == "prowess":
        return sheet.ratings.get(PROWESS)
    return None


def leaning_in_conflict(play: Play[Adventure], who: str, *, exempt: bool = False) -> Leaning:
    """What the optional rules say about any test of ``who`` (SP-22).

    ``exempt`` is running and defending, which maiming does not hinder.
    """
    hinders: list[str] = []
    if play.state.characters[who].maimed and play.ruled("maiming") == "on" and not exempt:
        hinders.append(f"{who} is maimed")
    if outnumbered(play, who):
        hinders.append(f"{who} is outnumbered")
    return Leaning(hinders=tuple(hinders))


def outnumbered(play: Play[Adventure], who: str) -> bool:
    """Whether ``who`` faces too many, by the option ``outnumbering`` (SP-22)."""
    way, conflict = play.ruled("outnumbering"), play.state.conflict
    if way == "off" or conflict is None or who not in conflict.combatants:
        return False
    if way == "own-attackers":
        return len(conflict.combatants[who].attacked_by) > 1
    engaged = [n for n, c in conflict.combatants.items() if c.proximity == "engaged" and stands(play.state, n)]
    own_side = [n for n in engaged if play.state.characters[n].side == play.state.characters[who].side]
    return who in engaged and len(engaged) - len(own_side) > len(own_side)


def skill_test(
    play: Play[Adventure],
    who: str,
    skill: str,
    difficulty: int | None,
    purpose: str,
    *,
    rule: str,
    leaning: Leaning = EVEN,
    at: When | None = When.TEST_ROLLED,
    exempt: bool = False,
    effort: bool = True,
    doing: str = "",
    words: str = "",
    thrown: tuple[int, ...] = (),
) -> Steps[Count]:
    """Three dice against a skill (SP-1); passed with as many successes as the difficulty.

    Who has no rating at all and is forced to test counts no success and rolls nothing. ``thrown`` are the dice
    where they lie there already.
    """
    rating = rating_of(play, who, skill)
    if rating is None:
        counted = Count((), 0, 0)
    else:
        leaning = leaning_in_conflict(play, who, exempt=exempt) + leaning
        fitting = _fitting_talents(play, who, at, skill)
        counted = yield from count_roll(
            play,
            who,
            rating,
            purpose,
            rule=rule,
            leaning=leaning,
            talents=fitting,
            difficulty=difficulty,
            effort=effort,
            words=words,
            thrown=thrown,
        )
    passed = counted.successes >= (1 if difficulty is None else difficulty)
    yield Tested(
        who=who,
        what=skill,
        rating=rating or 0,
        faces=counted.faces,
        bonus=counted.bonus,
        successes=counted.successes,
        difficulty=difficulty,
        passed=passed,
        doing=doing.strip(),
    )
    return counted


def count_roll(
    play: Play[Adventure],
    who: str,
    rating: int,
    purpose: str,
    *,
    rule: str,
    leaning: Leaning = EVEN,
    talents: Callable[[], tuple[Talent, ...]] = tuple,
    difficulty: int | None = None,
    effort: bool = True,
    words: str = "",
    brings: Callable[[int], str] | None = None,
    thrown: tuple[int, ...] = (),
) -> Steps[Count]:
    """Roll and count: dice, then talents, then Effort (SP-1, SP-2, SP-9).

    ``words`` ask for the Effort; ``brings`` says what so many successes bring, where that is no difficulty.
    """
    words = words or f"{purpose}: spend Effort?"
    declared = effort and play.ruled("effort-after-roll") == "declared-before"
    bonus = HEROIC_BONUS if play.state.characters[who].heroic else 0
    if declared:
        bonus += yield from _effort(play, who, f"{purpose}: Effort, before the roll", words)
    net = leaning.net(play.ruled("advantages-and-disadvantages"))
    left = play.state.characters[who].effort if effort and not declared else 0
    yield RollFaced(who=who, rating=rating, difficulty=difficulty, bonus=bonus, edge=net, effort=left, rule=rule)
    faces = thrown or (yield from _throw(play, who, purpose, net, leaning, rule))
    done: list[str] = []
    while offered := [t for t in talents() if t.key not in done]:
        talent = yield from offer_talent(
            who, offered, purpose, why=_so_far_in_words(successes_of(faces, rating) + bonus, difficulty)
        )
        if talent is None:
            break
        again = talent.effect is TalentEffect.RE_ROLL
        yield TalentUsed(who=who, talent=talent.key, instead_of=faces if again else ())
        done.append(talent.key)
        if again:  # the second roll stands, so no other talent rolls it a third time
            done += [t.key for t in offered if t.effect is TalentEffect.RE_ROLL]
            faces = yield from _throw(play, who, f"{purpose}, again by {talent.name}", net, leaning, rule)
        else:
            bonus += talent.by
    successes = successes_of(faces, rating) + bonus
    if net and play.ruled("advantage") == "one-success":
        bonus, successes = bonus + net, max(0, successes + net)
    if effort and not declared:
        why = _so_far_in_words(successes, difficulty)
        brought = brings or partial(_against, difficulty)
        spent = yield from _effort(
            play, who, f"{purpose}: Effort to spend", words, why, lambda n: brought(successes + n)
        )
        bonus, successes = bonus + spent, successes + spent
    return Count(faces, bonus, successes)


def _throw(
    play: Play[Adventure], who: str, purpose: str, net: int, leaning: Leaning, rule: str
) -> Steps[tuple[int, ...]]:
    """The three dice that count, by the ruling ``advantage`` (SP-23)."""
    way = play.ruled("advantage")
    count = DICE + 1 if net and way == "four-dice" else DICE
    why = ""
    if net:
        reasons = leaning.favours if net > 0 else leaning.hinders
        why = f"{'Advantage' if net > 0 else 'Disadvantage'}: {', '.join(reasons)}."
    lying = yield from ask(Roll(Die.D10, count, purpose, by=who, rule=rule, why=why))
    if count > DICE:
        return best_or_worst(lying.pips, net)
    if net and way == "one-die-again":
        lifted = max(lying.pips) if net > 0 else min(lying.pips)
        again = yield from ask(
            Roll(Die.D10, 1, f"{purpose}: the {lifted} {ONCE_MORE}", by=who, rule="SP-23", why=why)
        )
        place = lying.pips.index(lifted)
        return (*lying.pips[:place], *again.pips, *lying.pips[place + 1 :])
    return lying.pips


def _against(difficulty: int | None, successes: int) -> str:
    """What so many successes bring: ``"3 successes, enough"``."""
    enough = difficulty is not None and successes >= difficulty
    return how_many(successes, "success", "successes") + (", enough" if enough else "")


def _effort(
    play: Play[Adventure],
    who: str,
    purpose: str,
    words: str,
    why: str = "",
    brings: Callable[[int], str] = lambda n: "",
) -> Steps[int]:
    """As much Effort as somebody wants to spend and has (SP-2)."""
    available = play.state.characters[who].effort
    if available == 0:
        return 0
    options = tuple(
        Option(str(n), f"Spend {n}" if n else "No Effort", does=brings(n)) for n in range(available + 1)
    )
    asked = EnterNumber(purpose, 0, available, options, by=who, rule="SP-2", why=why, words=words)
    spent = yield from ask(asked)
    if spent.value:
        yield EffortChanged(who=who, by=-spent.value)
    return spent.value


def usable_talents(play: Play[Adventure], who: str, at: When) -> tuple[Talent, ...]:
    """The talents that ``who`` can still use in this conflict at this moment (SP-9)."""
    conflict = play.state.conflict
    if conflict is None or who not in conflict.combatants:
        return ()
    used = conflict.combatants[who].talents_used
    return tuple(t for t in play.state.characters[who].talents if t.when is at and used.get(t.key, 0) < t.uses)


def _fitting_talents(
    play: Play[Adventure], who: str, at: When | None, skill: str
) -> Callable[[], tuple[Talent, ...]]:
    if at is None:
        return tuple
    return lambda: tuple(t for t in usable_talents(play, who, at) if t.skill in ("", skill))


def offer_talent(who: str, offered: Sequence[Talent], purpose: str, *, why: str = "") -> Steps[Talent | None]:
    """Ask whether one of the talents is used now (SP-9)."""
    if not offered:
        return None
    options = (Option("none", "No talent"), *(Option(t.key, t.name, t.says, t.does) for t in offered))
    chosen = yield from ask(Choose(f"{purpose}: a talent?", options, by=who, rule="SP-9", why=why))
    return next((t for t in offered if t.key == chosen.key), None)


def _so_far_in_words(successes: int, difficulty: int | None) -> str:
    needed = f"; {difficulty} needed" if difficulty is not None else ""
    return f"{how_many(successes, 'success', 'successes')} so far{needed}."
