"""What lies hidden is in no answer to anybody else: every route that a player may ask, in the games that hide."""

from __future__ import annotations

import html
import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.requests import EnterText, ShowCard
from loomtable.engine.kernel.serialization import to_json
from loomtable.engine.weave.decks import name_of
from loomtable.engine.woven.spells import spell_named
from loomtable.table.hosting.devices import ROOM, Role
from loomtable.table.hosting.guard import GuardedRoute, cookie_name
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.web import routes
from loomtable.table.store import open_store
from tests.table.asking import PORT, Asker, Table
from tests.table.hidden_cards import DEALT, GAMES, PEOPLE, STEPS, played, told_in
from tests.table.reading_pdf import words_of_pdf
from tests.tiers import mostly


def looked_at(asker: Asker, live: str, *, printed: bool) -> Iterator[tuple[str, str]]:
    """Everything that this device is answered, whatever it asks for; files to print, which take long, if asked."""
    for one in routes():
        if "GET" not in (one.methods or ()) or "{session" not in one.path:
            continue
        path = _path(one, live)
        if path.endswith(".pdf") and not printed:
            continue
        accept = "application/json" if path.startswith("/api") else "text/html"
        whole = not one.path.endswith("/events")
        answer = asker.ask("GET", path, headers={"accept": accept}, whole=whole)
        yield path, words_of_pdf(answer.body) if answer.body[:4] == b"%PDF" else html.unescape(answer.text)


def _path(one: GuardedRoute, live: str) -> str:
    path = one.path.replace("{session:path}", quote(live))
    return re.sub(r"\{\w+:int\}", "1", re.sub(r"\{\w+\}", "x", path))


@pytest.mark.parametrize("looks", mostly([3, 12], [3]))
@pytest.mark.parametrize("key", sorted(GAMES))
def test_no_answer_tells_what_is_hidden(key: str, looks: int, seed: int = 2) -> None:
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "e.db") as store:
        runs = TableHost(store)
        live = runs.begin(key, "friday", seed=str(seed), rulings=DEALT[key])
        table = Table(runs, hurried=True)
        askers = {person: table.join(Role.PLAYER, person) for person in PEOPLE}
        askers[ROOM] = table.join(Role.SCREEN)
        camera = table.join(Role.CAMERA)
        compared = files = 0
        once_open = dict.fromkeys(askers, "")
        for step, _ in enumerate(played(live, key, random.Random(seed))):
            for viewer in once_open:
                once_open[viewer] += to_json(live.session.view(viewer)).decode()
            if step % (STEPS // looks):
                continue
            session = live.session
            for viewer, asker in [*askers.items(), (ROOM, camera)]:
                open_ = to_json(session.view(viewer)).decode()
                hidden = GAMES[key](session, viewer)
                # A card that may be shown is one of many that are named for that, hidden or not.
                asked = session.pending
                mine = isinstance(asked, ShowCard) and viewer in askers
                hidden -= told_in(open_, hidden) | ({*_could_be_shown(asked)} if mine else set())
                # Story and chronicle name cards that lay open once, wherever they are now.
                kept = hidden - _lay_open(once_open[viewer], GAMES[key](session, viewer))
                compared += bool(kept)
                printed = looks > 3 or step == STEPS // looks
                for where, text in looked_at(asker, "friday", printed=printed):
                    files += where.endswith(".pdf") and bool(kept)
                    assert not told_in(text, kept), f"{where} tells {viewer} of {told_in(text, kept)}"
                for card in sorted(hidden)[:2]:
                    _pry(asker, key, card, viewer, live)
        assert compared >= 4 and files >= 2, "hardly anything was hidden; the test proves nothing"
        runs.close()


def _lay_open(seen: str, hidden: set[str]) -> set[str]:
    """Which of these cards have been seen, by their codes, and their names with them."""
    codes = told_in(seen, hidden)
    return codes | {name_of(ComponentId.parse(code)) for code in codes if re.fullmatch(r"[A-Z]\d+", code)}


def _could_be_shown(asked: Any) -> Iterator[str]:
    for number in asked.among:
        for side in ("", "A", "B"):
            try:
                card = ComponentId(asked.kind, number, side)
            except LoomtableError:
                continue
            yield from (card.short, name_of(card))


def _pry(asker: Asker, key: str, card: str, viewer: str, live: LiveSession) -> None:
    """Naming a hidden card gets the same refusal as naming any other, and changes nothing."""
    before = live.revision
    tries = [
        asker.play("act", _json={"action": "challenge", "args": {"who": viewer, "suit": "gales", "card": card}}),
        asker.play("act", _json={"action": "use-asset", "args": {"who": viewer, "asset": "x", "card": card}}),
        asker.get(f"/api/play/friday/preview?amend=1&answer={quote(card)}"),
        asker.play("camera-correct", _json={"proposal": 1, "place": 1, "face": card}),
    ]
    asked = live.session.pending
    if asked is None or not isinstance(asked, EnterText):
        # What is asked of this player may be answered so, and then it was no secret; a text may be any.
        tries += [asker.play("answer", _json={"answer": [card]})] if asked is None or asked.by != viewer else []
    for answer in tries:
        assert answer.status in (400, 403, 404), answer.text
        said = answer.text.replace(card, "")
        assert "hand" not in said and "deck" not in said, said
    assert live.revision == before


def test_the_hosts_page_shows_a_hand_only_through_its_players_eyes(tmp_path: Path) -> None:
    """A laptop that all can see: Woven has no storyteller, and every hand is hidden from the others."""
    with open_store(tmp_path / "eyes.db") as store:
        table = Table(TableHost(store), hurried=True)
        live = table.host.begin("woven", "friday", seed="eyes", rulings={"decks": "dealt"}, setup={}, by="host")
        live.take(Action("set-up", {"players": list(PEOPLE)}), by="host", revision=live.revision)
        laptop = table.join(Role.HOST)
        token = cookie_name({"scheme": "http", "server": ("127.0.0.1", PORT)})
        hidden = {name: [*m.hand, *m.dealt] for name, m in live.session.state.mages.items()}
        assert all(hidden.values())

        def seen(eyes: str) -> set[str]:
            """Whose hidden spells are on the page."""
            page = laptop.get("/table/friday", cookie=f"{token}={laptop.token}; eyes={quote(eyes)}").text
            return {
                name
                for name, keys in hidden.items()
                if any(f"/art/card/{spell_named(key).component.short}.svg" in page for key in keys)
            }

        assert seen("") == {"Ada", "Ben"}
        assert seen(ROOM) == set()
        assert seen("Ada") == {"Ada"}
        assert seen("Ben") == {"Ben"}
        assert seen("nobody of this session") == set()
        answer = laptop.post("/table/friday/eyes", **{"as": "Ada"})
        assert "eyes=Ada" in answer.headers["set-cookie"]
        assert "HttpOnly" in answer.headers["set-cookie"]
