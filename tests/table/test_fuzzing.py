"""Whatever is sent to any route as any role: an answer with a sentence, never a defect, and journals that fold."""

from __future__ import annotations

import itertools
import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loomtable.engine.systems import SYSTEMS
from loomtable.table.app import routes
from loomtable.table.hosting.devices import Role
from tests.table.fuzzing import NOW, Sent, Trial, action_names, field_names, requests, send_all, trial
from tests.tiers import examples, thorough


@given(st.lists(requests(), min_size=10, max_size=10))
@settings(examples(6, 100), suppress_health_check=list(HealthCheck))
def test_requests_with_right_names_and_wrong_shapes_are_answered_and_hurt_no_journal(several: list[Sent]) -> None:
    send_all(several)


def test_the_names_of_fields_come_from_the_source_that_reads_them() -> None:
    assert {"revision", "action", "answer", "seq", "why", "args", "setup", "inserted", "what"} <= set(
        field_names()
    )
    assert len(field_names()) < len(routes()) * 3, "words that are no names of fields"


VALUES = [2**64, -(2**64), 10**30, 1e308, "\x00", ["Ada", "Ben"], {"a": {"b": [1]}}, [[[]]], True, None]
TYPED = [
    "2025-03-01",
    ".inf",
    ".nan",
    "1e400",
    "0x" + "f" * 40,
    "9" * 5000,
    "*a",
    "!!python/name:os.system",
    '{"a": "\\ud800"}',
]


@thorough
def test_no_argument_of_any_action_is_a_defect() -> None:
    """Each argument of each action of each game in turn, as JSON and as typed into the page's form."""
    values, typed = itertools.cycle(VALUES), itertools.cycle(TYPED)
    with trial() as at_table:
        for key, system in SYSTEMS.items():
            for action in sorted(system.actions):
                for name in action_names()[action]:
                    _send(at_table, key, {"action": action, "args": {name: next(values)}})
                    _send(at_table, key, {"action": action, f"arg.{name}": next(typed)})
        at_table.end()


def _send(at_table: Trial, key: str, fields: dict[str, object]) -> None:
    body = json.dumps({"revision": NOW, **fields}).encode()
    answer = at_table.send(Sent(Role.HOST, "POST", f"/api/play/{key}/act", body, "application/json"))
    assert answer.status in (200, 303, 400), answer.text
