"""The pictures on the Story cards, one function each. Importing this package registers them all."""

from loomtable.printkit.draw.motifs import (
    crafts,
    emblems,
    enclosures,
    gardens,
    journeys,
    lights,
    omens,
    secrets,
    waters,
    weathers,
    wonders,
)
from loomtable.printkit.draw.motifs.registry import HEIGHT, WIDTH, Motif, motif_named, motif_names

__all__ = [
    "HEIGHT",
    "WIDTH",
    "Motif",
    "crafts",
    "emblems",
    "enclosures",
    "gardens",
    "journeys",
    "lights",
    "motif_named",
    "motif_names",
    "omens",
    "secrets",
    "waters",
    "weathers",
    "wonders",
]
