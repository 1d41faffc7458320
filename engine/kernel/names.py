"""Proper names for people whom nobody has named yet: for ready evenings, and where chance is to name them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

NAMES = (
    *("Ilse", "Odo", "Maren", "Tib", "Hanne", "Corvin", "Sefa", "Joss"),
    *("Bram", "Lioba", "Wendel", "Mirre", "Anselm", "Dorrit", "Kasper", "Nell"),
)
SURNAMES = (
    *("Marl", "Greave", "Finch", "Tallow", "Quill", "Barley", "Hask", "Rook"),
    *("Alder", "Thorne", "Wick", "Sedge", "Lark", "Ambry", "Pell", "Stroud"),
)
MOST = 8
"""So many are suggested at once."""


def unused_names(taken: Collection[str], names: Sequence[str] = ()) -> tuple[str, ...]:
    """A few of ``names``, or of ours, that nobody has yet; with a surname, once all first names are taken."""
    names = names or NAMES
    free = [name for name in names if name not in taken]
    if not free:
        free = [whole for last in SURNAMES for first in names if (whole := f"{first} {last}") not in taken]
    return tuple(free[:MOST])
