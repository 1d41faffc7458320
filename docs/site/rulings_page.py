"""Every ruling of every game as one page of the documentation: ``python -m docs.site.rulings_page``.

Questions, choices and places come from the engine, as ``loom rulings`` lists them; a test holds the page to it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from loomtable.engine.kernel.rulings import Ruling
from loomtable.engine.systems import SYSTEMS

_BEGINNING = """\
# Rulings

Rulebooks have gaps, contradictions and options. Where one changes play, Loomtable asks instead of guessing: each
is a **ruling**, with a question, its choices, and the place in the book. Your table decides once; until then the
choice marked **usual** counts.

```console
$ loom rulings
$ loom rulings weave
```

## Decide one

- **On the page**: *House rules* when you begin a session, and *Rulings* at any time after.
- **In the terminal** (`loom play`): `ruling ruling=minimum-pool choice=none`
- **In a [transcript](transcripts.md)**: `rulings: {minimum-pool: none}`
- **For [odds](odds.md)**:

```console
$ loom odds weave challenge --pool 0 --level 1 --ruling minimum-pool=none
```

A decision counts from then on. You can undo it like any other line of the journal; what was played before stays.
"""


def rulings_page() -> str:
    """The page in Markdown."""
    return "\n".join([_BEGINNING, *_systems()])


def _systems() -> Iterator[str]:
    for system in SYSTEMS.values():
        count = len(system.rulings)
        yield f"## {system.title}\n"
        yield f"{count} questions. See also [how {system.title} is played](systems/{system.key}.md).\n"
        for ruling in system.rulings.values():
            yield from _one(ruling)


def _one(ruling: Ruling) -> Iterator[str]:
    yield f"**{ruling.question}** `{ruling.id}`, {ruling.rule}\n"
    for choice in ruling.choices:
        usual = " (**usual**)" if choice.key == ruling.usual else ""
        yield f"- `{choice.key}`{usual}: {choice.says}"
    yield f"\n*In the book*: {ruling.source}\n"


def write_rulings_page(page: Path) -> None:
    """Write the page."""
    page.write_text(rulings_page(), "utf-8")


if __name__ == "__main__":
    write_rulings_page(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/rulings.md"))
