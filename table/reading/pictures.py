"""What the table's cameras see: pictures from files or a device, and pictures with what was read drawn on them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import BadInput, FileUnreadable, LoomtableError, NotNow
from loomtable.engine.systems import card_name
from loomtable.table.reading.card_edges import on_edges
from loomtable.table.reading.card_geometry import MIDDLE, card_outline, code_by_tag, on_card
from loomtable.table.reading.card_tags import TAGGED
from loomtable.vision.camera import CameraDevice, FrameSource, PictureFiles, open_source
from loomtable.vision.card_stream import CardWatch
from loomtable.vision.card_tags import with_tags
from loomtable.vision.cards import CardScan, RefusalKind, SeenCard, scan_cards
from loomtable.vision.dice import Pool, SeenDie, TrayReading, read_dice
from loomtable.vision.dice.enrolment.confirmed import OwnDice
from loomtable.vision.dice.networks import load_models
from loomtable.vision.dice.settling import StreamReader
from loomtable.vision.overlay import Mark, draw_caption, draw_marks
from loomtable.vision.pictures import BgrImage, read_picture, read_reduced, write_picture
from loomtable.vision.quads import Point
from loomtable.vision.tags import find_tags
from loomtable.vision.verdict import Verdict

VIDEO_SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mjpeg", ".mjpg", ".y4m", ".mpg", ".wmv"}
)
WATCHED_FRAMES = 900
"""Frames of a camera in which a roll should settle: half a minute."""
STILL_FRAMES, LOOK_FRAMES = 8, 45
"""Frames without news after which the cards lie still; frames for which an empty table is looked at."""
FILMED = 30.0
"""Frames of a film a second."""
SETTLING_FRAMES = 12
"""Frames that a camera is given to find its exposure and focus before one counts."""


class NothingToLookAt(BadInput):
    """Neither a picture nor a camera was given, or both were."""


class CameraSilent(NotNow):
    """The camera gave no frame."""


def pictures_from(images: Sequence[Path], camera: str | None) -> Iterator[tuple[str, BgrImage]]:
    """The pictures in files, or one frame of a camera, each with the name that messages call it.

    Raises:
        NothingToLookAt: neither or both were given.
        PictureUnreadable: a file is no picture.
        CameraMissing, CameraSilent: there is no such camera, or it gives no frame.
    """
    if bool(images) == (camera is not None):
        raise NothingToLookAt("give either pictures or a camera: IMAGE..., or --camera 0")
    if camera is not None:
        yield f"camera {camera}", settled_frame(camera)
        return
    for path in images:
        yield str(path), read_picture(path)


@dataclass(frozen=True)
class Source:
    """One picture that was looked at for dice, or one roll of a video or camera."""

    name: str
    """As it was given."""
    title: str
    """What a file with what was seen is called after."""
    tray: TrayReading | LoomtableError
    """What was read, or why the picture cannot be."""
    picture: BgrImage | None = None
    """The picture that ``tray`` gives places in."""
    scale: float = 1.0
    """How many pixels of the file make one of ``picture``: above 1 for very large files."""
    milliseconds: float = 0.0
    """How long reading took, without opening the file."""


def looks_at(
    images: Sequence[Path], camera: str | None, pool: Pool | None, own: OwnDice | None
) -> Iterator[Source]:
    """Read the dice in pictures, in all pictures of a folder, and the rolls of videos or of a camera.

    One unreadable picture does not keep the others from being read. A camera is watched until one roll has
    settled.

    Raises:
        NothingToLookAt: neither or both were given.
        CameraMissing: there is no such camera.
    """
    if bool(images) == (camera is not None):
        raise NothingToLookAt("give either pictures or a camera: IMAGE..., or --camera 0")
    load_models()
    if camera is not None:
        with open_source(camera) as source:
            yield from _rolls(f"camera {camera}", source, pool, own, most=1)
        return
    for given in images:
        if given.suffix.lower() in VIDEO_SUFFIXES and given.is_file():
            yield from _video(given, pool, own)
        elif given.is_dir():
            yield from _folder(given, pool, own)
        else:
            yield _still(given, pool, own)


def _folder(folder: Path, pool: Pool | None, own: OwnDice | None) -> Iterator[Source]:
    try:
        files = PictureFiles(folder).files
    except LoomtableError as error:
        yield Source(str(folder), folder.name, error)
        return
    for file in files:
        yield _still(file, pool, own)


def _still(path: Path, pool: Pool | None, own: OwnDice | None) -> Source:
    try:
        picture, reduced = read_reduced(path)
        begun = time.perf_counter()
        tray = read_dice(picture, pool, own=own)
    except FileUnreadable as error:
        return Source(str(path), path.stem, error)
    taken = 1000 * (time.perf_counter() - begun)
    return Source(str(path), path.stem, tray, picture, reduced, taken)


def _video(path: Path, pool: Pool | None, own: OwnDice | None) -> Iterator[Source]:
    try:
        with open_source(path) as source:
            yield from _rolls(str(path), source, pool, own)
    except LoomtableError as error:
        yield Source(str(path), path.stem, error)


def _rolls(
    name: str, source: FrameSource, pool: Pool | None, own: OwnDice | None, most: int | None = None
) -> Iterator[Source]:
    """Every roll that settles, up to ``most``; where none does, what the last frame shows, never accepted."""
    watch = StreamReader(pool, own=own)
    told, last, picture = 0, None, None
    limit = WATCHED_FRAMES if source.live else None
    title = Path(name.removeprefix("camera ")).stem if not source.live else name
    for number, picture in enumerate(source):
        seen = watch.read_frame(picture)
        last = seen
        if seen.roll is not None:
            told += 1
            yield Source(name, f"{title}-{told}", seen.roll.tray, picture, milliseconds=seen.milliseconds)
        if told == most or (limit is not None and number >= limit):
            break
    if told:
        return
    if last is None or picture is None:
        yield Source(name, title, CameraSilent(f"{name} gave no picture; is another program using it?"))
        return
    yield Source(name, title, watch.unsettled(), picture, milliseconds=last.milliseconds)


def settled_frame(camera: str) -> BgrImage:
    """One frame of a camera (its number, or a video or folder in its place), after it had time to settle.

    Raises:
        CameraMissing, CameraSilent: there is no such camera, or it gives no frame.
    """
    frame: BgrImage | None = None
    with open_source(camera) as source:
        if isinstance(source, CameraDevice):
            frame = source.settle()
        for _ in range(SETTLING_FRAMES):
            latest = source.read()
            if latest is None:
                break
            frame = latest
    if frame is None:
        raise CameraSilent(f"camera {camera} gave no picture; is another program using it?")
    return frame


def two_frames(camera: str) -> tuple[BgrImage | None, BgrImage, str]:
    """A frame of a camera, the one before it where there is one, and how the camera is set, in words.

    Raises:
        CameraMissing, CameraSilent, AddressUnusable, FileUnreadable: nothing can be seen through it.
    """
    before: BgrImage | None = None
    latest: BgrImage | None = None
    mode = ""
    with open_source(camera) as source:
        if isinstance(source, CameraDevice):
            mode = str(source.mode)
            source.settle()
        for _ in range(SETTLING_FRAMES if source.live else 2):
            frame = source.read()
            if frame is None:
                break
            before, latest = latest, frame
    if latest is None:
        raise CameraSilent(f"camera {camera} gave no picture; is another program using it?")
    return before, latest, mode or f"{latest.shape[1]} x {latest.shape[0]}"


class CardTable:
    """A camera over a table with cards: each ``look`` watches until they lie still, and says what lies there.

    Raises:
        CameraMissing, AddressUnusable, FileUnreadable: nothing can be seen through it.
    """

    def __init__(self, camera: str) -> None:
        self._source = open_source(camera)
        if isinstance(self._source, CameraDevice):
            self._source.settle()
        self.watch = CardWatch(MIDDLE, tagged=TAGGED)
        self._frames = 0

    def scan(self) -> tuple[tuple[SeenCard, ...], tuple[str, ...]]:
        """The cards that lie there, in reading order, and a sentence about whatever else does."""
        said: list[str] = []
        quiet = 0
        for number, frame in enumerate(self._source):
            self._frames += 1
            # A film is watched as fast as it is read: its own time counts, not the clock's.
            seen = self.watch.update(frame, None if self._source.live else self._frames / FILMED)
            said += [code.reason for code in seen.refused] + list(seen.asks)
            quiet = 0 if seen.placed or seen.taken or seen.says else quiet + 1
            settled = quiet >= STILL_FRAMES and (self.watch.present or number >= LOOK_FRAMES)
            if settled or number >= WATCHED_FRAMES:
                break
        return self.watch.present, tuple(said)

    def close(self) -> None:
        """Give the camera back."""
        self._source.close()


def cards_in(picture: BgrImage, *, tags: bool = False) -> CardScan:
    """Every card of ours in a picture, in the order in which the whole cards lie.

    With ``tags`` also those that carry tags in place of codes, which takes longer.
    """
    scan = scan_cards(picture, middle=MIDDLE)
    if not tags:
        return scan
    return with_tags(scan, find_tags(picture), on_card=on_card, code_by_tag=code_by_tag, middle=MIDDLE)


def card_marks(scan: CardScan, picture: BgrImage | None = None) -> list[Mark]:
    """Every code in a picture as a mark: the card's name, or why it was refused.

    With the picture, outlines are laid on the edges of the cards that are seen in it.
    """
    marks = [
        Mark(_outline(c, picture), c.doubt or f"{c.card.short} {card_name(c.card)}", c.verdict) for c in scan.cards
    ]
    words = {
        RefusalKind.FOREIGN: "not one of ours",
        RefusalKind.OTHER_VERSION: "another version",
        RefusalKind.DAMAGED: "damaged",
    }
    marks += [Mark(r.quad, words[r.kind], Verdict.REJECTED) for r in scan.refused]
    return marks


def _outline(seen: SeenCard, picture: BgrImage | None) -> tuple[Point, ...]:
    """The whole card where its code tells where it lies; of a card with tags the tag."""
    if seen.card.kind is Kind.TAPESTRY:
        return seen.quad
    outline = card_outline(seen)
    return outline if picture is None else on_edges(picture, outline)


def dice_marks(tray: TrayReading, faces: Sequence[str] = ()) -> list[Mark]:
    """Every die of a tray as a mark: its face (or the word in ``faces``), dashed where it is doubtful."""
    unasked = [tray.expected is not None and not tray.expected.count(die.die) for die in tray.dice]
    # Where it is one die that does not belong, the others are not to blame.
    all_wrong = tray.verdict is Verdict.REJECTED and not any(unasked)
    several = len({die.die for die in tray.dice}) > 1
    marks: list[Mark] = []
    for place, die in enumerate(tray.dice):
        label = faces[place] if place < len(faces) else _face_label(die, several)
        rejected = all_wrong or unasked[place]
        mood = Verdict.REJECTED if rejected else Verdict.ASK if die.doubt else Verdict.ACCEPTED
        marks.append(Mark(die.polygon or _corners(die.box), label, mood, die.sides))
    return marks


def _face_label(die: SeenDie, several: bool) -> str:
    """``"4"``; ``"d10: 4"`` where several kinds lie there; ``"0 = 10"`` for a d10's last face; ``"00"``."""
    value = "?" if die.value is None else str(die.value)
    if die.value == 0:
        value = "00" if die.die is Die.D100 else f"0 = {die.face}"
    return f"{die.die.value}: {value}" if several else value


def _corners(box: tuple[float, float, float, float]) -> tuple[tuple[float, float], ...]:
    x0, y0, x1, y1 = box
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def draw_cards(picture: BgrImage, scan: CardScan, folder: Path, name: str) -> Path:
    """Write the picture with its cards marked into ``folder``; returns where it lies."""
    return _drawn(draw_marks(picture, card_marks(scan, picture)), folder, name)


def draw_dice(picture: BgrImage, tray: TrayReading, folder: Path, name: str) -> Path:
    """Write the picture with its dice marked into ``folder``; returns where it lies."""
    says = f"{tray.verdict}: {tray.reason}" if tray.reason else str(tray.verdict)
    return _drawn(draw_caption(draw_marks(picture, dice_marks(tray)), says, tray.verdict), folder, name)


def _drawn(picture: BgrImage, folder: Path, name: str) -> Path:
    path = folder / f"{Path(name).stem.replace(' ', '-')}-seen.png"
    write_picture(path, picture)
    return path
