"""``loom play``: a session in the terminal; what is asked and what can be done stands in ``table/terminal``."""

from __future__ import annotations

import logging
from functools import partial
from typing import Annotated

from loomtable.engine.kernel.errors import UnknownAction
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands import completion
from loomtable.table.commands.options import argument, camera_option, option, session_option
from loomtable.table.commands.output import DEFAULT_STORE, StoreAt
from loomtable.table.settings import house_rules, setting

logger = logging.getLogger(__name__)


def play(
    system: Annotated[str, argument("What to play, e.g. weave.", "SYSTEM", completion.games)],
    session: Annotated[str | None, session_option("The session's name; by default, the game's.")] = None,
    store: StoreAt = DEFAULT_STORE,
    camera: Annotated[str | None, camera_option("The camera that :look looks through; otherwise as set.")] = None,
    seed: Annotated[
        str | None,
        option(
            "--seed", "Deal the same cards each time for this word, or as in the session of this name.", "TEXT"
        ),
    ] = None,
) -> None:
    """Play a game in the terminal; an existing session continues where you stopped."""
    from loomtable.table.hosting.following import read_anew
    from loomtable.table.store import open_store
    from loomtable.table.terminal.console import Screen, console_for_people
    from loomtable.table.terminal.editor import lines_from_people
    from loomtable.table.terminal.terminal import Terminal

    played = SYSTEMS[system]
    name = session or played.key
    screen = Screen(console_for_people())
    with open_store(store) as journals:
        journal = journals.journal(name)

        def keep(begun: Session[object]) -> Session[object]:
            journals.bring_in(name, begun.lines())
            logger.info("the session %r of %s is begun", name, played.title)
            return Session.resume(SYSTEMS, journals.journal(name))

        if journal.lines():
            evening: Session[object] = Session.resume(SYSTEMS, journal)
            if evening.system is not played:
                raise UnknownAction(
                    f"the session {name!r} is of {evening.system.title}: loom play {evening.system.key} "
                    f"--session {name!r} continues it; name another with --session"
                )
            steps = how_many(len(evening.played), "step", "steps")
            logger.info("the session %r of %s is taken up", name, played.title)
            screen.heading(played.title, f"session {name!r}, continued after {steps}")
        else:
            evening = Session.open(played, seed=journals.seed_of(seed or ""), rulings=house_rules(played))
            screen.heading(played.title, f"a new session, {name!r}")
            screen.say(played.presentation.about, "The first evening together? First: loom print session-zero")
        new = not journal.lines()
        Terminal(
            evening,
            screen,
            lines_from_people,
            keep=keep if new else None,
            confirm_kept=journals.confirm_kept,
            read_anew=partial(read_anew, journals, name),
            camera=camera or setting("camera"),
        ).run()
