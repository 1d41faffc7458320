"""Mnemonic at the edges of its rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Game, Play
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, Reading, TextReading, rolled
from loomtable.engine.mnemonic.almanac import band_of
from loomtable.engine.mnemonic.events.scenes import GroupSceneBegun
from loomtable.engine.mnemonic.game_face import choosing_first, decided, dice_left, winner_of
from loomtable.engine.mnemonic.group import group_scene, outcome_of
from loomtable.engine.mnemonic.hands import dealt_round, has_card
from loomtable.engine.mnemonic.modes import end_when_cards_are_gone
from loomtable.engine.mnemonic.people import mark_truth
from loomtable.engine.mnemonic.rituals import gather
from loomtable.engine.mnemonic.scenes import next_round, scene
from loomtable.engine.mnemonic.state import Chronicle, GameFace, Hand, Skill
from loomtable.engine.mnemonic.uses import can_improve, is_clean, learn_skill, teaches, use_skill
from loomtable.engine.mnemonic.weaving import injure, offer_weaving
from tests.short import as_a, present
from tests.systems.edges import Edge, each, edge, holds, played
from tests.systems.mnemonic_table import Table

HEARTS, CLUBS = CardSuit.HEARTS, CardSuit.CLUBS
PAIR = ("Ilse", "Odo")


@cache
def begun(mode: str) -> Game[Chronicle]:
    return Table(mode).session.game


def game(mode: str = "deck-burner", skill: Any = None, rulings: Any = None, **ilse: Any) -> Game[Chronicle]:
    """Ilse (Climb 2 in Hearts) and Odo in a play mode, with other values of hers and of Climb."""
    start = begun(mode)
    state = start.state.with_character("Ilse", **ilse).with_skill("Ilse", "Climb", **(skill or {}))
    return Game(state, {**start.rulings, **(rulings or {})})


def named(rulings: dict[str, str]) -> dict[str, str]:
    return {ruling.replace("_", "-"): choice for ruling, choice in rulings.items()}


def cards(left: dict[str, int] | None, deck: int, mode: str, **rulings: str) -> Game[Chronicle]:
    """So many cards in the hands and in the deck."""
    start = game(mode, rulings=named(rulings))
    old = present(start.state.cards)
    hands = {who: Hand(count) for who, count in left.items()} if left else old.hands
    some = replace(old, hands=hands, deck=replace(old.deck, pile=old.deck.pile[:deck]))
    return replace(start, state=replace(start.state, cards=some))


def grows(rating: int, truth: bool = False, cap: str = "no-bound") -> bool:
    """Whether a rating may rise."""
    return can_improve(
        Play(game(rulings={"rating-above-6": cap}), "s"), Skill("Climb", HEARTS, rating, truth=truth)
    )


def used(*faces: int, gift: int = 0, **skill: Any) -> tuple[bool, int, int]:
    """Whether Climb has become complicated, its rating, and the dice of others that are left."""
    start = game(gift=gift, skill=skill)
    complicated, state = played(start, lambda p: use_skill(p, "Ilse", "Climb"), rolled(Die.D6, *faces))
    return complicated, state.characters["Ilse"].skill("Climb").rating, state.characters["Ilse"].gift


def learned(face: int) -> tuple[int, bool, bool]:
    """The rating, whether it is complicated, and whether its suit is injured."""
    answers = TextReading("Barter"), rolled(Die.D6, face)
    skill, state = played(game(), lambda p: learn_skill(p, "Ilse", CLUBS), *answers)
    return skill.rating, skill.complicated, CLUBS in state.characters["Ilse"].injured


def woven(face: int, injured: tuple[CardSuit, ...] = ()) -> tuple[bool, tuple[CardSuit, ...]]:
    """Whether Climb is still complicated once Odo has woven, and the injured suits."""
    start = game(skill={"complicated": True}, injured=injured)
    answers = ChoiceReading(("remove-complication",)), ChoiceReading(("salt",)), rolled(Die.D6, face)
    state = played(start, lambda p: offer_weaving(p, "Ilse", "Climb", complicated=True), *answers)[1]
    return state.characters["Ilse"].skill("Climb").complicated, state.characters["Ilse"].injured


def called(face: int) -> tuple[bool, bool]:
    """Whether a universal truth left Climb complicated and Hearts injured."""
    start = game(skill={"complicated": True}, rulings={"universal-truth": "on"})
    start = replace(start, state=start.state.with_skill("Odo", "Lamp", rating=6, truth=True))
    answers = ChoiceReading(("ask-for-odo.lamp",)), rolled(Die.D6, face)
    after = played(start, lambda p: offer_weaving(p, "Ilse", "Climb", complicated=True), *answers)[1]
    ilse = after.characters["Ilse"]
    return ilse.skill("Climb").complicated, HEARTS in ilse.injured


def truth(rating: int) -> bool:
    start = game(skill={"rating": rating}, rulings={"universal-truth": "on"})
    return (
        played(start, lambda p: mark_truth(p, who="Ilse", skill="Climb"))[1]
        .characters["Ilse"]
        .skill("Climb")
        .truth
    )


def alone(face: int, *more: Reading) -> tuple[bool, bool, int]:
    """Whether Hearts are healed, whether Ilse is out of the next group scene, and her best rating in Hearts."""
    answers = CardReading(ComponentId.parse("7H")), ChoiceReading(("moment-alone",)), rolled(Die.D6, face), *more
    state = played(game(injured=(HEARTS,)), lambda p: scene(p, who="Ilse"), *answers)[1]
    ilse = state.characters["Ilse"]
    return HEARTS not in ilse.injured, ilse.absent, max(s.rating for s in ilse.skills if s.suit is HEARTS)


def gathered(*order: str, met: tuple[str, ...] = ()) -> bool:
    start = game("first-gathering")
    sitting = replace(present(start.state.sitting), order=order, acted=order, met=met)
    ready = replace(start, state=replace(start.state, sitting=sitting))
    return played(ready, gather, TextReading("One road."))[1].sitting is None


def injured(*before: CardSuit) -> tuple[CardSuit, ...]:
    return (
        played(game(injured=before), lambda p: injure(p, "Ilse", HEARTS, rule="MN-5"))[1]
        .characters["Ilse"]
        .injured
    )


def usable(*, skill: Any = None, **ilse: Any) -> list[str]:
    return [s.name for s in game(skill=skill, **ilse).state.characters["Ilse"].usable(HEARTS)]


def face_of(first: int, second: int, round_: int) -> GameFace:
    return GameFace(PAIR, "", secret=False, round=round_, score={"Ilse": first, "Odo": second})


def over(first: int, second: int, round_: int) -> tuple[bool, str]:
    """Whether Game Face is decided before this round, and who is ahead."""
    return decided(face_of(first, second, round_)), winner_of(face_of(first, second, round_))


def left(*used: str) -> str:
    return " ".join(die.value for die in dice_left(used))


def shares(players: int, way: str, aces: str = "numbers") -> tuple[list[int], int]:
    """How many cards each is dealt, and how many are put aside."""
    names = [str(n) for n in range(players)]
    start = game(rulings={"uneven-deal": way, "aces": aces})
    given = dealt_round(Play(start, "s"), names, dealt=False)
    return [given.hands[name].count for name in names], given.aside.count


def ended(mode: str, hands: dict[str, int] | None = None, deck: int = 1, **rulings: str) -> bool:
    state = played(cards(hands, deck, mode, **rulings), end_when_cards_are_gone)[1]
    return state.sitting is None


def due(**hands: int) -> tuple[str, ...]:
    return cards(hands, 54, "into-the-grey").state.due


def can_draw(deck: int, **rulings: str) -> bool:
    return has_card(Play(cards(None, deck, "deck-burner", **rulings), "s"), "Ilse")


def round_after(*acted: str) -> int:
    start = game()
    sitting = replace(present(start.state.sitting), acted=acted)
    state = played(replace(start, state=replace(start.state, sitting=sitting)), next_round)[1]
    return present(state.sitting).round


def together(complications: int, **rulings: str) -> int:
    """How many dice the adversary of a group scene has, with so many skills complicated."""
    start = game(skill={"complicated": complications > 0}, rulings=named(rulings))
    sitting = replace(present(start.state.sitting), acted=PAIR)
    ready = replace(start, state=replace(start.state, sitting=sitting))
    return as_a(GroupSceneBegun, next(group_scene(Play(ready, "s"), about="x"))).adversary


EDGES = (
    edge("MN-3 one 6 is clean", True, is_clean, (1, 6)),
    edge("MN-3 a 5 is not", False, is_clean, (5, 5)),
    edge("MN-6 only 1s and 6s", True, teaches, (1, 6, 6)),
    edge("MN-6 only 1s", True, teaches, (1,)),
    edge("MN-6 one 5 among them", False, teaches, (1, 5, 6)),
    edge("MN-3 a 5 complicates", (True, 2, 0), used, 5, 5),
    edge("MN-6 two 1s complicate, and improve", (True, 3, 0), used, 1, 1),
    edge("MN-3 a 6 does not complicate", (False, 2, 0), used, 6, 5),
    edge("MN-11 a die given is rolled once", (False, 3, 0), used, 6, 1, 6, gift=1),
    edge("MN-11 and so are two", (False, 3, 0), used, 6, 1, 6, 1, gift=2),
    edge("MN-8 a universal truth improves no further", (False, 6, 0), used, *[6] * 6, rating=6, truth=True),
    edge("MN-6 rating 6 may rise", True, grows, 6),
    edge("MN-6 or stops there", False, grows, 6, cap="stops-at-6"),
    edge("MN-6 rating 5 may rise to it", True, grows, 5, cap="stops-at-6"),
    edge("MN-8 a truth may not", False, grows, 6, truth=True),
    edge("MN-8 a truth at rating 6", True, truth, 6),
    edge("MN-8 at rating 5", "a universal truth needs 6", truth, 5),
    edge("MN-7 a 1", (1, True, False), learned, 1),
    edge("MN-7 a 2", (1, False, False), learned, 2),
    edge("MN-7 a 3", (1, False, False), learned, 3),
    edge("MN-7 a 4", (2, True, False), learned, 4),
    edge("MN-7 a 5", (2, True, False), learned, 5),
    edge("MN-7 a 6", (2, False, True), learned, 6),
    edge("MN-5 a 1", "bend", band_of, 1),
    edge("MN-5 a 2", "weave", band_of, 2),
    edge("MN-5 a 3", "weave", band_of, 3),
    edge("MN-5 a 4", "fray", band_of, 4),
    edge("MN-5 a 5", "fray", band_of, 5),
    edge("MN-5 a 6", "tear", band_of, 6),
    edge("MN-5 a 1 removes it and injures", (False, (HEARTS,)), woven, 1),
    edge("MN-5 a 2 removes it", (False, ()), woven, 2),
    edge("MN-5 a 5 too", (False, ()), woven, 5),
    edge("MN-5 a 6 injures", (False, (HEARTS,)), woven, 6),
    edge("MN-2 a suit is injured once", (False, (HEARTS,)), woven, 6, (HEARTS,)),
    edge("MN-2 another is injured beside it", (CLUBS, HEARTS), injured, CLUBS),
    edge("MN-8 a 1 is no help, and injures", (True, True), called, 1),
    edge("MN-8 a 2 helps", (False, False), called, 2),
    edge("MN-8 a 5 helps", (False, False), called, 5),
    edge("MN-8 a 6 helps, and injures", (False, True), called, 6),
    edge("MN-13 a 1 heals, and keeps away", (True, True, 2), alone, 1),
    edge("MN-13 a 2 heals", (True, False, 2), alone, 2),
    edge("MN-13 a 5 too", (True, False, 2), alone, 5),
    edge(
        "MN-13 a 6 makes a skill grow", (True, False, 3), alone, 6, ChoiceReading(("climb",)), TextReading("Soar")
    ),
    edge("MN-14 one alone has nobody to meet", True, gathered, "Ilse"),
    edge("MN-14 of two each meets the other", "still to come: Odo", gathered, *PAIR, met=("Ilse",)),
    edge("MN-14 and both have", True, gathered, *PAIR, met=PAIR),
    edge("MN-4 a complicated skill", ["Held Breath"], usable, skill={"complicated": True}),
    edge("MN-2 an injured suit", [], usable, injured=(HEARTS,)),
    edge("MN-2 another one", ["Climb", "Held Breath"], usable, injured=(CLUBS,)),
    edge("MN-12 one higher", "victory", outcome_of, 5, 4),
    edge("MN-12 the same", "draw", outcome_of, 6, 6),
    edge("MN-12 one lower", "defeat", outcome_of, 4, 5),
    edge("MN-12 nobody stood up", "defeat", outcome_of, 0, 1),
    edge("MN-12 nothing is complicated", "nothing to repair", together, 0),
    edge("MN-12 or one die", 1, together, 0, group_scene_without_complications="one-die"),
    edge("MN-12 one complication", 1, together, 1),
    edge("MN-11 one has still to come", "still to come: Odo", round_after, "Ilse"),
    edge("MN-11 nobody has", 2, round_after, "Ilse", "Odo"),
    edge("MN-14 a round each", (False, ""), over, 1, 1, 3),
    edge("MN-14 two rounds", (True, "Odo"), over, 0, 2, 3),
    edge("MN-14 three played, one each", (True, ""), over, 1, 1, 4),
    edge("MN-14 three played, one to nothing", (True, "Ilse"), over, 1, 0, 4),
    edge("MN-14 the third is still to come", (False, "Ilse"), over, 1, 0, 3),
    edge("MN-14 one d8 of two is left", "d12 d8 d6", left, "d8"),
    edge("MN-14 none", "d12 d6", left, "d8", "d8"),
    edge("MN-14 the first chooses first", PAIR, choosing_first, face_of(0, 0, 1)),
    edge("MN-14 then the second", ("Odo", "Ilse"), choosing_first, face_of(0, 0, 2)),
    edge("MN-14 piles go on round the table", ([11, 11, 11, 11, 10], 0), shares, 5, "goes-on"),
    edge("MN-14 or begin anew", ([12, 12, 10, 10, 10], 0), shares, 5, "each-pile-anew"),
    edge("MN-14 or leave some aside", ([10] * 5, 4), shares, 5, "left-over-aside"),
    edge("MN-14 as many as the jokers", ([27, 27], 0), shares, 2, "left-over-aside"),
    edge("MN-14 the last card in a hand", False, ended, "into-the-grey", {"Ilse": 0, "Odo": 1}),
    edge("MN-14 no card in any", True, ended, "into-the-grey", {"Ilse": 0, "Odo": 0}),
    edge("MN-14 the last card of the deck", False, ended, "deck-burner"),
    edge("MN-14 the deck is burnt", True, ended, "deck-burner", deck=0),
    edge("MN-14 or shuffled again", False, ended, "deck-burner", deck=0, deck_burner_end="shuffled-again"),
    edge("MN-14 who has no card is passed over", ("Odo",), due, Ilse=0, Odo=1),
    edge("MN-3 the last card can be turned", True, can_draw, 1),
    edge("MN-3 no card can", False, can_draw, 0),
    edge("MN-3 unless it is shuffled again", True, can_draw, 0, deck_burner_end="shuffled-again"),
)


@each(*EDGES)
def test_mnemonic_at_the_edge_of_a_rule(edge: Edge) -> None:
    holds(edge)
