"""Fonts for browsers, as the table serves them: each face of the printed kit in parts, which a page loads as its
words need them. ``docs/site/webfonts.py`` makes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from loomtable.printkit.draw.type import Font

STATIC = Path(__file__).parent / "static"
FOLDER = STATIC / "type"
FIRST = (Font.TITLE, Font.TEXT, Font.LABEL)
"""Faces that every page has words in; their first parts are fetched along with the style sheets."""
LATIN = "latin"
"""The first part: Western European languages."""


def stem(face: Font, part: str) -> str:
    """With what the name of a part's file begins; the hash of what is in it follows."""
    return f"{face.name.lower().replace('_', '-')}-{part}"


def part_file(face: Font, part: str) -> Path | None:
    """The file of a part of a face, if the face has it."""
    return next(FOLDER.glob(f"{stem(face, part)}.*.woff2"), None)


@cache
def type_address(face: Font) -> str:
    """The address of the first part of a face."""
    file = part_file(face, LATIN)
    assert file is not None, f"{FOLDER} has no parts of {face}; make them again"
    return f"/type/{file.name}"


@cache
def font_part(name: str) -> bytes:
    """What is in the file of a part."""
    return (FOLDER / name).read_bytes()
