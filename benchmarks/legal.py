"""What it costs to know what can be begun now, beside 200 fillings of each action tried one after another.

Last: 1.1 to 4.2 ms, at most 0.9 times; in a conflict of eight 4.8 ms, 0.3 times.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import islice, product
from typing import Any

from benchmarks.timing import cpu_of, report
from loomtable.engine.kernel.action_rules import STORYTELLER, ActionRule
from loomtable.engine.kernel.arguments import fields_in
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.legal import Candidates, why_not
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.ready_evening import begun_ready
from loomtable.engine.systems import SYSTEMS
from loomtable.table.choices.groups import moves_of

FILLINGS = 200


def ready(key: str) -> Session[Any]:
    """The ready evening of a game, at the first moment at which something can be begun."""
    session = begun_ready(SYSTEMS[key], "tonight", random.Random(1))
    settled(session)
    return session


def settled(session: Session[Any]) -> None:
    """Answer by chance whatever is asked."""
    source = random.Random(2)
    while session.pending is not None:
        session.take(random_answer(session.pending, source))


def in_order(session: Session[Any]) -> list[str]:
    """The actions that one of their first fillings begins; others that are possible are missed."""
    able, start = session.system.candidates(session.game, STORYTELLER), session.system.start
    return [
        rule.name
        for rule in session.system.begun_by(session.game, STORYTELLER)
        if not all(why_not(start, session.game, one) for one in islice(_fillings(rule, able), FILLINGS))
    ]


def _fillings(rule: ActionRule, able: Candidates) -> Iterator[Action]:
    """What is needed in every way, then each other argument besides."""
    fields = {f.encode_name: f for f in fields_in(rule.arguments)}
    needed = [name for name, f in fields.items() if f.required]
    for added in ([], *([name] for name in fields if name not in needed)):
        names = [*needed, *added]
        for values in product(*(able.of(fields[name].type) for name in names)):
            yield Action(rule.name, dict(zip(names, values, strict=True)))


def main() -> None:
    """Print the table."""
    evenings = {SYSTEMS[key].title: ready(key) for key in sorted(SYSTEMS)}
    evenings["Spellwoven, a conflict of eight"] = ready("spellwoven")
    evenings["Spellwoven, a conflict of eight"].perform("begin-conflict")
    settled(evenings["Spellwoven, a conflict of eight"])
    print("| what | ours | beside | peer | ratio |\n| --- | --- | --- | --- | --- |")
    for title, session in evenings.items():
        every = set(session.system.actions)
        likely = moves_of(session, STORYTELLER, every).likely
        peer = cpu_of(5, partial(in_order, session))
        listed = cpu_of(5, partial(moves_of, session, STORYTELLER, every))
        form = cpu_of(5, partial(session.system.possible_values, session.game, STORYTELLER, likely))
        report(f"{title}: the list of actions", listed, f"{FILLINGS} fillings in order", peer)
        report(f"{title}: the form of {likely}", form, f"{FILLINGS} fillings in order", peer)


if __name__ == "__main__":
    main()
