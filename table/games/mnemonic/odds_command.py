"""``loom odds mnemonic``: skills, single dice, group scenes and Game Face."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.game_face import ALL, game_face_odds
from loomtable.engine.odds.mnemonic import group_scene_odds, single_die_odds, use_odds
from loomtable.table.commands.odds import OddsAnswer, OddsTable, Rulings, odds_app, question

RATINGS = range(1, 7)

app = odds_app("Mnemonic: skills, weavings, group scenes, Game Face.")


@question(app, "use", "mnemonic use --rating 3")
def use(
    rating: Annotated[int | None, "The skill's rating; all from 1 to 6 without."] = None,
    gift: Annotated[int, "Dice that weavings of others gave."] = 0,
) -> OddsAnswer:
    """Using a skill: clean or complicated, and whether its rating rises."""
    odds = {r: use_odds(r, gift=gift) for r in (RATINGS if rating is None else (rating,))}
    given = f", {how_many(gift, 'die', 'dice')} given" if gift else ""
    rows = [[r, o.clean, o.complicated, o.improved] for r, o in odds.items()]
    table = OddsTable(["rating", "clean", "complicated", "rises"], rows)
    value = {"ratings": odds} if rating is None else odds[rating]
    return OddsAnswer(value, f"Mnemonic, using a skill{given}.", table)


@question(app, "weaving", "mnemonic weaving")
def weaving() -> OddsAnswer:
    """What is rolled with one die: weavings, learning, universal truths, A Moment Alone."""
    odds = single_die_odds()
    return OddsAnswer(
        odds,
        "Mnemonic, a weaving.",
        {band.label: chance for band, chance in odds.bands.items()},
        {"the suit is injured": odds.injured},
        "",
        "A universal truth in its place.",
        "",
        {"it is settled": odds.truth_answers, "an injury": odds.injured},
        "",
        "Learning a skill.",
        "",
        {"at 2": odds.learned_at_2, "complicated": odds.learned_complicated},
        {"the suit is injured": odds.learned_injured},
        "",
        "A Moment Alone, which always heals.",
        "",
        {"a skill grows": odds.alone_grows, "out of the next group scene": odds.alone_absent},
    )


@question(app, "group", "mnemonic group --adversary 4 --player 2 --player 3")
def group(
    adversary: Annotated[int, "Complications in the group: a die each."],
    player: Annotated[list[int], "A player's dice; again for each player."],
) -> OddsAnswer:
    """A group scene: victory, draw or defeat."""
    odds = group_scene_odds(adversary, player)
    pools = ", ".join(map(str, player))
    title = f"Mnemonic group scene: {how_many(adversary, 'die', 'dice')} against pools of {pools}."
    return OddsAnswer(odds, title, {"victory": odds.victory, "draw": odds.draw, "defeat": odds.defeat})


@question(app, "game-face", "mnemonic game-face --score 1-0")
def game_face(
    rulings: Rulings,
    own: Annotated[list[int] | None, "A die of yours, by its sides; again for each."] = None,
    other: Annotated[list[int] | None, "The same for the other one."] = None,
    score: Annotated[str, "Rounds won, yours first, e.g. 1-0."] = "0-0",
    second: Annotated[bool, "The other one chooses first."] = False,
) -> OddsAnswer:
    """Game Face: which die to take now, and who wins if both play their best."""
    odds = game_face_odds(own or ALL, other or ALL, score=_score(score), first=not second, rulings=rulings)
    table = OddsTable(
        ["die", "take it", "and win"],
        [[f"d{die}", share, odds.wins[die]] for die, share in odds.plan.items()],
    )
    title = f"Mnemonic Game Face, {_listed(own or ALL)} against {_listed(other or ALL)}, at {score}."
    ending = {"won": odds.ending.won, "drawn": odds.ending.drawn, "lost": odds.ending.lost}
    return OddsAnswer(odds, title, table, "", ending)


def _score(given: str) -> tuple[int, int]:
    parts = given.split("-")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise OddsUnknown(f"a score is written like 1-0, and {given!r} is not")
    return int(parts[0]), int(parts[1])


def _listed(dice: Sequence[int]) -> str:
    return ", ".join(f"d{die}" for die in dice)
