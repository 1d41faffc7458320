"""Region maps for tests: a small one drawn by hand, and maps of squares with anything on them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from loomtable.engine.woven.regions import Region, RegionKey, RegionMap, River, Terrain

FOUR = Path(__file__).with_name("four.yaml").read_text("utf-8")
"""Two by two: Highfell and Darkmere in the north, Southlea and Ashwood in the south, the Wend between those."""


@st.composite
def square_maps(draw: st.DrawFn) -> RegionMap:
    """Maps of squares: any terrain, rivers down some of the columns, bridges, cities and homes."""
    columns, rows = draw(st.integers(2, 5)), draw(st.integers(2, 4))
    side = draw(st.floats(25.0, 60.0))

    def corner(column: int, row: int) -> int:
        return row * (columns + 1) + column

    def key(column: int, row: int) -> RegionKey:
        return f"r-{column}-{row}"

    words = st.text(st.characters(blacklist_categories=("C", "Z")), min_size=1, max_size=8)
    names = draw(st.lists(words, min_size=columns * rows, max_size=columns * rows, unique=True))
    regions = [
        Region(
            key(column, row),
            names[row * columns + column],
            draw(st.sampled_from(Terrain)),
            (corner(column, row), corner(column + 1, row), corner(column + 1, row + 1), corner(column, row + 1)),
        )
        for row in range(rows)
        for column in range(columns)
    ]
    wet = sorted(draw(st.sets(st.integers(1, columns - 1))))
    rivers = [River(draw(words), tuple(corner(c, r) for r in range(rows, -1, -1))) for c in wet]
    spans = [(key(c - 1, r), key(c, r)) for c in wet for r in range(rows)]
    bridges = draw(st.lists(st.sampled_from(spans), unique=True, max_size=3)) if spans else []
    dry = [region.key for region in regions if region.terrain is not Terrain.WATER]
    places = draw(st.lists(st.sampled_from(dry), unique=True, max_size=5)) if dry else []
    return RegionMap(
        key=draw(st.sampled_from(["squares", "true", "null", "a1"])),
        title=draw(words),
        licence="CC0",
        size=(columns * side, rows * side),
        corners=tuple((c * side, r * side) for r in range(rows + 1) for c in range(columns + 1)),
        regions=tuple(regions),
        rivers=tuple(rivers),
        bridges=tuple(bridges),
        cities=tuple(places[:2]),
        homes=tuple(places[2:]),
        seed=draw(st.sampled_from(["", "7", "No"])),
    )
