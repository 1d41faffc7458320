"""``loom odds`` as people and programs meet it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from loomtable.engine.odds.fight import fight_odds
from loomtable.engine.odds.weave import challenge_odds
from loomtable.engine.storm_weavers.plans import Enemy
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.table.commands.main import run
from tests.tiers import mostly

HOME = Path(__file__).parents[2]
FIGHT = (
    "storm-weavers fight --dexterity 8 --enemy-dexterity 10 --enemy-health 10 --weapon-bonus 2 --armour-class 2"
)
PLAYED = (
    "storm-weavers adventure the-pay-book --times 30 --seed x --dexterity-points 4 --ruling tie=defender-wins",
    "storm-weavers adventure the-light-on-karrow-head --paragraph 8 --health 12 --times 20",
    "spellwoven encounter the-boar-in-the-reeds --times 5 --ruling ranged-first=on",
    "spellwoven conflict --foe wolf --foe outlaw-leader --times 5",
    "weave fight --dice 4 --foes 2 --heroes 3 --level 2 --suited 3 --track 8 --times 5",
)
GOOD = (
    "weave challenge --pool 5 --level 3 --track 8 --trigger 2 --trigger-suit same --joint",
    "weave challenge --pool 4 --level 2 --rerolls weave-and-strike --ruling strikes-on-rerolls=not-counted",
    "weave core --pool 4",
    "spellwoven test --rating 5 --difficulty 3 --effort 2 --advantage --ruling advantage=one-success",
    "spellwoven wound --menace 4 --effort 2",
    "spellwoven attack --skill 5 --defence 3 --menace 4 --effort 2 --disadvantage",
    "storm-weavers test --attribute 8 --modifier 1 --health 4",
    "storm-weavers exchange --dexterity 8 --enemy-dexterity 10 --first enemy --ruling tie=defender-wins",
    FIGHT,
    FIGHT + " --wisdom 9 --cunning-strikes always",
    "mnemonic use",
    "mnemonic use --rating 3 --gift 1",
    "mnemonic weaving",
    "mnemonic group --adversary 4 --player 2 --player 1",
    "mnemonic game-face --ruling game-face-tie=nobody-scores",
    "mnemonic game-face --own 12 --own 8 --other 8 --other 6 --score 1-1 --second"
    " --ruling game-face-choice=in-turn",
)


SHOWN = {
    "odds.md": frozenset(["storm-weavers", "spellwoven", "weave", "mnemonic"]),
    "adventures.md": frozenset(["storm-weavers"]),
}
"""Pages with commands and what they print, of which games; whole adventures take seconds to play."""


def told(capsys: pytest.CaptureFixture[str], command: str) -> tuple[int, str, str]:
    code = run(["odds", *shlex.split(command)])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("command", GOOD)
def test_people_get_a_table_and_programs_the_same_chances(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    code, out, err = told(capsys, command)
    assert (code, err) == (0, "")
    assert "%" in out
    assert max(map(len, out.splitlines())) <= 120
    code, exact, _ = told(capsys, command + " --exact")
    assert code == 0
    for line, exactly in zip(out.splitlines(), exact.splitlines(), strict=True):
        assert set(re.findall(r"[<>]?\d+\.\d%", line)) == set(re.findall(r"[<>]?\d+\.\d%", exactly))
    assert re.search(r"% = \d+(/\d+)?", exact)
    code, text, _ = told(capsys, command + " --json")
    assert code == 0
    for chance in fractions(json.loads(text)):
        assert Fraction(chance["exact"]) == pytest.approx(chance["decimal"])


@pytest.mark.parametrize("command", PLAYED)
def test_what_is_played_is_told_with_its_error_and_is_the_same_for_the_same_seed(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    code, out, err = told(capsys, command)
    assert (code, err) == (0, "")
    shares = re.findall(r"[<>]?(\d+)% ±\d+", out)
    assert shares and "played" in out and "exact" not in out
    assert told(capsys, command) == (0, out, "")
    _, text, _ = told(capsys, command + " --json")
    said = json.loads(text)
    kept = [said.get("won", said), *said.get("ends", ())]
    assert all(one["low"] <= one["chance"] == one["came"] / one["times"] <= one["high"] for one in kept)
    assert sum(end["came"] for end in said.get("ends", ())) in (0, kept[0]["times"])


def test_a_file_of_your_own_is_played_and_one_that_does_not_hold_together_is_not(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Also where it has the name of one that is installed."""
    file = tmp_path / "the-pay-book.yaml"
    head = "adventure: mine\ntitle: Mine\nabout: A walk.\nlicence: CC0\nparagraphs:\n"
    file.write_text(head + "  1: {text: Home., ending: victory}\n  225: {text: The end., ending: death}\n")
    code, out, _ = told(capsys, f"storm-weavers adventure {file} --times 3")
    assert code == 0 and out.startswith("Mine, 2 points") and re.search(r"any +victory +100%", out)
    broken = tmp_path / "broken.yaml"
    broken.write_text(head + "  1: {text: On., then: 7}\n")
    assert told(capsys, f"storm-weavers adventure {broken}")[:2] == (2, "")


def fractions(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict) and value.keys() == {"exact", "decimal"}:
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from fractions(inner)


def test_the_figures_are_those_of_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "weave challenge --pool 5 --level 3")
    figures = re.findall(r"^  ([a-z ]+?) +([\d.]+)%$", out, re.MULTILINE)
    outcomes, (better, passed) = figures[:4], figures[4]
    assert [name for name, _ in outcomes] == ["epic fail", "fail", "pass", "epic pass"]
    assert sum(float(chance) for _, chance in outcomes) == pytest.approx(100, abs=0.2)
    assert (better, passed) == ("pass or better", "32.0")
    _, text, _ = told(capsys, "weave challenge --pool 5 --level 3 --json --joint")
    said = json.loads(text)
    assert Fraction(said["passed"]["exact"]) == challenge_odds(5, 3).passed
    assert sum(Fraction(c["exact"]) for c in said["outcomes"].values()) == 1
    joint = sum(Fraction(pair["chance"]["exact"]) for pair in said["joint"]["chances"])
    assert joint + Fraction(said["joint"]["rest"]["exact"]) == 1
    _, text, _ = told(capsys, FIGHT + " --json")
    said = json.loads(text)
    odds = fight_odds(Sheet(8, 5, weapon_bonus=2, armour_class=2), Enemy("Goblin", 10, 10))
    assert Fraction(said["won"]["exact"]) == odds.won
    assert Fraction(said["exchanges"]["exact"]) == odds.exchanges


def test_advantage_and_disadvantage_cancel_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    command = "spellwoven test --rating 5 --difficulty 3"
    assert told(capsys, command) == told(capsys, command + " --advantage --disadvantage")


@pytest.mark.parametrize("command", ["", "weave", "spellwoven", "storm-weavers", "mnemonic"])
def test_a_group_alone_shows_what_it_has(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, err = told(capsys, command)
    assert (code, err) == (0, "")
    assert "Commands:" in out


@pytest.mark.parametrize(("page", "games"), mostly(SHOWN.items(), [("odds.md", SHOWN["odds.md"])]))
def test_the_pages_show_what_the_commands_say(
    capsys: pytest.CaptureFixture[str], page: str, games: frozenset[str]
) -> None:
    shown = re.findall(r"\$ loom odds (.*)\n((?:.*\n)*?)```", (HOME / "docs" / page).read_text("utf-8"))
    assert games <= {command.split()[0] for command, _ in shown}
    for command, output in shown:
        assert told(capsys, command) == (0, output, "")


def test_the_programs_on_the_page_on_odds_run() -> None:
    page = (HOME / "docs" / "odds.md").read_text("utf-8")
    [program] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    [(told_as, chance)] = re.findall(r"^(\S+)  # Fraction\((.*)\)$", program, re.MULTILINE)
    numerator, denominator = map(int, chance.split(", "))
    assert eval(told_as, names) == Fraction(numerator, denominator)
    for function in re.findall(r"`engine\.odds\.(\w+)\.(\w+)`", page):
        module = __import__(f"loomtable.engine.odds.{function[0]}", fromlist=[function[1]])
        assert callable(getattr(module, function[1]))


@pytest.mark.parametrize("pool", [1, 3, 5, 8])
@pytest.mark.parametrize("level", [1, 2, 4])
def test_the_outcomes_come_to_a_hundred_percent_as_they_are_written(
    capsys: pytest.CaptureFixture[str], pool: int, level: int
) -> None:
    _, out, _ = told(capsys, f"weave challenge --pool {pool} --level {level}")
    bar, outcomes = re.findall(r"\n\n  ([░▒▓█]+)\n((?:  .*%\n)+?)  pass or better ", out)[0]
    chances = re.findall(r"  (\D+?) +<?([\d.]+)%\n", outcomes)
    tiny = 0.1 * outcomes.count("<")
    assert sum(float(chance) for _, chance in chances) - tiny == pytest.approx(100)
    worst = dict(zip(("epic fail", "fail", "pass", "epic pass"), "░▒▓█", strict=True))
    assert [bar.count(worst[name]) for name, _ in chances] == pytest.approx(
        [0.4 * float(c) for _, c in chances], abs=1
    )
    assert len(bar) == 40
