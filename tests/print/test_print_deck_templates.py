"""Templates of one's own: any size, both sides, and boxes that are turned or depend on what a card says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest
from PIL import Image

from loomtable.printkit.decks.own import check_deck, own_deck
from loomtable.printkit.decks.template import template_named, template_names
from loomtable.printkit.errors import DeckInvalid
from loomtable.printkit.kit import PrintSettings, print_components
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.papers import BLEED
from tests.print.sheet_reading import words
from tests.short import Loom, raises

DPI = 100
Pixels = npt.NDArray[np.int_]


def printed(folder: Path, template: str, table: str) -> Path:
    """A deck with a page for each face."""
    (folder / "mine.yaml").write_text(f"template: mine\n{template}", "utf-8")
    (folder / "deck.csv").write_text(table, "utf-8")
    deck = own_deck(folder / "deck.csv", str(folder / "mine.yaml"))
    [file] = print_components([deck], folder / "out", PrintSettings(singly=True))
    return file.path


def faces(pdf: Path, count: int) -> list[Pixels]:
    return [render_page(pdf, at, DPI).astype(int) for at in range(count)]


def colour(face: Pixels, x: float, y: float) -> tuple[int, ...]:
    """The colour at a place, mm from the card's lower left corner."""
    row, column = face.shape[0] - round((y + BLEED) / 25.4 * DPI), round((x + BLEED) / 25.4 * DPI)
    return tuple(map(int, face[row, column]))


@pytest.mark.parametrize(
    ("size", "width", "height"),
    [("50x50mm", 50, 50), ("2.5 x 3.5 in", 63.5, 88.9), ("10 x 3 cm", 100, 30), ("Tarot", 70, 120)],
)
def test_a_card_may_be_of_any_size(tmp_path: Path, size: str, width: float, height: float) -> None:
    pdf = printed(
        tmp_path, f"size: {size}\nboxes: [{{kind: text, field: name, at: [2, 2, 20, 9]}}]\n", "name\nBell\n"
    )
    page = pypdfium2.PdfDocument(pdf)[0]
    measured = [side / 72 * 25.4 - 2 * BLEED for side in page.get_size()]
    assert measured == pytest.approx([width, height], abs=0.01)


@pytest.mark.parametrize("size", ["5x50mm", "50x500mm", "50x50", "hug"])
def test_a_size_that_no_card_has_is_refused(tmp_path: Path, size: str) -> None:
    raises(
        DeckInvalid, "mine.yaml line 2: (cards are|there is)", printed, tmp_path, f"size: {size}\nboxes: []\n", ""
    )


def test_a_question_has_its_answer_on_the_back(tmp_path: Path) -> None:
    pdf = printed(
        tmp_path,
        "ground: white\nboxes: [{kind: text, field: question, at: [5, 40, 53, 20]}]\n"
        "back: {boxes: [{kind: plate, at: [-3, -3, 69, 20], colour: '{suit}'}, "
        "{kind: text, field: answer, at: [5, 40, 53, 20]}, {kind: code, at: [20, 8]}]}\n",
        "name,question,answer,suit,code\nOne,How many?,Seven.,red,O6\nTwo,Who?,Nobody.,#0000FF,O7\n",
    )
    told = [words(pdf, at) for at in range(4)]
    assert [[word in page for word in ("many", "Seven", "Who", "Nobody")] for page in told] == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]
    _, red, _, blue = faces(pdf, 4)
    assert (colour(red, 5, 5), colour(blue, 5, 5)) == ((255, 0, 0), (0, 0, 255))
    assert colour(red, 60, 80) == (255, 255, 255), "the ground of the front, no pattern"


def test_a_box_may_depend_on_a_column(tmp_path: Path) -> None:
    pdf = printed(
        tmp_path,
        "boxes:\n- {kind: plate, at: [0, 0, 30, 30], colour: red, when: boss}\n"
        "- {kind: plate, at: [30, 0, 30, 30], colour: blue, when: kind = place}\n"
        "- {kind: text, field: health, at: [5, 40, 53, 20], when: boss}\n",
        "name,kind,boss,health\nMill,Place,,\nOgre,,yes,9\n",
    )
    mill, ogre = faces(pdf, 2)
    assert [colour(face, x, 15) for face in (mill, ogre) for x in (15, 45)][1:3] == [(0, 0, 255), (255, 0, 0)]
    assert "9" in words(pdf, 1)
    (tmp_path / "deck.csv").write_text("name,kind,boss,health\nMill,Place,,\nOgre,,yes,\n", "utf-8")
    faults, _ = check_deck(tmp_path / "deck.csv", str(tmp_path / "mine.yaml"))
    assert faults == ["deck.csv, card 2 (Ogre), field 'health': is empty, and the template 'mine' shows it"]


def test_boxes_are_turned_about_their_middle_and_plates_may_be_round(tmp_path: Path) -> None:
    halves = Image.new("RGB", (600, 300), (255, 0, 0))
    halves.paste((0, 0, 255), (0, 0, 300, 300))
    halves.save(tmp_path / "halves.png")
    pdf = printed(
        tmp_path,
        "ground: white\nboxes:\n- {kind: picture, file: halves.png, at: [10, 20, 40, 20], turn: 90}\n"
        "- {kind: plate, shape: oval, at: [10, 60, 40, 20], colour: lime, line: black, line_width: 1}\n"
        "- {kind: picture, file: halves.png, at: [2, 2, 8, 8], fit: whole}\n",
        "name\nBell\n",
    )
    [face] = faces(pdf, 1)
    assert (colour(face, 30, 12), colour(face, 30, 48)) == ((0, 0, 255), (255, 0, 0)), "its left is below now"
    assert colour(face, 12, 30) == colour(face, 11, 61) == (255, 255, 255)
    assert (colour(face, 30, 70), colour(face, 30, 60)) == ((0, 255, 0), (0, 0, 0))
    assert [colour(face, 4, y) for y in (3, 6, 9)] == [(255, 255, 255), (0, 0, 255), (255, 255, 255)], "all of it"


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("boxes: [{kind: text, words: A, at: [0, 0, 63, 9], turn: 90}]", "line 2: the box reaches beyond"),
        ("boxes: [{kind: plate, at: [0, 0, 9, 9]}]", "line 2: a plate has a colour or a line"),
        ("boxes: [{kind: picture, at: [0, 0, 9, 9]}]", "line 2: a picture box has a field or a file"),
        ("boxes: []\nback: {boxes: [{kind: text, at: [0, 0, 9, 9]}]}", "line 3: a text box has a field or words"),
        ("boxes: [{kind: code, at: [0, 0]}]\nback: {boxes: [{kind: code, at: [0, 0]}]}", "a card has one code"),
        ("boxes: [{kind: plate, at: [0, 0, 9, 9], colour: reddish}]", "line 2: 'reddish' is no colour"),
    ],
)
def test_a_template_that_asks_for_too_much_is_refused(tmp_path: Path, template: str, says: str) -> None:
    raises(DeckInvalid, says, printed, tmp_path, f"{template}\n", "name\nBell\n")


def test_a_colour_that_a_card_names_must_be_one(tmp_path: Path, loom: Loom) -> None:
    box = "{kind: plate, at: [0, 0, 9, 9], colour: '{suit}'}"
    (tmp_path / "mine.yaml").write_text(f"template: mine\nground: '{{suit}}'\nboxes: [{box}]\n", "utf-8")
    (tmp_path / "deck.csv").write_text("name,suit\nBell,reddish\nFord,\nMill,red\n", "utf-8")
    names = ["--deck", str(tmp_path / "deck.csv"), "--template", str(tmp_path / "mine.yaml")]
    assert loom("print", *names, "--output", tmp_path / "out", code=2).err.splitlines() == [
        f"{start}deck.csv, card {card}, field 'suit': {what!r} is no colour; write six hexadecimal digits, "
        "such as 24405A, or red"
        for start, card, what in (("loom: ", "1 (Bell)", "reddish"), ("", "2 (Ford)", ""))
    ]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", template_names())
def test_each_template_of_ours_prints_with_all_its_columns_and_with_the_least(tmp_path: Path, name: str) -> None:
    template = template_named(name)
    Image.new("RGB", (1200, 1200), (9, 99, 9)).save(tmp_path / "any.png")
    filled = {field: f"Some {field}" for field in template.fields if field not in ("value", "role")}
    filled |= {"name": "Bell", "code": "O6", "picture": "any.png", "colour": "navy", "value": "7"}
    least = {field: filled[field] for field in template.required}
    for number, card in enumerate((filled, least)):
        path = tmp_path / f"deck-{number}.json"
        path.write_text(json.dumps([card]), "utf-8")
        faults, _ = check_deck(path, name)
        assert faults == []
    [file] = print_components([own_deck(path, name)], tmp_path / "out", PrintSettings(singly=True))
    assert "Bell" in words(file.path, 0)
