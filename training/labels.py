"""Labelled pictures to train on, whoever made them: photographs of people, and scenes of our own.

A folder of scenes holds ``scenes.jsonl``, one picture a line, as ``training/make.py`` writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable
from training.photographs import Labelled, LabelledDie, load_photographs

Box = tuple[float, float, float, float]

TOP_FACE_SOURCES = ("white-webcam", "visdice")
"""Photographs whose boxes go round the face that lies up, not round the die."""
CROP_SOURCES = {"skovy-crops": 0.98, "casino-crops": 0.95}
"""Sources of crops that are filled by one die, and how far it fills them."""
ALL_LABELLED_SOURCES = ("many-colours", "white-webcam", "rune55-trays", "rune55-fisheye", "visdice", "skovy")
"""Sources where every die in view is labelled, so that the rest of the picture holds none."""
BOARDS = frozenset(
    f"dice/board-game/{number:03}.jpg" for number in (*range(21, 58), 95, *range(97, 102), *range(103, 113), 114)
)
"""Pictures of another source that are so as well, looked through by eye: a board whose numbers and harbours look
much like dice."""
SCENES = "scenes.jsonl"
PLAIN = ("playing-cards", "qr", "coins")
"""Folders of pictures in which there are no dice at all."""


PHOTO_SHARE = 0.5
"""Share of photographs among what is learned from, where there are scenes, too."""


class KnownDie(msgspec.Struct, frozen=True):
    """One die and all that is known of it; positions in pixels of its picture."""

    kind: str
    value: int | None = None
    """The printed number that lies up; nothing where nobody knows, or no face lies up."""
    box: Box | None = None
    """Round the whole die."""
    top: tuple[float, float] | None = None
    """Middle of the face that lies up."""
    polygon: tuple[tuple[float, float], ...] = ()
    turn: float | None = None
    """Degrees from the picture's up to the numeral's up, clockwise."""
    seen: float = 1.0
    """Share of its outline that is in the picture and not hidden."""
    cocked: bool = False
    upright: tuple[float, float] | None = None
    """Where things that stand upright point, as long as the cosine of the camera's elevation."""


class LabelledScene(msgspec.Struct, frozen=True):
    """One line of ``scenes.jsonl``."""

    image: str
    width: int
    height: int
    dice: tuple[KnownDie, ...]


@dataclass(frozen=True)
class LabelledPicture:
    """One picture and its dice."""

    path: Path
    source: str
    """The photographer's folder, or "scenes"."""
    dice: tuple[KnownDie, ...]
    all_labelled: bool
    """Is every die in view labelled? Where not, nothing can be learned from the rest of the picture."""
    alarms: tuple[Box, ...] = ()
    """Where a detector saw a die and none is (``alarms.py``): what the readers must learn to call no die."""

    @property
    def image(self) -> str:
        """Folder and file name."""
        return f"{self.path.parent.name}/{self.path.name}"


def scene_pictures(folders: Iterable[Path]) -> list[LabelledPicture]:
    """The pictures of some folders of scenes.

    Raises:
        FileUnreadable: a folder without ``scenes.jsonl``.
        ContentInvalid: a line that is no scene; the message says which.
    """
    pictures = []
    decoder = msgspec.json.Decoder(LabelledScene)
    for folder in folders:
        try:
            lines = (folder / SCENES).read_bytes().splitlines()
        except OSError:
            raise FileUnreadable(f"there are no scenes in {folder}: {SCENES} is missing") from None
        for number, line in enumerate(lines, 1):
            try:
                scene = decoder.decode(line)
            except msgspec.DecodeError as error:
                if number == len(lines):
                    break  # The last line of a folder that is still being written.
                raise ContentInvalid(f"{folder / SCENES}: line {number}: {error}") from None
            pictures.append(LabelledPicture(folder / scene.image, "scenes", scene.dice, all_labelled=True))
    return pictures


def photograph_pictures(
    folder: Path,
    sources: Sequence[str],
    found: Mapping[str, Sequence[Box | None]] | None = None,
    alarms: Mapping[str, Sequence[Box]] | None = None,
) -> list[LabelledPicture]:
    """The photographs of some sources, their boxes brought to one meaning: round the whole die.

    ``found`` has better boxes of the dice of some pictures, by ``image`` as ``dice.jsonl`` names it, in the order
    of the labels; ``alarms`` has the places of some pictures that were taken for dice.

    Raises:
        FileUnreadable: there are no photographs in the folder.
        UnknownSource: the photographs have no such source.
    """
    photographs = load_photographs(folder, sources)
    return [
        LabelledPicture(
            photographs.path(photograph),
            photograph.source,
            _whole_dice(photograph, (found or {}).get(photograph.image)),
            photograph.source in ALL_LABELLED_SOURCES or photograph.image in BOARDS,
            tuple((alarms or {}).get(photograph.image.removeprefix("dice/"), ())),
        )
        for photograph in photographs.pictures
    ]


def all_labelled_pictures(
    folder: Path, sources: Sequence[str], found: Mapping[str, Sequence[Box | None]] | None = None
) -> list[LabelledPicture]:
    """Of the photographs of some sources, those in which every die is labelled; the rest is as for
    ``photograph_pictures``."""
    return [picture for picture in photograph_pictures(folder, sources, found) if picture.all_labelled]


def plain_pictures(folder: Path, alarms: Mapping[str, Sequence[Box]] | None = None) -> list[LabelledPicture]:
    """Photographs of other things; in none of them is a die. ``alarms`` is as for ``photograph_pictures``."""
    files = [file for name in PLAIN for file in sorted((folder / name).glob("*.*"))]
    plain = [LabelledPicture(file, f"plain-{file.parent.name}", (), all_labelled=True) for file in files]
    return [replace(picture, alarms=tuple((alarms or {}).get(picture.image, ()))) for picture in plain]


def _whole_dice(photograph: Labelled, found: Sequence[Box | None] | None) -> tuple[KnownDie, ...]:
    boxes = found or [None] * len(photograph.dice)
    return tuple(_whole(photograph, die, box) for die, box in zip(photograph.dice, boxes, strict=True))


def _whole(photograph: Labelled, die: LabelledDie, found: Box | None) -> KnownDie:
    box = die.box
    if box is None and photograph.source in CROP_SOURCES:
        fill = CROP_SOURCES[photograph.source]
        away = ((1 - fill) / 2 * photograph.width, (1 - fill) / 2 * photograph.height)
        box = (*away, photograph.width - away[0], photograph.height - away[1])
    if found is not None:
        box = found
    elif box is not None and photograph.source in TOP_FACE_SOURCES:
        box = whole_from_top(box)
    return KnownDie(die.kind, die.value, box)


def whole_from_top(box: Box) -> Box:
    """The box of a whole die from that of its top face, seen by an upright camera.

    The flatter the face looks, the more of the front shows below it: a front as high as the die's edge times the
    cosine of the angle whose sine is the face's height over its width.
    """
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    flat = min(height / max(width, 1e-6), 1.0)
    return x0, y0, x1, y1 + 0.8 * width * float((1 - flat * flat) ** 0.5)
