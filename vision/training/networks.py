"""The three networks of the dice reader, in PyTorch.

* :class:`Detector` finds dice: a dense network with a stride of 8 and a look at a stride of 32 for large ones.
* :class:`Reader` says what one crop shows: kind of die, pips, numeral. Its last layer sees *where* on the crop a
  feature lies, because several faces of a die are in view and only the place tells which of them is up.
* :class:`Second` answers the same question in another way (a grey crop with half the pixels, flattened by its
  local contrast, large depthwise kernels), so that the two rarely make the same mistake.

Pictures go in as float32 (N, 3, H, W), blue, green, red, 0 to 1; the second reader's as (N, 1, 64, 64).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the name the field uses

from vision.dice.kinds import KINDS as DICE

KINDS = ("none", *(kind.value for kind in DICE))
"""Order of the reader's ``kind`` logits; "none" is no die, or not the middle of one."""
PIPS = 6
NUMERALS = 21
"""Numerals 0 to 20: a d100's is its tens digit."""
EMBEDDING = 64
CROP = 96
"""Side of the reader's crops, px."""
GREY_CROP = 64
"""Side of the second reader's grey crops, px."""
STRIDE = 8
"""Input pixels to one cell of the detector's answer."""
MULTIPLE = 32
"""Sides of the detector's input are multiples of this."""


class Found(NamedTuple):
    """The detector's answer, each (N, C, H / 8, W / 8)."""

    heat: Tensor
    """(N, 1, h, w) logits: is the middle of a die here?"""
    size: Tensor
    """(N, 2, h, w) logarithm of width and height in cells."""
    offset: Tensor
    """(N, 2, h, w) from the cell's corner to the middle of the die, x and y in cells."""


class Read(NamedTuple):
    """A reader's answer to a batch of N crops."""

    kind: Tensor
    """(N, 9) logits over ``KINDS``."""
    pips: Tensor
    """(N, 6) logits over one to six pips."""
    numeral: Tensor
    """(N, 21) logits over the numerals 0 to 20."""
    top: Tensor
    """(N, 4) middle of the face that lies up, x and y in halves of the crop's side from its middle, then the sine
    and cosine of the numeral's turn clockwise from up."""
    embedding: Tensor
    """(N, 64) of length 1: near one another for two looks at one face."""


def _conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def _features(inputs: int, outputs: int) -> tuple[nn.Module, ...]:
    """The vector that all answers are made from. Without the norm it died out: nearly all of it was 0."""
    return nn.Linear(inputs, outputs, bias=False), nn.BatchNorm1d(outputs), nn.ReLU()


class _Twice(nn.Module):
    """Two 3 x 3 convolutions beside a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(self.first(x)))


class Detector(nn.Module):
    """Dice in a whole picture; sides are multiples of 32 px."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width
        self.quarter = nn.Sequential(_conv(3, w, 2), _conv(w, 2 * w, 2), _Twice(2 * w))
        self.eighth = nn.Sequential(_conv(2 * w, 4 * w, 2), _Twice(4 * w))
        self.sixteenth = nn.Sequential(_conv(4 * w, 8 * w, 2), _Twice(8 * w))
        self.far = nn.Sequential(_conv(8 * w, 10 * w, 2), _Twice(10 * w))
        self.from_far = _conv(10 * w, 8 * w, kernel=1)
        self.from_sixteenth = nn.Sequential(_conv(8 * w, 8 * w), _conv(8 * w, 4 * w, kernel=1))
        self.together = _conv(4 * w, 4 * w)
        self.answer = nn.Conv2d(4 * w, 5, 1)
        bias = cast(Tensor, self.answer.bias)
        with torch.no_grad():
            # Nearly all cells are empty: begin by saying so.
            bias[0] = -4.0
            bias[1:3] = 1.6
            bias[3:5] = 0.5

    def forward(self, picture: Tensor) -> Found:
        eighth = self.eighth(self.quarter(picture))
        sixteenth = self.sixteenth(eighth)
        far = self.from_far(self.far(sixteenth))
        sixteenth = sixteenth + F.interpolate(far, scale_factor=2.0, mode="nearest")
        up = F.interpolate(self.from_sixteenth(sixteenth), scale_factor=2.0, mode="nearest")
        heat, size, offset = self.answer(self.together(eighth + up)).split([1, 2, 2], dim=1)
        return Found(heat, size, offset)


class _Heads(nn.Module):
    """Kind, pips, numeral, place and embedding from one vector."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.sizes = [len(KINDS), PIPS, NUMERALS, 4]
        self.answers = nn.Linear(features, sum(self.sizes))
        self.embedding = nn.Linear(features, EMBEDDING)

    def forward(self, features: Tensor) -> Read:
        kind, pips, numeral, top = self.answers(features).split(self.sizes, dim=1)
        return Read(kind, pips, numeral, top, F.normalize(self.embedding(features).float(), dim=1))


def _mean_round(x: Tensor, reach: int) -> Tensor:
    """Mean over the square that reaches so far to each side; rows first, then columns, which is much quicker."""
    rows = F.avg_pool2d(x, (1, 2 * reach + 1), 1, (0, reach), count_include_pad=False)
    return F.avg_pool2d(rows, (2 * reach + 1, 1), 1, (reach, 0), count_include_pad=False)


class Reader(nn.Module):
    """What a crop of 96 x 96 px shows."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 24, 2),
            _conv(24, 32),
            _conv(32, 64, 2),
            _Twice(64),
            _conv(64, 96, 2),
            _Twice(96),
            _conv(96, 128, 2),
            _Twice(128),
            _conv(128, 40, kernel=1),
            nn.Flatten(),
            nn.Dropout(0.05),
            *_features(40 * (CROP // 16) ** 2, 160),
        )
        self.heads = _Heads(160)

    def flattened(self, crops: Tensor) -> Tensor:
        """Colours by their local mean and their local spread, both taken from a quarter of the pixels.

        Without this the first thing to learn is to overlook colour and light, and that takes most of the time.
        """
        small = F.avg_pool2d(crops, 4)
        mean = _mean_round(small, 5)
        spread = torch.sqrt(_mean_round(((small - mean) ** 2).mean(dim=1, keepdim=True), 7) + 1e-4)
        up = partial(F.interpolate, scale_factor=4.0, mode="bilinear", align_corners=False)
        return (crops - up(mean)) / (up(spread) + 0.02)

    def forward(self, crops: Tensor) -> Read:
        return cast(Read, self.heads(self.body(self.flattened(crops))))


class _Wide(nn.Module):
    """A 7 x 7 depthwise convolution and a mix of channels beside a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.mix = nn.Sequential(
            nn.Conv2d(channels, channels, 7, 1, 3, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.Conv2d(channels, 2 * channels, 1),
            nn.ReLU(inplace=True),
            nn.Conv2d(2 * channels, channels, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        return x + cast(Tensor, self.mix(x))


class Second(nn.Module):
    """The other witness: (N, 1, 64, 64) grey, 0 to 1, taken as light and dark round each place; no colours."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(1, 24, 2, kernel=5),
            _conv(24, 64, 2),
            _Wide(64),
            _Wide(64),
            nn.Conv2d(64, 112, 2, 2),
            _Wide(112),
            _Wide(112),
            _conv(112, 24, kernel=1),
            nn.Flatten(),
            nn.Dropout(0.05),
            *_features(24 * (GREY_CROP // 8) ** 2, 128),
        )
        self.heads = _Heads(128)

    def flattened(self, crops: Tensor) -> Tensor:
        """Grey by its local mean and its local spread."""
        away = crops - _mean_round(crops, 10)
        spread = torch.sqrt(_mean_round(away * away, 15) + 1e-4)
        return away / (spread + 0.02)

    def forward(self, crops: Tensor) -> Read:
        return cast(Read, self.heads(self.body(self.flattened(crops))))


def _area_weights(large: int, small: int) -> Tensor:
    """(small, large) shares of the large pixels in each small one, as ``cv2.INTER_AREA`` takes them."""
    step = large / small
    left = torch.arange(small)[:, None] * step
    pixels = torch.arange(large)[None, :]
    shared = torch.minimum(left + step, pixels + 1.0) - torch.maximum(left, pixels.float())
    return shared.clamp(min=0) / step


def grey(crops: Tensor) -> Tensor:
    """(N, 3, 96, 96) to what the second reader takes, (N, 1, 64, 64)."""
    weights = _area_weights(crops.shape[-1], GREY_CROP).to(crops)
    light = 0.114 * crops[:, 0] + 0.587 * crops[:, 1] + 0.299 * crops[:, 2]
    return (weights @ light @ weights.T)[:, None]


MAKES: dict[str, type[nn.Module]] = {"detector": Detector, "reader": Reader, "second": Second}
"""Networks by the name that the training command knows."""


def parameters(network: nn.Module) -> int:
    """How many numbers a network has learned."""
    return sum(weight.numel() for weight in network.parameters())
