"""Character sheets: what a second reader finds on them is what the game says, empty, filled in and fillable."""

from __future__ import annotations

import io
import itertools
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.mnemonic.state import Chronicle
from loomtable.engine.spellwoven.levels import LEVELS
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH
from loomtable.engine.storm_weavers.state import Tale
from loomtable.engine.weave.cards.decks import name_of
from loomtable.engine.weave.cards.playset import QualityKind, playset, playset_names
from loomtable.engine.weave.state import Character, ScannedQuality, Season
from loomtable.engine.weave.suits import Suit
from loomtable.engine.woven.state import MANA, Contest
from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.components.journal_pages import story_entries
from loomtable.printkit.components.sheet_journal import lines_a_side
from loomtable.printkit.components.sheet_style import draw_side
from loomtable.printkit.draw.forms import LEAST_BOX, Form
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import GlyphMissing, TextTooLong
from loomtable.printkit.games.weave.sheet import _back, _front, in_words, slots_of
from loomtable.printkit.games.weave.theme import THEME
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.papers import A3, A4, LETTER, Paper
from loomtable.table.commands.main import run
from tests.playing import transcript as played
from tests.print.sheet_reading import HOME, POINT, Field, fields, marked_on_paper, printed, words
from tests.tiers import mostly

PLAYED = {
    "weave": "weave-seventh-level",
    "spellwoven": "spellwoven-outlaws",
    "storm-weavers": "storm-weavers-sluice-yard",
    "mnemonic": "mnemonic-low-field-evening",
    "woven": "woven-duel",
}
SHEETS = [f"{system}-sheet" for system in PLAYED]
JOURNALS = [f"{system}-journal" for system in PLAYED]


def system_of(component: str) -> str:
    return component.rsplit("-", 1)[0]


def held(component: str, transcript: str = "") -> dict[str, Field]:
    found = list(fields(printed(component, transcript or PLAYED[system_of(component)], fillable=True)))
    return {field.name: field for field in found}


def ticked(there: dict[str, Field], begins: str) -> int:
    return sum(field.ticked for name, field in there.items() if name.startswith(begins))


# Fillable


@pytest.mark.parametrize("paper", mostly([A4, LETTER, A3], [LETTER]), ids=lambda paper: paper.name)
@pytest.mark.parametrize("component", [*SHEETS, "mnemonic-journal", "woven-journal"])
def test_fields_are_named_explained_apart_and_on_the_page(component: str, paper: Paper) -> None:
    there = list(fields(printed(component, fillable=True, paper=paper)))
    assert len(there) > 40
    assert len({field.name for field in there}) == len(there)
    area = page_area(paper)
    for field in there:
        assert field.says and field.value in ("", "/Off", "Thymin")
        x1, y1, x2, y2 = (value * POINT for value in field.box)
        assert area.x <= x1 < x2 <= area.right and area.y <= y1 < y2 <= area.top, field.name
        if field.kind == "/Btn":
            assert min(x2 - x1, y2 - y1) >= LEAST_BOX - 0.01, f"{field.name} is no box for a pencil"
    for one, other in itertools.combinations(there, 2):
        assert not one.overlaps(other), f"{one.name} lies over {other.name}"


@pytest.mark.parametrize("component", SHEETS)
def test_the_tabulator_key_goes_from_the_name_onwards_track_by_track(component: str) -> None:
    there = list(fields(printed(component, fillable=True)))
    assert there[0].name == "sheet1.front.name"
    with_numbers = [field.name.rpartition(".") for field in there]
    for (track, _, at), (next_track, _, then) in itertools.pairwise(with_numbers):
        if track == next_track and at.isdigit() and then.isdigit() and not track.endswith(("health", "level")):
            assert int(then) == int(at) + 1
    with pikepdf.open(io.BytesIO(printed(component, fillable=True))) as document:
        listed = [str(field.T) for field in document.Root.AcroForm.Fields]
    assert listed == [field.name for field in there]


@pytest.mark.parametrize("component", [*SHEETS, "mnemonic-journal"])
def test_a_program_that_fills_in_the_form_shows_each_answer_in_its_own_field(component: str) -> None:
    """Each look is the field's own and of its size, so qpdf, which writes into what is there, hits no other."""
    with pikepdf.open(io.BytesIO(printed(component, fillable=True))) as document:
        notes = [note for page in document.pages for note in page.get("/Annots", []) if note.FT == "/Tx"]
        assert len({note.AP.N.objgen for note in notes}) == len(notes) > 30
        for at, note in enumerate(notes):
            x1, y1, x2, y2 = map(float, note.Rect)
            assert [float(v) for v in note.AP.N.BBox] == pytest.approx([0, 0, x2 - x1, y2 - y1], abs=0.01)
            assert b" 0 Tf" in bytes(note.DA), "the size follows from the field and the words"
            note.V = pikepdf.String(f"é{at}")
        places = [(document.pages.index(note.P), [float(v) for v in note.Rect]) for note in notes]
        document.Root.AcroForm.NeedAppearances = True
        document.generate_appearance_streams()
        document.flatten_annotations()
        file = io.BytesIO()
        document.save(file)
    read = pypdfium2.PdfDocument(file)
    for at, (page, (x1, y1, x2, y2)) in enumerate(places):
        assert f"é{at}"[:3] in read[page].get_textpage().get_text_bounded(x1, y1, x2, y2)


@pytest.mark.parametrize("component", SHEETS)
def test_what_is_printed_is_what_is_preset(component: str) -> None:
    there = held(component)
    boxes = [field for field in there.values() if field.kind == "/Btn"]
    on_paper = marked_on_paper(printed(component, PLAYED[system_of(component)]), boxes)
    assert on_paper == {field.name for field in boxes if field.ticked}
    assert on_paper
    said = words(printed(component, PLAYED[system_of(component)]))
    for field in there.values():
        if field.kind == "/Tx" and field.value:
            assert " ".join(field.value.split()) in said, field.name


def test_several_sheets_and_copies_have_fields_of_their_own(tmp_path: Path) -> None:
    session = str(HOME / "templates" / "transcripts" / "woven-duel.yaml")
    command = [
        "print",
        "woven-sheet",
        "--session",
        session,
        "--fillable",
        "--copies",
        "2",
        "--output",
        str(tmp_path),
    ]
    assert run(command) == 0
    [file] = tmp_path.glob("*.pdf")
    there = list(fields(file.read_bytes()))
    assert len({field.name for field in there}) == len(there)
    names = [field.value for field in there if field.name.endswith(("front.name", "front.name (2)"))]
    assert sorted(names) == ["Ada", "Ada", "Ben", "Ben"]


# Filled in: each game's own numbers


@pytest.mark.parametrize("transcript", [PLAYED["weave"], "weave-give-in", "weave-house-rules"])
def test_weave_as_the_season_has_it(transcript: str) -> None:
    season: Season = played(transcript).state
    there = held("weave-sheet", transcript)
    for number, who in enumerate(season.characters.values(), start=1):
        front, back = f"sheet{number}.front", f"sheet{number}.back"
        assert there[f"{front}.name"].value == who.name and there[f"{front}.player"].value == who.player
        assert ticked(there, f"{front}.strike.") == who.strikes
        assert ticked(there, f"{front}.wound.") == who.wounds
        assert ticked(there, f"{front}.level.") == who.level
        kept = there[f"{back}.kept"].value
        assert [name for name in kept.split(", ") if name] == [name_of(card) for card in who.kept]
        for suit in Suit:
            assert ticked(there, f"{front}.dice.{suit}.") == who.dice_bonus(suit)
            assert there[f"{front}.core.{suit}"].ticked is (who.core_suit is suit)
        for kind, side in ((QualityKind.BACKSTORY, front), (QualityKind.FLAW, front), (QualityKind.TALENT, back)):
            names = [q.quality.name for q in who.qualities if q.kind is kind]
            shown = [there[f"{side}.{kind}.{at}.name"].value for at in range(1, slots_of(kind) + 1)]
            assert [name for name in shown if name] == names
        used = [q.quality.name for q in who.qualities if q.quality.name in who.spent]
        assert sum(field.ticked for name, field in there.items() if name.endswith(".used")) == len(used)


@pytest.mark.parametrize("transcript", ["spellwoven-outlaws", "spellwoven-infirmary", "spellwoven-last-stand"])
def test_spellwoven_as_the_adventure_has_it(transcript: str) -> None:
    adventure: Adventure = played(transcript).state
    there = held("spellwoven-sheet", transcript)
    people = [who for who in adventure.characters.values() if who.is_player_character]
    assert people
    for number, who in enumerate(people, start=1):
        front, back = f"sheet{number}.front", f"sheet{number}.back"
        assert there[f"{front}.name"].value == who.name
        for level in LEVELS:
            boxes = [name for name in there if name.startswith(f"{front}.wound.{level}.")]
            assert len(boxes) == who.wound_slots.at(level)
            assert ticked(there, f"{front}.wound.{level}.") == who.wounds.at(level)
            assert ticked(there, f"{front}.soak.{level}.") == who.soak_marked.at(level)
        assert there[f"{front}.effort"].value == str(who.effort)
        assert there[f"{front}.quickness-defence"].value == str(who.quickness_defence)
        shown = {
            n.removeprefix(f"{front}.skill."): f.value for n, f in there.items() if n.startswith(f"{front}.skill.")
        }
        assert {k: v for k, v in shown.items() if v and k in who.ratings} == {
            k: str(v) for k, v in who.ratings.items() if f"{front}.skill.{k}" in there
        }
        weapons = [there[f"{back}.weapon.{at + 1}.name"].value for at in range(len(who.weapons))]
        assert set(weapons) <= {w.name for w in who.weapons} | {f"{w.name}, or" for w in who.weapons}
        assert there[f"{front}.dead"].ticked is who.dead


def test_a_conflict_that_is_on_stands_on_the_sheets() -> None:
    session = played("spellwoven-outlaws")
    while session.state.conflict is None:
        session.undo()
    pieces = list(components()["spellwoven-sheet"].pieces(RenderOptions(fillable=True, session=session)))
    settings = PrintSettings(fillable=True)
    pdf = pages_to_pdf(lay_out(pieces, settings), settings.sheets("Sheets"))
    there = {field.name: field for field in fields(pdf)}
    people = [who for who in session.state.characters.values() if who.is_player_character]
    for number, who in enumerate(people, start=1):
        fighting = session.state.conflict.combatants[who.name]
        assert there[f"sheet{number}.front.initiative"].value == str(fighting.initiative)
        assert there[f"sheet{number}.front.momentum"].value == str(fighting.momentum)
        assert there[f"sheet{number}.front.{fighting.proximity}"].ticked


@pytest.mark.parametrize("transcript", [PLAYED["storm-weavers"], "long-night"])
def test_storm_weavers_as_the_tale_has_it(transcript: str) -> None:
    tale: Tale = played(transcript).state
    there, front = held("storm-weavers-sheet", transcript), "sheet1.front"
    assert tale.thymin is not None
    for attribute in ("speed", "dexterity", "wisdom", "weapon_bonus", "armour_class", "health", "gold"):
        assert there[f"{front}.{attribute}"].value == str(getattr(tale.thymin, attribute))
    assert ticked(there, f"{front}.health.") == MAX_HEALTH - max(tale.thymin.health, 0) > 0
    assert there[f"{front}.health.{MAX_HEALTH}"].ticked, "crossed out from its end"
    items = [field.value for name, field in there.items() if name.startswith(f"{front}.item.")]
    assert tuple(item for item in items if item) == tale.thymin.items
    stops = [field.value for name, field in there.items() if name.startswith("sheet1.back.paragraph.")]
    assert [int(stop) for stop in stops if stop] == list(tale.visited)


def test_the_enemy_of_a_fight_that_is_on_stands_on_the_sheet() -> None:
    enemy = played("goblin").state.fight.enemy
    there = held("storm-weavers-sheet", "goblin")
    assert there["sheet1.front.enemy.1.name"].value == enemy.name
    shown = [there[f"sheet1.front.enemy.1.{short}"].value for short in ("Dex", "WB", "AC", "H")]
    assert shown == [str(n) for n in (enemy.dexterity, enemy.weapon_bonus, enemy.armour_class, enemy.health)]


@pytest.mark.parametrize(
    "transcript", ["mnemonic-low-field-evening", "mnemonic-universal-truth", "mnemonic-learning"]
)
def test_mnemonic_as_the_chronicle_has_it(transcript: str) -> None:
    chronicle: Chronicle = played(transcript).state
    there = held("mnemonic-sheet", transcript)
    for number, who in enumerate(chronicle.characters.values(), start=1):
        front = f"sheet{number}.front"
        assert there[f"{front}.name"].value == who.name
        for suit in {skill.suit for skill in who.skills}:
            skills = [skill for skill in who.skills if skill.suit is suit]
            for at, skill in enumerate(skills, start=1):
                name = f"{front}.{suit}.{at}"
                assert there[f"{name}.name"].value == skill.name
                assert there[f"{name}.rating"].value == str(skill.rating)
                assert there[f"{name}.complicated"].ticked is skill.complicated
                assert there[f"{name}.truth"].ticked is skill.truth
        injured = [n for n, f in there.items() if n.startswith(front) and n.endswith(".injured") and f.ticked]
        assert len(injured) == len(who.injured)


def test_woven_as_the_contest_has_it() -> None:
    contest: Contest = played(PLAYED["woven"]).state
    there = held("woven-sheet")
    for number, mage in enumerate(contest.mages.values(), start=1):
        front = f"sheet{number}.front"
        places = {
            "pool": mage.pool,
            "spent": mage.spent,
            "threads": len(mage.threads),
            "tendrils": sum(mage.tendrils.values()),
            "charges": sum(mage.charges.values()),
        }
        assert sum(places.values()) == MANA
        for place, mana in places.items():
            assert there[f"{front}.{place}"].value == str(mana)
            assert ticked(there, f"{front}.{place}.mana.") == mana
        names = [there[f"{front}.spell.{at}.name"].value for at in range(1, len(mage.spells) + 1)]
        assert names == [spell.name for spell in mage.spells]
        shown = [n for n, f in there.items() if n.startswith(front) and n.endswith(".shown") and f.ticked]
        assert len(shown) == len(mage.shown)


# Journals


@pytest.mark.parametrize("system", ["weave", "spellwoven", "storm-weavers", "woven"])
def test_a_journal_holds_the_whole_story_in_order(system: str) -> None:
    said = words(printed(f"{system}-journal", PLAYED[system]))
    place = 0
    for sentence in played(PLAYED[system]).story():
        # What is broken over two lines is read back with the margin's mark between, so the first words must do.
        start = " ".join(sentence.split()[:5])
        found = said.find(start, place)
        assert found >= 0, sentence
        place = found


def test_marks_in_the_margin_stand_where_rounds_begin() -> None:
    entries = story_entries(played("woven-duel"), lambda contest: str(contest.round))
    begun = [entry for entry in entries if entry.words.startswith("Round ") and entry.mark]
    assert [entry.mark for entry in begun] == sorted({entry.mark for entry in begun}, key=int)
    for entry in begun:
        assert entry.words.startswith(f"Round {entry.mark}: ")


def test_an_empty_journal_has_ruled_lines_to_write_on() -> None:
    lines = [field for field in fields(printed("weave-journal", fillable=True)) if ".line." in field.name]
    assert len(lines) >= 2 * lines_a_side()


# Paper, ink and errors


@pytest.mark.parametrize("component", [*SHEETS, *JOURNALS])
def test_nothing_is_printed_where_printers_cannot_reach(component: str) -> None:
    for paper in (A4, LETTER):
        area = page_area(paper)
        pdf = printed(component, paper=paper, style=Style.GREY)
        for side in (0, 1):
            picture = render_page(pdf, side, 60)
            scale = 60 / 25.4
            edge = round(area.x * scale) - 1
            top = round((paper.height - area.top) * scale) - 1
            assert (picture[:, :edge] > 250).all() and (picture[:, -edge:] > 250).all()
            assert (picture[:top] > 250).all()
            assert (picture[top + 3 : -top] < 200).any()


@pytest.mark.parametrize("name", playset_names())
def test_the_longest_qualities_of_every_playset_fit(name: str) -> None:
    cards = playset(name).cards
    qualities = []
    for kind, count in (
        (QualityKind.BACKSTORY, slots_of(QualityKind.BACKSTORY)),
        (QualityKind.TALENT, slots_of(QualityKind.TALENT)),
        (QualityKind.FLAW, slots_of(QualityKind.FLAW)),
        (QualityKind.ASSET, 4),
        (QualityKind.SIGNATURE_MOVE, slots_of(QualityKind.SIGNATURE_MOVE)),
    ):
        offered = [
            ScannedQuality(kind, ComponentId(Kind.STORY, n), q) for n, card in cards.items() for q in card[kind]
        ]
        qualities += sorted(offered, key=lambda scanned: -len(in_words(scanned)))[:count]
    who = Character("Maximiliana of the Long Salt Road", "Ada", Suit.GALES, tuple(qualities), level=11)
    for paper in (A4, LETTER):
        area = page_area(paper)
        form = Form(Pen(Canvas(""), Style.COLOUR), "Character sheet", "", False, THEME.deep)
        draw_side(form, THEME, "Character sheet", lambda side: _front(side, who), area.width, area.height)
        draw_side(form, THEME, "Character sheet", lambda side: _back(side, who), area.width, area.height)


def test_words_that_do_not_fit_and_glyphs_that_are_missing_name_sheet_and_field() -> None:
    form = Form(Pen(Canvas(""), Style.COLOUR), "Character sheet of Ada")
    with pytest.raises(TextTooLong, match="Character sheet of Ada, Player"):
        form.write("player", "Player", (0, 0, 40, 8), "a very long name indeed " * 5)
    with pytest.raises(GlyphMissing, match=r"Character sheet of Ada, Name.*U\+9B3C"):
        form.write("name", "Name", (0, 0, 40, 8), "\u9b3c")
    with pytest.raises(TextTooLong, match="Character sheet of Ada, Notes"):
        form.paragraph("notes", "Notes", (0, 0, 40, 8), "word " * 400)


# The command line


def test_sheets_of_a_session_are_those_of_its_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = str(HOME / "templates" / "transcripts" / "mnemonic-learning.yaml")
    assert run(["print", "sheets", "--session", session, "--output", str(tmp_path)]) == 0
    assert {file.name.split("-a4")[0] for file in tmp_path.glob("*.pdf")} == {"mnemonic-sheet", "mnemonic-journal"}
    assert run(["print", "sheets", "--system", "chess"]) != 0
    assert "there is no game 'chess'" in capsys.readouterr().err
    assert run(["print", "sheets", "--session", session, "--system", "weave"]) != 0
    assert "Mnemonic" in capsys.readouterr().err
    assert run(["print", "story-cards", "--session", session]) != 0
    assert "none of these belong to mnemonic" in capsys.readouterr().err
    assert run(["print", "sheets", "--fillable", "--profile", "pro"]) != 0
    assert "--fillable" in capsys.readouterr().err
