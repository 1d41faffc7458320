"""The fights of ``templates/fair_fights.yaml`` and the tables of ``docs/systems``.

``python -m benchmarks.fair_fights play [TIMES]`` plays what is missing there, or was played by other rules or
another number of times, and goes on where it was stopped; ``python -m benchmarks.fair_fights`` prints the tables.
Delete the file to play everything anew, as after a change of the player.

Last: on the pages of Weave and Spellwoven.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from loomtable.engine.odds.played import FairFights, fair_fights, parse_fair_fights, spellwoven_fight, weave_fight
from loomtable.engine.spellwoven.encounters import encounter_names, installed_encounter
from loomtable.engine.spellwoven.people import incidentals, npcs
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.state import STRIKE_TRACK
from loomtable.testing.player import Fought, Plays, in_all
from loomtable.testing.players.spellwoven import against, conflict_played, encountered, the_four
from loomtable.testing.players.weave import fight_against, fighter_prefers

FILE = Path(__file__).parents[1] / "templates" / "fair_fights.yaml"
LICENCE, SEED, TIMES = "CC BY 4.0", "fair", 400
PARTIES, DICE, FOES, TRACKS = ((2, 3), (4, 1), (4, 3), (6, 3)), range(3, 6), (1, 2, 4), (0, STRIKE_TRACK)
"""Heroes and their level; a foe's dice in every suit; how many foes; Wounds, or Strikes that beat a foe."""
SCREEN = range(6)
"""The dice on the storyteller's screen."""
SEVERAL = (2, 4)
"""So many foes with +3 are also fought by heroes who spread their blows."""
Once = Callable[[str], Fought]


def weave_fights() -> Iterator[tuple[str, Once]]:
    """Every fight of Weave that is kept, and how it is played once."""
    for heroes, level in PARTIES:
        for dice in SCREEN if (heroes, level) == (4, 3) else DICE:
            for track in TRACKS if dice in DICE else TRACKS[:1]:
                for foes in FOES:
                    name = weave_fight(heroes, level, foes, dice, track=track)
                    yield name, _once(heroes, level, heroes - 1, foes, dice, track)
    for suited in range(5):
        yield weave_fight(4, 1, 1, 4, suited=suited), _once(4, 1, suited, 1, 4, 0)
    for foes in SEVERAL:
        yield weave_fight(4, 3, foes, 3, spread=True), _once(4, 3, 3, foes, 3, 0, spread=True)


def _once(heroes: int, level: int, suited: int, foes: int, dice: int, track: int, *, spread: bool = False) -> Once:
    prefers = partial(fighter_prefers, spread=spread)
    return partial(fight_against, heroes, level, suited, foes, dice, track, prefers=prefers)


def spellwoven_fights() -> Iterator[tuple[str, Once]]:
    """Every fight of the ready characters that is kept, and how it is played once."""
    four = the_four({})
    for foe in (*npcs(), *incidentals()):
        for foes in (1, 3):
            yield spellwoven_fight(foe, foes), partial(conflict_played, four, against([foe] * foes))
    for name in encounter_names():
        yield name, partial(conflict_played, *encountered(name, {}))


KEPT = {"weave": weave_fights, "spellwoven": spellwoven_fights}


def play(times: int) -> None:
    """Play what is missing, and keep each fight as soon as it was played."""
    rules = {game: SYSTEMS[game].rules_version for game in KEPT}
    kept = FairFights(LICENCE, SEED, rules, {game: {} for game in KEPT})
    if FILE.exists():
        before = parse_fair_fights(FILE.read_text("utf-8"), FILE.name)
        for game in KEPT:
            if before.rules.get(game) == rules[game] and before.seed == SEED:
                kept.fair_fights[game].update(before.fair_fights[game])
    for game, fights in KEPT.items():
        wanted = dict(fights())
        for stale in kept.fair_fights[game].keys() - wanted.keys():
            del kept.fair_fights[game][stale]
        for name, once in wanted.items():
            if name not in kept.fair_fights[game] or kept.fair_fights[game][name].times != times:
                kept.fair_fights[game][name] = in_all(Plays(times, SEED).of(once))
                print(f"{name}: {kept.fair_fights[game][name]}", flush=True)
                FILE.write_text(_written(kept), "utf-8")


def _written(kept: FairFights) -> str:
    lines = ["# Fights that the small player has played; `python -m benchmarks.fair_fights play` makes this file."]
    lines += [f"licence: {LICENCE}", f"seed: {kept.seed}", "rules:"]
    lines += [f"  {game}: {version!r}" for game, version in kept.rules.items()]
    lines += ["fair_fights:"]
    for game, fights in kept.fair_fights.items():
        lines += [f"  {game}:"]
        for name, fight in fights.items():
            lines += [f"    {name!r}: {{times: {fight.times}, won: {fight.won}, cost: {fight.cost:.4f}}}"]
    return "\n".join(lines) + "\n"


# The tables of the page


def rows() -> Iterator[tuple[str, ...]]:
    """Every row of the page's tables, with their heads."""
    weave, spellwoven = (fair_fights().fair_fights[game] for game in KEPT)
    yield ("heroes, foes with", *(f"+{dice} in every suit" for dice in DICE))
    for heroes, level in PARTIES:
        for track, says in zip(TRACKS, ("Wounds", "tracks"), strict=True):
            yield (
                f"{heroes} of level {level}, {says}",
                *(
                    "; ".join(weave[weave_fight(heroes, level, foes, dice, track=track)].short for foes in FOES)
                    for dice in DICE
                ),
            )
    yield ("with a Backstory in their Core Suit", "against one foe with +4")
    for suited in reversed(range(5)):
        yield f"{suited} of four", weave[weave_fight(4, 1, 1, 4, suited=suited)].short
    yield ("four of level 3 strike", *(f"{foes} foes with +3" for foes in SEVERAL))
    for spread, says in ((False, "one foe after the other"), (True, "whoever is least hurt")):
        yield (says, *(weave[weave_fight(4, 3, foes, 3, spread=spread)].short for foes in SEVERAL))
    yield ("three foes", "all four heroes")
    for foe, sheet in (npcs() | incidentals()).items():
        three = spellwoven[spellwoven_fight(foe, 3)]
        if three.won < three.times:
            yield sheet.name, three.short
    yield ("encounter", "all who are there")
    for name in encounter_names():
        yield installed_encounter(name).title, spellwoven[name].short


def _print(row: tuple[str, ...], *, head: bool) -> None:
    print(
        *(["", f"| {' | '.join(row)} |", "| --- " * len(row) + "|"] if head else [f"| {' | '.join(row)} |"]),
        sep="\n",
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["play"]:
        play(int(sys.argv[2]) if len(sys.argv) > 2 else TIMES)
    else:
        for row in rows():
            _print(row, head=not any(isinstance(cell, str) and "%" in cell for cell in row))
