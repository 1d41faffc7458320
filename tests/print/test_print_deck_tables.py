"""Decks as people have them print as they come: other tools' headings, spreadsheets, JSON, old encodings."""

from __future__ import annotations

import contextlib
import json
import random
import re
import sys
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from openpyxl import Workbook
from openpyxl.drawing.image import Image as Drawing
from PIL import Image

from loomtable.engine.kernel.installation import install_line
from loomtable.printkit.decks.encodings import text_of_file
from loomtable.printkit.decks.rows import read_rows
from loomtable.printkit.decks.table import MOST_CARDS, Table, read_table
from loomtable.printkit.decks.template import template_named
from loomtable.printkit.errors import DeckInvalid
from loomtable.table.commands.main import run
from tests.print.sheet_reading import words
from tests.short import raises

Said = pytest.CaptureFixture[str]
DECKS = msgspec.yaml.decode(Path(__file__).with_name("decks.yaml").read_bytes())


def rows(of: str) -> list[tuple[Any, ...]]:
    """A part of ``decks.yaml``, for one test."""
    return [tuple(row.values()) for row in DECKS[of]]


def printed(path: Path, *more: str) -> str:
    """The words on the fronts of a deck's cards, page by page, by the command."""
    out = path.parent / "out"
    assert run(["print", "--deck", str(path), "--sides", "fronts-only", "--output", str(out), *more]) == 0
    [pdf] = out.glob(f"{path.stem}*.pdf")
    return " ".join(words(pdf, 0).split())


def refused(path: Path, said: Said) -> str:
    """What is said instead, by printing and by checking alike."""
    assert run(["print", "--deck", str(path), "--output", str(path.parent / "none")]) == 2
    printing = said.readouterr().err.removeprefix("loom: ").strip()
    assert not (path.parent / "none").exists(), "half-written"
    assert run(["check", str(path), "--json"]) == 1
    [checked] = json.loads(said.readouterr().out)
    assert printing == "\n".join(checked["findings"])
    return printing


def saved(folder: Path, table: str, name: str = "deck.csv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(table.encode(encoding))
    return path


@pytest.mark.parametrize(("table", "remarks"), rows("tables"))
def test_a_table_of_another_tool_prints_as_it_is(
    tmp_path: Path, capsys: Said, table: str, remarks: list[str]
) -> None:
    shown = printed(saved(tmp_path, table))
    assert [shown.count(name) for name in ("The Mill", "It grinds.", "The Ford", "It takes.", "The Fen")] == [
        *(2, 2),
        *(1, 1, 0),
    ]
    said = capsys.readouterr().out
    told = [line for line in said.splitlines() if line.startswith(("deck.csv", "Imported: "))]
    assert told == (remarks or ["Imported: 2 of 2 cards and 4 of 4 columns"])
    assert "3 pieces" in said


@pytest.mark.parametrize(("name", "deck", "shown", "said"), rows("strangers"))
def test_a_deck_of_a_stranger_comes_in_whole(
    tmp_path: Path, capsys: Said, name: str, deck: str, shown: str, said: list[str]
) -> None:
    words_on_it = printed(saved(tmp_path, deck, name))
    assert "Otter" in words_on_it and shown in words_on_it
    assert ("<" in words_on_it) == any("HTML" in one for one in said)
    assert "**" not in words_on_it
    told = capsys.readouterr().out
    assert all(one in told for one in said)
    assert "Imported: " in told


@pytest.mark.parametrize(("name", "deck", "says"), rows("refused"))
def test_a_deck_that_would_print_without_its_words_is_refused(
    tmp_path: Path, capsys: Said, name: str, deck: str, says: str
) -> None:
    assert says in refused(saved(tmp_path, deck, name), capsys)


def test_a_picture_prints_without_a_code(tmp_path: Path, capsys: Said) -> None:
    Image.new("RGB", (900, 900), "teal").save(tmp_path / "otter.png")
    shown = printed(saved(tmp_path, "name,text,picture\nOtter,It swims.,otter.png\n"))
    assert "It swims." in shown
    assert "the template is 'item'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "letter", "says"),
    [
        *((name, "", "is no table of cards; save it as one of .csv, .tsv") for name in ("deck.md", "deck.ods")),
        (
            "list.txt",
            "Dear friends\nof the harbour,\nit is cold.\n",
            "is no table, nor a list of cards such as '4 Otter'",
        ),
    ],
)
def test_a_file_that_is_no_table_is_called_so(
    tmp_path: Path, capsys: Said, name: str, letter: str, says: str
) -> None:
    path = saved(tmp_path, f"{letter}4 Otter\n2 Heron\n", name)
    for command in (["check", str(path)], ["print", "--deck", str(path), "--output", str(tmp_path / "none")]):
        assert run(command) == 2
    assert f"{name}: {says}" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["deck.txt", "deck.dec"])
def test_a_deck_list_is_a_deck(tmp_path: Path, capsys: Said, name: str) -> None:
    lines = "// Harbour\n4 Otter\n2x Grey Heron (HBR) 12 *F*\nSB: 1 Rat\n"
    shown = printed(saved(tmp_path, lines, name))
    assert [shown.count(card) for card in ("Otter", "Grey Heron", "Rat", "Harbour", "HBR")] == [4, 2, 1, 0, 0]
    sums = "Imported: 3 of 3 cards and 2 of 3 columns; left out: the column 'set' and 1 line that is not a card\n"
    assert sums in capsys.readouterr().out
    assert run(["check", str(tmp_path / name)]) == 0
    assert sums in capsys.readouterr().out


def test_cards_of_which_some_lack_a_text_are_counted(tmp_path: Path, capsys: Said) -> None:
    cards = "Otter,It swims.,\nHeron,It waits.,\nRat,,It bites and it runs.\nEel,,\n"
    assert "It bites" not in printed(saved(tmp_path, "name,text,snark\n" + cards))
    said = capsys.readouterr().out
    assert "deck.csv: card 3 prints without a text; its words are in 'snark'\n" in said
    assert "left out: the column 'snark'\nFor you to look at: 1 blank card\n" in said


def test_a_chosen_template_may_leave_words_out(tmp_path: Path, capsys: Said) -> None:
    path = saved(tmp_path, "name,a,b,power\nOtter,1,2,It swims by the quay.\n")
    assert "Otter" in printed(path, "--template", "words")
    assert "1 of 4 columns; left out: the columns 'a', 'b' and 'power'" in capsys.readouterr().out


def test_remarks_end_with_counts_by_kind(tmp_path: Path, capsys: Said) -> None:
    printed(saved(tmp_path, "name,text,cost\n" + "".join(f"Card {at},<u>Text.</u>\n" for at in range(50))))
    *remarks, more, came, kinds, _, _ = capsys.readouterr().out.splitlines()
    assert len(remarks) == 30 and more.startswith("and 71 more, which loom check ")
    assert came == "Imported: 50 of 50 cards and 2 of 3 columns; left out: the column 'cost'"
    assert kinds == "For you to look at: 50 HTML tags and 50 short lines"


def test_two_languages_or_two_encodings_may_be_in_one_file(tmp_path: Path, capsys: Said) -> None:
    old = "name;text\r\nSéverine;Elle paie 3 € à la « cale ».\r\nOtto Grün;Fährt über den Fluß.\r\n"
    shown = printed(saved(tmp_path, old, encoding="cp1252"))
    assert "Elle paie 3 € à la « cale »." in shown and "Fährt über den Fluß." in shown
    assert "encoding" not in capsys.readouterr().out
    (tmp_path / "two.csv").write_bytes(old.encode("cp1252") + "Łucja;Gęś śpi.\r\n".encode())
    shown = printed(tmp_path / "two.csv")
    assert "Séverine" in shown and "Gęś śpi." in shown
    said = capsys.readouterr().out
    assert "two.csv: some lines are in UTF-8, the others in a Windows code page" in said
    assert "For you to look at: 1 encoding\n" in said


def test_a_formula_that_was_never_calculated_is_named(tmp_path: Path, capsys: Said) -> None:
    book = Workbook()
    for line in (("Name", "Text", "Cost"), ("Otter", "It swims.", 2), ('=A2&" II"', "It dives.", "=C2+1")):
        book.worksheets[0].append(line)
    book.save(tmp_path / "deck.xlsx")
    said = refused(tmp_path / "deck.xlsx", capsys)
    assert (
        "field 'name': is a formula that was never calculated; open the file in your spreadsheet, and save" in said
    )
    book.worksheets[0]["A3"] = "Otter II"
    book.save(tmp_path / "deck.xlsx")
    assert "Otter II" in printed(tmp_path / "deck.xlsx"), "a column that is not printed may be uncalculated"


def test_the_cards_of_a_workbook_may_be_on_its_second_sheet(tmp_path: Path, capsys: Said) -> None:
    book = Workbook()
    for line in (("Read me",), ("Print these on thick paper.",), ("And cut them out.",)):
        book.worksheets[0].append(line)
    sheet = book.create_sheet("Cards")
    for line in (("My game",), ("Name", "Text"), ("Otter", "It swims.")):
        sheet.append(line)
    Image.new("RGB", (9, 9)).save(tmp_path / "otter.png")
    sheet.add_image(Drawing(str(tmp_path / "otter.png")), "C3")
    book.save(tmp_path / "deck.xlsx")
    assert "It swims." in printed(tmp_path / "deck.xlsx")
    assert (
        "left out: the sheet 'Sheet', 1 picture in the file and line 1, which is a title\n"
        in capsys.readouterr().out
    )


def test_names_and_quantities_alone_are_cards(tmp_path: Path, capsys: Said) -> None:
    shown = printed(saved(tmp_path, "Name,qty\nGrog,3\nRum,1\n"))
    assert (shown.count("Grog"), shown.count("Rum")) == (3, 1)
    assert "deck.csv: the template is 'words', without a code that a camera reads" in capsys.readouterr().out


def test_a_column_that_is_probably_meant_is_asked_about(tmp_path: Path, capsys: Said) -> None:
    for head, near, meant in (
        ("name,txet,code", "txet", "text"),
        ("namee,text,code", "namee", "name"),
        ("name,text,code,copeis", "copeis", "copies"),
    ):
        line = ["Bell", "Rings.", "O6", "2"][: head.count(",") + 1]
        said = refused(saved(tmp_path, f"{head}\n{','.join(line)}\n"), capsys)
        assert said.startswith(f"deck.csv, column {near!r}: is {meant!r} meant?")
    said = refused(saved(tmp_path, "Cost,Type\n3,Place\n"), capsys)
    assert said == "deck.csv: there is no column 'name'; it has 'Cost' and 'Type'; rename the one that is meant"
    said = refused(saved(tmp_path, "name,Name,text,code\nBell,Ford,Rings.,O6\n"), capsys)
    assert said == "deck.csv: there are several columns 'name'; each needs a name of its own"


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path, capsys: Said) -> None:
    long = "word " * 300
    table = (
        f"name,text,code,copies\nBell {'o' * 60},{long},O6,many\nFord,,bell,1\nDragon,🐉,O8,999\n"
        "Torn,Wet,O9,1,more\nSum,#N/A,O10,1\nNull,a\x00b,O11,1\nTurned,\u202eabc,O12,1\nWell,Deep.,O13,1\nCopy,Deep.,O13,1\n"
    )
    said = refused(saved(tmp_path, table), capsys)
    places = re.findall(r"^deck\.csv,? (?:card (\d)|line (\d+)).*?(?:field '(\w+)'|:)", said, re.MULTILINE)
    found = {(card or f"line {line}", field) for card, line, field in places}
    assert found == {
        *(("1", "name"), ("1", "text"), ("1", "copies")),
        *(("2", "text"), ("2", "code"), ("3", "text"), ("3", "copies")),
        *(("line 5", ""), ("4", "text"), ("5", "text"), ("6", "text"), ("8", "code")),
    }
    many = "name,text,code\nWell,Deep.,O99\n" + "".join(f"Card {at},,O{at}\n" for at in range(6, 56))
    assert run(["print", "--deck", str(saved(tmp_path, many)), "--output", str(tmp_path / "none")]) == 2
    *_, last = capsys.readouterr().err.splitlines()
    assert last.startswith("and 20 more, which loom check ")


def test_a_line_break_may_be_typed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    typed = printed(saved(tmp_path, "name,text\nBell,Rings once.\\nRings twice.\n"))
    assert typed == printed(saved(tmp_path / "real", 'name,text\nBell,"Rings once.\nRings twice."\n'))
    assert "\\" in printed(saved(tmp_path, "name,text\nBell,a \\\\new day\n", "sign.csv"))


TEXTS = {
    "cp1250": ("Zażółć gęślą jaźń", "Příliš žluťoučký kůň", "Árvíztűrő tükörfúrógép", "Đurđica čuva žabe šarene"),
    "cp1251": ("Съешь ещё этих мягких булок", "Хай їжак з'їсть ґудзик"),
    "cp1252": (
        "La fée des forêts",
        "Pingüino ¿dónde está?",
        "À l’œuvre, garçon!",
        "Ænes øre på båden",
    ),
    "cp1253": ("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",),
    "cp1254": ("Çiğdem'in üç kızı",),
    "cp1257": ("Glāžšķūņa rūķīši dzērumā", "Įlinkdama špaga apvalų arbūzą pragręžė"),
}


@pytest.mark.parametrize(("encoding", "text"), [(page, text) for page, texts in TEXTS.items() for text in texts])
def test_a_table_in_the_code_page_of_its_country_is_read(tmp_path: Path, encoding: str, text: str) -> None:
    table = f"name;text\r\nBell;“{text}”\r\n"
    for as_saved in (encoding, "utf-8", "utf-8-sig", "utf-16"):
        assert text_of_file(saved(tmp_path, table, encoding=as_saved)) == (table,)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ("Forêt".encode("cp1252"), "may say 'Foręt' or 'Forêt'"),
        ("żar".encode("cp1250"), "may say 'żar' or '¿ar'"),
        (b"\x81\x8d\x90", "its letters go together in no Windows code page"),
        (b"\xff\xfe\x00", "is not text"),
        (b"PK\x03\x04\x00\xff", "is not text"),
    ],
)
def test_what_may_be_in_several_code_pages_is_not_guessed(
    tmp_path: Path, capsys: Said, raw: bytes, says: str
) -> None:
    path = tmp_path / "deck.csv"
    path.write_bytes(b"name,text\nBell," + raw + b"\n" if raw[0] != 0xFF else raw)
    said = refused(path, capsys)
    assert says in said and said.endswith("save it as 'CSV UTF-8'")


def test_a_french_table_prints_its_accents(tmp_path: Path) -> None:
    table = "name,text\nFée des forêts,Elle dort.\n"
    assert "Fée des forêts" in printed(saved(tmp_path, table, encoding="cp1252"))


def workbook(path: Path) -> Path:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Cards"
    for line in (
        ("Name", "Text", "Code", "Qty", "Made", None),
        ("The Mill", "It grinds 3.5 sacks,\nor none.", "O6", 2.0, date(2026, 3, 1), None),
        (None,) * 6,
        (1914, 7, "O7", None, None, None),
    ):
        sheet.append(line)
    book.create_sheet("Costs").append(("Sum", 3))
    book.create_sheet("Old").sheet_state = "hidden"
    book.save(path)
    return path


def test_an_excel_file_prints(tmp_path: Path, capsys: Said) -> None:
    path = workbook(tmp_path / "deck.xlsx")
    shown = printed(path)
    assert shown.count("It grinds 3.5 sacks, or none.") == 2
    assert "1914 7" in shown, "numbers as Excel shows them"
    said = capsys.readouterr().out
    assert "left out: the column 'Made', the sheet 'Costs' and the sheet 'Old'\n" in said
    assert run(["check", str(path)]) == 0


def test_an_excel_file_that_cannot_be_read_is_refused(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "deck.xlsx"
    for raw in (b"", b"\xd0\xcf\x11\xe0 encrypted", workbook(path).read_bytes()[:900]):
        path.write_bytes(raw)
        assert refused(path, capsys) == "deck.xlsx: is no Excel file that can be read; save it as 'CSV UTF-8'"
    workbook(path)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    said = refused(path, capsys)
    assert said == f"deck.xlsx: save it as 'CSV UTF-8', or install what reads Excel: {install_line('decks')}"


CELL = '<c r="{}" t="inlineStr"><is><t>{}</t></is></c>'
STYLED = '<c r="{}" s="1"/>'


def sheet(path: Path, *rows: str, more: bytes = b"") -> Path:
    """An Excel file with these rows of one sheet, which says that it is as large as a sheet can be."""
    usual = path.with_name("usual.xlsx")
    Workbook().save(usual)
    lines = "".join(f'<row r="{re.findall("[0-9]+", row)[0]}">{row}</row>' for row in rows)
    whole = f'<dimension ref="A1:XFD1048576"/><sheetData>{lines}</sheetData></worksheet>'
    with zipfile.ZipFile(usual) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, part.split(b"<sheetPr", 1)[0] + whole.encode() if "sheet1" in name else part)
        new.writestr("xl/notes.xml", more)
    return path


def test_a_cell_at_the_far_end_of_a_sheet_is_read_as_what_it_is(tmp_path: Path) -> None:
    far = sheet(tmp_path / "far.xlsx", CELL.format("A1", "title"), CELL.format("XFD1048576", "a"))
    assert read_table(far) == Table("far.xlsx", ["title", ""], [[None, "a"]])
    near = (CELL.format("A1", "name"), CELL.format("A3", "Bell"), STYLED.format("A1048576"))
    assert read_table(sheet(tmp_path / "near.xlsx", *near)) == Table("near.xlsx", ["name"], [["Bell"]])


def test_a_spreadsheet_that_takes_too_much_memory_is_refused(tmp_path: Path) -> None:
    head = CELL.format("A1", "name")
    wide = [STYLED.format(f"XFD{row}") for row in range(2, 1000)]
    raises(DeckInvalid, "is too large; delete what is far", read_table, sheet(tmp_path / "wide.xlsx", head, *wide))
    cards = [CELL.format(f"A{row}", "Bell") for row in range(2, 1000)]
    far = [*cards, CELL.format("XFD1000", "stray")]
    raises(DeckInvalid, "is too large; delete what is far", read_table, sheet(tmp_path / "far.xlsx", head, *far))
    many = [CELL.format(f"A{row}", "Bell") for row in range(2, MOST_CARDS + 9)]
    raises(DeckInvalid, "more than 20000 cards", read_table, sheet(tmp_path / "many.xlsx", head, *many))
    large = sheet(tmp_path / "large.xlsx", head, more=bytes(200_000_001))
    raises(DeckInvalid, "is too large; copy the cards to a new sheet", read_table, large)


def test_a_damaged_spreadsheet_is_refused_in_words(tmp_path: Path) -> None:
    whole, rng = workbook(tmp_path / "deck.xlsx").read_bytes(), random.Random(1)
    for _ in range(60):
        damaged = bytearray(whole)
        for at in rng.sample(range(len(damaged)), 4):
            damaged[at] = rng.randrange(256)
        with contextlib.suppress(DeckInvalid):
            read_table(saved_bytes(tmp_path / "damaged.xlsx", bytes(damaged)))


def saved_bytes(path: Path, raw: bytes) -> Path:
    path.write_bytes(raw)
    return path


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("0.3", "0.3"), ("0.30000000000000004", "0.3"), ("2.0", "2"), ("-0.5", "-0.5"), ("0.0", "0"),
        ("1234567.25", "1234567.25"), ("0.00001", "0.00001"), ("1e30", "1e30"), ("1.5e-9", "1.5e-09"),
        ("100000000000000000000.0", "100000000000000000000"), ("12345678901234567890", "12345678901234567890"),
    ],
)  # fmt: skip
def test_numbers_are_printed_as_people_write_them(tmp_path: Path, written: str, shown: str) -> None:
    for name, text in (("deck.json", '[{"name": "A", "text": %s}]'), ("deck.yaml", "- {name: A, text: %s}")):
        [row] = read_rows(read_table(saved(tmp_path, text % written, name)), template_named("words"))
        assert row.fields["text"] == shown


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_number_is_refused(tmp_path: Path, number: str) -> None:
    table = read_table(saved(tmp_path, f'[{{"name": "A", "text": {number}}}]', "deck.json"))
    words = "deck.json, card 1 \\(A\\), field 'text': holds -?(nan|inf), which is not a number; write text"
    raises(DeckInvalid, words, read_rows, table, template_named("words"))


def test_cards_in_json_print(tmp_path: Path, capsys: Said) -> None:
    cards = [{"title": "The Mill", "text": "It grinds.", "code": "O6", "copies": 2, "tags": ["old"]}]
    for name, plain in (("list", cards), ("cards", {"cards": cards, "version": 3}), ("one", {"deck": cards})):
        assert printed(saved(tmp_path, json.dumps(plain), f"{name}.json")).count("It grinds.") == 2
    said = capsys.readouterr().out
    assert "left out: the column 'tags' and version beside the list 'cards'\n" in said
    assert "Grog" in printed(saved(tmp_path, '["Grog", "Rum"]', "names.json"))
    assert "Grog" in printed(saved(tmp_path, "- Grog\n- {name: Rum, text: Burns.}\n", "names.yaml"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"name": "Bell"', "deck.json line 1: is not good JSON"),
        ('{"white": [], "black": []}', "deck.json: name the list of cards 'cards'; the file has white and black"),
        ('{"name": "Bell"}', "deck.json: name the list of cards 'cards'; the file has no list"),
        ('[{"name": "Bell", "name": "Ford"}]', "deck.json: is not good JSON: 'name' stands twice"),
        ("3", "deck.json: holds no list of cards"),
        ("[]", "deck.json: holds no cards"),
        ('[{"name": "Bell", "text": {"a": 1}}]', "card 1 (Bell), field 'text': holds no text; write text"),
        ('[{"name": true}]', "field 'name': holds true or false; write text"),
        ("[" * 5000, "deck.json: is not good JSON"),
    ],
)
def test_json_that_holds_no_cards_is_refused(tmp_path: Path, capsys: Said, text: str, says: str) -> None:
    said = refused(saved(tmp_path, text, "deck.json"), capsys)
    assert says in said and "\n" not in said
