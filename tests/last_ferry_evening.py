"""An evening of the example game, where it is installed: ``python -m tests.last_ferry_evening``.

``tests/test_installed.py`` runs it in a fresh environment; nothing of it knows the checkout.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from unittest.mock import patch

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import print_transcript, replay, transcript_of
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.main import run
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from tests.table.asking import Table

TYPED = ["cross who=Ada", "7H", ":odds", "3 5", ":undo", "6 6", "cross who=Ben", "KS", "1 2"]


def main() -> None:
    """Play, undo, replay; then the page, the phones and the printed card."""
    assert version("last-ferry") and "last-ferry" in SYSTEMS
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _at_the_terminal(place)
        _replayed(place)
        _on_the_page_and_on_phones(place)
        _on_paper(place)
    print("the ferry came home")


def loom(*arguments: str, typed: str = "") -> str:
    """What a command prints; it has to end well."""
    with contextlib.redirect_stdout(io.StringIO()) as said, patch.object(sys, "stdin", io.StringIO(typed)):
        assert run(arguments) == 0, arguments
    return said.getvalue()


def _at_the_terminal(place: Path) -> None:
    store = str(place / "s.db")
    said = loom("play", "last-ferry", "--store", store, typed="\n".join(TYPED) + "\n")
    assert "Ada turns the 7 of Hearts: the water is 7 deep." in said, said
    assert "58.3%" in said and "reaches the far bank" in said, said
    assert "Ada rolls 12 and reaches the far bank." in said and "Ben rolls 3 and is thrown back" in said, said
    assert "How deep is the water under a joker?" in loom("rulings", "last-ferry")


def _replayed(place: Path) -> None:
    with open_store(place / "s.db") as store:
        session = Session.resume(SYSTEMS, store.journal("last-ferry"))
        assert session.view(STORYTELLER)["passengers"]["Ben"]["coins"] == 2
        assert len(session.lines()) > len(session.played) + 1, "what was undone is still in the journal"
        again = replay(print_transcript(transcript_of(session, "The ferry")), "ferry", SYSTEMS).session
        assert again.game == session.game


def _on_the_page_and_on_phones(place: Path) -> None:
    with TableHost(open_store(place / "s.db")) as host:
        table = Table(host)
        live = host.live_session("last-ferry")
        captain = table.join(Role.HOST)
        ada, ben = (table.join(Role.PLAYER, name, "last-ferry") for name in ("Ada", "Ben"))
        html = {"accept": "text/html"}
        assert "A river at night" in captain.get("/", **html).text
        assert "Crossings" in captain.get("/table/last-ferry", **html).text, "the default screen"
        hers, lucky = ada.get("/table/last-ferry", **html).text, "7 of Hearts"
        assert lucky in hers and lucky not in ben.get("/table/last-ferry", **html).text, "whose card it is"
        theirs = ada.play("act", "last-ferry", action="cross", arg__who="Ben")
        assert theirs.status == 403 and "own character only" in theirs.json["error"], theirs.text
        assert ada.play("act", "last-ferry", action="cross", arg__who="Ada").status == 200
        assert ada.play("answer", "last-ferry", answer="2C").status == 200
        assert "reaches the far bank" in captain.get("/table/last-ferry", **html).text, "the odds"
        assert ada.play("answer", "last-ferry", answer="6 5").status == 200
        assert live.session.state.passengers["Ada"].crossings == 2
        assert captain.play("undo", "last-ferry").status == 200
        assert live.session.pending is not None


def _on_paper(place: Path) -> None:
    loom("print", "last-ferry-reference", "--output", str(place / "kit"))
    [card] = (place / "kit").glob("*.pdf")
    import pypdfium2

    page = pypdfium2.PdfDocument(card)[0].get_textpage().get_text_bounded()
    assert "Last Ferry" in page and "court" not in page.lower() and "Jack, Queen, King" in page, page


if __name__ == "__main__":
    main()
