"""Answer cards before the virtual camera, as far off as ``loom print --camera`` says that they are read."""

from __future__ import annotations

import math
from functools import cache

import pytest

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.components.layout import TAG
from loomtable.printkit.draw.code_size import CAMERAS, reach_of, tag_reach
from loomtable.printkit.draw.codes import MODULE
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.raster import Picture, card_faces
from loomtable.table.reading.pictures import cards_in
from loomtable.vision.cards import scan_cards
from loomtable.vision.virtual import PlacedCard, Scene, Surface, VirtualCamera, photograph
from tests.tiers import mostly

WEBCAM = CAMERAS["1080p"]


@cache
def faces(style: Style) -> dict[ComponentId, Picture]:
    return card_faces("answer-cards", 150, style=style)


def camera(distance: float) -> VirtualCamera:
    """The middle of what that webcam sees from ``distance`` mm above the table."""
    across = 1200
    half = math.atan(across / WEBCAM.pixels * math.tan(math.radians(WEBCAM.angle / 2)))
    return VirtualCamera(height=distance, field_of_view=2 * math.degrees(half), frame=(across, 540))


@pytest.mark.parametrize("style", mostly(Style, [Style.GREY]))
def test_every_answer_is_read_from_afar_by_its_tag(style: Style) -> None:
    laid = [
        PlacedCard(
            faces(style)[answer.id], 78 * (at % 7 - 3), 102 * (at // 7) - 51, turn=4 * at - 24, card=answer.id
        )
        for at, answer in enumerate(AnswerCard)
    ]
    picture = photograph(Scene(Surface("wood", seed=2), tuple(laid)), camera(tag_reach(WEBCAM, TAG)), 3).picture
    scan = cards_in(picture, tags=True)
    assert sorted(seen.card for seen in scan.cards) == [answer.id for answer in AnswerCard]
    assert not any(seen.doubt for seen in scan.cards)


def test_nearer_its_code_is_read_too() -> None:
    laid = [
        PlacedCard(faces(Style.COLOUR)[answer.id], 70 * at - 70, 0, turn=8 * at)
        for at, answer in enumerate((AnswerCard.KEEP, AnswerCard.UNDO, AnswerCard.PAUSE))
    ]
    picture = photograph(Scene(Surface("felt", seed=2), tuple(laid)), camera(reach_of(WEBCAM, MODULE)), 3).picture
    assert [seen.card.short for seen in scan_cards(picture).cards] == ["A11", "A13", "A14"]
