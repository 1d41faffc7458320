"""A game's rules in short: what is on its reference card, screen and booklets.

The sentences are in a YAML file that people write. Every figure that the engine knows is a placeholder there, so
that no card can say anything else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.yamlfile import YamlLines, parse_yaml, read_text

Rows = tuple[tuple[str, ...], ...]
"""The rows of a table."""
Figures = Mapping[str, object]
"""What placeholders stand for by their names: words or numbers, and rows of tables."""


@dataclass(frozen=True)
class Block:
    """A heading with the rules it is about, a text, and a table whose first row is its head unless ``bare``."""

    title: str
    rules: str = ""
    text: str = ""
    table: Rows = ()
    bare: bool = False

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """Each rule that it is about: ``"SP-3 to SP-5"`` are three."""
        ranges = re.findall(r"([A-Z]+)-(\d+)(?: to \1-(\d+))?", self.rules)
        return tuple(f"{game}-{n}" for game, low, high in ranges for n in range(int(low), int(high or low) + 1))


@dataclass(frozen=True)
class Reference:
    """What is on the two sides of a game's reference card, and the rest of its rules in short."""

    front: tuple[Block, ...]
    back: tuple[Block, ...]
    further: tuple[Block, ...] = ()
    """Rules that the card has no room for."""


@dataclass(frozen=True)
class ScreenPanel:
    """A panel of a gamesmaster's screen, or a page: its title, and what stands in its columns."""

    title: str
    blocks: tuple[Block, ...]


class _BlockEntry(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    rules: str = ""
    text: str = ""
    table: list[str | list[str]] = []
    """Rows, and names of rows that the engine makes."""
    bare: bool = False


class _Sides(msgspec.Struct, forbid_unknown_fields=True):
    front: list[_BlockEntry]
    back: list[_BlockEntry]
    further: list[_BlockEntry] = []


class _ReferenceFile(msgspec.Struct, forbid_unknown_fields=True):
    reference: _Sides
    panels: dict[str, list[_BlockEntry]] = {}
    """What else it is printed on: the panels of a screen, a page of a booklet."""


def read_reference(path: Path, figures: Figures) -> Reference:
    """The reference card of one game from its file.

    Raises:
        FileUnreadable: it cannot be read.
        ContentInvalid: it does not hold together, or has a placeholder that is none of ``figures``; the message
            names the file and the line.
    """
    file, lines = parse_reference(read_text(path), path.name)
    card = file.reference
    return Reference(
        _filled(card.front, figures, lines, "reference", "front"),
        _filled(card.back, figures, lines, "reference", "back"),
        _filled(card.further, figures, lines, "reference", "further"),
    )


def read_panels(path: Path, figures: Figures) -> tuple[ScreenPanel, ...]:
    """The panels of one game from its file, in their order.

    Raises:
        FileUnreadable, ContentInvalid: as ``read_reference``.
    """
    file, lines = parse_reference(read_text(path), path.name)
    panels = file.panels.items()
    return tuple(ScreenPanel(title, _filled(blocks, figures, lines, "panels", title)) for title, blocks in panels)


def parse_reference(text: str, name: str) -> tuple[_ReferenceFile, YamlLines]:
    """A file of rules in short, its placeholders not yet filled.

    Raises:
        ContentInvalid: it does not hold together; the message names the file and the line.
    """
    return parse_yaml(text, _ReferenceFile, name)


def _filled(entries: Sequence[_BlockEntry], figures: Figures, lines: YamlLines, *path: str) -> tuple[Block, ...]:
    blocks = []
    for at, entry in enumerate(entries):
        try:
            text = entry.text.format_map(figures)
            table = tuple(filled for row in entry.table for filled in _rows(row, figures))
        except (LookupError, ValueError) as error:
            raise ContentInvalid(
                f"{lines.place(*path, at)}: cannot fill in {error}; the figures are {', '.join(figures)}"
            ) from None
        blocks.append(Block(entry.title, entry.rules, text, table, entry.bare))
    return tuple(blocks)


def _rows(row: str | list[str], figures: Figures) -> Rows:
    """A row with its cells filled in, or the engine's rows of this name."""
    if isinstance(row, list):
        return (tuple(cell.format_map(figures) for cell in row),)
    rows = figures[row]
    if not isinstance(rows, tuple):
        raise KeyError(row)
    return rows
