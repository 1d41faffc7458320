"""Our printed dice and coins, drawn flat as the PDF has them, read back; and what must not be read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.ring_codes import CELLS, WORDS, RingMark, turned
from loomtable.printkit.draw import facecode
from loomtable.printkit.draw.palette import Style
from loomtable.vision.dice import read_dice
from loomtable.vision.pictures import BgrImage, read_picture
from loomtable.vision.printed import PRINTED, read_printed
from loomtable.vision.printed.reader import search_rings
from loomtable.vision.printed.words import ANGLES, STEPS, read_word
from loomtable.vision.verdict import Verdict
from tests.tiers import mostly, thorough
from tests.vision.needed import needs_networks, needs_photographs
from tests.vision.printed_laid import laid, one, printed
from training.photographs import photograph_folder

STRANGERS = ("many-colours/026", "board-game/046", "rune55-fisheye/027", "dice-tower/017")
WEAVE = [mark for mark in WORDS if mark.die is Die.WEAVE]
COINS = [mark for mark in WORDS if mark.die is Die.COIN]


@pytest.mark.parametrize("style", mostly(Style, [Style.LOW_INK]))
def test_every_side_is_read_in_every_style(style: Style) -> None:
    for at in range(0, len(WEAVE), 6):
        row = [
            (printed(mark, style), 60 + 100 * (n % 3), 80 + 100 * (n // 3), 30 + 9 * n, 37.0 * (at + n))
            for n, mark in enumerate(WEAVE[at : at + 6])
        ]
        reading = read_printed(laid(row), (6, Die.WEAVE))
        assert reading.verdict is Verdict.ACCEPTED, reading.reason
        assert sorted(map(str, reading.faces)) == sorted(Die.WEAVE.faces, key=str)
        numbers = {s.word.mark.number for s in search_rings(laid(row)).detections if s.word}
        assert numbers == {WEAVE[at].number}


@pytest.mark.parametrize("edge", [26, 34, 48, 90, 150])
def test_small_and_large_sides_are_read_however_they_are_turned(edge: float) -> None:
    for turn in range(0, 360, 72):
        mark = WEAVE[(turn // 72 * 7 + int(edge)) % len(WEAVE)]
        reading = read_printed(one(mark, edge, turn), (1, Die.WEAVE))
        assert (reading.verdict, reading.faces) == (Verdict.ACCEPTED, (mark.face,)), reading.reason


@thorough
def test_every_word_is_read_on_a_side_so_small_and_blurred_that_its_rim_looks_like_the_cells_beside_it() -> None:
    """Some words have a run of five dark cells and few others: no place of such a rim is as dark as the next."""
    for mark in WEAVE:
        blurred = cv2.GaussianBlur(one(mark, 36, 40), (0, 0), 1.6)
        (seen,) = (s for s in search_rings(blurred).detections if s.read)
        assert seen.word is not None and seen.word.mark == mark
        assert (seen.word.bit_errors, seen.word.margin > 0.15) == (0, True), (mark, seen.word)


@pytest.mark.parametrize("light", mostly([0.85, 0.6, 0.4], [0.6]))
def test_a_shadow_across_a_side_is_put_up_with_or_asked_about(light: float) -> None:
    read = 0
    for number, mark in enumerate(WEAVE):
        picture = one(mark, 70, 15 * number).astype(np.float32)
        picture[:, 206 + number % 9 :] *= light
        reading = read_printed(np.asarray(picture, np.uint8), (1, Die.WEAVE))
        assert reading.verdict is not Verdict.ACCEPTED or reading.faces == (mark.face,)
        read += reading.verdict is Verdict.ACCEPTED
    assert read >= len(WEAVE) * 0.6


@pytest.mark.parametrize("mark", COINS, ids=lambda mark: str(mark.face))
@pytest.mark.parametrize("style", list(Style))
def test_both_sides_of_a_coin_are_read(mark: RingMark, style: Style) -> None:
    reading = read_printed(one(mark, 80, 130, style), (1, Die.COIN))
    assert (reading.verdict, reading.faces) == (Verdict.ACCEPTED, (mark.face,)), reading.reason


def test_the_outline_turns_with_the_die() -> None:
    (die,) = read_printed(one(WEAVE[3], 80, 30), (1, Die.WEAVE)).dice
    edges = np.diff(np.array([*die.polygon, die.polygon[0]]), axis=0)
    angles = np.degrees(np.arctan2(edges[:, 1], edges[:, 0])) % 90
    assert np.allclose(angles, 60, atol=3)
    assert die.centre == pytest.approx((210, 150), abs=1.5)


def tampered(mark: RingMark, monkeypatch: pytest.MonkeyPatch, word: int, face: Face | None = None) -> BgrImage:
    """A side whose ring says something else than it should, or whose symbol is another's."""
    monkeypatch.setattr(facecode, "WORDS", {**WORDS, mark: word})
    if face is not None:
        draw = facecode.draw_symbol
        monkeypatch.setattr(facecode, "draw_symbol", lambda pen, _, *rest: draw(pen, face, *rest))
    return one(mark, 70)


@pytest.mark.parametrize("cells", [(2, 3), (5, 11), (0, 8, 9)])
def test_a_word_that_is_damaged_is_not_believed(cells: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    mark = WEAVE[8]
    damage = sum(1 << cell for cell in cells)
    reading = read_printed(tampered(mark, monkeypatch, WORDS[mark] ^ damage), (1, Die.WEAVE))
    assert reading.verdict is not Verdict.ACCEPTED


@pytest.mark.parametrize("face", ["brooks", "strike"])
def test_where_code_and_symbol_differ_a_person_is_asked(face: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = RingMark(Die.WEAVE, 2, "flames")
    reading = read_printed(tampered(mark, monkeypatch, WORDS[mark], face), (1, Die.WEAVE))
    assert reading.verdict is Verdict.ASK
    assert reading.reason == "the die has a code and a symbol that do not agree"


def test_where_nobody_asked_for_printed_dice_what_cannot_be_read_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rings of ordinary things now and then look like a code or like a symbol; both together are ours."""
    mark = RingMark(Die.WEAVE, 2, "flames")
    whole, torn = printed(mark), tampered(mark, monkeypatch, WORDS[mark], "brooks")
    assert read_printed(torn).reason == "no dice"
    beside = laid([(printed(mark), 110, 150, 60, 10), (whole, 300, 150, 60, 50)])
    assert [bool(die.doubt) for die in read_printed(beside).dice] == [True, False], "one beside it can be read"


@needs_photographs
@needs_networks
@pytest.mark.parametrize("image", mostly(STRANGERS, STRANGERS[2:3]))
def test_on_ordinary_dice_of_strangers_no_printed_die_is_claimed(image: str) -> None:
    tray = read_dice(read_picture(photograph_folder() / "dice" / f"{image}.jpg"))
    assert tray.dice and not any(die.die in PRINTED for die in tray.dice)


def test_a_wrong_count_is_rejected_in_words() -> None:
    two = laid([(printed(WEAVE[0]), 110, 150, 60, 10), (printed(WEAVE[9]), 300, 150, 60, 50)])
    assert read_printed(two, (3, Die.WEAVE)).reason == "two dice, three expected"
    assert read_printed(two, (1, Die.WEAVE)).verdict is Verdict.REJECTED
    assert read_printed(two).verdict is Verdict.ACCEPTED


def test_a_coin_is_no_die_and_coins_that_lie_about_do_not_count() -> None:
    coin = (printed(COINS[0]), 300.0, 150.0, 80.0, 10.0)
    reading = read_printed(laid([coin]), (2, Die.WEAVE))
    assert reading.verdict is Verdict.REJECTED
    assert reading.reason == "one coin is there; two Weave dice were asked for"
    both = laid([coin, (printed(WEAVE[2]), 110, 150, 60, 50)])
    assert read_printed(both, (1, Die.WEAVE)).faces == (WEAVE[2].face,)
    assert read_printed(both, (1, Die.COIN)).faces == ("heads",)


def test_other_dice_are_turned_away_in_words() -> None:
    reading = read_printed(one(WEAVE[0]), (3, Die.D10))
    assert reading.reason == "this reader reads Weave dice and coin tokens only, and d10s were asked for"


def test_a_die_half_outside_the_picture_is_never_believed() -> None:
    for x in range(-30, 36, 6):
        reading = read_printed(laid([(printed(WEAVE[5]), x, 150, 60, 0)]), (1, Die.WEAVE))
        assert reading.verdict is not Verdict.ACCEPTED or x >= 24


@pytest.mark.parametrize("side", [-1, 1])
def test_a_covered_code_is_never_believed_wrongly(side: int) -> None:
    mark = WEAVE[14]
    for reach in range(4, 60, 8):
        picture = one(mark, 80, 0)
        edge = 210 + side * 34
        left, right = sorted((edge, edge - side * reach))
        picture[100:200, left:right] = (150, 170, 220)
        reading = read_printed(picture, (1, Die.WEAVE))
        assert reading.verdict is not Verdict.ACCEPTED or reading.faces == (mark.face,)
        if reach > 28:
            assert reading.verdict is not Verdict.ACCEPTED


@pytest.mark.parametrize("mark", [WEAVE[3], WEAVE[8], WEAVE[14]])
def test_a_ring_with_a_seventh_of_its_rim_worn_away_is_asked_about(mark: RingMark) -> None:
    worn = one(mark, 80, 0)
    assert read_printed(worn, (1, Die.WEAVE)).verdict is Verdict.ACCEPTED
    cv2.ellipse(worn, (210, 150), (34, 34), 0, -115, -65, (235, 240, 240), 7, cv2.LINE_AA)
    reading = read_printed(worn, (1, Die.WEAVE))
    assert (reading.verdict, reading.faces) == (Verdict.ASK, (mark.face,))
    assert reading.reason == "the die is partly hidden, or lost in a gleam"


def test_a_gleam_over_a_side_is_never_believed_wrongly() -> None:
    mark = WEAVE[16]
    for x in range(-28, 29, 14):
        picture = one(mark, 80, 0).astype(np.float32)
        gleam = np.zeros(picture.shape[:2], np.float32)
        cv2.circle(gleam, (210 + x, 150), 16, 400.0, -1)
        lit = np.clip(picture + cv2.GaussianBlur(gleam, (0, 0), 5)[..., None], 0, 255).astype(np.uint8)
        reading = read_printed(lit, (1, Die.WEAVE))
        assert reading.verdict is not Verdict.ACCEPTED or reading.faces == (mark.face,)


@pytest.mark.parametrize("size", [(1, 1), (8, 700), (60, 60), (240, 320)])
def test_an_empty_picture_has_no_dice(size: tuple[int, int]) -> None:
    reading = read_printed(np.full((*size, 3), 90, np.uint8), (2, Die.WEAVE))
    assert (reading.verdict, reading.reason) == (Verdict.REJECTED, "no dice, two expected")


def test_plain_rings_and_noise_are_no_dice() -> None:
    picture = laid([])
    for n, radius in enumerate((12, 20, 30, 45)):
        cv2.circle(picture, (70 + 95 * n, 80), radius + 8, (235, 240, 240), -1, cv2.LINE_AA)
        cv2.circle(picture, (70 + 95 * n, 80), radius, (40, 40, 40), max(2, radius // 6), cv2.LINE_AA)
    noise = np.random.default_rng(1).integers(0, 255, (100, 420, 3), np.uint8)
    picture[200:300] = noise
    assert read_printed(picture).reason == "no dice"


def test_each_word_is_read_from_its_own_band_in_any_turn_and_a_single_wrong_cell_is_forgiven_as_such() -> None:
    for mark, word in WORDS.items():
        for by, broken in ((0, None), (5, None), (11, 4)):
            light = np.array([not (turned(word, by) >> at & 1) for at in range(CELLS)], float)
            if broken is not None:
                light[broken] = 1 - light[broken]
            band = np.roll(np.repeat(light, STEPS), -STEPS // 2)
            read = read_word(band)
            assert read is not None and read.mark == mark
            assert read.bit_errors == (broken is not None)
            off = (round(read.rotation / (2 * np.pi) * ANGLES) + by * STEPS) % ANGLES
            assert min(off, ANGLES - off) <= (broken is not None)
