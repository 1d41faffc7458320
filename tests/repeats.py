"""How often our texts use a device again: ``python -m tests.repeats`` counts; ``--show DEVICE`` lists where."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from loomtable.engine.storm_weavers.adventure_check import playable_adventure
from loomtable.engine.weave.cards.playset import playset, playset_names

ROAD, COURT, FAIR, HARBOUR = "the-salt-road", "the-lamplit-court", "the-kettle-moon-fair", "the-still-harbour"
HEAD = "the-light-on-karrow-head"
_ITEM = r"[^,.;:?!]{2,60}"
DEVICES: dict[str, tuple[tuple[str, ...], re.Pattern[str]]] = {
    "numbers with nine": ((ROAD, COURT, FAIR, HARBOUR), re.compile(r"\bnin(?:e|th|eteen|ety)", re.I)),
    "weekdays": ((ROAD, COURT, FAIR, HARBOUR), re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")),
    "weddings": (
        (ROAD, COURT, FAIR, HARBOUR),
        re.compile(r"\b(?:weddings?|brides?|bridegrooms?|bridesmaids?|honeymoon)\b", re.I),
    ),
    "closing lists of three": ((FAIR,), re.compile(rf"{_ITEM}, {_ITEM},? (?:and|or) {_ITEM}[.?!]$")),
    "similes": (
        (HEAD,),
        re.compile(
            r"(?<!to )\blike (?!to\b)|\bas (?:if|though)\b|\bas (?!long|soon|far|well|much|good)\w+ as\b"
            r"|\bas (?:an?|the|one|people|somebody|things)\b",
            re.I,
        ),
    ),
}
"""Each device, whose texts are counted, and what it looks like."""


def texts(name: str) -> Iterator[tuple[str, str]]:
    """Every option of a playset, or every paragraph of an adventure, by its name."""
    if name not in playset_names():
        yield from ((str(number), p.text.strip()) for number, p in playable_adventure(name).paragraphs.items())
        return
    for offer in playset(name).cards.values():
        for options in offer.values():
            yield from ((option.name, option.text.strip()) for option in options)


def found(device: str) -> list[tuple[str, str, str]]:
    """Where a device is used: the file, the option or paragraph, and its text."""
    files, pattern = DEVICES[device]
    return [(file, name, text) for file in files for name, text in texts(file) if pattern.search(text)]


if __name__ == "__main__":
    if "--show" in sys.argv:
        for line in found(sys.argv[-1]):
            print(*line, sep=" | ")
    else:
        for device in DEVICES:
            print(f"{device}: {len(found(device))}")
