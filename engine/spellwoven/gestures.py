"""What hands say on the table of Spellwoven: somebody moves from ring to ring, dice beside an opponent attack, and
Go on begins the next round."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.gestures import Offer, Situation
from loomtable.engine.kernel.play import Action
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.lookup import stands
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.system import SPELLWOVEN
from loomtable.engine.spellwoven.turns import due


@SPELLWOVEN.gesture("move")
def move(situation: Situation[Adventure]) -> Iterator[Offer]:
    """A figure in another ring than in the record moves there; into Engaged, towards an opponent (SP-7)."""
    adventure, rings = situation.state, {ring.label: ring for ring in Proximity}
    if adventure.conflict is None:
        return
    combatants = adventure.conflict.combatants
    for figure in situation.table.figures:
        to = rings.get(figure.field)
        if not figure.new or to is None or figure.who not in combatants or combatants[figure.who].proximity is to:
            continue
        says = f"{figure.who} moves to {to.label}"
        given = {"who": figure.who, "to": to.value}
        waits = situation.asked and f"move has to wait: {situation.asked.purpose} is still to be answered"
        if to is not Proximity.ENGAGED:
            yield Offer(says, Action("move", given), reason=waits or "", about=figure.who)
            continue
        side = adventure.characters[figure.who].side
        for other in combatants:
            if adventure.characters[other].side != side and stands(adventure, other):
                towards = Action("move", {**given, "towards": other})
                yield Offer(f"{says}, towards {other}", towards, reason=waits or "", about=figure.who)


@SPELLWOVEN.throw
def attack(situation: Situation[Adventure]) -> Iterator[Offer]:
    """Dice thrown beside an opponent attack; where several weapons can be used, people say which (SP-10)."""
    adventure = situation.state
    if adventure.conflict is None or situation.asked is not None or not situation.turn:
        return
    for who in due(adventure):
        sheet = adventure.characters[who]
        grips = [(weapon, use) for weapon in sheet.weapons for use in weapon.uses]
        for other in adventure.conflict.combatants:
            if adventure.characters[other].side != sheet.side and stands(adventure, other):
                for weapon, use in grips:
                    given = {"who": who, "target": other, "weapon": weapon.key, "skill": use.skill}
                    says = f"{who} attacks {other} with the {weapon.name}"
                    says += f", {use.skill}" if len(weapon.uses) > 1 else ""
                    yield Offer(says, Action("attack", given), about=other)


@SPELLWOVEN.gesture("next-round")
def next_round(situation: Situation[Adventure]) -> Iterator[Offer]:
    """The card Go on begins the next round of a conflict (SP-6)."""
    if situation.state.conflict is not None:
        yield from situation.go_on("The next round begins", "next-round")
