"""Build the documents as a site: ``python docs/site/build.py [FOLDER]``, by default into ``output/site``.

The pages of ``docs/`` and those that stand elsewhere (changes, figures, how to work on it) are laid
together, their links led to where each page stands on the site, and given to Sphinx. Needs the extra ``docs``.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

from sphinx.cmd.build import build_main

SITE = Path(__file__).parent
DOCS = SITE.parent
HOME = DOCS.parent
ELSEWHERE = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "models/README.md": "models.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Where a document of the repository stands on the site."""
CONTENTS = {
    "Start": ("tutorials/print-and-play", "tutorials/webcam", "tutorials/scan-an-episode", "rulebooks", "glossary"),
    "Print": ("printing", "sheets", "cards-and-counters", "printed-dice", "card-codes", "your-own-deck"),
    "Play": (
        "quick-starts",
        "ready-evenings",
        "table",
        "terminal",
        "systems/weave",
        "systems/spellwoven",
        "systems/storm-weavers",
        "systems/mnemonic",
        "systems/woven",
        "evenings/weave",
        "evenings/spellwoven",
        "evenings/storm-weavers",
        "evenings/mnemonic",
        "evenings/woven",
        "odds",
        "actions",
        "rulings",
        "backup",
    ),
    "The camera": ("camera-and-mat", "reading-dice", "your-own-dice", "reading-cards", "reading-the-board"),
    "Write your own": ("playsets", "adventures", "woven-data", "transcripts"),
    "When something goes wrong": ("errors", "security"),
    "For engineers": ("architecture", "a-rule", "extending", "examples/last_ferry/README", "training", "commands"),
    "About": ("changes", "models", "benchmarks", "contributing", "credits"),
}
"""Every page but the first, in order."""
_LINK = re.compile(r"(\]\()([^)#\s]+)")


def lay_together(into: Path) -> None:
    """Write every page and picture into a folder, as Sphinx takes them."""
    for page in sorted(DOCS.rglob("*.md")):
        _write(page, into, page.relative_to(DOCS))
    for outside, inside in ELSEWHERE.items():
        _write(HOME / outside, into, Path(inside))
    shutil.copytree(DOCS / "pictures", into / "pictures")
    for picture in sorted((HOME / "models").glob("*.png")):
        shutil.copy(picture, into / "pictures" / picture.name)
    trees = [
        f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```"
        for caption, pages in CONTENTS.items()
    ]
    index = into / "index.md"
    index.write_text(index.read_text("utf-8") + "\n" + "\n\n".join(trees) + "\n", "utf-8")
    shutil.copy(SITE / "conf.py", into / "conf.py")


def _write(written: Path, into: Path, shown: Path) -> None:
    (into / shown).parent.mkdir(parents=True, exist_ok=True)
    (into / shown).write_text(led(written.read_text("utf-8"), written, shown), "utf-8")


def led(text: str, written: Path, shown: Path) -> str:
    """Links as they were written in one place, as they are on the site; those to code become plain words."""

    def lead(found: re.Match[str]) -> str:
        target = found[2]
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
        return f"{found[1]}#" if name is None else found[1] + "../" * (len(shown.parts) - 1) + name

    return re.sub(r"\[([^\]]*)\]\(#\)", r"\1", _LINK.sub(lead, text))


def main(arguments: list[str]) -> int:
    """Build the site; a warning is an error."""
    out = Path(arguments[0]) if arguments else HOME / "output" / "site"
    with tempfile.TemporaryDirectory() as folder:
        lay_together(Path(folder))
        return build_main(["-q", "-W", "--keep-going", "-b", "html", folder, str(out)])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
