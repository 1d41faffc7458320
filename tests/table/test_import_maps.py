"""Maps that other tools drew, imported: printed at scale, fought on, seen by a camera; and what is refused."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.journal import Journal
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.tags import map_tags
from loomtable.engine.storm_weavers.combat_map import MAPS, CombatMap, combat_map, map_names
from loomtable.engine.storm_weavers.events.fights import Moved
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit import catalogue
from loomtable.printkit.catalogue import _declared
from loomtable.printkit.draw.svg import drawn_as_svg
from loomtable.printkit.games.storm_weavers.combat_map import draw_combat_map, map_size
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.papers import A4, LETTER, Paper
from loomtable.table.commands.main import run
from loomtable.table.games.storm_weavers.board import combat_board
from loomtable.table.games.storm_weavers.foreign_map import barred
from loomtable.table.games.storm_weavers.map import map_drawing
from loomtable.table.games.storm_weavers.picture_grid import measured_grid
from loomtable.table.pages.art import picture
from loomtable.table.reading.board import look_at_board
from loomtable.table.screens.art import NoSuchPicture
from tests.print.second_reader import read_tags
from tests.short import Loom, present
from tests.table.sluice_yard import yard_with

SIDE = 24
"""Pixels across a square of the drawn maps."""
COLUMNS, ROWS = 6, 8
Line = list[tuple[float, float]]

#   A B C D E F      Two rooms, with rock round about. A pillar fills C3.
# 1 # # # # # #
# 2 # . . . . #
# 3 # . o . . #
# 4 # . . . . #      Between rows 4 and 5 is a wall; its door leads from D4 to D5.
# 5 # . . . . #
# 6 # . . . . #
# 7 # . . . . #
# 8 # # # # # #
OUTSIDE: Line = [(1, 1), (5, 1), (5, 7), (1, 7), (1, 1)]
BETWEEN: Line = [(1, 4), (5, 4)]
DOOR: Line = [(3, 4), (4, 4)]
PILLAR: Line = [(2.2, 2.2), (2.8, 2.2), (2.8, 2.8), (2.2, 2.8), (2.2, 2.2)]


def drawn(columns: int = COLUMNS, rows: int = ROWS, side: int = SIDE) -> Image.Image:
    """A floor whose squares are ruled in black."""
    picture = Image.new("RGB", (columns * side, rows * side), (214, 196, 160))
    pen = ImageDraw.Draw(picture)
    for column in range(1, columns):
        pen.line((column * side, 0, column * side, rows * side), fill=0)
    for row in range(1, rows):
        pen.line((0, row * side, columns * side, row * side), fill=0)
    return picture


def encoded(picture: Image.Image) -> str:
    written = io.BytesIO()
    picture.save(written, "PNG")
    return base64.b64encode(written.getvalue()).decode()


def points(line: Line) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in line]


def two_rooms(origin: tuple[float, float] = (0, 0), **changed: Any) -> dict[str, Any]:
    """The two rooms as a Universal VTT file says them."""

    def there(line: Line) -> list[dict[str, float]]:
        return points([(x + origin[0], y + origin[1]) for x, y in line])

    [where] = points([origin])
    [size] = points([(COLUMNS, ROWS)])
    return {
        "format": 0.3,
        "resolution": {"map_origin": where, "map_size": size, "pixels_per_grid": SIDE},
        "line_of_sight": [there(OUTSIDE), there(BETWEEN)],
        "objects_line_of_sight": [there(PILLAR)],
        "portals": [{"bounds": there(DOOR), "closed": True, "rotation": 0}],
        "lights": [{"range": 4}],
        "environment": {"baked_lighting": True},
        "image": encoded(drawn()),
    } | changed


def written(folder: Path, name: str = "Two Rooms.dd2vtt", **changed: Any) -> str:
    file = folder / name
    file.write_text(json.dumps(two_rooms(**changed)), "utf-8-sig")
    return str(file)


def imported(folder: Path, *options: str) -> CombatMap:
    assert run(["import", written(folder), *options]) == 0
    return combat_map("two-rooms")


def test_the_walls_of_a_universal_vtt_map_bar_the_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = imported(tmp_path)
    assert plan.walls == {frozenset((f"{c}4", f"{c}5")) for c in "BCE"}
    rock = {f"{c}{r}" for c in "ABCDEF" for r in range(1, ROWS + 1) if c in "AF" or r in (1, ROWS)}
    assert plan.obstacles == dict.fromkeys(rock | {"C3"}, "wall")
    assert (plan.title, plan.number) == ("Two rooms", 10)
    assert not {plan.thymin, *plan.enemies.values()} & plan.obstacles.keys()
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "6 x 8 squares, 3 walls between them"
    sums = "Imported: 6 x 8 squares, 3 of 3 drawn walls and 1 of 1 door or window; left out: 1 light"
    assert sums in told
    assert run(["check", str(MAPS.path("two-rooms"))]) == 0
    assert sums in capsys.readouterr().out.splitlines()


def test_a_map_cut_out_of_a_larger_one_is_the_same_map(tmp_path: Path) -> None:
    plan = imported(tmp_path)
    moved = written(tmp_path, "moved.uvtt", origin=(12, 7))
    assert run(["import", moved]) == 0
    assert combat_map("moved").walls == plan.walls
    assert combat_map("moved").obstacles == plan.obstacles
    assert combat_map("moved").number == 11


@pytest.mark.parametrize("paper", [A4, LETTER], ids=["A4", "Letter"])
def test_a_page_has_its_tags_and_squares_of_25_mm(tmp_path: Path, paper: Paper) -> None:
    """Measured on the page: the lines that the other tool drew, by their shade alone."""
    plan = imported(tmp_path)
    settings = PrintSettings(paper=paper)
    [page] = lay_out(_declared()["two-rooms-map"].pieces(settings), settings)
    dpi = 254
    picture = render_page(pages_to_pdf([page], settings.sheets("t")), 0, dpi)
    tags = dict(read_tags(picture))
    corners = map_tags(ComponentId(Kind.MAP, plan.number))
    assert set(tags) == {*corners}
    upper_left, upper_right, _, lower_left = (np.array(tags[corner]) for corner in corners)
    per_mm = dpi / 25.4
    width, height = map_size(plan)
    inset = 2 + 13 / 2
    assert np.linalg.norm(upper_right - upper_left) / per_mm == pytest.approx(width - 2 * inset, abs=0.2)
    assert np.linalg.norm(lower_left - upper_left) / per_mm == pytest.approx(height - 2 * inset, abs=0.2)
    corner = upper_left / per_mm + 17.5 - inset
    for axis, count in ((0, COLUMNS), (1, ROWS)):
        start, other = corner[axis], corner[1 - axis]
        across = int((other + 12.5) * per_mm)  # through the middle of the first row, where no word is
        band = picture[across - 30 : across + 30] if axis == 0 else picture[:, across - 30 : across + 30]
        shade = band.astype(float).mean(axis=(axis, 2))
        lines = []
        for at in range(1, count):
            near = int((start + 25 * at) * per_mm)
            dark = 255 - shade[near - 12 : near + 13]
            dark -= dark.min()
            lines.append((near - 12 + (dark * np.arange(25)).sum() / dark.sum()) / per_mm)
        assert np.diff(lines) == pytest.approx([25] * (count - 2), abs=0.1)


def test_a_fight_on_an_imported_map_goes_round_its_wall(tmp_path: Path) -> None:
    imported(tmp_path)
    journal = Journal()
    session: Session[Any] = Session.open(STORM_WEAVERS, seed="s", journal=journal)
    session.perform("create", dexterity_points=3)
    wolf = {"name": "Stair-wolf", "dexterity": 8, "health": 3, "square": "C5"}
    session.perform("map-fight", map="two-rooms", thymin="C4", enemies=[wolf], speed=3)
    asked = session.pending
    assert isinstance(asked, Choose)
    assert {option.key for option in asked.options} & {"B5", "C5"} == set()
    session.answer(ChoiceReading(("stay",)))
    moves = [event for played in session.played for event in played.events if isinstance(event, Moved)]
    assert [move.path for move in moves] == [("D5", "D4")], "no blow through the wall: it comes by the door"
    resumed = Session.resume(SYSTEMS, journal)
    assert resumed.game == session.game
    drawing = map_drawing(session, present(session.state.map_fight))
    rule = present(drawing.text).rows[9]
    assert rule == "  +---+###+###+---+###+---+", "the terminal draws the wall, and the door"


def test_a_running_table_shows_a_map_as_it_is_now(tmp_path: Path) -> None:
    imported(tmp_path)
    session: Session[Any] = Session.open(STORM_WEAVERS, seed="s")
    session.perform("create", dexterity_points=3)
    wolf = {"name": "Stair-wolf", "dexterity": 8, "health": 3, "square": "C5"}
    session.perform("map-fight", map="two-rooms", thymin="C4", enemies=[wolf], speed=3)

    def shown() -> tuple[str, str]:
        drawing = map_drawing(session, present(session.state.map_fight))
        [address] = re.findall(r"/art/ground/([^/]+)\.svg", drawing.shapes[0].svg)
        return address, picture("ground", address)

    before, file = shown(), MAPS.path("two-rooms")
    assert shown() == before
    file.write_text(file.read_text("utf-8").replace("title: Two rooms", "title: One room and a half"), "utf-8")
    address, drawn_now = shown()
    assert combat_map("two-rooms").title == "One room and a half"
    assert (address, drawn_now) != before and address.startswith("two-rooms~")
    with pytest.raises(NoSuchPicture):
        picture("ground", "two-rooms~1")
    file.unlink()
    with pytest.raises(ContentInvalid, match="there is no combat map 'two-rooms'"):
        combat_map("two-rooms")


def test_a_list_of_what_can_be_printed_reads_only_titles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    imported(tmp_path)
    file = MAPS.path("two-rooms")
    file.with_name("spoilt.yaml").write_text("map: spoilt\ntitle: 'Spoilt'\nrows: []\n", "utf-8")
    file.with_name("nameless.yaml").write_bytes(b"\xff")
    monkeypatch.setattr(MAPS, "_parse", lambda text, name: pytest.fail(f"{name} is read"))
    titles = MAPS.titles()
    assert (titles["two-rooms"], titles["spoilt"]) == ("Two rooms", "Spoilt")
    assert "nameless" not in titles and titles.keys() > {*MAPS.shipped()}
    monkeypatch.setattr(catalogue, "_COMPONENTS", {})
    assert catalogue.components()["spoilt-map"].title == "Storm Weavers: Spoilt, your own map"


def test_a_camera_sees_figures_on_an_imported_map(tmp_path: Path) -> None:
    plan = imported(tmp_path)
    session: Session[Any] = Session.open(STORM_WEAVERS, seed="s")
    session.perform("create", dexterity_points=3)
    wolf = {"name": "Stair-wolf", "dexterity": 8, "health": 3, "square": "E6"}
    session.perform("map-fight", map="two-rooms", thymin="C4", enemies=[wolf])
    look = look_at_board(
        session, combat_board(session), yard_with({}, {"Thymin": "B4", "Stair-wolf": "E6"}, plan=plan)
    )
    assert look.lines[-1] == "Thymin moves from C4 to B4: a legal move"
    assert [one.says for one in look.standings] == [
        "Thymin is on B4, the record says C4",
        "Stair-wolf 1 is on E6",
    ]


def test_a_screen_shows_the_picture(tmp_path: Path) -> None:
    plan = imported(tmp_path)
    drawing = drawn_as_svg(lambda pen: draw_combat_map(pen, plan), *map_size(plan))
    data = base64.b64decode(drawing.partition("data:image/jpeg;base64,")[2].partition('"')[0])
    assert Image.open(io.BytesIO(data)).size == (COLUMNS * SIDE, ROWS * SIDE)


LINES = [
    *(((x, y), (x, y + 1)) for x in range(1, 4) for y in range(3)),
    *(((x, y), (x + 1, y)) for x in range(4) for y in range(1, 3)),
]
"""The lines between squares of a map of 4 x 3."""


@given(st.sets(st.sampled_from(LINES)), st.sets(st.sampled_from(LINES)))
def test_each_wall_bars_its_two_squares_and_each_door_opens_them(
    walls: set[tuple[tuple[int, int], ...]], doors: set[tuple[tuple[int, int], ...]]
) -> None:
    def squares(line: tuple[tuple[int, int], ...]) -> frozenset[str]:
        (x, y), (_, below) = line
        one = (x - 1, y) if below > y else (x, y - 1)
        return frozenset(f"{'ABCD'[c]}{r + 1}" for c, r in (one, (x, y)))

    lines = [[(float(x), float(y)) for x, y in wall] for wall in walls]
    openings = [[(float(x), float(y)) for x, y in door] for door in doors]
    assert barred(4, 3, lines, openings) == ({squares(wall) for wall in walls - doors}, [])


@settings(max_examples=12)
@given(st.integers(20, 50), st.integers(0, 19), st.integers(0, 19), st.integers(0, 2**32 - 1))
def test_a_grid_is_measured_in_a_picture_full_of_other_things(side: int, left: int, top: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    width, height = side * 12 + 30, side * 10 + 30
    shades = chance.normal(150, 9, (height, width))
    for _ in range(12):  # furniture
        x, y, w, h = (int(n) for n in chance.integers(0, (width, height, width // 3, height // 3)))
        shades[y : y + h, x : x + w] = chance.integers(20, 230)
    shades[:, left::side] -= 25
    shades[top::side] -= 25
    found = measured_grid(Image.fromarray(np.clip(shades, 0, 255).astype(np.uint8)))
    assert not found.doubt
    assert found.side == pytest.approx(side, abs=0.1)
    assert (found.left, found.top) == pytest.approx((left % side, top % side), abs=1.5)


def test_a_picture_becomes_a_map_by_its_own_grid_or_by_what_is_told(tmp_path: Path, loom: Loom) -> None:
    picture = tmp_path / "cellar.png"
    whole = Image.new("RGB", (8 * 40 + 30, 6 * 40 + 20), "white")
    whole.paste(drawn(8, 6, 40), (15, 10))
    edge = ImageDraw.Draw(whole)
    edge.rectangle((15, 10, 15 + 8 * 40, 10 + 6 * 40), outline=0)
    whole.save(picture)
    said = loom("import", picture).out
    assert "Squares of 40 pixels, from 15 right and 10 down" in said
    assert "8 x 6 squares; left out: 2 columns narrower than a square and 2 rows narrower than a square\n" in said
    assert (combat_map("cellar").width, combat_map("cellar").height) == (8, 6)
    kept = Image.open(MAPS.path("cellar").with_name("cellar.jpg"))
    assert kept.size == (8 * 40, 6 * 40)
    drawn(8, 6, 40).save(picture)
    for told in (["--grid", "40"], ["--squares", "8x6"]):
        name = "by-" + told[0].strip("-")
        assert run(["import", str(picture), "--name", name, *told]) == 0
        assert (combat_map(name).width, combat_map(name).height) == (8, 6)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:900])


def with_field(**changed: Any) -> Callable[[Path], None]:
    return lambda file: file.write_text(json.dumps(two_rooms() | changed)) and None


def size(x: float, y: float) -> dict[str, Any]:
    return {"map_size": {"x": x, "y": y}}


def bomb() -> str:
    return encoded(Image.new("1", (12_000, 12_000)))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (cut_short, "bad.dd2vtt: is damaged or no Universal VTT file (Input data was truncated)"),
        (lambda file: file.write_bytes(b""), "bad.dd2vtt: is empty; export the map again"),
        (lambda file: file.write_bytes(bytes(range(256))), "bad.dd2vtt: is not a UTF-8 text file (byte 128)"),
        (lambda file: file.write_text('{"lights": ' + "[" * 99_999), "bad.dd2vtt: is damaged"),
        (lambda file: file.write_text("{}"), "bad.dd2vtt: it needs the field `resolution`"),
        (with_field(image=""), "bad.dd2vtt, image: there is no picture; export the map with its picture"),
        (with_field(image="?"), "bad.dd2vtt, image: is damaged"),
        (
            with_field(image="art/Cellar.WEBP"),
            "bad.dd2vtt, image: there is no 'Cellar.WEBP' beside the map; put it there",
        ),
        (with_field(image="../../secret.png"), "bad.dd2vtt, image: there is no 'secret.png' beside the map"),
        (
            with_field(portals=[{}, {"bounds": points(DOOR)}, {"bounds": None}]),
            "only 1 of 3 doors and windows would come in, the others are outside or cannot be opened; export",
        ),
        (
            with_field(
                line_of_sight=[points([(9, 1), (9, 4)]), points([(-2, 1), (-2, 4)]), points(BETWEEN)],
                objects_line_of_sight=[],
            ),
            "bad.dd2vtt: only 1 of 3 drawn walls would come in, the others are outside the picture; export",
        ),
        (with_field(image="aGVsbG8="), "bad.dd2vtt: image cannot be used (it is not a picture)"),
        (
            lambda file: with_field(image=bomb())(file),
            "image cannot be used (it has more than 100 million pixels)",
        ),
        (with_field(resolution=size(0, 8)), "bad.dd2vtt, map_size: cannot be 0 x 8"),
        (with_field(resolution=size(1e300, 8)), "bad.dd2vtt, map_size: cannot be 1e+300 x 8"),
        (
            with_field(resolution=size(12, 8)),
            "12 x 8 squares would be 12 pixels wide and 24 high; count them again",
        ),
        (
            with_field(resolution=size(42, 56)),
            "has 42 x 56 squares; a combat map has 1 to 52 each way, so take a part of it, such as --part 42x52",
        ),
        (with_field(line_of_sight=[[{"x": 1}]]), "bad.dd2vtt, line_of_sight.0.0: it needs the field `y`"),
    ],
)
def test_what_cannot_become_a_map_is_one_sentence_and_nothing_is_written(
    tmp_path: Path, at_home: Path, loom: Loom, spoil: Callable[[Path], object], said: str
) -> None:
    file = Path(written(tmp_path, "bad.dd2vtt"))
    spoil(file)
    error = loom("import", file, code=2).err
    assert said in error
    assert error.count("\n") == 1
    assert not [path for path in at_home.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--grid", "0"], "--grid is how many pixels wide a square is, such as 70; not 0"),
        (["--grid", "5"], "squares of 5 pixels are too small to print"),
        (["--squares", "18"], "--squares is a number across and one down, such as 24x18, not '18'"),
        (["--squares", "20x8"], "20 x 8 squares would be"),
        (["--squares", "6x8", "--grid", "24"], "such as 70; leave --squares out"),
        (["--name", "Ä b"], "'Ä b' is no name; give one with --name"),
        (["--name", "sluice-yard"], "sluice-yard.yaml: is there already; choose another name with --name"),
        (["--title", "Long " * 60], "does not fit"),
    ],
)
def test_options_that_cannot_be_are_refused(
    tmp_path: Path, at_home: Path, loom: Loom, options: Sequence[str], said: str
) -> None:
    drawn().save(tmp_path / "floor.png")
    assert said in loom("import", tmp_path / "floor.png", *options, code=2).err
    assert not [path for path in at_home.rglob("*") if path.is_file()]


def at(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}


@pytest.mark.parametrize(
    "portal",
    [
        {"position": at(3.5, 4), "rotation": 0},
        {"position": at(3.5, 4), "rotation": 1.5708},
        {"position": at(3.5, 4), "bounds": [], "rotation": None},
        {"position": at(3.5, 4.1), "bounds": None},
        {"bounds": [at(3.5, 4)]},
        {"bounds": [at(3.3, 4), at(3.7, 4)]},
        {"bounds": [at(3, 4.3), at(4, 4.3)]},
    ],
)
def test_a_door_opens_its_wall_however_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], portal: dict[str, Any]
) -> None:
    changed = {"portals": [portal], "lights": None, "objects_line_of_sight": None}
    assert run(["import", written(tmp_path, "door.df2vtt", **changed)]) == 0
    assert combat_map("door").walls == {frozenset((f"{c}4", f"{c}5")) for c in "BCE"}
    assert "and 1 of 1 door or window\n" in capsys.readouterr().out


def test_a_wall_that_is_drawn_as_two_lines_has_one_door(tmp_path: Path) -> None:
    double = [points([(1, y), (5, y)]) for y in (3.9, 4.1)]
    assert run(["import", written(tmp_path, "thick.dd2vtt", line_of_sight=[points(OUTSIDE), *double])]) == 0
    assert combat_map("thick").walls == {frozenset((f"{c}4", f"{c}5")) for c in "BCE"}


def test_what_stays_shut_and_what_is_outside_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rock = [points([(1, y), (5, y)]) for y in (3.5, 4.5)]  # a wall one square thick: its door is in the middle
    beyond = points([(20, 3), (40, 3)])
    doors = [{"bounds": points(DOOR)}, {}, {"bounds": beyond}, *[{"bounds": points([(2, 6), (3, 6)])}] * 3]
    changed = {"line_of_sight": [points(OUTSIDE), *rock, beyond, [], beyond[:1]], "portals": doors}
    assert run(["import", written(tmp_path, "shut.dd2vtt", **changed)]) == 0
    assert (
        "Imported: 6 x 8 squares, 4 of 7 drawn walls and 3 of 6 doors and windows; left out: 1 light, 1 drawn "
        "wall outside the picture, 2 drawn walls without a length, 1 door or window outside the picture and 2 "
        "doors and windows that cannot be opened, one at D5 and one without a place\n"
    ) in capsys.readouterr().out


def test_a_picture_may_be_written_in_lines_or_be_a_file_beside_the_map(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    drawn().save(tmp_path / "art" / "floor.png")
    drawn().save(tmp_path / "near.png")
    in_lines = "\r\n".join(encoded(drawn())[at : at + 76] for at in range(0, len(encoded(drawn())), 76))
    for name, image in (("a", in_lines), ("b", "art\\floor.png"), ("c", "C:/maps/near.png")):
        assert run(["import", written(tmp_path, f"{name}.uvtt", image=image)]) == 0
        assert Image.open(MAPS.path(name).with_suffix(".jpg")).size == (COLUMNS * SIDE, ROWS * SIDE)


def test_a_part_of_a_large_map_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", written(tmp_path), "--part", "4x3+1+2"]) == 0
    plan = combat_map("two-rooms")
    assert plan.walls == {frozenset((f"{c}2", f"{c}3")) for c in ("A", "B", "D")}, (
        "B4-B5 of the whole map is A2-A3 here"
    )
    assert (plan.width, plan.height) == (4, 3)
    assert "3 of 3 drawn walls and 1 of 1 door or window" in capsys.readouterr().out
    assert run(["import", written(tmp_path), "--name", "small", "--part", "4x2"]) == 0
    assert "left out: 1 light, 2 drawn walls outside the part and 1 door or window" in capsys.readouterr().out
    for part, said in (("4x3+3+0", "the map has 6 x 8, so there are no 4 x 3 squares there"), ("4", "not '4'")):
        assert run(["import", written(tmp_path), "--name", "none", "--part", part]) == 2
        assert said in capsys.readouterr().err


def jpeg(picture: Image.Image, file: Path, quality: int) -> Path:
    picture.convert("RGB").save(file, "JPEG", quality=quality)
    return file


def clouds(side: int = 16) -> Image.Image:
    """A smooth picture, which has no lines but those of the blocks in which it is stored."""
    chance = np.random.default_rng(4).integers(0, 255, (304 // side, 416 // side, 3)).astype(np.uint8)
    return Image.fromarray(chance).resize((416, 304), Image.Resampling.BICUBIC)


def hexagons(side: float, turn: int) -> Image.Image:
    picture = Image.new("RGB", (900, 700), (214, 196, 160))
    pen = ImageDraw.Draw(picture)
    for column in range(-1, 40):
        for row in range(-1, 40):
            x, y = side * 3**0.5 * (column + row % 2 / 2), 1.5 * side * row
            ring = np.radians(60 * np.arange(7) + 30)
            corners = np.stack([x + side * np.cos(ring), y + side * np.sin(ring)], 1)
            pen.line(
                [(float(a), float(b)) for a, b in (corners if not turn else corners[:, ::-1])], (60, 50, 40), 2
            )
    return picture


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (lambda folder: Image.effect_noise((500, 400), 60), "its lines are not clear"),
        (
            lambda folder: Image.open(jpeg(clouds(), folder / "c.jpg", 60)),
            "it may be the blocks in which the picture",
        ),
        (lambda folder: Image.open(jpeg(drawn(30, 20, 16), folder / "c.jpg", 90)), "it may be the blocks"),
        (lambda folder: hexagons(40, 0), "it is of hexagons, and a combat map has squares"),
        (lambda folder: hexagons(25, 1), "it is of hexagons"),
        (lambda folder: drawn(12, 9, 70).rotate(0.5, Image.Resampling.BICUBIC), "its lines are not straight up"),
    ],
)
def test_a_picture_without_a_sure_grid_is_asked_about(
    tmp_path: Path,
    at_home: Path,
    loom: Loom,
    picture: Callable[[Path], Image.Image],
    why: str,
) -> None:
    picture(tmp_path).save(tmp_path / "fog.png")
    error = loom("import", tmp_path / "fog.png", code=2).err
    assert f"fog.png: no grid can be made out for sure: {why}" in error
    assert "say how many pixels wide a square is (--grid 70)" in error
    assert not [path for path in at_home.rglob("*") if path.is_file()]


@pytest.mark.parametrize("quality", [40, 75])
def test_a_drawn_grid_is_found_in_a_jpeg_too(tmp_path: Path, quality: int) -> None:
    found = measured_grid(Image.open(jpeg(drawn(14, 9, 40), tmp_path / "c.jpg", quality)))
    assert (found.doubt, found.side, found.across, found.down) == ("", 40, 14, 9)


@pytest.mark.parametrize("more", [0, 1])
def test_thick_lines_are_in_the_middle_of_their_two_edges(more: int) -> None:
    picture = Image.new("RGB", (1400 + more, 1120 + more), (206, 196, 174))
    pen = ImageDraw.Draw(picture)
    for at in range(0, 1401, 140):
        pen.rectangle((at - 4, 0, at + 3, 1121), fill=0)
        pen.rectangle((0, at - 4, 1401, at + 3), fill=0)
    found = measured_grid(picture)
    assert (found.doubt, found.side, found.left, found.top, found.across, found.down) == ("", 140, 0, 0, 10, 8)


@pytest.mark.parametrize("told", [[], ["--grid", "70"]])
def test_margins_and_titles_are_no_squares(tmp_path: Path, loom: Loom, told: list[str]) -> None:
    page = Image.new("RGB", (1440, 1100), "white")
    page.paste(drawn(18, 12, 70), (90, 170))
    edge = ImageDraw.Draw(page)
    edge.rectangle((90, 170, 90 + 18 * 70, 170 + 12 * 70), outline=0)
    edge.text((600, 60), "THE CELLAR", fill=0, font_size=40)
    page.save(tmp_path / "cellar.png")
    said = loom("import", tmp_path / "cellar.png", *told).out
    assert "Squares of 70 pixels, from 90 right and 170 down" in said
    assert "Imported: 18 x 12 squares; left out: 2 columns of margin and 3 rows of margin\n" in said
    assert (combat_map("cellar").width, combat_map("cellar").height) == (18, 12)


def test_a_map_of_your_own_with_a_mistake_is_in_no_list_and_breaks_none(tmp_path: Path) -> None:
    imported(tmp_path)
    file = MAPS.path("two-rooms")
    shutil.copy(file, file.with_name("spoilt.yaml"))
    with file.with_name("spoilt.yaml").open("a") as more:
        more.write("rows: []\n")
    assert "two-rooms" in map_names()
    assert "spoilt" not in map_names()
    assert run(["check", str(file.with_name("spoilt.yaml"))]) == 2
