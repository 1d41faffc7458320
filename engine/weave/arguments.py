"""What the arguments of Weave's actions can be, by what a viewer sees of the season."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

from loomtable.engine.kernel.arguments import HostsOnly, Names, View
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.weave.effect_words import quality_does
from loomtable.engine.weave.playset import Quality, QualityKind, playset, playset_names


def _players(seen: View) -> list[str]:
    return [*seen["players"], *(c["player"] for c in seen["characters"].values())]


def _figures(seen: View) -> list[str]:
    """Characters, the storyteller's people, and the Boss."""
    figures = [*seen["characters"], *seen["npcs"]]
    known = [one for one in seen["foundation"] if isinstance(one, Mapping)]
    return [*figures, *(one["quality"]["name"] for one in known if one["kind"] == "boss")] if figures else []


def _named(kind: QualityKind, *, owned: bool = True) -> Names:
    """The qualities of one kind, on sheets or, not ``owned`` by anybody, in play."""

    def qualities(seen: View) -> Iterable[View]:
        people = [*seen["characters"].values(), *seen["npcs"].values()]
        sheets = (q for one in people for q in one.get("qualities", ()))
        return (q["quality"] for q in (sheets if owned else seen["elements"]) if q["kind"] == kind)

    def does(seen: View, name: str) -> str:
        return next((quality_does(from_builtins(q, Quality)) for q in qualities(seen) if q["name"] == name), "")

    return Names(lambda seen: (q["name"] for q in qualities(seen)), does=does)


def _locations(seen: View) -> list[str]:
    """The Locations of the episode, as far as they are seen."""
    known = [one for one in (*seen["foundation"], *seen["elements"]) if isinstance(one, Mapping)]
    return [one["quality"]["name"] for one in known if one["kind"] == "location"]


def _by_saying_so(seen: View) -> list[str]:
    """What is always on and applied when people say so."""
    sheets = [q for c in seen["characters"].values() for q in c["qualities"]]
    sheets += [q for npc in seen["npcs"].values() for q in npc.get("qualities", ())]
    known = [one for one in (*sheets, *seen["foundation"], *seen["elements"]) if isinstance(one, Mapping)]
    mechanics = [(one["quality"]["name"], one["quality"].get("mechanic") or {}) for one in known]
    return [name for name, m in mechanics if any(p.get("at") == "any" for p in m.get("always", ()))]


def _cards(letter: str) -> Callable[[View], list[str]]:
    """The cards whose codes begin with a letter, in the storyteller's hand, and those that characters keep; none
    before a hand is drawn, as any card of the deck may be laid then."""

    def held(seen: View) -> list[str]:
        if not seen["hand_drawn"]:
            return []
        kept = [card for character in seen["characters"].values() for card in character["kept"]]
        return [*(card for card in seen["hand"] if card[:1] == letter), *kept]

    return held


STORYTELLERS = HostsOnly("the card is the storyteller's to choose; leave it out, and it is asked for")

Who = Annotated[str, Names(_figures, acting=True)]
Whom = Annotated[str, Names(_figures)]
PlayerName = Annotated[str, Names(_players, closed=False, acting=True)]
NpcName = Annotated[str, Names(lambda seen: seen["npcs"])]
Chooser = Annotated[str, Names(lambda seen: [*_players(seen), *_figures(seen)])]
"""Who picks a card unseen: a person at the table, not a character."""
PlaysetName = Annotated[
    str,
    Names(
        lambda seen: playset_names(),
        title=lambda name: playset(name).title,
        notes=lambda name: playset(name).content_notes,
    ),
]
TalentName = Annotated[str, _named(QualityKind.TALENT)]
AssetName = Annotated[str, _named(QualityKind.ASSET)]
AssetInPlay = Annotated[str, _named(QualityKind.ASSET, owned=False)]
FlawName = Annotated[str, _named(QualityKind.FLAW)]
MoveName = Annotated[str, _named(QualityKind.SIGNATURE_MOVE)]
SubplotName = Annotated[str, _named(QualityKind.SUBPLOT, owned=False)]
LocationName = Annotated[str, Names(_locations)]
PassiveName = Annotated[str, Names(_by_saying_so)]
ChallengeCard = Annotated[ComponentId, Names(_cards("C"), closed=False), STORYTELLERS]
StoryCard = Annotated[ComponentId, Names(_cards("S"), closed=False), STORYTELLERS]
