"""Journal lines and readings in words for people: the one place to translate."""

from __future__ import annotations

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
