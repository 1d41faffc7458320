"""The five mages, standing and flat."""

from __future__ import annotations

from functools import partial

from loomtable.printkit.components.figure import standees, tokens
from loomtable.printkit.components.figure_file import Figure
from loomtable.printkit.games.woven.mages import MAGES


def _figures() -> list[Figure]:
    return [Figure(mage.number, f"{mage.name} Mage", mage.art) for mage in MAGES]


standing = partial(standees, _figures)
flat = partial(tokens, _figures)
