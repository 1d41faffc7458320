"""The documents tell the truth: their commands work, their outputs are real, their links lead somewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.site.actions_page import actions_page
from docs.site.benchmarks_page import benchmarks_page
from docs.site.commands_page import commands_page, manual
from docs.site.evening_pages import evening_page
from docs.site.fields_page import fields_page
from docs.site.rulings_page import rulings_page
from docs.site.source_pages import source_pages
from docs.site.spell_words import spell_words
from docs.site.thresholds_page import all_thresholds, thresholds, thresholds_page
from loomtable.engine.kernel.transcript import replay
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.draw.art import art_names
from loomtable.printkit.draw.code_size import CAMERAS, module_for
from loomtable.printkit.draw.codes import MODULE
from loomtable.table.commands.main import COMMANDS

HOME = Path(__file__).parent.parent
CAMERA = {"cv2", "zxingcpp"}
"""What only those load who read pictures, print maps, or open the page."""
LATER = {"cryptography", "onnxruntime", "psycopg", "tomlkit", "fontTools.subset"}
"""What not even the page loads by itself."""
DRAWING = {
    "numpy",
    "shapely",
    "PIL.Image",
    "reportlab",
    "fontTools.ttLib",
    "fontTools.svgLib",
    "qrcode",
    "uharfbuzz",
}
"""What only those load who draw something."""
PAGES_ALONE = {"starlette", "jinja2", "uvicorn"}
PAGES = sorted(
    [*HOME.glob("*.md"), *HOME.glob("docs/**/*.md"), *HOME.glob("models/*.md"), *HOME.glob("benchmarks/*.md")]
)
MADE = re.compile(
    r"docs/(evenings|source)/|docs/(rulings|terminal|actions|commands)\.md|(models|benchmarks)/|CHANGELOG"
)
"""Pages that the program makes, and those that only record: the others are written by hand."""
MOST_WORDS = {"docs, by hand": 29_700, "by hand": 31_900, "in all": 83_300}
"""As ``wc -w`` counts them. They may only fall: what is new on a page takes the place of something old."""


def test_every_link_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
            if not target.startswith(("http:", "https:")):
                assert (page.parent / target).exists(), f"{page.name} points at {target}"


def test_the_documents_keep_to_their_words() -> None:
    words = {path.relative_to(HOME).as_posix(): len(path.read_text("utf-8").split()) for path in PAGES}
    by_hand = {name: count for name, count in words.items() if not MADE.match(name)}
    in_docs = sum(count for name, count in by_hand.items() if name.startswith("docs/"))
    counted = {"docs, by hand": in_docs, "by hand": sum(by_hand.values()), "in all": sum(words.values())}
    assert {name: count for name, count in counted.items() if count > MOST_WORDS[name]} == {}


def test_the_transcript_in_the_docs_replays() -> None:
    text = (HOME / "docs" / "transcripts.md").read_text("utf-8")
    [example] = re.findall(r"```yaml\n(transcript: .*?)```", text, re.DOTALL)
    assert replay(example, "docs/transcripts.md", SYSTEMS).expectations == 3


def test_rules_in_the_documents_are_the_real_ones() -> None:
    text = (HOME / "docs" / "extending.md").read_text("utf-8")
    blocks = re.findall(r"```(?:python|yaml)\n(.*?)```", text, re.DOTALL)
    files = [
        *(path for path in (HOME / "docs" / "examples").rglob("*") if path.suffix in (".py", ".yaml")),
        *(HOME / "tests").rglob("*.py"),
    ]
    source = "\n".join(p.read_text("utf-8") for p in files)
    assert blocks
    for block in blocks:
        assert block.rstrip() in source, f"extending.md shows what is not in the source:\n{block}"


def test_the_motifs_in_the_documents_are_those_that_are_drawn() -> None:
    text = (HOME / "docs" / "extending.md").read_text("utf-8")
    assert f"The motifs: {', '.join(art_names('motifs'))}." in " ".join(text.split())


def test_the_makefile_does_what_the_readme_says() -> None:
    makefile = (HOME / "Makefile").read_text("utf-8")
    readme = (HOME / "README.md").read_text("utf-8")
    for target in re.findall(r"^make (\w+)$", readme, re.MULTILINE):
        assert f"\n{target}:" in makefile


@pytest.mark.parametrize(
    ("probe", "unneeded"),
    [
        ("run(['--help'])", {*CAMERA, *LATER, "numpy", "reportlab", "PIL", "sqlite3", *PAGES_ALONE}),
        ("run(['print', '--list'])", {*CAMERA, *LATER, *DRAWING, "sqlite3", *PAGES_ALONE}),
        ("run(['odds', 'weave', 'challenge', '--pool', '5'])", {*CAMERA, *LATER}),
        (
            "run(['play', 'weave', '--store', 'new.db'])",
            {*CAMERA, *LATER, *DRAWING, *PAGES_ALONE, "prompt_toolkit", "asyncio"},
        ),
        ("from loomtable.table.serving import plan; plan(8417, lan=False, folder=None)", LATER),
    ],
)
def test_nothing_is_loaded_before_it_is_needed(probe: str, unneeded: set[str], tmp_path: Path) -> None:
    code = (
        f"import sys; from loomtable.table.commands.main import run; {probe}; print({unneeded} & {{*sys.modules}})"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=tmp_path, stdin=subprocess.DEVNULL
    )
    assert done.stdout.splitlines()[-1] == "set()"


def test_every_library_is_accounted_for() -> None:
    text = (HOME / "pyproject.toml").read_text("utf-8")
    needed = tomllib.loads(text)["project"]["dependencies"]
    assert sorted(re.findall(r'^  "(.*)",  # \w', text, re.MULTILINE)) == sorted(needed)


def test_the_page_of_rulings_is_what_the_games_ask() -> None:
    written = (HOME / "docs" / "rulings.md").read_text("utf-8")
    assert written == rulings_page(), "make it anew: python -m docs.site.rulings_page"


def test_the_page_of_actions_is_what_the_games_do() -> None:
    written = (HOME / "docs" / "actions.md").read_text("utf-8")
    assert written == actions_page(), "make it anew: python -m docs.site.actions_page"


@pytest.mark.parametrize("game", [*SYSTEMS, "packages"])
def test_the_page_of_a_game_s_source_is_what_the_folders_hold(game: str) -> None:
    written = (HOME / "docs" / "source" / f"{game}.md").read_text("utf-8")
    assert written == source_pages()[game], "make it anew: python -m docs.site.source_pages"


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("docs/source/spells.md", spell_words),
        ("docs/source/fields.md", fields_page),
        ("benchmarks/README.md", benchmarks_page),
    ],
)
def test_pages_made_of_docstrings_are_what_these_say(name: str, made: Callable[[], str]) -> None:
    written = (HOME / name).read_text("utf-8")
    assert written == made(), f"make it anew: python -m docs.site.{made.__name__}"


def test_the_page_of_thresholds_is_what_the_readers_use() -> None:
    written = (HOME / "docs" / "source" / "thresholds.md").read_text("utf-8")
    assert written == thresholds_page(), "make it anew: python -m docs.site.thresholds_page"


def test_every_threshold_says_what_it_is_and_where_it_comes_from() -> None:
    known = all_thresholds()
    assert len(known) > 400
    silent = [f"{row.file}: {row.names}" for row in known if not (row.meaning and row.source)]
    assert not silent, f"say below each what it is, and one of SOURCES (docs/site/thresholds_page.py): {silent}"


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ('LEAST = 0.4\n"""A share. Set by hand: so."""', "Set by hand: so"),
        ('"""A module. Numbers here are set by hand."""\nA, B = 1, -2\n"""Two."""', "set by hand"),
        ('"""Numbers here are set by hand."""\nA = 1\n"""One. Measured on ten."""', "Measured on ten"),
        ('LEAST: Final = math.log(0.5)\n"""A share."""', ""),
        ("GRID, FINE = np.arange(0, 9), 0.5", ""),
        ("OF_KIND = {Kind.D6: (0.5, 1)}", ""),
        ("GRID = np.arange(0, 9)", None),
        ('NAMES = ("a", "b")', None),
    ],
)
def test_a_threshold_without_a_source_is_noticed(code: str, source: str | None) -> None:
    assert [row.source for row in thresholds("vision/one.py", code)] == ([] if source is None else [source])


def test_the_page_of_commands_is_what_help_says() -> None:
    written = (HOME / "docs" / "commands.md").read_text("utf-8")
    assert written == commands_page(), "make it anew: python -m docs.site.commands_page"
    assert (HOME / "docs" / "loom.1").read_text("utf-8") == manual(), "that makes this one anew too"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_can_be_set_and_holds_every_command() -> None:
    setting = ["groff", "-man", "-Tascii", "-ww", "-P-c", str(HOME / "docs" / "loom.1")]
    done = subprocess.run(setting, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    plain = re.sub(r"\x1b\[\d+m|.\x08", "", done.stdout)
    chapters = re.findall(r"^LOOM (.+)$", plain, re.MULTILINE)
    assert {chapter.split()[0] for chapter in chapters} == {name.upper() for name in COMMANDS}
    assert "ODDS WEAVE CHALLENGE" in chapters


def test_the_advice_in_the_documents_is_what_the_camera_says() -> None:
    """Each sentence of the table begins as one in ``loomtable.vision.advice`` does."""
    page = (HOME / "docs" / "camera-and-mat.md").read_text("utf-8")
    [table] = re.findall(r"\| it says \| do \|\n(.*?)\n\n", page, re.DOTALL)
    source = (HOME / "vision" / "advice.py").read_text("utf-8")
    told = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines()[1:]]
    assert len(told) == len(
        re.findall(r"said\.append\(|return \[\"|said = \[f\"|said \+= \[f\"|return \(\n", source)
    )
    for sentence in told:
        beginning = re.split(r" \.\.\.| on the ", sentence)[0]
        assert beginning in source, f"no camera says {sentence!r}"


def test_heights_of_cameras_are_reckoned() -> None:
    """The table's figures follow from the cameras: a die of 16 mm is 60 pixels wide, a card's module four."""
    page = (HOME / "docs" / "camera-and-mat.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w+) \| (\d+) cm \| (\d+) cm \| (\d+) cm \|$", page, re.MULTILINE)
    assert [name for name, *_ in rows] == [name for name in CAMERAS if name != "480p"]
    for name, height, wide, cards in rows:
        camera = CAMERAS[name]
        needed = 60 / 16
        assert int(height) == round(camera.pixels_per_mm(1) / needed / 10)
        assert int(wide) == round(camera.pixels / needed / 10)
        assert int(cards) == round(100 * MODULE / module_for(camera, 1000))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_evenings_are_what_the_transcripts_play(system: str) -> None:
    written = (HOME / "docs" / "evenings" / f"{system}.md").read_text("utf-8")
    assert written == evening_page(system), "make it anew: python -m docs.site.evening_pages"


def test_the_changelog_tells_each_change_once() -> None:
    """Two versions of one entry begin alike; merges have left both."""
    entries = re.findall(r"(?m)^- (.+)", (HOME / "CHANGELOG.md").read_text("utf-8").partition("\n## ")[2])
    beginnings = [" ".join(entry.split()[:5]) for entry in entries]
    assert sorted(beginnings) == sorted(set(beginnings))
