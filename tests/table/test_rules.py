"""A tag such as WV-17 leads to the rule in our words, wherever it is shown; and everything can be searched."""

from __future__ import annotations

import io
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from loomtable.engine.kernel.play import Action
from loomtable.engine.systems import SYSTEMS
from loomtable.table.choices.rules import about, rules_of
from loomtable.table.hosting.devices import Role
from tests.short import Loom
from tests.table.asking import Table

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_every_rule_that_a_game_names_is_told_in_words(key: str) -> None:
    system = SYSTEMS[key]
    rules = rules_of(system, system.rulings.defaults())
    told = {rule.id for rule in rules if any(block.text or block.table for block in rule.blocks)}
    engine = "".join(file.read_text("utf-8") for file in (ROOT / "engine" / key.replace("-", "_")).rglob("*.py"))
    named = set(re.findall(r'"([A-Z]{2}-\d+)"', engine)) | {one.rule for one in system.rulings.values()}
    assert len(named) > 9 and not named - told


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_every_tag_on_a_page_leads_to_its_rule(key: str, friday: Table) -> None:
    live = friday.host.begin_ready(key, seed="tags")
    host, here = friday.join(Role.HOST), f"/table/{quote(live.name)}"
    tags = {tag for page in ("", "/journal", "/rulings") for tag in leads_to(host.get(here + page).text, here)}
    for name in live.session.system.actions:
        tags |= leads_to(host.get(f"{here}?do={name}").text, here)
    rules = host.get(f"{here}/rules").text
    assert len(tags) > 5
    assert not [tag for tag in tags if f'<section class="paper rule" id="{tag}"' not in rules]


def leads_to(page: str, here: str) -> set[str]:
    """The tags on a page, each of which is a link to its rule."""
    shown = re.findall(r'<(\w+) class="rule-id"([^>]*)>([^<]+)<', page)
    assert all(kind == "a" and f'href="{here}/rules#{tag}"' in rest for kind, rest, tag in shown)
    return {tag for _, _, tag in shown}


def test_a_question_and_its_result_lead_to_the_rule_and_a_television_has_nothing_to_press(friday: Table) -> None:
    host = friday.join(Role.HOST)
    assert leads_to(host.get("/table/friday").text, "/table/friday") == {"SW-3"}
    host.post("/api/play/friday/answer", revision=str(friday.host.live_session("friday").revision), random="1")
    assert 'href=\\"/table/friday/rules#SW-3\\"' in host.get("/api/play/friday/result").text
    assert "/rules" not in friday.join(Role.SCREEN).get("/room/friday").text


def test_a_rule_says_how_this_table_rules_and_before_a_session_how_it_is_usual(friday: Table) -> None:
    host = friday.join(Role.HOST)
    usual, other = SYSTEMS["storm-weavers"].rulings["health-exactly-4"].choices[:2]
    assert usual.says in host.get("/table/friday/rules").text
    live = friday.host.live_session("friday")
    host.post("/api/play/friday/answer", revision=str(live.revision), random="1")
    live.take(Action("ruling", {"ruling": "health-exactly-4", "choice": other.key}), by="", revision=live.revision)
    assert other.says in host.get("/table/friday/rules").text
    assert usual.says in host.get("/rules/storm-weavers").text


def test_words_find_rules_rulings_and_actions_without_a_script(friday: Table) -> None:
    found = friday.join(Role.PLAYER, "Ada").get("/table/friday/rules?find=CUNNING+strike").text
    assert 'id="SW-11"' in found and 'id="SW-4"' not in found
    assert "Nothing is said of that" in friday.join(Role.HOST).get("/rules/weave?find=%3Cdragon%3E").text
    rules = rules_of(SYSTEMS["weave"], SYSTEMS["weave"].rulings.defaults())
    assert [rule.id for rule in about(rules, "run out PILE")] == ["WV-13"], "a ruling by its question"
    assert "WV-19" in {one.id for one in about(rules, "auto-pass")}, "an action by its name"
    assert about(rules, "") == rules


def test_help_with_a_tag_tells_the_rule(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, loom: Loom) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("help sw-4\n"))
    assert "Coin  [SW-4]" in loom("play", "storm-weavers", "--store", tmp_path / "s.db").out
