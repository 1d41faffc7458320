"""Every kind of error that a person can meet is explained in the documents."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

HOME = Path(__file__).parent.parent


@cache
def errors_of_the_family() -> dict[str, Path]:
    """The classes that descend from ``LoomtableError``, by name, without importing what training alone needs."""
    bases: dict[str, tuple[list[str], Path]] = {}
    for package in ("engine", "printkit", "vision", "table"):
        for path in (HOME / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    bases[node.name] = ([base.id for base in node.bases if isinstance(base, ast.Name)], path)
    family = {"LoomtableError"}
    while True:
        more = {name for name, (parents, _) in bases.items() if family.intersection(parents)} - family
        if not more:
            return {name: bases[name][1] for name in sorted(family - {"LoomtableError"})}
        family |= more


def test_every_error_is_explained() -> None:
    told = set(re.findall(r"`(\w+)`", (HOME / "docs" / "errors.md").read_text("utf-8")))
    family = errors_of_the_family()
    assert len(family) > 40
    missing = {name: str(path.relative_to(HOME)) for name, path in family.items() if name not in told}
    assert not missing, f"docs/errors.md says nothing of {missing}"


def test_no_error_is_explained_that_there_is_not() -> None:
    told = re.findall(r"\(((?:`\w+`(?:, )?)+)\)", (HOME / "docs" / "errors.md").read_text("utf-8"))
    names = {name for group in told for name in re.findall(r"`(\w+)`", group)}
    assert names <= set(errors_of_the_family()), names - set(errors_of_the_family())
