"""A conflict from its beginning, round by round, to its end (SP-3 to SP-6, SP-21)."""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.spellwoven.arguments import Hero, Who, Whom
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.events.healing import ArmourMended
from loomtable.engine.spellwoven.events.order import (
    ConflictBegun,
    ConflictEnded,
    ConflictJoined,
    Cooperated,
    CooperationPaid,
    LeftConflict,
    MoraleChecked,
    RangedDeclared,
    RoundBegun,
    TurnTaken,
)
from loomtable.engine.spellwoven.events.wounds import Died
from loomtable.engine.spellwoven.free_attacks import attacks_of_opportunity
from loomtable.engine.spellwoven.healing import give_declared_aid
from loomtable.engine.spellwoven.lookup import combatant, conflict, living, stands
from loomtable.engine.spellwoven.reach import ranged_weapons
from loomtable.engine.spellwoven.state import COOPERATION_COST, Adventure, Left
from loomtable.engine.spellwoven.system import SPELLWOVEN
from loomtable.engine.spellwoven.turns import (
    able,
    on_turn,
    order_of,
    roll_initiative,
    roll_initiatives,
    settle_ties,
)


@SPELLWOVEN.action("begin-conflict", "SP-3", "SP-6", group="Beginning and ending")
def begin_conflict(play: Play[Adventure], *, combatants: dict[Whom, Proximity] | None = None) -> Steps[None]:
    """Begin a conflict: who is in it, and how near to the fight; each rolls for initiative.

    Without ``combatants``, everybody is where the open encounter has them.
    """
    if play.state.conflict is not None:
        raise IllegalAction("a conflict is on already; others come into it by “Join conflict”")
    if combatants is None:
        combatants = _as_encountered(play.state)
    sides = {living(play, who).side for who in combatants}
    if len(sides) < 2:
        raise IllegalAction("a conflict needs combatants of at least two sides")
    # In the order in which they came into the adventure: a journal does not keep the order of an argument's names.
    names = [n for n in play.state.characters if n in combatants]
    yield ConflictBegun(proximities={n: combatants[n] for n in names})
    yield from roll_initiatives(play, names)
    yield from _begin_round(play)


def _as_encountered(adventure: Adventure) -> dict[str, Proximity]:
    """Everybody who is alive where the open encounter has them."""
    encounter = adventure.encounter
    if encounter is None:
        raise IllegalAction("no encounter is open; say under “Combatants” who is in the conflict, and how near")
    alive = {name: c for name, c in adventure.characters.items() if not c.dead}
    heroes = {name: encounter.heroes for name, c in alive.items() if c.is_player_character}
    return heroes | {name: at for name, at in encounter.proximities.items() if name in alive}


@SPELLWOVEN.action("join-conflict", "SP-3", group="Beginning and ending")
def join_conflict(play: Play[Adventure], *, who: Who, proximity: Proximity = Proximity.DISTANT) -> Steps[None]:
    """Come into a conflict that has begun, with your own initiative."""
    if who in conflict(play).combatants:
        raise IllegalAction(f"{who} is in this conflict already, or was")
    living(play, who)
    yield ConflictJoined(who=who, proximity=proximity)
    yield from roll_initiative(play, who)
    yield from settle_ties(play)


@SPELLWOVEN.action("cooperate", "SP-5", group="In a conflict")
def cooperate(play: Play[Adventure], *, who: tuple[Hero, ...]) -> Steps[None]:
    """Act together in this round, on the highest initiative of those who do; it costs each 5 afterwards."""
    groups = max(c.group for c in conflict(play).combatants.values())
    if len(set(who)) < 2 or len(set(who)) < len(who):
        raise IllegalAction("cooperation takes two or more, each named once")
    if groups and play.ruled("cooperation-groups") == "one":
        raise IllegalAction("some cooperate in this round already; others may join in with them next round")
    for name in who:
        own = combatant(play, name)
        able(play, name)
        if not play.state.characters[name].is_player_character:
            raise IllegalAction(f"{name} is not a player character, and only those cooperate")
        if own.initiative < COOPERATION_COST:
            raise IllegalAction(
                f"{name} has initiative {own.initiative}; cooperation needs {COOPERATION_COST} or more"
            )
        if own.acted:
            raise IllegalAction(f"{name} has no action left in round {conflict(play).round}")
        if own.cooperating:
            raise IllegalAction(f"{name} cooperates with others in round {conflict(play).round}")
    highest = max(combatant(play, n).initiative for n in who)
    yield Cooperated(names=who, initiative=highest, group=groups + 1)


@SPELLWOVEN.action("next-round", "SP-4", "SP-5", "SP-6", "SP-19", group="In a conflict")
def next_round(play: Play[Adventure]) -> Steps[None]:
    """End the round once all have acted: first aid is given, momentum moves initiatives, a new one begins."""
    conflict(play)
    waiting = order_of(play.state)
    if waiting:
        raise IllegalAction(f"{waiting[0]} has still to act in round {conflict(play).round}")
    yield from give_declared_aid(play)
    for who, fighter in conflict(play).combatants.items():
        if fighter.cooperating:
            yield CooperationPaid(who=who)
    yield from _begin_round(play)


def _begin_round(play: Play[Adventure]) -> Steps[None]:
    yield RoundBegun(round=conflict(play).round + 1)
    yield from settle_ties(play)
    if play.ruled("ranged-first") == "on":
        yield from _declare_ranged(play)


def _declare_ranged(play: Play[Adventure]) -> Steps[None]:
    """Each who keeps somebody with a ranged weapon says who shoots, before anybody acts (SP-22)."""
    archers = [n for n in order_of(play.state) if ranged_weapons(play, n)]
    for keeper in dict.fromkeys(play.state.characters[n].keeper for n in archers):
        options = tuple(Option(n, n) for n in archers if play.state.characters[n].keeper == keeper)
        purpose = f"Ranged attacks in round {conflict(play).round}"
        chosen = yield from ask(Choose(purpose, options, 0, len(options), by=keeper, rule="SP-22"))
        yield RangedDeclared(names=chosen.keys)


@SPELLWOVEN.action("flee", "SP-21", begun_by=PLAYER, group="In a conflict")
def flee(play: Play[Adventure], *, who: Who) -> Steps[None]:
    """Flee from the conflict, as the action of the round."""
    on_turn(play, who)
    if play.ruled("fleeing") == "from-distant" and combatant(play, who).proximity is not Proximity.DISTANT:
        raise IllegalAction(f"{who} has to be Distant to flee, and is {combatant(play, who).proximity.label}")
    yield TurnTaken(who=who, doing="turns to run")
    yield from attacks_of_opportunity(play, who, "flees")
    if stands(play.state, who):
        yield LeftConflict(who=who, how=Left.FLED)


@SPELLWOVEN.action("surrender", "SP-21", begun_by=PLAYER, group="In a conflict")
def surrender(play: Play[Adventure], *, who: Who) -> Steps[None]:
    """Surrender, at any moment; it is no action."""
    combatant(play, who)
    yield LeftConflict(who=who, how=Left.SURRENDERED)


@SPELLWOVEN.action("morale", "SP-21", group="In a conflict")
def morale(play: Play[Adventure], *, who: tuple[Who, ...], because: str) -> Steps[None]:
    """Judge whether some break: the storyteller says of each whether they fight on, flee or surrender."""
    conflict(play)
    if not who:
        raise IllegalAction("say whose morale is in question")
    for name in who:
        combatant(play, name)
    yield MoraleChecked(because=because)
    options = (
        Option("fights-on", "Fights on"),
        Option(Left.FLED, "Flees"),
        Option(Left.SURRENDERED, "Surrenders"),
    )
    for name in dict.fromkeys(who):
        if conflict(play).combatants[name].left is not None or play.state.characters[name].dead:
            continue  # an attack of opportunity on somebody before may have changed things
        chosen = yield from ask(Choose(f"Morale of {name}", options, by=STORYTELLER, rule="SP-21", why=because))
        if chosen.key == "fights-on":
            continue
        if chosen.key == Left.FLED:
            yield from attacks_of_opportunity(play, name, "flees")
        if stands(play.state, name):
            yield LeftConflict(who=name, how=Left(chosen.key))


@SPELLWOVEN.action("end-conflict", "SP-21", group="Beginning and ending")
def end_conflict(play: Play[Adventure], *, outcome: str = "") -> Steps[None]:
    """End the conflict; where more than one side still stands, ``outcome`` says how it ended."""
    combatants = conflict(play).combatants
    standing = tuple(dict.fromkeys(play.state.characters[n].side for n in combatants if stands(play.state, n)))
    if len(standing) > 1 and not outcome.strip():
        raise IllegalAction(f"{' and '.join(standing)} still stand; say under “Outcome” how it ended")
    yield from give_declared_aid(play)
    for who in combatants:
        if play.state.characters[who].heroic:
            yield Died(who=who, rule="SP-22")
        if play.ruled("soak-after-the-conflict") == "clears" and play.state.characters[who].soak_marked.total:
            yield ArmourMended(who=who)
    yield ConflictEnded(standing=standing, outcome=outcome, rounds=conflict(play).round)
