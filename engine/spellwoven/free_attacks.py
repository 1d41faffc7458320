"""Free attacks: from an ambush, and when somebody turns away (SP-22)."""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.spellwoven.arguments import WeaponName, Who, Whom
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.attribute_tests import EVEN, SENSES, skill_test
from loomtable.engine.spellwoven.events.fight import FreeAttackGiven
from loomtable.engine.spellwoven.lookup import combatant, conflict, opponents, stands
from loomtable.engine.spellwoven.reach import can_reach, choose_grip, usable
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.strike import strike
from loomtable.engine.spellwoven.system import SPELLWOVEN
from loomtable.engine.spellwoven.turns import able


def switched_on(play: Play[Adventure], option: str) -> None:
    """Refuse what belongs to an optional rule that this table does not use.

    Raises:
        IllegalAction: it is off.
    """
    if play.ruled(option) == "off":
        raise IllegalAction(f"this table does not play with {option}; the ruling turns it on")


@SPELLWOVEN.action("ambush", "SP-22", group="Beginning and ending")
def ambush(
    play: Play[Adventure], *, ambushers: tuple[Whom, ...], surprised: tuple[Whom, ...], difficulty: int = 1
) -> Steps[None]:
    """Spring an ambush: who fails a test of Senses is open to one free attack by each ambusher."""
    switched_on(play, "ambush")
    if conflict(play).round != 1 or any(c.acted for c in conflict(play).combatants.values()):
        raise IllegalAction("an ambush comes before anybody has acted in the first round")
    if not ambushers or not surprised or set(ambushers) & set(surprised):
        raise IllegalAction("an ambush needs ambushers and, apart from them, somebody who may be surprised")
    if any(len(set(names)) < len(names) for names in (ambushers, surprised)) or difficulty < 1:
        raise IllegalAction("name everybody once, and a difficulty of at least 1")
    for name in (*ambushers, *surprised):
        combatant(play, name)
        able(play, name)
    caught: list[str] = []
    for who in surprised:
        sensed = yield from skill_test(play, who, SENSES, difficulty, f"{who} senses the ambush", rule="SP-22")
        if sensed.successes < difficulty:
            caught.append(who)
    for who in ambushers:
        yield from _ambushers_attack(play, who, caught)


def _ambushers_attack(play: Play[Adventure], who: str, caught: list[str]) -> Steps[None]:
    within = [t for t in caught if not play.state.characters[t].dead and can_reach(play, who, t)]
    if not within or not stands(play.state, who):
        return
    options = (*(Option(t, f"Attack {t}") for t in within), Option("none", "No attack"))
    chosen = yield from ask(Choose(f"Free attack of {who}", options, by=who, rule="SP-22"))
    if chosen.key in within:
        yield from free_attack(play, who, chosen.key, "is caught in the ambush")


def free_attack(play: Play[Adventure], who: str, target: str, because: str, weapon: str = "") -> Steps[None]:
    """One attack outside the order of the round, against Quickness Defence as ever (SP-22)."""
    grips = usable(play, who, target, weapon)
    yield FreeAttackGiven(who=who, target=target, because=because)
    grip = yield from choose_grip(who, target, grips)
    yield from strike(play, who, target, grip, EVEN, free=True)


def attacks_of_opportunity(play: Play[Adventure], leaver: str, because: str) -> Steps[None]:
    """Opponents at hand strike at somebody who turns away, as far as the storyteller permits (SP-22)."""
    if play.ruled("attack-of-opportunity") == "off":
        return
    near = [
        n
        for n in opponents(play, leaver)
        if conflict(play).combatants[n].proximity is not Proximity.DISTANT and can_reach(play, n, leaver)
    ]
    if not near:
        return
    options = tuple(Option(n, f"{n} may strike") for n in near)
    purpose = f"{leaver} {because}: who may strike?"
    permitted = yield from ask(Choose(purpose, options, 0, len(options), by=STORYTELLER, rule="SP-22"))
    for who in permitted.keys:
        if stands(play.state, leaver):
            yield from free_attack(play, who, leaver, because)


@SPELLWOVEN.action("opportunity-attack", "SP-22", begun_by=PLAYER, group="In a conflict")
def opportunity_attack(
    play: Play[Adventure], *, who: Who, target: Whom, weapon: WeaponName = "", because: str = "is distracted"
) -> Steps[None]:
    """A free attack that the storyteller permits on somebody who is distracted elsewhere."""
    switched_on(play, "attack-of-opportunity")
    combatant(play, who)
    able(play, who)
    combatant(play, target)
    if play.state.characters[who].side == play.state.characters[target].side:
        raise IllegalAction(f"{who} and {target} are on the same side")
    if conflict(play).combatants[who].proximity is Proximity.DISTANT:
        raise IllegalAction(f"{who} is Distant, and only somebody nearby can strike")
    yield from free_attack(play, who, target, because, weapon)
