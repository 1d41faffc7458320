"""The armoury and the people of Spellwoven: the shipped files hold together, a mistake is named with its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.spellwoven import armoury, people
from loomtable.engine.spellwoven.levels import Levels
from loomtable.engine.spellwoven.state import CharacterKind


def test_there_is_enough_of_everything() -> None:
    assert len(armoury.weapons()) >= 25
    assert len(armoury.armour()) >= 15
    assert len(armoury.shields()) == 3
    assert len(armoury.talents()) >= 12
    assert len(people.npcs()) + len(people.incidentals()) >= 8
    tags = {tag for weapon in armoury.weapons().values() for tag in weapon.tags}
    assert tags == set(armoury.Tag)
    effects = {talent.effect for talent in armoury.talents().values()}
    assert effects == set(armoury.TalentEffect)


BOOK = {"eating-knife": 2, "dagger": 3, "long-knife": 4, "shortsword": 5, "longsword": 6, "great-sword": 7}


def test_the_menace_figures_of_the_book() -> None:
    assert {weapon: armoury.weapons()[weapon].menace for weapon in BOOK} == BOOK


def test_soaks_shields_and_uses_of_the_book() -> None:
    assert armoury.armour()["heavy-fur-cloak"].soak == Levels(2, 1, 0, 0, 0)
    assert armoury.armour()["scale-tunic"].soak == Levels(1, 1, 1, 1, 0)
    assert armoury.armour()["quilted-tunic"].soak == Levels(3, 0, 0, 0, 0)
    assert [armoury.shields()[size].soak for size in armoury.ShieldSize] == [1, 2, 3]
    assert [u.skill for u in armoury.weapons()["hand-axe"].uses] == ["one-handed-hack", "thrown"]
    assert [u.skill for u in armoury.weapons()["broadsword"].uses] == ["one-handed-slash", "two-handed"]


def people_of(kind: CharacterKind) -> Callable[[str, str], Any]:
    return lambda text, name: people.parse_people(text, name, kind)


@pytest.mark.parametrize(
    ("name", "parse", "old", "new", "words"),
    [
        ("skills", armoury.parse_skills, "name: Senses", "name: Quickness", "'Quickness' stands twice"),
        ("weapons", armoury.parse_weapons, "menace: 3, uses", "menace: 0, uses", "has Menace 0; it is"),
        ("weapons", armoury.parse_weapons, "skill: polearms}]}", "skill: polarms}]}", "did you mean polearms?"),
        ("weapons", armoury.parse_weapons, "skill: polearms}]}", "skill: senses}]}", "needs a fighting skill"),
        ("weapons", armoury.parse_weapons, "reach: nearby", "reach: near", "'near' is not one of "),
        ("weapons", armoury.parse_weapons, "{skill: two-handed}], tags", "], tags", "has 0 fighting skills"),
        ("armour", armoury.parse_armour, "{deep: 1, grievous: 1}}", "{deep: 4, grievous: 1}}", "has a soak of 4"),
        ("armour", armoury.parse_armour, "size: large, soak: 3", "size: small, soak: 3", "no large shield"),
        ("armour", armoury.parse_armour, "size: large, soak: 3", "size: large, soak: 0", "at least one blow"),
        ("talents", armoury.parse_talents, "effect: pierce", "effect: re-roll", "the effect re-roll at hit"),
        ("talents", armoury.parse_talents, "skill: healing", "skill: heeling", "did you mean healing?"),
        ("talents", armoury.parse_talents, "    against: presence\n", "", "needs a defence that it"),
        ("talents", armoury.parse_talents, "uses: 2", "uses: 0", "needs at least one use"),
        ("foes", people_of(CharacterKind.NPC), "prowess: 8, ", "", "Outlaw leader needs a rating in prowess"),
        ("foes", people_of(CharacterKind.NPC), "weapons: [fangs]", "weapons: [fang]", "did you mean fangs?"),
        ("characters", people_of(CharacterKind.PLAYER_CHARACTER), "effort: 4", "efort: 4", "no field `efort`"),
    ],
)
def test_a_mistake_is_named_with_its_line(name: str, parse: Any, old: str, new: str, words: str) -> None:
    text = shipped("spellwoven", f"{name}.yaml")[0]
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(ContentInvalid) as refused:
        parse(text.replace(old, new, 1), f"{name}.yaml")
    assert words in str(refused.value)
    named = int(str(refused.value).split(" line ")[1].split(":")[0])
    # A field is named by its own line, anything else by the line in which its entry begins.
    assert 0 <= line - named <= 9, str(refused.value)
