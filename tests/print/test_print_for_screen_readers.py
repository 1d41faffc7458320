"""What a screen reader finds in printed files: all of it, in the order in which people read, pictures by name."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from typing import Any

import pikepdf
import pytest

from loomtable.printkit.catalogue import components_named
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.picking import chosen_pieces
from loomtable.printkit.sheet.document import MOST_BOOKMARKS, pages_to_pdf
from loomtable.printkit.sheet.grid import DuplexMode
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.press import press_for
from tests.print.pdf_ua import broken_rules
from tests.tiers import mostly

BOOKLET = "the-bell-of-hollow-pass-booklet"
READ = [
    ("weave-sheet", False),
    ("weave-sheet", True),
    ("mnemonic-journal", True),
    ("weave-reference", False),
    ("weaving-dice-cards", False),
    ("spellwoven-screen", False),
    ("the-salt-road-who-is-who", False),
    (BOOKLET, False),
    ("story-cards", False),
    ("combat-maps", False),
]
PAINTS = {"f", "f*", "B", "B*", "S", "s", "b", "b*", "Tj", "TJ", "'", "Do", "sh", "INLINE IMAGE"}


@cache
def printed(name: str, fillable: bool = False) -> bytes:
    settings = PrintSettings(fillable=fillable)
    [component] = components_named([name])
    [(_, pieces)] = chosen_pieces([component], settings, None, 1)
    pages = lay_out(pieces, settings)
    return pages_to_pdf(pages, settings.sheets(component.title))


def opened(name: str, fillable: bool = False) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(printed(name, fillable)))


def kids_of(element: Any) -> list[Any]:
    kids = element.get("/K")
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def elements_of(element: Any) -> Iterator[Any]:
    """The element and everything in it, in the order in which it is read."""
    yield element
    for kid in kids_of(element):
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield from elements_of(kid)


def read_in(pdf: pikepdf.Pdf, *kinds: str) -> list[Any]:
    return [one for one in elements_of(pdf.Root.StructTreeRoot.K) if str(one.S)[1:] in kinds]


def marked(page: pikepdf.Page) -> Iterator[tuple[str, int | None]]:
    """For whatever puts ink on a page: the tag that it stands in, and its number there."""
    around: list[tuple[str, int | None]] = []
    for operands, operator in pikepdf.parse_content_stream(page):
        sign = str(operator)
        if sign in ("BMC", "BDC"):
            number = operands[1].get("/MCID") if sign == "BDC" else None
            around.append((str(operands[0])[1:], None if number is None else int(number)))
            assert len(around) == 1, "tags stand within one another"
        elif sign == "EMC":
            around.pop()
        elif sign in PAINTS:
            yield around[0]
    assert not around


@pytest.mark.parametrize(("name", "fillable"), mostly(READ, READ[1:2] + READ[7:8]))
def test_files_keep_every_rule_of_pdf_ua_that_a_program_can_check(name: str, fillable: bool) -> None:
    assert broken_rules(printed(name, fillable)) == set()


def test_the_check_finds_a_file_without_tags() -> None:
    settings = PrintSettings(press=press_for(), singly=True)
    [component] = components_named(["coin-tokens"])
    pages = lay_out(component.pieces(settings), settings)
    broken = {rule.split(":")[0] for rule in broken_rules(pages_to_pdf(pages, settings.sheets("coins")))}
    assert {"6.2-1", "7.1-3", "7.1-11"} <= broken


@pytest.mark.parametrize(("name", "fillable"), mostly(READ, READ[1:2] + READ[7:8]))
def test_all_ink_is_in_the_tree_or_an_artifact_and_the_tree_knows_its_pages(name: str, fillable: bool) -> None:
    with opened(name, fillable) as pdf:
        root = pdf.Root.StructTreeRoot
        assert pdf.Root.MarkInfo.Marked
        numbers = list(root.ParentTree.Nums)
        parents = {int(key): value for key, value in zip(numbers[::2], numbers[1::2], strict=True)}
        for page in pdf.pages:
            known = parents[int(page.obj.StructParents)]
            assert str(page.obj.Tabs) == "/S"
            used = {number: tag for tag, number in marked(page) if tag != "Artifact"}
            assert sorted(number for number in used if number is not None) == list(range(len(known)))
            for number, element in enumerate(known):
                assert str(element.S)[1:] == used[number]
                assert element.Pg.objgen == page.obj.objgen
                assert number in [kid for kid in kids_of(element) if isinstance(kid, int)]
            for widget in page.obj.get("/Annots", []):
                form = parents[int(widget.StructParent)]
                assert str(form.S) == "/Form"
                assert form.K.Obj.objgen == widget.objgen
                assert str(widget.T)
                assert str(widget.TU)


def test_fields_stand_among_the_words_that_name_them() -> None:
    with opened("weave-sheet", fillable=True) as pdf:
        kinds = [str(one.S)[1:] for one in read_in(pdf, "H1", "H2", "P", "Form")]
        assert kinds[:6] == ["H1", "P", "P", "Form", "P", "Form"]


def test_a_booklet_is_read_from_its_first_page_to_its_last() -> None:
    with opened(BOOKLET) as pdf:
        titles = [str(section["/T"]) for section in read_in(pdf, "Sect")]
        assert titles == [f"Page {number}" for number in range(1, len(titles) + 1)]
        first, last = read_in(pdf, "Sect")[0], read_in(pdf, "Sect")[-1]
        assert kids_of(first)[0].Pg.objgen == kids_of(last)[0].Pg.objgen == pdf.pages[0].obj.objgen


def test_headings_begin_with_the_first_level_and_leave_none_out() -> None:
    for name, fillable in READ:
        with opened(name, fillable) as pdf:
            levels = [int(str(one.S)[2:]) for one in read_in(pdf, "H1", "H2")]
            assert all(later - before <= 1 for before, later in zip([0, *levels], levels, strict=False)), name


def test_words_that_are_kept_once_and_shown_four_times_are_read_each_time() -> None:
    with opened("weave-reference") as pdf:
        spoken = [str(one.ActualText) for one in read_in(pdf, "P") if "/ActualText" in one]
        assert len(spoken) == 8
        assert len(set(spoken)) == 2
        assert "the rules in short" in spoken[0]


def test_a_card_is_one_picture_with_its_name_and_code() -> None:
    with opened("story-cards") as pdf:
        names = [str(figure.Alt) for figure in read_in(pdf, "Figure")]
    assert names[0] == "The Lantern (S1)"
    assert sum(name.endswith(", back") for name in names) == len(names) // 2 == 22


def test_pages_are_labelled_by_sheet_and_side() -> None:
    with opened("story-cards") as pdf:
        assert [page.label for page in pdf.pages][:4] == ["1 fronts", "1 backs", "2 fronts", "2 backs"]
    settings = PrintSettings(sides=DuplexMode.FRONTS_ONLY)
    [component] = components_named(["story-cards"])
    pages = lay_out(component.pieces(settings), settings)
    with pikepdf.open(io.BytesIO(pages_to_pdf(pages, settings.sheets("cards")))) as pdf:
        assert [page.label for page in pdf.pages] == ["1", "2", "3"]


def test_a_file_of_very_many_cards_stays_small_and_has_no_tree() -> None:
    settings = PrintSettings()
    [component] = components_named(["coin-tokens"])
    [coin, *_] = component.pieces(settings)
    pages = lay_out([coin] * (MOST_BOOKMARKS + 1), settings)
    with pikepdf.open(io.BytesIO(pages_to_pdf(pages, settings.sheets("coins")))) as pdf:
        assert "/StructTreeRoot" not in pdf.Root
        assert "/MarkInfo" not in pdf.Root
