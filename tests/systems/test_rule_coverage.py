"""Every rule has its id, and every id is promised and touched by a transcript."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.transcript import Transcript, parse_transcript, replay
from loomtable.engine.systems import SYSTEMS

RULES = {
    "weave": [f"WV-{n}" for n in range(1, 28)],
    "spellwoven": [f"SP-{n}" for n in range(1, 24)],
    "storm-weavers": [f"SW-{n}" for n in range(1, 18)],
    "mnemonic": [f"MN-{n}" for n in range(1, 17)],
    "woven": [f"WO-{n}" for n in range(1, 17)],
}
PAGES = Path(__file__).parents[3] / "shared" / "rules"
TRANSCRIPTS = sorted(package_file("templates", "transcripts").glob("*.yaml"))


@cache
def shipped_transcripts() -> tuple[Transcript, ...]:
    return tuple(parse_transcript(path.read_text("utf-8"), path.name) for path in TRANSCRIPTS)


def promised(system: str) -> set[str]:
    return {
        rule for transcript in shipped_transcripts() if transcript.system == system for rule in transcript.rules
    }


@pytest.mark.parametrize("system", RULES)
def test_every_rule_is_covered_by_a_transcript(system: str) -> None:
    missing = [rule for rule in RULES[system] if rule not in promised(system)]
    assert not missing, f"no transcript covers {', '.join(missing)}"


SHOWN_ELSEWHERE = {"spellwoven": {"opportunity-attack", "join-conflict"}}


@pytest.mark.parametrize("system", RULES)
def test_every_action_is_played_in_a_transcript(system: str) -> None:
    steps = [
        step for transcript in shipped_transcripts() if transcript.system == system for step in transcript.play
    ]
    missing = SYSTEMS[system].actions.keys() - {step.do for step in steps}
    assert missing == SHOWN_ELSEWHERE.get(system, set())


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda p: p.stem)
def test_a_transcript_holds_and_touches_what_it_promises(path: Path) -> None:
    transcript = parse_transcript(path.read_text("utf-8"), path.name)
    assert transcript.rules, "a shipped transcript says which rules it shows"
    played = replay(path.read_text("utf-8"), path.name, SYSTEMS)
    assert played.expectations > 0
    assert set(transcript.rules) <= set(played.rules) <= set(RULES[transcript.system])


@pytest.mark.skipif(not PAGES.is_dir(), reason="the rule pages (../shared/rules) are not on this machine")
@pytest.mark.parametrize("system", RULES)
def test_the_ids_are_those_of_the_page(system: str) -> None:
    page = (PAGES / f"{system}.md").read_text("utf-8")
    assert re.findall(r"^\| ((?:WV|SP|SW|MN|WO)-\d+) \|", page, re.MULTILINE) == RULES[system]


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_the_page_of_a_game_leads_to_its_actions_and_rulings(system: str) -> None:
    """Both pages are made from the engine, and held to it in ``tests/test_documents.py``."""
    page = (Path(__file__).parents[2] / "docs" / "systems" / f"{system}.md").read_text("utf-8")
    for listed in ("actions", "rulings"):
        assert f"](../{listed}.md#{system})" in page
    named = set(re.findall(r"`([a-z]+(?:-[a-z]+)+|ambush|attack|move|rest|test|fight)`", page))
    assert named & set(SYSTEMS[system].actions), "a page that names no action tells nobody how to play"
