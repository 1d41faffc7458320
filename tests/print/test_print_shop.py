"""What a print shop is asked for: mixed sizes, single faces, pictures, copies, the same bytes, clean files."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.catalogue import Component, RenderOptions, components, components_named, kits
from loomtable.printkit.contents import contents_of
from loomtable.printkit.draw.palette import BLACK, Style
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import TAG_MODULES, TAGS, draw_tag, tag_modules
from loomtable.printkit.draw.type import Font, fit_line
from loomtable.printkit.errors import CopiesInvalid, NoSuchCard, PrintError, TextTooLong, UnknownPrintName
from loomtable.printkit.kit import PrintSettings, print_components, print_kit
from loomtable.printkit.picking import chosen_pieces, picks_in
from loomtable.printkit.pictures import print_pictures
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.grid import DuplexMode, page_area
from loomtable.printkit.sheet.imposition import ImpositionOptions, lay_out
from loomtable.printkit.sheet.marks import CropMarks
from loomtable.printkit.sheet.papers import A3, A4, BLEED, CARD_SIZES, LETTER, SLEEVES, CardSize, Paper
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece, PrintedCard, PrintedPage
from loomtable.printkit.sheet.press import press_for
from loomtable.printkit.virtual import print_for_screens
from tests.print.plain_cards import COIN, cards, nothing
from tests.print.sheet_reading import words
from tests.short import raises


@given(
    st.lists(st.tuples(st.floats(8, 120), st.floats(8, 180)), min_size=1, max_size=40),
    st.sampled_from([A4, LETTER, A3]),
)
@settings(max_examples=60, deadline=None)
def test_packed_cards_keep_apart_and_none_is_lost(sides: list[tuple[float, float]], paper: Paper) -> None:
    sizes = [CardSize(f"size {at}", width, height) for at, (width, height) in enumerate(sides)]
    pieces: list[Piece] = [PrintedCard(None, size.name, nothing, None, size) for size in sizes]
    pages = lay_out(pieces, ImpositionOptions(paper))
    shown = [placement.piece for page in pages for placement in page.placements]
    assert sorted(piece.name for piece in shown) == sorted(size.name for size in sizes)
    for page in pages:
        slots = page.layout.slots()
        for at, slot in enumerate(slots):
            assert slot.x >= 5 and slot.y >= 5
            assert slot.right <= page.layout.page_width - 5 and slot.top <= page.layout.page_height - 5
            bled = page.layout.with_bleed(at, set(range(len(slots))))
            assert not any(bled.overlaps(other) for n, other in enumerate(slots) if n != at)


def test_single_faces_come_front_back_with_their_bleed(tmp_path: Path) -> None:
    only = [ComponentId(Kind.STORY, 3), ComponentId(Kind.STORY, 8)]
    [file] = print_kit(["story"], tmp_path, PrintSettings(singly=True), only=only)
    assert file.pages == 4
    with pikepdf.open(file.path) as pdf:
        for page in pdf.pages:
            assert [float(v) * 25.4 / 72 for v in page.mediabox] == pytest.approx([0, 0, 69, 94], abs=0.01)
            assert [float(v) * 25.4 / 72 for v in page.obj["/TrimBox"]] == pytest.approx([3, 3, 66, 91], abs=0.01)
        with pdf.open_outline() as outline:
            assert [entry.title for entry in outline.root][:2] == ["The Loom, front", "The Loom, back"] or (
                outline.root[0].title.endswith("front") and outline.root[1].title.endswith("back")
            )
    found, *_ = cv2.QRCodeDetector().detectAndDecode(render_page(file.path, 0, 200))
    assert found == only[0].code


def test_pictures_of_faces(tmp_path: Path) -> None:
    [folder] = print_pictures(
        [components()["story-cards"]], tmp_path, PrintSettings(), 150, only=[ComponentId(Kind.STORY, 9)]
    )
    names = sorted(path.name for path in folder.path.iterdir())
    assert names == ["S9-the-key-back.png", "S9-the-key-front.png"]
    with Image.open(folder.path / names[1]) as picture:
        assert picture.size == (round(69 / 25.4 * 150), round(94 / 25.4 * 150)) or abs(picture.width - 407) <= 1
        assert cv2.QRCodeDetector().detectAndDecode(np.array(picture))[0] == ComponentId(Kind.STORY, 9).code
    with pytest.raises(PrintError, match="72 to 1200"):
        print_pictures([components()["story-cards"]], tmp_path, PrintSettings(), 5000)


@pytest.mark.parametrize(
    "print_all", [partial(print_pictures, dpi=150), partial(print_for_screens, saved_object=False)]
)
def test_an_error_half_way_leaves_no_picture(print_all: Callable[..., object], tmp_path: Path) -> None:
    def too_long(pen: Pen) -> None:
        fit_line("a title that no card is wide enough for", Font.TITLE, 10, 12, 10, "the last card")

    first = Component("first", "First", "", "test", lambda _: cards(3))
    last = Component("last", "Last", "", "test", lambda _: [*cards(2), PrintedCard(None, "last", too_long)])
    raises(TextTooLong, "the last card", print_all, [first, last], tmp_path / "out", PrintSettings())
    assert not (tmp_path / "out").exists()


def test_components_are_made_only_where_the_card_may_be_among_them() -> None:
    made: list[str] = []

    def noted(component: Component) -> Component:
        def pieces(options: RenderOptions) -> Sequence[Piece]:
            made.append(component.name)
            return component.pieces(options)

        return msgspec.structs.replace(component, pieces=pieces)

    kit = [noted(component) for component in components_named(["weave"], whole=True)]
    for only, asked in (("S7", ["story-cards"]), ("story:7,C3", ["story-cards", "challenge-cards"])):
        chosen_pieces(kit, RenderOptions(), only, 1)
        assert made == asked
        made.clear()


def test_components_say_what_codes_their_pieces_have() -> None:
    for component in components().values():
        pieces = component.pieces(RenderOptions())
        ids = [one for piece in pieces for one in (piece.id, getattr(piece, "back_id", None)) if one is not None]
        assert {one.kind for one in ids} == set(component.kinds), component.name


def test_picking_cards_and_copies(tmp_path: Path) -> None:
    picks = picks_in("story:3,7-8x2, C1")
    [story, challenge] = print_kit(["story", "challenge"], tmp_path, only=picks)
    assert (story.cards, challenge.cards) == (5, 1)
    [twice] = print_kit(["story"], tmp_path, only=picks_in("S3x2"), copies=3)
    assert twice.cards == 6
    raises(NoSuchCard, "story-cards:40 is not among", print_kit, ["story"], tmp_path, only=picks_in("story:40"))
    raises(NoSuchCard, "names no card", picks_in, "story:?")
    raises(UnknownPrintName, "'stroy'", picks_in, "stroy:3")
    raises(CopiesInvalid, "x900", picks_in, "S3x900")
    for place in ("S3x", "story:1x", "story:1-", "story:", "S"):
        raises(NoSuchCard, "names no card", picks_in, place + "9" * 5000)


@pytest.mark.parametrize(
    ("wanted", "copies"),
    [("S3x2,S3x2", 4), ("S3x2,S3x3", 5), ("S3x2,story:3x2", 4), ("S3,S3", 1), ("S3,story:3", 1), ("S3,S3x2", 3)],
)
def test_copies_of_one_card_add_up_however_it_is_named(wanted: str, copies: int) -> None:
    [(_, held)] = chosen_pieces([components()["story-cards"]], PrintSettings(), wanted, 1)
    assert [str(piece.id) for piece in held] == ["S3"] * copies


def test_everything_that_is_declared_prints_and_says_what_it_holds() -> None:
    assert set(kits()["everything"]) == {name for name, one in components().items() if one.in_kits}
    for component in components().values():
        assert re.match(r"\d+ ", contents_of(component))
        assert not {*components(), *kits()}.intersection(component.aliases), "an alias is no other thing's name"


def test_sizes_and_sleeves_all_fit_every_paper() -> None:
    for size, paper in product([*CARD_SIZES.values(), *SLEEVES.values()], (A4, LETTER, A3)):
        for sides in (DuplexMode.LONG_EDGE, DuplexMode.GUTTERFOLD):
            if sides is DuplexMode.GUTTERFOLD and size.height > 130 and paper is not A3:
                continue
            pages = lay_out(cards(1, size), ImpositionOptions(paper, sides=sides))
            layout = pages[0].layout
            assert max(layout.block.x, layout.block.y) - BLEED > 7.3


def test_tags_are_what_a_reader_of_tags_finds() -> None:
    wanted = [0, 5, 571, TAGS - 1]

    def draw(pen: Pen) -> None:
        for at, number in enumerate(wanted):
            draw_tag(pen, number, 10 + 35 * at, 10, 20)

    pdf = pages_to_pdf(
        lay_out([PrintedPage(None, "tags", draw)], ImpositionOptions()),
        PrintSettings(style=Style.LOW_INK).sheets("tags"),
    )
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number in range(TAGS):
        assert np.array_equal(tag_modules(number), dictionary.generateImageMarker(number, TAG_MODULES) < 128)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(render_page(pdf, 0, 100))
    assert sorted(int(number) for number in numbers.ravel()) == wanted
    area = page_area(A4)
    first = corners[int(np.flatnonzero(numbers.ravel() == 0)[0])][0]
    assert first[0] / 100 * 25.4 == pytest.approx([area.x + 10, A4.height - area.y - 30], abs=0.3)


def test_files_are_the_same_bytes_in_every_mode(tmp_path: Path) -> None:
    mixed = Component("mixed", "Mixed", "", "test", lambda _: [*cards(3), *cards(4, COIN)])
    for chosen in (
        PrintSettings(sides=DuplexMode.GUTTERFOLD, marks=CropMarks.FULL),
        PrintSettings(press=press_for(), singly=True),
        PrintSettings(packed=True, corners=True),
        PrintSettings(cut="svg", spot_cut=True),
        PrintSettings(cut="dxf"),
    ):
        one, other = (
            [
                path.read_bytes()
                for f in print_components([mixed], tmp_path / to, chosen)
                for path in (f.path, *f.cut_files)
            ]
            for to in ("one", "other")
        )
        assert one == other


def test_hygiene_holds_for_pages_tiles_and_folds(tmp_path: Path) -> None:
    def draw(pen: Pen) -> None:
        pen.solid(rect(10, 10, 30, 30), BLACK)

    whole = Component("page", "Page", "", "test", lambda _: [PrintedPage(None, "page", draw, draw)])
    folded = Component("card", "Card", "", "test", lambda _: [PrintedCard(None, "card", draw, draw)])
    large = Component("map", "Map", "", "test", lambda _: [LargeDrawing(None, "map", 400, 300, draw)])
    for component, sides, hint in (
        (whole, DuplexMode.LONG_EDGE, "/DuplexFlipLongEdge"),
        (large, DuplexMode.LONG_EDGE, "/Simplex"),
        (folded, DuplexMode.GUTTERFOLD, "/Simplex"),
    ):
        [file] = print_components([component], tmp_path, PrintSettings(sides=sides))
        with pikepdf.open(io.BytesIO(file.path.read_bytes())) as pdf:
            assert str(pdf.Root["/ViewerPreferences"]["/PrintScaling"]) == "/None"
            assert str(pdf.Root["/ViewerPreferences"]["/Duplex"]) == hint
            assert str(pdf.Root["/Lang"]) == "en-GB"
            with pdf.open_outline() as outline:
                assert len(outline.root) == file.pages
            for page in pdf.pages:
                text = page.obj["/Contents"].read_bytes()
                assert b"Do" in text, "the ruler stands on every sheet"


def test_packing_many_components_with_long_titles_into_one_file(tmp_path: Path) -> None:
    parts = [
        Component(f"part-{at}", f"A deck with a rather long title of words, {at}", "", "test", lambda _: cards(1))
        for at in range(40)
    ]
    [file] = print_components(parts, tmp_path, PrintSettings(packed=True))
    assert file.cards == 40
    with pikepdf.open(file.path) as pdf:
        assert str(pdf.docinfo["/Title"]) == "A deck with a rather long title of words, 0, and 39 more components"


def test_whole_pages_and_maps_for_a_press_have_bleed_and_nothing_of_home(tmp_path: Path) -> None:
    def draw(pen: Pen) -> None:
        pen.solid(rect(-20, -20, 500, 500), BLACK)

    parts = [
        Component("page", "Page", "", "test", lambda _: [PrintedPage(None, "page", draw)]),
        Component("map", "Map", "", "test", lambda _: [LargeDrawing(None, "map", 400, 300, draw)]),
    ]
    page, large = print_components(parts, tmp_path, PrintSettings(press=press_for(), singly=True))
    for file, trim in ((page, (210, 297)), (large, (400, 300))):
        assert file.pages == 1
        with pikepdf.open(file.path) as pdf:
            [only] = pdf.pages
            size = [float(v) * 25.4 / 72 for v in only.mediabox]
            assert size == pytest.approx([0, 0, trim[0] + 6, trim[1] + 6], abs=0.01)
            box = [float(v) * 25.4 / 72 for v in only.obj["/TrimBox"]]
            assert box == pytest.approx([3, 3, trim[0] + 3, trim[1] + 3], abs=0.01)
            assert str(pdf.docinfo["/Subject"]) == f"{trim[0]} x {trim[1]} mm, each with 3 mm of bleed"
        assert words(file.path, 0).strip() == ""
    picture = render_page(large.path, 0, 36)
    assert int(picture[3:-3, 3:-3].max()) < 90, "the map fills its bleed"


def test_the_subject_says_how_the_file_is_really_printed(tmp_path: Path) -> None:
    one_sided = Component("one", "One", "", "test", lambda _: [PrintedCard(None, "card", nothing)])
    both = Component("both", "Both", "", "test", lambda _: cards(1))
    for part, settings_, said in (
        (one_sided, PrintSettings(), "A4, fronts only; print at 100 %, scaling off"),
        (both, PrintSettings(), "A4, duplex, long edge; print at 100 %, scaling off"),
        (both, PrintSettings(singly=True), "63 x 88 mm, each with 3 mm of bleed"),
    ):
        [file] = print_components([part], tmp_path, settings_)
        with pikepdf.open(file.path) as pdf:
            assert str(pdf.docinfo["/Subject"]) == said
