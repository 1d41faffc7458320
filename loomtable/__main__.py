"""``python -m loomtable``: the same as ``loom``."""

from __future__ import annotations

from loomtable.table.commands.main import main

if __name__ == "__main__":
    main()
