"""What can be printed, and printing it: the door through which the command line comes.

``print_kit(["weave"], Path("output"))`` writes one PDF for each component of the kit.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.kernel.components import ComponentId
from engine.weave.decks import ChallengeCard, StoryCard, challenge_deck, story_deck
from printkit.components.card_back import draw_challenge_back, draw_story_back
from printkit.components.challenge_card import draw_challenge_front
from printkit.components.story_card import draw_story_front
from printkit.draw.palette import Style
from printkit.errors import CopiesInvalid, NoSuchCard, PrintUnwritable, UnknownPrintName
from printkit.sheet.document import SheetSettings, pages_to_pdf
from printkit.sheet.grid import Grid, Sides, grid_for
from printkit.sheet.imposition import Page, PrintedCard, impose
from printkit.sheet.marks import Marks
from printkit.sheet.papers import A4, POKER, CardSize, Paper, listed

MOST_COPIES = 50

Progress = Callable[[int, int, str], None]
"""Told pages done, pages in all, and what is being printed."""


@dataclass(frozen=True)
class Component:
    """Something that can be printed: a deck of cards, by name."""

    name: str
    title: str
    description: str
    cards: Callable[[CardSize], list[PrintedCard]]


@dataclass(frozen=True)
class PrintedFile:
    """One file that was written."""

    path: Path
    component: str
    pages: int
    cards: int


def _story_cards(size: CardSize) -> list[PrintedCard]:
    def printed(card: StoryCard) -> PrintedCard:
        return PrintedCard(
            card.id,
            card.name,
            front=lambda pen: draw_story_front(pen, card, size),
            back=lambda pen: draw_story_back(pen, size),
        )

    return [printed(card) for card in story_deck()]


def _challenge_cards(size: CardSize) -> list[PrintedCard]:
    def printed(card: ChallengeCard) -> PrintedCard:
        return PrintedCard(
            card.id,
            card.name,
            front=lambda pen: draw_challenge_front(pen, card, size),
            back=lambda pen: draw_challenge_back(pen, size),
        )

    return [printed(card) for card in challenge_deck()]


_ALL = (
    Component(
        "story-cards",
        "Weave: the Story deck",
        "The 22 Story cards, each with its picture and code",
        _story_cards,
    ),
    Component(
        "challenge-cards",
        "Weave: the Challenge deck",
        "The 36 Challenge cards: four suits, levels 2 to 4",
        _challenge_cards,
    ),
)
COMPONENTS: Mapping[str, Component] = {component.name: component for component in _ALL}
KITS: Mapping[str, tuple[str, ...]] = {"weave": ("story-cards", "challenge-cards")}


def components_named(names: Sequence[str]) -> list[Component]:
    """The components that names of components and kits stand for, each once, in the order first named.

    Raises:
        UnknownPrintName: a name is neither, or there is no name at all.
    """
    known = f"choose from {listed([*KITS, *COMPONENTS])}"
    if not names:
        raise UnknownPrintName(f"nothing to print was named; {known}")
    wanted: dict[str, Component] = {}
    for name in names:
        tidy = name.strip().lower()
        if tidy not in KITS and tidy not in COMPONENTS:
            raise UnknownPrintName(f"there is nothing to print called {name[:40]!r}; {known}")
        for part in KITS.get(tidy, (tidy,)):
            wanted[part] = COMPONENTS[part]
    return list(wanted.values())


def print_kit(
    names: Sequence[str],
    folder: Path,
    *,
    paper: Paper = A4,
    card_size: CardSize = POKER,
    sides: Sides = Sides.LONG_EDGE,
    marks: Marks = Marks.CORNER,
    style: Style = Style.COLOUR,
    only: Collection[ComponentId] | None = None,
    copies: int = 1,
    gutter: float = 0.0,
    progress: Progress | None = None,
) -> list[PrintedFile]:
    """Print components into ``folder``, which is made where it is missing; one PDF file each.

    ``only`` keeps these cards, and leaves out a component that holds none of them. Each card comes ``copies``
    times, its copies side by side. ``gutter`` is the space between cards in mm, narrowed where it would cost a
    card. Every file is first built whole, then written beside its place and renamed; on an error nothing
    half-written is left, and files of the same name stay.

    Raises:
        UnknownPrintName, NoSuchCard, CopiesInvalid, SheetTooSmall: bad input.
        GlyphMissing, TextTooLong, UnknownMotif: a card cannot be drawn; the message names it.
        PrintUnwritable: the folder or a file cannot be written.
    """
    components = components_named(names)
    if not 1 <= copies <= MOST_COPIES:
        raise CopiesInvalid(f"copies are 1 to {MOST_COPIES}, not {copies}")
    grid = grid_for(paper, card_size, gutter)
    decks = _chosen(components, card_size, only, copies)
    jobs = [(component, cards, impose(cards, grid, sides)) for component, cards in decks]
    total = sum(len(pages) for _, _, pages in jobs)
    built: list[tuple[PrintedFile, bytes]] = []
    done = 0
    for component, cards, pages in jobs:
        settings = SheetSettings(component.title, paper, grid, sides, marks, style)
        report = _reporter(progress, done, total, component.name)
        path = folder / file_name(component.name, paper, card_size, sides, style)
        printed = PrintedFile(path, component.name, len(pages), len(cards))
        built.append((printed, pages_to_pdf(pages, settings, report)))
        done += len(pages)
    for printed, content in built:
        _write_whole(printed.path, content)
    return [printed for printed, _ in built]


def file_name(component: str, paper: Paper, card_size: CardSize, sides: Sides, style: Style) -> str:
    """``story-cards-a4-long-edge.pdf``; a card size and a style other than the usual are named too."""
    parts = [component, paper.name.lower(), sides.value]
    if card_size != POKER:
        parts.append(card_size.name)
    if style is not Style.COLOUR:
        parts.append(style.value)
    return "-".join(parts) + ".pdf"


def deck_pages(
    component: Component,
    paper: Paper,
    card_size: CardSize,
    sides: Sides,
    only: Collection[ComponentId] | None = None,
) -> tuple[Grid, list[Page]]:
    """The grid and the pages of one component, before anything is drawn."""
    grid = grid_for(paper, card_size)
    [(_, cards)] = _chosen([component], card_size, only, 1)
    return grid, impose(cards, grid, sides)


def _chosen(
    components: Sequence[Component], size: CardSize, only: Collection[ComponentId] | None, copies: int
) -> list[tuple[Component, list[PrintedCard]]]:
    """The cards of each component that are to be printed, without components of which none is."""
    decks = [(component, component.cards(size)) for component in components]
    if only is not None:
        held = {card.id for _, cards in decks for card in cards}
        strangers = sorted(set(only) - held)
        if strangers or not only:
            asked = f"{strangers[0]} is not among the cards" if strangers else "no card was named of those"
            ranges = listed([f"{cards[0].id} to {cards[-1].id}" for _, cards in decks])
            raise NoSuchCard(f"{asked} to print, which are {ranges}")
        decks = [(component, [card for card in cards if card.id in only]) for component, cards in decks]
    return [(part, [card for card in cards for _ in range(copies)]) for part, cards in decks if cards]


def _reporter(progress: Progress | None, before: int, total: int, what: str) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda done: progress(before + done, total, what)


def _write_whole(path: Path, content: bytes) -> None:
    """Write beside the place, flush to the disk, rename; whatever fails, no partial file stays."""
    beside = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(0o666 & ~_umask())
        Path(beside).replace(path)
    except OSError as error:
        raise PrintUnwritable(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        if beside:
            Path(beside).unlink(missing_ok=True)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
