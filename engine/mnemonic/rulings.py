"""What tables decide in Mnemonic."""

from __future__ import annotations

from loomtable.engine.kernel.rulings import shipped_rulings

RULINGS = shipped_rulings("mnemonic")
