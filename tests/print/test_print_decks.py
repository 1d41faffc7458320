"""Decks of one's own: what is printed from a table and a template, and what is refused, naming card and field."""

from __future__ import annotations

import io
import json
import re
import sys
import unicodedata
from pathlib import Path

import cv2
import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import Image

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.printkit.decks.own import own_deck
from loomtable.printkit.decks.template import template_named
from loomtable.printkit.draw.code_size import (
    CAMERAS,
    camera_named,
    distance_in,
    fitting_module,
    module_for,
    reach_of,
)
from loomtable.printkit.draw.codes import PLATE
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.type import Font, width_of
from loomtable.printkit.errors import (
    CodeUnreadable,
    DeckInvalid,
    FontMissing,
    GlyphMissing,
    TextTooLong,
)
from loomtable.printkit.kit import PrintedFile, PrintSettings, print_components
from loomtable.printkit.raster import cut, render_page
from loomtable.printkit.sheet.calibration_page import scale_places
from loomtable.printkit.sheet.grid import DuplexMode, Rect, grid_for
from loomtable.printkit.sheet.papers import A4, POKER
from loomtable.printkit.sheet.printer import Misregistration, printer_named, transform_point
from loomtable.table.commands.main import run
from tests.pictures_made import png_that_claims
from tests.print.second_reader import read_by_opencv
from tests.print.sheet_reading import words
from tests.short import Loom, raises

GOOD = (
    "name,text,code,copies\n"
    'The Bell,"Rings once when a promise is broken, twice when one is kept.",O6,\n'
    "The Ford,Takes one thing from everyone who crosses.,O7,3\n"
    "Übergang,Äpfel und Öl.,O8,\n"
)


def deck(folder: Path, text: str, name: str = "bells.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def printed(path: Path, folder: Path, template: str = "plain", style: Style = Style.COLOUR) -> PrintedFile:
    [file] = print_components([own_deck(path, template)], folder, PrintSettings(style=style))
    return file


def codes_on(file: PrintedFile, dpi: int) -> list[str]:
    """What the first five cards of the first page say to another reader."""
    page = render_page(file.path, 0, dpi)
    slots = [Rect(10.5 + 63 * (at % 3), 297 - 16.5 - 88 * (at // 3 + 1), 63, 88) for at in range(5)]
    return [read_by_opencv(cut(page, slot, 297, dpi)) for slot in slots]


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("dpi", [140, 220])
def test_a_table_becomes_cards_that_read(tmp_path: Path, style: Style, dpi: int) -> None:
    file = printed(deck(tmp_path, GOOD), tmp_path / "out", style=style)
    assert (file.path.name.split("-a4")[0], file.cards, file.pages) == ("bells", 5, 2)
    assert codes_on(file, dpi) == [ComponentId.parse(code).code for code in ("O6", "O7", "O7", "O7", "O8")]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("name,text,code\n", "holds no cards"),
        ("name,text,code\n,Rings.,O6\n", "card 1, field 'name': every card needs a name"),
        ("name,text,code\nBell,Rings.,\n", r"card 1 \(Bell\), field 'code': has no code; write one of O6"),
        ("name,text,code\nBell,,O6\n", r"card 1 \(Bell\), field 'text': is empty"),
        ("name,text,code\nBell,A.,O6\nFord,B.,O6\n", r"card 2 \(Ford\), field 'code': O6 is the code of card 1"),
        ("name,text,code\nBell,A.,S3\n", r"field 'code': S3 is a story card of ours"),
        ("name,text,code\nBell,A.,bell\n", r"field 'code': 'bell' is not a card code"),
        ("name,text,code,copies\nBell,A.,O6,many\n", r"field 'copies': 'many' is not a number"),
        ("name,text,code\nBell,A, B,O6\n", r"line 2: this card has more than the 3 fields"),
        ("name,name,code\nBell,A,O6\n", "several columns 'name'; each needs a name of its own"),
        ("name,text,code\nBell,🐉 rises.,O6\n", r"card 1 \(Bell\), field 'text'.*'🐉'"),
        (f"name,text,code\nBell,{'very long words ' * 60},O6\n", r"card 1 \(Bell\), field 'text'.*does not fit"),
    ],
)
def test_a_table_that_cannot_be_printed_names_the_card_and_the_field(
    tmp_path: Path, table: str, says: str
) -> None:
    path = deck(tmp_path, table)
    raises(LoomtableError, says, printed, path, tmp_path / "out")
    assert not (tmp_path / "out").exists(), "something was half-written"


def test_pictures_need_three_hundred_dots_to_the_inch(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    noise = Image.fromarray(rng.integers(0, 255, (600, 900, 3), dtype=np.uint8))
    noise.save(tmp_path / "large.jpg")
    noise.resize((300, 200)).save(tmp_path / "small.png")
    (tmp_path / "text.png").write_text("no picture")
    noise.save(tmp_path / "torn.png")
    (tmp_path / "torn.png").write_bytes((tmp_path / "torn.png").read_bytes()[:5000])
    for name, side in (("large.png", 11_000), ("huge.png", 40_000)):
        (tmp_path / name).write_bytes(png_that_claims(side, side))
    head = "name,text,code,picture\n"
    file = printed(deck(tmp_path, head + "Bell,Rings.,O6,large.jpg\n"), tmp_path / "out", "picture")
    assert (tmp_path / "large.jpg").read_bytes()[200:400] in file.path.read_bytes(), "a JPEG file goes in as it is"
    for name, says in (
        ("small.png", r"card 1 \(Bell\), field 'picture': small.png has 300 x 200 pixels, only 110 dpi"),
        ("none.png", r"field 'picture': none.png cannot be used \(No such file"),
        ("text.png", r"field 'picture': text.png cannot be used \(it is not a picture"),
        ("torn.png", r"field 'picture': torn.png cannot be used \(it is not a picture"),
        ("large.png", r"field 'picture': large.png cannot be used \(it has more than 100 million pixels"),
        ("huge.png", r"field 'picture': huge.png cannot be used \(it has more than 100 million pixels"),
    ):
        with pytest.raises(DeckInvalid, match=says):
            printed(deck(tmp_path, head + f"Bell,Rings.,O6,{name}\n"), tmp_path / "none", "picture")
    grey = printed(deck(tmp_path, head + "Bell,Rings.,O6,large.jpg\n"), tmp_path, "picture", Style.GREY)
    face = render_page(grey.path, 0, 60).astype(int)
    assert (face.max(axis=2) - face.min(axis=2)).max() <= 2


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("template: t\nboxes: [{kind: text, at: [0, 0, 10, 10]}]\n", "line 2: a text box has a field or words"),
        ("template: t\nboxes: [{kind: text, field: a, at: [50, 0, 30, 10]}]\n", "reaches beyond a poker card"),
        ("template: t\nsize: huge\nboxes: []\n", "line 2: there is no card size 'huge'"),
        ("template: t\nground: bluish\nboxes: []\n", "line 2: 'bluish' is no colour"),
        ("template: t\nboxes: [{kind: ring, at: [0, 0]}]\n", "line 2"),
        ("template: t\nboxes: [{kind: text, field: a, at: [0, 0, 9, 9], points: 5, least: 8}]\n", "least at most"),
    ],
)
def test_a_template_that_does_not_hold_together_is_refused_with_its_line(
    tmp_path: Path, template: str, says: str
) -> None:
    path = deck(tmp_path, template, "mine.yaml")
    raises(DeckInvalid, says, template_named, str(path))


def test_the_deck_in_the_documentation_is_the_one_in_its_picture(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "your-own-deck.md").read_text("utf-8")
    [table] = re.findall(r"```csv\n(.*?)```", page, re.DOTALL)
    cards, template = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    own = deck(tmp_path, template, "mine.yaml")
    assert len(template.splitlines()) <= 10
    assert printed(deck(tmp_path, table, "harbour.csv"), tmp_path, str(own)).cards == 5
    assert printed(deck(tmp_path, cards, "harbour.yaml"), tmp_path, str(own)).cards == 3


def test_wrapped_text_fills_its_box_and_no_more() -> None:
    words = " ".join(f"word{at}" for at in range(40))
    text = set_words(words, Font.TEXT, (50, 30), 10, 6, "test")
    assert " ".join(line.words for line in text.lines) == words
    assert all(width_of(line.words, Font.TEXT, text.points) <= 50 + 1e-6 for line in text.lines)
    two = set_words("one\ntwo words\n", Font.TEXT, (50, 30), 10, 6, "test")
    assert [line.words for line in two.lines] == ["one", "two words"]
    assert not set_words("", Font.TEXT, (50, 30), 10, 6, "test").lines
    with pytest.raises(TextTooLong, match="test: 'Donau"):
        set_words("Donaudampfschifffahrtsgesellschaftskapitän", Font.TEXT, (20, 30), 10, 6, "test")


def test_codes_as_large_as_the_camera_needs(tmp_path: Path) -> None:
    camera = camera_named("1080p")
    assert module_for(camera, 400) == pytest.approx(1.17, abs=0.01)
    assert reach_of(camera, module_for(camera, 400)) == pytest.approx(400)
    assert distance_in("40cm") == distance_in("0.4 m") == distance_in("400 mm") == 400
    for wrong in ("far", "40", "0 cm", "-3 cm", "40 leagues", "900 m"):
        raises(CodeUnreadable, "no distance", distance_in, wrong)
    says = r"27\.6 mm.*up to 33 cm; you said 40 cm.*33\.8 mm"
    raises(CodeUnreadable, says, fitting_module, camera, 400, PLATE, "the cards")
    assert fitting_module(CAMERAS["4k"], 400, PLATE, "x") < 27.6 / 29
    component = own_deck(deck(tmp_path, GOOD), "plain", (camera, 250))
    [file] = print_components([component], tmp_path, PrintSettings())
    page = render_page(file.path, 0, 200)
    face = np.ascontiguousarray(page[int(16.5 / 25.4 * 200) : int(104 / 25.4 * 200), 83 : int(73 / 25.4 * 200)])
    found, corners, _ = cv2.QRCodeDetector().detectAndDecode(face)
    assert found == ComponentId.parse("O6").code
    width = float(np.ptp(corners.reshape(-1, 2)[:, 0])) / 200 * 25.4
    assert width == pytest.approx(21 * module_for(camera, 250), abs=0.4)


def test_the_command_prints_a_deck_and_refuses_in_one_sentence(tmp_path: Path, loom: Loom) -> None:
    path = str(deck(tmp_path, GOOD))
    out = str(tmp_path / "out")
    heard = loom("print", "--deck", path, "--template", "plain", "--output", out, "--only", "O7").out
    assert "3 pieces, 2 pages" in heard
    for arguments, says in (
        (["--deck", path, "--template", "nope"], "no card template 'nope'"),
        (["story", "--deck", path], "not both"),
        (["story", "--template", "plain"], "--template belongs to --deck"),
        (["story", "--profile", "posh"], "no profile 'posh'"),
        (["story", "--camera", "1080p", "--distance", "40"], "'40' is no distance"),
        (["story", "--printer", "none at all"], "no printer profile 'none at all'"),
        (["story", "--paper", "folio"], "'folio'"),
        (["story", "--gutter", "-3"], "0 to 50"),
        (
            ["story", "--session", "nobody", "--store", str(tmp_path / "no.db")],
            "there is no such file, so no session either",
        ),
    ):
        said = loom("print", *arguments, "--output", tmp_path / "none", code=2).err
        assert says in said and said.count("\n") == 1
    assert not (tmp_path / "none").exists()


def test_a_deck_is_checked_as_it_is_printed(tmp_path: Path, loom: Loom) -> None:
    (tmp_path / "good.yaml").write_text("cards:\n- {name: Bell, text: Rings., code: O6}\n", "utf-8")
    good = [str(deck(tmp_path, GOOD)), str(tmp_path / "good.yaml")]
    before = sorted(tmp_path.rglob("*"))
    assert loom("check", *good).out.count("deck, holds together") == 2
    cards = [
        "Bell,Rings.,O6",
        "Ford,,O7",
        "Copy,Rings.,O6",
        "Dragon,🐉,O9",
        f"Long,{'word ' * 300},O10",
        "Well,Deep.,O11",
    ]
    path = deck(tmp_path, "name,text,code\n" + "\n".join(cards), "bad.csv")
    [checked] = json.loads(loom("check", path, "--json", code=1).out)
    assert sorted(re.findall(r"card \d \(\w+\)", " ".join(checked["findings"]))) == [
        "card 2 (Ford)",
        "card 3 (Copy)",
        "card 4 (Dragon)",
        "card 5 (Long)",
    ]
    for number, told in ((2, checked["findings"][0]), (5, checked["findings"][3])):
        alone = deck(tmp_path, f"name,text,code\n{cards[number - 1]}", "bad.csv")
        with pytest.raises(LoomtableError) as printing:
            printed(alone, tmp_path / "out")
        assert str(printing.value) == told.replace(f"card {number}", "card 1"), "the words of printing"
    assert sorted(tmp_path.rglob("*")) == sorted([*before, path]), "nothing is printed"


def test_a_deck_is_checked_with_its_own_template(tmp_path: Path, loom: Loom) -> None:
    (tmp_path / "mine.yaml").write_text("template: mine\nboxes: [{kind: picture, field: art, at: [0, 0, 9, 9]}]\n")
    Image.new("RGB", (20, 20)).save(tmp_path / "small.png")
    path = str(deck(tmp_path, "name,art\nBell,small.png\n"))
    heard = loom("check", path, "--template", tmp_path / "mine.yaml", code=1).out
    assert "card 1 (Bell), field 'art': small.png has 20 x 20 pixels, only 56 dpi" in heard
    torn = str(deck(tmp_path, "name,name\nBell,Ford\n", "torn.csv"))
    said = loom("check", torn, path, code=1).out
    assert "each needs a name of its own" in said and "the template is 'words'" in said
    heard = loom("check", tmp_path / "mine.yaml", "--template", "plain", code=2).err
    assert "--template is for decks of your own" in heard


def test_a_printer_is_calibrated_by_eye_and_used(
    tmp_path: Path, loom: Loom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loomtable.printkit.sheet.printer.printers_folder", lambda: tmp_path / "printers")
    assert run(["calibrate", "printer", "--output", str(tmp_path)]) == 0
    assert (tmp_path / "printer-calibration-a4.pdf").read_bytes().startswith(b"%PDF")
    offsets = ["--top", "0.4", "--left", "-0.2"]
    assert "back: -0.40 mm to the right, -0.20 mm up" in loom("calibrate", "printer", "den", *offsets).out
    only = ["--only", "S1", "--output", str(tmp_path)]
    assert run(["print", "story", *only]) == 0
    assert run(["print", "story", "--printer", "den", *only]) == 0
    plain, moved = (
        np.asarray(render_page(tmp_path / f"story-cards-a4-long-edge{end}.pdf", 1, 254), dtype=float)
        for end in ("", "-den")
    )
    back = plain.mean(axis=2)[200:900, 1400:1950]
    by_match = cv2.matchTemplate(
        moved.mean(axis=2).astype(np.float32), back.astype(np.float32), cv2.TM_CCOEFF_NORMED
    )
    _, _, _, (x, y) = cv2.minMaxLoc(by_match)
    assert (x - 1400, y - 200) == (4, -2), "moved the other way: 0.4 mm to the right, 0.2 mm up"
    for wrong, says in (
        (["den"], "give what two scales show"),
        (["den", "--top", "1", "--bottom", "1"], "give what two scales show"),
        (["a/b", *offsets], "cannot name a printer"),
        (["den", *offsets[:-1], "99"], "no misprint is larger than"),
        (["den", "--top", "nan", "--left", "0"], "no misprint is larger than"),
        ([*offsets], "name the printer first"),
    ):
        assert says in loom("calibrate", "printer", *wrong, code=2).err


def test_four_scales_tell_how_a_back_is_turned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the verniers would show behind a misprinted back, to a tenth, brings it onto its front."""
    monkeypatch.setattr("loomtable.printkit.sheet.printer.printers_folder", lambda: tmp_path / "printers")
    width, height, misprint = A4.width, A4.height, Misregistration(-1.7, 0.9, -0.35)
    behind = misprint.matrix(width, height)
    said: list[str] = []
    for edge, (x, y) in scale_places(A4).items():
        right, up = transform_point(behind, width - x, y)
        offset = width - right - x if edge in ("top", "bottom") else up - y
        said += [f"--{edge}", f"{offset:.1f}"]
    assert run(["calibrate", "printer", "den", *said]) == 0
    correction = printer_named("den").correction(width, height, DuplexMode.LONG_EDGE, True)
    for slot in grid_for(A4, POKER).slots():
        x, y = slot.x + slot.width / 2, slot.y + slot.height / 2
        assert transform_point(behind, *transform_point(correction, x, y)) == pytest.approx((x, y), abs=0.1)


def test_nothing_but_a_table_is_read(tmp_path: Path) -> None:
    (tmp_path / "bytes.csv").write_bytes(io.BytesIO(b"\xff\xfe\x00").getvalue())
    raises(LoomtableError, "UTF-8", own_deck, tmp_path / "bytes.csv", "plain")
    raises(LoomtableError, "no such file", own_deck, tmp_path / "none.csv", "plain")


def test_accents_that_come_apart_from_their_letters_are_set_on_them(tmp_path: Path) -> None:
    """Text from macOS often has them apart: it prints exactly as text that has them together."""
    made = []
    for form in ("NFC", "NFD"):
        path = tmp_path / form / "deck.csv"
        path.parent.mkdir()
        path.write_text(
            unicodedata.normalize(form, "name,text\nCafé Zoë,Łódź żółć Å ŝ Ώ".replace(" Ώ", "")), "utf-8"
        )
        [file] = print_components([own_deck(path, "words")], tmp_path / form, PrintSettings())
        made.append(file.path.read_bytes())
    assert made[0] == made[1]
    path.write_text("name,text\nLone,x\u030c is set by a font that has both", "utf-8")
    [file] = print_components([own_deck(path, "words")], tmp_path, PrintSettings())
    assert "x\u030c is set" in words(file.path, 0)


def font_file(path: Path, letters: str) -> None:
    """A TrueType font in which each of these letters is a square of 500 units."""
    pen = TTGlyphPen(None)
    for at, point in enumerate(((100, 0), (100, 500), (600, 500), (600, 0))):
        (pen.lineTo if at else pen.moveTo)(point)
    pen.closePath()
    square = pen.glyph()
    names = [".notdef", *(f"g{ord(letter):04X}" for letter in letters)]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(letter): f"g{ord(letter):04X}" for letter in letters})
    builder.setupGlyf(dict.fromkeys(names, square))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (700, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares-Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200)
    builder.setupPost()
    builder.save(path)


OWN_TEMPLATE = """template: mine
fonts: {text: squares.ttf}
back: {picture: back.png}
boxes:
  - {kind: text, field: name, at: [5, 74, 53, 9], face: title}
  - {kind: text, field: text, at: [5, 36, 53, 34]}
"""


def test_a_deck_in_a_font_of_ones_own_with_a_picture_on_its_back(tmp_path: Path) -> None:
    font_file(tmp_path / "squares.ttf", "αβγ★日本 ש")
    Image.new("RGB", (820, 1120), (200, 30, 30)).save(tmp_path / "back.png")
    (tmp_path / "mine.yaml").write_text(OWN_TEMPLATE, "utf-8")
    deck = tmp_path / "deck.csv"
    deck.write_text("name,text\nOne,αβγ ★ 日本\n", "utf-8")
    [file] = print_components([own_deck(deck, str(tmp_path / "mine.yaml"))], tmp_path, PrintSettings(singly=True))
    assert "αβγ ★ 日本" in words(file.path, 0)
    back = render_page(file.path, 1, 72)
    assert np.abs(back.reshape(-1, 3).mean(axis=0) - (200, 30, 30)).max() < 8, "as far as the bleed"
    deck.write_text("name,text\nOne,α🐉\n", "utf-8")
    said = r"card 1 \(One\), field 'text': the font squares-\w+ has no '🐉' \(U\+1F409\)"
    with pytest.raises(GlyphMissing, match=said):
        print_components([own_deck(deck, str(tmp_path / "mine.yaml"))], tmp_path / "out", PrintSettings())
    assert not (tmp_path / "out").exists()


def test_each_card_may_name_the_picture_on_its_own_back(tmp_path: Path) -> None:
    for name, colour in (("red", (200, 30, 30)), ("blue", (30, 30, 200))):
        Image.new("RGB", (820, 1120), colour).save(tmp_path / f"{name}.png")
    (tmp_path / "mine.yaml").write_text(
        "template: mine\nback: {pattern: plain, colours: ['20A020', '20A020'], field: behind}\n"
        "boxes:\n  - {kind: text, field: name, at: [5, 74, 53, 9]}\n",
        "utf-8",
    )
    path = deck(tmp_path, "name,behind\nOne,red.png\nTwo,blue.png\nThree,\n")
    settings = PrintSettings(singly=True)
    [file] = print_components([own_deck(path, str(tmp_path / "mine.yaml"))], tmp_path, settings)
    seen = [render_page(file.path, page, 40).reshape(-1, 3).mean(axis=0) for page in (1, 3, 5)]
    for mean, colour in zip(seen, ((200, 30, 30), (30, 30, 200), (32, 160, 32)), strict=True):
        assert np.abs(mean - colour).max() < 8
    deck(tmp_path, "name,behind\nOne,green.png\n")
    with pytest.raises(DeckInvalid, match=r"card 1 \(One\), field 'behind': green\.png cannot be used"):
        print_components([own_deck(path, str(tmp_path / "mine.yaml"))], tmp_path / "out", settings)


def test_a_deck_may_have_more_than_999_codes(tmp_path: Path) -> None:
    table = "name,text,code\n" + "".join(f"Card {n},Text.,O{n}\n" for n in (998, 999, 1000, 1001, 20_000))
    file = printed(deck(tmp_path, table), tmp_path / "out")
    read = [str(ComponentId.from_code(code)) for code in codes_on(file, 200)]
    assert read == ["O998", "O999", "O1000", "O1001", "O20000"]
    with pytest.raises(DeckInvalid, match=r"field 'code': a home card is numbered 1 to 34695, not 34696"):
        printed(deck(tmp_path, "name,text,code\nOne,Two,O34696\n"), tmp_path / "out")


def test_without_what_sets_every_script_a_font_of_ones_own_is_set_letter_by_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uharfbuzz", None)
    font_file(tmp_path / "squares.ttf", "αβγ ש")
    Image.new("RGB", (820, 1120), (200, 30, 30)).save(tmp_path / "back.png")
    (tmp_path / "mine.yaml").write_text(OWN_TEMPLATE, "utf-8")
    deck = tmp_path / "deck.csv"
    for text, missing in (("αβγ β", ""), ("Word", "W"), ("αש", "ש")):
        deck.write_text(f"name,text\nOne,{text}\n", "utf-8")
        made = own_deck(deck, str(tmp_path / "mine.yaml"))
        if missing:
            with pytest.raises(GlyphMissing, match=rf"has no '{missing}'.*install more fonts: .*\[\S*scripts\]"):
                print_components([made], tmp_path / "out", PrintSettings())
        else:
            [file] = print_components([made], tmp_path, PrintSettings(singly=True))
            assert text in words(file.path, 0)


@pytest.mark.parametrize("content", [None, b"", b"no font at all", b"OTTO" + bytes(60)])
def test_a_file_that_is_no_font_is_refused_by_name(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "squares.ttf").write_bytes(content)
    (tmp_path / "mine.yaml").write_text(OWN_TEMPLATE, "utf-8")
    deck = tmp_path / "deck.csv"
    deck.write_text("name,text\nOne,Two\n", "utf-8")
    with pytest.raises(FontMissing, match=r"squares\.ttf: cannot be (read|used) as a (TrueType )?font"):
        own_deck(deck, str(tmp_path / "mine.yaml"))
