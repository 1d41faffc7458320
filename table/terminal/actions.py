"""What can be done now, and an action from what was typed: missing arguments are asked for, never guessed."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from loomtable.engine.kernel.action_rules import ActionRule
from loomtable.engine.kernel.arguments import fields_in
from loomtable.engine.kernel.errors import IllegalAction, UnknownAction
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import label_of
from loomtable.table.choices.fields import PREFIX, Choice, Field, arguments_from, fields_of, filled_in, leaves_of
from loomtable.table.choices.groups import Group, groups_of
from loomtable.table.choices.offers import Offers
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.terminal.answers import meant

HOST = Device("", "the terminal", Role.HOST)
"""Whoever sits at the terminal runs the table."""

Asking = Callable[[str, Field], list[str] | None]
"""Asks for one argument under a heading; what was typed, nothing where it may stay empty, ``None`` to give up."""

FREE = ("text", "number")
"""The kinds of what is written, not chosen."""
SEVERAL = ("several", "names", "cards")
"""The kinds of which several can be said."""
MOST_ABOUT = 3
"""So many actions that are explained with a word are named to whoever types it."""
CLOSE = 0.75
"""How much a misspelled name is like the one that is meant, at least."""


class GaveUp(Exception):
    """Somebody pressed Enter instead of saying an argument, or went back before the first."""


class OneBack(Exception):
    """Somebody wants to say the argument before this one anew."""


class ActionMenu:
    """The actions that can be begun now, numbered, in the groups of the page; those by hand behind one entry."""

    def __init__(self, session: Session[object], viewer: str) -> None:
        system = session.system
        legal = [name for name, why in system.refusals(session.game, viewer).items() if not why]
        seen: set[str] = set()
        groups: list[Group] = []
        for group in groups_of(system, legal, begun=bool(session.played)):
            fresh = tuple(action for action in group.actions if action.name not in seen)
            seen |= {action.name for action in fresh}
            if fresh:
                groups.append(Group(group.title, fresh, group.by_hand))
        self.groups = [group for group in groups if not group.by_hand]
        self.folded = [group for group in groups if group.by_hand]
        self.held = ", ".join(group.title for group in self.folded).capitalize()
        """What the entry of the folded groups holds, in words."""
        shown, hidden = ([a.name for group in part for a in group.actions] for part in (self.groups, self.folded))
        self.by_hand = str(len(shown) + 1) if hidden else ""
        """The number of that entry; what is in it has the numbers after it."""
        names = [*shown, *([""] if hidden else ()), *hidden]
        self.numbered = {str(at): name for at, name in enumerate(names, start=1) if name}
        likely = next((name for name in system.presentation.likely if name in legal), "")
        needs = likely and any(f.required for f in fields_in(system.actions[likely].arguments))
        self.at_once = likely if not needs else ""
        """The action that Enter alone begins: what tables want most often, where nothing has to be said for it."""


class TypedAction:
    """One action on its way from a line to the rules."""

    def __init__(self, session: Session[object], viewer: str, rule: ActionRule, names: Mapping[str, str]) -> None:
        self.session, self.rule = session, rule
        self._viewer, self._names = viewer, names
        self._unknown: dict[str, str] = {}
        self._form: dict[str, list[str]] = {}

    def take(self, words: Sequence[str]) -> None:
        """Arguments as they were typed, ``suit=gales`` or only ``gales`` where that can mean but one.

        Raises:
            UnknownAction: a word means nothing here.
        """
        known = {f.encode_name for f in fields_in(self.rule.arguments)}
        loose: list[str] = []
        for word in words:
            key, equals, value = word.partition("=")
            if equals and key in known:
                self._form[f"{PREFIX}.{key}"] = self._as_offered(key, value)
            elif equals and key:
                self._unknown[key] = value  # the rules say what they know instead
            else:
                loose.append(word)
        while loose:
            loose = loose[self._placed(loose) :]

    def _as_offered(self, key: str, typed: str) -> list[str]:
        """A name that is offered or drawn as the game writes it, whatever its capitals; so each name in a list."""
        field = self._fields().get(key)
        listed = field is not None and field.kind in SEVERAL and typed[:1] != "["
        parts = [part.strip() for part in typed.split(",")] if listed else [typed]
        choices = field.choices if field is not None else ()
        same = {name.casefold(): c.value for c in choices for name in (c.value, c.label)}
        same |= {name.casefold(): value for value, name in self._names.items()}
        return [same.get(part.casefold(), part) for part in parts]

    def _placed(self, words: Sequence[str]) -> int:
        """Put the longest beginning of these words where it fits; how many that took."""
        fields = self._fields()
        for many in range(len(words), 0, -1):
            typed = " ".join(words[:many])
            for field in fields.values():
                found = [] if self._given(field.path) else meant(typed, names_of(field.choices))
                if len(found) == 1:
                    self._form[field.path] = found
                    return many
        free = [f for f in fields.values() if f.required and not self._given(f.path) and f.kind in FREE]
        if len(free) == 1 and (free[0].kind == "text" or " ".join(words).isdecimal()):
            self._form[free[0].path] = [" ".join(words)]
            return len(words)
        title = label_of(self.rule.name)
        why = f"{words[0]!r} says nothing to {title}; write it as name=value, or type only {self.rule.name}"
        raise UnknownAction(why)

    def filled(self, ask: Asking) -> dict[str, Any]:
        """All arguments; what is missing is asked for, and what is usual, unless a line said all that is needed.

        Raises:
            GaveUp: somebody did not answer, or left.
        """
        walks = not self._said() or any(f.required and not self._given(f.path) for f in self._fields().values())
        left_out: dict[str, Field] = {}
        before: list[tuple[dict[str, list[str]], dict[str, Field]]] = []
        while asked := next(self._to_ask(walks, left_out), None):
            heading, field = asked
            typed: list[str] | None = list(field.chosen) if field.kind != "number" else []
            if not typed:
                said = dict(self._form), dict(left_out)
                try:
                    typed = ask(heading, field)
                except OneBack:
                    if not before:
                        raise GaveUp from None
                    self._form, left_out = before.pop()
                    continue
                before.append(said)
            if typed is None:
                raise GaveUp
            self._form[field.path] = typed
            if not typed:
                left_out[field.path] = field
        return self._said()

    def _to_ask(self, walks: bool, left_out: Mapping[str, Field]) -> Iterator[tuple[str, Field]]:
        """What is to be asked next, and what could be after it, each with its heading."""
        fields = self._fields().values()
        # Of several that may be left out one is needed: whatever was not wanted, the others are asked for.
        unwanted = any(field.wanted for field in left_out.values())
        others = bool(unwanted and self.session.refusal(self.rule.name, **self._said()))
        for field in fields:
            if field.required or field.wanted or (walks and field.usual) or others:
                yield from ((said, part) for said, part in self._open(field) if part.path not in left_out)

    def _open(self, field: Field) -> Iterator[tuple[str, Field]]:
        """What has not been said of a field; of a group its first part, and then what goes with it."""
        rows = [part for part in field.parts if part.path.rpartition(".")[2].isdecimal()]
        for row in rows:
            yield from self._open(row)
            if not self._given(row.path):
                return  # nobody else
        inner = [] if rows else list(leaves_of([field]))
        if field.parts and not field.required:
            inner = inner[:1]
        needed = [part for part in inner if part.required or part.usual]
        for part in needed or inner:
            if not self._given(part.path):
                yield field.label if part is field else f"{field.label}: {part.label}", part

    def _fields(self) -> dict[str, Field]:
        """What can be said, as far as what has been said leaves a choice; by the arguments' names."""
        system = self.session.system
        possible = system.possible_values(self.session.game, self._viewer, self.rule.name, self._said())
        fields = filled_in(fields_of(self.rule, Offers(self.session, HOST), possible), self._form)
        return {f.path.removeprefix(f"{PREFIX}."): self._as_drawn(f) for f in fields}

    def _as_drawn(self, field: Field) -> Field:
        choices = tuple(
            msgspec.structs.replace(choice, label=self._names.get(choice.value, choice.label))
            for choice in field.choices
        )
        return msgspec.structs.replace(field, choices=choices)

    def _given(self, path: str) -> bool:
        """Whether something is said of a field: at its path, below or above."""
        said = (f"{name}." for name, values in self._form.items() if values)
        return any(name.startswith(f"{path}.") or f"{path}.".startswith(name) for name in said)

    def _said(self) -> dict[str, Any]:
        return {**self._unknown, **arguments_from(self.rule, self._form)}


def names_of(choices: Sequence[Choice]) -> dict[str, tuple[str, ...]]:
    """What people may type for each choice, by its value; what is drawn with a number goes by that too."""
    parts = {choice.value: choice.label.partition(" ") for choice in choices}
    labels = {choice.value: choice.label for choice in choices}
    return {v: (v, labels[v], *((n, rest) if n.isdecimal() else ())) for v, (n, _, rest) in parts.items()}


def action_named(session: Session[object], menu: ActionMenu | None, line: str) -> tuple[ActionRule, list[str]]:
    """The action that a line begins with, by its number, its name or its label, and the words behind it.

    Raises:
        UnknownAction: there is none, or the line cannot be taken apart.
    """
    words = _words(line)
    actions = session.system.actions
    if menu is not None and words[0] in menu.numbered:
        return actions[menu.numbered[words[0]]], words[1:]
    for many in range(len(words), 0, -1):
        name = "-".join(words[:many]).casefold()
        if name in actions:
            return actions[name], words[many:]
    if words[0].isdecimal():
        raise IllegalAction(f"nothing here has the number {words[0]}; type one that is shown")
    possible = list(menu.numbered.values()) if menu is not None else list(actions)
    found = meant(words[0], {name: (name, label_of(name)) for name in possible})
    if len(found) > 1:
        why = f"{words[0]!r} could be {' or '.join(map(label_of, found))}; type more of it, or its number"
        raise UnknownAction(why)
    if found:
        return actions[found[0]], words[1:]
    known = dict.fromkeys((*possible, *actions))
    about = [name for name in known if words[0].casefold() in actions[name].help_of("also").split(", ")]
    about = about or [name for name in known if _speaks_of(actions[name], words[0])]
    near = about[:MOST_ABOUT] or difflib.get_close_matches(words[0].casefold(), actions, 1, CLOSE)
    hint = f"did you mean {' or '.join(near).replace('-', ' ')}?" if near else "actions lists all that can be done"
    raise UnknownAction(f"there is no action {words[0]!r}; {hint}")


def _speaks_of(rule: ActionRule, word: str) -> bool:
    """Whether an action or an argument of it is explained with this word, or one that begins so."""
    texts = (rule.says, *(rule.help_of(f.encode_name) for f in fields_in(rule.arguments)))
    return any(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for text in texts)


def _words(line: str) -> list[str]:
    """A line as words, quoted ones whole; an apostrophe within a name is no quotation mark.

    Raises:
        UnknownAction: a quotation mark is missing.
    """
    try:
        return shlex.split(line)
    except ValueError:
        plain = shlex.shlex(line, posix=True)
        plain.whitespace_split, plain.quotes, plain.commenters = True, '"', ""
    try:
        return list(plain)
    except ValueError as error:
        raise UnknownAction(f"{line!r} cannot be read ({error})") from None
