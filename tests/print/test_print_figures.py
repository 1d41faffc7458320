"""Standees and tokens on paper: outlines that meet when folded, tags that lead back to the figure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.tags import tag_of
from loomtable.engine.kernel.yamlfile import read_text
from loomtable.engine.storm_weavers.adventure import Adventure, parse_adventure
from loomtable.engine.storm_weavers.plans import Enemy
from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.components.figure import FLAP, STAND, STANDEE, draw_standee
from loomtable.printkit.components.figure_file import Figure, figures, parse_figures
from loomtable.printkit.draw.art import art_named, art_names
from loomtable.printkit.draw.palette import INK, Style
from loomtable.printkit.errors import GlyphMissing, TextTooLong, UnknownMotif
from loomtable.printkit.games.woven.mages import MAGES, draw_emblem
from loomtable.printkit.raster import picture_of
from loomtable.printkit.sheet.pieces import PrintedCard
from tests.print.drawn_cards import drawn, faces, same_pictures
from tests.print.second_reader import read_tags
from tests.short import raises

SIZE = (STANDEE.width, STANDEE.height)
HEAD = "title: T\nlicence: L\nfigures:\n"


def pieces_of(*names: str) -> list[PrintedCard]:
    return [
        piece
        for name in names
        for piece in components()[name].pieces(RenderOptions())
        if isinstance(piece, PrintedCard)
    ]


def test_thymin_and_every_enemy_of_the_installed_adventures_have_figures() -> None:
    named = {figure.name for figure in figures()}
    met = {
        enemy.name
        for path in sorted(package_file("templates", "storm_weavers", "adventures").glob("*.yaml"))
        for enemy in _enemies(parse_adventure(read_text(path), path.name)[0])
    }
    assert len(met) >= 5
    assert met | {"Thymin"} <= named
    assert len({figure.art for figure in figures()}) >= 9


def _enemies(tale: Adventure) -> Iterator[Enemy]:
    for paragraph in tale.paragraphs.values():
        if paragraph.fight:
            yield paragraph.fight.enemy
        if paragraph.map_fight:
            yield from paragraph.map_fight.enemies


@pytest.mark.parametrize("style", Style)
def test_outlines_meet_when_the_strip_is_folded(style: Style) -> None:
    """Folded at its upper edge, the back lies on the front: the picture is its own mirror image in the fold."""
    for figure in figures()[:: len(figures()) // 4]:
        picture = drawn(lambda pen, figure=figure: draw_standee(pen, figure), SIZE, style, 254).astype(int)  # type: ignore[misc]
        stand = picture[round(FLAP * 10) + 3 : round((FLAP + 2 * STAND) * 10) - 3]
        assert np.abs(stand - stand[::-1]).mean() < 1.5, figure.called
        assert stand.std() > 20


@pytest.mark.parametrize("dpi", [100, 200])
@pytest.mark.parametrize("style", Style)
def test_both_halves_of_a_base_carry_the_figures_tag(style: Style, dpi: int) -> None:
    for piece in pieces_of("storm-standees", "mage-standees")[list(Style).index(style) :: 3]:
        assert piece.id
        seen = read_tags(drawn(piece.front, SIZE, style, dpi))
        assert [number for number, _ in seen] == [tag_of(piece.id)] * 2
        heights = sorted(y * 25.4 / dpi for _, (_, y) in seen)
        assert heights == pytest.approx([FLAP / 2, STANDEE.height - FLAP / 2], abs=0.4)


def test_no_two_figures_share_a_tag_or_a_face() -> None:
    tokens = pieces_of("storm-tokens", "mage-tokens")
    assert len({piece.id for piece in tokens}) == len(tokens) == len(figures()) + 5
    assert same_pictures(faces(tokens, Style.GREY, 100)) == []


def test_every_art_keeps_within_its_room_and_is_a_picture_of_its_own() -> None:
    pictures = []
    for name in art_names("figures"):
        art = art_named("figures", name, "a test")
        figure = Figure(49, "Anybody", art.name)
        pictures.append(drawn(lambda pen, figure=figure: draw_standee(pen, figure), SIZE, Style.LOW_INK, 80))  # type: ignore[misc]
    assert same_pictures(pictures) == []


def test_emblems_differ_in_shape() -> None:
    shapes = []
    for mage in MAGES:
        picture = drawn(lambda pen, mage=mage: draw_emblem(pen, mage.emblem, 11, 11, 20, INK), (22, 22), dpi=60)  # type: ignore[misc]
        shapes.append(picture.mean(axis=2) < 128)
    for one in range(len(shapes)):
        for other in range(one):
            assert (shapes[one] ^ shapes[other]).mean() > 0.08


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{figure: 0, name: A, art: thymin}", "line 4: figure 0 has no tag; figures are numbered 1 to 50"),
        ("{figure: 3, name: ' ', art: thymin}", "figure 3 has no name"),
        ("{figure: 3, name: A, art: dragon}", "figure 3 asks for the art 'dragon'; there are .*thymin"),
        ("{figure: 1, name: A, art: thymin, mark: 100}", "figure 1 has the mark 100; marks are 1 to 99"),
        (
            "{figure: 1, name: A, art: thymin}\n- {figure: 1, name: B, art: thymin}",
            "line 5: figure 1 stands twice",
        ),
        ("{figure: 1, name: A, art: thymin}\n- {figure: 2, name: A, art: thymin}", "line 5: .*give each a mark"),
    ],
)
def test_a_bad_file_names_line_and_reason(line: str, why: str) -> None:
    raises(ContentInvalid, why, parse_figures, f"{HEAD}- {line}\n", "figures.yaml")


def test_what_cannot_be_printed_names_the_figure() -> None:
    def printed(figure: Figure) -> None:
        drawn(lambda pen: draw_standee(pen, figure), SIZE)

    with pytest.raises(TextTooLong, match=r"the figure F7 \(Bellringer.*\), field name"):
        printed(Figure(7, "Bellringersgrandmotherofthepass", "thymin"))
    raises(GlyphMissing, "the figure F7", printed, Figure(7, "龙", "thymin"))
    raises(UnknownMotif, "the figure Ghost: there is no picture 'ghost'", printed, Figure(7, "Ghost", "ghost"))


def test_the_document_lists_every_art() -> None:
    page = Path(__file__).parents[2] / "docs" / "kit.md"
    listed = page.read_text("utf-8").split("- `art` is one of")[1].split("\n- ")[0]
    assert sorted(re.findall(r"`([a-z-]+)`", listed)) == art_names("figures")


@pytest.mark.parametrize("figure", figures(), ids=lambda figure: figure.id.short)
def test_nothing_of_a_figure_reaches_the_cut_of_its_standee(figure: Figure) -> None:
    seen = picture_of(lambda pen: draw_standee(pen, figure), STANDEE.width, STANDEE.height, 150).astype(int)
    scale = 150 / 25.4
    upper, lower = round((FLAP + 2) * scale), round((FLAP + STAND - 3) * scale)
    for strip in (seen[upper:lower, : round(0.7 * scale)], seen[upper:lower, -round(0.7 * scale) :]):
        assert np.ptp(strip.reshape(-1, 3), axis=0).max() < 12, "the ground alone"
