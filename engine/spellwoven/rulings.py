"""What tables decide in Spellwoven: open questions, and the optional rules."""

from __future__ import annotations

from loomtable.engine.kernel.rulings import shipped_rulings

RULINGS = shipped_rulings("spellwoven")
