"""No option of ``loom print`` is lost beside another: a pair has the effect of both, or is refused."""

from __future__ import annotations

import contextlib
import hashlib
import io
import shutil
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf
import pytest
import typer
from typer.main import get_command

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.package_data import package_file
from loomtable.printkit import catalogue
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.draw.palette import BLACK, Colour
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.sheet.pieces import Piece, PrintedCard, PrintedPage
from loomtable.printkit.sheet.press import MODEL_NAME, model_profile
from loomtable.printkit.sheet.printer import CorrectionScope, Misregistration, Printer, save_printer
from loomtable.table.commands.main import app
from tests.tiers import mostly

EXAMPLES = (
    "--copies 2",
    "--only plain:2,plain-sheet:1",
    "--system storm-weavers",
    "--box 0.5",
    "--session evening.yaml",
    "--fillable",
    "--deck deck.csv",
    "--deck deck.csv --template mine.yaml",
    "--deck deck.csv --watch",
    "--paper letter",
    "--labels avery-3660 --card-size mini",
    "--card-size mini",
    "--sleeves mini-european",
    "--sides gutterfold",
    "--single",
    "--backs-last",
    "--packed",
    "--marks full",
    "--marks-on front",
    "--corners",
    "--spacing each",
    "--gutter 5",
    "--profile low-ink",
    "--profile pro",
    "--profile pro --icc press.icc",
    "--style grey",
    "--printer den",
    "--png 72",
    "--for makeplayingcards",
    "--for drivethrucards",
    "--for tabletop-simulator",
    "--for screen",
    "--cut svg",
    "--registration",
    "--spot-cut",
    "--camera 4k",
    "--camera 4k --distance 20cm",
    "--tags",
    "--list",
)
"""Every option of ``loom print`` in use, after the one that it belongs to. A new option needs a line here."""
ELSEWHERE = {"--output", "--json", "--store", "--help", "--all"}
"""Options that decide where files are, how it is told and what the name of a game stands for."""
SAME = (
    {"--single", "--profile"},
    {"--single", "--png"},
    {"--single", "--for"},
    {"--packed", "--deck"},
    {"--session", "--system"},
    {"--only", "--system"},
)
"""Where one does by itself what the other asks for: each face is a page already, all is of one game already."""
PRINT: Any = get_command(app).commands["print"]  # type: ignore[attr-defined]  # built once, for all pairs


class Outcome(NamedTuple):
    """What came of a call: why it was refused, or what was made and said."""

    refused: str
    made: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


def options_of(example: str) -> list[str]:
    return [word for word in example.split() if word.startswith("--")]


def shows(options: RenderOptions) -> str:
    """A piece's words: what the component was told."""
    return f"{options.tags} {options.fillable} {options.session is not None}"


def plain_cards(options: RenderOptions) -> list[Piece]:
    def face(at: int) -> Callable[[Pen], None]:
        def draw(pen: Pen) -> None:
            pen.fill(rect(10, 10 + at, 20, 20), Colour(0.8, 0.2, 0.2))
            pen.text(10, 50, shows(options), Font.TEXT, 8, BLACK)

        return draw

    return [
        PrintedCard(ComponentId.parse(f"S{at}"), f"Card {at}", face(at), face(at + 4), copies=9 - 7 * at % 8)
        for at in (1, 2)
    ]


def plain_sheet(options: RenderOptions) -> list[Piece]:
    return [PrintedPage(None, "Sheet", lambda pen: pen.text(20, 60, shows(options), Font.TEXT, 8, BLACK))]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a deck, a template, a press, a transcript and a printer, and small things to print."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("loomtable.printkit.sheet.printer.printers_folder", lambda: tmp_path / "printers")
    components = catalogue.components()
    assert isinstance(components, dict)
    for name, game, draw in (
        ("plain", "storm-weavers", plain_cards),
        ("plain-sheet", "storm-weavers", plain_sheet),
        ("plain-other", "woven", plain_cards),
    ):
        monkeypatch.setitem(components, name, Component(name, name, "for tests", game, draw))
    (tmp_path / "deck.csv").write_text("name,text,code,copies\nBell,Rings.,O6,5\nFord,Takes.,O7,5\n", "utf-8")
    plain = package_file("templates", "decks", "plain.yaml").read_text("utf-8")
    (tmp_path / "mine.yaml").write_text(plain.replace("F8F1E2", "E0E8FF"), "utf-8")
    name, other = (words.encode("utf-16-be") for words in (MODEL_NAME, MODEL_NAME[::-1]))
    (tmp_path / "press.icc").write_bytes(model_profile().replace(name, other))
    evening = package_file("templates", "transcripts", "storm-weavers-wrong-gallery.yaml")
    shutil.copy(evening, tmp_path / "evening.yaml")
    save_printer(Printer("den", Misregistration(dx=1), Misregistration(dy=1), CorrectionScope.BOTH))
    return tmp_path


def content(path: Path) -> bytes:
    """A file's bytes; of a PDF file without what only describes it."""
    if path.suffix != ".pdf":
        return path.read_bytes()
    kept = io.BytesIO()
    with pikepdf.open(path) as pdf:
        del pdf.docinfo
        del pdf.Root.ViewerPreferences
        pdf.save(kept, static_id=True)
    return kept.getvalue()


@cache
def printed(words: str) -> Outcome:
    """What ``loom print`` does with these words, in the folder of the test."""
    shutil.rmtree("out", ignore_errors=True)
    said, remarks = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(remarks):
            PRINT.main([*words.split(), "--output", "out"], prog_name="print", standalone_mode=False)
    except (LoomtableError, typer.TyperException) as error:
        assert not Path("out").exists(), f"{words}: half-written"
        return Outcome(str(error))
    made = [hashlib.sha256(content(path)).hexdigest() for path in Path("out").rglob("*") if path.is_file()]
    lines = [line for line in said.getvalue().splitlines() if not line.startswith(("out", "What to order"))]
    return Outcome("", tuple(sorted(made)), tuple(lines))


def test_every_option_has_an_example_here() -> None:
    known = {parameter.opts[0] for parameter in PRINT.params if parameter.opts[0].startswith("-")}
    assert known - ELSEWHERE == {option for example in EXAMPLES for option in options_of(example)}


@pytest.mark.parametrize(
    ("words", "both"),
    [
        ("--single --sides gutterfold", "--single and --sides"),
        ("--png 300 --packed", "--png and --packed"),
        ("--for tabletop-simulator --cut svg", "--for and --cut"),
        ("--for gamecrafter --spot-cut", "--for and --spot-cut"),
        ("--for gamecrafter --paper letter", "--for SHOP and --paper"),
        ("--profile pro --marks full --gutter 5", "--profile pro and --gutter"),
        ("--deck deck.csv --all", "--deck and --all"),
        ("--sleeves mini-european --card-size tarot", "--sleeves and --card-size"),
    ],
)
def test_a_refusal_names_both_options(place: Path, words: str, both: str) -> None:
    printed.cache_clear()
    refused = printed(words if "--deck" in words else f"plain {words}").refused
    assert refused.startswith(f"{both} do not go together: ")
    assert refused.endswith("; leave one of the two out")


def components_for(options: set[str]) -> str:
    """What to print so that each of the options matters."""
    if {"--deck", "--list"} & options:
        return ""
    if "--labels" in options:  # a whole page does not fit
        return "plain plain-other "
    if {"--png", "--for"} & options and not {"--paper", "--only"} & options:  # a picture of a whole page is slow
        return "plain plain-other " if "--system" in options else "plain "
    return "plain plain-sheet plain-other " if "--system" in options else "plain plain-sheet "


@pytest.mark.parametrize("part", mostly(range(7), [0]))
def test_no_option_is_lost_beside_another(place: Path, part: int) -> None:
    printed.cache_clear()
    lost = []
    for one, other in list(combinations(EXAMPLES, 2))[part::7]:
        options = {*options_of(one), *options_of(other)}
        if set(options_of(one)) & set(options_of(other)) or any(pair <= options for pair in SAME):
            continue
        what = components_for(options)
        both = printed(f"{what}{one} {other}")
        if both.refused:
            assert "\n" not in both.refused
            continue
        lost += [
            f"{ignored} beside {kept}"
            for kept, ignored in ((one, other), (other, one))
            if printed(f"{what}{kept}")[1:] == both[1:]
        ]
    assert not lost, "\n".join(lost)
