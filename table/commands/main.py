"""``loom``: the commands put together, and the one place where errors become sentences and exit codes.

Exit codes: 0 all is well; 1 the work was done and the answer is no (a transcript does not hold, dice are doubtful
or unseen); 2 something that was given cannot be used, with one sentence on standard error; 3 a defect of ours.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import loomtable
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands import (
    board,
    calibrate,
    cameras,
    check,
    chronicle,
    demo,
    dice,
    doctor,
    journal,
    logs,
    odds,
    play,
    printing,
    read,
    replay,
    rulings,
    scan,
    table,
)
from loomtable.table.commands.given import refusal
from loomtable.table.commands.map import map_

logger = logging.getLogger(__name__)
BAD_INPUT = 2
DEFECT = 3
STOPPED = 130

app = typer.Typer(
    name="loom",
    help="Prints a tabletop kit, reads real dice and cards from a camera, and resolves five story games.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(wanted: bool) -> None:
    if wanted:
        print(f"loomtable {loomtable.__version__}")
        raise typer.Exit


@app.callback()
def _log(
    verbose: Annotated[bool, typer.Option("--verbose", help="Say on standard error what is going on.")] = False,
    file: Annotated[
        Path | None,
        typer.Option("--log", metavar="FILE", help="Add what is going on to this file.", show_default=False),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Say which version this is.", is_eager=True, callback=_say_version)
    ] = False,
) -> None:
    logs.start(verbose=verbose, file=file)


app.command("demo")(demo.demo)
app.command("print")(printing.print_)
app.add_typer(calibrate.app, name="calibrate")
app.command("scan")(scan.scan)
app.command("read")(read.read)
app.command("board")(board.board)
app.add_typer(dice.app, name="dice")
app.command("table")(table.table)
app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("journal")(journal.journal)
app.command("chronicle")(chronicle.chronicle)
app.command("rulings")(rulings.rulings)
app.add_typer(odds.app, name="odds")
app.command("map")(map_)
app.command("check")(check.check)
app.command("cameras")(cameras.cameras_)
app.command("doctor")(doctor.doctor)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``loom`` with these arguments (those of the process by default) and exit."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run ``loom`` and return its exit code; every error of ours is one sentence on standard error."""
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
        return BAD_INPUT
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
        logs.stop()
    return code if isinstance(code, int) else 0
