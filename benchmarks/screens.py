"""How long a change takes to every screen that is open: a laptop, a television and two phones, in a Chromium.

Five games, each after the beginning of an evening that ships, Spellwoven in a conflict; each change is one step of
that evening. Beside it the television's page, fetched plainly in the same run.

Last: 37 to 145 ms in the middle, 76 to 230 at the 95th percentile (bounds 150, 300).
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from pathlib import Path

import numpy as np

from docs.site.page_pictures import evening
from loomtable.table.store.packing import pack
from tests.table.browsing import chromium, serving
from tests.table.test_layers import EVENINGS, opened

STEPS, PAUSE = 30, 0.4
"""Changes of each game, and the seconds between them in which people would read."""
_WATCH = """() => {
  window.came = {};
  const look = () => { window.came[document.getElementById("main").dataset.revision] ??= Date.now(); };
  const of = { attributes: true, subtree: true, attributeFilter: ["data-revision"] };
  new MutationObserver(look).observe(document.body, of);
}"""
_FETCH = """async (address) => {
  const begun = performance.now();
  await (await fetch(address, { headers: { Accept: "text/html" } })).text();
  return performance.now() - begun;
}"""


def main() -> None:
    """Print the table."""
    print("| game, screen | p50 | p95 | a plain fetch, p50 | ratio |\n| --- | --- | --- | --- | --- |")
    browser = contextlib.contextmanager(chromium)
    with browser() as opens, tempfile.TemporaryDirectory() as folder, serving(opens, Path(folder)) as table:
        for key, (transcript, begun) in EVENINGS.items():
            whole = table.host.live_session(evening(table.host, f"whole {key}", transcript)).session
            live = table.host.bring_in(pack(key.title(), whole.lines()[:1]))
            for played in whole.played[:begun]:
                live.take(played.step.what, by="another", revision=live.revision)
            screens = opened(table, live, tuple(whole.system.people(whole.game)))
            took: dict[str, list[float]] = {name: [] for name in screens}
            plain = []
            for page in screens.values():
                page.locator(f"main[data-revision='{live.revision}']").wait_for()
                page.evaluate(_WATCH)
            for played in whole.played[begun : begun + STEPS]:
                live.take(played.step.what, by="another", revision=live.revision)
                done = 1000 * time.time()
                time.sleep(PAUSE)
                for name, page in screens.items():
                    page.locator(f"main[data-revision='{live.revision}']").wait_for()
                    took[name].append(page.evaluate("(at) => window.came[at]", f"{live.revision}") - done)
                plain.append(screens["television"].evaluate(_FETCH, f"/room/{live.name}"))
            for page in screens.values():
                page.context.close()
            fetched = float(np.median(plain))
            for name, all_ in took.items():
                middle, late = np.percentile(all_, [50, 95])
                figures = (f"{middle:.0f} ms", f"{late:.0f} ms", f"{fetched:.0f} ms", f"{middle / fetched:.1f} x")
                print(f"| {key}, {name} | {' | '.join(figures)} |")


if __name__ == "__main__":
    main()
