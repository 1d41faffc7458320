"""``loom odds storm-weavers adventure``: the chance to win an adventure, by a simple and by the best line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.kernel.yamlfile import read_text
from loomtable.engine.odds.adventure import AdventureOdds, adventure_odds
from loomtable.engine.odds.adventure_stages import Line
from loomtable.engine.odds.exact import plain
from loomtable.engine.storm_weavers.adventure import Adventure, parse_adventure
from loomtable.engine.storm_weavers.adventure_check import check_adventure_text
from loomtable.engine.storm_weavers.sheet import ATTRIBUTE_POINTS
from loomtable.engine.storm_weavers.state import Ending
from loomtable.table.commands.odds_telling import (
    Exactly,
    Rulings,
    format_chance,
    given_rulings,
    print_chances,
    print_table,
)
from loomtable.table.commands.options import argument, option
from loomtable.table.commands.output import AsJson, each, say, write_json

_SAID = {
    Line.SIMPLE: "the simple line: always the first choice that is open, every item that helps, plain fighting",
    Line.BEST: "the best line: whatever makes victory likeliest, one manner of fighting for each fight",
}


def adventure(
    file: Annotated[Path, argument("An adventure's file.", "FILE")],
    line: Annotated[list[Line] | None, option("--line", "Only this line of play: simple or best.")] = None,
    dexterity_points: Annotated[
        int, option("--dexterity-points", "Thymin's points on Dexterity; the rest go to Wisdom.")
    ] = ATTRIBUTE_POINTS // 2,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A whole adventure: the chance to win, and of each ending."""
    text = read_text(file)
    for finding in check_adventure_text(text, str(file)):
        if finding.stops_play:
            raise ContentInvalid(str(finding))
    told, _ = parse_adventure(text, str(file))
    rulings = given_rulings(ruling)
    lines = each("Reckoning", line or list(Line))
    found = [adventure_odds(told, one, dexterity_points, rulings) for one in lines]
    if as_json:
        write_json(plain({"adventure": told.name, "lines": {str(odds.line): odds for odds in found}}))
        return
    on_dexterity = how_many(dexterity_points, "point", "points")
    points = f"{on_dexterity} on Dexterity, {ATTRIBUTE_POINTS - dexterity_points} on Wisdom"
    say(f"{told.title}, {points}.")
    for odds in found:
        say("", f"By {_SAID[odds.line]}.")
        print_chances({"won": odds.won}, exact)
        _tell_endings(told, odds, exact)


def _tell_endings(told: Adventure, odds: AdventureOdds, exact: bool) -> None:
    shown: dict[int, Fraction] = odds.endings
    kinds = {number: told.paragraphs[number].ending or Ending.DEATH for number in shown}
    rows = [
        [str(number), str(kinds[number]), format_chance(chance, exact)]
        for number, chance in sorted(shown.items(), key=lambda entry: (kinds[entry[0]] != "victory", -entry[1]))
    ]
    print_table(["paragraph", "ending", "chance"], rows)
