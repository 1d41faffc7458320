"""The evenings that every run plays leave out nothing that the others have."""

from __future__ import annotations

from loomtable.engine.kernel.play import Action
from tests.playing import transcript
from tests.tiers import EVENINGS, TELLING


def done_in(name: str) -> set[tuple[str, ...]]:
    """The actions of an evening, and the kinds of questions with the kinds of their answers."""
    session = transcript(name)
    done, asked = set(), session.pending
    for played in session.played:
        what = played.step.what
        kind = what.name if isinstance(what, Action) else f"{type(asked).__name__} {type(what).__name__}"
        done.add((session.system.key, kind))
        asked = played.pending
    return done


def test_the_evenings_of_every_run_have_every_action_and_kind_of_question() -> None:
    assert set(EVENINGS) >= TELLING
    by_name = {name: done_in(name) for name in EVENINGS}
    told = set().union(*(by_name[name] for name in TELLING))
    missing = {name: done - told for name, done in by_name.items() if done - told}
    assert not missing, "add these evenings to TELLING in tests/tiers.py"
