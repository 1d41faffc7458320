"""``loom print``: cards, sheets, maps and tokens on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands import completion
from loomtable.table.commands.options import (
    AS_SET,
    PaperNamed,
    argument,
    grouped,
    kept_session,
    open_kept,
    option,
    output_folder,
)
from loomtable.table.commands.output import DEFAULT_STORE, AsJson, StoreAt, progress, say, warn, write_json
from loomtable.table.commands.print_conflicts import SCREENS, refuse_conflicts
from loomtable.table.settings import setting

if TYPE_CHECKING:
    from loomtable.engine.kernel.session import Session
    from loomtable.printkit.catalogue import Component
    from loomtable.printkit.kit import PrintedFile, PrintSettings
    from loomtable.printkit.shops import Shop

PROFILES = ("home", "low-ink", "pro")


@dataclass(frozen=True)
class Pieces:
    """What."""

    only: Annotated[str | None, "Only these, e.g. S3,S7x2 or story:3,7-9.", "CARDS"] = None
    copies: Annotated[int, "How many of each.", "N"] = 1
    deck: Annotated[Path | None, "A deck of your own: a CSV, Excel, JSON, YAML or XML file.", "NAME|FILE"] = None
    template: Annotated[str | None, "Its card template; if none, its columns decide.", "NAME|FILE"] = None
    watch: Annotated[bool, "Show your deck on a page that changes as you save it; nothing is printed."] = False
    system: Annotated[
        str | None, "Only what belongs to this game; --session implies its own.", "SYSTEM", completion.games
    ] = None
    session: Annotated[
        str | None, "Fill sheets from this session, or from a transcript's file.", "NAME|FILE", completion.sessions
    ] = None
    fillable: Annotated[bool, "Sheets with fields to type into."] = False
    box: Annotated[
        float | None, "A tuck box for each deck too; a card is so thick: 0.3 on card, 0.5 in a sleeve.", "MM"
    ] = None


@dataclass(frozen=True)
class Pages:
    """Paper and cards."""

    labels: Annotated[
        str | None,
        "A maker's sheet of labels or business cards, e.g. avery-5371.",
        "SHEET",
        completion.label_sheets,
    ] = None
    card_size: Annotated[
        str, "poker (63 x 88 mm), us-poker, bridge, tarot, mini and others.", "SIZE", completion.card_sizes
    ] = "poker"
    sleeves: Annotated[
        str | None, "Cards and boxes that fit these sleeves, e.g. mini-european.", "NAME", completion.sleeves
    ] = None
    sides: Annotated[str, "long-edge, short-edge, gutterfold or fronts-only.", "HOW", completion.sides] = (
        "long-edge"
    )
    single: Annotated[bool, "One face per page: front, back, front, back."] = False
    backs_last: Annotated[bool, "All fronts, then all backs: for paper that you turn by hand."] = False
    packed: Annotated[bool, "Sets share their sheets: fewer pages, in a file of both sides and one of fronts."] = (
        False
    )


@dataclass(frozen=True)
class Cutting:
    """Cutting."""

    marks: Annotated[str, "Crop marks: none, corner, edge or full.", "KIND", completion.marks] = "corner"
    marks_on: Annotated[str, "Marked sides: front, back or both.", "SIDES", completion.marked_sides] = "both"
    corners: Annotated[bool, "Draw guides for rounding corners."] = False
    spacing: Annotated[
        str, "shared: one cut between neighbours; each: every card its whole bleed.", "HOW", completion.spacings
    ] = "shared"
    gutter: Annotated[float, "Space between cards in mm.", "MM"] = 0.0


@dataclass(frozen=True)
class Ink:
    """Ink and printer."""

    profile: Annotated[
        str, "home, low-ink, or pro: inks of a press, PDF/X-4, one face per page.", "PROFILE", completion.profiles
    ] = "home"
    style: Annotated[str | None, "colour, low-ink or grey.", "STYLE", completion.styles] = None
    icc: Annotated[Path | None, "The press's ICC profile, for --profile pro.", "FILE"] = None
    printer: Annotated[
        str | None,
        "Correct for this printer's offset (loom calibrate printer); otherwise as set.",
        "NAME",
        completion.printers,
    ] = None
    png: Annotated[int | None, "A PNG picture of each face, at this dpi.", "DPI"] = None


@dataclass(frozen=True)
class Receiver:
    """Shops, screens and cutting machines."""

    for_: Annotated[
        str | None,
        "A shop (gamecrafter and others), tabletop-simulator, or screen.",
        "SHOP|TABLE",
        completion.shops_and_screens,
    ] = None
    cut: Annotated[
        str, "Outlines for a cutting machine beside each file: svg or dxf.", "FORMAT", completion.cut_formats
    ] = ""
    registration: Annotated[bool, "Print the marks by which a Silhouette cutter finds the page."] = False
    spot_cut: Annotated[bool, "Print the outlines in an ink of their own, CutContour."] = False


@dataclass(frozen=True)
class Codes:
    """Codes that a camera reads."""

    camera: Annotated[
        str | None,
        "Codes for this kind of camera: 720p, 1080p, 4k, phone and others.",
        "KIND",
        completion.camera_kinds,
    ] = None
    distance: Annotated[str, "How far the camera is, e.g. 40cm.", "LENGTH"] = "40cm"
    tags: Annotated[bool, "A tag besides the code on Story, Challenge and spell cards."] = False


@grouped
def print_(
    context: typer.Context,
    what: Annotated[
        list[str] | None,
        argument("Kits or components; --list shows them.", "KIT|COMPONENT", completion.components),
    ] = None,
    *,
    wanted: Pieces,
    all_: Annotated[
        bool, option("--all", "Everything in a game's kit, not only what a first evening needs.")
    ] = False,
    list_: Annotated[bool, option("--list", "List the kits and components that can be printed.")] = False,
    store: StoreAt = DEFAULT_STORE,
    paper: PaperNamed = AS_SET,
    layout: Pages,
    cutting: Cutting,
    ink: Ink,
    target: Receiver,
    codes: Codes,
    output: Annotated[Path, output_folder("The folder for what is made.")] = Path("output"),
    as_json: AsJson = False,
) -> None:
    """Print kits, components or a deck of your own as PDF files, one for each component."""
    from loomtable.engine.kernel.wording import listed
    from loomtable.printkit.catalogue import is_everything
    from loomtable.printkit.files import check_folder
    from loomtable.printkit.picking import picks_in

    refuse_conflicts(context)
    if list_:
        _list(as_json)
        return
    if wanted.deck:
        from loomtable.printkit.decks.own import deck_named

        deck, template = deck_named(wanted.deck, wanted.template)
        if not deck.suffix and not deck.exists():
            raise LoomtableError(f"there is no deck {str(deck)[:40]!r}; give a file, or one of a pack's decks")
        wanted = replace(wanted, deck=deck, template=template)
    if wanted.watch and wanted.deck:
        from loomtable.table.commands.print_watch import watch

        watch(wanted.deck, wanted.template)
        return
    check_folder(output)
    if ink.profile not in PROFILES:
        raise LoomtableError(f"there is no profile {ink.profile[:40]!r}; choose from {', '.join(PROFILES)}")
    shop = _shop(target.for_)
    settings = _settings(wanted, layout, cutting, ink, target, paper, store, codes.tags)
    picks = None if wanted.only is None else picks_in(wanted.only)
    told: list[str] = []  # and not said before all is printed
    with _all_faults_of(wanted), progress("Printing") as report:
        components = _components(what or [], all_, wanted, codes, settings, told)
        if wanted.box is not None:
            from loomtable.printkit.components.boxes import boxes_for  # it loads every game

            components += boxes_for(components, wanted.box, settings)
        settings = replace(settings, ganged=is_everything(what or []), sleeved=bool(layout.sleeves))
        print_all = _backend(target.for_, shop, ink.png, wanted.copies)
        files = print_all(components, output, settings, only=picks, progress=report)
    if left := [part.name for part in components if part.on_paper and target.for_ in SCREENS]:
        told.append(f"Left out, for a screen has no use for it: {listed(left)}.")
    for line in told:
        (warn if as_json else say)(line)
    made = "" if ink.png is None and target.for_ is None else "file" if shop and shop.as_pdf else "picture"
    _tell(files, settings, made, as_json)
    if shop and not as_json:
        say(f"What to order: {output / f'order-{shop.name}.txt'}")


def _settings(
    wanted: Pieces, layout: Pages, cutting: Cutting, ink: Ink, target: Receiver, paper: str, store: str, tags: bool
) -> PrintSettings:
    """What was asked for by words, as the printing itself takes it."""
    from loomtable.printkit.draw.palette import Style
    from loomtable.printkit.kit import PrintSettings
    from loomtable.printkit.sheet.cutting import CUT_FORMATS
    from loomtable.printkit.sheet.grid import DuplexMode
    from loomtable.printkit.sheet.imposition import Spacing
    from loomtable.printkit.sheet.labels import label_sheet_named
    from loomtable.printkit.sheet.marks import CropMarks, MarkedSides
    from loomtable.printkit.sheet.papers import SLEEVES, card_size_named, chosen, paper_named
    from loomtable.printkit.sheet.printer import printer_named

    if not 0 <= cutting.gutter <= 50:
        raise LoomtableError(f"--gutter is 0 to 50 mm, not {cutting.gutter:g}")
    press = None
    if pro := ink.profile == "pro":
        from loomtable.printkit.sheet.press import press_for  # it needs NumPy

        press = press_for(ink.icc)
    usual = Style.LOW_INK if ink.profile == "low-ink" else Style.COLOUR
    sheet = label_sheet_named(layout.labels) if layout.labels else None
    printer = ink.printer or (setting("printer") if not pro and not target.for_ else None)
    sleeves = chosen(layout.sleeves, SLEEVES, "kind of sleeve") if layout.sleeves else None
    return PrintSettings(
        paper=sheet.paper if sheet else paper_named(paper),
        labels=sheet,
        card_size=sleeves or card_size_named(layout.card_size),
        sides=chosen(layout.sides, {s.value: s for s in DuplexMode}, "way of printing sides"),
        marks=chosen(cutting.marks, {m.value: m for m in CropMarks}, "kind of crop mark"),
        marked=chosen(cutting.marks_on, {m.value: m for m in MarkedSides}, "choice of sides for marks"),
        corners=cutting.corners,
        style=chosen(ink.style or usual.value, {s.value: s for s in Style}, "style"),
        gutter=cutting.gutter,
        spacing=chosen(cutting.spacing, {s.value: s for s in Spacing}, "spacing"),
        printer=printer_named(printer) if printer else None,
        press=press,
        singly=layout.single or pro,
        packed=layout.packed,
        backs_last=layout.backs_last,
        fillable=wanted.fillable,
        session=_session(store, wanted.session) if wanted.session else None,
        tags=tags,
        cut=target.cut and chosen(target.cut, {form: form for form in CUT_FORMATS}, "form of cut file"),
        registration=target.registration,
        spot_cut=target.spot_cut,
    )


def _backend(
    for_: str | None, shop: Shop | None, png: int | None, copies: int
) -> Callable[..., list[PrintedFile]]:
    """The function that prints: for a screen, for a shop, pages, or a picture of each face."""
    if for_ in SCREENS:
        from loomtable.printkit.virtual import print_for_screens

        return partial(print_for_screens, saved_object=SCREENS[for_], copies=copies)
    if shop:
        from loomtable.printkit.shops import print_for_shop

        return partial(print_for_shop, shop=shop, copies=copies)
    if png is None:
        from loomtable.printkit.kit import print_components

        return partial(print_components, copies=copies)
    from loomtable.printkit.pictures import print_pictures

    return partial(print_pictures, dpi=png)


def _shop(name: str | None) -> Shop | None:
    if not name or name in SCREENS:
        return None
    from loomtable.printkit.shops import shop_named

    return shop_named(name, SCREENS)


def _tell(files: list[PrintedFile], settings: PrintSettings, made: str, as_json: bool) -> None:
    from loomtable.engine.kernel.wording import how_many

    if as_json:
        write_json(
            [{"file": str(f.path), "component": f.component, "pages": f.pages, "cards": f.cards} for f in files]
        )
        return
    for file in files:
        pages, pieces = how_many(file.pages, "page", "pages"), how_many(file.cards, "piece", "pieces")
        if made:
            say(f"{file.path}: {how_many(file.pages, made, f'{made}s')} of {pieces}")
        else:
            say(f"{file.path}: {pages if file.cards <= file.pages else f'{pieces}, {pages}'}")
            say(*(f"{lines}: its outlines" for lines in file.cut_files))
    if settings.backs_last:
        say(f"Print the fronts, put the stack back turned over its {settings.sides.edge}, and print the backs.")
    if saved := sum(file.saved for file in files):
        say(f"Shared sheets save {how_many(saved, 'page', 'pages')}.")
    if settings.labels:
        say("Print at 100 %, with scaling off, and try it on plain paper first.")
    elif not made and not settings.singly:
        say("Print at 100 %, with scaling off; the ruler on each page must measure 100 mm.")


def _components(
    what: list[str],
    whole: bool,
    wanted: Pieces,
    codes: Codes,
    settings: PrintSettings,
    told: list[str],
) -> list[Component]:
    """What is printed: components of ours, or a deck of one's own. What there is to say of it is ``told``."""
    from loomtable.printkit.catalogue import components_named
    from loomtable.printkit.decks.own import own_deck
    from loomtable.printkit.draw.code_size import camera_named, distance_in
    from loomtable.printkit.errors import CodeUnreadable, DeckInvalid
    from loomtable.printkit.import_sum import ImportSum, shown

    reader = (camera_named(codes.camera), distance_in(codes.distance)) if codes.camera else None
    if wanted.deck is None:
        components = components_named(what, whole=whole)
        if whole and components == components_named(what):
            told.append("--all adds nothing here; it is for the kit of a game, such as loom print weave --all")
        if reader:
            from loomtable.printkit.reach import what_is_read

            told += what_is_read(components, settings, *reader)
        return _of_system(components, wanted.system, settings.session)
    if what:
        raise LoomtableError("name kits and components, or give --deck, not both")
    counted = ImportSum(wanted.deck.name, DeckInvalid)
    try:
        deck = own_deck(wanted.deck, wanted.template, reader, counted=counted)
    except CodeUnreadable as error:
        told.append(str(error))
        deck = own_deck(wanted.deck, wanted.template)
    told += shown(counted.remarks(), counted.sums(), f"which loom check {wanted.deck} lists")
    return [deck]


@contextmanager
def _all_faults_of(wanted: Pieces) -> Iterator[None]:
    """Where a deck of one's own cannot be printed, say all that is wrong with it, not the first alone."""
    from loomtable.printkit.decks.own import check_deck
    from loomtable.printkit.errors import DeckInvalid, PrintError
    from loomtable.printkit.import_sum import shown

    try:
        yield
    except PrintError as error:
        faults, _ = check_deck(wanted.deck, wanted.template) if wanted.deck else ([], [])
        if len(faults) < 2:
            raise
        raise DeckInvalid("\n".join(shown(faults, [], f"which loom check {wanted.deck} lists"))) from error


def _of_system(
    components: list[Component], system: str | None, session: Session[object] | None
) -> list[Component]:
    """Those of one game: the one that was named, or that of the session; all of them where neither is given."""
    from loomtable.engine.systems import SYSTEMS

    if system is not None and system not in SYSTEMS:
        raise LoomtableError(f"there is no game {system[:40]!r}; choose from {', '.join(SYSTEMS)}")
    if session and system not in (None, session.system.key):
        raise LoomtableError(f"the session is of {session.system.title}, so --system {system} does not go with it")
    game = session.system.key if session else system
    kept = [component for component in components if game in (None, component.system)]
    if not kept:
        raise LoomtableError(f"none of these belong to {game}; loom print --list shows what does")
    return kept


def _session(store: str, name: str) -> Session[object]:
    """A session from the store; or the end of a transcript, where the name is that of its file."""
    from loomtable.engine.kernel.transcript import replay
    from loomtable.engine.kernel.yamlfile import read_text
    from loomtable.engine.systems import SYSTEMS

    if Path(name).suffix.lower() in (".yaml", ".yml"):
        return replay(read_text(Path(name)), Path(name).name, SYSTEMS).session
    with open_kept(store) as journals:
        return kept_session(journals, name)


def _list(as_json: bool) -> None:
    from loomtable.engine.systems import SYSTEMS
    from loomtable.printkit.catalogue import EVERYTHING, components, kits

    known = components()
    if as_json:
        from loomtable.printkit.contents import contents_of

        listed = [
            {"name": c.name, "description": c.description, "aliases": c.aliases, "contents": contents_of(c)}
            for c in known.values()
        ]
        write_json({"kits": kits(), "whole_kits": kits(whole=True), "components": listed})
        return
    from loomtable.table.terminal.console import Screen, console_for_people

    screen, first = Screen(console_for_people()), kits()
    titles = {key: system.title for key, system in SYSTEMS.items()} | {"table": "For every game"}
    with screen.paged():
        for key, parts in kits(whole=True).items():
            if key == EVERYTHING:
                continue
            also = ", marked with *, for a first evening; --all adds the rest" if first[key] != parts else ""
            screen.heading(titles.get(key, key), f"loom print {key} prints these{also}")
            named = [known[name] for name in (*first[key], *parts)]
            rows = {
                c.name: ("*" if also and c.name in first[key] else "", c.name, c.description, "") for c in named
            }
            screen.options(rows.values())
            screen.say("")
        screen.heading("In no kit", "print these by their names")
        screen.options(("", c.name, c.description, "") for c in known.values() if not c.in_kits)
        screen.say("")
        screen.say(f"Print single things by their names, or all there is with loom print {EVERYTHING}.")
