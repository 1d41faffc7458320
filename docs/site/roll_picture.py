"""A roll in six steps, from the question to the verdict: what the demo's page shows, laid side by side."""

from __future__ import annotations

import tempfile
from pathlib import Path

from docs.site.demo_pictures import SEED
from docs.site.page_pictures import browser_path
from loomtable.table.games.weave.demo.run import run_demo
from loomtable.vision.pictures import read_picture, write_picture

WIDTH, SHARPNESS = 900, 1.4
"""CSS pixels, and pixels of the picture for each."""
_STYLE = """
body { margin: 0; padding: 0; max-width: none; }
#steps { display: grid; grid-template-columns: repeat(3, 1fr); gap: 14px; padding: 14px; width: 900px; }
#steps section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 14px; }
#steps h2 { border: 0; margin: 0 0 8px; padding: 0; font-size: 19px; }
#steps h2 b { color: var(--accent); font-weight: 400; margin-right: .45em; }
#steps p { font-size: 14.5px; line-height: 1.4; margin: 0 0 8px; }
#steps .odds li { font-size: 14px; }
#steps .view { height: 190px; background-position: 55% 30%; background-size: auto 110%; border-radius: 6px; }
#steps .two { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
#steps .two .view { background-size: 285%; background-position: 50% 46%; }
#steps .dice { gap: 4px; margin: 14px 0 0; }
#steps .dice li { width: 46px; font-size: 10.5px; }
#steps .dice b { font-size: 11.5px; }
#steps .verdict { font-size: 32px; margin: 22px 0 10px; }
"""
_ARRANGE = """
() => {
  const rolls = [...document.querySelectorAll("article.roll")];
  const part = (at, name) => rolls.at(at).querySelector(name)?.outerHTML ?? "";
  const picture = (at, raw) => rolls[at].querySelector(raw ? "figure a" : "figure img")[raw ? "href" : "src"];
  const view = (at, raw) => `<div class=view style="background-image:url('${picture(at, raw)}')"></div>`;
  const after = [...rolls.at(-1).querySelectorAll(".verdict ~ p")].map(p => p.outerHTML).join("");
  const steps = [
    ["The rules ask", `<p>${rolls[0].querySelector("h3").textContent}. The odds:</p>` + part(0, ".odds")],
    ["You roll", view(0, true)],
    ["The camera reads", view(0, false)],
    ["Each die counts", part(0, ".dice")],
    ["You roll the Weaves again", `<div class=two>${view(1, false)}${view(2, false)}</div>`],
    ["The rules answer", part(-1, ".verdict") + after],
  ];
  document.body.innerHTML = "<div id=steps>" + steps.map(([title, inside], place) =>
    `<section><h2><b>${place + 1}</b>${title}</h2>${inside}</section>`).join("") + "</div>";
}
"""


def make_roll_picture(folder: Path) -> list[Path]:
    """Play the demo and show its Challenge step by step; needs a Chromium."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        home = Path(scratch)
        demo = run_demo(home, seed=SEED, images=[], camera=None, tell=lambda line: None, report=lambda *_: None)
        browser = playwright.chromium.launch(executable_path=browser_path())
        page = browser.new_page(
            viewport={"width": WIDTH + 28, "height": 640}, device_scale_factor=SHARPNESS, color_scheme="light"
        )
        page.goto(Path(demo.page).as_uri())
        page.add_style_tag(content=_STYLE)
        page.evaluate(_ARRANGE)
        page.wait_for_load_state("networkidle")
        page.locator("#steps").screenshot(path=home / "steps.png")
        browser.close()
        written = folder / "roll.jpg"
        write_picture(written, read_picture(home / "steps.png"))
        return [written]
