"""``loom play``: a session in the terminal, line by line; every line reads well aloud."""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
import yaml

from loomtable.engine.kernel.errors import IllegalAction, LoomtableError, ReadingMisfit, UnknownAction
from loomtable.engine.kernel.requests import Choose, EnterNumber, Flip, Request, Roll, ShowCard
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.session import Consequences, Session
from loomtable.engine.kernel.transcript import print_transcript, transcript_of
from loomtable.engine.kernel.wording import ended, how_many
from loomtable.engine.systems import SYSTEMS, system_named
from loomtable.table.commands import completion
from loomtable.table.commands.output import DEFAULT_STORE, StoreAt, say, warn
from loomtable.table.journal_words import line_in_words
from loomtable.table.reading.typed import parse_action, typed_number, typed_reading
from loomtable.table.settings import house_rules, setting

if TYPE_CHECKING:
    from loomtable.table.reading.answers import CameraAnswer
    from loomtable.vision.dice import TrayReading

logger = logging.getLogger(__name__)
HELP = """\
An action is typed with its arguments: challenge who=Ilse suit=gales card=C22
A list or a block of values is written as in YAML: fight enemy="{name: Goblin, dexterity: 10, health: 10}"
An answer is typed as it lies: 5 2 6 for dice (flames or fl for a Weave die), heads, S7 for a card, a number, a
name; for a choice its number in the list or its key, several with spaces between, none where nothing need be
chosen. ? lets the computer answer.
:actions  what can be done     :undo  take the last step back     :redo  and forth again
:state    the state as it is   :journal  every line so far        :story  everything that happened
:odds     before a roll        :transcript  write it all down     :quit  everything is kept
:hints Ada     what Ada could do that is easily overlooked, for Ada's eyes alone
:look dice.jpg  read what is asked from a picture, or from the camera if begun with --camera; doubtful dice are
                told one by one, :die 2 5 says that the second shows a five
:amend 14 6    put the answer in journal line 14 right; shows all that would change, then :yes does it
:void 12       strike the action in line 12 out, with all that hangs on it, in the same way"""


def play(
    system: Annotated[
        str, typer.Argument(metavar="SYSTEM", help="What to play, e.g. weave.", autocompletion=completion.games)
    ],
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="NAME",
            help="The session's name; by default the system's.",
            show_default=False,
            autocompletion=completion.sessions,
        ),
    ] = None,
    store: StoreAt = DEFAULT_STORE,
    camera: Annotated[
        str | None,
        typer.Option(
            "--camera",
            metavar="CAMERA",
            help="The camera that :look looks through; otherwise as set.",
            show_default=False,
            autocompletion=completion.cameras,
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed",
            metavar="TEXT",
            help="For decks that the computer deals, in a new session.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play a game in the terminal; a session that exists is taken up where it was left."""
    from loomtable.table.store import open_store

    played = system_named(system)
    name = session or played.key
    with open_store(store) as journals:
        journal = journals.journal(name)
        if journal.lines():
            evening: Session[Any] = Session.resume(SYSTEMS, journal)
            if evening.system is not played:
                raise UnknownAction(
                    f"the session {name!r} is of {evening.system.title}; name another with --session"
                )
            steps = how_many(len(evening.played), "step", "steps")
            logger.info("the session %r of %s is taken up", name, played.title)
            say(f"{played.title}, session {name!r}, taken up after {steps}.")
        else:
            evening = Session.open(played, seed=seed or name, rulings=house_rules(played), journal=journal)
            logger.info("the session %r of %s is begun", name, played.title)
            say(f"{played.title}, session {name!r}, begun. :help says how to play.")
        _Terminal(evening, camera or setting("camera")).run()


class _Terminal:
    """Reads lines and answers them until the input ends."""

    def __init__(self, session: Session[Any], camera: str | None = None) -> None:
        self.session = session
        self._camera = camera
        self._tray: TrayReading | None = None
        self._chance = random.Random()
        self._proposed: Callable[[], object] | None = None
        self._told = len(session.story())

    def run(self) -> None:
        self._ask()
        while (line := self._line()) is not None:
            if line in (":quit", ":q"):
                return
            try:
                self._take(line)
            except LoomtableError as error:
                warn(ended(str(error)))
            self._ask()

    def _line(self) -> str | None:
        if sys.stdin.isatty():
            try:
                return input("> ").strip()
            except EOFError:
                return None
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _ask(self) -> None:
        news = self.session.story()[self._told :]
        say(*(f"  {sentence}" for sentence in news))
        self._told = len(self.session.story())
        pending = self.session.pending
        if pending is None:
            say("What now? (:actions lists what can be done)")
            return
        why = f" {pending.why}" if pending.why else ""
        say(f"{pending.by}: {ended(_question(pending))}{why} [{pending.rule}]")
        if isinstance(pending, Choose):
            for place, option in enumerate(pending.options, start=1):
                key = f" ({option.key})" if option.key != str(place) else ""
                says = f": {option.says}" if option.says else ""
                say(f"  {place}  {option.label}{key}{says}")
                if option.does:
                    say(f"     {option.does}")

    def _take(self, line: str) -> None:
        if not line:
            return
        if line.startswith(":"):
            self._command(line[1:])
        elif self.session.pending is not None:
            self._tray = None
            self.session.answer(typed_reading(self.session.pending, line, self._chance))
        elif line == "?":
            raise ReadingMisfit("nothing is asked for at the moment; ? answers a question")
        else:
            name, args = parse_action(line, self.session.system)
            self.session.perform(name, **args)

    def _command(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        proposed, self._proposed = self._proposed, None
        if command not in ("look", "die"):
            self._tray = None
        match command:
            case "amend":
                self._propose_amendment(rest)
            case "void":
                seq = typed_number(rest.strip())
                self._show(self.session.preview_void(seq))
                self._proposed = lambda: self.session.void(seq)
            case "yes" if proposed is not None:
                proposed()
                self._told = len(self.session.story())
                say("  Done; the journal keeps what was there before.")
            case "help" | "h":
                say(HELP)
            case "actions":
                for action in self.session.system.actions.values():
                    fields = msgspec.structs.fields(action.arguments)
                    arguments = " ".join(f"{f.name}=" if f.required else f"[{f.name}=]" for f in fields)
                    say(f"  {action.name} {arguments}".rstrip(), f"      {action.says}")
            case "undo":
                self.session.undo()
                self._told = min(self._told, len(self.session.story()))
                say("  Taken back.")
            case "redo":
                self.session.redo()
            case "state":
                say(yaml.safe_dump(to_builtins(self.session.state), sort_keys=False, allow_unicode=True).rstrip())
            case "journal":
                say(*(f"{line.seq:>4}  {line_in_words(line)}" for line in self.session.lines()))
            case "story":
                say(*(f"  {sentence}" for sentence in self.session.story()))
            case "odds":
                self._odds()
            case "hints":
                self._hint(rest.strip())
            case "look":
                self._look(rest.strip())
            case "die":
                self._put_right(rest)
            case "transcript":
                say(print_transcript(transcript_of(self.session, self.session.system.title)).rstrip())
            case _:
                raise UnknownAction(f"there is no :{command}; :help lists what there is")

    def _look(self, file: str) -> None:
        """Read what is asked in a picture, or before the camera."""
        from loomtable.table.reading.answers import look_at
        from loomtable.table.reading.pictures import NothingToLookAt, settled_frame
        from loomtable.vision.pictures import read_picture

        if self.session.pending is None:
            raise ReadingMisfit("nothing is asked for at the moment")
        if file:
            picture = read_picture(Path(file))
        elif self._camera is not None:
            picture = settled_frame(self._camera)
        else:
            raise NothingToLookAt("name a picture (:look photo.jpg), or begin with --camera 0")
        self._took(look_at(self.session.pending, picture))

    def _put_right(self, typed: str) -> None:
        """A person says what a doubtful die shows."""
        from loomtable.table.reading.answers import corrected

        place, _, face = typed.strip().partition(" ")
        if self._tray is None:
            raise ReadingMisfit("no dice were looked at that are still in doubt")
        self._took(corrected(self._tray, typed_number(place), face))

    def _took(self, seen: CameraAnswer) -> None:
        say(f"  {ended(seen.says)}")
        self._tray = seen.tray
        if seen.answer is not None:
            self.session.answer(seen.answer)

    def _propose_amendment(self, typed: str) -> None:
        place, _, answer = typed.strip().partition(" ")
        seq = typed_number(place)
        asked = next((p.step.request for p in self.session.played if p.step.seq == seq), None)
        if asked is None:
            raise IllegalAction(f"journal line {seq} holds no answer that counts; :journal shows the lines")
        reading = typed_reading(asked, answer, self._chance)
        self._show(self.session.preview_amend(seq, reading))
        self._proposed = lambda: self.session.amend(seq, reading)

    def _show(self, consequences: Consequences[Any]) -> None:
        """Everything that a change in the middle would do, before it is done."""
        say(*(f"  no longer: {sentence}" for sentence in consequences.gone))
        say(*(f"  instead: {sentence}" for sentence in consequences.new))
        say(*(f"  {change}" for change in consequences.changes))
        say(*(f"  line {d.step.seq} is dropped: {d.reason}" for d in consequences.dropped))
        if consequences.pending is not None and consequences.pending != self.session.pending:
            say(f"  then asked of {consequences.pending.by}: {consequences.pending.purpose}")
        if consequences.after == consequences.before and not consequences.dropped:
            say("  Nothing else would change.")
        say("  :yes does it; anything else leaves all as it is.")

    def _hint(self, who: str) -> None:
        """What a player could do that is easily overlooked; for the eyes of that player."""
        if not who:
            raise IllegalAction("say for whom: :hints Ada")
        found = self.session.system.hints(self.session.game, who)
        say(*(f"  {sentence}" for sentence in found or ("Nothing to point out.",)))

    def _odds(self) -> None:
        from loomtable.engine.odds.before import odds_before
        from loomtable.engine.odds.exact import percent

        lines = odds_before(self.session)
        if not lines:
            say("  No odds are known for what is asked now.")
            return
        say(*(f"  {line.says}: {percent(line.chance)}" for line in lines))


def _question(asked: Request) -> str:
    match asked:
        case Roll():
            return f"{asked.purpose}: roll {asked.dice}"
        case Flip():
            return f"{asked.purpose}: flip a coin"
        case ShowCard():
            return f"{asked.purpose}: show a {asked.kind} card"
        case EnterNumber():
            return f"{asked.purpose} ({asked.low} to {asked.high})"
        case _:
            return asked.purpose
