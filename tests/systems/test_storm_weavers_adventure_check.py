"""The checker of adventures: each kind of damage is found, in one sentence, with its line (SW-17)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.yamlfile import Installed
from loomtable.engine.storm_weavers import adventure_check
from loomtable.engine.storm_weavers.adventure_check import check_adventure_text
from loomtable.engine.storm_weavers.combat_map import combat_map
from tests.short import raises
from tests.systems.storm_weavers_small import TEXT

GOBLIN = "- {name: Goblin, dexterity: 6, health: 4}"
END = "- {when: all-dead, to: 4}"
SAW = "strike_test: {items: {Saw: -1}}"
OPEN = "{says: Open it., to: 2"
TEST = "test: {attribute: wisdom, pass: 5, fail: 225, items: {Key: -1}}"
HOME = "    ending: victory\n"


def test_the_small_adventure_holds_together() -> None:
    assert check_adventure_text(TEXT, "small.yaml") == []


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("to: 2}", "to: 12}", 9, "paragraph 1 leads to paragraph 12, which is missing"),
        ("pass: 5", "pass: 6", 28, "paragraph 4 leads to paragraph 6, which is missing"),
        ("when: all-dead, to: 4}", "when: all-dead, to: 44}", 16, "paragraph 2 leads to paragraph 44"),
        ("if: {item: Axe}", "if: {visited: 9}", 10, "asks whether paragraph 9 was read, but there is no"),
        ("if: {item: Axe}", "if: {item: Saw}", 10, "asks for the item 'Saw', which Thymin can nowhere gain"),
        ("gain: Key", "gain: Kee", 28, "paragraph 4 asks for the item 'Key', which Thymin can nowhere gain"),
        (OPEN, f"{OPEN}, if: {{gold: 9}}", 8, "has only choices with conditions"),
        ("pass: 5", "pass: 225", 29, "paragraph 5 can never be reached"),
        ("pass: 5", "pass: 225", 5, "no victory can be reached"),
        ("  5:\n", "  6:\n    text: Lost.\n    then: 6\n  5:\n", 29, "paragraph 6 can never be reached"),
        ("to: 3, if: {item: Axe}", "to: 1", 17, "paragraph 3 can never be reached"),
        (TEST, "then: 4", 6, "no ending can be reached"),
        ("attribute: wisdom", "attribute: gold", 28, "tests Gold; only Wisdom and Dexterity can be tested"),
        ("attribute: wisdom", "dice: 2dW, attribute: wisdom", 28, "d6, d8, d10 or d12, not with Weave dice"),
        ("attribute: wisdom", "dice: 1d20, attribute: wisdom", 28, "d6, d8, d10 or d12, not with d20s"),
        (f"      ends:\n      {END}\n", f"      {SAW}\n      ends:\n      {END}\n", 15, "item 'Saw'"),
        ("map: sluice-yard", "map: moon", 19, "there is no combat map 'moon'"),
        ("health: 4}\n      - {name", "health: 4, square: D2}\n      - {name", 19, "D2 is taken by an obstacle"),
        ("health: 4}\n      - {name", "health: 4, square: Z9}\n      - {name", 19, "Z9 is not on the map"),
        (f"{GOBLIN}\n      ends", "\n      ".join([GOBLIN] * 3) + "\n      ends", 19, "marks none with 4"),
        ("map: sluice-yard", "map: sluice-yard\n      thymin: F2", 19, "Goblin 1 cannot start at F2"),
        ("health: 4}\n      ends", "health: 0}\n      ends", 13, "has no Health to fight with"),
        (END, "- {when: rounds, at: 3, to: 4}", 13, "needs an end 'all-dead'"),
        (END, "- {when: all-dead}", 16, "does not say where the end 'all-dead' leads"),
        (END, f"{END}\n      - {{when: enemy-health, at: 4, to: 4}}", 17, "ends before it begins"),
        (END, "- {when: rounds, to: 4}", 13, "the end 'rounds' needs 'at'"),
        (HOME, "", 29, "paragraph 5 has no way on"),
        (HOME, f"{HOME}    then: 4\n", 29, "paragraph 5 has several: then, ending"),
        ("text: Home.", "text: ''", 30, "paragraph 5 has no text"),
        ("[{gain: Key}]", "[{gain: Key, lose: Axe}]", 25, "has a change that is none"),
        ("[{gain: Key}]", "[{gain: Key}, {attribute: gold}]", 25, "fill in “By” or “To”"),
        ("    ending: death", "    ending: victory", 32, "paragraph 225 is Thymin's death"),
        ("  225:", "  226:", 5, "paragraph 225, Thymin's death, is missing"),
        ("  2:\n", "  4:\n", 26, "paragraph 4 is here again; it is first in line 11"),
        ("licence: CC0", "licence: CC0\nstart: 7", 5, "the adventure begins at paragraph 7, which is missing"),
        ("text: Home.", "txt: Home.", 30, "there is no field `txt`"),
        ("ending: victory", "ending: glory", 31, "'glory' is not one of "),
        ("  2:\n", "  0:\n", 11, "paragraphs are numbered from 1"),
        ("title: Small", "title: [", 4, "is not good YAML"),
    ],
)  # fmt: skip
def test_damage_is_found_and_named_with_its_line(old: str, new: str, line: int, words: str) -> None:
    assert old in TEXT
    damaged = TEXT.replace(old, new, 1)
    findings = check_adventure_text(damaged, "small.yaml")
    fitting = [f for f in findings if words in f.says]
    assert fitting, [str(f) for f in findings]
    assert fitting[0].line == line, str(fitting[0])
    assert str(fitting[0]).startswith(f"small.yaml line {line}: ")
    assert "\n" not in str(fitting[0])


@pytest.mark.parametrize(
    "choices",
    [
        "[{says: a, to: 2, if: {item: Key}}, {says: b, to: 3, if: {without: Key}}]",
        "[{says: a, to: 2, if: {visited: 4}}, {says: b, to: 3, if: {unvisited: 4}}]",
    ],
)
def test_opposite_conditions_leave_a_choice_open(choices: str) -> None:
    old = TEXT[TEXT.index("choices:") : TEXT.index("  2:\n")]
    findings = check_adventure_text(TEXT.replace(old, f"choices: {choices}\n"), "small.yaml")
    assert [finding for finding in findings if finding.stops_play] == []
    narrower = choices.replace("to: 2, if: {", "to: 2, if: {gold: 3, ")
    findings = check_adventure_text(TEXT.replace(old, f"choices: {narrower}\n"), "small.yaml")
    assert [f.says for f in findings if f.stops_play] == [
        "paragraph 1 has only choices with conditions; Thymin may find none open"
    ]


def test_an_enemy_without_a_way_to_thymin_is_found() -> None:
    text = TEXT.replace("map: sluice-yard", "map: bell-hall").replace(
        "health: 4}\n      - {name", "health: 4, square: G5}\n      - {name"
    )
    assert check_adventure_text(text, "small.yaml") == []
    walled = combat_map("bell-hall")
    ring = {s: "wall" for _, s in walled.around("G5")}
    with pytest.MonkeyPatch.context() as patch:
        changed = type(walled)(
            walled.name,
            walled.title,
            walled.width,
            walled.height,
            {**walled.obstacles, **ring},
            walled.thymin,
            walled.enemies,
        )
        patch.setattr(adventure_check, "combat_map", lambda _: changed)
        [finding] = check_adventure_text(text, "small.yaml")
    assert finding.says == "paragraph 3: Goblin 1 has no way to Thymin on the map bell-hall"
    assert not finding.stops_play


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(TEXT) - 1), st.integers(1, 30), st.sampled_from(["", "7", "x", ": ", "[", "\n"]))
def test_any_damage_gives_findings_or_none_but_never_another_error(start: int, length: int, new: str) -> None:
    for finding in check_adventure_text(TEXT[:start] + new + TEXT[start + length :], "small.yaml"):
        assert finding.line >= 1
        assert "\n" not in str(finding)


def test_only_what_breaks_play_keeps_an_adventure_from_being_played(tmp_path: Path) -> None:
    playable = Installed("adventure", adventure_check._playable, str(tmp_path)).named
    (tmp_path / "lost.yaml").write_text(TEXT.replace("to: 3, if: {item: Axe}", "to: 1"), "utf-8")
    (tmp_path / "broken.yaml").write_text(TEXT.replace("to: 2}", "to: 12}"), "utf-8")
    assert playable("lost").title == "Small"
    raises(ContentInvalid, r"broken.yaml line 9: paragraph 1 leads to paragraph 12", playable, "broken")
    raises(ContentInvalid, "there is no adventure 'moon'; installed: broken, lost", playable, "moon")
