"""Joining with a code: what a stranger is told before it, and how often strangers may try."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import re
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from starlette.requests import Request

from loomtable.engine.kernel.chance import random_answer
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.errors import TooOften
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.joining import count_guess
from loomtable.table.hosting.throttle import Throttle
from loomtable.table.store import open_store
from tests.table.asking import Answer, Asker, Table

PAGE = {"accept": "text/html"}


def looks(table: Table, code: str, client: str = "127.0.0.1") -> Answer:
    return table.stranger().ask("GET", f"/join?code={code}", headers=PAGE, client=client)


def tries(table: Table, code: str, client: str) -> Answer:
    headers = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}
    return table.stranger().ask("POST", "/join", urlencode({"code": code}).encode(), headers, client=client)


def test_the_page_with_a_hosts_code_tells_a_stranger_nothing_before_it_is_used(friday: Table) -> None:
    good, bad = friday.host.devices.pair().code, "AAAAAA"
    right, wrong = (looks(friday, code, client="10.0.0.7") for code in (good, bad))
    assert (right.status, wrong.status) == (200, 200)
    assert good in right.text, "the code from the address stands in the form, and one press is enough"
    alike = {
        re.sub(r'data-made="[^"]*"', "", page.text).replace(code, "")
        for page, code in ((right, good), (wrong, bad))
    }
    assert len(alike) == 1 and "friday" not in wrong.text
    assert tries(friday, good, "127.0.0.1").json["says"] == "Joined as the host."


def test_looking_at_the_page_with_a_code_counts_as_a_try(friday: Table) -> None:
    statuses = [looks(friday, "AAAAAA").status for _ in range(12)]
    assert statuses[0] == 200 and statuses[-1] == 429
    assert statuses.count(200) <= 7
    assert tries(friday, "AAAAAA", "127.0.0.1").status == 429
    assert friday.stranger().ask("GET", "/join", headers=PAGE).status == 200, "without a code nothing is tried"


def test_all_addresses_together_try_no_faster_and_this_machine_is_not_held_up_by_them(friday: Table) -> None:
    statuses = [tries(friday, "AAAAAA", f"10.0.{n // 250}.{n % 250}").status for n in range(300)]
    assert statuses[0] == 400 and statuses[-1] == 429
    assert statuses.count(400) < 60
    code = friday.host.devices.pair().code
    assert tries(friday, code, "127.0.0.1").status == 200


def test_a_phone_of_the_house_gets_in_while_sixty_strangers_try(friday: Table) -> None:
    """Sixty codes a second are tried, from sixty addresses; each second another phone opens its page and joins."""
    now, let_in = 0.0, []
    for name in ("guesses", "all_guesses", "first_guesses"):
        usual = getattr(friday.app.state, name)
        setattr(friday.app.state, name, Throttle(*usual._figures[True], clock=lambda: now))
    for second in range(60):
        for stranger in range(60):
            now = second + stranger / 60
            with contextlib.suppress(TooOften):
                count_guess(asks(friday, f"192.168.1.{stranger + 1}"), "AAAAAA")
        house = f"192.168.1.{second + 100}"
        try:
            count_guess(asks(friday, house), "AAAAAA")
            count_guess(asks(friday, house), "AAAAAA")
            let_in.append(friday.host.devices.admit(Role.CAMERA)[0].name)
        except TooOften:
            pass
    assert len(let_in) >= 55, "all but those of the first seconds"
    evaluated = 0
    for stranger in range(60):
        with contextlib.suppress(TooOften):
            count_guess(asks(friday, f"192.168.1.{stranger + 1}"), "AAAAAA")
            evaluated += 1
    assert evaluated <= 5, "and the strangers try no faster than before"


def test_a_household_behind_one_address_joins_in_one_second(friday: Table) -> None:
    """The table's own code is no guess: it is not counted, however fast phones scan it; wrong ones are."""
    for name in ("guesses", "all_guesses", "first_guesses"):
        usual = getattr(friday.app.state, name)
        setattr(friday.app.state, name, Throttle(*usual._figures[True], clock=lambda: 0.0))
    code = friday.host.devices.code
    for turn in range(40):
        assert looks(friday, code, client="10.0.0.7").status == 200, f"phone {turn}"
    tried = [tries(friday, "AAAAAA", "10.0.0.7").status for _ in range(8)]
    assert tried[0] == 400 and tried[-1] == 429
    assert looks(friday, code, client="10.0.0.7").status == 429, "who was refused learns nothing by the right one"


def test_a_game_from_nothing_offers_those_who_have_joined(tmp_path: Path) -> None:
    table = Table(TableHost(open_store(tmp_path / "e.db")), hurried=True)
    for system, form in (("woven", ""), ("mnemonic", "?do=add-character")):
        table.host.begin(system, system)
        for name in ("Ada", "Ben"):
            for one in table.host.devices.all():
                if one.person == name:
                    table.host.devices.revoke(one.id)
            table.join(Role.PLAYER, name, system)
        laptop = table.join(Role.HOST)
        page = laptop.get(f"/table/{system}{form}").text
        offered = re.findall(r'<input type="(?:checkbox|radio)" name="arg.players?" value="(\w+)"', page)
        assert offered[:2] == ["Ada", "Ben"], system
    both = laptop.play("act", "woven", action="set-up", arg__players=["Ada", "Ben, Cleo", ""])
    assert both.status == 200 and [*table.host.live_session("woven").session.state.mages] == ["Ada", "Ben", "Cleo"]
    assert '<input id="act-arg-player" name="arg.player"' in page, "somebody else is written"


def asks(table: Table, client: str) -> Request:
    """A request with a code, from this address."""
    request = Request({"type": "http", "client": (client, 50_000), "app": table.app})
    request.state.device = None
    return request


def test_the_addresses_of_this_machine_count_as_one(friday: Table) -> None:
    statuses = [tries(friday, "AAAAAA", f"127.0.0.{n}").status for n in range(1, 40)]
    assert statuses.count(400) <= 7 and statuses[-1] == 429


def test_the_page_presses_join_by_itself_on_this_machine_only(friday: Table) -> None:
    code = friday.host.devices.pair().code
    assert "data-at-once" in looks(friday, code).text
    assert "data-at-once" not in looks(friday, code, client="10.0.0.7").text, "a phone's owner presses"
    assert "data-at-once" not in friday.stranger().ask("GET", "/join", headers=PAGE).text
    assert friday.host.devices.pairing(code) is not None, "looking changes nothing"


def test_a_code_that_does_not_work_is_told_on_a_page(friday: Table) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", **PAGE}
    told = friday.stranger().ask("POST", "/join", b"code=AAAAAA", headers)
    assert told.status == 400 and "This code does not work" in told.text and "<main" in told.text


def ready(folder: Path) -> Table:
    """A table at which an evening of Weave is open, for Ada and Ben."""
    table = Table(TableHost(open_store(folder / "e.db"), folder / "devices.json"), hurried=True)
    if not table.host.opened:
        table.host.begin_ready("weave", seed="A duel in the Maple Reach")
    return table


def joins(table: Table, person: str = "", **more: str) -> Asker:
    """A device that has joined with the table's code."""
    told = table.stranger().post("/join", code=table.host.devices.code, person=person, token="1", **more).json
    return Asker(table, told["token"], told["device"]["id"])


def season(table: Table, *players: str) -> str:
    """A new season of Weave, to which these are invited; its name."""
    live = table.host.begin("weave", "Rain on the roof")
    live.session.perform("new-season", playset="the-salt-road")
    while live.session.pending is not None:
        live.session.answer(random_answer(live.session.pending, random.Random(1)))
    for player in players:
        live.session.perform("invite", player=player)
    return live.name


def hand(asker: Asker) -> set[str]:
    """Whose whole sheets this device is shown."""
    path = f"/api/play/{quote(asker.table.host.opened)}/state"
    return {c["player"] for c in asker.get(path).json["view"]["characters"].values()}


def test_everybody_joins_with_the_one_code_by_a_tap_on_a_name(tmp_path: Path) -> None:
    table = ready(tmp_path)
    code = table.host.devices.code
    page = looks(table, code, client="10.0.0.7").text
    assert 'value="Ada"' in page and 'value="Ben"' in page, "the names of the session that is open"
    ada = joins(table, "Ada")
    assert hand(ada) == {"Ada"}
    assert "Ada has joined</button>" in looks(table, code, client="10.0.0.8").text
    late = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", **PAGE}
    late["referer"] = f"http://127.0.0.1:8417/join?code={code}"
    told = table.stranger().ask("POST", "/join", urlencode({"code": code, "person": "Ada"}).encode(), late)
    assert told.status == 400 and f'href="/join?code={code}"' in told.text, "the way back is to the names"
    refused = table.stranger().post("/join", code=code, person="Ada")
    assert refused.status == 400 and "with Ada's phone" in refused.json["error"]
    joins(table, role="screen")
    assert table.host.inviting, "Ben is still to join"
    joins(table, "Ben")
    assert not table.host.inviting
    assert tries(table, code, "10.0.0.9").status == 400, "nobody needs the code, so it works no more"


@pytest.mark.parametrize("person", ["ilse", "ILSE", "\uff29lse", "\u0130lse", "\u0131lse", " IlSe "])
def test_a_name_that_looks_like_one_of_those_who_play_is_not_taken(tmp_path: Path, person: str) -> None:
    """Small or full-width letters, a dot more or less over the I: the journal would have both."""
    table = ready(tmp_path)
    season(table, "Ilse", "Zoe")
    code = table.host.devices.code
    for asker, given in ((table.stranger(), {"code": code}), (joins(table), {}), (joins(table, "Bo"), {})):
        refused = asker.post("/join", person=person, **given)
        assert refused.status == 400
        assert "Ilse plays here already: if that is you, choose Ilse; if not, add" in refused.json["error"]
    page = table.stranger().ask(
        "POST", "/join", urlencode({"code": code, "person": person}).encode(),
        {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", **PAGE},
    )  # fmt: skip
    assert page.status == 400 and "choose Ilse" in page.text
    assert joins(table, "Ilse").id and joins(table, f"{person.strip()} B.").id


@pytest.mark.parametrize(
    "person", ["The Storyteller", "storyteller", "Ｔhe  Host", "A television", "THE ROOM", "camera"]
)
def test_what_is_no_player_is_nobody_s_name(tmp_path: Path, person: str) -> None:
    table = ready(tmp_path)
    refused = table.stranger().post("/join", code=table.host.devices.code, person=person)
    assert refused.status == 400 and "stands for somebody else here" in refused.json["error"]


def test_a_new_player_joins_under_any_other_name_before_the_evening_and_in_it(tmp_path: Path) -> None:
    table = Table(TableHost(open_store(tmp_path / "e.db")), hurried=True)
    early = joins(table, "Zo\u00eb")
    table.host.begin_ready("weave", seed="A duel in the Maple Reach")
    for name in ("Cleo", "Adah", "Theo", "\u4f60\u597d", "Bo the Host"):
        assert joins(table, name).id
    assert early.get("/api/devices").status == 403, "it is still joined"


def test_a_code_that_was_folded_away_never_works_again(tmp_path: Path) -> None:
    table = ready(tmp_path)
    host, code = table.join(Role.HOST), table.host.devices.code
    assert host.post("/api/code").status == 200
    assert tries(table, code, "10.0.0.7").status == 400
    assert host.post("/api/code", shown="1").status == 200
    assert tries(table, code, "10.0.0.8").status == 400
    assert tries(table, table.host.devices.code, "10.0.0.9").status == 200


def test_a_hand_is_shown_to_another_only_once_its_owner_or_the_host_has_set_the_name_free(tmp_path: Path) -> None:
    table = ready(tmp_path)
    ada, other = joins(table, "Ada"), joins(table, "Cleo")
    for take in ({"person": "Ada"}, {"person": " Ada "}):
        assert other.post("/join", **take).status == 400 and hand(other) == set()
    assert ada.post("/join", person="").status == 200
    assert ada.get(f"/api/play/{quote(table.host.opened)}/state").status == 404, "nobody's phone sees nothing"
    assert other.post("/join", person="Ada").status == 200 and hand(other) == {"Ada"}
    assert ada.post("/join", person="Ada").status == 400
    host = table.join(Role.HOST)
    assert ada.post("/api/devices/free", device=other.id).status == 403
    assert host.post("/api/devices/free", device=other.id).status == 200
    assert ada.post("/join", person="Ada").status == 200 and hand(ada) == {"Ada"}
    assert other.get(f"/api/play/{quote(table.host.opened)}/state").status == 404


def test_devices_follow_to_the_session_that_is_opened_and_are_who_they_were(tmp_path: Path) -> None:
    table = ready(tmp_path)
    tv, ada, ben = joins(table, role="screen"), joins(table, "Ada"), joins(table, "Ben")
    weave = table.host.opened
    second = season(table, "Ada", "Zoe")
    for asker, page in ((ada, "table"), (ben, "table"), (tv, "room")):
        moved = asker.get(f"/{page}/{quote(weave)}", accept="text/html")
        assert (moved.status, moved.headers["location"]) == (303, "/")
    window = table.join(Role.HOST).get(f"/room/{quote(weave)}?follows=1", accept="text/html")
    assert window.headers["location"] == f"/room/{quote(second)}?follows=1", "the host's second screen too"
    assert ada.get("/", accept="text/html").headers["location"] == f"/table/{quote(second)}"
    assert tv.get("/", accept="text/html").headers["location"] == f"/room/{quote(second)}"
    assert ben.get("/", accept="text/html").headers["location"] == "/join", "no Ben plays here"
    assert ben.post("/join", person="Zoe").status == 200
    table.join(Role.HOST).post("/api/sessions/open", session=weave)
    for asker, person in ((ada, "Ada"), (ben, "Ben")):
        assert hand(asker) == {person}


def test_weeks_later_at_a_new_port_and_in_a_new_session_nobody_joins_again(tmp_path: Path) -> None:
    first = ready(tmp_path)
    tokens = [(asker.token, asker.id) for asker in (joins(first, "Ada"), joins(first, "Ben"))]
    first.host.close()
    later = ready(tmp_path)
    begun = season(later, "Ben", "Ada")
    for token, device in tokens:
        asker = Asker(later, token, device)
        for cookie in ("loomtable-8417", "loomtable-9000", "loomtable-1=stale; loomtable-9000"):
            home = asker.get("/", accept="text/html", cookie=f"{cookie}={token}")
            assert home.headers["location"] == f"/table/{quote(begun)}"
        moved = asker.get(f"/table/{quote(begun)}", accept="text/html", cookie=f"loomtable-9000={token}")
        assert moved.headers["set-cookie"].startswith(f"loomtable-8417={token}"), "it is kept for this port too"
    assert not later.host.inviting


def test_a_phone_joined_by_an_earlier_loomtable_stays_and_follows(tmp_path: Path) -> None:
    weave = ready(tmp_path).host.opened
    token = "of last year"
    device = {"id": "a1", "name": "Ada's phone", "role": "player", "person": "Ada", "sitting": weave, "seen": 1e12}
    kept = [{"token_hash": hashlib.sha256(token.encode()).hexdigest(), "device": device}]
    (tmp_path / "devices.json").write_text(json.dumps(kept))
    table = ready(tmp_path)
    ada = Asker(table, token, "a1")
    assert hand(ada) == {"Ada"} and table.host.people()["Ada"] is not None
    begun = season(table, "Ada", "Zoe")
    assert ada.get("/", accept="text/html").headers["location"] == f"/table/{quote(begun)}"
