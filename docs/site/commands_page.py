"""Every command with its options: ``python -m docs.site.commands_page`` writes a page and a manual (``man loom``).

Commands, options and examples come from the program, as ``--help`` shows them; a test holds both to it.
"""

from __future__ import annotations

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


def manual() -> str:
    """The same as a manual page, for ``man loom``."""
    loom: Any = typer.main.get_command(app)
    head = ['.TH LOOM 1 "" Loomtable', ".SH NAME", r"loom \- print, read and play tabletop story games"]
    context = loom.make_context("loom", [], resilient_parsing=True)
    head += [".SH SYNOPSIS", ".B loom", "[OPTIONS] COMMAND [ARGS]...", ".SH DESCRIPTION", _roff(_said(loom.help))]
    records = [record for option in loom.get_params(context) if (record := option.get_help_record(context))]
    return "\n".join([*head, ".SH OPTIONS", *_records(records), *_chapters(loom, "loom")]) + "\n"


def _chapters(group: Any, name: str) -> Iterator[str]:
    for key, command in group.commands.items():
        called = f"{name} {key}"
        if hasattr(command, "commands"):
            yield from _chapters(command, called)
            continue
        context = command.make_context(called, [], resilient_parsing=True)
        yield f".SH {_roff(called).upper()}"
        yield f".B {_roff(called)}\n{_roff(' '.join(command.collect_usage_pieces(context)))}\n.PP"
        yield _roff(_said(command.help)).strip()
        for title, records in command.sections(context).items():
            yield f".SS {title}"
            yield from _records([record for record in records if "--help" not in record[0]])
        if command.epilog:
            yield f".SS Examples\n.nf\n{_roff(command.epilog)}\n.fi"


def _records(records: list[tuple[str, str]]) -> Iterator[str]:
    yield from (f".TP\n.B {_roff(name)}\n{_roff(' '.join(says.split()))}" for name, says in records)


def _roff(text: str) -> str:
    """Text that a manual shows as it is: nothing in it is taken for a command."""
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return "\n".join(rf"\&{line}" if line.startswith((".", "'")) else line for line in plain.splitlines())


def _said(help_text: str | None) -> str:
    paragraphs = [" ".join(part.split()) for part in (help_text or "").replace("\b", "").split("\n\n")]
    return "\n\n".join(paragraphs) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    docs = Path(__file__).parents[1]
    (docs / "commands.md").write_text(commands_page(), "utf-8")
    (docs / "loom.1").write_text(manual(), "utf-8")
