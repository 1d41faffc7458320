"""The demo from end to end: paper, pictures, cards, dice, rules, page - and the same on pictures from files."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.journal import Answered
from loomtable.engine.kernel.readings import CardReading, DiceReading, Source
from loomtable.engine.kernel.results import roll_results
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import dice_count
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.raster import card_faces
from loomtable.table.games.weave.demo.camera_backends import RenderedCamera
from loomtable.table.reading.pictures import cards_in
from loomtable.table.store import open_store
from loomtable.vision.dice import read_dice
from loomtable.vision.pictures import BgrImage, read_picture, write_picture
from loomtable.vision.verdict import Verdict
from tests.short import Loom
from tests.tiers import mostly, thorough


def test_it_prints_plays_and_keeps_the_journal(demo: Path) -> None:
    assert len(list(demo.glob("*.pdf"))) == 3
    session = played(demo)
    assert session.pending is None
    assert session.state.name
    assert len(session.state.foundation) == 3
    [character] = session.state.characters.values()
    assert len(character.qualities) == 4
    answers = [line.entry.reading for line in session.lines() if isinstance(line.entry, Answered)]
    cards = [a for a in answers if isinstance(a, CardReading)]
    assert len({a.card for a in cards}) == 7
    assert {a.how for a in cards} == {Source.CAMERA}
    dice = [d for a in answers if isinstance(a, DiceReading) for d in a.dice]
    assert dice
    assert Source.CAMERA in {d.how for d in dice}
    assert Source.RANDOM not in {d.how for d in dice}
    assert any(" against level " in sentence for sentence in session.story())


def test_the_page_shows_what_was_seen(demo: Path) -> None:
    page = (demo / "index.html").read_text("utf-8")
    pictures = re.findall(r'<img src="([^"]+)" alt="([^"]+)"', page)
    assert len(pictures) >= 8
    for source, alt in pictures:
        assert (demo / source).stat().st_size > 10_000
        assert alt
    session = played(demo)
    for sentence in session.story():
        assert sentence in unescape(page)


def test_a_folder_that_cannot_be_used(tmp_path: Path, loom: Loom) -> None:
    file = tmp_path / "file"
    file.write_text("in the way", "utf-8")
    _, err = loom("demo", "--output", file / "demo", code=2)
    assert "is a file, not a folder" in err
    assert err.count("\n") == 1


def test_a_journal_that_is_none_is_left_alone(tmp_path: Path, loom: Loom) -> None:
    (tmp_path / "evenings.db").write_bytes(b"somebody's shopping list, " * 40)
    _, err = loom("demo", "--output", tmp_path, code=2)
    assert "evenings.db: is no good journal file" in err
    assert err.count("\n") == 1
    assert (tmp_path / "evenings.db").read_bytes() == b"somebody's shopping list, " * 40
    assert [path.name for path in tmp_path.iterdir()] == ["evenings.db"], "nothing is printed in vain"


@pytest.mark.skipif(sys.platform == "win32", reason="no limit can be set for what a program writes")
def test_a_disk_that_is_full_while_it_prints_leaves_nothing_behind(tmp_path: Path) -> None:
    """A file may have 100 kB: a journal fits, a kit does not."""
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); "
    command = f"{limited}from loomtable.table.commands.main import main; main()"
    demo = [sys.executable, "-c", command, "demo", "--output", str(tmp_path)]
    done = subprocess.run(demo, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "cannot be written" in done.stderr, done.stderr
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def faces() -> dict[ComponentId, BgrImage]:
    """The printed fronts of all Story and Challenge cards."""
    return {c: f for name in ("story-cards", "challenge-cards") for c, f in card_faces(name, 150).items()}


@pytest.fixture(scope="module")
def table_pictures(faces: dict[ComponentId, BgrImage], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Pictures as a person would take them: three Story cards, four of them, a Challenge card."""
    folder = tmp_path_factory.mktemp("pictures")
    eyes = RenderedCamera(faces, 5)
    taken = [
        eyes.at_cards(Kind.STORY, 3, (), again=False),
        eyes.at_cards(Kind.STORY, 4, (), again=False),
        eyes.at_cards(Kind.CHALLENGE, 1, (), again=False),
    ]
    paths = [folder / f"{n}.png" for n in range(len(taken))]
    for path, picture in zip(paths, taken, strict=True):
        write_picture(path, picture)
    return [str(p) for p in paths]


@cache
def clearly_lying(count: int) -> BgrImage:
    """A picture of so many dice of which the reader is sure: a person would move the others apart."""
    for seed in range(40):
        picture = RenderedCamera({}, seed).at_dice(Die.WEAVE, count, "a roll", again=False)
        if read_dice(picture, (count, Die.WEAVE)).verdict is Verdict.ACCEPTED:
            return picture
    raise AssertionError(f"the reader is sure of none of 40 pictures of {count} dice")


def with_images(paths: list[str]) -> list[str]:
    return [part for path in paths for part in ("--image", path)]


def played(folder: Path, name: str = "") -> Session[Any]:
    """A demo in this folder; without a name the only one."""
    with open_store(folder / "evenings.db") as store:
        [one] = [name] if name else store.sessions()
        return Session.resume(SYSTEMS, store.journal(one))


@thorough
def test_pictures_from_files_are_as_good_and_a_second_evening_is_never_written_over_the_first(
    demo: Path, table_pictures: list[str], tmp_path: Path, loom: Loom
) -> None:
    # How many dice are needed only the cards decide: the demo says it, and is then given just that picture.
    pictures = ["--seed", "6", *with_images(table_pictures)]
    _, err = loom("demo", "--output", tmp_path, *pictures, "--image", table_pictures[-1], code=2)
    asked = re.search(r"no dice, (\w+) expected", err)
    assert asked, err
    dice = tmp_path / "dice.png"
    write_picture(dice, clearly_lying(next(n for n in range(1, 12) if dice_count(n).split()[0] == asked[1])))
    pictures += with_images([str(dice)])
    folder = Path(shutil.copytree(demo, tmp_path / "demo"))
    first = played(folder, "demo 6").story()
    for name in ("demo 6 (2)", "demo 6 (3)"):
        said = json.loads(loom("demo", "--output", folder, "--json", *pictures).out)
        assert said["session"] == name
        assert any(" against level " in sentence for sentence in said["story"])
    second, third = (played(folder, f"demo 6 ({at})").story() for at in (2, 3))
    assert second == third, "the same seed is the same evening"
    assert played(folder, "demo 6").story() == first != second


@thorough
def test_the_same_seed_lays_the_same_cards_and_throws_the_same_dice(
    faces: dict[ComponentId, BgrImage], table_pictures: list[str]
) -> None:
    again = RenderedCamera(faces, 5).at_cards(Kind.STORY, 3, (), again=False)
    assert np.array_equal(again, read_picture(Path(table_pictures[0])))
    one, other, another = (RenderedCamera({}, seed).at_dice(Die.WEAVE, 1, "", again=False) for seed in (5, 5, 6))
    assert np.array_equal(one, other)
    assert not np.array_equal(one, another)


@thorough
def test_the_same_before_a_camera_with_a_person_at_the_terminal(
    table_pictures: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loom: Loom
) -> None:
    # A folder of pictures stands in the camera's place; the person lays down what the demo asks for.
    before_the_camera = tmp_path / "camera"
    before_the_camera.mkdir()
    choices = itertools.cycle(("1", "flames"))

    def lay(picture: BgrImage) -> str:
        write_picture(before_the_camera / "frame.png", picture)
        return ""

    def person(prompt: str = "") -> str:
        for number, words in enumerate(("Lay down 3 Story", "Lay down 4 Story", "Lay down 1 Challenge")):
            if words in prompt:
                return lay(read_picture(Path(table_pictures[number])))
        if found := re.search(r"Roll (\d) Weave", prompt):
            return lay(clearly_lying(int(found[1])))
        if "Which?" in prompt:
            return next(choices)
        return "0" if "roll again" in prompt else "Ilse"

    monkeypatch.setattr("builtins.input", person)
    folder = tmp_path / "demo"
    out, _ = loom("demo", "--camera", before_the_camera, "--output", folder)
    assert "plays Ilse, Core Suit Flames" in out
    assert " against level " in out
    session = played(folder)
    answers = [line.entry.reading for line in session.lines() if isinstance(line.entry, Answered)]
    assert not [a for a in answers if getattr(a, "how", None) is Source.RANDOM], "the person decided everything"


@pytest.mark.parametrize("wrong", mostly([1, 2], [1]))
def test_a_picture_that_does_not_show_what_is_needed(demo: Path, tmp_path: Path, loom: Loom, wrong: int) -> None:
    seen = [str(demo / f"frame-{number}.jpg") for number in (1, 2, 3, 4)]
    heard = loom("demo", "--output", tmp_path / "few", *with_images(seen[:3]), code=2).err
    assert "--image is needed at least 4 times, not 3" in heard
    assert not (tmp_path / "few").exists(), "nothing is printed before the pictures are counted"
    pictures = list(seen)
    pictures[wrong] = seen[2] if wrong < 2 else seen[0]
    _, err = loom("demo", "--output", tmp_path, *with_images(pictures), code=2)
    assert re.search(r"\d (Story|Challenge) cards? expected, \d seen", err)
    assert err.count("\n") == 1


def test_the_raw_frames_stand_beside_the_drawn_ones_and_are_read_without_being_told_what_lies_there(
    demo: Path, loom: Loom
) -> None:
    numbers = {path.stem.removeprefix("seen-") for path in demo.glob("seen-*.jpg")}
    assert numbers == {path.stem.removeprefix("frame-") for path in demo.glob("frame-*.jpg")}
    assert not np.array_equal(read_picture(demo / "frame-4.jpg"), read_picture(demo / "seen-4.jpg"))
    for command, frame in (("scan", "frame-1.jpg"), ("read", "frame-4.jpg")):
        assert json.loads(loom(command, str(demo / frame), "--json").out)["status"] == "accepted"


def test_the_page_tells_what_the_cards_mean_the_odds_before_each_roll_and_what_came_of_it(demo: Path) -> None:
    page = (demo / "index.html").read_text("utf-8")
    session = played(demo)
    for quality in session.state.foundation:
        assert quality.quality.text in unescape(page) and f"card-{quality.card.short}.jpg" in page
    results = roll_results(session, STORYTELLER)
    assert results
    assert page.count("Before the roll") == sum(len(one.throws) for one in results)
    for result in results:
        assert f"<p class=verdict>{result.verdict}</p>" in page
    assert "the pictures are rendered" in page
    assert "loom table --store" in page


@thorough
@settings(max_examples=6, deadline=None)
@given(st.integers(0, 1000), st.sampled_from((3, 4)))
def test_the_virtual_camera_shows_cards_that_can_be_read(
    faces: dict[ComponentId, BgrImage], seed: int, count: int
) -> None:
    scan = cards_in(RenderedCamera(faces, seed).at_cards(Kind.STORY, count, (), again=False))
    assert len(scan.ids) == count
