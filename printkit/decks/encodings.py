"""Text files as spreadsheet programs save them: UTF-8, UTF-16 with its mark, or a Windows code page.

A code page is not named in the file. It is taken only if no other one could be meant: each is tried, and those are
dropped that give letters which no language written in it uses together, words in two scripts at once, capitals
within words, or a letter that is no word and stands alone. Where none is left, lines may be in several languages.
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.package_data import shipped
from loomtable.printkit.errors import DeckInvalid

_SIGNS = set("\u00a0€§©®™°×·•…–—‘’‚“”„‹›«»¡¿£")
_TWO_SCRIPTS = re.compile(r"[A-Za-z][\u0370-\u04ff]|[\u0370-\u04ff][A-Za-z]")
_ALONE = re.compile(r"(?<!\w)[\x80-\uffff](?!\w)")
_WORDS, _HELP = "words", "save it as 'CSV UTF-8'"


@cache
def _code_pages() -> dict[str, dict[str, str]]:
    """Of each code page its languages' letters beyond a to z, and which of them, ``words``, are words."""
    pages = defaultdict[str, dict[str, str]](dict)
    for page, language, letters in (line.split() for line in shipped("code-pages.txt")[0].splitlines()[1:]):
        pages[page][language] = letters
    return pages


def text_of_file(path: Path) -> tuple[str, ...]:
    """The file's text, without its byte-order mark, and what is to be said of how it is written.

    Programs append lines in UTF-8 to files in a code page, and people paste them: each line is read as it is.

    Raises:
        FileUnreadable: missing, a folder, or no permission.
        DeckInvalid: it is no text, or nobody can tell in which encoding.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise FileUnreadable(f"{path}: there is no such file") from None
    except OSError as error:
        raise FileUnreadable(f"{path}: cannot be read ({error.strerror})") from None
    encoding = "utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return (raw.decode(encoding),)
    except UnicodeDecodeError:
        if encoding == "utf-16" or b"\0" in raw:
            raise DeckInvalid(f"{path.name}: is not text; {_HELP}") from None
    lines = raw.removeprefix(codecs.BOM_UTF8).splitlines(keepends=True)
    told = [_in_utf_8(line) for line in lines]
    readings = _readings(b"".join(line for line, text in zip(lines, told, strict=True) if text is None))
    if not readings:
        why = f"{path.name}: is not UTF-8 text, and its letters go together in no Windows code page; {_HELP}"
        raise DeckInvalid(why)
    if len(readings) > 1:
        differing = zip(*(re.findall(r"[^\s,;]+", text) for text in readings), strict=False)
        words = next(words for words in differing if len(set(words)) > 1)
        either = " or ".join(f"{word[:30]!r}" for word in dict.fromkeys(words))
        raise DeckInvalid(f"{path.name}: is not UTF-8 text, and may say {either}; {_HELP}")
    old = iter(readings[0].splitlines(keepends=True))
    said = ("some lines are in UTF-8, the others in a Windows code page",) * any(
        not (text or "").isascii() for text in told
    )
    return ("".join(next(old) if text is None else text for text in told), *said)


def _in_utf_8(line: bytes) -> str | None:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return None


def _readings(raw: bytes) -> list[str]:
    """The texts that the bytes may be in the code pages, each once; in several languages where no one fits."""
    whole, by_line = dict[str, None](), dict[str, None]()
    for page, languages in _code_pages().items():
        try:
            text = raw.decode(page)
        except UnicodeDecodeError:
            continue
        capitals = (one.islower() and other > "\x7f" and other.isupper() for one, other in pairwise(text))
        alone = {*_ALONE.findall(text.lower())} - {*languages.get(_WORDS, text.lower())} - _SIGNS
        alphabets = [letters for language, letters in languages.items() if language != _WORDS]
        if not (alone or any(capitals) or _TWO_SCRIPTS.search(text)):
            for parts, readings in (([text], whole), (text.splitlines(), by_line)):
                if all(any(_letters(part) <= {*letters} for letters in alphabets) for part in parts):
                    readings[text] = None
    return [*(whole or by_line)]


def _letters(text: str) -> set[str]:
    """The letters of a text beyond a to z."""
    return {letter.lower() if letter != "İ" else letter for letter in text if letter > "\x7f"} - _SIGNS
