"""``loom``: the commands put together, and the one place where errors become sentences and exit codes.

Exit codes: 0 all is well; 1 the work was done and the answer is no (a transcript does not hold, dice are doubtful
or unseen); 2 something that was given cannot be used, with one sentence on standard error; 3 a defect of ours.
"""

from __future__ import annotations

import importlib
import logging
import sys
import tomllib
from collections import UserDict
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands.command import Command, write_examples
from loomtable.table.commands.given import refusal
from loomtable.table.commands.letters import prepare_output
from loomtable.table.commands.options import option

logger = logging.getLogger(__name__)
BAD_INPUT = 2
DEFECT = 3
STOPPED = 130
WIDEST = 100
"""Columns that help takes at most."""


class _Listed(NamedTuple):
    """A command as ``loom --help`` lists it, without importing it; ``where`` is its module and its name there."""

    section: str
    where: str
    summary: str
    example: str = ""
    """Empty for a group: its own commands have one each."""


_LIST = Path(__file__).with_name("commands.toml").read_text("utf-8")
COMMANDS = {name: _Listed(**listed) for name, listed in tomllib.loads(_LIST).items()}


class _Commands(UserDict[str, Any]):
    """The commands by name, each imported when it is wanted."""

    def __getitem__(self, name: str) -> Any:
        if isinstance(found := self.data[name], _Listed):
            self.data[name] = found = _built(name, found)
        return found


def _built(name: str, listed: _Listed) -> Any:
    module, _, attribute = listed.where.partition(":")
    found = getattr(importlib.import_module(f"loomtable.table.{module}"), attribute)
    if isinstance(found, typer.Typer):
        group = typer.models.TyperInfo(found, name=name)
        return typer.main.get_group_from_info(
            group, pretty_exceptions_short=False, rich_markup_mode=None, suggest_commands=True
        )
    command = typer.models.CommandInfo(
        name=name, cls=Command, callback=found, short_help=listed.summary, epilog=listed.example
    )
    return typer.main.get_command_from_info(command, pretty_exceptions_short=False, rich_markup_mode=None)


class _Loom(TyperGroup):
    """``loom`` itself: no command is imported before it is called, and help lists them by what they are for."""

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """Every command, by its name."""
        return self._lazy

    @commands.setter
    def commands(self, given: MutableMapping[str, Any]) -> None:
        """Nothing is given beforehand."""
        self._lazy = _Commands(COMMANDS)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands in their sections, and how to begin."""
        width = max(map(len, COMMANDS))
        for section in dict.fromkeys(command.section for command in COMMANDS.values()):
            with formatter.section(section):
                lines = [(f"{n:<{width}}", c.summary) for n, c in COMMANDS.items() if c.section == section]
                formatter.write_dl(lines)
        write_examples(formatter, "loom demo\nloom print weave-quick-start\nloom table")


app = typer.Typer(
    name="loom",
    cls=_Loom,
    help="Prints a tabletop kit, reads real dice and cards from a camera, and resolves five story games. "
    "loom COMMAND --help says more.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
)


def _say_version(wanted: bool) -> None:
    if wanted:
        from loomtable.engine.kernel.installation import version_in_full

        print(f"loomtable {version_in_full()}")
        raise typer.Exit


@app.callback()
def _begin(
    verbose: Annotated[bool, option("--verbose", "Report on standard error what happens.")] = False,
    file: Annotated[Path | None, option("--log", "Append what happens to this file.", "FILE")] = None,
    color: Annotated[str | None, option("--color", "Colours: auto, always or never.", "WHEN")] = None,
    version: Annotated[
        bool, option("--version", "Show the version.", is_eager=True, callback=_say_version)
    ] = False,
) -> None:
    from loomtable.table.commands import logs
    from loomtable.table.commands.output import choose_colour

    logs.start(verbose=verbose, file=file)
    choose_colour(color)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``loom`` with these arguments (those of the process by default) and exit."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run ``loom`` and return its exit code; every error of ours is one sentence on standard error."""
    prepare_output()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(args=given or ["--help"], prog_name="loom", standalone_mode=False)
    except typer.TyperException as error:
        print(f"loom: {refusal(error)}", file=sys.stderr)
        return BAD_INPUT
    except (typer.Abort, KeyboardInterrupt, EOFError):
        print("loom: stopped", file=sys.stderr)
        return STOPPED
    except LoomtableError as error:
        print(f"loom: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        return 0
    except OSError as error:  # a full disk, a folder that went away: trouble of the machine, not of ours
        print(f"loom: {error.filename or 'a file'}: {error.strerror or error}", file=sys.stderr)
        return BAD_INPUT
    except Exception:  # the last net: whatever nobody foresaw is written down, and told with what to do about it
        logger.exception("a command could not be finished")
        words = "something went wrong here, and it is our fault; loom doctor --report FILE writes down what helps"
        print(f"loom: {words}", file=sys.stderr)
        return DEFECT
    finally:
        # Close the log, where one was begun: help and versions come without.
        if begun := sys.modules.get("loomtable.table.commands.logs"):
            begun.stop()
    return code if isinstance(code, int) else 0
