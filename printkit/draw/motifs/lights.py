"""Lights by night: the lantern, the lighthouse."""

from __future__ import annotations

from loomtable.printkit.draw.motifs.registry import motif
from loomtable.printkit.draw.motifs.scenery import (
    bough,
    c,
    cloud,
    furrows,
    halo,
    hill,
    leaf,
    sky,
    stars,
    water,
)
from loomtable.printkit.draw.palette import steps
from loomtable.printkit.draw.path import (
    Path,
    blob,
    circle,
    ellipse,
    lens,
    on_circle,
    polygon,
    polyline,
    rect,
    ribbon,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen


@motif("lantern", deep="1D2547", accent="C77B2A")
def lantern(pen: Pen) -> None:
    """A lit lantern hangs from an old bough above the roofs of a sleeping village."""
    x, y = 27.5, 24.5
    sky(pen, steps(c("141B38"), c("2B3A6B"), 6))
    halo(
        pen,
        x,
        y,
        [
            (23, c("2A3A68")),
            (19, c("3A4670")),
            (15.4, c("5B5570")),
            (12, c("8A6A62")),
            (9, c("C08E52")),
            (6.4, c("E9B95C")),
        ],
    )
    stars(pen, 5, 26, c("E9D9A8"), clear_of=(x, y, 20))
    _village(pen)
    _hanging_bough(pen)
    _lantern_body(pen, x, y)
    for mx, my, turn, size in ((14.2, 30.5, 35, 1.0), (40.6, 21.5, -30, 0.85), (39.0, 34.8, 10, 0.6)):
        _moth(pen, mx, my, turn, size)


def _hanging_bough(pen: Pen) -> None:
    bark, light = c("10152B"), c("6E7196")
    bough(
        pen, [(-2, 43), (8, 46), (18, 44.6), (27.5, 41.8), (37, 43.4), (47, 41.4)], [4.2, 3.2, 2.2, 1.4, 0.2], bark
    )
    bough(pen, [(12, 45.6), (17, 48), (23, 49.2), (31, 52)], [1.6, 1, 0.6], bark)
    bough(pen, [(34, 43.2), (38, 46), (44, 47.2)], [1.0, 0.7, 0.1], bark)
    for at in range(7):
        pen.solid(
            lens(
                2 + at * 4.2,
                44.6 + (0.9, 1.6, 1.7, 1.2, 0.5, -0.6, -1.4)[at],
                3.4,
                0.28,
                (16, 10, 2, -6, -14, -16, -8)[at],
            ),
            light,
        )
    for lx, ly, turn, size in (
        (21, 49.0, -50, 4),
        (26, 50, -95, 4),
        (38, 46, 35, 4),
        (43.6, 47.1, -20, 4.4),
        (46.6, 41.5, 15, 4.2),
        (44.5, 41.9, -70, 3.8),
        (39, 43.3, -60, 4.0),
        (33, 42.6, -120, 3.6),
        (16, 45.2, -80, 4.2),
        (8, 45.6, -105, 4.4),
        (36.4, 44.8, 95, 3.4),
    ):
        pen.fill(leaf(lx, ly, size, turn), c("3D5A6B"))
        tip = on_circle(lx, ly, size * 0.5, turn)
        pen.solid(lens(*tip, size * 0.7, 0.14, turn), c("9DB4A8"))
    pen.stroke(polyline((27.5, 41.6), (27.5, 37.6)), bark, 0.5)


def _lantern_body(pen: Pen, x: float, y: float) -> None:
    iron, edge = c("10152B"), c("D9A24A")
    pen.stroke(circle(x, y + 12.1, 1.35), iron, 0.55)
    roof = (
        Path().move(x, y + 11).curve(x + 1.6, y + 9.6, x + 2.2, y + 8.4, x + 6.6, y + 6.6).line(x + 6.2, y + 5.5)
    )
    roof.line(x - 6.2, y + 5.5).line(x - 6.6, y + 6.6).curve(x - 2.2, y + 8.4, x - 1.6, y + 9.6, x, y + 11).close()
    glass = polygon((x - 5.2, y + 5.5), (x + 5.2, y + 5.5), (x + 4.0, y - 6.2), (x - 4.0, y - 6.2))
    pen.fill(glass, c("F6CE73"))
    pen.fill(ellipse(x, y - 1.2, 3.3, 4.8), c("FBE29A"), tone=True)
    flame = Path().move(x, y + 3.6).curve(x + 0.4, y + 1.4, x + 2.3, y + 0.2, x + 1.7, y - 2.6)
    flame.curve(x + 1.3, y - 4.4, x - 1.3, y - 4.4, x - 1.7, y - 2.6).curve(
        x - 2.2, y - 0.2, x - 0.3, y + 1.0, x, y + 3.6
    )
    pen.fill(flame.close(), c("E0742C"))
    pen.fill(ellipse(x + 0.05, y - 2.3, 0.85, 1.7), c("FFF6D8"))
    pen.stroke(polyline((x, y - 3.6), (x, y - 5)), iron, 0.3)
    for dx_top, dx_foot in ((-5.2, -4.0), (5.2, 4.0), (-2.3, -1.8), (2.3, 1.8)):
        pen.stroke(polyline((x + dx_top, y + 5.5), (x + dx_foot, y - 6.2)), iron, 0.6 if abs(dx_top) > 3 else 0.32)
    pen.fill(roof, iron)
    foot = polygon(
        (x - 4.9, y - 6.2),
        (x + 4.9, y - 6.2),
        (x + 4.1, y - 7.5),
        (x + 1.2, y - 8.1),
        (x, y - 9.4),
        (x - 1.2, y - 8.1),
        (x - 4.1, y - 7.5),
    )
    pen.fill(foot, iron)
    pen.solid(lens(x - 2.9, y + 7.7, 4.4, 0.34, 33), edge)
    pen.solid(lens(x + 2.9, y + 7.7, 4.4, 0.2, -33), edge)
    pen.solid(lens(x, y + 6.05, 9.6, 0.24), edge)
    pen.solid(lens(x, y - 6.75, 7.2, 0.22), edge)
    pen.fill(circle(x, y + 10.9, 0.75), iron)


def _moth(pen: Pen, x: float, y: float, turn: float, size: float) -> None:
    with pen.at(x, y, turn=turn, scale=size):
        for side in (1, -1):
            upper = Path().move(0, 0.3).curve(side * 0.8, 2.2, side * 2.8, 2.4, side * 3.0, 1.5)
            upper.curve(side * 2.6, 0.3, side * 1.2, -0.1, 0, -0.2).close()
            lower = Path().move(0, 0).curve(side * 1.4, 0, side * 2.0, -0.8, side * 1.5, -1.6)
            lower.curve(side * 0.9, -1.9, side * 0.3, -1.2, 0, -0.6).close()
            pen.fill(lower, c("D8B98A"))
            pen.fill(upper, c("F3E3BC"))
            pen.solid(circle(side * 1.9, 1.25, 0.3), c("9C5A34"))
        pen.solid(ellipse(0, -0.1, 0.3, 1.2), c("5B3A2E"))


def _village(pen: Pen) -> None:
    far = hill(pen, [12, 14.5, 12, 11, 14, 16, 13], c("25315C"))
    furrows(pen, far, c("44538A"), 2, 1.5, 3, 0.2)
    for at, (x, width, wall, roof) in enumerate(
        (
            (1, 7, 6, 4),
            (8.5, 5.5, 8, 4.5),
            (14.5, 8, 5.4, 4.4),
            (23, 5, 6.6, 3.6),
            (29, 7.5, 5, 4.6),
            (37, 5, 8.4, 6.2),
            (42.4, 7, 6, 4.2),
            (49.6, 7, 7.4, 5),
        )
    ):
        dark = c("131A36") if at % 2 else c("1A2344")
        pen.fill(
            polygon(
                (x, -1),
                (x, wall),
                (x - 0.7, wall),
                (x + width / 2, wall + roof),
                (x + width + 0.7, wall),
                (x + width, wall),
                (x + width, -1),
            ),
            dark,
        )
        pen.solid(
            lens(x + width * 0.25, wall + roof * 0.52, roof * 1.15, 0.2, 52 if roof > 4 else 46), c("56659A")
        )
        if at % 3 != 1:
            pen.fill(rect(x + width * 0.4, wall - 2.6, 1.2, 1.7), c("F2B84B"))
            pen.stroke(
                polyline((x + width * 0.4 + 0.6, wall - 2.6), (x + width * 0.4 + 0.6, wall - 0.9)), dark, 0.14
            )
    pen.fill(rect(17, 9.2, 1.1, 3), c("131A36"))
    pen.fill(
        ribbon([(17.5, 12.4), (18.3, 13.8), (17.4, 15.2), (18.4, 16.8)], [0.5, 0.8, 0]), c("56659A"), tone=True
    )


@motif("lighthouse", deep="173449", accent="C2562F")
def lighthouse(pen: Pen) -> None:
    """A lighthouse on its rock throws two beams over a curling sea."""
    sky(pen, steps(c("122740"), c("3C6E86"), 7), bottom=16)
    stars(pen, 21, 30, c("F0E4BE"), area=(1, 26, 53, 23), clear_of=(12, 30, 9))
    glow = c("F4D98C")
    for far in (((34, 38.6), (-2, 49), (-2, 41.5)), ((34, 38.6), (57, 44.5), (57, 37.8))):
        pen.fill(polygon(*far), c("6F93A0"), tone=True)
    for near in (((34, 38.6), (-2, 47.2), (-2, 43.4)), ((34, 38.6), (57, 42.6), (57, 39.4))):
        pen.fill(polygon(*near), glow)
    cloud(pen, 12, 28.5, 19, c("6F9AA6"), c("D3E2DA"))
    cloud(pen, 49, 24.6, 15, c("6F9AA6"), c("D3E2DA"), flip=True)
    water(pen, 17.5, 2, [c("2C6076"), c("21506A"), c("1A415B")], c("7FB0B4"), 4)
    _rock(pen)
    _tower(pen, 34)
    for x, y, size in ((3, 4.6, 1.15), (18.5, 2.4, 1.35), (49.5, 2.2, 1.2)):
        _breaker(pen, x, y, size)


def _rock(pen: Pen) -> None:
    dark, light = c("101E30"), c("5C7F90")
    pen.fill(
        blob(
            (16, 7),
            (19, 10.5),
            (23, 12.6),
            (25, 16.4),
            (29, 18.4),
            (38, 18.8),
            (43, 16),
            (45.6, 12),
            (51, 9.6),
            (55, 4),
            (54, -2),
            (16, -2),
        ),
        dark,
    )
    for x, y, length, turn in (
        (24.4, 14, 3.6, 60),
        (27, 16.6, 3, 40),
        (21, 10.4, 4, 42),
        (29, 13.4, 4.2, 66),
        (33, 15, 3.2, 78),
        (41.5, 14.6, 4, -48),
        (46, 10, 4, -40),
        (38, 13, 4.4, -70),
        (26, 9.4, 4.6, 58),
        (43, 8.8, 3.8, -55),
        (34, 9.6, 4, 88),
    ):
        pen.solid(lens(x, y, length, 0.42, turn), light)


def _tower(pen: Pen, x: float) -> None:
    dark, cream, red = c("14223A"), c("F4EAD2"), c("C2562F")
    top, foot = 34.2, 17.6

    def edge(level: float) -> float:
        share = (level - foot) / (top - foot)
        return 4.4 - 1.75 * share + 0.5 * (1 - share) ** 3

    for at in range(5):
        low = foot + (top - foot) * at / 5
        high = foot + (top - foot) * (at + 1) / 5
        band = polygon((x - edge(low), low), (x + edge(low), low), (x + edge(high), high), (x - edge(high), high))
        pen.fill(band, cream if at % 2 else red)
        shade = polygon(
            (x + edge(low) * 0.42, low),
            (x + edge(low), low),
            (x + edge(high), high),
            (x + edge(high) * 0.42, high),
        )
        pen.fill(shade, (cream if at % 2 else red).towards(dark, 0.34), tone=True)
        for mark in range(3):
            level = low + 0.7 + mark * 1.0
            pen.solid(
                lens(x + edge(level) * 0.3, level, 1.5, 0.2, 4), (cream if at % 2 else red).towards(dark, 0.34)
            )
    for level in (21.2, 27.6):
        pen.fill(
            Path()
            .move(x - 1.5, level)
            .line(x - 1.5, level + 1.3)
            .curve(x - 1.5, level + 2.1, x - 0.4, level + 2.1, x - 0.4, level + 1.3)
            .line(x - 0.4, level)
            .close(),
            dark,
        )
    pen.fill(
        Path()
        .move(x - 1, foot)
        .line(x - 1, foot + 1.9)
        .curve(x - 1, foot + 3, x + 0.8, foot + 3, x + 0.8, foot + 1.9)
        .line(x + 0.8, foot)
        .close(),
        dark,
    )
    pen.fill(polygon((x - 3.7, top), (x + 3.7, top), (x + 3.2, top + 1.1), (x - 3.2, top + 1.1)), dark)
    for at in range(7):
        pen.stroke(polyline((x - 3 + at, top + 1.1), (x - 3 + at, top + 2.5)), dark, 0.2)
    pen.stroke(polyline((x - 3.3, top + 2.5), (x + 3.3, top + 2.5)), dark, 0.28)
    pen.fill(rect(x - 1.9, top + 1.1, 3.8, 5.4), c("FFF3C4"))
    pen.fill(circle(x, top + 4.2, 1.35), c("F2A33A"))
    for dx in (-1.9, 0, 1.9):
        pen.stroke(polyline((x + dx, top + 1.1), (x + dx, top + 6.5)), dark, 0.26)
    dome = Path().move(x - 2.6, top + 6.4).curve(x - 2.4, top + 9, x - 0.6, top + 9.2, x, top + 10)
    dome.curve(x + 0.6, top + 9.2, x + 2.4, top + 9, x + 2.6, top + 6.4).close()
    pen.fill(dome, red)
    pen.stroke(polyline((x, top + 9.8), (x, top + 12.2)), dark, 0.24)
    pen.solid(lens(x - 1.2, top + 7.7, 2.2, 0.34, 56), cream)


def _breaker(pen: Pen, x: float, y: float, size: float) -> None:
    """A wave that curls over to the right, with a crest of foam."""
    with pen.at(x, y, scale=size):
        body = svg_path(
            "M-9 -7 C-8 -1 -4.5 4.6 1.2 4.9 C5.2 5.1 7.2 2.6 6.3 0.6 C5.8 -0.6 4.2 -0.6 3.8 0.6 "
            "C3.6 1.7 2.6 2.2 1.4 1.4 C-0.6 0 1.6 -3.4 6 -4.2 C9 -4.6 11 -4 13 -7 Z"
        )
        pen.fill(body, c("18405C"))
        for offset, width in ((0.0, 0.5), (1.5, 0.42), (3.0, 0.34)):
            pen.solid(
                ribbon(
                    [
                        (-7.6 + offset, -5),
                        (-5.2 + offset * 0.86, -0.4),
                        (-2.2 + offset * 0.7, 2.9 - offset * 0.34),
                        (1.4 + offset * 0.3, 3.9 - offset * 0.55),
                    ],
                    [0, width, width, 0],
                ),
                c("7FB5BD"),
            )
        pen.fill(
            ribbon([(-3.4, 3.4), (1.2, 5), (5.6, 3.9), (6.5, 1.2), (5.1, 0), (4.1, 0.7)], [0, 0.9, 1.0, 0.9, 0]),
            c("F1EAD6"),
        )
        for fx, fy, radius in (
            (7.6, 3.6, 0.34),
            (7.9, 1.6, 0.26),
            (6.9, 5.1, 0.26),
            (8.9, 2.7, 0.2),
            (5.2, 5.8, 0.2),
        ):
            pen.solid(circle(fx, fy, radius), c("F1EAD6"))
