"""Build the documents as a site: ``make site``, or ``python docs/site/build.py [FOLDER]``.

The pages of ``docs/`` and those kept elsewhere (changes, figures, how to work on it) are gathered in one
folder, and their links adjusted. Pages made from the program join them: the Python API, every transcript, the
gallery. Sphinx makes the site, by default in ``output/site``. It needs no server and loads nothing from elsewhere,
so it can be opened from a disk; a link that leads nowhere is an error. Needs the extra ``docs``. ``--quick`` makes
one printed component and one scene per game, which is enough to try a page.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageSequence
from sphinx.cmd.build import build_main

from docs.site.gallery import write_gallery
from docs.site.links import broken_links
from docs.site.more_pages import api_page, write_transcript_pages
from loomtable.table.games.weave.demo.hands import PACE

SITE = Path(__file__).resolve().parent
DOCS = SITE.parent
HOME = DOCS.parent
STATIC = HOME / "table" / "pages" / "static"
ELSEWHERE = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "models/README.md": "models.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Where a document of the repository stands on the site."""
CONTENTS: dict[str, dict[str, tuple[str, ...]]] = {
    "Start": {
        "install": (),
        "tutorials/print-and-play": (),
        "tutorials/webcam": (),
        "tutorials/scan-an-episode": (),
    },
    "Print": {
        "gallery": (),
        "printing": ("kit",),
        "your-own-deck": (),
    },
    "Play": {
        "table": ("groups", "backup", "container", "security"),
        "terminal": (),
        "rulebooks": (
            "systems/weave",
            "systems/spellwoven",
            "systems/storm-weavers",
            "systems/mnemonic",
            "systems/woven",
        ),
        "played": (
            "evenings/weave",
            "evenings/spellwoven",
            "evenings/storm-weavers",
            "evenings/mnemonic",
            "evenings/woven",
        ),
        "odds": (),
        "rulings": ("actions",),
        "commands": (),
        "errors": ("never-tried",),
        "glossary": (),
    },
    "The camera": {
        "camera-and-mat": (),
        "hands": (),
        "reading-dice": (),
        "reading-cards": ("reading-the-board",),
    },
    "Write your own": {
        "playsets": ("woven-data", "source/spells", "source/fields"),
        "adventures": ("bring-in",),
        "write-an-evening": ("transcripts",),
    },
    "For engineers": {
        "python": ("api",),
        "architecture": ("source/packages", "extending", "examples/last_ferry/README"),
        "source/weave": ("source/spellwoven", "source/storm-weavers", "source/mnemonic", "source/woven"),
        "models": ("training", "source/thresholds", "benchmarks"),
    },
    "About": {"changes": (), "contributing": ()},
}
"""The pages in the side bar, in order, each with those that unfold under it. A page named nowhere is an error."""
_USES = """
:::::{container} uses
::::{container} use
[![A printed page of cards](pictures/printed.jpg)](printing.md)

**[Print](printing.md)** cards, dice, sheets and maps, and [see everything there is](gallery.md).
::::
::::{container} use
[![Dice on a table, each read by the camera](pictures/read.jpg)](reading-dice.md)

**[Read](reading-dice.md)** real dice and cards with a webcam or a phone.
::::
::::{container} use
[![The page that says what to roll, with the odds](pictures/page-weave-roll.jpg)](table.md)

**[Play](table.md)** on a page, with phones, or in a terminal.
::::
:::::
"""
"""What the first page shows above its table."""
_FILM = re.compile(r"\[!\[(.*?)\]\(pictures/(\w+)\.jpg\)\]\(pictures/\2\.webp\)")
_PLAYER = r"""<video controls muted playsinline preload="metadata" poster="_static/\2.jpg" aria-label="\1">
<source src="_static/\2.webm" type="video/webm"><img src="_static/\2.jpg" alt="\1"></video>"""
"""A still that leads to a film, and the same where a page can play it: nothing moves before somebody wants it."""
_LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def lay_together(into: Path, *, quick: bool = False) -> None:
    """Write every page and picture into a folder, as Sphinx takes them."""
    for page in sorted(DOCS.rglob("*.md")):
        _write(page, into, page.relative_to(DOCS))
    for outside, inside in ELSEWHERE.items():
        _write(HOME / outside, into, Path(inside))
    shutil.copytree(DOCS / "pictures", into / "pictures")
    for picture in sorted((HOME / "models").glob("*.png")):
        shutil.copy(picture, into / "pictures" / picture.name)
    (into / "api.md").write_text(api_page(), "utf-8")
    write_gallery(into, quick=quick)
    scenes = write_transcript_pages(into, quick=quick)
    for page in (into / "evenings").glob("*.md"):
        page.write_text("```{rst-class} evening\n```\n\n" + page.read_text("utf-8"), "utf-8")
    for pages in CONTENTS.values():
        for name, under in pages.items():
            if inner := (*under, *(scenes if name == "played" else ())):
                with (into / f"{name}.md").open("a", encoding="utf-8") as file:
                    file.write(f"\n\n{_tree('', inner)}\n")
    _write_index(into / "index.md")
    shutil.copy(SITE / "conf.py", into / "conf.py")
    _write_look(into / "look")


def _write_index(index: Path) -> None:
    """The first page with its pictures, and the side bar."""
    title, _, rest = index.read_text("utf-8").partition("\n\n| ")
    title = _FILM.sub(_PLAYER, title)
    trees = [_tree(caption, pages) for caption, pages in CONTENTS.items()]
    index.write_text("\n\n".join([f"{title}\n{_USES}\n| {rest}", *trees]) + "\n", "utf-8")


def _tree(caption: str, pages: Collection[str]) -> str:
    """Pages by their place from the site's root, since a page in a folder unfolds others too."""
    head = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    return "\n".join([*head, *(f"/{page}" for page in pages), "```"])


def _write_film(still: Path, into: Path) -> None:
    """The film beside a still, as a browser plays it with buttons to stop and go back, and the still."""
    shutil.copy(still, into / still.name)
    with Image.open(still.with_suffix(".webp")) as film:
        kind = cv2.VideoWriter.fourcc(*"VP90")
        written = cv2.VideoWriter(str(into / f"{still.stem}.webm"), kind, PACE, film.size)
        for frame in ImageSequence.Iterator(film):
            shown = cv2.cvtColor(np.asarray(frame.convert("RGB")), cv2.COLOR_RGB2BGR)
            for _ in range(round(film.info["duration"] / 1000 * PACE)):  # equal frames are kept as one
                written.write(shown)
        written.release()


def _write_look(folder: Path) -> None:
    """The style sheet of the site, its film, and the fonts of the table's page."""
    shutil.copytree(STATIC / "type", folder / "type")
    fonts = (STATIC / "type.css").read_text("utf-8").replace('url("/type/', 'url("type/')
    (folder / "type.css").write_text(fonts, "utf-8")
    shutil.copy(SITE / "site.css", folder / "site.css")
    _write_film(DOCS / "pictures" / "hands.jpg", folder)


def _write(written: Path, into: Path, shown: Path) -> None:
    (into / shown).parent.mkdir(parents=True, exist_ok=True)
    (into / shown).write_text(led(written.read_text("utf-8"), written, shown), "utf-8")


def led(text: str, written: Path, shown: Path) -> str:
    """Links as they were written in one place, as they are on the site; those to code become plain words."""

    def lead(found: re.Match[str]) -> str:
        words, target, place = found.groups(default="")
        if target.startswith(("http:", "https:", "mailto:")):
            return found[0]
        aim = (written.parent / target).resolve()
        name = ELSEWHERE.get(str(aim.relative_to(HOME))) if aim.is_relative_to(HOME) else None
        if aim == HOME / "README.md":
            name = "index.md"
        elif name is None and aim.is_relative_to(DOCS):
            name = str(aim.relative_to(DOCS))
        elif name is None and aim.parent == HOME / "models" and aim.suffix == ".png":
            name = f"pictures/{aim.name}"
        return words if name is None else f"[{words}]({'../' * (len(shown.parts) - 1)}{name}{place})"

    return _LINK.sub(lead, text)


def main(arguments: list[str]) -> int:
    """Build the site; a warning is an error."""
    parser = argparse.ArgumentParser(prog="build.py", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=HOME / "output" / "site")
    parser.add_argument("--quick", action="store_true", help="one printed component and one scene per game")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        lay_together(Path(folder), quick=given.quick)
        if failed := build_main(["-q", "-W", "--keep-going", "-b", "html", folder, str(given.folder)]):
            return failed
    if broken := broken_links(given.folder):
        print("\n".join(broken), file=sys.stderr)
        return 1
    print(f"the site is in {given.folder}; open {given.folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
