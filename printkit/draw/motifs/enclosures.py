"""Places to be lost in: the labyrinth, the empty chair."""

from __future__ import annotations

from loomtable.printkit.draw.motifs.registry import WIDTH, motif
from loomtable.printkit.draw.motifs.scenery import (
    EDGE,
    bird,
    c,
    cypress,
    furrows,
    grass,
    halo,
    height_at,
    hill,
    leaf,
    mountain,
    sky,
)
from loomtable.printkit.draw.palette import Colour, steps
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
    rounded,
    smooth,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen


@motif("labyrinth", deep="3B3A24", accent="B2612A")
def labyrinth(pen: Pen) -> None:
    """A turf labyrinth on the plain at evening, one lit tree in its middle."""
    sky(pen, steps(c("D98F58"), c("F8E4AE"), 6), top=50, bottom=33)
    halo(pen, 27.5, 37.4, [(11.6, c("F3C47A")), (9, c("F9DC98")), (6.4, c("FDF0C4"))])
    for x, y, span in ((13, 45, 3), (16.4, 46.4, 2.2), (41, 44, 2.6)):
        bird(pen, x, y, span, c("4A3A24"))
    mountain(pen, 6, 32, 11, 26, c("A8764E"), c("C9935E"))
    mountain(pen, 49, 32, 12.6, 28, c("A8764E"), c("C9935E"))
    mountain(pen, 18, 32, 6.4, 18, c("B98554"), c("D9A468"))
    mountain(pen, 39, 32, 6.4, 18, c("B98554"), c("D9A468"))
    pen.fill(rect(-1, -1, 57, 35), c("8C8F4A"))
    crest = [(x, 34.0) for x in range(-1, 60, 6)]
    furrows(pen, [(float(x), y) for x, y in crest], c("B9B56A"), 20, 1.75, 4, 0.24)
    _walls(pen, 27.5, 17.4)
    for x, y, tall in ((1.6, 29.6, 8), (5, 31, 6.4), (53.4, 29.6, 8), (50, 31, 6.4)):
        cypress(pen, x, y, tall, c("3F4A2A"), c("8C8F4A"))
    for x, tall, lean in ((1, 5, 0.3), (5, 3.6, 0.3), (54, 5, -0.3), (50, 3.6, -0.3)):
        grass(pen, x, -0.8, tall, c("2F3019"), lean, 6)


_GAPS: tuple[tuple[float, ...], ...] = ((-90,), (78,), (-70, 196), (102,), (-96, 20), (90,))
"""Where each ring of the labyrinth stands open (degrees), the outermost first."""
_BARRIERS = ((0, -76), (1, 64), (1, 160), (2, -52), (2, 12), (3, 118), (4, -112), (3, 222))
"""Cross walls: in the corridor inside which ring, at what angle."""


def _walls(pen: Pen, x: float, y: float) -> None:
    rings = [25.0 - at * 3.7 for at in range(6)]
    squash = 0.6
    pen.fill(ellipse(x, y - 0.3, 26.4, 26.4 * squash), c("D9C48A"))
    for dy, colour, width in ((0.0, c("4A4A24"), 1.35), (0.55, c("5F6B32"), 1.35), (1.1, c("7F8C42"), 1.15)):
        for radius, gaps in zip(rings, _GAPS, strict=True):
            half = 2.0 / radius * 57.3
            edges = sorted(gap % 360 for gap in gaps)
            for at, gap in enumerate(edges):
                end = edges[(at + 1) % len(edges)] + (360 if at == len(edges) - 1 else 0)
                _wall_arc(pen, x, y + dy, radius, squash, gap + half, end - half, colour, width)
        for ring, angle in _BARRIERS:
            a, b = on_circle(0, 0, rings[ring], angle), on_circle(0, 0, rings[ring + 1], angle)
            pen.stroke(
                polyline((x + a[0], y + dy + a[1] * squash), (x + b[0], y + dy + b[1] * squash)), colour, width
            )
    pen.fill(ellipse(x, y + 0.4, 4.0, 2.4), c("F6E3A4"), tone=True)
    pen.fill(ribbon([(x, y), (x + 0.2, y + 2.6), (x, y + 5)], [1.1, 0.7, 0.5]), c("4A2F1C"))
    for dx, dy, radius in ((-1.9, 6, 2.1), (1.9, 6, 2.1), (0, 8, 2.5), (0, 5.8, 2.0)):
        pen.fill(circle(x + dx, y + dy, radius), c("C9602A"))
    for dx, dy, turn in (
        (-2, 6.8, 30),
        (1.6, 6.9, -20),
        (-0.4, 9.2, 20),
        (0.8, 8, -30),
        (-0.9, 5.4, 10),
        (2.4, 5.4, 30),
    ):
        pen.solid(lens(x + dx, y + dy, 1.6, 0.36, turn), c("F6CE7A"))


def _wall_arc(
    pen: Pen,
    x: float,
    y: float,
    radius: float,
    squash: float,
    start: float,
    end: float,
    colour: Colour,
    width: float,
) -> None:
    count = max(3, int((end - start) / 12))
    points = [on_circle(0, 0, radius, start + (end - start) * at / count) for at in range(count + 1)]
    pen.stroke(smooth([(x + px, y + py * squash) for px, py in points]), colour, width)


@motif("empty-chair", deep="33304A", accent="A8482F")
def empty_chair(pen: Pen) -> None:
    """A high-backed chair before a tall window; someone has left a shawl and a book."""
    pen.fill(rect(-EDGE, -EDGE, WIDTH + 2, 52), c("8A7C8C"), tone=True)
    for at in range(15):
        pen.fill(rect(at * 4 - 1, 9, 2, 42), c("82748A"), tone=True)
    for at in range(15):
        for row in range(6):
            x, y = at * 4 + 2, 15 + row * 6.4 + (at % 2) * 3.2
            pen.solid(leaf(x, y, 1.2, 90, 0.34), c("A494A2"))
    _window(pen)
    pen.fill(rect(-1, -1, 57, 10.6), c("4E3A44"))
    for y in (1.6, 4.0, 6.2, 8.2):
        pen.solid(lens(27.5, y, 60, 0.16), c("33262F"))
    pen.fill(polygon((12, 9.6), (27, 9.6), (47, -1), (20, -1)), c("C9A68A"), tone=True)
    pen.fill(polygon((19.2, 9.6), (20.2, 9.6), (34.4, -1), (32.6, -1)), c("4E3A44"), tone=True)
    pen.fill(rect(-1, 9.4, 57, 1.3), c("33262F"))
    _curtain(pen)
    with pen.at(-1.4, 0):
        _chair(pen)


def _window(pen: Pen) -> None:
    def arch(grow: float) -> Path:
        path = (
            Path()
            .move(7 - grow, 14 - grow)
            .line(7 - grow, 33)
            .curve(7 - grow, 41 + grow * 0.6, 12 - grow * 0.5, 46.4 + grow, 18.6, 46.4 + grow)
        )
        return (
            path.curve(25.2 + grow * 0.5, 46.4 + grow, 30.2 + grow, 41 + grow * 0.6, 30.2 + grow, 33)
            .line(30.2 + grow, 14 - grow)
            .close()
        )

    pen.fill(arch(1.5), c("33262F"))
    with pen.clipped(arch(0)):
        sky(pen, steps(c("E9B47C"), c("FBEBC0"), 6), top=46, bottom=20)
        halo(pen, 18.6, 27.5, [(8.8, c("F6D28C")), (6.6, c("FBE4A8")), (4.6, c("FFF5D4"))])
        for x, y, span in ((12, 37.4, 2.4), (14.6, 39, 1.8), (24, 36, 2)):
            bird(pen, x, y, span, c("6E4A4A"))
        far = hill(pen, [19, 21, 22, 20, 22, 24, 22, 20], c("B98A78"))
        furrows(pen, far, c("E3B898"), 2, 1.3, 3, 0.2)
        near = hill(pen, [17, 18, 17, 18, 19, 17, 17], c("7C6470"))
        for x, tall in ((9, 8), (11.6, 10), (27, 8)):
            cypress(pen, x, height_at(near, x) - 1, tall, c("4E4258"))
    bar = c("33262F")
    pen.stroke(polyline((18.6, 14), (18.6, 46)), bar, 0.7, butt=True)
    for y in (22, 30, 36):
        pen.stroke(polyline((7, y), (30.2, y)), bar, 0.45, butt=True)
    for side in (1, -1):
        pen.stroke(
            Path().move(18.6, 46).curve(18.6 + side * 1, 41, 18.6 + side * 6, 38, 18.6 + side * 10.6, 36),
            bar,
            0.45,
        )
    pen.fill(rect(4.4, 11.4, 28.4, 1.9), c("D9C4A4"))
    pen.solid(lens(18.6, 12.0, 24, 0.24), c("8A6A58"))


def _curtain(pen: Pen) -> None:
    red, dark, light = c("A8482F"), c("6E2A26"), c("E08F68")
    drape = svg_path("M-1 51 L9 51 C9.4 42 6.6 34 2.6 28.6 C4.8 25 5.2 18 5.4 9 L-1 9 Z")
    pen.fill(drape, red)
    for points in (
        [(2.6, 50), (3.2, 42), (2, 34), (0.8, 29)],
        [(6.4, 50), (6.6, 43), (4.6, 35), (1.8, 29)],
        [(1.2, 27), (2.4, 22), (2.4, 16), (2.4, 11)],
        [(2.2, 27), (4, 21), (4.1, 15), (4.1, 10)],
    ):
        pen.solid(ribbon(points, [0, 0.6, 0.5, 0]), dark)
        pen.solid(ribbon([(px - 0.9, py) for px, py in points], [0, 0.36, 0.3, 0]), light)
    pen.fill(ribbon([(-1, 28.4), (1, 27.6), (3.2, 28.6)], [1.4, 1.5, 1.2]), c("E3B868"))


def _chair(pen: Pen) -> None:
    wood, light, cloth, pale = c("2A1C24"), c("C98F6A"), c("2F5560"), c("9CC0B8")
    back = svg_path("M31.6 14 L31.2 36 C31.4 40.6 35 42.6 40 43.6 C45 42.6 48.6 40.6 48.8 36 L48.4 14 Z")
    pen.fill(back, wood)
    panel = svg_path("M34 17 L33.8 35 C34 38.4 36.4 39.6 40 40.2 C43.6 39.6 46 38.4 46.2 35 L46 17 Z")
    pen.fill(panel, cloth)
    for row in range(5):
        for at in range(3 - row % 2):
            x, y = 36.6 + at * 3.4 + (row % 2) * 1.7, 20.2 + row * 3.8
            pen.solid(polygon((x, y + 1.3), (x + 0.8, y), (x, y - 1.3), (x - 0.8, y)), pale)
    for x in (31.4, 48.6):
        pen.fill(
            blob((x - 1, 36), (x - 1.3, 40), (x - 0.7, 42), (x, 44), (x + 0.7, 42), (x + 1.3, 40), (x + 1, 36)),
            wood,
        )
        pen.solid(lens(x - 0.3, 40, 3, 0.3, 90), light)
    pen.fill(circle(40, 44.4, 1.5), wood)
    pen.solid(lens(39.7, 44.8, 1.5, 0.34, 30), light)
    pen.fill(polygon((29.4, 16.2), (50.6, 16.2), (52.4, 12.4), (27.6, 12.4)), cloth)
    pen.solid(lens(40, 15.2, 17, 0.34), pale)
    pen.fill(rounded(27.2, 10.2, 25.6, 2.6, 0.8), wood)
    pen.solid(lens(40, 11.9, 20, 0.3), light)
    for x, lean in ((28.8, -1.2), (51.2, 1.2)):
        pen.fill(ribbon([(x, 10.6), (x - lean * 0.4, 6), (x + lean * 0.5, 2)], [2.0, 1.4, 1.7]), wood)
        pen.fill(ribbon([(x, 12.4), (x + lean * 0.3, 17), (x + lean * 0.2, 20.4)], [1.6, 1.2, 1.6]), wood)
        pen.fill(ribbon([(x + (40 - x) * 0.32, 21.6), (x, 21.4), (x + lean * 1.4, 20.4)], [1.7, 2.1, 1.4]), wood)
        pen.solid(lens(x + lean * 0.2, 21.9, 3.8, 0.32), light)
        pen.solid(lens(x, 6.4, 4.4, 0.3, 90), light)
    for x in (33.4, 46.6):
        pen.fill(ribbon([(x, 10.4), (x, 7.4), (x, 5.2)], [1.5, 1.0, 1.2]), wood)
    shawl = svg_path(
        "M48 23.4 C50 24.2 53 23.8 53.6 21.6 C54.6 17 54.2 12 55 7 L52.8 8 L51.2 6.6 L49.6 8.2 "
        "C49 13 48.4 19 48 23.4 Z"
    )
    pen.fill(shawl, c("D9803F"))
    for dx in (0.9, 2.4, 3.9):
        pen.solid(ribbon([(48.4 + dx, 22.6), (49 + dx, 16), (49.2 + dx, 8.6)], [0, 0.34, 0]), c("8A3A22"))
    for at in range(7):
        pen.solid(lens(49.9 + at * 0.8, 6.6 + (at % 2) * 0.3, 2.4, 0.2, 84), c("D9803F"))
    pen.fill(polygon((34.6, 16.4), (42.2, 16.4), (41.2, 18), (33.8, 18)), c("A8323A"))
    pen.fill(polygon((42.2, 16.4), (43.0, 17.0), (42, 18.4), (41.2, 18)), c("F3E6C8"))
    pen.fill(polygon((33.8, 18), (41.2, 18), (42, 18.4), (34.8, 18.5)), c("C9504A"))
    pen.solid(ribbon([(37, 16.5), (36.8, 15), (37.4, 13.6)], [0.3, 0.3]), c("E3B868"))
