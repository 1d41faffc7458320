"""Region maps on paper: what a second reader sees on the page is what the file says."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pypdfium2
import pytest
import shapely
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from loomtable.engine.woven.region_map import map_names, parse_region_map, region_map
from loomtable.engine.woven.regions import RegionMap, Terrain
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import GlyphMissing, TextTooLong
from loomtable.printkit.games.woven.region_map import draw_region_map
from loomtable.printkit.games.woven.region_map_art import GROUND, RIVER
from loomtable.printkit.games.woven.region_map_legend import FOOT, FRAME, draw_region_sheet, sheet_size
from loomtable.printkit.games.woven.region_map_plan import MapPlan
from loomtable.printkit.raster import Picture, render_page
from tests.print.sheet_reading import words
from tests.short import Loom
from tests.systems.woven_maps import FOUR

DPI = 100
FIELDS = parse_region_map(FOUR, "four.yaml")


@cache
def drawn(name: str, style: Style = Style.COLOUR) -> bytes:
    plan = region_map(name)
    return _pdf(sheet_size(plan), lambda pen: draw_region_sheet(pen, plan), style)


def _pdf(size: tuple[float, float], draw: object, style: Style = Style.COLOUR) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(size[0] * mm, size[1] * mm), invariant=1)
    canvas.scale(mm, mm)
    assert callable(draw)
    draw(Pen(canvas, style))
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def pixel(picture: Picture, x: float, y: float) -> Colour:
    """The colour at (x, y) mm of the map, which stands within its frame on the sheet."""
    scale = DPI / 25.4
    row = picture.shape[0] - 1 - round((y + FOOT + FRAME) * scale)
    return Colour(*(float(part) / 255 for part in picture[row, round((x + FRAME) * scale)]))


def unlike(one: Colour, other: Colour) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def test_every_name_stands_on_the_sheet_once() -> None:
    plan = region_map("the-maple-reach")
    read = words(drawn(plan.key))
    for region in plan.regions:
        assert read.count(region.name) == 1, region.name
    assert plan.title in read
    for said in ("1 mana", "2 mana", "3 mana", "5 mana", "3 mana more"):
        assert said in read


def spots(plan: MapPlan, key: str) -> Iterator[tuple[float, float]]:
    """Places all over a region, away from its border."""
    inner = plan.polygons[key].buffer(-3.0).difference(plan.labels[key].box)
    left, foot, right, top = inner.bounds
    xs, ys = (grid.ravel() for grid in np.meshgrid(np.arange(left, right, 1.4), np.arange(foot, top, 1.4)))
    within = shapely.contains_xy(inner, xs, ys)
    yield from zip(xs[within].tolist(), ys[within].tolist(), strict=True)


@pytest.mark.parametrize("name", ["the-maple-reach", "the-weft-wolds"])
def test_the_wash_of_a_region_tells_its_terrain(name: str) -> None:
    """The commonest ground under a region's art is that of its terrain, read from the picture alone."""
    shown, picture = region_map(name), render_page(drawn(name), 0, DPI)
    plan = MapPlan(shown, shown.size[0])
    for region in shown.regions:
        seen = dict.fromkeys(Terrain, 0)
        for at in spots(plan, region.key):
            colour = pixel(picture, *at)
            near = min(Terrain, key=lambda t, c=colour: unlike(c, GROUND[t]))  # type: ignore[misc]
            seen[near] += unlike(colour, GROUND[near]) < 0.03
        assert max(seen, key=lambda terrain: seen[terrain]) is region.terrain, region.name


def test_rivers_run_where_crossing_costs_more() -> None:
    """In the middle of every border without a bridge the picture shows water just where a river is crossed."""
    shown, picture = region_map("the-weft-wolds"), render_page(drawn("the-weft-wolds"), 0, DPI)
    plan = MapPlan(shown, shown.size[0])
    bridges = [shapely.Point(spot) for spot, _ in plan.bridge_spots]
    checked = {True: 0, False: 0}
    for border, sides in shown.sides_of.items():
        line = plan.border_lines[border]
        middle = line[len(line) // 2]
        dry_land = all(shown.by_key[key].terrain is not Terrain.WATER for key in sides)
        if len(sides) == 2 and dry_land and all(shapely.Point(middle).distance(b) > 4 for b in bridges):
            near = [(middle[0] + dx / 4, middle[1] + dy / 4) for dx in range(-3, 4) for dy in range(-3, 4)]
            blue = any(unlike(pixel(picture, *at), RIVER) < 0.06 for at in near)
            assert blue == shown.river_between(*sides), sides
            checked[blue] += 1
    assert checked[True] > 10
    assert checked[False] > 100


@pytest.mark.parametrize("name", map_names())
def test_nothing_lies_on_anything_else(name: str) -> None:
    """Labels lie in their regions, clear of rivers and of one another; names of rivers are clear of labels."""
    shown = region_map(name)
    plan = MapPlan(shown, shown.size[0])
    beds = plan.river_bed
    boxes = [label.box for label in plan.labels.values()] + [river.box for river in plan.river_names]
    for key, label in plan.labels.items():
        assert plan.polygons[key].contains(label.box), key
        assert not label.box.intersects(beds), key
    tree = shapely.STRtree(boxes)
    for at, box in enumerate(boxes):
        assert set(tree.query(box, predicate="intersects")) == {at}
    named = {river.words for river in plan.river_names}
    assert len(named) >= len(shown.rivers) - 1


def test_neighbours_share_the_very_same_drawn_line() -> None:
    shown = region_map("the-maple-reach")
    plan = MapPlan(shown, shown.size[0])
    area = sum(polygon.area for polygon in plan.polygons.values())
    assert area == pytest.approx(shown.size[0] * shown.size[1], rel=1e-9)
    assert all(polygon.is_valid for polygon in plan.polygons.values())


def test_grey_still_tells_the_terrains_apart() -> None:
    light = {terrain: colour.luminance for terrain, colour in GROUND.items()}
    assert light[Terrain.PLAINS] - max(v for t, v in light.items() if t is not Terrain.PLAINS) > 0.04
    inked = {terrain: _darkness(terrain) for terrain in Terrain}
    assert min(inked[Terrain.FOREST], inked[Terrain.MOUNTAINS]) > 2 * inked[Terrain.PLAINS]


def _darkness(terrain: Terrain) -> float:
    """How much of a field of this terrain is covered with art, printed with little ink."""
    regions = tuple(msgspec.structs.replace(region, terrain=terrain) for region in FIELDS.regions)
    alike = msgspec.structs.replace(FIELDS, regions=regions, rivers=(), cities=(), homes=())
    pdf = _pdf(FIELDS.size, lambda pen: draw_region_map(pen, alike, FIELDS.size[0]), Style.LOW_INK)
    return float((render_page(pdf, 0, 60) < 128).mean())


def test_a_name_that_cannot_be_set_is_refused_with_its_region() -> None:
    def named(name: str) -> RegionMap:
        return msgspec.structs.replace(
            FIELDS, regions=(msgspec.structs.replace(FIELDS.regions[0], name=name), *FIELDS.regions[1:])
        )

    with pytest.raises(GlyphMissing, match=r"the region south-lea: the font .* has no '森'"):
        _pdf((100, 80), lambda pen: draw_region_map(pen, named("森"), 100))
    with pytest.raises(TextTooLong, match="south-lea of the map four-fields is too small for its name"):
        _pdf((100, 80), lambda pen: draw_region_map(pen, named("Llanfairpwllgwyngyllgogerychwyrn" * 2), 100))


def test_the_command_makes_a_map_and_draws_it(tmp_path: Path, loom: Loom) -> None:
    out, pdf = tmp_path / "m.yaml", tmp_path / "m.pdf"
    asked = [
        "map",
        "h",
        "--size",
        "small",
        "--homes",
        "3",
        "--title",
        "Our Vale",
        "--output",
        str(out),
        "--output",
        str(pdf),
    ]
    said = loom(*asked).out
    assert said.startswith("Our Vale: 46 regions, 2 rivers")
    made = parse_region_map(out.read_text("utf-8"), "m.yaml")
    assert (made.key, made.seed, len(made.homes)) == ("our-vale", "h", 3)
    assert all(made.by_key[home].name in said for home in made.homes)
    document = pypdfium2.PdfDocument(pdf.read_bytes())
    assert len(document) == 1
    assert "Our Vale" in words(pdf.read_bytes())
    assert "is there already; choose another name" in loom(*asked, code=2).err
