"""Real browsers at a real table: Chromium without a window, and the table served from a thread."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs.site.page_pictures import SIZES, browser_path
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.serving import served
from loomtable.table.store import open_store

PATIENCE = 120_000
"""Milliseconds that a page may take on a busy machine; on a quiet one it takes a few hundred."""

CUT_OFF = """() => {
  const wrong = [];
  const root = document.documentElement;
  const [wide, high] = [root.scrollWidth, root.scrollHeight];
  if (high > innerHeight || wide > innerWidth) wrong.push(`the page is ${wide} by ${high}`);
  const parts = ".tv-stage, .tv-people, .tv-now, .tv-last, .person, .initiative, .tv-side, main";
  for (const one of document.querySelectorAll(parts)) {
    if (one.offsetParent === null && one !== document.querySelector("main")) continue;
    const over = one.scrollHeight - one.clientHeight;
    if (over > 2) wrong.push(`${one.className || one.localName}, ${over}px: ${one.textContent.slice(0, 60)}`);
  }
  for (const one of document.querySelectorAll(".initiative b")) {
    if (one.scrollWidth > one.clientWidth + 1) wrong.push(`a name: ${one.textContent}`);
  }
  return wrong;
}"""
"""What of a television is cut off or has to be scrolled."""
OUT_OF_SIGHT = """(wanted) => wanted.filter((what) => ![...document.querySelectorAll(what)].some((one) => {
  const box = one.getBoundingClientRect();
  const inside = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
  return inside && box.width > 4 && box.height > 4
    && one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}))"""
"""Which of these selectors have nothing that lies wholly in sight."""


def chromium(*flags: str) -> Iterator[Any]:
    """A Chromium without a window; skips where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = browser_path()
    if path is None:
        pytest.skip("no Chromium is installed; .ci/run installs Debian's")
    with playwright.sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=path, args=["--no-sandbox", *flags])
        yield browser
        browser.close()


class Served:
    """A table that is served, and the pages of devices that have joined it."""

    def __init__(self, host: TableHost, base: str, browser: Any) -> None:
        self.host = host
        self.base = base
        self.browser = browser
        self.complaints: list[str] = []
        """What pages' scripts have complained of; a test that ends with any has failed."""

    def page(
        self,
        role: Role,
        person: str = "",
        live: str = "",
        *,
        size: str = "laptop",
        reads: bool = False,
        **more: Any,
    ) -> Any:
        """A page of a new device of this role; a small one is a phone.

        What came of a roll is put away at once, by a key, unless somebody ``reads`` it.
        """
        width, height = SIZES[size]
        context = self.browser.new_context(viewport={"width": width, "height": height}, **more)
        context.set_default_timeout(PATIENCE)
        for one in self.host.devices.all():
            if person and person in one.names.values():  # whose last phone is put away
                self.host.devices.revoke(one.id)
        if live:
            self.host.open(live)
        _, token = self.host.devices.admit(role, person, live)
        port = self.base.rpartition(":")[2]
        context.add_cookies([{"name": f"loomtable-{port}", "value": token, "url": self.base}])
        page = self.watched(context.new_page())
        if not reads:
            page.add_locator_handler(page.locator("#result:not([hidden])"), lambda: page.keyboard.press("Escape"))
        return page

    def watched(self, page: Any) -> Any:
        """The page, with its script's complaints kept."""
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self._heard(said.type, said.text))
        return page

    def _heard(self, kind: str, text: str) -> None:
        # What the table refuses, and what a test cuts off, is told by the browser too: no defect of the page.
        if kind == "error" and "Failed to load resource" not in text:
            self.complaints.append(text)


@contextlib.contextmanager
def serving(browser: Any, folder: Path) -> Iterator[Served]:
    """A table with an empty store in ``folder``."""
    with TableHost(open_store(folder / "sessions.db")) as host, served(host) as planned:
        here = Served(host, planned.addresses.own, browser)
        try:
            yield here
        finally:
            for context in tuple(browser.contexts):  # what listens goes before the table does
                context.close()
    assert not here.complaints, here.complaints


def played_on(page: Any, revision: int) -> None:
    """Wait until the page shows a later state than this one."""
    later = "n => Number(document.querySelector('input[name=revision]')?.value) > n"
    page.wait_for_function(later, arg=revision, polling=30)


def act(page: Any, label: str, **fields: str) -> None:
    """Choose an action on the page, unless its form stands there already; fill it in, and send it."""
    form = page.locator("#act-form")
    page.locator("#asked-title").get_by_text("Your move").wait_for()
    if not form.get_by_role("button", name=label, exact=True).count():
        page.get_by_role("link", name=re.compile(rf"^{label}\b")).first.click()
        page.locator("#asked-title").get_by_text(label).wait_for()
    form.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    page.evaluate("() => { window.times = 0; document.addEventListener('renewed', () => { window.times++; }); }")
    sends = form.get_by_role("button", name=label)
    for name, value in fields.items():
        field = form.locator(f"[name='arg.{name}']").first
        kind = field.evaluate("one => one.type || one.localName")
        if kind == "radio":
            times = page.evaluate("times")
            form.locator(f"[name='arg.{name}'][value='{value}']").check()
            page.wait_for_function("(before) => times > before", arg=times)  # what was chosen narrows the rest
        elif kind == "submit":  # saying it begins the action
            sends = form.locator(f"[name='arg.{name}'][value='{value}']")
        elif kind.startswith("select"):
            field.select_option(value)
        elif kind == "hidden":  # there is nothing else to choose
            assert field.input_value() == value
        else:
            field.fill(value)
    sends.click()
