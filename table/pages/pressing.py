"""What leads on from a panel: what can be pressed, as attributes for the scripts, and names that have a sheet."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from markupsafe import Markup, escape

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.table.screens.blocks import Lift, Press


def pressing(press: Press) -> dict[str, str]:
    """The attributes of an element: what pressing it does, and what is told of it before."""
    told = {"data-says": press.effect, "data-cost": press.cost, "data-odds": press.odds}
    label = {"aria-label": ", ".join(filter(None, told.values()))} if press.effect else {}
    return {**_done(press.what), "role": "button", "tabindex": "0", **told, **label}


def _done(what: Action | ChoiceReading | Lift) -> dict[str, str]:
    match what:
        case Action():
            return {"data-act": _action(what)}
        case ChoiceReading(keys=keys):
            return {"data-answer": json.dumps({"keys": keys})}
        case Lift(key=key, back=back):
            return {"data-tendril": key, "data-back": _action(back) if back is not None else ""}


def _action(action: Action) -> str:
    return json.dumps({"name": action.name, "args": action.args})


def linked(words: str, sheets: Mapping[str, str]) -> Markup:
    """Words with each name that has a sheet as a link to it."""
    html = str(escape(words))
    if not any(name in words for name in sheets):
        return Markup(html)
    places = {str(escape(name)): anchor for name, anchor in sheets.items()}
    longest_first = sorted(places, key=len, reverse=True)
    known = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"
    return Markup(re.sub(known, lambda found: f'<a href="#{places[found[0]]}">{found[0]}</a>', html))
