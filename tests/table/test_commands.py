"""The command line as people and programs meet it: what it says, and how it ends."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import qrcode
import typer

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.readings import ChoiceReading, DiceReading, ReadDie, Source, rolled
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.main import app
from loomtable.table.store import open_store
from loomtable.vision.pictures import BgrImage, write_picture
from tests.pictures_made import write_film
from tests.short import Loom, Said

HOME = Path(__file__).parents[2]
GOBLIN = package_file("templates", "transcripts", "goblin.yaml")


def code_picture(*texts: str) -> BgrImage:
    """A row of QR codes on white, each 240 pixels wide."""
    codes = []
    for text in texts:
        code = qrcode.QRCode(version=None, error_correction=qrcode.constants.ERROR_CORRECT_H, border=4)
        code.add_data(text)
        code.make()
        black = np.array(code.get_matrix())
        side = np.where(black, 0, 255).astype(np.uint8)
        codes.append(cv2.resize(side, (240, 240), interpolation=cv2.INTER_NEAREST))
    return np.asarray(cv2.cvtColor(np.hstack(codes), cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.fixture
def picture(tmp_path: Path) -> Any:
    def written(*texts: str) -> str:
        path = tmp_path / "cards.png"
        write_picture(path, code_picture(*texts))
        return str(path)

    return written


def card(short: str) -> str:
    return ComponentId.parse(short).code


def refused(told: Said, words: str = "") -> Said:
    """What a command said that ends with one sentence, in which these words are."""
    err = told.err
    assert err.startswith("loom: ") and err.count("\n") == 1 and "Traceback" not in err
    assert words in err
    return told


def test_without_arguments_it_shows_what_there_is(loom: Loom) -> None:
    out, _ = loom()
    for command in ("demo", "print", "scan", "read", "replay", "rulings", "doctor"):
        assert command in out


def test_replay_tells_the_story(loom: Loom) -> None:
    out, _ = loom("replay", str(GOBLIN))
    lines = out.splitlines()
    note = lines.index("The Goblin attacks with 11, Thymin defends with 14 - three and the axe's two.")
    assert lines[note + 2] == "  Goblin attacks, 11 against 14: Thymin strikes back, 5 injuries."
    assert "OK, all 10 expectations are met; rules SW-1, SW-11" in out


def test_replay_says_how_a_transcript_plays_that_says_nothing(loom: Loom) -> None:
    for name, said in (("weave-house-rules", True), ("goblin", False), ("weave-one-band-a-turn", False)):
        out, _ = loom("replay", name, "-q")
        assert ("plays cards-applied: narrow, for it says nothing; a new table plays otherwise" in out) is said


def test_replay_as_json(loom: Loom) -> None:
    out, _ = loom("replay", str(GOBLIN), "--json")
    [result] = json.loads(out)
    assert result["holds"]
    assert result["state"]["fight"]["enemy"]["health"] == 2


def test_replay_of_one_that_does_not_hold(loom: Loom, tmp_path: Path) -> None:
    broken = tmp_path / "goblin.yaml"
    broken.write_text(GOBLIN.read_text("utf-8").replace("fight.enemy.health: 5", "fight.enemy.health: 6"), "utf-8")
    _, err = refused(loom("replay", str(broken), "-q", code=1))
    assert re.search(r"goblin.yaml line \d+: fight.enemy.health is 5, expected 6", err)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("transcript: t\nsystem: storm-weavers\nseed: s\nplay:\n- do: figth\n", "line 5: unknown action 'figth'"),
        ("transcript: [}", "line 1: is not good YAML"),
        (b"\xff\xfe\x00", "is not a UTF-8 text file"),
        (None, "there is no such file"),
    ],
)
def test_replay_of_something_else(loom: Loom, tmp_path: Path, text: str | bytes | None, words: str) -> None:
    path = tmp_path / "t.yaml"
    if isinstance(text, str):
        path.write_text(text, "utf-8")
    elif text is not None:
        path.write_bytes(text)
    out, _ = refused(loom("replay", str(path), code=2), words)
    assert out == ""


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_rulings_lists_every_ruling_with_its_choices(loom: Loom, system: str) -> None:
    out, _ = loom("rulings", system)
    for ruling in SYSTEMS[system].rulings.values():
        assert ruling.id in out
        assert ruling.question in out
        assert f"* {ruling.usual}:" in out
    out, _ = loom("rulings", system, "--json")
    assert [r["id"] for r in json.loads(out)[system]] == list(SYSTEMS[system].rulings)


def test_scan_finds_the_cards_in_their_order(loom: Loom, picture: Any, tmp_path: Path) -> None:
    out, err = loom("scan", picture(card("S7"), card("C12"), card("S1")), "--draw", str(tmp_path / "d"))
    assert err == ""
    assert re.findall(r"^  (\w+) +(\w[\w ]+?)  ", out, re.MULTILINE) == [
        ("S7", "The Well"),
        ("C12", "Brooks 2"),
        ("S1", "The Lantern"),
    ]
    assert (tmp_path / "d" / "cards-seen.png").exists()
    out, _ = loom("scan", picture(card("S7")), "--json")
    seen = json.loads(out)
    assert (seen["image"], seen["status"], seen["reason"]) == (str(tmp_path / "cards.png"), "accepted", "")
    assert seen["cards"][0]["card"] == "S7"
    assert len(seen["cards"][0]["quad"]) == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("HTTPS://EXAMPLE.ORG", "is not a Loomtable card code"),
        ("LT2" + card("S7")[3:], "of version 2; this Loomtable reads version 1"),
        (card("S7")[:-1] + "*", "is damaged: its checksum does not fit"),
    ],
)
def test_scan_refuses_codes_that_are_not_ours(loom: Loom, picture: Any, text: str, words: str) -> None:
    out, err = refused(loom("scan", picture(card("S3"), text), code=2), words)
    assert re.search(r"cards.png: at \d+, \d+: ", err), "the sentence says where"
    assert "S3" in out, "the good card beside it is still told"


def test_scan_and_read_of_what_is_no_picture(loom: Loom, tmp_path: Path) -> None:
    noise = tmp_path / "noise.jpg"
    noise.write_bytes(b"no picture at all")
    torn = tmp_path / "torn.png"
    write_picture(torn, code_picture(card("S3")))
    torn.write_bytes(torn.read_bytes()[:200])
    for command in ("scan", "read"):
        for path, words in (
            (noise, "is not a picture"),
            (tmp_path / "none.png", "no such file"),
            (torn, "torn.png: "),
        ):
            refused(loom(command, str(path), code=2), words)
        for arguments in ((), (str(noise), "--camera", "0")):
            refused(loom(command, *arguments, code=2), "give either pictures or a camera")
        refused(loom(command, "--camera", "77", code=2))


def test_a_video_in_a_cameras_place(loom: Loom, tmp_path: Path) -> None:
    video = tmp_path / "table.avi"
    frame = np.full((480, 640, 3), 200, np.uint8)
    frame[100:340, 100:580] = code_picture(card("S7"), card("C12"))
    write_film(video, [frame] * 5)
    out, _ = loom("scan", "--camera", str(video))
    assert "S7" in out
    assert "C12" in out
    refused(loom("scan", "--camera", "nowhere.avi", code=2))


def test_an_empty_table(loom: Loom, tmp_path: Path) -> None:
    path = tmp_path / "empty.png"
    write_picture(path, np.full((480, 640, 3), 200, np.uint8))
    out, _ = loom("scan", str(path), code=1)
    assert "no cards" in out


def test_print_writes_what_it_says(loom: Loom, tmp_path: Path) -> None:
    out, _ = loom(
        "print", "weave", "--only", "S3,S7,C12", "--paper", "letter", "--output", str(tmp_path), "--json"
    )
    files = json.loads(out)
    assert [(f["component"], f["cards"]) for f in files] == [("story-cards", 2), ("challenge-cards", 1)]
    for file in files:
        assert Path(file["file"]).read_bytes().startswith(b"%PDF")


def test_the_list_of_what_can_be_printed(loom: Loom) -> None:
    out, _ = loom("print", "--list")
    weave = out[out.index("Weave  loom print weave") : out.index("For every game")].splitlines()
    assert weave[1].startswith("  *  story-cards: The 22 Story cards") and weave[4].startswith(
        "     hero-markers: "
    )
    assert "\n    the-pay-book-pages: " in out[out.index("In no kit  print these by their names") :]
    assert "  dice-mat: " in out and not any("everything" in line for line in out.splitlines()[:-1])


def test_doctor_finds_everything_needed_here(loom: Loom) -> None:
    out, _ = loom("doctor")
    assert "MISS" not in out
    out, _ = loom("doctor", "--json")
    assert {"fonts", "decks and playsets", "SQLite"} <= {f["what"] for f in json.loads(out)}


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("adventure: a\n", 1, "a.yaml"),
        ("playset: p\n", 1, "it needs the field"),
        ("map: m\nrows: []\n", 1, "a.yaml"),
        (
            "recipe: soup\n",
            2,
            "does not know this kind of file; it checks dice, concepts, scenes, encounter, people, weapons",
        ),
        ("a\n", 2, "expected a block of fields"),
    ],
)
def test_content_that_does_not(loom: Loom, tmp_path: Path, text: str, code: int, words: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text, "utf-8")
    assert words in "".join(loom("check", path, code=code))


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """A file with one session: a fight in which a die was taken back, with a question open."""
    path = tmp_path / "evenings.db"
    with open_store(path) as store:
        session = Session.open(SYSTEMS["storm-weavers"], seed="s", journal=store.journal("friday"))
        session.perform("create", dexterity_points=3)
        session.perform("fight", enemy={"name": "Goblin", "dexterity": 10, "health": 10})
        session.answer(ChoiceReading(("attack",)))
        session.answer(DiceReading((ReadDie(Die.D6, 5, Source.CAMERA, 0.97),)))
        session.undo()
        session.answer(rolled(Die.D6, 4))
    return path


def test_a_journal_can_be_read_line_by_line(loom: Loom, evening: Path) -> None:
    out, _ = loom("journal", "--store", str(evening))
    assert out == "friday\n"
    out, _ = loom("journal", "--store", str(evening), "--session", "friday")
    assert "Attack of Thymin, exchange 1 (Thymin): 5, read by the camera, 97% sure (struck through)" in out
    assert "Taken back: Attack of Thymin, exchange 1 (Thymin): 5, read by the camera" in out
    assert out.endswith("now asked of Goblin: Defence of Goblin, exchange 1\n")
    out, _ = loom("journal", "--store", str(evening), "--session", "friday", "--json")
    assert json.loads(out)["pending"]["purpose"] == "Defence of Goblin, exchange 1"


def test_a_journal_written_down_replays(loom: Loom, evening: Path, tmp_path: Path) -> None:
    out, _ = loom("journal", "--store", str(evening), "--session", "friday", "--transcript")
    written = tmp_path / "friday.yaml"
    written.write_text(out, "utf-8")
    out, _ = loom("replay", str(written))
    assert "... Defence of Goblin, exchange 1?" in out


def test_journals_that_cannot_be_read(loom: Loom, evening: Path, tmp_path: Path) -> None:
    noise = tmp_path / "noise.db"
    noise.write_bytes(b"not a journal at all" * 50)
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(evening.read_bytes())
    with sqlite3.connect(damaged) as database:
        database.execute("UPDATE line SET entry = replace(entry, 'Goblin', 'Dragon') WHERE seq = 2")
    database.close()
    for arguments, words in (
        ((str(noise),), "no good journal file"),
        ((str(tmp_path / "none.db"),), "there is no such file"),
        ((str(evening), "--session", "monday"), "there is no session 'monday'; it holds 'friday'"),
        ((str(damaged), "--session", "friday"), "the journal of 'friday' is damaged at line 2"),
    ):
        out, _ = refused(loom("journal", "--store", *arguments, code=2), words)
        assert out == ""
    assert not (tmp_path / "none.db").exists(), "looking for a journal does not make one"


def test_every_command_and_option_is_documented() -> None:
    pages = (HOME / "docs" / "commands.md").read_text("utf-8")
    sections = {s.split("`")[0].split()[0]: s for s in pages.split("\n## `loom ")[1:]}
    loom: Any = typer.main.get_command(app)
    commands = loom.commands
    assert set(sections) == set(commands)
    own = {option for parameter in loom.params for option in parameter.opts} - {"--show-completion"}
    assert all(re.search(rf"`(loom )?{option}\b", pages.partition("\n## ")[0]) for option in own), own
    for name, command in commands.items():
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("-") and option not in ("--help", "-h"):
                    assert re.search(rf"[` ]{option}\b", sections[name]), f"loom {name} {option} is not documented"


def leaves(group: Any, name: str = "loom") -> list[tuple[str, Any]]:
    """Every command that is no group, with its name as it is typed."""
    inner = getattr(group, "commands", None)
    if inner is None:
        return [(name, group)]
    return [leaf for key, one in inner.items() for leaf in leaves(one, f"{name} {key}")]


def test_every_command_has_an_example_with_options_that_exist_and_speaks_json() -> None:
    commands = leaves(typer.main.get_command(app))
    assert len(commands) > 25
    for name, command in commands:
        options = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
        assert ("--json" in options) != (name in ("loom table", "loom play")), name
        assert command.epilog, f"{name} has no example"
        for example in command.epilog.splitlines():
            assert example.startswith(name), example
            given = {word for word in example.split() if word.startswith("--")}
            assert given <= options, f"{example}: there is no {given - options}"


def test_every_value_of_json_that_the_documents_name_is_there(loom: Loom, picture: Any) -> None:
    page = (HOME / "docs" / "commands.md").read_text("utf-8")
    tables = page.partition("## JSON")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `([\w ]+)` \| (.*) \|$", tables, re.MULTILINE))
    for command, arguments in (
        ("read", ("read", picture(card("S7")))),
        ("scan", ("scan", picture(card("S7")))),
        ("map", ("map", "heather", "--size", "small")),
        ("settings", ("settings",)),
        ("rulings", ("rulings", "weave")),
        ("replay", ("replay", str(GOBLIN))),
    ):
        out, _ = loom(*arguments, "--json", code=command == "read")  # there are no dice
        found: Any = json.loads(out)
        first = found[0] if isinstance(found, list) else found["weave"][0] if command == "rulings" else found
        for field in first:
            assert f"`{field}`" in rows[command] or field in rows, f"{command} --json: {field} is not told"


def test_every_ruling_is_listed_with_a_question() -> None:
    for system in SYSTEMS.values():
        for ruling in system.rulings.values():
            assert ruling.question.endswith("?")
            # One choice stands only for what the rulebook names and does not give: it cannot be played.
            assert len(ruling.choices) >= 2 or ruling.default == "not-played"
            assert ruling.source.endswith(".")
