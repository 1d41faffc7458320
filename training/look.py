"""Look once at every photograph, and keep what is seen: ``python -m training.look --out DIR``.

``calibrate`` fits the decision to it, and can do so again within a minute. A run that is stopped, or has looked
for ``--minutes``, goes on where it was with the same command.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from training.command import models_in, one_sentence
from training.looked import look
from training.photographs import EVERY_SOURCE, load_photographs, photograph_folder


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, 1 where there is more to look at, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m training.look", description=__doc__)
    parser.add_argument("--photos", type=Path, default=photograph_folder())
    parser.add_argument("--sources", default=",".join(EVERY_SOURCE), help="names of sources, with commas between")
    parser.add_argument("--models", type=Path, help="folder of the networks (the shipped ones)")
    parser.add_argument("--out", type=Path, required=True, help="where what is seen is kept")
    parser.add_argument("--minutes", type=float, help="stop after so long; the same command goes on")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    photographs = load_photographs(given.photos, given.sources.split(","))
    done = look(photographs, models_in(given.models, given.threads), given.out, given.minutes)
    print("all are looked at" if done else "there is more to look at: run the same command again")
    return 0 if done else 1


if __name__ == "__main__":
    raise SystemExit(main())
