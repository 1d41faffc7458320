"""What stands in foreign codes is shown as text and never acted on; no picture costs more than a bounded time."""

import time
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import BadCode
from loomtable.vision.cards import MAX_CODES, RefusalKind, RefusedCode, SeenCard, interpret_code, scan_cards
from loomtable.vision.code_reading import CodeDetection
from loomtable.vision.inert import LONGEST, inert_text
from tests.vision.scenes.hard_codes import code, many_codes, nasties

GOOD = ComponentId(Kind.STORY, 7).code
PLACE = ((0.0, 0.0), (80.0, 0.0), (80.0, 80.0), (0.0, 80.0))

FOREIGN = {
    "https://example.org/pay?to=me": "https://example.org/pay?to=me",
    "WIFI:T:WPA;S:Cafe;P:secret;;": "WIFI:T:WPA;S:Cafe;P:secret;;",
    "BEGIN:VCARD\r\nN:Doe;Jane\r\nEND:VCARD": "BEGIN:VCARD N:Doe;Jane END:VCARD",
    "x" * 2900: "x" * (LONGEST - 1) + "…",
    "\x1b[2J\x07clear": "[2Jclear",
    "left \u202eto right\u202c \u2066here\u2069": "left to right here",
    "a\u200bb\u00adc\ufeffd": "abcd",
    "Z\u0300\u0301\u0302\u0303\u0304a": "Z\u0300\u0301a",
    "Straße 7": "Straße 7",
    "\r\n\t ": "4 bytes that are no text",
    b"\xff\x00\xfe\x80\x81": "5 bytes that are no text",
    GOOD.lower(): GOOD.lower(),
    GOOD + "\u202e": GOOD,
    "http://x/" + GOOD: "http://x/" + GOOD,
}


@pytest.mark.parametrize("payload", FOREIGN, ids=lambda p: repr(p)[:24])
def test_foreign_codes_are_inert_text(payload) -> None:
    scan = scan_cards(code(payload))
    assert scan.cards == ()
    [refused] = scan.refused
    assert refused.says == FOREIGN[payload]
    assert refused.reason.isprintable()
    assert len(refused.reason) < LONGEST + 60


@pytest.mark.parametrize(
    ("payload", "trouble"),
    [
        (GOOD[:-1] + ("A" if GOOD[-1] != "A" else "B"), RefusalKind.DAMAGED),
        (GOOD[:4] + "008" + GOOD[7:], RefusalKind.DAMAGED),
        ("LT2" + GOOD[3:], RefusalKind.OTHER_VERSION),
        ("LT9S007ABC", RefusalKind.OTHER_VERSION),
        (GOOD + GOOD, RefusalKind.FOREIGN),
        ("LT1", RefusalKind.FOREIGN),
    ],
)
def test_look_alikes_are_refused(payload, trouble) -> None:
    scan = scan_cards(code(payload))
    assert scan.cards == ()
    assert [refused.kind for refused in scan.refused] == [trouble]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(min_size=1, max_size=300), st.text(min_size=1, max_size=80).map(str.encode)))
def test_whatever_a_code_says_one_safe_line_is_shown(payload) -> None:
    line = inert_text(payload)
    assert 0 < len(line) <= LONGEST
    assert all(unicodedata.category(character)[0] != "C" for character in line)
    assert line == " ".join(line.split())
    seen = interpret_code(CodeDetection(PLACE, payload))
    try:
        card = ComponentId.from_code(payload.decode("ascii", errors="strict"))
    except (BadCode, UnicodeDecodeError):
        assert isinstance(seen, RefusedCode)
        assert seen.reason.isprintable()
    else:
        assert isinstance(seen, SeenCard)
        assert seen.card == card


@pytest.mark.parametrize(("name", "picture"), list(nasties(large=False)), ids=[n for n, _ in nasties(large=False)])
def test_no_picture_takes_long(name, picture) -> None:
    # Measured at 0.76 s at most (benchmarks/README.md); the bound leaves room for slow machines.
    begun = time.process_time()
    assert scan_cards(picture).cards == ()
    assert time.process_time() - begun < 6


def test_of_two_hundred_codes_so_many_are_told_and_no_more() -> None:
    scan = scan_cards(many_codes(200))
    assert 0 < len(scan.refused) <= MAX_CODES


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 90),
    st.integers(1, 90),
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 3]),
    st.sampled_from(["noise", "blocks", "flat"]),
)
def test_no_picture_is_too_strange_to_be_looked_at(height, width, seed, channels, kind) -> None:
    chance = np.random.default_rng(seed)
    shape = (height, width) if channels == 1 else (height, width, 3)
    picture = np.full(shape, seed % 256, np.uint8)
    if kind != "flat":
        picture = chance.integers(0, 256, shape, np.uint8)
    if kind == "blocks":
        picture = np.where(picture > 127, 255, 0).astype(np.uint8).repeat(3, 0).repeat(3, 1)
    assert scan_cards(picture).cards == ()
