"""Region maps as files: read strictly, with the line of whatever does not hold together, and written (WO-5).

A map is a YAML file in ``templates/woven/maps``; ``docs/woven-data.md`` describes it. Reading what was written
gives the same map.
"""

from __future__ import annotations

import json
import re

import msgspec
import yaml

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.yamlfile import Installed, Titled, YamlLines, parse_value, parse_yaml
from loomtable.engine.woven.regions import (
    Point,
    Region,
    RegionKey,
    RegionMap,
    River,
    Terrain,
)
from loomtable.engine.woven.regions_check import MapTrouble, check_region_map

LICENCE = "CC BY 4.0, the Loomtable authors"
MOST_REGIONS, MOST_CORNERS = 999, 9999
NUMBERS = range(21, 35)
"""The numbers of region maps that carry tags; those below belong to combat maps."""


class _RegionEntry(msgspec.Struct, forbid_unknown_fields=True):
    region: RegionKey
    name: str
    terrain: Terrain
    corners: tuple[int, ...]


class _RiverEntry(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    course: tuple[int, ...]


class _RegionMapFile(Titled, frozen=True):
    region_map: str
    size: Point
    corners: tuple[Point, ...]
    regions: tuple[_RegionEntry, ...]
    rivers: tuple[_RiverEntry, ...] = ()
    bridges: tuple[tuple[RegionKey, RegionKey], ...] = ()
    cities: tuple[RegionKey, ...] = ()
    homes: tuple[RegionKey, ...] = ()
    seed: str = ""
    number: int = 0


def parse_region_map(text: str, name: str) -> RegionMap:
    """Read and check a map; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line and why.
    """
    file, lines = parse_yaml(text, _RegionMapFile, name)
    if len(file.regions) > MOST_REGIONS or len(file.corners) > MOST_CORNERS:
        raise ContentInvalid(
            f"{lines.place('regions')}: a map has at most {MOST_REGIONS} regions and {MOST_CORNERS} corners"
        )
    read = RegionMap(
        key=file.region_map,
        title=file.title,
        licence=file.licence,
        size=file.size,
        corners=file.corners,
        regions=tuple(Region(entry.region, entry.name, entry.terrain, entry.corners) for entry in file.regions),
        rivers=tuple(River(entry.name, entry.course) for entry in file.rivers),
        bridges=file.bridges,
        cities=file.cities,
        homes=file.homes,
        seed=file.seed,
        number=file.number,
    )
    _hold(read, lines)
    if file.number and file.number not in NUMBERS:
        raise ContentInvalid(
            f"{lines.place('number')}: region maps are numbered {NUMBERS[0]} to {NUMBERS[-1]}, not {file.number}; "
            "leave the number out for a map without tags"
        )
    return read


def _hold(read: RegionMap, lines: YamlLines) -> None:
    try:
        check_region_map(read)
    except MapTrouble as trouble:
        raise ContentInvalid(f"{lines.place(*trouble.path)}: {trouble}") from None


def print_region_map(region_map: RegionMap) -> str:
    """The map as the text of a file; ``parse_region_map`` gives the same map back."""
    width, height = region_map.size
    written = [
        "# A region map of Woven, described in docs/woven-data.md. Corners are [x, y] in mm, numbered from 0.",
        f"region_map: {_word(region_map.key)}",
        f"title: {_quoted(region_map.title)}",
        f"licence: {_quoted(region_map.licence)}",
        *([f"number: {region_map.number}"] if region_map.number else []),
        *([f"seed: {_quoted(region_map.seed)}"] if region_map.seed else []),
        f"size: [{_number(width)}, {_number(height)}]",
        "corners:",
    ]
    written += [
        f"  - [{_number(x)}, {_number(y)}]  # {number}" for number, (x, y) in enumerate(region_map.corners)
    ]
    written.append("regions:")
    written += [
        f"  - {{region: {_word(region.key)}, name: {_quoted(region.name)}, terrain: {region.terrain}, "
        f"corners: {list(region.corners)}}}"
        for region in region_map.regions
    ]
    if region_map.rivers:
        written.append("rivers:")
        written += [f"  - {{name: {_quoted(r.name)}, course: {list(r.course)}}}" for r in region_map.rivers]
    if region_map.bridges:
        written.append("bridges:")
        written += [f"  - [{_word(one)}, {_word(other)}]" for one, other in region_map.bridges]
    for field, keys in (("cities", region_map.cities), ("homes", region_map.homes)):
        if keys:
            written.append(f"{field}: [{', '.join(map(_word, keys))}]")
    return "\n".join(written) + "\n"


def _number(length: float) -> str:
    return repr(int(length)) if length == int(length) else repr(length)


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


def _word(key: str) -> str:
    """A key as it is, unless YAML would read something else in it."""
    try:
        plain = bool(re.fullmatch(r"[a-z][a-z0-9-]*", key)) and parse_value(key) == key
    except yaml.YAMLError:
        plain = False
    return key if plain else _quoted(key)


_MAPS = Installed("region map", parse_region_map, "woven", "maps")
map_names, region_map = _MAPS.names, _MAPS.named
"""The names of all that are installed; and what the file of a name holds, or ``ContentInvalid``."""
