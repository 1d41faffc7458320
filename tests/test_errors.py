"""Every kind of error that a person can meet is explained in the documents."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from loomtable.engine.kernel.dice import Die
from loomtable.vision.pool import parse_dice

HOME = Path(__file__).parent.parent
PACKAGES = ("engine", "printkit", "vision", "table", "training")


@cache
def told_by_the_program() -> tuple[dict[str, tuple[list[str], Path]], list[str]]:
    """The bases of every class with the module it is in, and every text that the program can show; what is filled
    in stands as ``...``. Nothing of training is imported, and no module is kept as a tree.
    """
    bases: dict[str, tuple[list[str], Path]] = {}
    texts: list[str] = []
    for path in (path for package in PACKAGES for path in (HOME / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = ([base.id for base in node.bases if isinstance(base, ast.Name)], path)
            elif isinstance(node, ast.JoinedStr):
                texts.append("".join(p.value if isinstance(p, ast.Constant) else "..." for p in node.values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node.value)
    return bases, texts


def errors_of_the_family() -> dict[str, Path]:
    """The classes that descend from ``LoomtableError``, by name."""
    bases, _ = told_by_the_program()
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


def test_every_sentence_that_the_page_of_troubles_quotes_is_the_program_s_own() -> None:
    page = (HOME / "docs" / "errors.md").read_text("utf-8").partition("## Asking for help")[0]
    quoted = re.findall(r'\| "([^"]+)" \|', page)
    assert len(quoted) > 25
    _, texts = told_by_the_program()
    for sentence in quoted:
        parts = [re.escape(part.strip()) for part in sentence.split("...") if part.strip()]
        said = re.compile(".*?".join(parts))
        assert any(said.search(text) for text in texts), f"nobody says {sentence!r}"


def test_the_dice_that_can_be_expected_are_those_that_are_read() -> None:
    page = (HOME / "docs" / "errors.md").read_text("utf-8")
    [row] = [line for line in page.splitlines() if "is not a pool of dice" in line]
    named = re.findall(r"\bd\d+\b|\d+weave|\d+coin", row.rpartition("|")[0].rpartition("|")[2])
    assert {die for one in named for die in parse_dice(one).dice} == set(Die)
