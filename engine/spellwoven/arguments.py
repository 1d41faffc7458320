"""What the arguments of Spellwoven's actions can be, by what a viewer sees of the adventure."""

from __future__ import annotations

from typing import Annotated

from loomtable.engine.kernel.arguments import Names, View
from loomtable.engine.kernel.wording import label_of
from loomtable.engine.spellwoven import armoury


def _talents(view: View) -> list[str]:
    return [t["name"] for c in view["characters"].values() for t in c.get("talents", ())]


def _talent_does(view: View, name: str) -> str:
    known = armoury.talents().get(armoury.key_of(name))
    return known.does if known is not None else ""


def _weapons(view: View) -> list[str]:
    worn = [w for c in view["characters"].values() for w in c["weapons"]]
    return [w if isinstance(w, str) else w["name"] for w in worn]


Who = Annotated[str, Names(lambda view: view["characters"], acting=True)]
Whom = Annotated[str, Names(lambda view: view["characters"])]
Hero = Annotated[
    str,
    Names(lambda view: [n for n, c in view["characters"].items() if c["kind"] == "player-character"], acting=True),
]
PlayerName = Annotated[
    str,
    Names(
        lambda view: [c["player"] for c in view["characters"].values() if c["player"]], closed=False, acting=True
    ),
]
SkillName = Annotated[str, Names(lambda view: armoury.skills())]
TalentName = Annotated[str, Names(_talents, does=_talent_does)]
WeaponName = Annotated[str, Names(_weapons)]
SideName = Annotated[str, Names(lambda view: ("party", "foes"), closed=False)]
WeaponKind = Annotated[str, Names(lambda view: armoury.weapons(), closed=False, title=label_of)]
ArmourKind = Annotated[str, Names(lambda view: armoury.armour(), closed=False, title=label_of)]
