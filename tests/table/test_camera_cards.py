"""Cards that are shown to the camera."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, Source
from loomtable.engine.kernel.requests import ShowCard
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.store import open_store
from loomtable.vision.camera import PictureRun
from loomtable.vision.pictures import BgrImage
from tests.table.asking import Asker, Table
from tests.table.filming import LONGEST, again, coded, until, watching
from tests.vision.tagged_cards import forged, photographed


def test_a_card_that_is_shown_answers_and_one_that_lay_there_before_does_not(tmp_path: Path) -> None:
    with TableHost(open_store(tmp_path / "e.db")) as runs:
        live = runs.begin("weave", "friday", seed="1")
        table = Table(runs, hurried=True)
        host = table.join(Role.HOST)
        ada, ben, screen = table.join(Role.PLAYER, "Ada"), table.join(Role.PLAYER, "Ben"), table.join(Role.SCREEN)
        host.play("act", action="new-season", arg__playset="the-salt-road")
        source = random.Random(2)
        while not isinstance(asked := live.session.pending, ShowCard):
            if asked is None:
                host.play("act", action="add-character", arg__player="Ada")
            else:
                live.take(random_answer(asked, source), by="", revision=live.revision)
        first, second = (ComponentId(asked.kind, number) for number in asked.among[:2])
        both = [*again(coded(first), 4), *again(coded(first, second), 9)]
        watch = watching(live, PictureRun(both[:4]), PictureRun(both[4:]))
        watch.camera.start("0")
        until(lambda: not watch.camera.on)
        assert watch.proposals.current is not None and watch.proposals.current.answer == CardReading(
            first, Source.CAMERA
        )
        assert screen.get("/api/play/friday/camera").json["proposal"] is None
        for asker, own in ((ada, asked.by == "Ada"), (ben, False)):
            assert (asker.get("/api/play/friday/camera").json["proposal"] is not None) is own
            assert (asker.get("/api/play/friday/camera.jpg").status == 200) is own
        host.play("camera-accept", proposal=watch.proposals.current.number)
        while not isinstance(asked := live.session.pending, ShowCard):
            assert asked is not None
            live.take(random_answer(asked, source), by="", revision=live.revision)
        assert first.number not in asked.among
        watch.camera.start("0")  # the first card still lies there, and the second one beside it
        until(lambda: not watch.camera.on)
        assert watch.proposals.current is not None and watch.proposals.current.answer == CardReading(
            second, Source.CAMERA
        )


def test_of_two_cards_the_one_that_was_laid_after_the_question_is_meant(tmp_path: Path) -> None:
    """Ada lays a card and says another; it still lies there when the next one is asked for."""
    with TableHost(open_store(tmp_path / "e.db")) as runs:
        live = runs.begin("weave", "friday", seed="1")
        live.take(Action("new-season", {"playset": "the-salt-road"}), by="", revision=live.revision)
        source = random.Random(2)

        def next_card() -> ShowCard:
            while not isinstance(asked := live.session.pending, ShowCard):
                what = Action("add-character", {"player": "Ada"})
                step = what if asked is None else random_answer(asked, source)
                live.take(step, by="", revision=live.revision)
            return asked

        asked = next_card()
        lies, laid, said = (ComponentId(asked.kind, number) for number in asked.among[:3])
        answered = threading.Event()

        def run() -> Iterator[BgrImage]:
            yield from again(coded(lies), 4)
            assert answered.wait(LONGEST)
            yield from again(coded(lies), 2)
            yield from again(coded(lies, laid), 9)

        watch = watching(live, PictureRun(run()))
        watch.camera.start("0")
        until(lambda: watch.proposals.current)
        live.take(CardReading(said), by="Ada", revision=live.revision)
        asked = next_card()
        assert {lies.number, laid.number} <= set(asked.among), "both could be meant"
        answered.set()
        until(lambda: not watch.camera.on)
        assert watch.proposals.current is not None and watch.proposals.current.answer == CardReading(
            laid, Source.CAMERA
        )


@pytest.fixture
def season(tmp_path: Path) -> Iterator[Table]:
    """A season of Weave in which nothing is asked, and the storyteller is about to draw a hand."""
    with TableHost(open_store(tmp_path / "e.db")) as runs:
        live = runs.begin("weave", "friday", seed="1")
        source = random.Random(2)
        live.take(Action("new-season", {"playset": "the-salt-road"}), by="", revision=live.revision)
        while (asked := live.session.pending) is not None:
            live.take(random_answer(asked, source), by="", revision=live.revision)
        yield Table(runs, hurried=True)


def filmed(table: Table, *cards: ComponentId) -> TableWatch:
    """The camera looks at these cards until its recording ends."""
    watch = watching(table.host.live_session("friday"), PictureRun(again(coded(*cards), 9)))
    watch.camera.start("0")
    until(lambda: not watch.camera.on)
    return watch


def everybody_else(table: Table) -> list[Asker]:
    return [table.join(Role.PLAYER, "Ada"), table.join(Role.SCREEN), table.join(Role.CAMERA)]


def test_a_hand_that_is_laid_out_while_nothing_is_asked_is_seen_by_the_host_alone(season: Table) -> None:
    watch = filmed(season, ComponentId.parse("C7"))
    assert watch.camera.frame is not None
    host, ada, screen = season.join(Role.HOST), season.join(Role.PLAYER, "Ada"), season.join(Role.SCREEN)
    assert host.get("/api/play/friday/camera.jpg").status == 200
    for asker in (ada, screen):
        for close in ("", "?close=1"):
            answer = asker.get(f"/api/play/friday/camera.jpg{close}")
            assert (answer.status, answer.headers["content-type"]) == (403, "application/json")
        assert asker.get("/api/play/friday/camera").json["proposal"] is None


def test_what_the_camera_says_of_a_card_is_told_to_nobody_who_is_not_asked(season: Table) -> None:
    """The storyteller's card has another one's tag, and the camera asks which of the two it is."""
    host = season.join(Role.HOST)
    host.play("act", action="draw-hand")
    picture, seen = photographed(forged("S7", "S9")), threading.Event()

    def run() -> Iterator[BgrImage]:
        while "S7" not in watch.says:
            yield picture
        assert seen.wait(LONGEST)

    watch = watching(season.host.live_session("friday"), PictureRun(run()))
    watch.camera.start("0")
    until(lambda: "S7: its code says S7 and its tag says S9" in watch.says)
    told = [asker.get("/api/play/friday/camera").json["says"] for asker in (host, *everybody_else(season))]
    seen.set()
    assert told == [watch.says, "", "", ""]


def test_a_phone_that_photographs_a_card_does_not_show_which_one_it_was(season: Table) -> None:
    """It lies on the table with its screen up; the storyteller's own page says it."""
    host, phone = season.join(Role.HOST), season.join(Role.CAMERA)
    host.play("act", action="draw-hand")
    card = ComponentId.parse("C7")
    body = cv2.imencode(".png", coded(card))[1].tobytes()
    sent = phone.ask(
        "POST", "/api/play/friday/photo", body, {"content-type": "image/png", "sec-fetch-site": "same-origin"}
    )
    assert (sent.json["says"], sent.json["sure"]) == ("The photograph has been read.", True)
    assert "C7" in host.get("/api/play/friday/camera").json["proposal"]["says"]
    assert not any("C7" in asker.get("/api/play/friday/camera").text for asker in everybody_else(season))
