"""A game system: its actions, rulings and views, in the shape that sessions and tables work with."""

from __future__ import annotations

import difflib
import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid, UnknownAction
from loomtable.engine.kernel.plain import from_plain, misfit
from loomtable.engine.kernel.play import Action, Event, Game, Play, RulingChanged, Steps
from loomtable.engine.kernel.rulings import RulingBook

S = TypeVar("S")
Rule = Callable[..., Steps[None]]

STORYTELLER = "storyteller"
"""The viewer who may see everything, and who decides where a person has to."""

RULING_ACTION = "ruling"


class ActionRule(msgspec.Struct, frozen=True):
    """An action that people can take: its name, what it does, its arguments, and the rules it plays."""

    name: str
    says: str
    rules: tuple[str, ...]
    arguments: type[msgspec.Struct]
    run: Rule


class System(Generic[S]):
    """One of the games.

    Args:
        key: its name on the command line, e.g. ``"storm-weavers"``.
        title: its name for people.
        rules_version: written into every journal; a journal of other rules is not silently played on.
        rulings: what tables decide for themselves.
        begin: the state before anything has happened, from the set-up values of a session.
        view: what one viewer may see of the state, as plain values.
        tell: an event as a sentence for people.
        hints: what a player could do that is easily overlooked, in sentences for that player alone.
    """

    def __init__(
        self,
        key: str,
        title: str,
        *,
        rules_version: str,
        rulings: RulingBook,
        begin: Callable[[Mapping[str, Any]], S],
        view: Callable[[S, str], dict[str, Any]],
        tell: Callable[[Event, S], str],
        hints: Callable[[S, str], tuple[str, ...]] | None = None,
    ) -> None:
        self.key = key
        self.title = title
        self.rules_version = rules_version
        self.rulings = rulings
        self.begin = begin
        self._view = view
        self._tell = tell
        self._hints = hints
        self.actions: dict[str, ActionRule] = {}
        self._add(ActionRule(RULING_ACTION, "Decide a ruling anew.", (), _RulingArguments, self._change_ruling))

    def action(self, name: str, *rules: str) -> Callable[[Rule], Rule]:
        """Register a rule as an action. Its keyword-only parameters become the action's arguments."""

        def register(rule: Rule) -> Rule:
            says = (inspect.getdoc(rule) or "").split("\n\n")[0].replace("\n", " ").replace("``", "")
            self._add(ActionRule(name, says, rules, _arguments_of(name, rule), rule))
            return rule

        return register

    def _add(self, rule: ActionRule) -> None:
        self.actions[rule.name] = rule

    def start(self, play: Play[S], action: Action) -> Steps[None]:
        """The rule of an action, ready to run.

        Raises:
            UnknownAction: no such action, or an argument is unknown, missing or of the wrong sort.
        """
        rule, arguments = self.checked(action)
        return rule.run(play, **{f: getattr(arguments, f) for f in arguments.__struct_fields__})

    def checked(self, action: Action) -> tuple[ActionRule, msgspec.Struct]:
        """The rule of an action, and its arguments as the rule wants them.

        Raises:
            UnknownAction: no such action, or an argument is unknown, missing or of the wrong sort.
        """
        rule = self.actions.get(action.name)
        if rule is None:
            near = difflib.get_close_matches(action.name, self.actions, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(sorted(self.actions))}"
            raise UnknownAction(f"{self.title} has no action {action.name!r}; {hint}")
        try:
            return rule, from_plain(action.args, rule.arguments)
        except msgspec.ValidationError as error:
            raise UnknownAction(f"{action.name}: {_argument_trouble(error, rule.arguments)}") from None

    def new_game(self, setup: Mapping[str, Any], rulings: Mapping[str, str]) -> Game[S]:
        """A game before anything has happened, with the table's rulings over our defaults.

        Raises:
            UnknownRuling: no such ruling or choice.
            ContentInvalid: the set-up values do not fit this system.
        """
        for ruling_id, choice in rulings.items():
            self.rulings[ruling_id].choice(choice)
        return Game(self.begin(setup), {**self.rulings.defaults(), **rulings})

    def view(self, game: Game[S], viewer: str) -> dict[str, Any]:
        """What ``viewer`` may see; hidden things are left out here and nowhere else."""
        return self._view(game.state, viewer)

    def hints(self, game: Game[S], viewer: str) -> tuple[str, ...]:
        """What ``viewer`` could do that is easily overlooked; nothing in systems where there is nothing to find.

        The sentences may tell what is hidden from others, so they are for ``viewer`` alone.

        Raises:
            IllegalAction: nobody of this name plays.
        """
        return () if self._hints is None else self._hints(game.state, viewer)

    def tell(self, event: Event, game: Game[S]) -> str:
        """The event as a sentence for people; ``game`` is the game after it."""
        if isinstance(event, RulingChanged):
            return f"From now on, {event.ruling}: {self.rulings[event.ruling].choice(event.choice).says}"
        sentence = self._tell(event, game.state)
        assert sentence, f"{self.title} has no sentence for {type(event).__name__}"
        return sentence

    def _change_ruling(self, play: Play[S], *, ruling: str, choice: str) -> Steps[None]:
        known = self.rulings[ruling].choice(choice)
        yield RulingChanged(ruling=ruling, choice=known.key, rule=self.rulings[ruling].rule)


class _RulingArguments(msgspec.Struct, forbid_unknown_fields=True):
    ruling: str
    choice: str


def no_setup(system: str, setup: Mapping[str, Any]) -> None:
    """Refuse set-up values for a system that takes none.

    Raises:
        ContentInvalid: there are some.
    """
    if setup:
        raise ContentInvalid(f"{system} takes no set-up values, but {', '.join(setup)} was given")


def _arguments_of(name: str, rule: Rule) -> type[msgspec.Struct]:
    hints = typing.get_type_hints(rule)
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
    why, path = misfit(error, shape)
    if "no field" in why:
        path = path[:-1]
    where = f"in {'.'.join(map(str, path))}: " if path else ""
    return where + why.replace("there is no field", "it has no argument").replace("the field", "the argument")
