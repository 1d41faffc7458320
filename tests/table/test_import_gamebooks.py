"""Gamebooks in Twee and ink, imported: every passage and link is in the adventure, and all that is not is said."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.adventure import Adventure, parse_adventure
from loomtable.engine.storm_weavers.adventure_check import (
    ADVENTURES,
    adventure_names,
    check_adventure_text,
)
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.printkit.catalogue import Component
from loomtable.printkit.games.storm_weavers.adventure_booklet import booklet
from loomtable.printkit.kit import PrintSettings, print_components
from loomtable.table.commands.main import run
from loomtable.table.games.storm_weavers.gamebook import adventure_of
from tests.short import Loom
from tests.table.reading_pdf import words_of_pdf

TWEE, INK = (Path(__file__).with_name(f"cellar.{kind}").read_text("utf-8") for kind in ("twee", "ink"))

INKS = msgspec.yaml.decode(Path(__file__).with_name("ink.yaml").read_bytes())


def brought_in(folder: Path, name: str, text: str) -> tuple[Adventure, list[str]]:
    file = folder / name
    file.write_text(text, "utf-8")
    made, said, _ = adventure_of(file, "cellar", "Cellar")
    assert check_adventure_text(made, "cellar.yaml") == []
    return parse_adventure(made, "cellar.yaml")[0], said


def ways(adventure: Adventure) -> dict[str, list[tuple[str, str]]]:
    """Where each paragraph leads, and by which choice, each paragraph called by its text."""
    called = {number: page.text for number, page in adventure.paragraphs.items()}
    found = {}
    for page in adventure.paragraphs.values():
        then = [("", called[page.then])] if page.then else []
        found[page.text] = then + [(choice.says.removesuffix("."), called[choice.to]) for choice in page.choices]
    return found


def test_passages_of_twee_are_paragraphs_and_links_are_choices(tmp_path: Path) -> None:
    adventure, said = brought_in(tmp_path, "cellar.twee", TWEE)
    yard = "You stand before a cellar door. (set: $wet to true)"
    stairs = "You have $gold crowns, and can go on or go back. <<if $gold gt 2>>Buy a lamp<</if>>"
    vault = "Gold! <b>You win.</b>"
    assert adventure.title == "The Cellar Door"
    assert adventure.paragraphs[1].text == yard
    assert adventure.paragraphs[1].choices[0].says == "Go down."
    assert ways(adventure) == {
        yard: [("Go down", stairs), ("Knock", "Nobody answers."), ("Go home", "You go home.")],
        stairs: [("go on", vault), ("go back", yard), ("Buy a lamp", "Still to write: Shop")],
        "Nobody answers.": [("The yard", yard)],
        vault: [],
        "You go home.": [],
        "Still to write: Shop": [],
        "Still to write: how Thymin dies.": [],
    }
    assert said == [
        "cellar.twee line 7: left out: the passage 'StoryInit', which is for Twine alone",
        "cellar.twee line 12: not understood, kept as it is: (set: $wet to true)",
        "cellar.twee line 18: not understood, kept as it is: $gold",
        "cellar.twee line 19: 'Shop' is not in the file; a paragraph waits for you to write it",
        "cellar.twee line 19: not understood, kept as it is: <</if>>",
        "cellar.twee line 19: not understood, kept as it is: <<if $gold gt 2>>",
        "cellar.twee line 19: not understood, left out: [$gold -= 2]",
        "cellar.twee line 26: not understood, kept as it is: </b>",
        "cellar.twee line 26: not understood, kept as it is: <b>",
        "cellar.twee line 31: no link leads to 'Attic'; it is at the end, as a comment",
        "Written as victories: 4, 5, 6; where Thymin dies, write 'ending: death'",
        "Paragraph 225, Thymin's death, was added",
    ]


def test_knots_choices_and_gathers_of_ink_are_paragraphs(tmp_path: Path) -> None:
    adventure, said = brought_in(tmp_path, "cellar.ink", INK)
    yard, landing, bottom = "You stand before a cellar door. # rain", "It is dark.", "{ - gold > 2: You pay. }"
    knock, again, wet = "Knock and wait. Nobody answers.", "Knock again Still nobody.", "You are {wet}."
    late, chest = "You shiver and think.", "Still to write: chest"
    assert ways(adventure) == {
        yard: [("Go down", landing), ("Knock on the door", knock), ("Shout", "Shout")],
        knock: [("Knock again", again), ("Give up", "Give up")],
        again: [("", wet)],
        wet: [("", late)],
        late: [("", landing)],
        "Give up": [],
        "Shout": [("", bottom)],
        landing: [("", bottom)],
        bottom: [("Open the chest", chest), ("Go on", "The end.")],
        chest: [],
        "The end.": [],
        "Still to write: how Thymin dies.": [],
    }
    listed = {
        int(found[1]): found[2] for one in said if (found := re.fullmatch(r"cellar.ink line (\d+): (.*)", one))
    }
    assert listed == {
        2: "not understood, left out: VAR gold = 3",
        6: "not understood, kept as it is: # rain",
        13: "not understood, kept as it is: {wet}",
        23: "not understood, kept as it is: {",
        24: "not understood, kept as it is: - gold > 2:",
        26: "'chest' is not in the file; a paragraph waits for you to write it",
        27: "a choice that says nothing is called 'Go on'",
        29: "not understood, left out: === function twice(x)",
        30: "not understood, left out: ~ return x * 2",
    }


@pytest.mark.parametrize("row", INKS, ids=[row["what"] for row in INKS])
def test_every_way_of_ink_is_a_way(tmp_path: Path, row: dict[str, Any]) -> None:
    adventure, _ = brought_in(tmp_path, "fog.ink", row["story"])
    wanted = {said: [tuple(way) for way in leads] for said, leads in row["ways"].items()}
    assert ways(adventure) == wanted | {"Still to write: how Thymin dies.": []}


def test_ink_is_read_with_what_it_includes_and_nothing_beyond_its_folder(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "rooms.ink").write_text("INCLUDE story.ink\nVAR a = 1\n== cellar\n{a}\nDamp.\n-> yard\n")
    story = "INCLUDE parts/rooms.ink\nYou begin.\n-> cellar\n== yard\nA yard.\n-> END\n"
    adventure, said = brought_in(tmp_path, "story.ink", story)
    assert ways(adventure) == {
        "You begin.": [("", "{a} Damp.")],
        "{a} Damp.": [("", "A yard.")],
        "A yard.": [],
        "Still to write: how Thymin dies.": [],
    }
    assert said[:2] == [
        "rooms.ink line 2: not understood, left out: VAR a = 1",
        "rooms.ink line 4: not understood, kept as it is: {a}",
    ]
    for name in ("../secret.ink", "missing.ink", "a" * 5_000, ".", str(tmp_path.parent / "secret.ink")):
        (tmp_path.parent / "secret.ink").write_text("Mine.")
        with pytest.raises(
            LoomtableError, match=r"story.ink line 2: there is no '.*' beside the story; put it there"
        ):
            brought_in(tmp_path, "story.ink", f"Once.\nINCLUDE {name}\n")


@pytest.mark.parametrize(
    ("written", "choices"),
    [
        ('<<link "Down" "Hall">><</link>>', [("Down", "A hall.")]),
        ("<<button [[Down|Hall]]>><</button>>", [("Down", "A hall.")]),
        ("<<goto 'Hall'>>", [("Go on", "A hall.")]),
        ('<<include "Hall">>', [("Hall", "A hall.")]),
        ('(link-goto: "Down", "Hall")', [("Down", "A hall.")]),
        ('(Link-Goto: "Hall")', [("Hall", "A hall.")]),
        ('(if: $x)[(go-to: "Hall")]', [("Go on", "A hall.")]),
        ('(display: "Hall")', [("Hall", "A hall.")]),
        ("{embed passage: 'Hall'}", [("Hall", "A hall.")]),
        ("{link to: 'Hall', label: 'Down'}", [("Down", "A hall.")]),
        ("[[ Down -> Hall ]]", [("Down", "A hall.")]),
        ("[[Down-&gt;Hall]]", [("Down", "A hall.")]),
        ("[[Down|]] [[]] [[Hall]]", [("Hall", "A hall.")]),
        ('<<link "Down">><</link>> <<goto $there>> [[Hall]]', [("Hall", "A hall.")]),
    ],
)
def test_links_of_twee_in_all_their_forms(tmp_path: Path, written: str, choices: list[tuple[str, str]]) -> None:
    adventure, said = brought_in(
        tmp_path, "hall.twee", f":: \\ Start\nFog &amp; rain.\n{written}\n\n:: Hall \nA hall.\n"
    )
    assert next(iter(ways(adventure).values())) == choices
    assert adventure.paragraphs[1].text.startswith("Fog & rain.")
    assert not any("Still to write: \n" in one for one in said)


def test_a_page_that_twine_published_is_read(tmp_path: Path) -> None:
    page = (
        f'<html><script>let a = "<b>{"x" * 30_000}";</script>\n'
        '<tw-storydata name="Fog &amp; Rain" startnode="2">\n'
        '<style role="stylesheet" id="twine-user-stylesheet" type="text/twine-css"></style>\n'
        '<script role="script" id="twine-user-script" type="text/twine-javascript">let b = 1;</script>\n'
        '<tw-passagedata pid="1" name="The &quot;hall&quot;" position="1,2">A hall.\n:: no head</tw-passagedata>\n'
        '<tw-passagedata pid="2" name="Street [old]" tags="a b">A street.\n'
        "[[In-&gt;The &quot;hall&quot;]]</tw-passagedata>\n</tw-storydata></html>"
    )
    adventure, said = brought_in(tmp_path, "fog.html", page)
    assert adventure.title == "Fog & Rain"
    assert ways(adventure) == {
        "A street.": [("In", "A hall. :: no head")],
        "A hall. :: no head": [],
        "Still to write: how Thymin dies.": [],
    }
    assert said[0] == "fog.html line 3: left out: the passage 'Story script', which is for Twine alone"
    assert said[1].startswith("Written as victories: 2")


def test_an_import_ends_with_its_sum_and_the_check_says_it_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cellar.twee").write_text(TWEE)
    assert run(["import", str(tmp_path / "cellar.twee")]) == 0
    sums = "Imported: 5 of 7 passages; left out: 1 that no link leads to and 1 for Twine alone\n"
    kinds = "For you to look at: 4 macros, 2 HTML tags, 1 variable and 1 missing passage\n"
    assert sums + kinds in capsys.readouterr().out
    assert run(["check", str(ADVENTURES.path("cellar"))]) == 0
    assert sums in capsys.readouterr().out


@pytest.mark.parametrize(("links", "lost"), [(5, False), (4, True)])
def test_a_story_of_which_less_than_half_comes_in_is_refused(
    tmp_path: Path, at_home: Path, capsys: pytest.CaptureFixture[str], links: int, lost: bool
) -> None:
    """``links`` of nine rooms are linked, the first is where the story begins."""
    rooms = [f":: room {at}\nRoom {at}.\n" + f"[[on->room {at + 1}]]\n" * (at < links) for at in range(1, 10)]
    (tmp_path / "rooms.twee").write_text("".join(rooms))
    assert run(["import", str(tmp_path / "rooms.twee")]) == (2 if lost else 0)
    assert ("only 4 of 9 passages would come in" in capsys.readouterr().err) is lost
    assert any(path.is_file() for path in at_home.rglob("*.yaml")) is not lost


@st.composite
def stories(draw: st.DrawFn) -> dict[str, list[str]]:
    """Passages with where they lead; some lead to themselves, to nothing that is there, or round and round."""
    names = [f"room{at}" for at in range(draw(st.integers(1, 7)))]
    exits = st.lists(st.sampled_from([*names, "nowhere"]), max_size=3, unique=True)
    return {name: draw(exits) for name in names}


@given(stories())
def test_any_story_becomes_an_adventure_that_holds_together(
    tmp_path_factory: pytest.TempPathFactory, story: dict[str, list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("story")
    twee = "".join(
        f":: {name}\nThis is {name}.\n" + "".join(f"[[to {to}->{to}]]\n" for to in exits) + "\n"
        for name, exits in story.items()
    )
    ink = "".join(
        f"== {name}\nThis is {name}.\n" + "".join(f"* [to {to}] -> {to}\n" for to in exits) + "\n"
        for name, exits in story.items()
    )
    reached, waiting = set[str](), ["room0"]
    while waiting:
        if (name := waiting.pop()) not in reached and name in story:
            reached.add(name)
            waiting += story[name]
    assume(2 * len(reached) >= len(story))
    from_twee, from_ink = (
        ways(brought_in(folder, f"s.{kind}", text)[0]) for kind, text in (("twee", twee), ("ink", ink))
    )
    for found in (from_twee, from_ink):
        for name in reached:
            links = [(says, to.removeprefix("Still to write: ")) for says, to in found[f"This is {name}."]]
            wanted = [(f"to {to}", f"This is {to}." if to in story else to) for to in story[name]]
            assert [link for link in links if link[0] != "Still to write"] == wanted
        assert {text for text in found if text.startswith("This is")} == {f"This is {name}." for name in reached}
    assert from_twee == from_ink


@settings(max_examples=150)
@given(st.text(alphabet="ab:[]->*+-={}<>|/\\ \n'#~\x07", max_size=80))
def test_whatever_stands_in_a_file_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    for name, begun in (("s.twee", f":: Start\n{text}"), ("s.ink", f"a\n{text}"), ("s.tw", text)):
        (folder / name).write_text(begun, "utf-8")
        try:
            made, _, _ = adventure_of(folder / name, "s", "S")
        except LoomtableError as error:
            assert str(error).startswith(name)
        else:
            assert check_adventure_text(made, "s.yaml") == []


def test_a_long_passage_goes_on_in_the_next_paragraph(tmp_path: Path) -> None:
    sentences = [f"This is sentence {at} of a very long story." for at in range(40)]
    text = f":: Start\n{' '.join(sentences)}\n[[{'Go ' * 50}->Start]]\n[[->]]\n\x1b[31m\x07"
    adventure, said = brought_in(tmp_path, "long.twee", text)
    pages = [adventure.paragraphs[at] for at in (1, 2, 3)]
    assert [page.then for page in pages] == [2, 3, None]
    assert " ".join(page.text for page in pages).startswith(" ".join(sentences))
    assert all(page.text.endswith(".") for page in pages[:2])
    assert [choice.to for choice in pages[2].choices] == [1, 4]
    assert any(one.startswith("long.twee line 3: a choice is cut to 100 letters; it says: Go Go") for one in said)
    assert all(line.isprintable() for line in said)


@pytest.mark.parametrize(
    "hostile", ["<<" * 9_000, "/*" * 9_000, "=" * 9_000 + " " * 9_000 + "]", "-> a(" * 3_900, "{a:-b:" * 3_000]
)
def test_no_line_keeps_the_reader_busy_for_ever(tmp_path: Path, hostile: str) -> None:
    many = "\n".join([hostile] * 2)
    brought_in(tmp_path, "s.ink", f"Once.\n{many}")
    head = re.sub(r"[\[\]{}]", "", hostile)
    brought_in(tmp_path, "s.twee", f":: Start {head}\n{many}\n")


def test_no_page_keeps_the_reader_busy_for_ever(tmp_path: Path) -> None:
    brought_in(tmp_path, "s.twee", f":: Start\n{'. [[a]]' * 2_800}x")
    with pytest.raises(LoomtableError, match="no passage"):
        brought_in(tmp_path, "s.html", "<tw-storydata <tw-passagedata " * 50_000)


def test_paragraphs_are_shuffled_as_in_a_printed_book(tmp_path: Path, at_home: Path) -> None:
    rooms = "".join(f":: room {at}\nRoom {at}.\n[[on->room {at + 1}]]\n" for at in range(1, 30))
    (tmp_path / "rooms.twee").write_text(f"{rooms}:: room 30\nThe last.")
    made = {}
    for name, seed in (("one", "7"), ("again", "7"), ("other", "8"), ("plain", "")):
        command = ["import", str(tmp_path / "rooms.twee"), "--name", name]
        assert run([*command, *(["--shuffle", seed] if seed else [])]) == 0
        made[name] = parse_adventure(ADVENTURES.path(name).read_text("utf-8"), name)[0]
    one, plain = made["one"], made["plain"]
    assert one.paragraphs[1].text == "Room 1."
    assert ways(one) == ways(plain)
    assert one.paragraphs == made["again"].paragraphs != made["other"].paragraphs
    assert one.paragraphs.keys() == plain.paragraphs.keys()
    neighbours = [
        number for number, page in one.paragraphs.items() if page.choices[:1] and page.choices[0].to == number + 1
    ]
    assert len(neighbours) < 8
    assert run(["import", str(tmp_path / "map.png"), "--shuffle", "7"]) == 2


def test_links_after_a_sentence_are_choices_alone_and_within_one_its_words_as_well(tmp_path: Path) -> None:
    story = (
        ":: Start\nYou wake. [[Go on->Hall]] | [[Sleep->Hall]]\nYou may [[open the door->Hall]].\n:: Hall\nA hall."
    )
    adventure, _ = brought_in(tmp_path, "s.twee", story)
    assert adventure.paragraphs[1].text == "You wake. You may open the door."
    assert [one.says for one in adventure.paragraphs[1].choices] == ["Go on.", "Sleep.", "open the door."]


def test_the_paragraph_of_death_is_kept_free(tmp_path: Path) -> None:
    rooms = "".join(f":: room {at}\nRoom {at}.\n[[on->room {at + 1}]]\n" for at in range(1, 230))
    adventure, _ = brought_in(tmp_path, "long.twee", f"{rooms}:: room 230\nThe last.")
    assert [adventure.paragraphs[at].text for at in (224, 225, 226)] == [
        "Room 224.",
        "Still to write: how Thymin dies.",
        "Room 225.",
    ]


@pytest.mark.parametrize(("name", "text"), [("cellar.tw", TWEE), ("cellar.ink", INK)])
def test_an_imported_gamebook_is_checked_printed_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    (tmp_path / name).write_text("\ufeff" + text, "utf-8")
    assert run(["import", str(tmp_path / name)]) == 0
    place = ADVENTURES.path("cellar")
    assert f"loom check {place}" in capsys.readouterr().out
    assert run(["check", str(place)]) == 0
    assert run(["import", str(tmp_path / name)]) == 2
    assert "cellar.yaml: is there already; choose another name" in capsys.readouterr().err
    assert "cellar" in adventure_names()
    cellar = Component("cellar-booklet", "Cellar", "", "storm-weavers", partial(booklet, "cellar"))
    [printed_file, *_] = print_components([cellar], tmp_path / "out", PrintSettings())
    printed = words_of_pdf(printed_file.path.read_bytes())
    assert "Go down" in printed
    session = Session.open(STORM_WEAVERS, seed="s")
    session.perform("create", dexterity_points=2)
    session.perform("begin-adventure", adventure="cellar")
    session.take(Action("go-on"))
    session.answer(ChoiceReading(("to-2",)))
    assert session.state.paragraph == 2


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        ("s.twee", b"", "s.twee: has no passage to begin with; export the story again"),
        ("s.ink", b"\n\n", "s.ink: has no passage to begin with"),
        ("s.twee", b"no passage at all", "s.twee: has no passage to begin with"),
        ("s.ink", bytes(range(256)), "s.ink: is not a UTF-8 text file (byte 128)"),
        ("s.ink", b"a\0b", "s.ink: is no text"),
        ("s.ink", b"a" * 20_001, "s.ink: is no text, or has more than 5,000,000 letters, or 20,000 in a line"),
        (
            "s.twee",
            b":: Start\na\n:: Start\nb",
            "s.twee line 3: 'Start' is here again; it is first in s.twee line 1",
        ),
        ("s.twee", b":: [tag]\na", "s.twee line 1: a passage begins ':: Name [tags]', not ':: [tag]'"),
        ("s.docx", b"a", "s.docx: loom import takes .dd2vtt"),
    ],
)
def test_what_is_no_gamebook_is_one_sentence_and_nothing_is_written(
    tmp_path: Path, at_home: Path, loom: Loom, name: str, raw: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(raw)
    error = loom("import", str(tmp_path / name), code=2).err
    assert said in error
    assert error.count("\n") == 1
    assert not [path for path in at_home.rglob("*") if path.is_file()]
