"""Reference cards, screens and the cards of the weaving dice: what stands on them is what the engine plays."""

from __future__ import annotations

import re

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from reportlab.pdfgen.canvas import Canvas

from loomtable.engine.kernel.reference import Block
from loomtable.engine.mnemonic.almanac import WeavingBand, WeavingDie, band_of, weaving_dice
from loomtable.engine.odds.spellwoven import wound_odds
from loomtable.engine.odds.weave import challenge_odds
from loomtable.engine.spellwoven.armoury import armour, skills, weapons
from loomtable.engine.spellwoven.attribute_tests import successes_of
from loomtable.engine.spellwoven.levels import LEVELS, Levels, severity_of
from loomtable.engine.storm_weavers.attacks import added_when_hurt
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.challenge.tally import outcome_of
from loomtable.engine.weave.state import ChallengeOutcome
from loomtable.engine.weave.story.character import LEVEL_BONUSES
from loomtable.engine.woven.regions import Terrain
from loomtable.printkit.components.reference_blocks import _DESCENDER, draw_blocks
from loomtable.printkit.components.screen_panels import percent
from loomtable.printkit.draw.art import art_names
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font, font_file, typographic
from loomtable.printkit.errors import TextTooLong
from loomtable.printkit.games.mnemonic.weaving_dice_cards import SIZE, draw_die_back, draw_die_front
from loomtable.printkit.games.spellwoven.screen import (
    spellwoven_armour,
    spellwoven_chances,
    spellwoven_panels,
    spellwoven_severities,
    spellwoven_weapons,
)
from loomtable.printkit.games.weave.screen import (
    weave_attack_levels,
    weave_averages,
    weave_chances,
    weave_epics,
    weave_outcomes,
    weave_panels,
)
from loomtable.printkit.games.weave.theme import THEME
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.papers import A4, LETTER, Paper
from tests.print.sheet_reading import HOME, printed, words
from tests.short import raises

REFERENCES = {key: system.rules_in_short for key, system in SYSTEMS.items() if system.rules_in_short}
PANELS = {"weave": weave_panels, "spellwoven": spellwoven_panels}
GAMES = list(REFERENCES)


def told(blocks: tuple[Block, ...]) -> list[str]:
    """Everything that blocks say, piece by piece."""
    pieces: list[str] = []
    for block in blocks:
        pieces += [block.title, block.rules, block.text, *(cell for row in block.table for cell in row)]
    return [piece for piece in pieces if piece]


# What the engine says


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_is_named_is_one_that_is_played(game: str) -> None:
    source = " ".join(p.read_text("utf-8") for p in (HOME / "engine" / game.replace("-", "_")).rglob("*.py"))
    blocks = [*REFERENCES[game]().front, *REFERENCES[game]().back]
    blocks += [block for panel in PANELS[game]() for block in panel.blocks] if game in PANELS else []
    for block in blocks:
        assert block.rules, f"{block.title} names no rule"
        for rule in re.findall(r"[A-Z]{2}-\d+", block.rules):
            assert rule in source, f"{block.title} names {rule}"


def test_outcomes_of_a_challenge_are_those_of_the_engine() -> None:
    head, *rows = weave_outcomes()
    for column, level in enumerate(head[1:], start=1):
        for row in rows:
            outcome = ChallengeOutcome(row[0].lower())
            expected = [n for n in range(15) if outcome_of(n, int(level)) is outcome]
            assert _counts(row[column]) == expected


def _counts(cell: str) -> list[int]:
    if cell == "\u2013":
        return []
    if cell.endswith("+"):
        return list(range(int(cell[:-1]), 15))
    low, _, high = cell.partition("-")
    return list(range(int(low), int(high or low) + 1))


def test_chances_to_pass_grow_with_dice_and_fall_with_levels() -> None:
    rows = [[int(cell) for cell in row] for row in weave_chances()[1:]]
    assert rows[2] == [3, 70, 33, 12, 3]
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)
    assert all(row[1:] == sorted(row[1:], reverse=True) for row in rows)


def test_levels_of_attacks_are_the_difference_and_at_least_one() -> None:
    for target, row in enumerate(weave_attack_levels()[1:]):
        assert [int(cell) for cell in row[1:]] == [max(1, target - mine) for mine in range(6)]


def test_epic_passes_and_averages_are_those_of_the_engine() -> None:
    for row in weave_epics()[1:]:
        for level, cell in enumerate(row[1:], start=1):
            odds = challenge_odds(int(row[0]), level)
            counted = [
                p for n, p in odds.successes.chances.items() if outcome_of(n, level) is ChallengeOutcome.EPIC_PASS
            ]
            assert abs(float(cell) - 100 * float(sum(counted) + odds.successes.rest)) <= 1
            assert int(cell) <= int(percent(odds.passed))
    for dice, successes, strikes in weave_averages()[1:]:
        odds = challenge_odds(int(dice), 1)
        counted = float(sum(n * p for n, p in odds.successes.chances.items()))
        assert counted - 0.051 <= float(successes), "without the rare rolls that go on and on"
        assert float(successes) == pytest.approx(float(odds.expected_successes), abs=0.051)
        assert float(strikes) == pytest.approx(float(odds.expected_strikes), abs=0.051)


def test_a_heading_stands_clear_of_its_rule() -> None:
    font = TTFont(font_file(Font.TITLE))
    deepest = min(font["glyf"][font.getBestCmap()[ord(letter)]].yMin for letter in "gjpqyQ")
    assert -deepest / font["head"].unitsPerEm < _DESCENDER


def test_menace_inflicts_what_the_engine_inflicts() -> None:
    rows = next(b.table[1:] for panel in spellwoven_panels() for b in panel.blocks if b.title == "Menace")
    assert [row[1] for row in rows] == [severity_of(n).label for n in range(len(rows))]
    assert rows[-1][0] == f"{len(LEVELS)}+"
    for effort in (0, 1):
        for row in spellwoven_severities(effort)[1:]:
            odds = wound_odds(int(row[0]), effort=1).with_effort[effort]
            assert list(row[1:]) == [percent(odds[level]) for level in LEVELS]


def test_chances_of_a_test_are_those_of_counting_all_throws() -> None:
    throws = [(a, b, c) for a in range(1, 11) for b in range(1, 11) for c in range(1, 11)]
    for row in spellwoven_chances()[1:]:
        counted = [successes_of(throw, int(row[0])) for throw in throws]
        for needed, cell in enumerate(row[1:], start=1):
            passed = sum(n >= needed for n in counted)
            assert int(cell) == (
                round(passed / 10) if passed in (0, 1000) else min(max(round(passed / 10), 1), 99)
            )


def test_every_weapon_and_every_piece_of_armour_stands_on_the_screen() -> None:
    listed = [*spellwoven_weapons(ranged=False)[1:], *spellwoven_weapons(ranged=True)[1:]]
    assert {row[0]: int(row[1]) for row in listed} == {w.name: w.menace for w in weapons().values()}
    assert len(listed) == len(weapons())
    worn = {
        row[0]: Levels(*(0 if cell == "\u2013" else int(cell) for cell in row[1:]))
        for row in spellwoven_armour()[1:]
    }
    assert worn == {piece.name: piece.soak for piece in armour().values()}


def test_every_skill_stands_with_its_own_sort() -> None:
    [listed] = [b for panel in spellwoven_panels() for b in panel.blocks if b.title == "Skills"]
    known = {(skill.sort.value.capitalize(), skill.name) for skill in skills().values()}
    assert {(sort, name) for sort, names in listed.table for name in names.split(", ")} == known


def test_figures_on_cards_are_the_engines() -> None:
    woven = " ".join(told(REFERENCES["woven"]().front))
    for terrain in Terrain:
        assert f"{terrain.value.capitalize()} {terrain.cost}" in woven
    storm = " ".join(told(REFERENCES["storm-weavers"]().front))
    for health in (9, 3):
        assert f"Health {health} or less adds {added_when_hurt(health, 'plus-2')}" in storm
        assert added_when_hurt(health + 1, "plus-2") < added_when_hurt(health, "plus-2")
    labels = [band.label for band in WeavingBand]
    bands = [row for block in REFERENCES["mnemonic"]().front for row in block.table if row[1] in labels]
    assert [row[1] for row in bands] == labels
    for row in bands:
        assert all(band_of(int(face)).label == row[1] for face in row[0].split("-"))
    levels = [
        row
        for panel in PANELS["weave"]()
        for block in panel.blocks
        if block.title == "Levels"
        for row in block.table
    ]
    assert [row[0] for row in levels[1:]] == [str(level) for level in LEVEL_BONUSES]


def test_no_sentence_is_the_rulebooks() -> None:
    shelf = HOME.parent / "shared" / "rulebooks"
    if not shelf.is_dir():
        pytest.skip("the rulebooks are not here")
    books = _plain(" ".join(book.read_text("utf-8", "replace") for book in shelf.glob("*.txt")))
    blocks = [block for make in REFERENCES.values() for side in (make().front, make().back) for block in side]
    blocks += [block for panels in PANELS.values() for panel in panels() for block in panel.blocks]
    for piece in told(tuple(blocks)):
        run_of = _plain(piece).split()
        for at in range(len(run_of) - 8):
            assert " ".join(run_of[at : at + 9]) not in books, piece


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


# On paper


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize("game", GAMES)
def test_all_of_a_card_is_on_paper(game: str, paper: Paper) -> None:
    pdf = printed(f"{game}-reference", paper=paper)
    for page, blocks in ((0, REFERENCES[game]().front), (1, REFERENCES[game]().back)):
        said = words(pdf, page)
        for piece in told(blocks):
            assert typographic(piece) in said, piece


@pytest.mark.parametrize("game", list(PANELS))
def test_all_of_a_screen_is_on_paper(game: str) -> None:
    pdf = printed(f"{game}-screen")
    panels = PANELS[game]()
    assert 3 <= len(panels) <= 4
    for number, panel in enumerate(panels):
        said = words(pdf, 2 * number)
        assert panel.title in said and SYSTEMS[game].title in said
        for piece in told(panel.blocks):
            for part in typographic(piece).split():
                assert part in said, f"{panel.title}: {part}"


def test_rules_that_do_not_fit_are_an_error_that_names_the_card() -> None:
    block = Block("Round", "SP-6", "Everybody acts once in the round. " * 40)
    with pytest.raises(TextTooLong, match="the card of Ada"):
        draw_blocks(Pen(Canvas(""), Style.COLOUR), THEME, [(0, 0, 60, 40)], [block], 9, 7, "the card of Ada")


# Weaving dice


def test_every_weaving_die_has_its_card_with_all_it_brings() -> None:
    pdf = printed("weaving-dice-cards")
    said = words(pdf)
    for die in weaving_dice().values():
        assert said.count(die.name) >= 2
        for text in (die.says, *(die.text(band) for band in WeavingBand)):
            for part in text.split():
                assert part in said, f"{die.name}: {part}"


def test_every_die_has_a_picture_of_its_own() -> None:
    assert set(art_names("weaving-dice")) == set(weaving_dice())
    pictures = [_front(die, place) for place, die in enumerate(weaving_dice().values())]
    for at, one in enumerate(pictures):
        for other in pictures[at + 1 :]:
            assert np.mean(one != other) > 0.02


def _front(die: WeavingDie, place: int) -> np.ndarray:
    """The picture alone, in two tones: colours do not count."""
    canvas = Canvas("", pagesize=(SIZE.width, SIZE.height))
    draw_die_front(Pen(canvas, Style.GREY), die, place * 0)
    picture = render_page(canvas.getpdfdata(), 0, 72)
    return picture[: picture.shape[0] // 2, :, 0] < 110


def test_a_die_of_ones_own_has_a_picture_too_and_long_texts_name_it() -> None:
    own = WeavingDie("Key", "What was locked.", "Short.", "Short.", "Short.", "Short.")
    canvas = Canvas("")
    draw_die_front(Pen(canvas, Style.COLOUR), own, 13)
    draw_die_back(Pen(canvas, Style.COLOUR), own)
    long = WeavingDie("Key", "x", "Short.", "Short.", "Much to be said about it all. " * 30, "Short.")
    raises(TextTooLong, "the weaving die Key, Fray", draw_die_back, Pen(canvas, Style.COLOUR), long)
