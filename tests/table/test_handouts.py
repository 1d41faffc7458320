"""Hand-outs: what the storyteller shows is seen by those it is for, by nobody else, until it is put away."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.layer import MOST
from tests.table.asking import Answer, Asker, Table
from tests.table.browsing import OUT_OF_SIGHT, Served

NEEDLE = "The ferryman lies"
ROOM = "/room/three"


def begun(host: TableHost) -> None:
    live = host.begin("spellwoven", "three")
    for name, ready in (("Ada", "hedda-marl"), ("Ben", "joss-greave")):
        live.session.perform("add-player-character", player=name, ready=ready, called=f"{name}'s hero")


@pytest.fixture
def three(friday: Table) -> dict[str, Asker]:
    """An evening of Spellwoven, the host's device, two phones, a camera and a television."""
    begun(friday.host)
    guests = {"Ada": Role.PLAYER, "Ben": Role.PLAYER, "camera": Role.CAMERA, "television": Role.SCREEN}
    joined = {
        name: friday.join(role, name if role is Role.PLAYER else "", "three") for name, role in guests.items()
    }
    return {"host": friday.join(Role.HOST), **joined}


def show(host: Asker, picture: bytes = b"", **fields: str) -> Answer:
    parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in fields.items()]
    parts += [b'name="picture"; filename="p.jpg"\r\nContent-Type: image/jpeg\r\n\r\n' + picture] if picture else []
    body = b"".join(b"--x\r\nContent-Disposition: form-data; " + part + b"\r\n" for part in parts) + b"--x--\r\n"
    headers = {"content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "same-origin"}
    return host.ask("POST", "/api/play/three/handout", body, headers)


def seen(three: dict[str, Asker], what: str) -> set[str]:
    """On whose page something is."""
    places = {"television": ROOM, "camera": "/camera/three"}
    return {who for who, asker in three.items() if what in asker.get(places.get(who, "/table/three")).text}


def photograph() -> bytes:
    """A JPEG that tells where it was taken."""
    place = Image.Exif()
    place[0x010E] = "At our house"
    kept = io.BytesIO()
    Image.new("RGB", (64, 48), "red").save(kept, "jpeg", exif=place)
    assert b"At our house" in kept.getvalue()
    return kept.getvalue()


def test_a_line_for_one_is_on_no_other_page(three: dict[str, Asker]) -> None:
    assert show(three["host"], to="Ada", line=NEEDLE).json["says"] == "Shown to Ada."
    assert seen(three, NEEDLE) == {"host", "Ada"}
    assert three["host"].get("/room/three").text.count(NEEDLE) == 0, "the host sees what the room sees there"
    for who in ("Ben", "Ada"):
        assert NEEDLE not in three[who].get("/api/play/three/state").text
        assert NEEDLE not in three[who].get("/table/three/chronicle").text
    three["host"].post("/table/three/eyes", **{"as": "Ben"})
    three["host"].post("/api/play/three/handout-away", {"number": 1})
    assert seen(three, NEEDLE) == set()


def test_what_is_for_all_is_on_every_page_and_leaves_no_trace(three: dict[str, Asker]) -> None:
    live = three["host"].table.host.live_session("three")
    before = live.lines()
    show(three["host"], to="", line=NEEDLE)
    show(three["host"], to="", card="c2")
    shown = seen(three, "/art/card/C2.svg")
    assert shown == {"host", "Ada", "Ben", "television"}
    assert seen(three, NEEDLE) == shown
    assert live.lines() == before
    assert NEEDLE.encode() not in three["host"].table.host.export("three")


def test_a_picture_is_given_only_to_whom_it_is_shown_and_says_nothing_but_what_is_seen(
    three: dict[str, Asker], tmp_path: Path
) -> None:
    show(three["host"], photograph(), to="Ben")
    address = "/api/play/three/handout/1.jpg"
    assert address in three["Ben"].get("/table/three").text
    given = {who: asker.get(address) for who, asker in three.items()}
    assert {who: one.status for who, one in given.items()} == {
        "host": 200, "Ben": 200, "Ada": 404, "television": 404, "camera": 403,
    }  # fmt: skip
    assert b"At our house" not in given["Ben"].body and b"Exif" not in given["Ben"].body
    assert Image.open(io.BytesIO(given["Ben"].body)).size == (64, 48)
    assert given["Ben"].headers["cache-control"] == "no-store"
    kept = [file for file in tmp_path.rglob("*") if file.is_file() and given["Ben"].body in file.read_bytes()]
    assert not kept, "a picture is nowhere on the disk"
    three["host"].post("/api/play/three/handout-away", {"number": 1})
    assert three["Ben"].get(address).status == 404


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"to": "Cleo", "line": "x"}, "Nobody here is called 'Cleo'; choose a name, or all."),
        ({"to": "Ada"}, "Choose what to show: a line, a card or a picture."),
        ({"to": "", "line": "x" * 281}, "A line has at most 280 characters, all of which can be shown."),
        ({"to": "", "card": "C99"}, "There is no picture of C99; write the code on a card, such as S7."),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(
    three: dict[str, Asker], fields: dict[str, str], says: str
) -> None:
    told = show(three["host"], **fields)
    assert (told.status, told.json["error"]) == (400, says)
    assert show(three["host"], b"no picture", to="").status == 400
    assert not three["host"].table.host.live_session("three").handouts._shown


def test_no_more_is_shown_than_a_page_has_room_for(three: dict[str, Asker]) -> None:
    shown = [show(three["host"], line=str(number)).status for number in range(MOST + 1)]
    assert shown == [200] * MOST + [413]


def test_a_hand_out_comes_to_an_open_phone_and_television_and_goes_again(table: Served, tmp_path: Path) -> None:
    begun(table.host)
    picture = tmp_path / "map.jpg"
    picture.write_bytes(photograph())
    host = table.page(Role.HOST)
    pages: dict[str, Any] = {name: table.page(Role.PLAYER, name, "three", size="phone") for name in ("Ada", "Ben")}
    pages["television"] = table.page(Role.SCREEN, "", "three", size="television")
    for name, page in pages.items():
        page.goto(f"{table.base}/{'room' if name == 'television' else 'table'}/three")
    host.goto(f"{table.base}/table/three")
    host.get_by_role("button", name="Show something").press("Enter")
    host.get_by_label("Words").fill(NEEDLE)
    host.get_by_label("To", exact=True).select_option("Ada")
    host.get_by_role("button", name="Show it").click()
    pages["Ada"].locator("main").get_by_text(NEEDLE).wait_for()
    for page in (pages["Ben"], pages["television"]):
        assert page.get_by_text(NEEDLE).count() == 0
    host.get_by_role("button", name="Show something").press("Enter")
    host.get_by_label("Or a picture").set_input_files(picture)
    host.get_by_label("To", exact=True).select_option("")
    host.get_by_role("button", name="Show it").click()
    for page in pages.values():
        picture = page.locator("main .handout img")
        picture.wait_for(state="attached")
        assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") == 64
        assert page.evaluate(OUT_OF_SIGHT, [".handout img"]) == []
    assert pages["Ben"].get_by_text(NEEDLE).count() == pages["television"].get_by_text(NEEDLE).count() == 0
    for number in (2, 1):
        host.locator(f"main #handout-{number}").get_by_role("button", name="Put it away").click()
    for page in (*pages.values(), host):
        page.locator(".handout").first.wait_for(state="detached")
