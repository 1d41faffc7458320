"""Transcripts: play as a file that people read and write, and that replays to the same end.

``docs/transcripts.md`` describes the format. ``parse_transcript`` and ``print_transcript`` are each other's
inverse; ``replay`` plays one, holding every expectation; ``transcript_of`` writes down a session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec
import yaml

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError, TranscriptFailed, TranscriptInvalid
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    ReadDie,
    Reading,
    Source,
    TextReading,
)
from loomtable.engine.kernel.requests import Roll, answered_by
from loomtable.engine.kernel.serialization import to_builtins, to_json
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import System
from loomtable.engine.kernel.yamlfile import YamlLines, parse_yaml

S = TypeVar("S")


class LyingDie(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A die in a transcript, where more than its face is worth writing down."""

    face: Face
    how: Source = Source.TYPED
    confidence: float = 1.0
    misread: Face | None = None


class RefusedStep(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something the engine must refuse, and words its reason must contain."""

    because: str
    do: str | None = None
    args: dict[str, Any] = msgspec.field(name="with", default_factory=dict)
    answer: TranscriptStep | None = None


class TranscriptStep(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One step: exactly one of the fields from ``do`` to ``refused`` is set; see ``docs/transcripts.md``."""

    do: str | None = None
    roll: tuple[Face | LyingDie, ...] | None = None
    flip: str | None = None
    card: ComponentId | None = None
    choose: str | tuple[str, ...] | None = None
    number: int | None = None
    write: str | None = None
    expect: dict[str, Any] | None = None
    undo: int | None = None
    refused: RefusedStep | None = None
    args: dict[str, Any] = msgspec.field(name="with", default_factory=dict)
    asked: str | None = None
    """For an answer: words that the request's purpose must contain."""
    by: str | None = None
    """For an answer: who was asked."""
    of: tuple[str, ...] = ()
    """For a roll of several: whose dice these are, where they are not everybody's."""
    how: Source = Source.TYPED
    confidence: float = 1.0
    note: str | None = None

    @property
    def sort(self) -> str:
        """Which of the fields is set."""
        return next(s for s in SORTS if getattr(self, s) is not None)


ANSWERS = ("roll", "flip", "card", "choose", "number", "write")
SORTS = ("do", *ANSWERS, "expect", "undo", "refused")


class Transcript(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A whole evening, or one fight."""

    transcript: str
    system: str
    seed: str
    play: tuple[TranscriptStep, ...]
    about: str = ""
    rules: tuple[str, ...] = ()
    """Rule ids that this play must touch."""
    setup: dict[str, Any] = {}
    rulings: dict[str, str] = {}


def parse_transcript(text: str, name: str) -> Transcript:
    """Read a transcript; ``name`` is the file's name in messages.

    Raises:
        TranscriptInvalid: not good YAML or not of the format; the message says in which line.
    """
    return _parse(text, name)[0]


def _parse(text: str, name: str) -> tuple[Transcript, YamlLines]:
    transcript, lines = parse_yaml(text, Transcript, name, TranscriptInvalid)
    check_steps(transcript.play, lines, "play", error=TranscriptInvalid)
    return transcript, lines


def check_steps(
    steps: Sequence[TranscriptStep],
    lines: YamlLines,
    *path: str | int,
    error: type[LoomtableError] = ContentInvalid,
) -> None:
    """Hold the steps at ``path`` of a file to what steps are.

    Raises:
        error: one is written wrongly; the message says in which line.
    """
    for place, step in enumerate(steps):
        if trouble := _step_trouble(step):
            raise error(f"{lines.place(*path, place)}: {trouble}")


def _step_trouble(step: TranscriptStep) -> str:
    """What is wrong with a step as it is written, in words; nothing if it can be played."""
    sorts = [s for s in SORTS if getattr(step, s) is not None]
    if len(sorts) != 1:
        found = " and ".join(sorts) if sorts else "none of them"
        return f"a step is one of {', '.join(SORTS)}; this one has {found}"
    if step.args and sorts != ["do"]:
        return "'with' belongs to 'do'"
    if sorts[0] not in ANSWERS and (step.asked is not None or step.by is not None):
        return "'asked' and 'by' belong to an answer"
    if step.of and step.roll is None:
        return "'of' belongs to a roll"
    if step.undo is not None and step.undo < 1:
        return "'undo' counts steps, from 1"
    if step.refused is not None:
        return _refused_trouble(step.refused)
    return ""


def _refused_trouble(refused: RefusedStep) -> str:
    if (refused.do is None) == (refused.answer is None):
        return "'refused' needs either 'do' or 'answer'"
    if refused.args and refused.do is None:
        return "'with' belongs to 'do'"
    if refused.answer is not None:
        inner = _step_trouble(refused.answer)
        return inner or ("" if refused.answer.sort in ANSWERS else "'answer' must be an answer")
    return ""


def print_transcript(transcript: Transcript) -> str:
    """The transcript as YAML; reading it again gives the same transcript."""
    plain = to_builtins(transcript)
    return yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


class _Dumper(yaml.SafeDumper):
    """Block style throughout, but dice and other short lists in one line."""


def _short_lists(dumper: _Dumper, items: Sequence[Any]) -> yaml.Node:
    short = all(isinstance(i, int | float | str) and len(str(i)) <= 12 for i in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


_Dumper.add_representer(list, _short_lists)
_Dumper.add_representer(tuple, _short_lists)


class ToldStretch(msgspec.Struct, frozen=True):
    """A stretch of a transcript as people read it: a note, and what happened up to the next one."""

    note: str
    sentences: tuple[str, ...]


class Replayed(msgspec.Struct, Generic[S], frozen=True):
    """A transcript that was played to its end, with everything it expects."""

    session: Session[S]
    expectations: int
    rules: tuple[str, ...]
    told: tuple[ToldStretch, ...]

    @property
    def unlike_tables(self) -> dict[str, str]:
        """The rulings that the transcript leaves as journals have them, where a new table has another choice."""
        system, written = self.session.system, self.session.opened.rulings
        return {key: system.rulings[key].default for key in system.rulings.usual() if key not in written}


def replay(text: str, name: str, systems: Mapping[str, System[object]]) -> Replayed[object]:
    """Play a transcript and hold everything it expects.

    Raises:
        TranscriptInvalid: it cannot be read, or names a system, action or ruling that does not exist.
        TranscriptFailed: something did not come out as it says; the message says in which line.
    """
    transcript, lines = _parse(text, name)
    if transcript.system not in systems:
        raise TranscriptInvalid(f"{lines.place('system')}: there is no system {transcript.system!r}")
    try:
        session: Session[object] = Session.open(
            systems[transcript.system],
            seed=transcript.seed,
            setup=transcript.setup,
            rulings=transcript.rulings,
        )
    except LoomtableError as error:
        raise TranscriptInvalid(f"{lines.place('rulings')}: {error}") from None
    player = StepPlayer(session, lines)
    told: list[tuple[str, list[str]]] = [("", [])]
    for place, step in enumerate(transcript.play):
        before = len(session.played)
        player.play(step, "play", place)
        if step.note:
            told.append((step.note.strip(), []))
        told[-1][1].extend(
            session.system.tell(e, line.game) for line in session.played[before:] for e in line.events
        )
        if step.undo is not None:
            told[-1][1].append("Taken back.")
    touched = session.rules_touched()
    missing = [r for r in transcript.rules if r not in touched]
    if missing:
        raise TranscriptFailed(f"{lines.place('rules')}: the play never touches {', '.join(missing)}")
    return Replayed(
        session,
        player.expectations,
        tuple(sorted(touched)),
        tuple(ToldStretch(note, tuple(said)) for note, said in told),
    )


class StepPlayer(Generic[S]):
    """Plays the steps of a transcript, one at a time, and holds what they expect."""

    def __init__(self, session: Session[S], lines: YamlLines) -> None:
        self.session = session
        self.lines = lines
        self.expectations = 0

    def play(self, step: TranscriptStep, *path: str | int) -> None:
        """Play a step, which stands at ``path`` of the file.

        Raises:
            TranscriptInvalid: it names an action that does not exist.
            TranscriptFailed: it did not come out as it says; the message says in which line.
        """
        where = self.lines.place(*path)
        try:
            if step.expect is not None:
                self._expect(step.expect, *path)
            elif step.refused is not None:
                self._refuse(step.refused, where)
            elif step.undo is not None:
                for _ in range(step.undo):
                    self.session.undo()
            elif step.do is not None:
                self._known(step.do, where)
                self.session.take(Action(step.do, step.args))
            else:
                self._asked(step, where)
                self.session.answer(self.reading(step))
        except (TranscriptFailed, TranscriptInvalid):
            raise
        except LoomtableError as error:
            raise TranscriptFailed(f"{where}: {error}") from error

    def _known(self, action: str, where: str) -> None:
        if action not in self.session.system.actions:
            known = ", ".join(sorted(self.session.system.actions))
            raise TranscriptInvalid(f"{where}: unknown action {action!r}; there are {known}")

    def reading(self, step: TranscriptStep) -> Reading:
        """The reading that an answer in the transcript stands for."""
        if step.roll is not None:
            return DiceReading(tuple(self._die(d, step) for d in step.roll), step.of)
        if step.flip is not None:
            return CoinReading(step.flip, step.how, step.confidence)
        if step.card is not None:
            return CardReading(step.card, step.how, step.confidence)
        if step.choose is not None:
            return ChoiceReading((step.choose,) if isinstance(step.choose, str) else step.choose, step.how)
        if step.number is not None:
            return NumberReading(step.number, step.how)
        return TextReading(step.write or "", step.how)

    def _die(self, lying: Face | LyingDie, step: TranscriptStep) -> ReadDie:
        if not isinstance(lying, LyingDie):
            lying = LyingDie(lying, step.how, step.confidence)
        pending = self.session.pending
        die = pending.die if isinstance(pending, Roll) else Die.D6
        if isinstance(lying.face, int) and die in (Die.WEAVE, Die.COIN):
            die = Die.D6  # a pip on a die that was asked for by words: an ordinary die stands in
        return ReadDie(die, lying.face, lying.how, lying.confidence, lying.misread)

    def _asked(self, step: TranscriptStep, where: str) -> None:
        pending = self.session.pending
        if pending is None:
            raise TranscriptFailed(f"{where}: nothing is asked for here")
        pending = answered_by(pending, self.reading(step))
        if step.asked is not None and step.asked not in pending.purpose:
            raise TranscriptFailed(f"{where}: {pending.purpose!r} is asked here, not {step.asked!r}")
        if step.by is not None and step.by != pending.by:
            raise TranscriptFailed(f"{where}: {pending.by} is asked here, not {step.by}")

    def _refuse(self, refused: RefusedStep, where: str) -> None:
        try:
            if refused.do is not None:
                self.session.take(Action(refused.do, refused.args))
            elif refused.answer is not None:
                self.session.answer(self.reading(refused.answer))
        except LoomtableError as error:
            if refused.because not in str(error):
                raise TranscriptFailed(
                    f"{where}: refused for another reason than {refused.because!r}: {error}"
                ) from None
            self.expectations += 1
            return
        raise TranscriptFailed(f"{where}: this should have been refused because of {refused.because!r}")

    def _expect(self, expected: dict[str, Any], *path: str | int) -> None:
        for what, wanted in expected.items():
            where = self.lines.place(*path, "expect", what)
            found = self._value(what, where)
            if found != wanted:
                raise TranscriptFailed(f"{where}: {what} is {_written(found)}, expected {_written(wanted)}")
            self.expectations += 1

    def _value(self, what: str, where: str) -> Any:
        if what == "pending":
            return self.session.pending.purpose if self.session.pending else None
        value: Any = to_builtins(self.session.game.state)
        for part in what.split("."):
            if isinstance(value, dict) and part in value:
                value = value[part]
            elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
                value = value[int(part)]
            else:
                raise TranscriptFailed(f"{where}: the state has no {what}")
        return value


def transcript_of(session: Session[object], title: str) -> Transcript:
    """A session written down: its set-up, every step that counts, and the whole state at the end."""
    opened = session.opened
    steps: list[TranscriptStep] = []
    for played in session.played:
        if isinstance(played.step.what, Action):
            steps.append(TranscriptStep(do=played.step.what.name, args=played.step.what.args))
        else:
            steps.append(_answer_step(played.step.what))
    return Transcript(
        transcript=title,
        system=opened.system,
        seed=opened.seed,
        setup=opened.setup,
        rulings=opened.rulings,
        rules=tuple(sorted(session.rules_touched())),
        play=(*steps, TranscriptStep(expect=to_builtins(session.game.state))),
    )


def _answer_step(reading: Reading) -> TranscriptStep:
    match reading:
        case DiceReading(dice=dice, of=of):
            return TranscriptStep(roll=tuple(_lying(d) for d in dice), of=of)
        case CoinReading(side=side):
            return TranscriptStep(flip=side, how=reading.how, confidence=reading.confidence)
        case CardReading(card=card):
            return TranscriptStep(card=card, how=reading.how, confidence=reading.confidence)
        case ChoiceReading(keys=keys):
            return TranscriptStep(choose=keys[0] if len(keys) == 1 else keys, how=reading.how)
        case NumberReading(value=value):
            return TranscriptStep(number=value, how=reading.how)
        case TextReading(text=text):
            return TranscriptStep(write=text, how=reading.how)


def _lying(die: ReadDie) -> Face | LyingDie:
    if die == ReadDie(die.die, die.face):
        return die.face
    return LyingDie(die.face, die.how, die.confidence, die.misread)


def _written(value: object) -> str:
    """A value as it is written in a transcript: ``7``, ``"flames"``, ``null``."""
    return to_json(value).decode()
