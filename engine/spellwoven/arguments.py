"""What the arguments of Spellwoven's actions can be, by what a viewer sees of the adventure."""

from __future__ import annotations

from typing import Annotated

from loomtable.engine.kernel.arguments import Names, View
from loomtable.engine.spellwoven import armoury


def _players(seen: View) -> list[str]:
    return [c["player"] for c in seen["characters"].values() if c["player"]]


def _heroes(seen: View) -> list[str]:
    return [name for name, c in seen["characters"].items() if c["kind"] == "player-character"]


def _talents(seen: View) -> list[str]:
    return [t["name"] for c in seen["characters"].values() for t in c.get("talents", ())]


def _talent_does(seen: View, name: str) -> str:
    known = armoury.talents().get(armoury.key_of(name))
    return known.does if known is not None else ""


def _weapons(seen: View) -> list[str]:
    worn = [w for c in seen["characters"].values() for w in c["weapons"]]
    return [w if isinstance(w, str) else w["name"] for w in worn]


Who = Annotated[str, Names(lambda seen: seen["characters"], acting=True)]
Whom = Annotated[str, Names(lambda seen: seen["characters"])]
Hero = Annotated[str, Names(_heroes, acting=True)]
PlayerName = Annotated[str, Names(_players, closed=False, acting=True)]
SkillName = Annotated[str, Names(lambda seen: armoury.skills())]
TalentName = Annotated[str, Names(_talents, does=_talent_does)]
WeaponName = Annotated[str, Names(_weapons)]
SideName = Annotated[str, Names(lambda seen: ("party", "foes"), closed=False)]
WeaponKind = Annotated[str, Names(lambda seen: armoury.weapons(), closed=False)]
ArmourKind = Annotated[str, Names(lambda seen: armoury.armour(), closed=False)]
