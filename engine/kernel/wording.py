"""Small numbers, lists and full stops, for sentences that people read."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import groupby

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Labelled(StrEnum):
    """Words of one kind that stand in sentences as they are, with a capital letter."""

    @property
    def label(self) -> str:
        """The name in a sentence, or as it is printed."""
        return self.value.capitalize()


def label_of(name: str) -> str:
    """What screens call an action or an argument: ``season_wide`` is ``Season wide``."""
    return re.sub(r"\bnpc\b", "NPC", name.replace("_", " ").replace("-", " ").capitalize(), flags=re.IGNORECASE)


def nearest(wanted: str, known: Iterable[str], otherwise: str = "") -> str:
    """``"; did you mean bow?"``, for the end of a refusal; ``otherwise`` where nothing that is known is near."""
    near = difflib.get_close_matches(wanted, list(known), n=1)
    hint = f"did you mean {near[0]}?" if near else otherwise
    return f"; {hint}" if hint else ""


def number_word(count: int) -> str:
    """``"no"`` for 0, ``"three"`` for 3, figures beyond twelve."""
    return _WORDS[count] if count < len(_WORDS) else str(count)


def dice_count(count: int) -> str:
    """``"one die"``, ``"three dice"``."""
    return f"{number_word(count)} {'die' if count == 1 else 'dice'}"


def how_many(count: int, single: str, many: str) -> str:
    """``how_many(3, "Strike", "Strikes")`` is ``"3 Strikes"``; none of them is ``"no Strikes"``."""
    return f"{count or 'no'} {single if count == 1 else many}"


def said_once(sentences: Iterable[str]) -> Iterator[str]:
    """The sentences; one that comes again and again is said once, with how often."""
    for sentence, times in groupby(sentences):
        again = len(list(times))
        yield sentence if again == 1 else f"{sentence} ({again} times)"


def listed(parts: Iterable[str]) -> str:
    """``"a, b and c"``; of nothing, nothing."""
    every = list(parts)
    return f"{', '.join(every[:-1])} and {every[-1]}" if len(every) > 1 else "".join(every)


def ended(text: str) -> str:
    """The text with a full stop, if it has no end of its own."""
    return text if text[-1:] in tuple(".!?") else f"{text}."


def as_sentence(text: str) -> str:
    """The text with a capital letter and a full stop, as a page says it; nothing stays nothing."""
    return ended(text[:1].upper() + text[1:]) if text else ""


def article(name: str) -> str:
    """``a Ferryman``, ``an Archivist``, ``an NPC``; a name that has an article of its own stays as it is."""
    if name.split()[0].casefold() in ("a", "an", "the"):
        return name[0].lower() + name[1:]
    spelled_out = name[:2].isupper() and name[0] in "FHLMNRSX"
    return f"{'an' if spelled_out or name[0].casefold() in 'aeiou' else 'a'} {name}"
