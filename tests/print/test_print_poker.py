"""The poker deck on paper: 54 cards, the right number of pips, and courts that are the same turned half round."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.poker import CARDS, CardSuit, PokerCard
from loomtable.printkit.catalogue import components
from loomtable.printkit.components.card_back import HOME_BACK, POKER_BACK, SPELL_BACK, CardBack
from loomtable.printkit.components.layout import WINDOW_Y
from loomtable.printkit.draw.art import MOTIF_HEIGHT, art_named, art_names
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.pips import draw_pip
from loomtable.printkit.games.mnemonic.poker_card import PANEL_WIDTH, PANEL_X, draw_poker_front, pip_places
from loomtable.printkit.raster import Picture
from loomtable.printkit.sheet.papers import POKER
from tests.print.drawn_cards import drawn, faces, same_pictures

DPI = 100


def panel(number: int, style: Style = Style.COLOUR) -> Picture:
    """The panel between the indices."""
    card = PokerCard(number)

    def draw(pen: object) -> None:
        with pen.at(-PANEL_X, -WINDOW_Y):  # type: ignore[attr-defined]
            draw_poker_front(pen, card, POKER)  # type: ignore[arg-type]

    return drawn(draw, (PANEL_WIDTH, MOTIF_HEIGHT), style, DPI)


def test_all_54_are_there_and_no_two_look_alike() -> None:
    pieces = components()["poker-deck"].cards()
    assert [piece.id for piece in pieces] == [ComponentId(Kind.POKER, number) for number in CARDS]
    assert [piece.name for piece in pieces][::13] == [
        "Ace of Hearts", "Ace of Diamonds", "Ace of Spades", "Ace of Clubs", "red Joker"
    ]  # fmt: skip
    assert same_pictures(faces(pieces, Style.GREY, 50)) == []


def test_pips_as_many_as_the_card_counts_none_upon_another() -> None:
    for count in range(2, 11):
        places = pip_places(count)
        assert len(places) == count
        apart = [np.hypot((a - c) * 11, (b - d) * 17.8) for (a, b), (c, d) in combinations(places, 2)]
        assert min(apart) > 9.5


@pytest.mark.parametrize("number", [2, 5, 10, 20, 36, 49])
def test_the_pips_that_are_seen_are_counted(number: int) -> None:
    card = PokerCard(number)
    seen = panel(number, Style.GREY).mean(axis=2)
    dark = cv2.morphologyEx((seen < 215).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    dark[:6], dark[-6:], dark[:, :6], dark[:, -6:] = 0, 0, 0, 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    assert sum(stats[1:, cv2.CC_STAT_AREA] > 200) == int(card.rank)


@pytest.mark.parametrize("number", [11, 25, 39, 50, 53, 54])
def test_courts_and_jokers_are_the_same_turned_half_round(number: int) -> None:
    one = panel(number).astype(int)
    assert np.abs(one - one[::-1, ::-1]).mean() < 6


def test_courts_differ_by_more_than_colour() -> None:
    """In outline alone, facing the same way, no two of them are alike."""
    heads = {}
    for name in (name for name in art_names("courts") if "joker" not in name):
        picture = drawn(lambda pen, name=name: _head(pen, name), (24, 24), Style.LOW_INK, 100)  # type: ignore[misc]
        heads[name] = picture.mean(axis=2) < 200
    assert len(heads) == 12
    for first, second in combinations(heads, 2):
        ways = (heads[second], heads[second][:, ::-1])
        assert min((heads[first] ^ other).mean() for other in ways) > 0.03, (first, second)


def _head(pen: Pen, name: str) -> None:
    with pen.at(12, -6):
        art_named("courts", name).draw(pen)


def test_the_silhouettes_of_the_suits_differ() -> None:
    shapes = {}
    for suit in CardSuit:
        picture = drawn(lambda pen, suit=suit: draw_pip(pen, suit, 11, 11, 20), (22, 22), Style.GREY, 60)  # type: ignore[misc]
        shapes[suit] = picture.mean(axis=2) < 235
    for one in CardSuit:
        for other in CardSuit:
            assert one is other or (shapes[one] ^ shapes[other]).mean() > 0.06, (one, other)


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("back", [POKER_BACK, SPELL_BACK, HOME_BACK], ids=lambda back: back.name)
def test_backs_tell_nothing_turned_half_round(back: CardBack, style: Style) -> None:
    face = drawn(lambda pen: back.draw(pen, POKER), (POKER.width, POKER.height), style, 80).astype(int)
    assert np.abs(face - face[::-1, ::-1]).mean() < 5


def test_a_fan_of_any_cards_shows_what_each_of_them_is() -> None:
    """A strip of 10 mm along either edge, or along the left one of a hand held upside down, tells all cards apart.

    In grey, so that nobody needs the colour of a suit.
    """
    wide, high = round(10 / 25.4 * DPI), round(18 / 25.4 * DPI)
    pieces = components()["poker-deck"].cards()[:52]
    strips = {"left": [], "right": [], "upside down": []}  # type: ignore[var-annotated]
    for face in faces(pieces, Style.GREY, DPI):
        strips["left"].append(face[:high, :wide])
        strips["right"].append(face[:high, -wide:])
        strips["upside down"].append(face[::-1, ::-1][:high, -wide:])
    for where, seen in strips.items():
        assert same_pictures(seen) == [], where
        assert all((strip.mean(axis=2) < 160).mean() > 0.1 for strip in seen), where
        assert all((strip[:, [0, -1]].mean(axis=2) > 200).all() for strip in seen), f"{where}: an index is cut"


def test_the_suits_of_an_index_differ_in_shape() -> None:
    """The lower half of the strip of four kings, in grey, without the letter."""
    kings = [components()["poker-deck"].cards()[at] for at in (12, 25, 38, 51)]
    top, foot, wide = (round(mm / 25.4 * DPI) for mm in (10, 18, 10))
    dark = [face[top:foot, :wide].mean(axis=2) < 200 for face in faces(kings, Style.GREY, DPI)]
    assert min((one ^ other).mean() for one, other in combinations(dark, 2)) > 0.03
