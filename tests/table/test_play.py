"""A game in the terminal: the same session as everywhere, typed."""

from __future__ import annotations

import io
import math
import random
import re
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.journal import Answered
from loomtable.engine.kernel.readings import DiceReading, ReadDie, Source
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import label_of
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.raster import card_faces
from loomtable.table.commands.main import run
from loomtable.table.games.weave.demo.camera_backends import RenderedCamera
from loomtable.table.store import open_store
from loomtable.testing.virtual import TINTS, Surface, VirtualCamera, any_die, handful_of_dice, photograph
from loomtable.vision.dice import read_dice
from loomtable.vision.pictures import BgrImage, read_picture, write_picture
from loomtable.vision.verdict import Verdict
from tests.short import Said

GOBLIN = [
    "create dexterity_points=3",
    "change attribute=armour_class by=2 reason=Chainmail",
    'fight enemy="{name: Goblin, dexterity: 10, health: 10}"',
    "1",
    "5",
    "4",
    "1",
    "6",
]


@dataclass(frozen=True)
class Typist:
    """Somebody at ``loom play``, and the store in which the sessions are kept."""

    at: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, system: str, *lines: str, store: str = "s.db", code: int = 0, name: str = "") -> Said:
        """Type these lines at a game."""
        self.monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        session = ["--session", name] if name else []
        assert run(["play", system, "--store", str(self.at / store), *session]) == code
        return Said(*self.capsys.readouterr())

    def session(self, name: str, store: str = "s.db") -> Session[Any]:
        """A session as it was kept."""
        with open_store(self.at / store) as kept:
            return Session.resume(SYSTEMS, kept.journal(name))


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typist:
    return Typist(tmp_path, monkeypatch, capsys)


def test_the_journal_of_weave_says_what_people_did(typed: Typist) -> None:
    dice = "gales weave stones flames gales"
    played = ("0", "challenge ilse gales", dice, "1", "undo", "redo", "undo", ":journal")
    told = [line.strip().partition("  ")[2] for line in typed("weave", *played).out.splitlines()]
    deed = told.index("Ilse: a Gales Challenge")
    again = "Roll the Weave die again? (Ilse): Roll the Weave die again, entered by hand"
    assert told[deed + 1 : deed + 6] == [
        "Gales Challenge, level 1 (Ilse): Gales, Weave, Stones, Flames, Gales, entered by hand",
        again,
        f"Taken back: {again}",
        f"Done again: {again}",
        f"Taken back: {again}",
    ]
    assert "Talent from S14 (Ada): Bird at the Window" in told, "the ready evening answered, and nobody by hand"


def test_a_fight_typed_line_by_line(typed: Typist) -> None:
    out, err = typed("storm-weavers", *GOBLIN)
    assert err == ""
    assert "[5]" in out and "[4]" in out, "the dice as they lie"
    assert "Nobody is hurt (Attack: 5 + 8 = 13, Defence: 4 + 10 = 14)" in out
    assert "Goblin is hit: 3 (Attack: 1 + 10 = 11, Defence: 6 + 8 = 14)" in out
    assert "Goblin loses 3 Health." in out
    session = typed.session("storm-weavers")
    assert session.pending is not None
    assert session.state.fight is not None


def test_it_is_taken_up_where_it_was_left(typed: Typist) -> None:
    assert "loom print session-zero" in typed("storm-weavers", *GOBLIN[:5]).out
    out, err = typed("storm-weavers", ":odds", "4", ":undo", "6", ":journal")
    assert "session-zero" not in out, "only a first evening is told"
    assert err == ""
    assert "continued after 5 steps" in out
    assert "Defence of Goblin" in out
    assert "%" in out
    assert "Taken back: Defence of Goblin, exchange 1 (Goblin): 4, entered by hand" in out
    assert "Undone: Defence of Goblin, exchange 1: 4." in out, "it says what was undone"


def test_what_cannot_be_taken_is_said_and_nothing_is_lost(typed: Typist) -> None:
    wrong = [
        ":chance",
        "figth",
        "create",
        "many",
        "",
        "create soup",
        'create dexterity_points="3',
        ":dance",
        *GOBLIN[:3],
        "9",
        "1",
        "7",
    ]
    _, err = typed("storm-weavers", *wrong)
    for words in (
        "nothing is asked for at the moment; :chance answers a question",
        "did you mean fight?",
        "'many' is not a whole number",
        "'soup' says nothing to Create; write it as name=value",
        "cannot be read",
        "there is no :dance",
        "'9' is not among the choices",
        "a d6 has no face 7",
    ):
        assert words in err
    assert len(typed.session("storm-weavers").lines()) == 5


def test_a_misread_die_is_put_right_after_its_consequences_were_shown(typed: Typist) -> None:
    # Line 5 is Thymin's five; with a six the attack is 14 against 14.
    lines = [*GOBLIN, ":amend 5 6", ":state", ":yes", ":amend 5 9", ":amend 3 1", ":amend 5 6", ":yes", ":yes"]
    out, err = typed("storm-weavers", *lines)
    assert "  no longer: Thymin attacks, 13 against 14" in out
    assert "  instead: Thymin attacks, 14 against 14" in out
    assert "a d6 has no face 9" in err
    assert "line 3 holds no answer that counts" in err
    assert err.count("there is no :yes") == 2, "what was not looked at last is not done"
    assert out.count("Done; the journal keeps what was there before.") == 1
    assert "14 against 14" in "".join(typed.session("storm-weavers").story())


def test_a_moment_gets_a_name_and_the_game_goes_back_to_it(typed: Typist) -> None:
    lines = [":back", ":save Before the goblin", *GOBLIN, ":back", ":back before", ":yes", ":back nowhere"]
    out, err = typed("storm-weavers", *lines)
    assert "No save points yet." in out and "Save point: Before the goblin." in out
    assert "     1  Before the goblin" in out and "  no longer: Thymin attacks, 13 against 14" in out
    assert "'nowhere' is no save point and no line" in err
    assert typed.session("storm-weavers").story() == ()


def test_an_action_is_struck_out_of_the_middle(typed: Typist) -> None:
    out, _ = typed("storm-weavers", *GOBLIN, ":void 2", ":yes", ":journal")
    assert "no longer: Thymin gains 2 Armour Class (Chainmail)." in out
    assert "Taken back: Change: armour class, Chainmail, by 2" in out


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_every_action_is_listed_and_the_computer_can_answer_anything(typed: Typist, system: str) -> None:
    out, err = typed(system, ":help", ":actions", ":state", ":story", ":transcript")
    assert err == ""
    for action in SYSTEMS[system].actions:
        assert label_of(action) in out
    assert "``" not in out, "markup is for programmers"


def test_an_action_is_explained_with_what_may_be_left_out(typed: Typist) -> None:
    out = typed("storm-weavers", "? test", "help create").out
    assert "  test attribute= [modifier=] [dice=]\n" in out
    assert "dice: The dice that the paragraph names" in out
    assert "Not now: " in out, "and why not"


def test_weave_with_everything_left_to_chance(typed: Typist) -> None:
    lines = ["new-season playset=the-salt-road", *[":chance"] * 12, "add-character player=Ada", *[":chance"] * 14]
    typed("weave", *lines)
    assert typed.session("weave").state.characters


def test_a_session_of_another_game_is_not_taken_up(typed: Typist) -> None:
    typed("storm-weavers", "create dexterity_points=3")
    assert "is of Storm Weavers" in typed("weave", name="storm-weavers", code=2).err


def test_actions_as_people_type_them(typed: Typist) -> None:
    """By number, by name with spaces, with loose words, with the beginning of a name, and written out."""
    lines = ["0", "challenge ilse FLAMES", ":undo", "1 od flames", ":undo", "core stones", ":undo"]
    lines += ["challenge who=Ilse suit=flames", ":undo", "challenge", "1", "1", "", "", ":undo"]
    out, err = typed("weave", *lines)
    assert err == ""
    assert out.count("Ilse faces a Flames Challenge") == 3
    assert out.count("Odo faces a Flames Challenge") == 1
    assert out.count("Stones Core Challenge, Ilse") >= 1


def test_names_and_yes_or_no_are_understood_in_any_case_also_in_lists(typed: Typist) -> None:
    lines = ["0", "add-npc npc=Wolf", "challenge who=ILSE suit=Flames", ":undo"]
    lines += ["begin-encounter against=wolf combat=yes", "? challenge", ":undo"]
    lines += ["begin-encounter who=ilse,ODO against=WOLF combat=No suit=GALES"]
    out, err = typed("weave", *lines)
    assert err == ""
    assert "Ilse faces a Flames Challenge" in out
    assert "A fight begins: Ilse, Odo and Wolf." in out and "An encounter begins: Ilse, Odo and Wolf." in out
    assert "it is 's turn" not in out


@pytest.mark.parametrize("wrong", ["7", "0", "to-99"])
def test_a_number_that_is_not_shown_is_refused_with_those_that_are(typed: Typist, wrong: str) -> None:
    out, err = typed("storm-weavers", "0", wrong)
    assert "\n  6  Take the old stair over the ice." in out and "\n  7  " not in out
    assert err == f"loom: '{wrong}' is not among the choices; type a number from 1 to 6.\n"


def test_a_question_mark_and_a_number_tell_what_is_offered_there(typed: Typist) -> None:
    out, err = typed("storm-weavers", "0", "? 6")
    after = out.split("Type a number or a name")[2]
    assert err == ""
    assert after.count("6  Take the old stair over the ice.") == 2, "it is told, and asked once more"


def test_a_question_mark_explains_a_tick_and_says_where_nothing_has_the_number(typed: Typist) -> None:
    out, err = typed("weave", "0", "challenge ilse gales", "? 1", "? 9")
    assert out.count("[ ] 1  Second in the Glass: 1 die fewer") == 3, "asked, explained, and asked again"
    assert err == "loom: nothing here has the number 9; type one that is shown.\n"


def test_an_action_that_is_typed_while_something_is_asked_has_to_wait(typed: Typist) -> None:
    waits, unread = typed("weave", "0", "challenge ilse gales", "begin encounter", "blue").err.splitlines()
    assert waits == "loom: Begin encounter has to wait; answer what is asked first, or undo it."
    assert unread.startswith("loom: a Weave die has no face 'blue'")


def test_what_a_printed_book_needs_is_behind_one_entry(typed: Typist) -> None:
    menus = re.findall(
        r"What now, Thymin\?\n((?:  .*\n)+)Type",
        typed("storm-weavers", "0", "take the old", "? 3", "3", "4", "1", "4 5").out,
    )
    short = "  The journey: 1 Go on   2 Note\n  With a printed book: 3 Tests and fights, the sheet\n"
    whole = (
        "  The journey: 1 Go on   2 Note\n"
        "  Tests and fights: 4 Test   5 Coin test   6 Fight   7 Map fight\n"
        "  The sheet: 8 Change   9 Gain item   10 Gain gear   11 Lose item\n"
    )
    assert menus[-4:] == [short, short, whole, short], "once unfolded, until something is done"


def test_an_argument_may_be_named_where_it_is_asked_for(typed: Typist) -> None:
    out, err = typed("weave", "0", "begin encounter", "against=jorun", "combat=yes", "", "")
    assert err == "" and "A fight begins: Ilse, Odo and Jorun Lisk, the Soft Minister." in out


def test_what_is_written_can_follow_the_action(typed: Typist) -> None:
    assert "Dexterity ■■■■■■■■□□□□ 8" in typed("storm-weavers", "create 3", "sheet").out
    assert "Old Wolf" in typed("weave", "0", "add npc Old Wolf", "", "", "", "table all", store="w.db").out


@cache
def two_dice(seed: int) -> BgrImage:
    """Two d6 on felt of another colour."""
    chance, camera = random.Random(seed), VirtualCamera(height=250, tilt=8, noise=0.8)
    look = any_die(np.random.default_rng([seed, 7]))
    surface = Surface("felt", max(TINTS["felt"], key=lambda tint: math.dist(tint, look.body)), seed)
    rolled = [chance.randint(1, 6) for _ in range(2)]
    return photograph(handful_of_dice(rolled, seed, camera, surface=surface, look=look), camera, seed).picture


def out_of_focus(picture: BgrImage, blur: float) -> BgrImage:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8) if blur else picture


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of a table: a Story card alone, two of them, clear dice, and dice of which one is doubtful."""
    folder = tmp_path_factory.mktemp("pictures")
    faces = card_faces("story-cards", 150, only=[ComponentId(Kind.STORY, number) for number in (3, 5, 9)])
    eyes = RenderedCamera(faces, 2)
    write_picture(folder / "one.jpg", eyes.at_cards(Kind.STORY, 1, (), again=False))
    write_picture(folder / "two.jpg", eyes.at_cards(Kind.STORY, 2, (), again=False))
    missing = {Verdict.ACCEPTED: "clear", Verdict.ASK: "doubtful"}
    for seed, blur in product(range(8), (0, 8, 10, 12)):  # the more it is out of focus, the less is sure
        picture = out_of_focus(two_dice(seed), blur)
        name = missing.pop(read_dice(picture, (2, Die.D6)).verdict, "")
        if name:
            write_picture(folder / f"{name}.png", picture)
        if not missing:
            break
    assert not missing, f"no roll was {missing}"
    return folder


def dice_in_the_journal(typed: Typist) -> tuple[ReadDie, ...]:
    lines = typed.session("storm-weavers").lines()
    readings = [line.entry.reading for line in lines if isinstance(line.entry, Answered)]
    return next(r.dice for r in readings if isinstance(r, DiceReading))


def test_dice_are_read_from_a_picture(typed: Typist, pictures: Path) -> None:
    lines = ["create dexterity_points=3", "test attribute=wisdom", f":look {pictures / 'clear.png'}"]
    out, err = typed("storm-weavers", *lines)
    assert err == ""
    assert "accepted: two dice. They show" in out
    assert "Test of Wisdom" in out
    assert {d.how for d in dice_in_the_journal(typed)} == {Source.CAMERA}


def test_doubtful_dice_wait_for_a_person(typed: Typist, pictures: Path) -> None:
    picture = pictures / "doubtful.png"
    tray = read_dice(read_picture(picture), (2, Die.D6))
    lines = [
        "create dexterity_points=3",
        "test attribute=wisdom",
        ":die 1 3",
        f":look {picture}",
        ":die 7 3",
        ":die 1 9",
    ]
    lines += [f":die {place} {seen.face}" for place, seen in enumerate(tray.dice, start=1) if seen.doubt]
    out, err = typed("storm-weavers", *lines)
    assert "there are no doubtful dice from a picture" in err
    assert "there is no die 7; there are 2" in err
    assert "a d6 has no face 9" in err
    assert "ask: " in out
    dice = dice_in_the_journal(typed)
    assert tuple(d.face for d in dice) == tray.faces
    assert Source.CORRECTED in {d.how for d in dice}


def test_cards_are_read_from_a_picture(typed: Typist, pictures: Path) -> None:
    lines = [
        "new-season playset=the-salt-road",
        f":look {pictures / 'two.jpg'}",
        f":look {pictures / 'clear.png'}",
    ]
    lines += [f":look {pictures / 'one.jpg'}", ":look", ":look nowhere.jpg"]
    out, err = typed("weave", *lines)
    assert "2 cards could be meant (S" in out
    assert "no card" in out
    assert "accepted: S" in out
    assert "name a picture (:look photo.jpg), or begin with --camera 0" in err
    assert "nowhere.jpg: there is no such file" in err
    session = typed.session("weave")
    assert isinstance(session.pending, Choose), "the card was taken, and its options are asked"


def test_a_question_mark_explains_and_answers_nothing(typed: Typist) -> None:
    out, err = typed("spellwoven", "0", "begin conflict", "?", "3 4 5", "?", "help")
    assert err == ""
    assert "Initiative of Joss, Sister Amable, Wat" in out, "three dice are those of who is named first"
    assert "let the computer answer" in out and "spends" not in out, "no Effort is spent by asking what is meant"


@pytest.mark.parametrize("word", ["begin-mode mode=free-play", "begin-mode", "2=3", "7"])
def test_a_question_for_a_name_takes_no_action(typed: Typist, word: str) -> None:
    out, err = typed("mnemonic", "add-character player=Ada", word, f'"{word}"')
    assert err.startswith("loom: a name is asked for, and "), out
    assert err.count("\n") == 1, "in quotes it is a name"


def test_commands_work_wherever_something_is_asked(typed: Typist) -> None:
    """At a name and at an argument, without a colon; in quotes the same word is the name."""
    lines = ["add-character player=Ada", "sheet", "? note", '"sheet"', "undo"]
    out, err = typed("mnemonic", *lines, store="m.db")
    assert err == "" and "There are no sheets yet." in out and "  note who= text=" in out
    assert "Undone: Add character" in out
    lines = ["0", "challenge", "? 2", "map", "2", "? heal", "sheet Odo", "undo", "story", "undo", "undo"]
    out, err = typed("weave", *lines, store="w.db")
    assert err == "loom: there is no map here at the moment.\n"
    walked = out[out.index("Challenge: Who?") :]
    assert "  heal who=" in walked and "Strikes □" in walked
    assert walked.count("  2  Odo") == 3, "shown, explained, and asked again after going back a field"
    assert walked.count("Left as it was") == 1, "before the first field the form is left"
    assert walked.count("Undone: ") == 1 and walked.index("Undone: ") > walked.index("Left as it was")


def test_what_is_usual_is_asked_for_and_enter_leaves_it_out(typed: Typist) -> None:
    """On the way through an action; a line that says all that is needed begins it at once."""
    lines = ["0", "add-npc", "Wolf", "yes", "1", "", "", "3", "begin encounter", "wolf", "yes"]
    out, err = typed("weave", *lines, store="e.db")
    assert err == "" and "Add NPC: Dice: Stones" in out
    assert "Begin encounter: Against?" in out and "A fight begins: Ilse, Odo and Wolf." in out
    wolf = typed.session("weave", "e.db").state.npcs["Wolf"]
    assert wolf.dice == {"flames": 1, "stones": 3} and wolf.track

    out, err = typed("weave", "0", "challenge gales", "odo", "", "", "undo", "challenge", store="c.db")
    assert err == "" and "Challenge: Suit?" not in out.partition("Undone")[0]
    assert "Challenge: Enticement: Flaw?" in out and "Enticement: Card?" not in out
    assert "Odo faces a Gales Challenge of level 1" in out

    fight = ["create", "3", "fight", "Goblin", "10", "10", "2", ""]
    typed("storm-weavers", *fight, store="f.db")
    goblin = typed.session("storm-weavers", "f.db").state.fight.enemy
    assert (goblin.weapon_bonus, goblin.armour_class) == (2, 0)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("weave: tempt", "challenge?"),
        ("weave: dodge", "challenge?"),
        ("weave: wait", "end turn?"),
        ("weave: rest", "end scene or heal?"),
        ("weave: chalenge", "challenge?"),
        ("spellwoven: Dodge", "act?"),
        ("spellwoven: wait", "pass time or act or next round?"),
        ("mnemonic: rest", "scene?"),
        ("woven: sleep", "rest?"),
    ],
)
def test_an_unknown_word_leads_to_what_it_has_to_do_with(typed: Typist, word: str, meant: str) -> None:
    game, _, word = word.partition(": ")
    err = typed(game, "0", word).err
    assert err.startswith(f"loom: there is no action '{word}'; did you mean {meant}") and len(err) < 100


def test_the_table_is_short_and_keeps_the_storytellers_hand_hidden(typed: Typist) -> None:
    shown = typed("weave", "0", "table", "spread", "table all").out.split(
        "Nine Thousand Lamps  Episode 1, scene 1\n"
    )[1]
    short, _, whole = shown.partition("Nine Thousand Lamps: episode 1, scene 1")
    assert short.startswith("    Ilse: Strikes □□□□□□□□□□   Wounds □□□\n    Odo: Strikes ")
    assert "hand" not in short and "The storyteller's hand" in whole
    assert "\n  > Ada: 13 mana\n    Ben: 13 mana\n" in typed("woven", "0", "table", store="w.db").out


def test_the_odds_stand_before_a_roll_and_beside_each_answer(typed: Typist) -> None:
    lines = [
        "0",
        "challenge odo flames",
        "flames weave strike brooks",
        "eyes Ada",
        "0",
        "challenge odo flames",
        "odds",
    ]
    mine, _, hers = typed("weave", *lines).out.partition("You see what Ada may see.")
    told = re.search(r"\n  (▒+▓+█+)\n  pass or better ([\d.]+)%, (fail .*)\n", mine)
    assert told is not None
    bar, passed, outcomes = told.groups()
    fail, good, epic = (float(part.split()[-1].rstrip("%")) for part in outcomes.split(", "))
    assert fail + good + epic == pytest.approx(100) and good + epic == pytest.approx(float(passed), abs=0.11)
    assert [bar.count(shade) for shade in "▒▓█"] == pytest.approx(
        [part * 0.4 for part in (fail, good, epic)], abs=1
    )
    assert "     pass 67%, epic pass 33%\n" in mine, "what lies there passes; the re-roll may make it epic"
    assert "No odds are known" in hers and "epic pass " not in hers, (
        "odds may tell what is on somebody else's sheet"
    )


def test_what_cannot_be_begun_is_refused_before_anything_is_asked(typed: Typist) -> None:
    out, err = typed("weave", "0", "attack")
    assert "encounter" in err and "Attack:" not in out


def test_names_that_are_written_with_an_apostrophe_need_no_quotes(typed: Typist) -> None:
    out, err = typed("storm-weavers", "0", "2", "gain-item item=Smith's", "sheet")
    assert err == "" and "Thymin takes: Smith's." in out


def test_what_is_missing_is_asked_for_with_all_that_can_be_said(typed: Typist) -> None:
    lines = ["create", "3", "begin adventure", "The Bell of Hollow Pass"]
    out, err = typed("storm-weavers", *lines)
    assert err == ""
    assert "Begin adventure: Adventure?" in out and "The Light on Karrow Head" in out
    assert "The adventure begins: The Bell of Hollow Pass." in out


def test_enter_alone_goes_back_and_nothing_is_done(typed: Typist) -> None:
    out, _ = typed("weave", "0", "challenge", "", "journal")
    assert (
        "Left as it was." in out
        and "challenge" not in out.rpartition("Left as it was.")[2].casefold().split("what now")[0]
    )


def test_what_stays_hidden_is_not_in_the_state(typed: Typist) -> None:
    """Neither the order of a deck for anybody, nor for Ada what only Ben may see."""
    out, err = typed(
        "woven",
        "0",
        "state",
        "eyes Ada",
        "state",
        "sheet ben",
        "eyes room",
        "state",
    )
    assert err == ""
    whole, hers, rooms = out.split("You see what")
    assert "pile: 31" in whole and "pile: 31" in hers, "how many, not which"
    assert whole.count("face down") == 0
    assert 0 < hers.count("face down") < rooms.count("face down")


def test_piped_output_has_no_colours_and_no_broken_lines(typed: Typist) -> None:
    out, _ = typed("storm-weavers", "0", "3", "", ":chance")
    assert "\x1b" not in out and "╭" not in out
    assert not any(line != line.rstrip() for line in out.splitlines())
    assert any(line.startswith("You are Thymin") and line.endswith("and go in.") for line in out.splitlines())
