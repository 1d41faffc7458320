"""Every action of every game as one page of the documentation: ``python -m docs.site.actions_page``.

Names, arguments and words come from the engine, as ``help`` and the forms of the page show them; a test holds the
page to it.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from loomtable.engine.kernel.action_rules import ActionRule
from loomtable.engine.kernel.arguments import fields_in
from loomtable.engine.kernel.system import RULING_ACTION, System
from loomtable.engine.systems import SYSTEMS

_BEGINNING = """\
# Actions

Everything you can do in each game. On [the page](table.md) you need none of these names: forms ask for what is
missing. [The terminal](terminal.md) asks too; it and [transcripts](transcripts.md) take them as written here.
Behind an argument, in brackets, are the words or fields that it takes.

`ruling`, with `ruling` and `choice`, decides a [ruling](rulings.md) in every game.
"""


MOST_WORDS = 8
"""So many words are listed behind an argument that takes them, and no more."""


def actions_page() -> str:
    """The page in Markdown."""
    return "\n".join([_BEGINNING, *_systems()])


def _systems() -> Iterator[str]:
    for system in SYSTEMS.values():
        yield f"## {system.title}\n"
        yield f"[How {system.title} is played here](systems/{system.key}.md)\n"
        yield from (_row(action) for action in _in_order(system))
        yield "\nThe arguments:\n"
        yield from _explained(system)
        yield ""


def _explained(system: System[Any]) -> list[str]:
    """Each argument once; where actions mean different things by one name, each by the name of the action too."""
    known: dict[str, dict[str, list[str]]] = {}
    for action in _in_order(system):
        for name in action.arguments.__struct_encode_fields__:
            [shape] = [field.type for field in fields_in(action.arguments) if field.encode_name == name]
            says = " ".join([action.help_of(name), *written(shape, deep=True)])
            known.setdefault(name, {}).setdefault(says, []).append(action.name)
    rows = []
    for name, lines in sorted(known.items()):
        usual = max(lines, key=lambda says: len(lines[says]))
        for says, actions in lines.items():
            whose = "" if says == usual else f" of {', '.join(f'`{action}`' for action in actions)}"
            rows.append(f"- `{name}`{whose}: {says}")
    return rows


def written(shape: Any, *, deep: bool = False) -> Iterator[str]:
    """What an argument of this type is written as, where few words can be written, or several by their names."""
    for part in dict.fromkeys(_parts(shape)):
        if typing.get_origin(part) is typing.Literal:
            yield f"(`{' '.join(filter(None, part.__args__))}`)"
        elif not isinstance(part, type):
            continue
        elif issubclass(part, StrEnum) and len(part) <= MOST_WORDS:
            yield f"(`{' '.join(part)}`)"
        elif issubclass(part, msgspec.Struct) and deep:
            yield f"(`{{{', '.join(field.encode_name for field in fields_in(part))}}}`)"


def _parts(shape: Any) -> Iterator[Any]:
    yield shape
    for part in typing.get_args(shape):
        yield from _parts(part)


def _in_order(system: System[Any]) -> list[ActionRule]:
    """The actions by the groups in which the page shows them, then by name: imports have no fixed order."""
    known = [action for name, action in system.actions.items() if name != RULING_ACTION]
    groups = {group: place for place, group in enumerate(system.presentation.groups)}
    return sorted(known, key=lambda action: (groups.get(action.group, len(groups)), action.name))


def _row(action: ActionRule) -> str:
    arguments = " ".join(action.arguments.__struct_fields__)
    called = f"**`{action.name}`** `{arguments}`".removesuffix(" ``")
    return f"- {called}: {action.says} ({', '.join(action.rules)})"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/actions.md").write_text(actions_page(), "utf-8")
