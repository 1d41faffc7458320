"""Printing what the catalogue holds: the door through which the command line comes.

``print_kit(["weave"], Path("output"))`` writes one PDF for each component of the kit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.wording import how_many
from loomtable.printkit.catalogue import Component, RenderOptions, components_named, is_everything
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.files import write_all
from loomtable.printkit.picking import Only, chosen_pieces
from loomtable.printkit.sheet.cutting import CUT_FORMATS, cut_lines
from loomtable.printkit.sheet.document import SheetSettings, pages_to_pdf, without_collector
from loomtable.printkit.sheet.grid import DuplexMode
from loomtable.printkit.sheet.imposition import Page, lay_out, pages_of
from loomtable.printkit.sheet.papers import POKER
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece
from loomtable.printkit.sheet.sharing import PieceSet, can_join, ends_nearly_empty, is_small, shared_sheets
from loomtable.printkit.sheet.tiled import Tile

Progress = Callable[[int, int, str], None]
"""Told pages done, pages in all, and what is being printed."""


@dataclass(frozen=True)
class PrintSettings(RenderOptions, SheetSettings):
    """All that people choose about how things are printed.

    ``gutter`` is the space between cards in mm; ``spacing`` may ask for the whole bleed of each card instead.
    ``singly`` makes one page of each face. ``packed`` lets all components share their sheets, ``ganged`` only
    small pieces, what is folded up, and decks that would end on a nearly empty sheet; what is printed on one side
    alone comes as a file of its own. ``fillable`` and ``session`` are for sheets, ``tags`` for cards. ``labels``
    puts cards onto a maker's sheet of labels. ``cut`` (``svg`` or ``dxf``) writes outlines for a cutter beside.

    >>> from loomtable import PrintSettings
    >>> PrintSettings(gutter=2.0).paper.name
    'A4'
    """

    packed: bool = False
    ganged: bool = False
    cut: str = ""

    def sheets(self, title: str) -> SheetSettings:
        """The same for a document of this title."""
        return replace(self, title=title)


@dataclass(frozen=True)
class PrintedFile:
    """One file that was written; ``cards`` counts what is on it, copies too. ``cut_files`` are for a cutter.

    ``saved`` is how many pages its components take less than apart, in this file and the one that follows.
    """

    path: Path
    component: str
    pages: int
    cards: int
    cut_files: tuple[Path, ...] = ()
    saved: int = 0


@dataclass(frozen=True)
class _Job:
    """A file to be made."""

    name: str
    title: str
    pages: list[Page]
    settings: PrintSettings
    saved: int = 0


def print_kit(
    names: str | Sequence[str],
    folder: str | Path,
    settings: PrintSettings | None = None,
    *,
    only: str | Only = None,
    copies: int = 1,
    progress: Progress | None = None,
) -> list[PrintedFile]:
    """Print kits or components, by name, into ``folder``, which is made where it is missing; one PDF file each.

    ``only`` keeps these pieces, such as ``["S7", "S8"]``, and leaves out a component that holds none of them.
    Each comes ``copies`` times as often as a kit holds it, its copies side by side. Every file is first built
    whole, then written beside its place and renamed; on an error nothing half-written is left, and files of the
    same name stay.

    Raises:
        UnknownPrintName, NoSuchCard, UnknownComponent, CopiesInvalid, SheetTooSmall: bad input.
        GlyphMissing, TextTooLong, UnknownMotif: a card cannot be drawn; the message names it.
        PrintUnwritable: the folder or a file cannot be written.

    >>> from loomtable import print_kit
    >>> [file] = print_kit("weave", "kit", only=["S7", "S8"])
    >>> file.path.name, file.cards
    ('story-cards-a4-long-edge.pdf', 2)
    """
    settings = settings or PrintSettings()
    names = [names] if isinstance(names, str) else names
    only = [only] if isinstance(only, str) else only
    settings = replace(settings, ganged=is_everything(names))
    parts = components_named(names)
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
    printed: list[PrintedFile] = []
    files: dict[Path, bytes] = {}
    with without_collector():  # all files are made before any is written
        jobs = _jobs(_each_drawing_once(chosen_pieces(components, settings, only, copies)), settings)
        total = sum(len(job.pages) for job in jobs)
        done = 0
        for job in jobs:
            report = _reporter(progress, done, total, job.name)
            path = folder / file_name(job.name, job.settings)
            files[path] = pages_to_pdf(job.pages, job.settings.sheets(job.title), report)
            outlines = _cut_files(path, job.pages, settings.cut)
            pieces = _pieces_on(job.pages)
            printed.append(PrintedFile(path, job.name, len(job.pages), pieces, tuple(outlines), job.saved))
            files |= outlines
            done += len(job.pages)
    write_all(files.items())
    return printed


_Deck = tuple[Component, list[Piece]]


def _each_drawing_once(decks: Sequence[_Deck]) -> list[_Deck]:
    """The same without maps that a component before them holds too, such as those behind an adventure."""
    first: dict[ComponentId, str] = {}
    kept: list[_Deck] = []
    for deck, pieces in decks:
        maps = {piece.id for piece in pieces if isinstance(piece, LargeDrawing) and piece.id}
        again = {id_ for id_ in maps if first.setdefault(id_, deck.name) != deck.name}
        kept.append((deck, [piece for piece in pieces if piece.id not in again]))
    return [(deck, pieces) for deck, pieces in kept if pieces]


def _jobs(decks: Sequence[_Deck], settings: PrintSettings) -> list[_Job]:
    """The files: one for each component, or for those that share their sheets."""
    sharing: dict[str, list[_Deck]] = {}
    for deck in decks:
        sharing.setdefault(_file_of(*deck, settings), []).append(deck)
    return [job for name, held in sharing.items() for job in _shared(name, held, settings)]


def _file_of(component: Component, pieces: Sequence[Piece], settings: PrintSettings) -> str:
    """The name of the file that a component is in."""
    if settings.packed or not settings.ganged:
        return "packed" if settings.packed else component.name
    if all(map(is_small, pieces)):
        return "small-pieces"
    if all(map(can_join, pieces)):
        return "boxes-and-tents"
    return f"{component.system}-cards" if ends_nearly_empty(pieces, settings) else component.name


def _shared(name: str, decks: Sequence[_Deck], settings: PrintSettings) -> list[_Job]:
    """The files of components that share their sheets: both sides, and one side alone."""
    apart = [lay_out(pieces, settings) for _, pieces in decks]
    first = decks[0][0]
    if len(decks) == 1:
        return [_Job(first.name, first.title, apart[0], settings)]
    title = f"{first.title}, and {how_many(len(decks) - 1, 'more component', 'more components')}"
    halves = shared_sheets([PieceSet(component.system, pieces) for component, pieces in decks], settings)
    pages = [pages_of(sheets, settings) for sheets in halves]
    saved = sum(map(len, apart)) - sum(map(len, pages))
    if not saved and not settings.packed:
        return [job for deck in decks for job in _shared(name, [deck], settings)]
    one_sided = replace(settings, sides=DuplexMode.FRONTS_ONLY, backs_last=False) if all(halves) else settings
    both = [(pages[0], settings), (pages[1], one_sided)]
    jobs = [_Job(name, title, held, how) for held, how in both if held]
    return [replace(jobs[0], saved=saved), *jobs[1:]]


def _pieces_on(pages: Sequence[Page]) -> int:
    """How many pieces there are; what lies on several tiles counts once."""
    whole = [page for page in pages if not (isinstance(page.layout, Tile) and page.layout.place)]
    return sum(not placement.is_back for page in whole for placement in page.placements)


def _cut_files(path: Path, pages: Sequence[Page], form: str) -> dict[Path, bytes]:
    """For each page of fronts on which anything is to be cut, its lines, numbered as the page is."""
    if not form:
        return {}
    drawn = [(page.number, cut_lines(page)) for page in pages if not page.is_back]
    write = CUT_FORMATS[form]
    return {
        path.with_name(f"{path.stem}-cut-{number}.{form}"): write(lines) for number, lines in drawn if lines.cuts
    }


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
    ways = {"marked": settings.registration, "contour": settings.spot_cut, "backs-last": settings.backs_last}
    parts += [name for name, asked in ways.items() if asked]
    return "-".join(parts) + ".pdf"


def _reporter(progress: Progress | None, before: int, total: int, what: str) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda done: progress(before + done, total, what)
