"""What lies hidden is in no answer to anybody else: every route that a player may ask, in the games that hide."""

from __future__ import annotations

import html
import random
import re
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import cv2
import pytest

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.requests import EnterText, Flip, Request, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.mnemonic.system import HIDDEN
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.cards.decks import name_of
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.system import FACE_DOWN
from loomtable.table.app import routes
from loomtable.table.hosting.devices import ROOM, Device, Role
from loomtable.table.hosting.guard import GuardedRoute, cookie_name
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.views import came_of_it
from loomtable.table.store import open_store
from tests.table.asking import PORT, Asker, Table
from tests.table.filming import coded
from tests.table.hidden_cards import DEALT, HIDING, PEOPLE, PLACES, STEPS, played, secrets_of, told_in
from tests.table.reading_pdf import words_of_pdf
from tests.tiers import mostly


def looked_at(asker: Asker, live: str, *, printed: bool) -> Iterator[tuple[str, str]]:
    """Everything that this device is answered, whatever it asks for; files to print, which take long, if asked."""
    for one in routes():
        if "GET" not in (one.methods or ()) or not ("{session" in one.path or "{secret" in one.path):
            continue
        path = _path(one, live).replace("/shared/x", f"/shared/{asker.table.host.live_session(live).shared}")
        if path.endswith(".pdf") and not printed:
            continue
        accept = "application/json" if path.startswith("/api") else "text/html"
        whole = not one.path.endswith("/events")
        answer = asker.ask("GET", path, headers={"accept": accept}, whole=whole)
        assert answer.status != 500, f"{path}: {answer.text[:300]}"
        if answer.headers.get("content-type", "").startswith("image/"):  # who may see a reading: _sees_no_picture
            continue
        yield path, words_of_pdf(answer.body) if answer.body[:4] == b"%PDF" else html.unescape(answer.text)


def _path(one: GuardedRoute, live: str) -> str:
    path = one.path.replace("{session:path}", quote(live))
    return re.sub(r"\{\w+:int\}", "1", re.sub(r"\{\w+\}", "x", path))


SEED = "5eed" * 8
"""As long as one that is drawn, so that no text holds part of it by chance."""
PLAYED = {"weave": 13}
"""Where chance plays so that something is hidden in every place there is."""


@pytest.mark.parametrize(
    ("key", "looks"),
    mostly(product(sorted(SYSTEMS), (3, 12)), ((key, 3) for key in SYSTEMS if key != "storm-weavers")),
)
def test_no_answer_tells_what_is_hidden(key: str, looks: int, seed: int = 12) -> None:
    """Who holds which card, and what lies face down, is known from the events alone; every answer is held to that.

    What happens is listened to at each step. Everything else is looked at now and then, and whenever something is
    hidden or asked that was not before.
    """
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "e.db") as store:
        runs = TableHost(store)
        live = runs.begin(key, "friday", seed=SEED, rulings=DEALT.get(key))
        live.share(True)
        table = Table(runs, hurried=True)
        askers = {person: table.join(Role.PLAYER, person) for person in PEOPLE}
        askers[ROOM] = table.join(Role.SCREEN)
        camera = table.join(Role.CAMERA)
        known: set[str] = set()
        files = sentences = 0
        for step, _ in enumerate(played(live, key, random.Random(PLAYED.get(key, seed)))):
            session, secrets = live.session, secrets_of(live.session)
            for viewer, asker in askers.items():
                untold = secrets.untold(viewer) - secrets.asked(viewer, session.pending)
                heard = came_of_it(live, _device(asker), live.revision - 1)
                assert not told_in(heard, untold) and not _part_of_the_seed(heard), f"{viewer} hears: {heard}"
                sentences += bool(untold)
            news = secrets.places() | {type(session.pending).__name__}
            if step % (STEPS // looks) and news <= known:
                continue
            known |= news
            shown = _shown_to_the_camera(session, camera)
            for viewer, asker in [*askers.items(), (ROOM, camera)]:
                asked = secrets.asked(viewer, session.pending)
                hidden, untold = secrets.hidden(viewer) - asked, secrets.untold(viewer) - asked
                if not secrets.is_asked(viewer, session.pending):
                    unseen = shown - secrets.told(viewer)
                    hidden, untold = hidden | unseen, untold | unseen
                elif isinstance(session.pending, ShowCard):
                    # A card that may be shown is one of many that are named for that, hidden or not.
                    named = {*_could_be_shown(session.pending)}
                    hidden, untold = hidden - named, untold - named
                for where, text in looked_at(asker, "friday", printed=looks > 3 or step == STEPS // looks):
                    files += where.endswith(".pdf") and bool(untold)
                    told = told_in(text, hidden if where.endswith("/state") else untold)
                    if where.endswith("/rules"):  # the book of rules names spells, whoever holds them
                        told -= told_in(html.unescape(asker.get(f"/rules/{key}", accept="text/html").text), told)
                    assert not told, f"{where} tells {viewer} of {told}"
                    assert not _part_of_the_seed(text), f"{where} tells {viewer} of the seed"
                for card in sorted(hidden)[:2] if key in HIDING else ():
                    _pry(asker, key, card, viewer, live)
                if asker is not camera:
                    _sees_no_field(asker, secrets.fields(viewer))
                    _sees_no_picture(asker, session.pending, asked=secrets.is_asked(viewer, session.pending))
        assert known >= PLACES[key], f"nothing ever was hidden in {PLACES[key] - known}; the test proves nothing"
        assert key not in HIDING or (files >= 2 and sentences >= 100), "hardly anything was hidden"
        runs.close()


def _part_of_the_seed(text: str) -> bool:
    return any(SEED[at : at + 10] in text for at in range(4))


def _device(asker: Asker) -> Device:
    return next(one for one in asker.table.host.devices.all() if one.id == asker.id)


def _sees_no_field(asker: Asker, fields: set[tuple[str, ...]]) -> None:
    view = asker.get("/api/play/friday/state").json["view"]
    for path in fields:
        seen: Any = view
        for part in path:
            seen = (seen or {}).get(part)
        assert seen in (None, HIDDEN, FACE_DOWN), f"{_device(asker).name} sees {'.'.join(path)}"


def _sees_no_picture(asker: Asker, pending: Request | None, *, asked: bool) -> None:
    """At other times a hand may lie before the camera."""
    if not asked and not isinstance(pending, Roll | Flip):
        assert asker.get("/api/play/friday/camera.jpg").status == 403


def _shown_to_the_camera(session: Session[Any], camera: Asker) -> set[str]:
    """Lay a card before the camera if one is asked for, and photograph it; what nobody else may learn then."""
    asked = session.pending
    if not isinstance(asked, ShowCard) or asked.kind is Kind.POKER:
        return set()
    card = ComponentId(asked.kind, asked.among[-1], "A" if asked.kind is Kind.TAPESTRY else "")
    body = cv2.imencode(".png", coded(card))[1].tobytes()
    headers = {"content-type": "image/png", "sec-fetch-site": "same-origin"}
    answer = camera.ask("POST", "/api/play/friday/photo", body, headers)
    assert answer.status == 200 and answer.json["sure"], answer.text
    assert not told_in(answer.text, {card.short, name_of(card)}), "the camera's screen lies open on the table"
    return {card.short, name_of(card)}


def _could_be_shown(asked: ShowCard) -> Iterator[str]:
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
        asker.get(f"/table/friday/journal/1/amend?answer={quote(card)}"),
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
        live = table.host.begin("woven", "friday", seed="eyes", rulings={"decks": "dealt"}, setup={})
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
