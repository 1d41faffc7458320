"""What tables on a screen load: saved objects whose sheets hold the right cards, and pictures with a list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import cv2
import numpy as np
import pytest
from PIL import Image

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.catalogue import Component, components
from loomtable.printkit.draw.palette import BLACK
from loomtable.printkit.draw.path import rect
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.picking import picks_in
from loomtable.printkit.sheet.pieces import LargeDrawing, PrintedCard
from loomtable.printkit.virtual import print_for_screens
from tests.print.plain_cards import COIN, nothing
from tests.print.second_reader import read_tags
from tests.short import Loom


def picture_at(url: str) -> Image.Image:
    with Image.open(unquote(urlparse(url).path)) as picture:
        return picture.convert("RGB")


def card_of(sheet: Image.Image, deck: dict[str, Any], card_id: int) -> Image.Image:
    """The face that Tabletop Simulator shows for a card: hundreds are the deck, the rest counts along the rows."""
    at = card_id % 100
    wide, high = sheet.width / deck["NumWidth"], sheet.height / deck["NumHeight"]
    left, top = at % deck["NumWidth"] * wide, at // deck["NumWidth"] * high
    return sheet.crop((round(left), round(top), round(left + wide), round(top + high)))


def test_a_deck_shows_the_right_face_for_every_card(tmp_path: Path) -> None:
    picks = picks_in("story:1-10,12x2")
    print_for_screens([components()["story-cards"]], tmp_path, PrintSettings(), saved_object=True, only=picks)
    [saved] = tmp_path.glob("*/story-cards.json")
    [deck] = json.loads(saved.read_text("utf-8"))["ObjectStates"]
    assert deck["Name"] == "DeckCustom"
    assert len(deck["DeckIDs"]) == len(deck["ContainedObjects"]) == 12
    assert deck["DeckIDs"] == [card["CardID"] for card in deck["ContainedObjects"]]
    [(key, custom)] = deck["CustomDeck"].items()
    assert {card_id // 100 for card_id in deck["DeckIDs"]} == {int(key)}
    assert 2 <= custom["NumWidth"] <= 10 and 2 <= custom["NumHeight"] <= 7
    assert custom["UniqueBack"] is False
    sheet = picture_at(custom["FaceURL"])
    assert max(sheet.size) <= 4096
    for card in deck["ContainedObjects"]:
        face = card_of(sheet, custom, card["CardID"])
        code = cv2.QRCodeDetector().detectAndDecode(np.array(face))[0]
        assert code == ComponentId.parse(card["Description"]).code
    assert sum(card["Description"] == "S12" for card in deck["ContainedObjects"]) == 2
    back = picture_at(custom["BackURL"])
    assert back.size == card_of(sheet, custom, 100).size


def test_counters_are_tiles_that_stack_and_maps_are_boards(tmp_path: Path) -> None:
    coin = PrintedCard(None, "Coin", nothing, lambda pen: pen.solid(rect(0, 0, 25, 25), BLACK), COIN)
    large = LargeDrawing(None, "A Map", 900, 300, nothing)
    part = Component("table", "Table", "", "test", lambda _: [*[coin] * 5, large])
    print_for_screens([part], tmp_path, PrintSettings(), saved_object=True)
    saved = json.loads((tmp_path / "table-tabletop-simulator" / "table.json").read_text("utf-8"))
    tiles = {one["Nickname"]: one for one in saved["ObjectStates"]}
    assert tiles["Coin"]["Name"] == "Custom_Tile_Stack" and tiles["Coin"]["Number"] == 5
    assert tiles["Coin"]["CustomImage"]["CustomTile"]["Type"] == 2
    assert np.asarray(picture_at(tiles["Coin"]["CustomImage"]["ImageSecondaryURL"])).max() < 60
    board = tiles["A Map"]
    assert board["Locked"] is True
    picture = picture_at(board["CustomImage"]["ImageURL"])
    assert picture.width == 4096 and picture.width / picture.height == pytest.approx(3, abs=0.01)
    assert len({one["GUID"] for one in saved["ObjectStates"]}) == 2


def test_standees_stand_and_what_is_for_scissors_is_left_out(tmp_path: Path, loom: Loom) -> None:
    order = ["--for", "tabletop-simulator", "--output", str(tmp_path)]
    heard = loom("print", "mage-standees", "pip-dice-stickers", *order).out
    assert "Left out, for a screen has no use for it: pip-dice-stickers." in heard
    [saved] = tmp_path.glob("*/*.json")
    figures = json.loads(saved.read_text("utf-8"))["ObjectStates"]
    assert {one["Name"] for one in figures} == {"Figurine_Custom"} and len(figures) == 5
    assert [one["Description"] for one in figures] == [f"F{number}" for number in range(51, 56)]
    picture = picture_at(figures[0]["CustomImage"]["ImageURL"])
    assert picture.height / picture.width == pytest.approx(36 / 25, abs=0.02), "one side, without the base"
    assert not read_tags(np.asarray(picture)), "the tag is on the base"
    heard = loom("print", "pip-dice-stickers", *order[:-1], tmp_path / "none", code=2).err
    assert "a table on a screen has no use for them" in heard


def test_a_manifest_names_every_picture_and_what_it_shows(tmp_path: Path) -> None:
    picks = picks_in("S3x2,S4")
    print_for_screens([components()["story-cards"]], tmp_path, PrintSettings(), saved_object=False, only=picks)
    own = tmp_path / "story-cards-pictures"
    told = json.loads((own / "manifest.json").read_text("utf-8"))["pieces"]
    assert [(one["code"], one["copies"], one["width_mm"], one["height_mm"]) for one in told] == [
        ("S3", 2, 63.0, 88.0),
        ("S4", 1, 63.0, 88.0),
    ]
    named = {one[side] for one in told for side in ("front", "back")}
    assert named == {path.name for path in own.glob("*.png")}
    assert len(named) == 3, "the same back is kept once"
    with Image.open(own / told[1]["front"]) as picture:
        assert cv2.QRCodeDetector().detectAndDecode(np.array(picture))[0] == ComponentId(Kind.STORY, 4).code


def test_counters_have_no_code_and_are_told_apart_nevertheless(tmp_path: Path) -> None:
    parts = [components()[name] for name in ("mana-counters", "mage-tokens")]
    files = print_for_screens(parts, tmp_path, PrintSettings(), saved_object=False)
    told = [json.loads((file.path / "manifest.json").read_text("utf-8"))["pieces"] for file in files]
    mana, tokens = told
    assert [(one["id"], one["code"], one["copies"]) for one in mana][:2] == [
        ("001-madder-mana", None, 13),
        ("002-woad-mana", None, 13),
    ]
    assert {one["code"] for one in tokens} == {f"F{number}" for number in range(51, 56)}
    assert len({one["id"] for one in mana + tokens}) == 10
    assert {one["kind"] for one in mana + tokens} == {"counter"}


def test_an_unknown_place_names_shops_and_screens(tmp_path: Path, loom: Loom) -> None:
    said = loom("print", "story", "--for", "roll21", "--output", tmp_path, code=2).err
    assert "gamecrafter" in said and "tabletop-simulator" in said
    assert not list(tmp_path.iterdir())
