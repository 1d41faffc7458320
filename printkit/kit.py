"""Printing what the catalogue holds: the door through which the command line comes.

``print_kit(["weave"], Path("output"))`` writes one PDF for each component of the kit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from loomtable.engine.kernel.wording import how_many
from loomtable.printkit.catalogue import Component, RenderOptions, components_named
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.files import write_whole
from loomtable.printkit.picking import Only, chosen_pieces
from loomtable.printkit.sheet.cutting import CUT_FORMATS, cut_lines
from loomtable.printkit.sheet.document import SheetSettings, pages_to_pdf, without_collector
from loomtable.printkit.sheet.grid import DuplexMode, Grid, grid_for
from loomtable.printkit.sheet.imposition import ImpositionOptions, Page, impose, lay_out
from loomtable.printkit.sheet.marks import CropMarks, MarkedSides
from loomtable.printkit.sheet.papers import POKER, CardSize, Paper
from loomtable.printkit.sheet.pieces import Piece, PrintedCard
from loomtable.printkit.sheet.printer import Printer

if TYPE_CHECKING:
    from loomtable.printkit.sheet.press import Press

Progress = Callable[[int, int, str], None]
"""Told pages done, pages in all, and what is being printed."""


@dataclass(frozen=True)
class PrintSettings(RenderOptions, ImpositionOptions):
    """All that people choose about how things are printed.

    ``gutter`` is the space between cards in mm; ``spacing`` may ask for the whole bleed of each card instead.
    ``corners`` draws guides for rounding corners. ``printer`` undoes one printer's misprint, ``press`` writes the
    inks of a press. ``singly`` makes one page of each face. ``packed`` puts all components into one file.
    ``fillable`` and ``session`` are for sheets, ``tags`` for cards. ``labels`` puts cards
    onto a maker's sheet of labels. ``cut`` (``svg`` or ``dxf``) writes outlines for a cutter beside each file,
    ``registration`` prints its marks, ``spot_cut`` prints outlines in an ink of their own.

    >>> from loomtable import PrintSettings
    >>> PrintSettings(gutter=2.0).paper.name
    'A4'
    """

    marks: CropMarks = CropMarks.CORNER
    marked: MarkedSides = MarkedSides.BOTH
    corners: bool = False
    style: Style = Style.COLOUR
    printer: Printer | None = None
    press: Press | None = None
    packed: bool = False
    cut: str = ""
    spot_cut: bool = False

    def sheets(self, title: str) -> SheetSettings:
        """What the document needs to know of it."""
        return SheetSettings(
            title,
            self.paper,
            self.sides,
            self.marks,
            self.style,
            self.marked,
            self.corners,
            self.printer,
            self.press,
            registration=self.registration,
            spot_cut=self.spot_cut,
        )


@dataclass(frozen=True)
class PrintedFile:
    """One file that was written; ``cards`` counts what is on it, copies too. ``cut_files`` are for a cutter."""

    path: Path
    component: str
    pages: int
    cards: int
    cut_files: tuple[Path, ...] = ()


@dataclass(frozen=True)
class _Job:
    """A file to be made."""

    name: str
    title: str
    pieces: list[Piece]


def print_kit(
    names: Sequence[str],
    folder: str | Path,
    settings: PrintSettings | None = None,
    *,
    only: Only = None,
    copies: int = 1,
    progress: Progress | None = None,
) -> list[PrintedFile]:
    """Print components into ``folder``, which is made where it is missing; one PDF file each.

    ``only`` keeps these pieces, such as ``["S7", "S8"]``, and leaves out a component that holds none of them.
    Each comes ``copies`` times as often as a kit holds it, its copies side by side. Every file is first built
    whole, then written beside its place and renamed; on an error nothing half-written is left, and files of the
    same name stay.

    Raises:
        UnknownPrintName, NoSuchCard, UnknownComponent, CopiesInvalid, SheetTooSmall: bad input.
        GlyphMissing, TextTooLong, UnknownMotif: a card cannot be drawn; the message names it.
        PrintUnwritable: the folder or a file cannot be written.

    >>> from loomtable import print_kit
    >>> [file] = print_kit(["weave"], "kit", only=["S7", "S8"])
    >>> file.path.name, file.cards
    ('story-cards-a4-long-edge.pdf', 2)
    """
    settings, parts = settings or PrintSettings(), components_named(names)
    return print_components(parts, Path(folder), settings, only=only, copies=copies, progress=progress)


def print_components(
    components: Sequence[Component],
    folder: Path,
    settings: PrintSettings,
    *,
    only: Only = None,
    copies: int = 1,
    progress: Progress | None = None,
) -> list[PrintedFile]:
    """``print_kit`` for components that need not stand in the catalogue, such as a deck of one's own."""
    with without_collector():
        built = _built(components, folder, settings, only, copies, progress)
    for _, contents in built:
        for path, content in contents.items():
            write_whole(path, content)
    return [printed for printed, _ in built]


def _built(
    components: Sequence[Component],
    folder: Path,
    settings: PrintSettings,
    only: Only,
    copies: int,
    progress: Progress | None,
) -> list[tuple[PrintedFile, dict[Path, bytes]]]:
    """All files before any is written: what stands where, and its bytes."""
    decks = chosen_pieces(components, settings, only, copies)
    jobs = [_Job(component.name, component.title, pieces) for component, pieces in decks]
    if settings.packed:
        jobs = [_packed(jobs)]
    laid_out = [(job, lay_out(job.pieces, settings)) for job in jobs]
    total = sum(len(pages) for _, pages in laid_out)
    built: list[tuple[PrintedFile, dict[Path, bytes]]] = []
    done = 0
    for job, pages in laid_out:
        report = _reporter(progress, done, total, job.name)
        path = folder / file_name(job.name, settings)
        content = pages_to_pdf(pages, settings.sheets(job.title), report)
        outlines = _cut_files(path, pages, settings.cut)
        printed = PrintedFile(path, job.name, len(pages), len(job.pieces), tuple(outlines))
        built.append((printed, {path: content, **outlines}))
        done += len(pages)
    return built


def _cut_files(path: Path, pages: Sequence[Page], form: str) -> dict[Path, bytes]:
    """For each page of fronts on which anything is to be cut, its lines, numbered as the page is."""
    if not form:
        return {}
    drawn = [(page.number, cut_lines(page)) for page in pages if not page.is_back]
    write = CUT_FORMATS[form]
    return {
        path.with_name(f"{path.stem}-cut-{number}.{form}"): write(lines) for number, lines in drawn if lines.cuts
    }


def _packed(jobs: Sequence[_Job]) -> _Job:
    """All files as one, which shares its pages among all components."""
    if len(jobs) == 1:
        return jobs[0]
    title = f"{jobs[0].title}, and {how_many(len(jobs) - 1, 'more component', 'more components')}"
    return _Job("packed", title, [piece for job in jobs for piece in job.pieces])


def file_name(component: str, settings: PrintSettings) -> str:
    """``story-cards-a4-long-edge.pdf``; whatever is not usual is named too."""
    parts = [component]
    if settings.labels:
        parts.append(settings.labels.name)
    parts += ["single"] if settings.singly else [settings.paper.name.lower(), settings.sides.value]
    if settings.card_size != POKER:
        parts.append(settings.card_size.name)
    if settings.style is not Style.COLOUR:
        parts.append(settings.style.value)
    if settings.tags:
        parts.append("tags")
    if settings.press:
        parts.append("pro")
    if settings.printer:
        parts.append(settings.printer.name.lower().replace(" ", "-"))
    if settings.session is not None:
        parts.append("filled")
    if settings.fillable:
        parts.append("fillable")
    parts += [name for name, asked in (("marked", settings.registration), ("contour", settings.spot_cut)) if asked]
    return "-".join(parts) + ".pdf"


def deck_pages(
    component: Component,
    paper: Paper,
    card_size: CardSize,
    sides: DuplexMode,
    only: Only = None,
) -> tuple[Grid, list[Page]]:
    """The grid and the pages of a component of cards of one size, before anything is drawn."""
    grid = grid_for(paper, card_size)
    [(_, pieces)] = chosen_pieces([component], RenderOptions(paper, card_size), only, 1)
    return grid, impose([piece for piece in pieces if isinstance(piece, PrintedCard)], grid, sides)


def _reporter(progress: Progress | None, before: int, total: int, what: str) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda done: progress(before + done, total, what)
