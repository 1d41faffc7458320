"""Every choice of every ruling of Mnemonic, and what it changes in play."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.requests import Roll, ShowCard
from loomtable.engine.mnemonic.rulings import RULINGS
from tests.short import present, refuses
from tests.systems.mnemonic_table import Table

TESTED: set[tuple[str, str]] = set()


def table(mode: str = "deck-burner", *, alone: bool = False, **rulings: str) -> Table:
    """A table that plays the rulings so; each is counted as tested."""
    TESTED.update((name.replace("_", "-"), choice) for name, choice in rulings.items())
    return Table(mode, alone=alone, **rulings)


def counts(at: Table) -> list[int]:
    return [hand.count for hand in present(at.state.cards).hands.values()]


# Cards


def test_cards() -> None:
    shown = table(cards="physical")
    shown.session.perform("scene", who="Ilse")
    assert isinstance(shown.session.pending, ShowCard)
    dealt = table(cards="dealt")
    assert dealt.state.cards is not None
    top = dealt.state.cards.deck.pile[0]
    refuses(dealt.session.perform, "the computer turns the top card", "scene", who="Ilse", card="7H")
    dealt.session.perform("scene", who="Ilse")
    assert present(dealt.state.cards).deck.discards == (top,)


def test_joker_suit() -> None:
    wild = table(joker_suit="wild")
    wild.scene("Ilse", "BJ", "hearts")
    assert "use-climb" in wild.options
    none = table(joker_suit="none")
    none.scene("Ilse", "BJ")
    assert none.asked == ""
    assert none.state.due == ("Odo",)


def three(**rulings: str) -> Table:
    at = table("", **rulings)
    for player in ("Cleo", "Dov", "Eva"):
        skills = {"hearts": ["A", "B"], "diamonds": ["C"], "spades": ["D"]}
        at.do("add-character", player=player, name=player, strong="hearts", weak="clubs", skills=skills)
    at.do("begin-mode", mode="into-the-grey")
    return at


def test_uneven_deal() -> None:
    assert counts(three(uneven_deal="goes-on")) == [11, 11, 11, 11, 10]
    assert counts(three(uneven_deal="each-pile-anew")) == [12, 12, 10, 10, 10]
    aside = three(uneven_deal="left-over-aside")
    assert counts(aside) == [10] * 5
    assert present(aside.state.cards).aside.count == 4


def test_aces() -> None:
    # 12 and 40 leave two over each for five; 16 and 36 leave one each: seen in what lies aside.
    for choice, over in (("numbers", 2 + 0 + 2), ("faces", 1 + 1 + 2)):
        at = three(aces=choice, uneven_deal="left-over-aside", cards="dealt")
        assert at.state.cards is not None
        assert at.state.cards.aside.count == over
        aside = [c.short for c in at.state.cards.aside.cards]
        faces = [s for s in aside if s[0] in ("JQKA" if choice == "faces" else "JQK") and not s.endswith("J")]
        assert len(faces) == (2 if choice == "numbers" else 1)


def test_deck_burner_end() -> None:
    used_up = table(cards="dealt", deck_burner_end="deck-used-up", no_usable_skill="passes", joker_suit="none")
    again = table(cards="dealt", deck_burner_end="shuffled-again", no_usable_skill="passes", joker_suit="none")
    for at in (used_up, again):
        for _ in range(56):
            if at.state.sitting is None:
                break
            if not at.state.due:
                at.do("next-round")
            at.do("scene", who=at.state.due[0])
            while at.asked:
                pending = at.session.pending
                at.answer((6,) * pending.count if isinstance(pending, Roll) else _least(at))
    assert used_up.state.sitting is None
    assert used_up.state.scenes == 54
    assert again.state.scenes == 56
    assert "The deck has run out, and all its cards are shuffled again." in again.session.story()


def _least(at: Table) -> str:
    return next(k for k in at.options if k.startswith("use-") or k in ("pass", "none", "moment-alone"))


def test_free_play_cards() -> None:
    top = table("free-play", free_play_cards="top-of-the-deck")
    top.session.perform("scene", who="Odo")
    assert isinstance(top.session.pending, ShowCard)
    chosen = table("free-play", free_play_cards="chosen")
    chosen.do("scene", "clubs", who="Odo")
    assert "use-dockers" in chosen.options


def test_prompt_suit() -> None:
    by_card = table("first-gathering", prompt_suit="by-card")
    by_card.session.perform("introduce", who="Ilse")
    assert isinstance(by_card.session.pending, ShowCard)
    chosen = table("first-gathering", prompt_suit="chosen")
    chosen.do("introduce", "clubs", "Nobody.", who="Ilse")
    assert chosen.state.due == ("Odo",)
    refuses(chosen.session.perform, "no card is turned", "introduce", who="Odo", card="7H")


# Skills


def test_learning_needs_card() -> None:
    with pytest.raises(IllegalAction, match="in the suit of its card"):
        table(learning_needs_card="of-its-suit").session.perform("learn", who="Ilse")
    free = table("", learning_needs_card="any-time")
    free.do("learn", "Ferrymen", (2,), who="Ilse", suit="clubs")
    assert free.skill("Ilse", "Ferrymen").rating == 1


def test_learned_and_used() -> None:
    later = table(learned_and_used="not-at-once")
    later.scene("Ilse", "2C", "learn", "Ferrymen", (2,))
    assert later.asked == ""
    at_once = table(learned_and_used="at-once")
    at_once.scene("Ilse", "2C", "learn", "Ferrymen", (2,))
    assert at_once.asked == "Ferrymen of Ilse"
    locked = table(learned_and_used="at-once")
    locked.scene("Ilse", "2C", "learn", "Ferrymen", (1,))
    assert locked.asked == ""


def test_learning_in_an_injured_suit() -> None:
    for choice, options in (("not-allowed", ["moment-alone"]), ("allowed", ["learn", "moment-alone"])):
        at = table("free-play", learning_in_an_injured_suit=choice)
        at.scene("Ilse", "2S", "use-lockpicks", (3,), "remove-complication", "rust", (6,))
        at.scene("Ilse", "3S")
        assert [k for k in at.options if not k.startswith("ask-")] == options
    at.answer("learn", "Nails", (6,))
    assert at.who("Ilse").injured == (CardSuit.SPADES,)
    assert at.who("Ilse").locked(at.skill("Ilse", "Nails"))
    strict = table("", learning_needs_card="any-time", learning_in_an_injured_suit="not-allowed")
    strict.do("learn", "Ferrymen", (6,), who="Ilse", suit="clubs")
    refuses(strict.session.perform, "Clubs of Ilse is injured", "learn", who="Ilse", suit="clubs")


def test_rating_above_6() -> None:
    for choice, rating in (("no-bound", 8), ("stops-at-6", 6)):
        at = table("free-play", rating_above_6=choice)
        for number in range(2, 8):
            at.scene("Ilse", f"{number}H", "use-climb", (6,) * at.skill("Ilse", "Climb").rating, "none")
        assert at.skill("Ilse", "Climb").rating == rating


def test_no_usable_skill() -> None:
    both = table(no_usable_skill="learn-or-help")
    both.scene("Ilse", "2C")
    assert both.options == ["learn", "ask-odo.dockers"]
    passes = table(no_usable_skill="passes")
    passes.scene("Ilse", "2C")
    assert passes.options == ["pass"]
    another = table(no_usable_skill="another-card")
    another.scene("Ilse", "2C")
    assert another.options == ["another-card"]
    another.answer("another-card", "5H")
    assert "use-climb" in another.options


def test_locked_skill_as_helper_and_what_helping_costs() -> None:
    for choice in ("not-allowed", "allowed"):
        at = table("free-play", locked_skill_as_helper=choice)
        at.scene("Odo", "2C", "use-dockers", (3,), "none")
        at.scene("Ilse", "3C")
        assert ("ask-odo.dockers" in at.options) is (choice == "allowed")
    at.answer("ask-odo.dockers", (6,), "none")
    assert at.skill("Odo", "Dockers").complicated, "it stays locked"


def test_helpers_complication() -> None:
    for choice, complicated in (("as-always", True), ("spared", False)):
        at = table("free-play", helpers_complication=choice)
        at.scene("Ilse", "3C", "ask-odo.dockers", (2,), "none")
        assert at.skill("Odo", "Dockers").complicated is complicated


# Weavings


def test_gift_or_repair() -> None:
    for choice, complicated in (("either-or", True), ("both", False)):
        at = table(gift_or_repair=choice)
        at.scene("Ilse", "2S", "use-lockpicks", (3,), "give-a-die", "rust", (3,))
        assert at.skill("Ilse", "Lockpicks").complicated is complicated
        assert at.who("Odo").gift == 1


def test_weaving_after_a_clean_use() -> None:
    allowed = table(weaving_after_a_clean_use="allowed")
    allowed.scene("Ilse", "2S", "use-lockpicks", (6,))
    assert allowed.options == ["none", "give-a-die"]
    not_so = table(weaving_after_a_clean_use="only-complicated")
    not_so.scene("Ilse", "2S", "use-lockpicks", (6,))
    assert not_so.asked == ""


def test_weaving_alone() -> None:
    impossible = table(alone=True, weaving_alone="impossible")
    impossible.scene("Ilse", "2S", "use-lockpicks", (3,))
    assert impossible.asked == ""
    oneself = table(alone=True, weaving_alone="oneself")
    oneself.scene("Ilse", "2S", "use-lockpicks", (3,), "remove-complication", "rust", (3,))
    assert not oneself.skill("Ilse", "Lockpicks").complicated


def truthful(**rulings: str) -> Table:
    """Odo's Ropes are a universal truth, and Ilse is in trouble with Lockpicks."""
    at = table("free-play", **{"universal_truth": "on", **rulings})
    for number in (2, 3, 4, 5):
        at.scene("Odo", f"{number}S", "use-ropes", (6,) * at.skill("Odo", "Ropes").rating, "none")
    at.do("mark-truth", who="Odo", skill="ropes")
    at.scene("Ilse", "6S", "use-lockpicks", (3,))
    return at


def test_universal_truth() -> None:
    assert "ask-for-odo.ropes" in truthful(universal_truth="on").options
    with pytest.raises(IllegalAction, match="are not played at this table"):
        table(universal_truth="off").session.perform("mark-truth", who="Ilse", skill="climb")


@pytest.mark.parametrize("face", range(1, 7))
def test_truth_unavailable(face: int) -> None:
    for choice, complicated in (("stays", face == 1), ("removed", False)):
        at = truthful(truth_unavailable=choice)
        at.answer("ask-for-odo.ropes", (face,))
        assert at.skill("Ilse", "Lockpicks").complicated is complicated
        assert at.who("Ilse").injured == ((CardSuit.SPADES,) if face in (1, 6) else ())


def test_truth_injury() -> None:
    used = truthful(truth_injury="used-suit")
    used.answer("ask-for-odo.ropes", (6,))
    assert used.who("Ilse").injured == (CardSuit.SPADES,)
    chosen = truthful(truth_injury="chosen")
    chosen.answer("ask-for-odo.ropes", (6,), "clubs")
    assert chosen.who("Ilse").injured == (CardSuit.CLUBS,)


@pytest.mark.parametrize(("choice", "offered"), [("not-allowed", False), ("allowed", True)])
def test_truth_when_locked(choice: str, offered: bool) -> None:
    """Odo's truth is complicated by his own next use of it."""
    at = truthful(truth_when_locked=choice)
    at.answer("none")
    at.scene("Odo", "7S", "use-ropes", (5,) * 6, "none")
    assert at.skill("Odo", "Ropes").complicated
    at.scene("Ilse", "8H", "use-climb", (3, 3))
    assert ("ask-for-odo.ropes" in at.options) is offered
    if offered:
        at.answer("ask-for-odo.ropes", (4,))
        assert not at.skill("Ilse", "Climb").complicated
        assert at.skill("Odo", "Ropes").complicated


@pytest.mark.parametrize(("choice", "offered"), [("not-allowed", False), ("allowed", True)])
@pytest.mark.parametrize("face", [1, 3, 6])
def test_truth_after_a_clean_use(choice: str, offered: bool, face: int) -> None:
    at = truthful(truth_after_a_clean_use=choice)
    at.answer("none")
    at.scene("Ilse", "8H", "use-climb", (6, 3))
    assert ("ask-for-odo.ropes" in at.options) is offered
    if offered:
        at.answer("ask-for-odo.ropes", (face,))
        assert at.who("Ilse").injured == ((CardSuit.HEARTS,) if face in (1, 6) else ())
        assert not at.skill("Ilse", "Climb").complicated


def test_where_no_weaving_follows_a_clean_use_no_truth_does_either() -> None:
    at = truthful(truth_after_a_clean_use="allowed")
    at.answer("none")
    at.rule("weaving-after-a-clean-use", "only-complicated")
    at.scene("Ilse", "8H", "use-climb", (6, 3))
    assert at.asked == ""


# Scenes


def test_turn_order() -> None:
    refuses(table(turn_order="round-the-table").session.perform, "it is Ilse's turn", "scene", who="Odo")
    anyone = table(turn_order="anyone")
    anyone.scene("Odo", "2C", "use-dockers", (6,), "none")
    assert anyone.state.due == ("Ilse",)


def in_trouble(**rulings: str) -> Table:
    """Climb is complicated, in Free Play."""
    at = table("free-play", **rulings)
    at.scene("Ilse", "2H", "use-climb", (2, 2), "none")
    return at


def test_group_scene_cards() -> None:
    needed = in_trouble(group_scene_cards="needed")
    needed.do("group-scene", "3S")
    assert needed.options == ["use-lockpicks", "learn"]
    free = in_trouble(group_scene_cards="free-choice")
    free.do("group-scene")
    assert free.options == ["use-held-breath", "use-old-songs", "use-lockpicks"]


def test_group_scene_complications_and_complications_after_draw() -> None:
    for ruling, choice, thrown, (who, skill), complicated in (
        ("group_scene_complications", "never", 6, ("Odo", "Lamp"), False),
        ("group_scene_complications", "as-always", 6, ("Odo", "Lamp"), True),
        ("complications_after_draw", "stay", 3, ("Ilse", "Climb"), True),
        ("complications_after_draw", "cleared", 3, ("Ilse", "Climb"), False),
    ):
        at = in_trouble(**{ruling: choice})
        at.do("group-scene", "3S", "use-lockpicks", "4S", "use-lamp", (thrown,), (3,), (2, 2))
        assert at.skill(who, skill).complicated is complicated


def test_group_scene_without_complications() -> None:
    with pytest.raises(IllegalAction, match="nothing is complicated"):
        table("free-play", group_scene_without_complications="refused").session.perform("group-scene")
    one = table("free-play", group_scene_without_complications="one-die")
    one.do("group-scene", "3S", "use-lockpicks", "4S", "use-lamp", (3,), (6,), (2, 2))
    assert one.state.group is None


# Game Face


def test_game_face_choice_and_tie() -> None:
    secret = table("", game_face_choice="in-secret", game_face_tie="re-rolled")
    secret.do("game-face", "d8", "d8", (4,), (4,), who="Ilse", other="Odo")
    assert secret.asked == "Game Face, round 1: d8 of Ilse", "rolled again"
    assert "Ilse has chosen a die." in secret.session.story()
    open_table = table("", game_face_choice="in-turn", game_face_tie="nobody-scores")
    open_table.do("game-face", "d8", "d8", (4,), (4,), who="Ilse", other="Odo")
    assert open_table.asked == "Game Face, round 2: the die of Odo"
    assert "Ilse takes the d8." in open_table.session.story()


def test_every_choice_of_every_ruling_was_played() -> None:
    missing = {(r.id, c.key) for r in RULINGS.values() for c in r.choices} - TESTED
    assert not missing
