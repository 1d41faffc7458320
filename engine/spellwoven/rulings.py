"""What tables decide in Spellwoven: open questions, and the optional rules."""

from __future__ import annotations

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.rulings import read_rulings

RULINGS = read_rulings(package_file("templates", "spellwoven", "rulings.yaml"))
