"""Every picture of the documents, made by the real program: ``python docs/site/pictures.py [NAME...]``.

Without a name all are made; ``--missing`` makes those that are not there, so that a run that was stopped goes on;
``--list`` says which there are. Pictures are written one by one, each whole. Those of the page need a Chromium,
those of the training scenes ``training/``; where that is missing, their old pictures stay and it is said.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageSequence

from docs.site.adventure_pictures import make_adventure_pictures
from docs.site.board_pictures import fight_on_the_table, tapestry_on_the_table
from docs.site.card_pictures import make_card_pictures
from docs.site.deck_pictures import make_deck_pictures, make_own_deck_picture, make_templates_picture
from docs.site.demo_pictures import make_demo_pictures
from docs.site.hands_films import make_hands_films
from docs.site.kit_picture import make_kit_picture
from docs.site.map_pictures import make_map_pictures
from docs.site.page_pictures import DOCS as SCREENS
from docs.site.page_pictures import browser_path, make_page_pictures
from docs.site.printed_pictures import make_printed_pictures
from docs.site.roll_picture import make_roll_picture
from docs.site.sheet_pictures import make_sheet_pictures
from docs.site.solid_pictures import faces_that_were_read, scenes_side_by_side, solids_on_the_table
from loomtable.table.games.weave.demo.hands import run_hands
from loomtable.vision.pictures import BgrImage, write_picture
from training.views import RendererMissing

DOCS = Path(__file__).resolve().parent.parent
PICTURES = DOCS / "pictures"
WIDEST = 1280


class Lacking(Exception):
    """Something that these pictures need is not installed; the message says what."""


@dataclass(frozen=True)
class Making:
    """Pictures that are made together: their files, and what writes them into a folder."""

    name: str
    files: tuple[str, ...]
    make: Callable[[Path], Sequence[Path]]


def _own_deck(folder: Path) -> Sequence[Path]:
    return make_own_deck_picture(DOCS / "your-own-deck.md", folder)


def _boards(folder: Path) -> Sequence[Path]:
    drawn = {"board-figures.jpg": fight_on_the_table(), "board-tapestry.jpg": tapestry_on_the_table()}
    return _written(folder, drawn)


def _scenes(folder: Path) -> Sequence[Path]:
    return _rendered(folder, "synthetic.jpg", scenes_side_by_side)


def _solids(folder: Path) -> Sequence[Path]:
    return _rendered(folder, "solids.jpg", solids_on_the_table)


def _explained(folder: Path) -> Sequence[Path]:
    return _rendered(folder, "explain.jpg", faces_that_were_read)


def _rendered(folder: Path, name: str, draw: Callable[[], BgrImage]) -> Sequence[Path]:
    try:
        return _written(folder, {name: draw()})
    except RendererMissing as missing:
        raise Lacking(str(missing)) from None


def _page(folder: Path) -> Sequence[Path]:
    return _seen_by_a_browser(lambda: make_page_pictures(folder, docs=True))


def _roll(folder: Path) -> Sequence[Path]:
    return _seen_by_a_browser(lambda: make_roll_picture(folder))


def _seen_by_a_browser(make: Callable[[], Sequence[Path]]) -> Sequence[Path]:
    if browser_path() is None:
        raise Lacking("no Chromium is installed (on Debian: apt install chromium-headless-shell)")
    try:
        return make()
    except ImportError as error:
        raise Lacking(f"{error.name} is missing: pip install --editable '.[test]'") from None


def _written(folder: Path, drawn: Mapping[str, BgrImage]) -> list[Path]:
    """Write pictures at the width at which the documents show them."""
    for name, picture in drawn.items():
        size = (WIDEST, round(picture.shape[0] * WIDEST / picture.shape[1]))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        write_picture(folder / name, np.asarray(small, np.uint8))
    return [folder / name for name in drawn]


def _hands(folder: Path) -> Sequence[Path]:
    film = Path(run_hands(folder, seed=6, tell=lambda line: None).film)
    return [film, _still(film)]


def _still(film: Path) -> Path:
    """The end of a film as a picture beside it."""
    with Image.open(film) as moving:
        *_, last = ImageSequence.Iterator(moving)
        last.convert("RGB").save(film.with_suffix(".jpg"), quality=90)
    return film.with_suffix(".jpg")


MAKINGS = (
    Making("hands", ("hands.webp", "hands.jpg"), _hands),
    Making("films", ("hands-lamp.jpg", "hands-mug.jpg", "hands-markers.jpg"), make_hands_films),
    Making("kit", ("kit.jpg",), make_kit_picture),
    Making("demo", ("printed.jpg", "scanned.jpg", "spread.jpg", "read.jpg"), make_demo_pictures),
    Making("roll", ("roll.jpg",), _roll),
    Making("cards", ("cards-anyhow.jpg", "cards-advice.jpg"), make_card_pictures),
    Making(
        "decks",
        ("box.jpg", "controls.jpg", "poker-deck.jpg", "woven-cards.jpg", "figures.jpg"),
        make_deck_pictures,
    ),
    Making("own-deck", ("your-own-deck.png",), _own_deck),
    Making("templates", ("templates.jpg",), make_templates_picture),
    Making(
        "sheets",
        ("sheets.jpg", "sheet-backs.jpg", "reference-cards.jpg", "quick-starts.jpg", "screens.jpg"),
        make_sheet_pictures,
    ),
    Making("printed-dice", ("printed-dice.jpg", "read-printed-dice.jpg"), make_printed_pictures),
    Making("maps", ("maps.jpg", "imported-map.jpg"), make_map_pictures),
    Making("adventure", ("adventure.jpg",), make_adventure_pictures),
    Making("boards", ("board-figures.jpg", "board-tapestry.jpg"), _boards),
    Making("page", tuple(f"page-{name}.jpg" for name in SCREENS), _page),
    Making("scenes", ("synthetic.jpg",), _scenes),
    Making("solids", ("solids.jpg",), _solids),
    Making("explain", ("explain.jpg",), _explained),
)
"""Everything in ``docs/pictures``, in the order in which it is made."""


def make(making: Making, folder: Path) -> None:
    """Make these pictures beside their place, and then put each into ``folder`` whole.

    Raises:
        Lacking: something that they need is not installed.
    """
    with tempfile.TemporaryDirectory() as scratch:
        made = {path.name: path for path in making.make(Path(scratch))}
        assert set(made) == set(making.files), f"{making.name} made {sorted(made)}"
        folder.mkdir(parents=True, exist_ok=True)
        for name in making.files:
            shutil.copyfile(made[name], folder / f"{name}.new")
            (folder / f"{name}.new").replace(folder / name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make pictures; 0, or 1 where some could not be made for want of something."""
    parser = argparse.ArgumentParser(prog="pictures.py", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, as --list names them")
    parser.add_argument("--missing", action="store_true", help="only those that are not there")
    parser.add_argument("--list", action="store_true", help="say which there are")
    parser.add_argument("--into", type=Path, default=PICTURES, help="another folder than docs/pictures")
    given = parser.parse_args(arguments)
    known = {making.name: making for making in MAKINGS}
    if unknown := [name for name in given.names if name not in known]:
        parser.error(f"there is no {unknown[0]!r}; there are {', '.join(known)}")
    lacking = False
    for making in [known[name] for name in given.names] or MAKINGS:
        if given.list:
            print(f"{making.name:<14}{', '.join(making.files)}")
            continue
        if given.missing and all((given.into / name).exists() for name in making.files):
            continue
        begun = time.perf_counter()
        try:
            make(making, given.into)
        except Lacking as error:
            print(f"{making.name}: left as it is; {error}", file=sys.stderr)
            lacking = True
        else:
            print(f"{making.name}: {', '.join(making.files)} ({time.perf_counter() - begun:.0f} s)", flush=True)
    return 1 if lacking else 0


if __name__ == "__main__":
    raise SystemExit(main())
