"""``loom odds mnemonic``: skills, single dice, group scenes and Game Face."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from loomtable.engine.odds.exact import OddsUnknown, plain
from loomtable.engine.odds.game_face import ALL, game_face_odds
from loomtable.engine.odds.mnemonic import group_scene_odds, single_die_odds, use_odds
from loomtable.table.commands.command import Command
from loomtable.table.commands.odds_telling import (
    Exactly,
    Rulings,
    format_chance,
    given_rulings,
    many_dice,
    print_chances,
    print_table,
)
from loomtable.table.commands.options import option
from loomtable.table.commands.output import AsJson, say, show_help, write_json

RATINGS = range(1, 7)

app = typer.Typer(help="Mnemonic: skills, weavings, group scenes, Game Face.", rich_markup_mode=None)
app.callback(invoke_without_command=True)(show_help)


@app.command("use", cls=Command, epilog="loom odds mnemonic use --rating 3")
def use(
    rating: Annotated[int | None, option("--rating", "The skill's rating; all from 1 to 6 without.")] = None,
    gift: Annotated[int, option("--gift", "Dice that weavings of others gave.")] = 0,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """Using a skill: clean or complicated, and whether its rating rises."""
    odds = {r: use_odds(r, gift=gift) for r in (RATINGS if rating is None else (rating,))}
    if as_json:
        write_json(plain({"ratings": odds} if rating is None else odds[rating]))
        return
    given = f", {many_dice(gift)} given" if gift else ""
    say(f"Mnemonic, using a skill{given}.", "")
    print_table(
        ["rating", "clean", "complicated", "rises"],
        [
            [str(r), *(format_chance(c, exact) for c in (o.clean, o.complicated, o.improved))]
            for r, o in odds.items()
        ],
    )


@app.command("weaving", cls=Command, epilog="loom odds mnemonic weaving")
def weaving(exact: Exactly = False, as_json: AsJson = False) -> None:
    """What is rolled with one die: weavings, learning, universal truths, A Moment Alone."""
    odds = single_die_odds()
    if as_json:
        write_json(plain(odds))
        return
    say("Mnemonic, a weaving.", "")
    print_chances({band.label: chance for band, chance in odds.bands.items()}, exact)
    print_chances({"the suit is injured": odds.injured}, exact)
    say("", "A universal truth in its place.", "")
    print_chances({"it is settled": odds.truth_answers, "an injury": odds.injured}, exact)
    say("", "Learning a skill.", "")
    learning = {"at 2": odds.learned_at_2, "complicated": odds.learned_complicated}
    print_chances({**learning, "the suit is injured": odds.learned_injured}, exact)
    say("", "A Moment Alone, which always heals.", "")
    print_chances({"a skill grows": odds.alone_grows, "out of the next group scene": odds.alone_absent}, exact)


@app.command("group", cls=Command, epilog="loom odds mnemonic group --adversary 4 --player 2 --player 3")
def group(
    adversary: Annotated[int, option("--adversary", "Complications in the group: a die each.")],
    player: Annotated[list[int], option("--player", "A player's dice; again for each player.")],
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A group scene: victory, draw or defeat."""
    odds = group_scene_odds(adversary, player)
    if as_json:
        write_json(plain(odds))
        return
    pools = ", ".join(map(str, player))
    say(f"Mnemonic group scene: {many_dice(adversary)} against pools of {pools}.", "")
    print_chances({"victory": odds.victory, "draw": odds.draw, "defeat": odds.defeat}, exact)


@app.command("game-face", cls=Command, epilog="loom odds mnemonic game-face --score 1-0")
def game_face(
    own: Annotated[list[int] | None, option("--own", "A die of yours, by its sides; again for each.")] = None,
    other: Annotated[list[int] | None, option("--other", "The same for the other one.")] = None,
    score: Annotated[str, option("--score", "Rounds won, yours first, e.g. 1-0.")] = "0-0",
    second: Annotated[bool, option("--second", "The other one chooses first.")] = False,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """Game Face: which die to take now, and who wins if both play their best."""
    odds = game_face_odds(
        own or ALL, other or ALL, score=_score(score), first=not second, rulings=given_rulings(ruling)
    )
    if as_json:
        write_json(plain(odds))
        return
    say(f"Mnemonic Game Face, {_listed(own or ALL)} against {_listed(other or ALL)}, at {score}.", "")
    print_table(
        ["die", "take it", "and win"],
        [
            [f"d{die}", format_chance(share, exact), format_chance(odds.wins[die], exact)]
            for die, share in odds.plan.items()
        ],
    )
    say("")
    print_chances({"won": odds.ending.won, "drawn": odds.ending.drawn, "lost": odds.ending.lost}, exact)


def _score(given: str) -> tuple[int, int]:
    parts = given.split("-")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise OddsUnknown(f"a score is written like 1-0, and {given!r} is not")
    return int(parts[0]), int(parts[1])


def _listed(dice: Sequence[int]) -> str:
    return ", ".join(f"d{die}" for die in dice)
