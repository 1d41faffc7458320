"""What tables decide in Weave."""

from __future__ import annotations

from loomtable.engine.kernel.rulings import shipped_rulings

RULINGS = shipped_rulings("weave")

PIP_FACES = {
    "flames-first": ("flames", "brooks", "gales", "stones", "weave", "strike"),
    "strike-first": ("strike", "flames", "brooks", "gales", "stones", "weave"),
}
"""What the pips 1 to 6 of an ordinary die mean, by the choice of the ruling ``pip-faces``."""
