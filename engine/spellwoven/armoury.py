"""The armoury: skills, weapons, armour, shields and talents, as data that people write.

The files lie in ``templates/spellwoven``; ``docs/systems/spellwoven.md`` describes them. Everything is checked
when it is read, and a mistake is named with its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cache
from typing import Protocol, TypeVar

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.wording import Labelled, nearest
from loomtable.engine.kernel.yamlfile import Titled, YamlLines, parse_yaml
from loomtable.engine.spellwoven.levels import MOST_SOAK, Levels

MOST_MENACE = 20


class SkillSort(StrEnum):
    """What a rating is for."""

    TRAIT = "trait"
    FIGHTING = "fighting"
    SOCIAL = "social"
    OTHER = "other"


class Skill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill or base trait that can be tested (SP-1)."""

    name: str
    sort: SkillSort


class Proximity(Labelled):
    """How near to the fight, and so how far a weapon has to reach (SP-7)."""

    ENGAGED = "engaged"
    NEARBY = "nearby"
    DISTANT = "distant"

    @property
    def steps(self) -> int:
        """How many actions it takes to be Engaged."""
        return tuple(Proximity).index(self)


class WeaponUse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fighting skill with which a weapon is used, and how far it reaches then (SP-10)."""

    skill: str
    reach: Proximity = Proximity.ENGAGED

    @property
    def ranged(self) -> bool:
        """Whether it is shot or thrown."""
        return self.reach is not Proximity.ENGAGED


class Tag(StrEnum):
    """What optional rules look for in a weapon (SP-22)."""

    VERY_HEAVY = "very-heavy"
    BLACKPOWDER = "blackpowder"
    ARROW = "arrow"


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon: one or two fighting skills, and its Menace (SP-10, SP-11)."""

    name: str
    menace: int
    uses: tuple[WeaponUse, ...]
    tags: tuple[Tag, ...] = ()

    @property
    def key(self) -> str:
        """Its name as people type it: ``"long-knife"``."""
        return key_of(self.name)


class Armour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of armour and its soak (SP-15)."""

    name: str
    soak: Levels

    @property
    def key(self) -> str:
        """Its name as people type it."""
        return key_of(self.name)


class ShieldSize(StrEnum):
    """The three sizes of shields (SP-18)."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


class ShieldChoice(StrEnum):
    """A shield to take up, or none (SP-18)."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    NONE = "none"


class ShieldKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shield and how many blows it catches (SP-18)."""

    name: str
    size: ShieldSize
    soak: int


class When(StrEnum):
    """When a talent can be used (SP-9)."""

    ACTION = "action"
    BEFORE_ATTACK = "before-attack"
    ATTACK_ROLLED = "attack-rolled"
    HIT = "hit"
    MENACE_ROLLED = "menace-rolled"
    TEST_ROLLED = "test-rolled"
    INITIATIVE_ROLLED = "initiative-rolled"


class TalentEffect(StrEnum):
    """What a talent does (SP-9)."""

    RE_ROLL = "re-roll"
    ADD_SUCCESSES = "add-successes"
    ADVANTAGE = "advantage"
    PIERCE = "pierce"
    RAISE_INITIATIVE = "raise-initiative"
    LOWER_INITIATIVE = "lower-initiative"
    RAISE_DEFENCE = "raise-defence"
    REGAIN_EFFORT = "regain-effort"


class TalentWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What talents do, and when which of it makes sense (``templates/spellwoven/talent_words.yaml``)."""

    when: dict[When, str]
    does: dict[TalentEffect, str]
    fits: dict[When, tuple[TalentEffect, ...]]


TALENTS_SAY = parse_yaml(shipped("spellwoven", "talent_words.yaml")[0], TalentWords, "talent_words.yaml")[0]


class Defence(StrEnum):
    """What a test against somebody is held against."""

    QUICKNESS = "quickness"
    PRESENCE = "presence"


class Talent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A talent: when it can be used, how often in one combat, and what it does (SP-9).

    ``by`` is how much, for effects that are counted. ``skill`` limits a talent after a test to that skill; on a
    talent that is an action it is tested ``against`` the target's defence first.
    """

    name: str
    says: str
    when: When
    effect: TalentEffect
    uses: int = 1
    by: int = 1
    skill: str = ""
    against: Defence | None = None

    @property
    def key(self) -> str:
        """Its name as people type it."""
        return key_of(self.name)

    @property
    def does(self) -> str:
        """What it does by the rules: ``"Once in a combat, after an attack roll: roll it again."``"""
        often = {1: "Once", 2: "Twice"}.get(self.uses, f"{self.uses} times")
        skill = self.skill.replace("-", " ")
        when = (
            f"after a test of {skill}" if skill and self.when is When.TEST_ROLLED else TALENTS_SAY.when[self.when]
        )
        tested = f" if {skill} beats their {self.against.value.capitalize()} Defence" if self.against else ""
        return f"{often} in a combat, {when}: {TALENTS_SAY.does[self.effect].format(by=self.by)}{tested}."


def key_of(name: str) -> str:
    """``"Long knife"`` as it is typed: ``"long-knife"``."""
    return name.strip().lower().replace(" ", "-")


class _SkillFile(Titled, frozen=True):
    skills: list[Skill]


class _WeaponFile(Titled, frozen=True):
    weapons: list[Weapon]


class _ArmourFile(Titled, frozen=True):
    armour: list[Armour]
    shields: list[ShieldKind]


class _TalentFile(Titled, frozen=True):
    talents: list[Talent]


def parse_skills(text: str, name: str) -> dict[str, Skill]:
    """Read and check a file of skills; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line. So for all readers below.
    """
    file, lines = parse_yaml(text, _SkillFile, name)
    return _by_key(file.skills, lambda skill: "", lines, "skills")


def parse_weapons(text: str, name: str) -> dict[str, Weapon]:
    """Read and check a file of weapons."""
    file, lines = parse_yaml(text, _WeaponFile, name)
    return _by_key(file.weapons, weapon_trouble, lines, "weapons")


def parse_armour(text: str, name: str) -> tuple[dict[str, Armour], dict[ShieldSize, ShieldKind]]:
    """Read and check a file of armour and shields."""
    file, lines = parse_yaml(text, _ArmourFile, name)
    shields = _by_key(
        file.shields, lambda s: "" if s.soak > 0 else "must catch at least one blow", lines, "shields"
    )
    by_size = {shield.size: shield for shield in shields.values()}
    for size in ShieldSize:
        if size not in by_size:
            raise ContentInvalid(f"{lines.place('shields')}: there is no {size} shield")
    return _by_key(file.armour, armour_trouble, lines, "armour"), by_size


def parse_talents(text: str, name: str) -> dict[str, Talent]:
    """Read and check a file of talents."""
    file, lines = parse_yaml(text, _TalentFile, name)
    return _by_key(file.talents, talent_trouble, lines, "talents")


def weapon_trouble(weapon: Weapon) -> str:
    """What is wrong with a weapon, in words; nothing if it holds together (SP-10)."""
    if not 1 <= len(weapon.uses) <= 2:
        return f"has {len(weapon.uses)} fighting skills; a weapon has one or two"
    if not 1 <= weapon.menace <= MOST_MENACE:
        return f"has Menace {weapon.menace}; it is from 1 to {MOST_MENACE}"
    for use in weapon.uses:
        known = skills().get(use.skill)
        if known is None or known.sort is not SkillSort.FIGHTING:
            return f"needs a fighting skill, and {use.skill!r} is none{nearest(use.skill, skills())}"
    return ""


def armour_trouble(piece: Armour) -> str:
    """What is wrong with a piece of armour (SP-15)."""
    wrong = [soak for soak in piece.soak.counts if not 0 <= soak <= MOST_SOAK]
    return f"has a soak of {wrong[0]}; at each level it is from 0 to {MOST_SOAK}" if wrong else ""


def talent_trouble(talent: Talent) -> str:
    """What is wrong with a talent (SP-9)."""
    if talent.effect not in TALENTS_SAY.fits[talent.when]:
        fitting = ", ".join(TALENTS_SAY.fits[talent.when])
        return f"cannot have the effect {talent.effect} at {talent.when}; there it can have {fitting}"
    if talent.uses < 1 or talent.by < 1:
        return "needs at least one use, and to count for at least 1"
    if talent.skill and talent.skill not in skills():
        return f"names a skill {talent.skill!r} that there is not{nearest(talent.skill, skills())}"
    if talent.against is not None and (talent.when is not When.ACTION or not talent.skill):
        return "is held against a defence, and so must be an action with a skill"
    if talent.effect is TalentEffect.LOWER_INITIATIVE and talent.against is None:
        return "does something to an opponent, and so needs a defence that it is held against"
    return ""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)


def _by_key(entries: Iterable[N], trouble: Callable[[N], str], lines: YamlLines, field: str) -> dict[str, N]:
    found: dict[str, N] = {}
    for place, entry in enumerate(entries):
        wrong = trouble(entry) if entry.name.strip() else "needs a name"
        if key_of(entry.name) in found:
            wrong = "stands twice"
        if wrong:
            raise ContentInvalid(f"{lines.place(field, place)}: {entry.name!r} {wrong}")
        found[key_of(entry.name)] = entry
    return found


@cache
def skills() -> dict[str, Skill]:
    """The installed skills, by key."""
    return parse_skills(*shipped("spellwoven", "skills.yaml"))


@cache
def weapons() -> dict[str, Weapon]:
    """The installed weapons, by key."""
    return parse_weapons(*shipped("spellwoven", "weapons.yaml"))


@cache
def armour() -> dict[str, Armour]:
    """The installed pieces of armour, by key."""
    return parse_armour(*shipped("spellwoven", "armour.yaml"))[0]


@cache
def shields() -> dict[ShieldSize, ShieldKind]:
    """The installed shields, by size."""
    return parse_armour(*shipped("spellwoven", "armour.yaml"))[1]


@cache
def talents() -> dict[str, Talent]:
    """The installed talents, by key."""
    return parse_talents(*shipped("spellwoven", "talents.yaml"))


def look_up(what: str, key: str, known: dict[str, N]) -> N:
    """The entry of this key.

    Raises:
        ContentInvalid: there is none; the message names the nearest one.
    """
    if key not in known:
        some = ", ".join(sorted(known)[:8]) + ", ..." * (len(known) > 8)
        raise ContentInvalid(f"there is no {what} {key!r}{nearest(key, known, f'there are {some}')}")
    return known[key]
