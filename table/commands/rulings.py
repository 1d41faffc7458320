"""``loom rulings``: what tables decide where a rulebook is silent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from loomtable.engine.kernel.rulings import Ruling
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands import completion
from loomtable.table.commands.options import argument
from loomtable.table.commands.output import AsJson, page, write_json


def rulings(
    system: Annotated[
        str | None, argument("A game, e.g. weave; all of them if left out.", "SYSTEM", completion.games)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the rulings of a system: each question, its choices, our default, and where the rulebook is silent."""
    chosen = [SYSTEMS[system]] if system else list(SYSTEMS.values())
    if as_json:
        write_json({s.key: list(s.rulings.values()) for s in chosen})
        return
    lines: list[str] = []
    for listed in chosen:
        told = (line for ruling in listed.rulings.values() for line in _told(ruling))
        lines += [f"{listed.title} ({listed.key})", *told, ""]
    page("".join(f"{line}\n" for line in lines))


def _told(ruling: Ruling) -> Iterator[str]:
    yield from ("", f"  {ruling.id}  [{ruling.rule}]", f"    {ruling.question}")
    for choice in ruling.choices:
        mark = "*" if choice.key == ruling.usual else " "
        yield f"     {mark} {choice.key}: {choice.says}"
    yield f"    In the rulebook - {ruling.source}"
