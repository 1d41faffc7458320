"""A game system: its actions, rulings and views, in the shape that sessions and tables work with."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import msgspec

from loomtable.engine.kernel.action_rules import ASKED, PLAYER, STORYTELLER, ActionRule, Rule
from loomtable.engine.kernel.arguments import Names, shipped_arguments
from loomtable.engine.kernel.chronicle import Spoken, Telling, spoken
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import ContentInvalid, UnknownAction
from loomtable.engine.kernel.legal import Candidates, Possible, Search, possible_values
from loomtable.engine.kernel.play import Action, Event, Game, Play, RulingChanged, Steps
from loomtable.engine.kernel.reference import Reference
from loomtable.engine.kernel.rulings import RulingBook
from loomtable.engine.kernel.sentences import Sentences, read_sentences
from loomtable.engine.kernel.serialization import from_builtins, validation_message
from loomtable.engine.kernel.wording import label_of, nearest
from loomtable.engine.kernel.yamlfile import ReadLater

if TYPE_CHECKING:
    from loomtable.engine.kernel.gestures import Gesture

S = TypeVar("S")

RULING_ACTION = "ruling"
RULING_HELP = {"ruling": "Which question you decide.", "choice": "How you decide it."}


class Presentation(msgspec.Struct, frozen=True, kw_only=True):
    """How a game is shown and offered, beside its rules."""

    about: str = ""
    """The game in one line."""
    motif: str = "loom"
    """The drawing that stands for it, one of those on Story cards."""
    groups: tuple[str, ...] = ()
    """The headings of its actions, in the order in which an evening needs them."""
    by_hand: tuple[str, ...] = ()
    """Of these, the ones for people who play from a printed book: lists hold them behind one entry."""
    quick_start: Path | None = None
    """The file of its printed quick start, if it has one."""
    evening: str = ""
    """The name of the transcript that shows a whole evening, if there is one."""
    likely: tuple[str, ...] = ()
    """Actions that tables want most often; of them, the first that is allowed is offered largest."""
    ready_evenings: tuple[Path, ...] = ()
    """The files of evenings that are set up in one press, the one to offer first in front."""
    episodes: bool = False
    """Whether a session goes on over several episodes, which say so where they begin (``SceneMark.episode``)."""
    card_names: Mapping[Kind, Callable[[ComponentId], str]] = {}
    """What its cards are called, by their kind; unknown ones raise a ``LoomtableError``."""


@dataclass(frozen=True)
class Rules:
    """By which rules a game is played, and what tables decide of them."""

    version: str
    """Written into every journal; a journal of other rules is not silently played on."""
    rulings: RulingBook = field(default_factory=lambda: RulingBook({}))
    earlier: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The versions before it that are still played, each with the rulings by which its journals are."""


@dataclass(frozen=True)
class SettingUp(Generic[S]):
    """How a game begins, and with whom."""

    begin: Callable[[Mapping[str, Any]], S]
    """The state before anything has happened, from the set-up values of a session."""
    people: Callable[[S], Mapping[str, tuple[str, ...]]] = lambda state: {}
    """Who plays: every person with the names of the figures that are theirs."""
    led: Callable[[Game[S]], bool] = lambda game: True
    """Whether somebody leads the table, whom players ask; where nobody does, they begin it themselves."""
    solo: bool = False
    """Whether one plays it alone, so that nothing is hidden and whoever sits there may act."""


@dataclass(frozen=True)
class Words(Generic[S]):
    """What a game says of what happens, and to whom."""

    tell: Callable[[Event, S, str], Telling]
    """An event and the state after it, in words for a viewer."""
    hears: Callable[[Event, S, str], bool] | None = None
    """Whether one viewer may hear the sentence of an event; the storyteller hears all."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """A line for each argument of its actions (``ActionRule.help``)."""
    sentences: Sentences = lambda event: ""
    """The sentences that are data; ``tell`` has all others."""


def shipped_words(
    game: str, tell: Callable[[Event, S, str], Telling], hears: Callable[[Event, S, str], bool] | None = None
) -> Words[S]:
    """The words of a game that ships, with its ``arguments.yaml`` and ``sentences.yaml``."""
    return Words(tell, hears, shipped_arguments(game), read_sentences(game))


@dataclass(frozen=True)
class Looks(Generic[S]):
    """What one viewer may see of a game."""

    view: Callable[[S, str], dict[str, Any]]
    """Of its state, as plain values."""
    hints: Callable[[S, str], tuple[str, ...]] = lambda state, viewer: ()
    """What a player could do that is easily overlooked, in sentences for that player alone."""
    turn: Callable[[S], str] = lambda state: ""
    """Whose turn it is, where the game has turns and it is somebody's."""


class System(Generic[S]):
    """One of the games.

    Args:
        key: its name on the command line, e.g. ``"storm-weavers"``.
        title: its name for people.
        presentation: how it is shown and offered.

    What its dice mean, its actions and its gestures are registered by decorators: they are rules that know it.
    """

    def __init__(
        self,
        key: str,
        title: str,
        *,
        rules: Rules,
        setting_up: SettingUp[S],
        words: Words[S],
        looks: Looks[S],
        presentation: Presentation = Presentation(),  # noqa: B008 - it never changes
    ) -> None:
        self.key, self.title, self.presentation = key, title, presentation
        self.rules_version, self.rulings, self.earlier = rules.version, rules.rulings, rules.earlier
        self.led, self.solo = setting_up.led, setting_up.solo
        self._setting_up, self._words, self._looks = setting_up, words, looks
        self._help = ReadLater(lambda: {**RULING_HELP, **words.arguments})
        self.outcome_of: Callable[[Any, str], Any] | None = None
        """What came of a roll (``results.py``); ``None`` where only the dice and their total are known."""
        self._afterwards: Callable[[Play[Any]], Steps[None]] | None = None
        self.rules_in_short: Callable[[], Reference] | None = None
        wants, summary = cache(partial(_ruling_arguments, rules.rulings)), "Change how you decide a ruling."
        decide = ActionRule(RULING_ACTION, summary, (), wants, self._change_ruling, help=self._help)
        self.actions: dict[str, ActionRule] = {RULING_ACTION: decide}
        self.gestures: dict[str, Gesture] = {}
        self.throws: list[Gesture] = []
        """Rules by which something is chosen that a throw can say as well."""

    def action(
        self,
        name: str,
        *rules: str,
        begun_by: str = STORYTELLER,
        group: str = "",
        opens: bool = False,
        then: Callable[[Mapping[str, Any]], str] | None = None,
        drafted: bool = False,
        deed: str = "",
    ) -> Callable[[Rule], Rule]:
        """Register a rule as an action. Its keyword-only parameters become the action's arguments.

        Args:
            name: what people type.
            rules: the ids of the rules that it plays.
            begun_by: ``PLAYER`` where players may begin it for their own figures; otherwise it is the host's, whom
                they may ask for it where it is ``ASKED``.
            group: the heading under which it is listed.
            opens: whether an evening begins with it.
            then: given its arguments, the action that the same figure begins next at a table; empty for none.
            drafted: whether a player's own device begins it in a draft, while the others play on.
            deed: how a journal tells it (``ActionRule``); its name and arguments by default.
        """

        def register(rule: Rule) -> Rule:
            summary = (inspect.getdoc(rule) or "").split("\n\n")[0].replace("\n", " ").replace("``", "")
            wants = cache(partial(_arguments_of, name, rule))
            self.actions[name] = ActionRule(
                name, summary, rules, wants, rule, begun_by, group, opens, then, drafted, self._help, deed
            )
            return rule

        return register

    def gesture(self, name: str) -> Callable[[Gesture], Gesture]:
        """Register what hands say on the table: a function of a ``Situation`` to ``Offer``s (``gestures.py``)."""

        def register(gesture: Gesture) -> Gesture:
            self.gestures[name] = gesture
            return gesture

        return register

    def throw(self, begins: Gesture) -> Gesture:
        """Register what a throw can say before a roll is asked for: an ``Offer`` for each figure beside which dice
        may fall, without the dice, about that figure."""
        self.throws.append(begins)
        return begins

    def reference(self, rules: Callable[[], Reference]) -> Callable[[], Reference]:
        """Register what stands on the game's reference card; it is called when the card is wanted."""
        self.rules_in_short = rules
        return rules

    def outcome(self, found: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
        """Register what the game says about a roll and its viewer: an ``OutcomeOf`` of ``results.py``."""
        self.outcome_of = found
        return found

    def afterwards(self, rule: Callable[[Play[Any]], Steps[None]]) -> Callable[[Play[Any]], Steps[None]]:
        """Register what follows from every action, once its own rule is done."""
        self._afterwards = rule
        return rule

    def start(self, play: Play[S], action: Action) -> Steps[None]:
        """The rule of an action, ready to run, with what follows from every action.

        Raises:
            UnknownAction: no such action, or an argument is unknown, missing or of the wrong sort.
        """
        rule, arguments = self.checked(action)
        yield from rule.run(play, **{f: getattr(arguments, f) for f in arguments.__struct_fields__})
        if self._afterwards is not None:
            yield from self._afterwards(play)

    def checked(self, action: Action) -> tuple[ActionRule, msgspec.Struct]:
        """The rule of an action, and its arguments as the rule wants them.

        Raises:
            UnknownAction: no such action, or an argument is unknown, missing or of the wrong sort.
        """
        rule = self.named(action.name)
        try:
            return rule, from_builtins(action.args, rule.arguments)
        except msgspec.ValidationError as error:
            raise UnknownAction(f"{label_of(rule.name)}{_argument_trouble(error, rule.arguments)}") from None

    def named(self, name: str) -> ActionRule:
        """The action of this name.

        Raises:
            UnknownAction: there is none.
        """
        rule = self.actions.get(name)
        if rule is None:
            hint = nearest(name, self.actions, f"it has {', '.join(sorted(self.actions))}")
            raise UnknownAction(f"{self.title} has no action {name!r}{hint}")
        return rule

    def new_game(self, setup: Mapping[str, Any], rulings: Mapping[str, str]) -> Game[S]:
        """A game before anything has happened, with the table's rulings over our defaults.

        Raises:
            UnknownRuling: no such ruling or choice.
            ContentInvalid: the set-up values do not fit this system.
        """
        for ruling_id, choice in rulings.items():
            self.rulings[ruling_id].choice(choice)
        return Game(self._setting_up.begin(setup), {**self.rulings.defaults(), **rulings})

    def view(self, game: Game[S], viewer: str) -> dict[str, Any]:
        """What ``viewer`` may see; hidden things are left out here and nowhere else."""
        return self._looks.view(game.state, viewer)

    def hints(self, game: Game[S], viewer: str) -> tuple[str, ...]:
        """What ``viewer`` could do that is easily overlooked; nothing in systems where there is nothing to find.

        The sentences may tell what is hidden from others, so they are for ``viewer`` alone.

        Raises:
            IllegalAction: nobody of this name plays.
        """
        return self._looks.hints(game.state, viewer)

    def people(self, game: Game[S]) -> Mapping[str, tuple[str, ...]]:
        """Everybody who is known to play, with the names of the figures that are theirs."""
        return self._setting_up.people(game.state)

    @property
    def says_who_hears(self) -> bool:
        """Whether the game itself decides who hears which sentence."""
        return self._words.hears is not None

    def hears(self, event: Event, game: Game[S], viewer: str) -> bool:
        """Whether ``viewer`` may hear the sentence of an event; ``game`` is the game after it."""
        if viewer == STORYTELLER or self.solo or isinstance(event, RulingChanged):
            return True
        hears = self._words.hears
        return hears is not None and hears(event, game.state, viewer)

    def turn(self, game: Game[S]) -> str:
        """Whose turn it is; empty where it is nobody's."""
        return self._looks.turn(game.state)

    def begun_by(self, game: Game[S], viewer: str) -> tuple[ActionRule, ...]:
        """The actions that a viewer may begin, as they were declared; rulings are decided apart."""
        theirs = (PLAYER,) if self.led(game) else (PLAYER, ASKED)
        every = (rule for name, rule in self.actions.items() if name != RULING_ACTION)
        free = viewer == STORYTELLER or self.solo
        return tuple(rule for rule in every if free or rule.begun_by in theirs)

    def names_of(self, game: Game[S], person: str) -> frozenset[str]:
        """The names by which a game knows this person: the own one, and those of the figures that are theirs."""
        return frozenset({person, *self.people(game).get(person, ())})

    def candidates(self, game: Game[S], viewer: str, **thought_of: Any) -> Candidates:
        """What a viewer can write for arguments now."""
        own = None if viewer == STORYTELLER or self.solo else self.names_of(game, viewer)
        seen = self.view(game, viewer)
        taken = f"{self.people(game)} {seen}"  # names of anybody and anything there is, each in quotes
        words = (word for n in count() if repr(word := f"somebody {n}" if n else "somebody") not in taken)
        thought_of = {"words": tuple(islice(words, 2)), **thought_of}
        return Candidates(seen, own, self.turn(game), **thought_of)

    def legal_actions(self, game: Game[S], viewer: str, each: int = 1000) -> tuple[Action, ...]:
        """Every action that a viewer can begin now, with arguments, at most ``each`` of one name; for them alone.

        Each is tried on the rules themselves, so what is listed is not refused. Where words or numbers are free,
        a few stand for them all. What follows an action is asked then.
        """
        able, rules = self.candidates(game, viewer), self.begun_by(game, viewer)
        return tuple(chain.from_iterable(islice(Search(game, rule, able), each) for rule in rules))

    def refusals(self, game: Game[S], viewer: str) -> dict[str, str]:
        """Every action that a viewer may begin, and why it is impossible now, as the rules say it; for them alone.

        The reason is empty where it is possible, or where not everything was tried.
        """
        able = self.candidates(game, viewer)
        return {rule.name: Search(game, rule, able).refusal() for rule in self.begun_by(game, viewer)}

    def refusal(self, game: Game[S], viewer: str, name: str) -> str:
        """Why a viewer cannot begin an action now; empty where they can, or where not everything was tried."""
        return Search(game, self.actions[name], self.candidates(game, viewer)).refusal()

    def possible_values(
        self, game: Game[S], viewer: str, name: str, given: Mapping[str, Any] | None = None, **thought_of: Any
    ) -> Possible:
        """The names and choices with which a viewer may begin an action now, some of its arguments ``given``."""
        return possible_values(game, self.actions[name], self.candidates(game, viewer, **thought_of), given)

    def telling(self, event: Event, game: Game[S], viewer: str = STORYTELLER) -> Telling:
        """The event in words for a viewer; ``game`` is the game after it."""
        if isinstance(event, RulingChanged):
            ruling = self.rulings[event.ruling]
            return Spoken(f"You decide: {ruling.question} {ruling.choice(event.choice).says}")
        telling = self._words.sentences(event) or self._words.tell(event, game.state, viewer)
        assert telling, f"{self.title} has no sentence for {type(event).__name__}"
        return telling

    def tell(self, event: Event, game: Game[S], viewer: str = STORYTELLER) -> str:
        """The event as a sentence for the table while it plays."""
        return spoken(self.telling(event, game, viewer))

    def _change_ruling(self, play: Play[S], *, ruling: str, choice: str) -> Steps[None]:
        known = self.rulings[ruling].choice(choice)
        yield RulingChanged(ruling=ruling, choice=known.key, rule=self.rulings[ruling].rule)


def people_of(figures: Mapping[str, Any], *others: str) -> dict[str, tuple[str, ...]]:
    """Who plays which figure, from sheets that say it in ``player``; then people who have no figure yet."""
    found: dict[str, tuple[str, ...]] = {}
    for name, figure in figures.items():
        if figure.player:
            found[figure.player] = (*found.get(figure.player, ()), name)
    return found | {other: () for other in others if other not in found}


def no_setup(system: str, state: Callable[[], S]) -> Callable[[Mapping[str, Any]], S]:
    """How a system begins that takes no set-up values: it refuses them with ``ContentInvalid``."""

    def begin(setup: Mapping[str, Any]) -> S:
        if setup:
            raise ContentInvalid(f"{system} takes no set-up values, but {', '.join(setup)} was given")
        return state()

    return begin


def _ruling_arguments(rulings: RulingBook) -> type[msgspec.Struct]:
    known = Annotated[str, Names(lambda view: tuple(rulings))]
    return msgspec.defstruct("ruling arguments", [("ruling", known), ("choice", str)], forbid_unknown_fields=True)


def _arguments_of(name: str, rule: Rule) -> type[msgspec.Struct]:
    hints = typing.get_type_hints(rule, include_extras=True)
    fields: list[Any] = []
    for parameter in inspect.signature(rule).parameters.values():
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            continue
        field: tuple[Any, ...] = (parameter.name, hints[parameter.name])
        if parameter.default is not inspect.Parameter.empty:
            field = (*field, parameter.default)
        fields.append(field)
    return msgspec.defstruct(f"{name} arguments", fields, forbid_unknown_fields=True, kw_only=True)


def _argument_trouble(error: msgspec.ValidationError, shape: type) -> str:
    why, path = validation_message(error, shape)
    if missing := re.fullmatch("it needs the field `(.*)`", why):
        return f" still needs {on_screen(*path, missing[1])}"
    if "no field" in why:
        path = path[:-1]
    where = f" in {on_screen(*path)}:" if path else ""
    return f":{where} {why.replace('there is no field', 'it has no argument')}"


def on_screen(*path: str | int) -> str:
    """An argument as screens call it: ``“Dexterity” of no. 1 of “Enemies”``."""
    return " of ".join(f"no. {at + 1}" if isinstance(at, int) else f"“{label_of(at)}”" for at in reversed(path))
