"""``loom import``: maps and gamebooks that other tools made, as maps and adventures of your own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable
from loomtable.table.commands.options import argument, option
from loomtable.table.commands.output import AsJson, say, write_json

GAMEBOOKS = (".twee", ".tw", ".html", ".htm", ".ink")


def import_(
    file: Annotated[
        Path,
        argument(
            "A map (.dd2vtt, .uvtt, .df2vtt, or a picture), or a gamebook (.twee, .tw, .html, .ink).", "FILE"
        ),
    ],
    name: Annotated[
        str, option("--name", "What to call it, e.g. old-cellar; otherwise the file's name.", "NAME")
    ] = "",
    title: Annotated[str, option("--title", "Its title; otherwise made of the file's name.", "TITLE")] = "",
    grid: Annotated[
        float | None,
        option("--grid", "How many pixels wide a square of the picture is; otherwise measured.", "PIXELS"),
    ] = None,
    squares: Annotated[
        str, option("--squares", "How many squares the picture has across and down, e.g. 24x18.", "COLUMNSxROWS")
    ] = "",
    part: Annotated[
        str,
        option("--part", "How many squares of a map to take, e.g. 40x30; 40x30+20+10 begins at another.", "PART"),
    ] = "",
    shuffle: Annotated[
        str, option("--shuffle", "Shuffle a gamebook's paragraphs, by any word or number you like.", "SEED")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Import a map or a gamebook that another tool made, to print, play and change."""
    from loomtable.engine.storm_weavers.adventure_check import ADVENTURES
    from loomtable.engine.storm_weavers.combat_map import MAPS
    from loomtable.printkit.files import write_whole
    from loomtable.printkit.import_sum import shown as told_of
    from loomtable.table.games.storm_weavers.foreign_map import PICTURES, UNIVERSAL_VTT, foreign_map
    from loomtable.table.games.storm_weavers.gamebook import adventure_of

    kind, counted = file.suffix.lower(), re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", squares)
    taken = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)(?:\+(\d{1,4})\+(\d{1,4}))?", part)
    if kind not in (*UNIVERSAL_VTT, *PICTURES, *GAMEBOOKS):
        known = ", ".join((*UNIVERSAL_VTT, *GAMEBOOKS))
        raise ContentInvalid(f"{file}: loom import takes {known}, and pictures such as .png and .jpg")
    if not file.is_file():
        raise FileUnreadable(f"{file}: there is no such file")
    if (grid is not None or squares) and kind not in PICTURES:
        raise ContentInvalid("--grid and --squares are for pictures; leave them out here")
    if part and (kind in GAMEBOOKS or not taken):
        example = "--part is for maps: so many squares across and down, such as 40x30, or 40x30+20+10"
        raise ContentInvalid(f"{example} from the 21st to the right and the 11th down; not {part[:20]!r}")
    if shuffle and kind not in GAMEBOOKS:
        raise ContentInvalid("--shuffle is for gamebooks; leave it out here")
    if grid is not None and (squares or not 1 <= grid <= 10_000):
        other = "leave --squares out" if squares else f"not {grid:g}"
        raise ContentInvalid(f"--grid is how many pixels wide a square is, such as 70; {other}")
    if squares and not counted:
        raise ContentInvalid(f"--squares is a number across and one down, such as 24x18, not {squares[:20]!r}")
    called = name or re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", called) or len(called) > 60:
        raise ContentInvalid(f"{called[:60]!r} is no name; give one with --name, such as old-cellar")
    place = (ADVENTURES if kind in GAMEBOOKS else MAPS).path(called)
    if place.exists():
        raise ContentInvalid(f"{place}: is there already; choose another name with --name")
    shown = title or " ".join(re.split(r"[\W_]+", file.stem)).strip().capitalize() or called
    files, onward = [place], f"loom check {place}; then loom print {called}-booklet"
    if kind in GAMEBOOKS:
        text, remarks, sums = adventure_of(file, called, shown, shuffle)
    else:
        told = (int(counted[1]), int(counted[2])) if counted else None
        wide, high, right, down = map(int, taken.groups("0")) if taken else (0, 0, 0, 0)
        cut = (wide, high, right, down) if taken else None
        text, picture, remarks, sums = foreign_map(file, called, shown, grid, told, cut)
        files, onward = [place, place.with_suffix(".jpg")], f"loom print {called}-map"
        write_whole(files[1], picture)
    try:
        write_whole(place, text.encode())
    except BaseException:  # no picture stays without its map, whatever happens
        files[-1].unlink(missing_ok=True)
        raise
    if as_json:
        write_json({"files": [str(path) for path in files], "remarks": remarks, "sums": sums})
        return
    say(*told_of(remarks, sums, f"which {place} begins with"))
    say(*(f"{path}: written" for path in files), f"Next: {onward}")
