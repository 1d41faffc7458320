"""The tables of ``docs/fair-fights.md`` and what the rules give: ``python -m benchmarks.fair_fights``.

With ``engine N``, the same fights are played N times by the rules themselves, by people who only attack.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.readings import NumberReading
from loomtable.engine.kernel.requests import EnterNumber
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.spellwoven_fight import expected_of
from loomtable.engine.odds.weave_fight import Fight, Fighter, best_suit, fighter, party, plain_fight
from loomtable.engine.spellwoven.encounters import encounter_names, installed_encounter
from loomtable.engine.spellwoven.people import PARTY, characters, made
from loomtable.engine.spellwoven.state import CharacterKind
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.state import STRIKE_TRACK, Npc, Season
from loomtable.engine.weave.suits import Suit
from loomtable.printkit.games.spellwoven.screen import spellwoven_fights

PARTIES, DICE, FOES = ((2, 3), (4, 1), (4, 3), (6, 3)), range(3, 6), (1, 2, 4)
"""Heroes and their level; a foe's dice in every suit; how many foes."""


def weave_rows() -> Iterator[tuple[str, ...]]:
    """How many heroes of which level win against how many foes, by the dice that these have in every suit."""
    for heroes, level in PARTIES:
        for dice in DICE:
            for track, says in ((0, "Wounds"), (STRIKE_TRACK, "a track of 10")):
                foe = Fighter((dice,) * len(Suit), track=track)
                fights = [plain_fight(party(heroes, level), (foe,) * n) for n in FOES]
                cells = [f"{one.won:.0%}, {one.wounds:.1f}" for one in fights]
                yield (f"{heroes} of level {level}", f"+{dice}, {says}", *cells)


def encounter_rows() -> Iterator[tuple[str, ...]]:
    """What the four ready characters can win of each ready encounter."""
    heroes = [made(sheet, CharacterKind.PLAYER_CHARACTER, PARTY, name=key) for key, sheet in characters().items()]
    for name in encounter_names():
        fought = expected_of(heroes, installed_encounter(name).cast())
        assert fought is not None
        yield installed_encounter(name).title, f"{fought.won:.0%}, {fought.fell:.1f}"


def by_the_rules(bonus: int, foes: int, seed: int, *, own_track: bool) -> tuple[Fight, Fight]:
    """One fight of four heroes of level 1 with whatever their cards brought: as played, and as calculated."""
    rulings = {"decks": "dealt", "combat-strikes-on-npc": "own-track" if own_track else "like-characters"}
    session: Session[Season] = Session.open(WEAVE, seed=str(seed), rulings=rulings)
    source = random.Random(seed)

    def do(action: str, **arguments: object) -> None:
        session.perform(action, **arguments)
        while (asked := session.pending) is not None:
            again = isinstance(asked, EnterNumber)
            session.answer(NumberReading(asked.high) if again else random_answer(asked, source))

    def standing(side: Iterable[str]) -> list[str]:
        figures = [(name, session.state.figure(name)) for name in side]
        return [name for name, one in figures if not (one.out or (isinstance(one, Npc) and one.beaten))]

    def as_fighter(name: str) -> Fighter:
        return fighter(session.state.figure(name), own_track=own_track)

    do("new-season", playset="the-salt-road")
    for player in ("Ada", "Ben", "Cleo", "Dan"):
        do("add-character", player=player)
    heroes, names = list(session.state.characters), [f"Foe {n}" for n in range(foes)]
    for name in names:
        do("add-npc", npc=name, enemy=True, dice=dict.fromkeys(Suit, bonus))
    calculated = plain_fight(tuple(sorted(map(as_fighter, heroes))), tuple(map(as_fighter, names)), 100)
    do("begin-encounter", against=names, combat=True, band="melee")
    while standing(heroes) and standing(names) and (met := session.state.encounter) is not None:
        target = standing(names)[0] if met.acting in heroes else source.choice(standing(heroes))
        suit = list(Suit)[best_suit(as_fighter(met.acting), as_fighter(target))]
        try:
            do("attack", who=met.acting, target=target, suit=suit)
        except LoomtableError:  # no action left
            do("end-turn")
    wounds = sum(session.state.figure(name).wounds for name in heroes) / len(heroes)
    rounds = session.state.encounter.round if session.state.encounter is not None else 0
    return Fight(bool(standing(heroes)), wounds, rounds), calculated


def _means(fights: Iterable[Fight]) -> str:
    won, wounds, rounds = (sum(column) / len(column) for column in zip(*fights, strict=True))
    return f"{won:.0%} win, {wounds:.1f} Wounds each, {rounds:.1f} rounds"


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]] | tuple[tuple[str, ...], ...]) -> None:
    for row in (head, ("---",) * len(head), *rows):
        print("|", " | ".join(row), "|")


if __name__ == "__main__":
    if sys.argv[1:2] == ["engine"]:
        for bonus, foes, own_track in ((3, 1, True), (4, 4, True), (5, 1, True), (5, 1, False), (3, 4, False)):
            both = [by_the_rules(bonus, foes, seed, own_track=own_track) for seed in range(int(sys.argv[2]))]
            foe = f"{how_many(foes, 'foe', 'foes')} with +{bonus}, {'a track of 10' if own_track else 'Wounds'}"
            print(f"{foe}: played {_means(one[0] for one in both)}; calculated {_means(one[1] for one in both)}")
    else:
        _table(("heroes", "foe's dice in every suit", *(f"{n} foe{'s' * (n > 1)}" for n in FOES)), weave_rows())
        print()
        _table(("foe", "one", "three"), spellwoven_fights()[1:])
        print()
        _table(("encounter", "all who are there"), encounter_rows())
