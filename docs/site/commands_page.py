"""Every command with its options as one page of the documentation: ``python -m docs.site.commands_page``.

Commands, options and examples come from the program, as ``--help`` shows them; a test holds the page to it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from loomtable.table.commands.main import app

_ABOUT = Path(__file__).with_name("commands-about.txt")
"""What holds for all commands; written by hand."""


def commands_page() -> str:
    """The page in Markdown."""
    loom: Any = typer.main.get_command(app)
    return "\n".join([_ABOUT.read_text("utf-8"), *_all(loom, "loom", 2)])


def _all(group: Any, name: str, depth: int) -> Iterator[str]:
    for key, command in group.commands.items():
        called = f"{name} {key}"
        yield f"{'#' * depth} `{called}`\n"
        yield _said(command.help)
        if hasattr(command, "commands"):
            yield from _all(command, called, min(depth + 1, 4))
        else:
            yield from _one(command, called)


def _one(command: Any, called: str) -> Iterator[str]:
    context = command.make_context(called, [], resilient_parsing=True)
    yield f"`{called} {' '.join(command.collect_usage_pieces(context))}`\n"
    yield "| | |"
    yield "| --- | --- |"
    for records in command.sections(context).values():
        yield from (f"| `{_cell(name)}` | {_cell(says)} |" for name, says in records if "--help" not in name)
    examples = "\n".join(f"$ {line}" for line in (command.epilog or "").splitlines())
    yield f"\n```console\n{examples}\n```\n" if examples else ""


def _said(help_text: str | None) -> str:
    paragraphs = [" ".join(part.split()) for part in (help_text or "").replace("\b", "").split("\n\n")]
    return "\n\n".join(paragraphs) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/commands.md").write_text(commands_page(), "utf-8")
