"""Every screen of the page, as pictures: ``python -m docs.site.page_pictures FOLDER``; needs a Chromium.

Evenings are played from the transcripts that travel with Loomtable, up to a moment worth looking at. ``--docs``
makes only the few that the documentation shows.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.readings import DiceReading
from loomtable.engine.kernel.requests import Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import replay
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.serving import served
from loomtable.table.store import open_store
from loomtable.table.store.packing import pack
from loomtable.testing.virtual import TINTS, Light, PlacedDie, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.pictures import BgrImage

SIZES = {"phone": (390, 844), "laptop": (1366, 768), "television": (1920, 1080)}
"""Name, and width and height in CSS pixels."""
LOOKS = ("light", "dark")
DOCS = ("home", "weave-roll", "weave-camera", "storm-map", "woven", "amend", "phone-player")
"""The screens that the documentation shows."""

Moment = Callable[[int, Request | None], bool]
"""Whether this is the moment: the number of the journal's line, and what is asked then."""


@dataclass(frozen=True)
class Screen:
    """One page to look at: its name, the role that looks, and its address."""

    name: str
    address: str
    role: Role | None = Role.HOST


def browser_path() -> str | None:
    """Where a Chromium is installed on this machine: the one without windows first, for it takes half the time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((found for name in names if (found := shutil.which(name))), None)


# Evenings


def evening(host: TableHost, name: str, transcript: str, moment: Moment | None = None) -> str:
    """Keep a session in the store: a transcript, played as far as a moment (or to its end); returns its name.

    Raises:
        LookupError: the moment never comes.
    """
    path = package_file("templates", "transcripts") / f"{transcript}.yaml"
    session = replay(path.read_text("utf-8"), path.name, SYSTEMS).session
    host.bring_in(pack(name, _until(session, moment)))
    return name


def _until(session: Session[Any], moment: Moment | None) -> Any:
    lines = session.lines()
    if moment is None:
        return lines
    for played in session.played:
        if moment(played.step.seq, played.pending):
            return lines[: played.step.seq + 1]
    raise LookupError("this moment never comes in the transcript")


def rolls(purpose: str) -> Moment:
    """The first moment at which a roll of this purpose is asked."""
    return lambda _, asked: isinstance(asked, Roll) and purpose in asked.purpose


def idle_after(line: int) -> Moment:
    """The first moment after a line at which nothing is asked."""
    return lambda seq, asked: seq >= line and asked is None


def asks(purpose: str) -> Moment:
    """The first moment at which something of this purpose is asked."""
    return lambda _, asked: asked is not None and purpose in asked.purpose


@contextmanager
def table_of_examples() -> Iterator[tuple[TableHost, str]]:
    """A served table with an evening of every game; the host and the beginning of its address."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "sessions.db") as store:
        host = TableHost(store)
        evening(host, "The lamp turns inland", "salt-road-evening", rolls("Gales Challenge"))
        evening(host, "Last Friday", "salt-road-evening")
        evening(host, "Before the camera", "salt-road-evening", rolls("Gales Challenge"))
        host.live_session("Before the camera").watch.show(five_dice())
        evening(host, "Hounds at the cord", "weave-hounds-at-the-cord", idle_after(58))
        evening(host, "The high road", "spellwoven-high-road", rolls("guile against Wren"))
        evening(host, "The sluice yard", "storm-weavers-sluice-yard", asks("move, round 4"))
        evening(host, "The last lamp", "mnemonic-the-last-lamp")
        evening(host, "A duel", "woven-duel", asks("Cast"))
        evening(host, "Five at the table", "woven-five-at-the-table", idle_after(70))
        evening(host, "Lantern and thread", "storm-weavers-lantern-and-thread", asks("from paragraph 3"))
        host.begin_ready("weave", seed="pictures")
        host.begin_ready("weave", from_cards=True, seed="pictures")
        host.open("The lamp turns inland")
        with served(host) as planned:
            yield host, planned.addresses.own


def screens(host: TableHost) -> list[Screen]:
    """Every screen there is, with something on it."""
    weave, hounds = _table("The lamp turns inland"), _table("Hounds at the cord")
    lines = host.live_session("The lamp turns inland").session.played
    answered = [p.step.seq for p in lines if p.step.request is not None]
    last = _table("Last Friday")
    rolled = next(
        p.step.seq for p in host.live_session("Last Friday").session.played if isinstance(p.step.what, DiceReading)
    )
    misread = "value0=gales&value1=gales&value2=strike&value3=strike&value4=strike"
    acted = [p.step.seq for p in lines if p.step.request is None]
    code = host.devices.code
    return [
        Screen("home", "/"),
        Screen("new", "/new/weave"),
        Screen("weave-roll", weave),
        Screen("weave-camera", _table("Before the camera")),
        Screen("weave-acts", hounds),
        Screen("weave-ready", _table("Nine thousand lamps")),
        Screen("weave-cards", _table("Weave")),
        Screen("weave-form", f"{hounds}?do=challenge"),
        Screen("spellwoven", _table("The high road")),
        Screen("storm-map", _table("The sluice yard")),
        Screen("mnemonic", _table("The last lamp")),
        Screen("woven-cast", _table("A duel")),
        Screen("woven", _table("Five at the table")),
        Screen("storm-page", _table("Lantern and thread")),
        Screen("journal", f"{weave}/journal"),
        Screen("chronicle", f"{last}/chronicle"),
        Screen("chronicle-woven", f"{_table('Five at the table')}/chronicle"),
        Screen("then", f"{weave}/journal/{answered[3]}"),
        Screen("amend", f"{last}/journal/{rolled}/amend?{misread}"),
        Screen("strike", f"{weave}/journal/{acted[-1]}/strike"),
        Screen("back", f"{weave}/journal/{acted[-1]}/back"),
        Screen("season", f"{weave}/season"),
        Screen("emblems", f"{weave}/emblems"),
        Screen("rulings", f"{weave}/rulings"),
        Screen("devices", "/devices"),
        Screen("join", "/join", None),
        Screen("join-code", f"/join?code={code}", None),
        Screen("print", "/print"),
        Screen("help", "/help"),
        Screen("trouble", "/no-such-page"),
        Screen("room", weave.replace("/table/", "/room/"), Role.SCREEN),
        Screen("room-map", "/room/The%20sluice%20yard"),
        Screen("room-woven", "/room/Five%20at%20the%20table"),
        Screen("phone-player", weave, Role.PLAYER),
        Screen("phone-camera", weave.replace("/table/", "/camera/"), Role.CAMERA),
    ]


@cache
def five_dice() -> BgrImage:
    """Five ordinary dice on felt, as a camera sees them."""
    lamp = Light(azimuth=200, elevation=58, distance=1100, size=9, sky=0.7)
    places = ((3, -70, 12), (6, -32, -14), (1, 6, 16), (5, 44, -10), (2, 82, 14))
    dice = tuple(
        PlacedDie(face, x, y, 19 * at, body=(236, 230, 214), pips=(18, 18, 20))
        for at, (face, x, y) in enumerate(places)
    )
    camera = VirtualCamera(height=250, tilt=6, frame=(1280, 720), noise=0.8)
    scene = Scene(Surface("felt", TINTS["felt"][0], 3), (), dice, lamp)
    picture = np.asarray(photograph(scene, camera, 3).picture, np.uint8)
    picture.setflags(write=False)
    return picture


def _table(session: str) -> str:
    return f"/table/{quote(session)}"


# Pictures


class Onlooker:
    """Browsers that have joined in each role, and look at pages."""

    def __init__(self, browser: Any, host: TableHost, base: str) -> None:
        self._browser = browser
        self._host = host
        self._base = base
        self._tokens: dict[Role, str] = {}

    def page(self, role: Role | None, size: tuple[int, int], look: str) -> Any:
        """A new page of a device of this role, of this size and look."""
        width, height = size
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=look, reduced_motion="reduce"
        )
        if role is not None:
            port = self._base.rpartition(":")[2]
            cookie = {"name": f"loomtable-{port}", "value": self._token(role), "url": self._base}
            context.add_cookies([cookie])
        return context.new_page()

    def _token(self, role: Role) -> str:
        if role not in self._tokens:
            person = "Ada" if role is Role.PLAYER else ""
            self._tokens[role] = self._host.devices.admit(role, person, self._host.opened)[1]
        return self._tokens[role]


_WITH_EVERY_PICTURE = """async () => {
  document.querySelectorAll("img").forEach((one) => { one.loading = "eager"; });
  await Promise.all([...document.images].map((one) => one.decode().catch(() => null)));
  await document.fonts.ready;
}"""
"""Pictures below the fold are loaded late; a picture of the whole page waits for them."""


def make_page_pictures(
    folder: Path, *, docs: bool = False, only: Sequence[str] = (), sizes: Sequence[str] = tuple(SIZES)
) -> list[Path]:
    """Write a picture of every screen (or those in ``only``) at every size, light and dark, into ``folder``.

    Raises:
        RuntimeError: no Chromium is installed.
    """
    from playwright.sync_api import sync_playwright

    chromium = browser_path()
    if chromium is None:
        raise RuntimeError("no Chromium is installed; the pictures need one")
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    with table_of_examples() as (host, base), sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        onlooker = Onlooker(browser, host, base)
        chosen = only or (DOCS if docs else ())
        wanted = [one for one in screens(host) if not chosen or one.name in chosen]
        for size in sizes:
            for look in LOOKS[:1] if docs else LOOKS:
                pages: dict[Role | None, Any] = {}
                for screen in wanted:
                    if docs and size != ("phone" if screen.name.startswith("phone") else "laptop"):
                        continue
                    if screen.role not in pages:
                        pages[screen.role] = onlooker.page(screen.role, SIZES[size], look)
                    page = pages[screen.role]
                    page.goto(base + screen.address, wait_until="load")
                    page.evaluate(_WITH_EVERY_PICTURE)
                    path = folder / (f"page-{screen.name}.jpg" if docs else f"{screen.name}-{size}-{look}.png")
                    kept = {"type": "jpeg", "quality": 82} if docs else {}
                    page.screenshot(path=str(path), full_page=not docs, **kept)
                    made.append(path)
                for page in pages.values():
                    page.context.close()
        browser.close()
    return made


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Pictures of every screen of the page.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--docs", action="store_true", help="only what the documentation shows, small")
    parser.add_argument("--only", nargs="*", default=(), help="screens by their names")
    parser.add_argument("--size", nargs="*", default=tuple(SIZES), choices=tuple(SIZES))
    given = parser.parse_args()
    for written in make_page_pictures(given.folder, docs=given.docs, only=given.only, sizes=given.size):
        print(written)
