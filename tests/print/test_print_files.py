"""What stands in the PDF files: boxes, viewer preferences, fonts, outline; the same bytes each time."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pikepdf
import pytest

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import UnknownComponent
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.catalogue import components, components_named, kits
from loomtable.printkit.errors import CopiesInvalid, NoSuchCard, PrintUnwritable, UnknownPrintName
from loomtable.printkit.files import write_whole
from loomtable.printkit.kit import PrintSettings, print_kit
from loomtable.printkit.picking import Pick
from loomtable.printkit.sheet.grid import DuplexMode, grid_for
from loomtable.printkit.sheet.papers import A4, LETTER, POKER, card_size_named, paper_named
from tests.short import raises

POINT = 25.4 / 72
CARDS = ["story-cards", "challenge-cards"]
FEW = [ComponentId(Kind.STORY, 1), ComponentId(Kind.STORY, 9), ComponentId(Kind.CHALLENGE, 36)]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    files = print_kit(
        CARDS, tmp_path_factory.mktemp("kit"), PrintSettings(paper=LETTER, sides=DuplexMode.SHORT_EDGE)
    )
    return {file.component: file.path for file in files}


def test_a_kit_is_one_file_for_each_component(tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    files = print_kit(CARDS, tmp_path / "new" / "folder", progress=lambda *news: seen.append(news))
    assert [(file.component, file.cards, file.pages) for file in files] == [
        ("story-cards", 22, 6),
        ("challenge-cards", 36, 8),
    ]
    assert [(done, total) for done, total, _ in seen] == [(n, 14) for n in range(1, 15)]
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(
        file.path.name for file in files
    )
    assert sum(file.path.stat().st_size for file in files) < 1_500_000


@pytest.mark.parametrize("component", CARDS)
def test_trim_and_bleed_boxes(printed: dict[str, Path], component: str) -> None:
    grid = grid_for(LETTER, POKER)
    with pikepdf.open(printed[component]) as pdf:
        for page in pdf.pages:
            trim = [float(value) * POINT for value in page.obj["/TrimBox"]]
            bleed = [float(value) * POINT for value in page.obj["/BleedBox"]]
            media = [float(value) * POINT for value in page.mediabox]
            assert media == pytest.approx([0, 0, 215.9, 279.4], abs=0.01)
            assert trim[2] - trim[0] == pytest.approx(3 * 63, abs=0.01)
            assert trim[3] - trim[1] == pytest.approx(3 * 88, abs=0.01)
            assert trim[:2] == pytest.approx([grid.block.x, grid.block.y], abs=0.01)
            assert bleed == pytest.approx([trim[0] - 3, trim[1] - 3, trim[2] + 3, trim[3] + 3], abs=0.01)


@pytest.mark.parametrize(
    ("sides", "hint"),
    [
        (DuplexMode.LONG_EDGE, "/DuplexFlipLongEdge"),
        (DuplexMode.SHORT_EDGE, "/DuplexFlipShortEdge"),
        (DuplexMode.FRONTS_ONLY, "/Simplex"),
    ],
)
def test_viewer_preferences_title_language_outline(tmp_path: Path, sides: DuplexMode, hint: str) -> None:
    [file] = print_kit(["story-cards"], tmp_path, PrintSettings(sides=sides), only=FEW[:2])
    with pikepdf.open(file.path) as pdf:
        wishes = pdf.Root["/ViewerPreferences"]
        assert str(wishes["/PrintScaling"]) == "/None"
        assert str(wishes["/Duplex"]) == hint
        assert str(pdf.Root["/Lang"]) == "en-GB"
        assert str(pdf.docinfo["/Title"]) == "Weave: the Story deck"
        assert str(pdf.docinfo["/Author"]) == "The Loomtable authors"
        with pdf.open_outline() as outline:
            assert next(iter(outline.root)).title == "Page 1, fronts"
            assert [child.title for child in outline.root[0].children] == ["The Lantern (S1)", "The Key (S9)"]


@pytest.mark.parametrize("component", CARDS)
def test_every_font_is_embedded_and_subset(printed: dict[str, Path], component: str) -> None:
    with pikepdf.open(printed[component]) as pdf:
        fonts = [obj for obj in pdf.objects if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/Font"]
        assert len(fonts) >= 3
        for font in fonts:
            name = str(font["/BaseFont"])
            assert name[7] == "+", f"{name} is not subset"
            described = font["/FontDescriptor"]
            assert "/FontFile2" in described, f"{name} is not embedded"
            assert len(described["/FontFile2"].read_bytes()) < 60_000


def test_the_same_bytes_in_another_process_hash_seed_and_time_zone(tmp_path: Path) -> None:
    here = [hashlib.sha256(file.path.read_bytes()).hexdigest() for file in print_kit(CARDS, tmp_path, only=FEW)]
    script = (
        "import sys, hashlib\nfrom pathlib import Path\n"
        "from loomtable.printkit.kit import PrintSettings, print_kit\n"
        "from loomtable.engine.kernel.components import ComponentId\n"
        "only = [ComponentId.parse(card) for card in sys.argv[2:]]\n"
        "for file in print_kit(['story-cards', 'challenge-cards'], Path(sys.argv[1]), only=only):\n"
        "    print(hashlib.sha256(file.path.read_bytes()).hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Pacific/Auckland"}
    cards = [card.short for card in FEW]
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "there"), *cards],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == here


def test_unknown_names_say_what_was_perhaps_meant(tmp_path: Path) -> None:
    for names, said in (
        (["weave", "stroy-cards"], "did you mean 'story-cards' or .*loom print --list"),
        (["qqqq"], "called 'qqqq'; loom print --list shows"),
        ([], "nothing to print: name a kit or a component; loom print --list shows"),
    ):
        raises(UnknownPrintName, said, print_kit, names, tmp_path)
    raises(UnknownPrintName, r"'folio'.*a4, letter, a3.*310x440mm", paper_named, "folio")
    raises(UnknownPrintName, r"us-poker", card_size_named, "huge")
    assert paper_named(" Letter ") is LETTER
    assert paper_named("a4") is A4
    both = [part.name for part in components_named(["challenge-cards", "weave"])]
    assert both[0] == "challenge-cards"
    assert sorted(both) == sorted(kits()["weave"]), "each once, however often it is named"
    assert all(name in components() for parts in kits().values() for name in parts)


def test_a_first_evening_needs_less_than_the_whole_game(tmp_path: Path) -> None:
    """Of Weave eight sheets of paper, as the README says; the quick start and all else come with ``--all``."""
    sheets = [(file.pages + 1) // 2 for file in print_kit(["weave"], tmp_path)]
    assert sum(sheets) == 8 and len(sheets) == 3
    for game, parts in kits().items():
        whole = kits(whole=True)[game]
        assert set(parts) <= set(whole) and (f"{game}-quick-start" in whole) == (game in SYSTEMS)
        assert [c.name for c in components_named([game], whole=True)] == list(whole)


def test_cards_are_named_as_people_write_them(tmp_path: Path) -> None:
    [by_code] = print_kit(["weave"], tmp_path / "codes", only=["S7", "S008x2"])
    [by_text] = print_kit(["weave"], str(tmp_path / "text"), only="story:7, S8x2")
    assert (by_code.component, by_code.cards) == ("story-cards", 3)
    assert by_text.path.read_bytes() == by_code.path.read_bytes()
    raises(NoSuchCard, r"S99 is not among the cards", print_kit, ["weave"], tmp_path / "new", only=["S99"])
    raises(UnknownComponent, "'Z7' is not a card code", print_kit, ["weave"], tmp_path / "new", only=["Z7"])
    assert not (tmp_path / "new").exists()


def test_a_map_that_two_components_hold_is_printed_once_by_the_first(tmp_path: Path) -> None:
    """Such as those behind an adventure; of one component, copies are as many as were wanted."""
    both = ["combat-maps", "the-bell-of-hollow-pass-pages"]
    for number, names in enumerate((both, both[::-1])):
        files = print_kit(names, tmp_path / str(number), only="M2", copies=2)
        assert [(file.component, file.cards) for file in files] == [(names[0], 2)]


def test_cards_that_are_not_in_the_deck(tmp_path: Path) -> None:
    raises(NoSuchCard, r"S23.*S1 to S22", print_kit, CARDS, tmp_path, only=[*FEW, ComponentId(Kind.STORY, 23)])
    raises(NoSuchCard, r"C36.*S1 to S22", print_kit, ["story-cards"], tmp_path, only=FEW)
    with pytest.raises(NoSuchCard):
        print_kit(["story-cards"], tmp_path, only=[])
    with pytest.raises(
        NoSuchCard, match=r"story-cards:3 is not among the cards to print, which are coin-tokens:1$"
    ):
        print_kit(["coins"], tmp_path, only=[Pick(component="story-cards", number=3)])
    raises(CopiesInvalid, "0", print_kit, ["story-cards"], tmp_path, copies=0)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    raises(PrintUnwritable, "taken", print_kit, ["story-cards"], tmp_path / "taken", only=FEW[:1])
    assert (tmp_path / "taken").read_text() == "a file, not a folder"
    with pytest.raises(PrintUnwritable, match="taken: is a file, not a folder; name another"):
        print_kit(["story-cards"], tmp_path / "taken" / "below", only=FEW[:1])
    with pytest.raises(PrintUnwritable, match=r"story-cards-a4-long-edge\.pdf: cannot be written"):
        print_kit(["story-cards"], Path("/proc"), only=FEW[:1])


def test_nothing_half_written_when_the_disk_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [file] = print_kit(["story-cards"], tmp_path, only=FEW[:1])
    before = file.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    raises(PrintUnwritable, "No space left", print_kit, ["story-cards"], tmp_path, only=FEW[:2])
    assert [path.name for path in tmp_path.iterdir()] == [file.path.name]
    assert file.path.read_bytes() == before


def test_a_folder_that_holds_a_thing_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "kit.pdf").mkdir()
    raises(PrintUnwritable, r"kit\.pdf: cannot be written", write_whole, tmp_path / "kit.pdf", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["kit.pdf"]


@pytest.mark.parametrize("nameless", [True, False])
def test_files_get_the_rights_that_the_shell_grants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nameless: bool
) -> None:
    if not nameless:
        monkeypatch.delattr("os.O_TMPFILE", raising=False)
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "kit.pdf", b"old")
        write_whole(tmp_path / "kit.pdf", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "kit.pdf").read_bytes() == b"new"
    assert (tmp_path / "kit.pdf").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["kit.pdf"]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system has no files without a name")
def test_a_run_that_is_killed_leaves_whole_files_only(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom loomtable.printkit.files import write_whole\n"
        "for turn in range(10**9):\n"
        "    write_whole(Path(sys.argv[1]) / f'{turn % 3}.pdf', bytes([turn % 250]) * 3_000_000)\n"
        "    print(turn, flush=True)\n"
    )
    for lines in (1, 4, 6):
        command = [sys.executable, "-c", script, str(tmp_path)]
        with subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE) as writing:
            assert writing.stdout
            for _ in range(lines):
                writing.stdout.readline()
            writing.kill()
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["0.pdf", "1.pdf", "2.pdf"]
    for name in left:
        content = (tmp_path / name).read_bytes()
        assert len(content) == 3_000_000
        assert len(set(content)) == 1
