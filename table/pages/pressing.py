"""What can be pressed on a panel, as attributes that the page's scripts understand."""

from __future__ import annotations

import json

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
