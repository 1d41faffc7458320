"""Answer cards and hero markers before the virtual camera, as far off as ``loom print --camera`` says."""

from __future__ import annotations

import math
from functools import cache, partial

import pytest

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.weave.cards.markers import markers
from loomtable.printkit.components import seats
from loomtable.printkit.components.layout import TAG
from loomtable.printkit.draw.code_size import CAMERAS, reach_of, tag_reach
from loomtable.printkit.draw.codes import MODULE
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.weave import hero_marker
from loomtable.printkit.raster import Picture, card_faces, picture_of
from loomtable.table.reading.pictures import cards_in
from loomtable.testing.virtual import PlacedCard, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.cards import scan_cards
from tests.tiers import mostly

WEBCAM = CAMERAS["1080p"]


@cache
def answers(style: Style) -> dict[ComponentId, Picture]:
    return card_faces("answer-cards", 150, style=style)


def seen_from(distance: float, surface: Surface, *laid: PlacedCard) -> Picture:
    """What is in the middle of that webcam's picture, ``distance`` mm above the table."""
    across = 1200
    half = math.atan(across / WEBCAM.pixels * math.tan(math.radians(WEBCAM.angle / 2)))
    camera = VirtualCamera(height=distance, field_of_view=2 * math.degrees(half), frame=(across, 540))
    return photograph(Scene(surface, laid), camera, 3).picture


@pytest.mark.parametrize("style", mostly(Style, [Style.GREY]))
def test_every_answer_is_read_from_afar_by_its_tag(style: Style) -> None:
    laid = [
        PlacedCard(answers(style)[answer.id], 78 * (at % 7 - 3), 102 * (at // 7) - 51, 4 * at - 24)
        for at, answer in enumerate(AnswerCard)
    ]
    scan = cards_in(seen_from(tag_reach(WEBCAM, TAG), Surface("wood", seed=2), *laid), tags=True)
    assert sorted(seen.card for seen in scan.cards) == [answer.id for answer in AnswerCard]
    assert not any(seen.doubt for seen in scan.cards)


def test_nearer_its_code_is_read_too() -> None:
    shown = (AnswerCard.KEEP, AnswerCard.UNDO, AnswerCard.PAUSE)
    laid = [PlacedCard(answers(Style.COLOUR)[one.id], 70 * at - 70, 0, 8 * at) for at, one in enumerate(shown)]
    picture = seen_from(reach_of(WEBCAM, MODULE), Surface("felt", seed=2), *laid)
    assert [seen.card for seen in scan_cards(picture).cards] == [one.id for one in shown]


@pytest.mark.parametrize("style", mostly(Style, [Style.LOW_INK]))
def test_every_hero_marker_is_read_from_farther_yet(style: Style) -> None:
    size = seats.HERO_MARKER
    drawn = [partial(hero_marker.draw_marker, marker=marker) for marker in markers()]
    laid = [
        PlacedCard(picture_of(draw, size.width, size.height, 150, style), 90 * (at % 4 - 1.5), 70 * (at // 4 - 1),
                   30 * at, size.width, size.height)
        for at, draw in enumerate(drawn)
    ]  # fmt: skip
    picture = seen_from(tag_reach(WEBCAM, seats.HERO_TAG), Surface("linen", seed=2), *laid)
    assert sorted(seen.card for seen in cards_in(picture, tags=True).cards) == list(markers())
