"""What hands say on the table of Woven: a mage is moved, threads and tendrils are laid, a turn ends.

Cards on a grid are read by their tags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.gestures import Counted, Offer, Situation
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading, Source
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.wording import listed
from loomtable.engine.woven.asking import spot_key
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.system import WOVEN
from loomtable.engine.woven.tapestry import Spot


@WOVEN.gesture("move")
def move(situation: Situation[Contest]) -> Iterator[Offer]:
    """A mage's figure in another region than in the record moves there, first that of whose turn it is (WO-5)."""
    contest = situation.state
    if not contest.mages:
        return
    regions = {region.name: region.key for region in contest.ground.regions}
    on_map = [
        one for one in situation.table.figures if one.new and one.field in regions and one.who in contest.mages
    ]
    for one in sorted(on_map, key=lambda one: one.who != situation.turn)[:1]:
        mage, to = contest.mages[one.who], regions[one.field]
        if mage.place == to:
            continue
        came = f"from {contest.ground.region(mage.place).name} into" if mage.on_map else "onto the map, into"
        action = Action("move", {"who": one.who, "to": to})
        reason = _waits(situation, "move")
        yield Offer(f"{one.who} moves {came} {one.field}", action, reason=reason, about=one.who)


@WOVEN.gesture("thread")
def thread(situation: Situation[Contest]) -> Iterator[Offer]:
    """A new thread on the tapestry of whose turn it is is placed there; a spell is asked for then (WO-6)."""
    lying = [counter for counter in situation.table.counters if counter.kind == "thread"]
    for one in lying:
        if not one.new or one.count <= one.record:
            continue
        reason = _waits(situation, "a thread") or ("lay one thread in each box" if one.count > 1 else "")
        action = Action("place-thread", {"who": one.who, "at": list(_spot(situation, one))})
        says = f"{one.who} places a thread on {one.field}"
        # While others are not as in the record, this one may have been pushed there.
        yield Offer(says, action, reason=reason, about=one.name, sure=len(lying) == 1)


@WOVEN.gesture("thread-back")
def thread_back(situation: Situation[Contest]) -> Iterator[Offer]:
    """A thread that is gone comes back: as is asked, or with a rest (WO-4). One may only be covered."""
    gone = [one for one in situation.table.counters if one.kind == "thread" and one.count < one.record]
    if not any(one.new for one in gone):
        return
    who, asked, about = gone[0].who, situation.asked, gone[0].name
    says = f"{who} takes back the thread on {listed(one.field for one in gone)}"
    keys = tuple(spot_key(_spot(situation, one)) for one in gone)
    back = ChoiceReading(keys, Source.CAMERA)
    if isinstance(asked, Choose) and {option.key for option in asked.options}.issuperset(keys):
        yield Offer(says, answers=(back,), about=about, sure=len(keys) == asked.at_most)
    elif asked is None:
        asks = len(situation.state.mages[who].threads) > 1 or situation.game.rulings["rest-thread"] == "may"
        reason = "a rest brings one back" if len(gone) > 1 else ""
        rest = Action("rest", {"who": who})
        answers = (back,) if asks else ()
        yield Offer(f"{who} rests, and {says[len(who) + 1 :]}", rest, answers, reason, about, sure=False)


def _spot(situation: Situation[Contest], one: Counted) -> Spot:
    return next(spot for spot in situation.state.mages[one.who].tapestry.visible() if str(spot) == one.field)


@WOVEN.gesture("tendril")
def tendril(situation: Situation[Contest]) -> Iterator[Offer]:
    """A new tendril was created where its mage is, came from a region beside it, or was asked for (WO-7); one that
    is gone, and lies nowhere else, comes back into the pool (WO-9), if it is not only covered."""
    lying = [counter for counter in situation.table.counters if counter.kind == "tendril"]
    for one in lying:
        others = [other for other in lying if other is not one]
        if one.new and one.count > one.record:
            yield from _new_tendril(situation, one, others)
        elif one.new and situation.asked is None and all(other.count < other.record for other in others):
            region = next(region for region in situation.state.ground.regions if region.name == one.field)
            action = Action("recover", {"who": one.who, "tendril": region.key})
            says = f"{one.who} takes back a tendril from {one.field}"
            reason = "take one away at a time" if one.record - one.count > 1 else ""
            yield Offer(says, action, reason=reason, about=one.name, sure=False)


def _new_tendril(situation: Situation[Contest], one: Counted, others: Sequence[Counted]) -> Iterator[Offer]:
    contest, asked, who = situation.state, situation.asked, one.who
    keys = {region.name: region.key for region in contest.ground.regions}
    to = keys[one.field]
    if isinstance(asked, Choose) and to in {option.key for option in asked.options}:
        answer = ChoiceReading((to,), Source.CAMERA)
        # Places are chosen for other things too; by this rule they are those of a new tendril.
        sure = asked.rule == "WO-12" and asked.by == who and not others
        yield Offer(f"A tendril of {who} on {one.field} answers", answers=(answer,), about=one.name, sure=sure)
        return
    reason = _waits(situation, "a tendril") or ("lay one at a time" if one.count > one.record + 1 else "")
    mage, found = contest.mages[who], False
    if mage.place == to:
        found = True
        says = f"{who} creates a tendril on {one.field}"
        yield Offer(says, Action("create-tendril", {"who": who}), reason=reason, about=one.name, sure=not others)
    for other in others:
        start = keys[other.field]
        if other.who == who and other.count < other.record and contest.ground.adjacent(start, to):
            found = True
            action = Action("move-tendril", {"who": who, "start": start, "to": to})
            says = f"{who}'s tendril moves from {other.field} to {one.field}"
            yield Offer(says, action, reason=reason, about=one.name, sure=len(others) == 1)
    if not found:
        why = f"{who}'s mage is not there, and no tendril of theirs is gone from beside it"
        yield Offer(f"A tendril of {who} is on {one.field}", reason=reason or why, about=one.name)


def _waits(situation: Situation[Contest], what: str) -> str:
    asked = situation.asked
    return f"{what} has to wait: {asked.purpose} is still to be answered" if asked is not None else ""


@WOVEN.gesture("cards")
def cards(situation: Situation[Contest]) -> Iterator[Offer]:
    """Spells, homes and tapestries that lie about say nothing by lying there."""
    kinds = (Kind.SPELL, Kind.HOME, Kind.TAPESTRY)
    yield Offer("", things=tuple(one.thing for one in situation.table.lying if one.thing.kind in kinds))


@WOVEN.gesture("end-turn")
def end_turn(situation: Situation[Contest]) -> Iterator[Offer]:
    """The card Go on ends the turn; one in which nothing was done is a rest, or is passed where that is allowed
    (WO-3, WO-4)."""
    laid, turn = tuple(one.thing for one in situation.table.laid(Kind.ANSWER)), situation.state.turn
    if situation.asked is not None or turn is None or laid != (AnswerCard.GO_ON.id,):
        return
    ends, rests = (f"{turn.mage}'s turn ends", "end-turn"), (f"{turn.mage} rests", "rest")
    idle = (rests, ends) if situation.game.rulings["passing"] == "allowed" else (rests,)
    for says, action in (ends,) if turn.acted else idle:
        yield Offer(says, Action(action, {"who": turn.mage}), about=str(AnswerCard.GO_ON), things=laid)
