"""The fonts of the pages: cut from those of the printed kit, whole in what they hold, loaded only where needed."""

from __future__ import annotations

from typing import Any

import pytest
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from docs.site.webfonts import FACES, PARTS, SHEET, characters, cut
from loomtable.printkit.draw.type import Font, font_file
from loomtable.table.hosting.devices import Role
from loomtable.table.pages.webfonts import FOLDER, LATIN, part_file
from tests.short import present
from tests.table.browsing import Served

THERE = [(face, part) for face in FACES for part in PARTS if part_file(face, part)]


def drawn(font: TTFont, character: int) -> Any:
    """How a font draws a character, and how wide."""
    glyphs = font.getGlyphSet()
    name = font.getBestCmap()[character]
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    return pen.value, glyphs[name].width


def test_no_character_is_in_two_parts() -> None:
    every = [one for ranges in PARTS.values() for one in characters(ranges)]
    assert len(every) == len(set(every))
    assert set(map(ord, "Loom – “Gales” … × ½ é ß Ø")) <= set(characters(PARTS[LATIN]))


@pytest.mark.parametrize(("face", "part"), THERE)
def test_a_part_draws_its_letters_as_the_printed_font_does(face: Font, part: str) -> None:
    pytest.importorskip("brotli", reason="Brotli, which unpacks WOFF2, is not installed")
    file = part_file(face, part)
    ours, printed = TTFont(present(file)), TTFont(font_file(face))
    held = set(ours.getBestCmap())
    assert held == set(characters(PARTS[part])) & set(printed.getBestCmap())
    for character in sorted(held)[:: 1 if part == LATIN else 7]:
        assert drawn(ours, character) == drawn(printed, character), chr(character)


def test_the_same_fonts_make_the_same_files() -> None:
    pytest.importorskip("brotli", reason="Brotli, which packs WOFF2, is not installed")
    made = cut(Font.TITLE, LATIN)
    assert made == cut(Font.TITLE, LATIN)
    assert not cut(Font.TITLE, "greek"), "a face with three Greek letters offers itself for Greek"


def test_the_style_sheet_names_every_part_and_nothing_else() -> None:
    sheet = SHEET.read_text("utf-8")
    files = {file.name for file in FOLDER.iterdir()}
    assert files and sheet.count("@font-face") == len(files)
    assert all(f'url("/type/{name}")' in sheet for name in files)


@pytest.mark.parametrize(
    ("name", "part"), [("Żaneta", "latin-more"), ("Любовь", "cyrillic"), ("Ελένη", "greek"), ("Ann", "")]
)
def test_a_name_brings_the_letters_it_is_written_in(table: Served, name: str, part: str) -> None:
    page = table.page(Role.HOST)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    table.host.begin("storm-weavers", name)
    page.goto(table.base + "/")
    page.get_by_text("Rename, export").click()
    page.wait_for_load_state("networkidle")
    more = {
        one.split(".")[0].partition("-")[2].removeprefix("bold-").removeprefix("italic-")
        for one in fetched
        if "woff2" in one
    }
    assert more - {LATIN} == ({part} if part else set()), fetched
