"""Every word of which Woven's spells are made, as one page: ``python -m docs.site.spell_words``.

Words and what they say come from ``engine/woven/effects.py``; a test holds the page to it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from inspect import getdoc, getsource
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

from loomtable.engine.woven import effects

_BEGINNING = """\
# The words of spells

What a [spell](../woven-data.md#spells) of Woven can do, with the fields of each effect; those in brackets may be
left out. A tendril is *consumed* by its own mage's spell and *removed* by anything else.
"""
_GROUPS: dict[str, Any] = {
    "On cast": effects.CastEffect,
    "While charged": effects.StandingEffect,
    "By spending a charge": effects.SpendEffect,
}
_VALUES = {
    "Where": effects.Where,
    "Which": effects.Which,
    "How a tendril is lost": effects.Loss,
    "Where a sacrificed tendril goes": effects.SacrificeGoes,
}


def spell_words() -> str:
    """The page in Markdown."""
    return "\n".join([_BEGINNING, *_effects(), *_values()])


def _effects() -> Iterator[str]:
    for heading, kinds in _GROUPS.items():
        yield f"## {heading}\n"
        for kind in kinds.__args__:
            said = " ".join((getdoc(kind) or "").split()).replace("``", "`")
            needed = len(kind.__struct_encode_fields__) - len(kind.__struct_defaults__)
            fields = [
                f"`{name}`" if place < needed else f"[`{name}`]"
                for place, name in enumerate(kind.__struct_encode_fields__)
            ]
            yield f"- **`{kind.__struct_config__.tag}`** {', '.join(fields)}".rstrip() + f": {said}"
        yield ""


def _values() -> Iterator[str]:
    for heading, words in _VALUES.items():
        yield f"## {heading}\n"
        told = said(words)
        yield from (f"- `{word}`: {told[word.name]}" if word.name in told else f"- `{word}`" for word in words)
        yield ""


def said(words: type) -> dict[str, str]:
    """What stands below each member of a type, by its name."""
    [body] = [node.body for node in ast.parse(dedent(getsource(words))).body if isinstance(node, ast.ClassDef)]
    return {
        ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target): " ".join(
            str(after.value.value).split()
        )
        for node, after in pairwise(body)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
    }


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/source/spells.md").write_text(spell_words(), "utf-8")
