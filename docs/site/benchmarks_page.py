"""What each benchmark measures and what it last said: ``python -m docs.site.benchmarks_page``.

Both are in the module's docstring, the figures in a last paragraph, ``Last: ...``; a test holds the page to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
_BEGINNING = """\
# Benchmarks

Each script times our part beside a peer or a bare loop in the same run, because seconds differ from machine to
machine and ratios hardly do. Run one with `python -m benchmarks.NAME`. The last figures are from two cores, mostly
shared; write new ones into the script's docstring.
"""


def benchmarks_page() -> str:
    """The page in Markdown."""
    return "\n".join([_BEGINNING, *_scripts(), ""])


def _scripts() -> Iterator[str]:
    for path in sorted((HOME / "benchmarks").glob("*.py")):
        said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        parts = [" ".join(part.split()).replace("``", "`") for part in said.split("\n\n")]
        if parts[-1].startswith("Last: "):
            yield f"- **`{path.stem}`**: {parts[0]} *{parts[-1]}*"


if __name__ == "__main__":
    (HOME / "benchmarks" / "README.md").write_text(benchmarks_page(), "utf-8")
