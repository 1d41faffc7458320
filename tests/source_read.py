"""What tests ask about the program's own source: each module is parsed once, and no tree of it is kept.

To parse all modules takes seconds, and to keep their trees slows Python's collector of rubbish.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).parent.parent


class Source(NamedTuple):
    """What is in one module, anywhere in it."""

    imports: tuple[tuple[str, tuple[str, ...]], ...]
    """Each module that is imported, with dots before a relative one, and what is taken from it by name."""
    bases: dict[str, list[str]]
    """Each class with the names of those it is made from."""
    texts: tuple[str, ...]
    """Every text; what is filled in stands as ``...``."""
    raised: tuple[tuple[int, str], ...]
    """The line and the words of every message that is raised; what is filled in is left out."""


def modules(package: str) -> list[Path]:
    """Every module in a folder of the checkout."""
    return sorted((HOME / package).rglob("*.py"))


@cache
def read(path: Path) -> Source:
    """What is in a module."""
    imports: list[tuple[str, tuple[str, ...]]] = []
    bases: dict[str, list[str]] = {}
    texts: list[str] = []
    raised: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import():
                imports += [(alias.name, ()) for alias in node.names]
            case ast.ImportFrom():
                names = tuple(alias.name for alias in node.names)
                imports.append(("." * node.level + (node.module or ""), names))
            case ast.ClassDef():
                bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
            case ast.JoinedStr():
                texts.append("".join(p.value if isinstance(p, ast.Constant) else "..." for p in node.values))
            case ast.Constant(value=str(text)):
                texts.append(text)
            case ast.Raise(exc=ast.Call(args=[first, *_])):
                raised.append((first.lineno, "".join(_words(first))))
    return Source(tuple(imports), bases, tuple(texts), tuple(raised))


def _words(message: ast.expr) -> Iterator[str]:
    for part in ast.walk(message):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
