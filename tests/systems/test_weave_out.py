"""Whoever is out does not act, roll or keep the turn, wherever the third Wound comes from (WV-9, WV-23)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.requests import Choose, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.weave.cards.mechanics import Effect, EffectKind, Moment, Passive, Whom, Whose
from loomtable.engine.weave.encounter.turns import can_act
from loomtable.engine.weave.events.figures import LeftScene
from tests.systems.weave_own_cards import table_with, these_cards  # noqa: F401 - a fixture
from tests.systems.weave_table import Table, pick

BLOW = Effect(EffectKind.DEAL_STRIKES, 10, to=Whom.TARGET)
BOSS = {"who": "The Boss", "target": "Ilse", "suit": "gales"}
DONE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("move", {"who": "Ilse", "other": "The Boss", "closer": False}),
    ("attack", {"who": "Ilse", "target": "The Boss", "suit": "gales"}),
    *(("challenge", {"who": "Ilse", "suit": "stones", "card": f"C{n}"}) for n in (31, 32, 33, 34, 35)),
    ("use-talent", {"who": "Ilse", "talent": "Leap the Gap"}),
    ("use-asset", {"who": "Ilse", "asset": "Boat Anchor on a Chain"}),
    ("attack", {"who": "Ilse", "target": "The Boss", "asset": "Boat Anchor on a Chain"}),
    ("attack", BOSS),
    ("attack", {**BOSS, "target": "Odo"}),
    ("end-turn", {}),
    ("end-turn", {}),
)


def ticks_or_rolls(session: Session[Any], source: Random) -> None:
    """Everything that is asked is answered, everything ticked; no answer that fits may be refused."""
    asked = session.pending
    assert asked is not None
    if isinstance(asked, Choose) and asked.purpose.startswith("What holds"):
        session.answer(pick("1"))
        return
    session.answer(random_answer(asked, source))


def goes_on(table: Table, after: int, source: Random) -> list[str]:
    """Answer to the end; then whose turn it is can act, and who went out has not rolled since."""
    session = table.session
    for _ in range(60):
        if session.pending is None:
            break
        ticks_or_rolls(session, source)
    assert session.pending is None
    met = session.state.encounter
    assert met is None or not met.acting or can_act(session.state, met.acting)
    out: set[str] = set()
    for step in session.played[after:]:
        out |= {event.who for event in step.events if isinstance(event, LeftScene)}
        assert not (isinstance(step.pending, Roll) and step.pending.by in out), step.pending
    return sorted(out)


@pytest.mark.parametrize("judged", [False, True])
@pytest.mark.parametrize("at", sorted({*Moment} - {Moment.ANY, Moment.SHIFTED, Moment.SCENE}))
def test_a_third_wound_at_any_moment_leaves_no_question_open_and_no_turn_with_whoever_is_out(
    at: Moment, judged: bool
) -> None:
    """``any``, ``shifted`` and ``scene`` come to nobody here; two moments need a Wound that is not the third."""
    fell: list[str] = []
    cost = Passive(at=at, whose=Whose.ALL, judged=judged, effects=(BLOW,))
    for seed in range(12):
        source = Random(seed)
        table = table_with(cost) if seed % 2 else table_with(boss=(cost,))
        for who in ("Ilse", "Odo", "Ilse", "Odo")[: 2 if at in (Moment.WOUNDED, Moment.EPIC_FAIL) else 4]:
            table.strikes(who, 10)
        begin = {"against": ["The Boss"], "combat": True, "band": "melee"}
        for name, given in [("begin-encounter", begin), *source.choices(DONE, k=12)]:
            begun = len(table.session.played)
            try:
                table.session.perform(name, **given)
            except IllegalAction:
                continue
            fell += goes_on(table, begun, source)
    assert fell, "nobody went out"
