"""Text files as spreadsheet programs save them: UTF-8, UTF-16 with its mark, or a Windows code page.

A code page is not named in the file. It is taken only if no other one could be meant: each is tried, and those are
dropped that give letters which no language written in it uses together, words in two scripts at once, or capitals
within words.
"""

from __future__ import annotations

import codecs
import re
from itertools import pairwise
from pathlib import Path

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.printkit.errors import DeckInvalid

_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"
_SOUTHERN = "абвгдежзиклмнопрстуфхцчшјљњџ"
_ALPHABETS = {
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "âăîșşţ", "ćčđšž", "äöüßé", "çë"),
    "cp1251": (*(_CYRILLIC + more for more in ("ґєії", "іў")), *(_SOUTHERN + more for more in ("ђћ", "ѓѕќ"))),
    "cp1252": (
        *("àâæçéèêëîïôœùûüÿ", "äöüßé", "áéíñóúü", "àèéìíîòóùú", "áâãàçéêíóôõúü", "áèéêëíïóöúü"),
        *("åäöéü", "æøåéèòó", "áæéíðóöúýþ", "àçéèíïóòúü"),
    ),
    "cp1253": ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",),
    "cp1254": ("çğıiöşüâîûİ",),
    "cp1257": ("āčēģīķļņšūž", "ąčęėįšųūž", "äõöšüž"),
}
"""Of each code page the letters beyond a to z, of the languages that are written in it."""
_SIGNS = set("\u00a0€§©®™°×·•…–—‘’‚“”„‹›«»¡¿£")
_TWO_SCRIPTS = re.compile(r"[A-Za-z][\u0370-\u04ff]|[\u0370-\u04ff][A-Za-z]")
_HELP = "save it as 'CSV UTF-8'"


def text_of_file(path: Path) -> str:
    """The file's text, without its byte-order mark.

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
        return raw.decode(encoding)
    except UnicodeDecodeError:
        if encoding == "utf-16" or b"\0" in raw:
            raise DeckInvalid(f"{path.name}: is not text; {_HELP}") from None
    readings = _readings(raw)
    if len(readings) == 1:
        return next(iter(readings))
    if not readings:
        raise DeckInvalid(
            f"{path.name}: is not UTF-8 text, and its letters go together in no Windows code page; {_HELP}"
        )
    differing = zip(*(re.findall(r"[^\s,;]+", text) for text in readings), strict=False)
    words = next(words for words in differing if len(set(words)) > 1)
    either = " or ".join(f"{word[:30]!r}" for word in dict.fromkeys(words))
    raise DeckInvalid(f"{path.name}: is not UTF-8 text, and may say {either}; {_HELP}")


def _readings(raw: bytes) -> list[str]:
    """The texts that the bytes may be in the code pages, each once."""
    readings = []
    for page, alphabets in _ALPHABETS.items():
        try:
            text = raw.decode(page)
        except UnicodeDecodeError:
            continue
        letters = {letter.lower() if letter != "İ" else letter for letter in text if letter > "\x7f"} - _SIGNS
        capitals = (one.islower() and other > "\x7f" and other.isupper() for one, other in pairwise(text))
        if any(letters <= set(alphabet) for alphabet in alphabets) and not (
            _TWO_SCRIPTS.search(text) or any(capitals)
        ):
            readings.append(text)
    return list(dict.fromkeys(readings))
