"""Every ruling of Weave, every choice, by what it changes at the table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.requests import Choose, Roll, ShowCard
from loomtable.engine.weave.cards.playset import QualityKind, playset
from loomtable.engine.weave.challenge.tally import challenge_pool
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.words import boon_words
from tests.short import as_a, present
from tests.systems.weave_table import Table, card, pick, say, weave, write

GIVEN: dict[tuple[str, str], tuple[Callable[[str, str], object], object]] = {}


def given(
    ruling: str, **outcomes: object
) -> Callable[[Callable[[str, str], object]], Callable[[str, str], object]]:
    """Register what a ruling's choices bring about; a test below holds that none is missing."""

    def register(seen: Callable[[str, str], object]) -> Callable[[str, str], object]:
        for key, outcome in outcomes.items():
            GIVEN[ruling, key.strip("_").replace("_", "-")] = (seen, outcome)
        return seen

    return register


def refusal(act: Callable[[], object]) -> str:
    try:
        act()
    except IllegalAction as error:
        return str(error)
    return "allowed"


@given("pip-faces", flames_first="2 successes", strike_first="no successes")
def _pips(ruling: str, choice: str) -> object:
    from loomtable.engine.kernel.dice import Die
    from loomtable.engine.kernel.readings import rolled

    table = Table({ruling: choice})
    table.do("challenge", rolled(Die.D6, 3, 3, 1, 1, 2), who="Ilse", suit="gales", card="C22")
    return next(s for s in table.story() if "against level 3" in s).split(": ")[1].split(" against")[0]


@given("minimum-pool", one_die=(1, 1), none=(0, None))
def _pool(ruling: str, choice: str) -> object:
    table = Table({ruling: choice, "core-challenge-wounds": "reduced"})
    table.wound("Odo", 2)
    pool = challenge_pool(table.odo, Suit.STONES, minimum=choice, dice=-1)
    table.session.perform("challenge", who="Odo", suit="stones", dice=-1)
    return pool, table.pending.count if isinstance(table.pending, Roll) else None


@given("challenge-level", storyteller=1, top_card=3)
def _level_of_the_top_card(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("challenge", *([card("C13")] if choice == "top-card" else []), who="Ilse", suit="gales", open_=True)
    return int(present(table.pending).purpose[-1])


@given("strikes-on-rerolls", counted=3, not_counted=1)
def _rerolls(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    first, second = weave("weave", "weave", "gales", "strike", "stones"), weave("strike", "strike")
    table.do("challenge", first, say(2), second, who="Ilse", suit="gales", card="C22")
    return table.ilse.strikes


@given("core-challenge-wounds", not_reduced=4, reduced=3)
def _core_wounds(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.wound("Ilse")
    table.session.perform("core-challenge", who=["Ilse"], suit="gales")
    return as_a(Roll, table.pending).count


@given("epic-fail-wound-and-strikes", both=(2, 1), wound_only=(0, 1))
def _epic_fail(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("challenge", weave("strike", "stones", "strike"), who="Ilse", suit="stones", card="C34")
    return table.ilse.strikes, table.ilse.wounds


@given("strikes-overflow", stops_at_10=(0, 1), carried=(2, 1))
def _overflow(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.strikes("Ilse", 8)
    table.do("challenge", weave("strike", "strike", "strike", "strike", "gales"), who="Ilse", suit="gales")
    return table.ilse.strikes, table.ilse.wounds


@given("combat-strikes-on-npc", like_characters=(0, 1, False), own_track=(6, 0, True))
def _npc_strikes(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.fight("Ilse", "Odo", "Wolf")
    table.strikes("Wolf", 5)
    table.strikes("Wolf", 6) if choice == "like-characters" else table.strikes("Wolf", 3)
    wolf = table.npc("Wolf")
    return wolf.strikes, wolf.wounds, wolf.beaten


@given("healing-deadline", next_episode="Ilse has three Wounds", none="Story card for the Theme")
def _deadline(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.wound("Ilse", 3)
    table.session.perform("new-episode")
    return present(table.pending).purpose


@given("trigger-pass-symbols", weave_first=True, suit_first=False)
def _trigger_pays(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("add-npc", npc="Wolf", enemy=True, dice={"stones": 1})
    answers = [weave("brooks", "brooks", "weave", "stones"), say(0), pick("Ilse")]
    table.do("use-talent", *answers, who="Odo", talent="Speech Before Sunrise")
    return any("and so does its Trigger" in s for s in table.story())


@given("lucky-strike-rerolls", until_none=True, first_roll=False)
def _lucky_again(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.session.perform("use-talent", who="Odo", talent="Speech Before Sunrise")
    for answer in (weave("brooks", "stones", "stones", "strike"), say(1), weave("strike")):
        table.session.answer(answer)
    return table.pending is not None and table.pending.purpose == "Strike dice to roll again, after roll 2"


@given("lucky-rerolled-strikes", still_marked=1, taken_back=0)
def _lucky_strikes(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("use-asset", weave("stones", "stones", "strike"), say(1), weave("flames"), who="Ilse",
             asset="Boat Anchor on a Chain")  # fmt: skip
    return table.ilse.strikes


@given(
    "signature-move-activation",
    core_challenge="Stones Core Challenge, Ilse",
    challenge="Stones Challenge, level 1",
)
def _move_roll(ruling: str, choice: str) -> object:
    table = with_moves({ruling: choice})
    table.session.perform("signature-move", who="Ilse", move="Charge of Old Rime")
    return present(table.pending).purpose


@given("signature-move-failed", used_up=True, kept=False)
def _move_failed(ruling: str, choice: str) -> object:
    table = with_moves({ruling: choice})
    table.do("signature-move", weave("gales", "gales", "gales"), who="Ilse", move="Charge of Old Rime")
    return "Charge of Old Rime" in table.ilse.spent


@given("two-signature-moves", each_once="allowed", one_in_all="Charge of Old Rime has been used, and only one")
def _two_moves(ruling: str, choice: str) -> object:
    table = with_moves({ruling: choice})
    table.do("signature-move", weave("gales", "gales", "gales"), who="Ilse", move="Charge of Old Rime")
    said = refusal(lambda: table.session.perform("signature-move", who="Ilse", move="Light All Forty"))
    return said[:46]


def with_moves(rulings: dict[str, str]) -> Table:
    """Ilse at level 11 with both Signature Moves; each level in its own episode."""
    table = Table(rulings)
    options = {2: ("S1", "1"), 3: ("S8", "1"), 4: ("S8", "1"), 5: ("S6", "1", "1"), 6: ("S6", "2"), 7: ("S8", "1")}
    options |= {8: ("S8", "2"), 9: ("S1", "1"), 10: ("S1", "2"), 11: ("S1", "1")}
    for level, (shown, *chosen) in options.items():
        if level > 2:
            again = (pick("again"),) if level > 3 else ()
            table.do("new-episode", *(a for s in ("S9", "S10", "S11") for a in (card(s), pick("1"), *again)))
        table.do("level-up", pick("accept"), card(shown), *(pick(o) for o in chosen), who="Ilse")
    assert table.ilse.level == 11
    return table


@given("level-up-cards", any_=22 - 3, creation=4, new=22 - 3 - 4)
def _level_cards(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.session.perform("level-up", who="Ilse")
    table.session.answer(pick("accept"))
    return len(as_a(ShowCard, table.pending).among)


@given("level-up-when", at_the_start="Level Ups are for the start", any_time="allowed")
def _level_when(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("challenge", weave("flames", "flames", "flames"), who="Ilse", suit="flames")
    return refusal(lambda: table.session.perform("level-up", who="Ilse"))[:27]


@given("decks", physical=(True, 0), dealt=(False, 6))
def _decks(ruling: str, choice: str) -> object:
    table = Table({ruling: choice}, people=False)
    if choice == "physical":
        table.session.perform("new-season", playset="the-salt-road")
        return isinstance(table.pending, ShowCard), len(table.state.hand)
    table.dealt_season()
    table.do("draw-hand")
    return False, len(table.state.hand)


@given(
    "undrawn-hand", from_the_deck="allowed", refused="the storyteller's hand has not been drawn yet (Draw hand)"
)
def _undrawn(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    return refusal(lambda: table.session.perform("challenge", who="Ilse", suit="gales", card="C22"))


@given("empty-pile", discards_shuffled=4, hand_stays_short=2)
def _empty(ruling: str, choice: str) -> object:
    table = Table({ruling: choice, "decks": "dealt"}, people=False)
    table.dealt_season()
    table.do("add-character", *(pick(k) for k in ("gales", "1", "1", "1", "1")), write("Sefa"), player="Ada")
    table.do("draw-hand")
    for _ in range(8):  # 32 cards are left in the pile; each time four of them go to the discards
        held = [c.short for c in table.state.hand if c.short[0] == "C"]
        table.do("auto-pass", who="Sefa", discards=held)
    assert len(table.state.challenges.pile) == 0
    held = [c.short for c in table.state.hand if c.short[0] == "C"]
    table.do("auto-pass", who="Sefa", discards=held[:2])
    return sum(c.short[0] == "C" for c in table.state.hand)


@given("dealt-for-a-character", next_in_the_pile=(True, False), own_order=(False, True))
def _dealt_for_a_character(ruling: str, choice: str) -> object:
    """Whether it is the top of the pile, and whether Ada is dealt the same when Ben was first."""
    first = []
    for players in ("Ada",), ("Ben", "Ada"):
        table = Table({ruling: choice, "decks": "dealt"}, people=False)
        table.dealt_season()
        for player in players:
            top = table.state.story.pile[0]
            table.do(
                "add-character", *(pick(k) for k in ("gales", "1", "1", "1", "1")), write(player), player=player
            )
        first.append((table.state.characters["Ada"].qualities[0].card, top))
    return first[0][0] == first[0][1], first[0][0] == first[1][0]


@given("discards-return", scene_end=0, new_episode=2)
def _discards(ruling: str, choice: str) -> object:
    table = Table({ruling: choice}, hand=True)
    table.do("auto-pass", card("C2"), card("C3"), who="Ilse", discards=["C10", "C25"])
    table.do("end-scene")
    return len(table.state.challenges.discards)


@given("kept-cards-at-new-episode", kept=1, handed_back=0)
def _kept(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("effect", card("C9"), who="Ilse", do="draw-challenge", because="the road")
    table.do("new-episode", card("S9"), pick("1"), card("S10"), pick("1"), card("S11"), pick("1"))
    return len(table.ilse.kept)


@given("subplot-cards", each=(1, 1), one=(0, 1))
def _subplot(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("play-story", pick("1"), kind="subplot", card="S21")
    drawn = [card("C9"), card("C8")] if choice == "each" else [pick("Odo"), card("C9")]
    table.do("resolve-subplot", *drawn, subplot="Whose Wrist Is This", involved=["Ilse", "Odo"])
    return len(table.ilse.kept), len(table.odo.kept)


@given("enticement-challenge-failed", initial_fails=None, initial_rolled="Gales Challenge, level 1")
def _resisted(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    enticement = {"flaw": "No Face of Your Own", "card": "C1"}
    table.session.perform("challenge", who="Ilse", suit="gales", enticement=enticement)
    table.session.answer(pick("refuse"))
    table.session.answer(weave("flames", "stones", "stones"))
    return table.pending.purpose if table.pending else None


@given("enticement-elsewhere", allowed="Enticement: Late Reflection", refused="nobody is enticed")
def _elsewhere(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    tempted = {"suit": "gales", "who": ["Odo"], "enticement": {"flaw": "Late Reflection", "card": "C1"}}
    said = refusal(lambda: table.session.perform("core-challenge", **tempted))
    return table.pending.purpose if table.pending else said[: len("nobody is enticed")]


@given("level-up-first-episode", allowed="allowed", refused="refused")
def _first_episode(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    said = refusal(lambda: table.session.perform("level-up", who="Ilse"))
    if choice == "refused":
        assert said.startswith("Level Ups begin with the second episode")
        table.do("new-episode", card("S9"), pick("1"), card("S10"), pick("1"), card("S11"), pick("1"))
        table.session.perform("level-up", who="Ilse")
    return "allowed" if said == "allowed" else "refused"


@given("redeem-floor", level_1="Brooks Challenge, level 1", may_reach_0=None)
def _floor(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("effect", card("C16"), who="Odo", do="draw-challenge", because="the road")
    table.session.perform("challenge", who="Odo", suit="brooks", card="C13")
    table.session.answer(pick("C16"))
    assert table.odo.kept == ()
    return table.pending.purpose if table.pending else None


@given("redeem-several", any_number=2, one=1)
def _several(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("effect", card("C10"), card("C11"), who="Odo", do="draw-challenge", amount=2, because="the road")
    table.session.perform("challenge", who="Odo", suit="brooks", card="C16")
    return as_a(Choose, table.pending).at_most


@given("starter-acts-again", yes="Ilse", no="Odo")
def _starter(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.do("begin-encounter", pick("first"), starter="Ilse")
    table.do("end-turn", weave("gales", "gales", "stones", "stones"), weave("gales", "stones", "stones"))
    return present(table.state.encounter).acting


@given("npc-actions", on_their_turn="it is Ilse's turn, not Wolf's", at_any_time="allowed")
def _npcs(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.fight("Ilse", "Odo", "Wolf")
    return refusal(lambda: table.session.perform("npc-challenge", npc="Wolf", suit="gales"))


@given("attack-without-asset", melee="allowed", refused="an attack needs an Asset (ruling attack-without-asset)")
def _bare(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.fight("Ilse", "Odo", "Wolf")
    return refusal(lambda: table.session.perform("attack", who="Ilse", target="Wolf", suit="stones"))


@given("missed-attack", used_up=0, waits=1)
def _missed(ruling: str, choice: str) -> object:
    table = Table({ruling: choice})
    table.fight("Ilse", "Odo", "Wolf")
    table.do("effect", who="Ilse", do="more-strikes", amount=2, because="White-Hot Temper")
    table.do("attack", weave("stones", "stones", "stones"), who="Ilse", target="Wolf", suit="flames")
    return len(table.ilse.boons)


@given("talent-strikes", attack=0, no_attack=1)
def _by_a_talent(ruling: str, choice: str) -> object:
    table = Table({ruling: choice}, people=False)
    table.season("S5", "S17", "S14")
    table.character("Ada", "Ilse", "gales", ("S1", "2"), ("S10", "2"), ("S6", "2"), ("S16", "1"))
    table.character("Ben", "Odo", "brooks", ("S3", "1"), ("S22", "2"), ("S12", "2"), ("S15", "1"))
    table.fight("Ilse", "Odo", "Wolf")
    table.do("effect", who="Wolf", do="ward", amount=2, because="Polished Salt Buckler", lasts="encounter")
    talent = table.ilse.qualities[1].quality.name
    table.do("use-talent", weave("flames", "brooks", "brooks"), pick("Wolf"), who="Ilse", talent=talent)
    return table.npc("Wolf").strikes


@given("cards-edition", second="attack", first="Challenge")
def _edition(ruling: str, choice: str) -> object:
    """Round the Other Way gave its die to any Challenge."""
    names = [q.name for q in playset("the-still-harbour").options(19, QualityKind.TALENT)]
    table = Table({ruling: choice}, people=False)
    table.season("S5", "S17", "S14", playset="the-still-harbour")
    talent = str(names.index("Round the Other Way") + 1)
    table.character("Ada", "Ilse", "gales", ("S1", "2"), ("S19", talent), ("S9", "2"), ("S8", "1"))
    table.do("use-talent", weave("gales", "gales", "gales", "flames"), who="Ilse", talent="Round the Other Way")
    return boon_words(table.ilse.boons[0]).rpartition(" ")[2]


@given("cards-applied", narrow=("Ilse", "Odo", "Wolf"), all=("Ilse", "Wolf", "Odo"))
def _applied(ruling: str, choice: str) -> object:
    table = Table({ruling: choice}, people=False)
    table.season("S5", "S17", "S14")
    table.character("Ada", "Ilse", "gales", ("S1", "2"), ("S8", "2"), ("S6", "2"), ("S16", "1"))
    flaws = [q.name for q in playset("the-salt-road").options(12, QualityKind.FLAW)]
    late = str(flaws.index("Late Reflection") + 1)
    table.character("Ben", "Odo", "brooks", ("S3", "1"), ("S22", "2"), ("S12", late), ("S15", "1"))
    table.fight("Ilse", "Odo", "Wolf")
    return present(table.state.encounter).order


@pytest.mark.parametrize(("ruling", "choice"), sorted(GIVEN), ids=lambda part: part)
def test_each_choice_brings_about_what_it_says(ruling: str, choice: str) -> None:
    seen, outcome = GIVEN[ruling, choice]
    assert seen(ruling, choice) == outcome


def test_every_choice_of_every_ruling_is_tested_and_no_two_look_alike() -> None:
    assert set(GIVEN) == {(r.id, c.key) for r in WEAVE.rulings.values() for c in r.choices}
    for ruling in WEAVE.rulings.values():
        outcomes = [GIVEN[ruling.id, c.key][1] for c in ruling.choices]
        assert all(outcomes.count(o) == 1 for o in outcomes), ruling.id


def test_a_changed_ruling_counts_from_then_on_and_is_told() -> None:
    table = Table()
    table.do("ruling", ruling="strikes-on-rerolls", choice="not-counted")
    assert table.session.game.rulings["strikes-on-rerolls"] == "not-counted"
    assert table.story()[-1].startswith("You decide: Do Strikes rolled on re-rolled dice count? No, only those")
    table.session.undo()
    assert table.session.game.rulings["strikes-on-rerolls"] == "counted"
