"""``loom print``: cards, sheets, maps and tokens on paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands.output import DEFAULT_STORE, AsJson, StoreAt, progress, say, write_json

if TYPE_CHECKING:
    from loomtable.engine.kernel.session import Session
    from loomtable.printkit.catalogue import Component, RenderOptions
    from loomtable.printkit.draw.code_size import CameraKind
    from loomtable.printkit.kit import PrintedFile, PrintSettings

PROFILES = ("home", "low-ink", "pro")


def print_(
    what: Annotated[
        list[str] | None, typer.Argument(help="Kits or components; --list shows them.", show_default=False)
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="List the kits and components that can be printed.")
    ] = False,
    paper: Annotated[str, typer.Option("--paper", help="a4, letter or a3.")] = "a4",
    card_size: Annotated[
        str, typer.Option("--card-size", help="poker (63 x 88 mm), us-poker, bridge, tarot, mini and others.")
    ] = "poker",
    sleeves: Annotated[
        str | None, typer.Option("--sleeves", help="Cards that fit these sleeves, e.g. mini-european.")
    ] = None,
    sides: Annotated[
        str, typer.Option("--sides", help="long-edge, short-edge, gutterfold or fronts-only.")
    ] = "long-edge",
    marks: Annotated[str, typer.Option("--marks", help="Crop marks: none, corner, edge or full.")] = "corner",
    marks_on: Annotated[str, typer.Option("--marks-on", help="Marked sides: front, back or both.")] = "both",
    corners: Annotated[bool, typer.Option("--corners", help="Draw guides for rounding corners.")] = False,
    spacing: Annotated[
        str,
        typer.Option("--spacing", help="shared: one cut between neighbours; each: every card its whole bleed."),
    ] = "shared",
    gutter: Annotated[float, typer.Option("--gutter", help="Space between cards in mm.")] = 0.0,
    profile: Annotated[
        str, typer.Option("--profile", help="home, low-ink, or pro: inks of a press, PDF/X-4, one face a page.")
    ] = "home",
    style: Annotated[str | None, typer.Option("--style", help="colour, low-ink or grey.")] = None,
    icc: Annotated[Path | None, typer.Option("--icc", help="The press's ICC profile, for --profile pro.")] = None,
    single: Annotated[bool, typer.Option("--single", help="One face a page: front, back, front, back.")] = False,
    packed: Annotated[
        bool, typer.Option("--packed", help="Everything in one file, sizes mixed on the same pages.")
    ] = False,
    png: Annotated[int | None, typer.Option("--png", help="A PNG picture of each face, at this dpi.")] = None,
    printer: Annotated[
        str | None, typer.Option("--printer", help="Undo this printer's misprint (loom calibrate printer).")
    ] = None,
    only: Annotated[str | None, typer.Option("--only", help="Only these, e.g. S3,S7x2 or story:3,7-9.")] = None,
    copies: Annotated[int, typer.Option("--copies", help="How many of each.")] = 1,
    fillable: Annotated[bool, typer.Option("--fillable", help="Sheets with fields to type into.")] = False,
    session: Annotated[
        str | None, typer.Option("--session", help="Fill sheets from this session, or from a transcript's file.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", help="Only what belongs to this game; --session implies its own.")
    ] = None,
    store: StoreAt = DEFAULT_STORE,
    deck: Annotated[Path | None, typer.Option("--deck", help="A deck of your own: a CSV or YAML file.")] = None,
    template: Annotated[str | None, typer.Option("--template", help="The card template of your own deck.")] = None,
    camera: Annotated[
        str | None, typer.Option("--camera", help="Codes for this camera: 720p, 1080p, 4k, phone and others.")
    ] = None,
    distance: Annotated[str, typer.Option("--distance", help="How far the camera is, e.g. 40cm.")] = "40cm",
    tags: Annotated[
        bool, typer.Option("--tags", help="A tag besides the code on Story, Challenge and spell cards.")
    ] = False,
    output: Annotated[Path, typer.Option("--output", help="The folder for what is made.")] = Path("output"),
    as_json: AsJson = False,
) -> None:
    """Print kits, components or a deck of your own as PDF files, one for each component."""
    from loomtable.printkit.kit import PrintSettings, print_components
    from loomtable.printkit.picking import picks_in
    from loomtable.printkit.pictures import print_pictures
    from loomtable.printkit.sheet.grid import DuplexMode
    from loomtable.printkit.sheet.imposition import Spacing
    from loomtable.printkit.sheet.marks import CropMarks, MarkedSides
    from loomtable.printkit.sheet.papers import card_size_named, chosen, paper_named, sleeve_named
    from loomtable.printkit.sheet.press import press_for
    from loomtable.printkit.sheet.printer import printer_named

    if list_:
        _list(as_json)
        return
    if profile not in PROFILES:
        raise LoomtableError(f"there is no profile {profile[:40]!r}; choose from {', '.join(PROFILES)}")
    if icc and profile != "pro":
        raise LoomtableError("--icc belongs to --profile pro")
    if fillable and profile == "pro":
        raise LoomtableError("--fillable is for screens, and a press prints no fields; leave one of the two out")
    settings = PrintSettings(
        paper=paper_named(paper),
        card_size=sleeve_named(sleeves) if sleeves else card_size_named(card_size),
        sides=chosen(sides, {s.value: s for s in DuplexMode}, "way of printing sides"),
        marks=chosen(marks, {m.value: m for m in CropMarks}, "kind of crop mark"),
        marked=chosen(marks_on, {m.value: m for m in MarkedSides}, "choice of sides for marks"),
        corners=corners,
        style=_style(style, profile),
        gutter=_gutter(gutter),
        spacing=chosen(spacing, {s.value: s for s in Spacing}, "spacing"),
        printer=printer_named(printer) if printer else None,
        press=press_for(icc) if profile == "pro" else None,
        singly=single or profile == "pro",
        packed=packed,
        fillable=fillable,
        session=_session(store, session) if session else None,
        tags=tags,
    )
    reader = _reader(camera, distance)
    components = _of_system(
        _wanted(what or [], deck, template, reader, settings.render_options), system, settings.session
    )
    picks = None if only is None else picks_in(only)
    with progress("Printing") as report:
        if png is None:
            files = print_components(components, output, settings, only=picks, copies=copies, progress=report)
        else:
            files = print_pictures(components, output, settings, png, only=picks, progress=report)
    _tell(files, settings, png is not None, as_json)


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
    if not pictures and not settings.singly:
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
) -> list[Component]:
    """What is printed: components of ours, or a deck of one's own."""
    from loomtable.printkit.catalogue import components_named
    from loomtable.printkit.decks.own import own_deck
    from loomtable.printkit.reach import what_is_read

    if deck is None:
        if template:
            raise LoomtableError("--template belongs to --deck")
        components = components_named(what)
        if reader:
            say(*what_is_read(components, options, *reader))
        return components
    if what:
        raise LoomtableError("name kits and components, or give --deck, not both")
    return [own_deck(deck, template or "plain", reader)]


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
        raise LoomtableError(f"nothing of what was named belongs to {game}; loom print --list shows what does")
    return kept


def _session(store: str, name: str) -> Session[Any]:
    """A session from the store; or the end of a transcript, where the name is that of its file."""
    from loomtable.engine.kernel.session import Session
    from loomtable.engine.kernel.transcript import replay
    from loomtable.engine.kernel.yamlfile import read_text
    from loomtable.engine.systems import SYSTEMS
    from loomtable.table.store import is_file, open_store

    if Path(name).suffix.lower() in (".yaml", ".yml"):
        return replay(read_text(Path(name)), Path(name).name, SYSTEMS).session
    if is_file(store) and not Path(store).exists():
        raise LoomtableError(f"{store}: there is no such file of journals; name yours with --store")
    with open_store(store) as journals:
        names = journals.sessions()
        if name not in names:
            raise LoomtableError(f"{store}: holds no session {name!r}; it holds {', '.join(names) or 'none'}")
        return Session.resume(SYSTEMS, journals.journal(name))


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
