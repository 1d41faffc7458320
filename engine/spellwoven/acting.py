"""The actions of a round: attack, load, move, talk, use a talent, anything else (SP-7 to SP-10)."""

from __future__ import annotations

from enum import StrEnum

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.kernel.wording import listed
from loomtable.engine.spellwoven.arguments import SkillName, TalentName, WeaponName, Who, Whom
from loomtable.engine.spellwoven.armoury import Defence, Proximity, Talent, TalentEffect, When, key_of, skills
from loomtable.engine.spellwoven.attribute_tests import (
    EVEN,
    MANOEUVRE,
    SPEED,
    Leaning,
    skill_key,
    skill_test,
    usable_talents,
)
from loomtable.engine.spellwoven.events.fight import Loaded, Moved, Talked, TalkIntent
from loomtable.engine.spellwoven.events.order import Distracted, LeftConflict, TurnTaken
from loomtable.engine.spellwoven.events.people import EffortChanged, TalentUsed, TalentWorked
from loomtable.engine.spellwoven.free_attacks import attacks_of_opportunity, switched_on
from loomtable.engine.spellwoven.lookup import character, combatant, conflict, stands
from loomtable.engine.spellwoven.reach import carried, choose_grip, distance, loads, usable
from loomtable.engine.spellwoven.state import Adventure, Distraction, Left
from loomtable.engine.spellwoven.strike import quickness_defence, strike
from loomtable.engine.spellwoven.system import SPELLWOVEN
from loomtable.engine.spellwoven.turns import momentum, on_turn


class Declared(StrEnum):
    """What the storyteller declares about one test (SP-22, SP-23)."""

    EVEN = "even"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"

    @property
    def leaning(self) -> Leaning:
        """The reason that it adds."""
        return {
            "even": EVEN,
            "advantage": Leaning(favours=("the situation",)),
            "disadvantage": Leaning(hinders=("the situation",)),
        }[self.value]


class MoveTest(StrEnum):
    """What a storyteller may ask of somebody who moves (SP-7)."""

    SPEED = SPEED
    MANOEUVRE = MANOEUVRE


def declared(play: Play[Adventure], situation: Declared) -> Leaning:
    """What the storyteller declares about a test in a conflict (SP-22).

    Raises:
        IllegalAction: this table does not play with situational modifiers.
    """
    if situation is not Declared.EVEN:
        switched_on(play, "situational-modifiers")
    return situation.leaning


def facing(play: Play[Adventure], who: str, target: str) -> None:
    """Refuse a target that is no opponent in this conflict.

    Raises:
        IllegalAction: out of the conflict, dead, or on the same side.
    """
    combatant(play, target)
    if character(play, target).side == character(play, who).side:
        raise IllegalAction(f"{target} is on the side of {who}; pick an opponent")


@SPELLWOVEN.action(
    "attack", "SP-10", "SP-11", "SP-12", "SP-15", "SP-16", "SP-17", "SP-18", begun_by=PLAYER, group="In a conflict"
)
def attack(
    play: Play[Adventure],
    *,
    who: Who,
    target: Whom,
    weapon: WeaponName = "",
    skill: SkillName = "",
    situation: Declared = Declared.EVEN,
) -> Steps[None]:
    """Attack somebody within reach."""
    on_turn(play, who)
    facing(play, who, target)
    leaning = declared(play, situation)
    grips = usable(play, who, target, weapon, skill)
    if play.ruled("ranged-first") == "on":
        shoots = combatant(play, who).shoots
        grips = [(w, u) for w, u in grips if u.ranged == shoots]
        if not grips:
            raise IllegalAction(
                f"{who} declared a ranged attack for this round"
                if shoots
                else f"{who} declared no ranged attack for this round"
            )
    grip = yield from choose_grip(who, target, grips)
    yield TurnTaken(who=who, doing=f"attacks {target}")
    yield from strike(play, who, target, grip, leaning)


@SPELLWOVEN.action("load", "SP-22", begun_by=PLAYER, group="In a conflict")
def load(play: Play[Adventure], *, who: Who, weapon: WeaponName = "") -> Steps[None]:
    """Load and prime a blackpowder weapon, as the action of the round; outside a conflict it just takes time."""
    switched_on(play, "blackpowder")
    if play.state.conflict is not None:
        on_turn(play, who)
    empty = [
        w for w, _ in carried(play, who, weapon) if loads(play, w) and w.key not in character(play, who).loaded
    ]
    if not empty:
        raise IllegalAction(f"{who} has nothing of that kind to load")
    if play.state.conflict is not None:
        yield TurnTaken(who=who, doing=f"loads the {empty[0].name}")
    yield Loaded(who=who, weapon=empty[0].key, ready=True)


@SPELLWOVEN.action("move", "SP-7", begun_by=PLAYER, group="In a conflict")
def move(
    play: Play[Adventure],
    *,
    who: Who,
    to: Proximity,
    towards: Whom = "",
    test: MoveTest | None = None,
    difficulty: int = 1,
) -> Steps[None]:
    """Move one step nearer to the fight or farther off; into Engaged, or nearer to somebody, ``towards`` them.

    ``test`` is what the storyteller asks for, if anything.
    """
    on_turn(play, who)
    moved = _destination(play, who, to, towards)
    if test is not None:
        skill_key(play, who, test.value, difficulty)
    yield TurnTaken(who=who, doing=f"moves towards {towards}" if towards else "moves")
    if test is not None:
        tested = yield from skill_test(
            play, who, test.value, difficulty, f"{who} moves", rule="SP-7", exempt=test is MoveTest.SPEED
        )
        yield momentum(who, tested.successes >= difficulty)
        if tested.successes < difficulty:
            return
    if combatant(play, who).proximity is Proximity.ENGAGED and to is not Proximity.ENGAGED:
        yield from attacks_of_opportunity(play, who, "disengages")
    if stands(play.state, who):
        for name in moved:
            if conflict(play).combatants[name].proximity is not to:
                yield Moved(who=name, to=to)


def _destination(play: Play[Adventure], who: str, to: Proximity, towards: str) -> tuple[str, ...]:
    """Who ends up at ``to``: the one who moves, and whoever is drawn nearer to the fight by it (SP-7)."""
    own = combatant(play, who).proximity
    if towards:
        facing(play, who, towards)
        own = distance(play, who, towards)
    elif to is Proximity.ENGAGED:
        raise IllegalAction("say under “Towards” whom to engage")
    steps = to.steps - own.steps
    if abs(steps) > 1:
        raise IllegalAction(f"from {own.label} to {to.label} takes two actions; move Nearby first")
    if steps == 0 or (towards and steps > 0):
        raise IllegalAction(f"{who} is {own.label} already" if steps == 0 else f"that leads away from {towards}")
    drawn = towards and combatant(play, towards).proximity.steps > to.steps
    return (who, towards) if drawn else (who,)


@SPELLWOVEN.action("talk", "SP-8", begun_by=PLAYER, group="In a conflict")
def talk(
    play: Play[Adventure],
    *,
    who: Who,
    target: Whom,
    intent: TalkIntent,
    skill: SkillName,
    situation: Declared = Declared.EVEN,
    others: tuple[Whom, ...] = (),
) -> Steps[None]:
    """Talk to an opponent, and to ``others``: a social skill against Presence Defence; the storyteller says what
    success brings.
    """
    on_turn(play, who)
    skill = skill_key(play, who, skill)
    known = skills().get(skill)
    if known is not None and known.sort.value != "social":
        raise IllegalAction(f"{known.name} is no social skill")
    facing(play, who, target)
    for whom in others:
        facing(play, who, whom)
    targets = (target, *others)
    if len(set(targets)) < len(targets):
        raise IllegalAction("name everybody you talk to once")
    leaning = declared(play, situation)
    defences = {whom: character(play, whom).presence_defence for whom in targets}
    if play.ruled("talk-to-several") == "highest":
        defences = dict.fromkeys(targets, max(defences.values()))
    against = min(defences.values())
    purpose = f"{who} talks to {listed(targets)} ({intent.value.replace('-', ' ')})"
    yield TurnTaken(who=who, doing=f"talks to {listed(targets)}")
    tested = yield from skill_test(play, who, skill, against, purpose, rule="SP-8", leaning=leaning)
    swayed = [whom for whom in targets if tested.successes >= defences[whom]]
    for whom in targets:
        yield Talked(who=who, target=whom, intent=intent, succeeded=whom in swayed)
    yield momentum(who, bool(swayed))
    for whom in swayed:
        yield from _what_talk_brings(play, whom, intent)


def _what_talk_brings(play: Play[Adventure], target: str, intent: TalkIntent) -> Steps[None]:
    """A distraction costs the place in the round or the turn; of the rest the storyteller judges (SP-8)."""
    last = Option(Distraction.ACTS_LAST, "Acts last in the round")
    loses = Option(Distraction.LOSES_TURN, "Loses the turn")
    down = Option(Left.STOOD_DOWN, "Stands down", "Out of this conflict.")
    story = Option("story", "Only the story goes on")
    options = (last, loses) if intent is TalkIntent.DISTRACT else (down, loses, story)
    chosen = yield from ask(Choose(f"What becomes of {target}?", options, by=STORYTELLER, rule="SP-8"))
    if chosen.key == Left.STOOD_DOWN:
        yield LeftConflict(who=target, how=Left.STOOD_DOWN, rule="SP-8")
    elif chosen.key != "story":
        later = conflict(play).combatants[target].acted
        counts_in = conflict(play).round + (1 if later else 0)
        yield Distracted(who=target, distraction=Distraction(chosen.key), round=counts_in)


@SPELLWOVEN.action("use-talent", "SP-9", begun_by=PLAYER, group="In a conflict")
def use_talent(play: Play[Adventure], *, who: Who, talent: TalentName, target: Whom = "") -> Steps[None]:
    """Use a talent that is an action; other talents are offered in the moment they are for."""
    on_turn(play, who)
    has = {t.key: t for t in character(play, who).talents}
    if key_of(talent) not in has:
        raise IllegalAction(
            f"{who} has no talent {talent!r}; there is {', '.join(has)}" if has else f"{who} has no talents"
        )
    used = has[key_of(talent)]
    if used.when is not When.ACTION:
        raise IllegalAction(f"{used.name} is no action; it is offered {used.when.value.replace('-', ' ')}")
    if used not in usable_talents(play, who, When.ACTION):
        raise IllegalAction(f"{who} has used {used.name} as often as a conflict allows")
    if used.against is None:
        yield TurnTaken(who=who, doing="draws on a talent")
        yield TalentUsed(who=who, talent=used.key)
        yield from _talent_works(who, who, used)
        return
    facing(play, who, target)
    skill_key(play, who, used.skill)
    yield TurnTaken(who=who, doing=f"draws on a talent against {target}")
    yield TalentUsed(who=who, talent=used.key)
    against = _defence(play, target, used.against)
    purpose = f"{who} uses {used.name} on {target}"
    tested = yield from skill_test(play, who, used.skill, against, purpose, rule="SP-9")
    yield momentum(who, tested.successes >= against)
    if tested.successes >= against:
        receiver = target if used.effect is TalentEffect.LOWER_INITIATIVE else who
        yield from _talent_works(who, receiver, used)


def _defence(play: Play[Adventure], target: str, against: Defence) -> int:
    if against is Defence.PRESENCE:
        return character(play, target).presence_defence
    return quickness_defence(play, target)


def _talent_works(who: str, receiver: str, talent: Talent) -> Steps[None]:
    if talent.effect is TalentEffect.REGAIN_EFFORT:
        yield EffortChanged(who=who, by=talent.by, reason=talent.name, rule="SP-9")
    else:
        yield TalentWorked(who=receiver, effect=talent.effect, by=talent.by)


@SPELLWOVEN.action("act", "SP-6", begun_by=PLAYER, group="In a conflict")
def act(
    play: Play[Adventure],
    *,
    who: Who,
    doing: str,
    skill: SkillName = "",
    difficulty: int = 1,
    situation: Declared = Declared.EVEN,
) -> Steps[None]:
    """Do anything else with the action of the round: without a test, or with one that the storyteller asks for."""
    on_turn(play, who)
    leaning = declared(play, situation)
    if not doing.strip():
        raise IllegalAction("say what is being done")
    if skill:
        skill = skill_key(play, who, skill, difficulty)
    yield TurnTaken(who=who, doing=doing.strip())
    if not skill:
        return
    tested = yield from skill_test(
        play, who, skill, difficulty, f"{who}: {doing}", rule="SP-6", leaning=leaning, doing=doing
    )
    yield momentum(who, tested.successes >= difficulty)
