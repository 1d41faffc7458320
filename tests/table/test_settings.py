"""What is set once for this machine, and where sessions are kept."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.main import run
from loomtable.table.hosting.host import TableHost
from loomtable.table.settings import change_setting, settings_file, usual_store
from loomtable.table.store import open_store
from loomtable.vision.pictures import write_picture
from tests.short import Loom
from tests.vision.own_dice_drawn import fancy

RULE, USUAL, OTHER = (
    "strikes-on-rerolls",
    *(one.key for one in SYSTEMS["weave"].rulings["strikes-on-rerolls"].choices[:2]),
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))


def values(loom: Loom) -> dict[str, str]:
    shown = json.loads(loom("settings", "--json").out)
    return {one["name"]: one["value"] for one in shown["settings"] if one["set"]}


def test_what_is_set_is_shown_and_forgotten_again(loom: Loom) -> None:
    assert values(loom) == {}
    assert "paper    letter  (" in loom("settings", "paper", "letter").out
    loom("settings", f"weave.{RULE}", OTHER)
    assert values(loom) == {"paper": "letter", f"weave.{RULE}": OTHER}
    assert "a4  default" in loom("settings", "paper", "--reset").out
    loom("settings", f"weave.{RULE}", "--reset")
    assert values(loom) == {}


def test_colours_are_as_asked_for_then_as_the_environment_says_then_as_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def coloured(*options: str, **environment: str) -> bool:
        with monkeypatch.context() as patched:
            for name in ("NO_COLOR", "FORCE_COLOR"):
                patched.setenv(name, "")  # what is put there meanwhile goes again
                patched.delenv(name)
            for name, value in environment.items():
                patched.setenv(name, value)
            assert run([*options, "print", "--list"]) == 0
        return "\x1b[" in capsys.readouterr().out

    assert not coloured() and coloured("--color", "always")
    assert run(["settings", "colour", "always"]) == 0
    assert coloured() and not coloured(NO_COLOR="1") and not coloured("--color", "never")
    assert coloured("--color", "always", NO_COLOR="1")
    assert run(["--color", "pink", "settings"]) == 2
    assert capsys.readouterr().err == "loom: colour is auto, always or never, not 'pink'\n"


def test_what_somebody_wrote_into_the_file_stays(loom: Loom) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text(
        "# ours at the club\npaper = 'a3'\n\n[house-rules.weave]\n# agreed in May\n", "utf-8"
    )
    loom("settings", "camera", "2")
    loom("settings", f"weave.{RULE}", OTHER)
    text = settings_file().read_text("utf-8")
    assert "# ours at the club" in text and "# agreed in May" in text
    assert values(loom) == {"paper": "a3", "camera": "2", f"weave.{RULE}": OTHER}
    assert [path.name for path in settings_file().parent.iterdir()] == ["settings.toml"]


def test_the_paper_that_is_set_is_printed_on_unless_another_is_given(loom: Loom) -> None:
    change_setting("paper", "letter")
    printing = ("print", "story-cards", "--only", "S3", "--json")
    assert json.loads(loom(*printing).out)[0]["file"].endswith("letter-long-edge.pdf")
    assert json.loads(loom(*printing, "--paper", "a4").out)[0]["file"].endswith("a4-long-edge.pdf")


def test_the_camera_that_is_set_is_looked_through_where_no_picture_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "camera").mkdir()
    write_picture(tmp_path / "camera" / "one.png", fancy(4, 20.0, 1))
    write_picture(tmp_path / "other.png", fancy(4, 20.0, 1))
    change_setting("camera", str(tmp_path / "camera"))
    run(["scan", "--json"])
    assert json.loads(capsys.readouterr().out)["image"] == f"camera {tmp_path / 'camera'}"
    run(["scan", "other.png", "--json"])
    assert json.loads(capsys.readouterr().out)["image"] == "other.png"


def play_a_little(monkeypatch: pytest.MonkeyPatch, loom: Loom, *options: str) -> None:
    """A session is kept from its first action on."""
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n"))
    loom("play", "weave", *options)


def test_sessions_are_kept_in_the_users_data_folder(
    loom: Loom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_a_little(monkeypatch, loom)
    assert Path(usual_store()).is_file()
    assert list(tmp_path.iterdir()) == []
    assert loom("journal").out == "weave\n"


def test_the_store_that_is_set_is_one_place_from_everywhere(
    loom: Loom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loom("settings", "store", "ours.db")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    play_a_little(monkeypatch, loom)
    assert (tmp_path / "ours.db").is_file() and not Path(usual_store()).exists()


def test_house_rules_hold_in_sessions_that_are_begun_from_then_on(tmp_path: Path) -> None:
    with TableHost(open_store(tmp_path / "e.db")) as host:
        before = host.begin("weave", "before")
        change_setting(f"weave.{RULE}", OTHER)
        after = host.begin("weave", "after")
        given = host.begin("weave", "given", rulings={RULE: USUAL})
        ready = host.begin_ready("weave")
        decided = [live.session.game.rulings[RULE] for live in (before, after, given, ready)]
        assert decided == [USUAL, OTHER, USUAL, OTHER]
