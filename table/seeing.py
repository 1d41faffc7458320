"""What the table's cameras see: pictures from files or a device, and pictures with what was read drawn on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.kernel.components import ComponentId
from engine.kernel.errors import LoomtableError
from engine.weave.decks import name_of
from table.card_geometry import MIDDLE, card_outline
from vision.camera import open_source
from vision.cards import CardScan, Trouble, scan_cards
from vision.dice import TrayReading
from vision.overlay import Mark, draw_marks
from vision.pictures import Picture, read_picture, write_picture
from vision.verdict import Verdict

SETTLING_FRAMES = 12
"""Frames that a camera is given to find its exposure and focus before one counts."""


class NothingToLookAt(LoomtableError):
    """Neither a picture nor a camera was given, or both were."""


class CameraSilent(LoomtableError):
    """The camera gave no frame."""


def pictures_from(images: Sequence[Path], camera: str | None) -> Iterator[tuple[str, Picture]]:
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


def settled_frame(camera: str) -> Picture:
    """One frame of a camera (its number, or a video or folder in its place), after it had time to settle.

    Raises:
        CameraMissing, CameraSilent: there is no such camera, or it gives no frame.
    """
    frame: Picture | None = None
    with open_source(camera) as source:
        for _ in range(SETTLING_FRAMES):
            latest = source.read()
            if latest is None:
                break
            frame = latest
    if frame is None:
        raise CameraSilent(f"camera {camera} gave no picture; is another program using it?")
    return frame


def cards_in(picture: Picture) -> CardScan:
    """Every card of ours in a picture, in the order in which the whole cards lie."""
    return scan_cards(picture, middle=MIDDLE)


def card_marks(scan: CardScan) -> list[Mark]:
    """Every code in a picture as a mark: the card's name, or why it was refused."""
    marks = [Mark(card_outline(c), f"{c.card.short} {card_name(c.card)}", Verdict.ACCEPTED) for c in scan.cards]
    words = {
        Trouble.FOREIGN: "not one of ours",
        Trouble.OTHER_VERSION: "another version",
        Trouble.DAMAGED: "damaged",
    }
    marks += [Mark(r.quad, words[r.trouble], Verdict.REJECTED) for r in scan.refused]
    return marks


def dice_marks(tray: TrayReading, faces: Sequence[str] = ()) -> list[Mark]:
    """Every die of a tray as a mark: its face (or the word in ``faces``), dashed where it is doubtful."""
    rejected = tray.verdict is Verdict.REJECTED
    marks: list[Mark] = []
    for place, die in enumerate(tray.dice):
        x0, y0, x1, y1 = die.box
        outline = die.polygon or ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        label = faces[place] if place < len(faces) else str(die.face)
        mood = Verdict.REJECTED if rejected else Verdict.ASK if die.doubt else Verdict.ACCEPTED
        marks.append(Mark(outline, label, mood))
    return marks


def card_name(card: ComponentId) -> str:
    """The card's name, or only its kind where this installation does not hold it."""
    try:
        return name_of(card)
    except LoomtableError:
        return f"an unknown {card.kind} card"


def draw_cards(picture: Picture, scan: CardScan, folder: Path, name: str) -> Path:
    """Write the picture with its cards marked into ``folder``; returns where it lies."""
    return _drawn(draw_marks(picture, card_marks(scan)), folder, name)


def draw_dice(picture: Picture, tray: TrayReading, folder: Path, name: str) -> Path:
    """Write the picture with its dice marked into ``folder``; returns where it lies."""
    return _drawn(draw_marks(picture, dice_marks(tray)), folder, name)


def _drawn(picture: Picture, folder: Path, name: str) -> Path:
    path = folder / f"{Path(name).stem.replace(' ', '-')}-seen.png"
    write_picture(path, picture)
    return path
