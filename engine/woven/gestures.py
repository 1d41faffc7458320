"""What hands say on the table of Woven: a mage is moved, threads and tendrils are laid, a turn ends.

Cards on a grid are read by their tags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    table, contest = situation.table, situation.state
    if not contest.mages:
        return
    regions = {region.name: region.key for region in contest.ground.regions}
    on_map = [
        stood for stood in table.figures if stood.new and stood.field in regions and stood.who in contest.mages
    ]
    for stood in sorted(on_map, key=lambda stood: stood.who != situation.turn)[:1]:
        mage, to = contest.mages[stood.who], regions[stood.field]
        if mage.place == to:
            continue
        came = f"from {contest.ground.region(mage.place).name} into" if mage.on_map else "onto the map, into"
        action = Action("move", {"who": stood.who, "to": to})
        reason = _waits(situation, "move")
        yield Offer(f"{stood.who} moves {came} {stood.field}", action, reason=reason, about=stood.who)


@WOVEN.gesture("thread")
def thread(situation: Situation[Contest]) -> Iterator[Offer]:
    """A new thread on the tapestry of whose turn it is is placed there; a spell is asked for then (WO-6)."""
    lying = [counter for counter in situation.table.counters if counter.kind == "thread"]
    for counter in lying:
        if not counter.new or counter.more <= 0:
            continue
        reason = _waits(situation, "a thread") or ("lay one thread in each box" if counter.count > 1 else "")
        action = Action("place-thread", {"who": counter.who, "at": list(_spot(situation, counter))})
        says = f"{counter.who} places a thread on {counter.field}"
        # While others are not as in the record, this one may have been pushed there.
        yield Offer(says, action, reason=reason, about=counter.name, sure=len(lying) == 1)


@WOVEN.gesture("thread-back")
def thread_back(situation: Situation[Contest]) -> Iterator[Offer]:
    """A thread that is gone comes back: as is asked, or with a rest (WO-4). One may only be covered."""
    gone = [counter for counter in situation.table.counters if counter.kind == "thread" and counter.more < 0]
    if not any(counter.new for counter in gone):
        return
    who, asked, about = gone[0].who, situation.asked, gone[0].name
    says = f"{who} takes back the thread on {listed(counter.field for counter in gone)}"
    keys = tuple(spot_key(_spot(situation, counter)) for counter in gone)
    back = ChoiceReading(keys, Source.CAMERA)
    if isinstance(asked, Choose) and {option.key for option in asked.options}.issuperset(keys):
        yield Offer(says, answers=(back,), about=about, sure=len(keys) == asked.at_most)
    elif asked is None:
        asks = len(situation.state.mages[who].threads) > 1 or situation.game.rulings["rest-thread"] == "may"
        reason = "a rest brings one back" if len(gone) > 1 else ""
        rest = Action("rest", {"who": who})
        answers = (back,) if asks else ()
        yield Offer(f"{who} rests, and {says[len(who) + 1 :]}", rest, answers, reason, about, sure=False)


def _spot(situation: Situation[Contest], counter: Counted) -> Spot:
    tapestry = situation.state.mages[counter.who].tapestry
    return next(spot for spot in tapestry.visible() if str(spot) == counter.field)


@WOVEN.gesture("tendril")
def tendril(situation: Situation[Contest]) -> Iterator[Offer]:
    """A new tendril was created where its mage is, came from a region beside it, or was asked for (WO-7); one that
    is gone, and lies nowhere else, comes back into the pool (WO-9), if it is not only covered."""
    lying = [counter for counter in situation.table.counters if counter.kind == "tendril"]
    for counter in lying:
        others = [other for other in lying if other is not counter]
        if counter.new and counter.more > 0:
            yield from _new_tendril(situation, counter, others)
        elif counter.new and situation.asked is None and all(other.more < 0 for other in others):
            region = next(region for region in situation.state.ground.regions if region.name == counter.field)
            action = Action("recover", {"who": counter.who, "tendril": region.key})
            says = f"{counter.who} takes back a tendril from {counter.field}"
            reason = "take one away at a time" if counter.more < -1 else ""
            yield Offer(says, action, reason=reason, about=counter.name, sure=False)


def _new_tendril(situation: Situation[Contest], counter: Counted, others: Sequence[Counted]) -> Iterator[Offer]:
    contest, asked, who, name = situation.state, situation.asked, counter.who, counter.name
    keys = {region.name: region.key for region in contest.ground.regions}
    to = keys[counter.field]
    if isinstance(asked, Choose) and to in {option.key for option in asked.options}:
        answer = ChoiceReading((to,), Source.CAMERA)
        # Places are chosen for other things too; by this rule they are those of a new tendril.
        sure = asked.rule == "WO-12" and asked.by == who and not others
        yield Offer(f"A tendril of {who} on {counter.field} answers", answers=(answer,), about=name, sure=sure)
        return
    reason = _waits(situation, "a tendril") or ("lay one at a time" if counter.more > 1 else "")
    mage, found = contest.mages[who], False
    if mage.place == to:
        found = True
        says = f"{who} creates a tendril on {counter.field}"
        yield Offer(says, Action("create-tendril", {"who": who}), reason=reason, about=name, sure=not others)
    for other in others:
        start = keys[other.field]
        if other.who == who and other.more < 0 and contest.ground.adjacent(start, to):
            found = True
            action = Action("move-tendril", {"who": who, "start": start, "to": to})
            says = f"{who}'s tendril moves from {other.field} to {counter.field}"
            yield Offer(says, action, reason=reason, about=name, sure=len(others) == 1)
    if not found:
        why = f"{who}'s mage is not there, and no tendril of theirs is gone from beside it"
        yield Offer(f"A tendril of {who} is on {counter.field}", reason=reason or why, about=name)


def _waits(situation: Situation[Contest], what: str) -> str:
    asked = situation.asked
    return f"{what} has to wait: {asked.purpose} is still to be answered" if asked is not None else ""


@WOVEN.gesture("cards")
def cards(situation: Situation[Contest]) -> Iterator[Offer]:
    """Spells, homes and tapestries that lie about say nothing by lying there."""
    kinds = (Kind.SPELL, Kind.HOME, Kind.TAPESTRY)
    yield Offer("", things=tuple(lies.thing for lies in situation.table.lying if lies.thing.kind in kinds))


@WOVEN.gesture("end-turn")
def end_turn(situation: Situation[Contest]) -> Iterator[Offer]:
    """The card Go on ends the turn; one in which nothing was done is a rest, or is passed where that is allowed
    (WO-3, WO-4)."""
    if (turn := situation.state.turn) is None:
        return
    ends, rests = (f"{turn.mage}'s turn ends", "end-turn"), (f"{turn.mage} rests", "rest")
    idle = (rests, ends) if situation.game.rulings["passing"] == "allowed" else (rests,)
    for says, action in (ends,) if turn.acted else idle:
        yield from situation.go_on(says, action, who=turn.mage)
