"""The almanac: weaving dice, character concepts and prompts, as data that people write (MN-10, MN-11, MN-15).

The files lie in ``templates/mnemonic``; ``docs/systems/mnemonic.md`` describes them. Everything is checked when it
is read, and a mistake is named with its line.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, TypeVar

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.poker import RANKS, CardSuit, PokerCard
from loomtable.engine.kernel.wording import Labelled
from loomtable.engine.kernel.yamlfile import Titled, YamlLines, parse_yaml, part

T = TypeVar("T")
LONGEST_BAND = 280
LONGEST_PROMPT = 220
LONGEST_NAME = 40
FEWEST_SUGGESTIONS = 3


def key_of(name: str) -> str:
    """A name as programs and terminals write it: ``Tuner's Ear`` is ``tuners-ear``."""
    return re.sub(r"\W+", "-", re.sub(r"['’]", "", name.casefold())).strip("-")


class WeavingBand(Labelled):
    """How a weaving, or the learning of a skill, comes out (MN-5, MN-7)."""

    BEND = "bend"
    WEAVE = "weave"
    FRAY = "fray"
    TEAR = "tear"


def band_of(face: int) -> WeavingBand:
    """The band of a d6: 1 Bend, 2-3 Weave, 4-5 Fray, 6 Tear (MN-5)."""
    return (
        WeavingBand.BEND,
        WeavingBand.WEAVE,
        WeavingBand.WEAVE,
        WeavingBand.FRAY,
        WeavingBand.FRAY,
        WeavingBand.TEAR,
    )[face - 1]


class WeavingDie(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of memory that a weaving calls on: what it is, and what each band brings (MN-15)."""

    name: str
    says: str
    bend: str
    weave: str
    fray: str
    tear: str

    @property
    def key(self) -> str:
        """The die's name for programs."""
        return key_of(self.name)

    def text(self, band: WeavingBand) -> str:
        """What is read aloud when this band comes up."""
        return str(getattr(self, band.value))


class Concept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody to begin with: a strong and a weak suit, and skills to borrow for each suit (MN-10)."""

    name: str
    says: str
    strong: CardSuit
    weak: CardSuit
    skills: dict[CardSuit, tuple[str, ...]]


class Prompts(msgspec.Struct, frozen=True):
    """Questions that begin something (MN-11, MN-12, MN-14)."""

    cards: dict[int, str]
    """For each of the 54 cards, by its number: what an individual scene begins with."""
    group: tuple[str, ...]
    introductions: dict[CardSuit, tuple[str, ...]]
    meetings: tuple[str, ...]
    farewells: dict[CardSuit, tuple[str, ...]]


class _DiceFile(Titled, frozen=True):
    dice: list[dict[str, Any]]


class _ConceptsFile(Titled, frozen=True):
    concepts: list[dict[str, Any]]


class _PromptsFile(Titled, frozen=True):
    scenes: dict[str, Any]
    jokers: list[str]
    group: list[str]
    introductions: dict[str, Any]
    meetings: list[str]
    farewells: dict[str, Any]


def parse_weaving_dice(text: str, name: str) -> dict[str, WeavingDie]:
    """Read and check a file of weaving dice, by key; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: not good YAML, a band is missing or too long, a name stands twice; with its line.
    """
    file, lines = parse_yaml(text, _DiceFile, name)
    dice: dict[str, WeavingDie] = {}
    for place, plain in enumerate(file.dice):
        die = part(plain, WeavingDie, lines, "dice", place)
        _check_name(die.name, dice, lines, "dice", place)
        lines.check_text(die.says, LONGEST_BAND, "dice", place, "says")
        for band in WeavingBand:
            lines.check_text(die.text(band), LONGEST_BAND, "dice", place, band.value)
        dice[die.key] = die
    if not dice:
        raise ContentInvalid(f"{lines.place('dice')}: there is no weaving die")
    return dice


def parse_concepts(text: str, name: str) -> dict[str, Concept]:
    """Read and check a file of character concepts, by key.

    Raises:
        ContentInvalid: strong and weak are one suit, a suit has too few skills, a skill stands twice; with its
            line.
    """
    file, lines = parse_yaml(text, _ConceptsFile, name)
    concepts: dict[str, Concept] = {}
    for place, plain in enumerate(file.concepts):
        concept = part(plain, Concept, lines, "concepts", place)
        _check_name(concept.name, concepts, lines, "concepts", place)
        lines.check_text(concept.says, LONGEST_BAND, "concepts", place, "says")
        if concept.strong is concept.weak:
            raise ContentInvalid(f"{lines.place('concepts', place, 'weak')}: the weak suit is the strong one too")
        _check_suggestions(concept, lines, place)
        concepts[key_of(concept.name)] = concept
    return concepts


def _check_suggestions(concept: Concept, lines: YamlLines, place: int) -> None:
    seen: set[str] = set()
    for suit in CardSuit:
        where = lines.place("concepts", place, "skills", suit.value)
        offered = concept.skills.get(suit, ())
        if len(offered) < FEWEST_SUGGESTIONS:
            raise ContentInvalid(
                f"{where}: {concept.name} needs at least {FEWEST_SUGGESTIONS} skills of {suit.label}"
            )
        for skill in offered:
            wrong = name_trouble(skill)
            if wrong:
                raise ContentInvalid(f"{where}: the skill {skill!r} {wrong}")
            if key_of(skill) in seen:
                raise ContentInvalid(f"{where}: the skill {skill!r} stands twice")
            seen.add(key_of(skill))


def parse_prompts(text: str, name: str) -> Prompts:
    """Read and check a file of prompts: one for every card, and lists for the other occasions.

    Raises:
        ContentInvalid: a card or a list is missing, or a prompt is empty or too long; with its line.
    """
    file, lines = parse_yaml(text, _PromptsFile, name)
    cards: dict[int, str] = {}
    for suit, by_rank in _by_suit(file.scenes, dict[str, str], lines, "scenes").items():
        for rank in by_rank.keys() - set(RANKS):
            raise ContentInvalid(f"{lines.place('scenes', suit.value, rank)}: there is no card of rank {rank!r}")
        for rank in RANKS:
            if rank not in by_rank:
                raise ContentInvalid(f"{lines.place('scenes', suit.value)}: {rank} of {suit.label} has no prompt")
            lines.check_text(by_rank[rank], LONGEST_PROMPT, "scenes", suit.value, rank)
            cards[len(cards) + 1] = by_rank[rank]
    if len(file.jokers) != 2:
        raise ContentInvalid(f"{lines.place('jokers')}: the two jokers need a prompt each")
    for place, said in enumerate(file.jokers):
        lines.check_text(said, LONGEST_PROMPT, "jokers", place)
        cards[len(cards) + 1] = said
    _check_list(file.group, lines, "group")
    _check_list(file.meetings, lines, "meetings")
    told: list[dict[CardSuit, tuple[str, ...]]] = []
    for field, plain in (("introductions", file.introductions), ("farewells", file.farewells)):
        lists = _by_suit(plain, list[str], lines, field)
        for suit, texts in lists.items():
            _check_list(texts, lines, field, suit.value)
        told.append({suit: tuple(texts) for suit, texts in lists.items()})
    return Prompts(cards, tuple(file.group), told[0], tuple(file.meetings), told[1])


def _by_suit(plain: dict[str, Any], shape: type[T], lines: YamlLines, field: str) -> dict[CardSuit, T]:
    """A part for each of the four suits, and for nothing else."""
    for name in plain:
        if name not in list(CardSuit):
            raise ContentInvalid(f"{lines.place(field, name)}: there is no suit {name!r}")
    for suit in CardSuit:
        if suit not in plain:
            raise ContentInvalid(f"{lines.place(field)}: {suit.label} are missing")
    return {suit: part(plain[suit], shape, lines, field, suit.value) for suit in CardSuit}


def name_trouble(name: str) -> str:
    """What is wrong with a name for a skill or a character, in words; nothing if it is good."""
    if not name.strip() or not key_of(name):
        return "needs letters"
    if len(name) > LONGEST_NAME:
        return f"is longer than {LONGEST_NAME} characters"
    if not name.isprintable():
        return "has characters that cannot be shown"
    return ""


def _check_name(name: str, known: dict[str, Any], lines: YamlLines, *path: str | int) -> None:
    wrong = name_trouble(name) or ("stands twice" if key_of(name) in known else "")
    if wrong:
        raise ContentInvalid(f"{lines.place(*path)}: the name {name!r} {wrong}")


def _check_list(texts: list[str], lines: YamlLines, *path: str | int) -> None:
    if not texts:
        raise ContentInvalid(f"{lines.place(*path)}: there is no prompt here")
    for place, text in enumerate(texts):
        lines.check_text(text, LONGEST_PROMPT, *path, place)


@cache
def weaving_dice() -> dict[str, WeavingDie]:
    """The thirteen weaving dice, by key (MN-15)."""
    return parse_weaving_dice(*shipped("mnemonic", "weaving-dice.yaml"))


@cache
def concepts() -> dict[str, Concept]:
    """The character concepts, by key (MN-10)."""
    return parse_concepts(*shipped("mnemonic", "concepts.yaml"))


@cache
def prompts() -> Prompts:
    """The prompts for scenes and rituals (MN-11, MN-12, MN-14)."""
    return parse_prompts(*shipped("mnemonic", "prompts.yaml"))


def told_by_card(texts: tuple[str, ...], card: PokerCard | None, otherwise: int) -> str:
    """One of several prompts: by the rank of the card that was turned, or else by a running number."""
    place = RANKS.index(card.rank) if card is not None and not card.joker else otherwise
    return texts[place % len(texts)]
