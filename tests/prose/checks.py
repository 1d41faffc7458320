"""Finds misspelt words, proselint's remarks and turns of phrase that the house does not use.

Documents are read without their code, commands and link targets; of the program, the sentences that it says:
string literals that are not docstrings, and the text of page templates. ``tests/table/test_content.py`` holds
the content that people play.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from proselint import checks as proselint_checks
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

from loomtable.table.content.prose import WORD
from tests.table.spelling import is_word, words_in, words_of

HOME = Path(__file__).parents[2]
RULES = Path(__file__).with_name("house.yaml")
WORDS = Path(__file__).with_name("words.txt")
PACKAGES = ("engine", "printkit", "vision", "table")
PROGRAM_MADE = ("docs/actions.md", "docs/evenings/", "docs/rulings.md", "docs/source/")
"""Made from content, docstrings and the engine's own sentences, which are read there."""
_LEFT_OUT = (
    # What each table, list and drawing brings along; typing is the browser's and the printer's business.
    "typography",
    # Headings and cells of tables repeat words side by side.
    "lexical_illusions",
    # Takes the plural of a name with figures for a decade.
    "dates_times",
)
_MARKUP = re.compile(
    r"^```.*?^```|`[^`\n]+(?:\n[^`\n]+)?`|<!--.*?-->|</?\w[^>]*>|\]\([^)]*\)|https?://\S+|^---$.*?^---$",
    re.M | re.S,
)
_JINJA = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<(script|style)\b.*?</\1>|<[^>]*>", re.S)
_CAMEL = re.compile(r"[a-z][A-Z]|^[A-Z]{2}|\d|_")
"""Names of programs and formats, and short forms: SQLite, OpenCV, PDF."""


@dataclass(frozen=True, order=True)
class Finding:
    """One remark: the file, its line, and what to write instead."""

    path: str
    line: int
    says: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.says}"


def documents() -> list[Path]:
    """Every document that people write."""
    pages = [
        *HOME.glob("*.md"),
        *HOME.glob("docs/**/*.md"),
        *HOME.glob("models/*.md"),
        *HOME.glob("benchmarks/*.md"),
    ]
    return sorted(page for page in pages if not _name(page).startswith(PROGRAM_MADE))


def speaking_files() -> list[Path]:
    """Every file of the program that holds sentences: modules and page templates."""
    modules = (path for package in PACKAGES for path in (HOME / package).rglob("*.py"))
    return sorted([*modules, *HOME.glob("table/**/*.html")])


def findings(files: list[Path] | None = None) -> list[Finding]:
    """Everything that is wrong, in these files or in all."""
    found: set[Finding] = set()
    for path in files if files is not None else [*documents(), *speaking_files()]:
        text = path.read_text("utf-8")
        if path.suffix == ".md":
            plain = blanked(_MARKUP, text)
            found |= {
                Finding(_name(path), *one) for one in (*house_remarks(plain), *_linted(plain), *_misspelt(plain))
            }
        elif path.suffix == ".html":
            found |= {Finding(_name(path), *one) for one in house_remarks(blanked(_JINJA, text))}
        else:
            found |= {
                Finding(_name(path), line, says)
                for line, sentence in sentences(text)
                for _, says in house_remarks(sentence)
            }
    return sorted(found)


def blanked(markup: re.Pattern[str], text: str) -> str:
    """The text with everything that is no prose as blanks, each line in its place."""
    return markup.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """The string literals of a module that look like sentences, with their lines; docstrings are left out."""
    tree = ast.parse(source)
    silent = {id(inner) for node in ast.walk(tree) if _is_silent(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) not in silent and isinstance(node, ast.Constant) and " " in str(node.value).strip():
            yield node.lineno, str(node.value)


def _is_silent(node: ast.AST) -> bool:
    """Whether nobody hears it: a docstring, or a pattern that is handed to ``re``."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.")


def house_remarks(text: str) -> Iterator[tuple[int, str]]:
    """Turns of phrase in ``house.yaml``, each with its line."""
    for pattern, excepted, instead in _rules():
        for found in pattern.finditer(text):
            if excepted is None or not excepted.search(text[max(0, found.start() - 20) : found.end()]):
                words = " ".join(found[0].split()).lstrip(".:; ")
                yield text.count("\n", 0, found.start()) + 1, f"{words!r}: write {instead}"


@cache
def _rules() -> tuple[tuple[re.Pattern[str], re.Pattern[str] | None, str], ...]:
    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE)

    rules: list[dict[str, Any]] = yaml.safe_load(RULES.read_text("utf-8"))
    return tuple(
        (compiled(rule["pattern"]), compiled(rule["except"]) if "except" in rule else None, rule["instead"])
        for rule in rules
    )


def _linted(text: str) -> Iterator[tuple[int, str]]:
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(proselint_checks.__register__)
    checks = {name: on and name not in _LEFT_OUT for name, on in DEFAULT["checks"].items()}
    for one in LintFile("page", text).lint({"max_errors": 1000, "checks": checks}):
        yield one.pos[0], f"{one.check_result.message} ({one.check_result.check_path})"


def _misspelt(text: str) -> Iterator[tuple[int, str]]:
    own = words_of("house") | words_in(WORDS)
    for found in WORD.finditer(text):
        bare = re.sub(r"['\u2019]s?$", "", found[0])
        if len(bare) > 2 and not _CAMEL.search(bare) and bare.lower() not in own and not is_word(found[0]):
            yield (
                text.count("\n", 0, found.start()) + 1,
                f"is {bare!r} spelt so? If so, add it to tests/prose/words.txt",
            )


def _name(path: Path) -> str:
    return path.relative_to(HOME).as_posix()
