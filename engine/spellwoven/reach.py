"""Who can be attacked with what: proximity, reach, and weapons that have to be loaded (SP-7, SP-10)."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.spellwoven.armoury import Proximity, Tag, Weapon, WeaponUse, key_of, skills
from loomtable.engine.spellwoven.attribute_tests import rating_of
from loomtable.engine.spellwoven.lookup import character, conflict
from loomtable.engine.spellwoven.state import Adventure

Grip = tuple[Weapon, WeaponUse]
"""A weapon and the way in which it is used."""


def distance(play: Play[Adventure], who: str, other: str) -> Proximity:
    """How far two combatants are from each other: as far as the farther one is from the fight (SP-7)."""
    combatants = conflict(play).combatants
    return max(combatants[who].proximity, combatants[other].proximity, key=lambda p: p.steps)


def closes_in(play: Play[Adventure], who: str, target: str, use: WeaponUse) -> bool:
    """Whether a hand-to-hand attack takes its wielder into the fight, by the ruling ``move-and-attack``."""
    free = play.ruled("move-and-attack") == "free-into-engaged"
    return free and not use.ranged and distance(play, who, target) is Proximity.NEARBY


def trouble(play: Play[Adventure], who: str, target: str, weapon: Weapon, use: WeaponUse) -> str:
    """Why ``who`` cannot attack ``target`` like this now, in words; nothing if it can be done."""
    if rating_of(play, who, use.skill) is None:
        return f"{who} has no rating in {skills()[use.skill].name.lower()}"
    if loads(play, weapon) and weapon.key not in character(play, who).loaded:
        return f"the {weapon.name} is not loaded (Load)"
    apart = distance(play, who, target)
    if not use.ranged:
        if apart is Proximity.ENGAGED or closes_in(play, who, target, use):
            return ""
        return f"the {weapon.name} is used hand-to-hand, and {_where(play, who)}, {_where(play, target)} (Move)"
    if apart.steps > use.reach.steps:
        return f"the {weapon.name} reaches no farther than {use.reach.label}, and {_where(play, target, apart)}"
    own = conflict(play).combatants[who].proximity
    if own is Proximity.ENGAGED and play.ruled("shooting-while-engaged") == "forbidden":
        return f"{who} is Engaged, and the {weapon.name} is no weapon for that"
    return ""


def loads(play: Play[Adventure], weapon: Weapon) -> bool:
    """Whether the weapon has to be loaded at this table (SP-22)."""
    return Tag.BLACKPOWDER in weapon.tags and play.ruled("blackpowder") == "on"


def _where(play: Play[Adventure], who: str, apart: Proximity | None = None) -> str:
    return f"{who} is {(apart or conflict(play).combatants[who].proximity).label}"


def carried(play: Play[Adventure], who: str, weapon: str = "", skill: str = "") -> list[Grip]:
    """The weapons that ``who`` carries, and how each is used; only those asked for.

    Raises:
        IllegalAction: there is none like that.
    """
    sheet = character(play, who)
    grips = [(w, u) for w in sheet.weapons for u in w.uses if key_of(weapon) in ("", w.key)]
    if not grips:
        wanted = repr(weapon) if weapon else "weapon"
        arms = ", ".join(w.key for w in sheet.weapons) or "nothing"
        raise IllegalAction(f"{who} carries no {wanted}, but {arms}")
    fitting = [(w, u) for w, u in grips if key_of(skill) in ("", u.skill)]
    if not fitting:
        raise IllegalAction(f"the {grips[0][0].name} is not used with {skill!r}")
    return fitting


def ranged_weapons(play: Play[Adventure], who: str) -> list[Grip]:
    """The weapons with which ``who`` can shoot or throw now."""
    return [
        (w, u)
        for w in character(play, who).weapons
        for u in w.uses
        if u.ranged
        and rating_of(play, who, u.skill) is not None
        and (not loads(play, w) or w.key in character(play, who).loaded)
    ]


def usable(play: Play[Adventure], who: str, target: str, weapon: str = "", skill: str = "") -> list[Grip]:
    """The ways in which ``who`` can attack ``target`` now.

    Raises:
        IllegalAction: there is none; the message says why.
    """
    grips = carried(play, who, weapon, skill)
    troubles = [trouble(play, who, target, w, u) for w, u in grips]
    if all(troubles):
        raise IllegalAction(f"{who} cannot attack {target}: {'; '.join(dict.fromkeys(troubles))}")
    return [grip for grip, wrong in zip(grips, troubles, strict=True) if not wrong]


def can_reach(play: Play[Adventure], who: str, target: str) -> bool:
    """Whether there is any way in which ``who`` can attack ``target`` now."""
    grips = [(w, u) for w in character(play, who).weapons for u in w.uses]
    return any(not trouble(play, who, target, w, u) for w, u in grips)


def choose_grip(who: str, target: str, grips: list[Grip]) -> Steps[Grip]:
    """The weapon and skill to attack with; asked only where there is a choice (SP-10)."""
    if len(grips) == 1:
        return grips[0]
    options = tuple(
        Option(f"{w.key}/{u.skill}", f"{w.name}, {skills()[u.skill].name.lower()}", f"Menace {w.menace}")
        for w, u in grips
    )
    chosen = yield from ask(Choose(f"Weapon of {who} against {target}", options, by=who, rule="SP-10"))
    return next((w, u) for w, u in grips if f"{w.key}/{u.skill}" == chosen.key)
