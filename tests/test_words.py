"""What people read is plain: no program's own names in a message, and every help text a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from loomtable.table.commands.main import app
from tests.short import Loom
from tests.source_read import HOME, modules, read

_CODE = re.compile(r"<class|object at 0x|Traceback|\bNone\b|\(s\)|__\w+__")
"""What belongs to a programmer's screen, and plurals that leave the choice to the reader."""


@pytest.mark.parametrize("package", ["engine", "printkit", "vision", "table"])
def test_no_message_speaks_like_a_program(package: str) -> None:
    found = [
        f"{path.relative_to(HOME)} line {line}: {words}"
        for path in modules(package)
        for line, words in read(path).raised
        if _CODE.search(words) or words.endswith("!")
    ]
    assert not found, "\n".join(found)


def commands(group: Any, name: str = "loom") -> Iterator[tuple[str, Any]]:
    """Every command and group with its name as it is typed."""
    yield name, group
    for key, inner in getattr(group, "commands", {}).items():
        yield from commands(inner, f"{name} {key}")


def test_every_help_text_is_a_sentence() -> None:
    found = []
    for name, command in commands(typer.main.get_command(app)):
        texts = {"": command.help or ""} | {
            one.opts[0]: one.help or "" for one in command.params if one.name != "help"
        }
        for what, text in texts.items():
            first = text.split("\n\n")[0].strip()
            if what not in ("--install-completion", "--show-completion") and not re.match(
                r"^\S.*[.?]$", first, re.S
            ):
                found.append(f"{name} {what}: {text!r}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("print --copies many", "--copies takes a whole number, not 'many'"),
        ("print --copies", "--copies needs a value after it"),
        ("table --port 0", "--port is at least 1, not 0"),
        (
            "odds weave challenge --pool 3 --level 3 --rerolls all",
            "--rerolls is none, weave or weave-and-strike",
        ),
        (
            "odds weave challenge",
            "--pool is missing (how many Weave dice); loom odds weave challenge --help",
        ),
        ("play", "SYSTEM is missing (what to play, e.g. weave)"),
        ("play weave friday", "'friday' is more than this command takes"),
        ("prnt", "there is no command 'prnt'; did you mean print?"),
        ("odds wave", "there is no command 'wave'; did you mean weave?"),
        ("--loud", "there is no option --loud; those of a command come after its name; loom --help lists them"),
    ],
)
def test_what_cannot_be_read_is_said_in_our_words(given: str, words: str, loom: Loom) -> None:
    said = loom(*given.split(), code=2).err
    assert said.startswith(f"loom: {words}")
    assert said.count("\n") == 1
