"""Storm Weavers: what a phase of a fight on a map may bring, by the sheet and the paragraph."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from loomtable.engine.odds.manners import Manner, passing_strikes, prefers_cunning, target_of
from loomtable.engine.odds.map_moves import Alive, MoveBook, Squares
from loomtable.engine.odds.storm_weavers import CUNNING_STRIKE_INJURIES, SQUARE, blows
from loomtable.engine.storm_weavers.map_attacks import CHARGE_BONUS, PUSHING_INJURIES
from loomtable.engine.storm_weavers.movement import adjacent, lost_when_flanked
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.squares import Direction, Square, direction_between

Blows = tuple[tuple[int, int, int], ...]
"""Injuries to Thymin, injuries to the enemy, and in how many of 36 throws."""


class Strike(NamedTuple):
    """What an attack or a Cunning Strike may bring, and whether its injuries push out."""

    blows: Blows
    pushes: bool = True


class AttackPhase(NamedTuple):
    """Where figures stand as one of them strikes, who meets Thymin there (0: nobody), the blows by his Health."""

    spot: Squares
    enemy: int = 0
    by_health: tuple[tuple[range, Strike], ...] = ()
    run_up: Direction | None = None
    """The run-up that the mover has behind it."""


class Figures:
    """The figures of one fight: how they move (``moves``), and how they strike."""

    def __init__(self, thymin: Sheet, manner: Manner, moves: MoveBook) -> None:
        self.thymin, self.manner, self.moves = thymin, manner, moves
        self.plan, self.rulings = moves.plan, moves.rulings
        self._phases: dict[tuple[Squares, Alive, int], AttackPhase] = {}
        self._strikes: dict[tuple[int, int, int], tuple[tuple[range, Strike], ...]] = {}

    @property
    def heeds_health(self) -> bool:
        """Whether what Thymin does depends on how hurt he is."""
        return self.plan.conditions.cunning_strike and self.manner is not Manner.PLAIN

    def attacks(self, mover: int) -> int:
        """How often Thymin (0) or an enemy may attack in one phase (SW-8)."""
        several = self.plan.enemies[mover - 1].attacks if mover else self.plan.conditions.attacks
        return several if mover else min(several, len(self.plan.enemies))

    def moving(self, spot: Squares, alive: Alive, mover: int) -> AttackPhase:
        """What Thymin (0) or an enemy does on these squares: the move, and the first attack after it."""
        key = (spot, alive, mover)
        if key not in self._phases:
            moved, run_up = self.moves.moved(spot, alive, mover)
            self._phases[key] = self.striking(moved, alive, mover, (), run_up)
        return self._phases[key]

    def striking(
        self, spot: Squares, alive: Alive, mover: int, struck: tuple[int, ...], run_up: Direction | None
    ) -> AttackPhase:
        """An attack from where the mover stands, on an enemy whom Thymin has not struck in this phase."""
        beside = self._beside(spot, alive)
        targets = [n for n in beside if n not in struck]
        if mover not in (0, *beside) or not targets:
            return AttackPhase(spot)
        if not mover:
            target = target_of(targets)
            charge = self._charge(run_up, spot.thymin, spot.enemies[target - 1])
            lost = self._flanked(spot, alive, attacking=True)
            attacked = self.moves.attacked(spot, target)
            return AttackPhase(attacked, target, self._thymins_strikes(target, lost, charge), run_up)
        if self.moves.in_peace(spot, mover) or alive[mover - 1] <= self.plan.enemies[mover - 1].flees_at:
            return AttackPhase(spot)
        charge = 0
        if self.rulings["enemy-charge"] == "enemies-too":
            charge = self._charge(run_up, spot.enemies[mover - 1], spot.thymin)
        lost = self._flanked(spot, alive, attacking=False)
        everybody = range(1, self.thymin.health + 1)
        strike = Strike(self._blows_with(mover, lost, charge, by_thymin=False))
        return AttackPhase(spot, mover, ((everybody, strike),), run_up)

    def run_up_left(self, run_up: Direction | None, *, pushed: bool) -> Direction | None:
        """What is left of a run-up for the next attack in the same phase (SW-12)."""
        return None if pushed or self.rulings["charge-several-attacks"] == "first-attack" else run_up

    def pushes(self, injuries: int) -> bool:
        """Whether so many injuries push out in this fight (SW-10)."""
        return injuries >= PUSHING_INJURIES and self.plan.conditions.push_squares > 0

    def pushed(self, spot: Squares, alive: Alive, loser: int, enemy: int, injuries: int) -> tuple[Squares, int]:
        """As ``MoveBook.pushed``, where the injuries are grave enough (SW-10)."""
        return self.moves.pushed(spot, alive, loser, enemy) if self.pushes(injuries) else (spot, 0)

    def fallen(self, spot: Squares, enemy: int) -> Squares:
        """The squares once an enemy has fallen (ruling fallen-enemies)."""
        return spot if self.rulings["fallen-enemies"] == "stay-in-the-way" else spot.with_enemy(enemy, "")

    def _beside(self, spot: Squares, alive: Alive) -> list[int]:
        around = [square for _, square in self.moves.map.around(spot.thymin)]
        return [n for n, s in enumerate(spot.enemies, start=1) if alive[n - 1] and s in around]

    def _flanked(self, spot: Squares, alive: Alive, *, attacking: bool) -> int:
        """The Dexterity that flanking takes from Thymin (SW-13)."""
        if attacking and self.rulings["flanked-defence"] == "only-defence":
            return 0
        standing = [s for s, stands in zip(spot.enemies, alive, strict=True) if stands]
        return lost_when_flanked(adjacent(self.moves.map, spot.thymin, standing))

    def _charge(self, run_up: Direction | None, start: Square, target: Square) -> int:
        """What a run-up adds to the Attack (SW-12)."""
        towards = self.rulings["charge-direction"] == "towards-the-enemy"
        if run_up is None or (towards and direction_between(start, target) is not run_up):
            return 0
        return CHARGE_BONUS

    def _thymins_strikes(self, target: int, lost: int, charge: int) -> tuple[tuple[range, Strike], ...]:
        """His attack or his Cunning Strike, whichever his manner prefers at each Health."""
        key = (target, lost, charge)
        if key not in self._strikes:
            self._strikes[key] = self._preferred(target, lost, charge)
        return self._strikes[key]

    def _preferred(self, target: int, lost: int, charge: int) -> tuple[tuple[range, Strike], ...]:
        attack = Strike(self._blows_with(target, lost, charge, by_thymin=True))
        bands: list[tuple[range, Strike]] = []
        for health in range(1, self.thymin.health + 1):
            found = self._cunning(health) if self._cunningly(target, health) else attack
            if bands and bands[-1][1] == found:
                bands[-1] = (range(bands[-1][0].start, health + 1), found)
            else:
                bands.append((range(health, health + 1), found))
        return tuple(bands)

    def _cunningly(self, target: int, health: int) -> bool:
        now, enemy = msgspec.structs.replace(self.thymin, health=health), self.plan.enemies[target - 1]
        return self.plan.conditions.cunning_strike and prefers_cunning(
            self.manner,
            now,
            enemy,
            self.plan.modifiers_against(target),
            self.rulings,
            self.plan.strike_test,
        )

    def _cunning(self, health: int) -> Strike:
        passing = passing_strikes(self.thymin, self.plan.strike_test, health, self.rulings)
        hurt = CUNNING_STRIKE_INJURIES
        pushes = self.rulings["cunning-strike-pushes"] == "like-any-other"
        return Strike(((0, hurt, passing), (hurt, 0, SQUARE - passing)), pushes)

    def _blows_with(self, number: int, lost: int, charge: int, *, by_thymin: bool) -> Blows:
        extra = self.plan.modifiers_against(number)
        attack = extra.thymin_attack if by_thymin else extra.enemy_attack
        name = "thymin_attack" if by_thymin else "enemy_attack"
        found = blows(
            msgspec.structs.replace(self.thymin, dexterity=self.thymin.dexterity - lost),
            self.plan.enemies[number - 1],
            by_thymin=by_thymin,
            modifiers=msgspec.structs.replace(extra, **{name: attack + charge}),
            rulings=self.rulings,
        )
        return tuple((blow.to_thymin, blow.to_enemy, ways) for blow, ways in found.items())
