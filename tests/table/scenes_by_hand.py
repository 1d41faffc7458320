"""One scene of each game, played by hand from its first press."""

from __future__ import annotations

import random
from collections.abc import Callable

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Choose, Request
from loomtable.engine.kernel.session import Session
from loomtable.engine.ready_evening import begun_ready
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.gestures import squares
from loomtable.engine.storm_weavers.squares import square_at
from loomtable.engine.systems import SYSTEMS
from loomtable.table.games.storm_weavers.board import square_middle
from loomtable.testing import EveningByHand, VirtualTable
from loomtable.vision.virtual import PlacedCard
from tests.table.playing_by_hand import Players

_MAP = "M1"
"""The sluice yard."""
Ending = Callable[[EveningByHand], object]
PACE = 5.0
"""Frames a second: as few as the table can be led with."""


def _nothing(evening: EveningByHand) -> None:
    """The evening ends as soon as it is played."""


def weave_scene(seed: int, at_end: Ending = _nothing, *, challenges: int = 3) -> EveningByHand:
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
        at_end(evening)
    return evening


def storm_weavers_fight(seed: int, at_end: Ending = _nothing, *, rounds: int = 6) -> EveningByHand:
    """A fight in the sluice yard: Thymin is moved on the map, his enemies where the book has them."""
    chance = random.Random(seed)
    session = Session.open(SYSTEMS["storm-weavers"], seed=f"hands {seed}")
    session.perform("create", dexterity_points=3)
    enemies = [
        {"name": "Toll-taker", "dexterity": 6, "health": 40, "square": "E4"},
        {"name": "Chain-swinger", "dexterity": 6, "health": 40, "square": "F2"},
    ]
    ends = [{"when": "rounds", "at": rounds}]
    session.perform("map-fight", map="sluice-yard", thymin="B3", enemies=enemies, ends=ends)
    plan = combat_map("sluice-yard")
    table = VirtualTable(seed=seed, tray=(105, 62))
    table.put(_MAP, (-115, 14))
    figures = {"Thymin": "F1", "Toll-taker 1": "F2", "Chain-swinger 2": "F3"}
    field = _middles(table, plan)
    for who, square in squares(session.state.map_fight).items():
        table.put(figures[who], field[square])
    with EveningByHand.of(session, table=table, pace=PACE) as evening:
        players = Players(evening, seed, answers=[(40, -84), (110, -84), (180, -84)], tray=(105, 62))
        stands = dict(squares(session.state.map_fight))
        while (asked := (state := evening.state).pending) is not None:
            for who, square in squares(state.state.map_fight).items():  # the screens say where enemies go
                if stands[who] != square:
                    evening.move(figures[who], to=field[square], by=2)
                    stands[who] = square
            ways = [key for key in _keys(asked) if key in field]
            if ways and chance.random() < 0.8:
                to = chance.choice(ways)
                means = [ChoiceReading((to,))]
                players.settled(evening.move(figures["Thymin"], to=field[to], means=means), means)
                stands["Thymin"] = to
            else:
                players.answer(asked, prefer=[key for key in _keys(asked) if "attack" in key])
        at_end(evening)
    return evening


def _keys(asked: Request) -> list[str]:
    """The keys of what can be chosen."""
    return [option.key for option in asked.options] if isinstance(asked, Choose) else []


def _middles(table: VirtualTable, plan: CombatMap) -> dict[str, tuple[float, float]]:
    """The middle of each square of a map that lies on the table, mm."""
    sheet = table.lying[_MAP]
    assert isinstance(sheet, PlacedCard)
    found = {}
    for column in range(plan.width):
        for row in range(plan.height):
            x, y = sheet.places([square_middle(plan, column, row)])[0]
            found[square_at(column, row)] = (float(x), float(y))
    return found


SCENES: dict[str, Callable[[int, Ending], EveningByHand]] = {
    "weave": weave_scene,
    "storm-weavers": storm_weavers_fight,
}
"""The scenes by their games."""
