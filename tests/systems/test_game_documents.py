"""The documents name every word that a game's files may use, and every file names its licence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.spellwoven import armoury
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.weave.cards.mechanics import EffectKind, Span, Whom
from loomtable.engine.weave.cards.playset import QualityKind
from loomtable.engine.woven import effects

HOME = Path(__file__).parents[2]
OPTIONAL = [name for name, ruling in SPELLWOVEN.rulings.items() if ruling.default == "off"]
WOVEN_EFFECTS = [
    effect.__struct_config__.tag
    for kind in (effects.CastEffect, effects.StandingEffect, effects.SpendEffect)
    for effect in kind.__args__
]
WORDS = {
    "playsets.md": (*QualityKind, *EffectKind, *Whom, *Span),
    "systems/spellwoven.md": (*OPTIONAL, *armoury.When, *armoury.TalentEffect, *armoury.Tag, *armoury.Proximity),
    "source/spells.md": (*WOVEN_EFFECTS, *effects.Where, *effects.Which, *effects.Loss, *effects.SacrificeGoes),
}
TEXTS = ("sentences.yaml", "mechanics.yaml", "talent_words.yaml", "odds.yaml")
"""Words of the program, under its own licence."""
FILES = [
    path
    for path in sorted(package_file("templates").rglob("*.yaml"))
    if path.parent.name not in ("transcripts", "decks", "ready", "maps")
    and path.name not in ("rulings.yaml", "reference.yaml", "arguments.yaml", "session-zero.yaml", *TEXTS)
]


@pytest.mark.parametrize("page", WORDS)
def test_a_page_names_every_word_of_a_games_files(page: str) -> None:
    text = (HOME / "docs" / page).read_text("utf-8")
    assert len(WORDS[page]) > 20
    for word in WORDS[page]:
        assert re.search(rf"[`{{ ]{word}[`:,]", text), word


def test_every_file_of_a_game_names_its_licence() -> None:
    assert len(FILES) > 30
    for path in FILES:
        assert re.search(r"^licence: (CC BY 4\.0|CC0)", path.read_text("utf-8"), re.MULTILINE), path.name
