"""What is worth keeping of an evening: how a game tells its events afterwards, as data.

A game registers a function with ``@SYSTEM.chronicle``, which makes marks of an event. It leaves out what only the
table needed while it played, and what is still hidden from whoever reads. Sentences are in the present tense, as
people write what they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.play import Action, Event

S = TypeVar("S")


@dataclass(frozen=True)
class Scene:
    """A scene begins, or, without a title, the story goes on after a pause; an empty one is left out."""

    title: str = ""
    about: str = ""
    picture: str = ""
    """``card/S7``, ``ground/alder-ford``, ``region/the-maple-reach``: a kind and a name of the drawings."""


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
class Passage:
    """Words that were read aloud or written down, as they were."""

    says: str
    by: str = ""
    prompt: str = ""
    """What they answered."""


@dataclass(frozen=True)
class Cards:
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
class Ending:
    """How it ended, as far as it has; the last one counts."""

    says: str


Mark = Scene | Sentence | Lead | Passage | Cards | RollMark | Decisive | Ending
Editor = Callable[[Event, S, str, Action], Iterable[Mark]]
"""From an event, the state after it, who reads (``STORYTELLER``: who may see everything), the action."""
