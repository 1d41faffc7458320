"""What online shops take: pictures and files of their sizes, their order, and nothing of weight near the edge."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pikepdf
import pytest
from PIL import Image

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.catalogue import Component, components
from loomtable.printkit.draw.palette import BLACK, Colour
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen, Picture
from loomtable.printkit.draw.type import Font
from loomtable.printkit.errors import OutsideSafeZone, ShopPrintsNone, UnknownPrintName
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.picking import Pick, picks_in
from loomtable.printkit.pictures import padded
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.papers import CARD_SIZES, POKER, US_POKER, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard
from loomtable.printkit.shops import SHOPS, print_for_shop, shop_named
from tests.short import Loom, raises

FRAME = Colour.hex("FF0000")


def framed(words_at: tuple[float, float] = (20.0, 40.0), size: CardSize | None = None) -> Component:
    """A card that is red up to its bleed, black from the trim inwards, with a word."""

    def front(pen: Pen) -> None:
        pen.solid(rect(-9, -9, 200, 200), FRAME)
        pen.solid(rect(0, 0, 63, 88), BLACK)
        pen.text(*words_at, "Word", Font.LABEL, 9, FRAME)

    card = PrintedCard(None, "The Card", front, front, size)
    return Component("framed", "Framed", "", "test", lambda _: [card])


@pytest.mark.parametrize("shop", ["makeplayingcards", "printerstudio", "gamecrafter"])
def test_pictures_have_the_shops_pixels_and_lie_on_its_template(tmp_path: Path, shop: str) -> None:
    product = SHOPS[shop].products["poker"]
    print_for_shop([framed()], tmp_path, PrintSettings(), SHOPS[shop])
    [path] = (tmp_path / f"framed-{shop}" / "fronts").iterdir()
    with Image.open(path) as picture:
        assert picture.size == product.picture
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        seen = np.asarray(picture).astype(int)
    assert (seen[[0, -1]][:, :, 0] > 200).all() and (seen[:, [0, -1], 0] > 200).all(), "the bleed reaches the edge"
    black = seen.max(axis=2) < 60
    rows, columns = np.nonzero(black.any(axis=1))[0], np.nonzero(black.any(axis=0))[0]
    left = (product.picture[0] - product.trim.width / 25.4 * 300) / 2
    foot = (product.picture[1] - product.trim.height / 25.4 * 300) / 2
    assert columns[0] == pytest.approx(left, abs=1.5)
    assert product.picture[1] - 1 - rows[-1] == pytest.approx(foot, abs=1.5)


def test_numbered_copies_one_back_for_all_and_a_list(tmp_path: Path) -> None:
    story, counters = components()["story-cards"], components()["mana-counters"]
    picks = picks_in("S2x2,S5,mana-counters:1")
    print_for_shop([story, counters], tmp_path, PrintSettings(), shop_named("makeplayingcards"), only=picks)
    own = tmp_path / "story-cards-makeplayingcards"
    fronts = sorted(path.name for path in (own / "fronts").iterdir())
    assert [name[:6] for name in fronts] == ["001-S2", "002-S2", "003-S5"]
    assert [path.name for path in (own / "backs").iterdir()] == ["001-all.png"]
    with Image.open(own / "fronts" / fronts[2]) as picture:
        code = cv2.QRCodeDetector().detectAndDecode(np.array(picture))[0]
    assert code == ComponentId(Kind.STORY, 5).code
    order = (tmp_path / "order-makeplayingcards.txt").read_text("utf-8")
    assert "3 cards as 'Poker size, 63 x 88 mm'" in order and "it sells 18, which leaves 15 places empty" in order
    assert "Left out" in order and "mana-counters" in order
    assert "poker-deck" not in order
    print_for_shop([story], tmp_path, PrintSettings(), shop_named("gamecrafter"), only=picks_in("S2x2"))
    [only] = (tmp_path / "story-cards-gamecrafter" / "fronts").iterdir()
    assert only.stem.endswith("-x2")


@pytest.mark.parametrize("shop", ["makeplayingcards", "gamecrafter"])
@pytest.mark.parametrize("same", [False, True])
def test_a_back_has_the_number_of_its_front_where_one_card_has_none(tmp_path: Path, shop: str, same: bool) -> None:
    def face(colour: int) -> Callable[[Pen], None]:
        return lambda pen: pen.solid(rect(-9, -9, 200, 200), Colour.hex(f"{colour:06x}"))

    cards = [
        PrintedCard(None, f"Card {at}", face(at), None if at == 2 else face(99 if same else 20 + at))
        for at in range(1, 5)
    ]
    mixed = Component("mixed", "Mixed", "", "test", lambda _: cards)
    print_for_shop(
        [mixed],
        tmp_path,
        PrintSettings(),
        SHOPS[shop],
        only=[
            *(Pick(component="mixed", number=at) for at in (1, 2, 3)),
            Pick(component="mixed", number=4, copies=2),
        ],
    )
    names = [
        sorted(path.name[:3] for path in (tmp_path / f"mixed-{shop}" / side).iterdir())
        for side in ("fronts", "backs")
    ]
    last = ["004", "005"] if SHOPS[shop].repeats else ["004"]
    assert names == [["001", "002", "003", *last], ["001", "003", *last]]


def test_a_file_with_backs_first_and_an_eighth_of_an_inch_of_bleed(tmp_path: Path) -> None:
    def coloured() -> Component:
        whole = rect(-3, -3, 80, 100)
        card = PrintedCard(None, "c", lambda pen: pen.solid(whole, FRAME), lambda pen: pen.solid(whole, BLACK))
        return Component("c", "C", "", "test", lambda _: [card])

    print_for_shop([coloured()], tmp_path, PrintSettings(), shop_named("drivethrucards"))
    path = tmp_path / "c-drivethrucards" / "c.pdf"
    content = path.read_bytes()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        assert len(pdf.pages) == 2
        for page in pdf.pages:
            assert [float(v) for v in page.mediabox] == pytest.approx([0, 0, 198, 270], abs=0.02)
            assert [float(v) for v in page.obj["/TrimBox"]] == pytest.approx([9, 9, 189, 261], abs=0.02)
            assert not page.obj.get("/Resources", {}).get("/ExtGState"), "no transparency"
        assert pdf.pdf_version == "1.4" and str(pdf.docinfo["/GTS_PDFXVersion"]) == "PDF/X-1a:2003"
        assert {"/Title", "/CreationDate", "/ModDate", "/Trapped"} <= set(pdf.docinfo.keys()) and pdf.trailer.ID
        assert str(pdf.docinfo["/Subject"]) == "63.5 x 88.9 mm, each with 3.175 mm of bleed"
        assert b"PDF/X-1a:2003</pdfxid" in pdf.Root.Metadata.read_bytes()
    back, front = render_page(content, 0, 72).astype(int), render_page(content, 1, 72).astype(int)
    assert back[..., 0].max() < 120 and front[..., 0].min() > 150
    assert US_POKER.width == pytest.approx(63.5)


def test_clear_parts_of_a_picture_need_the_newer_form_of_press_file(tmp_path: Path) -> None:
    glass = Picture(Image.new("RGBA", (300, 300), (200, 0, 0, 90)))
    card = PrintedCard(None, "c", lambda pen: pen.picture(glass, (20, 20, 20, 20)), lambda pen: None)
    print_for_shop(
        [Component("c", "C", "", "test", lambda _: [card])], tmp_path, PrintSettings(), SHOPS["drivethrucards"]
    )
    with pikepdf.open(tmp_path / "c-drivethrucards" / "c.pdf") as pdf:
        assert (pdf.pdf_version, str(pdf.docinfo["/GTS_PDFXVersion"])) == ("1.6", "PDF/X-4")


def test_cards_of_tarot_size_are_ordered_as_such(tmp_path: Path) -> None:
    print_for_shop(
        [components()["weaving-dice-cards"]], tmp_path, PrintSettings(), SHOPS["makeplayingcards"],
        only=picks_in("weaving-dice-cards:1-2"),
    )  # fmt: skip
    for path in (tmp_path / "weaving-dice-cards-makeplayingcards").rglob("*.png"):
        with Image.open(path) as picture:
            assert picture.size == (897, 1497)
    assert SHOPS["makeplayingcards"].products["tarot"].safe == (753, 1353), "cut 36 pixels, safe a further 36"


def test_a_shops_numbers_of_cards_are_said() -> None:
    said = SHOPS["makeplayingcards"].ordered
    assert [said(count) for count in (18, 612)] == ["", ""]
    assert said(54) == "; it sells 55, which leaves 1 place empty"
    assert "at most 612 at once" in said(613) and not SHOPS["gamecrafter"].ordered(5)


@pytest.mark.parametrize("words_at", [(1.5, 40), (55, 40), (30, 1.5), (30, 84)])
def test_words_near_any_edge_are_refused_with_card_and_words_and_nothing_is_written(
    tmp_path: Path, words_at: tuple[float, float]
) -> None:
    with pytest.raises(OutsideSafeZone, match=r"The Card, front: '\w+' stands \d\.\d mm outside of .*Poker Deck"):
        print_for_shop([framed(words_at)], tmp_path, PrintSettings(), shop_named("gamecrafter"))
    assert not list(tmp_path.iterdir())


def test_sizes_that_a_shop_does_not_print_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ShopPrintsNone, match=r"we know no template of MakePlayingCards for the size mini; .* --png 300"
    ):
        print_for_shop(
            [framed()], tmp_path, PrintSettings(card_size=CARD_SIZES["mini"]), shop_named("makeplayingcards")
        )
    coin = framed(size=CardSize("coin", 25, 25, 12.5))
    with pytest.raises(ShopPrintsNone, match="none of these are cards of a size for which we know a template"):
        print_for_shop([coin], tmp_path, PrintSettings(), shop_named("makeplayingcards"))
    raises(UnknownPrintName, "choose from makeplayingcards", shop_named, "corner shop")
    assert POKER.name in SHOPS["drivethrucards"].products
    for shop in SHOPS.values():
        for name, product in shop.products.items():
            assert name in CARD_SIZES and product.trim == CARD_SIZES[product.trim.name]


def test_padding_carries_the_edge_on_and_cutting_takes_both_sides() -> None:
    picture = Image.fromarray(np.arange(12, dtype=np.uint8).repeat(3).reshape(3, 4, 3))
    wide = np.asarray(padded(picture, (6, 3)))[..., 0]
    assert wide[0].tolist() == [0, 0, 1, 2, 3, 3]
    assert np.asarray(padded(picture, (2, 3)))[0, :, 0].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("shop", "made"), [("drivethrucards", "1 file of 1 piece"), ("gamecrafter", "2 pictures of 1 piece")]
)
def test_it_is_said_what_was_made(tmp_path: Path, loom: Loom, shop: str, made: str) -> None:
    heard = loom("print", "story", "--only", "S1", "--for", shop, "--output", tmp_path).out
    assert f"story-cards-{shop}: {made}\n" in heard
