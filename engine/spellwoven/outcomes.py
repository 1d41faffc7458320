"""What came of three dice: successes and bonuses, hit or miss, how grave the wound is, who held the field."""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.results import NOTHING, SPENT, Meaning, Outcome, RollInPlay, Throw, Tone
from loomtable.engine.kernel.wording import article, ended, how_many
from loomtable.engine.spellwoven.attribute_tests import DICE, ONCE_MORE, best_or_worst
from loomtable.engine.spellwoven.events.fight import Attacked, Talked
from loomtable.engine.spellwoven.events.order import ConflictEnded, InitiativeSet, RoundBegun, TieRolled, TurnTaken
from loomtable.engine.spellwoven.events.people import Opposed, RollFaced, Tested
from loomtable.engine.spellwoven.events.wounds import MenaceCounted
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.system import SPELLWOVEN

SUCCESS, TWO = Meaning("success", Tone.GOOD), Meaning("two successes", Tone.GOOD)
LEFT_OUT = Meaning("left out", Tone.SPENT)
_APART = (ConflictEnded, InitiativeSet, RollFaced, RoundBegun, TurnTaken)
"""What goes on after a roll, or stands in its words already."""


@SPELLWOVEN.outcome
def outcome(roll: RollInPlay[Adventure], viewer: str) -> Outcome:
    """A test (SP-1), a Menace roll (SP-11), a tie (SP-3), or the end of a conflict (SP-21).

    Of those whom the storyteller plays others see the dice and what came of it, not the rating.
    """
    over = roll.last(ConflictEnded)
    ending = _ending(over) if over is not None else ""
    faced = roll.faced(RollFaced)
    rolled = [event.who for event in roll.events if isinstance(event, RollFaced)]
    at_once = {e.who: e.initiative for e in roll.events if isinstance(e, InitiativeSet) and e.who in rolled}
    if len(at_once) > 1:
        order = tuple(f"{who} acts on {initiative}" for who, initiative in at_once.items())
        heroes = roll.before.state.characters[rolled[0]].is_player_character
        verdict = "The heroes are ready" if heroes else "The foes are ready"
        return Outcome(settled=True, verdict=verdict, counted=order, said=(Tested, *_APART))
    if not roll.throws or faced is None:
        return _without_rating(roll, ending)
    sheet = roll.before.state.characters.get(faced.who)
    shown = viewer == STORYTELLER or (sheet is not None and sheet.is_player_character)
    # Of dice that several threw at once none is this person's alone.
    meanings = _meanings(roll.throws, faced) if shown and len(roll.throws[0].faces) <= DICE + 1 else ()
    menace, tested = roll.last(MenaceCounted), roll.last(Tested)
    if menace is not None:
        return Outcome(
            settled=True,
            verdict=f"{menace.target}: {article(menace.severity.label)} wound",
            counted=(how_many(menace.successes, "success", "successes"),) if shown else (),
            meanings=meanings,
            ending=ending,
            said=(MenaceCounted, *_APART),
        )
    if tested is not None:
        return Outcome(
            settled=True,
            verdict=_verdict(roll, tested, shown=shown),
            passed=None if tested.difficulty is None else tested.passed,
            counted=_counted(tested) if shown else (),
            meanings=meanings,
            ending=ending,
            said=(Tested, Attacked, *_APART),
        )
    found = _without_rating(roll, ending)
    if found.settled or not shown:
        return found
    count = sum({SUCCESS: 1, TWO: 2}.get(m, 0) for throw in meanings for m in throw)
    needed = f", {faced.difficulty} needed" if faced.difficulty is not None else ""
    return Outcome(counted=(f"{how_many(count, 'success', 'successes')} so far{needed}",), meanings=meanings)


def _without_rating(roll: RollInPlay[Adventure], ending: str) -> Outcome:
    """A tie, or a conflict that ends without dice."""
    tie = roll.last(TieRolled)
    if tie is not None:
        return Outcome(
            settled=True, verdict=str(tie.face), counted=("the lowest acts first",), said=(TieRolled, *_APART)
        )
    return Outcome(
        settled=bool(ending), verdict="The conflict is over" if ending else "", ending=ending, said=_APART
    )


def _verdict(roll: RollInPlay[Adventure], tested: Tested, *, shown: bool) -> str:
    attacked, opposed, talked = roll.last(Attacked), roll.last(Opposed), roll.last(Talked)
    initiative = roll.last(InitiativeSet)
    if attacked is not None:
        return "Hit" if attacked.hit else "Miss"
    if opposed is not None:
        return f"{opposed.winner or 'Nobody'} wins"
    if talked is not None:
        return "It works" if talked.succeeded else "In vain"
    if initiative is not None:
        return f"Acts on {initiative.initiative}"
    if tested.difficulty is None:
        return how_many(tested.successes, "success", "successes").capitalize() if shown else "Rolled"
    return "Pass" if tested.passed else "Fail"


def _counted(tested: Tested) -> tuple[str, ...]:
    needed = f", {tested.difficulty} needed" if tested.difficulty is not None else ""
    bonus = f"{abs(tested.bonus)} of them added" if tested.bonus > 0 else f"{-tested.bonus} taken away"
    return (
        f"{how_many(tested.successes, 'success', 'successes')}{needed}",
        *([f"{bonus}: Effort, talents, advantage"] if tested.bonus else []),
        f"rating {tested.rating}",
    )


def _meanings(throws: tuple[Throw, ...], faced: RollFaced) -> tuple[tuple[Meaning, ...], ...]:
    """What every die counts for; those that were rolled again or are one too many count no more (SP-9, SP-23)."""
    meant: list[list[Meaning]] = []
    for throw in throws:
        pips = [int(face) for face in throw.faces]
        if meant and throw.purpose.endswith(ONCE_MORE):
            before = [int(face) for face in throws[len(meant) - 1].faces]
            meant[-1][before.index(max(before) if faced.edge > 0 else min(before))] = SPENT
        elif meant:
            meant = [[SPENT] * len(dice) for dice in meant]
        row = [TWO if face == 1 else SUCCESS if face <= faced.rating else NOTHING for face in pips]
        if len(pips) > DICE:
            left_out = sum(pips) - sum(best_or_worst(pips, faced.edge))
            row[pips.index(left_out)] = LEFT_OUT
        meant.append(row)
    return tuple(map(tuple, meant))


def _ending(over: ConflictEnded) -> str:
    """Who won, or how it ended."""
    if over.outcome.strip():
        return ended(over.outcome.strip()[:1].upper() + over.outcome.strip()[1:])
    if not over.standing:
        return "Nobody stands."
    side = over.standing[0]
    return f"The {side.removeprefix('the ')} won the fight."
