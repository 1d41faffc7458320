"""Several cards shown at once: they answer one question after another, where a row of them is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, Source
from loomtable.engine.kernel.requests import ShowCard
from loomtable.table.hosting.card_row import CardRow, as_row
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.proposals import Taking
from loomtable.table.reading.answers import CameraAnswer
from loomtable.table.store import open_store
from loomtable.vision.camera import PictureRun
from tests.short import present
from tests.table.filming import again, coded, until, watching

BLANK = np.zeros((90, 160, 3), np.uint8)


@pytest.fixture
def woven(tmp_path: Path) -> Iterator[LiveSession]:
    """A draft at the table: Ada shows the seven spells that she kept, then Ben."""
    with TableHost(open_store(tmp_path / "e.db")) as host:
        yield host.begin_ready("woven", from_cards=True, seed="cards")


def spells(live: LiveSession, count: int) -> tuple[ComponentId, ...]:
    asked = live.session.pending
    assert isinstance(asked, ShowCard)
    return tuple(ComponentId(asked.kind, number) for number in asked.among[:count])


def show(live: LiveSession, cards: Sequence[ComponentId]) -> None:
    """The camera has read these cards, none in doubt."""
    watch, asked = live.watch, live.session.pending
    assert asked is not None
    seen = as_row(live.session, CameraAnswer("several", cards=tuple(cards)))
    watch.proposals.offer(asked, live.revision, seen, BLANK)


def take(live: LiveSession) -> None:
    watch = live.watch
    watch.proposals.accept(present(watch.proposals.current).number, by="Ada's phone", revision=live.revision)


def kept(live: LiveSession) -> list[ComponentId]:
    return [one.step.what.card for one in live.session.played if isinstance(one.step.what, CardReading)]


def test_seven_spells_are_kept_by_one_press(woven: LiveSession) -> None:
    cards = spells(woven, 7)
    show(woven, cards)
    take(woven)
    assert kept(woven) == list(cards)
    assert {line.who for line in woven.lines()[-7:]} == {"Ada's phone"}
    assert woven.session.pending is not None and woven.session.pending.by == "Ben"


def test_a_row_does_not_run_on_into_what_another_player_is_asked(woven: LiveSession) -> None:
    show(woven, spells(woven, 8))
    watch = woven.watch
    assert watch.proposals.current is not None and watch.proposals.current.answer is None


def test_cards_that_one_player_has_laid_answer_no_question_of_another(woven: LiveSession) -> None:
    """The question may have changed since the row was taken."""
    show(woven, spells(woven, 7))
    take(woven)
    asked, cards = woven.session.pending, spells(woven, 2)
    assert asked is not None and asked.by == "Ben"
    for who, meant in (("Ada", False), ("Ben", True)):
        row = CardRow(cards, shown_by=who, taken_by="the host")
        assert row.still_asked(asked) is meant
        assert row.answer(asked) == (CardReading(cards[0], Source.CAMERA) if meant else None)
    assert CardRow(shown_by="Ben").answer(asked) is None, "the row is at its end"


def test_where_one_card_is_asked_for_several_are_not_taken(tmp_path: Path) -> None:
    with TableHost(open_store(tmp_path / "e.db")) as host:
        live = host.begin_ready("mnemonic", from_cards=True, seed="cards")
        asked = live.session.pending
        assert isinstance(asked, ShowCard)
        cards = tuple(ComponentId(asked.kind, number) for number in asked.among[:2])
        assert as_row(live.session, CameraAnswer("several", cards=cards)).answer is None


def test_what_is_taken_back_is_not_taken_again_by_the_row(tmp_path: Path) -> None:
    with TableHost(open_store(tmp_path / "e.db")) as host:
        live = host.begin_ready("weave", from_cards=True, seed="cards")
        live.take(_first_option(live), by="", revision=live.revision)
        show(live, spells(live, 3))
        take(live)
        assert len(live.watch.proposals.row.cards) == 2
        live.undo(by="", revision=live.revision)
        assert live.watch.proposals.row.cards == () and isinstance(live.session.pending, ShowCard)


def test_a_row_waits_for_a_person_where_one_sure_card_is_taken_at_once(woven: LiveSession) -> None:
    cards = spells(woven, 3)
    runs = [PictureRun([*again(coded(), 6), *again(coded(*some), 9)]) for some in (cards, cards[:1])]
    watch = watching(woven, *runs)
    watch.proposals.taking = Taking.AT_ONCE
    watch.camera.start("0")
    until(lambda: not watch.camera.on)
    assert present(watch.proposals.current).answer is not None and kept(woven) == []
    watch.camera.start("0")
    until(lambda: not watch.camera.on)
    assert kept(woven) == [cards[0]]


def test_a_row_ends_when_something_else_is_begun(woven: LiveSession) -> None:
    cards = spells(woven, 7)
    show(woven, cards[:3])
    take(woven)
    assert len(kept(woven)) == 3 and woven.watch.proposals.row.cards == ()
    show(woven, cards[3:])
    take(woven)
    assert kept(woven) == list(cards)


def _first_option(live: LiveSession) -> CardReading | Action:
    import random

    from loomtable.engine.kernel.chance import random_answer

    asked = live.session.pending
    return random_answer(present(asked), random.Random(1))  # type: ignore[return-value]
