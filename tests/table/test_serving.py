"""The table served for real: sockets, TLS with our own authority, news over the wire, and the command itself."""

from __future__ import annotations

import contextlib
import datetime
import io
import os
import random
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
import zxingcpp
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from loomtable.engine.kernel.play import Action
from loomtable.table.commands.main import DEFECT
from loomtable.table.hosting import event_bus
from loomtable.table.hosting.addresses import Addresses, base_url, known_names, network_addresses
from loomtable.table.hosting.certificates import Certificate, CertificateUnusable, certificate_for
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.invitation import QUIET, address_modules, qr_in_terminal
from loomtable.table.pages import drawing
from loomtable.table.serving import Plan, PortTaken, plan, serve, served
from loomtable.table.store import open_store
from tests.table.asking import a_tale
from tests.table.cold_starts import Count, start_cold
from tests.table.ports import free_port


@pytest.fixture
def host(tmp_path: Path) -> Iterator[TableHost]:
    with TableHost(open_store(tmp_path / "e.db")) as runs:
        a_tale(runs)
        yield runs


def token_of(host: TableHost, role: Role = Role.HOST, person: str = "") -> str:
    live = "" if role is Role.HOST else "friday"
    return host.devices.admit(role, person, live)[1]


def listening(host: TableHost, planned: Plan, last: str = "never") -> tuple[threading.Thread, list[str]]:
    """A page that listens, and goes away with the ``last`` news; and what it hears."""
    headers, heard, begun = {"authorization": f"Bearer {token_of(host)}"}, list[str](), threading.Event()

    def hear() -> None:
        with httpx.stream("GET", f"{planned.addresses.own}/api/play/friday/events", headers=headers) as news:
            for line in news.iter_lines():
                heard.append(line)
                if '{"revision":2}' in line:
                    begun.set()
                if last in line:
                    return

    page = threading.Thread(target=hear, daemon=True)
    page.start()
    assert begun.wait(120)
    return page, heard


def test_phones_are_served_over_tls_that_our_authority_vouches_for(host: TableHost, tmp_path: Path) -> None:
    with served(host, lan=True, folder=tmp_path / "kept") as planned:
        assert planned.certificate is not None
        secure, plain = f"https://127.0.0.1:{planned.port + 1}", f"http://127.0.0.1:{planned.port}"
        trusted = ssl.create_default_context(cafile=str(planned.certificate.authority))
        code = host.devices.code
        with httpx.Client(base_url=secure, verify=trusted, headers={"accept": "application/json"}) as phone:
            own = {"origin": secure}
            joined = phone.post("/join", data={"code": code, "person": "Ilse"}, headers=own)
            assert joined.json()["says"] == "Joined as Ilse's phone."
            assert phone.get("/api/play/friday/state").json()["revision"] == 2
            assert phone.post("/api/play/friday/undo", data={"revision": 2}, headers=own).status_code == 403
            shown = phone.get("/certificate.crt").content
            assert x509.load_pem_x509_certificate(shown).subject.rfc4514_string() == "CN=Loomtable on this machine"
        with httpx.Client(base_url=plain, headers={"accept": "application/json"}) as phone:
            assert phone.get("/api/play/friday/state").status_code == 401, "another scheme, another cookie"
            foreign = phone.get("/api/play/friday/state", headers={"host": "evil.example"})
            assert foreign.status_code == 421
        with pytest.raises(httpx.ConnectError):
            httpx.get(secure)
        for address in network_addresses():
            assert httpx.get(base_url("http", address, planned.port) + "/api/devices").status_code in (303, 401)


def test_a_page_that_cannot_be_imported_keeps_the_table_closed(tmp_path: Path) -> None:
    broken = "import sys; sys.modules['loomtable.table.pages.viewer'] = None; "
    command = f"{broken}from loomtable.table.commands.main import main; main()"
    options = ["table", "--no-open", "--port", str(free_port()), "--store", str(tmp_path / "e.db")]
    kept = os.environ | {"XDG_DATA_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    opened = subprocess.run(
        [sys.executable, "-c", command, *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=kept,
    )
    assert (opened.returncode, opened.stdout) == (DEFECT, "")
    assert "something went wrong here" in opened.stderr


def test_on_this_machine_only_nobody_else_is_listened_to(host: TableHost) -> None:
    with served(host) as planned:
        assert planned.certificate is None and not planned.addresses.secure
        assert httpx.get(f"{planned.addresses.own}/api/devices").status_code in (303, 401)
        for address in network_addresses():
            with pytest.raises(OSError), socket.create_connection((address, planned.port), timeout=2):
                pass


def test_news_reach_a_listening_page_and_a_page_that_goes_away_is_forgotten(host: TableHost) -> None:
    live = host.live_session("friday")
    with served(host) as planned:
        page, heard = listening(host, planned, '{"revision":3}')
        live.take(Action("gain-item", {"item": "Rope"}), by="", revision=2)
        page.join(120)
        assert heard[0] == "retry: 2000" and 'data: {"revision":2}' in heard
        assert "event: play" in heard and heard[-1] == 'data: {"revision":3}'
        end = time.monotonic() + 120
        while live.bus.subscribers and time.monotonic() < end:
            time.sleep(0.02)
        assert live.bus.subscribers == 0


def test_the_room_has_its_page_of_a_change_before_any_other_is_made(
    host: TableHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, made = host.live_session("friday"), list[str]()
    screen, laptop = ({"authorization": f"Bearer {token_of(host, role)}"} for role in (Role.SCREEN, Role.HOST))
    with (
        served(host) as planned,
        httpx.stream("GET", f"{planned.addresses.own}/api/play/friday/events", headers=screen) as news,
    ):
        lines = news.iter_lines()  # which ends the connection when it goes
        next(line for line in lines if '{"revision":2}' in line)

        def fetches(page: str, headers: dict[str, str]) -> None:
            httpx.get(f"{planned.addresses.own}/{page}/friday", headers=headers, timeout=120).raise_for_status()
            made.append(page)

        def change(waits: float) -> threading.Thread:
            monkeypatch.setattr(event_bus, "ROOM_FIRST", waits)
            live.take(Action("gain-item", {"item": "Rope"}), by="", revision=live.revision)
            page = threading.Thread(target=fetches, args=("table", laptop), daemon=True)
            page.start()
            return page

        page = change(60)
        page.join(1)  # time enough for a page that waits for nobody
        assert made == []
        fetches("room", screen)
        page.join(120)
        assert sorted(made) == ["room", "table"]
        change(0.01).join(120)
        change(60).join(30)
        assert made.count("table") == 3, "a screen that does not come holds nobody up again"


def test_a_table_that_closes_says_so_to_pages_that_listen(
    host: TableHost, caplog: pytest.LogCaptureFixture
) -> None:
    with served(host) as planned:
        page, heard = listening(host, planned)
    page.join(120)
    assert not page.is_alive() and "event: closed" in heard
    assert not caplog.records, "nobody is cut off"


def test_a_device_that_goes_away_in_the_middle_leaves_nothing_behind(host: TableHost) -> None:
    """It says that it will send a form, sends half of it, and is gone."""
    with served(host) as planned:
        half = (
            f"POST /api/play/friday/act HTTP/1.1\r\nhost: 127.0.0.1:{planned.port}\r\n"
            f"authorization: Bearer {token_of(host)}\r\ncontent-type: application/json\r\n"
            'content-length: 500\r\n\r\n{"revision": 2, "action": "gain-item", '
        )
        with socket.create_connection(("127.0.0.1", planned.port)) as phone:
            phone.sendall(half.encode())
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", planned.port)) as phone:
            phone.sendall(b"\x16\x03\x01garbage" * 50)
        answer = httpx.get(
            f"{planned.addresses.own}/api/play/friday/state",
            headers={"authorization": f"Bearer {token_of(host)}", "accept": "application/json"},
        )
        assert answer.json()["revision"] == 2


def test_a_port_that_is_taken_is_a_sentence(host: TableHost, tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} cannot be used .*--port"):
            serve(host, plan(port, lan=False, folder=tmp_path))


# Certificates


def test_the_authority_is_made_once_and_vouches_for_home_only(tmp_path: Path) -> None:
    names = known_names(["192.168.1.5"])
    first, second = certificate_for(names, tmp_path), certificate_for(names, tmp_path)
    authority = x509.load_pem_x509_certificate(first.authority.read_bytes())
    assert authority == x509.load_pem_x509_certificate(second.authority.read_bytes())
    for key in (tmp_path / "authority-key.pem", tmp_path / "table-key.pem"):
        assert key.stat().st_mode & 0o077 == 0
    leaf = leaf_of(second)
    lasts = leaf.not_valid_after_utc - leaf.not_valid_before_utc
    assert datetime.timedelta(days=300) < lasts <= datetime.timedelta(days=397), "phones refuse longer ones"
    verified(authority, leaf, "192.168.1.5")
    with pytest.raises(VerificationError):
        verified(authority, leaf, "192.168.1.6")
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    permitted = {str(one.value) for one in constraints.value.permitted_subtrees or ()}
    assert "192.168.0.0/16" in permitted and "com" not in permitted and "0.0.0.0/0" not in permitted


def test_an_authority_that_is_damaged_or_does_not_fit_is_made_anew(tmp_path: Path) -> None:
    made = certificate_for(known_names(["192.168.1.5"]), tmp_path)
    before = made.authority.read_bytes()
    made.authority.write_bytes(before[:100])
    certificate_for(known_names(["192.168.1.5"]), tmp_path)
    second = made.authority.read_bytes()
    assert second not in (before, before[:100])
    certificate_for(known_names(["203.0.113.9"]), tmp_path)  # a public address, which the first did not vouch for
    third = made.authority.read_bytes()
    assert third != second
    certificate_for(known_names(["203.0.113.9", "10.0.0.1"]), tmp_path)
    assert made.authority.read_bytes() == third
    (tmp_path / "file").write_text("")
    with pytest.raises(CertificateUnusable, match="cannot be kept there"):
        certificate_for(["localhost"], tmp_path / "file" / "inside")


def leaf_of(made: Certificate) -> x509.Certificate:
    return x509.load_pem_x509_certificates(made.chain.read_bytes())[0]


def verified(authority: x509.Certificate, leaf: x509.Certificate, address: str) -> None:
    import ipaddress

    verifier = PolicyBuilder().store(Store([authority]))
    verifier.build_server_verifier(x509.IPAddress(ipaddress.ip_address(address))).verify(leaf, [])


# Invitations and the command


def test_the_code_in_the_terminal_is_read_by_a_scanner() -> None:
    url = "https://192.168.178.123:8418/join?code=GJVPF7"
    lines = qr_in_terminal(url).split("\n")
    lights = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    rows = [[lights[c][half] for c in line] for line in lines for half in (0, 1)]
    picture = np.kron(np.array(rows, np.uint8) * 255, np.ones((6, 6), np.uint8))
    [found] = zxingcpp.read_barcodes(np.pad(picture, 12, constant_values=255))
    assert found.text == url
    assert len(lines[0]) == len(address_modules(url)) + 2 * QUIET


def test_the_command_opens_the_table_says_where_and_closes_it(tmp_path: Path) -> None:
    port = free_port()
    program = subprocess.Popen(
        [
            sys.executable, "-c", "from loomtable.table.commands.main import main; main()",
            "table", "--no-open", "--lan", "--port", str(port), "--store", str(tmp_path / "e.db"),
        ],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={"XDG_DATA_HOME": str(tmp_path / "data"), "PATH": ""},
    )  # fmt: skip
    assert program.stdout is not None and program.stderr is not None
    try:
        said = ""
        while "five minutes): " not in said:
            line = program.stdout.readline()
            assert line, program.stderr.read()
            said += line
        [link] = re.findall(r"http://127\.0\.0\.1:\d+/join\?code=(\w{6})", said)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"accept": "application/json"}) as page:
            own = {"origin": f"http://127.0.0.1:{port}"}
            assert page.post("/join", data={"code": link}, headers=own).status_code == 200
            assert page.get("/api/sessions").json() == []
            torn = {**own, "content-type": "multipart/form-data; boundary=x"}
            assert page.post("/join", content=b"--y", headers=torn).status_code == 400
            begun = {"system": "weave", "session": "friday"}
            assert page.post("/api/sessions/begin", data=begun, headers=own).status_code == 200
    finally:
        program.terminate()
        rest, trouble = program.communicate(timeout=60)
    assert (program.returncode, trouble) == (0, "")
    assert "everything is saved" in rest
    with open_store(tmp_path / "e.db") as store:
        assert store.sessions() == ("friday",)


def test_a_table_that_closes_while_it_draws_says_so_and_raises_no_alarm(
    host: TableHost, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, closed = threading.Event(), threading.Event()

    def slowly(kind: str, name: str) -> bytes:
        begun.set()
        assert closed.wait(120)
        return packed(kind, name)

    packed = drawing.packed
    monkeypatch.setattr(drawing, "packed", slowly)
    monkeypatch.setattr(drawing, "_drawn", {})
    answers: list[httpx.Response] = []
    with served(host) as planned:
        headers = {"authorization": f"Bearer {token_of(host)}"}
        asks = threading.Thread(
            target=lambda: answers.append(
                httpx.get(f"{planned.addresses.own}/art/sheet/dice.svg", headers=headers, timeout=120)
            )
        )
        asks.start()
        assert begun.wait(120)
    asks.join(30)
    closed.set()
    assert [(one.status_code, one.text) for one in answers] == [(503, "The table is closing.\n")]
    assert capsys.readouterr().err == ""


def test_a_defect_while_inviting_is_said_and_the_next_line_is_still_answered(
    host: TableHost, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from loomtable.table.commands.table import _Door

    class Terminal:
        typed = iter(["\n", OSError("the terminal"), "join\n"])

        def __iter__(self) -> Iterator[str]:
            for line in self.typed:
                if isinstance(line, Exception):
                    raise line
                yield line

    monkeypatch.setattr("loomtable.table.hosting.backoff.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("sys.stdin", Terminal())
    planned = plan(8417, lan=False, folder=Path())
    _Door(host, planned, "friday")._listen()
    said = capsys.readouterr()
    assert "/join?code=" in said.out and "opened with --lan" in said.out
    assert "it is our fault; the table is still open" in said.err


@pytest.mark.parametrize(("encoding", "blocks"), [("utf-8", True), ("cp437", True), ("cp1252", False)])
def test_a_code_to_scan_is_drawn_where_it_can_be_and_the_address_stands_anywhere(
    host: TableHost, monkeypatch: pytest.MonkeyPatch, encoding: str, blocks: bool
) -> None:
    from loomtable.table.commands.table import _Door

    found = Addresses("http://127.0.0.1:8417", ("https://192.168.1.5:8418",), ("http://192.168.1.5:8417",))
    output = io.TextIOWrapper(io.BytesIO(), encoding, write_through=True)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("sys.stdout", output)
    _Door(host, Plan(8417, (), found, True, None), "friday").open(False)
    said = output.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    assert f"Scan to join: http://192.168.1.5:8417/join?code={host.devices.code}" in said
    assert ("█" in said) == blocks and "##" not in said


def test_a_table_that_was_just_opened_survives_many_pictures_at_once_and_draws_them_right() -> None:
    count = start_cold(starts=1, parallel=12, chance=random.Random(1), count=Count())
    assert count.asked == 12
    assert (count.died, count.not_pictures, count.different) == (0, 0, 0)
