"""Woven spell cards and home cards on paper: all of them, each with its own face, none that does not fit."""

from __future__ import annotations

import io

import msgspec
import numpy as np
import pypdfium2
import pytest
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from loomtable.engine.woven.cards import Element
from loomtable.engine.woven.spells import Spell, spell_named, spells
from loomtable.printkit.catalogue import components
from loomtable.printkit.draw.elements import draw_element
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import GlyphMissing, TextTooLong
from loomtable.printkit.games.woven.home_card import HOMES
from loomtable.printkit.games.woven.spell_card import draw_spell_front
from loomtable.printkit.games.woven.spell_kinds import SpellKind, kind_of
from loomtable.printkit.sheet.papers import POKER
from tests.print.drawn_cards import drawn, faces, same_pictures
from tests.short import raises


def words_on(spell: Spell) -> str:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(63 * mm, 88 * mm))
    canvas.scale(mm, mm)
    draw_spell_front(Pen(canvas, Style.COLOUR), spell, POKER)
    canvas.save()
    return " ".join(pypdfium2.PdfDocument(file.getvalue())[0].get_textpage().get_text_range().split())


def test_all_36_are_there_and_no_two_look_alike() -> None:
    pieces = components()["spell-cards"].cards()
    assert [piece.id for piece in pieces] == [spell.component for spell in spells().values()]
    assert len(pieces) == 36
    assert same_pictures(faces(pieces, Style.LOW_INK, 60)) == []


def test_a_card_says_what_its_spell_does() -> None:
    for spell in list(spells().values())[::4]:
        said = words_on(spell)
        assert spell.name in said
        assert spell.says.strip() in said
        assert spell.component.short in said
        assert f"{spell.element.value.capitalize()} showing" in said
        assert ("CHARGES" in said) == spell.takes_charges


def test_the_kind_follows_from_the_effects() -> None:
    assert kind_of(spell_named("fire-arrow")) is SpellKind.STRIKE
    assert kind_of(spell_named("double-shield")) is SpellKind.WARD
    assert kind_of(spell_named("haste")) is SpellKind.PATH
    assert kind_of(spell_named("creep")) is SpellKind.GROWTH
    assert kind_of(spell_named("erase")) is SpellKind.UNPICK
    assert {kind_of(spell) for spell in spells().values()} == set(SpellKind)


@pytest.mark.parametrize(
    ("change", "error", "why"),
    [
        ({"says": "Strike again. " * 60}, TextTooLong, r"spell card P19 \(Fire Arrow\), field says"),
        ({"name": "Fire " * 14 + "Arrow"}, TextTooLong, r"spell card P19 .*, field name"),
        ({"says": "Strike at 火."}, GlyphMissing, r"spell card P19 \(Fire Arrow\), field says.*火"),
    ],
)
def test_what_cannot_be_set_names_card_and_field(change: dict[str, str], error: type[Exception], why: str) -> None:
    raises(error, why, words_on, msgspec.structs.replace(spell_named("fire-arrow"), **change))


def _silhouette(element: Element, turns: int) -> np.ndarray:
    picture = drawn(lambda pen: pen_at_middle(pen, element), (22, 22), Style.GREY, 60)
    return np.rot90(picture.mean(axis=2) < 200, turns)


def pen_at_middle(pen: Pen, element: Element) -> None:
    draw_element(pen, element, 11, 11, 20)


def test_elements_differ_in_shape_whichever_way_up_they_lie() -> None:
    for one in Element:
        for other in Element:
            if one is not other:
                for turns in range(4):
                    apart = (_silhouette(one, 0) ^ _silhouette(other, turns)).mean()
                    assert apart > 0.08, (one, other, turns)


def test_five_homes_with_the_numbers_of_the_maps() -> None:
    pieces = components()["home-cards"].cards()
    assert [piece.id.short for piece in pieces if piece.id] == [f"O{number}" for number in HOMES]
    assert list(HOMES) == [1, 2, 3, 4, 5]
    assert same_pictures(faces(pieces, Style.LOW_INK, 60)) == []
