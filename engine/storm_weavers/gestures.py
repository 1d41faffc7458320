"""What hands say on the table of Storm Weavers: Thymin's figure moves, and Go on goes on."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.gestures import Offer, Situation
from loomtable.engine.kernel.readings import ChoiceReading, Source
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.squares import Square
from loomtable.engine.storm_weavers.state import MapFight, Tale
from loomtable.engine.storm_weavers.system import STORM_WEAVERS

MOVE_RULE, ATTACK_RULE = "SW-6", "SW-8"


@STORM_WEAVERS.gesture("move")
def move(situation: Situation[Tale]) -> Iterator[Offer]:
    """Thymin's figure on another square than in the record is his move, one each way of a run-up (SW-6)."""
    fight, asked = situation.state.map_fight, situation.asked
    thymin = next((figure for figure in situation.table.figures if figure.who == THYMIN and figure.new), None)
    if fight is None or thymin is None or thymin.field == fight.thymin:
        return
    says = f"Thymin moves from {fight.thymin} to {thymin.field}"
    if not isinstance(asked, Choose) or asked.rule != MOVE_RULE:
        first = f"; {asked.purpose} is still to be answered" if asked is not None else ""
        yield Offer(says, reason=f"it is not his move now{first}", about=THYMIN)
        return
    ways = [option for option in asked.options if option.key.split("-")[0] == thymin.field]
    for option in ways:
        answer = ChoiceReading((option.key,), Source.CAMERA)
        along = says if len(ways) == 1 else f"{says} by {option.label}"
        yield Offer(along, answers=(answer,), about=THYMIN)
    if not ways:
        there = ChoiceReading((thymin.field,), Source.CAMERA)
        reason = _why_not(combat_map(fight.plan.map), fight, thymin.field)
        yield Offer(says, answers=(there,), reason=reason, about=THYMIN)


@STORM_WEAVERS.throw
def attack(situation: Situation[Tale]) -> Iterator[Offer]:
    """Dice thrown beside an enemy attack it; where only one can be attacked, dice thrown anywhere do. Of
    dice in a tray people say whom they attack (SW-8)."""
    fight, asked = situation.state.map_fight, situation.asked
    if fight is None or not isinstance(asked, Choose) or asked.rule != ATTACK_RULE:
        return
    keys = {f"attack-{number}": fight.label(number) for number in fight.standing}
    for enemy, key in ((keys[option.key], option.key) for option in asked.options if option.key in keys):
        chosen = ChoiceReading((key,), Source.CAMERA)
        yield Offer(f"Thymin attacks {enemy}", answers=(chosen,), about=enemy)


def squares(fight: MapFight) -> dict[str, Square]:
    """Where the record has everybody who is on the map, by name."""
    return {THYMIN: fight.thymin} | {fight.label(number): enemy.square for number, enemy in fight.standing.items()}


def _why_not(plan: CombatMap, fight: MapFight, field: str) -> str:
    """Why Thymin cannot go there, in words."""
    if not plan.holds(field):
        return "that is not on the map"
    others = [who for who, square in squares(fight).items() if square == field and who != THYMIN]
    if others:
        return f"{others[0]} is there"
    return plan.trouble_with(field) or f"no way of Thymin's leads from {fight.thymin} to {field} in one move"


@STORM_WEAVERS.gesture("go-on")
def go_on(situation: Situation[Tale]) -> Iterator[Offer]:
    """The card Go on reads on, where nothing is asked (SW-16)."""
    yield from situation.go_on("The tale goes on", "go-on")
