"""Where each game is in the house, and what each folder holds: ``python -m docs.site.source_pages``.

Rows come from the folders and from the first line of each module; a test holds the pages to them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path

from loomtable.engine.systems import SYSTEMS

HOME = Path(__file__).parent.parent.parent
ROOMS = {
    "Rules and words": "engine/{game}",
    "Odds": "engine/odds",
    "Prints": "printkit/games/{game}",
    "Screens and commands": "table/games/{game}",
}
DATA = {
    "rulings.yaml": "what tables decide",
    "arguments.yaml": "a line for each argument of its actions",
    "reference.yaml": "the sentences of its reference card",
}


FOLDERS = ("engine", "printkit", "vision", "table", "loomtable/testing")


@cache
def source_pages() -> dict[str, str]:
    """Each page in Markdown, by the key of its game; that of the folders by ``packages``."""
    pages = {key: [*_page(key, system.title), ""] for key, system in SYSTEMS.items()}
    return {key: "\n".join(lines) for key, lines in ({"packages": [*_packages(), ""]} | pages).items()}


def _packages() -> Iterator[str]:
    yield "# Where everything is\n"
    yield "What each folder holds, in its own words; see [the architecture](../architecture.md).\n"
    for folder in FOLDERS:
        for init in sorted((HOME / folder).rglob("__init__.py")):
            if said := _says(init):
                yield f"- `{init.parent.relative_to(HOME).as_posix()}/`: {said}"


def _page(key: str, title: str) -> Iterator[str]:
    game = key.replace("-", "_")
    yield f"# {title} in the source\n"
    yield f"Where to look when you change {title}, which is played [as described here](../systems/{key}.md). See"
    yield "[architecture](../architecture.md) for the walls between the folders, and"
    yield "[extending](../extending.md#a-game) for the way through them."
    for heading, room in ROOMS.items():
        folder = HOME / room.format(game=game)
        files = [path for path in sorted(folder.rglob("*.py")) if path.name != "__init__.py"]
        if heading == "Odds":
            files = [path for path in files if game in path.stem]
        if files:
            yield f"\n## {heading}\n"
            yield f"In `{folder.relative_to(HOME).as_posix()}/`:\n"
            yield from (f"- `{path.relative_to(folder).as_posix()}`: {_says(path)}" for path in files)
    yield "\n## Data\n"
    yield f"In `templates/{game}/`:\n"
    for path in sorted((HOME / "templates" / game).iterdir()):
        said = DATA.get(path.name, f"{len(list(path.iterdir()))} files" if path.is_dir() else _comment(path))
        yield f"- `{path.name}`: {said}"
    played = len(list((HOME / "templates" / "transcripts").glob(f"{key}*.yaml")))
    yield f"- `../transcripts/{key}*.yaml`: {played} evenings and rules, played by the tests"
    yield "\n## Tests\n"
    tests = sorted((HOME / "tests").rglob(f"test_*{game}*.py"))
    yield ", ".join(f"`{path.relative_to(HOME).as_posix()}`" for path in tests)


def _says(path: Path) -> str:
    """The first sentence of a module, on one line."""
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return said.split("\n\n")[0].replace("\n", " ").replace("``", "`").replace("|", "\\|")


def _comment(path: Path) -> str:
    """What a data file says of itself at its beginning, in one sentence."""
    lines = path.read_text("utf-8").splitlines()
    said = " ".join(line.removeprefix("#").strip() for line in takewhile(lambda line: line.startswith("#"), lines))
    return said.split(". ")[0].removesuffix(".") or path.stem.replace("-", " ")


if __name__ == "__main__":
    for key, page in source_pages().items():
        (HOME / "docs" / "source" / f"{key}.md").write_text(page, "utf-8")
