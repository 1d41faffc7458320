"""``loom table``: an evening on the page - in the browser of this machine, and on phones where that is wanted."""

from __future__ import annotations

import logging
import sys
import threading
import time
import webbrowser
from typing import TYPE_CHECKING, Annotated

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.wording import ended
from loomtable.table.commands.letters import can_be_written
from loomtable.table.commands.options import camera_option, option, session_option
from loomtable.table.commands.output import DEFAULT_STORE, StoreAt, say, warn

if TYPE_CHECKING:
    from loomtable.table.hosting.host import TableHost
    from loomtable.table.serving import Plan

logger = logging.getLogger(__name__)

PORT = 8417
_ROLES = ("host", "camera", "screen")


def table(
    session: Annotated[str | None, session_option("Open this session at once.")] = None,
    store: StoreAt = DEFAULT_STORE,
    camera: Annotated[
        str | None, camera_option("Watch with this camera: its number, its address, or a recording.")
    ] = None,
    lan: Annotated[bool, option("--lan", "Let phones in the same network join, each with a code.")] = False,
    invite: Annotated[
        list[str] | None, option("--invite", "Show a code for this player, or for: camera, screen.", "NAME")
    ] = None,
    port: Annotated[int, option("--port", "Where the page is served.", "N", min=1, max=65534)] = PORT,
    open_: Annotated[bool, option("--open/--no-open", "Open the page in the browser.")] = True,
) -> None:
    """Open the table as a page in the browser: choose a game, play it, read dice, print, go back and forth."""
    from loomtable.table.hosting.devices import Devices
    from loomtable.table.hosting.host import TableHost, table_folder
    from loomtable.table.serving import plan, serve
    from loomtable.table.store import open_store

    folder = table_folder()
    if invite and not lan:
        raise LoomtableError("--invite is for phones in the network; add --lan")
    devices = Devices(folder / "devices.json")
    with TableHost(open_store(store), devices) as host:
        opened = _opened(host, session, camera)
        planned = plan(port, lan=lan, folder=folder)
        door = _Door(host, planned, opened)
        serve(host, planned, lambda: door.open(open_, invite or []))
        host.store.confirm_kept()
    say("The table is closed; everything is kept.")


def _opened(host: TableHost, session: str | None, camera: str | None) -> str:
    """The session that is open from the beginning, with the camera watching it; none at all otherwise."""
    if session is None:
        if camera is not None:
            raise LoomtableError("--camera watches one session; name it with --session, or choose it on the page")
        return ""
    live = host.live_session(session)
    if camera is not None:
        live.watch.camera.start(camera)
    return live.name


class _Door:
    """Lets devices in: codes on the terminal, for this machine's browser and for phones."""

    def __init__(self, host: TableHost, planned: Plan, session: str) -> None:
        self._host = host
        self._plan = planned
        self._session = session

    def open(self, browser: bool, invited: list[str]) -> None:
        """Say where the table is, invite who was named, and go on inviting as names are typed."""
        url = self._own_link()
        say(f"The table is open at {self._plan.addresses.own}. Press Ctrl+C to close it; everything is kept.")
        say(f"  For this machine's browser (once, within five minutes): {url}")
        if browser and not webbrowser.open(url):
            say("  No browser could be opened; copy the address into one.")
        if self._plan.lan:
            self._tell_of_the_network()
            for who in invited or (["camera"] if self._invited_to() else ["host"]):
                self._try_to_invite(who)
        if sys.stdin.isatty():
            say("  Enter alone shows a new address for the host." + self._how_to_invite())
            threading.Thread(target=self._listen, daemon=True).start()

    def _how_to_invite(self) -> str:
        return " Type a player's name, camera or screen for a phone's code." if self._plan.lan else ""

    def _tell_of_the_network(self) -> None:
        if not self._plan.addresses.secure:
            say("  This machine is in no network at the moment, so no phone can reach it.")
            return
        say(
            "  Phones in the same network join with a code. The first time, a phone warns that it does not know",
            "  this machine's certificate: that is expected, go on to the page. Without HTTPS there is no live",
            f"  camera, but photographs work: {self._plan.addresses.plain[0]}",
        )

    def _invited_to(self) -> str:
        """The session that phones join: the one that was named, or else the one played last."""
        if self._session:
            return self._session
        return next((one.name for one in self._host.sessions() if not one.trouble), "")

    def _try_to_invite(self, who: str) -> None:
        try:
            self._invite(who)
        except LoomtableError as error:
            warn(ended(str(error)))

    def _invite(self, who: str) -> None:
        from loomtable.table.hosting.devices import Role
        from loomtable.table.hosting.invitation import qr_in_terminal
        from loomtable.table.hosting.joining import join_path

        role = Role(who) if who in _ROLES else Role.PLAYER
        person = who if role is Role.PLAYER else ""
        session = "" if role is Role.HOST else self._invited_to()
        is_host = role is Role.HOST
        pairing = self._host.devices.pair(role, person=person, session=session, makes_room=is_host)
        for base in self._plan.addresses.secure[:1]:
            url = base + join_path(pairing)
            whom = f"{who} ({session})" if session else who
            code_to_scan = qr_in_terminal(url)
            say("", f"  For {whom}: {url}", *([code_to_scan] if can_be_written(code_to_scan) else ()))
            code = f"{pairing.code[:3]} {pairing.code[3:]}"
            say(f"  Or open {base} and type the code {code}; it works once, for five minutes.")

    def _own_link(self) -> str:
        from loomtable.table.app import routes
        from loomtable.table.hosting.devices import Role
        from loomtable.table.hosting.joining import join_path, table_path

        pairing = self._host.devices.pair(Role.HOST, makes_room=True)
        onwards = f"&next={table_path(self._session, routes())}" if self._session else ""
        return self._plan.addresses.own + join_path(pairing) + onwards

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

    def _answer(self, who: str) -> None:
        if not who:
            say(f"  {self._own_link()}")
        elif self._plan.lan:
            self._try_to_invite(who)
        else:
            say("  Phones can join when the table is opened with --lan.")
