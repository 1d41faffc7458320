"""``loom print``: cards on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.kernel.components import ComponentId
from table.commands.output import AsJson, progress, say, write_json


def print_(
    what: Annotated[
        list[str] | None, typer.Argument(help="Kits or components; --list shows them.", show_default=False)
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="List the kits and components that can be printed.")
    ] = False,
    paper: Annotated[str, typer.Option("--paper", help="a4, letter or a3.")] = "a4",
    card_size: Annotated[str, typer.Option("--card-size", help="poker (63 x 88 mm) or us-poker.")] = "poker",
    sides: Annotated[str, typer.Option("--sides", help="long-edge, short-edge or fronts-only.")] = "long-edge",
    marks: Annotated[str, typer.Option("--marks", help="Crop marks: none, corner or edge.")] = "corner",
    style: Annotated[str, typer.Option("--style", help="colour, low-ink or grey.")] = "colour",
    only: Annotated[str | None, typer.Option("--only", help="Only these cards, e.g. S3,S7,C12.")] = None,
    copies: Annotated[int, typer.Option("--copies", help="How many of each card.")] = 1,
    output: Annotated[Path, typer.Option("--output", help="The folder for the PDF files.")] = Path("output"),
    as_json: AsJson = False,
) -> None:
    """Print kits or components as PDF files, one for each component."""
    from printkit.draw.palette import Style
    from printkit.kit import print_kit
    from printkit.sheet.grid import Sides
    from printkit.sheet.marks import Marks
    from printkit.sheet.papers import card_size_named, chosen, paper_named

    if list_:
        _list(as_json)
        return
    chosen_paper, size = paper_named(paper), card_size_named(card_size)
    with progress("Printing") as report:
        files = print_kit(
            what or [],
            output,
            paper=chosen_paper,
            card_size=size,
            sides=chosen(sides, {s.value: s for s in Sides}, "way of printing sides"),
            marks=chosen(marks, {m.value: m for m in Marks}, "kind of crop mark"),
            style=chosen(style, {s.value: s for s in Style}, "style"),
            only=None if only is None else [ComponentId.parse(card) for card in only.split(",")],
            copies=copies,
            progress=report,
        )
    if as_json:
        write_json(
            [{"file": str(f.path), "component": f.component, "pages": f.pages, "cards": f.cards} for f in files]
        )
        return
    for file in files:
        say(f"{file.path}: {file.cards} cards on {file.pages} pages")
    say("Print at 100 %, with scaling off; the ruler on each page must measure 100 mm.")


def _list(as_json: bool) -> None:
    from printkit.kit import COMPONENTS, KITS

    if as_json:
        listed = [{"name": c.name, "description": c.description} for c in COMPONENTS.values()]
        write_json({"kits": KITS, "components": listed})
        return
    say("Kits:", *(f"  {name:<18} {', '.join(parts)}" for name, parts in KITS.items()))
    say("Components:", *(f"  {c.name:<18} {c.description}" for c in COMPONENTS.values()))
