"""The rest of the box: tuck boxes, dividers, tents, grids, a tray, and drawings of ours on cards."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.spellwoven.armoury import armour, shields, weapons
from loomtable.engine.spellwoven.people import incidentals, npcs
from loomtable.engine.storm_weavers.adventure_check import adventure_names, playable_adventure
from loomtable.engine.storm_weavers.sheet import GEAR
from loomtable.printkit.catalogue import RenderOptions, components, kits
from loomtable.printkit.components.boxes import LEAST_DEPTH, BoxedDeck, deck_of, divider, tuck_box
from loomtable.printkit.components.dice_tray import WALL
from loomtable.printkit.components.flats import Flat, flat_pages
from loomtable.printkit.components.grids import HEX, hexagons
from loomtable.printkit.components.ready_cards import parse_pictures, picture_for
from loomtable.printkit.components.sheet_themes import theme_for
from loomtable.printkit.draw.art import art_names
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.errors import SheetTooSmall
from loomtable.printkit.kit import print_kit
from loomtable.printkit.picking import picks_in
from loomtable.printkit.raster import picture_of
from loomtable.printkit.sheet.cutting import CutLines, cut_lines
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.imposition import ImpositionOptions, lay_out
from loomtable.printkit.sheet.papers import A4, LETTER, POKER, CardSize, Paper
from loomtable.printkit.sheet.pieces import PrintedCard, PrintedPage
from loomtable.table.commands.main import run
from tests.print.drawn_cards import drawn
from tests.print.plain_cards import nothing
from tests.print.sheet_reading import words
from tests.short import Loom, present, raises

BOX = "\N{BALLOT BOX}"
THEME = theme_for("table")


def deck(size: CardSize, count: int) -> BoxedDeck:
    return BoxedDeck("Salt and Tide", size, [PrintedCard(None, "card", nothing, nothing, size)] * count, THEME)


def shape(flat: Flat) -> shapely.Polygon:
    """The outline, its curves by their ends."""
    return shapely.Polygon([points[-1] for _, points in flat.outline.steps if points])


def lines_of(name: str, options: RenderOptions | None = None) -> list[CutLines]:
    pages = lay_out(components()[name].pieces(options or RenderOptions()), ImpositionOptions())
    return [cut_lines(page) for page in pages if not page.is_back]


@given(st.floats(40, 90), st.floats(40, 130), st.integers(9, 120), st.floats(0.2, 0.7))
def test_a_tuck_box_holds_its_deck_and_closes(wide: float, high: float, count: int, thickness: float) -> None:
    box = tuck_box(deck(CardSize("any", wide, high), count), thickness)
    upright = sorted(start[0] for start, end in box.folds if start[0] == end[0])
    x1, x2, x3, x4 = upright
    short, long = sorted((wide, high))
    assert x2 - x1 == pytest.approx(short + 1) and x4 - x3 == pytest.approx(x2 - x1), "front and back are alike"
    assert x3 - x2 == pytest.approx(max(LEAST_DEPTH, count * thickness + 1))
    assert box.width - x4 == pytest.approx(x3 - x2), "and so are the sides"
    [tall] = {round(end[1] - start[1], 6) for start, end in box.folds if start[0] == end[0]}
    assert tall == pytest.approx(long + 1)
    outline = shape(box)
    assert outline.is_valid and outline.bounds == pytest.approx((0, 0, box.width, box.height))
    assert all(outline.buffer(0.01).covers(shapely.LineString(fold)) for fold in box.folds)


def test_each_deck_of_a_game_gets_a_box_with_its_name_and_its_number_of_cards() -> None:
    boxed = present(deck_of(components()["challenge-cards"], RenderOptions()))
    assert (boxed.title, boxed.said) == ("The Challenge deck", "36 cards")
    assert deck_of(components()["hero-markers"], RenderOptions()) is None, "small pieces need none"
    assert deck_of(components()["weave-reference"], RenderOptions()) is None, "nor do four cards"
    pages = lines_of("weave-boxes")
    assert all(len(page.folds) == 12 * len(page.cuts) for page in pages)
    assert sum(len(page.cuts) for page in pages) >= 6, "Story, Challenge, and the people of four playsets"


def test_a_box_for_a_deck_of_your_own(tmp_path: Path, loom: Loom) -> None:
    cards = tmp_path / "harbour.csv"
    cards.write_text("name,copies\nThe Bell,30\nThe Ford,30\n", "utf-8")
    order = ["print", "--deck", str(cards), "--output", str(tmp_path / "out")]
    assert run([*order, "--box", "0.5"]) == 0
    [pdf] = (tmp_path / "out").glob("harbour-box-*.pdf")
    assert "harbour" in words(pdf, 0) and "60 cards" in words(pdf, 0)
    for more, says in (
        (["--box", "9"], "a card is 0.1 to 3 mm thick, not 9"),
        (["--box", "0.3", "--only", "harbour:1"], "--box and --only do not go together"),
    ):
        assert says in loom(*order, *more, code=2).err


@pytest.mark.parametrize("how", ["--box 0.5", "--box 0.3 --sleeves standard", "--box 0.5 --sleeves standard"])
def test_a_box_for_sleeved_cards_takes_the_sleeves(how: str, tmp_path: Path) -> None:
    """A standard sleeve is 66 x 91 mm; the box has 1 mm more."""
    assert run(f"print challenge-cards {how} --cut svg --output {tmp_path}".split()) == 0
    [svg] = tmp_path.glob("*-box-*-cut-*.svg")
    assert folded_sizes(svg.read_text("utf-8")) == {(67, 92, 19 if "0.5" in how else 12)}


def test_the_boxes_and_dividers_of_a_game_know_of_sleeves(tmp_path: Path) -> None:
    assert run(f"print weave-boxes --sleeves standard --cut svg --output {tmp_path}".split()) == 0
    sizes = {size for file in tmp_path.glob("*.svg") for size in folded_sizes(file.read_text("utf-8"))}
    assert {(67, 92, 12), (67, 92, 19)} <= sizes, "22 Story and 36 Challenge cards of 0.5 mm"
    [page, *_] = components()["weave-dividers"].pieces(RenderOptions(sleeved=True))
    assert isinstance(page, PrintedPage)
    [cut, *_] = cut_lines(lay_out([page], ImpositionOptions())[0]).cuts
    xs = [x for _, held in cut.steps for x, _ in held]
    assert max(xs) - min(xs) == pytest.approx(66 + 1)


def folded_sizes(svg: str) -> set[tuple[int, int, int]]:
    """Width, height and depth (mm) of the boxes in a cut file, from their folds: upright ones four to a box."""
    steps = [
        [tuple(map(float, at.split(","))) for at in re.findall(r"[\d.]+,[\d.]+", path)]
        for path in re.findall(r'<path d="([^"]+)"', svg.partition('id="fold"')[2])
    ]
    lying = [(one, other) for one, other in steps if one[0] == other[0]]
    found = set()
    for at in range(0, len(lying), 4):
        x1, x2, x3, _ = (one[0] for one, _ in lying[at : at + 4])
        (_, low), (_, high) = lying[at]
        found.add((round(x2 - x1), round(low - high), round(x3 - x2)))
    return found


def test_what_lies_flat_is_turned_to_fit_or_refused_by_name() -> None:
    broad = divider("Broad", CardSize("broad", 230, 100), THEME, 0)
    [page] = flat_pages([broad], RenderOptions(), "Dividers", "Cut.")
    lines = cut_lines(lay_out([page], ImpositionOptions())[0])
    points = [point for path in lines.cuts for _, held in path.steps for point in held]
    assert max(y for _, y in points) - min(y for _, y in points) == pytest.approx(broad.width)
    large = divider("Huge", CardSize("huge", 200, 300), THEME, 0)
    raises(
        SheetTooSmall,
        "the divider Huge is 201 x 312 mm flat, too large for A4; take larger paper",
        flat_pages,
        [large],
        RenderOptions(),
        "",
        "",
    )


@pytest.mark.parametrize("size", ["mini", "us-mini"])
def test_dividers_for_small_cards_have_their_names_on_two_lines(size: str, tmp_path: Path) -> None:
    assert run(f"print weave-dividers --card-size {size} --output {tmp_path}".split()) == 0
    [pdf] = tmp_path.glob("*.pdf")
    assert "The Challenge deck" in words(pdf, 0)


def test_the_tabs_of_dividers_are_side_by_side() -> None:
    tabs = []
    for place in range(3):
        flat = divider("Spells", POKER, THEME, place)
        outline = shape(flat)
        assert outline.is_valid
        tab = outline.intersection(shapely.box(0, POKER.height + 1.5, flat.width, flat.height))
        assert tab.area > 290
        tabs.append((tab.bounds[0], tab.bounds[2]))
    assert tabs == sorted(tabs) and tabs[0][0] < 3 and tabs[2][1] > POKER.width - 2


@pytest.mark.parametrize("name", ["name-tents", "turn-tents"])
def test_a_tent_reads_upright_from_both_sides(name: str) -> None:
    [page, *_] = components()[name].pieces(RenderOptions())
    assert isinstance(page, PrintedPage)
    first = cut_lines(lay_out([page], ImpositionOptions())[0])
    area = page_area(A4)
    xs, ys = zip(*[point for _, held in first.cuts[0].steps for point in held], strict=True)
    left, low, wide, high = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)

    def draw(pen: object) -> None:
        with pen.at(area.x - left, area.y - low):  # type: ignore[attr-defined]  # a pen, as every drawing takes
            page.front(pen)  # type: ignore[arg-type]  # the same

    seen = picture_of(draw, wide, high, 60).astype(int)
    assert np.abs(seen - np.rot90(seen, 2)).mean() < 3, "one side is the other, turned over the fold"
    assert np.abs(seen - np.flipud(seen)).mean() > 3, "and not its mirror image"


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_hexagons_meet_and_keep_within_the_page(paper: Paper) -> None:
    area = page_area(paper, landscape=True)
    middles = {(column, row): (x, y) for column, row, x, y in hexagons(area.width, area.height)}
    near = [math.dist(one, other) for one, other in combinations(middles.values(), 2)]
    assert min(near) == pytest.approx(HEX)
    assert all(math.dist(middles[1, row], middles[1, row + 1]) == pytest.approx(HEX) for row in range(1, 5))
    corner = HEX / math.sqrt(3)
    assert all(corner <= x + 1e-9 and x <= area.width - corner + 1e-9 for x, _ in middles.values())
    assert all(y + 1e-9 >= HEX / 2 and y <= area.height - HEX / 2 + 1e-9 for _, y in middles.values())
    assert len(middles) > 110


def test_the_tray_has_four_walls_and_a_floor_as_large_as_the_paper_allows() -> None:
    [lines] = lines_of("dice-tray")
    area = page_area(A4, landscape=True)
    lengths = sorted(round(math.dist(*(held[0] for _, held in fold.steps)), 3) for fold in lines.folds)
    assert lengths[-1] == pytest.approx(area.width - 2 * WALL) and len(lengths) == 4
    slits = [cut for cut in lines.cuts if len(cut.steps) == 2]
    assert [math.dist(*(held[0] for _, held in slit.steps)) for slit in slits] == pytest.approx([WALL] * 4)


def test_the_rest_of_the_box_is_in_the_kits() -> None:
    whole = kits(whole=True)
    assert {"weave-boxes", "weave-dividers", "the-still-harbour-people", "name-tents"} <= set(whole["weave"])
    assert {"spellwoven-items", "spellwoven-foes", "spellwoven-boxes"} <= set(whole["spellwoven"])
    assert "storm-weavers-items" in whole["storm-weavers"]
    assert {"blank-cards", "condition-cards", "hand-outs", "hex-grid", "dice-tray", "player-markers"} <= set(
        whole["table"]
    )


def test_foe_cards_have_the_figures_of_their_sheets(tmp_path: Path) -> None:
    [file] = print_kit(["spellwoven-foes"], tmp_path, only=picks_in("spellwoven-foes:1"))
    said = " ".join(words(file.path, 0).split())
    foe = next(iter(npcs().values()))
    assert foe.name in said and f"Prowess {foe.ratings['prowess']}" in said
    assert f"Quickness Defence {foe.quickness_defence}, Presence Defence {foe.presence_defence}" in said
    slots = foe.wound_slots
    assert f"Shallow {BOX * slots.shallow} Deep {BOX * slots.deep} Grievous {BOX * slots.grievous}" in said
    assert said.count(BOX) == slots.shallow + slots.deep + slots.grievous + slots.felling + slots.mortal


def test_every_card_of_a_game_says_something_and_shows_what_it_is() -> None:
    kinds = (weapons(), armour(), shields(), npcs(), incidentals())
    pieces = {piece.name for kind in kinds for piece in kind.values()}
    assert pieces == set(parse_pictures(*shipped("spellwoven", "pictures.yaml")))
    for adventure in map(playable_adventure, adventure_names()):
        gained = {change.gain for page in adventure.paragraphs.values() for change, _ in page.all_changes()} - {""}
        assert all(adventure.items[item].about and picture_for("storm_weavers", item) for item in gained)
    assert all(picture_for("storm_weavers", item) for item in GEAR) and not picture_for("storm_weavers", "Luck")
    things = parse_pictures(*shipped("storm_weavers", "pictures.yaml")).values()
    assert {f"things/{name}" for name in art_names("things")} <= set(things), "nobody drew in vain"


def test_a_drawing_of_ours_is_the_picture_of_a_card(tmp_path: Path, loom: Loom) -> None:
    cards, out = tmp_path / "harbour.json", tmp_path / "out"
    cards.write_text('[{"name": "The Key", "picture": "art:motifs/key"}]', "utf-8")
    assert run(["print", "--deck", str(cards), "--template", "item", "--output", str(out)]) == 0
    cards.write_text('[{"name": "The Key", "picture": "art:motifs/keys"}]', "utf-8")
    said = loom("print", "--deck", cards, "--template", "item", "--output", out, code=2).err
    assert (
        "harbour.json, card 1 (The Key), field 'picture': there is no picture 'keys'; there are anchor, " in said
    )


@pytest.mark.parametrize("style", Style)
def test_lines_to_write_on_are_there_in_every_style(style: Style) -> None:
    [card, *_] = components()["blank-cards"].cards()
    face = drawn(card.front, (POKER.width, POKER.height), style, 254).min(axis=2)
    for line in (74, 25, 18, 11):
        assert (face[round((POKER.height - line) * 10) - 4 :][:8, 60:280].min(axis=0) < 200).mean() > 0.9, line
