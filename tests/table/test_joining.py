"""Joining with a code: what a stranger is told before it, and how often strangers may try."""

from __future__ import annotations

from urllib.parse import urlencode

from loomtable.table.hosting.devices import Role
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
