"""Joining with a code: what a stranger is told before it, and how often strangers may try."""

from __future__ import annotations

import contextlib
from urllib.parse import urlencode

from starlette.requests import Request

from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.errors import TooOften
from loomtable.table.hosting.joining import count_guess
from loomtable.table.hosting.throttle import Throttle
from tests.table.asking import Answer, Table

PAGE = {"accept": "text/html"}


def looks(table: Table, code: str, client: str = "127.0.0.1") -> Answer:
    return table.stranger().ask("GET", f"/join?code={code}", headers=PAGE, client=client)


def tries(table: Table, code: str, client: str) -> Answer:
    headers = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}
    return table.stranger().ask("POST", "/join", urlencode({"code": code}).encode(), headers, client=client)


def test_the_page_with_a_code_tells_a_stranger_nothing_before_it_is_used(friday: Table) -> None:
    good = friday.host.devices.pair(Role.PLAYER, person="Ilse", session="friday").code
    bad = "AAAAAA"
    right, wrong = looks(friday, good), looks(friday, bad)
    assert (right.status, wrong.status) == (200, 200)
    assert good in right.text, "the code from the address stands in the form, and one press is enough"
    assert right.text.replace(good, "") == wrong.text.replace(bad, "")
    assert "Ilse" not in right.text and "friday" not in right.text
    assert tries(friday, good, "127.0.0.1").json["says"] == "Joined as Ilse's phone."


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
    code = friday.host.devices.pair(Role.HOST).code
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
                count_guess(asks(friday, f"192.168.1.{stranger + 1}"))
        code = friday.host.devices.pair(Role.CAMERA, session="friday").code
        house = f"192.168.1.{second + 100}"
        try:
            count_guess(asks(friday, house))
            count_guess(asks(friday, house))
            let_in.append(friday.host.devices.join(code)[0].name)
        except TooOften:
            pass
    assert len(let_in) >= 55, "all but those of the first seconds"
    evaluated = 0
    for stranger in range(60):
        with contextlib.suppress(TooOften):
            count_guess(asks(friday, f"192.168.1.{stranger + 1}"))
            evaluated += 1
    assert evaluated <= 5, "and the strangers try no faster than before"


def asks(table: Table, client: str) -> Request:
    """A request with a code, from this address."""
    request = Request({"type": "http", "client": (client, 50_000), "app": table.app})
    request.state.device = None
    return request


def test_the_addresses_of_this_machine_count_as_one(friday: Table) -> None:
    statuses = [tries(friday, "AAAAAA", f"127.0.0.{n}").status for n in range(1, 40)]
    assert statuses.count(400) <= 7 and statuses[-1] == 429


def test_the_page_presses_join_by_itself_on_this_machine_only(friday: Table) -> None:
    code = friday.host.devices.pair(Role.HOST).code
    assert "data-at-once" in looks(friday, code).text
    assert "data-at-once" not in looks(friday, code, client="10.0.0.7").text, "a phone's owner presses"
    assert "data-at-once" not in friday.stranger().ask("GET", "/join", headers=PAGE).text
    assert friday.host.devices.pairing(code) is not None, "looking changes nothing"


def test_a_code_that_does_not_work_is_told_on_a_page(friday: Table) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", **PAGE}
    told = friday.stranger().ask("POST", "/join", b"code=AAAAAA", headers)
    assert told.status == 400 and "This code does not work" in told.text and "<main" in told.text


def test_what_ada_calls_her_phone_never_hides_that_it_is_hers(friday: Table) -> None:
    def joins(person: str, name: str) -> str:
        code = friday.host.devices.pair(Role.PLAYER, person=person, session="friday").code
        return str(friday.stranger().post("/join", code=code, name=name).json["device"]["name"])

    assert joins("Ada", "Ben's phone") == "Ben's phone (Ada)"
    assert joins("Ben", "") == "Ben's phone", "his own is still called so"
    assert joins("Ada", "Ada's phone") == "Ada's phone"
    camera = friday.host.devices.pair(Role.CAMERA, session="friday").code
    told = friday.stranger().post("/join", code=camera, name="Ben's phone").json
    assert told["says"] == "Joined as Ben's phone (a camera)."
