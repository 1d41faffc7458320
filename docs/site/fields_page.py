"""Every field of the files that people write, as one page: ``python -m docs.site.fields_page``.

Fields, the words they take and what they say come from the types that read the files; a test holds the page to it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from inspect import getdoc
from pathlib import Path

import msgspec

from docs.site.actions_page import written
from docs.site.spell_words import said
from loomtable.engine.kernel.arguments import fields_in
from loomtable.engine.spellwoven.armoury import Talent, Weapon
from loomtable.engine.spellwoven.encounters import There
from loomtable.engine.spellwoven.people import Sheet
from loomtable.engine.storm_weavers.plans import Conditions, FightEnd, MapEnemy
from loomtable.engine.weave.cards.mechanics import Effect, Mechanic, Passive, Trigger
from loomtable.engine.weave.cards.playset import Quality
from loomtable.printkit.decks.template import Back, CodeBox, PictureBox, Plate, TextBox

_BEGINNING = """\
# The fields of files

What the fields of playsets, adventures and sheets mean, as the program reads them; in brackets are the words they
take.
"""
_FILES: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "[Playsets](../playsets.md)": (Quality, Mechanic, Trigger, Effect, Passive),
    "[Templates of decks](../your-own-deck.md#templates)": (TextBox, PictureBox, CodeBox, Plate, Back),
    "[Adventures](../adventures.md)": (MapEnemy, Conditions, FightEnd),
    "[Spellwoven](../systems/spellwoven.md#the-data-files)": (Sheet, Weapon, Talent, There),
}


def fields_page() -> str:
    """The page in Markdown."""
    return "\n".join([_BEGINNING, *_files()])


def _files() -> Iterator[str]:
    for heading, types in _FILES.items():
        yield f"## {heading}\n"
        for one in types:
            yield from _fields(one)


def _fields(one: type[msgspec.Struct]) -> Iterator[str]:
    """A type with its fields; those of which there is nothing to say are only named."""
    sentence, _, more = (" ".join(part.split()) for part in (getdoc(one) or "").partition("\n\n"))
    told = {name: says for part in reversed(one.__mro__[:-3]) for name, says in said(part).items()}
    rows = [
        (field.encode_name, " ".join([told.get(field.name, ""), *written(field.type)]).strip())
        for field in fields_in(one)
    ]
    named = ", ".join(f"`{name}`" for name, says in rows if not says)
    kind = f"`kind: {tag}`: " if (tag := one.__struct_config__.tag) else ""
    yield _plain(f"{kind}**{sentence}** {more}{f' Fields: {named}.' if named else ''}\n".replace("  ", " "))
    yield from (_plain(f"- `{name}`: {says}") for name, says in rows if says)
    yield ""


def _plain(text: str) -> str:
    """As it is written in a file: names in small letters, in one kind of marks."""
    plain = text.replace("``", "`")
    return re.sub(r"`[A-Z_]+`", lambda found: found[0].lower().replace("_", "-"), plain)


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/source/fields.md").write_text(fields_page(), "utf-8")
