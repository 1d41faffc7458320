"""Names for a map that is made: regions, rivers and the land itself, from lists of our own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.yamlfile import Titled, parse_yaml
from loomtable.engine.woven.map.chance import MapChance
from loomtable.engine.woven.regions import Terrain


class MapNames(Titled, frozen=True):
    """The lists: first parts, endings for each terrain, rivers, and words for a whole land."""

    firsts: tuple[str, ...]
    endings: dict[Terrain, tuple[str, ...]]
    rivers: tuple[str, ...]
    lands: tuple[str, ...]


def parse_map_names(text: str, name: str) -> MapNames:
    """Read and check a file of names.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line.
    """
    names, lines = parse_yaml(text, MapNames, name)
    for terrain in Terrain:
        if not names.endings.get(terrain):
            raise ContentInvalid(f"{lines.place('endings')}: there is no ending for {terrain}")
    for field, words in (("firsts", names.firsts), ("rivers", names.rivers), ("lands", names.lands)):
        if not words or len(set(words)) != len(words):
            raise ContentInvalid(f"{lines.place(field)}: needs at least one word, and each of them once")
    return names


@cache
def map_name_lists() -> MapNames:
    """The installed lists."""
    return parse_map_names(*shipped("woven", "map-names.yaml"))


def region_names(terrains: Iterable[Terrain], chance: MapChance) -> list[str]:
    """A different name for each region; a first part comes again only when all have been used.

    Raises:
        ContentInvalid: the lists do not hold enough names.
    """
    lists = map_name_lists()
    firsts: list[str] = []
    names: list[str] = []
    for terrain in terrains:
        for _ in range(2 * len(lists.firsts)):
            firsts = firsts or chance.shuffled(lists.firsts)
            first = firsts.pop()
            fitting = [first + e for e in lists.endings[terrain] if first[-1] != e[0] and first + e not in names]
            if fitting:
                names.append(chance.pick(fitting))
                break
        else:
            raise ContentInvalid(f"map-names.yaml: there are too few names for {terrain}")
    return names


def land_name(chance: MapChance) -> str:
    """A name for the whole map: ``"The Amber March"``."""
    lists = map_name_lists()
    return f"The {chance.pick(lists.firsts)} {chance.pick(lists.lands)}"


def river_names(count: int, chance: MapChance) -> list[str]:
    """A different name for each river.

    Raises:
        ContentInvalid: the lists do not hold enough names.
    """
    rivers = chance.shuffled(map_name_lists().rivers)
    if count > len(rivers):
        raise ContentInvalid(f"map-names.yaml: there are {len(rivers)} names of rivers, {count} are needed")
    return rivers[:count]
