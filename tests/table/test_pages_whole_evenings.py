"""The evenings that travel with Loomtable on the forms that the page shows, ending as their transcripts do.

Nothing is sent that could not be tapped or typed: a step is made from the form on the page as it stands then. A
step of each kind is sent so; the thorough run sends every evening from its first line to its last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from loomtable.engine.kernel.journal import Step
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    TextReading,
)
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import RULING_ACTION
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from tests.playing import transcript
from tests.table.asking import Asker, Table
from tests.tiers import EVENINGS, TELLING, thorough

Sent = list[tuple[str, str]]
FIELDS = re.compile(r"<textarea\b.*?</textarea>|</?(?:form|option|select|button|input)\b[^>]*>", re.DOTALL)
"""What forms consist of: the parser is slow, and most of a page is pictures."""


@dataclass
class Form:
    """A form of a page: where it goes, and what can be put into it."""

    action: str
    id: str
    kept: Sent = field(default_factory=list)
    """What it sends if nobody touches it."""
    offered: dict[str, set[str] | None] = field(default_factory=dict)
    """What each field offers; nothing where anything may be typed."""
    required: set[str] = field(default_factory=set)

    def sent(self, filled: Sent) -> Sent:
        """What goes to the table when it is filled in like this."""
        names = {name for name, _ in filled}
        for name, value in filled:
            assert name in self.offered, f"{self.action} has no field {name}; it has {sorted(self.offered)}"
            offered = self.offered[name]
            assert offered is None or value in offered, f"{name} offers {sorted(offered)}, not {value!r}"
        all_ = [(name, value) for name, value in self.kept if name not in names] + filled
        missing = {name for name in self.required if not any(n == name and v for n, v in all_)}
        assert not missing, f"a browser would not send this form without {sorted(missing)}"
        return all_


class Forms(HTMLParser):
    """All forms of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.all: list[Form] = []
        self._chooses = self._writes = ""
        self.feed("".join(FIELDS.findall(text)))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        name, value = has.get("name") or "", has.get("value") or ""
        if tag == "form":
            self.all.append(Form(str(has["action"]), has.get("id") or ""))
        elif tag == "option" and self._chooses:
            self._offer(self._chooses, value, "selected" in has)
        elif not (name and self.all):
            return
        elif tag == "select":
            self._chooses = name
            self._demand(name, has)
        elif tag == "button" or (tag == "input" and has.get("type") in ("radio", "checkbox")):
            self._offer(name, value, "checked" in has)
            self._demand(name, has)
        elif tag == "textarea":
            self._writes = name
            self.all[-1].offered[name] = None
        elif tag == "input":
            if has.get("type") != "hidden":
                self.all[-1].offered[name] = None
            elif name.startswith("arg."):  # there is no other choice
                self.all[-1].offered[name] = {value}
            self.all[-1].kept.append((name, value))
            self._demand(name, has)

    def handle_data(self, data: str) -> None:
        if self._writes:
            self.all[-1].kept.append((self._writes, data))

    def handle_endtag(self, tag: str) -> None:
        self._chooses = "" if tag == "select" else self._chooses
        self._writes = "" if tag == "textarea" else self._writes

    def _offer(self, name: str, value: str, chosen: bool) -> None:
        offered = self.all[-1].offered.setdefault(name, set())
        if offered is not None:
            offered.add(value)
        if chosen:
            self.all[-1].kept.append((name, value))

    def _demand(self, name: str, has: Mapping[str, str | None]) -> None:
        if "required" in has:
            self.all[-1].required.add(name)


@dataclass
class Player:
    """Somebody at the host's page, without a script."""

    asker: Asker
    here: str

    def forms(self, path: str) -> list[Form]:
        answer = self.asker.ask("GET", path, headers={"accept": "text/html"})
        assert answer.status == 200, f"{path}: {answer.text[:300]}"
        return Forms(answer.text).all

    def send(self, form: Form, filled: Sent) -> None:
        kind = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}
        body = urlencode(form.sent(filled)).encode()
        answer = self.asker.ask("POST", form.action, body, {**kind, "accept": "text/html"})
        assert answer.status == 303, answer.text[:500]

    def told(self) -> str:
        """What the page says of the last step."""
        page = self.asker.ask("GET", self.here, headers={"accept": "text/html"}).text
        return " ".join(re.findall(r'data-section="note"[^>]*>(.*?)</section>', page, re.DOTALL))

    def act(self, action: Action, actor: str) -> None:
        if action.name == RULING_ACTION:
            [form] = [f for f in self.forms(f"{self.here}/rulings") if f.action.endswith("/rulings")]
            self.send(form, [(f"ruling.{action.args['ruling']}", str(action.args["choice"]))])
            return
        who = action.args.get(actor)
        # Whoever did it last is chosen; for somebody else what goes with them is shown at a press.
        asked = {"do": action.name} | ({f"arg.{actor}": who} if isinstance(who, str) else {})
        [form] = [f for f in self.forms(f"{self.here}?{urlencode(asked)}") if f.id == "act-form"]
        self.send(form, list(_filled(action.args, form)))

    def answer(self, what: Any) -> None:
        forms = self.forms(self.here)
        [form] = [f for f in forms if f.id == "answer"]
        ticks = [f for f in forms if f.id == "ticks"]
        if ticks and isinstance(what, ChoiceReading):
            [buttons] = [keys for keys in ticks[0].offered.values() if keys is not None]
            buttons.add("tick")  # is sent beside whichever is pressed
            self.send(ticks[0], [("answer", "tick"), *_answered(what)])
            return
        filled = list(_answered(what))
        if isinstance(what, DiceReading) and any(
            value not in (form.offered[name] or ()) for name, value in filled
        ):
            # An ordinary die that stands in has other faces: they are typed.
            [form] = [f for f in forms if f.offered.get("answer", ()) is None]
            filled = [("answer", " ".join(value for _, value in filled))]
        if ("answer", "unclear") in filled:
            form.required.clear()  # this button sends the form as it is
        self.send(form, filled)


def _filled(args: Mapping[str, Any], form: Form, prefix: str = "arg") -> Iterator[tuple[str, str]]:
    """The fields that say these arguments: one each, or those of a group, or a list with commas."""
    for name, value in args.items():
        path = f"{prefix}.{name}"
        if path not in form.offered:
            yield from _filled(_parts(value), form, path)
        elif form.offered[path] == {"true"}:
            yield from [(path, "true")] if value else []  # a box that is not ticked is not sent
        elif isinstance(value, list | tuple) and value and all(isinstance(part, int) for part in value):
            yield path, "/".join(map(str, value))
        elif isinstance(value, list | tuple) and form.offered[path] is not None:
            yield from ((path, str(part)) for part in value)
        else:
            yield path, _as_offered(_typed(value), form.offered[path])


def _as_offered(typed: str, offered: set[str] | None) -> str:
    """Rules take names in either case; a page offers them in one."""
    return next((one for one in offered or () if one.casefold() == typed.casefold()), typed)


def _parts(value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    assert isinstance(value, list | tuple), value
    return {str(at): part for at, part in enumerate(value)}


def _typed(value: Any) -> str:
    """As somebody types it; what has parts as in a data file."""
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return ", ".join(value)
    return json.dumps(value) if isinstance(value, bool | Mapping | list | tuple) else str(value)


def _answered(what: Any) -> Iterator[tuple[str, str]]:
    match what:
        case DiceReading():
            yield from ((f"answer{at}", str(face)) for at, face in enumerate(what.faces))
        case CoinReading():
            yield ("answer", "unclear") if what.side == "unclear" else ("answer0", what.side)
        case CardReading():
            yield "answer", what.card.short
        case ChoiceReading():
            yield from (("answer", key) for key in what.keys)
        case NumberReading():
            yield "answer", str(what.value)
        case TextReading():
            yield "answer", what.text


def kind_of(step: Step) -> tuple[object, ...]:
    """What makes the form of one step like that of another: the action and the sorts of its arguments, or the
    question and the sort of the answer."""
    what, asked = step.what, step.request
    if isinstance(what, Action):
        return what.name, *((name, type(value)) for name, value in sorted(what.args.items()))
    die = (asked.die, type(what.faces[0])) if isinstance(asked, Roll) and isinstance(what, DiceReading) else ()
    return type(asked), asked.rule if asked else "", type(what), *die


@cache
def told(name: str) -> Session[Any]:
    """An evening as its transcript plays it."""
    return transcript(name)


def played_on_forms(table: Table, name: str, known: set[tuple[object, ...]] | None = None) -> None:
    """Play an evening on the forms of the page; where kinds are ``known``, only steps of new kinds, each once."""
    evening = told(name)
    player = Player(table.join(Role.HOST), f"/table/{quote(name)}")
    [begin, *_] = [f for f in player.forms(f"/new/{evening.system.key}") if f.action.endswith("/begin")]
    decided = {**evening.system.rulings.defaults(), **evening.opened.rulings}
    rulings = [(f"ruling.{ruling}", choice) for ruling, choice in decided.items()]
    player.send(begin, [("session", name), ("seed", str(evening.opened.seed)), *rulings])
    live = table.host.live_session(name)
    for seq, played in enumerate(evening.played):
        if seq < len(live.session.played):  # what had one answer alone, the table has answered itself
            assert live.session.played[seq].step.what == played.step.what
            continue
        before, what, kind = live.revision, played.step.what, kind_of(played.step)
        if known is not None and kind in known:
            live.take(what, by="", revision=before)
        else:
            if isinstance(what, Action):
                player.act(what, live.session.system.actions[what.name].actor)
            else:
                player.answer(what)
            if known is not None:
                known.add(kind)
        assert live.revision > before, f"line {played.step.seq}: {what}: {player.told()}"
    assert live.session.state == evening.state


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with open_store(tmp_path / "sessions.db") as store:
        host = TableHost(store)
        yield Table(host, hurried=True)
        host.close()


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_every_kind_of_step_can_be_taken_on_the_forms_of_the_page(system: str, table: Table) -> None:
    known: set[tuple[object, ...]] = set()
    for name in sorted(TELLING):
        evening = told(name)
        if evening.system.key == system and {kind_of(played.step) for played in evening.played} - known:
            played_on_forms(table, name, known)
    assert known


@thorough
@pytest.mark.parametrize("name", EVENINGS)
def test_a_whole_evening_on_the_forms_of_the_page(name: str, table: Table) -> None:
    played_on_forms(table, name)
