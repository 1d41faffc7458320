"""The chronicle: an evening told afterwards, with its dice and cards, for each reader what they may know."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chronicle import CardsMark, PassageMark, spoken
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import DiceReading, rolled
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.draw.type import typographic
from loomtable.printkit.sheet.papers import A4, LETTER
from loomtable.table.chronicle.pdf import chronicle_pdf
from loomtable.table.chronicle.telling import (
    MOST_TURNS,
    ParagraphBeat,
    Retelling,
    RollBeat,
    TurnBeat,
    beside_cards,
    chronicle_of,
)
from loomtable.table.commands.main import run
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from loomtable.table.store.packing import pack
from tests.playing import transcript
from tests.print.pdf_ua import broken_rules
from tests.table.asking import Table
from tests.table.reading_pdf import words_of_pdf
from tests.tiers import mostly


@cache
def whole_evening(key: str) -> Session[Any]:
    """The evening of a game that ships, played to its end."""
    return transcript(SYSTEMS[key].presentation.evening)


def throws(told: Retelling) -> Iterator[RollBeat]:
    for chapter in told.chapters:
        yield from (beat for beat in chapter.beats if isinstance(beat, RollBeat))


def words(told: Retelling) -> str:
    """Everything that is said."""
    said = [told.ending]
    for chapter in told.chapters:
        said += [chapter.title, chapter.about]
        for beat in chapter.beats:
            match beat:
                case ParagraphBeat(says=says) | TurnBeat(says=says):
                    said.append(says)
                case PassageMark(says=says, by=by, prompt=prompt):
                    said += [prompt, says, by]
                case RollBeat():
                    said += [beat.says, *beat.decides]
                case CardsMark():
                    said += [card.short for card in beat.cards]
    return " ".join(said)


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_a_whole_evening_is_told_from_its_beginning_to_its_end(key: str) -> None:
    session = whole_evening(key)
    told = chronicle_of(session, "Friday")
    assert told.ending and len(told.chapters) >= 1 and all(chapter.beats for chapter in told.chapters)
    for sentence in re.split(r"(?<=[.!?]) ", words(told)):
        assert not re.search(r"Seed|revision|[a-z]+_[a-z]+|\bNone\b|\{|storyteller's hand", sentence), sentence
    readings = [p.step.what for p in session.played if isinstance(p.step.what, DiceReading)]
    assert told.dice == sum(len(reading.dice) for reading in readings)
    lay = [tuple(die.face for die in reading.dice) for reading in readings]
    for throw in throws(told):
        for cast in throw.casts:
            assert tuple(face for _, face in cast.faces) in lay
    turns = [throw for throw in throws(told) if throw.turning]
    assert len(turns) <= MOST_TURNS and (turns or key == "woven")


def test_a_turning_point_has_the_odds_that_it_had() -> None:
    first = next(throw for throw in throws(chronicle_of(whole_evening("weave"), "Friday")) if throw.turning)
    assert (first.word, first.casts[0].who) == ("epic pass", "Odo")
    faces = [face for _, face in first.casts[0].faces]
    assert faces == ["weave", "stones", "stones", "weave", "weave"] and first.casts[1].again
    assert first.chance is not None and Fraction(1, 10) < first.chance < Fraction(1, 5)
    beaten = [throw.decides for throw in throws(chronicle_of(whole_evening("weave"), "Friday")) if throw.decides]
    assert ("Keeper Dunstane Wray is beaten.",) in beaten


def test_what_was_taken_back_is_not_told() -> None:
    session: Session[Any] = Session.open(SYSTEMS["storm-weavers"], seed="s")
    session.perform("create", dexterity_points=3)
    session.perform("test", attribute="wisdom")
    session.answer(rolled(Die.D6, 6, 6))
    session.undo()
    session.answer(rolled(Die.D6, 1, 1))
    [throw] = throws(chronicle_of(session, "Friday"))
    assert throw.casts[0].faces == ((Die.D6, 1), (Die.D6, 1)) and throw.word == "pass"


def test_players_are_told_what_lay_open_and_no_more() -> None:
    session = whole_evening("weave")
    host, ben = (words(chronicle_of(session, "Friday", viewer)) for viewer in (STORYTELLER, "Ben"))
    for hidden in ("Reflections Out of Step", "Sleeve of Needles"):
        assert hidden in host and hidden not in ben
    assert "Burn Through Fog" in ben and "Grey Gloves is beaten." in ben
    fights = chronicle_of(whole_evening("spellwoven"), "Friday", "Ada")
    for throw in throws(fights):
        foes = {"The Lord Under", "The Cupbearer", "The Horseman", "Dunstan Pry", "Kit Pry"}
        assert not (throw.casts[0].who in foes and throw.odds), "the odds of a foe tell its rating"


def test_a_game_that_only_makes_sentences_has_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    session = whole_evening("storm-weavers")
    telling = session.system.telling
    monkeypatch.setattr(session.system, "telling", lambda *told: spoken(telling(*told)))
    monkeypatch.setattr(session.system, "solo", False)
    told = chronicle_of(session, "Friday")
    assert "Test of Wisdom: 5 against 7, passed." in words(told) and len(list(throws(told))) > 20
    player = words(chronicle_of(session, "Friday", "somebody"))
    assert "Test of Wisdom" in player and "5 against 7" not in player, "a stranger's sentences may tell anything"
    assert b"%PDF" in chronicle_pdf(told)[:8]


def test_cards_stand_beside_what_they_were_played_for() -> None:
    told = chronicle_of(whole_evening("mnemonic"), "Friday")
    scene = next(chapter for chapter in told.chapters if chapter.title == "Maren")
    [(cards, beats)] = [group for group in beside_cards(scene.beats) if group[0]]
    assert cards is not None and [card.short for card in cards.cards] == ["JC"]
    assert [type(beat) for beat in beats] == [PassageMark, RollBeat]


PRINTED = [*((key, A4) for key in sorted(SYSTEMS)), ("storm-weavers", LETTER)]


@pytest.mark.parametrize(("key", "paper"), mostly(product(sorted(SYSTEMS), [A4, LETTER]), PRINTED))
def test_the_file_is_set_whole_and_always_the_same(key: str, paper: Any) -> None:
    told = chronicle_of(whole_evening(key), "An evening")
    made = chronicle_pdf(told, paper)
    assert made == chronicle_pdf(told, paper)
    document = pypdfium2.PdfDocument(made)
    width, height = document[0].get_size()
    assert (round(width / 72 * 25.4), round(height / 72 * 25.4)) == (round(paper.width), round(paper.height))
    assert document.get_metadata_dict()["Title"] == "An evening: a chronicle"
    found = re.sub(
        r" An evening \d+(?= |$)", "", words_of_pdf(made)
    )  # a paragraph may go on over the foot of a page
    for chapter in told.chapters:
        assert chapter.title in found
        for beat in chapter.beats:
            if isinstance(beat, ParagraphBeat | PassageMark | RollBeat | TurnBeat):
                for line in filter(None, beat.says.split("\n")):
                    assert " ".join(typographic(line).split()) in found


def test_nothing_stands_outside_of_the_margins_of_its_page() -> None:
    for key in SYSTEMS:
        document = pypdfium2.PdfDocument(chronicle_pdf(chronicle_of(whole_evening(key), "An evening"), A4))
        for page in list(document)[1:]:
            width, height = page.get_size()
            text = page.get_textpage()
            for at in range(text.count_rects()):
                left, bottom, right, top = text.get_rect(at)
                says = text.get_text_bounded(left, bottom, right, top)
                assert left > 85 and right < width - 85 and bottom > 35 and top < height - 60, says


def test_a_screen_reader_reads_it_with_its_cards_and_dice() -> None:
    made = chronicle_pdf(chronicle_of(whole_evening("weave"), "An evening"))
    assert broken_rules(made) == set()
    with pikepdf.open(io.BytesIO(made)) as pdf:
        pictures = [str(one.Alt) for one in pdf.objects if isinstance(one, pikepdf.Dictionary) and "/Alt" in one]
    assert "The Mirror, The Empty Chair and The Hourglass" in pictures
    assert "Odo: Weave, Stones, Stones, Weave and Weave" in pictures


def test_names_in_any_letters_are_set_and_what_no_font_has_breaks_nothing() -> None:
    told = replace(
        chronicle_of(whole_evening("storm-weavers"), "Śnieżny wieczór & Ελένη <3"),
        people=(("Любовь", ()), ("雪 🎲", ("Żaneta",))),
    )
    found = words_of_pdf(chronicle_pdf(told))
    for name in ("Śnieżny wieczór & Ελένη <3", "Любовь", "Żaneta"):
        assert name in found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with TableHost(open_store(tmp_path / "e.db")) as host:
        host.bring_in(pack("friday", whole_evening("weave").lines()))
        yield Table(host, hurried=True)


def test_it_is_one_press_from_the_table_and_from_the_start(table: Table) -> None:
    host, ben = table.join(Role.HOST), table.join(Role.PLAYER, "Ben")
    html = {"accept": "text/html"}
    for asker, address in ((host, "/"), (host, "/table/friday"), (ben, "/table/friday")):
        assert 'href="/table/friday/chronicle"' in asker.ask("GET", address, headers=html).text
    page = host.ask("GET", "/table/friday/chronicle", headers=html).text
    assert "Reflections Out of Step" in page and 'href="/table/friday/chronicle.pdf"' in page
    assert 'src="/art/card/S12.svg"' in page and "#weave-flames" in page
    file = host.get("/table/friday/chronicle.pdf?paper=letter")
    assert (
        file.headers["content-type"] == "application/pdf" and "friday.pdf" in file.headers["content-disposition"]
    )
    own = ben.ask("GET", "/table/friday/chronicle", headers=html).text
    assert "Reflections Out of Step" not in own
    assert "Reflections Out of Step" not in words_of_pdf(ben.get("/table/friday/chronicle.pdf").body)
    assert table.join(Role.SCREEN).get("/table/friday/chronicle").status == 403
    assert host.get("/table/friday/chronicle.pdf?paper=napkin").status == 400


def test_an_evening_that_has_only_begun_has_a_chronicle_too(table: Table) -> None:
    for key in SYSTEMS:
        table.host.begin(key, f"new {key}")
        host = table.join(Role.HOST)
        assert host.get(f"/table/new%20{key}/chronicle").status == 200
        assert host.get(f"/table/new%20{key}/chronicle.pdf").body.startswith(b"%PDF")


def test_the_command_writes_the_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, made = str(tmp_path / "e.db"), tmp_path / "kept" / "evening.pdf"
    with TableHost(open_store(path)) as host:
        host.bring_in(pack("friday", whole_evening("weave").lines()))
    assert run(["chronicle", "--session", "friday", "--store", path, "--output", str(made)]) == 0
    assert "Reflections Out of Step" in words_of_pdf(made.read_bytes())
    assert run(["chronicle", "--session", "friday", "--store", path, "--output", str(made), "--for", "Ben"]) == 0
    assert "Reflections Out of Step" not in words_of_pdf(made.read_bytes())
    assert capsys.readouterr().out == f"{made}\n" * 2
    hers = ["chronicle", "--session", "friday", "--store", path, "--output", str(made), "--hero", "Marit"]
    assert run(hers) == 0
    assert "How Marit stands now" in words_of_pdf(made.read_bytes())
    capsys.readouterr()
    nobody = ["friday", "--hero", "Zoe"]
    for wrong in (["monday"], ["friday", "--for", "Zoe"], ["friday", "--paper", "napkin"], nobody):
        assert run(["chronicle", *wrong, "--store", path, "--output", str(tmp_path / "no.pdf")]) == 2
    assert "'friday'" in capsys.readouterr().err and not (tmp_path / "no.pdf").exists()
