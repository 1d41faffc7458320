"""Printing, beside a plain reportlab loop that draws the same cards: CPU seconds, peak memory, bytes.

Last: 200 duplex cards 1.35 times (bound 1.2, **not held**), 592 bytes a card, 108 MB for 9,990
cards (bound 110), 137 MB for seven decks on a screen (bound 150); ``loom print everything`` 3.3 times its marks
alone (bound 2.2, **not held**), 4.2 MB (bound 3.5, **not held**).
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest import mock

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from benchmarks.timing import cpu_of, report
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.catalogue import EVERYTHING, components
from loomtable.printkit.decks.drawing import draw_pattern
from loomtable.printkit.decks.own import own_deck
from loomtable.printkit.decks.template import template_named
from loomtable.printkit.draw import codes
from loomtable.printkit.draw.codes import PLATE, QUIET, modules
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen, runs_of
from loomtable.printkit.draw.structure import TaggedCanvas
from loomtable.printkit.draw.type import Font, face_name
from loomtable.printkit.kit import PrintedFile, PrintSettings, print_kit
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.papers import POKER
from loomtable.printkit.sheet.pieces import PrintedCard

WORDS = (
    "Rings once when a promise is broken and twice when one is kept. Nobody knows who hung it, and whoever asks "
    "is given a rope to hold."
)
FIRST_CODE, MOST_CODES = 6, 999
"""Home cards from O6 on are people's own."""
KIT_BYTES, MEMORY_MB, SCREEN_MB, FACE_BYTES, MOST_RATIO, MOST_KIT_RATIO = 3_500_000, 110, 150, 400, 1.2, 2.2
SEVEN_DECKS = "story-cards challenge-cards spell-cards poker-deck tapestry-cards home-cards weaving-dice-cards"


def deck_file(folder: Path, cards: int) -> Path:
    """A deck of this many cards of one's own."""
    path = folder / f"cards-{cards}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["name", "text", "code"])
        for number in range(FIRST_CODE, FIRST_CODE + cards):
            table.writerow([f"Bell {number}", f"{number}: {WORDS}", f"O{number}"])
    return path


def ours(deck: Path) -> bytes:
    """The deck as a PDF file, both sides: read, laid out, drawn, written."""
    codes._runs.cache_clear()  # no run is spared what the plain loop does each time
    component = own_deck(deck, "plain")
    settings = PrintSettings()
    return pages_to_pdf(lay_out(component.pieces(settings), settings), settings.sheets("cards"))


def plain_loop(cards: int) -> bytes:
    """The same cards as one would write them with reportlab alone: fonts embedded, text wrapped, both sides."""
    from reportlab.platypus import Paragraph  # not above: it would count as memory of ours

    out = BytesIO()
    canvas = Canvas(out, pagesize=A4)
    title, text, code = face_name(Font.TITLE), face_name(Font.TEXT), face_name(Font.CODE)
    style = ParagraphStyle("words", fontName=text, fontSize=10, leading=12.2)
    back = template_named("plain").back
    assert back is not None
    canvas.beginForm("back", -9, -9, 200, 270)
    canvas.scale(mm, mm)
    draw_pattern(Pen(canvas, Style.COLOUR), back, POKER)
    canvas.endForm()
    for start in range(1, cards + 1, 9):
        numbers = range(start, min(start + 9, cards + 1))
        for slot, number in enumerate(numbers):
            x, y = (10.5 + 63 * (slot % 3)) * mm, (192.5 - 88 * (slot // 3)) * mm
            canvas.setFillColorRGB(0.97, 0.95, 0.89)
            canvas.rect(x, y, 63 * mm, 88 * mm, stroke=0, fill=1)
            canvas.setFillColorRGB(0, 0, 0)
            canvas.setFont(title, 16)
            canvas.drawCentredString(x + 31.5 * mm, y + 76 * mm, f"Bell {number}")
            paragraph = Paragraph(f"{number}: {WORDS}", style)
            _, height = paragraph.wrapOn(canvas, 53 * mm, 34 * mm)
            paragraph.drawOn(canvas, x + 5 * mm, y + 70 * mm - height)
            canvas.setFont(code, 10)
            canvas.drawString(x + 5 * mm, y + 5 * mm, f"O{number}")
            _plain_code(canvas, ComponentId(Kind.HOME, number).code, x + 31.4 * mm, y + 4 * mm)
        canvas.showPage()
        for slot in range(len(numbers)):
            canvas.saveState()
            canvas.translate((136.5 - 63 * (slot % 3)) * mm, (192.5 - 88 * (slot // 3)) * mm)
            canvas.doForm("back")
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _plain_code(canvas: Canvas, code: str, x: float, y: float) -> None:
    """A code from the same encoder, a rectangle for each run of modules, all in one path."""
    canvas.setFillColorRGB(1, 1, 1)
    canvas.rect(x, y, PLATE * mm, PLATE * mm, stroke=0, fill=1)
    canvas.setFillColorRGB(0, 0, 0)
    pattern = modules(code)
    size = PLATE * mm / (len(pattern) + 2 * QUIET)
    path = canvas.beginPath()
    for column, row, width in runs_of(pattern):
        path.rect(x + (column + QUIET) * size, y + (row + QUIET) * size, width * size, size)
    canvas.drawPath(path, stroke=0, fill=1)


def many_cards(count: int) -> bytes:
    """``count`` card faces with text and a vector code of their own, both sides; numbers come round."""
    with tempfile.TemporaryDirectory() as folder:
        component = own_deck(deck_file(Path(folder), MOST_CODES), "plain")
        settings = PrintSettings()
        own = [piece for piece in component.pieces(settings) if isinstance(piece, PrintedCard)]
        pieces = [own[at % len(own)] for at in range(count)]
        return pages_to_pdf(lay_out(pieces, settings), settings.sheets("cards"))


def face_bytes(count: int) -> float:
    """Bytes of the pages of fronts, for each card: its text, its vector code, and its share of ruler and marks."""
    import pikepdf  # not above: it would count as memory of ours

    with pikepdf.open(BytesIO(many_cards(count))) as pdf:
        fronts = [page.obj["/Contents"].read_raw_bytes() for page in list(pdf.pages)[::2]]
    return sum(len(stream) for stream in fronts) / count


def cost_of(*arguments: str) -> tuple[float, float]:
    """CPU seconds and peak MB of a run of ``loom``, start and all."""
    command = [sys.executable, "-m", "loomtable", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6


STEPS = {"m": "moveTo", "l": "lineTo", "c": "curveTo", "h": "close", "re": "rect"}
MARKS = ("drawPath", "drawString", "setFont", "beginForm", "endForm", "doForm", "showPage", "getpdfdata")


def heard_of(work: Callable[[], object]) -> list[tuple[str, list[Any], dict[str, Any]]]:
    """The marks, forms, pages and files that ``work`` makes, as calls of a canvas; paths by their steps."""
    heard: list[tuple[str, list[Any], dict[str, Any]]] = []
    real = {name: getattr(TaggedCanvas, name) for name in MARKS}

    def hearing(name: str) -> Callable[..., Any]:
        def called(canvas: Any, *arguments: Any, **others: Any) -> Any:
            plain = [_steps_of(one.getCode()) if name == "drawPath" else one for one in arguments]
            heard.append((name, plain, {} if name == "endForm" else others))
            return real[name](canvas, *arguments, **others)

        return called

    with ExitStack() as stack:
        for name in MARKS:
            stack.enter_context(mock.patch.object(TaggedCanvas, name, hearing(name)))
        work()
    return heard


def _steps_of(operators: str) -> list[tuple[str, list[float]]]:
    steps: list[tuple[str, list[float]]] = []
    numbers: list[float] = []
    for word in operators.split():
        if word in STEPS:
            steps.append((STEPS[word], numbers))
            numbers = []
        else:
            numbers.append(float(word))
    return steps


def bare_kit(heard: Sequence[tuple[str, list[Any], dict[str, Any]]]) -> None:
    """The same marks by reportlab's own canvas and paths: no layout, no colours, no tags."""
    canvas = Canvas("", pageCompression=1, invariant=1)
    for name, arguments, others in heard:
        if name == "drawPath":
            path = canvas.beginPath()
            for step, numbers in arguments[0]:
                getattr(path, step)(*numbers)
            canvas.drawPath(path, **others)
        else:
            getattr(canvas, name)(*arguments, **others)
        if name == "getpdfdata":
            canvas = Canvas("", pageCompression=1, invariant=1)


def _held(what: str, value: float, most: float, unit: str) -> None:
    verdict = "held" if value <= most else "NOT HELD"
    print(f"| {what} | {value:,.2f} {unit} | at most {most:,.10g} {unit} | {verdict} |")


def _lines_of(work: Callable[[], bytes], peer: Callable[[], bytes], cards: int) -> float:
    mine, bare = cpu_of(7, work), cpu_of(7, peer)
    report(f"{cards} duplex cards: text, code, fonts", mine, "plain reportlab loop", bare, each=cards, unit="card")
    return mine / bare


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        # First of all, for a child's peak is at least what its parent takes.
        many = str(deck_file(place, MOST_CODES))
        _, memory = cost_of("print", "--deck", many, "--template", "plain", "--copies", "10", "--output", folder)
        _, on_screens = cost_of("print", *SEVEN_DECKS.split(), "--for", "screen", "--output", folder)
        deck = deck_file(place, 200)
        print("| what | ours | beside | peer | ratio |\n| --- | --- | --- | --- | --- |")
        ratio = _lines_of(lambda: ours(deck), lambda: plain_loop(200), 200)
        own, bare = len(ours(deck)), len(plain_loop(200))
        print(f"\n{own:,} bytes, {own // 200:,} a card; plain loop: {bare:,}, {bare // 200:,}\n")
        files: list[PrintedFile] = []
        heard = heard_of(lambda: files.extend(print_kit([EVERYTHING], place)))
        seconds, bare_seconds = (
            min(cost_of("print", EVERYTHING, "--output", folder)[0] for _ in range(3)),
            cpu_of(3, lambda: bare_kit(heard)),
        )
        size = sum(file.path.stat().st_size for file in files)
    two, one = len(many_cards(2_000)), len(many_cards(20))
    print("| must reach | figure | bound | |\n| --- | --- | --- | --- |")
    _held("200 duplex cards, beside the plain loop", ratio, MOST_RATIO, "times")
    _held("loom print: peak memory of 9,990 cards", memory, MEMORY_MB, "MB")
    _held("loom print --for screen: peak memory of seven decks", on_screens, SCREEN_MB, "MB")
    _held("a card's two faces, at 2,000 cards", (two - one) / 1_980, 2 * FACE_BYTES, "bytes")
    _held("a face with text and a code of its own", face_bytes(2_000), FACE_BYTES, "bytes")
    _held(
        "loom print everything, beside its marks by reportlab alone",
        seconds / bare_seconds,
        MOST_KIT_RATIO,
        "times",
    )
    _held("everything in the catalogue", size, KIT_BYTES, "bytes")
    pages = sum(file.pages for file in files)
    took = f"{seconds:.1f} s with the start, {bare_seconds:.1f} s for reportlab and the same marks"
    print(f"\n{len(components())} components, {pages} pages: {took}.")


if __name__ == "__main__":
    main()
