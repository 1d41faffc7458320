"""The demo from end to end: print, look, play, and write the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.weave.rules import WEAVE
from loomtable.printkit.files import make_folder
from loomtable.printkit.kit import PrintedFile, print_kit
from loomtable.printkit.raster import card_faces, render_page
from loomtable.table.commands.output import WorkProgress
from loomtable.table.games.weave.demo.camera_backends import (
    CameraBackend,
    PictureFolder,
    RealCamera,
    RenderedCamera,
)
from loomtable.table.games.weave.demo.evening import Evening
from loomtable.table.games.weave.demo.page import write_page
from loomtable.table.games.weave.demo.people import AtTerminal, ChancePerson, Person
from loomtable.table.store import open_store
from loomtable.vision.pictures import read_picture, write_picture

PLAYSET = "the-salt-road"
PLAYER = "Ada"
SEASON = "The lamp turns inland"
LEAST_PICTURES = 4  # three of cards, and the first roll
FACE_DPI = 200
SHEET_DPI = 90


class Demo(msgspec.Struct, frozen=True):
    """What the demo made."""

    printed: list[str]
    page: str
    journal: str
    session: str
    story: tuple[str, ...]
    seen: list[dict[str, str]]


def run_demo(
    folder: Path,
    *,
    seed: int,
    images: Sequence[Path],
    camera: str | None,
    tell: Callable[[str], None],
    report: WorkProgress,
) -> Demo:
    """Print a kit into ``folder``, play an evening on pictures of it (or of a real table), and write the page.

    Raises:
        LoomtableError: pictures and a camera were both given, a picture does not show what is needed, ...
    """
    if images and camera is not None:
        raise LoomtableError("give either --image or --camera, not both")
    if 0 < len(images) < LEAST_PICTURES:
        raise LoomtableError(f"--image is needed at least {LEAST_PICTURES} times, not {len(images)}")
    for path in images:  # before anything is printed
        read_picture(path)
    make_folder(folder)
    journals = folder / "evenings.db"
    if journals.exists():
        open_store(journals).close()  # before anything is printed: it may be another program's
    tell("Printing a kit: Story cards, Challenge cards and Weave dice")
    printed = print_kit(["story-cards", "challenge-cards", "weave-dice-nets"], folder, progress=report)
    for file in printed:
        tell(f"  {file.path}: {how_many(file.pages, 'page', 'pages')}")
    with open_store(journals) as store:
        eyes, person = _table(printed, seed, images, camera)
        taken = store.sessions()  # an earlier evening is never written over
        names = [f"demo {seed}", *(f"demo {seed} ({n})" for n in range(2, len(taken) + 3))]
        name = next(name for name in names if name not in taken)
        session = Session.open(WEAVE, seed=str(seed), journal=store.journal(name))
        evening = Evening(session, eyes, person, folder, tell, name, store.title)
        evening.play(PLAYSET, PLAYER)
        page = folder / "index.html"
        rendered = isinstance(eyes, RenderedCamera)
        write_page(page, evening, _sheet_pictures(printed, folder), rendered=rendered)
        return Demo(
            printed=[str(f.path) for f in printed],
            page=str(page),
            journal=store.title,
            session=name,
            story=session.story(),
            seen=[
                {"title": f.title, "frame": str(f.frame), "picture": str(f.picture), "says": f.verdict}
                for f in evening.frames
            ],
        )


def _table(
    printed: Sequence[PrintedFile], seed: int, images: Sequence[Path], camera: str | None
) -> tuple[CameraBackend, Person]:
    if camera is not None:
        return RealCamera(camera), AtTerminal()
    if images:
        return PictureFolder(images), ChancePerson(seed, SEASON)
    faces = {card: face for file in printed for card, face in card_faces(file.component, FACE_DPI).items()}
    return RenderedCamera(faces, seed), ChancePerson(seed, SEASON)


def _sheet_pictures(printed: Sequence[PrintedFile], folder: Path) -> list[tuple[str, Path]]:
    pictures: list[tuple[str, Path]] = []
    for file in printed:
        for page, side in enumerate(("fronts", "backs")[: file.pages]):
            path = folder / f"{file.path.stem}-{side}.png"
            write_picture(path, np.ascontiguousarray(render_page(file.path, page, SHEET_DPI)[:, :, ::-1]))
            pictures.append((f"{file.path.name}, {side}", path))
    return pictures
