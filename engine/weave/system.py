"""Weave as a system: how a season begins, and who may see what of it."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.system import (
    Looks,
    Presentation,
    Rules,
    SettingUp,
    System,
    no_setup,
    people_of,
    shipped_words,
)
from loomtable.engine.weave.cards.decks import name_of
from loomtable.engine.weave.cards.markers import marker_name
from loomtable.engine.weave.cards.playset import QualityKind
from loomtable.engine.weave.rulings import RULINGS
from loomtable.engine.weave.state import Season
from loomtable.engine.weave.words import hears, tell

FACE_DOWN = "face down"
SHOWN_OF_NPC = ("name", "enemy", "beaten")
SHOWN_OF_ALL = ("name", "player", "strikes", "wounds", "left")
"""What everybody sees of a character: Strikes and Wounds are marked before all eyes."""


def _view(season: Season, viewer: str) -> dict[str, Any]:
    """The storyteller sees everything but the order of the decks; a player far less (WV-5).

    A player sees the sheets of their own characters with the cards these kept, and what lies face up: the spread,
    the Locations, Subplots and Assets in play, who is there, the Strikes and Wounds of all characters, and the
    encounter. Not seen are hands, face-down cards, plans, other sheets, and the sheets of those whom the
    storyteller plays.
    """
    view: dict[str, Any] = to_builtins(season)
    view["tracks"] = {n: {k: c[k] for k in SHOWN_OF_ALL} for n, c in view["characters"].items()}
    for deck in ("story", "challenges"):
        view[deck] = {"pile": len(view[deck]["pile"]), "discards": len(view[deck]["discards"])}
    if viewer == STORYTELLER:
        return view
    own = {n: c for n, c in view["characters"].items() if c["player"] == viewer}
    view["characters"] = _without(own, season.face_down_names)
    view["npcs"] = {n: {k: npc[k] for k in SHOWN_OF_NPC} for n, npc in view["npcs"].items()}
    view["foundation"] = [FACE_DOWN] * len(season.foundation)
    view["place"] = "" if season.place in season.face_down_names else season.place
    view["hand"] = [FACE_DOWN] * len(season.hand)
    view["face_down"] = FACE_DOWN if season.face_down else None
    view["plan"] = None
    view["judged"] = {}
    view["season_wide"] = []
    view["past"] = [q for q in view["past"] if q["kind"] == QualityKind.LOCATION]
    return view


def _without(seen: Any, hidden: frozenset[str]) -> Any:
    """What somebody sees without the names of cards that lie face down, such as of a place that gives a die."""
    if isinstance(seen, dict):
        return {_without(key, hidden): _without(value, hidden) for key, value in seen.items()}
    if isinstance(seen, list):
        return [_without(value, hidden) for value in seen]
    return FACE_DOWN if seen in hidden else seen


WEAVE: System[Season] = System(
    "weave",
    "Weave",
    rules=Rules(
        version="4",
        rulings=RULINGS,
        earlier={"3": {"cards-edition": "first", "talent-strikes": "no-attack", "missed-attack": "waits"}},
    ),
    setting_up=SettingUp(
        begin=no_setup("Weave", Season),
        people=lambda season: people_of(season.characters, *season.players),
        led=lambda game: game.rulings["challenge-level"] != "top-card",
    ),
    words=shipped_words("weave", tell, hears),
    looks=Looks(view=_view, turn=lambda season: season.encounter.acting if season.encounter is not None else ""),
    presentation=Presentation(
        episodes=True,
        card_names={Kind.STORY: name_of, Kind.CHALLENGE: name_of, Kind.MARKER: marker_name},
        about="Seasons of episodes, woven from Story cards, suits and dice with symbols.",
        motif="loom",
        groups=("Challenges", "The scene", "Encounters", "Ideas from the cards", "Characters", "The season"),
        quick_start=package_file("templates", "quick_starts", "weave.yaml"),
        evening="weave-an-hour-ahead",
        likely=("attack", "challenge", "add-character", "answer-invitation", "new-season"),
        ready_evenings=(
            *(
                package_file("templates", "ready_evenings", f"{name}.yaml")
                for name in ("weave", "weave-first-fight", "weave-still-harbour", "weave-alone")
            ),
        ),
    ),
)
"""Seasons of episodes, from Story cards, Challenge cards and suit dice."""
