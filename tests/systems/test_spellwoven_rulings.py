"""Every ruling of Spellwoven, each of its choices: what the text leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction, ReadingMisfit
from loomtable.engine.kernel.play import Play
from loomtable.engine.kernel.readings import DiceReading, rolled
from loomtable.engine.kernel.requests import Choose, EnterNumber, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.attribute_tests import Leaning
from loomtable.engine.spellwoven.levels import Levels
from loomtable.engine.spellwoven.rulings import RULINGS
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.strike import evasion_penalty, quickness_defence
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from loomtable.testing import check_session
from tests.short import as_a, present, raises, refuses
from tests.systems.spellwoven_table import (
    HIT,
    MENACE,
    MISS,
    answer,
    fight,
    one,
    pass_round,
    sheet,
    strike,
    table,
    who,
)

TIGHT = {"shallow": 1, "deep": 1, "grievous": 1, "felling": 1, "mortal": 1}
"""One slot at each level."""


def told(session: Session[Adventure], words: str) -> bool:
    return any(words in sentence for sentence in session.story())


@pytest.mark.parametrize(
    ("choice", "situation", "dice", "successes"),
    [
        ("four-dice", "advantage", [(9, 5, 1, 9)], 3),
        ("four-dice", "disadvantage", [(9, 5, 1, 9)], 1),
        ("one-success", "advantage", [(9, 5, 1)], 4),
        ("one-success", "disadvantage", [(9, 5, 1)], 2),
        ("one-success", "disadvantage", [(9, 9, 9)], 0),
        ("one-die-again", "advantage", [(9, 5, 1), (2,)], 4),
        ("one-die-again", "disadvantage", [(9, 5, 1), (10,)], 1),
        ("one-die-again", "disadvantage", [(9, 5, 5), (1,)], 3),
        ("four-dice", "even", [(9, 5, 1)], 3),
    ],
)
def test_advantage(choice: str, situation: str, dice: list[tuple[int, ...]], successes: int) -> None:
    session = table(advantage=choice)
    session.perform("test", who="Hero", skill="senses", situation=situation)
    answer(session, *dice)
    assert session.pending is None
    word = "no successes" if successes == 0 else f"{successes} success"
    assert told(session, f": {word}")


@pytest.mark.parametrize(("choice", "net"), [("cancel", 0), ("majority", 1)])
def test_advantages_and_disadvantages(choice: str, net: int) -> None:
    assert Leaning(("a", "b"), ("c",)).net(choice) == net
    assert Leaning(("a", "b"), ()).net(choice) == 1
    assert Leaning((), ("c", "d")).net(choice) == -1
    assert Leaning().net(choice) == 0


@pytest.mark.parametrize(("choice", "first"), [("after-the-roll", Roll), ("declared-before", EnterNumber)])
def test_effort_after_the_roll_or_before(choice: str, first: type) -> None:
    session = table(hero={"effort": 2}, effort_after_roll=choice)
    session.perform("test", who="Hero", skill="senses", difficulty=2)
    assert isinstance(session.pending, first)
    answer(session, *([MISS, 2] if first is Roll else [2, MISS]))
    assert session.pending is None
    assert who(session, "Hero").effort == 0
    assert told(session, "2 successes, 2 needed; passed")


@pytest.mark.parametrize(("choice", "asked"), [("allowed", True), ("forbidden", False)])
def test_effort_on_initiative(choice: str, asked: bool) -> None:
    session = table(hero={"effort": 2}, effort_on_initiative=choice)
    session.perform("begin-conflict", combatants={"Hero": "nearby", "Foe": "nearby"})
    answer(session, MISS)
    assert isinstance(session.pending, EnterNumber) is asked
    if asked:
        answer(session, 2)
        assert told(session, "Hero acts on 7.")


@pytest.mark.parametrize("choice", ["prowess", "refused"])
def test_an_npc_without_the_skill(choice: str) -> None:
    session = table(npc_without_the_skill=choice)
    if choice == "refused":
        refuses(session.perform, "Foe has no rating in 'lore'", "test", who="Foe", skill="lore")
    else:
        session.perform("test", who="Foe", skill="lore")
        answer(session, (5, 9, 9))
        assert told(session, "5-9-9 against Lore 5: 1 success")
    refuses(session.perform, "Hero has no rating in 'lore'", "test", who="Hero", skill="lore")


@pytest.mark.parametrize(("choice", "on_hit", "on_miss"), [("unchanged", 0, 0), ("defender-too", -1, 1)])
def test_initiative_on_defence(choice: str, on_hit: int, on_miss: int) -> None:
    session = fight(table(initiative_on_defence=choice), "Hero")
    strike(session, "Hero", "Foe", MENACE[0])
    assert (one(session, "Hero").momentum, one(session, "Foe").momentum) == (1, on_hit)
    pass_round(session)
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    answer(session, MISS)
    assert (one(session, "Hero").momentum, one(session, "Foe").momentum) == (-1, on_miss)


@pytest.mark.parametrize(("choice", "momentum"), [("no", 0), ("yes", 1)])
def test_free_attack_momentum(choice: str, momentum: int) -> None:
    session = fight(table(free_attack_momentum=choice, attack_of_opportunity="on"), "Hero")
    session.perform("opportunity-attack", who="Foe", target="Hero", weapon="mace")
    answer(session, HIT, MENACE[1])
    assert one(session, "Foe").momentum == momentum
    assert not one(session, "Foe").acted
    assert who(session, "Hero").wounds.shallow == 1


@pytest.mark.parametrize("choice", ["costs-the-action", "free-into-engaged"])
def test_move_and_attack(choice: str) -> None:
    session = fight(table(move_and_attack=choice), "Hero", Hero="nearby", Foe="nearby")
    if choice == "costs-the-action":
        with pytest.raises(IllegalAction, match=r"the Mace is used hand-to-hand, and Hero is Nearby"):
            session.perform("attack", who="Hero", target="Foe", weapon="mace")
        session.perform("move", who="Hero", to="engaged", towards="Foe")
        assert one(session, "Hero").acted
    else:
        session.perform("attack", who="Hero", target="Foe", weapon="mace")
        answer(session, MISS)
    assert (one(session, "Hero").proximity, one(session, "Foe").proximity) == ("engaged", "engaged")


def test_nobody_attacks_hand_to_hand_from_distant_either_way() -> None:
    session = fight(table(move_and_attack="free-into-engaged"), "Hero", Hero="distant")
    refuses(session.perform, "Hero is Distant", "attack", who="Hero", target="Foe", weapon="mace")


@pytest.mark.parametrize("choice", ["allowed", "forbidden"])
def test_shooting_while_engaged(choice: str) -> None:
    session = fight(table(shooting_while_engaged=choice), "Hero")
    if choice == "forbidden":
        with pytest.raises(IllegalAction, match="Hero is Engaged, and the Hunting bow is no weapon for that"):
            session.perform("attack", who="Hero", target="Foe", weapon="hunting-bow")
    else:
        session.perform("attack", who="Hero", target="Foe", weapon="hunting-bow")
        assert session.pending is not None


@pytest.mark.parametrize(("choice", "dead"), [("kills", True), ("incapacitates", False)])
def test_mortal_overflow(choice: str, dead: bool) -> None:
    slots = {"shallow": 1, "deep": 1, "grievous": 1}
    session = fight(table(foe={"wound_slots": slots}, mortal_overflow=choice), "Hero")
    strike(session, "Hero", "Foe", MENACE[4])
    foe = who(session, "Foe")
    assert (foe.dead, foe.incapacitated, foe.wounds.total) == (dead, not dead, 0)
    assert told(session, "Foe has no slot left for a Felling wound.")


@pytest.mark.parametrize(("choice", "up"), [("no-felling-left", False), ("any-first-aid", True)])
def test_felling_tended(choice: str, up: bool) -> None:
    session = fight(
        table(
            hero={"wound_slots": {**TIGHT, "felling": 2}},
            felling_tended=choice,
            rest_after_first_aid="by-the-table",
        ),
        "Foe",
    )
    strike(session, "Foe", "Hero", MENACE[4])
    pass_round(session)
    strike(session, "Foe", "Hero", MENACE[4])
    session.perform("end-conflict")
    session.perform("first-aid", who="Foe", patient="Hero")
    answer(session, (5, 9, 9))
    assert who(session, "Hero").wounds.felling == 1
    assert who(session, "Hero").incapacitated is not up
    fight(session, "Foe")
    strike(session, "Foe", "Hero", MENACE[4])
    assert who(session, "Hero").wounds.felling == 2
    assert who(session, "Hero").incapacitated  # a new Felling wound has not been tended
    assert not who(session, "Hero").collapsed


@pytest.mark.parametrize(("choice", "marked"), [("stays-marked", 1), ("clears", 0)])
def test_soak_after_the_conflict(choice: str, marked: int) -> None:
    session = fight(table(foe={"soak": {"deep": 1}}, soak_after_the_conflict=choice), "Hero")
    strike(session, "Hero", "Foe", MENACE[2])
    assert who(session, "Foe").soak_marked.deep == 1
    session.perform("end-conflict", outcome="a truce")
    assert who(session, "Foe").soak_marked.deep == marked


MANY = ["heavy-fur-cloak", "scale-tunic", "quilted-tunic", "leather-jerkin", "leather-cap"]
"""Thirteen slots worn, seven of them on the sheet."""


@pytest.mark.parametrize(
    ("slots", "encumbrance", "counted", "both", "penalty"),
    [
        ("on-the-sheet", "off", "as-worn", "replaces", 1),
        ("as-worn", "off", "on-the-sheet", "replaces", 2),
        ("as-worn", "on", "as-worn", "replaces", 2),
        ("as-worn", "on", "on-the-sheet", "replaces", 1),
        ("on-the-sheet", "on", "on-the-sheet", "replaces", 1),
        ("on-the-sheet", "on", "as-worn", "replaces", 2),
        ("on-the-sheet", "on", "on-the-sheet", "adds", 2),
        ("on-the-sheet", "on", "as-worn", "adds", 3),
        ("as-worn", "on", "as-worn", "adds", 4),
    ],
)
def test_evasion_slots_and_encumbrance(
    slots: str, encumbrance: str, counted: str, both: str, penalty: int
) -> None:
    session = fight(
        table(
            foe={"armour": MANY, "quickness_defence": 3},
            evasion_slots=slots,
            encumbrance=encumbrance,
            encumbrance_slots=counted,
            evasion_and_encumbrance=both,
        ),
        "Hero",
    )
    assert evasion_penalty(Play(session.game, "s"), "Foe") == penalty
    assert quickness_defence(Play(session.game, "s"), "Foe") == max(0, 3 - penalty)


@pytest.mark.parametrize("encumbrance", ["off", "on"])
def test_six_slots_are_one_by_either_rule_and_five_only_by_one(encumbrance: str) -> None:
    penalties = []
    for soak in ({"shallow": 3, "deep": 2}, {"shallow": 3, "deep": 3}):
        session = table(foe={"soak": soak}, encumbrance=encumbrance)
        penalties.append(evasion_penalty(Play(session.game, "s"), "Foe"))
    assert penalties == ([1, 1] if encumbrance == "off" else [0, 1])


@pytest.mark.parametrize(
    ("choice", "to_hit", "menace", "soaked"),
    [
        ("rule-text", (4, 4, 4), (2, 3, 10), False),
        ("rule-text", (1, 1, 9), (9, 9, 9), None),
        ("rule-text", (1, 4, 9), (4, 4, 4), False),
        ("rule-text", (1, 4, 9), (2, 3, 10), True),
        ("as-in-the-example", (4, 4, 4), (2, 3, 10), True),
        ("as-in-the-example", (1, 4, 9), (4, 4, 4), False),
    ],
)
def test_triplets(choice: str, to_hit: tuple[int, ...], menace: tuple[int, ...], soaked: bool | None) -> None:
    soak = {"deep": 3, "grievous": 3}
    session = fight(table(foe={"soak": soak, "shield": "small"}, triplet_vs_worked_example=choice), "Hero")
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    answer(session, to_hit, menace)
    if soaked:
        answer(session, "let-through")
    assert session.pending is None
    foe = who(session, "Foe")
    assert (foe.soak_marked.total, foe.wounds.total) == {True: (1, 0), False: (0, 1), None: (0, 0)}[soaked]


@pytest.mark.parametrize(
    ("choice", "wounds"), [("stays", Levels(1, 1, 0, 0, 0)), ("flows-down", Levels(1, 0, 0, 0, 0))]
)
def test_first_aid_overflow(choice: str, wounds: Levels) -> None:
    session = fight(table(hero={"wound_slots": TIGHT}, first_aid_overflow=choice), "Foe")
    strike(session, "Foe", "Hero", MENACE[1])
    pass_round(session)
    strike(session, "Foe", "Hero", MENACE[2])
    session.perform("end-conflict", outcome="dusk")
    session.perform("first-aid", who="Foe", patient="Hero")
    answer(session, (5, 9, 9), ["deep-1"])
    assert who(session, "Hero").wounds == wounds


@pytest.mark.parametrize(
    ("choice", "wounds"), [("stays", Levels(1, 1, 0, 0, 0)), ("flows-down", Levels(1, 0, 0, 0, 0))]
)
def test_recuperation_when_the_lower_slot_is_full(choice: str, wounds: Levels) -> None:
    # Two Deep wounds can slide to one Shallow slot only.
    slots = {**TIGHT, "deep": 2}
    session = fight(table(hero={"wound_slots": slots}, recuperation_when_lower_slot_full=choice), "Foe")
    for _ in range(2):
        strike(session, "Foe", "Hero", MENACE[2])
        pass_round(session)
    session.perform("end-conflict", outcome="dusk")
    session.perform("recuperate", who={"Hero": "bed-rest"}, days=3)
    assert who(session, "Hero").wounds == wounds


@pytest.mark.parametrize("choice", ["enforced", "by-the-table"])
def test_rest_after_first_aid(choice: str) -> None:
    session = fight(table(rest_after_first_aid=choice), "Foe")
    strike(session, "Foe", "Hero", MENACE[2])
    session.perform("end-conflict", outcome="dusk")
    session.perform("first-aid", who="Foe", patient="Hero")
    answer(session, (5, 9, 9))
    if choice == "enforced":
        with pytest.raises(IllegalAction, match="Hero has to rest after first aid, until hour 1"):
            session.perform("test", who="Hero", skill="senses")
        session.perform("pass-time", hours=1)
    session.perform("test", who="Hero", skill="senses")


@pytest.mark.parametrize(("choice", "healed"), [("starts-anew", False), ("adds-up", True)])
def test_mixed_recuperation(choice: str, healed: bool) -> None:
    session = fight(table(mixed_recuperation=choice), "Foe")
    strike(session, "Foe", "Hero", MENACE[1])
    session.perform("end-conflict", outcome="dusk")
    session.perform("recuperate", who={"Hero": "bed-rest"}, days=2)
    session.perform("recuperate", who={"Hero": "light"}, days=2)
    assert (who(session, "Hero").wounds.total == 0) is healed


@pytest.mark.parametrize("choice", ["from-anywhere", "from-distant"])
def test_fleeing(choice: str) -> None:
    session = fight(table(fleeing=choice), "Hero", Foe="distant")
    if choice == "from-distant":
        refuses(session.perform, "Hero has to be Distant to flee, and is Engaged", "flee", who="Hero")
        session.perform("act", who="Hero", doing="waits")
    else:
        session.perform("flee", who="Hero")
        assert one(session, "Hero").left == "fled"
    session.perform("flee", who="Foe")
    assert one(session, "Foe").left == "fled"


@pytest.mark.parametrize(
    ("choice", "outcome"), [("nobody", "nobody wins"), ("opposer", "Foe wins"), ("roll-again", "")]
)
def test_opposed_tie(choice: str, outcome: str) -> None:
    session = table(opposed_tie=choice)
    session.perform("opposed-test", who="Hero", skill="senses", opposer="Foe", opposing_skill="guile")
    answer(session, (5, 9, 9), (4, 9, 9))
    if choice == "roll-again":
        answer(session, (5, 9, 9), MISS)
        outcome = "Hero wins"
    assert session.pending is None
    assert session.story()[-1] == f"Hero against Foe: {outcome}."


@pytest.mark.parametrize(
    ("way", "chosen", "prompts"),
    [
        ("one-by-one", [], 12),
        ("together", [], 6),
        ("together", ["Hero", "Ben's"], 7),
        ("all-at-once", [], 3),
        ("all-at-once", ["1 Hero", "2 Hero", "1 Ben's"], 3),
    ],
)
def test_a_conflict_of_eight_begins_with_few_questions(way: str, chosen: list[str], prompts: int) -> None:
    session = table({"effort": 2}, initiative_rolls=way)
    for name in ("Ada", "Ben", "Cyd"):
        session.perform("add-player-character", player=name, sheet=sheet(f"{name}'s", effort=1))
    for name in ("Wolf", "Bear", "Crow"):
        session.perform("add-npc", sheet=sheet(name))
    session.perform("begin-conflict", combatants=dict.fromkeys(session.state.characters, "nearby"))
    asked, dice = [], iter(range(1, 99))
    while session.pending is not None:
        asked.append(session.pending)
        match session.pending:
            case Roll(count=count):
                session.answer(rolled(Die.D10, *(1 + next(dice) * 7 % 10 for _ in range(count))))
            case EnterNumber():
                answer(session, 0 if way == "one-by-one" else 2)
            case _:
                answer(session, chosen)
    ties = [one for one in asked if one.purpose.startswith("Tie of")]
    assert len(asked) - len(ties) == prompts and (way == "one-by-one" or not ties)
    if way != "one-by-one":
        *heroes, foes = [one for one in asked if isinstance(one, Roll) and one.count > 3]
        assert [one.whose for one in heroes] == (
            [] if way == "together" else [("Hero", "Ada's", "Ben's", "Cyd's")]
        )
        assert foes.purpose == "Initiative of Foe, Wolf, Bear, Crow" and foes.count == 12
        efforts = {name: one.effort for name, one in session.state.characters.items()}
        assert (efforts["Hero"], efforts["Ada's"], efforts["Ben's"]) == ((0, 1, 0) if chosen else (2, 1, 1))
    places = [(-one.initiative, one.tie) for one in present(session.state.conflict).combatants.values()]
    assert len(set(places)) == len(places), "no tie is left"
    assert Session.resume(SYSTEMS, session.journal).state == session.state, "the journal tells the same again"


def test_initiative_at_once_counts_each_foe_by_its_own_three_dice() -> None:
    session = table(initiative_rolls="together")
    session.perform("add-npc", sheet=sheet("Wolf"))
    session.perform("begin-conflict", combatants={"Hero": "nearby", "Foe": "nearby", "Wolf": "distant"})
    answer(session, (1, 5, 9), (9, 9, 9, 1, 1, 1))
    combatants = present(session.state.conflict).combatants
    assert {name: one.initiative for name, one in combatants.items()} == {"Hero": 8, "Foe": 5, "Wolf": 11}
    assert session.pending is None, "nobody has Effort to spend"


def test_heroes_roll_together_or_each_for_themselves() -> None:
    session = table({"effort": 2}, initiative_rolls="all-at-once")
    for name in ("Ada", "Ben"):
        session.perform("add-player-character", player=name, sheet=sheet(f"{name}'s", effort=1))
    session.perform("begin-conflict", combatants=dict.fromkeys(session.state.characters, "nearby"))
    answer(session, MISS)  # the foe, alone
    hers = DiceReading(rolled(Die.D10, 1, 1, 1).dice, ("Ada's",))
    session.answer(hers)
    assert as_a(Roll, session.pending).whose == ("Hero", "Ben's"), "hers are rolled"
    raises(ReadingMisfit, "Ada's has rolled already, or does not roll here", session.answer, hers)
    raises(ReadingMisfit, "three dice, six expected", session.answer, rolled(Die.D10, 1, 1, 1))
    assert Session.resume(SYSTEMS, session.journal).pending == session.pending, "a table that stops keeps them"
    session.answer(rolled(Die.D10, 9, 9, 9, 1, 9, 9))
    combatants = present(session.state.conflict).combatants
    rating = combatants["Ada's"].initiative - 6
    assert combatants["Ben's"].initiative == 2 + rating
    check_session(session)
    session.undo()
    assert as_a(Roll, session.pending).whose == ("Hero", "Ben's")


def test_effort_for_initiative_is_one_question_with_the_place_that_each_amount_gives() -> None:
    session = table({"effort": 2}, initiative_rolls="all-at-once")
    session.perform("begin-conflict", combatants={"Hero": "nearby", "Foe": "nearby"})
    answer(session, MISS, MISS)
    asked = as_a(Choose, session.pending)
    now = present(session.state.conflict).combatants["Hero"].initiative
    assert [one.label for one in asked.options] == ["Hero spends 1", "Hero spends 2"]
    assert [one.says for one in asked.options] == [f"Acts on {now + 1}.", f"Acts on {now + 2}."]
    answer(session, ["1 Hero", "2 Hero"])
    assert present(session.state.conflict).combatants["Hero"].initiative == now + 2, "the most counts"
    assert session.state.characters["Hero"].effort == 0


def test_a_new_table_rolls_all_at_once_and_an_old_journal_as_it_always_did(tmp_path: Path) -> None:
    assert RULINGS.usual() == {"initiative-rolls": "all-at-once"}
    with TableHost(open_store(tmp_path / "sessions.db")) as host:
        begun = host.begin("spellwoven", "new").session
        assert begun.game.rulings["initiative-rolls"] == "all-at-once"
    journal = table().journal
    assert Session.resume(SYSTEMS, journal).game.rulings["initiative-rolls"] == "one-by-one"


def test_every_ruling_is_tried_in_these_tests() -> None:
    names = ("rulings", "options", "together", "advancing")
    files = [Path(__file__).with_name(f"test_spellwoven_{name}.py") for name in names]
    text = "\n".join(f.read_text("utf-8") for f in files)
    one_choice = [r.id for r in RULINGS.values() if len(r.choices) == 1]
    assert one_choice == ["generalised-resolution"]  # named by the book, not given, and so not played
    by_themselves = {*one_choice, "advantages-and-disadvantages"}
    assert not [r for r in RULINGS if f"{r.replace('-', '_')}=" not in text and r not in by_themselves]
