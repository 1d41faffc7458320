"""Two players' table of Woven: what hands put on it, and how they put right what the rules have changed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from loomtable.engine.kernel.offered import refusal
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, ChoiceReading
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.asking import spot_key
from loomtable.engine.woven.cards import COLUMNS, ROWS, CardSide, tapestry_card
from loomtable.engine.woven.regions import RegionMap
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestry import CardPlacement, Spot
from loomtable.printkit.games.woven.tapestry_card import CELL
from loomtable.table.games.woven.board_regions import region_of, seats
from loomtable.testing import EveningByHand, VirtualTable
from loomtable.testing.evening_by_hand import Meant, Place, Upshot
from loomtable.testing.places_on_maps import region_middle
from loomtable.testing.virtual import PlacedCard

_GRIDS = ((100.0, -100.0), (100.0, 35.0))
"""Where the upper left corner of each player's first card is, mm."""
_COLUMNS, _ROWS = range(-1, 4), range(-1, 3)
"""Of a tapestry, as far as there is room for it."""
_BESIDE_FIGURE = (-13.0, -11.0)
"""From the middle of a figure to that of a counter that leaves its tag open, mm."""
_ROOM = 4.5
"""Millimetres that are left to the border of a region."""
Doing = Callable[[EveningByHand], Upshot]


class WovenTable:
    """The map at the left, two tapestries at the right; a verb says how it is done now, or that it cannot be."""

    def __init__(self, contest: Contest, table: VirtualTable) -> None:
        self.table = table
        self.means: Sequence[Meant] = ()
        """What was meant by what a verb has given."""
        self._ground = contest.ground
        self._map = f"M{self._ground.number}"
        table.put(self._map, (-95, -38))
        self._figures = {who: f"F{number}" for number, who in seats(contest).items()}
        self._dyes = {who: mage.colour.value for who, mage in contest.mages.items()}
        self._grids = dict(zip(contest.mages, _GRIDS, strict=True))
        self._laid: dict[tuple[str, str], dict[str, object]] = {}
        """The counters on the table, by whose and what: each with its spot or region."""
        self._made = Counter[str]()
        self._stands = {who: mage.place for who, mage in contest.mages.items()}
        for number, (who, figure) in enumerate(self._figures.items()):
            place = standing_room(self._ground, self._stands[who]) if contest.mages[who].on_map else None
            table.put(figure, self._on_map(place) if place is not None else (-15 + 35 * number, 95))
            for placement in contest.mages[who].tapestry.placements:
                name, at, turn, up = self._lies(who, placement)
                table.put(name, at, turn, face_up=up)

    def thread(self, before: Session[Contest], who: str, chance: random.Random) -> Doing | None:
        """A thread counter into a free box."""
        for box in chance.sample(boxes := before.state.mage(who).tapestry.free_boxes(), len(boxes)):
            action = Action("place-thread", {"who": who, "at": list(box)})
            if not refusal(before, action):
                self.means = [action]
                return lambda evening: self._put(evening, who, "thread", box, self._cell(who, box), self.means)
        return None

    def card(self, before: Session[Contest], who: str, chance: random.Random) -> Doing | None:
        """A tapestry card, about half over others."""
        tapestry = before.state.mage(who).tapestry
        number = chance.choice(before.state.stack.pile)
        ways = [
            way
            for way in tapestry.legal_placements(number)
            if len(way.cells().keys() & tapestry.visible().keys()) in (2, 3)
            and not way.cells().keys() & set(tapestry.threads)
            and all(column in _COLUMNS and row in _ROWS for column, row in way.cells())
        ]
        if not ways or refusal(before, Action("acquire-card", {"who": who})):
            return None
        way = chance.choice(ways)
        self.means = [
            Action("acquire-card", {"who": who}),
            CardReading(tapestry_card(number).component(way.side)),
            ChoiceReading((str(way.turns),)),
            ChoiceReading((spot_key(way.at),)),
        ]
        name, at, turn, up = self._lies(who, way)
        return lambda evening: evening.lay(name, at=at, turn=turn, face_up=up, means=self.means)

    def move(self, before: Session[Contest], who: str, chance: random.Random) -> Doing | None:
        """The mage's figure into another region."""
        taken = {mage.place for mage in before.state.mages.values()}
        regions = with_room(self._ground)
        for region in chance.sample(list(regions), len(regions)):
            action = Action("move", {"who": who, "to": region})
            if region not in taken and not refusal(before, action):
                self.means, self._stands[who] = [action], region
                to = self._on_map(regions[region])
                return lambda evening: evening.move(self._figures[who], to=to, means=self.means)
        return None

    def tendril(self, before: Session[Contest], who: str, chance: random.Random) -> Doing | None:
        """A tendril counter where the mage is."""
        action, here = Action("create-tendril", {"who": who}), before.state.mage(who).place
        others = [region for of in self._laid.values() for region in of.values()]
        if here in others or refusal(before, action):
            return None
        self.means = [action]
        return lambda evening: self._put(evening, who, "tendril", here, self._beside(here), self.means)

    def move_tendril(self, before: Session[Contest], who: str, chance: random.Random) -> Doing | None:
        """A tendril counter into a region beside its own."""
        laid = self._laid.get((who, "tendril"), {})
        taken = [region for of in self._laid.values() for region in of.values()]
        ways = [(name, start, region) for name, start in laid.items() for region in with_room(self._ground)]
        for name, start, to in chance.sample(ways, len(ways)):
            action = Action("move-tendril", {"who": who, "start": start, "to": to})
            if to in taken or refusal(before, action):
                continue
            self.means, laid[name] = [action], to
            place = self._beside(to)
            return lambda evening: evening.move(name, to=place, means=self.means)
        return None

    def put_right(self, evening: EveningByHand) -> None:
        """Figures and counters go where the rules have brought them; that means nothing any more."""
        contest = evening.state.state
        for who, mage in contest.mages.items():
            if mage.place != self._stands[who]:
                self._stands[who] = mage.place
                place = standing_room(self._ground, mage.place) if mage.on_map else None
                beside = -15 + 35 * list(contest.mages).index(who)
                evening.move(self._figures[who], to=self._on_map(place) if place else (beside, 95), by=2)
            for what, there in (("thread", Counter(mage.threads)), ("tendril", Counter(mage.tendrils))):
                laid = self._laid.setdefault((who, what), {})
                left = Counter(there)
                left.subtract(Counter(laid.values()))
                gone = [name for name, at in laid.items() if left[at] < 0]
                if gone:
                    evening.take_away(*gone, by=2)
                for name in gone:
                    del laid[name]
                for at in [at for at, missing in left.items() if missing > 0]:
                    place = self._cell(who, at) if isinstance(at, Spot) else self._beside(str(at))
                    self._put(evening, who, what, at, place, ())

    def _put(
        self, evening: EveningByHand, who: str, what: str, at: object, place: Place, means: Sequence[Meant]
    ) -> Upshot:
        kind = f"{self._dyes[who]} {what}"
        self._made[kind] += 1
        name = f"{kind} {self._made[kind]}"
        self._laid.setdefault((who, what), {})[name] = at
        return evening.lay(name, at=place, means=means)

    def _lies(self, who: str, laid: CardPlacement) -> tuple[str, Place, float, bool]:
        """A tapestry card's name, its middle, its turn, and whether it lies face up."""
        wide, high = (COLUMNS, ROWS) if laid.turns % 2 == 0 else (ROWS, COLUMNS)
        left, top = self._grids[who]
        middle = (left + CELL * (laid.at[0] + wide / 2), top + CELL * (laid.at[1] + high / 2))
        return f"T{laid.card}A", middle, 90.0 * laid.turns, laid.side is CardSide.A

    def _cell(self, who: str, spot: Spot) -> Place:
        left, top = self._grids[who]
        return left + CELL * (spot[0] + 0.5), top + CELL * (spot[1] + 0.5)

    def _beside(self, region: str) -> Place:
        place = standing_room(self._ground, region)
        assert place is not None, f"nobody stands in {region}"
        return self._on_map((place[0] + _BESIDE_FIGURE[0], place[1] + _BESIDE_FIGURE[1]))

    def _on_map(self, place: Place) -> Place:
        sheet = self.table.lying[self._map]
        assert isinstance(sheet, PlacedCard)
        x, y = sheet.places([place])[0]
        return float(x), float(y)


@cache
def with_room(ground: RegionMap) -> dict[str, Place]:
    """The regions with room for a figure and a counter beside it, and where in each."""
    places = {region.key: standing_room(ground, region.key) for region in ground.regions}
    return {region: place for region, place in places.items() if place is not None}


@cache
def standing_room(ground: RegionMap, region: str) -> Place | None:
    """Where in a region, mm on its sheet, there is most room for a figure with a counter beside it; or nothing."""
    middle = region_middle(ground, region)
    best, place = _ROOM, None
    for x in range(round(middle[0]) - 24, round(middle[0]) + 25, 3):
        for y in range(round(middle[1]) - 24, round(middle[1]) + 25, 3):
            mine, room = region_of(ground, (x, y))
            if mine != region or room <= best:
                continue
            other, beside = region_of(ground, (x + _BESIDE_FIGURE[0], y + _BESIDE_FIGURE[1]))
            if other == region and beside > _ROOM:
                best, place = min(room, beside), (float(x), float(y))
    return place
