"""``loom print``: cards, sheets, maps and tokens on paper."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands import completion
from loomtable.table.commands.options import AS_SET, PaperNamed, argument, kept_session, open_kept, option
from loomtable.table.commands.output import DEFAULT_STORE, AsJson, StoreAt, progress, say, warn, write_json
from loomtable.table.commands.print_conflicts import SCREENS, refuse_conflicts
from loomtable.table.settings import setting

if TYPE_CHECKING:
    from loomtable.engine.kernel.session import Session
    from loomtable.printkit.catalogue import Component, RenderOptions
    from loomtable.printkit.draw.code_size import CameraKind
    from loomtable.printkit.kit import PrintedFile, PrintSettings
    from loomtable.printkit.sheet.press import Press
    from loomtable.printkit.shops import Shop

PROFILES = ("home", "low-ink", "pro")


_what, _sheet, _cutting, _ink, _machine, _codes = (
    partial(option, rich_help_panel=section)
    for section in (
        "What",
        "Paper and cards",
        "Cutting",
        "Ink and printer",
        "Shops, screens and cutting machines",
        "Codes that a camera reads",
    )
)
"""Options in the sections of the help."""


def print_(
    context: typer.Context,
    what: Annotated[
        list[str] | None,
        argument("Kits or components; --list shows them.", "KIT|COMPONENT", completion.components),
    ] = None,
    list_: Annotated[bool, option("--list", "List the kits and components that can be printed.")] = False,
    only: Annotated[str | None, _what("--only", "Only these, e.g. S3,S7x2 or story:3,7-9.", "CARDS")] = None,
    copies: Annotated[int, _what("--copies", "How many of each.", "N")] = 1,
    deck: Annotated[Path | None, _what("--deck", "A deck of your own: a CSV or YAML file.", "FILE")] = None,
    template: Annotated[
        str | None, _what("--template", "The card template of your own deck.", "NAME|FILE")
    ] = None,
    system: Annotated[
        str | None,
        _what(
            "--system", "Only what belongs to this game; --session implies its own.", "SYSTEM", completion.games
        ),
    ] = None,
    session: Annotated[
        str | None,
        _what(
            "--session",
            "Fill sheets from this session, or from a transcript's file.",
            "NAME|FILE",
            completion.sessions,
        ),
    ] = None,
    store: StoreAt = DEFAULT_STORE,
    fillable: Annotated[bool, _what("--fillable", "Sheets with fields to type into.")] = False,
    paper: PaperNamed = AS_SET,
    labels: Annotated[
        str | None,
        _sheet(
            "--labels",
            "A maker's sheet of labels or business cards, e.g. avery-5371.",
            "SHEET",
            completion.label_sheets,
        ),
    ] = None,
    card_size: Annotated[
        str,
        _sheet(
            "--card-size",
            "poker (63 x 88 mm), us-poker, bridge, tarot, mini and others.",
            "SIZE",
            completion.card_sizes,
        ),
    ] = "poker",
    sleeves: Annotated[
        str | None,
        _sheet("--sleeves", "Cards that fit these sleeves, e.g. mini-european.", "NAME", completion.sleeves),
    ] = None,
    sides: Annotated[
        str, _sheet("--sides", "long-edge, short-edge, gutterfold or fronts-only.", "HOW", completion.sides)
    ] = "long-edge",
    single: Annotated[bool, _sheet("--single", "One face per page: front, back, front, back.")] = False,
    packed: Annotated[bool, _sheet("--packed", "Everything in one file, sizes mixed on the same pages.")] = False,
    marks: Annotated[
        str, _cutting("--marks", "Crop marks: none, corner, edge or full.", "KIND", completion.marks)
    ] = "corner",
    marks_on: Annotated[
        str, _cutting("--marks-on", "Marked sides: front, back or both.", "SIDES", completion.marked_sides)
    ] = "both",
    corners: Annotated[bool, _cutting("--corners", "Draw guides for rounding corners.")] = False,
    spacing: Annotated[
        str,
        _cutting(
            "--spacing",
            "shared: one cut between neighbours; each: every card its whole bleed.",
            "HOW",
            completion.spacings,
        ),
    ] = "shared",
    gutter: Annotated[float, _cutting("--gutter", "Space between cards in mm.", "MM")] = 0.0,
    profile: Annotated[
        str,
        _ink(
            "--profile",
            "home, low-ink, or pro: inks of a press, PDF/X-4, one face per page.",
            "PROFILE",
            completion.profiles,
        ),
    ] = "home",
    style: Annotated[str | None, _ink("--style", "colour, low-ink or grey.", "STYLE", completion.styles)] = None,
    icc: Annotated[Path | None, _ink("--icc", "The press's ICC profile, for --profile pro.", "FILE")] = None,
    printer: Annotated[
        str | None,
        _ink(
            "--printer",
            "Correct for this printer's offset (loom calibrate printer); otherwise as set.",
            "NAME",
            completion.printers,
        ),
    ] = None,
    png: Annotated[int | None, _ink("--png", "A PNG picture of each face, at this dpi.", "DPI")] = None,
    for_: Annotated[
        str | None,
        _machine(
            "--for",
            "A shop (gamecrafter and others), tabletop-simulator, or screen.",
            "SHOP|TABLE",
            completion.shops_and_screens,
        ),
    ] = None,
    cut: Annotated[
        str,
        _machine(
            "--cut",
            "Outlines for a cutting machine beside each file: svg or dxf.",
            "FORMAT",
            completion.cut_formats,
        ),
    ] = "",
    registration: Annotated[
        bool, _machine("--registration", "Print the marks by which a Silhouette cutter finds the page.")
    ] = False,
    spot_cut: Annotated[
        bool, _machine("--spot-cut", "Print the outlines in an ink of their own, CutContour.")
    ] = False,
    camera: Annotated[
        str | None,
        _codes(
            "--camera",
            "Codes for this kind of camera: 720p, 1080p, 4k, phone and others.",
            "KIND",
            completion.camera_kinds,
        ),
    ] = None,
    distance: Annotated[str, _codes("--distance", "How far the camera is, e.g. 40cm.", "LENGTH")] = "40cm",
    tags: Annotated[bool, _codes("--tags", "A tag besides the code on Story, Challenge and spell cards.")] = False,
    output: Annotated[Path, option("--output", "The folder for what is made.", "FOLDER")] = Path("output"),
    as_json: AsJson = False,
) -> None:
    """Print kits, components or a deck of your own as PDF files, one for each component."""
    from loomtable.printkit.files import check_folder
    from loomtable.printkit.kit import PrintSettings
    from loomtable.printkit.picking import picks_in
    from loomtable.printkit.sheet.cutting import CUT_FORMATS
    from loomtable.printkit.sheet.grid import DuplexMode
    from loomtable.printkit.sheet.imposition import Spacing
    from loomtable.printkit.sheet.labels import label_sheet_named
    from loomtable.printkit.sheet.marks import CropMarks, MarkedSides
    from loomtable.printkit.sheet.papers import card_size_named, chosen, paper_named, sleeve_named
    from loomtable.printkit.sheet.printer import printer_named

    refuse_conflicts(context)
    if list_:
        _list(as_json)
        return
    check_folder(output)
    if profile not in PROFILES:
        raise LoomtableError(f"there is no profile {profile[:40]!r}; choose from {', '.join(PROFILES)}")
    shop = _shop(for_)
    sheet = label_sheet_named(labels) if labels else None
    printer = printer or (setting("printer") if profile != "pro" and not for_ else None)
    settings = PrintSettings(
        paper=sheet.paper if sheet else paper_named(paper),
        labels=sheet,
        card_size=sleeve_named(sleeves) if sleeves else card_size_named(card_size),
        sides=chosen(sides, {s.value: s for s in DuplexMode}, "way of printing sides"),
        marks=chosen(marks, {m.value: m for m in CropMarks}, "kind of crop mark"),
        marked=chosen(marks_on, {m.value: m for m in MarkedSides}, "choice of sides for marks"),
        corners=corners,
        style=_style(style, profile),
        gutter=_gutter(gutter),
        spacing=chosen(spacing, {s.value: s for s in Spacing}, "spacing"),
        printer=printer_named(printer) if printer else None,
        press=_press(icc) if profile == "pro" else None,
        singly=single or profile == "pro",
        packed=packed,
        fillable=fillable,
        session=_session(store, session) if session else None,
        tags=tags,
        cut=chosen(cut, {form: form for form in CUT_FORMATS}, "form of cut file") if cut else "",
        registration=registration,
        spot_cut=spot_cut,
    )
    tell = warn if as_json else say
    components = _wanted(what or [], deck, template, _reader(camera, distance), settings, tell)
    components = _of_system(components, system, settings.session)
    picks = None if only is None else picks_in(only)
    with progress("Printing") as report:
        files = _backend(for_, shop, png, copies)(components, output, settings, only=picks, progress=report)
    _tell(files, settings, png is not None or for_ is not None, as_json)
    if shop and not as_json:
        say(f"What to order: {output / f'order-{shop.name}.txt'}")


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


def _press(icc: Path | None) -> Press:
    from loomtable.printkit.sheet.press import press_for

    return press_for(icc)


def _tell(files: list[PrintedFile], settings: PrintSettings, pictures: bool, as_json: bool) -> None:
    from loomtable.engine.kernel.wording import how_many

    if as_json:
        write_json(
            [{"file": str(f.path), "component": f.component, "pages": f.pages, "cards": f.cards} for f in files]
        )
        return
    for file in files:
        pieces = how_many(file.cards, "piece", "pieces")
        if pictures:
            say(f"{file.path}: {how_many(file.pages, 'picture', 'pictures')} of {pieces}")
        else:
            say(f"{file.path}: {pieces} on {how_many(file.pages, 'page', 'pages')}")
            for lines in file.cut_files:
                say(f"{lines}: its outlines")
    if settings.labels:
        say("Print at 100 %, with scaling off, and try it on plain paper first.")
    elif not pictures and not settings.singly:
        say("Print at 100 %, with scaling off; the ruler on each page must measure 100 mm.")


def _style(style: str | None, profile: str) -> Any:
    from loomtable.printkit.draw.palette import Style
    from loomtable.printkit.sheet.papers import chosen

    usual = Style.LOW_INK.value if profile == "low-ink" else Style.COLOUR.value
    return chosen(style or usual, {s.value: s for s in Style}, "style")


def _gutter(gutter: float) -> float:
    if not 0 <= gutter <= 50:
        raise LoomtableError(f"--gutter is 0 to 50 mm, not {gutter:g}")
    return gutter


def _reader(camera: str | None, distance: str) -> tuple[CameraKind, float] | None:
    from loomtable.printkit.draw.code_size import camera_named, distance_in

    return (camera_named(camera), distance_in(distance)) if camera else None


def _wanted(
    what: list[str],
    deck: Path | None,
    template: str | None,
    reader: tuple[CameraKind, float] | None,
    options: RenderOptions,
    tell: Callable[[str], None],
) -> list[Component]:
    """What is printed: components of ours, or a deck of one's own. ``tell`` says what a camera reads of it."""
    from loomtable.printkit.catalogue import components_named
    from loomtable.printkit.decks.own import own_deck
    from loomtable.printkit.errors import CodeUnreadable

    if deck is None:
        components = components_named(what)
        if reader:
            from loomtable.printkit.reach import what_is_read

            for line in what_is_read(components, options, *reader):
                tell(line)
        return components
    if what:
        raise LoomtableError("name kits and components, or give --deck, not both")
    try:
        return [own_deck(deck, template or "plain", reader)]
    except CodeUnreadable as error:
        tell(str(error))
        return [own_deck(deck, template or "plain")]


def _of_system(components: list[Component], system: str | None, session: Session[Any] | None) -> list[Component]:
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


def _session(store: str, name: str) -> Session[Any]:
    """A session from the store; or the end of a transcript, where the name is that of its file."""
    from loomtable.engine.kernel.transcript import replay
    from loomtable.engine.kernel.yamlfile import read_text
    from loomtable.engine.systems import SYSTEMS

    if Path(name).suffix.lower() in (".yaml", ".yml"):
        return replay(read_text(Path(name)), Path(name).name, SYSTEMS).session
    with open_kept(store) as journals:
        return kept_session(journals, name)


def _list(as_json: bool) -> None:
    from loomtable.printkit.catalogue import components, kits
    from loomtable.printkit.contents import contents_of

    known = components().values()
    if as_json:
        listed = [
            {"name": c.name, "description": c.description, "aliases": c.aliases, "contents": contents_of(c)}
            for c in known
        ]
        write_json({"kits": kits(), "components": listed})
        return
    say("Kits:", *(f"  {name:<20} {', '.join(parts)}" for name, parts in kits().items()), "", "Components:")
    for component in known:
        also = f" (also: {', '.join(component.aliases)})" if component.aliases else ""
        say(f"  {component.name:<20} {component.description}{also}", f"  {'':<20} {contents_of(component)}")
