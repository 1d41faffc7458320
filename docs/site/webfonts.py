"""Fonts for browsers: each face of the printed kit cut into parts, which a page loads as its words need them.

``python -m docs.site.webfonts`` makes ``static/type.css`` and the files in ``static/type`` anew from
the fonts in ``templates/fonts``; the same fonts give the same bytes. That takes Brotli, which is in the extra
``test``; the table only serves the files. Each name holds a hash of what is in the file, so that browsers may
keep it for good.

The fonts are under the SIL Open Font License, by which a changed font must not bear a reserved name: the parts
have names of their own.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator

from loomtable.printkit.draw.type import Font, font_file
from loomtable.table.pages.webfonts import FOLDER, LATIN, STATIC, stem

SHEET = STATIC / "type.css"
FACES = {
    Font.TITLE: ("Marcellus", "400", "normal"),
    Font.TEXT: ("Spectral", "400", "normal"),
    Font.TEXT_ITALIC: ("Spectral", "400", "italic"),
    Font.LABEL: ("Alegreya Sans", "400 600", "normal"),
    Font.LABEL_BOLD: ("Alegreya Sans", "700", "normal"),
}
"""The faces that pages are set in: family, weight and style as the style sheets name them."""
PARTS = {
    # English, the languages of Western Europe, and the punctuation and signs of our own pages.
    LATIN: (
        "U+20-7E, U+A0-FF, U+131, U+152-153, U+2BB-2BC, U+2C6, U+2DA, U+2DC, U+2002-200B, U+2010-2027, "
        "U+2030-203A, U+2044, U+20AC, U+2116, U+2122, U+2150-215F, U+2190-2193, U+2212, U+2215, U+2248, "
        "U+2260, U+2264-2265"
    ),
    # Polish, Czech, Turkish, Romanian, Vietnamese: everything else that is written in Latin letters.
    "latin-more": (
        "U+100-130, U+132-151, U+154-2BA, U+2BD-2C5, U+2C7-2D9, U+2DB, U+2DD-36F, U+1E00-1EFF, U+20A0-20AB, "
        "U+20AD-20C0"
    ),
    "cyrillic": "U+400-52F, U+1C80-1C8F",
    "greek": "U+370-3FF, U+1F00-1FFF",
}
"""Each part and its characters, as a ``unicode-range`` of CSS. No character is in two parts."""
_ALPHABET = 24
"""Characters below which a face does not have an alphabet, only a few signs of it (set by hand)."""
_FEATURES = ("ccmp", "kern", "liga", "lnum", "locl", "mark", "mkmk", "tnum")
_COPYRIGHT, _LICENCE, _LICENCE_ADDRESS = 0, 13, 14
_NAMES = {1: "Loomtable {face}", 2: "Regular", 4: "Loomtable {face} {part}", 6: "Loomtable-{face}-{part}"}
"""Family, style, full and PostScript name (OpenType, ``name``)."""


def characters(ranges: str) -> Iterator[int]:
    """The characters of a ``unicode-range``."""
    for part in ranges.split(","):
        first, _, last = part.strip().removeprefix("U+").partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def cut(face: Font, part: str) -> bytes:
    """A part of a face as WOFF2; empty where the face has no alphabet in it.

    Raises:
        ImportError: Brotli is not installed.
    """
    from fontTools import subset  # the table itself only serves the files
    from fontTools.ttLib import TTFont

    font = TTFont(font_file(face), recalcTimestamp=False)
    wanted = set(characters(PARTS[part])) & set(font.getBestCmap())
    if len(wanted) < _ALPHABET:
        return b""
    options = subset.Options(
        flavor="woff2",
        hinting=False,
        notdef_outline=True,
        layout_features=list(_FEATURES),
        name_IDs=[_COPYRIGHT, _LICENCE, _LICENCE_ADDRESS],
        drop_tables=[*subset.Options().drop_tables, "meta"],
    )
    maker = subset.Subsetter(options)
    maker.populate(unicodes=wanted)
    maker.subset(font)
    for number, name in _NAMES.items():
        font["name"].setName(name.format(face=face.name.capitalize(), part=part), number, 3, 1, 0x409)
    made = io.BytesIO()
    subset.save_font(font, made, options)
    return made.getvalue()


def _rule(face: Font, part: str, name: str) -> str:
    family, weight, style = FACES[face]
    return (
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style}; font-display: swap; '
        f'src: url("/type/{name}") format("woff2"); unicode-range: {PARTS[part]}; }}\n'
    )


def main() -> None:
    """Make every part anew, and the style sheet that names them."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.woff2"):
        old.unlink()
    rules = ["/* Made by docs.site.webfonts; change what it is made from. */\n"]
    for face in FACES:
        for part in PARTS:
            made = cut(face, part)
            if made:
                name = f"{stem(face, part)}.{hashlib.sha256(made).hexdigest()[:10]}.woff2"
                (FOLDER / name).write_bytes(made)
                rules.append(_rule(face, part, name))
                print(f"{name}: {len(made):,} bytes")
    SHEET.write_text("".join(rules), "utf-8")


if __name__ == "__main__":
    main()
