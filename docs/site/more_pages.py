"""Pages of the site that are made from the program alone: its public names, and every transcript that ships."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import loomtable
from docs.site.evening_pages import transcript_page
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.transcript import parse_transcript
from loomtable.engine.systems import SYSTEMS

_API = """\
# Python API

Other programs may rely on these names: they stay where they are within a major version. Each comes with an
example that the tests run. Everything else may change from release to release.

```console
$ python -c "import loomtable; print(loomtable.__version__)"
```
"""


def api_page() -> str:
    """Every name of ``loomtable.__all__``, with its docstring, in Markdown for Sphinx."""
    written = [_API]
    for heading, names in _groups():
        written += [f"## {heading.capitalize()}\n", "```{eval-rst}"]
        written += [line for name in names for line in _documented(name)]
        written += ["```\n"]
    return "\n".join(written)


def _groups() -> Iterator[tuple[str, list[str]]]:
    """The table in the docstring of ``loomtable``: what the names are for, and the names."""
    left = set(loomtable.__all__) - {"__version__"}
    for row in re.finditer(r"^(\w+) +(``.*)$", loomtable.__doc__ or "", re.MULTILINE):
        names = [name for name in re.findall(r"``(\w+)``", row[2]) if name in left]
        left -= set(names)
        yield row[1], names
    if left:
        yield "more", sorted(left)


def _documented(name: str) -> list[str]:
    shown = getattr(loomtable, name)
    if name == "SYSTEMS":
        return [f".. autodata:: loomtable.{name}", "   :no-value:", ""]
    if not isinstance(shown, type):
        return [f".. autofunction:: loomtable.{name}", ""]
    return [f".. autoclass:: loomtable.{name}", "   :members:", ""]


def transcripts() -> dict[str, list[tuple[str, str, str]]]:
    """The transcripts that ship, by game: file, title, and what each is about."""
    found: dict[str, list[tuple[str, str, str]]] = {system: [] for system in SYSTEMS}
    for path in sorted(package_file("templates", "transcripts").glob("*.yaml")):
        transcript = parse_transcript(path.read_text("utf-8"), path.stem)
        found[transcript.system].append((path.stem, transcript.transcript, transcript.about.strip()))
    return found


def write_transcript_pages(folder: Path, *, quick: bool = False) -> list[str]:
    """Write a page for each transcript, and one that lists them; of whole evenings ``docs`` has the beginning.

    Returns what was written, as a table of contents names it.
    """
    pages = []
    lines = ["# Evenings and scenes\n", "Every transcript that ships with Loomtable, played and written down.\n"]
    for system, those in transcripts().items():
        lines += [f"## {SYSTEMS[system].title}\n"]
        ordered = sorted(those, key=lambda one: one[0] != SYSTEMS[system].presentation.evening)
        for name, title, about in ordered[: 2 if quick else None]:
            whole = name == SYSTEMS[system].presentation.evening
            page = f"evenings/{system if whole else name}"
            (folder / f"{page}.md").write_text(transcript_page(name), "utf-8")
            pages += [] if whole else [page]
            lines += [f"**[{title}]({page}.md)**{' - the whole evening' if whole else ''}  ", f"{about}\n"]
    (folder / "played.md").write_text("\n".join(lines), "utf-8")
    return pages
