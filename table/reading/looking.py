"""Where pictures of the table come from: files, folders of them, videos, or a camera; and what is read in each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from msgspec.structs import replace

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import BadInput, LoomtableError, NotNow
from loomtable.table.reading.card_geometry import TAGGED
from loomtable.table.reading.kept_cameras import kept_prints
from loomtable.table.reading.pictures import cards_in
from loomtable.vision.camera import CameraDevice, FrameSource, PictureFiles, open_source
from loomtable.vision.card_stream import CardsWatched, CardWatch
from loomtable.vision.cards import CardScan, RefusedCode, SeenCard
from loomtable.vision.dice import Pool, TrayReading, read_dice
from loomtable.vision.dice.enrolment.confirmed import OwnDice
from loomtable.vision.dice.networks import load_models
from loomtable.vision.dice.settling import StreamReader
from loomtable.vision.pictures import BgrImage, read_picture, read_reduced

VIDEO_SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mjpeg", ".mjpg", ".y4m", ".mpg", ".wmv"}
)
WATCHED = 30.0
"""Seconds of a camera in which a roll should settle."""
STILL, LOOKED_AT = 0.25, 1.5
"""Seconds without news after which the cards lie still; those for which an empty table is looked at."""
FILMED = 30.0
"""Frames of a film a second."""
SETTLING_FRAMES = 12
"""Frames that a camera is given to find its exposure and focus before one counts."""

Read = TypeVar("Read")


class NothingToLookAt(BadInput):
    """Neither a picture nor a camera was given, or both were."""


class CameraSilent(NotNow):
    """The camera gave no frame."""


@dataclass(frozen=True)
class Look(Generic[Read]):
    """One picture that was looked at, or one roll or layout of a video or camera."""

    name: str
    """As it was given."""
    title: str
    """What a file with what was seen is called after."""
    seen: Read | LoomtableError
    """What was read, or why the picture cannot be."""
    picture: BgrImage | None = None
    """The picture that ``seen`` gives places in."""
    scale: float = 1.0
    """How many pixels of the file make one of ``picture``: above 1 for very large files."""
    milliseconds: float = 0.0
    """How long reading took, without opening the file."""


Film = Callable[[str, FrameSource], Iterator[Look[Read]]]
"""What is read in each part of a video, by its name and its frames."""


def seen_in(
    images: Sequence[Path], camera: str | None, read: Callable[[BgrImage], Read], film: Film[Read] | None = None
) -> Iterator[Look[Read]]:
    """What is ``read`` in pictures, in all pictures of a folder, in each part of a ``film``, or before a camera.

    One unreadable picture does not keep the others from being read.

    Raises:
        NothingToLookAt: neither or both were given.
        CameraMissing, CameraSilent: there is no such camera, or it gives no frame.
    """
    _only_one_of(images, camera)
    if camera is not None:
        frame = settled_frame(camera)
        yield Look(f"camera {camera}", Path(camera).stem, read(frame), frame)
        return

    def still(path: Path) -> Look[Read]:
        picture = read_picture(path)
        return Look(str(path), path.stem, read(picture), picture)

    yield from _files(images, still, film)


def dice_in(
    images: Sequence[Path], camera: str | None, pool: Pool | None, own: OwnDice | None
) -> Iterator[Look[TrayReading]]:
    """Read the dice in pictures, in all pictures of a folder, and the rolls of videos or of a camera.

    One unreadable picture does not keep the others from being read. A camera is watched until one roll has
    settled.

    Raises:
        NothingToLookAt: neither or both were given.
        CameraMissing: there is no such camera.
    """
    _only_one_of(images, camera)
    load_models()
    if camera is not None:
        with open_source(camera) as source:
            yield from _rolls(f"camera {camera}", source, pool, own, most=1)
        return

    def still(path: Path) -> Look[TrayReading]:
        picture, reduced = read_reduced(path)
        begun = time.perf_counter()
        tray = read_dice(picture, pool, own=own)
        return Look(str(path), path.stem, tray, picture, reduced, 1000 * (time.perf_counter() - begun))

    yield from _files(images, still, partial(_rolls, pool=pool, own=own))


def cards_at(images: Sequence[Path], camera: str | None) -> Iterator[Look[CardScan]]:
    """The cards in pictures and in every layout of a video, or before a camera; raises as ``seen_in`` does."""
    return seen_in(images, camera, partial(cards_in, tags=True), _layouts)


def _only_one_of(images: Sequence[Path], camera: str | None) -> None:
    if bool(images) == (camera is not None):
        raise NothingToLookAt("give either pictures or a camera: IMAGE..., or --camera 0")


def _files(
    images: Sequence[Path], still: Callable[[Path], Look[Read]], film: Film[Read] | None
) -> Iterator[Look[Read]]:
    """What is read in each file, in each picture of each folder, and in each part of each video."""
    for given in images:
        try:
            if film and given.suffix.lower() in VIDEO_SUFFIXES and given.is_file():
                with open_source(given) as source:
                    yield from film(str(given), source)
                continue
            files = PictureFiles(given).files if given.is_dir() else (given,)
        except LoomtableError as error:
            yield Look(str(given), given.stem, error)
            continue
        for file in files:
            try:
                yield still(file)
            except LoomtableError as error:
                yield Look(str(file), file.stem, error)


def _rolls(
    name: str, source: FrameSource, pool: Pool | None, own: OwnDice | None, most: int | None = None
) -> Iterator[Look[TrayReading]]:
    """Every roll that settles, up to ``most``; where none does, what the last frame shows, never accepted."""
    watch = StreamReader(pool, own=own)
    told, last, picture = 0, None, None
    title = Path(name.removeprefix("camera ")).stem if not source.live else name
    for passed, picture in _timed(source):
        if source.live and last is None:
            watch.see_prints(kept_prints(source.name, picture), picture)
        last = watch.read_frame(picture)
        if last.roll is not None:
            told += 1
            yield Look(name, f"{title}-{told}", last.roll.tray, picture, milliseconds=last.milliseconds)
        if told == most or (source.live and passed >= WATCHED):
            break
    if last is None or picture is None:
        yield Look(name, title, CameraSilent(f"{name} gave no picture; is another program using it?"))
    elif not told:
        yield Look(name, title, watch.unsettled(), picture, milliseconds=last.milliseconds)


def _layouts(name: str, film: FrameSource) -> Iterator[Look[CardScan]]:
    """Each layout of cards that lies still for a while, or cannot be read; or else what lay there at the end."""
    watch, count, frame, title = CardWatch(TAGGED), 0, None, Path(name).stem
    told: tuple[ComponentId, ...] = ()
    refused: list[RefusedCode] = []
    for _, frame, news, still in _watched(watch, _timed(film)):
        refused += news.refused
        lying = tuple(seen.card for seen in watch.present)
        if news.unclear or (still and lying and lying != told):
            told, count = lying, count + 1
            scan = replace(news.unclear or CardScan(), cards=watch.present, refused=tuple(refused))
            yield Look(name, f"{title}-{count}", scan, frame)
            refused = []
    if frame is None:
        raise CameraSilent(f"{name} holds no picture; is it cut short?")
    if not count:
        yield Look(name, title, CardScan(watch.present, tuple(refused)), frame)


def _timed(source: FrameSource) -> Iterator[tuple[float, BgrImage]]:
    """Frames with the seconds since the first; of a film its own, however fast it is read."""
    begun = time.monotonic()
    for number, frame in enumerate(source):
        yield time.monotonic() - begun if source.live else number / FILMED, frame


def _watched(
    watch: CardWatch, frames: Iterator[tuple[float, BgrImage]]
) -> Iterator[tuple[float, BgrImage, CardsWatched, bool]]:
    """Seconds, frames and what they bring, and whether the cards have lain still for a while."""
    since = None
    for at, frame in frames:
        seen = watch.update(frame, at)
        since = at if since is None or seen.placed or seen.taken or seen.says else since
        yield at, frame, seen, at - since >= STILL


def settled_frame(camera: str) -> BgrImage:
    """One frame of a camera (its number, or a video or folder in its place), after it had time to settle.

    Raises:
        CameraMissing, CameraSilent: there is no such camera, or it gives no frame.
    """
    return two_frames(camera, SETTLING_FRAMES)[1]


def two_frames(camera: str, of_a_film: int = 2) -> tuple[BgrImage | None, BgrImage, str, str]:
    """A frame of a camera, the one before it where there is one, how the camera is set, in words, and what it is
    called, where it is one that runs. They are the last of a few, of a film the first ``of_a_film``.

    Raises:
        CameraMissing, CameraSilent, AddressUnusable, FileUnreadable: nothing can be seen through it.
    """
    before: BgrImage | None = None
    latest: BgrImage | None = None
    mode = ""
    with open_source(camera) as source:
        if isinstance(source, CameraDevice):
            mode = str(source.mode)
            latest = source.settle()
        for _ in range(SETTLING_FRAMES if source.live else of_a_film):
            frame = source.read()
            if frame is None:
                break
            before, latest = latest, frame
    if latest is None:
        raise CameraSilent(f"camera {camera} gave no picture; is another program using it?")
    name = source.name if source.live else ""
    return before, latest, mode or f"{latest.shape[1]} x {latest.shape[0]}", name


class CardTable:
    """Where cards are looked for: in pictures, all at the first look, or before a camera, until they lie still.

    Raises:
        NothingToLookAt: both were given.
        CameraMissing, AddressUnusable, FileUnreadable: nothing can be seen through it.
    """

    def __init__(self, images: Sequence[Path], camera: str | None) -> None:
        if images and camera is not None:
            raise NothingToLookAt("give either pictures or a camera, not both")
        self._images, self._watch = images, CardWatch(TAGGED)
        self._source = None if camera is None else open_source(camera)
        if isinstance(self._source, CameraDevice):
            self._source.settle()
        self._frames = _timed(self._source) if self._source is not None else iter(())

    def scan(self, see: Callable[[Sequence[SeenCard]], tuple[str, ...]]) -> tuple[str, ...]:
        """Hand over what lies there, in order; a sentence for each card, and for whatever is none of ours."""
        said: list[str] = []
        images, self._images = self._images, ()
        for look in cards_at(images, None) if images else ():
            if isinstance(look.seen, LoomtableError):
                raise look.seen
            reasons = (*(refused.reason for refused in look.seen.refused), look.seen.advice)
            said += (*see(look.seen.cards), *(f"{look.name}: {reason}" for reason in reasons if reason))
        begun = None
        for at, _, seen, still in _watched(self._watch, self._frames):
            begun = at if begun is None else begun
            said += [code.reason for code in seen.refused] + list(seen.asks)
            if (still and (self._watch.present or at - begun >= LOOKED_AT)) or at - begun >= WATCHED:
                break
        return (*see(self._watch.present), *said) if self._source is not None else tuple(said)

    def close(self) -> None:
        """Give the camera back."""
        if self._source is not None:
            self._source.close()
