"""What can be typed at any time: help, a look at sheets and maps, odds, the story, and going back."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import yaml

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.arguments import fields_in
from loomtable.engine.kernel.corrections import Consequences
from loomtable.engine.kernel.errors import IllegalAction, ReadingMisfit, UnknownAction
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.requests import Flip, Request, Roll, as_part
from loomtable.engine.kernel.results import told_in
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import print_transcript, transcript_of
from loomtable.engine.kernel.wording import ended, label_of, listed
from loomtable.engine.kernel.yamlfile import Titled, parse_yaml
from loomtable.engine.odds.before import odds_before
from loomtable.table.choices.odds import odds_of
from loomtable.table.choices.rules import rules_of
from loomtable.table.hosting.devices import ROOM
from loomtable.table.journal_words import change_in_words, line_in_words
from loomtable.table.reading.typed import typed_number, typed_reading
from loomtable.table.screens import screen_of, television_of
from loomtable.table.screens.panel import Panel
from loomtable.table.screens.text import TextDrawing
from loomtable.table.terminal.actions import ActionMenu, action_named
from loomtable.table.terminal.answers import how_to_answer, meant, rows_of
from loomtable.table.terminal.blocks import drawn, in_a_line
from loomtable.table.terminal.console import Row, Screen

if TYPE_CHECKING:
    from loomtable.table.reading.answers import CameraAnswer
    from loomtable.vision.dice import TrayReading


class _Typed(Titled, frozen=True):
    typed: dict[str, str]


_TEXT, _FILE = shipped("commands", "typed.yaml")
COMMANDS = parse_yaml(_TEXT, _Typed, _FILE)[0].typed
SPREAD = ("spread", "hand-", "dealt", "evening", "page")
"""How the panels begin in which cards or pages lie open."""


class Seat(Protocol):
    """What commands need of the terminal at which they are typed."""

    session: Session[object]
    screen: Screen
    viewer: str
    chance: random.Random
    menu: ActionMenu | None

    @property
    def drawings(self) -> dict[str, TextDrawing]: ...

    @property
    def names(self) -> dict[str, str]: ...

    def draw(self, drawing: TextDrawing, *, whole: bool = False) -> None: ...

    def forget(self) -> None: ...


class Commands:
    """The commands of one terminal."""

    def __init__(self, terminal: Seat, camera: str | None) -> None:
        self._terminal = terminal
        self._camera = camera
        self._tray: TrayReading | None = None
        self._proposed: Callable[[], object] | None = None
        self._offered: Sequence[Row] = ()

    @property
    def _session(self) -> Any:
        return self._terminal.session

    def forget(self) -> None:
        """What was read or proposed counts no more."""
        self._tray = self._proposed = None

    def take(self, command: str, rest: str, offered: Sequence[Row] = ()) -> None:
        """Do what a command says; help explains by its number what is ``offered`` beside what the session asks.

        Raises:
            UnknownAction: there is no such command.
            LoomtableError: it cannot be done.
        """
        proposed, self._proposed = self._proposed, None
        if command not in ("look", "die"):
            self._tray = None
        if command == "yes" and proposed is not None:
            proposed()
            self._terminal.forget()
            self._say("  Done; the journal keeps what was there before.")
            return
        do = getattr(self, f"_{command.replace('?', 'help')}", None) if command in {*COMMANDS, "?"} else None
        if do is None:
            raise UnknownAction(f"there is no :{command}; help lists what there is")
        self._offered = offered
        with self._terminal.screen.paged():
            do(rest)

    def _say(self, *lines: str) -> None:
        self._terminal.screen.say(*lines)

    # Help

    def _help(self, rest: str) -> None:
        if rest:
            self._explain(rest)
            return
        pending = self._session.pending
        self._say(how_to_answer(pending) if pending is not None else "Type the number or the name of what you do.")
        self._say(
            "What an action needs is asked for. You can also type it all at once, with or without the names of "
            "the arguments: challenge Ilse gales, or challenge who=Ilse suit=gales. Tab completes; the arrow keys "
            "bring back earlier lines. These commands work at any time; a name that is one of them goes in quotes."
        )
        screen = self._terminal.screen
        screen.options(
            (word, summary, "", "") for word, summary in {":chance": "let the computer answer", **COMMANDS}.items()
        )

    def _explain(self, wanted: str) -> None:
        """What is offered under this number; or one action in full, and why it cannot be begun, if so."""
        terminal, pending = self._terminal, self._session.pending
        offered = self._offered or (rows_of(pending, terminal.names) if pending is not None else ())
        if rows := [row for row in offered if wanted == row[0].split()[-1]]:
            terminal.screen.options(rows)
            return
        if self._told_rule(wanted.upper()):
            return
        rule, _ = action_named(self._session, self._terminal.menu, wanted)
        self._terminal.screen.heading(label_of(rule.name), f"[{', '.join(rule.rules)}]" if rule.rules else "")
        self._say(f"  {rule.says}")
        needs = {f.encode_name: f.required for f in fields_in(rule.arguments)}
        if needs:
            written = " ".join(f"{name}=" if required else f"[{name}=]" for name, required in needs.items())
            self._say(f"  {rule.name} {written}")
            self._terminal.screen.options(("", name, rule.help_of(name), "") for name in needs)
        if why := self._session.system.refusal(self._session.game, self._terminal.viewer, rule.name):
            self._say(f"  Not now: {ended(why)}")

    def _told_rule(self, wanted: str) -> bool:
        """Tell the rule of this id, if there is one."""
        told = [
            known for known in rules_of(self._session.system, self._session.game.rulings) if known.id == wanted
        ]
        for rule in told:
            for block in rule.blocks:
                self._terminal.screen.heading(block.title, f"[{block.rules}]")
                self._say(*filter(None, (block.text, *(f"  {': '.join(row)}" for row in block.table))))
            self._say(*(f"{known.ruling.question} {known.says}" for known in rule.rulings))
        return bool(told)

    def _actions(self, rest: str) -> None:
        menu = self._terminal.menu
        if menu is None:
            self._say("  A question is open; answer it first.")
            return
        actions = {action.name: action for group in (*menu.groups, *menu.folded) for action in group.actions}
        rows = ((number, actions[name].label, actions[name].says, "") for number, name in menu.numbered.items())
        self._terminal.screen.options(rows)
        others = [label_of(name) for name in self._session.system.actions if name not in actions]
        self._say(f"  Not now: {', '.join(others)}. help and its name says why.")

    # What lies there

    def _panels(self) -> tuple[Panel, ...]:
        return screen_of(self._session, self._terminal.viewer)

    def _show(self, panels: list[Panel], nothing: str) -> None:
        for panel in panels:
            self._say("")
            self._terminal.screen.heading(panel.title)
            self._terminal.screen.show(drawn(panel.blocks))
        if not panels:
            self._say(f"  {nothing}")

    def _table(self, rest: str) -> None:
        """What everybody may see, in short; all of it, hidden hands too, only to those who ask for that."""
        if rest == "all":
            self._show([panel for panel in self._panels() if not panel.whose], "The table is empty.")
            return
        shown, screen = television_of(self._session, ROOM), self._terminal.screen
        screen.heading(shown.title, shown.subtitle)
        for person in shown.people:
            acts = "now" in person.state.split()
            screen.row(f"{'>' if acts else ' '} {person.name}", in_a_line(person.blocks))

    def _spread(self, rest: str) -> None:
        self._show([p for p in self._panels() if p.id.startswith(SPREAD)], "No cards are open.")

    def _sheet(self, rest: str) -> None:
        sheets = [panel for panel in self._panels() if panel.whose]
        pending = self._session.pending
        who = rest or (pending.by if pending is not None else self._session.system.turn(self._session.game))
        wanted = meant(who, {panel.id: [panel.whose] for panel in sheets})
        found = [panel for panel in sheets if panel.id in wanted]
        if rest and rest != "all" and not found:
            names = listed(panel.whose for panel in sheets)
            why = f"there is no sheet of {rest!r}; there is {names}" if names else "there are no sheets yet"
            raise UnknownAction(why)
        self._show(found or sheets, "There are no sheets yet.")

    def _drawn(self, word: str) -> None:
        drawings = self._terminal.drawings
        found = meant(word, {name: [name] for name in drawings})
        if not found:
            raise IllegalAction(f"there is no {word} here at the moment")
        self._terminal.draw(drawings[found[0]], whole=True)

    def _map(self, rest: str) -> None:
        self._drawn("map")

    def _tapestry(self, rest: str) -> None:
        self._drawn(f"tapestry {rest}".strip())

    def _state(self, rest: str) -> None:
        view = to_builtins(self._session.view(self._terminal.viewer))
        self._say(*yaml.safe_dump(view, sort_keys=False, allow_unicode=True).rstrip().splitlines())

    def _story(self, rest: str) -> None:
        session = self._session
        for at in range(len(session.played)):
            self._say(*(f"  {sentence}" for sentence in told_in(session, at, self._terminal.viewer)))

    def _journal(self, rest: str) -> None:
        lines = self._session.lines()
        self._say(*(f"  {line.seq:>4}  {line_in_words(line, lines)}" for line in lines))

    def _transcript(self, rest: str) -> None:
        written = print_transcript(transcript_of(self._session, self._session.system.title)).rstrip()
        self._terminal.screen.console.print(written, soft_wrap=True)

    def _odds(self, rest: str) -> None:
        # Odds may tell what is on somebody else's sheet.
        lines = odds_before(self._session) if self._terminal.viewer == STORYTELLER else None
        known = str(odds_of(lines or (), 1))
        self._say(f"  {known or 'No odds are known for what is asked now; an answer has its own beside it.'}")

    def _hints(self, who: str) -> None:
        if not who:
            raise IllegalAction("say for whom: hints Ada")
        found = self._session.system.hints(self._session.game, who)
        self._say(*(f"  {sentence}" for sentence in found or ("Nothing to point out.",)))

    def _eyes(self, who: str) -> None:
        people = list(self._session.system.people(self._session.game))
        eyes = {"everybody": STORYTELLER, "room": ROOM, **{person.casefold(): person for person in people}}
        if who.casefold() not in eyes:
            raise UnknownAction(f"say through whose eyes: {listed([*people, 'room'])} or everybody")
        self._terminal.viewer = eyes[who.casefold()]
        self._say(f"  You see what {who} may see.")

    # Going back

    def _undo(self, rest: str) -> None:
        undone = self._session.undo()
        self._terminal.forget()
        self._say(f"  Undone: {change_in_words(self._session.system, undone)}")

    def _redo(self, rest: str) -> None:
        again = self._session.redo()
        self._say(f"  Redone: {change_in_words(self._session.system, again)}")

    def _amend(self, typed: str) -> None:
        place, _, answer = typed.strip().partition(" ")
        seq = typed_number(place)
        asked = next((p.step.request for p in self._session.played if p.step.seq == seq), None)
        if asked is None:
            raise IllegalAction(f"journal line {seq} holds no answer that counts; :journal shows the lines")
        reading = typed_reading(asked, answer, self._terminal.chance)
        self._preview(self._session.preview_amend(seq, reading))
        self._proposed = lambda: self._session.amend(seq, reading)

    def _void(self, rest: str) -> None:
        seq = typed_number(rest.strip())
        self._preview(self._session.preview_void(seq))
        self._proposed = lambda: self._session.void(seq)

    def _save(self, name: str) -> None:
        self._say(f"  {line_in_words(self._session.save_point(name))}.")

    def _back(self, wanted: str) -> None:
        saved = self._session.save_points
        if not wanted:
            self._say(
                *(f"  {seq:>4}  {name}" for name, seq in saved.items()) if saved else ("  No save points yet.",)
            )
            return
        found = meant(wanted, {name: [name] for name in saved})
        if not found and not wanted.isdecimal():
            raise IllegalAction(f"{wanted!r} is no save point and no line; back lists the save points")
        seq = saved[found[0]] if found else int(wanted)
        self._preview(self._session.preview_back(seq))
        self._proposed = lambda: self._session.go_back(seq)

    def _preview(self, consequences: Consequences[object]) -> None:
        """Everything that a change in the middle would do, before it is done."""
        self._say(*(f"  no longer: {sentence}" for sentence in consequences.gone))
        self._say(*(f"  instead: {sentence}" for sentence in consequences.new))
        self._say(*(f"  {change}" for change in consequences.changes))
        self._say(*(f"  line {d.step.seq} is dropped: {d.reason}" for d in consequences.dropped))
        if consequences.pending is not None and consequences.pending != self._session.pending:
            self._say(f"  then asked of {consequences.pending.by}: {consequences.pending.purpose}")
        if consequences.after == consequences.before and not consequences.dropped:
            self._say("  Nothing else would change.")
        self._say("  :yes does it; anything else leaves all as it is.")

    # The camera

    def _look(self, file: str) -> None:
        """Read what is asked in a picture, or before the camera."""
        from loomtable.table.reading.answers import look_at
        from loomtable.table.reading.looking import NothingToLookAt, settled_frame
        from loomtable.vision.pictures import read_reduced

        if self._session.pending is None:
            raise ReadingMisfit("nothing is asked for at the moment")
        if file:
            picture, _ = read_reduced(Path(file))
        elif self._camera is not None:
            picture = settled_frame(self._camera)
        else:
            raise NothingToLookAt("name a picture (:look photo.jpg), or begin with --camera 0")
        asked = self._session.pending
        asked = asked.first if isinstance(asked, Roll) else asked
        self._took(asked, look_at(asked, picture))

    def _die(self, typed: str) -> None:
        """A person says what a doubtful die shows."""
        from loomtable.table.reading.answers import corrected

        place, _, face = typed.strip().partition(" ")
        asked, tray = self._session.pending, self._tray
        if tray is None or not isinstance(asked, Roll | Flip):
            raise ReadingMisfit("there are no doubtful dice from a picture")
        asked = asked.first if isinstance(asked, Roll) else asked
        self._took(asked, corrected(asked, tray, typed_number(place), face))

    def _took(self, asked: Request, seen: CameraAnswer) -> None:
        of = f"{', '.join(asked.whose)}: " if isinstance(asked, Roll) and asked.whose else ""
        self._say(f"  {of}{ended(seen.says)}")
        self._tray = seen.in_doubt
        if seen.answer is not None:
            self._session.answer(as_part(asked, seen.answer))
