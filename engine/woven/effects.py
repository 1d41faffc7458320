"""What spells do, as data (WO-15): the words of which ``templates/woven/spells.yaml`` is made.

An effect says *what* happens; the rules say *how*. A new spell that combines these needs no code. In the file each
effect is a block whose field ``do`` names it: ``{do: attack, strength: 1, where: own-tendril}``.

The effects of one spell happen in their order, and a casting remembers three things for the effects after:

- **that place**: the location that an earlier effect chose or reached (``Where.THAT_PLACE``);
- **that tendril**: the tendril that an earlier effect chose, moved or placed (``Which.THAT``, ``Which.NEW``);
- **that mage**: the mage whose tendril an earlier effect found (``Where.THAT_MAGE``).

*Removed* and *consumed* tendrils both go to their owner's spent mana. They differ in what can prevent them: a
tendril is consumed by its own mage's spell and removed by anything else. *Adjacent* is across a border of the
region map.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import msgspec

from loomtable.engine.woven.regions import Terrain


class Where(StrEnum):
    """A location, or several, seen from the mage whose spell it is."""

    HERE = "here"
    """The mage's own location."""
    ADJACENT = "adjacent"
    """One location adjacent to the mage's own, which the mage chooses."""
    OWN_TENDRIL = "own-tendril"
    """The location of one of the mage's tendrils; the mage chooses the tendril, which becomes that tendril."""
    BESIDE_OWN_TENDRIL = "beside-own-tendril"
    """One location adjacent to one of the mage's tendrils; the mage chooses both."""
    EVERY_OWN_TENDRIL = "every-own-tendril"
    """Each location that holds at least one of the mage's tendrils, once."""
    AROUND_OWN_TENDRIL = "around-own-tendril"
    """All locations adjacent to one of the mage's tendrils, which the mage chooses."""
    AROUND_OWN_TENDRILS = "around-own-tendrils"
    """All locations adjacent to any of the mage's tendrils."""
    THAT_PLACE = "that-place"
    """The location that an earlier effect of this casting chose."""
    THAT_MAGE = "that-mage"
    """The location of the mage whom an earlier effect of this casting found."""


class Which(StrEnum):
    """Which of the mage's own tendrils."""

    ANY = "any"
    """One that the mage chooses."""
    NEW = "new"
    """The one that an earlier effect of this casting placed; nothing happens if none was placed."""
    THAT = "that"
    """The one that an earlier effect of this casting chose or moved."""
    ALL_BUT_ONE = "all-but-one"
    """All, except one that the mage chooses."""


class Loss(StrEnum):
    """How a tendril is lost."""

    REMOVED = "removed"
    CONSUMED = "consumed"


class SacrificeGoes(StrEnum):
    """Where a tendril goes that its mage sacrifices."""

    SPENT = "spent"
    """To the mage's spent mana."""
    ATTACKER = "attacker"
    """It stays a tendril of its mage, in the attacker's location."""


class _Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """An effect; its ``do`` names it."""


class Move(_Effect, frozen=True, tag="move"):
    """The mage moves up to ``steps`` locations without paying for terrain.

    Barriers still stop the mage: rivers without a bridge, and magic. With ``only``, every location entered must be
    of one of these terrains.
    """

    steps: int
    only: tuple[Terrain, ...] = ()


class MoveInto(_Effect, frozen=True, tag="move-into"):
    """The mage moves into ``where`` (that place), without paying for terrain."""

    where: Where = Where.THAT_PLACE


class Push(_Effect, frozen=True, tag="push"):
    """Every other mage in ``where`` is pushed into a location adjacent to it; the caster chooses each
    destination."""

    where: Where


class Teleport(_Effect, frozen=True, tag="teleport"):
    """The mage is at ``to`` at once, wherever that is and whatever lies between."""

    to: Where


class PlaceTendril(_Effect, frozen=True, tag="place-tendril"):
    """The mage may take up to ``count`` mana from the pool and place them as tendrils in ``where`` (WO-12).

    Where ``where`` leaves a choice, it is made for each tendril.
    """

    where: Where = Where.HERE
    count: int = 1


class MoveTendril(_Effect, frozen=True, tag="move-tendril"):
    """The mage may move a tendril up to ``steps`` locations; terrain and barriers do not matter to it.

    ``count`` different tendrils may be moved so, one after another. If it ``sweeps``, all other tendrils in the
    location where it starts and in every location it enters are removed.
    """

    steps: int
    which: Which = Which.ANY
    count: int = 1
    sweeps: bool = False


class MoveEveryTendril(_Effect, frozen=True, tag="move-every-tendril"):
    """The mage may move each of the mage's tendrils up to ``steps`` locations."""

    steps: int


class Attack(_Effect, frozen=True, tag="attack"):
    """An attack of ``strength`` on every creature in ``where`` (WO-13)."""

    strength: int
    where: Where


class Consume(_Effect, frozen=True, tag="consume"):
    """These of the mage's own tendrils are consumed."""

    which: Which


class ClearTendrils(_Effect, frozen=True, tag="clear-tendrils"):
    """All tendrils of all mages in ``where`` are removed, except that tendril of the caster's if there is one."""

    where: Where


class RemoveTendrils(_Effect, frozen=True, tag="remove-tendrils"):
    """The caster may choose another mage who has a tendril in ``where``, and remove up to ``count`` tendrils of
    that mage anywhere; the caster chooses them."""

    count: int
    where: Where


class RemoveThatTendril(_Effect, frozen=True, tag="remove-that-tendril"):
    """The other mage's tendril that an earlier effect found is removed."""


class RemoveCharges(_Effect, frozen=True, tag="remove-charges"):
    """Another mage in ``where``, whom the caster chooses, loses ``count`` charges; that mage chooses which.

    They go to that mage's spent mana.
    """

    count: int
    where: Where


class PlaceCharge(_Effect, frozen=True, tag="charge"):
    """The mage takes one mana from the pool and puts it on this spell as a charge (WO-12)."""


class OnRivalTendril(_Effect, frozen=True, tag="on-rival-tendril"):
    """If the mage now shares a location with another mage's tendril, the mage may do ``then``.

    The mage chooses among several; its owner becomes that mage.
    """

    then: tuple[CastEffect, ...]


class RecoverThreads(_Effect, frozen=True, tag="recover-threads"):
    """The mage takes up to ``count`` threads from the tapestry back into the pool, and chooses which."""

    count: int


class AnotherAction(_Effect, frozen=True, tag="another-action"):
    """The mage may take another action."""


class Defend(_Effect, frozen=True, tag="defend"):
    """One charge protects the mage from one whole attack (WO-13).

    If the attack is of ``strength`` or more, the charge is dispelled into spent mana.
    """

    strength: int


class PassTerrain(_Effect, frozen=True, tag="pass"):
    """The mage may enter these terrains and, if ``rivers``, cross rivers, as if they were no barrier."""

    terrain: tuple[Terrain, ...] = ()
    rivers: bool = False


class TendrilBesideWater(_Effect, frozen=True, tag="tendril-beside-water"):
    """When an action of the mage ends adjacent to water - a water region or a river on the location's border - the
    mage may place ``count`` tendrils there."""

    count: int = 1


class NudgeTendrils(_Effect, frozen=True, tag="nudge-tendrils"):
    """At the end of the mage's turn: for each charge here, one tendril of another mage that is within ``reach``
    locations of one of the mage's own tendrils may be moved up to ``steps`` locations."""

    steps: int
    reach: int


class HoldTendrils(_Effect, frozen=True, tag="hold-tendrils"):
    """While the mage has fewer tendrils than charges on this spell, other mages cannot remove them.

    They can still be consumed.
    """


class BlockEntry(_Effect, frozen=True, tag="block-entry"):
    """Other mages cannot enter ``where``."""

    where: Where


class Reflect(_Effect, frozen=True, tag="reflect"):
    """The mage takes an attack divided by ``divided_by`` (rounded down); the whole of it hits the attacker too."""

    divided_by: int


class TendrilDefends(_Effect, frozen=True, tag="tendril-defends"):
    """A tendril that shares the mage's location protects the mage as a Defend of ``strength`` would.

    Where that would dispel a charge, the tendril goes to spent mana.
    """

    strength: int


class SacrificeTendril(_Effect, frozen=True, tag="sacrifice-tendril"):
    """The mage may sacrifice a tendril to Defend ``defend`` (0: not for that), or, if it ``saves_tendril``, to
    stop another tendril from being removed. The charge stays."""

    defend: int = 0
    saves_tendril: bool = False
    goes: SacrificeGoes = SacrificeGoes.SPENT


class SaveTendril(_Effect, frozen=True, tag="save-tendril"):
    """One of the mage's tendrils is not lost in one of the ways ``from``."""

    from_: tuple[Loss, ...] = msgspec.field(name="from")


class Deflect(_Effect, frozen=True, tag="deflect"):
    """When the mage is attacked: the attack does not hit but goes to a location ``to`` with its ``strength``
    instead of its own; if it ``clears_tendrils``, all tendrils there are removed."""

    strength: int
    to: Where
    clears_tendrils: bool = False


CastEffect: TypeAlias = (
    Move
    | MoveInto
    | Push
    | Teleport
    | PlaceTendril
    | MoveTendril
    | MoveEveryTendril
    | Attack
    | Consume
    | ClearTendrils
    | RemoveTendrils
    | RemoveThatTendril
    | RemoveCharges
    | PlaceCharge
    | OnRivalTendril
    | RecoverThreads
    | AnotherAction
)
"""What can happen when a spell is cast."""

StandingEffect: TypeAlias = (
    Defend
    | PassTerrain
    | TendrilBesideWater
    | NudgeTendrils
    | HoldTendrils
    | BlockEntry
    | Reflect
    | TendrilDefends
    | SacrificeTendril
)
"""What holds while at least one charge lies on a spell."""

SpendEffect: TypeAlias = RecoverThreads | SaveTendril | Deflect
"""What a mage gets for spending one charge, also in another mage's turn (WO-12); the charge goes to spent mana."""
