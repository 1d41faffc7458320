"""What an argument of an action can be: the names that exist now, as far as one viewer may know them.

Everything is taken from ``Session.view``, so that a form never offers what its reader must not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import RULING_ACTION
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.rights import SOLO, names_of

View = Mapping[str, Any]


class Offer(msgspec.Struct, frozen=True):
    """The names that fit; ``closed`` where nothing else can."""

    names: tuple[str, ...]
    closed: bool = True


NOTHING = Offer((), closed=False)

_PEOPLE = frozenset(
    [
        "who",
        "other",
        "target",
        "opposer",
        "npc",
        "healer",
        "starter",
        "chooser",
        "against",
        "involved",
        "ambushers",
        "surprised",
        "patient",
        "combatants",
        "order",
        "towards",
        "player",
    ]
)
"""Arguments that name somebody at the table, in every system."""


class Offers:
    """What can be written for the arguments of actions, by what one device may see of a session now."""

    def __init__(self, session: Session[Any], device: Device) -> None:
        self._system = session.system
        self._view: View = session.view(device.viewer)
        player = device.role is Role.PLAYER and session.system.key not in SOLO
        self._own = names_of(session, device.person) if player else None

    def of(self, action: str) -> Callable[[str], Offer]:
        """The offers for each argument of an action."""
        return lambda argument: self._offer(action, argument)

    def _offer(self, action: str, argument: str) -> Offer:
        if action == RULING_ACTION:
            return Offer(tuple(self._system.rulings)) if argument == "ruling" else NOTHING
        if self._own is not None and argument in ("who", "player"):
            return Offer(tuple(sorted(self._own)))
        found = _SYSTEMS[self._system.key](self._view, action, argument)
        if found is None:
            return NOTHING
        names = tuple(dict.fromkeys(found[0]))
        # Where there is nothing to choose from, the rules say why nothing that is written can be.
        return Offer(names, closed=found[1] and bool(names))


Found = tuple[Iterable[str], bool] | None


def _weave(view: View, action: str, argument: str) -> Found:
    from loomtable.engine.weave.playset import playset_names

    if argument == "player":
        return [*view["players"], *(c["player"] for c in view["characters"].values())], False
    if action == "add-npc":
        return None
    if argument in _PEOPLE:
        known = [one for one in view["foundation"] if isinstance(one, Mapping)]
        bosses = [one["quality"]["name"] for one in known if one["kind"] == "boss"]
        # A card is picked unseen by a person at the table, not by a character.
        people = (*view["players"], *(c["player"] for c in view["characters"].values()))
        choosing = people if argument == "chooser" else ()
        return [*choosing, *view["characters"], *view["npcs"], *bosses], bool(view["npcs"] or view["characters"])
    if argument == "playset":
        return playset_names(), True
    kinds = {"asset": "asset", "talent": "talent", "flaw": "flaw", "move": "signature-move", "subplot": "subplot"}
    if argument in kinds:
        return list(_qualities(view, kinds[argument])), False
    if argument in ("card", "discards"):
        hand = [c for c in view["hand"] if c[:1] in ("S", "C")]
        kept = [card for character in view["characters"].values() for card in character["kept"]]
        return [*(c for c in hand if c.startswith("S" if action == "play-story" else "C")), *kept], False
    return None


def _qualities(view: View, kind: str) -> Iterable[str]:
    sheets = [q for c in view["characters"].values() for q in c["qualities"]]
    sheets += [q for npc in view["npcs"].values() for q in npc.get("qualities", ())]
    for quality in [*sheets, *view["elements"]]:
        if quality["kind"] == kind:
            yield quality["quality"]["name"]


def _spellwoven(view: View, action: str, argument: str) -> Found:
    from loomtable.engine.spellwoven import armoury
    from loomtable.engine.spellwoven.encounters import encounter_names

    characters = view["characters"]
    if argument == "player":
        return [c["player"] for c in characters.values() if c["player"]], False
    if argument in _PEOPLE:
        return characters, bool(characters)
    if argument in ("skill", "opposing_skill"):
        return armoury.skills(), True
    if argument == "talent":
        return [t["name"] for c in characters.values() for t in c.get("talents", ())], False
    if argument == "weapon":
        worn = [w for c in characters.values() for w in c["weapons"]]
        return [w if isinstance(w, str) else w["name"] for w in worn], False
    if argument == "encounter":
        return encounter_names(), True
    if argument == "side":
        return ["party", "foes"], False
    return None


def _storm_weavers(view: View, action: str, argument: str) -> Found:
    from loomtable.engine.storm_weavers.adventure_check import adventure_names
    from loomtable.engine.storm_weavers.combat_map import map_names

    if argument == "map":
        return map_names(), True
    if argument == "adventure":
        return adventure_names(), True
    if action == "lose-item" and view["thymin"]:
        return view["thymin"]["items"], True
    return None


def _mnemonic(view: View, action: str, argument: str) -> Found:
    characters = view["characters"]
    if argument == "player":
        return [c["player"] for c in characters.values()], False
    if argument in ("who", "other"):
        return characters, bool(characters) and action != "begin-mode"
    if argument == "skill":
        return [s["name"] for c in characters.values() for s in c["skills"]], True
    if argument == "card" and view["cards"]:
        return [c for hand in view["cards"]["hands"].values() for c in hand.get("cards", ())], False
    return None


def _woven(view: View, action: str, argument: str) -> Found:
    from loomtable.engine.woven.region_map import map_names, region_map

    if argument == "who":
        return view["mages"], bool(view["mages"])
    if argument == "map":
        return map_names(), True
    if argument in ("spell", "charge"):
        charged = [spell for mage in view["mages"].values() for spell in mage["charges"]]
        return charged, bool(charged)
    if argument in ("to", "start", "tendril") and view["map"]:
        return [region.key for region in region_map(view["map"]).regions], True
    return None


_SYSTEMS: Mapping[str, Callable[[View, str, str], Found]] = {
    "weave": _weave,
    "spellwoven": _spellwoven,
    "storm-weavers": _storm_weavers,
    "mnemonic": _mnemonic,
    "woven": _woven,
}
