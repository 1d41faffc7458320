"""Quick starts: a page that brings a group to its first roll, as a file that people write.

The files lie in ``templates/quick_starts``; ``docs/write-an-evening.md`` describes them. The example on the page
is played by the engine: every face that is printed is rolled there, and every sentence in quotation marks is told.
"""

from __future__ import annotations

from functools import cache

import msgspec

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable, LoomtableError
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import StepPlayer, TranscriptStep, check_steps
from loomtable.engine.kernel.yamlfile import Titled, YamlLines, parse_yaml, read_text
from loomtable.engine.odds.before import odds_before
from loomtable.engine.odds.exact import percent
from loomtable.engine.systems import SYSTEMS

LONGEST_SCENE = 700
"""Characters of the first scene, which is read aloud."""
LONGEST_PART = 330
"""Characters of any other part of the page."""
MOST_STEPS = 6


class Fetched(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to print or to fetch before playing."""

    what: str
    print: str = ""
    """The names that ``loom print`` takes, where it is printed."""


class ExampleStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the worked example: what somebody does, what lies then, what the engine says."""

    says: str
    play: tuple[TranscriptStep, ...] = ()
    meanwhile: tuple[TranscriptStep, ...] = ()
    """What is played before it and not shown on the page: other people's rolls, for instance."""
    chance: str = ""
    """Before the roll of this step: the line of ``loom odds`` that is printed, as ``pass 33%``."""
    tells: tuple[str, ...] = ()
    """Sentences, or parts of them, that the engine tells in this step."""


class ReadOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where to read on, and what stands there."""

    at: str
    says: str


class QuickStart(Titled, frozen=True):
    """One printed page: from the shelf to the first roll."""

    quick_start: str
    """The system."""
    table: str
    """Who sits there, and who does what."""
    fetch: tuple[Fetched, ...]
    scene: str
    """Read aloud."""
    example: tuple[ExampleStep, ...]
    then: tuple[str, ...]
    """What comes next."""
    read_on: tuple[ReadOn, ...]
    first: str = ""
    """What is told before the example: who is in it."""
    die: Die = Die.D6
    """What lies there where a roll names no die."""
    seed: str = "quick-start"
    rulings: dict[str, str] = msgspec.field(default_factory=dict)
    before: tuple[TranscriptStep, ...] = ()
    """What was played before the example began."""


def parse_quick_start(text: str, name: str) -> tuple[QuickStart, YamlLines]:
    """Read a quick start, with the lines of its parts; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: not good YAML, something is missing or too long, or a step cannot be played as it is
            written; the message says in which line.
    """
    start, lines = parse_yaml(text, QuickStart, name)
    if start.quick_start not in SYSTEMS:
        where, known = lines.place("quick_start"), ", ".join(SYSTEMS)
        raise ContentInvalid(f"{where}: there is no system {start.quick_start!r}; there are {known}")
    lines.check_text(start.scene, LONGEST_SCENE, "scene")
    lines.check_text(start.table, LONGEST_PART, "table")
    for field in ("fetch", "example", "then", "read_on"):
        if not getattr(start, field):
            raise ContentInvalid(f"{lines.place(field)}: there is nothing in {field}")
    for at, part in enumerate(start.then):
        lines.check_text(part, LONGEST_PART, "then", at)
    if len(start.example) > MOST_STEPS:
        raise ContentInvalid(
            f"{lines.place('example')}: an example of {len(start.example)} steps; {MOST_STEPS} fit"
        )
    for at, step in enumerate(start.example):
        lines.check_text(step.says, LONGEST_PART, "example", at, "says")
        if step.chance and _rolled_at(step) is None:
            raise ContentInvalid(f"{lines.place('example', at, 'chance')}: a chance belongs to a step with a roll")
        check_steps(step.meanwhile, lines, "example", at, "meanwhile")
        check_steps(step.play, lines, "example", at, "play")
    check_steps(start.before, lines, "before")
    if not any(_rolled_at(step) is not None or _shown(step) for step in start.example):
        raise ContentInvalid(f"{lines.place('example')}: nothing is rolled or shown in the example")
    return start, lines


def _rolled_at(step: ExampleStep) -> int | None:
    return next((at for at, played in enumerate(step.play) if played.sort in ("roll", "flip")), None)


def _shown(step: ExampleStep) -> bool:
    return any(played.sort in ("card", "do") for played in step.play)


def play_example(start: QuickStart, lines: YamlLines) -> Session[object]:
    """Play what came before the example and the example, and hold all that the page says of it.

    Raises:
        ContentInvalid: it does not come out as the page says; the message says in which line.
    """
    try:
        session: Session[object] = Session.open(SYSTEMS[start.quick_start], seed=start.seed, rulings=start.rulings)
        player = StepPlayer(session, lines)
        for at, played in enumerate(start.before):
            player.play(played, "before", at)
        for at, step in enumerate(start.example):
            _play_step(player, step, lines, at)
    except ContentInvalid:
        raise
    except LoomtableError as error:
        raise ContentInvalid(str(error)) from None
    return session


def _play_step(player: StepPlayer[object], step: ExampleStep, lines: YamlLines, at: int) -> None:
    told = len(player.session.story())
    for place, played in enumerate(step.meanwhile):
        player.play(played, "example", at, "meanwhile", place)
    for place, played in enumerate(step.play):
        if step.chance and place == _rolled_at(step):
            _hold_chance(player.session, step.chance, lines.place("example", at, "chance"))
        player.play(played, "example", at, "play", place)
    new = player.session.story()[told:]
    for place, words in enumerate(step.tells):
        if not any(words in sentence for sentence in new):
            where = lines.place("example", at, "tells", place)
            raise ContentInvalid(f"{where}: the engine does not say {words!r} here, but {' '.join(new)!r}")


def _hold_chance(session: Session[object], said: str, where: str) -> None:
    known = [f"{line.says} {percent(line.chance)}" for line in odds_before(session) or ()]
    if said not in known:
        raise ContentInvalid(
            f"{where}: the odds are not {said!r}; they are {', '.join(known) or 'not known here'}"
        )


def check_quick_start(text: str, name: str) -> list[str]:
    """Everything that is wrong with a quick start, the example played; nothing if it holds together."""
    try:
        play_example(*parse_quick_start(text, name))
    except LoomtableError as error:
        return [str(error)]
    return []


@cache
def quick_start(system: str) -> QuickStart:
    """The quick start that a game declares.

    Raises:
        UnknownSystem: there is no such game.
        ContentInvalid: it does not hold together.
        FileUnreadable: there is none.
    """
    path = SYSTEMS[system].presentation.quick_start
    if path is None:
        raise FileUnreadable(f"{system} has no quick start")
    return parse_quick_start(read_text(path), path.name)[0]
