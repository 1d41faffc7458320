"""One scene of each game, played by hand from its first press."""

from __future__ import annotations

import random

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.ready_evening import begun_ready
from loomtable.engine.systems import SYSTEMS
from loomtable.testing import EveningByHand, VirtualTable
from tests.table.playing_by_hand import Players

PACE = 5.0
"""Frames a second: as few as the table can be led with."""


def weave_scene(seed: int, challenges: int = 3) -> EveningByHand:
    """Challenge cards beside the markers of Ilse and Odo, and whatever they throw and choose for them."""
    session = begun_ready(SYSTEMS["weave"], f"hands {seed}", random.Random(seed))
    session.undo()  # that the computer deals the storyteller's hand; here the deck is on the table
    session.undo()
    chance = random.Random(seed)
    with EveningByHand.of(session, table=VirtualTable(seed=seed, tray=(70, 55)), pace=PACE) as evening:
        players = Players(evening, seed, answers=[(55, -84), (125, -84), (195, -84)], tray=(70, 55))
        for marker, y in (("R1", -62), ("R2", 62)):
            evening.lay(marker, at=(-205, y), turn=0, by=1)
        for card in chance.sample(range(1, 37), challenges):
            who, y = chance.choice([("Ilse", -62), ("Odo", 62)])
            code = f"C{card}"
            means = Action("challenge", {"who": who, "card": code})
            players.settled(evening.lay(code, at=(-130, y), by=3, means=[means]), [means])
            players.play_on()
            evening.take_away(code, by=3)
    return evening


__all__ = ["Session", "weave_scene"]
