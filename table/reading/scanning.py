"""Cards in whatever is given: pictures, folders of pictures, videos, or a camera."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.reading.card_geometry import MIDDLE
from loomtable.table.reading.card_tags import TAGGED
from loomtable.table.reading.pictures import (
    FILMED,
    STILL_FRAMES,
    VIDEO_SUFFIXES,
    CameraSilent,
    NothingToLookAt,
    cards_in,
    settled_frame,
)
from loomtable.vision.camera import PictureFiles, open_source
from loomtable.vision.card_stream import CardWatch
from loomtable.vision.cards import CardScan, RefusedCode
from loomtable.vision.pictures import BgrImage, read_picture


class Scanned(NamedTuple):
    """One picture that was looked at for cards, or one layout of a video."""

    name: str
    """As it was given."""
    title: str
    """What a file with what was seen is called after."""
    seen: CardScan | LoomtableError
    """The cards, or why the picture cannot be read."""
    picture: BgrImage | None = None


def scans_of(images: Sequence[Path], camera: str | None) -> Iterator[Scanned]:
    """The cards in pictures, in all pictures of a folder, in every layout of a video, or before a camera.

    One unreadable picture does not keep the others from being read.

    Raises:
        NothingToLookAt: neither or both were given.
        CameraMissing, CameraSilent: there is no such camera, or it gives no frame.
    """
    if bool(images) == (camera is not None):
        raise NothingToLookAt("give either pictures or a camera: IMAGE..., or --camera 0")
    if camera is not None:
        frame = settled_frame(camera)
        yield Scanned(f"camera {camera}", Path(camera).stem, cards_in(frame, tags=True), frame)
        return
    for given in images:
        try:
            if given.suffix.lower() in VIDEO_SUFFIXES and given.is_file():
                yield from _layouts(given)
                continue
            files = PictureFiles(given).files if given.is_dir() else (given,)
        except LoomtableError as error:
            yield Scanned(str(given), given.stem, error)
            continue
        yield from map(_still, files)


def _still(path: Path) -> Scanned:
    try:
        picture = read_picture(path)
    except LoomtableError as error:
        return Scanned(str(path), path.stem, error)
    return Scanned(str(path), path.stem, cards_in(picture, tags=True), picture)


def _layouts(path: Path) -> Iterator[Scanned]:
    """Each layout of cards that lies still for a while; where none does, what lay there at the end."""
    watch = CardWatch(MIDDLE, tagged=TAGGED)
    told: tuple[ComponentId, ...] = ()
    refused: list[RefusedCode] = []
    quiet, count, frame = 0, 0, None
    with open_source(path) as film:
        for number, frame in enumerate(film):
            news = watch.update(frame, number / FILMED)
            refused += news.refused
            quiet = 0 if news.placed or news.taken or news.says else quiet + 1
            lying = tuple(seen.card for seen in watch.present)
            if quiet == STILL_FRAMES and lying and lying != told:
                told, count = lying, count + 1
                yield Scanned(str(path), f"{path.stem}-{count}", CardScan(watch.present, tuple(refused)), frame)
                refused = []
    if frame is None:
        raise CameraSilent(f"{path} holds no picture; is it cut short?")
    if not count:
        yield Scanned(str(path), path.stem, CardScan(watch.present, tuple(refused)), frame)
