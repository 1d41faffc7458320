"""Options of ``loom print`` that do not go together: none is left out without a word."""

from __future__ import annotations

from itertools import product

import msgspec
import typer

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.yamlfile import Titled, parse_yaml

SCREENS = {"tabletop-simulator": True, "screen": False}
"""What ``--for`` knows besides shops: whether it is a saved object of Tabletop Simulator."""

NEEDS = {
    "--icc": "--profile pro",
    "--template": "--deck",
    "--watch": "--deck",
    "--distance": "--camera",
    "--store": "--session",
}
"""Options that say nothing without another one."""

WATCHED = ("--watch", "--deck", "--template")
"""All that goes with ``--watch``."""


class _Conflict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options, or single values of them, that have no effect beside others, and why.

    What ``--for`` names is a SHOP if it is no screen.
    """

    these: list[str]
    those: list[str]
    why: str


class _Conflicts(Titled, frozen=True, forbid_unknown_fields=True):
    conflicts: list[_Conflict]


def refuse_conflicts(context: typer.Context) -> None:
    """Refuse options of which one would have no effect.

    Raises:
        LoomtableError: two that were given do not go together, or one lacks the one it belongs to.
    """
    given = _given(context)
    others = [word for word in given if not word.startswith(("--list", "--json"))]
    if "--list" in given and others:
        raise LoomtableError(f"--list shows all there is; leave {others[0]} out")
    if "--watch" in given and (others := [word for word in others if word.split()[0] not in WATCHED]):
        raise LoomtableError(f"--watch shows a deck and prints nothing; leave {others[0]} out")
    for option, owner in NEEDS.items():
        if option in given and owner not in given:
            raise LoomtableError(f"{option} belongs to {owner}; give both, or neither")
    text, name = shipped("commands", "conflicts.yaml")
    conflicts = parse_yaml(text, _Conflicts, name)[0].conflicts
    for option, other, why in ((o, p, c.why) for c in conflicts for o, p in product(c.these, c.those)):
        if option in given and other in given:
            raise LoomtableError(f"{option} and {other} do not go together: {why}; leave one of the two out")


def _given(context: typer.Context) -> list[str]:
    """What was typed, as the tables above name it: each option, and each with its value."""
    given: list[str] = []
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is None or source.name != "COMMANDLINE":
            continue
        name, value = parameter.opts[0], context.params[parameter.name or ""]
        if not name.startswith("-"):
            given += value
            continue
        given += [name, f"{name} {value}"]
        if name == "--for" and value not in SCREENS:
            given.append("--for SHOP")
    return given
