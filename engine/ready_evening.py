"""Ready evenings: a session that is set up in one press, people and opening scene included, from what ships.

A game declares one as a file of steps (``docs/write-an-evening.md``); one that declares none is begun by what its
own actions declare. Either way the steps are played by the ordinary engine and are ordinary lines of the journal.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.arguments import fields_in, names_in, noted
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError
from loomtable.engine.kernel.legal import Search
from loomtable.engine.kernel.names import NAMES
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Flip, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import S, System
from loomtable.engine.kernel.transcript import ANSWERS, StepPlayer, TranscriptStep, check_steps
from loomtable.engine.kernel.yamlfile import Titled, YamlLines, parse_yaml, read_text
from loomtable.engine.systems import SYSTEMS

READY = "the ready evening"
"""The author of its lines in a journal."""
LONGEST_SCENE = 900
LONGEST_ABOUT = 160
MOST_ANSWERS = 200
"""So many questions are answered by chance before an evening counts as one that cannot be set up."""
_MOMENT = re.compile(r"[A-Z]+-\d+ (roll|flip|show_card|choose|number|text)")


class FromCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an evening is begun from cards of one's own instead: the first one is asked for at once."""

    says: str
    """What to have at hand."""
    play: tuple[TranscriptStep, ...]
    rulings: dict[str, str] = {}


class ReadyEvening(Titled, frozen=True):
    """An evening that only has to be begun."""

    ready_evening: str
    """The system."""
    about: str
    """One line on what is set up."""
    scene: str
    """Read aloud before the first step."""
    play: tuple[TranscriptStep, ...]
    """What sets it up. A question that no step answers is left to chance, what the last one asks to the people."""
    last_by_chance: bool = False
    """Whether what the last step asks is left to chance too, up to the first dice."""
    rulings: dict[str, str] = msgspec.field(default_factory=dict)
    from_cards: FromCards | None = None
    guide: dict[str, str] = msgspec.field(default_factory=dict)
    """What is explained, once each, by its moment: a rule and what it asks, ``WV-24 roll``, or the action after
    which nothing is asked, ``begin-encounter``."""


def _parse(text: str, name: str) -> tuple[ReadyEvening, YamlLines]:
    evening, lines = parse_yaml(text, ReadyEvening, name)
    for field, longest in (("title", 60), ("about", LONGEST_ABOUT), ("scene", LONGEST_SCENE)):
        lines.check_text(getattr(evening, field), longest, field)
    for moment, words in evening.guide.items():
        lines.check_text(words, LONGEST_SCENE, "guide", moment)
    mine = evening.from_cards
    for steps, *path in ((evening.play, "play"), *([(mine.play, "from_cards", "play")] if mine else ())):
        check_steps(steps, lines, *path)
        if not steps:
            raise ContentInvalid(f"{lines.place(*path)}: nothing is played")
        for place, step in enumerate(steps):
            if step.sort not in ("do", *ANSWERS):
                raise ContentInvalid(f"{lines.place(*path, place)}: a ready evening only acts and answers")
    return evening, lines


@cache
def _declared(path: Path) -> tuple[ReadyEvening, YamlLines]:
    return _parse(read_text(path), path.name)


def ready_evenings(system: System[S]) -> tuple[ReadyEvening, ...]:
    """The evenings that a game declares, the one to offer first in front.

    Raises:
        ContentInvalid, FileUnreadable: a file does not hold together.
    """
    return tuple(_declared(path)[0] for path in system.presentation.ready_evenings)


def content_notes(system: System[S], evening: ReadyEvening) -> str:
    """What people may want to know of what an evening begins; empty where nothing says so."""
    return " ".join(
        noted(declared.notes(step.args[field.name]))
        for step in evening.play
        if step.do is not None
        for field in fields_in(system.actions[step.do].arguments)
        if (declared := names_in(field.type)) is not None
        and declared.notes is not None
        and field.name in step.args
    )


def opening_scene(session: Session[S]) -> ReadyEvening | None:
    """The evening as which a session was begun, for its opening scene; nothing for sessions begun otherwise."""
    played = session.played
    if played_by_people(session) == len(played):
        return None
    steps = [step.what for line in played if isinstance((step := line.step).what, Action)]
    for evening in ready_evenings(session.system):
        declared = [Action(step.do, step.args) for step in evening.play if step.do is not None]
        if steps[: len(declared)] == declared:
            return evening
    return None


def guidance(session: Session[S]) -> str:
    """What a guided evening explains at this moment; empty where it explains nothing, or has done so already."""
    evening = opening_scene(session)
    if evening is None or not evening.guide:
        return ""
    moments, action = [], ""
    for played in session.played:
        if isinstance(played.step.what, Action):
            action = played.step.what.name
        asked = played.pending
        moments.append(action if asked is None else f"{asked.rule} {asked.__struct_config__.tag}")
    since = len(moments) - played_by_people(session) - 1
    return evening.guide.get(moments[-1], "") if moments[-1] not in moments[since:-1] else ""


def played_by_people(session: Session[S]) -> int:
    """How many steps count that people have played themselves."""
    authors = {line.seq: line.who for line in session.lines()}
    return sum(authors[played.step.seq] != READY for played in session.played)


def begun_ready(
    system: System[S] | str,
    seed: str = "",
    source: random.Random | None = None,
    title: str = "",
    rulings: Mapping[str, str] | None = None,
) -> Session[Any]:
    """A session of a game, or of that of this name, in memory, set up and waiting for its people.

    ``source`` answers what no step does.

    ``seed`` is as in ``Session.open``: empty where nobody may foretell the cards, as is ``source`` by default.
    ``title`` names one of the game's ready evenings; without it, it is the first one. ``rulings`` are
    how a table decides where the evening itself decides nothing.

    >>> from loomtable import begun_ready
    >>> evening = begun_ready("weave", title="Nine thousand lamps")
    >>> evening.story()[1]
    'Theme, from The Lantern: One Lamp Out.'

    Raises:
        ContentInvalid: there is no evening of this title, or its steps cannot be played; the message says in which
            line.
        LoomtableError: its own file or rules do not hold together.
    """
    system = SYSTEMS[system] if isinstance(system, str) else system
    source = source or random.SystemRandom()
    if (path := _path_of(system, title)) is not None:
        evening, lines = _declared(path)
        ruled = {**(rulings or {}), **evening.rulings}
        session = _played(system, evening.play, ruled, (lines, "play"), seed, source)
        if evening.last_by_chance:
            _answered_by_chance(session, source, dice=False)
        return session
    session = Session.open(system, seed=seed, rulings=rulings)
    _as_declared_by_actions(session, source)
    return session


def _path_of(system: System[S], title: str) -> Path | None:
    for path in system.presentation.ready_evenings:
        if title in ("", _declared(path)[0].title):
            return path
    if not title:
        return None
    titles = ", ".join(evening.title for evening in ready_evenings(system)) or "none"
    raise ContentInvalid(f"{system.title} has no ready evening {title!r}; there are: {titles}")


def begun_from_cards(
    system: System[S], seed: str, source: random.Random, rulings: Mapping[str, str] | None = None
) -> Session[S]:
    """A session in memory that asks for the first of your own cards; ``rulings`` as in :func:`begun_ready`.

    Raises:
        ContentInvalid: the game has no way to begin so, or its steps cannot be played.
    """
    declared = system.presentation.ready_evenings
    evening, lines = _declared(declared[0]) if declared else (None, None)
    if evening is None or lines is None or evening.from_cards is None:
        raise ContentInvalid(f"{system.title} does not begin from cards; choose another way to begin")
    mine = evening.from_cards
    return _played(
        system, mine.play, {**(rulings or {}), **mine.rulings}, (lines, "from_cards", "play"), seed, source
    )


def _played(
    system: System[S],
    steps: tuple[TranscriptStep, ...],
    rulings: dict[str, str],
    where: tuple[YamlLines, *tuple[str, ...]],
    seed: str,
    source: random.Random,
) -> Session[S]:
    lines, *path = where
    session: Session[S] = Session.open(system, seed=seed, rulings=rulings)
    player = StepPlayer(session, lines)
    for place, step in enumerate(steps):
        try:
            if step.do is not None:
                _answered_by_chance(session, source)
                session.take(Action(step.do, step.args), by=READY)
            else:
                session.take(player.reading(step), by=READY)
        except LoomtableError as error:
            raise ContentInvalid(f"{lines.place(*path, place)}: {error}") from error
    return session


def _as_declared_by_actions(session: Session[S], source: random.Random) -> None:
    """Each action that opens an evening, once, as far as the rules let it; up to the first dice."""
    system = session.system
    for rule in [rule for rule in system.actions.values() if rule.opens]:
        able = system.candidates(session.game, STORYTELLER, words=NAMES)
        for action in islice(Search(session.game, rule, able), 1):
            session.take(action, by=READY)
        _answered_by_chance(session, source, dice=False)
        if session.pending is not None:
            return


def _answered_by_chance(session: Session[S], source: random.Random, *, dice: bool = True) -> None:
    """Everything that is asked, or all up to the first dice."""
    for _ in range(MOST_ANSWERS):
        asked = session.pending
        if asked is None or (isinstance(asked, Roll | Flip) and not dice):
            return
        answer: Reading = random_answer(asked, source)
        session.take(answer, by=READY)
    raise ContentInvalid(f"{session.system.title} asks more than {MOST_ANSWERS} questions before it begins")


def check_ready_evening(text: str, name: str) -> list[str]:
    """Everything that is wrong with a ready evening, set up once; nothing if it holds together."""
    try:
        evening, lines = _parse(text, name)
        system, source = SYSTEMS[evening.ready_evening], random.Random(name)
        for moment in evening.guide:
            if moment not in system.actions and not _MOMENT.fullmatch(moment):
                known = "write an action, or a rule and what it asks, such as 'WV-24 roll'"
                raise ContentInvalid(f"{lines.place('guide', moment)}: {moment!r} is no moment; {known}")
        _played(system, evening.play, evening.rulings, (lines, "play"), name, source)
        if (mine := evening.from_cards) is not None:
            _played(system, mine.play, mine.rulings, (lines, "from_cards", "play"), name, source)
    except LoomtableError as error:
        return [str(error)]
    return []
