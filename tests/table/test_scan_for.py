"""``loom scan --for`` and ``loom cameras``, as a person at the terminal meets them."""

import io
import json

import numpy as np
import pytest

from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.main import run
from loomtable.table.reading import looking
from loomtable.table.reading.kept_cameras import kept_prints
from loomtable.table.store import open_store
from loomtable.vision.camera import PictureRun
from loomtable.vision.pictures import write_picture
from tests.pictures_made import write_film
from tests.table.printed_rows import ids, under_the_camera_picture
from tests.vision.printed_laid import cards_seen_aslant


@pytest.fixture
def typed(monkeypatch, tmp_path):
    """Types lines at a command, and returns its exit code."""
    monkeypatch.chdir(tmp_path)

    def at(command, *lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run([*command.split(), "--store", "evenings.db"])

    return at


def the_session(name):
    with open_store("evenings.db") as store:
        return Session.resume(SYSTEMS, store.journal(name))


def test_an_episode_is_laid_put_right_and_confirmed(typed, tmp_path, capsys) -> None:
    write_picture(tmp_path / "spread.png", under_the_camera_picture("S17 S5 S14", 0))
    command = "scan spread.png --for episode --playset the-salt-road --session monday"
    code = typed(command, ":yes", ":swap 1 2", "1", "2", "1", "A season", ":jump", ":yes")
    shown = capsys.readouterr()
    assert code == 0
    assert "S17 The Comet: Story card for the Theme" in shown.out
    assert "The season is called A season." in shown.out
    assert "loom: first: storyteller: Theme from S17?" in shown.err
    assert "there is no :jump" in shown.err
    state = the_session("monday").state
    assert [q.card for q in state.foundation] == list(ids("S5", "S17", "S14"))


def test_cards_before_a_camera_are_taken_once_they_lie_still(typed, tmp_path, capsys) -> None:
    picture = under_the_camera_picture("S17 S5 S14", 0)
    write_film(tmp_path / "film.avi", [picture] * 12, 30)
    command = "scan --for episode --playset the-salt-road --camera film.avi"
    assert typed(command, "1", "1", "1", "A season", ":yes") == 0
    assert [q.card for q in the_session("weave").state.foundation] == list(ids("S17", "S5", "S14"))
    assert "S14 The Raven: Story card for the Boss." in capsys.readouterr().out


def test_what_is_not_confirmed_leaves_the_session_as_it_was(typed, capsys) -> None:
    assert typed("scan --for episode --playset the-salt-road", "S5", "S5", ":not S5", "S9", ":quit") == 1
    shown = capsys.readouterr()
    assert shown.out.endswith("Nothing was done.\n")
    assert "S5 The Lighthouse is there already" in shown.err
    assert len(the_session("weave").journal.lines()) == 1


def test_a_season_is_not_played_on_with_another_playset(typed, tmp_path, capsys) -> None:
    write_picture(tmp_path / "spread.png", under_the_camera_picture("S17 S5 S14", 0))
    begin = "scan spread.png --for episode --playset the-salt-road"
    assert typed(begin, "1", "1", "1", "A season", ":yes") == 0
    capsys.readouterr()
    before = len(the_session("weave").journal.lines())
    assert typed("scan spread.png --for episode --playset the-lamplit-court") == 2
    assert "is played with the-salt-road, not with the-lamplit-court" in capsys.readouterr().err
    assert len(the_session("weave").journal.lines()) == before


def test_where_there_is_no_season_one_is_offered_first(typed, capsys) -> None:
    answers = (":yes", "1", "S17", "S5", "S14", "1", "1", "1", "A season", ":yes")
    assert typed("scan --for hand --session monday", *answers, ":quit") == 1
    shown = capsys.readouterr()
    assert "Begin one now, with three Story cards?" in shown.out
    assert the_session("monday").state.name == "A season"
    assert typed("scan --for hand --session tuesday", "no") == 2
    shown = capsys.readouterr()
    assert "loom scan --for episode --playset NAME --session 'tuesday'" in shown.err
    with open_store("evenings.db") as store:
        assert store.sessions() == ("monday",)


def test_a_folder_and_a_video_of_cards_are_scanned_as_they_are_read(typed, tmp_path, capsys) -> None:
    first, second = (under_the_camera_picture(cards, 0) for cards in ("S17 S5 S14", "S14 S5 S17"))
    (tmp_path / "folder").mkdir()
    write_picture(tmp_path / "folder" / "one.png", first)
    write_picture(tmp_path / "folder" / "two.png", second)
    (tmp_path / "folder" / "torn.png").write_bytes(b"\x89PNG")
    empty = np.full_like(first, 120)
    write_film(tmp_path / "film.avi", [first] * 16 + [empty] * 60 + [second] * 16, 30)
    assert run(["scan", "folder", "film.avi", "--json", "--draw", "seen"]) == 2
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [(line["image"], line["status"], [card["card"] for card in line["cards"]]) for line in lines]
    assert told == [
        ("folder/one.png", "accepted", ["S17", "S5", "S14"]),
        ("folder/torn.png", "rejected", []),
        ("folder/two.png", "accepted", ["S14", "S5", "S17"]),
        ("film.avi", "accepted", ["S17", "S5", "S14"]),
        ("film.avi", "accepted", ["S14", "S5", "S17"]),
    ]
    assert {path.name for path in (tmp_path / "seen").iterdir()} == {
        "one-seen.png", "two-seen.png", "film-1-seen.png", "film-2-seen.png",
    }  # fmt: skip


def test_a_camera_is_looked_through_and_what_to_change_is_said(tmp_path, capsys) -> None:
    write_picture(tmp_path / "dark.png", np.full((300, 400, 3), 20, np.uint8))
    assert run(["cameras", str(tmp_path / "dark.png"), "--json", "--draw", str(tmp_path / "seen.png")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["mode"], told["cards"]) == ("400 x 300", 0)
    assert told["advice"] == ["too dark: more light, or a longer exposure"]
    assert (tmp_path / "seen.png").exists()
    assert run(["cameras", "http://127.0.0.1:1/"]) == 2
    assert "nothing listens there" in capsys.readouterr().err


class Webcam(PictureRun):
    live = True


def test_a_card_shown_to_a_camera_tells_from_where_it_sees_the_table(tmp_path, capsys, monkeypatch) -> None:
    picture = cards_seen_aslant()
    write_picture(tmp_path / "cards.png", picture)
    assert run(["cameras", str(tmp_path / "cards.png"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["told_by"], told["kept"]) == ("printed things", False), "a picture is no camera"
    assert abs(told["elevation"] - 52) <= 3
    monkeypatch.setattr(looking, "open_source", lambda _: Webcam([picture] * 20, "Desk camera"))
    assert run(["cameras", "0"]) == 0
    shown = capsys.readouterr().out
    assert "degrees (give or take" in shown
    assert "as printed things tell" in shown
    assert "this is kept" in shown
    assert kept_prints("Desk camera", picture)
    assert not kept_prints("Desk camera", picture[:200]), "it takes other pictures now"
    assert not kept_prints("Another camera", picture)
