"""``loom play``: what is asked and what can be done, line by line, until the input ends."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from itertools import chain, takewhile

from rich.text import Text

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction, LoomtableError, UnknownAction
from loomtable.engine.kernel.journal import draft_of
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Choose, EnterText, Request, Roll, ShowCard, in_words
from loomtable.engine.kernel.results import last_result, told_in
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import as_sentence, ended, label_of, listed, said_once
from loomtable.engine.odds.before import odds_before
from loomtable.engine.ready_evening import begun_ready, guidance, opening_scene, ready_evenings
from loomtable.table.choices.fields import Choice, Field
from loomtable.table.choices.odds import odds_of
from loomtable.table.commands.output import warn
from loomtable.table.journal_words import did_in_words
from loomtable.table.reading.typed import AT_RANDOM
from loomtable.table.screens import drawings_of
from loomtable.table.screens.text import TextDrawing
from loomtable.table.store import StoreBehind
from loomtable.table.terminal.actions import (
    SEVERAL,
    ActionMenu,
    GaveUp,
    OneBack,
    TypedAction,
    action_named,
    names_of,
)
from loomtable.table.terminal.answers import (
    answered,
    cards_to_show,
    how_to_answer,
    meant,
    numbers_for,
    numbers_of,
    offered,
    rows_of,
    text_of,
)
from loomtable.table.terminal.commands import COMMANDS, Commands
from loomtable.table.terminal.console import Row, Screen
from loomtable.table.terminal.editor import Completions, Lines, News, Woken

READY = "0"
SAID_READY = ("a ready evening", "ready evening", "ready")
"""The number of the ready evening, before anything else can be numbered."""
BY_HAND = "With a printed book"
QUIT = frozenset({"quit", "exit", "q"})


class _Left(Exception):
    """Somebody leaves, or the input has ended."""


class _Meanwhile(Exception):
    """Others have played: what is asked here is asked anew."""


class Terminal:
    """One session, played by whoever sits there."""

    def __init__(
        self,
        session: Session[object],
        screen: Screen,
        lines: Callable[[Completions, News], Lines],
        *,
        keep: Callable[[Session[object]], Session[object]] | None = None,
        confirm_kept: Callable[[], None] = lambda: None,
        read_anew: Callable[[Session[object]], Session[object]] = lambda session: session,
        camera: str | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """``keep`` takes a session that is only in memory so far, and gives back the one that is kept;
        ``confirm_kept`` raises where it is not kept any more; ``read_anew`` is as in ``hosting/following.py``."""
        self.session = session
        self.screen = screen
        self.viewer = STORYTELLER
        self.chance = chance or random.SystemRandom()
        self._keep = keep
        self._confirm_kept = confirm_kept
        self._read_anew = read_anew
        self._lines = lines(self._completions, self._news)
        self._commands = Commands(self, camera)
        self._drawn: tuple[object, dict[str, TextDrawing]] | None = None
        self._told = len(session.played)
        self._shown_roll = last_result(session, self.viewer)
        self.menu: ActionMenu | None = None
        """What can be done now; nothing while a question is open."""
        self._unfolded = False

    def run(self) -> None:
        """Read and answer, until the input ends or somebody leaves."""
        self.ask()
        with contextlib.suppress(_Left):
            while True:
                self._one_line()
        if self._keep is None:
            self._confirm_kept()
            self.screen.say(f"Everything is saved. The same command continues {self.session.system.title}.")

    def _one_line(self) -> None:
        try:
            self._take(self._line())
        except GaveUp:
            self.screen.say("Left as it was.", style="dim")
        except _Meanwhile:
            pass
        except StoreBehind as error:
            was = self.session
            if not self._caught_up(typed=True):
                self.trouble(error)
            if self.session is was:
                raise _Left from None  # it has another name now; there is nothing here to play on
        except LoomtableError as error:
            self.trouble(error)
            if self.session.pending is not None:
                self.screen.say(how_to_answer(self.session.pending), style="dim")
                return
        self.ask()

    def _line(self) -> str:
        """What is typed next.

        Raises:
            _Left: nothing more is typed, or that somebody leaves.
        """
        dropped = False
        while True:
            try:
                line = self._lines.line()
                if line is None or line.removeprefix(":").casefold() in QUIT:
                    raise _Left
                if not self._caught_up(typed=True):
                    return line
                raise _Meanwhile
            except Woken:
                if self._caught_up():
                    raise _Meanwhile from None
            except KeyboardInterrupt:
                if dropped:
                    raise _Left from None
                self.screen.say("Ctrl-C again leaves.", style="dim")
                dropped = True

    def _kept_now(self) -> Session[object]:
        try:
            return self._read_anew(self.session)
        except LoomtableError:  # whoever plays on is told
            return self.session

    def _news(self) -> bool:
        return self._kept_now() is not self.session

    def _caught_up(self, *, typed: bool = False) -> bool:
        """Take up what others have played, and say who did what; whether any of it may change what is asked.

        What was ``typed`` here then counts no more.
        """
        was, self.session = self.session, self._kept_now()
        fresh = [line for line in self.session.lines()[len(was.lines()) :] if not draft_of(line)]
        if self.session is not was:
            self._keep = None  # if others have begun it, it is theirs
        if fresh:
            self._commands.forget()
            both = zip(was.played, self.session.played, strict=False)
            self._told = min(self._told, len(list(takewhile(lambda two: two[0].step == two[1].step, both))))
            deeds = dict.fromkeys(f"{line.who or 'somebody else'} {did_in_words(line)}" for line in fresh)
            self.screen.say("", f"Meanwhile: {listed(deeds)}.{' What you typed was not used.' if typed else ''}")
        return bool(fresh)

    def trouble(self, error: LoomtableError) -> None:
        """What could not be taken: on the screen that somebody looks at, otherwise on standard error."""
        if self.screen.window:
            self.screen.say(as_sentence(str(error)), style="red")
        else:
            warn(ended(str(error)))

    @property
    def drawings(self) -> dict[str, TextDrawing]:
        """What can be drawn now; drawn once until something happens."""
        now = (self.session.lines()[-1].seq, self.viewer)
        if self._drawn is None or self._drawn[0] != now:
            self._drawn = now, dict(drawings_of(self.session, self.viewer))
        return self._drawn[1]

    @property
    def names(self) -> dict[str, str]:
        """What is written on the drawings, by what the rules call it."""
        return {value: name for drawing in self.drawings.values() for value, name in drawing.names.items()}

    # What happened, and what comes now

    def forget(self) -> None:
        """After going back: what is told from here on is what happens from here on."""
        self._told = len(self.session.played)
        self._shown_roll = last_result(self.session, self.viewer)

    def tell(self) -> None:
        """What happened since the last time: dice first, as they lie, then what came of it."""
        played = self.session.played
        news = [line for at in range(self._told, len(played)) for line in told_in(self.session, at, self.viewer)]
        fresh = {step.step.seq for step in played[self._told :]}
        self._told = len(played)
        found = last_result(self.session, self.viewer)
        if found is not None and found.throws and found != self._shown_roll and fresh:
            new_dice = [t for t, line in zip(found.throws, found.lines, strict=False) if line in fresh]
            if new_dice or self._shown_roll is None or found.verdict != self._shown_roll.verdict:
                self.screen.result(found, new_dice)
            if found.settled and min(fresh) >= min(found.lines):
                news = [line for line in news if line in found.effects]
            if found.ending and found.ending not in news:
                news.append(ended(found.ending))
        self._shown_roll = found
        for drawing in self.drawings.values() if news else ():
            news = [drawing.reword(sentence) for sentence in news]
        self.screen.say(*(f"  {sentence}" for sentence in said_once(news)))

    def ask(self) -> None:
        """What happened, then what is asked or what can be done."""
        self.tell()
        if explained := guidance(self.session):
            self.screen.say("", explained)
        pending, self.menu = self.session.pending, None
        if pending is None:
            self._offer_actions()
            return
        self._draw_what_is_named([option.key for option in pending.options] if isinstance(pending, Choose) else [])
        self.screen.say("")
        self.screen.heading(f"{pending.by}: {ended(in_words(pending))}", f"[{pending.rule}]")
        if pending.why:
            self.screen.say(as_sentence(pending.why))
        odds = (odds_before(self.session) or ()) if self.viewer == STORYTELLER else ()
        known = odds_of(odds, 1)
        self.screen.say(*(f"  {words}" for words in (known.bar, str(known)) if words))
        if isinstance(pending, ShowCard):
            self.screen.say("  " + ", ".join(cards_to_show(pending)))
        if isinstance(pending, Roll) and pending.ticks is not None:
            self.screen.say(in_words(pending.ticks))
        self.screen.options(rows_of(pending, self.names, odds))
        self.screen.say(how_to_answer(pending), style="dim")

    def _offer_actions(self) -> None:
        menu = self.menu = ActionMenu(self.session, self.viewer)
        turn = self.session.system.turn(self.session.game)
        self.screen.say("")
        self.screen.heading(f"What now, {turn}?" if turn else "What now?")
        self.screen.options(
            (key, f"A ready evening: {title or 'Everything set up'}", about, "")
            for key, (title, about) in self._ready.items()
        )
        numbers = {name: number for number, name in menu.numbered.items()}
        for group in (*menu.groups, *(menu.folded if self._unfolded else ())):
            self.screen.row(group.title, [f"{numbers[action.name]} {action.label}" for action in group.actions])
        if menu.by_hand and not self._unfolded:
            self.screen.row(BY_HAND, [f"{menu.by_hand} {menu.held}"])
        self._unfolded = False
        if not menu.numbered:
            self.screen.say("  Nothing can be begun any more.")
        enter = f" Enter alone: {label_of(menu.at_once)}." if menu.at_once else ""
        self.screen.say(f"Type a number or a name; ? 1 explains one, help the rest.{enter}", style="dim")

    @property
    def _ready(self) -> dict[str, tuple[str, str]]:
        """Title and description of each ready evening, by what is typed: 0, then 02; none once it is played."""
        system = self.session.system
        if self._keep is None:
            return {}
        found = [(evening.title, evening.about) for evening in ready_evenings(system)]
        if not found and any(rule.opens for rule in system.actions.values()):
            found = [("", "")]
        return {f"{READY}{at}" if at > 1 else READY: scene for at, scene in enumerate(found, start=1)}

    def _draw_what_is_named(self, values: list[str]) -> None:
        """The drawing on which what can be chosen has its name."""
        for drawing in self.drawings.values():
            if any(value in drawing.names for value in values):
                self.draw(drawing)

    def draw(self, drawing: TextDrawing, *, whole: bool = False) -> None:
        """A map or a tapestry, if the window is wide enough; ``whole`` with the list of everything on it."""
        needs = max(map(len, drawing.rows), default=0) + 2
        fits = needs <= self.screen.console.width
        self.screen.say("")
        self.screen.heading(drawing.title, "" if fits else f"a window of {needs} columns shows it drawn")
        for row in drawing.rows if fits else ():
            self.screen.console.print(Text(f"  {row}"), no_wrap=True)
        self.screen.say(*(f"  {line}" for line in drawing.legend if fits or whole))
        self.screen.say(*(f"  {line}" for line in drawing.index if whole))

    # What is typed

    def _take(self, line: str) -> None:
        pending = self.session.pending
        meant_here = (
            {word.casefold() for option in pending.options for word in (option.key, option.label)}
            if isinstance(pending, Choose)
            else set()
        )
        menu = self.menu
        entry = [(menu.by_hand, BY_HAND, menu.held, "")] if menu is not None and menu.by_hand else []
        if self._commanded(line, meant_here, words=isinstance(pending, EnterText), offered=entry):
            return
        self._commands.forget()
        if pending is not None:
            if line:
                self.session.answer(self._answer(pending, line))
        elif line == AT_RANDOM:
            raise UnknownAction("nothing is asked for at the moment; :chance answers a question")
        else:
            self._begin(line)
        self.session.answer_obvious()

    def _answer(self, pending: Request, line: str) -> Reading:
        actions = self.session.system.actions
        try:
            return answered(pending, line, self.names, actions, self.chance)
        except LoomtableError:
            named = "-".join(line.casefold().split()) + "-"
            begun = [name for name in actions if named.startswith(f"{name}-")]
            if begun := begun or get_close_matches(line.casefold(), actions, n=1, cutoff=0.8):
                title = label_of(max(begun, key=len))
                raise IllegalAction(f"{title} has to wait; answer what is asked first, or undo it") from None
            raise

    def _commanded(
        self, line: str, meant_here: Collection[str], *, words: bool, offered: Sequence[Row], form: bool = False
    ) -> bool:
        """Do what a line commands, if it does: not what is ``meant_here``; where ``words`` are asked for, only a
        command that stands alone. In a ``form`` undo goes back a field.

        Raises:
            OneBack: that is what was typed.
        """
        command, _, rest = line.removeprefix(":").partition(" ")
        command = command.casefold()
        colon = command == "?" or (line.startswith(":") and line != AT_RANDOM)
        bare = command in COMMANDS and line.casefold() not in meant_here and not (words and rest)
        if not colon and (not bare or command in self.session.system.actions):
            return False
        if form and command == "undo":
            raise OneBack
        self._commands.take(command, rest.strip(), offered)
        return True

    def _begin(self, line: str) -> None:
        assert self.menu is not None
        for key, (title, _) in self._ready.items():
            if line.casefold() in (key, title.casefold()) or (key == READY and line.casefold() in SAID_READY):
                self._begin_ready(title)
                return
        if not line and not (line := self.menu.at_once):
            return
        if line and line.casefold() in (self.menu.by_hand, BY_HAND.casefold()):
            self._unfolded = True
            return
        rule, words = action_named(self.session, self.menu, line)
        if not words and (why := self.session.system.refusal(self.session.game, self.viewer, rule.name)):
            raise IllegalAction(why)
        action = TypedAction(self.session, self.viewer, rule, self.names)
        action.take(words)
        args = action.filled(lambda title, field: self._ask_argument(f"{label_of(rule.name)}: {title}", field))
        self._kept()
        self.session.perform(rule.name, **args)

    def _begin_ready(self, title: str) -> None:
        opened = self.session.opened
        self.session = begun_ready(self.session.system, opened.seed, self.chance, title, opened.rulings)
        self._kept()
        scene = opening_scene(self.session)
        if scene is not None:
            self.screen.say("")
            self.screen.heading(scene.title)
            self.screen.say(scene.scene)
            steps = range(len(self.session.played) - 1, -1, -1)  # what set it up is not told, only where it led
            self._told = next((at for at in steps if told_in(self.session, at, self.viewer)), 0)

    def _kept(self) -> None:
        if self._keep is not None:
            self.session, self._keep = self._keep(self.session), None

    def _ask_argument(self, title: str, field: Field) -> list[str] | None:
        """One argument of an action; its values may be drawn, chosen or typed."""
        several = field.kind in SEVERAL
        known = dict(zip(numbers_for([choice.label for choice in field.choices]), field.choices, strict=True))
        self._draw_what_is_named([v for v, name in self.names.items() if name in {c.label for c in field.choices}])
        self.screen.say("")
        self.screen.heading(ended(title) if not field.choices else f"{title}?")
        rows = [(n, c.label.removeprefix(f"{n} "), "", c.does) for n, c in known.items()]
        self.screen.say(*filter(None, [field.help]))
        self.screen.options(rows)
        self.screen.say(_how_to_say(field, several), style="dim")
        while True:
            line = self._line().removeprefix(f"{field.path.rpartition('.')[2]}=")
            if not line:
                return None if field.required else []
            now = self.session.lines()[-1].seq
            labels = {c.label.casefold() for c in known.values()}
            try:
                if self._commanded(line, labels, words=field.kind == "text", offered=rows, form=True):
                    if self.session.lines()[-1].seq != now:
                        raise _Meanwhile  # what was said so far may not hold any more
                    continue
                if field.kind == "text" and line not in known and line.casefold() not in labels:
                    return [text_of(EnterText(title, by="", rule=""), line, self.session.system.actions)]
                parts = [part.strip() for part in line.split(",")] if several else [line]
                return [_chosen(part, known) if known else part for part in parts]
            except LoomtableError as error:
                self.trouble(error)

    def _completions(self) -> list[tuple[str, str]]:
        pending = self.session.pending
        words = [(f":{word}", summary) for word, summary in COMMANDS.items()]
        if pending is not None:
            return [*offered(pending, self.names), *words]
        system = self.session.system
        actions = [
            (name, system.actions[name].says) for name in (self.menu.numbered.values() if self.menu else ())
        ]
        figures = system.people(self.session.game)
        people = [(name, "") for name in dict.fromkeys((*figures, *chain.from_iterable(figures.values())))]
        arguments = [
            (f"{f}=", "") for name, _ in actions for f in system.actions[name].arguments.__struct_fields__
        ]
        return [*actions, *people, *((name, "") for name in self.names.values()), *arguments, *words]


def _how_to_say(field: Field, several: bool) -> str:
    """What to type for an argument, in a sentence."""
    hint = (
        "it" if not field.choices else "a number or other words" if field.kind == "text" else "a number or a name"
    )
    if several:
        hint = "numbers or names, with commas between" if field.choices else "names, with commas between"
    elif field.kind == "number":
        hint = "a number"
    return f"Type {hint}; Enter alone {'goes back' if field.required else 'leaves it out'}."


def _chosen(typed: str, known: dict[str, Choice]) -> str:
    """The value that was chosen by number, name, or the beginning of one name alone.

    Raises:
        UnknownAction: it is none of them.
    """
    if typed in known:
        return known[typed].value
    found = meant(typed, names_of(tuple(known.values())))
    if len(found) == 1:
        return found[0]
    raise UnknownAction(f"{typed!r} is not one of them; type {numbers_of(known)}")
