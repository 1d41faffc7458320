"""What the arguments of Weave's actions can be, by what a viewer sees of the season."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

from loomtable.engine.kernel.arguments import HostsOnly, Names, View
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.weave.cards.effect_words import quality_does
from loomtable.engine.weave.cards.playset import Quality, QualityKind, playset_head, playset_names


def _players(view: View) -> list[str]:
    return [*view["players"], *(c["player"] for c in view["characters"].values())]


def _figures(view: View) -> list[str]:
    """Characters, the storyteller's people, and the Boss."""
    figures = [*view["characters"], *view["npcs"]]
    known = [card for card in view["foundation"] if isinstance(card, Mapping)]
    return [*figures, *(card["quality"]["name"] for card in known if card["kind"] == "boss")] if figures else []


def _named(kind: QualityKind, *, owned: bool = True) -> Names:
    """The qualities of one kind, on sheets or, not ``owned`` by anybody, in play."""

    def qualities(view: View) -> Iterable[View]:
        people = [*view["characters"].values(), *view["npcs"].values()]
        sheets = (q for person in people for q in person.get("qualities", ()))
        return (q["quality"] for q in (sheets if owned else view["elements"]) if q["kind"] == kind)

    def does(view: View, name: str) -> str:
        return next((quality_does(from_builtins(q, Quality)) for q in qualities(view) if q["name"] == name), "")

    return Names(lambda view: (q["name"] for q in qualities(view)), does=does)


def _locations(view: View) -> list[str]:
    """The Locations of the episode, as far as they are seen."""
    known = [card for card in (*view["foundation"], *view["elements"]) if isinstance(card, Mapping)]
    return [card["quality"]["name"] for card in known if card["kind"] == "location"]


def _by_saying_so(view: View) -> list[str]:
    """What is always on and applied when people say so."""
    sheets = [q for c in view["characters"].values() for q in c["qualities"]]
    sheets += [q for npc in view["npcs"].values() for q in npc.get("qualities", ())]
    known = [card for card in (*sheets, *view["foundation"], *view["elements"]) if isinstance(card, Mapping)]
    mechanics = [(card["quality"]["name"], card["quality"].get("mechanic") or {}) for card in known]
    return [name for name, m in mechanics if any(p.get("at") == "any" for p in m.get("always", ()))]


def _cards(letter: str) -> Callable[[View], list[str]]:
    """The cards whose codes begin with a letter, in the storyteller's hand, and those that characters keep; none
    before a hand is drawn, as any card of the deck may be laid then."""

    def held(view: View) -> list[str]:
        if not view["hand_drawn"]:
            return []
        kept = [card for character in view["characters"].values() for card in character["kept"]]
        return [*(card for card in view["hand"] if card[:1] == letter), *kept]

    return held


STORYTELLERS = HostsOnly("the card is the storyteller's to choose; leave it out, and it is asked for")

Who = Annotated[str, Names(_figures, acting=True)]
Whom = Annotated[str, Names(_figures)]
PlayerName = Annotated[str, Names(_players, closed=False, acting=True)]
NpcName = Annotated[str, Names(lambda view: view["npcs"])]
Chooser = Annotated[str, Names(lambda view: [*_players(view), *_figures(view)])]
"""Who picks a card unseen: a person at the table, not a character."""
PlaysetName = Annotated[
    str,
    Names(
        lambda view: playset_names(),
        title=lambda name: playset_head(name).title,
        notes=lambda name: playset_head(name).content_notes.strip(),
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
