"""One scene of each game, played by hand from its first press."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.gestures import LETTERS
from loomtable.engine.kernel.offered import refusal
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, DiceReading
from loomtable.engine.kernel.requests import Choose, Request, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.mnemonic.state import poker
from loomtable.engine.ready_evening import begun_from_cards, begun_ready
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.lookup import stands as is_up
from loomtable.engine.spellwoven.turns import due
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.gestures import squares
from loomtable.engine.storm_weavers.squares import square_at
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.cards.decks import challenge_card
from loomtable.engine.woven.state import Turn
from loomtable.printkit.components.layout import FACE_WIDTH
from loomtable.printkit.components.seats import HERO_MARKER
from loomtable.printkit.games.spellwoven.figures import FOES, HEROES
from loomtable.printkit.games.spellwoven.ring_mat import HALF_LINE, REACH, RING_MAT
from loomtable.printkit.games.spellwoven.ring_mat import HEIGHT as MAT_HEIGHT
from loomtable.printkit.games.spellwoven.ring_mat import WIDTH as MAT_WIDTH
from loomtable.testing import EveningByHand, VirtualTable
from loomtable.testing.evening_by_hand import Meant, Upshot
from loomtable.testing.mishaps import Mishaps, ground_of, lamp_of
from loomtable.testing.photographed import photographed_d6
from loomtable.testing.places_on_maps import square_middle
from loomtable.testing.printed_things import PrintedThing
from loomtable.testing.virtual import Light, PlacedCard, Surface, VirtualCamera
from loomtable.testing.virtual_table import CAMERA, Pace
from tests.table.playing_by_hand import Players
from tests.table.woven_by_hand import WovenTable, with_room
from training.photographs import LABELS, load_photographs, photograph_folder

_MAP = "M1"
"""The sluice yard."""
Ending = Callable[[EveningByHand], object]
LARGE = replace(CAMERA, frame=(1920, 1080))
"""Numerals of d10 want more pixels than codes and pips."""
OVER_TRAY = replace(CAMERA, height=300.0, tilt=0.0)
"""A second camera, which sees 360 by 200 mm of the table."""
MARKER_AT = -205.0
BESIDE = (HERO_MARKER.width + FACE_WIDTH) / 2
"""From the middle of a marker to that of a card that touches it, mm."""
MAT_AT = (-105.0, -35.0)
PACE = 5.0
"""Frames a second: few, so that an evening is soon drawn."""


@dataclass(frozen=True)
class Weather:
    """What is not in the hands of those who play: how fast the camera sends frames, and what befalls the table."""

    rate: float = PACE
    mishaps: Mishaps | None = None
    light: Light | None = None
    surface: Surface | None = None
    camera: VirtualCamera | None = None
    markers: float = 62.0
    """How far the markers are from the middle of the table, mm."""
    photographs: Mapping[int, Sequence[PrintedThing]] | None = None
    """What d6 look like, where photographs of some are at hand."""
    second: bool = False
    """Whether a second camera looks on where dice are thrown."""
    stories: bool = False
    """Whether Story cards are laid in Weave, and coins flipped in Storm Weavers."""

    @classmethod
    def drawn(cls, seed: int) -> Weather:
        """Some weather, by a seed."""
        chance = random.Random(seed)
        rate = chance.choice((3, 5, 8))
        tilt = chance.uniform(4, 20)
        camera = replace(CAMERA, tilt=tilt)
        lamp, ground, markers = lamp_of(chance), ground_of(chance), chance.choice((45.0, 62.0))
        there = (photograph_folder() / LABELS).exists() and chance.random() < 0.5
        dice = photographed_dice() if there else None
        second, stories = chance.random() < 0.35, chance.random() < 0.6
        return cls(rate, Mishaps(seed, rate), lamp, ground, camera, markers, dice, second, stories)

    def table(self, seed: int, *, tray: tuple[float, float] = (0.0, 75.0), large: bool = False) -> VirtualTable:
        """A table in it."""
        camera = self.camera or CAMERA
        return VirtualTable(
            seed=seed,
            tray=tray,
            light=self.light,
            surface=self.surface,
            photographs=self.photographs,
            pace=Pace() if self.rate == PACE else Pace.at(self.rate),
            camera=replace(camera, frame=LARGE.frame) if large else camera,
            over_tray=replace(OVER_TRAY, aim=tray) if self.second else None,
        )

    def evening(self, session: Session[Any], table: VirtualTable) -> AbstractContextManager[EveningByHand]:
        """An evening at it."""
        return EveningByHand.of(session, table=table, pace=self.rate, mishaps=self.mishaps)


@cache
def photographed_dice() -> Mapping[int, Sequence[PrintedThing]]:
    """Dice of many colours, cut out of photographs, with what their labels say that is not wrong."""
    found = load_photographs(photograph_folder(), ["many-colours"])
    return photographed_d6(
        (found.path(one), [(die.box, die.value) for die in one.dice if die.kind == "d6" and die.box and die.value])
        for one in found.pictures
    )


FAIR = Weather()


def _nothing(evening: EveningByHand) -> None:
    """The evening ends as soon as it is played."""


def weave_scene(
    seed: int, at_end: Ending = _nothing, weather: Weather = FAIR, *, challenges: int = 3
) -> EveningByHand:
    """Challenge cards beside the markers of Ilse and Odo, and whatever they throw and choose for them."""
    session = begun_ready(SYSTEMS["weave"], f"hands {seed}", random.Random(seed))
    chance = random.Random(seed)
    with weather.evening(session, weather.table(seed, tray=(70, 55))) as evening:
        players = Players(evening, seed, answers=[(55, -84), (125, -84), (195, -84)], tray=(70, 55))
        far = weather.markers
        if weather.stories:
            _episode(evening, players, chance)
        for marker, y in (("R1", -far), ("R2", far)):
            evening.lay(marker, at=(MARKER_AT, y), turn=0, by=1)
        for card in chance.sample(range(1, 37), challenges):
            who, y = chance.choice([("Ilse", -far), ("Odo", far)])
            code = f"C{card}"
            suit = challenge_card(ComponentId.parse(code)).suit
            means: list[Meant] = [Action("challenge", {"who": who, "suit": suit.value, "card": code})]
            state = evening.state
            if state.game.rulings["decks"] == "dealt" and ComponentId.parse(code) not in state.state.hand:
                means.insert(0, Action("printed-decks"))
            beside = MARKER_AT + BESIDE + chance.uniform(4, 22)
            players.settled(evening.lay(code, at=(beside, y), by=3, means=means), means)
            players.play_on()
            evening.take_away(code, by=3)
        at_end(evening)
    return evening


def _episode(evening: EveningByHand, players: Players, chance: random.Random) -> None:
    """One hand lays three Story cards in a row, and the next episode begins with them."""
    trial = evening.state
    trial.perform("printed-decks")
    trial.perform("new-episode")
    assert isinstance(trial.pending, ShowCard)
    season = evening.state.state
    own = (quality for hero in season.characters.values() for quality in hero.qualities)
    known = {one.card for one in (*season.season_wide, *season.foundation, *season.elements, *own)}
    deck = [ComponentId(Kind.STORY, number) for number in trial.pending.among]
    row = chance.sample([card for card in deck if card not in known], 3)
    names = [card.short for card in row]
    frames = (evening.table.lay(name, at=(-150 + 80 * at, -30), by=3) for at, name in enumerate(names))
    first, *others = map(CardReading, row)
    means = [Action("printed-decks"), Action("new-episode"), first]
    outcome = evening.film(f"lay {' and '.join(names)}", chain.from_iterable(frames), means)
    players.settled(outcome, means)
    while (asked := evening.state.pending) is not None:
        if isinstance(asked, ShowCard):  # the row was not taken as one
            evening.touch(others.pop(0))
        else:
            players.answer(asked, then=[others.pop(0)] if others and outcome is Upshot.TAKEN else [])
    evening.take_away(*names, by=3)


def storm_weavers_fight(
    seed: int, at_end: Ending = _nothing, weather: Weather = FAIR, *, rounds: int = 6
) -> EveningByHand:
    """A fight in the sluice yard: Thymin is moved on the map, his enemies where the book has them."""
    chance = random.Random(seed)
    session = Session.open(SYSTEMS["storm-weavers"], seed=f"hands {seed}")
    session.perform("create", dexterity_points=3)
    enemies = [
        {"name": "Toll-taker", "dexterity": 6, "health": 40, "square": "E4"},
        {"name": "Chain-swinger", "dexterity": 6, "health": 40, "square": "F2"},
    ]
    ends = [{"when": "rounds", "at": rounds}]
    fight = Action("map-fight", {"map": "sluice-yard", "thymin": "B3", "enemies": enemies, "ends": ends})
    before = session.copy()
    session.take(fight)
    plan = combat_map("sluice-yard")
    table = weather.table(seed, tray=(105, 62))
    table.put(_MAP, (-115, 14))
    figures = {"Thymin": "F1", "Toll-taker 1": "F2", "Chain-swinger 2": "F3"}
    field = _middles(table, plan)
    for who, square in squares(session.state.map_fight).items():
        table.put(figures[who], field[square])
    with weather.evening(before if weather.stories else session, table) as evening:
        players = Players(evening, seed, answers=[(40, -84), (110, -84), (180, -84)], tray=(105, 62))
        for action in [*2 * [Action("coin-test")], fight] if weather.stories else ():
            evening.touch(action)
            if action is not fight:
                players.play_on()
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


def mnemonic_scenes(
    seed: int, at_end: Ending = _nothing, weather: Weather = FAIR, *, scenes: int = 8
) -> EveningByHand:
    """Cards of a printed deck are turned and laid on their suits, and skills and weavings thrown for them."""
    session = begun_from_cards(SYSTEMS["mnemonic"], f"hands {seed}", random.Random(seed))
    session.undo()  # the first scene; a card begins it
    chance = random.Random(seed)
    with weather.evening(session, weather.table(seed)) as evening:
        players = Players(evening, seed, answers=[(-190, 72), (-120, 72), (-50, 72)], tray=(110, 65))
        deck = chance.sample(sorted(evening.state.state.cards.unseen), scenes)
        while deck:
            if not (due := evening.state.state.due):
                players.say(AnswerCard.GO_ON, Action("next-round"))
                continue
            card = deck.pop()
            suit = poker(card).suit
            at = (-205 + 75 * (list(CardSuit).index(suit) if suit is not None else len(CardSuit)), -60)
            means = [Action("scene", {"who": due[0]}), CardReading(card)]
            players.settled(evening.lay(card.short, at=at, by=3, means=means), means)
            players.play_on()
        at_end(evening)
    return evening


def spellwoven_conflict(
    seed: int, at_end: Ending = _nothing, weather: Weather = FAIR, *, rounds: int = 3
) -> EveningByHand:
    """Hedda and an outlaw on the ring mat: they are moved from ring to ring, and thrown dice attack."""
    chance = random.Random(seed)
    session = Session.open(SYSTEMS["spellwoven"], seed=f"hands {seed}")
    session.perform("add-player-character", player="Ada", ready="hedda-marl", called="Hedda")
    session.perform("add-incidental-npc", ready="outlaw", called="Ewan")
    session.perform("begin-conflict", combatants={"Hedda": "nearby", "Ewan": "nearby"})
    _answered(session, chance)  # their initiative
    table = weather.table(seed, tray=(125, 55), large=True)
    table.put(RING_MAT.short, MAT_AT)
    mat = table.lying[RING_MAT.short]
    figures = {"Hedda": HEROES[0].id.short, "Ewan": FOES[0].id.short}
    stands: dict[str, Proximity] = {}

    def place(who: str, ring: Proximity) -> tuple[float, float]:
        away = REACH[ring] - 15
        x, y = mat.places(
            [(MAT_WIDTH / 2 + (HALF_LINE - 8) * (-1 if who == "Hedda" else 1), MAT_HEIGHT / 2 + away)]
        )[0]
        return float(x), float(y)

    for who, one in session.state.conflict.combatants.items():
        stands[who] = one.proximity
        table.put(figures[who], place(who, one.proximity))
    with weather.evening(session, table) as evening:
        players = Players(evening, seed, answers=[(70, -80), (137, -80), (204, -80)], tray=(125, 55))
        while (conflict := (state := evening.state).state.conflict) is not None and conflict.round <= rounds:
            for who, one in conflict.combatants.items():  # who is drawn nearer, as the screens say
                if stands[who] is not one.proximity:
                    stands[who] = one.proximity
                    evening.move(figures[who], to=place(who, one.proximity), by=2)
            if state.pending is not None:
                players.play_on()
                continue
            if not all(is_up(state.state, who) for who in figures):
                break
            acting = next(iter(due(state.state)), "")
            if not acting:
                players.say(AnswerCard.GO_ON, Action("next-round"))
                continue
            [other] = [who for who in figures if who != acting]
            moves = [
                (ring, Action("move", {"who": acting, "to": ring.value} | ({"towards": other} if near else {})))
                for ring in Proximity
                for near in [ring is Proximity.ENGAGED]
            ]
            moves = [
                (ring, move) for ring, move in moves if ring is not stands[acting] and not refusal(state, move)
            ]
            strike = Action("attack", {"who": acting, "target": other})
            trial = state.copy()
            if moves and (chance.random() < 0.5 or refusal(state, strike)):
                ring, move = chance.choice(moves)
                stands[acting] = ring
                players.settled(evening.move(figures[acting], to=place(acting, ring), means=[move]), [move])
                continue
            if weather.second:  # dice in a tray are beside nobody
                evening.touch(strike)
                continue
            trial.take(strike)
            weapons = trial.pending
            if isinstance(weapons, Choose):
                trial.answer(ChoiceReading((weapons.options[0].key,)))
            assert isinstance(trial.pending, Roll)
            dice = random_answer(trial.pending, chance)
            assert isinstance(dice, DiceReading)
            near = place(other, stands[other])
            if not isinstance(weapons, Choose):
                players.throw(Die.D10, dice.faces, near=near, means=[strike, dice])
                continue
            players.throw(Die.D10, dice.faces, near=near, means=[])  # the table asks with which
            said = LETTERS[chance.randrange(len(weapons.options))]
            weapon, _, skill = weapons.options[LETTERS.index(said)].key.partition("/")
            strike = Action("attack", {**strike.args, "weapon": weapon, "skill": skill})
            if players.agree(said, dice.faces, strike, dice):
                continue
            if "not clear" in (evening.played[-1].said or ""):  # the attack alone is agreed to
                players.say(said, strike)
            else:
                evening.touch(strike)
        at_end(evening)
    return evening


def woven_game(
    seed: int, at_end: Ending = _nothing, weather: Weather = FAIR, *, turns: int = 10, moved: bool = False
) -> EveningByHand:
    """Ada and Ben on the Weft Wolds: each moves, creates a tendril and moves it, places a thread and a card.

    Where they have ``moved``, the turns begin after that.
    """
    chance = random.Random(seed)
    session = Session.open(SYSTEMS["woven"], seed=f"hands {seed}")
    session.perform("set-up", players=["Ada", "Ben"], map="the-weft-wolds")
    _answered(session, chance)
    for who in session.state.mages if moved else ():
        ground = session.state.ground
        moves = [Action("move", {"who": who, "to": region}) for region in with_room(ground)]
        session.take(next(move for move in moves if not refusal(session, move)))
        _answered(session, chance)
        if session.state.turn == Turn(who, acted=True):
            session.perform("end-turn", who=who)
    game = WovenTable(session.state, weather.table(seed))
    verbs = [game.move, game.tendril, game.move_tendril, game.thread, game.card]
    with weather.evening(session, game.table) as evening:
        players = Players(evening, seed, answers=[(-180, 90), (-87, 90)], tray=(0, 0), turn=90)
        for number in range(turns):
            before = evening.state
            who = before.state.turn.mage
            likely = (number // 2 + moved) % len(verbs)
            for verb in (*verbs[likely:], *verbs[:likely]):
                if (what := verb(before, who, chance)) is not None:
                    players.settled(what(evening), game.means)
                    break
            else:
                players.say(AnswerCard.GO_ON, Action("rest", {"who": who}))
            players.play_on()
            game.put_right(evening)
            after = evening.state.state
            if after.winners:
                break
            if after.turn == Turn(who, acted=True):
                players.say(AnswerCard.GO_ON, Action("end-turn", {"who": who}))
                players.play_on()
                game.put_right(evening)
        at_end(evening)
    return evening


def _answered(session: Session[Any], chance: random.Random) -> None:
    """Whatever is asked before the hands begin is answered by chance."""
    while session.pending is not None:
        session.answer(random_answer(session.pending, chance))


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


SCENES: dict[str, Callable[[int, Ending, Weather], EveningByHand]] = {
    "weave": weave_scene,
    "storm-weavers": storm_weavers_fight,
    "spellwoven": spellwoven_conflict,
    "mnemonic": mnemonic_scenes,
    "woven": woven_game,
}
"""The scenes by their games."""
