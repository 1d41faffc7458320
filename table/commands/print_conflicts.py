"""Options of ``loom print`` that do not go together: none is left out without a word."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

import typer

from loomtable.engine.kernel.errors import LoomtableError

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
_FACES = ("--single", "--profile pro", "--png", "--for")
_PICTURES = ("--png", "--for")
_SHEETS = ("--sides", "--backs-last", "--spacing", "--gutter", "--registration")
_MARKS = ("--marks", "--marks-on", "--corners")
CONFLICTS: Sequence[tuple[Collection[str], Collection[str], str]] = (
    (_FACES, ("--labels", *_SHEETS, *_MARKS), "each face is a page or picture of its own"),
    (
        _PICTURES,
        ("--cut", "--spot-cut", "--packed", "--fillable"),
        "pictures have no lines to cut, pages or fields",
    ),
    (_PICTURES, ("--profile pro", "--printer"), "pictures are for no press and no printer"),
    (["--png"], ["--for"], "a shop or screen has a resolution of its own"),
    (["--box"], ("--only", "--labels"), "a box is for a whole deck, on a whole page"),
    (["--png"], ["--copies"], "each face is one picture"),
    (["--for SHOP"], ["--paper"], "a shop prints cards alone"),
    (["--profile pro"], ["--fillable"], "a press prints no fields"),
    (["--profile low-ink"], ["--style"], "each says how much ink is used"),
    (["--registration"], _MARKS, "a cutting machine must find no other marks"),
    (["--registration"], ["--sides gutterfold"], "there is no room for both"),
    (("--sides gutterfold", "--sides fronts-only"), ["--backs-last"], "there are no pages of backs"),
    (["--sides gutterfold"], ["--marks-on"], "both sides are on the same page"),
    (["--spacing each"], ["--gutter"], "each says how far cards are apart"),
    (["--deck"], ["--all"], "a deck of your own is printed whole"),
    (["--sleeves"], ["--card-size"], "each says how large cards are"),
    (
        ["--deck"],
        ("--card-size", "--sleeves", "--tags", "--fillable", "--session", "--system"),
        "the template says what your cards look like",
    ),
    (["--deck"], ["--all"], "--all is for the kit of a game"),
    (["--labels"], ("--paper", *_SHEETS, *_MARKS), "labels have a place of their own, and no backs"),
)
"""Options, or single values of them, that have no effect beside others, and why. What ``--for`` names is a SHOP if
it is no screen."""


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
    for these, those, why in CONFLICTS:
        for option, other in product(these, those):
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
