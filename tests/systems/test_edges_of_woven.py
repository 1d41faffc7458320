"""Woven at the edges of its rules."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.play import Play
from loomtable.engine.woven.bodies import count_cities, destroy_body, last_round_over
from loomtable.engine.woven.cards import COLUMNS, ROWS, CardSide
from loomtable.engine.woven.combat import SpellBlow, attack, hit
from loomtable.engine.woven.regions import Terrain
from loomtable.engine.woven.state import MANA
from loomtable.engine.woven.tapestries import can_draw_card
from loomtable.engine.woven.tapestry import CardPlacement, Spot
from loomtable.engine.woven.travel import paid_cost, within_steps
from tests.short import present
from tests.systems.edges import Edge, each, edge, holds, played
from tests.systems.woven_table import Table, across_river, beside, ground, one_card, road

HERE, NEXT, THIRD, FOURTH = road(4)
BANKS = across_river()
SHORE = beside(Terrain.WATER)
BOAT, ROOTED = {"water-moccasins": 1}, {"tendrils": {HERE: 1}}


def acts(action: str, pool: int, *, who: Any = None, **args: Any) -> tuple[int, int]:
    """Mana in the pool and spent mana of Ada, who has so much in the pool, after an action."""
    table = Table(Ada={"place": HERE, "pool": pool, **(who or {})}, Ben={"place": FOURTH})
    table.do(action, who="Ada", **args)
    return table.mage("Ada").pool, table.mage("Ada").spent


def cost(start: str, end: str, **charges: int) -> int:
    """What a move costs beyond what the terrain does."""
    table = Table(Ada={"place": start, "charges": charges}, Ben={"place": FOURTH})
    return paid_cost(Play(table.through.game, "s"), "Ada", start, end) - ground().region(end).terrain.cost


def box(number: int = 0) -> list[int]:
    return list(one_card().free_boxes()[number])


def thread(at: Any, *laid: Any) -> int:
    """How many threads lie on Ada's card once one more is placed."""
    tapestry = one_card()
    for spot in laid:
        tapestry = tapestry.with_thread(Spot(*spot))
    table = Table(Ada={"place": HERE, "tapestry": tapestry}, Ben={"place": FOURTH})
    table.do("place-thread", who="Ada", at=list(at))
    return len(table.mage("Ada").threads)


def struck(
    strength: int, spell: str = "", charges: int = 1, tendril: str = "", reflected: bool = False
) -> tuple[bool, int, int, bool]:
    """Whether Ben's body is left, his charges and tendrils, and whether Ada's body is left, after an attack."""
    charged = {spell: charges} if spell else {}
    tendrils = {tendril: 1} if tendril else {}
    table = Table(Ada={"place": HERE}, Ben={"place": NEXT, "charges": charged, "tendrils": tendrils})
    blow = SpellBlow("Ada", "fire-arrow", strength, reflected=reflected)
    mages = played(table.through.game, lambda p: hit(p, "Ben", blow))[1].mages
    ben = mages["Ben"]
    return ben.on_map, sum(ben.charges.values()), sum(ben.tendrils.values()), mages["Ada"].on_map


def pierced(**charges: int) -> tuple[int, bool]:
    """How many charges Ben has left after Shield Pierce, and whether he is asked which to lose."""
    ada = {"casts": ("shield-pierce",), "place": HERE, "tendrils": {NEXT: 1}}
    table = Table(Ada=ada, Ben={"place": NEXT, "charges": charges})
    table.cast("shield-pierce")
    return sum(table.mage("Ben").charges.values()), table.asked.startswith("Ben")


def bodies(at: str, ben: str, own: str = "hits-all") -> tuple[bool, bool]:
    """Whose bodies are left after Ada's attack on a location, where she stands HERE."""
    rulings = {"own-attack": "spares-the-caster"} if own == "spares" else {}
    table = Table(Ada={"place": HERE}, Ben={"place": ben}, rulings=rulings)
    mages = played(table.through.game, lambda p: attack(p, SpellBlow("Ada", "fire-arrow", 1), at))[1].mages
    return mages["Ada"].on_map, mages["Ben"].on_map


def killed(kills: int, by: str = "Ada", third: bool = False, way: str = "bodies") -> tuple[str, ...]:
    """Who has won once Ben's body is destroyed."""
    mages: dict[str, Any] = {"Ada": {"place": HERE, "kills": kills}, "Ben": {"place": NEXT, "kills": kills}}
    if third:
        mages["Cid"] = {"place": THIRD}
    table = Table(rulings={"win-condition": way}, **mages)
    return played(table.through.game, lambda p: destroy_body(p, "Ben", by=by))[1].winners


def lost(**ben: Any) -> tuple[int, int, int]:
    """Ben's pool, spent mana and threads once his body is destroyed."""
    table = Table(Ada={"place": HERE}, Ben={"place": NEXT, **ben})
    mage = played(table.through.game, lambda p: destroy_body(p, "Ben", by="Ada"))[1].mages["Ben"]
    return mage.pool, mage.spent, len(mage.threads)


def most(ada: int, ben: int) -> tuple[str, ...]:
    table = Table(Ada={"kills": ada}, Ben={"kills": ben})
    return played(table.through.game, last_round_over)[1].winners


def points(before: int, held: int) -> tuple[str, ...]:
    """Who has won by cities at the end of Ada's turn."""
    tendrils = dict.fromkeys(ground().cities[:held], 1)
    table = Table(Ada={"points": before, "tendrils": tendrils}, Ben={}, rulings={"win-condition": "city-control"})
    return played(table.through.game, lambda p: count_cities(p, "Ada"))[1].winners


def turn_of(round_: int, last: int | None, who: str = "Ben") -> tuple[str, int]:
    """Whose turn it is in which round after a rest; nobody's where the game is over."""
    table = Table(who, Ada={"place": HERE}, Ben={"place": FOURTH})
    table.change(round=round_, last_round=last)
    table.do("rest", who=who)
    return "" if table.contest.winners else present(table.contest.turn).mage, table.contest.round


def rested(threads: int) -> tuple[int, int, int]:
    """Ada's pool, spent mana and threads after a rest, with 5 mana spent before."""
    table = Table(Ada={"place": HERE, "threads": threads, "pool": MANA - threads - 5}, Ben={"place": FOURTH})
    spot = one_card().free_boxes()[0]
    table.do("rest", *([f"{spot.column}/{spot.row}"] if threads > 1 else []), who="Ada")
    mage = table.mage("Ada")
    return mage.pool, mage.spent, len(mage.threads)


def draws(pile: int, discards: int, way: str = "not-available") -> bool:
    table = Table(Ada={"place": HERE}, Ben={"place": FOURTH}, rulings={"tapestry-stack-empty": way})
    table.change(stack=Deck("s", tuple(range(5, 5 + pile)), tuple(range(20, 20 + discards))))
    return can_draw_card(Play(table.through.game, "s"))


def lies(column: int, row: int) -> int:
    """How many cards lie once a second one is laid there."""
    return len(one_card().with_card(CardPlacement(2, CardSide.A, Spot(column, row)))[0].placements)


def reached(steps: int, place: str) -> bool:
    table = Table(Ada={"place": HERE}, Ben={"place": FOURTH})
    return place in within_steps(Play(table.through.game, "s"), "Ada", steps)


TO_NEXT = ground().region(NEXT).terrain.cost
EDGES = (
    edge("WO-5 exactly the mana", (0, MANA), acts, "move", TO_NEXT, to=NEXT),
    edge("WO-5 one too little", "mana", acts, "move", TO_NEXT - 1, to=NEXT),
    edge("WO-5 not two regions on", "is not adjacent", acts, "move", MANA, to=THIRD),
    edge("WO-5 a river is 3 more", 3, cost, *BANKS),
    edge("WO-5 no river", 0, cost, HERE, NEXT),
    edge("WO-15 across a river by a spell", 0, cost, *BANKS, **BOAT),
    edge("WO-15 into Water as into Plains", -4, cost, *SHORE, **BOAT),
    edge("WO-15 no cheaper than Plains", 0, cost, HERE, NEXT, **BOAT),
    edge("WO-7 a tendril for the last mana", (0, 12), acts, "create-tendril", 1),
    edge("WO-7 without mana", "costs 1 mana", acts, "create-tendril", 0),
    edge("WO-7 a tendril moves for 3", (0, 12), acts, "move-tendril", 3, who=ROOTED, start=HERE, to=NEXT),
    edge("WO-7 not for 2", "costs 3 mana", acts, "move-tendril", 2, who=ROOTED, start=HERE, to=NEXT),
    edge("WO-8 a card for 2", "costs 3 mana", acts, "acquire-card", 2),
    edge("WO-6 a thread for the last mana", (0, 12), acts, "place-thread", 1, at=box()),
    edge("WO-6 without mana", "costs 1 mana", acts, "place-thread", 0, at=box()),
    edge("WO-11 the second box", 2, thread, box(1), box()),
    edge("WO-11 where one lies", "a thread at", thread, box(), box()),
    edge("WO-11 beside the card", "no card at", thread, (9, 9)),
    edge("WO-8 one cell overlaps", 2, lies, COLUMNS - 1, ROWS - 1),
    edge("WO-8 edge to edge", "would be beside the tapestry", lies, COLUMNS, 0),
    edge("WO-8 the last card of the stack", True, draws, 1, 0),
    edge("WO-8 no card", False, draws, 0, 3),
    edge("WO-8 unless discards return", True, draws, 0, 1, "discards-return"),
    edge("WO-8 and there are some", False, draws, 0, 0, "discards-return"),
    edge("WO-4 no thread", (MANA, 0, 0), rested, 0),
    edge("WO-4 the only thread", (MANA, 0, 0), rested, 1),
    edge("WO-4 one of two", (MANA - 1, 0, 1), rested, 2),
    edge("WO-13 no protection", (False, 0, 0, True), struck, 1),
    edge("WO-13 an attack below the protection", (True, 1, 0, True), struck, 1, "double-shield"),
    edge("WO-13 one as strong dispels it", (True, 0, 0, True), struck, 2, "double-shield"),
    edge("WO-13 a stronger one too", (True, 0, 0, True), struck, 3, "double-shield"),
    edge("WO-13 one charge of two", (True, 1, 0, True), struck, 1, "protection", 2),
    edge("WO-15 half of 1 is none, and strikes back", (True, 1, 0, False), struck, 1, "stone-reflection"),
    edge("WO-15 half of 2 is one", (False, 0, 0, False), struck, 2, "stone-reflection"),
    edge("WO-15 no second time back", (False, 0, 0, True), struck, 1, "stone-reflection", reflected=True),
    edge("WO-15 a tendril here defends", (True, 1, 1, True), struck, 1, "tendril-coil", tendril=NEXT),
    edge("WO-15 as strong as it: it is given", (True, 1, 0, True), struck, 2, "tendril-coil", tendril=NEXT),
    edge("WO-15 one elsewhere does not", (False, 0, 0, True), struck, 1, "tendril-coil", tendril=HERE),
    edge("WO-15 one charge of the two that are lost", (0, False), pierced, protection=1),
    edge("WO-15 exactly two are lost unasked", (0, False), pierced, protection=2),
    edge("WO-15 of three two are chosen", (3, True), pierced, protection=3),
    edge("WO-13 everybody in the location", (False, False), bodies, HERE, HERE),
    edge("WO-13 nobody beside it", (True, True), bodies, NEXT, THIRD),
    edge("WO-14 tendrils and charges are spent", (8, 4, 1), lost, threads=1, pool=8, charges={"protection": 1}),
    edge("WO-14 the first body of two", (), killed, 0),
    edge("WO-14 the second", ("Ada",), killed, 1),
    edge("WO-14 the first, where it decides", ("Ada",), killed, 0, way="first-kill"),
    edge("WO-14 one's own is nobody's", (), killed, 1, by="Ben"),
    edge("WO-14 with three players none decides", (), killed, 5, third=True),
    edge("WO-14 most bodies", ("Ada",), most, 2, 1),
    edge("WO-14 equals share", ("Ada", "Ben"), most, 1, 1),
    edge("WO-14 none at all", ("Ada", "Ben"), most, 0, 0),
    edge("WO-14 fifteen points", ("Ada",), points, 14, 1),
    edge("WO-14 fourteen", (), points, 13, 1),
    edge("WO-14 no city", (), points, 15, 0),
    edge("WO-3 within a round", ("Ben", 4), turn_of, 4, 4, "Ada"),
    edge("WO-3 the next round", ("Ada", 4), turn_of, 3, 4),
    edge("WO-3 after the last one", ("", 4), turn_of, 4, 4),
    edge("WO-3 no last round", ("Ada", 5), turn_of, 4, None),
    edge("WO-15 as many steps", True, reached, 2, THIRD),
    edge("WO-15 one fewer", False, reached, 1, THIRD),
    edge("WO-15 not where it stands", False, reached, 2, HERE),
)


@each(*EDGES)
def test_woven_at_the_edge_of_a_rule(edge: Edge) -> None:
    holds(edge)
