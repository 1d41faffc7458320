"""How a command is shown: help in sections, with an example."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

_KINDS = re.compile(r"<(?:list\[)?([\w|-]+)\]?(?: range)?>")
_WORDS = {"int": "N", "float": "NUMBER", "str": "TEXT", "path": "FILE"}
"""What a value is called in the help, by what the library calls it."""


class Command(TyperCommand):
    """A command: its options stand in sections (``rich_help_panel``), its epilog holds examples line by line."""

    def sections(self, ctx: Any) -> dict[str, list[tuple[str, str]]]:
        """Arguments, then the options by their sections; those without one come last. Each with what it means."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        plain: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            record = (_KINDS.sub(lambda kind: _WORDS.get(kind[1].lower(), kind[1]), record[0]), record[1])
            panel = getattr(parameter, "rich_help_panel", None)
            if parameter.param_type_name == "argument":
                sections["Arguments"].append((record[0].split(" ")[0], record[1]))
            elif panel:
                sections.setdefault(panel, []).append(record)
            else:
                plain.append(record)
        more = "Options" if len(sections) == 1 else "More"
        return {title: records for title, records in {**sections, more: plain}.items() if records}

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The sections, one below the other."""
        for title, records in self.sections(ctx).items():
            with formatter.section(title):
                formatter.write_dl(records)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Examples, each on a line of its own."""
        if self.epilog:
            write_examples(formatter, self.epilog)


def write_examples(formatter: Any, examples: str) -> None:
    """Each line of ``examples`` as it is typed."""
    lines = [line for line in examples.splitlines() if line]
    with formatter.section("Example" if len(lines) == 1 else "Examples"):
        for line in lines:
            formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
