"""An evening at one table on every screen at once: ``python -m tests.evening_together``; needs a Chromium.

A laptop (1280x800), a television (1920x1080) and two phones (390x844) follow one session of each game, a whole
evening that ships. Dice that an ordinary d6 can stand for are filmed by the virtual camera; the video file is the
session's camera, and what was read of it is taken by one press. Other dice are tapped, everything else is played
beside the pages. Every screen has to show what came of each roll, and the television must not tell what is hidden.
Printed at the end: how often that was looked at, and how long it took from the press to each screen.
"""

from __future__ import annotations

import argparse
import html
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from docs.site.page_pictures import browser_path
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.readings import DiceReading
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.transcript import replay
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import ROOM, Device, Role
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.pages.result_view import as_room, result_shown
from loomtable.table.store.packing import pack
from loomtable.testing.virtual import TINTS, Light, PlacedDie, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.camera import open_source
from loomtable.vision.dice import warm_up
from tests.table.browsing import Served, serving
from tests.table.hidden_cards import secrets_of, told_in

EVENINGS = {
    "weave": "weave-an-hour-ahead",
    "spellwoven": "spellwoven-the-nineteenth-piece",
    "storm-weavers": "storm-weavers-lantern-and-thread",
    "mnemonic": "mnemonic-into-the-grey",
    "woven": "woven-duel",
}
PLAYERS = ("Ada", "Ben")
SIZES = {"laptop": (1280, 800), "television": (1920, 1080), "Ada": (390, 844), "Ben": (390, 844)}
EMPTY, LYING, HURRIED = 4, 240, 40
"""Pictures of the film: of the empty table, of the dice at rest, and of those where none is passed over."""
PATIENCE = 60.0
"""Seconds after which dice that were not read are tapped, on a busy machine."""
_NOTES_RESULTS = """() => {
  const box = document.getElementById("result");
  window.shown = {};
  const look = () => { if (!box.hidden && box.dataset.seq) window.shown[box.dataset.seq] ??= Date.now(); };
  new MutationObserver(look).observe(box, { attributes: true });
}"""
_TAKES = """() => { window.pressed = Date.now(); document.getElementById("accept").click(); }"""


@dataclass
class Evening:
    """What was seen of one."""

    key: str
    rolls: int = 0
    by_camera: int = 0
    tapped: int = 0
    """Rolls that the camera was to read, and that had to be tapped: it cannot know such dice, or did not."""
    results: int = 0
    """Results that every screen which may know of it has shown."""
    looked_for_hidden: int = 0
    """Times at which something was hidden, and the television did not tell it."""
    seconds: list[float] = field(default_factory=list)
    """From the press on *Take it* to the result on each screen."""


class Together:
    """Four screens that follow one session."""

    def __init__(self, table: Served, live: LiveSession, folder: Path, *, hurried: bool) -> None:
        self.live, self.folder, self.hurried = live, folder, hurried
        self.pages: dict[str, Any] = {}
        if hurried:  # the film is not played at a camera's pace, so that no picture is missed on a busy machine
            live.watch = TableWatch(live, open_source)
        self.devices: dict[str, Device] = {}
        roles = {"laptop": Role.HOST, "television": Role.SCREEN, **dict.fromkeys(PLAYERS, Role.PLAYER)}
        for name, role in roles.items():
            person = name if role is Role.PLAYER else ""
            page = table.page(role, person, "" if role is Role.HOST else live.name, reads=True)
            width, height = SIZES[name]
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{table.base}/{'room' if role is Role.SCREEN else 'table'}/{live.name}")
            page.evaluate(_NOTES_RESULTS)
            self.pages[name] = page
            self.devices[name] = table.host.devices.all()[-1]

    def caught_up(self) -> None:
        """Wait until every screen shows the session as it is now."""
        for page in self.pages.values():
            page.wait_for_function(
                "n => [...document.querySelectorAll('input[name=revision]')].every((one) => +one.value >= n)",
                arg=self.live.revision,
            )

    def roll(self, asked: Roll, answer: DiceReading, seen: Evening) -> None:
        """Throw the dice of the evening before the camera, or tap them; then look at every screen."""
        pips = pips_of(asked, answer)
        pressed = bool(pips) and self._filmed(pips, self.pages["laptop"])
        if pressed:
            seen.by_camera += 1
        else:
            seen.tapped += 1
            self.live.take(answer, by="Ada", revision=self.live.revision)
        self.results(seen, pressed=pressed)

    def results(self, seen: Evening, *, pressed: bool = False) -> None:
        """Every screen shows what came of the step, where it settled a roll and as far as it may know."""
        presser = self.pages["laptop"]
        for name, page in self.pages.items():
            with self.live.held() as session:
                device = as_room(self.devices[name]) if name == "television" else self.devices[name]
                result = result_shown(session, device)
            if result is None or not result.settled or result.seq < self.live.revision - 1:
                continue
            page.wait_for_function("seq => window.shown[seq]", arg=str(result.seq))
            said = page.locator("#result").inner_text()
            assert not result.verdict or result.verdict.casefold() in said.casefold(), (name, result.verdict, said)
            if pressed:
                at = page.evaluate("seq => window.shown[seq]", str(result.seq))
                seen.seconds.append((at - presser.evaluate("window.pressed")) / 1000)
            seen.results += 1

    def _filmed(self, pips: Sequence[int], presser: Any) -> bool:
        """Film the dice, and press *Take it* once they are read; whether they were, and rightly."""
        watch, before = self.live.watch, self.live.revision
        path = film(pips, before, self.folder / f"{before}.avi", HURRIED if self.hurried else LYING)
        try:
            watch.camera.start(str(path))
            until = time.monotonic() + PATIENCE
            while watch.camera.on and watch.proposals.current is None and time.monotonic() < until:
                time.sleep(0.05)
            read = watch.proposals.current
            if read is None or read.answer is None or sorted(int(d.face) for d in read.dice) != sorted(pips):
                return False
            presser.locator("#accept").wait_for()
            presser.evaluate(_TAKES)
            while self.live.revision == before and time.monotonic() < until:
                time.sleep(0.005)
            return True
        finally:
            watch.stop()
            path.unlink()

    def hides(self, seen: Evening) -> None:
        """The television tells nothing that is hidden from the room."""
        with self.live.held() as session:
            hidden = secrets_of(session).untold(ROOM)
        if hidden:
            told = told_in(html.unescape(self.pages["television"].content()), hidden)
            assert not told, told
            seen.looked_for_hidden += 1


def pips_of(asked: Roll, answer: DiceReading) -> list[int]:
    """What ordinary dice would show for this answer; nothing where they cannot stand for those that are asked."""
    if asked.die is Die.D6:
        return [int(str(one.face)) for one in answer.dice]
    if not asked.stand_in:
        return []
    return [asked.stand_in.index(str(one.face)) + 1 for one in answer.dice]


def film(pips: Sequence[int], seed: int, path: Path, lying: int) -> Path:
    """A video file: the empty table, then dice at rest, as the virtual camera sees them."""
    camera = VirtualCamera(height=250, tilt=6, frame=(1280, 720), noise=0.8)
    felt = Surface("felt", TINTS["felt"][0], 3)
    lamp = Light(azimuth=200, elevation=58, distance=1100, size=9, sky=0.7)
    half, chance = (len(pips) - 1) / 2, np.random.default_rng(seed)
    dice = tuple(
        PlacedDie(face, 36 * (at - half), float(chance.uniform(-18, 18)), float(chance.uniform(0, 90)))
        for at, face in enumerate(pips)
    )
    written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (1280, 720))
    for count, laid in ((EMPTY, ()), (lying, dice)):
        picture = photograph(Scene(felt, (), laid, lamp), camera, 3).picture
        for _ in range(count):
            written.write(picture)
    written.release()
    return path


def play(
    table: Served, key: str, folder: Path, *, filmed: int, most: int | None = None, hurried: bool = False
) -> Evening:
    """Play an evening to its end, or to its roll ``most``; so many of its rolls are filmed. ``hurried`` plays the
    film as fast as it is read."""
    path = package_file("templates", "transcripts") / f"{EVENINGS[key]}.yaml"
    written = replay(path.read_text("utf-8"), path.name, SYSTEMS).session
    live = table.host.bring_in(pack(key, written.lines()[:1]))  # begun by its own rulings, not as usual
    screens, seen = Together(table, live, folder, hurried=hurried), Evening(key)
    for played in written.played:
        what, asked = played.step.what, live.session.pending
        if isinstance(asked, Roll) and isinstance(what, DiceReading):
            if seen.rolls == most:
                break
            seen.rolls += 1
            screens.caught_up()
            if seen.by_camera < filmed:
                screens.roll(asked, what, seen)
            else:
                live.take(what, by="Ada", revision=live.revision)
                screens.results(seen)
            screens.hides(seen)
        else:
            live.take(what, by="Ada", revision=live.revision)
            screens.results(seen)
    else:
        assert live.session.state == written.state, "another evening was played"
    screens.hides(seen)
    for page in screens.pages.values():
        page.context.close()
    return seen


def main() -> None:
    """Play an evening of each game, and print what was seen."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", nargs="*", default=sorted(EVENINGS), choices=sorted(EVENINGS))
    parser.add_argument("--filmed", type=int, default=8, help="so many rolls of each game are read by the camera")
    given = parser.parse_args()
    warm_up()
    print("| game | rolls | read by camera | tapped | results seen | television looked at | p50 | p95 |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for key in given.game:
            with tempfile.TemporaryDirectory() as folder, serving(browser, Path(folder)) as table:
                seen = play(table, key, Path(folder), filmed=given.filmed)
            print(
                f"| {key} | {seen.rolls} | {seen.by_camera} | {seen.tapped} | {seen.results} "
                f"| {seen.looked_for_hidden} | {_share(seen.seconds, 0.5)} | {_share(seen.seconds, 0.95)} |",
                flush=True,
            )
        browser.close()
    print(f"\nThe machine's load was {os.getloadavg()[0]:.1f}.")


def _share(seconds: list[float], share: float) -> str:
    ordered = sorted(seconds)
    return f"{1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]:.0f} ms" if ordered else ""


if __name__ == "__main__":
    main()
