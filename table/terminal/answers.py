"""What is asked, as a terminal shows it, and an answer from what was typed."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.readings import ChoiceReading, Reading, TextReading
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Flip, Option, Request, Roll, ShowCard
from loomtable.engine.odds.words import OddsLine
from loomtable.engine.systems import card_name
from loomtable.table.choices.odds import with_odds
from loomtable.table.reading.typed import AT_RANDOM, NONE, TICK, typed_reading
from loomtable.table.terminal.console import Row

MOST_CARDS = 24
"""So many cards are listed by name; of more only the codes."""


def meant(typed: str, names: Mapping[str, Iterable[str]]) -> list[str]:
    """The keys that have this name, in capitals or not; where none has, those with a name that begins so."""
    wanted = typed.casefold()
    lower = {key: [name.casefold() for name in called] for key, called in names.items()}
    exact = [key for key, called in lower.items() if wanted in called]
    return exact or [key for key, called in lower.items() if wanted and any(n.startswith(wanted) for n in called)]


def numbered(asked: Choose, names: Mapping[str, str]) -> dict[str, Option]:
    """The options by the numbers that people type: by their keys, where all of these are numbers."""
    if all(option.key.isdecimal() for option in asked.options):
        return {option.key: option for option in asked.options}
    numbers = numbers_for([names.get(option.key, option.label) for option in asked.options])
    return dict(zip(numbers, asked.options, strict=True))


def rows_of(asked: Request, names: Mapping[str, str], odds: Sequence[OddsLine] = ()) -> list[Row]:
    """What can be chosen, with what it does and, as far as they are known, its odds; so too what can be ticked."""
    match asked:
        case Choose():
            return [(n, named(o, names), o.says, o.does) for n, o in numbered(asked, names).items()]
        case EnterNumber(options=options):
            return [(o.key, o.label, o.says, o.does) for o in (with_odds(option, odds) for option in options)]
        case EnterText(suggestions=suggestions):
            return [(str(n), word, "", "") for n, word in enumerate(suggestions, start=1)]
        case Roll(ticks=Choose() as ticks, ticked=ticked):
            marked = [(n, "x" if o.key in ticked else " ", o) for n, o in numbered(ticks, names).items()]
            return [(f"[{mark}] {n}", o.label, o.says, "") for n, mark, o in marked]
        case _:
            return []


def numbers_for(labels: Sequence[str]) -> list[str]:
    """A number for each: the one that stands on a drawing (``7 Winteracre``), otherwise the next that is free."""
    drawn = [label.partition(" ")[0] for label in labels]
    taken = {number for number in drawn if number.isdecimal()}
    free = (str(at) for at in count(1) if str(at) not in taken)
    return [number if number.isdecimal() else next(free) for number in drawn]


def named(option: Option, names: Mapping[str, str]) -> str:
    """An option's name; where it lies on a drawing, what is written there."""
    name = names.get(option.key, option.label)
    number, _, rest = name.partition(" ")
    return rest if number.isdecimal() and option.key in names else name


def how_to_answer(asked: Request) -> str:
    """What to type, in a sentence."""
    match asked:
        case Roll(die=die):
            faces = [str(face) for face in die.faces]
            some = (faces * asked.count)[: asked.count]
            example = " ".join(some if asked.count < 6 else [*some[:4], "and so on"])
            dice = (
                f"{asked.dice} and type what they show"
                if asked.count > 1
                else f"{asked.dice} and type what it shows"
            )
            ticks = f" First, {TICK} 1 if it applies." if asked.ticks is not None else ""
            plain = ", ".join(f"{pips} {face}" for pips, face in enumerate(asked.stand_in, start=1))
            plain = plain and f" With ordinary dice type the pips: {plain}."
            return f"Roll {dice}, like this: {example}. Or {AT_RANDOM} lets the computer roll.{plain}{ticks}"
        case Flip():
            return f"Flip a coin and type heads or tails. Or {AT_RANDOM} lets the computer flip."
        case ShowCard(kind=kind):
            return f"Draw a {kind.value.capitalize()} card and type its code. Or {AT_RANDOM} draws one."
        case Choose(at_least=least, at_most=most):
            if least == most == 1:
                return f"Type a number or a name. Or {AT_RANDOM} picks for you."
            if most == 1:
                return f"Type a number or a name, or {NONE}. Or {AT_RANDOM} picks for you."
            bounds = f"{least}" if least == most else f"{least} to {most}" if least else f"up to {most}"
            nothing = f", or {NONE}" if not least else ""
            return f"Choose {bounds}: type the numbers with spaces between{nothing}. Or {AT_RANDOM} picks for you."
        case EnterNumber(options=options) if options:
            return f"Type a number. Or {AT_RANDOM} picks one."
        case EnterNumber(low=low, high=high):
            return f"Type a number from {low} to {high}. Or {AT_RANDOM} picks one."
        case EnterText():
            what = "a number, or other words" if asked.suggestions else "it and press Enter"
            return f"Type {what}. Or {AT_RANDOM} writes something."


def cards_to_show(asked: ShowCard) -> list[str]:
    """The cards that can be shown now, by code and name."""
    sides = ("A", "B") if asked.kind is Kind.TAPESTRY else ("",)
    cards = [ComponentId(asked.kind, number, side) for number in asked.among for side in sides]
    return [f"{card.short} {card_name(card)}" if len(cards) <= MOST_CARDS else card.short for card in cards]


def offered(asked: Request, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """What can be typed for it, each with what it means."""
    match asked:
        case Roll(die=die, ticks=ticks):
            said = (
                [(f"{TICK} {n}", o.label) for n, o in numbered(ticks, names).items()] if ticks is not None else []
            )
            return [*((str(face), "") for face in die.faces), *said]
        case Flip():
            return [("heads", ""), ("tails", "")]
        case ShowCard():
            return [(words.partition(" ")[0], words.partition(" ")[2]) for words in cards_to_show(asked)]
        case Choose():
            return [(named(option, names), option.does or option.says) for option in asked.options]
        case EnterText(suggestions=suggestions):
            return [(word, "") for word in suggestions]
        case _:
            return []


def answered(
    asked: Request, typed: str, names: Mapping[str, str], actions: Collection[str], chance: random.Random
) -> Reading:
    """What was typed, as an answer. A text is taken only where it cannot be meant as something else.

    Raises:
        ReadingMisfit, UnknownComponent: it cannot be read so.
    """
    if typed == AT_RANDOM:
        return random_answer(asked, chance)
    first, _, ticked = typed.partition(" ")
    if isinstance(asked, Roll) and asked.ticks is not None and first == TICK:
        return asked.ticks.check(_choice(asked.ticks, ticked.strip(), names, chance))
    if isinstance(asked, EnterText):
        return TextReading(text_of(asked, typed, actions))
    if isinstance(asked, Choose):
        return _choice(asked, typed, names, chance)
    return typed_reading(asked, typed, chance)


def text_of(asked: EnterText, typed: str, actions: Collection[str]) -> str:
    """A text, or the suggestion of this number; never what looks like an action, unless it stands in quotes.

    Raises:
        ReadingMisfit: it may be meant as something else.
    """
    if len(typed) > 1 and typed[0] == typed[-1] == '"':
        return typed[1:-1].strip()
    if typed.isdecimal():
        if 1 <= int(typed) <= len(asked.suggestions):
            return asked.suggestions[int(typed) - 1]
        raise ReadingMisfit(
            f'a name is asked for, and {typed} is a number; to take it as the name, write "{typed}"'
        )
    if typed.casefold() in actions or "=" in typed:
        raise ReadingMisfit(
            f'a name is asked for, and {typed!r} looks like an action; to take it as the name, write "{typed}"'
        )
    return typed


def _choice(asked: Choose, typed: str, names: Mapping[str, str], chance: random.Random) -> Reading:
    """By number, by key, by name, or by the beginning of one name alone.

    Raises:
        ReadingMisfit: it is none of them, or could be several.
    """
    known = numbered(asked, names)
    words = typed.replace(",", " ").split()
    if words and all(word in known for word in words):
        return ChoiceReading(tuple(known[word].key for word in words))
    labels = {option.key: (named(option, names), option.label) for option in asked.options}
    if typed in labels:
        return ChoiceReading((typed,))
    found = meant(typed, labels)
    if len(found) == 1:
        return ChoiceReading((found[0],))
    if len(found) > 1:
        which = " or ".join(labels[key][0] for key in found[:3])
        raise ReadingMisfit(f"{typed!r} could be {which}; type more of it, or its number")
    reading = typed_reading(asked, typed, chance)
    assert isinstance(reading, ChoiceReading)
    taken = {word for key in reading.keys for word in key.split()}
    unknown = [word for word in words if word.isdecimal() and word not in known and word not in taken]
    unknown += [key for key in reading.keys if key not in labels]
    if unknown:
        raise ReadingMisfit(f"{unknown[0]!r} is not among the choices; type {numbers_of(known)}")
    return reading


def numbers_of(known: Collection[str]) -> str:
    """The numbers that can be typed, in words."""
    if list(known) == [str(at) for at in range(1, len(known) + 1)]:
        return f"a number from 1 to {len(known)}" if len(known) > 1 else "1"
    return "one of the numbers that are shown"
