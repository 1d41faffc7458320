"""``loom table``: an evening on the page - in the browser of this machine, and on phones where that is wanted."""

from __future__ import annotations

import logging
import sys
import threading
import time
import webbrowser
from typing import TYPE_CHECKING, Annotated

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.wording import listed
from loomtable.table.commands.letters import can_be_written
from loomtable.table.commands.options import camera_option, option, session_option
from loomtable.table.commands.output import DEFAULT_STORE, StoreAt, say, warn

if TYPE_CHECKING:
    from loomtable.table.hosting.host import TableHost
    from loomtable.table.serving import Plan

logger = logging.getLogger(__name__)

PORT = 8417


def table(
    session: Annotated[str | None, session_option("Open this session at once.")] = None,
    store: StoreAt = DEFAULT_STORE,
    camera: Annotated[
        list[str] | None,
        camera_option(
            "Watch with this camera: its number, its address, or a recording. A second sees a tray for the dice."
        ),
    ] = None,
    hands: Annotated[
        bool, option("--hands", "Let hands lead: cards, dice and figures in front of the camera are the controls.")
    ] = False,
    lan: Annotated[
        bool, option("--lan", "Let phones and televisions on the same network join, with one code.")
    ] = False,
    port: Annotated[int, option("--port", "The port of the page.", "N", min=1, max=65534)] = PORT,
    open_: Annotated[bool, option("--open/--no-open", "Open the page in the browser.")] = True,
) -> None:
    """Open the table as a page in the browser: choose a game, play it, read dice, print, go back and forth."""
    from loomtable.table.hosting.host import TableHost, table_folder
    from loomtable.table.serving import plan, serve
    from loomtable.table.store import open_store

    folder = table_folder()
    with TableHost(open_store(store), folder / "devices.json") as host:
        host.hands_lead = hands
        opened = _opened(host, session, camera or [])
        planned = plan(port, lan=lan, folder=folder)
        door = _Door(host, planned, opened)
        serve(host, planned, lambda: door.open(open_))
        host.store.confirm_kept()
    say("The table is closed; everything is saved.")


def _opened(host: TableHost, session: str | None, cameras: list[str]) -> str:
    """The session that is open from the beginning, with its cameras watching it; none at all otherwise."""
    if len(cameras) > 2:
        raise LoomtableError("give --camera twice at most: one over the table, and one over a tray for the dice")
    if session is None:
        if cameras:
            raise LoomtableError("--camera watches one session; name it with --session, or choose it on the page")
        return ""
    if session not in (known := host.store.sessions()):
        raise LoomtableError(
            f"there is no session {session!r}; there is {listed(map(repr, known)) or 'none yet'}. "
            "Without --session you choose or begin one on the page"
        )
    live = host.open(session)
    for number, camera in enumerate(cameras):
        live.watch.start(camera, tray=number > 0)
    return live.name


class _Door:
    """Lets devices in: the table's code on the terminal, and a host's."""

    def __init__(self, host: TableHost, planned: Plan, session: str) -> None:
        self._host = host
        self._plan = planned
        self._session = session

    def open(self, browser: bool) -> None:
        """Say where the table is, and with which code devices join."""
        url = self._own_link()
        say(f"The table is open at {self._plan.addresses.own}. Press Ctrl+C to close it; everything is saved.")
        say(f"  For this machine's browser (once, within five minutes): {url}")
        if browser and not webbrowser.open(url):
            say("  No browser could be opened; copy the address into one.")
        if self._plan.lan:
            self._tell_of_the_network()
        if sys.stdin.isatty():
            more = " Type join for the table's code, or host for one more host." if self._plan.lan else ""
            say("  Enter alone shows a new address for the host." + more)
            threading.Thread(target=self._listen, daemon=True).start()

    def _tell_of_the_network(self) -> None:
        if not self._plan.addresses.plain:
            say("  This machine is in no network at the moment, so no phone can reach it.")
            return
        if self._host.inviting:
            self._show_code()
        else:
            say("  Everybody has joined; their phones and televisions come back by themselves.")

    def _show_code(self) -> None:
        self._show(self._plan.addresses.plain[0], self._host.devices.code, "Scan to join")

    def _show(self, base: str, code: str, title: str) -> None:
        from loomtable.table.hosting.invitation import qr_in_terminal
        from loomtable.table.hosting.joining import join_path

        url = base + join_path(code)
        code_to_scan = qr_in_terminal(url)
        say("", f"  {title}: {url}", *([code_to_scan] if can_be_written(code_to_scan) else ()))
        say(f"  Or open {base} and type the code {code[:3]} {code[3:]}.")

    def _own_link(self) -> str:
        from loomtable.table.app import routes
        from loomtable.table.hosting.joining import join_path, table_path

        pairing = self._host.devices.pair(makes_room=True)
        onwards = f"&next={table_path(self._session, routes())}" if self._session else ""
        return self._plan.addresses.own + join_path(pairing.code) + onwards

    def _listen(self) -> None:
        """Answer what is typed, until the terminal is closed; nothing that goes wrong ends it."""
        from loomtable.table.hosting.backoff import Backoff

        backoff = Backoff()
        while True:
            try:
                for line in sys.stdin:
                    self._answer(line.strip())
                    backoff.worked()
                return
            except Exception:  # this thread's last net: without it nobody could be invited any more
                logger.exception("what was typed could not be answered")
                warn("Something went wrong here, and it is our fault; the table is still open, type it again.")
                time.sleep(backoff.failed())

    def _answer(self, typed: str) -> None:
        if not typed:
            say(f"  {self._own_link()}")
        elif not self._plan.addresses.plain:
            say("  Phones can join when the table is opened with --lan.")
        elif typed == "host":
            code = self._host.devices.pair(makes_room=True).code
            self._show(self._plan.addresses.secure[0], code, "For one more host, once, within five minutes")
        else:
            self._host.show_code(True)
            self._show_code()
