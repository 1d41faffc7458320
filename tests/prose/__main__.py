"""``python -m tests.prose [FILE...]``: lists what is wrong in what people read; exits with 1 if anything is."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.prose.checks import findings


def main(arguments: list[str]) -> int:
    """Check these files, or all."""
    found = findings([Path(argument).resolve() for argument in arguments] or None)
    print("\n".join(map(str, found)), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
