"""``loom map``: a region map for Woven from a seed, as a file to play on and a sheet to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from loomtable.engine.kernel.errors import NotNow
from loomtable.table.commands import completion
from loomtable.table.commands.options import argument, option, paper_option
from loomtable.table.commands.output import AsJson, progress, say, write_json
from loomtable.table.settings import setting

if TYPE_CHECKING:
    from loomtable.engine.woven.map.fairness import Fairness
    from loomtable.engine.woven.regions import RegionMap
    from loomtable.printkit.draw.palette import Style

_SIZES = completion.values_of("engine.woven.map.maker", "MapSize")
_MEASURES = {
    "rivals": "to the rivals, on average",
    "nearest_rival": "to the nearest rival",
    "middle": "to the middle of the map",
    "cities": "to the cities, on average",
    "nearest_city": "to the nearest city",
}


class MapExists(NotNow):
    """A map would be written over another file."""


def map_(
    seed: Annotated[str, argument("Any word or number; the same seed gives the same map.", "SEED")],
    size: Annotated[str, option("--size", "small, medium or large.", "SIZE", _SIZES)] = "medium",
    homes: Annotated[int, option("--homes", "How many home places, 2 to 5.", "N")] = 5,
    title: Annotated[str, option("--title", "Its title; otherwise one is made up.", "NAME")] = "",
    output: Annotated[
        list[Path] | None,
        option(
            "--output",
            "Write it here: as data to play on, or drawn if the name ends in .pdf; you can give both.",
            "FILE",
        ),
    ] = None,
    paper: Annotated[
        str | None,
        paper_option(
            "a4, letter and others, or a size: 310x440mm; otherwise as set, or whatever fits it on one page."
        ),
    ] = None,
    style: Annotated[str, option("--style", "colour, low-ink or grey.", "STYLE", completion.styles)] = "colour",
    as_json: AsJson = False,
) -> None:
    """Make a region map for Woven that is fair to every start, and show what its routes cost."""
    from loomtable.engine.woven.map.fairness import fairness
    from loomtable.engine.woven.map.maker import MapSize, make_map
    from loomtable.engine.woven.region_map import print_region_map
    from loomtable.printkit.draw.palette import Style
    from loomtable.printkit.files import write_whole
    from loomtable.printkit.sheet.papers import chosen

    map_size = chosen(size, {s.value: s for s in MapSize}, "size of map")
    drawn_in = chosen(style, {s.value: s for s in Style}, "style")
    files = list(dict.fromkeys(output or []))
    for path in files:
        if path.exists() and not _is_drawn(path):
            raise MapExists(f"{path}: is there already; choose another name, so that no map is lost")
    with progress("Making the map") as report:
        report(0, 1, "")
        made = make_map(seed, map_size, homes, title=title)
        drawing = _drawing(made, paper or setting("paper"), drawn_in) if any(map(_is_drawn, files)) else b""
    for path in files:
        write_whole(path, drawing if _is_drawn(path) else print_region_map(made).encode())
    found = fairness(made)
    if as_json:
        write_json({**_about(made), "files": list(map(str, files)), "fairness": found})
    else:
        say(*_lines(made, found), *(f"{path}: written" for path in files))


def _is_drawn(path: Path) -> bool:
    """Whether a map is drawn into this file; otherwise it is written as data, to play on."""
    return path.suffix.lower() == ".pdf"


def _drawing(made: RegionMap, paper: str | None, style: Style) -> bytes:
    """The PDF: one page where the paper takes it, otherwise tiles."""
    from loomtable.printkit.games.woven.region_map_legend import region_sheet
    from loomtable.printkit.kit import PrintSettings
    from loomtable.printkit.sheet.document import pages_to_pdf
    from loomtable.printkit.sheet.imposition import lay_out
    from loomtable.printkit.sheet.papers import A3, A4, paper_named
    from loomtable.printkit.sheet.tiled import tiles

    sheet = region_sheet(made)
    fits_a4 = len(tiles(sheet.width, sheet.height, A4)) == 1
    settings = PrintSettings(paper=paper_named(paper) if paper else A4 if fits_a4 else A3, style=style)
    return pages_to_pdf(lay_out([sheet], settings), settings.sheets(f"Woven: {made.title}"))


def _about(made: RegionMap) -> dict[str, object]:
    return {
        "map": made.key,
        "title": made.title,
        "seed": made.seed,
        "regions": len(made.regions),
        "rivers": len(made.rivers),
        "bridges": len(made.bridges),
        "cities": made.cities,
        "homes": made.homes,
    }


def _lines(made: RegionMap, found: Fairness) -> list[str]:
    """What people want to know: what is on it, and between which costs the ways from the starts lie."""
    names = [made.by_key[home].name for home in made.homes]
    lines = [
        f"{made.title}: {len(made.regions)} regions, {len(made.rivers)} rivers, {len(made.bridges)} bridges, "
        f"{len(made.cities)} cities",
        f"Homes: {', '.join(names)}",
        "Mana from the homes, from the best placed to the worst:",
    ]
    for spread in found.spreads()[: len(_MEASURES)]:
        lines.append(f"  {_MEASURES[spread.measure]:<28} {round(spread.least, 1):g} to {round(spread.most, 1):g}")
    return lines
