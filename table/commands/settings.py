"""``loom settings``: what is set for this machine, looked at and changed."""

from __future__ import annotations

from typing import Annotated, Any

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands.completion import settings_names, settings_values
from loomtable.table.commands.options import argument, option
from loomtable.table.commands.output import AsJson, say, write_json
from loomtable.table.settings import (
    CHECKS,
    HOUSE_RULES,
    change_setting,
    known_setting,
    read_settings,
    settings_file,
    usual_store,
)

_MEANS = {
    "camera": "the camera that commands use when you name no picture",
    "paper": "the paper size",
    "printer": "the printer profile that corrects prints",
    "store": "where sessions are kept",
    "colour": "colours in the terminal: auto, always or never",
}


def settings(
    name: Annotated[
        str | None,
        argument(
            "camera, paper, printer, store, colour; or GAME.RULING for a house rule.", "NAME", settings_names
        ),
    ] = None,
    value: Annotated[str | None, argument("The new value.", "VALUE", settings_values)] = None,
    reset: Annotated[bool, option("--reset", "Forget the setting, and use the default again.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is set for this machine, or change it. Options on the command line override it.

    House rules apply to sessions that begin afterwards.
    """
    if name is None and (reset or value is not None):
        raise LoomtableError("name the setting: loom settings paper --reset")
    if reset and value is not None:
        raise LoomtableError("give a value or --reset, not both")
    if name is not None:
        known_setting(name)
    if name is not None and (reset or value is not None):
        change_setting(name, value)
    lines = [line for line in _lines() if name in (None, line["name"])]
    if as_json:
        write_json({"file": str(settings_file()), "settings": lines})
        return
    if name is None:
        say(f"Kept in {settings_file()}:")
    elif not lines:
        say(f"{name}: default")
    for line in lines:
        means = f"  ({line['means']})" if line["means"] else ""
        say(f"  {line['name']:<8} {line['value']}{'' if line['set'] else '  default'}{means}")
    if name is None:
        say("Change one: loom settings paper letter. A house rule: loom settings GAME.RULING CHOICE.")


def _lines() -> list[dict[str, Any]]:
    given = read_settings()
    usual = {"camera": "none", "paper": "a4", "printer": "none", "store": usual_store(), "colour": "auto"}
    lines = [
        {"name": name, "value": given.get(name, usual[name]), "set": name in given, "means": _MEANS[name]}
        for name in CHECKS
    ]
    rules = given.get(HOUSE_RULES, {})
    return lines + [
        {"name": f"{game}.{ruling}", "value": choice, "set": True, "means": ""}
        for game, chosen in rules.items()
        for ruling, choice in chosen.items()
    ]
