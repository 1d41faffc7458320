"""Cards that are shown to the camera."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, Source
from loomtable.engine.kernel.requests import ShowCard
from loomtable.printkit.draw.codes import modules
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from loomtable.vision.camera import PictureRun
from loomtable.vision.pictures import BgrImage
from tests.table.asking import Table
from tests.table.filming import LONGEST, again, until, watching


def coded(*cards: ComponentId) -> BgrImage:
    """A table with these cards' codes on it, side by side."""
    picture = np.full((360, 640, 3), 150, np.uint8)
    for place, card in enumerate(cards):
        code = np.where(np.array(modules(card.code)), 0, 255).astype(np.uint8)
        plate = np.kron(np.pad(code, 4, constant_values=255), np.ones((5, 5), np.uint8))
        x = 30 + 200 * place
        picture[90 : 90 + plate.shape[0], x : x + plate.shape[1]] = plate[..., None]
    return picture


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
        watch.start("0")
        until(lambda: not watch.on)
        assert watch.proposal is not None and watch.proposal.answer == CardReading(first, Source.CAMERA)
        assert screen.get("/api/play/friday/camera").json["proposal"] is None
        for asker, own in ((ada, asked.by == "Ada"), (ben, False)):
            assert (asker.get("/api/play/friday/camera").json["proposal"] is not None) is own
            assert (asker.get("/api/play/friday/camera.jpg").status == 200) is own
        host.play("camera-accept", proposal=watch.proposal.number)
        while not isinstance(asked := live.session.pending, ShowCard):
            assert asked is not None
            live.take(random_answer(asked, source), by="", revision=live.revision)
        assert first.number not in asked.among
        watch.start("0")  # the first card still lies there, and the second one beside it
        until(lambda: not watch.on)
        assert watch.proposal is not None and watch.proposal.answer == CardReading(second, Source.CAMERA)


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
        watch.start("0")
        until(lambda: watch.proposal)
        live.take(CardReading(said), by="Ada", revision=live.revision)
        asked = next_card()
        assert {lies.number, laid.number} <= set(asked.among), "both could be meant"
        answered.set()
        until(lambda: not watch.on)
        assert watch.proposal is not None and watch.proposal.answer == CardReading(laid, Source.CAMERA)
