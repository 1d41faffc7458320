"""What was given on the command line and cannot be used, said as the rest of the house speaks.

The library that reads the command line has words of its own for that; here every such refusal becomes one
sentence that says which option or argument, what was given, and what is wanted.
"""

from __future__ import annotations

import difflib
import re
from enum import Enum
from typing import Any

import typer

_LIKE_THIS = {
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "finite_number": "a number",
}
_NO_COMMAND = re.compile(r"No such command '(.*?)'\.")
_TOO_MUCH = re.compile(r"Got unexpected extra argument(?:\(s\)|s?) \((.*)\)")


def refusal(error: typer.TyperException) -> str:
    """The sentence for what the command line could not be read as; without a full stop, as all errors are."""
    context: Any = getattr(error, "ctx", None)
    command: Any = getattr(context, "command", None)
    where = getattr(context, "command_path", "loom")
    option = getattr(error, "option_name", None)
    if option is not None and hasattr(error, "possibilities"):
        options = [name for parameter in getattr(command, "params", ()) for name in parameter.opts]
        later = "" if not hasattr(command, "commands") else "; those of a command come after its name"
        return f"there is no option {option}{later}; {_near(option, options)}{where} --help lists them"
    if option is not None:
        return f"{option} takes no value" if "does not take" in str(error) else f"{option} needs a value after it"
    parameter: Any = getattr(error, "param", None)
    if parameter is not None:
        if hasattr(error, "param_type"):
            return f"{_called(parameter)} is missing{_what(parameter)}; {where} --help shows how it is written"
        return _unfit(error, parameter)
    said = error.format_message()
    if found := _NO_COMMAND.match(said):
        near = _near(found[1], list(getattr(command, "commands", ())))
        return f"there is no command {found[1]!r}; {near}{where} --help lists them"
    if found := _TOO_MUCH.match(said):
        return f"{found[1]!r} is more than this command takes; {where} --help shows what it takes"
    return said[:1].lower() + said[1:].rstrip(".")


def _unfit(error: typer.TyperException, parameter: Any) -> str:
    """A value that is not what the option or argument takes."""
    found: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    if not found:
        return f"{_called(parameter)}: {error.message.rstrip('.')}"
    why = found[0]
    given, limits = why.get("input"), why.get("ctx", {})
    if isinstance(parameter.default, Enum):
        choices = [str(choice.value) for choice in type(parameter.default)]
        return f"{_called(parameter)} is {', '.join(choices[:-1])} or {choices[-1]}, not {given!r}"
    if "ge" in limits:
        return f"{_called(parameter)} is at least {limits['ge']}, not {given}"
    if "le" in limits:
        return f"{_called(parameter)} is at most {limits['le']}, not {given}"
    wanted = _LIKE_THIS.get(why["type"])
    if wanted is None:
        return f"{_called(parameter)}: {given!r} cannot be used"
    return f"{_called(parameter)} takes {wanted}, not {given!r}"


def _called(parameter: Any) -> str:
    """``"--copies"`` for an option, ``"SYSTEM"`` for an argument, as the help shows them."""
    name: str = parameter.opts[0]
    return name if name.startswith("-") else name.upper()


def _what(parameter: Any) -> str:
    help_: str = getattr(parameter, "help", "") or ""
    return f" ({help_[:1].lower()}{help_[1:].rstrip('.')})" if help_ else ""


def _near(given: str, known: list[str]) -> str:
    near = difflib.get_close_matches(given, known, n=2, cutoff=0.75)
    return f"did you mean {' or '.join(near)}? " if near else ""
