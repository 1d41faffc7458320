"""Journal lines and readings in words for people: the one place to translate."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.journal import (
    Acted,
    Amended,
    Answered,
    Joined,
    Line,
    Opened,
    Restored,
    SavePoint,
    Voided,
    WentBack,
)
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
from loomtable.engine.kernel.requests import Choose, EnterNumber, Request, Roll, in_words
from loomtable.engine.kernel.system import System
from loomtable.engine.kernel.wording import ended
from loomtable.engine.ready_evening import READY
from loomtable.engine.systems import SYSTEMS, card_name
from loomtable.vision.verdict import how_sure


def line_in_words(line: Line, lines: Sequence[Line] = ()) -> str:
    """One line of a journal as a sentence; with all ``lines``, as its game tells it, with what it changed."""
    match line.entry:
        case Opened(system=system, rules_version=version, program=program):
            return f"{system} begins, rules version {version}{program and f', Loomtable {program}'}"
        case Acted(action=action):
            begun = lines[0].entry if lines else None
            deed = SYSTEMS[begun.system].actions[action.name].deed if isinstance(begun, Opened) else ""
            said = {key: said for key, value in action.args.items() if (said := _argument(key, value))}
            rest = [words for key, words in said.items() if f"{{{key}}}" not in deed]
            deed = deed.format_map({key: words[0].upper() + words[1:] for key, words in said.items()})
            return ", ".join([deed, *rest] if deed else [": ".join([_label(action.name), *rest[:1]]), *rest[1:]])
        case Answered(reading=reading, request=request):
            return ", ".join(filter(None, answered_in_words(request, reading, line.who)))
        case Joined(targets=targets):
            return f"Done: {_named(targets[0], lines)}"
        case Voided(targets=targets):
            return f"Taken back: {_named(targets[0], lines)}"
        case Amended(target=target, reading=reading):
            match lines[target].entry if lines else None:
                case Answered(request=request):
                    now = answer_in_words(request, reading)
                case _:
                    now = reading_in_words(reading)[0]
            return f"Corrected: {_named(target, lines)}; now {now}"
        case Restored(target=target):
            was = _named(target, lines)
            back = was.removeprefix("Taken back: ")
            return f"Withdrawn: {was}" if back == was else f"Done again: {back}"
        case WentBack(to=to):
            return f"Back to line {to}: {_named(to, lines)}" if lines else f"Back to line {to}"
        case SavePoint(name=name):
            return f"Save point: {name}"
    raise AssertionError(f"no words for {type(line.entry).__name__}")


def did_in_words(line: Line) -> str:
    """What somebody did in a line, as said of one who was first: no more than everybody may know."""
    match line.entry:
        case Answered():
            return "answered"
        case Acted() | Joined() | Opened():
            return "acted"
        case SavePoint():
            return "named this moment"
        case Voided() | WentBack():
            return "took something back"
        case Amended():
            return "corrected something"
        case Restored():
            return "brought something back"


def change_in_words(system: System[object], line: Line) -> str:
    """What an undo undid, or a redo did again, as the end of a sentence."""
    match line.entry:
        case Acted(action=action):
            rule = system.actions[action.name]
            who = action.args.get(rule.actor)
            label = _label(action.name)
            return ended(f"{label}, {who}" if isinstance(who, str) else label)
        case Answered(reading=reading, request=request):
            asked = in_words(request)
            return ended(f"{asked}{'' if asked.endswith('?') else ':'} {answer_in_words(request, reading)}")
        case Amended(target=target):
            return f"the correction of line {target}."
        case Voided(targets=targets):
            return f"line {targets[0]} struck out."
        case Restored(target=target):
            return f"the change in line {target} taken back."
        case WentBack(to=to):
            return f"the way back to line {to}."
        case Joined() | Opened() | SavePoint():  # of these only a draft that has joined is undone
            return f"all that {line.who} made before it joined."


def answered_in_words(asked: Request, reading: Reading, by: str = "") -> tuple[str, str]:
    """What was asked of whom and answered, and how the answer was come by; nothing where no person entered it."""
    how = reading_in_words(reading)[1]
    how = "" if by == READY and how == _READ_BY[Source.TYPED] else how
    return f"{in_words(asked)} ({asked.by}): {answer_in_words(asked, reading)}", how


def answer_in_words(asked: Request, reading: Reading) -> str:
    """An answer by the names that people use: ``Flames, Strike``.

    Raises:
        ReadingMisfit: it does not answer what was asked.
    """
    match reading, asked:
        case DiceReading(of=of), Roll():
            faces = ", ".join(str(face).capitalize() for face in asked.check(reading).faces)
            return f"{', '.join(of)} rolls {faces}" if of else faces
        case ChoiceReading(keys=keys), Choose(options=options):
            labels = {option.key: option.label for option in options}
            return ", ".join(labels.get(key, key) for key in keys) or "nothing"
        case NumberReading(value=value), EnterNumber(options=options) if options:
            return next(option.label for option in options if option.key == str(value))
        case CardReading(card=card), _:
            return f"{card.short} {card_name(card)}"
    return reading_in_words(reading)[0]


_READ_BY = {
    Source.CAMERA: "read by the camera",
    Source.TYPED: "entered by hand",
    Source.CORRECTED: "corrected by hand",
    Source.RANDOM: "rolled by the computer",
}


def _label(action: str) -> str:
    return action.replace("-", " ").capitalize()


def _named(seq: int, lines: Sequence[Line]) -> str:
    """A line by what it says, or by its number where the other lines are not at hand."""
    return next((line_in_words(line, lines) for line in lines if line.seq == seq), f"line {seq}")


def _argument(name: str, value: object) -> str:
    """An argument without the name that people can do without: ``Ada``, ``difficulty 2``, ``combat``."""
    if isinstance(value, bool):
        return name.replace("_", " ") if value else ""
    if isinstance(value, str):
        return value.replace("-", " ").replace("_", " ") if value.islower() else value
    return f"{name.replace('_', ' ')} {_plainly(value)}"


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
        case DiceReading(dice=dice, of=of):
            hows = ", ".join(dict.fromkeys(_READ_BY[d.how] for d in dice))
            sure = min((d.confidence for d in dice), default=1.0)
            hows += f", {how_sure(sure)} sure" if sure < 1 else ""
            return (f"{', '.join(of)} rolls " if of else "") + ", ".join(str(d.face) for d in dice), hows
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
    chosen = reading.how is Source.RANDOM and not isinstance(reading, CoinReading)
    return said, "chosen by the computer" if chosen else _READ_BY[reading.how]
