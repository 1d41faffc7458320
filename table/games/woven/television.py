"""Woven on a television: the land as large as it goes, and every mage's tapestry and mana."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.region_map import region_map
from loomtable.engine.woven.spells import spell_named
from loomtable.table.games.woven.map import COLOURS, land_picture
from loomtable.table.games.woven.tapestry import tapestry_picture
from loomtable.table.screens.panel import Seen, fitted, joined, only_seen
from loomtable.table.screens.television import Television, person_card, prose


def television(session: Session[Any], seen: Seen) -> Television:
    """The television of a contest."""
    if not seen["mages"]:
        return Television(title="Woven", stage=prose(session.system.presentation.about))
    winners = seen["winners"]
    if winners:
        title = f"{' and '.join(winners)} won"
    elif seen["turn"]:
        title = f"{seen['turn']['mage']}'s turn"
    else:
        title = "Before the first turn"
    last = f" of {seen['last_round']}" if seen["last_round"] else ""
    rounds = f"Round {seen['round']}{last}" if seen["round"] else ""
    return Television(
        title=title,
        subtitle=" · ".join(filter(None, (region_map(seen["map"]).title if seen["map"] else "", rounds))),
        stage=only_seen(land_picture(session, "", seen)) if seen["map"] else Markup(),
        people=tuple(_mage(seen, name) for name in seen["mages"]),
    )


def _mage(seen: Seen, name: str) -> Markup:
    mage = seen["mages"][name]
    lies = {
        "pool": mage["pool"],
        "spent": mage["spent"],
        "threads": len(mage["tapestry"]["threads"]),
        "tendrils": sum(mage["tendrils"].values()),
        "charges": sum(mage["charges"].values()),
    }
    bar = joined(fitted('<i class="{kind}"></i>', kind=kind) * count for kind, count in lies.items())
    charged = ", ".join(spell_named(key).name for key in mage["charges"])
    points = f"{mage['points']} points" if mage["points"] else ""
    lost = f"body lost {mage['destroyed']}×" if mage["destroyed"] else ""
    words = " · ".join(filter(None, (f"{mage['pool']} mana", points, lost, charged)))
    now = (seen["turn"] or {}).get("mage") == name
    inside = fitted(
        '<div class="weaver">{tapestry}<p class="mana" aria-hidden="true">{bar}</p></div><p>{words}</p>',
        tapestry=only_seen(tapestry_picture(name, mage)),
        bar=bar,
        words=words,
    )
    return person_card(name, inside, state=f"seat-{COLOURS[mage['colour']]}{' now' if now else ''}")
