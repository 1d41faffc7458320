"""A game's rules in short, as data: what stands on its reference card."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """A heading with the rules it is about, a text, and a table whose first row is its head unless ``bare``."""

    title: str
    rules: str = ""
    text: str = ""
    table: tuple[tuple[str, ...], ...] = ()
    bare: bool = False


@dataclass(frozen=True)
class Reference:
    """What stands on the two sides of a game's reference card."""

    front: tuple[Block, ...]
    back: tuple[Block, ...]
