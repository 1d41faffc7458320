"""Thymin and his enemies, standing and flat."""

from __future__ import annotations

from functools import partial

from loomtable.printkit.components.figure import standees, tokens
from loomtable.printkit.components.figure_file import figures

standing = partial(standees, figures)
flat = partial(tokens, figures)
