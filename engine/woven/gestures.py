"""What hands say on the table of Woven: a mage is moved, a turn ends. Cards on a grid are read by their tags."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.gestures import Offer, Situation
from loomtable.engine.kernel.play import Action
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.system import WOVEN


@WOVEN.gesture("move")
def move(situation: Situation[Contest]) -> Iterator[Offer]:
    """A mage's figure in another region than in the book moves there, first that of whose turn it is (WO-5)."""
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
        waits = situation.asked and f"move has to wait: {situation.asked.purpose} is still to be answered"
        action = Action("move", {"who": one.who, "to": to})
        yield Offer(f"{one.who} moves {came} {one.field}", action, reason=waits or "", about=one.who)


@WOVEN.gesture("cards")
def cards(situation: Situation[Contest]) -> Iterator[Offer]:
    """Spells, homes and tapestries that lie about say nothing by lying there."""
    kinds = (Kind.SPELL, Kind.HOME, Kind.TAPESTRY)
    yield Offer("", things=tuple(one.thing for one in situation.table.lying if one.thing.kind in kinds))


@WOVEN.gesture("end-turn")
def end_turn(situation: Situation[Contest]) -> Iterator[Offer]:
    """The card Go on ends the turn (WO-3)."""
    laid = [one.thing for one in situation.table.laid(Kind.ANSWER)]
    if situation.asked is None and situation.turn and laid == [AnswerCard.GO_ON.id]:
        action = Action("end-turn", {"who": situation.turn})
        yield Offer(f"{situation.turn}'s turn ends", action, about=str(AnswerCard.GO_ON), things=tuple(laid))
