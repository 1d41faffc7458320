"""The figures of Storm Weavers as a file: number, name, drawing, and a mark where there are several of a kind.

The file is ``templates/storm_weavers/figures.yaml``; ``docs/kit.md`` describes it.
"""

from __future__ import annotations

from functools import cache

import msgspec

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.yamlfile import Titled, parse_yaml
from loomtable.printkit.draw.art import art_names

MOST_FIGURE = 50
"""The largest number in the file; those above belong to the mages of Woven."""
_FILE = "figures.yaml"


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"number": "figure"}):
    """Somebody who stands on a map; ``mark`` tells several of a name apart and is 0 where there is one."""

    number: int
    name: str
    art: str
    mark: int = 0

    @property
    def id(self) -> ComponentId:
        """The printed thing: ``F5``."""
        return ComponentId(Kind.FIGURE, self.number)

    @property
    def called(self) -> str:
        """``Frost Carter 2``."""
        return f"{self.name} {self.mark}" if self.mark else self.name


class _FigureFile(Titled, frozen=True):
    figures: list[Figure]


def parse_figures(text: str, name: str) -> tuple[Figure, ...]:
    """Read and check a file of figures; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line.
    """
    file, lines = parse_yaml(text, _FigureFile, name)
    figures: dict[int, Figure] = {}
    for place, figure in enumerate(file.figures):
        trouble = _trouble(figure, figures)
        if trouble:
            raise ContentInvalid(f"{lines.place('figures', place)}: figure {figure.number} {trouble}")
        figures[figure.number] = figure
    if not figures:
        raise ContentInvalid(f"{lines.place('figures')}: there is no figure")
    return tuple(figures.values())


def _trouble(figure: Figure, others: dict[int, Figure]) -> str:
    """What is wrong with a figure, in words; nothing if it is well."""
    if not 1 <= figure.number <= MOST_FIGURE:
        return f"has no tag; figures are numbered 1 to {MOST_FIGURE}"
    if figure.number in others:
        return "stands twice"
    if not figure.name.strip():
        return "has no name"
    if not 0 <= figure.mark <= 99:
        return f"has the mark {figure.mark}; marks are 1 to 99"
    if any(figure.called == other.called for other in others.values()):
        return f"is called {figure.called!r}, as another one is; give each a mark"
    there = art_names("figures")
    if figure.art not in there:
        return f"asks for the art {figure.art[:40]!r}; there are {', '.join(there)}"
    return ""


@cache
def figures() -> tuple[Figure, ...]:
    """The installed figures of Storm Weavers, in the order of the file."""
    return parse_figures(*shipped("storm_weavers", _FILE))
