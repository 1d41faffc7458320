"""``python -m tests.prose [FILE...]``: lists what is wrong in what people read; exits with 1 if anything is."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.prose.checks import findings, not_yet


def main(arguments: list[str]) -> int:
    """Check these files, or all but those that wait for their turn."""
    files = [Path(argument).resolve() for argument in arguments]
    found = findings(files or None)
    waiting = frozenset[str]() if files else not_yet()
    shown = [one for one in found if one.path not in waiting]
    print("\n".join(map(str, shown)), end="\n" if shown else "")
    if clean := sorted(waiting - {one.path for one in found}):
        print(f"clean now, take them out of tests/prose/not_yet.txt: {', '.join(clean)}")
    return 1 if shown else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
