"""Two cameras at one table: one over a tray, where the dice are read, and one over everything else."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.requests import Roll
from loomtable.table.commands.table import _opened
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.reading.scene import REST_AFTER
from loomtable.vision.pictures import BgrImage, write_picture
from tests.short import present
from tests.systems import weave_table
from tests.table.asking import Table
from tests.table.filming import TWO, Dying, again, shot, until
from tests.table.hands_on import FRAME, NEAR, Evening, table_with
from tests.vision.needed import needs_networks

LYING = table_with({"C10": NEAR, "R1": (300, 90)})


@pytest.fixture
def evening(friday: Table) -> Iterator[Evening]:
    begun = Evening(weave_table.Table().session, friday.host.live_session("friday"))
    begun.film(table_with({}), FRAME, shot(()))
    begun.watch.begin_anew()
    begun.film(table_with({}), REST_AFTER + 1, shot(()))
    yield begun
    begun.watch.stop()


@needs_networks
def test_a_card_on_the_table_and_dice_in_the_tray_are_one_challenge(evening: Evening) -> None:
    evening.film(LYING, COUNTDOWN + 1.5, shot(()))
    assert isinstance(evening.session.pending, Roll)
    dice = (*TWO, replace(TWO[0], value=4, x=15, y=50))
    evening.film(LYING, FRAME, shot([replace(die, x=die.x + 20, turn=die.turn + 40) for die in dice], 20))
    evening.film(LYING, 1.6, shot(dice))
    proposal = present(evening.watch.proposals.current)
    assert proposal.picture.shape == shot(()).shape, "the dice are shown where they lie"
    assert len(proposal.dice) == len(dice)
    evening.film(LYING, COUNTDOWN, shot(dice))
    assert not isinstance(evening.session.pending, Roll)


@needs_networks
def test_dice_that_the_other_camera_sees_are_no_roll(evening: Evening) -> None:
    evening.film(LYING, COUNTDOWN + 1.5, shot(()))
    on_table = LYING.copy()
    on_table[260:710, 440:1240] = shot(TWO)
    evening.film(on_table, COUNTDOWN + 2, shot(()))
    assert isinstance(evening.session.pending, Roll)


def test_both_are_drawn_on_the_live_picture_and_either_can_be_switched_off(
    friday: Table, evening: Evening, tmp_path: Path
) -> None:
    host, watch = friday.join(Role.HOST), evening.watch
    for name, picture in (("table", LYING), ("tray", shot(()))):
        (tmp_path / name).mkdir()
        write_picture(tmp_path / name / "1.png", picture)
    watch.stop()
    assert host.play("camera-choose", camera=str(tmp_path / "tray"), tray="yes").status == 409
    opened = _opened(friday.host, "friday", [str(tmp_path / "table"), str(tmp_path / "tray")])
    until(lambda: watch.camera.frame is not None and watch.tray.frame is not None)
    assert (opened, watch.name) == ("friday", f"{tmp_path / 'table'}, with {tmp_path / 'tray'} for the dice")
    high, wide = present(watch.camera.frame).shape[:2]
    drawn = host.get("/api/play/friday/camera.jpg").body
    seen = cv2.imdecode(np.frombuffer(drawn, np.uint8), cv2.IMREAD_COLOR)
    assert seen.shape[1] / seen.shape[0] == pytest.approx(wide / high + 800 / 450, rel=0.01)
    assert host.play("camera-stop", tray="yes").status == 200
    assert (watch.tray.name, watch.camera.name) == ("", str(tmp_path / "table"))
    with pytest.raises(LoomtableError, match="twice at most"):
        _opened(friday.host, "friday", ["a", "b", "c"])


@needs_networks
def test_when_one_camera_is_lost_the_other_goes_on_and_the_page_says_which_is_gone(
    friday: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loomtable.table.hosting.watcher.AGAIN_AFTER", 0.05)
    live, host, tv = friday.host.live_session("friday"), friday.join(Role.HOST), friday.join(Role.SCREEN)
    over_tray = threading.Event()

    def tray() -> Iterator[BgrImage]:
        while not watch.camera.lease.lost:
            yield from again(shot(()), 1)
        while not over_tray.is_set():
            yield from again(shot(TWO), 1)

    runs = {"0": iter([Dying(again(LYING, 3), "camera 0")]), "1": iter([Dying(tray(), "camera 1")])}
    watch = live.watch = TableWatch(live, lambda spec: next(runs[spec], None) or Dying(iter(()), f"camera {spec}"))
    watch.start("0")
    watch.start("1", tray=True)
    until(lambda: watch.proposals.current)
    assert len(present(watch.proposals.current).dice) == len(TWO)
    gone = "The camera over the table (camera 0) has stopped and is tried again; the one over the tray still reads"
    assert all(gone in page for page in (host.get("/table/friday").text, tv.get("/room/friday").text))
    assert host.get("/api/play/friday/camera.jpg").status == 200, "the tray is still shown"
    runs["0"] = iter([Dying(itertools.cycle(again(LYING, 3)), "camera 0")])
    until(lambda: not watch.trouble)
    over_tray.set()
    until(lambda: watch.trouble)
    gone = (
        "The camera over the tray (camera 1) has stopped and is tried again; the other one still reads the table"
    )
    assert all(gone in page for page in (host.get("/table/friday").text, tv.get("/room/friday").text))
    watch.stop()
