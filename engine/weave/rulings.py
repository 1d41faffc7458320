"""What tables decide in Weave."""

from __future__ import annotations

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.rulings import read_rulings

RULINGS = read_rulings(package_file("templates", "weave", "rulings.yaml"))

PIP_FACES = {
    "flames-first": ("flames", "brooks", "gales", "stones", "weave", "strike"),
    "strike-first": ("strike", "flames", "brooks", "gales", "stones", "weave"),
}
"""What the pips 1 to 6 of an ordinary die mean, by the choice of the ruling ``pip-faces``."""
