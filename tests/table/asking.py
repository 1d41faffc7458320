"""Asking the table as devices do: straight into the application, as bytes that a browser would send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from starlette.applications import Starlette

from loomtable.engine.kernel.play import Action
from loomtable.table.app import application
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.guard import cookie_name
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.throttle import Throttle
from loomtable.table.store import Store

PORT = 8417
OWN = f"127.0.0.1:{PORT}"


def a_tale(host: TableHost, name: str = "friday") -> LiveSession:
    """A session of Storm Weavers in which Thymin is made."""
    live = host.begin("storm-weavers", name)
    live.take(Action("create", {"dexterity_points": 2}), by="", revision=1)
    return live


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes = b""

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Table:
    """An application with its host, and devices that ask it."""

    host: TableHost
    hurried: bool = False
    """Whether its devices ask far more often than people do."""
    app: Starlette = field(init=False)

    def __post_init__(self) -> None:
        throttle = Throttle(1e6, 1e6) if self.hurried else None
        self.app = application(self.host, ports=[PORT], throttle=throttle)

    def join(self, role: Role, person: str = "", live: str = "friday") -> Asker:
        """A new device of this role."""
        if role is not Role.HOST:
            self.host.open(live)
        device, token = self.host.devices.admit(role, person, "" if role is Role.HOST else live)
        return Asker(self, token, device.id)

    def stranger(self) -> Asker:
        """A device that has not joined."""
        return Asker(self, "", "")


def table(store: Store) -> Table:
    return Table(TableHost(store))


@dataclass
class Asker:
    """One device."""

    table: Table
    token: str
    id: str

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, _json: Any = None, **fields: Any) -> Answer:
        """Post a form, or JSON, as the page's script does."""
        if _json is not None:
            return self.ask(
                "POST", path, json.dumps(_json).encode(), {"content-type": "application/json", **_FROM_PAGE}
            )
        body = urlencode({k.replace("__", "."): v for k, v in fields.items()}, doseq=True).encode()
        return self.ask("POST", path, body, {"content-type": "application/x-www-form-urlencoded", **_FROM_PAGE})

    def play(self, verb: str, live: str = "friday", _json: Any = None, **fields: Any) -> Answer:
        """Post to the session, from a page that shows the table as it is now."""
        revision = self.table.host.live_session(live).revision
        path = f"/api/play/{quote(live)}/{verb}"
        if _json is not None:
            return self.post(path, {"revision": revision, **_json})
        return self.post(path, **{"revision": revision, **fields})

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        *,
        scheme: str = "http",
        host: str | tuple[str, ...] = OWN,
        whole: bool = True,
        client: str = "127.0.0.1",
    ) -> Answer:
        """Ask once; with ``whole`` false only the head of the answer is waited for."""
        given = {"accept": "application/json", **(headers or {})}
        if self.token:
            name = cookie_name({"scheme": scheme, "server": ("127.0.0.1", PORT)})
            given.setdefault("cookie", f"{name}={self.token}")
        if body:
            given["content-length"] = str(len(body))
        hosts = (host,) if isinstance(host, str) else host
        sent = [("host", one) for one in hosts] + list(given.items())
        sent = [(name, value) for name, value in sent if value]
        return asyncio.run(_asked(self.table.app, method, path, body, sent, scheme, whole, client))


_FROM_PAGE = {"sec-fetch-site": "same-origin"}


async def _asked(
    app: Starlette,
    method: str,
    path: str,
    body: bytes,
    headers: Sequence[tuple[str, str]],
    scheme: str,
    whole: bool,
    client: str,
) -> Answer:
    plain, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": scheme,
        "path": _unquoted(plain),
        "raw_path": plain.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers],
        "client": (client, 40000),
        "server": ("127.0.0.1", PORT),
    }
    sent = iter([{"type": "http.request", "body": body, "more_body": False}])
    answer = Answer(0, {})
    begun, ended = asyncio.Event(), asyncio.Event()

    async def receive() -> Any:
        for message in sent:
            return message
        await ended.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode("latin-1") for name, value in message["headers"]}
            begun.set()
        else:
            answer.body += message.get("body", b"")
            if not message.get("more_body"):
                ended.set()

    task = asyncio.create_task(app(scope, receive, send))  # type: ignore[arg-type]
    done = asyncio.create_task((ended if whole else begun).wait())
    await asyncio.wait({task, done}, return_when=asyncio.FIRST_COMPLETED)
    if not whole:
        ended.set()
    if not task.done():
        await asyncio.wait({task}, timeout=1 if whole else 0.05)
    done.cancel()
    if not task.done():
        task.cancel()
    elif task.exception() is not None:
        raise task.exception()  # type: ignore[misc]
    return answer


def _unquoted(path: str) -> str:
    from urllib.parse import unquote

    return unquote(path)
