"""The content checker: all that ships holds together and reads well; a slip of the pen is found with its line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.transcript import parse_transcript
from loomtable.engine.storm_weavers.combat_map import combat_map, map_names
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands import check
from loomtable.table.commands.main import run
from loomtable.table.content.prose import passages_of, remarks_on
from loomtable.table.content.sorts import checks, findings_in
from loomtable.table.content.whole import shipped_content, shortfalls
from loomtable.table.games.mnemonic import content as mnemonic
from loomtable.table.games.spellwoven import content as spellwoven
from loomtable.table.games.weave import content as weave
from loomtable.table.games.woven import content as woven
from tests.short import Loom
from tests.table.spelling import LISTS, misspelt, words_of
from tests.tiers import examples

PLAIN = "title: t\nlicence: l\nconcepts:\n"


def test_everything_that_ships_holds_together_and_reads_well(loom: Loom) -> None:
    told = json.loads(loom("check", "--strict", "--json").out)
    assert told["missing"] == []
    assert {one["sort"] for one in told["files"]} == set(checks())
    assert len(told["files"]) == len(shipped_content())


def test_content_of_your_own_is_installed_unless_it_has_mistakes(
    at_home: Path, loom: Loom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "shipped_content", tuple)
    folder = at_home / "content" / "storm_weavers" / "maps"
    folder.mkdir(parents=True)
    yard = package_file("templates", "storm_weavers", "maps", "sluice-yard.yaml").read_text("utf-8")
    (folder / "yard-of-mine.yaml").write_text(yard.replace("map: sluice-yard", "map: yard-of-mine"), "utf-8")
    (folder / "spoilt.yaml").write_text(yard.replace("rows:", "walls: [A1-C1]\nrows:"), "utf-8")
    (folder / "rime-bridge.yaml").write_text(yard, "utf-8")
    assert {"yard-of-mine", "rime-bridge"} <= {*map_names()}
    assert "spoilt" not in map_names()
    assert combat_map("rime-bridge").title == "The bridge over the Rime", "what ships is never replaced"
    with pytest.raises(ContentInvalid, match=r"spoilt.yaml line 9: 'A1-C1' is no wall; name two squares side by"):
        combat_map("spoilt")
    assert "spoilt.yaml line 9" in loom("check", code=1).out


def test_an_evening_for_each_system() -> None:
    evenings = {
        "weave-an-hour-ahead": "the-lamplit-court",
        "spellwoven-the-nineteenth-piece": "the-open-barrow",
        "mnemonic-the-last-house": "letter-carrier-for-the-drowned",
        "woven-three-at-the-loom": "the-maple-reach",
    }
    for name, content in evenings.items():
        path = package_file("templates", "transcripts", f"{name}.yaml")
        text = path.read_text("utf-8")
        evening = parse_transcript(text, path.name)
        assert evening.system in SYSTEMS and content in text
        assert len(evening.play) >= 60
        assert sum(step.note is not None for step in evening.play) >= 15
        assert sum(step.expect is not None for step in evening.play) >= 6


def test_what_ships_is_spelt_well() -> None:
    found = [misspelt(path.read_text("utf-8"), path.name) for path in shipped_content()]
    assert [remark for remarks in found for remark in remarks] == []


@pytest.mark.parametrize("path", sorted(LISTS.glob("*.txt")), ids=lambda p: p.stem)
def test_a_list_of_words_has_none_that_its_file_does_not_use(path: Path) -> None:
    files = [p for p in shipped_content() if path.stem in ("house", p.stem)]
    assert files, f"{path.name} belongs to no file"
    text = " ".join(p.read_text("utf-8") for p in files).lower()
    for word in words_of(path.stem):
        assert word in text, f"{path.name}: {word}"


# Slips of the pen


@pytest.mark.parametrize(
    ("words", "remark"),
    [
        ("The lamp stood on the windwo sill that evening.", "c.yaml line 5: is 'windwo' spelt so?"),
        ("The colour of the harbour was grey, and they travelled on.", ""),
        ("It was Brannoch, and then it was brannoch no longer there.", "is 'brannoch' spelt so?"),
        ("She asked old Brannoch, and he asked Brannoch, and the man Branoch said no.", "'Branoch' stands once"),
        ("Nobody wants the caf\u00e9 that was here, nor its fianc\u00e9e with the na\u00efve hat.", ""),
    ],
)
def test_a_slip_is_found_with_its_line(words: str, remark: str) -> None:
    found = misspelt(f'{PLAIN}  - name: Somebody\n    says: "{words}"\n', "c.yaml")
    assert [one for one in found if remark and remark in one] if remark else not found, found


def test_openings_that_come_again_are_remarked_on() -> None:
    said = "".join(
        f'  - name: N\n    says: "There once was a {what} on the road to nowhere."\n' for what in "abcd"
    )
    assert remarks_on(PLAIN + said, "c.yaml") == ["c.yaml line 11: 4 texts begin 'there once was'"]
    assert remarks_on(PLAIN + said[: said.rindex("  - name")], "c.yaml") == []


@pytest.mark.parametrize(
    "file",
    [
        "weave/playsets/the-salt-road.yaml",
        "storm_weavers/adventures/the-bell-of-hollow-pass.yaml",
        "spellwoven/encounters/the-open-barrow.yaml",
    ],
)
def test_what_a_table_begins_is_asked_for_its_content_notes(file: str, tmp_path: Path, loom: Loom) -> None:
    text = package_file("templates", *file.split("/")).read_text("utf-8")
    rest = tmp_path / "mine.yaml"
    rest.write_text(re.sub(r"content_notes: >-\n(  .*\n)+", "", text), "utf-8")
    heard = loom("check", "--strict", rest, code=1).out
    assert "say in content_notes what people may want to know before they play this" in heard
    if "encounters" in file:
        assert run(["check", str(rest)]) == 0, "it is a remark"


def test_keys_and_mechanics_are_no_prose() -> None:
    told = {"weapons": ["qwrtx"], "ready": "wxyz", "says": "One two three.", "weapons2": [{"name": "Long knife"}]}
    assert [p.words for p in passages_of(told)] == ["One two three.", "Long knife"]
    steps = {"play": [{"do": "qwrtx", "note": "Here it is."}, {"write": "And there."}]}
    assert [p.words for p in passages_of(steps)] == ["Here it is.", "And there."]


@examples(12, 40)
@given(st.dictionaries(st.text("abc", min_size=1), st.text(max_size=40), max_size=4))
def test_any_text_can_be_remarked_on(fields: dict[str, str]) -> None:
    text = json.dumps(fields, ensure_ascii=False)
    try:
        remarks = remarks_on(text, "c.yaml") + misspelt(text, "c.yaml")
    except ContentInvalid:  # characters that YAML has not
        return
    assert all(remark.startswith("c.yaml line ") and "\n" not in remark for remark in remarks)


# What does not hold together


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("spellwoven/foes.yaml", "weapons: [fangs]", "weapons: [fang]", "did you mean fangs?"),
        ("spellwoven/characters.yaml", "effort: 4", "efort: 4", "no field `efort`"),
        ("spellwoven/weapons.yaml", "menace: 3, uses", "menace: 0, uses", "has Menace 0"),
        ("spellwoven/talents.yaml", "effect: pierce", "effect: re-roll", "cannot have the effect re-roll"),
        ("weave/story-deck.yaml", "number: 2,", "number: 3,", "card 3 is where 2 should be"),
        ("woven/map-names.yaml", "rivers: [", "river: [", "river"),
        ("decks/plain.yaml", "colour: A8712F", "colour: A8712", "is no colour"),
        ("quick_starts/mnemonic.yaml", "clean, with a 6 30.6%", "clean, with a 6 36%", "the odds are not"),
        ("spellwoven/encounters/the-open-barrow.yaml", "at: engaged", "at: home", "'home' is not one of "),
    ],
)
def test_a_mistake_is_found(file: str, old: str, new: str, words: str) -> None:
    text = package_file("templates", *file.split("/")).read_text("utf-8")
    assert old in text
    assert findings_in(text, "a.yaml")[1] == []
    [found] = findings_in(text.replace(old, new, 1), "a.yaml")[1]
    assert words in found and found.startswith("a.yaml line ")


def test_what_a_game_lacks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shortfalls() == []
    for game, name, more, words in (
        (weave, "LEAST_BACKSTORIES", 4, "The Lantern offers 3 of backstory; 4 are needed"),
        (spellwoven, "LEAST_FOES", 99, "12 foes; 99 are needed"),
        (spellwoven, "LEAST_ENCOUNTERS", 9, "encounters: 5; 9 are needed"),
        (mnemonic, "CONCEPTS", 8, "7 concepts; 8 are needed"),
        (woven, "LEAST_MAPS", 4, "3 different sizes of region maps; 4 are needed"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(game, name, more)
            assert any(words in one for one in shortfalls()), name
