"""Forms for actions: from the types of an action's arguments to fields, and from a filled form to plain values.

A field is called by its path, ``arg.enemy.name``. What stays empty is left out, so that the engine's own defaults
hold and its own sentence says what is missing.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, get_args, get_origin

import msgspec
import yaml

from loomtable.engine.kernel.action_rules import ActionRule
from loomtable.engine.kernel.arguments import (
    USUAL,
    Names,
    declared_of,
    fields_in,
    names_in,
    without_declarations,
    without_none,
)
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import UnknownAction
from loomtable.engine.kernel.legal import Possible, why_not
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import on_screen
from loomtable.engine.kernel.wording import as_sentence, label_of, listed
from loomtable.engine.kernel.yamlfile import parse_value
from loomtable.engine.systems import card_name
from loomtable.table.choices.offers import NOTHING, Offer
from loomtable.table.screens.panel import component

PREFIX = "arg"
EARLY = "early"
"""In the address of a form whose button was pressed before it could be sent."""
YES_OR_NO = {"yes": True, "true": True, "no": False, "false": False}
FEW = 5
ROWS = 3
"""How many empty places a list of groups has."""

Offers = Callable[[Names | None], Offer]
"""What can be written for an argument, from what its type declares."""


class Choice(msgspec.Struct, frozen=True):
    """One thing to choose: its value in the form, and its words."""

    value: str
    label: str
    does: str = ""
    """What it does by the rules, where that is known."""
    picture: str = ""
    """The address of its picture, where it is a card."""


class Field(msgspec.Struct, frozen=True):
    """One field of a form.

    ``kind``: ``text``, ``number``, ``switch``, ``yes-no``, ``one`` (of the choices), ``several`` (of them),
    ``names`` (a list written with commas), ``card``, ``cards``, ``values`` (written as in YAML), or ``group``,
    which holds ``parts``.
    """

    path: str
    label: str
    kind: str
    required: bool = False
    chosen: tuple[str, ...] = ()
    """What stands in it: what was given, or what the rules take where nothing is."""
    choices: tuple[Choice, ...] = ()
    parts: tuple[Field, ...] = ()
    at_least: int = 1
    """How many of several have to be chosen."""
    wanted: bool = False
    """Whether the rules want it as things are, or something else in its place."""
    usual: bool = False
    """Whether it is asked for at once, though it may be left out."""
    help: str = ""
    """What it is, in a line."""
    trouble: str = ""
    """What is missing or wrong in it, as a sentence."""

    @property
    def few(self) -> bool:
        """Whether it is one of so few things that each has a button."""
        return self.kind == "one" and 1 <= len(self.choices) <= FEW and not any(way.does for way in self.choices)


def fields_of(rule: ActionRule, offers: Offers, possible: Possible | None = None) -> tuple[Field, ...]:
    """The fields of an action's form.

    Where it is known what is ``possible``, nothing else is offered, and what the rules ask for besides what has to
    be given in any case has to be given as well.
    """
    fields = tuple(_explained(field, rule) for field in _struct_fields(rule.arguments, PREFIX, offers))
    if possible is None:
        return fields
    narrowed = (_narrowed(field, possible) for field in fields)
    return tuple(
        # Where no way was found to begin it, it may want a card of which only people know that they hold it.
        msgspec.structs.replace(field, usual=True)
        if field.kind == "card" and (field.choices or not possible.filling)
        else field
        for field in narrowed
        if field.required or field.choices or possible.values.get(field.path.removeprefix(f"{PREFIX}.")) != []
    )


def _explained(field: Field, rule: ActionRule) -> Field:
    parts = tuple(_explained(part, rule) for part in field.parts)
    return msgspec.structs.replace(field, parts=parts, help=rule.help_of(field.path.removeprefix(f"{PREFIX}.")))


def filled_in(
    fields: Iterable[Field], given: Mapping[str, Sequence[str]], *, needed: bool = True
) -> tuple[Field, ...]:
    """The fields with what was given so far, by their paths, and by themselves with what alone is possible.

    Of a group that may stay empty nothing has to be given; once any of it is, the rest has to be.
    """
    filled = []
    for field in fields:
        begun = any(_begun(part, given) for part in field.parts)
        field = msgspec.structs.replace(field, required=(field.required and needed) or begun)
        offered = {choice.value for choice in field.choices} if field.kind in ("one", "several") else ()
        said = tuple(value for value in given.get(field.path, ()) if not offered or value in offered)
        chosen = said or _by_itself(field) or field.chosen
        parts = filled_in(field.parts, given, needed=field.required)
        filled.append(msgspec.structs.replace(field, chosen=chosen, parts=parts))
    return tuple(filled)


def leaves_of(fields: Iterable[Field]) -> Iterator[Field]:
    """The fields that hold something themselves, those in groups too."""
    for field in fields:
        yield from leaves_of(field.parts) if field.parts else (field,)


def asleep(session: Session[object], rule: ActionRule, fields: Sequence[Field], **said: list[str]) -> str:
    """Why a form cannot be sent as it stands, with what is ``said`` last, by the rules; empty where it can.

    All that is missing is told at once.
    """
    stands = {field.path: list(field.chosen) for field in leaves_of(fields)} | said
    try:
        args = arguments_from(rule, stands)
    except UnknownAction as error:
        return as_sentence(str(error))
    why = why_not(session.system.start, session.game, Action(rule.name, args))
    missing = [_name(one.path) for one in leaves_of(fields) if one.path not in said and _lacks(one)]
    if why and len(missing) > 1:
        why = f"{label_of(rule.name)} still needs {listed(missing)}"
    return as_sentence(why)


def troubled(fields: Iterable[Field], why: str, *, early: bool) -> tuple[Field, ...]:
    """The fields with what is wrong with each, where the rules name it; and what is missing, once somebody has
    pressed too early."""
    return tuple(
        msgspec.structs.replace(
            field,
            trouble=_trouble(field, why) if why and (early or any(field.chosen)) else "",
            parts=troubled(field.parts, why, early=early),
        )
        for field in fields
    )


def _trouble(field: Field, why: str) -> str:
    if _lacks(field):
        many = f"Tick at least {field.at_least}." if field.at_least > 1 else "Choose one."
        return many if field.choices else "Fill this in."
    return why if f"“{field.label}”" in why and "still needs" not in why else ""


def _lacks(field: Field) -> bool:
    return field.required and not field.parts and sum(map(bool, field.chosen)) < field.at_least


def _begun(field: Field, given: Mapping[str, Sequence[str]]) -> bool:
    """Whether somebody has said anything of it: a page sends what stands in a field by itself as well."""
    said = tuple(given.get(field.path, ()))
    return (any(said) and said != field.chosen) or any(_begun(part, given) for part in field.parts)


def _by_itself(field: Field) -> tuple[str, ...]:
    """What alone is possible; of a list of people that has to be given, all who are there."""
    alone = field.kind in ("one", "card") and len(field.choices) == 1
    return tuple(one.value for one in field.choices) if field.required and (alone or field.kind == "names") else ()


def _narrowed(field: Field, possible: Possible) -> Field:
    name = field.path.removeprefix(f"{PREFIX}.")
    if name in possible.filling:
        field = _wanted(field, possible.filling[name], needed=name in possible.needed)
    if field.parts:
        return msgspec.structs.replace(field, parts=tuple(_narrowed(part, possible) for part in field.parts))
    values = possible.values.get(name)
    if values is None:
        return field
    choices = tuple(choice for choice in field.choices if choice.value in values)
    keep = not choices and field.required and field.kind != "text"
    return msgspec.structs.replace(field, choices=field.choices if keep else choices)


def _wanted(field: Field, filling: Any, *, needed: bool) -> Field:
    """The field as one that the rules want, in as many parts as they were found to be content with."""
    if isinstance(filling, dict) and field.parts:
        given = {part.path: filling.get(part.path.rpartition(".")[2]) for part in field.parts}
        parts = tuple(
            part if given[part.path] is None else _wanted(part, given[part.path], needed=False)
            for part in field.parts
        )
        return msgspec.structs.replace(field, wanted=True, required=field.required or needed, parts=parts)
    if field.kind == "switch":
        return msgspec.structs.replace(field, wanted=True, chosen=("true",)) if filling else field
    many = len(filling) if isinstance(filling, list) and field.kind == "several" else 1
    required = field.required or (needed and many > 0)
    return msgspec.structs.replace(field, wanted=True, required=required, at_least=max(many, 1))


def arguments_from(rule: ActionRule, said: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The arguments in a filled form as plain values; where one is wanted, the first counts that is not empty.

    Raises:
        UnknownAction: a number is none, or a written value cannot be read.
    """
    filled = _struct_from(rule.arguments, PREFIX, _Filled(said))
    return filled if isinstance(filled, dict) else {}


class _Filled(typing.NamedTuple):
    said: Mapping[str, Sequence[str]]

    def one(self, path: str) -> str:
        return next(filter(None, map(str.strip, self.said.get(path, ()))), "")

    def below(self, path: str) -> list[str]:
        """The keys written behind ``path``, each once, in order."""
        start = f"{path}."
        return [key[len(start) :] for key, values in self.said.items() if key.startswith(start) and any(values)]


def words_of(value: object) -> str:
    """A value of an enumeration in words."""
    return str(getattr(value, "label", None) or label_of(str(getattr(value, "value", value))))


# From types to fields


def _struct_fields(shape: type[msgspec.Struct], path: str, offers: Offers) -> tuple[Field, ...]:
    return tuple(
        _field(f.name, f.type, f"{path}.{f.encode_name}", f.required, f.default, offers) for f in fields_in(shape)
    )


def _field(name: str, shape: Any, path: str, required: bool, default: object, offers: Offers) -> Field:
    offer, usual = offers(names_in(shape)), USUAL in declared_of(shape)
    shape, optional = without_none(shape)
    required = required and not optional
    shown = "" if default in (msgspec.NODEFAULT, None) or not isinstance(default, str | int) else _plain(default)
    choices = tuple(
        Choice(name, offer.title(at), offer.does[at] if offer.does else "") for at, name in enumerate(offer.names)
    )

    def made(kind: str, choices: tuple[Choice, ...] = choices, parts: tuple[Field, ...] = ()) -> Field:
        chosen = (shown,) if shown else ()
        return Field(path, label_of(name), kind, required, chosen, choices, parts, usual=usual)

    if shape is bool:
        return made("yes-no" if required else "switch", (Choice("true", "Yes"), Choice("false", "No")))
    if shape is int:
        return made("number", ())
    if shape is str:
        return made("one" if offer.closed else "text")
    if shape is ComponentId:
        return made("card", tuple(map(_card_choice, offer.names)))
    if isinstance(shape, type) and issubclass(shape, Enum):
        return made("one", _members(shape))
    if _is_struct(shape):
        return made("group", (), _struct_fields(shape, path, offers))
    return _collection(name, shape, made, path, offers, offer)


def _members(shape: type[Enum]) -> tuple[Choice, ...]:
    return tuple(Choice(str(member.value), words_of(member)) for member in shape)


def _card_choice(code: str) -> Choice:
    card = component(code)
    named = f"{code} {card_name(card)}" if isinstance(card, ComponentId) else code
    return Choice(code, named, picture=f"/art/card/{code}.svg")


def _collection(
    name: str, shape: Any, made: Callable[..., Field], path: str, offers: Offers, offer: Offer
) -> Field:
    origin, inside = get_origin(shape), tuple(map(without_declarations, get_args(shape)))
    if _is_named_tuple(shape):
        if offer.closed and offer.names:
            return made("one")
        hints = typing.get_type_hints(shape)
        parts = tuple(_field(n, hints[n], f"{path}.{n}", True, None, offers) for n in shape._fields)
        return made("group", (), parts)
    if origin is tuple and len(inside) == 2 and inside[1] is ...:
        if inside[0] is ComponentId:
            return made("cards")
        if _is_struct(inside[0]):
            rows = tuple(_row(name, inside[0], path, at, offers) for at in range(ROWS))
            return made("group", (), rows)
        if isinstance(inside[0], type) and issubclass(inside[0], Enum):
            return made("several", _members(inside[0]))
        return made("several" if offer.closed and offer.names else "names")
    if origin is dict:
        return _by_name(inside, made, path, offers, offer)
    return made("values")


def _row(name: str, shape: type[msgspec.Struct], path: str, at: int, offers: Offers) -> Field:
    """One place in a list of groups; only the first is asked for, where the list is."""
    parts = _struct_fields(shape, f"{path}.{at}", offers)
    return Field(f"{path}.{at}", f"{label_of(name)}, {at + 1}", "group", at == 0, parts=parts)


def _by_name(
    inside: tuple[Any, ...], made: Callable[..., Field], path: str, offers: Offers, offer: Offer
) -> Field:
    """A field for each name that is known, where the names are known."""
    key, value = inside
    if isinstance(key, type) and issubclass(key, Enum):
        names = {str(member.value): words_of(member) for member in key}
    elif offer.closed:
        names = {name: name for name in offer.names}
    else:
        return made("values")
    return made(
        "group",
        (),
        tuple(
            msgspec.structs.replace(
                _field(label, value, f"{path}.{name}", False, None, lambda _: NOTHING), label=label
            )
            for name, label in names.items()
        ),
    )


def _is_struct(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, msgspec.Struct)


def _is_named_tuple(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, tuple) and hasattr(shape, "_fields")


def _plain(value: str | int) -> str:
    if isinstance(value, bool):
        return "true" if value else ""
    return str(value.value if isinstance(value, Enum) else value)


# From a filled form to plain values


def _struct_from(shape: type[msgspec.Struct], path: str, filled: _Filled) -> dict[str, Any] | None:
    """What was filled in; nothing where every field was left as it stood, for a page sends its defaults too."""
    found: dict[str, Any] = {}
    for f in fields_in(shape):
        value = _value_from(f.type, f"{path}.{f.encode_name}", filled)
        default = f.default.value if isinstance(f.default, Enum) else f.default
        if value is not None and value != default:
            found[f.encode_name] = value
    return found or None


def _value_from(shape: Any, path: str, filled: _Filled) -> Any:
    shape, _ = without_none(shape)
    typed = filled.one(path)
    if shape is str or shape is ComponentId or (isinstance(shape, type) and issubclass(shape, Enum)):
        return typed or None
    if typed.startswith(("[", "{")) and shape is not int:
        return _written(path, typed)
    if _is_struct(shape):
        return _written(path, typed) if typed else _struct_from(shape, path, filled)
    if _is_named_tuple(shape) and typed:
        return [_number(path, part) for part in typed.split("/")]
    if _is_named_tuple(shape):
        parts = [_value_from(int, f"{path}.{name}", filled) for name in shape._fields]
        return None if all(part is None for part in parts) else parts
    origin = get_origin(shape)
    if origin is tuple:
        return _list_from(get_args(shape)[0], path, filled)
    if origin is dict and not typed:
        value = get_args(shape)[1]
        rows = {key: _value_from(value, f"{path}.{key}", filled) for key in filled.below(path)}
        return {key: value for key, value in rows.items() if value is not None} or None
    if not typed:
        return None
    if shape is bool:
        return YES_OR_NO.get(typed.casefold(), typed)
    if shape is int:
        return _number(path, typed)
    return _written(path, typed)


def _list_from(declared: Any, path: str, filled: _Filled) -> Any:
    names, inside = names_in(declared), without_declarations(declared)
    if (typed := filled.one(path)) and _is_struct(inside):
        return _written(path, typed)
    if _is_struct(inside):
        places = sorted({key.split(".")[0] for key in filled.below(path)}, key=lambda at: (len(at), at))
        rows = [_struct_from(inside, f"{path}.{at}", filled) for at in places]
        # A switch that is merely off does not make a row.
        return [row for row in rows if row] or None
    given = [value for value in filled.said.get(path, ()) if value.strip()]
    if names is None or not names.closed:  # those are ticked, and may hold commas
        given = [part.strip() for value in given for part in value.split(",")]
    return [value for value in given if value] or None


def _number(path: str, typed: str) -> int:
    try:
        return int(typed.replace("−", "-"))
    except ValueError:
        raise UnknownAction(f"{_name(path)}: {typed[:40]!r} is not a whole number") from None


def _written(path: str, typed: str) -> Any:
    try:
        return parse_value(typed)
    except yaml.YAMLError:
        why = f"{_name(path)}: the value cannot be read; write it like {{name: Goblin, health: 10}}"
        raise UnknownAction(why) from None


def _name(path: str) -> str:
    return on_screen(*(int(part) if part.isdigit() else part for part in path.split(".")[1:]))
