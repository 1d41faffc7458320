"""Combat maps on paper: true scale, every square where its name says, found again by the tags in the corners."""

from __future__ import annotations

import io
from itertools import cycle, product

import cv2
import numpy as np
import pypdfium2
import pytest
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.tags import map_tags
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map, map_names, parse_map
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import TextTooLong
from loomtable.printkit.games.storm_weavers.combat_map import (
    SQUARE,
    TAG,
    TAG_INSET,
    draw_combat_map,
    map_size,
    square_corner,
)
from loomtable.printkit.games.storm_weavers.obstacles import AREAS, OBSTACLES
from tests.short import raises
from tests.tiers import mostly

DOTS = 6
"""Pixels to a millimetre."""
ROUND = 60
"""Pixels of table round the map."""


def drawn(plan: CombatMap, style: Style = Style.COLOUR) -> tuple[np.ndarray, str]:
    """The map's picture, DOTS pixels to a mm, and the words on it."""
    paper = io.BytesIO()
    width, height = map_size(plan)
    canvas = Canvas(paper, pagesize=(width * mm, height * mm))
    canvas.scale(mm, mm)
    draw_combat_map(Pen(canvas, style), plan)
    canvas.save()
    page = pypdfium2.PdfDocument(paper.getvalue())[0]
    picture = np.asarray(page.render(scale=DOTS * 25.4 / 72).to_pil().convert("RGB"))
    return picture, page.get_textpage().get_text_range()


def on_a_table(picture: np.ndarray) -> np.ndarray:
    """The map's picture in grey, with a hand's breadth of table round it, where tags are looked for."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return cv2.copyMakeBorder(grey, ROUND, ROUND, ROUND, ROUND, cv2.BORDER_CONSTANT, value=200)


@pytest.mark.parametrize(
    ("name", "style"), mostly(product(map_names(), Style), zip(map_names(), cycle(Style), strict=False))
)
def test_the_tags_lead_to_every_square(name: str, style: Style) -> None:
    plan = combat_map(name)
    picture, _ = drawn(plan, style)
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    corners, numbers, _ = finder.detectMarkers(on_a_table(picture))
    found = {int(number): quad[0] - ROUND for number, quad in zip(numbers.ravel(), corners, strict=True)}
    tags = map_tags(ComponentId(Kind.MAP, plan.number))
    assert set(tags) == set(found)
    width, height = map_size(plan)
    near, right, low = TAG_INSET, width - TAG_INSET - TAG, height - TAG_INSET - TAG
    places = ((near, near), (right, near), (right, low), (near, low))
    wanted = np.array([[x + TAG / 2, y + TAG / 2] for x, y in places], np.float32)
    seen = np.array([found[tag].mean(axis=0) for tag in tags], np.float32)
    to_paper = cv2.getPerspectiveTransform(seen, wanted)
    centre = np.array([[[(width / 2) * DOTS, (height / 2) * DOTS]]], np.float32)
    assert np.abs(cv2.perspectiveTransform(centre, to_paper)[0, 0] - [width / 2, height / 2]).max() < 0.1
    x, y = square_corner(plan, plan.thymin)
    square = picture[int((height - y - SQUARE) * DOTS) : int((height - y) * DOTS), int(x * DOTS) :][
        :, : int(SQUARE * DOTS)
    ]
    assert square.std() > 10, "Thymin's start stands on Thymin's square"


def test_free_squares_carry_their_names_and_obstacles_do_not() -> None:
    plan = combat_map("sluice-yard")
    words = drawn(plan)[1].split()
    assert {"A1", "B2", "G6", "F4"} <= set(words)
    assert not set(plan.obstacles) & set(words)


def test_every_installed_obstacle_has_a_picture_of_its_own() -> None:
    used = {kind for name in map_names() for kind in combat_map(name).obstacles.values()}
    assert used <= OBSTACLES.keys() | AREAS.keys()


def test_an_obstacle_without_a_picture_stands_with_its_name() -> None:
    plan = parse_map(
        'map: m\ntitle: M\nlicence: L\nlegend:\n  "x": giant loom\nrows:\n- "T.x"\n- "..."\n', "m.yaml"
    )
    assert "giant loom" in " ".join(drawn(plan)[1].split())


def test_a_title_too_long_for_its_map_names_the_map() -> None:
    plan = parse_map(f'map: m\ntitle: {"Very " * 20}long\nlicence: L\nrows:\n- "T.."\n', "m.yaml")
    raises(TextTooLong, "combat map m", drawn, plan)


@pytest.mark.parametrize("style", Style)
def test_every_square_can_be_counted_whatever_the_ground(style: Style) -> None:
    """Between two free squares there is a darker line than anywhere near it, on all three grounds."""
    for name, upper in (("hall-of-names", "E3"), ("alder-ford", "B4"), ("pump-hall", "B3")):
        plan = combat_map(name)
        picture, _ = drawn(plan, style)
        left, top = square_corner(plan, upper)[0], map_size(plan)[1] - square_corner(plan, upper)[1]
        strip = picture[round((top - 3) * DOTS) : round((top + 3) * DOTS)]
        strip = strip[:, round((left + 2) * DOTS) : round((left + SQUARE - 2) * DOTS)].mean(axis=(1, 2))
        assert abs(int(strip.argmin()) - 3 * DOTS) <= 3, name


def test_a_wall_stands_on_the_line_between_its_squares() -> None:
    text = 'map: m\ntitle: M\nlicence: L\nrows:\n- "T.."\n- "..."\n'
    plan = parse_map(f"{text}walls: [B1-B2, B1-C1]\n", "m.yaml")
    with_walls, without = (drawn(one)[0].astype(int) for one in (plan, parse_map(text, "m.yaml")))
    darker = (without - with_walls).max(axis=2) > 60
    (_, height), (left, bottom) = map_size(plan), square_corner(plan, "B1")
    for at, is_wall in (((12.5, 0), True), ((25, 12.5), True), ((0, 12.5), False), ((12.5, -25), False)):
        assert darker[round((height - bottom - at[1]) * DOTS) - 4, round((left + at[0]) * DOTS) - 4] == is_wall
