"""How a game tells its events: each once, for the table while it plays and for the chronicle afterwards.

The ``tell`` of a ``System`` makes a ``Telling`` of an event. A plain sentence serves both. A mark is a sentence
with its part in the chronicle; ``Spoken`` is said while people play, and the chronicle keeps other marks of it,
or nothing. Sentences are in the present tense, as people write what they do.
"""

from __future__ import annotations

from dataclasses import dataclass

from loomtable.engine.kernel.components import ComponentId


@dataclass(frozen=True)
class SceneMark:
    """A scene begins, or, without a title, the story goes on after a pause; an empty one is left out."""

    title: str = ""
    about: str = ""
    picture: str = ""
    """``card/S7``, ``ground/alder-ford``, ``region/the-maple-reach``: a kind and a name of the drawings."""
    episode: str = ""
    """The title of the episode that begins with it, where a session has several."""


@dataclass(frozen=True)
class Sentence:
    """Something that happened. Sentences that follow each other are one paragraph."""

    says: str
    apart: bool = False
    """It begins another paragraph."""


@dataclass(frozen=True)
class Lead:
    """The first words of a paragraph, ``"Round 2."``; left out where nothing follows them."""

    says: str


@dataclass(frozen=True)
class PassageMark:
    """Words that were read aloud or written down, as they were."""

    says: str
    by: str = ""
    prompt: str = ""
    """What they answered."""


@dataclass(frozen=True)
class CardsMark:
    """Cards that were laid open."""

    cards: tuple[ComponentId, ...]


@dataclass(frozen=True)
class RollMark:
    """What came of the dice that were cast since the last outcome."""

    says: str
    odds: tuple[str, ...] = ()
    """The line of the odds that it is, by its key or its words; of several the first that was known."""
    missed: bool = False
    """Whether that line is what did not come true."""
    word: str = ""
    """It in a word or two: ``"epic pass"``."""
    minor: bool = False
    """Worth telling only if it was unlikely."""


@dataclass(frozen=True)
class Decisive:
    """What turned then, mostly by the last outcome: somebody fell, a fight was won."""

    says: str


@dataclass(frozen=True)
class EndingMark:
    """How it ended, as far as it has; the last one counts."""

    says: str


Mark = SceneMark | Sentence | Lead | PassageMark | CardsMark | RollMark | Decisive | EndingMark


class Spoken:
    """A sentence for the table while it plays; the chronicle keeps other marks in its place, or nothing."""

    def __init__(self, sentence: str, *kept: Mark) -> None:
        self.says = sentence
        self.kept = kept


Telling = str | Sentence | PassageMark | RollMark | Decisive | Spoken
"""An event in words. A plain sentence is also in the chronicle of everybody who may hear it."""


def spoken(telling: Telling) -> str:
    """The sentence for the table while it plays."""
    return telling if isinstance(telling, str) else telling.says


def kept(telling: Telling) -> tuple[Mark, ...]:
    """What the chronicle keeps."""
    if isinstance(telling, str):
        return (Sentence(telling),)
    return telling.kept if isinstance(telling, Spoken) else (telling,)
