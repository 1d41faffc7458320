"""Storm Weavers: what one blow in a fight on a map may bring, before it is struck (SW-8, SW-9, SW-11, SW-12)."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from loomtable.engine.kernel.play import Play
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.storm_weavers import D6, SQUARE, cunning_strike_odds
from loomtable.engine.storm_weavers.events.fights import CunningStrikeMade, Exchanged, Moved, PushedOut
from loomtable.engine.storm_weavers.map_attacks import charge_bonus, enemy_fighting, thymin_fighting
from loomtable.engine.storm_weavers.movement import run_up_of
from loomtable.engine.storm_weavers.squares import Direction
from loomtable.engine.storm_weavers.state import Tale


class StrikeOdds(msgspec.Struct, frozen=True):
    """How likely a blow of Thymin hurts the enemy, and how likely it hurts him."""

    enemy_hurt: Fraction
    thymin_hurt: Fraction


def strike_odds(session: Session[Tale], number: int, *, cunning: bool = False) -> StrikeOdds:
    """The odds of Thymin's attack on enemy ``number``, or of a Cunning Strike at it, as the fight stands now.

    He stands where he strikes from: the question whom to attack is open. For a Cunning Strike he uses every item
    that helps.
    """
    play: Play[Tale] = Play(session.game, session.opened.seed)
    fought = session.state.map_fight
    assert fought is not None and session.state.thymin is not None
    if cunning:
        sheet = session.state.thymin
        added = fought.plan.strike_test.settled(sheet.items)
        passed = cunning_strike_odds(sheet, modifier=added, rulings=session.game.rulings).passed
        return StrikeOdds(passed, 1 - passed)
    charge = charge_bonus(play, _run_up(session), fought.thymin, fought.enemies[number].square)
    thymin, enemy = thymin_fighting(play, number, attacking=True, charge=charge), enemy_fighting(fought, number)
    nobody = play.ruled("tie") == "no-winner"
    leads = [attack + thymin.attack - defence - enemy.defence for attack in D6 for defence in D6]
    by_thymin = sum(lead > 0 and lead + thymin.weapon_bonus > enemy.armour_class for lead in leads)
    by_enemy = sum(
        (lead < 0 or (lead == 0 and not nobody)) and -lead + enemy.weapon_bonus > thymin.armour_class
        for lead in leads
    )
    return StrikeOdds(Fraction(by_thymin, SQUARE), Fraction(by_enemy, SQUARE))


def _run_up(session: Session[Tale]) -> Direction | None:
    """The direction of the run-up that still counts for Thymin where he stands in this round (SW-12)."""
    whole = session.game.rulings["charge-run-up"] == "whole-move"
    only_first = session.game.rulings["charge-several-attacks"] == "first-attack"
    for played in reversed(session.played):
        asked = played.step.request
        if isinstance(asked, Choose) and asked.purpose.startswith("Thymin's move"):
            moved = next((e for e in played.events if isinstance(e, Moved) and e.number == 0), None)
            return None if moved is None else run_up_of(moved.start, moved.path, whole_move=whole)
        struck = only_first and any(isinstance(e, Exchanged | CunningStrikeMade) for e in played.events)
        if struck or any(isinstance(e, PushedOut) and e.number == 0 for e in played.events):
            return None
    return None
