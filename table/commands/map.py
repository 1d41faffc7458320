"""``loom map``: a region map for Woven from a seed, as a file to play on and a sheet to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands.output import AsJson, say, write_json

if TYPE_CHECKING:
    from loomtable.engine.woven.map.fairness import Fairness
    from loomtable.engine.woven.regions import RegionMap
    from loomtable.printkit.draw.palette import Style

_MEASURES = {
    "rivals": "to the rivals, on average",
    "nearest_rival": "to the nearest rival",
    "middle": "to the middle of the map",
    "cities": "to the cities, on average",
    "nearest_city": "to the nearest city",
}


class MapExists(LoomtableError):
    """A map would be written over another file."""


def map_(
    seed: Annotated[str, typer.Argument(help="Any word or number; the same seed gives the same map.")],
    size: Annotated[str, typer.Option("--size", help="small, medium or large.")] = "medium",
    homes: Annotated[int, typer.Option("--homes", help="How many home places, 2 to 5.")] = 5,
    title: Annotated[str, typer.Option("--title", help="What to call it; otherwise it gets a name.")] = "",
    out: Annotated[Path | None, typer.Option("--out", help="Write the map to this file.")] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", help="Draw it on this PDF file.")] = None,
    paper: Annotated[
        str | None, typer.Option("--paper", help="a4, letter or a3; otherwise what takes it on one page.")
    ] = None,
    style: Annotated[str, typer.Option("--style", help="colour, low-ink or grey.")] = "colour",
    as_json: AsJson = False,
) -> None:
    """Make a region map for Woven that is fair to every start, and say what the ways on it cost."""
    from loomtable.engine.woven.map.fairness import fairness
    from loomtable.engine.woven.map.maker import MapSize, make_map
    from loomtable.engine.woven.region_map import print_region_map
    from loomtable.printkit.draw.palette import Style
    from loomtable.printkit.files import write_whole
    from loomtable.printkit.sheet.papers import chosen

    map_size = chosen(size, {s.value: s for s in MapSize}, "size of map")
    drawn_in = chosen(style, {s.value: s for s in Style}, "style")
    if out is not None and out.exists():
        raise MapExists(f"{out}: is there already; choose another name, so that no map is lost")
    made = make_map(seed, map_size, homes, title=title)
    drawing = _drawing(made, paper, drawn_in) if pdf is not None else b""
    if out is not None:
        write_whole(out, print_region_map(made).encode())
    if pdf is not None:
        write_whole(pdf, drawing)
    found = fairness(made)
    if as_json:
        write_json({**_about(made), "out": _path(out), "pdf": _path(pdf), "fairness": found})
    else:
        say(*_lines(made, found), *(f"{path}: written" for path in (out, pdf) if path is not None))


def _drawing(made: RegionMap, paper: str | None, style: Style) -> bytes:
    """The PDF: one page where the paper takes it, otherwise tiles."""
    from loomtable.printkit.components.region_map import region_sheet
    from loomtable.printkit.kit import PrintSettings
    from loomtable.printkit.sheet.document import pages_to_pdf
    from loomtable.printkit.sheet.imposition import lay_out
    from loomtable.printkit.sheet.papers import A3, A4, paper_named
    from loomtable.printkit.sheet.tiled import tiles

    sheet = region_sheet(made)
    fits_a4 = len(tiles(sheet.width, sheet.height, A4)) == 1
    settings = PrintSettings(paper=paper_named(paper) if paper else A4 if fits_a4 else A3, style=style)
    return pages_to_pdf(lay_out([sheet], settings.imposition), settings.sheets(f"Woven: {made.title}"))


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


def _path(path: Path | None) -> str | None:
    return None if path is None else str(path)


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
