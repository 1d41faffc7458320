"""The documents of Weave name all there is, and the transcripts touch every rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.weave.mechanics import EffectKind, Span, Whom
from loomtable.engine.weave.playset import QualityKind
from loomtable.engine.weave.rules import WEAVE

HOME = Path(__file__).parents[2]
PLAYSETS = (HOME / "docs" / "playsets.md").read_text("utf-8")
RULES = [f"WV-{n}" for n in range(1, 28)]


def test_the_playset_page_names_every_kind_effect_and_target() -> None:
    for word in (*QualityKind, *EffectKind, *Whom, *Span):
        assert re.search(rf"[`{{ ]{word.value}[`:,]", PLAYSETS), word


TRANSCRIPTS = [
    yaml.load(text, Loader=yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader)
    for text in (p.read_text("utf-8") for p in package_file("templates", "transcripts").glob("*.yaml"))
    if "system: weave\n" in text
]


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_played_by_an_action_and_touched_by_a_transcript(rule: str) -> None:
    assert any(rule in action.rules for action in WEAVE.actions.values())
    # A transcript fails if it does not touch what it promises, so promises can be counted.
    assert any(rule in written["rules"] for written in TRANSCRIPTS)


def test_every_action_is_played_in_a_transcript() -> None:
    played = {step["do"] for written in TRANSCRIPTS for step in written["play"] if "do" in step}
    assert played == set(WEAVE.actions)
