"""The first view of the table's page in a real browser: ``python -m benchmarks.first_view``; needs a Chromium.

How long until something is seen (PerformancePaintTiming, first contentful paint), beside a bare page of one
sentence from the same machine in the same run; and how many bytes come over the line, with an empty cache.

Last: 100 to 176 kB, 0.23 to 0.39 s; Woven up to 0.74 s (bounds 200 kB, 0.4 s).
"""

from __future__ import annotations

import argparse
import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from docs.site.page_pictures import SIZES, Onlooker, browser_path, screens, table_of_examples

MOST_BYTES, MOST_SECONDS = 180_000, 0.4
SHOWN = (
    "home",
    "weave-roll",
    "weave-acts",
    "spellwoven",
    "storm-map",
    "mnemonic",
    "woven",
    "journal",
    "room",
    "room-woven",
    "phone-player",
)
_BARE = b"<!doctype html><title>bare</title><link rel=icon href=data:,><p>One sentence."


class _Bare(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(_BARE)))
        self.end_headers()
        self.wfile.write(_BARE)

    def log_message(self, *_: Any) -> None:
        """Nothing is said."""


@contextmanager
def bare_page() -> Iterator[str]:
    """A server of one sentence; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Bare)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


class View:
    """What one page took to be seen."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.bytes = 0

    def look(self, page: Any, address: str) -> None:
        """Open the page with an empty cache."""
        line = page.context.new_cdp_session(page)
        came: list[float] = []
        line.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"]))
        line.send("Network.enable")
        line.send("Network.setCacheDisabled", {"cacheDisabled": True})
        page.goto(address, wait_until="load")
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(150)
        painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
        self.seconds.append(painted / 1000)
        self.bytes = round(sum(came))
        line.detach()


def main() -> None:
    """Look at every page in turn, several times."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description="The first view of the table's page.")
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    chromium = browser_path()
    if chromium is None:
        raise SystemExit("no Chromium is installed")
    with table_of_examples() as (host, base), bare_page() as bare, sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        looker = Onlooker(browser, host, base)
        there = {screen.name: screen for screen in screens(host)}
        views = {name: View() for name in ("bare", *SHOWN)}
        for _ in range(runs + 1):  # the first time is drawn and compiled, and does not count
            for name, view in views.items():
                role = None if name == "bare" else there[name].role
                size = (
                    "phone" if name.startswith("phone") else "television" if name.startswith("room") else "laptop"
                )
                page = looker.page(role, SIZES[size], "light")
                view.look(page, bare if name == "bare" else base + there[name].address)
                page.context.close()
        browser.close()
    print("| page | first paint, p50 | slowest | bytes |\n| --- | --- | --- | --- |")
    for name, view in views.items():
        counted = view.seconds[1:]
        print(f"| {name} | {statistics.median(counted):.2f} s | {max(counted):.2f} s | {view.bytes:,} |")
    print(f"\nMust reach: {MOST_SECONDS} s, {MOST_BYTES:,} bytes.")


if __name__ == "__main__":
    main()
