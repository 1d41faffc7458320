"""The demo's people: chance, which never guesses a die, and a person who types."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import NumberReading, Source, TextReading
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Option, Roll
from loomtable.table.commands.main import run
from loomtable.table.games.weave.demo.people import AtTerminal, ChancePerson
from loomtable.vision.dice import Pool, SeenDie, TrayReading
from loomtable.vision.verdict import Verdict

SUITS = Choose(
    "Core Suit", (Option("flames", "Flames"), Option("brooks", "Brooks", "social")), by="Ada", rule="WV-6"
)
AGAIN = EnterNumber("Weave dice to roll again", 0, 2, by="Ada", rule="WV-17")
NAME = EnterText("Name of the character", by="Ada", rule="WV-6")
ROLL = Roll(
    Die.WEAVE,
    2,
    "Gales Challenge",
    ("flames", "brooks", "gales", "stones", "weave", "strike"),
    by="Ada",
    rule="WV-17",
)

Typing = Callable[..., None]


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Typing:
    def lines(*typed: str) -> None:
        waiting = iter(typed)
        monkeypatch.setattr("builtins.input", lambda prompt="": next(waiting))

    return lines


def doubtful(*faces: int) -> TrayReading:
    dice = tuple(SeenDie(Die.D6, face, (0, 0, 9, 9), 0.4, doubt="has a pip that hardly shows") for face in faces)
    return TrayReading(Verdict.ASK, "both are doubtful", dice, Pool.of((len(faces), Die.D6)))


def test_a_person_is_asked_again_until_the_answer_fits(typing: Typing, capsys: pytest.CaptureFixture[str]) -> None:
    person = AtTerminal()
    typing("storms", "brooks")
    assert person.answer(SUITS, may_roll=True).keys == ("brooks",)  # type: ignore[union-attr]
    assert "'storms' is not among the choices" in capsys.readouterr().out
    typing("many", "3", "1")
    assert person.answer(AGAIN, may_roll=True) == NumberReading(1)
    typing("  ", "Ilse")
    assert person.answer(NAME, may_roll=True) == TextReading("Ilse")


def test_a_person_puts_doubtful_dice_right(typing: Typing) -> None:
    typing("9", "4", "")
    told = AtTerminal().correct(doubtful(3, 5))
    assert told is not None
    assert told.verdict is Verdict.ACCEPTED
    assert told.faces == (4, 5)
    assert [d.how for d in told.dice] == [Source.CORRECTED, Source.CORRECTED]
    assert [d.misread for d in told.dice] == [3, None]


def test_a_person_types_dice_that_no_camera_can_read(typing: Typing, capsys: pytest.CaptureFixture[str]) -> None:
    typing("5", "5 7", "5 2")
    assert (reading := AtTerminal().typed(ROLL)) is not None and reading.faces == (5, 2)
    assert "one die, two expected" in capsys.readouterr().out


def test_chance_chooses_names_and_options_but_never_what_a_die_shows() -> None:
    chance = ChancePerson(1, "The lamp turns inland")
    assert chance.answer(
        EnterText("Name of the season", by="storyteller", rule="WV-1"), may_roll=True
    ) == TextReading("The lamp turns inland", Source.RANDOM)
    assert chance.answer(AGAIN, may_roll=True) == NumberReading(2, Source.RANDOM)
    assert chance.answer(AGAIN, may_roll=False) == NumberReading(0, Source.RANDOM)
    assert chance.correct(doubtful(3)) is None
    assert chance.typed(ROLL) is None


def test_a_camera_without_a_person_stops_with_a_word(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(prompt: str = "") -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    assert run(["demo", "--camera", "0", "--output", f"{tmp_path}/demo"]) == 130
    assert capsys.readouterr().err.endswith("loom: stopped\n")
