"""Decks of one's own in every script: read back by PDFium, held against HarfBuzz and another bidi algorithm."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pikepdf
import pytest
import uharfbuzz
from bidi import get_display
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from reportlab.pdfbase import pdfmetrics

from loomtable.printkit.decks.markup import spans_of
from loomtable.printkit.decks.own import own_deck
from loomtable.printkit.draw.bidi import in_visual_order, levels_of
from loomtable.printkit.draw.breaking import parts_of, smallest_parts_of
from loomtable.printkit.draw.made_font import MadeFont
from loomtable.printkit.draw.rich import SetText, Styled, set_text
from loomtable.printkit.draw.script_fonts import fallback_files
from loomtable.printkit.draw.type import Font
from loomtable.printkit.draw.typefaces import Typefaces
from loomtable.printkit.errors import DeckInvalid, FontMissing, GlyphMissing, TextTooLong
from loomtable.printkit.kit import PrintedFile, PrintSettings, print_components
from loomtable.printkit.raster import Picture, render_page
from tests.print.drawn_cards import faces
from tests.print.sheet_reading import words
from tests.short import raises

TEXTS = {
    "Polish": "Zażółć gęślą jaźń: dzwoni raz, gdy obietnica pęka.",
    "Greek": "Χτυπά μία φορά όταν σπάει μια υπόσχεση.",
    "Cyrillic": "Звонит раз, когда обещание нарушено.",
    "Hebrew": "מצלצל פעם אחת כשהבטחה מופרת (עד 12 צעדים).",
    "Arabic": "مرة واحدة عندما لا يوفى بالوعد (12 خطوة).",
    "Thai": "ระฆังดังหนึ่งครั้งเมื่อคำสัญญาถูกละเมิด",
    "Japanese": "約束が破られるとき一度、守られるとき二度鳴る。",
    "Hindi": "एक बार बजती है जब वचन टूटता है।",
    "symbols": "Take ★ or ♥ → go.",
}
TEMPLATE = """template: mine
boxes:
  - {kind: text, field: name, at: [5, 74, 53, 9], face: title}
  - {kind: text, field: text, at: [5, 6, 53, 60], points: 10, least: 7}
"""


def printed(folder: Path, text: str, template: str = TEMPLATE, name: str = "One") -> PrintedFile:
    (folder / "mine.yaml").write_text(template, "utf-8")
    quoted = text.replace('"', '""')
    (folder / "deck.csv").write_text(f'name,text\n{name},"{quoted}"\n', "utf-8")
    deck = own_deck(folder / "deck.csv", str(folder / "mine.yaml"))
    [file] = print_components([deck], folder / "out", PrintSettings(singly=True))
    return file


def fonts_in(file: Path) -> set[str]:
    with pikepdf.open(file) as pdf:
        found = [obj for obj in pdf.objects if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/Font"]
        return {str(font.BaseFont).split("+")[-1] for font in found}


def ink(page: Picture) -> tuple[int, int]:
    """The first and the last column with dark ink in the middle of the text's box."""
    columns = np.flatnonzero((page[..., 1] < 110).any(axis=0))
    return int(columns[0]), int(columns[-1])


@pytest.mark.parametrize("script", TEXTS)
def test_a_deck_in_any_script_is_printed_and_its_words_can_be_found(tmp_path: Path, script: str) -> None:
    file = printed(tmp_path, TEXTS[script], name=TEXTS[script].split()[0][:12])
    read = words(file.path, 0)
    # Where no spaces are written, a line may have ended between any two letters.
    assert TEXTS[script].replace(" ", "") in read.replace(" ", "")


@pytest.mark.parametrize(("words", "name"), [("سلام", "Arabic"), ("ที่ปั๊ม", "Thai"), ("क्षत्रिय", "Devanagari")])
def test_what_is_printed_lies_where_harfbuzz_puts_it(tmp_path: Path, words: str, name: str) -> None:
    """Glyph by glyph on paper, against the font file's own outlines at HarfBuzz's own places."""
    path = next(path for path in fallback_files() if name in path.name)
    font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path))))
    buffer = uharfbuzz.Buffer()
    buffer.add_str(words)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    at, reaches, tops = 0, [], []
    for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        seen = font.get_glyph_extents(info.codepoint)
        left = at + place.x_offset + seen.x_bearing
        reaches += [left, left + seen.width]
        tops += [place.y_offset + seen.y_bearing, place.y_offset + seen.y_bearing + seen.height]
        at += place.x_advance
    template = TEMPLATE.replace("least: 7", "least: 24").replace("points: 10", "points: 24")
    dpi = 600
    page = render_page(printed(tmp_path, words, template).path, 0, dpi)
    page = page[round(20 / 25.4 * dpi) :]  # below the name
    rows = np.flatnonzero((page[..., 1] < 110).any(axis=1))
    scale = 24 / 1000 * dpi / 72
    first, last = ink(page)
    assert last - first + 1 == pytest.approx((max(reaches) - min(reaches)) * scale, abs=3)
    assert rows[-1] - rows[0] + 1 == pytest.approx((max(tops) - min(tops)) * scale, abs=3)


def test_chinese_is_set_in_the_forms_of_its_language(tmp_path: Path) -> None:
    """One character, a form for each: only Korean writes these three as Japanese does."""
    (tmp_path / "mine.yaml").write_text(TEMPLATE.replace("points: 10", "points: 24"), "utf-8")
    deck = tmp_path / "cards.csv"
    languages = ("", "ja", "zh-Hans", "zh-Hant", "ko")
    rows = "".join(f"A,骨 直 与,{language}\n" for language in languages)
    deck.write_text(f"name,text,lang\n{rows}", "utf-8")
    pieces = own_deck(deck, str(tmp_path / "mine.yaml")).cards()
    seen = dict(zip(languages, faces(pieces, dpi=200), strict=True))
    same = {(one, other) for one, other in combinations(languages, 2) if (seen[one] == seen[other]).all()}
    assert same == {("", "ja"), ("", "ko"), ("ja", "ko")}


LETTERS = st.text(st.sampled_from("אבגשלם سلامجرس abcXYZ  019 .,:-+%"), min_size=1, max_size=40)


@given(LETTERS)
def test_letters_stand_on_a_line_as_another_bidi_algorithm_puts_them(words: str) -> None:
    base, levels = levels_of(words)
    line = "".join(in_visual_order(list(zip(levels, words, strict=True))))
    # Spaces at a line's ends are not set.
    assert line.strip() == str(get_display(words, base_dir="LR"[base])).strip()


def meanings(line_of: SetText) -> str:
    """The letters that the glyphs of a text stand for."""
    said = []
    for line in line_of.lines:
        for _, name, codes in line.strings:
            font = pdfmetrics.getFont(name)
            said += [font._drawn[code].meaning if isinstance(font, MadeFont) else code for code in codes]
    return "".join(said)


def letters_of(words: str) -> Counter[str]:
    """How often each letter stands there; a bracket is turned round where words run from right to left."""
    return Counter("".join(words.split()).translate(str.maketrans("()「」", "||||")))


WORDS = st.lists(
    st.sampled_from(
        [
            *(word for text in TEXTS.values() for word in text.split()),
            "(עד",
            "12)",
            "a-b",
            "bell",
            "x̂",
            "「鐘」",
            "\n",
        ]
    ),
    min_size=1,
    max_size=20,
)


@given(WORDS, st.floats(18, 90), st.booleans())
def test_no_letter_is_lost_and_no_line_is_wider_than_its_box(words: list[str], width: float, bold: bool) -> None:
    text = " ".join(words)
    spans = [Styled(text, bold=bold), Styled("", icon="flames"), Styled(text)]
    try:
        made = set_text(spans, Typefaces(Font.TEXT), (width, 400), 12, 6, "card")
    except TextTooLong:
        return
    assert letters_of(meanings(made)) == letters_of(text * 2)
    assert sum(len(line.icons) for line in made.lines) == 1
    size = made.points * 25.4 / 72
    for line in made.lines:
        ends = [at + pdfmetrics.stringWidth(codes, name, 1) for at, name, codes in line.strings]
        assert max(ends, default=0) * size <= width + 0.01
    assert (made.top + made.bottom + (len(made.lines) - 1) * made.leading) * size <= 400.01


def test_lines_are_broken_between_phrases_and_never_begin_with_a_closing_sign() -> None:
    assert parts_of("約束は破られる。") == ["約束は", "破られる。"]
    assert "".join(parts_of(TEXTS["Thai"])) == TEXTS["Thai"]
    assert len(parts_of(TEXTS["Thai"])) > 5
    assert parts_of("Loomtable") == ["Loomtable"]
    assert parts_of("long\u200bword") == ["long\u200b", "word"]
    assert smallest_parts_of("「鐘」、チョコを12歩。") == ["「鐘」、", "チョ", "コ", "を", "12", "歩。"]
    made = set_text([Styled(TEXTS["Japanese"])], Typefaces(Font.TEXT), (11, 200), 9, 9, "card")
    starts = [meanings(SetText((line,), 9, 1, 1, 1))[0] for line in made.lines]
    assert len(starts) > 5
    assert not set(starts) & set("、。")


@pytest.mark.parametrize(
    ("text", "is_right"), [("שלום", True), ("سلام", True), ("Hello ש", False), ("12 שלום", True)]
)
def test_a_line_begins_where_its_script_begins(tmp_path: Path, text: str, is_right: bool) -> None:
    page = render_page(printed(tmp_path, text).path, 0, 150)[round(20 / 25.4 * 150) :]
    first, last = (at / 150 * 25.4 - 3 for at in ink(page))
    assert (last > 57) == is_right
    assert (first < 6) == (not is_right)


SENTENCE = "When the lamp goes out, each of you loses a die until somebody lights it again, or the episode "


@pytest.mark.parametrize("last", [Styled("\u2060ends"), Styled("ends", bold=True), Styled("ends", italic=True)])
def test_a_sentence_has_one_size_whatever_its_words_look_like(last: Styled) -> None:
    """Line breaks are the same here, so nothing but the way of setting could make a difference."""
    for height in range(12, 36):
        made = [
            set_text(spans, Typefaces(Font.TEXT), (40, height), 12, 5, "card")
            for spans in ([Styled(SENTENCE + "ends.")], [Styled(SENTENCE), last, Styled(".")])
        ]
        assert len({(text.points, len(text.lines)) for text in made}) == 1, height


def test_the_fast_way_of_plain_words_is_left_only_where_it_must_be(tmp_path: Path) -> None:
    """The same words, by the one and by the other, stand at the same places."""
    plain = printed(tmp_path, "Rings once when a promise is broken, twice when one is kept.")
    before = render_page(plain.path, 0, 150).astype(int)
    rich = printed(tmp_path, "Rings once when a promise is \u2060broken, twice when one is kept.")
    after = render_page(rich.path, 0, 150).astype(int)
    assert np.abs(before - after).mean() < 0.05


def test_bold_and_italic_words_and_icons_stand_in_a_text(tmp_path: Path) -> None:
    file = printed(tmp_path, r"Roll **two** of {flames}, *then* ***both***: 2*3*4 and \*stars\* \{so\}.")
    assert words(file.path, 0).removeprefix("One ") == "Roll two of , then both: 2*3*4 and *stars* {so}."
    assert {"Spectral-Bold", "Spectral-Italic", "Spectral-BoldItalic", "Spectral-Regular"} <= fonts_in(file.path)
    page = render_page(file.path, 0, 300).astype(int)
    red = (page[..., 0] - page[..., 2] > 100) & (page[..., 1] < 110)
    assert red.sum() > 100, "the flames"
    assert spans_of("2 * 3 * 4, a*b, 5*", (), "card") == [Styled("2 * 3 * 4, a*b, 5*")]
    with pytest.raises(
        DeckInvalid, match=r"deck\.csv, card 1 \(One\), field 'text': there is no icon \{flame\}.*flames"
    ):
        printed(tmp_path, "Roll {flame}")


@given(st.text(st.sampled_from("ab *{}\\漢"), max_size=30))
def test_whatever_is_no_mark_stands_as_it_was_written(text: str) -> None:
    icons = {"a"}
    try:
        said = "".join(span.words or f"{{{span.icon}}}" for span in spans_of(text, icons, "card"))
    except DeckInvalid:
        return
    for sign in "ab漢 ":
        assert said.count(sign) == text.count(sign)
    if set(text).isdisjoint("*{}\\"):
        assert said == text


def test_a_picture_of_ones_own_is_an_icon(tmp_path: Path) -> None:
    icon = Image.new("RGBA", (96, 96), (0, 0, 0, 0))
    icon.paste((20, 160, 40, 255), (24, 0, 72, 96))
    icon.save(tmp_path / "coin.png")
    template = TEMPLATE + "icons: {coin: coin.png}\n"
    page = render_page(printed(tmp_path, "Pay {coin}{coin}.", template).path, 0, 300).astype(int)
    green = np.flatnonzero(((page[..., 1] - page[..., 0]) > 90).any(axis=0))
    assert (np.diff(green) > 5).sum() == 1, "two coins, apart"
    (tmp_path / "coin.png").unlink()
    with pytest.raises(DeckInvalid, match=r"template 'mine', icons: coin\.png cannot be used"):
        printed(tmp_path, "Pay {coin}.", template)


def test_a_letter_that_no_font_has_is_named_with_its_card_and_field(tmp_path: Path) -> None:
    with pytest.raises(
        GlyphMissing,
        match=r"deck\.csv, card 1 \(One\), field 'text': the font Spectral-Regular has no '🔥' \(U\+1F525\), "
        r"which is in 'Fire🔥'; give the template a font file that has it, under 'fonts'",
    ):
        printed(tmp_path, "Fire🔥 here")
    assert not (tmp_path / "out").exists()


def test_without_the_fonts_for_scripts_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uharfbuzz", None)
    with pytest.raises(GlyphMissing, match=r"has no 'ש' \(U\+05E9\), .*; or install more fonts: .*\[\S*scripts\]"):
        printed(tmp_path, "שלום")
    assert "Zażółć gęślą" in words(printed(tmp_path, "Zażółć **gęślą** {flames}").path, 0)


def test_a_font_of_ones_own_may_be_variable_or_of_postscript_outlines(tmp_path: Path) -> None:
    files = {path.name: path for path in fallback_files()}
    for name in ("NotoSansCJKjp-Regular.otf", "NotoSansArabic[wdth,wght].ttf"):
        (tmp_path / "mine.font").write_bytes(files[name].read_bytes())
        template = TEMPLATE + "fonts: {text: mine.font}\n"
        text = "橋 bridge" if "CJK" in name else "جسر"
        file = printed(tmp_path, f"{text} **{text}**", template)
        assert words(file.path, 0).removeprefix("One ").split() == f"{text} {text}".split()
        assert sum("mine" in font for font in fonts_in(file.path)) == 2, "the bold words are bolder"
    (tmp_path / "mine.font").write_bytes(files["NotoSansArabic[wdth,wght].ttf"].read_bytes()[:5000])
    raises(FontMissing, r"mine\.font: cannot be used as a font", printed, tmp_path, "جسر", template)


def test_the_same_deck_makes_the_same_file_whatever_was_printed_before(tmp_path: Path) -> None:
    text = " ".join(TEXTS.values())
    template = TEMPLATE.replace("least: 7", "least: 4")
    first = printed(tmp_path, text, template).path.read_bytes()
    printed(tmp_path, "اخرى 別の อื่นๆ")
    assert printed(tmp_path, text, template).path.read_bytes() == first


def test_a_deck_may_be_called_in_any_script(tmp_path: Path) -> None:
    deck = tmp_path / "שלום.csv"
    deck.write_text("name,text\nOne,Two\n", "utf-8")
    (tmp_path / "mine.yaml").write_text(TEMPLATE, "utf-8")
    [file] = print_components([own_deck(deck, str(tmp_path / "mine.yaml"))], tmp_path / "out", PrintSettings())
    assert "100 mm" in words(file.path, 0)
    with pikepdf.open(file.path) as pdf:
        assert "שלום" in str(pdf.docinfo["/Title"])
