"""Somebody who does not know the game: types, leaves the field, presses too early, thinks better of it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from random import Random
from typing import Any

FIELDS = "#act-form :is(input:not([type=hidden]), select, textarea):visible"
SENDS = "#act-form button.first:visible"
WAYS = "#answer button:visible, #chance:visible, .asked .card-choice:visible, .asked .suggestions button:visible"
WORDS = ("Bram", "the long way round", "7", "Ilse")
A_MOMENT = 2000
"""Milliseconds that it reaches for something that has just gone."""


def filled(args: Mapping[str, Any], prefix: str = "arg") -> dict[str, list[str]]:
    """A form filled in by hand with these arguments."""
    form: dict[str, list[str]] = {}
    for name, value in args.items():
        path = f"{prefix}.{name}"
        if isinstance(value, Mapping):
            form |= filled(value, path)
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for at, part in enumerate(value):
                form |= filled(part, f"{path}.{at}")
        elif isinstance(value, list):
            form[path] = [str(part) for part in value]
        else:
            form[path] = [
                {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)
            ]
    return form


class Robot:
    """One page of a table and whoever sits at it."""

    def __init__(self, page: Any, home: str, source: Random) -> None:
        self.page, self.home, self.source = page, home, source
        self.presses = 0
        self.refused: list[str] = []
        self._open: set[Any] = set()
        page.on("request", lambda one: one.resource_type == "fetch" and self._open.add(one))
        page.on("requestfinished", self._done)
        page.on("requestfailed", lambda one: self._open.discard(one))

    def _done(self, request: Any) -> None:
        self._open.discard(request)
        if request.method == "POST" and (answer := request.response()) is not None and answer.status == 400:
            self.refused.append(f"{request.post_data}: {answer.text()}")

    def step(self) -> None:
        """Answer what is asked, or begin something, in the way of somebody in a hurry."""
        self.quiet()
        if self.page.locator("section.asked[data-section=asked]").count():
            self.answers()
            return
        drawn, links = self.seen("[data-act]:visible"), self.seen("#acts a:visible")
        if drawn and self.source.random() < 0.25:
            self.press(self.source.choice(drawn))
        elif links and (self.source.random() < 0.7 or not self.seen("#act-form")):
            self.touch(self.source.choice(links))
        self.quiet()
        self.fills_in()

    def answers(self) -> None:
        """Choose, tick or write something, more or less, and press."""
        for box in self.seen("#answer input[type=checkbox]:visible"):
            if self.source.random() < 0.3:
                self.touch(box)
        for text in self.seen("#answer input:is([type=text], :not([type])):visible"):
            if self.source.random() < 0.5:
                text.fill(self.source.choice(WORDS))
        if ways := self.seen(WAYS):
            self.press(self.source.choice(ways))

    def fills_in(self) -> None:
        """A form, until it is sent or nobody wants to go on; its button is pressed again and again."""
        begun = self.revision()
        for _ in range(10):
            if (sends := self.seen(SENDS)) and self.source.random() < 0.4:
                self.press(self.source.choice(sends))
            if self.revision() != begun:
                return
            if fields := self.seen(FIELDS):
                with contextlib.suppress(Exception):  # it goes while somebody reaches for it
                    self.says(self.source.choice(fields))
        if sends := self.seen(SENDS):
            self.press(sends[0])
        if self.revision() == begun:
            self.page.goto(self.home)

    def says(self, field: Any) -> None:
        """Say something in a field, or take it back; mostly leave it then."""
        kind = field.evaluate("one => one.type || one.localName")
        if kind in ("radio", "checkbox"):
            self.touch(field)
        elif kind.startswith("select"):
            values = field.evaluate("one => [...one.options].map((option) => option.value)")
            field.select_option(self.source.choice(values), timeout=A_MOMENT)
        else:
            said = self.source.choice("0123" if kind == "number" else WORDS)
            field.fill("" if self.source.random() < 0.1 else said, timeout=A_MOMENT)
            if self.source.random() < 0.6:
                self.page.keyboard.press("Tab")

    def press(self, what: Any) -> None:
        """Press something that sends, whether it sleeps or not."""
        self.presses += 1
        self.touch(what)
        self.quiet()

    def touch(self, what: Any) -> None:
        """Click on something, wherever it is."""
        with contextlib.suppress(Exception):  # it goes while somebody reaches for it
            what.evaluate("one => one.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))")

    def seen(self, what: str) -> list[Any]:
        """What of this there is on the page."""
        return list(self.page.locator(what).element_handles())

    def revision(self) -> str:
        """Of which revision the page shows the table."""
        return str(self.page.evaluate("document.body.dataset.revision"))

    def quiet(self) -> None:
        """Wait until nothing is on its way, and the page has made of it what it makes."""
        idle = 0
        while idle < 2:
            with contextlib.suppress(Exception):  # it goes to another page
                self.page.evaluate("0")
            self.page.wait_for_timeout(15)
            idle = 0 if self._open else idle + 1
