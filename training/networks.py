"""The networks of the dice reader that are trained here, in PyTorch.

* :class:`Detector` finds dice: a dense network with a stride of 8 and a look at a stride of 32 for large ones.
* :class:`Reader` says what one crop shows: kind of die, pips, numeral. Its last layer sees *where* on the crop a
  feature lies, because several faces of a die are in view and only the place tells which of them is up.
* :class:`Second` answers the same question from another school: it learned to see on pictures of everything, and
  takes colours as they are, so that the two rarely make the same mistake.
* :class:`Face` reads one face of a die that is laid flat.

Pictures go in as float32 (N, 3, H, W), blue, green, red, 0 to 1.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the name the field uses

from loomtable.vision.dice.faces import FACE_SIDE
from loomtable.vision.dice.numerals import STRINGS
from training.shapes import CROP, EMBEDDING, KINDS, NUMERALS, PIPS


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

    def seen(self, crops: Tensor) -> Tensor:
        """(N, 128, 6, 6) the last feature map before the one that is flattened."""
        return cast(Tensor, self.body[:8](self.flattened(crops)))

    def forward(self, crops: Tensor) -> Read:
        return self.read(self.seen(crops))

    def read(self, seen: Tensor) -> Read:
        """The answer to such a feature map."""
        return cast(Read, self.heads(self.body[8:](seen)))


def _mobile(inputs: int, outputs: int, kernel: int = 3, stride: int = 1, apart: bool = False) -> list[nn.Module]:
    groups = inputs if apart else 1
    conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
    return [conv, nn.BatchNorm2d(outputs), nn.ReLU6(inplace=True)]


class _Inverted(nn.Module):
    """MobileNetV2's block: widen, look round in each channel by itself, narrow again, beside a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int, wider: int) -> None:
        super().__init__()
        hidden = inputs * wider
        widen = _mobile(inputs, hidden, 1) if wider > 1 else []
        narrow = [nn.Conv2d(hidden, outputs, 1, bias=False), nn.BatchNorm2d(outputs)]
        self.conv = nn.Sequential(*widen, *_mobile(hidden, hidden, 3, stride, apart=True), *narrow)
        self.beside = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        changed = cast(Tensor, self.conv(x))
        return x + changed if self.beside else changed


MOBILE_BLOCKS = ((16, 1, 1, 1), (24, 2, 2, 6), (32, 3, 2, 6), (64, 4, 2, 6), (96, 3, 1, 6))
"""Channels, how many blocks, stride of the first, and how much wider inside: MobileNetV2 down to a stride of
16."""
SECOND_SIDE = 80
"""Side to which the second reader brings its crops: it learns twice as fast as from all of their pixels."""
SEEN_MEAN, SEEN_SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
"""Red, green and blue of the photographs from which the first layers were learned."""


class Second(nn.Module):
    """The other witness, of another school: its first layers learned to see on a million photographs of everything
    (MobileNetV2 on ImageNet, ``schooled.py``) before they were shown dice. (N, 3, 96, 96), as the reader."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = [nn.Sequential(*_mobile(3, 32, stride=2))]
        inputs = 32
        for channels, count, stride, wider in MOBILE_BLOCKS:
            for place in range(count):
                layers.append(_Inverted(inputs, channels, 1 if place else stride, wider))
                inputs = channels
        self.features = nn.Sequential(*layers)
        self.body = nn.Sequential(
            _conv(inputs, 40, kernel=1),
            nn.Flatten(),
            nn.Dropout(0.05),
            *_features(40 * (SECOND_SIDE // 16) ** 2, 160),
        )
        self.heads = _Heads(160)
        self.register_buffer("mean", torch.tensor(SEEN_MEAN).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("spread", torch.tensor(SEEN_SPREAD).view(1, 3, 1, 1), persistent=False)

    def seen(self, crops: Tensor) -> Tensor:
        """(N, 96, 5, 5) the last feature map before the one that is flattened."""
        small = F.interpolate(crops, (SECOND_SIDE, SECOND_SIDE), mode="bilinear", align_corners=False)
        return cast(Tensor, self.features((small.flip(1) - self.mean) / self.spread))

    def forward(self, crops: Tensor) -> Read:
        return self.read(self.seen(crops))

    def read(self, seen: Tensor) -> Read:
        """The answer to such a feature map."""
        return cast(Read, self.heads(self.body(seen)))


class FaceNet(nn.Module):
    """What stands upright on the face in the middle? (N, 3, 48, 48) in, (N, 30) out: logits over ``STRINGS``, and
    that nothing does."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 32, 2, kernel=5), *_plain(32, 48), nn.MaxPool2d(2),
            *_plain(48, 64), *_plain(64, 80), nn.MaxPool2d(2),
            *_plain(80, 96), *_plain(96, 40), nn.Flatten(), nn.Dropout(0.1),
            nn.Linear(40 * (FACE_SIDE // 8) ** 2, 80, bias=False), nn.BatchNorm1d(80), nn.ReLU(),
            nn.Linear(80, len(STRINGS) + 1),
        )  # fmt: skip

    def forward(self, crops: Tensor) -> Tensor:
        """The answer to crops."""
        answer: Tensor = self.body(_evened(crops))
        return answer


def _evened(crops: Tensor) -> Tensor:
    """Each crop by its own mean and spread, so that colour and light say nothing."""
    mean = crops.mean(dim=(2, 3), keepdim=True)
    spread = ((crops - mean) ** 2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
    return (crops - mean) / (spread + 0.02)


def _plain(inputs: int, outputs: int) -> tuple[nn.Module, ...]:
    return nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()


MAKES: dict[str, type[nn.Module]] = {
    "detector": Detector,
    "reader": Reader,
    "second": Second,
    "faces": FaceNet,
}
"""Networks by the name that the training command knows."""


def as_taken(pictures: Tensor) -> Tensor:
    """Pictures uint8 (N, H, W, 3) as all networks take them: float32 (N, 3, H, W), 0 to 1."""
    return pictures.permute(0, 3, 1, 2).float().div(255).contiguous(memory_format=torch.channels_last)


def parameters(network: nn.Module) -> int:
    """How many numbers a network has learned."""
    return sum(weight.numel() for weight in network.parameters())
