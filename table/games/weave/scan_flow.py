"""``loom scan --for``: cards become a step of Weave, put right in the terminal before it counts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import IllegalAction, LoomtableError, ReadingMisfit
from loomtable.engine.kernel.readings import Source
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import ended
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.cards.playset import playset as playset_
from loomtable.engine.weave.cards.playset import playset_names
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.state import Season
from loomtable.table.commands.output import say, warn
from loomtable.table.games.weave.card_setup import For, ScanFlow
from loomtable.table.reading.card_trial import proposal_lines
from loomtable.table.reading.typed import AT_RANDOM, typed_number, typed_reading
from loomtable.table.settings import house_rules
from loomtable.table.store import open_store
from loomtable.table.terminal.editor import PlainLines
from loomtable.vision.cards import SeenCard

NOT_DONE = 1
_NEED_A_SEASON = (For.CHARACTER, For.LOCATION, For.HAND)
"""What can be set up as soon as there is a season, and not before."""
HELP = """\
A card whose code is torn is typed by its short code: S7. A question is answered by a number or in words.
:not S7  that card does not count   :swap 1 2  another order   :look  look again
:yes  do it   :quit  leave all as it is"""

Look = Callable[[Callable[[Sequence[SeenCard]], tuple[str, ...]]], tuple[str, ...]]
"""Looks at the table, hands over the cards that lie there, and returns what there is to say about them."""


def scan_for(
    step: str,
    session: str,
    store: str,
    look: Look,
    *,
    who: str | None = None,
    player: str | None = None,
    playset: str | None = None,
) -> int:
    """Set up one step of the session with cards; the exit code is 0 once it was done.

    Where there is no season yet, beginning one is offered first. A session that cannot be begun so is not kept.
    """
    with open_store(store) as journals:
        journal = journals.journal(session)
        rulings, is_begun = house_rules(WEAVE), bool(journal.lines())
        evening: Session[Season] = (
            Session.resume(SYSTEMS, journal) if is_begun else Session.open(WEAVE, rulings=rulings)
        )
        purpose = For(step)
        steps = [purpose]
        has_season = evening.system is not WEAVE or evening.state.name  # other games are refused later
        if purpose in _NEED_A_SEASON and not has_season and (player or purpose is not For.CHARACTER):
            playset = _offered_season(session, playset)
            steps = [For.EPISODE, purpose]
        given = {"who": who, "player": player, "playset": playset}
        ScanFlow.begin(evening, steps[0], **given)
        if not is_begun:
            evening = Session.open(WEAVE, rulings=rulings, journal=journal)
        say(*HELP.splitlines())
        for asked in steps:
            if not _Talk(ScanFlow.begin(evening, asked, **given), look, session).run():
                return NOT_DONE
        return 0


def _offered_season(session: str, playset: str | None) -> str:
    """The playset of the season that somebody begins first.

    Raises:
        IllegalAction: nobody wants to, or there is no such playset.
    """
    say(f"There is no season in the session {session!r} yet. Begin one now, with three Story cards? (:yes)")
    if PlainLines().line() != ":yes":
        why = f"there is no season yet; begin one: loom scan --for episode --playset NAME --session {session!r}"
        raise IllegalAction(why)
    if playset is not None:
        return playset
    names = playset_names()
    say("Which playset?", *(f"  {place}  {playset_(name).title}" for place, name in enumerate(names, start=1)))
    typed = PlainLines().line() or ""
    if typed.isdecimal() and 1 <= int(typed) <= len(names):
        return names[int(typed) - 1]
    return typed


class _Talk:
    """Reads lines and puts the flow right by them, until it is confirmed or given up."""

    def __init__(self, flow: ScanFlow, look: Look, session: str) -> None:
        self._flow = flow
        self._session = session
        self._look = look
        self._chance = random.SystemRandom()
        self._told: tuple[ComponentId, ...] = ()

    def run(self) -> bool:
        """Whether the step was done."""
        self._looked()
        self._tell()
        while (line := PlainLines().line()) is not None and line not in (":quit", ":q"):
            try:
                if line == ":yes":
                    say(*(f"  {sentence}" for sentence in self._flow.confirm()))
                    if (asked := self._flow.session.pending) is not None:
                        say(
                            f"Then {asked.by} is asked: {ended(asked.purpose)} To continue: "
                            f"loom play weave --session {self._session!r}"
                        )
                    return True
                self._take(line)
            except LoomtableError as error:
                warn(ended(str(error)))
            self._tell()
        say("Nothing was done.")
        return False

    def _take(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        match command:
            case "" | ":look":
                self._looked()
            case ":help":
                say(*HELP.splitlines())
            case ":not":
                self._flow.remove(ComponentId.parse(rest))
            case ":swap":
                self._flow.swap(*_places(rest))
            case _ if command.startswith(":") and line != AT_RANDOM:
                raise IllegalAction(f"there is no {command}; :help lists what there is")
            case _ if self._flow.proposed.questions:
                self._flow.answer(typed_reading(self._flow.proposed.questions[0], line, self._chance))
            case _:
                say(f"  {ended(self._flow.take(ComponentId.parse(line), Source.TYPED))}")

    def _looked(self) -> None:
        say(*(f"  {ended(sentence)}" for sentence in self._look(self._flow.see)))

    def _tell(self) -> None:
        tried = self._flow.proposed
        if self._flow.cards != self._told or tried.ready:
            say(*(f"  {line}" for line in proposal_lines(tried)))
        self._told = self._flow.cards
        say(self._flow.asks + (" (:yes)" if tried.ready and self._flow.cards else ""))
        if tried.questions and isinstance(tried.questions[0], Choose):
            for place, option in enumerate(tried.questions[0].options, start=1):
                say(f"  {place}  {option.label}" + (f": {option.says}" if option.says else ""))


def _places(typed: str) -> tuple[int, int]:
    words = typed.split()
    if len(words) != 2:
        raise ReadingMisfit("say which two places to exchange: :swap 1 2")
    return typed_number(words[0]), typed_number(words[1])
