"""An evening is set up with cards under the virtual camera: seen, put right, confirmed, and legal."""

import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, Source, TextReading
from loomtable.engine.kernel.requests import Choose, EnterText, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.weave.rules import WEAVE
from loomtable.table.games.weave.card_setup import For, ScanFlow
from loomtable.table.reading.card_trial import proposal_lines
from loomtable.table.reading.pictures import cards_in
from tests.short import raises, refuses
from tests.systems.weave_table import HAND, Table, card
from tests.table.printed_rows import ids, under_the_camera_picture


def under_the_camera(cards, turn=0):
    """What the reader sees of printed cards that lie in a row."""
    return cards_in(under_the_camera_picture(cards, turn)).cards


def short(flow):
    return " ".join(map(str, flow.cards))


def test_three_cards_become_an_episode_in_the_order_in_which_they_lie() -> None:
    session = Session.open(WEAVE, seed="s")
    flow = ScanFlow.begin(session, For.EPISODE, playset="the-salt-road")
    assert flow.asks == "Show the Story card for the Theme."
    said = flow.see(under_the_camera("S17 S5 S14", 180))
    assert said[0].startswith("S17 ")
    assert said[0].endswith(": Story card for the Theme")
    assert [laid.purpose.split()[-1] for laid in flow.proposed.laid] == ["Theme", "Location", "Boss"]
    # "Other order": Theme and Location were laid the wrong way round.
    flow.swap(1, 2)
    assert short(flow) == "S5 S17 S14"
    # The same cards still lie there as they lay: the person's order counts.
    assert flow.see(under_the_camera("S17 S5 S14", 180)) == ()
    assert short(flow) == "S5 S17 S14"
    assert len(session.journal.lines()) == 1
    answers = {"Theme": "2", "Location": "1", "Boss": "1"}
    while flow.proposed.questions:
        asked = flow.proposed.questions[0]
        kind = asked.purpose.split()[0]
        flow.answer(ChoiceReading((answers[kind],)) if isinstance(asked, Choose) else TextReading("A season"))
    theme = flow.proposed.laid[0]
    assert theme.chosen == theme.offers[1]
    assert flow.asks.startswith("Everything is there")
    told = flow.confirm()
    assert session.pending is None
    assert [q.card for q in session.state.foundation] == list(ids("S5", "S17", "S14"))
    assert session.state.foundation[0].quality.name == theme.chosen
    assert session.state.name == "A season"
    assert told == session.story()
    assert [p.step.what.how for p in session.played if isinstance(p.step.what, CardReading)] == [Source.CAMERA] * 3


def test_four_cards_become_a_character_once_not_this_card_is_put_away() -> None:
    table = Table(people=False)
    table.season("S5", "S17", "S14")
    flow = ScanFlow.begin(table.session, For.CHARACTER, player="Ada")
    flow.see(under_the_camera("S1 S9 S8 S6"))
    assert short(flow) == "S1 S9 S8 S6"
    flow.remove(ComponentId.parse("S9"))
    assert flow.see(under_the_camera("S1 S9 S8 S6")) == ()
    assert short(flow) == "S1 S8 S6"
    assert flow.asks == "Show the Story card for the Asset."
    # Its code is torn: the short code is typed.
    flow.take(ComponentId.parse("S16"), Source.TYPED)
    while flow.proposed.questions:
        asked = flow.proposed.questions[0]
        if isinstance(asked, EnterText):
            flow.answer(TextReading("Ilse"))
        else:
            flow.answer(ChoiceReading(("gales" if asked.purpose == "Core Suit" else "1",)))
    flow.confirm()
    ilse = table.session.state.characters["Ilse"]
    assert ilse.creation_cards == ids("S1", "S8", "S6", "S16")
    shown = [p.step.what for p in table.session.played if isinstance(p.step.what, CardReading)]
    assert shown[-1] == CardReading(ComponentId.parse("S16"), Source.TYPED)


def test_cards_that_the_engine_refuses_are_refused_with_its_reason_and_change_nothing() -> None:
    table = Table()
    flow = ScanFlow.begin(table.session, For.LOCATION)
    refuses(flow.take, "S5 is not one of the story cards that can be shown now", ComponentId.parse("S5"))
    said = flow.see(under_the_camera("C3 S2 S4"))
    assert "is a challenge card; what is asked for is the Story card for one more Location" in said[0]
    assert said[1].startswith("S2 ")
    assert "nothing asks for S4" in said[2]
    assert short(flow) == "S2"
    lines = list(proposal_lines(flow.proposed))
    assert lines[0].startswith("1  S2 ")
    assert " - one of " in lines[0]
    refuses(flow.take, "is there already", ComponentId.parse("S2"))
    refuses(flow.swap, "cards 1 to 1, so 1 and 2", 1, 2)
    refuses(flow.remove, "not among the cards: S2", ComponentId.parse("S3"))
    refuses(flow.confirm, "storyteller: Location from S2")
    flow.answer(ChoiceReading(("1",)))
    flow.confirm()
    assert table.session.state.elements[-1].card == ComponentId.parse("S2")


def test_one_card_becomes_a_level() -> None:
    table = Table()
    table.do("new-episode", *[a for s in ("S2", "S4", "S9") for a in (card(s), ChoiceReading(("1",)))])
    flow = ScanFlow.begin(table.session, For.LEVEL_UP, who="Ilse")
    assert flow.asks == "Show the Story card for Ilse's Level Up."
    flow.see(under_the_camera("S10"))
    for _ in range(2):
        flow.answer(ChoiceReading((flow.proposed.questions[0].options[0].key,)))
    flow.confirm()
    assert table.session.state.characters["Ilse"].level == 2
    refuses(ScanFlow.begin, "already levelled up", table.session, For.LEVEL_UP, who="Ilse")


def test_the_storytellers_hand_is_drawn_in_whatever_order_its_cards_lie() -> None:
    table = Table()
    flow = ScanFlow.begin(table.session, For.HAND)
    said = flow.see(under_the_camera("S2 C10 C25"))
    assert said[0].endswith(": waits until it is asked for")
    assert said[1].endswith(": Challenge card for the storyteller's hand")
    assert flow.asks == "Show the Challenge card for the storyteller's hand."
    flow.see(under_the_camera("C31 C1 S21"))
    assert flow.proposed.ready
    flow.confirm()
    assert set(table.session.state.hand) == set(ids(*HAND))


def test_a_kept_card_is_redeemed_by_showing_it() -> None:
    table = Table(hand=True)
    kept = ComponentId.parse("C2")
    table.do("add-npc", npc="Guest", dice={"flames": 1})
    table.do("effect", card("C2"), who="Ilse", do="draw-challenge", because="a gift")
    assert kept in table.session.state.characters["Ilse"].kept
    flow = ScanFlow.begin(table.session, For.CHALLENGE, who="Ilse")
    assert flow.asks == "Show the Challenge card that is played."
    refuses(flow.take, "no Challenge card", ComponentId.parse("S3"))
    refuses(flow.take, r"C9 .* is not in the storyteller's hand", ComponentId.parse("C9"))
    played = next(c for c in ids(*HAND) if str(c) == "C1")
    said = flow.see(under_the_camera(f"{played} C2"))
    meant = [words.split(": ")[1] for words in said]
    assert meant == ["the Challenge card that is played", "waits to be redeemed"]
    assert short(flow) == "C1 C2"
    refuses(flow.remove, "S99 is not among the cards: C1 and C2", ComponentId.parse("S99"))
    assert flow.asks == "Show the Challenge card for the storyteller's hand."
    flow.take(ComponentId.parse("C5"))
    flow.confirm()
    assert kept not in table.session.state.characters["Ilse"].kept
    assert table.session.pending is None or isinstance(table.session.pending, Roll)


def test_a_question_about_redeeming_that_is_open_already_is_answered_by_cards() -> None:
    table = Table(hand=True)
    table.do("effect", card("C2"), who="Ilse", do="draw-challenge", because="a gift")
    table.session.perform("challenge", who="Ilse", suit="flames", card="C1")
    table.session.answer(card("C5"))
    assert isinstance(table.session.pending, Choose)
    flow = ScanFlow.begin(table.session, For.CHALLENGE)
    assert flow.action is None
    flow.see(under_the_camera("C2"))
    flow.confirm()
    assert ComponentId.parse("C2") not in table.session.state.characters["Ilse"].kept


@pytest.mark.parametrize(
    ("purpose", "given", "words"),
    [
        (For.EPISODE, {}, "name a --playset for the season: the-kettle-moon-fair, the-lamplit-court,"),
        (For.EPISODE, {"playset": "nowhere"}, "there is no playset"),
        (For.CHARACTER, {"player": "Ada"}, "there is no season yet"),
        (For.LEVEL_UP, {}, "whose Level Up"),
        (For.CHALLENGE, {}, "whose Challenge"),
        (For.CHALLENGE, {"who": "Nobody"}, "there is no character 'Nobody'"),
    ],
)
def test_what_cannot_be_begun_is_refused_before_any_card_is_shown(purpose, given, words) -> None:
    raises(LoomtableError, words, ScanFlow.begin, Session.open(WEAVE, seed="s"), purpose, **given)


def test_where_the_computer_deals_nothing_asks_for_cards() -> None:
    session = Session.open(WEAVE, seed="s", rulings={"decks": "dealt"})
    flow = ScanFlow.begin(session, For.EPISODE, playset="the-salt-road")
    refuses(flow.take, "nothing asks for S5", ComponentId.parse("S5"))
