"""What people write for Weave: its checks, and what the installed decks and playsets should have."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.engine.weave.cards.decks import challenge_deck, parse_story_deck, story_deck
from loomtable.engine.weave.cards.mechanics import Vocabulary
from loomtable.engine.weave.cards.playset import QualityKind, parse_playset, playset, playset_names
from loomtable.printkit.draw.art import art_names
from loomtable.table.content.sorts import GameContent

LEAST_BACKSTORIES, LEAST_OPTIONS = 3, 2
"""Options that a shipped playset has on every Story card: backstories and talents, and each other kind."""


def _shortfalls() -> Iterator[str]:
    for card in story_deck():
        if card.motif not in art_names("motifs"):
            yield f"story-deck.yaml: nobody drew {card.motif!r}, the picture of {card.name}"
    for name in playset_names():
        if not (playset(name).people and playset(name).places):
            yield f"{name}.yaml: nobody says who is who (people) and where is where (places)"
        named: dict[str, str] = {}
        for card in story_deck():
            for kind in QualityKind:
                least = LEAST_OPTIONS
                if kind in (QualityKind.BACKSTORY, QualityKind.TALENT):
                    least = LEAST_BACKSTORIES
                options = playset(name).options(card.number, kind)
                if len(options) < least:
                    yield f"{name}.yaml: {card.name} offers {len(options)} of {kind}; {least} are needed"
                for option in options:
                    if named.setdefault(f"{kind} {option.name}", card.name) != card.name:
                        first = named[f"{kind} {option.name}"]
                        yield f"{name}.yaml: the {kind} {option.name!r} is offered by {first} and by {card.name}"


def _summary() -> str:
    titles = ", ".join(playset(name).title for name in playset_names())
    return f"{len(story_deck())} Story cards, {len(challenge_deck())} Challenge cards; playsets: {titles}"


CONTENT = GameContent(
    {
        "playset": parse_playset,
        "story_cards": parse_story_deck,
        "moments": lambda text, name: parse_yaml(text, Vocabulary, name),
    },
    shortfalls=_shortfalls,
    begun=frozenset({"playset"}),
    summary=_summary,
)
