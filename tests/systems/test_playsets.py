"""Playsets: the shipped ones hold together, and a mistake in a home-made one is named with its line."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.weave.cards.decks import story_deck
from loomtable.engine.weave.cards.mechanics import MechanicType
from loomtable.engine.weave.cards.playset import (
    CREATION,
    QualityKind,
    parse_playset,
    playset,
    playset_head,
    playset_names,
)
from loomtable.engine.weave.suits import Suit
from tests.short import present, raises

SHIPPED = playset_names()


@pytest.mark.parametrize("name", SHIPPED)
def test_it_offers_a_choice_of_every_kind_on_every_card(name: str) -> None:
    for card in story_deck():
        for kind in QualityKind:
            least = 3 if kind in (QualityKind.BACKSTORY, QualityKind.TALENT) else 2
            assert len(playset(name).options(card.number, kind)) >= least, f"{card.name} lacks options of {kind}"


@pytest.mark.parametrize("name", SHIPPED)
def test_no_name_stands_twice_and_the_suits_are_even(name: str) -> None:
    offers = playset(name).cards.values()
    for kind in QualityKind:
        names = [q.name for offer in offers for q in offer[kind]]
        assert len(set(names)) == len(names)
    suits = [q.suit for offer in offers for q in offer[QualityKind.BACKSTORY]]
    counts = [suits.count(s) for s in Suit]
    assert max(counts) - min(counts) <= 1
    types = {q.mechanic.type for offer in offers for q in offer[QualityKind.TALENT] if q.mechanic}
    assert types == set(MechanicType)


WHOLE = package_file("templates", "weave", "playsets", "the-salt-road.yaml").read_text("utf-8")
QUALITY = "{name: a, text: b, mechanic: {type: passive, says: c}}"
PLAIN = ", ".join(
    [
        *(f"{k}: [{{name: a, text: b}}]" for k in ("theme", "location", "subplot")),
        *(f"{k}: [{QUALITY}]" for k in ("talent", "flaw", "asset", "signature-move")),
        *(f"{k}: [{{name: a, text: b, dice: {{gales: 1}}}}]" for k in ("boss", "npc", "enemy")),
        "backstory: [{name: a, text: b, suit: gales}]",
    ]
)
# The shipped first card, and plain ones after it: as much as a mistake needs, and quick to read.
TEXT = (
    WHOLE[: WHOLE.index("\n  2:")]
    + f"\n  2: &plain {{{PLAIN}}}\n"
    + "".join(f"  {n}: *plain\n" for n in range(3, 23))
)


def test_what_the_mistakes_are_made_in_is_right_itself() -> None:
    assert set(parse_playset(TEXT, "p.yaml").cards) == {card.number for card in story_deck()}


def damaged(old: str, new: str) -> tuple[str, int]:
    """The shipped playset with one mistake in it, and the line of the mistake."""
    assert old in TEXT
    return TEXT.replace(old, new, 1), TEXT[: TEXT.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("suit: gales", "suit: storms", "'storms' is not one of "),
        ("type: standard", "type: passive", "is passive and can have no Trigger"),
        ("symbols: 2", "symbols: 4", "has a Trigger of 4 symbols; it must be 2 or 3"),
        ("    theme:", "    teme:", "'teme' is no kind of quality"),
        ("mood: >-", "moood: >-", "there is no field `moood`"),
        ("    signature-move:", "    signature:", "'signature' is no kind of quality"),
        ("        dice: {gales: 1, brooks: 1}", "        dice: {}", "needs dice, a bonus for at least one suit"),
        ("dice: {gales: 2, flames: 1}", "dice: {gales: 9}", "has a dice bonus that is not from 1 to 5"),
        ("        track: 4", "        track: 14", "has a track; one of 1 to 10 Strikes"),
        ("{do: clear-strikes, amount: 10, to: self}", "{do: cure, amount: 10}", "'cure' is not one of "),
        ("{do: clear-strikes, amount: 10, to: self}", "{do: clear-strikes, amount: 11}", "it must be 1 to 10"),
        (
            "{do: clear-strikes, amount: 10, to: self}",
            "{do: clear-strikes, suit: gales}",
            "with a suit or Challenges",
        ),
        (
            "{do: clear-strikes, amount: 10, to: self}",
            "{do: hold, within: short}",
            "for somebody who is not chosen",
        ),
        ("            symbols: 2\n", "            symbols: 2\n            dice: 3\n", "there is no field `dice`"),
        ("  - name: Captain Wen Barley", "  - name: ''", "'' needs a name of at most 30 characters"),
        ("people:\n", "people:\n" + "  - {name: a, text: b}\n" * 9, "at most 8 fit the sheet"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, words: str) -> None:
    text, line = damaged(old, new)
    with pytest.raises(ContentInvalid) as refused:
        parse_playset(text, "the-salt-road.yaml")
    assert words in str(refused.value)
    named = int(str(refused.value).split(" line ")[1].split(":")[0])
    # A field is named by its own line, a mechanic by the line in which its quality begins.
    assert -1 <= line - named <= 14, f"line {named} is named, the mistake is in {line}"


@pytest.mark.parametrize("name", SHIPPED)
def test_some_bosses_have_a_sheet_of_their_own(name: str) -> None:
    bosses = [boss for offer in playset(name).cards.values() for boss in offer[QualityKind.BOSS] if boss.sheet]
    assert len(bosses) >= 4
    for boss in bosses:
        assert set(CREATION[:3]) <= boss.sheet.keys() <= set(CREATION), f"{boss.name} lacks something"
        assert boss.dice, boss.name


BOSS = "boss: [{name: a, text: b, dice: {gales: 1}}]"
FLAW = "{name: c, text: d, mechanic: {type: passive, says: e}}"
PLAIN_ONE = "{name: c, text: d}"
A_BOSS = "boss: [{{name: a, text: b, dice: {{gales: 1}}, sheet: {}}}]"


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        (
            f"{{signature-move: [{QUALITY}]}}",
            "'a' has a Signature Move on its sheet; a sheet holds Backstory, Talent",
        ),
        (f"{{talent: [{PLAIN_ONE}]}}", "'a' has on its sheet 'c', which needs a mechanic"),
        ("{backstory: [{name: c, text: d}]}", "'a' has on its sheet 'c', which needs a suit"),
        (f"{{flaw: [{FLAW}, {FLAW}]}}", "'a' has the same Flaw twice on its sheet"),
        ("{flaw: []}", "'a' has 0 of flaw on its sheet; 1 to 5 are possible"),
        (
            "{flaw: [{name: c, text: d, sheet: {flaw: [" + FLAW + "]}}]}",
            "'c', which has a sheet, but a Flaw has none",
        ),
        ("{habit: [" + FLAW + "]}", "'habit' is not one of "),
    ],
)
def test_a_mistake_on_a_boss_sheet_is_named(sheet: str, words: str) -> None:
    assert BOSS in TEXT
    with pytest.raises(ContentInvalid, match=r"p.yaml line \d+: ") as refused:
        parse_playset(TEXT.replace(BOSS, A_BOSS.format(sheet), 1), "p.yaml")
    assert words in str(refused.value)


def test_a_missing_card_a_long_text_and_a_lucky_quality_without_trigger() -> None:
    cut = TEXT[: TEXT.index("\n  22:")] + "\n"
    raises(ContentInvalid, "Story card 22 is missing", parse_playset, cut, "p.yaml")
    long = TEXT.replace("text: >-", "text: >-\n          " + "salt " * 60, 1)
    raises(ContentInvalid, r"p.yaml line \d+: .* at most 280 are allowed", parse_playset, long, "p.yaml")


def test_an_unknown_playset_lists_those_there_are() -> None:
    raises(ContentInvalid, r"there is no playset 'pepper'; installed: .*the-salt-road", playset, "pepper")


@pytest.mark.parametrize("name", SHIPPED)
def test_those_whom_the_storyteller_plays_come_with_dice_and_enemies_with_a_track(name: str) -> None:
    for offer in playset(name).cards.values():
        for enemy in offer[QualityKind.ENEMY]:
            assert 2 <= sum(enemy.dice.values()) <= 5
            assert 4 <= present(enemy.track) <= 8
        for npc in offer[QualityKind.NPC]:
            assert 1 <= sum(npc.dice.values()) <= 4
        for move in offer[QualityKind.SIGNATURE_MOVE]:
            assert move.mechanic is not None
            assert move.mechanic.type is not MechanicType.PASSIVE
            assert move.mechanic.trigger is not None


@pytest.mark.parametrize("name", SHIPPED)
def test_words_that_name_a_limit_or_an_attack_have_it_as_data(name: str) -> None:
    for offer in playset(name).cards.values():
        for quality in (*offer[QualityKind.TALENT], *offer[QualityKind.ASSET]):
            mechanic = quality.mechanic
            assert mechanic is not None
            if mechanic.type is MechanicType.PASSIVE:
                continue
            for span in ("encounter", "scene", "episode"):
                assert (mechanic.once == span) == mechanic.says.startswith(f"Once per {span}"), quality.name
            attacks = any(f"ttack at {band}" in mechanic.says for band in ("Melee", "Short", "Long"))
            in_sun = "attack at" in mechanic.says
            assert bool(mechanic.reach) == (attacks or in_sun), quality.name


def test_a_group_that_plays_two_playsets_meets_no_name_twice() -> None:
    offered: dict[str, str] = {}
    for name in SHIPPED:
        for offer in playset(name).cards.values():
            for quality in (one for kind in QualityKind for one in offer[kind]):
                assert offered.setdefault(quality.name, name) == name, quality.name


@pytest.mark.parametrize("name", playset_names())
def test_what_is_told_before_a_playset_is_chosen_is_what_it_says(name: str) -> None:
    head, whole = playset_head(name), playset(name)
    assert (head.title, head.mood, head.content_notes.strip()) == (whole.title, whole.mood, whole.content_notes)
    raises(ContentInvalid, "there is no playset 'nowhere'; installed: the-", playset_head, "nowhere")
