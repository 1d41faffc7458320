"""Journal lines and readings in words for people: the one place to translate."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.journal import Acted, Amended, Answered, Line, Opened, Restored, Voided
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    Reading,
    Source,
    TextReading,
)
from loomtable.engine.kernel.requests import Choose, Request, Roll
from loomtable.engine.kernel.system import System
from loomtable.engine.kernel.wording import ended
from loomtable.engine.systems import card_name
from loomtable.vision.verdict import how_sure


def line_in_words(line: Line) -> str:
    """One line of a journal as a sentence."""
    match line.entry:
        case Opened(system=system, rules_version=version):
            return f"{system} begins, rules version {version}"
        case Acted(action=action):
            arguments = ", ".join(f"{key} {_plainly(value)}" for key, value in action.args.items())
            return f"{action.name} {arguments}".rstrip()
        case Answered(reading=reading, request=request):
            said, how = reading_in_words(reading)
            return f"{request.purpose} ({request.by}): {said}, {how}"
        case Voided(targets=targets):
            return f"taken back: line{'' if len(targets) == 1 else 's'} {', '.join(map(str, targets))}"
        case Amended(target=target, reading=reading):
            return f"line {target} corrected: {', '.join(reading_in_words(reading))}"
        case Restored(target=target):
            return f"line {target} counts no more"
    raise AssertionError(f"no words for {type(line.entry).__name__}")


def undone_in_words(system: System[Any], line: Line) -> str:
    """What an undo undid, as a sentence."""
    return f"Undone: {_change_in_words(system, line)}"


def redone_in_words(system: System[Any], line: Line) -> str:
    """What a redo did again, as a sentence."""
    return f"Redone: {_change_in_words(system, line)}"


def _change_in_words(system: System[Any], line: Line) -> str:
    match line.entry:
        case Acted(action=action):
            rule = system.actions[action.name]
            who = action.args.get(rule.actor)
            label = action.name.replace("-", " ").capitalize()
            return ended(f"{label}, {who}" if isinstance(who, str) else label)
        case Answered(reading=reading, request=request):
            return ended(f"{request.purpose}: {answer_in_words(request, reading)}")
        case Amended(target=target):
            return f"the correction of line {target}."
        case Voided(targets=targets):
            return f"line {targets[0]} struck out."
        case Restored(target=target):
            return f"the change in line {target} taken back."
        case Opened():
            raise AssertionError("the opening of a session cannot be undone")


def answer_in_words(asked: Request, reading: Reading) -> str:
    """An answer by the names that people use: ``Flames, Strike``.

    Raises:
        ReadingMisfit: it does not answer what was asked.
    """
    match reading, asked:
        case DiceReading(), Roll():
            return ", ".join(str(face).capitalize() for face in asked.check(reading).faces)
        case ChoiceReading(keys=keys), Choose(options=options):
            labels = {option.key: option.label for option in options}
            return ", ".join(labels.get(key, key) for key in keys) or "nothing"
        case CardReading(card=card), _:
            return f"{card.short} {card_name(card)}"
    return reading_in_words(reading)[0]


_READ_BY = {
    Source.CAMERA: "read by the camera",
    Source.TYPED: "typed",
    Source.CORRECTED: "corrected by hand",
    Source.RANDOM: "left to chance",
}


def _plainly(value: object) -> str:
    """A value of an argument as people write it: ``{name: Goblin, health: 10}``."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_plainly(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_plainly, value)) + "]"
    return str(value)


def reading_in_words(reading: Reading) -> tuple[str, str]:
    """What was answered, and how it was come by."""
    match reading:
        case DiceReading(dice=dice):
            hows = " and ".join(dict.fromkeys(_READ_BY[d.how] for d in dice))
            sure = min((d.confidence for d in dice), default=1.0)
            return ", ".join(str(d.face) for d in dice), hows + (f", {how_sure(sure)} sure" if sure < 1 else "")
        case CoinReading(side=side):
            said = side
        case CardReading(card=card):
            said = card.short
        case ChoiceReading(keys=keys):
            said = ", ".join(keys)
        case NumberReading(value=value):
            said = str(value)
        case TextReading(text=text):
            said = text
    return said, _READ_BY[reading.how]
