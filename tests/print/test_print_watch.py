"""``loom print --deck FILE --watch``: the card on the page is the card in the file, as soon as it is saved."""

from __future__ import annotations

import base64
import io
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pytest
import uvicorn
from PIL import Image

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.raster import Picture
from loomtable.table.commands.print_watch import LOOPBACK, WatchedDeck, watching
from tests.print.second_reader import read_by_opencv
from tests.short import Loom

TABLE = "name,text,code\nThe Mill,It grinds.,O6\nThe Ford,It takes.,O7\n"


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "harbour.csv"
    path.write_text(TABLE, "utf-8")
    return path


def saved(path: Path, text: str) -> None:
    """Save as an editor does: at a later time than before."""
    later = path.stat().st_mtime_ns + 1_000_000_000
    path.write_text(text, "utf-8")
    os.utime(path, ns=(later, later))


@contextmanager
def served(deck: Path) -> Iterator[Callable[..., str]]:
    """A browser's way to the page of a deck: the text at an address."""
    with socket.create_server((LOOPBACK, 0)) as opened:  # it takes connections before the server does
        server = uvicorn.Server(uvicorn.Config(watching(WatchedDeck(deck, None)), log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
        thread.start()

        def text(address: str, **headers: str) -> str:
            asked = Request(f"http://{LOOPBACK}:{opened.getsockname()[1]}{address}", headers=headers)
            with urlopen(asked, timeout=30) as answer:
                return str(answer.read().decode())

        try:
            yield text
        finally:
            server.should_exit = True
            thread.join()


def sides(page: str) -> list[Picture]:
    pictures = re.findall(r"base64,([^\"]+)", page)
    return [np.asarray(Image.open(io.BytesIO(base64.b64decode(picture)))) for picture in pictures]


def test_both_sides_of_a_card_are_shown_and_the_next_one_has_a_link(deck: Path) -> None:
    with served(deck) as text:
        page = text("/?card=2")
    front, back = sides(page)
    assert front.shape == back.shape and "<h1>2: The Ford</h1>" in page and '<a href="?card=1">1</a>' in page
    assert read_by_opencv(front) == ComponentId.parse("O7").code


def test_saving_the_deck_its_picture_or_its_template_changes_what_the_page_waits_for(deck: Path) -> None:
    art, template = deck.parent / "art", deck.parent / "mine.yaml"
    art.mkdir()
    (art / "mill.png").write_bytes(b"not drawn yet")
    saved(deck, "name,picture\nThe Mill,art/mill.png\n")
    template.write_text("template: mine\nboxes:\n  - {kind: text, field: name, at: [5, 5, 50, 20]}\n", "utf-8")
    watched = WatchedDeck(deck, str(template))
    states = [watched.state]
    for file in (art / "mill.png", template, deck):
        saved(file, file.read_text("utf-8"))
        states.append(watched.state)
    assert len(set(states)) == 4 and watched.state == states[-1]


def test_what_is_wrong_is_on_the_page_until_it_is_mended(deck: Path) -> None:
    with served(deck) as text:
        saved(deck, TABLE.replace("O7", "O6"))
        assert "O6 is the code of card 1 already" in text("/?card=2")
        saved(deck, 'name,text,code\n"<i>&",Sings.,O12\n')
        assert "<h1>1: &lt;i&gt;&amp;</h1>" in text("/"), "a name is never read as HTML"
        saved(deck, TABLE)
        assert "<li>" not in text("/")


def test_a_page_from_elsewhere_cannot_read_the_deck(deck: Path) -> None:
    with served(deck) as text, pytest.raises(HTTPError, match="400"):
        text("/", Host="evil.example")


def test_it_listens_on_this_machine_alone_and_prints_nothing(
    deck: Path, loom: Loom, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound: list[str] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: bound.append(sockets[0].getsockname()[0]))
    heard = loom("print", "--deck", deck, "--watch", "--output", deck.parent / "out", code=2).err
    assert "--watch shows a deck and prints nothing; leave --output out" in heard
    assert "Open http://127.0.0.1:" in loom("print", "--deck", deck, "--watch").out and bound == [LOOPBACK]
    assert "--watch belongs to --deck" in loom("print", "--watch", code=2).err


def test_its_address_is_in_a_log_while_it_runs(deck: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "loomtable", "print", "--deck", str(deck), "--watch"],
        stdout=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )
    assert program.stdout is not None
    try:
        [address] = re.findall(r"http://\S+/", program.stdout.readline())
        with urlopen(address, timeout=30) as answer:
            assert b"The Mill" in answer.read()
    finally:
        program.terminate()
        program.communicate(timeout=60)
