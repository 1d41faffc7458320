"""From colours on a screen to the four inks of a press: a model of offset printing on coated paper.

The model is Neugebauer's: sixteen solid overprints, mixed by the areas that the dots cover, after the dots have
grown on paper (tone value increase). The colours of the solids are the aims of ISO 12647-2 for coated paper, the
overprints with black estimated. It is meant as a sensible press where nobody names one; whoever knows theirs gives
its ICC profile instead.

Colours are CIE L*a*b* (D50), relative to the paper; inks are cyan, magenta, yellow, black, each 0 to 1.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

TOTAL_INK = 2.4
"""The most ink on any spot, all four together: 240 %, what printers of cards allow."""
BLACK_STARTS, BLACK_CURVE, REMOVED = 0.3, 1.3, 0.55
"""Black sets in where all three colours cover this much, grows by this power, and replaces this much of each."""
_GROWTH = np.array([0.14, 0.14, 0.14, 0.16])
"""How much larger a dot of one half is printed, for each ink."""
_D50 = np.array([0.9642, 1.0, 0.8249])
_SOLIDS = {
    "": (95, 0, -2),
    "C": (55, -37, -50),
    "M": (48, 74, -3),
    "Y": (89, -5, 93),
    "MY": (47, 68, 48),
    "CY": (50, -66, 27),
    "CM": (24, 20, -46),
    "CMY": (23, 0, 0),
    "K": (16, 0, 0),
}
_SRGB_TO_XYZ = np.array(
    [[0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169], [0.0139322, 0.0971045, 0.7141733]]
)
_GREY_POINTS = 256


def lab_to_xyz(lab: Values) -> Values:
    """L*a*b* (..., 3) to X, Y, Z (..., 3) under D50, where white has Y = 1."""
    fy = (lab[..., 0] + 16) / 116
    f = np.stack([fy + lab[..., 1] / 500, fy, fy - lab[..., 2] / 200], axis=-1)
    xyz: Values = np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * _D50
    return xyz


def xyz_to_lab(xyz: Values) -> Values:
    """X, Y, Z (..., 3) under D50 to L*a*b* (..., 3)."""
    t = xyz / _D50
    f = np.where(t > (6 / 29) ** 3, np.cbrt(np.maximum(t, 0)), t / (3 * (6 / 29) ** 2) + 4 / 29)
    lab: Values = np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1
    )
    return lab


def srgb_to_lab(rgb: Values) -> Values:
    """Colours of a screen (..., 3), each 0 to 1, as L*a*b*."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return xyz_to_lab(linear @ _SRGB_TO_XYZ.T)


def _solids() -> Values:
    """X, Y, Z of the sixteen overprints relative to the paper (2, 2, 2, 2, 3), axes C, M, Y, K."""
    paper = lab_to_xyz(np.array(_SOLIDS[""], dtype=float))
    solids = np.zeros((2, 2, 2, 2, 3))
    for on in product((0, 1), repeat=4):
        inks = "".join(ink for ink, there in zip("CMY", on[:3], strict=True) if there)
        lab = np.array(_SOLIDS[inks], dtype=float)
        if on[3]:  # black hides most of what lies under it
            black = np.array(_SOLIDS["K"], dtype=float)
            lab = black if not inks else np.array([6 + 0.08 * lab[0], 0.12 * lab[1], 0.12 * lab[2]])
        solids[on] = lab_to_xyz(lab) / paper * _D50
    return solids


_NEUGEBAUER = _solids()


def printed_lab(inks: Values) -> Values:
    """What inks (..., 4) look like on paper, as L*a*b* relative to the paper."""
    grown = inks + 4 * _GROWTH * inks * (1 - inks)
    mixed = _NEUGEBAUER
    weights = [np.stack([1 - grown[..., at], grown[..., at]], axis=-1) for at in range(4)]
    xyz: Values = np.einsum("...c,...m,...y,...k,cmykx->...x", *weights, mixed, optimize=True)
    return xyz_to_lab(xyz)


def with_black(three: Values) -> Values:
    """Three colours (..., 3) to four inks (..., 4): black takes the place of what all three have in common.

    The sum is never above ``TOTAL_INK``.
    """
    common = three.min(axis=-1, keepdims=True)
    black = np.maximum(0.0, (common - BLACK_STARTS) / (1 - BLACK_STARTS)) ** BLACK_CURVE
    return np.concatenate([three - REMOVED * black, black], axis=-1)


def separated(lab: Values) -> Values:
    """The inks (..., 4) that come nearest to L*a*b* colours (..., 3), by Newton's method from a coarse grid."""
    wanted = lab.reshape(-1, 3)
    axis = np.linspace(0, 1, 11)
    seeds = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    printed = printed_lab(with_black(seeds))
    three = np.concatenate(
        [
            seeds[((part[:, None] - printed) ** 2).sum(-1).argmin(1)]
            for part in np.array_split(wanted, len(wanted) // 500 + 1)
        ]
    )
    best, best_error = three, _error(three, wanted)
    for _ in range(12):
        three = _step(three, wanted)
        error = _error(three, wanted)
        better = error < best_error
        best, best_error = np.where(better[:, None], three, best), np.minimum(error, best_error)
    return with_black(best).reshape(*lab.shape[:-1], 4)


def _error(three: Values, wanted: Values) -> Values:
    error: Values = ((printed_lab(with_black(three)) - wanted) ** 2).sum(-1)
    return error


def _step(three: Values, wanted: Values) -> Values:
    """One damped step towards the wanted colours, kept within what can be printed."""
    here = printed_lab(with_black(three))
    slope = np.empty((len(three), 3, 3))
    for at in range(3):
        moved = three.copy()
        reach = np.where(moved[:, at] > 0.5, -1e-3, 1e-3)
        moved[:, at] += reach
        slope[:, :, at] = (printed_lab(with_black(moved)) - here) / reach[:, None]
    square = slope.transpose(0, 2, 1) @ slope + 1.0 * np.eye(3)
    right = slope.transpose(0, 2, 1) @ (wanted - here)[:, :, None]
    return np.clip(three + np.linalg.solve(square, right)[:, :, 0], 0, 1)


def black_for_grey(lightness: Values) -> Values:
    """How much black alone (...) prints a grey of this L* (...)."""
    black = np.linspace(0, 1, _GREY_POINTS)
    inks = np.zeros((_GREY_POINTS, 4))
    inks[:, 3] = black
    printed = printed_lab(inks)[:, 0]
    amount: Values = np.interp(lightness, printed[::-1], black[::-1])
    return amount
