"""Every threshold of ``vision/`` as one page of the documentation: ``python -m docs.site.thresholds_page``.

A threshold is a constant of a module that is written as numbers: one, several, or a table of them. What a call
makes of numbers (a grid) is none, and ``DRAWS`` has none. Each says below itself what it is and then, in one of
``SOURCES``, where it comes from; a module may say that once for all that say nothing themselves, as in ``Numbers
here are set by hand.`` Tests hold the code to this, and the page to the code.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from loomtable.vision.dice.fusion.doubts import DOUBTS

HOME = Path(__file__).resolve().parent.parent.parent
DRAWS = "vision/overlay.py"
SOURCES = {
    "Set by hand": "somebody's judgement while looking at pictures; no measurement chose it",
    "Chosen on": "the best of several values on the pictures that are named",
    "Measured": "found, or confirmed, by a measurement",
    "Doubt": "the source is in the reader's table of doubts, and repeated here",
    "As trained": "the networks were trained with it; another value needs other networks",
    "As made": "the size of a thing as Loomtable prints it, or as it is sold",
    "By definition": "follows from geometry, a standard or a file format",
    "Bound": "bounds time, memory or input, whatever the picture",
}
"""How a source begins, and what that says."""
NAMED = ("set by hand", "bound")
"""Sources of which the page has the names alone."""
LONGEST = 48
"""Characters of a value that is shown; the code has the others."""
_SOURCE = re.compile(rf"(?:^|(?<=[.;:?] ))({'|'.join(SOURCES)})\b.*", re.IGNORECASE)
_OF_ALL = re.compile(rf"(?<=Numbers here are )({'|'.join(SOURCES)})\b.*?(?=\.(?: |$))", re.IGNORECASE)
_STILL_WRITTEN = {"log", "radians", "array"}
"""Calls that leave numbers as they are written, but for their unit and their type."""
_MADE = (ast.Subscript, ast.Lambda, ast.JoinedStr, ast.Starred, ast.ListComp, ast.DictComp)
_BEGINNING = """\
# Thresholds

The numbers by which the readers decide: {count} in all. Each says in the code what it is and where it comes from.
Here are those that were measured, chosen, trained with or derived; of those set by hand, and of bounds, the names.

| a source that begins | says that the number is | how many |
| --- | --- | --- |
{sources}

Confidences and their thresholds are measured, not written into the code: see
[the networks](../../models/README.md) and `models/dice_calibration.json`.
"""


@dataclass(frozen=True)
class Threshold:
    """One constant, or several on one line."""

    file: str
    names: str
    value: str
    meaning: str
    """Empty where nothing is said."""
    source: str
    """Empty where neither the constant nor its module says one."""


def thresholds(file: str, code: str) -> Iterator[Threshold]:
    """Those of one module, in its order."""
    module = ast.parse(code)
    whole = _OF_ALL.search(" ".join((ast.get_docstring(module) or "").split()))
    for node, after in pairwise([*module.body, ast.Pass()]):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if target is None or value is None or not _is_numbers(value):
            continue
        said = _said(after)
        own = _SOURCE.search(said)
        source = own[0] if own else whole[0] if whole else ""
        meaning = said[: own.start()] if own else said
        yield Threshold(
            file, ast.unparse(target).strip("()"), ast.unparse(value), meaning.strip(" ;:"), source.rstrip(".")
        )


def _said(node: ast.stmt) -> str:
    """A string that stands by itself, on one line."""
    text = getattr(node.value, "value", None) if isinstance(node, ast.Expr) else None
    return " ".join(text.split()) if isinstance(text, str) else ""


def _is_numbers(value: ast.expr) -> bool:
    """Whether a value is written as numbers, or one of several on its line is."""
    if isinstance(value, ast.Tuple):
        return any(map(_is_numbers, value.elts))
    parts = list(ast.walk(value))
    calls = [part.func for part in parts if isinstance(part, ast.Call)]
    return (
        any(isinstance(part, ast.Constant) and type(part.value) in (int, float) for part in parts)
        and all(isinstance(call, ast.Attribute) and call.attr in _STILL_WRITTEN for call in calls)
        and not any(isinstance(part, _MADE) for part in parts)
    )


@cache
def all_thresholds() -> list[Threshold]:
    """Those of every file of ``vision/`` but ``DRAWS``."""
    paths = sorted(path.relative_to(HOME) for path in (HOME / "vision").rglob("*.py"))
    files = [path.as_posix() for path in paths if path.as_posix() != DRAWS]
    return [row for file in files for row in thresholds(file, (HOME / file).read_text("utf-8"))]


def thresholds_page() -> str:
    """The page in Markdown."""
    rows = all_thresholds()
    count = Counter(begin for row in rows for begin in SOURCES if row.source.lower().startswith(begin.lower()))
    sources = "\n".join(f"| {begin} | {says} | {count[begin]} |" for begin, says in SOURCES.items())
    lines = [_BEGINNING.format(count=len(rows), sources=sources)]
    for file in dict.fromkeys(row.file for row in rows):
        own = [row for row in rows if row.file == file]
        told = [_row(row) for row in own if not row.source.lower().startswith(NAMED)]
        named = ", ".join(f"`{row.names}`" for row in own if row.source.lower().startswith(NAMED))
        lines += [f"## {file}\n", *told, *([*([""] if told else []), f"Others: {named}"] if named else []), ""]
    return "\n".join(lines)


def _row(row: Threshold) -> str:
    value = row.value if len(row.value) <= LONGEST else "..."
    said = f"- `{row.names} = {value}`: {row.meaning.rstrip('.')}. *{_with_the_doubts(row.source)}.*"
    return said.replace("``", "`")


def _with_the_doubts(source: str) -> str:
    """What a source says, with what the table of doubts says of each doubt that it names."""
    known = {doubt.name: doubt.source for doubt in DOUBTS}
    if not source.startswith("Doubt"):
        return source[:1].upper() + source[1:]
    return "; ".join(f'Doubt "{name}": {known[name]}' for name in re.findall(r"``(.+?)``", source))


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/source/thresholds.md").write_text(thresholds_page(), "utf-8")
