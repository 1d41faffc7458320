"""``loom new``: what somebody begins with who writes a game of their own."""

from __future__ import annotations

import keyword
import re
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from loomtable.engine.kernel.errors import BadInput
from loomtable.table.commands.command import Command
from loomtable.table.commands.options import argument, output_folder
from loomtable.table.commands.output import AsJson, say, show_help, write_json

app = typer.Typer(help="Begin a game of your own.", rich_markup_mode=None)
app.callback(invoke_without_command=True)(show_help)
_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@app.command("game", cls=Command, epilog="loom new game pearl-dive\nloom new game pearl-dive --output ~/games")
def game(
    name: Annotated[str, argument("What people type to play it, such as pearl-dive.", "NAME")],
    output: Annotated[Path, output_folder("The folder in which its own folder is made.")] = Path(),
    as_json: AsJson = False,
) -> None:
    """Write a small game that can be played at once, with its test, as a package for you to change."""
    from loomtable.engine.kernel.package_data import package_file, read_text
    from loomtable.engine.systems import SYSTEMS
    from loomtable.printkit.files import make_folder

    place, module, title = output / name, name.replace("-", "_"), name.replace("-", " ").title()
    if not _KEY.fullmatch(name) or keyword.iskeyword(module) or module in sys.stdlib_module_names:
        raise BadInput(f"{name!r} cannot name a game; write letters, numbers and hyphens, such as pearl-dive")
    if name in SYSTEMS:
        raise BadInput(f"{name} is played here already; choose another name")
    taken = BadInput(f"{place} is there already; choose another name, or another folder with --output")
    if place.exists():
        raise taken
    make_folder(output)
    with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=output) as folder:
        whole = Path(folder) / name
        for path in (begun := package_file("templates", "new_game")).rglob("*.*"):
            written = whole / str(path.relative_to(begun)).replace("my_game", module)
            written.parent.mkdir(parents=True, exist_ok=True)
            text = read_text(path).replace("my_game", module).replace("my-game", name).replace("My Game", title)
            written.write_text(text, "utf-8")
        try:
            whole.rename(place)
        except OSError:  # somebody else has made it meanwhile
            raise taken from None
    if as_json:
        write_json({"folder": str(place)})
    else:
        say(f"{place}: a game that can be played. Its README says how; its rules are in {module}/game.py.")
